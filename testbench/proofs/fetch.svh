// SPDX-License-Identifier: MIT OR Apache-2.0
// The walker's miss unit under proof: the inputs of a proof about it, and the unit with its outputs as `dut`.
`define FETCH_INPUTS \
    input logic clock, \
    input logic reset, \
    input logic [1:0] missed, \
    input op_t op, \
    input logic fetch_ready, \
    input logic word_valid, word_last, \
    input logic [`PORTW-1:0] word_port, \
    input logic [`BEAT-1:0] word_data, \
    input logic fill_take, fill_done, \
    input logic orphan_valid, \
    input logic [`K-1:0] orphan_index, \
    input logic [`EPW-1:0] orphan_epoch

`define FETCH_DUT \
    wire fetch_valid, word_ready, fill_valid, dropped; \
    wire [1:0] hold; \
    wire [`PORTW-1:0] fetch_port; \
    wire [`MAW-1:0] fetch_addr; \
    wire [`K-1:0] fill_index; \
    wire [`EPW-1:0] fill_epoch; \
    wire [`MLINEW-1:0] fill_line; \
    wire [`MELINE-1:0] fill_data; \
    \latchkey_core$walker$miss dut ( \
        .clock(clock), .reset(reset), .\missed$0 (missed[0]), .\missed$1 (missed[1]), .op(op), .\hold$0 (hold[0]), \
        .\hold$1 (hold[1]), .fetch_valid(fetch_valid), .fetch_ready(fetch_ready), .fetch_port(fetch_port), \
        .fetch_addr(fetch_addr), .word_valid(word_valid), .word_ready(word_ready), .word_port(word_port), \
        .word_data(word_data), .word_last(word_last), .fill_valid(fill_valid), .fill_index(fill_index), \
        .fill_epoch(fill_epoch), .fill_line(fill_line), .fill_data(fill_data), .fill_take(fill_take), .fill_done(fill_done), \
        .orphan_valid(orphan_valid), .orphan_index(orphan_index), .orphan_epoch(orphan_epoch), .dropped(dropped) \
    );
