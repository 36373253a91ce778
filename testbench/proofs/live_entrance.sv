// SPDX-License-Identifier: MIT OR Apache-2.0
// Liveness (F) at the entrance (`lookup_port`): a request at the pins is accepted, and one that was accepted is in the pipe, within a number of
// cycles, given that it has its slot within some when it is offered, and that a verdict leaves within some when as many are owed as may be.
`include "env.sv"

module live_entrance (
    input logic clock,
    input logic reset,
    input logic enable, valid, take, left, next_free, pick
);
    wire ready, offer;
    \latchkey_core$port$0 dut (.clock(clock), .reset(reset), .enable(enable), .valid(valid), .ready(ready), .req(0), .offer(offer),
        .take(take), .next_free(next_free), .verdict_left(left));
    env_reset starts (.clock(clock), .reset(reset));
    localparam MOST = (1 << `VDW) + 1;
    localparam P = 18;                          // what is offered has its slot (`live_front`)
    localparam X = 5;                           // one of all verdicts that may be owed leaves
    wire [4:0] p, x;
    wire enters = valid && ready;
    logic [1:0] inside = 0, ahead;
    logic [`VDW+1:0] owed = 0;
    logic watching = 0;
    logic [6:0] waited, shut = 0;
    wire starts_now = enters && pick && !watching;
    always @(posedge clock) begin
        inside <= inside + enters - take;
        owed <= owed + take - left;
        waited <= watching ? waited + 1 : 0;
        shut <= enable && !reset && valid && !ready ? shut + 1 : 0;
        if (starts_now) begin watching <= 1; ahead <= inside - take; end
        if (watching && take) begin
            ahead <= ahead - 1;
            if (ahead == 0) watching <= 0;
        end
        if (reset) begin inside <= 0; owed <= 0; watching <= 0; end
    end
    env_entrance turns (.reset(reset), .take(take), .offer(offer), .left(left), .owed(owed), .enters(enters));
    env_prompt #(.MOST(P), .W(5)) slots (.clock(clock), .reset(reset), .wants(offer), .gets(take), .left(p));
    env_prompt #(.MOST(X), .W(5)) verdicts (.clock(clock), .reset(reset), .wants(owed == MOST), .gets(left), .left(x));
    env_enabled opened (.clock(clock), .reset(reset), .enable(enable));

    (* hierconn *) wire \dut.av$q , \dut.bv$q , \dut.ready_q$q ;
    (* hierconn *) wire [`VDCW-1:0] \dut.out$q ;
    (* hierconn *) wire \opened.was ;
    localparam HEAD = X + 2 + P + 1;
    localparam BOUND = 2 * HEAD;
    wire [6:0] head = offer ? p + 1 : owed == MOST ? x + 2 + P + 1 : 1 + P + 1;
    wire [6:0] rank = head + (ahead == 1 ? HEAD : 0);
    wire [6:0] opens = \dut.bv$q ? head + 1 : 1;
    always @(*) if (!reset) begin
        i_inside: assert (inside == \dut.av$q + \dut.bv$q && (!\dut.bv$q || \dut.av$q ));
        i_ready: assert (!(\dut.ready_q$q && \dut.bv$q ));
        i_out: assert (owed == \dut.out$q && owed <= MOST);
        i_offer: assert (!offer || (\dut.av$q && owed < MOST));
        if (watching) i_rank: assert (ahead < inside && ahead <= 1 && waited + rank <= BOUND);
        if (enable && valid && !ready) i_shut: assert (shut + opens <= HEAD + 1);
        // accepted: in the pipe
        if (watching) a_enters: assert (waited < BOUND);
        // at the pins: accepted
        a_accepted: assert (shut <= HEAD + 1);
    end
    always @(*) if (!reset) begin
        c_slow: cover (watching && waited == 9 && ahead == 1);
        c_shut: cover (shut == 4 && enters);
    end
endmodule
