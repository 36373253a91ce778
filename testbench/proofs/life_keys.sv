// SPDX-License-Identifier: MIT OR Apache-2.0
// Keys (`life_flow`, `life_entry`), for any index `I`: no key the core chooses comes twice while the table lives. The number that is drawn for it is
// higher than all before it of its kind: an ordinary or null region draws for its generation, what lets a consumer choose the low byte
// for a block of 256; the generation moves on when the life of the entry ends, and an index whose generations are used up is not given again. The permutation
// behind it is a free one here (`env_keys`; `cipher` shows that it is one), and its secret is set once.
`include "env.sv"
`include "life.svh"

module life_keys (
    `LIFE_INPUTS,
    input logic marks
);
    `LIFE_DUT
    (* anyconst *) wire [`K-1:0] I;
    `include "life_story.svh"

    wire [23:0] count = home[`MPTLINE +: 24], there = memory[`MPTLINE +: 24];
    env_life_first start (.generation(first[`MPTLINE +: 24]));
    wire [15:0] next_block = there[23:8] + 16'd1;
    wire whole = old.kind >= 1 && old.kind <= 4;
    wire blocked = o_allocate || o_window;
    (* hierconn *) wire \dut.flow$cipher_load , \dut.entry.worn$q , \dut.flow.seeded$q ;
    (* hierconn *) wire \dut.cipher$block ;
    (* hierconn *) wire [`K-1:0] \dut.cipher$index ;
    (* hierconn *) wire [23:0] \dut.cipher$generation , \dut.entry.generation_q$q ;
    (* hierconn *) wire [`DEEP-1:0] \dut.cipher$lkey , \dut.cipher$rkey ;
    (* hierconn *) wire [`FLAT-1:0] \dut.cipher$lsecret , \dut.cipher$rsecret ;
    wire go = \dut.flow$cipher_go , busy = \dut.cipher$busy ;

    // what was drawn for the command that is under way
    logic drawn = 0, drawn_short, done = 0, loaded = 0, went = 0;
    logic [`K-1:0] drawn_index;
    logic [23:0] drawn_count;
    logic [`DEEP-1:0] now_l, now_r;
    logic [`FLAT-1:0] now_lsec, now_rsec;
    wire pairs = \dut.flow$pair && makes;
    always @(posedge clock) begin
        went <= go && !reset;
        if (go) begin drawn <= 1; drawn_short <= \dut.cipher$block ; drawn_index <= \dut.cipher$index ; drawn_count <= \dut.cipher$generation ; done <= 0; end
        else if (drawn && !went && !busy) done <= 1;
        if (step == IDLE || reset) begin drawn <= 0; done <= 0; end
        if (\dut.flow$cipher_load ) loaded <= 1;
        if (reset) loaded <= 0;
        if (pairs) begin now_l <= \dut.cipher$lkey ; now_r <= \dut.cipher$rkey ; now_lsec <= \dut.cipher$lsecret ; now_rsec <= \dut.cipher$rsecret ; end
    end
    // the keys in force: since the write that made the entry
    wire given = written && bar && makes && idx == I;
    logic [24:0] deep = 0;         // lowest generation of which no pair of keys was given
    logic [16:0] flat = 0;         // lowest block of which no pair of secrets was
    logic gone = 0;                // the entry's life has ended since
    logic marked = 0, then_short;  // one pair of keys, any
    logic [23:0] then_count;
    logic [`KEYW-1:0] then_lkey, then_rkey;
    logic [`DEEP-1:0] then_l, then_r;
    logic [`FLAT-1:0] then_lsec, then_rsec;
    always @(posedge clock) begin
        if (given && !blocked) deep <= count + 25'd1;
        if (given && blocked) flat <= count[23:8] + 17'd1;
        if (given) gone <= 0;
        if (written && bar && (o_deregister || o_unwindow) && idx == I) gone <= 1;
        if (given && marks) begin
            marked <= 1; then_short <= blocked; then_count <= count; then_lkey <= hot.lkey; then_rkey <= hot.rkey;
            then_l <= now_l; then_r <= now_r; then_lsec <= now_lsec; then_rsec <= now_rsec;
        end
        if (reset) begin deep <= 0; flat <= 0; gone <= begins_owed && !begins_end; marked <= 0; end
    end
    env_keys draws (.clock(clock), .reset(reset), .go(go), .busy(busy), .mark(marked && given), .then_short(then_short), .now_short(blocked),
        .then_count(then_count), .now_count(count), .then_l(then_l), .then_r(then_r), .now_l(now_l), .now_r(now_r),
        .then_lsec(then_lsec), .then_rsec(then_rsec), .now_lsec(now_lsec), .now_rsec(now_rsec));

    wire loads = entry_known && step != WORD && owner == I;
    wire fresh = blocked && step != FRESH && step != MATCH;
    wire drew = makes && (step == FIELDS || step == ARGS || step == LIST || step == TRANSFER || step == LIST_END || step == RAISE
        || step == KILL || step == KILLED || step == FIT || step == WRITE) && result == 0 && !job;
    wire paired = drew && step != FIELDS && made;
    always @(*) if (!reset) begin
        // ---- the generation at home and in memory
        if (loads && (!wrote || loser) && !(makes && fresh) && !(step == WRITE && bar && (o_deregister || o_unwindow))) i_same: assert (count == there);
        if (loads && made && fresh && !wrote) i_block: assert (count == {next_block, 8'd0});
        if (loads && step == WRITE && bar && (o_deregister || o_unwindow)) i_next: assert (count == (whole ? {next_block, 8'd0} : there + 24'd1));
        if (keyed && region && target == I) i_kept: assert (\dut.entry.generation_q$q == there && \dut.entry.kind_q$q == old.kind);
        if (keyed && about && target == I && !wrote) i_kind_stays: assert (hot.kind == old.kind);
        if ((made && about && !wrote && step != FRESH && step != DRAW && step != DRAWN && step != FIELDS)
            || (((step == ACK && bar) || step == DONE || step == ANSWER) && makes && !job && result == 0)) i_kind_made: assert (
            o_window ? hot.kind >= 2 && hot.kind <= 4 : hot.kind == (o_allocate ? 1 : o_null ? 5 : 0));
        if (job && (step == LINK || step == SWEEP)) i_worn: assert (\dut.entry.worn$q == (&count[23:9]));
        // ---- what of it is used up
        i_marked: assert (!marked || (then_short ? then_count[23:8] < flat : then_count < deep));
        if (!whole || gone || (!used && !taking)) i_flat: assert (flat <= there[23:8]);
        i_flat_most: assert (flat <= there[23:8] + 17'd1);
        if (whole || gone || (!used && !taking)) i_deep: assert (deep <= there);
        i_deep_most: assert (deep <= there + 25'd1);
        if (!used) i_left: assert (there[23:9] != 15'h7fff || (taking && blocked && there[23:8] == 16'hfffe));
        if (used && !gone && old.state >= 1) i_left_whole: assert (whole ? there[23:8] != 16'hffff : there[23:9] != 15'h7fff);
        if (owes && owes_end == 0 && !held_back) i_gone: assert (gone);
        if (gone) i_gone_state: assert (old.state == 1 && (!owes || owes_end == 0));
        if (job && loads && step != WORD) i_job_kind: assert (hot.kind == old.kind);
        if (taking) i_gone_taking: assert (!gone);
        if (job && ending == 0 && (step == WRITE || step == ACK || step == DONE)) i_not_worn: assert (count[23:9] != 15'h7fff);
        // ---- the draw
        if (step == DRAWN || step == FIELDS || step == ARGS || step == LIST) i_unwritten_yet: assert (!wrote);
        if (step == DRAWN && !(makes && !avail)) i_drawn: assert (drawn && drawn_short == blocked && drawn_index == idx && drawn_count == count);
        if (drew && made) i_drew: assert (drawn && done && drawn_short == blocked && drawn_index == idx && drawn_count == count);
        if (went) i_went: assert (drawn && !done && step == DRAWN);
        if (paired) i_paired: assert (turned == 0 || step == WRITE);
        if (paired) i_keys: assert (blocked ? hot.lkey == {1'b1, now_lsec, 8'd0} && hot.rkey == {1'b1, now_rsec, 8'd0}
            : hot.lkey == now_l && hot.rkey == now_r);
        i_loaded: assert (loaded == \dut.flow.seeded$q );
        if (makes && !judging && result == 0 && step != IDLE) i_seeded: assert (loaded);
        if (makes && judging && step != SORT && step != IDLE) i_seeded_2: assert (loaded);
        if (((step == ACK && bar) || step == DONE || step == ANSWER) && makes && !job && result == 0) i_answer: assert (idx == target && (idx != I || hot == old));
        if (marked) i_then: assert (then_short ? then_lkey == {1'b1, then_lsec, 8'd0} && then_rkey == {1'b1, then_rsec, 8'd0}
            : then_lkey == then_l && then_rkey == then_r);
    end
    wire [`KEYW-1:0] answered_l = {rsp_lkey[31:8+`K], rsp_lkey[7:0]}, answered_r = {rsp_rkey[31:8+`K], rsp_rkey[7:0]};
    always @(*) if (!reset) begin
        // the number is new
        if (given && !blocked) a_new: assert (count >= deep);
        if (given && blocked) a_new_block: assert (count[23:8] >= flat && count[7:0] == 0);
        // and nobody had either of the two keys before; those whose low byte the consumer chooses, with no byte of his
        if (given && marked) a_unlike: assert (!(then_short && blocked) || (then_lkey[`KEYW-1:8] != hot.lkey[`KEYW-1:8] && then_lkey[`KEYW-1:8] != hot.rkey[`KEYW-1:8]
            && then_rkey[`KEYW-1:8] != hot.lkey[`KEYW-1:8] && then_rkey[`KEYW-1:8] != hot.rkey[`KEYW-1:8]));
        if (given && marked) a_unlike_keys: assert (then_lkey != hot.lkey && then_lkey != hot.rkey && then_rkey != hot.lkey && then_rkey != hot.rkey);
        // the keys were drawn for the entry's own generation, with the one secret
        if (pairs) a_drawn: assert (made == avail && (!avail || (drawn && done && drawn_short == blocked && drawn_index == idx && drawn_count == count)));
        if (\dut.flow$cipher_load ) a_secret: assert (!loaded);
        if (go) a_seeded: assert (loaded);
        // an index is given again only while there are generations left
        if (give && idx == I) a_worn: assert (there[23:9] != 15'h7fff && gone);
        // what a command says of its keys is what is in the entry
        if (rsp_valid && !job && result == 0 && makes && target == I) begin
            a_told_l: assert (o_window ? rsp_lkey == 0 : answered_l == old.lkey && rsp_lkey[8+:`K] == I);
            a_told_r: assert (o_null ? rsp_rkey == 0 : answered_r == old.rkey && rsp_rkey[8+:`K] == I);
        end
    end
    always @(*) if (!reset && smooth) begin
        c_given: cover (age >= 37 && given && !blocked && deep == 0 && count == 0);
        c_block: cover (age >= 38 && given && blocked);
    end
endmodule
