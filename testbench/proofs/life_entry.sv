// SPDX-License-Identifier: MIT OR Apache-2.0
// Property D at the entry a later command works on (`life_entry`), against its steps written here once more, field by field: what ends a
// mapping leaves an entry that is not valid, or one of the next epoch; what makes one takes the command's fields and no others; a
// window is given its region's pages, PD and epoch; and the words go out, and come in, one after the other, unchanged.
`include "env.sv"

module life_entry (
    input logic clock,
    input logic reset,
    input logic shift, take, fields, keep_map, keep_rights, keep_pd, push, based, pair, blocked, again, fresh, save, morph, up, down,
    input logic retire, rest, freed, bump, chain,
    input logic [`BEAT-1:0] word,
    input logic [2:0] kind, page,
    input logic [1:0] state, digit,
    input logic [8:0] rights,
    input logic [`PDW-1:0] pd,
    input logic [`VAW-1:0] start,
    input logic [`RLW-1:0] length,
    input logic [`PNW-1:0] budget,
    input logic [`QPW-1:0] qpn,
    input logic [`K-1:0] parent, head,
    input logic [`ORGW-1:0] origin,
    input logic [7:0] variant,
    input logic [`SECW-1:0] secret,
    input logic [`KEYW-1:0] key,
    input logic [`DEEP-1:0] drawn_l, drawn_r,
    input logic [`FLAT-1:0] drawn_lsec, drawn_rsec
);
    localparam W = `MPTN * `BEAT;
    wire [`BEAT-1:0] low;
    hot_t hot;
    wire [`K-1:0] succ;
    wire [23:0] count_of;
    wire own, kin, tired, bound, full, narrow;
    \latchkey_core$regs$entry dut (
        .clock(clock), .shift(shift), .take(take), .word(word), .fields(fields), .kind(kind), .state(state), .keep_map(keep_map),
        .keep_rights(keep_rights), .keep_pd(keep_pd), .rights(rights), .page(page), .pd(pd), .start(start), .length(length),
        .budget(budget), .qpn(qpn), .parent(parent), .origin(origin), .push(push), .digit(digit), .based(based), .pair(pair),
        .blocked(blocked), .again(again), .variant(variant), .fresh(fresh), .save(save), .morph(morph), .secret(secret), .up(up),
        .down(down), .retire(retire), .rest(rest), .freed(freed), .bump(bump), .chain(chain), .head(head), .key(key),
        .drawn_l(drawn_l), .drawn_r(drawn_r), .drawn_lsec(drawn_lsec), .drawn_rsec(drawn_rsec), .count_of(count_of), .low(low),
        .hot(hot), .succ(succ), .own(own), .kin(kin), .tired(tired), .bound(bound), .full(full), .narrow(narrow)
    );
    env_reset starts (.clock(clock), .reset(reset));
    env_life_steps steps (.shift(shift), .fields(fields), .based(based), .pair(pair), .fresh(fresh), .save(save), .morph(morph), .up(up),
        .down(down), .retire(retire), .rest(rest), .freed(freed), .bump(bump), .chain(chain));
    (* hierconn *) wire [W-1:0] \dut.all$q ;
    wire [W-1:0] all = \dut.all$q ;
    cold_t cold;
    assign cold = all[`MPTLINE +: 24 + `K + 8 + `PNW];

    // what it was a cycle ago, and what was done to it
    logic past = 0;
    logic [W-1:0] was;
    hot_t h;
    cold_t c;
    logic p_shift, p_take, p_fields, p_keep_map, p_keep_rights, p_keep_pd, p_based, p_pair, p_blocked, p_again, p_fresh, p_morph, p_up,
        p_down, p_retire, p_rest, p_freed, p_bump, p_chain;
    logic [`BEAT-1:0] p_word;
    logic [2:0] p_kind, p_page;
    logic [1:0] p_state;
    logic [8:0] p_rights;
    logic [`PDW-1:0] p_pd;
    logic [`VAW-1:0] p_start;
    logic [`RLW-1:0] p_length;
    logic [`PNW-1:0] p_budget;
    logic [`QPW-1:0] p_qpn;
    logic [`K-1:0] p_parent, p_head;
    logic [`ORGW-1:0] p_origin;
    logic [7:0] p_variant;
    logic [`SECW-1:0] p_secret;
    logic [`KEYW-1:0] p_key;
    logic [`DEEP-1:0] p_l, p_r;
    logic [`FLAT-1:0] p_lsec, p_rsec;
    logic [`PAW-1:0] digits, p_digits;
    logic [2:0] saved_kind, p_saved_kind;
    logic [`EPW-1:0] saved_epoch, p_saved_epoch;
    logic [23:0] saved_generation, p_saved_generation;
    always @(posedge clock) begin
        past <= !reset; was <= all; h <= hot; c <= cold;
        p_shift <= shift; p_take <= take; p_fields <= fields; p_keep_map <= keep_map; p_keep_rights <= keep_rights;
        p_keep_pd <= keep_pd; p_based <= based; p_pair <= pair; p_blocked <= blocked; p_again <= again; p_fresh <= fresh;
        p_morph <= morph; p_up <= up; p_down <= down; p_retire <= retire; p_rest <= rest; p_freed <= freed; p_bump <= bump;
        p_chain <= chain; p_word <= word; p_kind <= kind; p_page <= page; p_state <= state; p_rights <= rights; p_pd <= pd;
        p_start <= start; p_length <= length; p_budget <= budget; p_qpn <= qpn; p_parent <= parent; p_head <= head;
        p_origin <= origin; p_variant <= variant; p_secret <= secret; p_key <= key; p_l <= drawn_l; p_r <= drawn_r;
        p_lsec <= drawn_lsec; p_rsec <= drawn_rsec; p_digits <= digits; p_saved_kind <= saved_kind; p_saved_epoch <= saved_epoch;
        p_saved_generation <= saved_generation;
        if (push) digits <= {digit, digits[`PAW-1:2]};
        if (save) begin saved_kind <= hot.kind; saved_epoch <= hot.epoch; saved_generation <= cold.generation; end
    end
    wire [`SECW-1:0] secret_l = h.lkey[`KEYW-1:8], secret_r = h.rkey[`KEYW-1:8];
    wire is_window = h.kind == 2 || h.kind == 3 || h.kind == 4;
    // keys: of an ordinary region one number each, else a secret and the consumer's byte
    wire [`KEYW-1:0] new_l = !p_blocked ? {1'b0, p_l} : {p_again ? secret_l : {1'b1, p_lsec}, p_variant};
    wire [`KEYW-1:0] new_r = !p_blocked ? {1'b0, p_r} : {p_again ? secret_r : {1'b1, p_rsec}, p_variant};
    wire [15:0] block = c.generation[23:8] + 16'd1;
    // what it is to be
    hot_t next;
    cold_t next_cold;
    always @(*) begin
        next = h;
        next_cold = c;
        if (p_fields) begin
            next.kind = p_kind;
            next.state = p_state;
            if (!p_keep_rights) next.rights = p_rights;
            if (!p_keep_pd) next.pd = p_pd;
            if (!p_keep_map) begin next.page = p_page; next.start = p_start; next.length = p_length; end
        end
        if (p_pair) begin next.lkey = new_l; next.rkey = new_r; end
        if (p_based) next.base = p_digits;
        if (p_fresh) begin next_cold.generation = {block, 8'd0}; next_cold.budget = p_budget; next_cold.bound = 0; end
        if (p_morph) begin
            // page size, base and PD of the region stay; its keys do not
            next.kind = p_saved_kind; next.state = p_state; next.lkey = 0; next.rkey = {p_secret, p_variant};
            next.rights = {p_rights[8:7], p_rights[6] | h.rights[6], p_rights[5:0]};
            next.start = p_start; next.length = p_length; next.epoch = p_saved_epoch; next.qpn = p_qpn; next.parent = p_parent;
            next.parent_epoch = h.epoch; next.origin = p_origin;
            next_cold.generation = p_saved_generation; next_cold.bound = 0; next_cold.budget = 0;
        end
        if (p_up) next_cold.bound = c.bound + 8'd1;
        if (p_down) next_cold.bound = c.bound - 8'd1;
        if (p_retire || p_rest) next.state = 1;
        if (p_freed) next.state = 2;
        if (p_retire || p_rest || p_bump) next.epoch = h.epoch + 1;
        if (p_retire) begin
            next.lkey = 0; next.rkey = 0;
            next_cold.generation = is_window || h.kind == 1 ? {block, 8'd0} : c.generation + 24'd1;
        end
        if (p_chain) next_cold.next = p_head;
    end
    wire alters = p_fields || p_based || p_fresh || p_morph || p_up || p_down || p_retire || p_rest || p_freed || p_bump || p_chain;
    wire ends = p_retire || p_rest;
    (* hierconn *) wire [`PAW-1:0] \dut.digits$q ;
    (* hierconn *) wire [2:0] \dut.kind_q$q ;
    (* hierconn *) wire [`EPW-1:0] \dut.epoch_q$q ;
    (* hierconn *) wire [23:0] \dut.generation_q$q ;
    // from the first push and the first save on
    logic [4:0] pushed = 0;
    logic saved = 0;
    always @(posedge clock) begin
        if (push && pushed != `PAW / 2) pushed <= pushed + 1;
        if (save) saved <= 1;
    end
    wire [`PAW-1:0] known = ~(~(`PAW'd0) >> (2 * pushed));
    always @(*) begin
        i_digits: assert (pushed <= `PAW / 2 && ((\dut.digits$q ^ digits) & known) == 0);
        if (saved) i_saved: assert (\dut.kind_q$q == saved_kind && \dut.epoch_q$q == saved_epoch && \dut.generation_q$q == saved_generation);
    end
    always @(*) if (!reset && past) begin
        a_low: assert (low == all[`BEAT-1:0]);
        a_hot: assert (hot == all[`HOTB-1:0] && succ == cold.next && count_of == cold.generation && bound == (cold.bound != 0) && full == (&cold.bound));
        if (!p_shift && !alters) a_stands: assert (all == was);
        if (p_shift) a_shift: assert (all == {p_take ? p_word : was[`BEAT-1:0], was[W-1:`BEAT]});
        if (ends) a_ends: assert (hot.state == 1);
        a_own: assert (own == (p_key == h.rkey || (p_key == h.lkey && !is_window)));
        a_kin: assert (kin == (p_key[`KEYW-1:8] == secret_l || p_key[`KEYW-1:8] == secret_r));
        a_tired: assert (tired == (c.generation[23:9] == 15'h7fff));
        a_narrow: assert (narrow == (p_budget > c.budget));
    end
    // with what was pushed and saved in full
    logic sure = 0;
    always @(posedge clock) sure <= (!based || pushed == `PAW / 2) && (!morph || saved);
    always @(*) if (!reset && past && alters && sure) begin
        a_hot_next: assert (hot == next);
        a_cold_next: assert (cold == next_cold);
    end
    always @(*) if (!reset && past) begin
        c_retired: cover (p_retire && hot.epoch == 0 && hot.kind == 1);
        c_rested: cover (p_rest && hot.lkey != 0);
        c_morph: cover (p_morph && sure && hot.rights[6] && hot.kind == 4 && hot.state == 3);
        c_fast: cover (p_pair && p_again && p_blocked && hot.state == 3 && hot.lkey != hot.rkey);
        c_based: cover (p_based && sure && hot.base != 0);
        c_full: cover (full && p_up);
    end
endmodule
