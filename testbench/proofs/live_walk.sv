// SPDX-License-Identifier: MIT OR Apache-2.0
// Liveness (F) at a walk context (`walk_ctx`): while a granted request is not over, a look-up of it that counts is judged within a number of cycles, not
// counting those in which the port is held (it waits for a line, or for room for its segments), after which the count begins anew; and each judgement
// ends the request, is one page more, or sends the context back to that page (`again`). Of one request no more pages follow each other than its
// length holds, and it is looked at in two passes at most (`probed` ends the first).
`include "env.sv"
`define PAST(x, page) ((page) == 1 ? (x) >> 16 : (page) == 2 ? (x) >> 21 : (page) == 3 || (page) == 4 ? (x) >> 30 : (x) >> 12)

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
    (* hierconn *) wire \dut.head_v$q , \dut.nxt_v$q , \dut.pending$q , \dut.is_last ;
    (* hierconn *) wire [`TAGCW-1:0] \dut.wr$q , \dut.rd$q , \dut.cp$q ;
    op_t cur;
    desc_t next;
    (* hierconn *) wire [`DESC_BITS-1:0] \dut.nxt$q ;
    assign next = \dut.nxt$q ;
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
    // pages behind each op of its request
    localparam PAGES = (`MAXREQ - 1 + 4095) >> 12;
    wire [31:0] past = cur.page == 4 ? 0 : `PAST(cur.last, cur.page);
    logic [3:0] p1, p2, p3, p4, p5;
    // its look-ups are for the first pass of an on-demand access; that pass is over
    (* hierconn *) wire \dut.emit$q ;
    logic [5:1] probes;
    logic second = 0;
    always @(posedge clock) begin
        probes <= {probes[4:1], cur.probe};
        second <= !reset && (probed || (second && !last && !over));
    end
    wire q1 = cur.probe, q2 = there[1] ? probes[1] : q1, q3 = there[2] ? probes[2] : q2, q4 = there[3] ? probes[3] : q3, q5 = there[4] ? probes[4] : q4;
    wire probing = there[5] ? probes[5] : q5;
    always @(posedge clock) begin p1 <= past; p2 <= p1; p3 <= p2; p4 <= p3; p5 <= p4; end
    wire [3:0] next1 = past, next2 = there[1] ? p1 : next1, next3 = there[2] ? p2 : next2, next4 = there[3] ? p3 : next3, next5 = there[4] ? p4 : next4;
    wire [3:0] oldest = there[5] ? p5 : next5;
    wire [31:0] from_past = from.page == 4 ? 0 : `PAST(from.last, from.page);
    env_page pages_of (.grant(grant), .desc(desc), .read(pending), .word(read_word), .again(again), .page(from.page), .past(from_past), .was(p5), .probe(from.probe), .probed(probed), .probe_was(probes[5]));
    logic [3:0] pages = 0;
    always @(posedge clock) pages <= reset || last || redo ? 0 : there[5] ? pages + 1 : pages;
    localparam T = 5;                           // its op has its slot (`live_pages`)
    localparam S = 3;                           // the slot RAM is read for it
    wire [3:0] t, s;
    env_prompt #(.MOST(T)) slots (.clock(clock), .reset(reset), .wants(op.valid), .gets(take), .left(t));
    env_prompt #(.MOST(S)) words (.clock(clock), .reset(reset), .wants(read_valid), .gets(read_take), .left(s));
    env_judged judges (.reset(reset), .offer(op.valid), .take(take), .read_valid(read_valid), .read_take(read_take), .there(there[5]), .ends(ends[5]),
        .last(last), .again(again), .over(over), .probed(probed), .grant(grant), .used(used));

    localparam BOUND = 1 + S + 1 + 2 + T + 1 + 5;
    wire [4:0] pipe = there[5] ? 1 : there[4] ? 2 : there[3] ? 3 : there[2] ? 4 : 5;
    wire [4:0] rank = there != 0 ? pipe : cur.valid ? t + 1 + 5 : nxt ? 1 + T + 1 + 5 : pending ? 2 + T + 1 + 5 : (read_valid ? s : S + 1) + 1 + 2 + T + 1 + 5;
    logic [4:0] budget = BOUND;
    logic works = 0;
    always @(posedge clock) budget <= reset || used == 0 || there[5] || (hold && there == 0) ? BOUND : budget - 1;
    // places, as in `walk`
    wire [`TAGCW-1:0] pc = cp + (there[1] && ends[1]) + (there[2] && ends[2]) + (there[3] && ends[3]) + (there[4] && ends[4]) + (there[5] && ends[5]);
    wire [`TAGCW-1:0] pn = pc + cur.valid;
    wire middle = there[1] ? !ends[1] : there[2] ? !ends[2] : there[3] ? !ends[3] : there[4] ? !ends[4] : there[5] ? !ends[5] : 0;
    wire [`TAGCW-1:0] away = rd - cp, ahead = pn - cp, behind = pc - cp;
    always @(*) if (!reset) begin
        if (\dut.head_v$q ) i_head: assert (away < used);
        i_rd: assert (rd == pn + (nxt || pending) && !(nxt && pending));
        i_away: assert (used <= `TAGS && away <= used && ahead <= used && behind <= used && away >= ahead && ahead >= behind);
        if (middle) i_middle: assert (cur.valid);
        if (used != 0) i_rank: assert (budget >= rank && budget <= BOUND);
        i_page: assert ((!cur.valid || (cur.page <= 4 && past <= PAGES && final_page == (past == 0))) && (!nxt || (next.page <= 4 && next.len != 0 && next.len <= `MAXREQ)));
        if (there[1]) i_1: assert (p1 <= PAGES && ends[1] == (p1 == 0) && (p1 == 0 || next1 < p1));
        if (there[2]) i_2: assert (p2 <= PAGES && ends[2] == (p2 == 0) && (p2 == 0 || next2 < p2));
        if (there[3]) i_3: assert (p3 <= PAGES && ends[3] == (p3 == 0) && (p3 == 0 || next3 < p3));
        if (there[4]) i_4: assert (p4 <= PAGES && ends[4] == (p4 == 0) && (p4 == 0 || next4 < p4));
        if (there[5]) i_5: assert (p5 <= PAGES && ends[5] == (p5 == 0) && (p5 == 0 || next5 < p5));
        if (pages != 0) i_goes_on: assert (there != 0 || cur.valid);
        i_pages: assert (pages == 0 || pages + oldest <= PAGES);
        if (there[1] && !ends[1]) i_p1: assert (probes[1] == q1);
        if (there[2] && !ends[2]) i_p2: assert (probes[2] == q2);
        if (there[3] && !ends[3]) i_p3: assert (probes[3] == q3);
        if (there[4] && !ends[4]) i_p4: assert (probes[4] == q4);
        if (there[5] && !ends[5]) i_p5: assert (probes[5] == q5);
        if (second) i_second: assert (used != 0 && (there != 0 || cur.valid ? !probing : \dut.emit$q ));
        // F: in two passes at most
        if (second) a_twice: assert (!probed);
        // F: so many pages at most
        if (there[5]) a_pages: assert (pages <= PAGES);
        // F: judged
        if (used != 0) a_judged: assert (budget != 0);
    end
    always @(*) if (!reset) begin
        c_again: cover (again && used == 2);
        c_over: cover (over && used == 3 && budget < 5);
        c_pages: cover (pages == 2 && last);
        c_held: cover (hold && used != 0 && cur.valid && there == 0);
        c_read: cover (pending && there == 0);
        c_second: cover (second && last);
    end
endmodule
