// SPDX-License-Identifier: MIT OR Apache-2.0
// Property D at the entry a command works on (`reg_entry`): retiring leaves everything as it was but for the state, which is 1 (not
// valid), the next map epoch and the next generation; loading a command makes the state 3 and takes its fields; and the words
// go out, and come in, one after the other, unchanged. With `publish`: what a deregister has written when it is acknowledged is an
// entry that is not valid.
`include "env.sv"

module entry (
    input logic clock,
    input logic reset,
    input logic shift, take, load, push, keys, clear, retire, still, link,
    input logic [`BEAT-1:0] word,
    input logic [31:0] access,
    input logic [2:0] page,
    input logic [`PDW-1:0] pd,
    input logic [`VAW-1:0] start,
    input logic [`RLW-1:0] length,
    input logic [1:0] digit,
    input logic [`K-1:0] head,
    input logic [`KEYW-1:0] key
);
    localparam W = `MPTN * `BEAT;
    wire [`BEAT-1:0] low;
    hot_t hot;
    wire [`K-1:0] succ;
    wire own, tired;
    \latchkey_core$regs$entry dut (
        .clock(clock), .shift(shift), .take(take), .word(word), .load(load), .access(access), .page(page), .pd(pd),
        .start(start), .length(length), .push(push), .digit(digit), .keys(keys), .clear(clear), .retire(retire),
        .still(still), .link(link), .head(head), .key(key), .low(low), .hot(hot), .succ(succ), .own(own), .tired(tired)
    );
    env_reset starts (.clock(clock), .reset(reset));
    env_steps steps (.shift(shift), .take(take), .load(load), .push(push), .keys(keys), .clear(clear), .retire(retire),
        .still(still), .link(link));
    (* hierconn *) wire [W-1:0] \dut.all ;
    wire [W-1:0] all = \dut.all ;
    wire [23:0] generation = all[`MPTLINE +: 24];

    // what it was, and what was done to it
    logic past = 0;
    logic [W-1:0] was;
    logic [23:0] generation_was;
    hot_t hot_was;
    logic shift_was, take_was, load_was, retire_was, idle_was, link_was, keys_was;
    logic [`BEAT-1:0] word_was;
    logic [`PDW-1:0] pd_was;
    logic [`VAW-1:0] start_was;
    logic [`RLW-1:0] length_was;
    logic [2:0] page_was;
    logic [31:0] access_was;
    logic [`K-1:0] head_was;
    always @(posedge clock) begin
        past <= !reset; was <= all; hot_was <= hot; generation_was <= generation;
        shift_was <= shift; take_was <= take; load_was <= load; retire_was <= retire; link_was <= link; keys_was <= keys;
        idle_was <= !(shift || load || push || keys || clear || retire || link);
        word_was <= word; pd_was <= pd; start_was <= start; length_was <= length; page_was <= page; access_was <= access;
        head_was <= head;
    end
    hot_t retired, loaded;
    always @(*) begin
        retired = hot_was;
        retired.state = 1;
        retired.epoch = hot_was.epoch + 1;
        loaded = hot_was;
        loaded.state = 3;
        loaded.kind = 0;
        loaded.rights = {access_was[9:8], access_was[6:0]};
        loaded.page = page_was;
        loaded.pd = pd_was;
        loaded.start = start_was;
        loaded.length = length_was;
    end
    always @(*) if (!reset && past) begin
        a_low: assert (low == all[`BEAT-1:0]);
        a_hot: assert (hot == all[`HOTB-1:0] && succ == all[`MPTLINE + 24 +: `K]);
        if (idle_was) a_stands: assert (all == was);
        if (shift_was) a_shift: assert (all == {take_was ? word_was : was[`BEAT-1:0], was[W-1:`BEAT]});
        if (retire_was) a_retire: assert (hot == retired && generation == generation_was + 24'd1 && all[W-1:`MPTLINE+24] == was[W-1:`MPTLINE+24]);
        if (load_was) a_load: assert (hot == loaded && all[W-1:`HOTB] == was[W-1:`HOTB]);
        if (link_was) a_link: assert (succ == head_was && all[`MPTLINE+23:0] == was[`MPTLINE+23:0]);
        if (keys_was) a_keys: assert (all[W-1:2*`KEYW] == was[W-1:2*`KEYW]);
    end
    logic [3:0] round = 0;
    always @(posedge clock) round <= reset || retire ? 0 : round + shift;
    always @(*) if (!reset && past) begin
        c_retired: cover (retire_was && hot_was.state == 3);
        c_round: cover (round == `MPTN && hot.state == 1);
        c_loaded: cover (load_was && hot.rights[8]);
    end
endmodule
