// SPDX-License-Identifier: MIT OR Apache-2.0
// The whole core with one lookup: any request, at any time after reset, against any entry and any page, everything ready, nothing
// else going on. The properties are those of `core`; in exchange for the quiet a grant and a segment are reached.
`include "core.sv"

module core_one (
    input logic clock,
    input logic reset,
    input logic valid, side, walk,
    input logic [`TAGW-1:0] tag,
    input logic [31:0] key, len,
    input logic [`PDW-1:0] pd,
    input logic [`VAW-1:0] va,
    input logic [3:0] op,
    input logic [`BEAT-1:0] data
);
    // a memory that answers at once, one read after the other, with anything
    logic busy = 0;
    logic [`IDW-1:0] id;
    logic [3:0] left;
    always @(posedge clock) begin
        if (take) begin busy <= 1; id <= req_id; left <= req_len; end
        if (busy && rsp_ready) begin left <= left - 1; if (left == 0) busy <= 0; end
        if (reset) busy <= 0;
    end
    (* hierconn *) wire \whole.icm_req_valid , \whole.icm_req_write , \whole.icm_rsp_ready ;
    (* hierconn *) wire [`IDW-1:0] \whole.icm_req_id ;
    (* hierconn *) wire [3:0] \whole.icm_req_len ;
    (* hierconn *) wire [1:0] \whole.lookup_ready ;
    wire take = \whole.icm_req_valid && !\whole.icm_req_write && !busy;
    wire [`IDW-1:0] req_id = \whole.icm_req_id ;
    wire [3:0] req_len = \whole.icm_req_len ;
    wire rsp_ready = \whole.icm_rsp_ready ;

    logic asked = 0;
    always @(posedge clock) asked <= !reset && (asked || (valid && \whole.lookup_ready [0]));
    wire now = valid && !asked;
    core whole (
        .clock(clock), .reset(reset), .lookup_valid({1'b0, now}), .lookup_side({1'b0, side}), .lookup_walk({1'b0, walk}),
        .lookup_tag({{`TAGW{1'b0}}, tag}), .lookup_key({32'b0, key}), .lookup_len({32'b0, len}), .lookup_pd({{`PDW{1'b0}}, pd}),
        .lookup_va({{`VAW{1'b0}}, va}), .lookup_op({4'b0, op}), .lookup_class({2*`CLW{1'b0}}), .verdict_ready(2'b11),
        .segment_ready(2'b11), .dma_done_valid(2'b00), .dma_done_tag({2*`TAGW{1'b0}}), .icm_req_ready(!busy),
        .icm_rsp_valid(busy), .icm_rsp_last(left == 0), .icm_rsp_id(id), .icm_rsp_data(data), .reg_valid(1'b0),
        .rsp_ready(1'b1), .page_valid(1'b0), .page_last(1'b0), .reg_op(5'b0), .reg_tag(8'b0), .reg_key(32'b0),
        .reg_access(32'b0), .reg_pd({`PDW{1'b0}}), .reg_iova({`VAW{1'b0}}), .reg_length({`RLW{1'b0}}), .reg_page(3'b0),
        .reg_base({`PAW{1'b0}}), .reg_pages({`PNW{1'b0}}), .reg_mode(2'b0), .reg_inline({`INL*`BEAT{1'b0}}),
        .page_data({`BEAT{1'b0}})
    );
endmodule
