// SPDX-License-Identifier: MIT OR Apache-2.0
// The miss unit under proof: the inputs of a proof about it, and the unit with its outputs as `dut`.
`define MISS_INPUTS \
    input logic clock, \
    input logic reset, \
    input logic [2:0] kind, \
    input logic [`K-1:0] index, \
    input logic is_miss, \
    input logic [`SLOTW-1:0] slot, \
    input logic kill_take, \
    input logic [1:0] kill_kind, \
    input logic [`K-1:0] kill_index, \
    input logic [`SETW-1:0] kill_set, \
    input logic barrier_active, \
    input logic [`K-1:0] barrier_index, \
    input logic fetch_ready, \
    input logic line_valid, \
    input logic [`NMW-1:0] line_id, \
    input logic [`BEAT-1:0] line_data, \
    input logic line_last, \
    input logic fill_take, \
    input logic placed, \
    input logic read_take, \
    input word_t read_word, \
    input logic replay_take

`define MISS_DUT \
    wire starved, fetch_valid, line_ready, fill_valid, fill_end, read_valid, replay_valid, missed, merged, dropped; \
    wire [`NMW-1:0] fetch_id; \
    wire [`K-1:0] fetch_index, fill_index; \
    wire [`MPTW-1:0] fill_write; \
    wire [`BEAT-1:0] fill_data; \
    wire [`SLOTW-1:0] read_slot; \
    req_t replay; \
    \latchkey_core$miss dut ( \
        .clock(clock), .reset(reset), .kind(kind), .index(index), .is_miss(is_miss), .slot(slot), .iso(1'b0), .quotas(32'b0), .kill_take(kill_take), \
        .kill_kind(kill_kind), .kill_index(kill_index), .kill_set(kill_set), .barrier_active(barrier_active), \
        .barrier_index(barrier_index), .starved(starved), .fetch_valid(fetch_valid), .fetch_ready(fetch_ready), \
        .fetch_id(fetch_id), .fetch_index(fetch_index), .line_valid(line_valid), .line_ready(line_ready), .line_id(line_id), \
        .line_data(line_data), .line_last(line_last), .fill_valid(fill_valid), .fill_index(fill_index), .fill_take(fill_take), \
        .placed(placed), .fill_write(fill_write), .fill_data(fill_data), .fill_end(fill_end), .read_valid(read_valid), \
        .read_slot(read_slot), .read_take(read_take), .read_word(read_word), .replay_valid(replay_valid), .replay(replay), \
        .replay_take(replay_take), .missed(missed), .merged(merged), .dropped(dropped) \
    );
