// SPDX-License-Identifier: MIT OR Apache-2.0
// Liveness (F) at a walk context (`walk_ctx`): while a granted request is not over, a look-up of it that counts is judged within a number of cycles, not
// counting those in which the port is held (it waits for a line, or for room for its segments), after which the count begins anew; and each judgement
// ends the request, is one page more, or sends the context back to that page (`again`).
`include "env.sv"

module live_walk (
    input logic clock,
    input logic reset,
    input logic grant, read_take, hold, take, last, again, over, probed,
    input desc_t desc,
    input word_t read_word,
    input op_t from
);
    wire read_valid, round;
    op_t op;
    \latchkey_core$walker$walk$0 dut (
        .clock(clock), .reset(reset), .number(1'b0), .grant(grant), .desc(desc), .read_valid(read_valid), .read_take(read_take),
        .read_word(read_word), .hold(hold), .op(op), .take(take), .round(round), .last(last), .again(again), .redo(again || over || probed),
        .over(over), .probed(probed), .from(from)
    );
    env_reset starts (.clock(clock), .reset(reset));
    (* hierconn *) wire [`OP_BITS-1:0] \dut.cur$q ;
    (* hierconn *) wire \dut.nxt_v$q , \dut.pending$q , \dut.is_last ;
    (* hierconn *) wire [`TAGCW-1:0] \dut.wr$q , \dut.rd$q , \dut.cp$q ;
    op_t cur;
    assign cur = \dut.cur$q ;
    wire nxt = \dut.nxt_v$q , pending = \dut.pending$q , final_page = \dut.is_last ;
    wire [`TAGCW-1:0] wr = \dut.wr$q , rd = \dut.rd$q , cp = \dut.cp$q , used = wr - cp;

    // the ops that count on their way to m5, and which of them are their request's last
    wire redo = again || over || probed;
    logic [5:1] there = 0, ends;
    always @(posedge clock) begin
        there <= reset || redo ? 0 : {there[4:1], take};
        ends <= {ends[4:1], final_page};
    end
    localparam T = 5;                           // its op has its slot (`live_pages`)
    localparam S = 3;                           // the slot RAM is read for it
    wire [3:0] t, s;
    env_prompt #(.MOST(T)) slots (.clock(clock), .reset(reset), .wants(op.valid), .gets(take), .left(t));
    env_prompt #(.MOST(S)) words (.clock(clock), .reset(reset), .wants(read_valid), .gets(read_take), .left(s));
    env_judged judges (.reset(reset), .offer(op.valid), .take(take), .read_valid(read_valid), .read_take(read_take), .there(there[5]), .ends(ends[5]),
        .last(last), .again(again), .over(over), .probed(probed), .grant(grant), .used(used));

    localparam BOUND = S + 1 + 2 + T + 1 + 5;
    wire [4:0] pipe = there[5] ? 1 : there[4] ? 2 : there[3] ? 3 : there[2] ? 4 : 5;
    wire [4:0] rank = there != 0 ? pipe : cur.valid ? t + 1 + 5 : nxt ? 1 + T + 1 + 5 : pending ? 2 + T + 1 + 5 : s + 1 + 2 + T + 1 + 5;
    logic [4:0] budget = BOUND;
    logic works = 0;
    always @(posedge clock) budget <= reset || used == 0 || there[5] || (hold && there == 0) ? BOUND : budget - 1;
    // places, as in `walk`
    wire [`TAGCW-1:0] pc = cp + (there[1] && ends[1]) + (there[2] && ends[2]) + (there[3] && ends[3]) + (there[4] && ends[4]) + (there[5] && ends[5]);
    wire [`TAGCW-1:0] pn = pc + cur.valid;
    wire middle = there[1] ? !ends[1] : there[2] ? !ends[2] : there[3] ? !ends[3] : there[4] ? !ends[4] : there[5] ? !ends[5] : 0;
    wire [`TAGCW-1:0] away = rd - cp, ahead = pn - cp, behind = pc - cp;
    logic [3:0] pages = 0;
    always @(posedge clock) pages <= reset || last || redo ? 0 : there[5] ? pages + 1 : pages;
    always @(*) if (!reset) begin
        i_rd: assert (rd == pn + (nxt || pending) && !(nxt && pending));
        i_away: assert (used <= `TAGS && away <= used && ahead <= used && behind <= used && away >= ahead && ahead >= behind);
        if (middle) i_middle: assert (cur.valid);
        if (used != 0) i_rank: assert (budget >= rank && budget <= BOUND);
        // F: judged
        if (used != 0) a_judged: assert (budget != 0);
    end
    always @(*) if (!reset) begin
        c_again: cover (again && used == 2);
        c_over: cover (over && used == 3 && budget < 5);
        c_pages: cover (pages == 2 && last);
        c_held: cover (hold && used != 0 && cur.valid && there == 0);
        c_read: cover (pending && there == 0);
    end
endmodule
