// SPDX-License-Identifier: MIT OR Apache-2.0
// Properties B and C at the walker (`walker_many` with its contexts, pipeline and miss unit), port 0, for any tag `T` of it.
//
// B: every segment of T lies in a page of the region that T's request touches, and there inside the request: the page's number
// times its size and the offset are in the range that was granted, and the bytes do not leave the page. Of a contiguous
// region the address itself is in the range. C: requests are answered in the order of their grants, one `last` segment each.
// D: what stands in the cut table a cycle before its decision gives no address.
//
// The context's queue of granted tags is the frame of the proof: `place` of an op is how many requests before it are not over.
`include "env.sv"
// a position is a page's number times its size, and an offset
`define W (30 + `PGW)
`define UP(number, page) ((page) == 1 ? {(number), 16'b0} : (page) == 2 ? {(number), 21'b0} : (page) == 3 || (page) == 4 ? {(number), 30'b0} : {(number), 12'b0})
`define ABOVE(x, page) ((page) == 1 ? (x) >> 16 : (page) == 2 ? (x) >> 21 : (page) == 3 || (page) == 4 ? (x) >> 30 : (x) >> 12)

module walk (
    input logic clock,
    input logic reset,
    input logic [1:0] grant,
    input desc_t desc,
    input logic read_take,
    input word_t read_word,
    input logic [`NPARK-1:0] cut_valid,
    input logic [`NPARK*`K-1:0] cut_index,
    input logic [`NPARK*`EPW-1:0] cut_epoch,
    input logic orphan_valid,
    input logic [`K-1:0] orphan_index,
    input logic [`EPW-1:0] orphan_epoch,
    input logic sweep_valid,
    input logic [`K-1:0] sweep_index,
    input logic fetch_ready,
    input logic word_valid,
    input logic [`PORTW-1:0] word_port,
    input logic [`BEAT-1:0] word_data,
    input logic word_last,
    input logic [1:0] segment_ready
);
    wire ready, read_valid, sweep_done, fetch_valid, word_ready, dropped, fault_valid;
    wire [`SLOTRW-1:0] put_slot, read_slot;
    wire [`PORTW-1:0] fetch_port;
    wire [`MAW-1:0] fetch_addr;
    wire [`K-1:0] fault_index;
    wire [`PNW-1:0] fault_page;
    wire [4:0] counts;
    wire [1:0] segment_valid;
    segment_t segment0, segment1;
    \latchkey_core$walker dut (
        .clock(clock), .reset(reset), .ready(ready), .\grant$0 (grant[0]), .\grant$1 (grant[1]), .desc(desc), .grant_slot(0),
        .other_valid(1'b0), .other_slot(0), .put_slot(put_slot), .read_valid(read_valid), .read_slot(read_slot), .read_take(read_take), .read_word(read_word),
        .cut_valid(cut_valid), .cut_index(cut_index), .cut_epoch(cut_epoch), .orphan_valid(orphan_valid),
        .orphan_index(orphan_index), .orphan_epoch(orphan_epoch), .sweep_valid(sweep_valid), .sweep_index(sweep_index),
        .sweep_done(sweep_done), .fetch_valid(fetch_valid), .fetch_ready(fetch_ready), .fetch_port(fetch_port),
        .fetch_addr(fetch_addr), .word_valid(word_valid), .word_ready(word_ready), .word_port(word_port),
        .word_data(word_data), .word_last(word_last), .dropped(dropped), .fault_valid(fault_valid),
        .fault_index(fault_index), .fault_page(fault_page), .counts(counts), .\segment_valid$0 (segment_valid[0]),
        .\segment_valid$1 (segment_valid[1]), .\segment$0 (segment0), .\segment$1 (segment1),
        .\segment_ready$0 (segment_ready[0]), .\segment_ready$1 (segment_ready[1])
    );
    (* anyconst *) wire [`TAGW-1:0] T;
    env_reset starts (.clock(clock), .reset(reset));

    // inside: the context of port 0 and the pipeline's ops
    (* hierconn *) wire [`OP_BITS-1:0] \dut.walk$0.cur$q , \dut.walk$1.cur$q , \dut.mtt.op1$q , \dut.mtt.op2$q , \dut.mtt.op3$q , \dut.mtt.op4$q , \dut.mtt.op5$q ;
    (* hierconn *) wire [2:0] \dut.mtt.kind1$q , \dut.mtt.kind2$q , \dut.mtt.kind3$q , \dut.mtt.kind4$q , \dut.mtt.kind5$q ;
    (* hierconn *) wire [`DESC_BITS-1:0] \dut.walk$0.nxt$q ;
    (* hierconn *) wire \dut.walk$0.nxt_v$q , \dut.walk$0.pending$q , \dut.walk$0.round$q , \dut.walk$0.round_q$q , \dut.walk$0.emit$q ;
    (* hierconn *) wire [`TAGW-1:0] \dut.walk$0.pending_tag$q , \dut.walk$0.head$q ;
    (* hierconn *) wire \dut.walk$0.head_v$q ;
    (* hierconn *) wire [`TAGCW-1:0] \dut.walk$0.wr$q , \dut.walk$0.rd$q , \dut.walk$0.cp$q ;
    (* hierconn *) wire [`TAGS*`TAGW-1:0] \dut.walk$0.queue.all ;
    (* hierconn *) wire \dut.mtt.push$0 , \dut.mtt.last$0 , \dut.mtt.over$0 , \dut.mtt.again$0 , \dut.mtt.probed$0 ;
    (* hierconn *) wire [`SEGMENT_BITS-1:0] \dut.mtt.segment ;
    (* hierconn *) wire [31:0] \dut.mtt.len2$q , \dut.mtt.len3$q , \dut.mtt.len4$q , \dut.mtt.len5$q ;
    (* hierconn *) wire \dut.mtt.last2$q , \dut.mtt.last3$q , \dut.mtt.last4$q , \dut.mtt.last5$q ;
    (* hierconn *) wire [`MELINE-1:0] \dut.mtt.line5$q ;
    (* hierconn *) wire \dut.mtt.cut5$q , \dut.mtt.lookup5$q , \dut.mtt.missed$0 ;
    (* hierconn *) wire [1:0] \dut.mtt.port5$q , \dut.miss.state$0$q ;
    (* hierconn *) wire [1:0] \dut.mtt.fair.ahead$0$q , \dut.mtt.fair.ahead$1$q , \dut.readers.ahead$0$q , \dut.readers.ahead$1$q ;
    op_t cur, others, o1, o2, o3, o4, o5;
    assign cur = \dut.walk$0.cur$q , others = \dut.walk$1.cur$q , o1 = \dut.mtt.op1$q , o2 = \dut.mtt.op2$q , o3 = \dut.mtt.op3$q , o4 = \dut.mtt.op4$q , o5 = \dut.mtt.op5$q ;
    desc_t nxt;
    assign nxt = \dut.walk$0.nxt$q ;
    segment_t seg;
    assign seg = \dut.mtt.segment ;
    wire nxt_v = \dut.walk$0.nxt_v$q , pending = \dut.walk$0.pending$q ;
    wire round = \dut.walk$0.round_q$q ;
    wire [`TAGCW-1:0] wr = \dut.walk$0.wr$q , rd = \dut.walk$0.rd$q , cp = \dut.walk$0.cp$q ;
    wire [`TAGS*`TAGW-1:0] queue = \dut.walk$0.queue.all ;
    wire push = \dut.mtt.push$0 , over = \dut.mtt.over$0 , last = \dut.mtt.last$0 ;
    wire restart = over || \dut.mtt.again$0 || \dut.mtt.probed$0 ;

    // an op of port 0 that counts
    wire v1 = (\dut.mtt.kind1$q == 1 && o1.port == 0 && o1.round == round), v2 = (\dut.mtt.kind2$q == 1 && o2.port == 0 && o2.round == round), v3 = (\dut.mtt.kind3$q == 1 && o3.port == 0 && o3.round == round),
        v4 = (\dut.mtt.kind4$q == 1 && o4.port == 0 && o4.round == round), v5 = (\dut.mtt.kind5$q == 1 && o5.port == 0 && o5.round == round);
    wire f1 = (o1.page == 4 || `ABOVE(o1.last, o1.page) == 0), f2 = (o2.page == 4 || `ABOVE(o2.last, o2.page) == 0), f3 = (o3.page == 4 || `ABOVE(o3.last, o3.page) == 0), f4 = (o4.page == 4 || `ABOVE(o4.last, o4.page) == 0), f5 = (o5.page == 4 || `ABOVE(o5.last, o5.page) == 0), fc = (cur.page == 4 || `ABOVE(cur.last, cur.page) == 0);

    // the request of T, from its grant to its last segment
    desc_t d;
    logic asked = 0;
    wire granted = grant[0] && desc.tag == T;
    wire told = push && seg.last && seg.tag == T;
    always @(posedge clock) begin
        if (granted) begin d <= desc; asked <= 1; end
        if (told) asked <= 0;
        if (reset) asked <= 0;
    end
    // every tag of the port: granted and not over
    logic [`TAGS-1:0] walking = 0;
    always @(posedge clock) begin
        if (push && seg.last) walking[seg.tag] <= 0;
        if (grant[0]) walking[desc.tag] <= 1;
        if (reset) walking <= 0;
    end
    env_grant grants (.clock(clock), .reset(reset), .grant(grant), .desc(desc), .walking(walking), .ready(ready));
    logic asked_T = 0, read = 0;
    always @(posedge clock) begin
        asked_T <= read_valid && read_take && read_slot == {1'b0, T};
        read <= read_valid && read_take;
    end
    env_slot_word words (.asked(asked_T && asked), .read(read), .word(read_word), .desc(d));

    // T's op inside the request that was granted
    wire [`W:0] final_byte = d.pos + d.len - 1;
    wire in1, in2, in3, in4, in5, in_cur;
    walk_fits fits1 (.o(o1), .d(d), .fits(in1));
    walk_fits fits2 (.o(o2), .d(d), .fits(in2));
    walk_fits fits3 (.o(o3), .d(d), .fits(in3));
    walk_fits fits4 (.o(o4), .d(d), .fits(in4));
    walk_fits fits5 (.o(o5), .d(d), .fits(in5));
    walk_fits fits_cur (.o(cur), .d(d), .fits(in_cur));
    function [`TAGW-1:0] queued(input [`TAGCW-1:0] n);
        queued = queue >> (n[`TAGW-1:0] * `TAGW);
    endfunction
    // places
    wire [`TAGCW-1:0] p5 = cp, p4 = p5 + (v5 && f5), p3 = p4 + (v4 && f4), p2 = p3 + (v3 && f3), p1 = p2 + (v2 && f2), pc = p1 + (v1 && f1);
    wire [`TAGCW-1:0] used = wr - cp;
    wire [`TAGCW-1:0] pn = pc + cur.valid;
    wire [`TAGCW-1:0] away = rd - cp;
    // the youngest op that counts is not its request's last: then the context goes on with that request
    wire middle = v1 ? !f1 : v2 ? !f2 : v3 ? !f3 : v4 ? !f4 : v5 ? !f5 : 0;
    function [`TAGCW-1:0] ahead(input [`TAGCW-1:0] p);
        ahead = p - cp;
    endfunction

    integer i;
    logic ok_queue;
    always @(*) begin
        ok_queue = 1;
        for (i = 0; i < `TAGS; i = i + 1) if (i < used && !walking[queued(cp + i)]) ok_queue = 0;
    end
    wire [`TAGCW-1:0] number = walking[0] + walking[1] + walking[2] + walking[3];
    logic ok_once;
    integer j;
    always @(*) begin
        ok_once = 1;
        for (i = 0; i < `TAGS; i = i + 1) for (j = 0; j < i; j = j + 1)
            if (i < used && queued(cp + i) == queued(cp + j)) ok_once = 0;
    end
    // void ops are older than those that count, so none is left when the round comes back
    wire [5:1] there = {\dut.mtt.kind5$q == 1 && o5.port == 0, \dut.mtt.kind4$q == 1 && o4.port == 0, \dut.mtt.kind3$q == 1 && o3.port == 0,
        \dut.mtt.kind2$q == 1 && o2.port == 0, \dut.mtt.kind1$q == 1 && o1.port == 0};
    // bytes of an op, less one
    wire [31:0] b2 = (f2 ? o2.last : page_mask(o2.page)) - o2.off, b3 = (f3 ? o3.last : page_mask(o3.page)) - o3.off,
        b4 = (f4 ? o4.last : page_mask(o4.page)) - o4.off, b5 = (f5 ? o5.last : page_mask(o5.page)) - o5.off;
    function [31:0] page_mask(input [2:0] page);
        page_mask = page == 1 ? 32'hffff : page == 2 ? 32'h1fffff : page == 3 ? 32'h3fffffff : 32'hfff;
    endfunction

    always @(*) if (!reset) begin
        // of two ports each is either before or behind the other
        i_turns: assert (!\dut.mtt.fair.ahead$0$q [0] && !\dut.mtt.fair.ahead$1$q [1] && \dut.mtt.fair.ahead$0$q [1] != \dut.mtt.fair.ahead$1$q [0]
            && !\dut.readers.ahead$0$q [0] && !\dut.readers.ahead$1$q [1] && \dut.readers.ahead$0$q [1] != \dut.readers.ahead$1$q [0]);
        i_five: assert (\dut.mtt.lookup5$q == (\dut.mtt.kind5$q == 1) && \dut.mtt.port5$q == (1 << o5.port));
        i_port: assert ((!cur.valid || cur.port == 0) && (!others.valid || others.port == 1));
        i_number: assert (number == used);
        i_queue: assert (ok_queue);
        i_once: assert (ok_once);
        i_rd: assert (rd == pn + (nxt_v || pending) && !(nxt_v && pending));
        i_away: assert (away <= used);
        if (v5) i_t5: assert (p5 != wr && o5.tag == queued(p5));
        if (v4) i_t4: assert (ahead(p4) < used && o4.tag == queued(p4));
        if (v3) i_t3: assert (ahead(p3) < used && o3.tag == queued(p3));
        if (v2) i_t2: assert (ahead(p2) < used && o2.tag == queued(p2));
        if (v1) i_t1: assert (ahead(p1) < used && o1.tag == queued(p1));
        if (cur.valid) i_tc: assert (ahead(pc) < used && cur.tag == queued(pc));
        if (nxt_v) i_tn: assert (ahead(pn) < used && nxt.tag == queued(pn));
        if (\dut.walk$0.head_v$q ) i_head: assert (rd != wr && \dut.walk$0.head$q == queued(rd));
        if (pending) i_tp: assert (ahead(pn) < used && \dut.walk$0.pending_tag$q == queued(pn));
        // no other page size than there are, whosever op it is
        i_pages: assert ((!cur.valid || cur.page <= 4) && (!nxt_v || nxt.page <= 4) && (!v1 || o1.page <= 4) && (!v2 || o2.page <= 4)
            && (!v3 || o3.page <= 4) && (!v4 || o4.page <= 4) && (!v5 || o5.page <= 4) && (!pending || read));
        if (middle) i_middle: assert (cur.valid);
        i_asked: assert (asked == walking[T]);
        // T's ops wherever they are
        if (v5 && o5.tag == T) i_o5: assert (in5);
        if (v4 && o4.tag == T) i_o4: assert (in4);
        if (v3 && o3.tag == T) i_o3: assert (in3);
        if (v2 && o2.tag == T) i_o2: assert (in2);
        if (v1 && o1.tag == T) i_o1: assert (in1);
        if (cur.valid && cur.tag == T) i_cur: assert (in_cur);
        if (nxt_v && nxt.tag == T) i_nxt: assert (nxt == d);
        if (asked) i_len: assert (d.len != 0 && d.tag == T && `ABOVE(final_byte, d.page) < (1 << `PGW) && d.page <= 4);
        i_void: assert ((!v5 || there[5:1] == {v5, v4, v3, v2, v1}) && (!v4 || there[4:1] == {v4, v3, v2, v1})
            && (!v3 || there[3:1] == {v3, v2, v1}) && (!v2 || there[2:1] == {v2, v1}));
        if (pending && \dut.walk$0.pending_tag$q == T) i_word: assert (asked_T);
        if (v5 && o5.tag == T) i_cut: assert (\dut.mtt.cut5$q == cut_was);
        // what is decided about an op while it travels
        if (v2) i_b2: assert (\dut.mtt.len2$q == b2);
        if (v3) i_b3: assert (\dut.mtt.len3$q == b3 + 1);
        if (v4) i_b4: assert (\dut.mtt.len4$q == b4 + 1);
        if (v5) i_b5: assert (\dut.mtt.len5$q == b5 + 1);
        if (v2) i_l2: assert (\dut.mtt.last2$q == f2);
        if (v3) i_l3: assert (\dut.mtt.last3$q == f3);
        if (v4) i_l4: assert (\dut.mtt.last4$q == f4);
        if (v5) i_l5: assert (\dut.mtt.last5$q == f5);
    end

    // since it missed the port has not run
    logic waits = 0;
    always @(posedge clock) waits <= !reset && (\dut.mtt.missed$0 || (waits && \dut.miss.state$0$q != 0));

    // T's mapping stood in the cut table a cycle ago
    logic cut_was = 0;
    wire [`NPARK-1:0] cuts;
    genvar g;
    generate for (g = 0; g < `NPARK; g = g + 1)
        assign cuts[g] = cut_valid[g] && cut_index[g*`K +: `K] == d.index && cut_epoch[g*`EPW +: `EPW] == d.epoch;
    endgenerate
    always @(posedge clock) cut_was <= |cuts;

    // the decision at m5
    wire ok = push && seg.status == 0;
    wire [`W:0] begins = `UP(o5.pn, o5.page) + o5.off;
    wire [`PAW-1:0] frame = \dut.mtt.line5$q [2 +: `FRW];
    wire [`PAW-1:0] address = (frame << 12) | o5.off;
    wire [31:0] page_size = page_mask(o5.page) + 1;
    always @(*) if (!reset) begin
        // C: what is told is told of the oldest request that is not over, and it is over once
        if (push) a_order: assert (used != 0 && seg.tag == queued(cp));
        if (push && seg.last) a_over: assert (walking[seg.tag] && (over || last));
        if (over || last) a_last: assert (push && seg.last);
        // B: inside the granted range, inside one page
        if (ok && seg.tag == T) begin
            a_range: assert (asked && begins >= d.pos && begins + seg.len <= d.pos + d.len && seg.len != 0);
            if (d.page != 4) a_page: assert (o5.off + seg.len <= page_size);
            a_last_byte: assert (!seg.last || begins + seg.len == d.pos + d.len);
            if (d.page == 4) a_flat: assert (seg.pa == begins[`PAW-1:0]);
            if (d.page != 4) a_frame: assert (seg.pa == address && \dut.mtt.line5$q [0]);
            if (d.write && d.page != 4) a_writable: assert (\dut.mtt.line5$q [1]);
        end
        // D: a cut mapping gives no address
        if (ok && seg.tag == T) a_cut: assert (!cut_was);
        // and no miss; while a port waits for a line none of its ops counts, so it does not miss twice (`env_words` of `fetch`)
        if (\dut.mtt.missed$0 && o5.tag == T) a_missed: assert (asked && !cut_was);
        if (waits) a_held: assert (!(v1 || v2 || v3 || v4 || v5));
        if (push && seg.status != 0) a_empty: assert (seg.last && seg.len == 0 && seg.pa == 0);
    end
    logic [1:0] more = 0;
    always @(posedge clock) begin
        if (ok && seg.tag == T && !seg.last) more <= 1;
        if (told) more <= 0;
    end
    always @(*) if (!reset) begin
        c_flat: cover (ok && seg.tag == T && d.page == 4);
        c_page: cover (ok && seg.tag == T && d.page == 0 && seg.len == 5);
        c_second: cover (ok && seg.tag == T && d.page == 0 && more != 0);
        c_fault: cover (push && seg.status == 2);
        c_cut: cover (push && seg.status == 1);
        c_probe: cover (\dut.mtt.probed$0 );
    end
endmodule

// An op is a piece of the request `d`: its first byte lies in the range, its page's number and `last` lead to the range's last byte.
module walk_fits (input op_t o, input desc_t d, output logic fits);
    wire [`W:0] page = `UP(o.pn, d.page);
    wire [`W:0] final_byte = d.pos + d.len - 1;
    assign fits = o.index == d.index && o.epoch == d.epoch && o.page == d.page && o.base == d.base && o.write == d.write
        && o.odp == d.odp && page + o.off >= d.pos && page + o.off <= final_byte && page + o.last == final_byte
        && `ABOVE(o.off, d.page) == 0 && o.port == 0;
endmodule
