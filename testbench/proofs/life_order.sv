// SPDX-License-Identifier: MIT OR Apache-2.0
// Property D at the registration port with the later commands (`life_flow` with `life_entry`), for any index `I` and its entry in memory:
//
// What a lookup could see of the entry changes only under the barrier of the index, behind its kill; a valid mapping is changed only
// to one of the next epoch, after its old epoch was parked; what ends one has left an entry that is not valid when it is
// acknowledged; a retired one stays so until its completion; and nothing is answered or armed before. Keeps `env_kills`, `env_parked`, `env_life_steps`.
`include "env.sv"
`include "life.svh"

module life_order (
    `LIFE_INPUTS
);
    `LIFE_DUT
    (* anyconst *) wire [`K-1:0] I;
    `include "life_story.svh"

    (* hierconn *) wire [`BEAT-1:0] \dut.flow.page_is$q ;
    logic fed = 0;                                    // nobody was starved as it was raised
    always @(posedge clock) if (step == SORT || step == RAISE) fed <= !starved;
    wire subject = target == I && step == ANSWER && !job && result == 0;
    // what the command said, as its fields were set, or its window was: kept, since it need not stand longer. And what was found with it: the
    // base its pages have, and the region's own words, which a window takes over
    (* hierconn *) wire [`PAW-1:0] \dut.entry.digits$q ;
    (* hierconn *) wire [`ORGW-1:0] \dut.sums$origin ;
    logic said = 0, based = 0, r_faults;
    logic [8:0] said_rights;
    logic [2:0] said_page, r_page;
    logic [`PDW-1:0] said_pd, r_pd;
    logic [`VAW-1:0] said_start;
    logic [`RLW-1:0] said_length;
    logic [`QPW-1:0] said_qpn;
    logic [`K-1:0] said_region;
    logic [`ORGW-1:0] said_origin;
    logic [`PAW-1:0] found, r_base;
    logic [`EPW-1:0] r_epoch;
    logic [7:0] said_low, said_extra;
    logic [`SECW-1:0] said_secret;
    always @(posedge clock) begin
        if (step == FIELDS || step == MORPH) begin
            said <= 1;
            said_rights <= {reg_access[9:8], reg_access[6:0]};
            said_page <= reg_page; said_pd <= reg_pd; said_start <= reg_iova; said_length <= reg_length; said_qpn <= reg_qpn;
            said_region <= reg_key2[8+:`K]; said_origin <= \dut.sums$origin ; said_secret <= reg_key[31-:`SECW]; said_low <= reg_key[7:0]; said_extra <= reg_extra;
            r_page <= hot.page; r_pd <= hot.pd; r_base <= hot.base; r_epoch <= hot.epoch; r_faults <= hot.rights[6];
        end
        if (step == ARGS && \dut.args$done ) begin based <= 1; found <= \dut.entry.digits$q ; end
        if (step == IDLE || reset) begin said <= 0; based <= 0; end
    end
    wire [2:0] named = o_reregister ? \dut.flow.named$q : 7;
    wire [2:0] kind_said = o_window ? (said_extra == 1 ? 3 : said_extra == 2 ? 4 : 2) : o_null ? 5 : o_allocate || o_fast ? 1 : 0;
    wire new_map = hot.start == said_start && hot.length == said_length;
    wire keeps = target == I && !wrote;
    wire as_fields = said && (o_bind
        // a window: the command's range, rights, owner and key, and its region's page size, base, PD and epoch
        ? new_map && hot.rights == {said_rights[8:7], r_faults, said_rights[5], 1'b0, said_rights[3:1], 1'b0} && hot.qpn == said_qpn && hot.parent == said_region
            && hot.origin == said_origin && hot.rkey == {said_secret, said_extra} && hot.page == r_page && hot.pd == r_pd && hot.base == r_base
            && hot.parent_epoch == r_epoch
        // the rest: what is named is the command's, what is not is as it was
        : hot.kind == kind_said && (named[0] ? new_map && hot.page == said_page : !keeps || {hot.start, hot.length, hot.page, hot.base} == {old.start, old.length, old.page, old.base})
            && (named[1] && !o_fast ? hot.pd == said_pd : !keeps || hot.pd == old.pd)
            && (named[2] ? hot.rights == (o_null ? 1 : said_rights) : !keeps || hot.rights == old.rights)
            // its keys, but for the consumer's byte, are as they were
            && (!o_fast || !keeps || (hot.lkey == {old.lkey[`KEYW-1:8], said_low} && hot.rkey == {old.rkey[`KEYW-1:8], said_low}))
            && (!o_reregister || !keeps || (hot.lkey == old.lkey && hot.rkey == old.rkey)));
    wire as_said = as_fields && (!maps || (based && hot.base == found));
    wire says = makes || o_fast || o_reregister || (o_bind && !unbind);
    // the key a command came with: the entry's, or, where its low byte is the consumer's, one of its secrets; and a window's region was named by one of its keys
    (* hierconn *) wire \dut.entry.same$q , \dut.entry.alike$q ;
    function logic one_of(input [`KEYW-1:0] key, l, r, input window); one_of = key == r || (key == l && !window); endfunction
    wire [`KEYW-1:0] came = {reg_key[31-:`SECW], reg_key[7:0]}, came_2 = {reg_key2[31-:`SECW], reg_key2[7:0]};
    logic [`KEYW-1:0] with_key;
    always @(posedge clock) if (step == MATCH) with_key <= came;
    wire holds = o_fast ? with_key[`KEYW-1:8] == old.lkey[`KEYW-1:8] || with_key[`KEYW-1:8] == old.rkey[`KEYW-1:8] : one_of(with_key, old.lkey, old.rkey, was_window);
    always @(*) if (!reset) begin
        if (written && bar && idx == I && !makes) a_key: assert (holds);
        if (keyed && target == I && !wrote) i_key: assert (holds);
        if (step == MATCH && !makes) i_own: assert (\dut.entry.same$q == one_of(came, hot.lkey, hot.rkey, is_window)
            && \dut.entry.alike$q == (came[`KEYW-1:8] == hot.lkey[`KEYW-1:8] || came[`KEYW-1:8] == hot.rkey[`KEYW-1:8]));
        if (step == MATCH_REGION) i_own_2: assert (\dut.entry.same$q == one_of(came_2, hot.lkey, hot.rkey, is_window));
        if (\dut.flow$up ) a_key_2: assert (one_of(came_2, hot.lkey, hot.rkey, 0));
        if (region && step == SUM) i_key_2: assert (one_of(came_2, hot.lkey, hot.rkey, 0));
    end
    // the list of free indices runs through the entries (`next`): what was first in it as I was put there
    (* hierconn *) wire [`K-1:0] \dut.alloc$head , \dut.entry$succ ;
    wire [`K-1:0] next = home[`MPTLINE + 24 +: `K], next_there = memory[`MPTLINE + 24 +: `K];
    wire links = job && ending == 0 && (step == WRITE || step == ACK || step == DONE);
    logic [`K-1:0] first_free, below;
    logic chained = 0;
    always @(posedge clock) begin
        if (step == LINK) first_free <= \dut.alloc$head ;
        if (give && idx == I) begin chained <= 1; below <= first_free; end
        if (reset) chained <= 0;
    end
    always @(*) if (!reset) begin
        // what is chained is in memory before the index is given back, and is read back as it is taken again
        if (give && idx == I) a_chained: assert (next_there == first_free);
        if (grab && idx == I && chained) a_succ: assert (\dut.entry$succ == below);
        if (links) i_links: assert (next == first_free && (step == WRITE || idx != I || next_there == first_free));
        if (chained && !used) i_chained: assert (next_there == below);
        if (taking) i_taking: assert (!used);
        if (((entry_known && step != WORD) || matching) && owner == I && !links && !(o_bind && !region && !loser)) i_next: assert (next == next_there);
        // A, B: the entry that is written for a command has its words
        if (written && bar && says) a_said: assert (as_said);
        if (about && says && !wrote && step != FRESH && step != DRAW && step != DRAWN && step != FIELDS && step != ARGS) i_said: assert (as_said);
        if (about && (step == FRESH || step == DRAW || step == DRAWN || step == FIELDS)) i_as_read: assert (pure);
        if (step == ARGS || step == LIST) i_maps: assert (maps);
        if (about && says && step == ARGS) i_args: assert (as_fields);
        // D: what a lookup could see changes under the barrier, behind the kill
        a_visible: assert (!visible || (bar && killed && out));
        // a valid mapping becomes one of the next epoch, and that it ends was told before, by its old one
        if (differs && old.state == 3) a_epoch: assert (hot.epoch == old.epoch + `EPW'd1 && parked && epoch == old.epoch);
        // a retired entry stays so until the completion that was owed
        if (differs && owes && !held_back) a_retired: assert (old.state == 1 && job);
        // what was not cut was drained: fetches under way are void before the new entry is seen
        if (differs && old.state == 3 && !was_window && mode != 1) a_void: assert (voided);
        // what ends a mapping is armed when it is over: written, acknowledged, the barrier down
        if (arm) a_arm: assert (parked && !bar && (o_evict ? paged && voided && swept : wrote && acked));
        if (arm && !o_evict && target == I) a_over: assert (old.epoch == epoch + `EPW'd1 && old.state == (ends ? 1 : unbind ? 2 : 3));
        // and answered only behind that
        if (rsp_valid && !job) a_late: assert (!(moves_on || o_evict) || result != 0);
        // what makes a mapping is answered when it is there
        if (subject && (makes || o_fast || (o_bind && !unbind))) a_there: assert (wrote && acked && !bar
            && old.state == (o_allocate || o_window ? 2 : 3));
        // a region loses no window it has: with windows bound it does not end
        if ((retires || rests || bumps) && !is_window) a_bound: assert (bound == 0);
        // an eviction waits for what was granted before the page was gone, and its fetches void
        if (put && put_seen) a_evicts: assert (paged && voided && swept && !watching);
        if (put) a_put: assert (room && !parked && (put_seen || (!bar && !wrote)) && put_seen == o_evict && \dut.flow$put_end != 3 && (o_evict || !tied_then));
        if (orphan_valid && bar) a_orphan: assert (killed && out && orphan_index == barrier_index && (target != I || orphan_epoch == old.epoch));
        // ---- what others rely on
        if (takes_op) a_stands: assert (op_index == op_index_was && op_kind == op_kind_was);
        if (bar && takes_op) a_kind: assert (op_kind == 0 && bar_was && op_index == barrier_index);
        if (bar && bar_was) a_index: assert (barrier_index == bar_index_was);
        if (bar_was && !bar) a_falls: assert (acks_was && wrote);
        if (scoped && mode[1]) i_sets_only: assert (step != RAISE && !under);
        if (step == KILL || (scoped && mode[1] && step != IDLE && step != SORT)) i_fed: assert (fed);
        if (takes_op && step != IDLE) a_fed: assert (fed);
        if (op_valid && op_kind == 1) a_calm: assert (rested);
        a_one: assert (shift + \dut.flow$fields + \dut.flow$based + \dut.flow$fresh + \dut.flow$save + morph + \dut.flow$up
            + \dut.flow$down + retires + rests + (frees || bumps) + \dut.flow$chain <= 1 && (!\dut.flow$pair || \dut.flow$fields ));
        if (recasts || \dut.flow$up || \dut.flow$down || \dut.flow$chain || \dut.flow$fresh ) a_home: assert (turned == 0);
        // (the page list asks for nothing then)
        if (write && !\dut.list$icm_mtt && !\dut.list$icm_window ) a_words: assert (icm_valid && icm_write && icm_space == 0
            && icm_addr == idx << `MPTA && icm_data == home[turned*`BEAT +: `BEAT] && icm_len == `MPTN - 1
            && icm_last == (turned == `MPTN - 1));
        // a page is written before it is void, and an evicted one as absent
        if (o_evict && result == 0 && (step == TRANSFER || step == PAGE || step == PAGE_ACK)) i_absent: assert (\dut.flow.page_is$q == 0);
        if (step == PAGE && !\dut.list$icm_mtt && !\dut.list$icm_window ) a_page: assert (icm_valid && icm_write && icm_space == 1 && icm_len == 0
            && icm_last && (!o_evict || icm_data == 0));
        if (pop) a_pop: assert (job);
    end
    // (each is sought from the cycle on in which it can be; before, that would take the solver long)
    always @(*) if (!reset && smooth) begin
        c_evicted: cover (age >= 24 && arm && o_evict);
        c_void: cover (age >= 30 && differs && old.state == 3 && voided);
        c_invalidated: cover (age >= 32 && arm && o_invalidate && target == I && !was_window);
        c_reregistered: cover (age >= 34 && arm && o_reregister && target == I && swept);
        c_fast: cover (age >= 36 && subject && o_fast);
        c_made: cover (age >= 40 && subject && o_window);
        c_unbound: cover (age >= 54 && arm && o_bind && target == I && unbind);
        c_completed: cover (age >= 26 && completes && step == DONE && ending == 1 && old.state == 2);
        c_given: cover (age >= 26 && give && idx == I);
        c_rebound: cover (age >= 57 && differs && o_bind && had && !unbind);
    end
endmodule
