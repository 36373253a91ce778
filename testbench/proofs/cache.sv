// SPDX-License-Identifier: MIT OR Apache-2.0
// Property E at the key cache, with the part of D that is the barrier: `mpt_cache` with its tag pipeline.
//
// For any index `I`, by the order of the slots at s3: a lookup that finds a line of `I` finds the words of the last fill
// of `I`, all of them, and no kill of `I`, of its set or of everything lies between. The two RAMs remember one set and one
// line of it (any); what else they give, and what a read gives of lanes written at the same edge, is anything.
`include "env.sv"

module cache (
    input logic clock,
    input logic reset,
    input logic [2:0] kind,
    input req_t req,
    input logic fresh,
    input logic reuse,
    input logic barrier_active,
    input logic [`K-1:0] barrier_index,
    input logic barrier_wait,
    input logic limited,
    input logic [`MPTW-1:0] fill_write,
    input logic [`BEAT-1:0] fill_data,
    input logic fill_end
);
    localparam L = `HOTB;
    wire enter, reused, placed, hit_s5, evict;
    req_t enter_req, reused_req, req_s5;
    wire [2:0] kind_s5;
    wire [L-1:0] line_s5;
    \latchkey_core$cache dut (
        .clock(clock), .reset(reset), .kind(kind), .req(req), .fresh(fresh), .enter(enter), .enter_req(enter_req),
        .reused(reused), .reused_req(reused_req), .reuse(reuse), .barrier_active(barrier_active),
        .barrier_index(barrier_index), .barrier_wait(barrier_wait), .limited(limited), .placed(placed), .fill_write(fill_write),
        .fill_data(fill_data), .fill_end(fill_end), .kind_s5(kind_s5), .req_s5(req_s5), .hit_s5(hit_s5),
        .line_s5(line_s5), .evict(evict)
    );

    // any index, any way
    (* anyconst *) wire [`K-1:0] I;
    (* anyconst *) wire [`WAYW-1:0] W;
    wire [`SETW-1:0] S = I[`SETW-1:0];
    (* hierconn *) wire [`SETW-1:0] \dut.tags.ram.kept_address ;
    (* hierconn *) wire [`WAYS*`TAGR+6:0] \dut.tags.ram.kept ;
    (* hierconn *) wire [`LINEA-1:0] \dut.data.kept_address ;
    (* hierconn *) wire [L-1:0] \dut.data.kept ;
    (* hierconn *) wire [2:0] \dut.tags.found ;
    (* hierconn *) wire [2:0] \dut.tags.way ;
    (* hierconn *) wire [`WAYS-1:0] \dut.tags.hits ;
    (* hierconn *) wire \dut.tags.epoch$q ;
    (* hierconn *) wire \dut.filling$q ;
    (* hierconn *) wire [`LINEA-1:0] \dut.fill_at$q ;
    always @(*) begin
        assume (\dut.tags.ram.kept_address == S);
        assume (\dut.data.kept_address == {W, S});
    end

    // ops, as they travel
    logic [2:0] k1, k2, k3, k4, k5;
    req_t r1, r2, r3, r4, r5;
    logic lim3, lim4, lim5, bar3, wait3, bar4, wait4, bar5, wait5, reuse2, reuse3, reuse4, reuse5;
    always @(posedge clock) begin
        k1 <= reset ? 0 : kind; k2 <= reset ? 0 : k1; k3 <= reset ? 0 : k2; k4 <= reset ? 0 : k3; k5 <= reset ? 0 : k4;
        r1 <= req; r2 <= r1; r3 <= r2; r4 <= r3; r5 <= r4;
        reuse2 <= reuse && fresh1; reuse3 <= reuse2; reuse4 <= reuse3; reuse5 <= reuse4;
        bar3 <= barrier_active && barrier_index == i2; bar4 <= bar3; bar5 <= bar4;
        lim3 <= limited; lim4 <= lim3; lim5 <= lim4;
        wait3 <= barrier_wait; wait4 <= wait3; wait5 <= wait4;
    end
    logic fresh1;
    always @(posedge clock) fresh1 <= reset ? 0 : fresh;
    wire [`K-1:0] i0 = req.key[8+:`K], i2 = r2.key[8+:`K], i3 = r3.key[8+:`K], i5 = r5.key[8+:`K];
    wire here3 = i3[`SETW-1:0] == S;

    // what the surroundings keep
    wire swept, emptied, waiting, writing;
    wire [`BEATCW:0] next;
    env_ops ops (.clock(clock), .reset(reset), .kind(kind), .set(i0[`SETW-1:0]), .any_set(S), .fresh(fresh), .emptied(emptied),
        .swept(swept), .flipped());
    env_fill fills (.clock(clock), .reset(reset), .kind(kind), .placed(placed), .fill_write(fill_write), .fill_end(fill_end),
        .waiting(waiting), .writing(writing), .next(next));
    env_request asks (.req(req));
    env_reset starts (.clock(clock), .reset(reset));

    // the ghost, at s3: is I alive in way W, and what was written for it
    logic live = 0, empty = 0;
    logic fill_I = 0, whole = 0;
    logic [L-1:0] words;
    integer n;
    wire filled = k3 == 2;
    wire [`WAYW-1:0] way3 = \dut.tags.way [`WAYW-1:0];
    always @(posedge clock) begin
        if (filled && here3 && way3 == W) live <= i3 == I;
        if (k3 == 3 && i3 == I) live <= 0;
        if (k3 == 4 && here3) live <= 0;
        if (k3 == 7) live <= 0;
        if (k3 == 4 && here3) empty <= 1;
        for (n = 0; n < L; n = n + 1) if (fill_I && fill_write[n / `BEAT]) words[n] <= fill_data[n % `BEAT];
        if (fill_I && fill_end) begin fill_I <= 0; whole <= 1; end
        if (filled) fill_I <= i3 == I;
        if (filled && i3 == I) whole <= 0;
        if (reset) begin live <= 0; empty <= 0; fill_I <= 0; whole <= 0; end
    end

    // what it comes to two cycles later
    logic live4, live5, whole4, whole5, here4, here5;
    logic [L-1:0] words4, words5;
    always @(posedge clock) begin
        live4 <= live; live5 <= live4;
        whole4 <= whole; whole5 <= whole4;
        words4 <= words; words5 <= words4;
        here4 <= \dut.tags.found [`WAYW-1:0] == W; here5 <= here4;
    end

    // the set as the RAM has it
    function [`TAGR-1:0] lane(input [`WAYW-1:0] w);
        lane = \dut.tags.ram.kept >> (w * `TAGR);
    endfunction
    wire [`TAGR-1:0] mine = lane(W);
    wire [`TAGB-1:0] tag = I[`K-1:`SETW];
    wire epoch = \dut.tags.epoch$q ;
    wire alive = mine == {tag, epoch, 1'b1};
    // lanes of the set that hold I alive; lanes of the other epoch
    wire [`WAYS-1:0] alive_in, old_in;
    genvar g;
    generate for (g = 0; g < `WAYS; g = g + 1) begin
        wire [`TAGR-1:0] it = \dut.tags.ram.kept [g*`TAGR +: `TAGR];
        assign alive_in[g] = it == {tag, epoch, 1'b1};
        assign old_in[g] = it[0] && it[1] != epoch;
    end endgenerate
    // the set has no line of the other epoch (it was emptied or swept since the last new epoch)
    logic clean = 0;
    always @(posedge clock) begin
        if (k3 == 7) clean <= 0;
        if ((k3 == 4 || k3 == 5) && here3) clean <= 1;
        if (reset) clean <= 0;
    end

    logic emptied1, emptied2, emptied3, swept1, swept2, swept3;
    always @(posedge clock) begin
        emptied1 <= emptied && !reset; emptied2 <= emptied1 && !reset; emptied3 <= emptied2 && !reset;
        swept1 <= swept && !reset; swept2 <= swept1 && !reset; swept3 <= swept2 && !reset;
    end
    // bits of the line that have been written
    wire [`MPTW-1:0] known_lanes = whole ? ~0 : (1 << next) - 1;
    wire [`MPTW*`BEAT-1:0] known;
    generate for (g = 0; g < `MPTW; g = g + 1) assign known[g*`BEAT +: `BEAT] = {`BEAT{known_lanes[g]}}; endgenerate

    always @(*) if (!reset) begin
        // invariants
        if (empty && k3 != 7) i_alive: assert (alive == live);
        if (empty) i_once: assert ((alive_in & (alive_in - 1)) == 0);
        if (clean && k3 != 7) i_clean: assert (old_in == 0);
        if (clean && k3 == 7) i_flip: assert (alive_in == 0);
        i_empty: assert (empty == emptied3);
        i_swept: assert (clean == swept3);
        i_waiting: assert (waiting == (k1 == 2 || k2 == 2 || k3 == 2));
        i_single: assert (!(k1 == 2 && k2 == 2) && !(k1 == 2 && k3 == 2) && !(k2 == 2 && k3 == 2));
        i_writing: assert (writing == \dut.filling$q && !(writing && waiting));
        if (fill_I) i_fill: assert (writing && !whole);
        if (fill_I && live) i_fill_at: assert (\dut.fill_at$q == {W, S});
        if (writing && \dut.fill_at$q == {W, S}) i_other: assert (!live || fill_I);
        if (live && !fill_I) i_whole: assert (whole);
        if (writing) i_next: assert (next < `MPTW);
        if (live) i_data: assert (((\dut.data.kept ^ words) & known) == 0);
        // E: by the order of slots, a line found was filled since the last kill
        if (k3 == 1 && i3 == I && empty && \dut.tags.hits [W]) a_killed: assert (live);
        // F: and the other way round: it is found, until it is killed or another takes its place
        if (k3 == 1 && i3 == I && empty && live) a_found: assert (\dut.tags.hits [W]);
        if (k5 == 1 && i5 == I && empty && live5 && whole5 && !wait5) a_hit: assert (hit_s5);
        // ... and what the lookup gets is all of the last fill's words
        if (k5 == 1 && i5 == I && hit_s5 && here5 && empty) begin
            a_live: assert (live5);
            a_whole: assert (whole5);
            a_words: assert (line_s5 == words5);
        end
        // D: a lookup of the barrier's index behind the barrier is refused, or waits
        if (k5 == 1 && bar5) a_barrier: assert (wait5 ? !hit_s5 : req_s5.early != 0);
        // nothing else happens to a request on its way
        a_kind: assert (kind_s5 == k5);
        if (k5 == 1) a_early: assert (req_s5.early == (reuse5 ? 3 : r5.early != 0 ? r5.early : lim5 ? 6 : bar5 && !wait5 ? 5 : 0));
        if (k5 == 1) a_request: assert ({req_s5.port, req_s5.tag, req_s5.iso, req_s5.walk, req_s5.side, req_s5.op, req_s5.qpn, req_s5.pd,
            req_s5.key, req_s5.len, req_s5.va} == {r5.port, r5.tag, r5.iso, r5.walk, r5.side, r5.op, r5.qpn, r5.pd, r5.key, r5.len, r5.va});
    end

    logic was_live = 0;
    always @(posedge clock) was_live <= was_live || (k3 == 1 && i3 == I && live);
    always @(*) if (!reset) begin
        c_hit: cover (k5 == 1 && i5 == I && hit_s5 && here5 && line_s5 != 0);
        c_killed: cover (k3 == 1 && i3 == I && was_live && !live && empty);
        c_half: cover (k3 == 1 && i3 == I && live && !whole && \dut.tags.hits [W]);
        c_barrier: cover (k5 == 1 && i5 == I && bar5 && !wait5 && hit_s5);
        c_flip: cover (k3 == 7 && live);
        c_evicted: cover (was_live && evict && !live);
    end
endmodule
