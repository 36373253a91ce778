// SPDX-License-Identifier: MIT OR Apache-2.0
// Property C in the lists of waiting lookups (`miss$lists`): every slot that is put into a list stands there, behind those put before
// it, until it is first and leaves; the list says whether it is empty, and who is first, truly.
//
// The ghost is a queue for every list: `line`, the first lowest, as many as `there` has ones; and the list of every slot (`home`,
// 3: none). Heads, tails and links are held against it.
`include "env.sv"

module lists (
    input logic clock,
    input logic reset,
    input logic [1:0] stage,                  // 0 no list is worked on, 1 it is chosen, 2 its working copy is fetched, 3 it is there
    input logic append,
    input logic [`NM1-1:0] hot,
    input logic mine,
    input logic [`SLOTW-1:0] slot,
    input logic [`NML-1:0] which,
    input logic [`NM1-1:0] list_hot,
    input logic [`SLOTW-1:0] asker,
    input logic pop
);
    localparam N = `SLOTS;
    localparam M = `NM1;
    localparam S = `SLOTW;
    wire popped, has, coming, over;
    wire [S-1:0] head;
    \latchkey_core$miss$lists dut (
        .clock(clock), .reset(reset), .append(append), .hot(hot), .mine(mine), .slot(slot), .which(which), .list_hot(list_hot),
        .load(stage == 2), .asker(asker), .pop(pop), .popped(popped), .has(has), .head(head), .coming(coming), .over(over)
    );
    (* hierconn *) wire \dut.append9$q , \dut.mine9$q ;
    (* hierconn *) wire [M-1:0] \dut.hot9$q , \dut.any$q ;
    (* hierconn *) wire [S-1:0] \dut.slot9$q , \dut.w_tail$q , \dut.after ;
    (* hierconn *) wire [4*S-1:0] \dut.heads.all , \dut.tails.all , \dut.last.all ;
    (* hierconn *) wire [N*S-1:0] \dut.next.all ;
    // what is put into a list now
    wire put = \dut.append9$q ;
    wire [M-1:0] put_hot = \dut.hot9$q ;
    wire [S-1:0] put_slot = \dut.slot9$q ;
    wire [1:0] target = put_hot[1] ? 1 : put_hot[2] ? 2 : 0;
    wire [M-1:0] leaves = popped ? list_hot : 0;

    // the ghost
    logic [M*N-1:0] there = 0;
    logic [M*N*S-1:0] line;
    logic [N*2-1:0] home = {N{2'd3}};
    integer l, i, m;
    logic [N-1:0] left;
    logic [N*S-1:0] rest;
    always @(posedge clock) begin
        for (l = 0; l < M; l = l + 1) begin
            left = there[l*N +: N];
            rest = line[l*N*S +: N*S];
            if (leaves[l]) begin left = left >> 1; rest = rest >> S; end
            for (i = 0; i < N; i = i + 1) if (put && put_hot[l] && !left[i] && (i == 0 || left[i == 0 ? 0 : i-1])) rest[i*S +: S] = put_slot;
            if (put && put_hot[l]) left = (left << 1) | 1;
            there[l*N +: N] <= left;
            line[l*N*S +: N*S] <= rest;
        end
        for (m = 0; m < N; m = m + 1) begin
            if (popped && asker == m) home[m*2 +: 2] <= 3;
            if (put && put_slot == m) home[m*2 +: 2] <= target;
        end
        if (reset) begin there <= 0; home <= {N{2'd3}}; end
    end
    logic gone;                               // the slot that comes is nowhere
    logic full;                               // the list that is appended to holds every slot
    always @(*) begin
        gone = !(put && put_slot == slot);
        for (m = 0; m < N; m = m + 1) if (slot == m && home[m*2 +: 2] != 3) gone = 0;
        full = 0;
        for (l = 0; l < M; l = l + 1) if (put && put_hot[l] && there[l*N + N - 1]) full = 1;
    end
    function [1:0] home_of(input [S-1:0] who);
        home_of = 0;
        for (m = 0; m < N; m = m + 1) if (who == m) home_of = home[m*2 +: 2];
    endfunction
    function [S-1:0] link_of(input [S-1:0] who);
        link_of = 0;
        for (m = 0; m < N; m = m + 1) if (who == m) link_of = \dut.next.all [m*S +: S];
    endfunction
    env_reset starts (.clock(clock), .reset(reset));
    env_lists uses (.clock(clock), .reset(reset), .stage(stage), .append(append), .hot(hot), .mine(mine), .which(which),
        .list_hot(list_hot), .asker(asker), .pop(pop), .has(has), .head(head), .gone(gone), .full(full));
    (* hierconn *) wire [1:0] \uses.stage_was ;
    (* hierconn *) wire [S-1:0] \uses.asker_was ;

    genvar g, h, f;
    generate for (g = 0; g < M; g = g + 1) begin : of
        always @(*) if (!reset) begin
            assert (\dut.any$q [g] == there[g*N]);
            if (there[g*N]) assert (\dut.heads.all [g*S +: S] == line[g*N*S +: S]);
        end
        for (h = 0; h < N; h = h + 1) begin : at
            wire here = there[g*N + h], more = h < N - 1 && there[(g*N + h + 1) % (M*N)];
            wire [S-1:0] one = line[(g*N + h)*S +: S], two = line[((g*N + h + 1) % (M*N))*S +: S];
            wire [N-1:0] twice;
            for (f = 0; f < N; f = f + 1) assign twice[f] = f < h && line[(g*N + f)*S +: S] == one;
            always @(*) if (!reset) begin
                assert (here || !more);
                if (here) assert (home_of(one) == g);
                if (here) assert (twice == 0);
                if (here && !more) assert (\dut.tails.all [g*S +: S] == one && \dut.last.all [g*S +: S] == one);
                if (more) assert (link_of(one) == two);
            end
        end
    end endgenerate
    // the list that is worked on
    wire [N-1:0] ours = which == 0 ? there[0 +: N] : which == 1 ? there[N +: N] : there[2*N +: N];
    wire [2*S-1:0] front = which == 0 ? line[0 +: 2*S] : which == 1 ? line[N*S +: 2*S] : line[2*N*S +: 2*S];
    wire some_one = ours[0], alone = !ours[1];
    wire [S-1:0] final_one = which == 0 ? \dut.tails.all [0 +: S] : which == 1 ? \dut.tails.all [S +: S] : \dut.tails.all [2*S +: S];
    logic had = 0;
    logic [S-1:0] head_was;
    always @(posedge clock) begin
        had <= !reset && has && stage == 3 && !popped;
        head_was <= head;
    end
    always @(*) if (!reset) begin
        if (put) assert ((put_hot == 1 || put_hot == 2 || put_hot == 4) && home_of(put_slot) == 3);
        if (stage >= 2) assert (\dut.mine9$q == (put && target == which));
        if (stage == 3 && has) assert (\dut.w_tail$q == final_one);
        if (stage == 3 && !alone && \uses.stage_was == 3 && asker == front[0 +: S] && asker == \uses.asker_was )
            assert (\dut.after == front[S +: S]);
        // C: it is told truly whether somebody waits and who is first, of whom it stands; who was first leaves, unless another list is written
        if (stage == 3) a_has: assert (has == some_one);
        if (stage == 3 && has) a_head: assert (head == front[0 +: S]);
        if (stage == 3 && had && \uses.stage_was == 3) a_stands: assert (has && head == head_was);
        a_popped: assert (popped == (pop && !(put && target != which)));
        if (stage >= 2) a_coming: assert (coming == (put && target == which));
        a_over: assert (over == (there[2*N] || (put && put_hot[2])));
    end
    always @(*) if (!reset) begin
        c_four: cover (there[3]);
        c_only: cover (popped && put && target == which && alone);
        c_chain: cover (popped && put && target == which && !alone);
        c_held: cover (pop && !popped && !alone);
        c_last: cover (popped && !put && alone);
        c_empty: cover (stage == 3 && !has && \uses.stage_was == 3);
    end
endmodule
