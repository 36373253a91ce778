// SPDX-License-Identifier: MIT OR Apache-2.0
// Property C at the front: stage c0 (`arbiter`, with `flush` as in the core). One op a cycle, the one that was taken and whole; and
// it keeps `env_ops`, what the key cache relies on: the sweeps after reset and behind a new epoch, for any set `S`.
`include "env.sv"

module front (
    input logic clock,
    input logic reset,
    input logic fill_valid, replay_valid, op_valid, op_hold,
    input logic [`K-1:0] fill_index, op_index,
    input logic [1:0] op_kind,
    input logic [`SETW-1:0] op_set,
    input req_t replay, head0, head1,
    input logic [1:0] offer
);
    wire sweep_valid, sweep_must, sweep_take, fill_take, replay_take, op_take, fresh, held, next_free, ready, busy;
    wire [2:0] sweep_kind, kind;
    wire [`SETW-1:0] sweep_set;
    wire [1:0] take;
    req_t req;
    \latchkey_core$flush flush (
        .clock(clock), .reset(reset), .epoch(op_take && op_kind == 1), .ready(ready), .busy(busy), .valid(sweep_valid),
        .must(sweep_must), .kind(sweep_kind), .sweep_set(sweep_set), .take(sweep_take)
    );
    \latchkey_core$arbiter arbiter (
        .clock(clock), .reset(reset), .sweep_valid(sweep_valid), .sweep_must(sweep_must), .sweep_kind(sweep_kind),
        .sweep_set(sweep_set), .sweep_take(sweep_take), .fill_valid(fill_valid), .fill_index(fill_index),
        .fill_take(fill_take), .replay_valid(replay_valid), .replay(replay), .replay_take(replay_take), .op_valid(op_valid),
        .op_kind(op_kind), .op_index(op_index), .op_set(op_set), .op_hold(op_hold), .op_take(op_take), .\offer$0 (offer[0]),
        .\offer$1 (offer[1]), .\head$0 (head0), .\head$1 (head1), .\take$0 (take[0]), .\take$1 (take[1]), .kind(kind),
        .req(req), .fresh(fresh), .held(held), .promised(1'b0), .waits(1'b0), .next_free(next_free)
    );
    (* anyconst *) wire [`SETW-1:0] S;
    env_reset starts (.clock(clock), .reset(reset));
    env_epochs epochs (.op_valid(op_valid), .op_kind(op_kind), .busy(busy));
    wire emptied, swept;
    wire [3:0] flipped;
    env_ops #(.GIVEN(0)) keeps (.clock(clock), .reset(reset), .kind(kind), .set(req.key[8+:`SETW]), .any_set(S), .fresh(fresh),
        .emptied(emptied), .swept(swept), .flipped(flipped));

    (* hierconn *) wire [1:0] \flush.state$q ;
    (* hierconn *) wire [`SETW-1:0] \flush.at$q ;
    (* hierconn *) wire [3:0] \flush.age$q ;
    (* hierconn *) wire \flush.took$q ;
    localparam INIT = 0, IDLE = 1, WAIT = 2, SWEEP = 3;
    wire [1:0] state = \flush.state$q ;
    // of two ports each is either before or behind the other
    (* hierconn *) wire [1:0] \arbiter.fair.ahead$0$q , \arbiter.fair.ahead$1$q ;
    req_t port;
    assign port = take[1] ? head1 : head0;

    always @(*) if (!reset) begin
        i_turns: assert (!\arbiter.fair.ahead$0$q [0] && !\arbiter.fair.ahead$1$q [1] && \arbiter.fair.ahead$0$q [1] != \arbiter.fair.ahead$1$q [0]);
        if (state == INIT) i_init: assert (sweep_must && sweep_kind == 4 && emptied == (S < \flush.at$q ) && flipped == 0);
        if (state != INIT) i_emptied: assert (emptied);
        if (state == IDLE) i_idle: assert (swept && flipped == 0 && \flush.at$q == 0);
        if (state == WAIT) i_wait: assert (\flush.at$q == 0 && {1'b0, \flush.age$q } + flipped <= 15 && !(\flush.took$q ));
        if (state == SWEEP) i_sweep: assert (flipped == 0 && (swept || S >= \flush.at$q ) && sweep_kind == 5);
        // C: one op a cycle, of the one that was taken
        a_one: assert (sweep_take + fill_take + replay_take + op_take + take[0] + take[1] <= 1);
        a_asked: assert ((!sweep_take || sweep_valid) && (!fill_take || fill_valid) && (!replay_take || replay_valid)
            && (!op_take || op_valid) && (take & ~offer) == 0);
        a_kind: assert (kind == (sweep_take ? sweep_kind : fill_take ? 2 : replay_take || |take ? 1
            : op_take ? (op_kind == 0 ? 3 : op_kind == 1 ? 7 : 4) : 0));
        a_fresh: assert (fresh == |take);
        if (|take) a_port: assert (req == port);
        if (replay_take) a_replay: assert (req == replay);
        if (fill_take) a_fill: assert (req.key[8+:`K] == fill_index);
        if (op_take) a_op: assert (op_kind == 2 ? req.key[8+:`SETW] == op_set : req.key[8+:`K] == op_index || op_kind == 1);
        if (sweep_take) a_sweep: assert (req.key[8+:`SETW] == sweep_set);
        // a request that is offered goes when nobody else does
        if (|offer && !op_hold) a_goes: assert (kind != 0);
    end
    logic again = 0;
    always @(posedge clock) again <= !reset && (again || (swept && state == IDLE && emptied && flips));
    logic flips = 0;
    always @(posedge clock) flips <= !reset && (flips || kind == 7);
    always @(*) if (!reset) begin
        c_ports: cover (take == 2 && offer == 3);
        c_swept: cover (again);
        c_twice: cover (again && kind == 7);
        c_replay: cover (replay_take && |offer);
    end
endmodule
