// SPDX-License-Identifier: MIT OR Apache-2.0
// The structs that cross module boundaries, as `hdl/src/rtl/types.rs` and `entry.rs` lay them out (there the first
// field is the lowest, here the last). Widths come from `constants.svh`, which `latchkey prove` writes.
`ifndef LATCHKEY_TYPES
`define LATCHKEY_TYPES
`include "constants.svh"

// widths of those that are read inside a block, where a wire can't have the type
`define REQ_BITS (`PORTW + `TAGW + 3 + `CLW + 1 + 1 + 4 + `QPW + `PDW + 32 + `LENW + `VAW)
`define OP_BITS (`TAGW + `PORTW + `K + `EPW + 3 + `PGW + 30 + 32 + `MAW + 5)
`define DESC_BITS (`TAGW + `K + `EPW + 3 + `VAW + `LENW + `MAW + 2)
`define SEGMENT_BITS (`TAGW + `PAW + `LENW + 3)

typedef struct packed {
    logic [`PORTW-1:0] port;
    logic [`TAGW-1:0] tag;
    logic [2:0] early;
    logic [`CLW-1:0] iso;
    logic walk;
    logic side;
    logic [3:0] op;
    logic [`QPW-1:0] qpn;
    logic [`PDW-1:0] pd;
    logic [31:0] key;
    logic [`LENW-1:0] len;
    logic [`VAW-1:0] va;
} req_t;

typedef struct packed {
    logic [`ORGW-1:0] origin;
    logic [`PARE-1:0] parent_epoch;
    logic [`PARK-1:0] parent;
    logic [`QPW-1:0] qpn;
    logic colour;
    logic [`EPW-1:0] epoch;
    logic [`PAW-1:0] base;
    logic [`RLW-1:0] length;
    logic [`VAW-1:0] start;
    logic [`PDW-1:0] pd;
    logic [2:0] page;
    logic [8:0] rights;
    logic [2:0] kind;
    logic [1:0] state;
    logic [`KEYW-1:0] lkey;
    logic [`KEYW-1:0] rkey;
} hot_t;

// the words only the registration port reads, of a core with the later commands
typedef struct packed {
    logic [`PNW-1:0] budget;
    logic [7:0] bound;
    logic [`K-1:0] next;
    logic [23:0] generation;
} cold_t;

typedef struct packed {
    logic free;
    logic [3:0] cause;
    logic [2:0] klass;
    logic granted;
    logic [`TAGW-1:0] tag;
} verdict_t;

typedef struct packed {
    logic [`CLW-1:0] iso;
    logic walk;
    logic side;
    logic [3:0] op;
    logic [`QPW-1:0] qpn;
    logic [`OWNW-1:0] owner;
    logic [`CODEW-1:0] code;
    logic [`K-1:0] index;
    logic [`LENW-1:0] len;
    logic [`ADRW-1:0] addr;
} word_t;

typedef struct packed {
    logic odp;
    logic write;
    logic [`MAW-1:0] base;
    logic [`LENW-1:0] len;
    logic [`VAW-1:0] pos;
    logic [2:0] page;
    logic [`EPW-1:0] epoch;
    logic [`K-1:0] index;
    logic [`TAGW-1:0] tag;
} desc_t;

typedef struct packed {
    logic valid;
    logic round;
    logic probe;
    logic odp;
    logic write;
    logic [`MAW-1:0] base;
    logic [31:0] last;
    logic [29:0] off;
    logic [`PGW-1:0] pn;
    logic [2:0] page;
    logic [`EPW-1:0] epoch;
    logic [`K-1:0] index;
    logic [`PORTW-1:0] port;
    logic [`TAGW-1:0] tag;
} op_t;

typedef struct packed {
    logic [1:0] status;
    logic last;
    logic [`LENW-1:0] len;
    logic [`PAW-1:0] pa;
    logic [`TAGW-1:0] tag;
} segment_t;

typedef struct packed {
    logic [`PARE-1:0] via_epoch;
    logic [`PARK-1:0] via;
    logic [`EPW-1:0] epoch;
    logic [`K-1:0] index;
} lease_t;
`endif
