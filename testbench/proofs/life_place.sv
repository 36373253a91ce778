// SPDX-License-Identifier: MIT OR Apache-2.0
// Property A, B: where a window lies (`life_sums`). Of a window that is let bind (`contained`), every byte at any address of its own range is a byte
// of its region's range, and `origin`, added to the address as the check does it, gives that byte's place in the region's pages, as a lookup of
// the region itself would (`verdict`); nothing wraps. Of a page (`there`): it is one of the region's, and its word is the region's first and its number.
`include "env.sv"

module life_place (
    input logic clock,
    input logic reset,
    input logic [`VAW-1:0] start, iova,
    input logic [`RLW-1:0] length, window,
    input logic [2:0] page,
    input logic [`PAW-1:0] base,
    input logic zero,
    input logic [`PNW-1:0] number,
    input logic [`BEAT-1:0] entry,
    // any address of the window
    input logic [`VAW-1:0] any_address
);
    wire contained, there, sound;
    wire [`ORGW-1:0] origin;
    wire [`MAW-1:0] word;
    \latchkey_core$regs$sums dut (.clock(clock), .start(start), .length(length), .page(page), .base(base), .iova(iova), .window(window),
        .zero(zero), .number(number), .entry(entry), .contained(contained), .origin(origin), .there(there), .word(word), .sound(sound));
    env_reset starts (.clock(clock), .reset(reset));
    // what stood at the pins, for as long as it takes
    logic [1:0] age = 0;
    logic [`VAW-1:0] p_start, p_iova, va;
    logic [`RLW-1:0] p_length, p_window;
    logic [2:0] p_page;
    logic [`PAW-1:0] p_base;
    logic [`PNW-1:0] p_number;
    logic [`BEAT-1:0] p_entry;
    logic p_zero;
    wire same = p_start == start && p_iova == iova && p_length == length && p_window == window && p_page == page && p_base == base
        && p_zero == zero && p_number == number && p_entry == entry;
    always @(posedge clock) begin
        p_start <= start; p_iova <= iova; p_length <= length; p_window <= window; p_page <= page; p_base <= base; p_zero <= zero;
        p_number <= number; p_entry <= entry; va <= any_address;
        age <= reset || !same ? 1 : age == 3 ? 3 : age + 1;
    end
    wire good = age == 3;
    wire [`VAW+15:0] address = va, first = p_zero ? 0 : p_iova, asked = p_window, size = p_length, from = p_start;
    wire in_window = address >= first && address < first + asked;
    // the byte's address in the region
    wire [`VAW+15:0] byte_ = p_zero ? p_iova + address : address;
    wire in_region = byte_ >= from && byte_ < from + size;
    wire [`VAW+15:0] offsets = p_page == 1 ? 'hffff : p_page == 2 ? 'h1fffff : p_page == 3 ? 'h3fffffff : 'hfff;
    wire [`VAW+15:0] head = from & offsets;
    wire [`VAW+15:0] place = p_page == 4 ? byte_ + p_base : byte_ - (from - head);
    wire [`VAW-1:0] given = va + origin;
    wire [5:0] shift = p_page == 1 ? 16 : p_page == 2 ? 21 : p_page == 3 ? 30 : 12;
    wire [`VAW+15:0] last_page = (head + size - 1) >> shift;
    always @(*) if (!reset && good) begin
        a_contained: assert (contained == (p_iova >= from && p_window <= p_length && p_iova + asked <= from + size));
        if (contained && in_window) a_inside: assert (in_region);
        if (contained && in_window) a_place: assert (given == place[`VAW-1:0]);
        if (contained && in_window && p_page < 4) a_pages: assert (place >= head && place < head + size);
        if (p_page < 4 && size != 0) a_there: assert (there == (p_number <= last_page));
        a_word: assert (word == p_base[`MAW-1:0] + p_number[`MAW-1:0]);
    end
    always @(*) if (!reset && good) begin
        c_end: cover (contained && in_window && byte_ == from + size - 1 && address == first + asked - 1 && p_zero && p_iova != p_start);
        c_past: cover (!contained && p_window != 0 && p_iova + asked == from + size + 1);
        c_large: cover (contained && in_window && p_page == 2 && given != va && !p_zero);
        c_last: cover (there && p_number == last_page && last_page == 3 && p_page == 1);
    end
endmodule
