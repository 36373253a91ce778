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
    always @(*) if (!reset) begin
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
