// SPDX-License-Identifier: MIT OR Apache-2.0
// Keys, the permutation (`key_cipher`): with one secret and for one index, two generations give four keys of which no two are alike, two blocks
// four secrets, whatever the round keys are; the same generation gives the same again; and no more than half of the numbers are
// ever asked for. Two of them run side by side. Keeps `env_keys`.
`include "env.sv"

module cipher (
    input logic clock,
    input logic reset,
    input logic load, go, short_,
    input logic [63:0] secret,
    input logic [`K-1:0] index,
    input logic [23:0] generation_a, generation_b
);
    wire busy_a, busy_b;
    wire [`DEEP-1:0] l_a, r_a, l_b, r_b;
    wire [`FLAT-1:0] ls_a, rs_a, ls_b, rs_b;
    \latchkey_core$regs$cipher a (.clock(clock), .reset(reset), .load(load), .secret(secret), .go(go), .block(short_), .index(index),
        .generation(generation_a), .busy(busy_a), .lkey(l_a), .rkey(r_a), .lsecret(ls_a), .rsecret(rs_a));
    \latchkey_core$regs$cipher b (.clock(clock), .reset(reset), .load(load), .secret(secret), .go(go), .block(short_), .index(index),
        .generation(generation_b), .busy(busy_b), .lkey(l_b), .rkey(r_b), .lsecret(ls_b), .rsecret(rs_b));
    env_reset starts (.clock(clock), .reset(reset));

    (* hierconn *) wire [31:0] \a.left$q , \b.left$q , \a.right$q , \b.right$q ;
    (* hierconn *) wire [63:0] \a.kept$q , \b.kept$q ;
    (* hierconn *) wire [5:0] \a.turns$q , \b.turns$q ;
    // what was asked, and since when
    logic asked = 0, first = 0;
    logic [23:0] asked_a, asked_b;
    logic [6:0] since = 0;
    always @(posedge clock) begin
        if (go) begin asked <= 1; asked_a <= generation_a; asked_b <= generation_b; end
        first <= go && !reset;
        since <= go ? 0 : since == 127 ? 127 : since + 1;
        if (reset) asked <= 0;
    end
    wire other = asked_a != asked_b;
    wire other_block = asked_a[23:8] != asked_b[23:8];
    always @(*) if (!reset) begin
        i_kept: assert (\a.kept$q == \b.kept$q );
        i_busy: assert (busy_a == busy_b);
        if (busy_a) i_round: assert (asked && \a.left$q == \b.left$q && \a.right$q == \b.right$q && \a.turns$q == \b.turns$q
            && \a.turns$q < 48 && since == \a.turns$q );
        if (asked && since < 48) i_runs: assert (busy_a);
        // the four keys, the four secrets: in every round, so at the end
        if (asked) a_own: assert (l_a != r_a && l_b != r_b && ls_a != rs_a && ls_b != rs_b);
        if (asked && other) a_keys: assert (l_a != l_b && l_a != r_b && r_a != l_b && r_a != r_b);
        if (asked && other_block) a_secrets: assert (ls_a != ls_b && ls_a != rs_b && rs_a != ls_b && rs_a != rs_b);
        if (asked && !other) a_again: assert (l_a == l_b && r_a == r_b && ls_a == ls_b && rs_a == rs_b);
        // what is asked for is in the lower half of the numbers
        if (first) a_half: assert (!l_a[`DEEP-1] && !r_a[`DEEP-1] && !ls_a[`FLAT-1] && !rs_a[`FLAT-1]);
        if (first) a_numbers: assert (l_a == 2 * asked_a && r_a == 2 * asked_a + 1 && ls_a == 2 * asked_a[23:8] && rs_a == 2 * asked_a[23:8] + 1);
        // it takes 48 rounds, and the results stay
        if (first) a_busy: assert (busy_a);
        if (asked && !first && !was_busy) a_stays: assert (l_a == l_was && r_a == r_was && ls_a == ls_was && rs_a == rs_was);
        if (asked && !busy_a) a_whole: assert (since >= 48);
    end
    logic was_busy = 0;
    logic [`DEEP-1:0] l_was, r_was;
    logic [`FLAT-1:0] ls_was, rs_was;
    always @(posedge clock) begin was_busy <= busy_a; l_was <= l_a; r_was <= r_a; ls_was <= ls_a; rs_was <= rs_a; end
    always @(*) if (!reset) begin
        c_mixed: cover (asked && other && since == 12 && l_a[`DEEP-1] && ls_b[`FLAT-1]);
        c_done: cover (asked && !busy_a && since == 49);
    end
endmodule
