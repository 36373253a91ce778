// SPDX-License-Identifier: MIT OR Apache-2.0
// Property C at the tags, and the part of D that is leases (`port_state`), for any tag `T` of a port: in use from its request to
// the verdict that frees it or to the `dma_done` of its lease; a lease stands from its verdict to a `dma_done` that comes after
// the walk's last segment, and to nothing else; every `dma_done` is told as one of the two, once.
`include "env.sv"

module tag_life (
    input logic clock,
    input logic reset,
    input logic enter, lease, left, last_out, done,
    input logic [`TAGW-1:0] enter_tag, lease_tag, left_tag, last_tag, done_tag, scan_tag
);
    wire reuse, ended, unknown, scan_held, scan_walking;
    wire [`TAGW-1:0] told_tag;
    \latchkey_core$state$0 dut (
        .clock(clock), .reset(reset), .enter(enter), .enter_tag(enter_tag), .reuse(reuse), .lease(lease), .lease_tag(lease_tag),
        .left(left), .left_tag(left_tag), .last_out(last_out), .last_tag(last_tag), .done(done), .done_tag(done_tag),
        .told_tag(told_tag), .ended(ended), .unknown(unknown), .scan_tag(scan_tag), .scan_held(scan_held),
        .scan_walking(scan_walking)
    );
    (* anyconst *) wire [`TAGW-1:0] T;
    wire enters = enter && enter_tag == T;
    wire leased = lease && lease_tag == T;
    wire leaves = left && left_tag == T;
    wire lasts = last_out && last_tag == T;
    wire dones = done && done_tag == T;

    // the life of T as the pins tell it: 0 free, 1 asked, 2 leased and walking, 3 leased
    logic [1:0] life = 0;
    logic done_was = 0, ends_was = 0;
    wire ends = dones && (life == 3 || (life == 2 && lasts)) && !ends_was;
    always @(posedge clock) begin
        if (enters && life == 0) life <= 1;
        if (leased) life <= 2;
        if (lasts) life <= 3;
        if (leaves || ends_was) life <= 0;
        if (reset) life <= 0;
        done_was <= dones && !reset;
        ends_was <= ends && !reset;
    end
    env_reset starts (.clock(clock), .reset(reset));
    env_tag life_of (.clock(clock), .reset(reset), .life(life), .ending(ends_was), .enters(enters), .leased(leased), .leaves(leaves),
        .lasts(lasts), .dones(dones));

    (* hierconn *) wire [`TAGS-1:0] \dut.busy$q , \dut.held$q , \dut.walking$q ;
    (* hierconn *) wire \dut.ends$q , \dut.told$q ;
    (* hierconn *) wire [`TAGW-1:0] \dut.gone$q ;
    logic held_was, walking_was, scanned = 0;
    always @(posedge clock) begin
        held_was <= life >= 2; walking_was <= life == 2;
        scanned <= scan_tag == T;
    end
    logic past = 0;
    always @(posedge clock) past <= 1;
    always @(*) if (!reset) begin
        i_busy: assert (\dut.busy$q [T] == (life != 0));
        i_held: assert (\dut.held$q [T] == (life >= 2));
        i_walking: assert (\dut.walking$q [T] == (life == 2));
        if (\dut.told$q && \dut.gone$q == T) i_told: assert (\dut.ends$q == ends_was && done_was);
        if (ends_was) i_ends: assert (\dut.ends$q && \dut.gone$q == T && life == 3);
        if (done_was) i_gone: assert (\dut.told$q && \dut.gone$q == T);
        // C: a tag in use is known, and only it
        if (enters) a_reuse: assert (reuse == (life != 0));
        // every dma_done is told once: a lease ended, or it is unknown
        if (done_was) a_told: assert (told_tag == T && (ended ^ unknown) && ended == ends_was);
        if (told_tag == T && (ended || unknown)) a_asked: assert (done_was);
        // the scan sees the lease as it was a cycle ago
        if (past && scanned) a_scan: assert (scan_held == held_was && scan_walking == walking_was);
    end
    logic [1:0] seen = 0;
    always @(posedge clock) if (ends_was && seen != 3) seen <= seen + 1;
    always @(*) if (!reset) begin
        c_twice: cover (seen == 2);
        c_unknown: cover (done_was && unknown && life == 2);
        c_reuse: cover (enters && reuse && life == 3);
        c_same: cover (ends && lasts);
        c_double: cover (done_was && ends_was && dones);
    end
endmodule
