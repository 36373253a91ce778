// SPDX-License-Identifier: MIT OR Apache-2.0
// The properties at the pins of the whole core, bounded: any requests, any commands, any memory that keeps the contract of the ICM
// pins (`env_icm`), from reset. What the blocks are proved to keep is not used here; the blocks' proofs are not needed for it.
//
// A: a grant has an entry that a fetch brought, whole, with the key, side, PD, rights and range (of an entry that
// no command has written since reset). C: one verdict a request, no other; segments only for what was granted and wanted, one last.
// E: no grant before all words of an entry have come.
`include "env.sv"

module core (
    input logic clock,
    input logic reset,
    input logic [1:0] lookup_valid, lookup_side, lookup_walk,
    input logic [2*`TAGW-1:0] lookup_tag,
    input logic [63:0] lookup_key, lookup_len,
    input logic [2*`PDW-1:0] lookup_pd,
    input logic [2*`VAW-1:0] lookup_va,
    input logic [7:0] lookup_op,
    input logic [2*`CLW-1:0] lookup_class,
    input logic [1:0] verdict_ready, segment_ready, dma_done_valid,
    input logic [2*`TAGW-1:0] dma_done_tag,
    input logic icm_req_ready, icm_rsp_valid, icm_rsp_last,
    input logic [`IDW-1:0] icm_rsp_id,
    input logic [`BEAT-1:0] icm_rsp_data,
    input logic reg_valid, rsp_ready, page_valid, page_last,
    input logic [4:0] reg_op,
    input logic [7:0] reg_tag,
    input logic [31:0] reg_key, reg_access,
    input logic [`PDW-1:0] reg_pd,
    input logic [`VAW-1:0] reg_iova,
    input logic [`RLW-1:0] reg_length,
    input logic [2:0] reg_page,
    input logic [`PAW-1:0] reg_base,
    input logic [`PNW-1:0] reg_pages,
    input logic [1:0] reg_mode,
    input logic [`INL*`BEAT-1:0] reg_inline,
    input logic [`BEAT-1:0] page_data
);
    wire [1:0] lookup_ready, verdict_valid, verdict_granted, segment_valid, segment_last, dma_done_ready;
    wire [2*`TAGW-1:0] verdict_tag, segment_tag;
    wire [5:0] verdict_class;
    wire [7:0] verdict_cause;
    wire [2*`PAW-1:0] segment_pa;
    wire [63:0] segment_len;
    wire [3:0] segment_status;
    wire icm_req_valid, icm_req_write, icm_req_last, icm_rsp_ready;
    wire [`IDW-1:0] icm_req_id;
    wire [1:0] icm_req_space;
    wire [`ADW-1:0] icm_req_addr;
    wire [3:0] icm_req_len;
    wire [`BEAT-1:0] icm_req_data;
    \latchkey_core dut (
        .clock(clock), .reset(reset), .lookup_valid(lookup_valid), .lookup_ready(lookup_ready), .lookup_tag(lookup_tag),
        .lookup_key(lookup_key), .lookup_side(lookup_side), .lookup_qpn(48'b0), .lookup_pd(lookup_pd), .lookup_va(lookup_va),
        .lookup_len(lookup_len), .lookup_op(lookup_op), .lookup_walk(lookup_walk), .lookup_class(lookup_class),
        .verdict_valid(verdict_valid), .verdict_ready(verdict_ready), .verdict_tag(verdict_tag),
        .verdict_granted(verdict_granted), .verdict_class(verdict_class), .verdict_cause(verdict_cause),
        .segment_valid(segment_valid), .segment_ready(segment_ready), .segment_tag(segment_tag), .segment_pa(segment_pa),
        .segment_len(segment_len), .segment_last(segment_last), .segment_status(segment_status),
        .dma_done_valid(dma_done_valid), .dma_done_ready(dma_done_ready), .dma_done_tag(dma_done_tag),
        .reg_valid(reg_valid), .reg_op(reg_op), .reg_tag(reg_tag), .reg_key(reg_key), .reg_pd(reg_pd), .reg_iova(reg_iova),
        .reg_length(reg_length), .reg_access(reg_access), .reg_page(reg_page), .reg_base(reg_base), .reg_pages(reg_pages),
        .reg_mode(reg_mode), .reg_inline(reg_inline), .reg_key2(0), .reg_qpn(0), .reg_extra(0), .page_valid(page_valid), .page_data(page_data), .page_last(page_last),
        .rsp_ready(rsp_ready), .icm_req_valid(icm_req_valid), .icm_req_ready(icm_req_ready), .icm_req_id(icm_req_id),
        .icm_req_write(icm_req_write), .icm_req_space(icm_req_space), .icm_req_addr(icm_req_addr), .icm_req_len(icm_req_len),
        .icm_req_data(icm_req_data), .icm_req_last(icm_req_last), .icm_rsp_valid(icm_rsp_valid),
        .icm_rsp_ready(icm_rsp_ready), .icm_rsp_id(icm_rsp_id), .icm_rsp_data(icm_rsp_data), .icm_rsp_last(icm_rsp_last),
        .event_ready(1'b1), .csr_valid(1'b0), .csr_write(1'b0), .csr_addr(8'b0), .csr_wdata(32'b0)
    );
    env_reset starts (.clock(clock), .reset(reset));
    // any tag of port 0, and any index
    (* anyconst *) wire [`TAGW-1:0] T;
    (* anyconst *) wire [`K-1:0] I;
    env_icm icm (.clock(clock), .reset(reset), .req(icm_req_valid && icm_req_ready), .req_id(icm_req_id), .req_write(icm_req_write),
        .req_last(icm_req_last), .req_len(icm_req_len), .rsp_valid(icm_rsp_valid), .rsp_ready(icm_rsp_ready),
        .rsp_id(icm_rsp_id), .rsp_last(icm_rsp_last), .rsp_data(icm_rsp_data));

    // the entry last brought for I, word by word, by whichever MSHR asked for it
    wire read = icm_req_valid && icm_req_ready && !icm_req_write && icm_req_space == 0 && icm_req_id < `NM;
    logic [`NM-1:0] of_I = 0;
    logic [3:0] word = 0;
    logic entire = 0, written = 0;
    wire beat = icm_rsp_valid && icm_rsp_ready && icm_rsp_id < `NM && of_I[icm_rsp_id];
    always @(posedge clock) begin
        if (read) of_I[icm_req_id] <= icm_req_addr == (I << `MPTA);
        if (icm_req_valid && icm_req_write && icm_req_space == 0 && icm_req_addr == (I << `MPTA)) written <= 1;
        if (beat) begin
            word <= icm_rsp_last ? 0 : word + 1;
            if (icm_rsp_last) entire <= 1;
        end
        if (reset) begin of_I <= 0; word <= 0; entire <= 0; written <= 0; end
    end
    (* anyconst *) wire [`MPTW*`BEAT-1:0] entry;
    env_entry memory (.beat(icm_rsp_valid && icm_rsp_id < `NM && of_I[icm_rsp_id]), .written(written), .word(word), .data(icm_rsp_data), .entry(entry));
    hot_t hot;
    assign hot = entry[`HOTB-1:0];

    // the request of T: from its transfer to its verdict and beyond
    wire asks = lookup_valid[0] && lookup_ready[0] && lookup_tag[`TAGW-1:0] == T;
    wire told = verdict_valid[0] && verdict_ready[0] && verdict_tag[`TAGW-1:0] == T;
    wire segment = segment_valid[0] && segment_ready[0] && segment_tag[`TAGW-1:0] == T;
    wire [3:0] cause = verdict_cause[3:0];
    wire grants = told && verdict_granted[0];
    logic [2:0] life = 0;   // 0 free, 1 asked, 2 granted and to be walked, 3 its last segment came before its verdict, 4 waits for dma_done
    logic [31:0] key, len;
    logic [`VAW-1:0] va;
    logic [`PDW-1:0] pd;
    logic [3:0] op;
    logic side, walk;
    wire done = dma_done_valid[0] && dma_done_ready[0] && dma_done_tag[`TAGW-1:0] == T;
    env_lookup lookups (.asks(asks), .free(life == 0 && !freeing), .valid(lookup_valid[0]), .tag(lookup_tag[`TAGW-1:0]), .any_tag(T));
    logic freeing = 0;
    wire lease = grants && walk && len != 0;
    always @(posedge clock) begin
        if (asks) begin
            life <= 1; key <= lookup_key[31:0]; len <= lookup_len[31:0]; va <= lookup_va[`VAW-1:0]; pd <= lookup_pd[`PDW-1:0];
            op <= lookup_op[3:0]; side <= lookup_side[0]; walk <= lookup_walk[0];
        end
        if (told) life <= !lease ? 0 : life == 3 || (segment && segment_last[0]) ? 4 : 2;
        else if (segment && segment_last[0]) life <= life == 1 ? 3 : 4;
        freeing <= done && life == 4;
        if (done && life == 4) life <= 0;
        if (reset) begin life <= 0; freeing <= 0; end
    end
    wire [`KEYW-1:0] name = {key[31:8+`K], key[7:0]};
    wire zero = len == 0 && (op == 0 || op == 1 || op == 6 || op == 7);
    wire [63:0] first = va, from = hot.rights[5] ? 0 : hot.start, size = hot.length, bytes = len;
    logic need;
    always @(*) case (op)
        0: need = hot.rights[2];
        1: need = hot.rights[1];
        2: need = hot.rights[3];
        3: need = hot.rights[1];
        4: need = hot.rights[7];
        5: need = hot.rights[8];
        7: need = hot.rights[0];
        8: need = hot.rights[4];
        default: need = op == 6;
    endcase
    always @(*) if (!reset) begin
        a_told: assert (!told || life == 1 || life == 3);
        a_segment: assert (!segment || ((life == 1 || life == 2) && walk && len != 0));
        if (grants && !zero && key[8+:`K] == I && !written) begin
            a_entire: assert (entire);
            a_valid: assert (hot.state == 3);
            a_key: assert (name == (side ? hot.rkey : hot.lkey));
            a_pd: assert (hot.pd == pd);
            a_rights: assert (need);
            a_range: assert (first >= from && first + bytes <= from + size);
        end
    end
    always @(*) if (!reset) begin
        c_told: cover (told && cause == 1);
        c_refused: cover (told && cause == 3 && key[8+:`K] == I && entire);
        // too deep for any traffic; `core_grant` reaches them
        `ifdef ONE_REQUEST
        c_granted: cover (grants && !zero && key[8+:`K] == I);
        c_segment: cover (segment && segment_last[0] && segment_status[1:0] == 0);
        `endif
    end
endmodule
