// SPDX-License-Identifier: MIT OR Apache-2.0
// Liveness (F) at the translation cache (`mtt_pipe`): a page look-up of any port `P`, and a line to be installed, have their slot within a number of
// cycles; a line has left the pipe within some; and so has the sweep of an index's lines (a slot of it that falls behind a line's is had in the next cycle).
`include "env.sv"

module live_pages (
    input logic clock,
    input logic reset,
    input op_t op0, op1,
    input logic [1:0] round, room,
    input logic fill_valid,
    input logic sweep_valid,
    input logic [`NPARK-1:0] cut_valid,
    input logic [`NPARK*`K-1:0] cut_index,
    input logic [`NPARK*`EPW-1:0] cut_epoch
);
    wire ready, fill_take, fill_done, sweep_done;
    wire [1:0] take;
    \latchkey_core$walker$mtt dut (
        .clock(clock), .reset(reset), .ready(ready), .\op$0 (op0), .\op$1 (op1), .\take$0 (take[0]), .\take$1 (take[1]),
        .\round$0 (round[0]), .\round$1 (round[1]), .\room$0 (room[0]), .\room$1 (room[1]), .fill_valid(fill_valid),
        .fill_index(0), .fill_epoch(0), .fill_line(0), .fill_data(0), .fill_take(fill_take),
        .fill_done(fill_done), .cut_valid(cut_valid), .cut_index(cut_index), .cut_epoch(cut_epoch), .sweep_valid(sweep_valid),
        .sweep_index(0), .sweep_done(sweep_done)
    );
    (* anyconst *) wire P;
    env_reset starts (.clock(clock), .reset(reset));
    wire filling;
    env_line fills (.clock(clock), .reset(reset), .valid(fill_valid), .take(fill_take), .done(fill_done), .data(0), .filling(filling));
    wire [1:0] asks = {op1.valid, op0.valid};
    env_pages stands (.clock(clock), .reset(reset), .ready(ready), .asks(asks), .fill(fill_valid), .fill_take(fill_take), .sweep(sweep_valid), .sweep_done(sweep_done));
    (* hierconn *) wire [1:0] \dut.fair.ahead$0$q , \dut.fair.ahead$1$q , \dut.sweeper.state$q ;
    (* hierconn *) wire [`MSETW-1:0] \dut.sweeper.at$q ;
    (* hierconn *) wire [3:0] \dut.sweeper.age$q ;
    (* hierconn *) wire \dut.sweeper.must_q$q , \dut.after_fill$q , \dut.isp ;
    (* hierconn *) wire [2:0] \dut.kind1$q , \dut.kind2$q , \dut.kind3$q , \dut.kind4$q , \dut.kind5$q ;
    wire [2:0] lines = (\dut.kind1$q == 2) + (\dut.kind2$q == 2) + (\dut.kind3$q == 2) + (\dut.kind4$q == 2) + (\dut.kind5$q == 2);
    localparam FILL = 1, DONE = 5, OP = 5;
    localparam INIT = 0, IDLE = 1, WALK = 2, LEAVE = 3;
    localparam SETS = 1 << `MSETW;
    localparam SLOT = 18;                       // 16 cycles without one, then it insists, at worst behind a line's
    localparam SWEEP = 1 + SETS * SLOT + 16;
    logic [3:0] fill_waits = 0, op_waits = 0, inside = 0;
    always @(posedge clock) begin
        fill_waits <= ready && !reset && fill_valid && !fill_take ? fill_waits + 1 : 0;
        op_waits <= ready && !reset && asks[P] && !take[P] ? op_waits + 1 : 0;
        inside <= !reset && (fill_take || (filling && !fill_done)) ? inside + 1 : 0;
    end
    // what is left of a sweep
    wire [1:0] state = \dut.sweeper.state$q ;
    wire [3:0] age = \dut.sweeper.age$q ;
    wire must = \dut.sweeper.must_q$q ;
    wire late = state == WALK && must && !\dut.isp ;
    wire [6:0] rank = state == WALK ? (must ? 5'd1 + \dut.after_fill$q : 5'd18 - age) + SLOT * (SETS - 1 - \dut.sweeper.at$q ) + 16 : state == LEAVE ? 5'd16 - age : SWEEP;
    logic [6:0] budget = SWEEP;
    wire sweeping = sweep_valid && ready;
    always @(posedge clock) budget <= reset || !sweeping || sweep_done ? SWEEP : budget - 1;
    always @(*) if (!reset) begin
        i_turns: assert (!\dut.fair.ahead$0$q [0] && !\dut.fair.ahead$1$q [1] && \dut.fair.ahead$0$q [1] != \dut.fair.ahead$1$q [0]);
        i_one: assert (lines == filling && \dut.after_fill$q == (\dut.kind1$q == 2));
        i_inside: assert (inside == (\dut.kind1$q == 2 ? 1 : \dut.kind2$q == 2 ? 2 : \dut.kind3$q == 2 ? 3 : \dut.kind4$q == 2 ? 4 : \dut.kind5$q == 2 ? 5 : 0));
        a_fill: assert (fill_waits <= FILL);
        a_done: assert (inside <= DONE);
        a_op: assert (op_waits <= OP);
        i_idle: assert (!ready || sweep_valid || state == IDLE);
        if (state == IDLE && ready) i_at: assert (\dut.sweeper.at$q == 0 && age == 0 && !must);
        if (state == WALK) i_must: assert (!must || age == 0 || (age == 1 && !\dut.after_fill$q ));
        if (state == LEAVE) i_leave: assert (\dut.sweeper.at$q == 0 && !must);
        if (sweeping) i_rank: assert (budget >= rank && budget <= SWEEP);
        if (sweeping) a_sweep: assert (budget != 0);
    end
    always @(*) if (!reset) begin
        c_fill: cover (fill_waits == 1);
        c_op: cover (op_waits == 3 && take[P]);
        c_late: cover (late);
        c_swept: cover (sweep_done && asks == 3);
    end
endmodule
