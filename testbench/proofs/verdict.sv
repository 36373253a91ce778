// SPDX-License-Identifier: MIT OR Apache-2.0
// Property A, and the first part of C: stages s5 to s7 (`check` and `decide`, wired as in the core) against the rules of
// `docs/interface.md`, written here once more and in full width. Any request, any line; where a configuration has windows and null
// regions, lines of those too: a window grants by its own range, rights and owner, only remotely, and leads to its region's pages.
`include "env.sv"

module verdict (
    input logic clock,
    input logic reset,
    input logic [2:0] kind,
    input req_t req,
    input hot_t line,
    input logic hit
);
    env_request asks (.req(req));

    wire granted, clear, odp, writes;
    wire [3:0] cause, opcode;
    wire [2:0] klass, page;
    wire [`VAW-1:0] pos;
    wire [`MAW-1:0] mtt_base;
    wire [`EPW-1:0] epoch;
    wire [`CODEW-1:0] code;
    wire [`OWNW-1:0] owner;
    wire [`K-1:0] who;
    wire [`PARE-1:0] via_epoch;
    wire nothing;
    \latchkey_core$check check (
        .clock(clock), .req(req), .line(line), .hit(hit),
        .granted(granted), .clear(clear), .cause(cause), .klass(klass), .pos(pos), .page(page), .mtt_base(mtt_base), .epoch(epoch),
        .odp(odp), .writes(writes), .code(code), .owner(owner), .opcode(opcode), .who(who), .via_epoch(via_epoch), .nothing(nothing)
    );
    wire [`K-1:0] index7;
    wire [`SLOTW-1:0] slot7;
    wire miss7, store, settled, leased, counted, told;
    wire [2:0] kind7;
    wire [1:0] push, lease;
    verdict_t out;
    desc_t desc;
    word_t word;
    lease_t holds;
    \latchkey_core$decide decide (
        .clock(clock), .reset(reset), .kind_s5(kind), .req_s5(req), .hit_s5(hit),
        .granted(granted), .clear(clear), .cause(cause), .klass(klass), .pos(pos), .page(page), .mtt_base(mtt_base), .epoch(epoch),
        .in_page(0), .code(code), .holder(owner), .opcode(opcode), .odp(odp), .writes(writes), .who(who), .via_epoch(via_epoch), .nothing(nothing),
        .kind(kind7), .index(index7), .slot(slot7), .is_miss(miss7), .store(store), .settled(settled), .word(word),
        .\push$0 (push[0]), .\push$1 (push[1]), .verdict(out), .\lease$0 (lease[0]), .\lease$1 (lease[1]),
        .desc(desc), .owner(holds), .leased(leased), .hit(counted), .told(told)
    );

    // what stood at s5 two cycles ago (ones at first, which nothing asks for: so that yosys doesn't make one register of these and the block's)
    req_t r6, r;
    initial begin r6 = ~0; r = ~0; end
    hot_t l6, l;
    logic [2:0] k6, k;
    logic h6, h;
    always @(posedge clock) begin
        r6 <= req; r <= r6;
        l6 <= line; l <= l6;
        h6 <= hit; h <= h6;
        k6 <= kind & {3{!reset}};
        k <= k6 & {3{!reset}};
    end
    logic [1:0] age = 0;
    always @(posedge clock) age <= (age == 3) ? 3 : age + 1;

    // the rules
    wire [`KEYW-1:0] name = {r.key[31:8+`K], r.key[7:0]};
    // what has no remote key, and what has no local one
    wire is_null = `NULL_MR && l.kind == 5;
    wire is_window = `WINDOWS && (l.kind == 2 || l.kind == 3 || l.kind == 4);
    wire mine_remote = name == l.rkey && !is_null;
    wire mine_local = name == l.lkey && !is_window;
    wire mine = r.side ? mine_remote : mine_local;
    wire others = r.side ? mine_local : mine_remote;
    // type 1 asks for the PD, 2A for the QP, 2B for both
    wire type_2a = is_window && l.kind == 3, type_2b = is_window && l.kind == 4;
    wire owns = type_2a ? l.qpn == r.qpn : type_2b ? l.qpn == r.qpn && l.pd == r.pd : l.pd == r.pd;
    wire zero_based = l.rights[5];
    wire [79:0] from = zero_based ? 0 : l.start;
    wire [79:0] first = r.va;
    wire [79:0] bytes = r.len;
    wire [79:0] size = l.length;
    wire inside = is_null || (first >= from && first + bytes <= from + size);
    logic allowed;
    always @(*) case (r.op)
        0: allowed = l.rights[2];
        1: allowed = l.rights[1];
        2: allowed = l.rights[3];
        3: allowed = l.rights[1];
        4: allowed = l.rights[7];
        5: allowed = l.rights[8];
        7: allowed = l.rights[0];
        8: allowed = l.rights[4];
        default: allowed = 1;
    endcase
    wire skewed = (r.op == 2 || r.op == 3) && r.va[2:0] != 0;
    logic [3:0] why;
    always @(*) begin
        why = 0;
        case (r.early)
            1: why = 1;
            3: why = 10;
            4: why = 2;
            5: why = 3;
            6: why = 12;
            0:
                if (l.state == 0) why = 2;
                else if (!mine && others && l.state == 3) why = 4;
                else if (!mine || l.state != 3) why = 3;
                else if (!owns) why = 5;
                else if (!allowed) why = 6;
                else if (!inside) why = 7;
                else if (skewed) why = 8;
                else if (is_null) why = 11;
            default: ;
        endcase
    end
    wire by_table = r.early == 0;
    wire lookup = k == 1;
    wire answered = |push;

    // where the region's pages begin, and where in them the access does
    wire [`VAW-1:0] offsets = l.page == 1 ? 'hffff : l.page == 2 ? 'h1fffff : l.page == 3 ? 'h3fffffff : 'hfff;
    wire [`VAW-1:0] place = is_window ? r.va + l.origin : l.page == 4 ? r.va + l.base
        : zero_based ? r.va + (l.start & offsets)
        : r.va - (l.start & ~offsets);
    // whose pages are meant
    wire [`K-1:0] region = is_window ? l.parent : r.key[8+:`K];
    wire [`EPW-1:0] region_epoch = is_window ? l.parent_epoch : l.epoch;
    wire writing = r.op == 1 || r.op == 2 || r.op == 3 || r.op == 7;

    always @(*) if (age == 3 && !reset) begin
        // C: every lookup is answered once or waits once, and nothing else is
        a_one: assert (lookup == (answered ^ miss7));
        a_port: assert (push == 0 || push == (2'b01 << r.port));
        a_miss: assert (miss7 == (lookup && !h && by_table));
        if (answered) begin
            a_tag: assert (out.tag == r.tag);
            a_needs_line: assert (!by_table || h);
            // A: the verdict is the one of the rules
            a_cause: assert (out.cause == why);
            a_granted: assert (out.granted == (out.cause == 0 || out.cause == 11));
            if (out.granted && by_table) begin
                a_valid: assert (h && l.state == 3);
                a_key: assert (mine);
                a_pd: assert (owns);
                a_rights: assert (allowed);
                a_range: assert (inside);
            end
            a_class: assert (out.klass == (out.granted ? 0
                : out.cause == 1 || out.cause == 8 || out.cause == 10 ? (r.side ? 3 : 5) : (r.side ? 2 : 1)));
            a_free: assert (out.free == (!leased && r.early != 3));
        end
        // a lease is taken for what is granted and to be walked, and for nothing else: a null region has nothing
        a_lease: assert (leased == (answered && out.granted && r.walk && r.len != 0 && !(by_table && is_null)));
        a_leases: assert (lease == (leased ? push : 0));
        if (leased) begin
            a_desc: assert (desc.tag == r.tag && desc.index == region && desc.epoch == region_epoch && desc.page == l.page
                && desc.len == r.len && desc.base == l.base[`MAW-1:0] && desc.write == writing && desc.odp == l.rights[6]);
            if (by_table) a_pos: assert (desc.pos == place);
            a_holds: assert (holds.index == region && holds.epoch == region_epoch);
            // the lease is the window's too
            if (`WINDOWS) a_via: assert (holds.via == r.key[8+:`K] && holds.via_epoch == l.epoch);
            else a_no_via: assert (holds.via == 0 && holds.via_epoch == 0);
            a_word: assert (store && settled && word.addr == desc.pos && word.len == desc.len && word.index == desc.index
                && word.code == desc.base && word.owner == desc.epoch && word.op == desc.page
                && word.side == desc.write && word.walk == desc.odp);
        end
        a_slot: assert (slot7 == {r.port, r.tag});
        a_kind: assert (kind7 == k);
        if (lookup) a_store: assert (store == (r.early != 3));
        // what waits is the whole request
        if (miss7) a_waits: assert (store && !settled && word.addr == r.va && word.len == r.len && word.index == r.key[8+:`K]
            && word.code == name && word.owner == r.pd && word.qpn == r.qpn && word.op == r.op && word.side == r.side
            && word.walk == r.walk && word.iso == r.iso && index7 == r.key[8+:`K]);
    end

    always @(*) if (age == 3 && !reset) begin
        c_granted: cover (answered && out.granted && by_table && bytes != 0);
        c_at_end: cover (answered && out.granted && by_table && first + bytes == from + size && !zero_based && l.start != 0);
        c_bounds: cover (answered && out.cause == 7 && first + bytes == from + size + 1);
        c_wrong_side: cover (answered && out.cause == 4);
        c_pd: cover (answered && out.cause == 5);
        c_rights: cover (answered && out.cause == 6);
        c_skewed: cover (answered && out.cause == 8);
        c_stale: cover (answered && out.cause == 3 && by_table && mine);
        c_reuse: cover (answered && out.cause == 10);
        c_zero: cover (answered && r.early == 2 && out.granted);
        c_lease: cover (leased && l.page == 2 && zero_based);
        c_miss: cover (miss7);
    end
    generate if (`WINDOWS) always @(*) if (age == 3 && !reset) begin
        c_type_1: cover (leased && l.kind == 2 && r.qpn != l.qpn);
        c_type_2a: cover (leased && type_2a && l.pd != r.pd);
        c_type_2b: cover (leased && type_2b);
        c_owner: cover (answered && out.cause == 5 && type_2b && l.pd == r.pd);
        c_pd_1: cover (answered && out.cause == 5 && l.kind == 2 && l.qpn == r.qpn);
        c_local: cover (answered && out.cause == 4 && is_window && !r.side && l.lkey == 0);
        c_window_end: cover (answered && out.granted && is_window && first + bytes == from + size && zero_based && l.origin != 0);
        c_past: cover (answered && out.cause == 7 && is_window && first + bytes == from + size + 1);
        c_wraps: cover (answered && out.cause == 7 && is_window && zero_based && first + bytes > (1 << `VAW));
        c_parent: cover (leased && is_window && desc.index != r.key[8+:`K] && desc.epoch != holds.via_epoch);
    end endgenerate
    generate if (`NULL_MR) always @(*) if (age == 3 && !reset) begin
        c_nothing: cover (answered && out.cause == 11 && r.walk && bytes > size);
        c_null_remote: cover (answered && out.cause == 4 && is_null && r.side);
    end endgenerate
endmodule
