// SPDX-License-Identifier: MIT OR Apache-2.0
// Liveness (F) of segments (`out_fifo`): one that was pushed leaves within a number of cycles, given that the port's consumer takes each within some; and
// within as many the context that found no room may go on. One segment is watched, any one.
`include "env.sv"
`include "queue.svh"

module live_segments (
    input logic clock,
    input logic reset,
    input logic push,
    input segment_t data_in,
    input logic pop,
    input logic pick
);
    localparam N = `SEGDW;
    localparam MOST = (1 << N) + 1;
    wire valid, crowd;
    wire [`SEGCW-1:0] held;
    \latchkey_core$walker$out$0 dut (.clock(clock), .reset(reset), .push(push), .data_in(data_in), .valid(valid), .pop(pop), .count(held), .crowd(crowd));
    env_reset starts (.clock(clock), .reset(reset));
    localparam V = 3;                           // a segment at the pins is taken
    wire [3:0] v;
    env_prompt #(.MOST(V)) taken (.clock(clock), .reset(reset), .wants(valid), .gets(pop), .left(v));
    env_room room (.push(push), .held(held), .reset(reset));
    (* hierconn *) wire \dut.full$q , \dut.some_q$q , \dut.crowd_q$q ;
    logic starts_now, watching, done;
    logic [N+1:0] count, ahead;
    logic [N+3:0] waited;
    wire leaves = valid && pop;
    watched #(.N(N)) one (.clock(clock), .reset(reset), .push(push), .leaves(leaves), .pick(pick), .starts(starts_now), .watching(watching),
        .done(done), .count(count), .ahead(ahead), .waited(waited));
    logic [N+3:0] crowded = 0;
    always @(posedge clock) crowded <= !reset && crowd && !push ? crowded + 1 : 0;
    localparam BOUND = MOST * (V + 1);
    wire [N+3:0] rank = ahead * (V + 1) + v + 1;
    wire [N+3:0] clears = (count - 3) * (V + 1) + v + 1;
    always @(*) if (!reset) begin
        i_count: assert (count == valid + held && count <= MOST && valid == (count != 0));
        i_some: assert (\dut.some_q$q == (held != 0));
        i_crowd: assert (crowd == (held >= 2));
        if (watching) i_rank: assert (ahead < count && waited + rank <= BOUND);
        if (crowd) i_clears: assert (crowded + clears <= BOUND);
        if (watching) a_leaves: assert (waited < BOUND);
        // no more than a few wait, unless more come
        a_clears: assert (crowded <= BOUND);
    end
    always @(*) if (!reset) begin
        c_ahead: cover (watching && ahead == 4);
        c_slow: cover (done && waited == 6);
        c_crowd: cover (crowded == 5);
    end
endmodule
