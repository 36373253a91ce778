// SPDX-License-Identifier: MIT OR Apache-2.0
// Property D, the wait (`parked`), for any parked deregistration `E` and any slot `S`: it is finished only when the slot holds
// no lease of its mapping (cut, drain), or is not walking it (contract), and until then, from `put`, a mapping that is to be
// cut stands in the cut table.
`include "env.sv"

module parked (
    input logic clock,
    input logic reset,
    input logic put, arm, peek, pop,
    input logic [`K-1:0] put_index,
    input logic [`EPW-1:0] put_epoch,
    input logic [7:0] put_tag,
    input logic [1:0] put_mode,
    input logic [`K-1:0] scan_index,
    input logic [`EPW-1:0] scan_epoch,
    input logic scan_held, scan_walking,
    // what slot S holds, now
    input logic [`K-1:0] its_index,
    input logic [`EPW-1:0] its_epoch,
    input logic its_held, its_walking
);
    wire room, done_valid, done_over;
    wire [`NPARK-1:0] cut_valid;
    wire [`NPARK*`K-1:0] cut_index;
    wire [`NPARK*`EPW-1:0] cut_epoch;
    wire [`SLOTW-1:0] scan_slot;
    wire [`K-1:0] done_index;
    wire [7:0] done_tag;
    \latchkey_core$regs$park dut (
        .clock(clock), .reset(reset), .room(room), .put(put), .put_index(put_index), .put_epoch(put_epoch), .put_tag(put_tag),
        .put_mode(put_mode), .put_end(2'd0), .put_seen(1'b0), .scan_via('0), .scan_via_epoch('0), .held('0), .asked('0), .arm(arm), .cut_valid(cut_valid), .cut_index(cut_index), .cut_epoch(cut_epoch),
        .scan_slot(scan_slot), .scan_index(scan_index), .scan_epoch(scan_epoch), .scan_held(scan_held),
        .scan_walking(scan_walking), .done_valid(done_valid), .done_over(done_over), .done_index(done_index),
        .done_tag(done_tag), .peek(peek), .pop(pop)
    );
    (* anyconst *) wire E;
    (* anyconst *) wire [`SLOTW-1:0] S;
    (* hierconn *) wire \dut.valid$0$q , \dut.valid$1$q , \dut.live$0$q , \dut.live$1$q , \dut.fin$0$q , \dut.fin$1$q ,
        \dut.over$0$q , \dut.over$1$q ;
    (* hierconn *) wire \dut.cur$q , \dut.answer$q , \dut.judged$q , \dut.hit$q , \dut.ready$q , \dut.chosen$q ;
    (* hierconn *) wire [`SLOTW-1:0] \dut.ptr$q ;
    wire valid = E ? \dut.valid$1$q : \dut.valid$0$q ;
    wire live = E ? \dut.live$1$q : \dut.live$0$q ;
    wire fin = E ? \dut.fin$1$q : \dut.fin$0$q ;
    wire over = E ? \dut.over$1$q : \dut.over$0$q ;
    wire [`SLOTW-1:0] ptr = \dut.ptr$q ;
    wire answer = \dut.answer$q , judged = \dut.judged$q , hit = \dut.hit$q , ready = \dut.ready$q ;
    wire chosen = \dut.chosen$q ;

    // the parked command, remembered from its `put`
    logic [`K-1:0] index;
    logic [`EPW-1:0] epoch;
    logic [7:0] tag;
    logic [1:0] mode;
    logic valid_was = 0, put_was = 0, armed = 0;
    logic [`K-1:0] p_index;
    logic [`EPW-1:0] p_epoch;
    logic [7:0] p_tag;
    logic [1:0] p_mode;
    wire enters = put && !valid && (E == 0 || \dut.valid$0$q );
    always @(posedge clock) begin
        if (enters) begin index <= put_index; epoch <= put_epoch; tag <= put_tag; mode <= put_mode; end
        if (enters) armed <= 0; else if (arm && valid) armed <= 1;
        if (reset) armed <= 0;
    end
    wire matches = its_held && its_index == index && its_epoch == epoch;
    wire blocks = matches && (mode[1] ? its_walking : 1);

    env_reset starts (.clock(clock), .reset(reset));
    env_parked turns (.clock(clock), .reset(reset), .room(room), .put(put), .put_mode(put_mode), .arm(arm), .pop(pop), .done_valid(done_valid));
    env_leases leases (.clock(clock), .reset(reset), .slot(S), .scan_slot(scan_slot), .scan_index(scan_index), .scan_epoch(scan_epoch),
        .scan_held(scan_held), .scan_walking(scan_walking), .its_index(its_index), .its_epoch(its_epoch), .its_held(its_held),
        .its_walking(its_walking), .ended(armed && valid), .index(index), .epoch(epoch));

    wire [`SLOTW-1:0] at = ptr - answer - judged;
    wire mine = \dut.cur$q == E;
    (* hierconn *) wire [`K-1:0] \dut.index$0$q , \dut.index$1$q ;
    (* hierconn *) wire [`EPW-1:0] \dut.epoch$0$q , \dut.epoch$1$q ;
    (* hierconn *) wire [7:0] \dut.tag$0$q , \dut.tag$1$q ;
    (* hierconn *) wire [1:0] \dut.mode$0$q , \dut.mode$1$q ;
    logic live_was = 0;
    always @(posedge clock) live_was <= live && !reset;
    wire taken_now = done_valid && chosen == E;

    always @(*) if (!reset) begin
        if (valid) i_entry: assert (index == (E ? \dut.index$1$q : \dut.index$0$q ) && epoch == (E ? \dut.epoch$1$q : \dut.epoch$0$q )
            && tag == (E ? \dut.tag$1$q : \dut.tag$0$q ) && mode == (E ? \dut.mode$1$q : \dut.mode$0$q ));
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
        if (taken_now && peek) a_name: assert (done_index == index && done_tag == tag);
        // a mapping to be cut stands in the table from `put` to `pop`
        if (valid && mode != 1) a_cut: assert (cut_valid[E] && cut_index[E*`K +: `K] == index && cut_epoch[E*`EPW +: `EPW] == epoch);
        if (!valid || mode == 1) a_uncut: assert (!cut_valid[E]);
        // nothing parked goes by itself
        if (valid_was && !valid) a_popped: assert (popped);
        if (put_was) a_put: assert (valid_was || valid);
    end
    logic popped = 0, waited = 0;
    always @(posedge clock) begin
        valid_was <= valid && !reset;
        popped <= pop && chosen == E;
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
endmodule
