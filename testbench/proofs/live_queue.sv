// SPDX-License-Identifier: MIT OR Apache-2.0
// Liveness (F) on the way out: a verdict that was pushed leaves its port's queue (`ram_fifo`) within a number of cycles, which depends on how
// many are ahead of it and on how soon the port's consumer takes each. One verdict is watched, any one.
`include "env.sv"
`include "queue.svh"

module live_queue (
    input logic clock,
    input logic reset,
    input logic push,
    input verdict_t data_in,
    input logic pop,
    input logic pick
);
    localparam N = `VDW;
    localparam MOST = (1 << N) + 1;
    wire valid;
    verdict_t data;
    \latchkey_core$verdicts$0 dut (.clock(clock), .reset(reset), .push(push), .data_in(data_in), .valid(valid), .data(data), .pop(pop));
    env_reset starts (.clock(clock), .reset(reset));
    localparam V = 3;                           // a verdict at the pins is taken
    wire [3:0] v;
    env_prompt #(.MOST(V)) taken (.clock(clock), .reset(reset), .wants(valid), .gets(pop), .left(v));

    (* hierconn *) wire \dut.full$q , \dut.second$q , \dut.ready$q ;
    (* hierconn *) wire [N-1:0] \dut.rd$q , \dut.wr$q ;
    wire [N-1:0] held = \dut.wr$q - \dut.rd$q ;
    logic starts_now, watching, done;
    logic [N+1:0] count, ahead;
    logic [N+3:0] waited;
    wire leaves = valid && pop;
    watched #(.N(N)) one (.clock(clock), .reset(reset), .push(push), .leaves(leaves), .pick(pick), .starts(starts_now), .watching(watching),
        .done(done), .count(count), .ahead(ahead), .waited(waited));
    env_credit credit (.push(push), .count(count), .reset(reset));
    localparam BOUND = MOST * (V + 1);
    wire [N+3:0] rank = ahead * (V + 1) + v + 1;
    always @(*) if (!reset) begin
        i_count: assert (count == \dut.full$q + \dut.second$q + held && count <= MOST);
        i_full: assert (\dut.full$q == (count != 0));
        i_second: assert (!\dut.second$q || \dut.full$q );
        i_ready: assert (!\dut.ready$q || held != 0);
        i_wait: assert (held == 0 || \dut.ready$q || \dut.second$q );
        if (watching) i_rank: assert (ahead < count && waited + rank <= BOUND);
        if (watching) a_leaves: assert (waited < BOUND);
    end
    always @(*) if (!reset) begin
        c_slow: cover (done && waited == 6);
        c_ahead: cover (watching && ahead == 4);
    end
endmodule
