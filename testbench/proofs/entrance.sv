// SPDX-License-Identifier: MIT OR Apache-2.0
// Property C at the entrance (`lookup_port`): every request accepted at the pins is offered and taken once, whole and in order, and
// one is taken only while the verdict queue has room for its answer (keeps `env_credit`). One request is watched, any one.
`include "env.sv"

module entrance (
    input logic clock,
    input logic reset,
    input logic enable, valid, take, left, next_free, pick,
    input req_t req
);
    wire ready, offer;
    req_t head;
    \latchkey_core$port$0 dut (.clock(clock), .reset(reset), .enable(enable), .valid(valid), .ready(ready), .req(req), .offer(offer),
        .head(head), .take(take), .next_free(next_free), .verdict_left(left));
    env_reset starts (.clock(clock), .reset(reset));
    localparam MOST = (1 << `VDW) + 1;
    wire enters = valid && ready;
    logic [1:0] inside = 0, ahead;
    logic [`VDW+1:0] owed = 0;
    logic watching = 0, done = 0;
    req_t watched;
    wire starts_now = enters && pick && !watching && !done;
    always @(posedge clock) begin
        inside <= inside + enters - take;
        owed <= owed + take - left;
        if (starts_now) begin watching <= 1; watched <= req; ahead <= inside - take; end
        if (watching && take) begin
            ahead <= ahead - 1;
            if (ahead == 0) begin watching <= 0; done <= 1; end
        end
        if (reset) begin inside <= 0; owed <= 0; watching <= 0; done <= 0; end
    end
    env_entrance turns (.reset(reset), .take(take), .offer(offer), .left(left), .owed(owed), .enters(enters));

    (* hierconn *) wire \dut.av$q , \dut.bv$q , \dut.ready_q$q ;
    (* hierconn *) wire [`VDCW-1:0] \dut.out$q ;
    (* hierconn *) wire [`REQ_BITS-1:0] \dut.a$q , \dut.b$q ;
    // it waited with room for its verdict, and nobody was taken: now it is offered
    logic ready_was = 0, taken_was;
    always @(posedge clock) begin ready_was <= !reset && inside != 0 && owed < MOST; taken_was <= take; end
    always @(*) if (!reset) begin
        i_inside: assert (inside == \dut.av$q + \dut.bv$q && (!\dut.bv$q || \dut.av$q ));
        i_ready: assert (!(\dut.ready_q$q && \dut.bv$q ));
        i_out: assert (owed == \dut.out$q );
        if (watching) i_watched: assert (ahead < inside && (ahead == 0 ? \dut.a$q == watched : \dut.b$q == watched));
        // C: what was accepted is offered in its turn, as it came
        if (watching && ahead == 0 && offer) a_head: assert (head == watched);
        a_offer: assert (!offer || inside != 0);
        if (ready_was) a_waits: assert (offer || taken_was);
        i_offer: assert (!offer || (\dut.av$q && owed < MOST));
        // room for its verdict
        a_room: assert (!offer || owed < MOST);
        a_owed: assert (owed <= MOST);
    end
    always @(*) if (!reset) begin
        c_two: cover (inside == 2);
        c_done: cover (done && inside == 1);
        c_full: cover (owed == 4 && inside == 2);
    end
endmodule
