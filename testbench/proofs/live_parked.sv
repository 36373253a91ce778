// SPDX-License-Identifier: MIT OR Apache-2.0
// Liveness (F) of what is parked (`parked`), for any parked command `E`: once armed it is finished or overdue within a number of cycles,
// whatever its leases do; finished within few, when they are given back and it is looked for again (a look at another's name starts the scan
// anew, and adds its part); and then it is chosen and gone within what the port takes for it and one other. At `life` also what waits for the
// leases of a window, and an eviction, which waits for those that were held as it was put.
`include "env.sv"

module live_parked (
    input logic clock,
    input logic reset,
    input logic put, arm, peek, pop,
    input logic [`K-1:0] put_index,
    input logic [`EPW-1:0] put_epoch,
    input logic [7:0] put_tag,
    input logic [1:0] put_mode, put_end,
    input logic seen_any,
    input logic [`K-1:0] scan_index,
    input logic [`EPW-1:0] scan_epoch,
    input logic [`PARK-1:0] scan_via,
    input logic [`PARE-1:0] scan_via_epoch,
    input logic scan_held, scan_walking,
    input logic [`HELDW-1:0] held_any,
    input logic [`K-1:0] asked,
    input logic back
);
    (* anyconst *) wire E;
    // evictions, where there are any: the leases held now
    wire put_seen = `PAGING ? seen_any : 1'b0;
    wire [`HELDW-1:0] held = `PAGING ? held_any : 0;
    wire room, done_valid, done_over, watching, tied;
    wire [`SLOTW-1:0] scan_slot;
    \latchkey_core$regs$park dut (
        .clock(clock), .reset(reset), .room(room), .put(put), .put_index(put_index), .put_epoch(put_epoch), .put_tag(put_tag),
        .put_mode(put_mode), .put_end(put_end), .put_seen(put_seen), .scan_via(scan_via), .scan_via_epoch(scan_via_epoch), .held(held), .asked(asked), .watching(watching),
        .tied(tied), .arm(arm), .scan_slot(scan_slot), .scan_index(scan_index), .scan_epoch(scan_epoch), .scan_held(scan_held),
        .scan_walking(scan_walking), .done_valid(done_valid), .done_over(done_over), .peek(peek), .pop(pop)
    );
    (* hierconn *) wire \dut.valid$0$q , \dut.valid$1$q , \dut.live$0$q , \dut.live$1$q , \dut.fin$0$q , \dut.fin$1$q ,
        \dut.over$0$q , \dut.over$1$q ;
    (* hierconn *) wire \dut.cur$q , \dut.answer$q , \dut.judged$q , \dut.hit , \dut.ready$q , \dut.chosen$q ;
    (* hierconn *) wire [`SLOTW-1:0] \dut.ptr$q ;
    (* hierconn *) wire [`DRAINW-2:0] \dut.tick$q ;
    (* hierconn *) wire [2:0] \dut.age$0$q , \dut.age$1$q ;
    (* hierconn *) wire [`K-1:0] \dut.index$0$q , \dut.index$1$q ;
    (* hierconn *) wire [`EPW-1:0] \dut.epoch$0$q , \dut.epoch$1$q ;
    (* hierconn *) wire [1:0] \dut.mode$0$q , \dut.mode$1$q ;
    wire live = E ? \dut.live$1$q : \dut.live$0$q , other = E ? \dut.live$0$q : \dut.live$1$q ;
    wire fin = E ? \dut.fin$1$q : \dut.fin$0$q , over = E ? \dut.over$1$q : \dut.over$0$q , valid = E ? \dut.valid$1$q : \dut.valid$0$q ;
    wire [2:0] age = E ? \dut.age$1$q : \dut.age$0$q ;
    wire [`SLOTW-1:0] ptr = \dut.ptr$q ;
    wire answer = \dut.answer$q , judged = \dut.judged$q , ready = \dut.ready$q , mine = \dut.cur$q == E;

    // what is chosen is gone: a command under way, and its own completion (`live_reg`, `live_life`)
    localparam T = `WINDOWS ? 6306 : 5160;
    localparam L = 5;                           // its name is looked at (`live_reg`, `live_life`: `a_begins`)
    wire [13:0] t;
    wire [3:0] l;
    env_reset starts (.clock(clock), .reset(reset));
    env_parked turns (.clock(clock), .reset(reset), .room(room), .put(put), .put_seen(put_seen), .watching(watching), .arm(arm), .pop(pop), .done_valid(done_valid));
    env_chosen #(.MOST(T), .LOOK(L)) port (.clock(clock), .reset(reset), .ready(done_valid), .peek(peek), .pop(pop), .left(t), .looks(l));
    // its leases are given back: `back` from some moment on
    logic given = 0;
    wire returned = live && (given || back);
    always @(posedge clock) given <= returned && !reset;
    wire [`K-1:0] index = E ? \dut.index$1$q : \dut.index$0$q ;
    wire [`EPW-1:0] epoch = E ? \dut.epoch$1$q : \dut.epoch$0$q ;
    wire [1:0] mode = E ? \dut.mode$1$q : \dut.mode$0$q ;
    // of an eviction: the leases that have stood since it was put; where the slot of this answer had one, as it was asked for
    (* hierconn *) wire \dut.seen_only$0$q , \dut.seen_only$1$q , \dut.awaited$q ;
    (* hierconn *) wire [`HELDW-1:0] \dut.pending$q ;
    wire seen = E ? \dut.seen_only$1$q : \dut.seen_only$0$q ;
    logic [`HELDW-1:0] since;
    logic stood = 0;
    always @(posedge clock) begin since <= put && put_seen ? held : since & held; stood <= since >> scan_slot; end
    wire of_region = scan_index == index && scan_epoch == epoch;
    wire of_window = `WINDOWS && scan_via == index && scan_via_epoch == epoch;
    wire its = seen ? stood && scan_index == index : of_region || of_window;
    env_returned leases (.clock(clock), .reset(reset), .since(given), .match(its), .held(scan_held || seen), .walking(scan_walking),
        .contract(mode[1] && !seen));

    // to overdue: five ticks, a quarter of the limit apart
    localparam QUARTER = 1 << (`DRAINW - 2);
    localparam LIMIT = 5 * QUARTER + 2;
    wire [`DRAINW+1:0] low = \dut.tick$q [`DRAINW-3:0];
    wire pulse = \dut.tick$q [`DRAINW-2];
    wire [`DRAINW+1:0] tick = pulse ? 0 : QUARTER - low;
    wire [`DRAINW+1:0] late = age >= 5 ? 1 : (4 - age) * QUARTER + tick + 2;
    // to finished: one pass over all slots, perhaps behind one for the other, and one that was begun
    localparam PASS = `SLOTS + 2;
    wire [4:0] at = judged ? (ptr < 2 ? ptr + 5'd8 : ptr) : answer ? (ptr == 0 ? 8 : ptr) : ptr;
    wire stale = judged && \dut.hit ;
    wire [5:0] pass = mine ? (stale ? 1 + 2 * PASS : PASS - at) : other ? PASS - at + PASS : 1 + PASS;
    wire reading = peek && ready;
    localparam MOST = 1 + 2 * PASS;
    localparam LOOK = L + 2 + MOST;
    wire [6:0] finish = reading && reading_was ? l + 1 + MOST : pass;
    // to gone
    localparam GONE = 2 * (T + 2);
    wire [14:0] gone = ready ? (\dut.chosen$q == E ? t + 1 : t + 2 + T + 1) : 1 + (E && (\dut.fin$0$q || \dut.over$0$q ) ? T + 2 : 0) + T + 1;
    wire done = fin || over;

    logic [`DRAINW+1:0] armed = 0;              // cycles
    logic [6:0] budget = MOST + LOOK;
    logic [14:0] waits = 0;
    logic reading_was = 0, valid_was = 0, done_was = 0, popped = 0;
    wire [7:0] more = budget - 1 + (reading && !reading_was ? LOOK : 0);
    always @(posedge clock) begin
        armed <= live && !reset ? armed + 1 : 0;
        budget <= !returned || reset ? MOST + LOOK : more > MOST + LOOK ? MOST + LOOK : more[6:0];
        waits <= done && !reset ? waits + 1 : 0;
        reading_was <= reading && !reset;
        valid_was <= valid && !reset; done_was <= done;
        popped <= pop && !reset;
    end
    always @(*) if (!reset) begin
        i_state: assert (live + fin + over <= 1 && (valid || !(live || fin || over)));
        i_other: assert (\dut.live$0$q + \dut.fin$0$q + \dut.over$0$q <= 1 && \dut.live$1$q + \dut.fin$1$q + \dut.over$1$q <= 1);
        i_tick: assert (!pulse || low == 0);
        if (live) i_age: assert (age <= 5);
        if (valid && !live && !done) i_young: assert (age == 0);
        if (live) i_late: assert (armed + late <= LIMIT);
        i_judged: assert (!judged || answer);
        if (!`PAGING) i_unseen: assert (!\dut.seen_only$0$q && !\dut.seen_only$1$q );
        i_alone: assert (!(\dut.valid$0$q && \dut.seen_only$0$q && \dut.valid$1$q && \dut.seen_only$1$q ));
        if (`PAGING && valid && seen) i_since: assert (\dut.pending$q == since);
        if (live && seen) i_stood: assert (\dut.awaited$q == stood);
        if (!given) i_given: assert (budget == MOST + LOOK);
        if (given && live) i_finish: assert (budget >= finish);
        if (ready) i_chosen: assert (\dut.chosen$q ? \dut.fin$1$q || \dut.over$1$q : \dut.fin$0$q || \dut.over$0$q );
        if (done) i_gone: assert (waits + gone <= GONE);
        // armed: finished, or told overdue, whatever the leases do
        if (live) a_limit: assert (armed < LIMIT);
        // finished soon when its leases are back
        if (given && live) a_finishes: assert (budget != 0);
        // then gone, with its answer, as the port takes it
        if (done) a_gone: assert (waits < GONE);
        if (valid_was && !valid) a_popped: assert (popped && done_was);
    end
    always @(*) if (!reset) begin
        c_finished: cover (fin && armed > 4);
        c_second: cover (done_was && !valid && waits > 4);
        c_stale: cover (returned && stale && mine);
        c_read: cover (given && reading);
    end
    generate if (`PAGING) always @(*) if (!reset) begin
        c_evicted: cover (fin && seen && armed > 4 && waited && given_was);
        c_watches: cover (live && seen && \dut.hit && mine);
    end endgenerate
    logic waited = 0, given_was = 0;
    always @(posedge clock) begin waited <= !reset && live && (waited || (\dut.hit && judged && mine)); given_was <= given; end
endmodule
