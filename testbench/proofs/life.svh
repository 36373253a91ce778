// SPDX-License-Identifier: MIT OR Apache-2.0
// The registration port with the later commands under proof (`life_port`): its inputs, itself as `dut`, its steps, and what the proofs about
// it read inside. Of its blocks only `flow` and `entry` are themselves; the others give anything (`free` in proofs.toml). `LIFE_FLOW`: the
// same without the words of the entry, for a proof in which that gives anything. `i_kinds`: which command it is stands in a bit each, decoded as it is taken.
`define LIFE_INPUTS \
    input logic clock, \
    input logic reset, \
    input logic reg_valid, \
    input logic [4:0] reg_op, \
    input logic [7:0] reg_tag, \
    input logic [31:0] reg_key, reg_key2, reg_access, \
    input logic [`PDW-1:0] reg_pd, \
    input logic [`VAW-1:0] reg_iova, \
    input logic [`RLW-1:0] reg_length, \
    input logic [2:0] reg_page, \
    input logic [`PAW-1:0] reg_base, \
    input logic [`PNW-1:0] reg_pages, \
    input logic [1:0] reg_mode, \
    input logic [`INL*`BEAT-1:0] reg_inline, \
    input logic [23:0] reg_qpn, \
    input logic [7:0] reg_extra, \
    input logic page_valid, page_last, \
    input logic [`BEAT-1:0] page_data, \
    input logic rsp_ready, op_ready, op_done, sweep_busy, starved, sweep_done, icm_ready, ricm_valid, ricm_last, event_ready, \
    input logic [`BEAT-1:0] ricm_data, \
    input logic [`K-1:0] scan_index, \
    input logic [`EPW-1:0] scan_epoch, \
    input logic [`PARK-1:0] scan_via, \
    input logic [`PARE-1:0] scan_via_epoch, \
    input logic [`HELDW-1:0] held, \
    input logic scan_held, scan_walking

`define LIFE_FLOW \
    wire reg_ready, page_ready, rsp_valid, op_valid, op_hold, barrier_active, barrier_wait, orphan_valid, sweep_valid, icm_valid, icm_write, \
        icm_last, event_valid, count_register, count_deregister, count_park, count_overdue, count_sweep, count_flush; \
    wire [7:0] rsp_tag; \
    wire [4:0] rsp_code; \
    wire [3:0] icm_len, event_kind; \
    wire [31:0] rsp_lkey, rsp_rkey, event_info; \
    wire [1:0] rsp_state, op_kind, icm_space; \
    wire [`PDW-1:0] rsp_pd; \
    wire [`VAW-1:0] rsp_iova; \
    wire [`RLW-1:0] rsp_length; \
    wire [9:0] rsp_access; \
    wire [`K-1:0] op_index, barrier_index, orphan_index, sweep_index; \
    wire [`SETW-1:0] op_set; \
    wire [`NPARK-1:0] cut_valid; \
    wire [`NPARK_K-1:0] cut_index; \
    wire [`NPARK_EPW-1:0] cut_epoch; \
    wire [`EPW-1:0] orphan_epoch; \
    wire [`SLOTW-1:0] scan_slot; \
    wire [`ADW-1:0] icm_addr; \
    wire [`BEAT-1:0] icm_data; \
    \latchkey_core$regs dut (.*); \
    (* hierconn *) wire [5:0] \dut.flow.step$q ; \
    (* hierconn *) wire [4:0] \dut.flow.code_of$q , \dut.flow.result$q ; \
    (* hierconn *) wire \dut.flow.job$q , \dut.flow.over$q , \dut.flow.region$q , \dut.flow.loser$q , \dut.flow.had$q , \dut.flow.unbind$q ; \
    (* hierconn *) wire [1:0] \dut.flow.ending$q , \dut.flow.kind_of$q ; \
    (* hierconn *) wire [2:0] \dut.flow.named$q ; \
    (* hierconn *) wire [`K-1:0] \dut.flow.idx$q , \dut.flow.old$q ; \
    (* hierconn *) wire [3:0] \dut.flow.beat$q ; \
    (* hierconn *) wire \dut.flow.bar$q , \dut.flow.opv$q ; \
    (* hierconn *) wire \dut.flow$icm_read , \dut.flow$icm_write , \dut.flow$icm_last , \dut.flow$icm_page , \dut.list$icm_mtt , \dut.list$icm_window , \dut.list$op_want ; \
    (* hierconn *) wire \dut.flow$shift , \dut.flow$take , \dut.flow$fields , \dut.flow$based , \dut.flow$pair , \dut.flow$fresh , \dut.flow$save , \
        \dut.flow$morph , \dut.flow$up , \dut.flow$down , \dut.flow$retire , \dut.flow$rest , \dut.flow$freed , \dut.flow$bump , \dut.flow$chain , \
        \dut.flow$put , \dut.flow$put_seen , \dut.flow$arm , \dut.flow$pop , \dut.flow$grab , \dut.flow$give ; \
    (* hierconn *) wire \dut.flow.o_register$q , \dut.flow.o_deregister$q , \dut.flow.o_query$q , \dut.flow.o_flush$q , \dut.flow.o_pd_window$q , \dut.flow.o_allocate$q , \dut.flow.o_fast$q , \dut.flow.o_invalidate$q , \
        \dut.flow.o_reregister$q , \dut.flow.o_window$q , \dut.flow.o_bind$q , \dut.flow.o_unwindow$q , \dut.flow.o_fill$q , \dut.flow.o_evict$q , \dut.flow.o_null$q , \dut.flow.o_secret$q , \
        \dut.flow.makes$q , \dut.flow.maps$q , \dut.flow.parks_q$q , \dut.flow.placed$q , \dut.flow.beyond$q ; \
    (* hierconn *) wire \dut.list$judged ; \
    (* hierconn *) wire [2:0] \dut.list$code ; \
    (* hierconn *) wire [1:0] \dut.flow$put_mode , \dut.flow$put_end ; \
    (* hierconn *) wire \dut.park$room , \dut.park$watching , \dut.park$tied , \dut.park$done_valid , \dut.park$done_over , \dut.alloc$avail ; \
    (* hierconn *) wire [`K-1:0] \dut.park$done_index , \dut.alloc$pick ; \
    (* hierconn *) wire [1:0] \dut.park$done_end ; \
    localparam IDLE = 0, SORT = 1, READ = 2, WORD = 3, JUDGE = 4, MATCH = 5, MATCH_REGION = 6, SUM = 7, FRESH = 8, DRAW = 9, DRAWN = 10, \
        FIELDS = 11, ARGS = 12, LIST = 13, MORPH = 14, TRANSFER = 15, LIST_END = 16, PAGE = 17, PAGE_ACK = 18, PUT = 19, RAISE = 20, \
        KILL = 21, KILLED = 22, FIT = 23, WRITE = 24, ACK = 25, COUNT = 26, DONE = 27, SWEEP = 28, LINK = 29, OVERDUE = 30, ANSWER = 31, \
        LEDGER = 32, ACCOUNT = 33, WEIGH = 34, CHARGE = 35, CHARGED = 36; \
    wire [5:0] step = \dut.flow.step$q ; \
    wire [4:0] code = \dut.flow.code_of$q ; \
    wire job = \dut.flow.job$q , region = \dut.flow.region$q , loser = \dut.flow.loser$q , had = \dut.flow.had$q , unbind = \dut.flow.unbind$q , \
        bar = \dut.flow.bar$q ; \
    wire [1:0] ending = \dut.flow.ending$q , mode = \dut.flow.kind_of$q ; \
    wire [4:0] result = \dut.flow.result$q ; \
    wire [`K-1:0] idx = \dut.flow.idx$q ; \
    wire put = \dut.flow$put , put_seen = \dut.flow$put_seen , arm = \dut.flow$arm , pop = \dut.flow$pop , grab = \dut.flow$grab , give = \dut.flow$give ; \
    wire room = \dut.park$room , watching = \dut.park$watching , tied = \dut.park$tied , avail = \dut.alloc$avail ; \
    wire o_register = !job && code == 0, o_deregister = !job && code == 1, o_query = !job && code == 2, o_flush = !job && code == 3, \
        o_allocate = !job && code == 8, o_fast = !job && code == 9, o_invalidate = !job && code == 10, o_reregister = !job && code == 11, \
        o_window = !job && code == 12, o_bind = !job && code == 13, o_unwindow = !job && code == 14, o_fill = !job && code == 15, \
        o_evict = !job && code == 16, o_null = !job && code == 17, o_quota = !job && code == 19; \
    wire makes = o_register || o_allocate || o_window || o_null; \
    wire ends = o_deregister || o_invalidate || o_unwindow; \
    wire placed = \dut.flow.placed$q ; \
    always @(*) if (!reset && step != IDLE) i_kinds: assert ({\dut.flow.o_register$q , \dut.flow.o_deregister$q , \dut.flow.o_query$q , \dut.flow.o_flush$q , \
        \dut.flow.o_pd_window$q , \dut.flow.o_allocate$q , \dut.flow.o_fast$q , \dut.flow.o_invalidate$q , \dut.flow.o_reregister$q , \
        \dut.flow.o_window$q , \dut.flow.o_bind$q , \dut.flow.o_unwindow$q , \dut.flow.o_fill$q , \dut.flow.o_evict$q , \dut.flow.o_null$q , \
        \dut.flow.o_secret$q , \dut.flow.makes$q , \dut.flow.maps$q , \dut.flow.parks_q$q } \
        == {o_register, o_deregister, o_query, o_flush, !job && code == 4, o_allocate, o_fast, o_invalidate, o_reregister, o_window, o_bind, o_unwindow, \
        o_fill, o_evict, o_null, !job && code == 18, makes, o_register || o_fast || (o_reregister && \dut.flow.named$q [0]), \
        ends || o_reregister || o_evict}); \
    wire scoped = o_flush && mode != 0; \
    wire shift = \dut.flow$shift , take = \dut.flow$take , morph = \dut.flow$morph ; \
    wire read = \dut.flow$icm_read && icm_ready; \
    wire write = \dut.flow$icm_write && icm_ready; \
    wire written = write && \dut.flow$icm_last ; \
    wire takes_op = op_valid && op_ready; \
    wire retires = \dut.flow$retire , rests = \dut.flow$rest , frees = \dut.flow$freed , bumps = \dut.flow$bump ; \
    wire recasts = \dut.flow$fields || \dut.flow$pair || \dut.flow$based || morph || retires || rests || frees || bumps;

`define LIFE_DUT `LIFE_FLOW \
    (* hierconn *) wire [`MPTN*`BEAT-1:0] \dut.entry.all$q ; \
    wire [`MPTN*`BEAT-1:0] all = \dut.entry.all$q ;
