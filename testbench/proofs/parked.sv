// SPDX-License-Identifier: MIT OR Apache-2.0
// Property D, the wait (`parked`), for any parked command `E` and any slot `S`: it is finished only when the slot holds no lease of its
// mapping, be it the region's or the window's it went through (cut, drain), or is not walking it (contract); an eviction only when
// the slot has given back the lease of the region it held at `put`. Until then, from `put`, a mapping that is to be cut stands in the cut table.
`include "env.sv"

module parked (
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
    // what slot S holds, now
    input lease_t its,
    input logic its_held, its_walking
);
    (* anyconst *) wire E;
    (* anyconst *) wire [`SLOTW-1:0] S;
    // evictions, where there are any: the leases held now, S's among them
    wire put_seen = `PAGING ? seen_any : 1'b0;
    wire [`HELDW-1:0] held = `PAGING ? (held_any & ~(1 << S)) | (its_held << S) : 0;
    wire room, done_valid, done_over, watching, tied;
    wire [1:0] done_end;
    wire [`NPARK-1:0] cut_valid;
    wire [`NPARK*`K-1:0] cut_index;
    wire [`NPARK*`EPW-1:0] cut_epoch;
    wire [`SLOTW-1:0] scan_slot;
    wire [`K-1:0] done_index;
    wire [7:0] done_tag;
    \latchkey_core$regs$park dut (
        .clock(clock), .reset(reset), .room(room), .put(put), .put_index(put_index), .put_epoch(put_epoch), .put_tag(put_tag),
        .put_mode(put_mode), .put_end(put_end), .put_seen(put_seen), .scan_via(scan_via), .scan_via_epoch(scan_via_epoch),
        .held(held), .asked(asked), .watching(watching), .tied(tied), .done_end(done_end), .arm(arm), .cut_valid(cut_valid), .cut_index(cut_index), .cut_epoch(cut_epoch),
        .scan_slot(scan_slot), .scan_index(scan_index), .scan_epoch(scan_epoch), .scan_held(scan_held),
        .scan_walking(scan_walking), .done_valid(done_valid), .done_over(done_over), .done_index(done_index),
        .done_tag(done_tag), .peek(peek), .pop(pop)
    );
    (* hierconn *) wire \dut.valid$0$q , \dut.valid$1$q , \dut.live$0$q , \dut.live$1$q , \dut.fin$0$q , \dut.fin$1$q ,
        \dut.over$0$q , \dut.over$1$q ;
    (* hierconn *) wire \dut.cur$q , \dut.answer$q , \dut.judged$q , \dut.hit , \dut.ready$q , \dut.chosen$q ;
    (* hierconn *) wire [`SLOTW-1:0] \dut.ptr$q ;
    wire valid = E ? \dut.valid$1$q : \dut.valid$0$q ;
    wire live = E ? \dut.live$1$q : \dut.live$0$q ;
    wire fin = E ? \dut.fin$1$q : \dut.fin$0$q ;
    wire over = E ? \dut.over$1$q : \dut.over$0$q ;
    wire [`SLOTW-1:0] ptr = \dut.ptr$q ;
    wire answer = \dut.answer$q , judged = \dut.judged$q , hit = \dut.hit , ready = \dut.ready$q ;
    wire chosen = \dut.chosen$q ;

    // the parked command, remembered from its `put`
    logic [`K-1:0] index;
    logic [`EPW-1:0] epoch;
    logic [7:0] tag;
    logic [1:0] mode, ending;
    logic valid_was = 0, put_was = 0, armed = 0, seen, since = 0;
    wire enters = put && !valid && (E == 0 || \dut.valid$0$q );
    always @(posedge clock) begin
        if (enters) begin index <= put_index; epoch <= put_epoch; tag <= put_tag; mode <= put_mode; ending <= put_end; seen <= put_seen; end
        since <= enters ? its_held : since && its_held;
        if (enters) armed <= 0; else if (arm && valid) armed <= 1;
        if (reset) armed <= 0;
    end
    wire of_region = its.index == index && its.epoch == epoch;
    wire of_window = `WINDOWS && its.via == index && its.via_epoch == epoch;
    wire matches = its_held && (of_region || of_window);
    // an eviction waits for the region's lease that has stood since `put`
    wire blocks = seen ? since && its_held && its.index == index : matches && (mode[1] ? its_walking : 1);

    env_reset starts (.clock(clock), .reset(reset));
    env_parked turns (.clock(clock), .reset(reset), .room(room), .put(put), .put_seen(put_seen), .watching(watching), .arm(arm), .pop(pop), .done_valid(done_valid));
    env_leases leases (.clock(clock), .reset(reset), .slot(S), .scan_slot(scan_slot), .scan_index(scan_index), .scan_epoch(scan_epoch),
        .scan_via(scan_via), .scan_via_epoch(scan_via_epoch), .scan_held(scan_held), .scan_walking(scan_walking), .its(its),
        .its_held(its_held), .its_walking(its_walking), .ended(armed && valid && !seen), .match(matches));

    wire [`SLOTW-1:0] at = ptr - answer - judged;
    wire mine = \dut.cur$q == E;
    (* hierconn *) wire [`K-1:0] \dut.index$0$q , \dut.index$1$q ;
    (* hierconn *) wire [`EPW-1:0] \dut.epoch$0$q , \dut.epoch$1$q ;
    (* hierconn *) wire [7:0] \dut.tag$0$q , \dut.tag$1$q ;
    (* hierconn *) wire [1:0] \dut.mode$0$q , \dut.mode$1$q , \dut.ending$0$q , \dut.ending$1$q ;
    (* hierconn *) wire \dut.seen_only$0$q , \dut.seen_only$1$q ;
    (* hierconn *) wire [`HELDW-1:0] \dut.pending$q ;
    wire pending = `PAGING && ((\dut.pending$q >> S) & 1);
    logic live_was = 0;
    always @(posedge clock) live_was <= live && !reset;
    wire taken_now = done_valid && chosen == E;

    always @(*) if (!reset) begin
        if (valid) i_entry: assert (index == (E ? \dut.index$1$q : \dut.index$0$q ) && epoch == (E ? \dut.epoch$1$q : \dut.epoch$0$q )
            && tag == (E ? \dut.tag$1$q : \dut.tag$0$q ) && mode == (E ? \dut.mode$1$q : \dut.mode$0$q )
            && ending == (E ? \dut.ending$1$q : \dut.ending$0$q ) && seen == (E ? \dut.seen_only$1$q : \dut.seen_only$0$q ));
        if (`PAGING && valid && seen) i_pending: assert (pending == since);
        i_alone: assert (!(\dut.valid$0$q && \dut.seen_only$0$q && \dut.valid$1$q && \dut.seen_only$1$q ));
        i_state: assert (live + fin + over <= 1 && (valid || !(live || fin || over)));
        if (live || fin || over) i_armed: assert (armed && valid);
        if (mine && !live_was) i_restart: assert (!answer && !judged);
        i_judged: assert (!judged || answer);
        if (live && mine && S < at) i_clear: assert (!blocks);
        if (live && mine && judged && !hit && S == at) i_hit: assert (!blocks);
        if (fin) i_fin: assert (!blocks);
        if (ready) i_chosen: assert (chosen ? \dut.fin$1$q || \dut.over$1$q : \dut.fin$0$q || \dut.over$0$q );
        // D: finished means that no slot holds it back any more
        if (taken_now && !done_over) a_finished: assert (valid && armed && !blocks);
        if (taken_now && peek) a_name: assert (done_index == index && done_tag == tag && done_end == ending);
        // who would disturb it is told: another eviction; a command on an entry whose key lives on
        if (valid && seen) a_watching: assert (watching);
        if (tied_was) a_tied: assert (tied);
        // a mapping to be cut stands in the table from `put` to `pop`
        if (valid && mode != 1) a_cut: assert (cut_valid[E] && cut_index[E*`K +: `K] == index && cut_epoch[E*`EPW +: `EPW] == epoch);
        if (!valid || mode == 1) a_uncut: assert (!cut_valid[E]);
        // nothing parked goes by itself
        if (valid_was && !valid) a_popped: assert (popped);
        if (put_was) a_put: assert (valid_was || valid);
    end
    logic popped = 0, waited = 0, tied_was = 0;       // of what was asked in the cycle before
    always @(posedge clock) begin
        valid_was <= valid && !reset;
        popped <= pop && chosen == E;
        tied_was <= !reset && valid && !seen && ending == 2 && index == asked;
        put_was <= enters && !reset;
        waited <= !reset && valid && (waited || (live && blocks));
    end

    always @(*) if (!reset) begin
        c_finished: cover (taken_now && !done_over && mode == 1);
        c_waited: cover (taken_now && !done_over && waited);
        c_contract: cover (taken_now && !done_over && mode == 2 && matches);
        c_popped: cover (popped);
        c_both: cover (\dut.live$0$q && \dut.live$1$q );
    end
    generate if (`WINDOWS) always @(*) if (!reset) begin
        c_window: cover (live && blocks && !of_region && mode == 1);
        c_over_window: cover (taken_now && !done_over && waited && its.via == index && its.index != index);
    end endgenerate
    generate if (`PAGING) always @(*) if (!reset) begin
        c_evicts: cover (live && blocks && seen);
        c_evicted: cover (taken_now && !done_over && seen && waited && its_held && its.index == index);
        c_tied: cover (valid && tied && index == asked && live);
    end endgenerate
endmodule
