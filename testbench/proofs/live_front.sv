// SPDX-License-Identifier: MIT OR Apache-2.0
// Liveness (F) at the front (`arbiter`, with `flush` as in the core): who asks for a slot of the key cache's pipe has it within a number of
// cycles: a fill, a lookup that asks again, an op of the registration port, a request of any port, which does not count the cycles in which
// a command holds lookups. (No rank: the numbers are small, k-induction with a larger k finds them.)
`include "env.sv"

module live_front (
    input logic clock,
    input logic reset,
    input logic fill_valid, replay_valid, op_valid, op_hold,
    input logic [1:0] op_kind,
    input logic [1:0] offer
);
    wire sweep_valid, sweep_must, sweep_take, fill_take, replay_take, op_take, ready, busy;
    wire [2:0] sweep_kind;
    wire [`SETW-1:0] sweep_set;
    wire [1:0] take;
    \latchkey_core$flush flush (
        .clock(clock), .reset(reset), .epoch(op_take && op_kind == 1), .ready(ready), .busy(busy), .valid(sweep_valid),
        .must(sweep_must), .kind(sweep_kind), .sweep_set(sweep_set), .take(sweep_take)
    );
    \latchkey_core$arbiter arbiter (
        .clock(clock), .reset(reset), .sweep_valid(sweep_valid), .sweep_must(sweep_must), .sweep_kind(sweep_kind),
        .sweep_set(sweep_set), .sweep_take(sweep_take), .fill_valid(fill_valid), .fill_index(0),
        .fill_take(fill_take), .replay_valid(replay_valid), .replay(0), .replay_take(replay_take), .op_valid(op_valid),
        .op_kind(op_kind), .op_index(0), .op_set(0), .op_hold(op_hold), .op_take(op_take), .\offer$0 (offer[0]),
        .\offer$1 (offer[1]), .\head$0 (0), .\head$1 (0), .\take$0 (take[0]), .\take$1 (take[1]), .promised(1'b0), .waits(1'b0)
    );
    env_reset starts (.clock(clock), .reset(reset));
    env_epochs epochs (.op_valid(op_valid), .op_kind(op_kind), .busy(busy));
    // takes that count: of a port only when its op goes into the pipe
    wire [1:0] goes = take & {2{!op_hold}};
    env_spaced asks (.clock(clock), .reset(reset || !ready), .fill(fill_valid), .fill_take(fill_take), .replay(replay_valid), .replay_take(replay_take),
        .op(op_valid), .op_take(op_take), .offer(offer), .take(take));
    env_held holds (.clock(clock), .reset(reset), .hold(op_hold), .op(op_valid));
    (* anyconst *) wire P;
    (* hierconn *) wire [1:0] \arbiter.fair.ahead$0$q , \arbiter.fair.ahead$1$q ;
    (* hierconn *) wire [1:0] \flush.state$q ;
    (* hierconn *) wire [`SETW-1:0] \flush.at$q ;
    (* hierconn *) wire [3:0] \flush.age$q ;
    (* hierconn *) wire \flush.took$q ;
    localparam FILL = 1, REPLAY = 2, OP = 4, PORT = 18, SWEEP = 31 + 16 * ((1 << `SETW) - 1);
    logic [5:0] fill_waits = 0, replay_waits = 0, op_waits = 0, waits = 0;
    logic [6:0] sweeps = 0;
    always @(posedge clock) begin
        fill_waits <= ready && !reset && fill_valid && !fill_take ? fill_waits + 1 : 0;
        replay_waits <= ready && !reset && replay_valid && !replay_take ? replay_waits + 1 : 0;
        op_waits <= ready && !reset && op_valid && !op_take ? op_waits + 1 : 0;
        waits <= ready && !reset && offer[P] && !take[P] ? waits + !op_hold : 0;
        sweeps <= !reset && busy ? sweeps + 1 : 0;
    end
    // what is left of a sweep: sixteen cycles, and as many a set
    wire [6:0] sets = 16 * ((1 << `SETW) - 1 - \flush.at$q );
    wire [6:0] sweep = \flush.state$q == 2 ? 5'd16 - \flush.age$q + 15 + 16 * ((1 << `SETW) - 1)
        : (\flush.took$q ? 5'd16 : 5'd15 - \flush.age$q ) + sets;
    always @(*) if (!reset) begin
        i_turns: assert (!\arbiter.fair.ahead$0$q [0] && !\arbiter.fair.ahead$1$q [1] && \arbiter.fair.ahead$0$q [1] != \arbiter.fair.ahead$1$q [0]);
        a_fill: assert (fill_waits <= FILL);
        a_replay: assert (replay_waits <= REPLAY);
        a_op: assert (op_waits <= OP);
        a_port: assert (waits <= PORT);
        if (sweep_must && ready) a_must: assert (sweep_take);
        if (\flush.state$q == 1) i_idle: assert (\flush.at$q == 0);
        if (\flush.state$q == 2) i_wait: assert (\flush.at$q == 0 && !\flush.took$q );
        if (\flush.state$q == 3 && !\flush.took$q ) i_must: assert (\flush.age$q < 14 || (\flush.age$q == 14 && sweep_must));
        if (busy) i_sweep: assert (sweeps + sweep <= SWEEP);
        a_sweep: assert (sweeps <= SWEEP);
    end
    always @(*) if (!reset) begin
        c_fill: cover (fill_waits == 1);
        c_replay: cover (replay_waits == 2);
        c_op: cover (op_waits == 3);
        c_port: cover (waits == 7 && take[P]);
        c_swept: cover (sweeps > 20 && \flush.state$q == 3);
    end
endmodule
