// SPDX-License-Identifier: MIT OR Apache-2.0
// The properties of `core` along one path, deep enough for a grant and its segments: one request at port 0, any one, a table entry and
// translations that are anything, a memory that answers each read at once. So the asserts of `core` are met where a grant is reached.
`define ONE_REQUEST
`include "core.sv"

module core_grant (
    input logic clock,
    input logic reset
);
    (* anyconst *) wire [`TAGW-1:0] tag;
    (* anyconst *) wire [31:0] key, len;
    (* anyconst *) wire [`PDW-1:0] pd;
    (* anyconst *) wire [`VAW-1:0] va;
    (* anyconst *) wire [3:0] op;
    (* anyconst *) wire side, walk;
    (* anyconst *) wire [`BEAT-1:0] line;
    logic sent = 0, busy = 0;
    logic [`IDW-1:0] id;
    logic [3:0] beats, beat;
    wire taken, reads, of_line;
    wire [`IDW-1:0] read_id;
    wire [3:0] read_len;
    wire [`MPTW*`BEAT-1:0] entry;
    wire last = beat == beats;
    core whole (
        .clock(clock), .reset(reset), .lookup_valid({1'b0, !reset && !sent}), .lookup_side({1'b0, side}), .lookup_walk({1'b0, walk}),
        .lookup_tag({`TAGW'b0, tag}), .lookup_key({32'b0, key}), .lookup_len({32'b0, len}), .lookup_pd({`PDW'b0, pd}), .lookup_va({`VAW'b0, va}),
        .lookup_op({4'b0, op}), .lookup_class(0), .verdict_ready(2'b11), .segment_ready(2'b11), .dma_done_valid(2'b0), .dma_done_tag(0),
        .icm_req_ready(!busy && !reset), .icm_rsp_valid(busy && !reset), .icm_rsp_last(last), .icm_rsp_id(id),
        .icm_rsp_data(of_line ? line : entry[beat*`BEAT +: `BEAT]), .reg_valid(1'b0), .rsp_ready(1'b1), .page_valid(1'b0), .page_last(1'b0), .reg_op(0), .reg_tag(0),
        .reg_key(0), .reg_access(0), .reg_pd(0), .reg_iova(0), .reg_length(0), .reg_page(0), .reg_base(0), .reg_pages(0), .reg_mode(0), .reg_inline(0), .reg_key2(0), .reg_qpn(0), .reg_extra(0),
        .page_data(0)
    );
    (* hierconn *) wire \whole.asks , \whole.icm_req_valid , \whole.icm_req_write , \whole.icm_rsp_ready ;
    (* hierconn *) wire [`IDW-1:0] \whole.icm_req_id ;
    (* hierconn *) wire [3:0] \whole.icm_req_len ;
    (* hierconn *) wire [`MPTW*`BEAT-1:0] \whole.entry ;
    assign entry = \whole.entry ;
    assign of_line = id >= `NM;
    always @(posedge clock) begin
        if (\whole.asks ) sent <= 1;
        if (!busy && \whole.icm_req_valid && !\whole.icm_req_write ) begin
            busy <= 1; id <= \whole.icm_req_id ; beats <= \whole.icm_req_len ; beat <= 0;
        end
        if (busy && \whole.icm_rsp_ready ) begin
            beat <= beat + 1;
            if (last) busy <= 0;
        end
        if (reset) begin sent <= 0; busy <= 0; end
    end
    logic over = 0;
    always @(posedge clock) over <= !reset && (over || sent);
    always @(*) if (!reset) begin
        a_one: assert (!over || sent);
        c_asked: cover (over);
    end
endmodule
