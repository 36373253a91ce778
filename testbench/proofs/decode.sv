// SPDX-License-Identifier: MIT OR Apache-2.0
// Property A, at the pins: what `req_decode` makes of a request is the request, and what it says early is what
// `docs/interface.md` lets be said without the table. Keeps `env_request` of `verdict`.
`include "env.sv"

module decode (
    input logic clock,
    input logic [`TAGW-1:0] tag,
    input logic [31:0] key, len,
    input logic side, walk,
    input logic [23:0] qpn,
    input logic [`PDW-1:0] pd,
    input logic [`VAW-1:0] va,
    input logic [3:0] op,
    input logic [`CLW-1:0] iso
);
    req_t req;
    \latchkey_core$asked$0 dut (.number(1'b1), .tag(tag), .key(key), .side(side), .qpn(qpn), .pd(pd), .va(va), .len(len),
        .op(op), .walk(walk), .iso(iso), .req(req));

    wire atomic = op == 2 || op == 3;
    wire known = op <= 8 && !(atomic && `ATOMICS == 0) && !((op == 4 || op == 5) && `FLUSH_OPS == 0);
    wire bad = !known || len > `MAXREQ || (atomic && len != 8);
    wire passes = len == 0 && (op == 0 || op == 1 || op == 6 || op == 7);
    wire [`K-1:0] index = key[8+:`K];
    wire nowhere = index == 0 || index >= `MRS;

    always @(*) begin
        a_early: assert (req.early == (bad ? 1 : passes ? 2 : nowhere ? 4 : 0));
        a_zero: assert (req.early != 2 || req.len == 0);
        a_whole: assert (bad || req.len == len);
        a_same: assert (req.va == va && req.key == key && req.pd == pd && req.op == op && req.side == side
            && req.walk == walk && req.iso == iso && req.tag == tag && req.port == 1 && req.qpn == qpn[`QPW-1:0]);
        c_longest: cover (req.early == 0 && len == `MAXREQ);
        c_too_long: cover (req.early == 1 && len == `MAXREQ + 1 && known);
        c_zero: cover (req.early == 2);
        c_nowhere: cover (req.early == 4);
    end
endmodule
