// SPDX-License-Identifier: MIT OR Apache-2.0
// Every assumption of every proof: what the surroundings of a block promise at its pins, and nothing about its inside.
// Behind each one stands who keeps it: another proof of this folder, or the contract of the pins (`docs/interface.md`).
`ifndef LATCHKEY_ENV
`define LATCHKEY_ENV
`include "types.svh"

// Reset is given first, for one cycle at least, and not again.
module env_reset (input logic clock, input logic reset);
    logic begun = 0;
    always @(posedge clock) begun <= 1;
    always @(*) assume (reset == !begun);
endmodule

// A request at s5 (kept by `decode`, and by the cache's barrier and tag check, which write 3 and 5).
module env_request (input req_t req);
    always @(*) begin
        assume (req.early <= 5);
        if (req.early == 2) assume (req.len == 0);
    end
endmodule

// Ops into the key cache (kept by the arbiter, `flush` and `miss`), seen from one set, `any_set`.
// emptied: the set has been emptied since reset; swept: it holds no line of an older epoch.
module env_cache (
    input logic clock, input logic reset, input logic [2:0] kind, input logic [`SETW-1:0] set, input logic [`SETW-1:0] any_set,
    input logic placed, input logic [`MPTW-1:0] fill_write, input logic fill_end, input logic fresh,
    output logic emptied, output logic swept, output logic waiting, output logic writing, output logic [`BEATCW:0] next
);
    logic [3:0] flipped = 0;
    initial begin emptied = 0; swept = 0; end
    wire here = set == any_set;
    always @(posedge clock) begin
        if (kind == 4 && here) emptied <= 1;
        if ((kind == 4 || kind == 5) && here) swept <= 1;
        if (kind == 7) swept <= 0;
        flipped <= kind == 7 ? 8 : flipped == 0 ? 0 : flipped - 1;
        if (reset) begin emptied <= 0; swept <= 0; flipped <= 0; end
    end
    always @(*) begin
        assume (kind != 6);
        if (fresh) assume (kind == 1);
        // nothing enters before the sweep after reset is over
        if (!emptied && here) assume (kind == 0 || kind == 4);
        if (!emptied) assume (kind != 7);
        // no new epoch before the sweep behind the last one is over; it begins when the fills ahead have left the pipe
        if (!swept || flipped != 0) assume (kind != 7);
        if (flipped != 0) assume (kind != 5);
    end

    // one fill at a time: its beats come when it is placed, one a lane, in order, the last with `fill_end`
    initial begin waiting = 0; writing = 0; next = 0; end
    always @(posedge clock) begin
        if (kind == 2) waiting <= 1;
        if (placed) begin waiting <= 0; writing <= 1; next <= 0; end
        if (|fill_write) next <= next + 1;
        if (fill_end) writing <= 0;
        if (reset) begin waiting <= 0; writing <= 0; end
    end
    always @(*) begin
        if (waiting || writing) assume (kind != 2);
        assume (fill_write == 0 || (writing && fill_write == (1 << next)));
        assume (fill_end == (fill_write[`MPTW-1]));
    end
endmodule
`endif
