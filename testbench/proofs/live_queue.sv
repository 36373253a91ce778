// SPDX-License-Identifier: MIT OR Apache-2.0
// Liveness (F) on the way out: a verdict that was pushed leaves its port's queue (`ram_fifo`) within a number of cycles, which depends on how
// many are ahead of it and on how soon the port's consumer takes each. One verdict is watched, any one.
`include "env.sv"

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
    logic [N+1:0] count = 0, ahead;
    logic watching = 0, done = 0;
    logic [N+3:0] waited;
    wire leaves = valid && pop;
    wire starts_now = push && pick && !watching && !done;
    always @(posedge clock) begin
        count <= count + push - leaves;
        waited <= watching ? waited + 1 : 0;
        if (starts_now) begin watching <= 1; ahead <= count - leaves; end
        if (watching && leaves) begin
            ahead <= ahead - 1;
            if (ahead == 0) begin watching <= 0; done <= 1; end
        end
        if (reset) begin count <= 0; watching <= 0; done <= 0; end
    end
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
