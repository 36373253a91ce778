// SPDX-License-Identifier: MIT OR Apache-2.0
// Properties B and E at the translation cache (`mtt_pipe` with its tags): for any region `J`, map epoch `F` and line `L`, an op that
// finds a line gets the words of the last fill for exactly that region, epoch and line, and no kill of the region's lines lies between.
// The two RAMs remember one set and one line of it, as in `cache`.
`include "env.sv"

module pages (
    input logic clock,
    input logic reset,
    input op_t op0, op1,
    input logic [1:0] round, room,
    input logic fill_valid,
    input logic [`K-1:0] fill_index,
    input logic [`EPW-1:0] fill_epoch,
    input logic [`MLINEW-1:0] fill_line,
    input logic [`MELINE-1:0] fill_data,
    input logic [`NPARK-1:0] cut_valid,
    input logic [`NPARK*`K-1:0] cut_index,
    input logic [`NPARK*`EPW-1:0] cut_epoch,
    input logic sweep_valid,
    input logic [`K-1:0] sweep_index
);
    wire ready, fill_take, fill_done, sweep_done;
    wire [1:0] take, last, again, over, probed, missed, push;
    op_t done;
    segment_t segment;
    wire [4:0] counts;
    \latchkey_core$walker$mtt dut (
        .clock(clock), .reset(reset), .ready(ready), .\op$0 (op0), .\op$1 (op1), .\take$0 (take[0]), .\take$1 (take[1]),
        .\round$0 (round[0]), .\round$1 (round[1]), .\room$0 (room[0]), .\room$1 (room[1]), .fill_valid(fill_valid),
        .fill_index(fill_index), .fill_epoch(fill_epoch), .fill_line(fill_line), .fill_data(fill_data), .fill_take(fill_take),
        .fill_done(fill_done), .cut_valid(cut_valid), .cut_index(cut_index), .cut_epoch(cut_epoch), .sweep_valid(sweep_valid),
        .sweep_index(sweep_index), .sweep_done(sweep_done), .done(done), .\last$0 (last[0]), .\last$1 (last[1]),
        .\again$0 (again[0]), .\again$1 (again[1]), .\over$0 (over[0]), .\over$1 (over[1]), .\probed$0 (probed[0]),
        .\probed$1 (probed[1]), .\missed$0 (missed[0]), .\missed$1 (missed[1]), .\push$0 (push[0]), .\push$1 (push[1]),
        .segment(segment), .counts(counts)
    );
    (* anyconst *) wire [`K-1:0] J;
    (* anyconst *) wire [`EPW-1:0] F;
    (* anyconst *) wire [`MLINEW-1:0] L;
    (* anyconst *) wire [`MWAYW-1:0] W;
    // where its line lies: the line's low bits, turned by the region's, the lowest bit highest
    wire [`MSETW-1:0] turned;
    genvar g;
    generate for (g = 0; g < `MSETW; g = g + 1) assign turned[g] = J[`MSETW-1-g]; endgenerate
    wire [`MSETW-1:0] S = L[`MSETW-1:0] ^ turned;
    wire [`MTAGB-1:0] tag = {L[`MLINEW-1:`MSETW], F, J};

    (* hierconn *) wire [`MSETW-1:0] \dut.tags.ram.kept_address , \dut.tags.set_s1$q , \dut.tags.set_s2$q , \dut.tags.set_s3$q ;
    (* hierconn *) wire [`MWAYS*`MTAGR+6:0] \dut.tags.ram.kept ;
    (* hierconn *) wire [`MLINEA-1:0] \dut.data.kept_address , \dut.where4$q ;
    (* hierconn *) wire [`MELINE-1:0] \dut.data.kept , \dut.line5$q ;
    (* hierconn *) wire [2:0] \dut.tags.way , \dut.kind1$q , \dut.kind2$q , \dut.kind3$q , \dut.kind4$q , \dut.kind5$q ;
    (* hierconn *) wire [2:0] \dut.kind ;
    (* hierconn *) wire \dut.tags.epoch$q , \dut.tags.hit , \dut.hit4$q , \dut.mis5$q , \dut.after_fill$q ;
    (* hierconn *) wire [`MTAGB-1:0] \dut.tags.tag_s1$q , \dut.tags.tag_s2$q , \dut.tags.tag_s3$q , \dut.tags.tag ;
    (* hierconn *) wire [`MSETW-1:0] \dut.tags.row ;
    (* hierconn *) wire [1:0] \dut.sweeper.state$q ;
    (* hierconn *) wire [`MSETW-1:0] \dut.sweeper.at$q ;
    (* hierconn *) wire \dut.sweeper.must_q$q ;
    (* hierconn *) wire [`OP_BITS-1:0] \dut.op1$q , \dut.op2$q , \dut.op3$q , \dut.op4$q , \dut.op5$q ;
    always @(*) begin
        assume (\dut.tags.ram.kept_address == S);
        assume (\dut.data.kept_address == {W, S});
    end
    env_reset starts (.clock(clock), .reset(reset));
    wire filling;
    env_line fills (.clock(clock), .reset(reset), .valid(fill_valid), .take(fill_take), .done(fill_done), .data(fill_data), .filling(filling));

    // found: what the RAM is asked for
    logic found5 = 0;
    always @(posedge clock) found5 <= \dut.hit4$q ;
    // ops as they travel: kind, set and tag by the rules, from what is offered
    wire [2:0] k3 = \dut.kind3$q , k5 = \dut.kind5$q ;
    op_t o5;
    assign o5 = \dut.op5$q ;
    wire same_tag3 = \dut.tags.tag_s3$q == tag, here3 = \dut.tags.set_s3$q == S;
    wire of_J3 = \dut.tags.tag_s3$q [`K-1:0] == J;
    wire [`MWAYW-1:0] way3 = \dut.tags.way [`MWAYW-1:0];

    logic live = 0, sure = 0, newest = 0, empty = 0, mine4 = 0, other4 = 0, whole = 0;
    logic [`MELINE-1:0] words;
    always @(posedge clock) begin
        mine4 <= k3 == 2 && here3 && way3 == W && same_tag3;
        other4 <= k3 == 2 && here3 && way3 == W && !same_tag3;
        if (k3 == 2 && here3 && way3 == W) begin live <= same_tag3; whole <= 0; end
        if (k3 == 2 && here3 && way3 == W) sure <= same_tag3;
        if ((k3 == 6 || k3 == 4) && here3) begin sure <= 0; newest <= 0; end
        if (k3 == 2 && here3) newest <= way3 == W && same_tag3;
        if (k3 == 1 && here3 && \dut.tags.hit ) newest <= 0;
        if (k3 == 6 && here3 && of_J3) live <= 0;
        if (k3 == 4 && here3) begin live <= 0; empty <= 1; end
        if (mine4) begin words <= fill_data; whole <= 1; end
        if (reset) begin live <= 0; sure <= 0; newest <= 0; empty <= 0; mine4 <= 0; other4 <= 0; whole <= 0; end
    end
    logic live4, live5, here4, here5, empty4, empty5, sure4, sure5;
    logic [`MELINE-1:0] words4, words5;
    always @(posedge clock) begin
        live4 <= live && whole; live5 <= live4;
        words4 <= words; words5 <= words4;
        here4 <= way3 == W; here5 <= here4;
        empty4 <= empty && !reset; empty5 <= empty4 && !reset;
        sure4 <= sure; sure5 <= sure4;
    end
    logic asks1, asks2, asks3, asks4, asks5;
    op_t asked;
    assign asked = take[1] ? op1 : op0;
    always @(posedge clock) begin
        asks1 <= |take && asked.index == J && asked.epoch == F && (asked.pn >> `MEB) == L && !reset;
        asks2 <= asks1 && !reset; asks3 <= asks2 && !reset; asks4 <= asks3 && !reset; asks5 <= asks4 && !reset;
    end

    // the set as the RAM has it
    wire epoch = \dut.tags.epoch$q ;
    wire [`MTAGR-1:0] lane = \dut.tags.ram.kept >> (W * `MTAGR);
    wire alive = lane == {tag, epoch, 1'b1};
    wire [`MWAYS-1:0] alive_in;
    generate for (g = 0; g < `MWAYS; g = g + 1)
        assign alive_in[g] = \dut.tags.ram.kept [g*`MTAGR +: `MTAGR] == {tag, epoch, 1'b1};
    endgenerate
    logic emptied = 0, emptied1, emptied2, emptied3;
    always @(posedge clock) begin
        if (\dut.kind == 4 && \dut.tags.row == S) emptied <= 1;
        if (reset) emptied <= 0;
        emptied1 <= emptied && !reset; emptied2 <= emptied1 && !reset; emptied3 <= emptied2 && !reset;
    end
    wire [1:0] sweep = \dut.sweeper.state$q ;

    always @(*) if (!reset) begin
        i_epoch: assert (!epoch);
        if (sweep == 0) i_init: assert (\dut.sweeper.must_q$q && emptied == (S < \dut.sweeper.at$q ) && !filling);
        if (sweep != 0) i_emptied: assert (emptied);
        i_empty: assert (empty == emptied3);
        if (empty && alive) i_alive: assert (live);
        if (empty && sure) i_sure: assert (alive && live);
        if (empty) i_once: assert ((alive_in & (alive_in - 1)) == 0);
        if (empty && newest) i_newest: assert (sure && (\dut.tags.ram.kept [`MWAYS*`MTAGR] == !W || `MWAYS != 2));
        if (live && !mine4) i_whole: assert (whole);
        if (mine4) i_mine: assert (!whole && filling);
        if (live && whole) i_data: assert (\dut.data.kept == words);
        i_filling: assert (filling == (\dut.kind1$q == 2 || \dut.kind2$q == 2 || \dut.kind3$q == 2 || \dut.kind4$q == 2 || \dut.kind5$q == 2));
        i_single: assert ((\dut.kind1$q == 2) + (\dut.kind2$q == 2) + (\dut.kind3$q == 2) + (\dut.kind4$q == 2) + (\dut.kind5$q == 2) <= 1);
        i_behind: assert (\dut.after_fill$q == (\dut.kind1$q == 2));
        i_gap: assert (!(\dut.kind2$q == 2 && \dut.kind1$q != 0) && !(\dut.kind3$q == 2 && \dut.kind2$q != 0) && !(\dut.kind4$q == 2 && k3 != 0));
        if (mine4) i_where: assert (\dut.kind4$q == 2 && \dut.where4$q == {W, S});
        if (other4) i_other: assert (\dut.kind4$q == 2 && \dut.where4$q == {W, S} && !live);
        if (\dut.kind4$q == 2 && \dut.where4$q == {W, S}) i_at: assert (mine4 || other4);
        if (k5 == 1) i_miss: assert (\dut.mis5$q == (!found5 && o5.page != 4));
        // B, E: what an op of J, F, L finds was filled for J, F, L, since the last kill, and is all of it
        if (asks5 && found5 && here5) begin
            a_live: assert (live5);
            a_words: assert (\dut.line5$q == words5);
        end
        // F: and the other way round: it is found, until another takes its place or a sweep passes its set
        if (asks5 && empty5 && live5 && sure5) a_meets: assert (found5);
        // ... which is not the next line, where the set has two ways and no look-up found a line of it in between: then a port that comes back to its line
        // finds it, or has found another there meanwhile
        if (`MWAYS == 2 && empty && k3 == 2 && here3 && newest && !same_tag3) a_next: assert (way3 != W);
        if (asks5) a_op: assert (k5 == 1 && o5.index == J && o5.epoch == F && done.index == J);
        // ... and only what was found is given as a page's address
        if (push != 0 && segment.status == 0 && done.page != 4) a_found: assert (found5 && k5 == 1);
    end
    logic was = 0;
    always @(posedge clock) was <= !reset && (was || (k3 == 6 && live));
    always @(*) if (!reset) begin
        c_hit: cover (asks5 && found5 && here5 && push != 0);
        c_next: cover (empty && k3 == 2 && here3 && newest && !same_tag3);
        c_killed: cover (asks5 && !found5 && was);
        c_filled: cover (fill_done && was && live);
    end
endmodule
