// SPDX-License-Identifier: MIT OR Apache-2.0
// Liveness (F) at the registration port (`reg_port`: flow, publish, list and arguments as they are; entry, indices and parked commands give
// anything): whatever it began, a command or a completion, it has answered, or parked, within a number of cycles, and each page of
// its list adds some. The number is a sum over the steps, of what each waits for at most.
//
// `rank` says how many cycles are left at most, from the step and from what its wait has left; it falls every cycle. `budget` is the bound,
// less the cycles that went by: it holds the rank, so it is not used up before the answer.
`include "env.sv"

module live_reg (
    input logic clock,
    input logic reset,
    input logic reg_valid,
    input logic [4:0] reg_op,
    input logic [7:0] reg_tag,
    input logic [31:0] reg_key,
    input logic [`PDW-1:0] reg_pd,
    input logic [`VAW-1:0] reg_iova,
    input logic [`RLW-1:0] reg_length,
    input logic [31:0] reg_access,
    input logic [2:0] reg_page,
    input logic [`PAW-1:0] reg_base,
    input logic [`PNW-1:0] reg_pages,
    input logic [1:0] reg_mode,
    input logic [`INL*`BEAT-1:0] reg_inline,
    input logic page_valid, page_last,
    input logic [`BEAT-1:0] page_data,
    input logic rsp_ready, op_ready, op_done, sweep_busy, starved, sweep_done, icm_ready, ricm_valid, ricm_last, event_ready,
    input logic [`BEAT-1:0] ricm_data
);
    wire reg_ready, page_ready, rsp_valid, op_valid, op_hold, barrier_active, sweep_valid, icm_valid, icm_write, icm_last, event_valid;
    wire [3:0] icm_len;
    \latchkey_core$regs dut (
        .clock(clock), .reset(reset), .reg_valid(reg_valid), .reg_ready(reg_ready), .reg_op(reg_op), .reg_tag(reg_tag), .reg_key(reg_key),
        .reg_pd(reg_pd), .reg_iova(reg_iova), .reg_length(reg_length), .reg_access(reg_access), .reg_page(reg_page), .reg_base(reg_base),
        .reg_pages(reg_pages), .reg_mode(reg_mode), .reg_inline(reg_inline), .page_valid(page_valid), .page_ready(page_ready),
        .page_data(page_data), .page_last(page_last), .rsp_valid(rsp_valid), .rsp_ready(rsp_ready), .op_valid(op_valid), .op_hold(op_hold),
        .op_ready(op_ready), .op_done(op_done), .sweep_busy(sweep_busy), .barrier_active(barrier_active), .starved(starved),
        .sweep_valid(sweep_valid), .sweep_done(sweep_done), .icm_valid(icm_valid), .icm_ready(icm_ready), .icm_write(icm_write),
        .icm_len(icm_len), .icm_last(icm_last), .ricm_valid(ricm_valid), .ricm_data(ricm_data), .ricm_last(ricm_last),
        .event_valid(event_valid), .event_ready(event_ready)
    );
    env_reset starts (.clock(clock), .reset(reset));

    // the steps
    (* hierconn *) wire \dut.flow.working$q , \dut.flow.s_sort$q , \dut.flow.s_read$q , \dut.flow.s_word$q , \dut.flow.s_judge$q ,
        \dut.flow.s_match$q , \dut.flow.s_load$q , \dut.flow.s_transfer$q , \dut.flow.s_overdue$q , \dut.flow.s_answer$q , \dut.flow.put$q ,
        \dut.flow.job$q , \dut.flow.o_reg$q , \dut.flow.o_del$q , \dut.flow.o_query$q , \dut.flow.o_flush$q , \dut.flow.o_window$q ;
    (* hierconn *) wire [3:0] \dut.flow.result$q ;
    (* hierconn *) wire [1:0] \dut.flow.kind$q ;
    (* hierconn *) wire \dut.publish.s_raise$q , \dut.publish.s_kill$q , \dut.publish.s_killed$q , \dut.publish.s_fit$q , \dut.publish.s_write$q ,
        \dut.publish.s_ack$q , \dut.publish.s_sweep$q , \dut.publish.s_link$q , \dut.publish.opv$q ;
    (* hierconn *) wire [3:0] \dut.publish.beat$q ;
    (* hierconn *) wire \dut.list.s_base$q , \dut.list.s_ask$q , \dut.list.s_lower$q , \dut.list.s_upper$q , \dut.list.s_judge$q ,
        \dut.list.s_room$q , \dut.list.s_inline$q , \dut.list.s_look$q , \dut.list.s_put$q , \dut.list.s_take$q , \dut.list.s_acks$q ,
        \dut.list.s_first$q , \dut.list.s_sum$q , \dut.list.s_second$q , \dut.list.s_sets$q , \dut.list.window$q , \dut.list.late$q ,
        \dut.list.bad_page$q , \dut.list.wrong$q , \dut.list.stepped$q ;
    (* hierconn *) wire [`PNW-1:0] \dut.list.left$q ;
    (* hierconn *) wire [`INLW:0] \dut.list.count$q ;
    (* hierconn *) wire [3:0] \dut.list.open$q ;
    (* hierconn *) wire [`MAW:0] \dut.list.naddr$q ;
    (* hierconn *) wire \dut.args.run$q , \dut.args.live$q , \dut.args.finished$q ;
    (* hierconn *) wire [5:0] \dut.args.j$q ;
    (* hierconn *) wire \dut.park$done_valid , \owed.reading ;
    wire working = \dut.flow.working$q ;
    wire job = \dut.flow.job$q , o_reg = \dut.flow.o_reg$q , o_del = \dut.flow.o_del$q , o_flush = \dut.flow.o_flush$q , o_window = \dut.flow.o_window$q ;
    wire late = \dut.list.late$q , window = \dut.list.window$q ;
    wire none = \dut.list.left$q == 0;
    wire [3:0] open = \dut.list.open$q , at = \dut.publish.beat$q ;
    wire [`INLW:0] count = \dut.list.count$q ;
    wire [`SETW-1:0] set = \dut.list.naddr$q ;
    wire opv = \dut.publish.opv$q ;
    wire args = \dut.args.run$q || \dut.args.live$q || \dut.args.finished$q ;
    wire put = \dut.list.s_put$q ;
    wire sets = \dut.list.s_sets$q ;
    wire pages = \dut.list.s_look$q && !none;

    // what it waits for
    localparam F = 8;                           // the memory takes a request (`live_icm`)
    localparam R = 24;                          // it answers, the next beat comes
    localparam O = 4;                           // an op has its slot (`live_front`)
    localparam D = 7;                           // an op has left the pipe
    localparam G = 4;                           // the next page of a list is there
    localparam A = 4;                           // the answer is taken
    localparam E = 4;                           // the event is taken
    localparam S = 1910;                        // no lookup is starved any more (`live_miss`)
    localparam B = 79;                          // the sweep behind the last new epoch is over (`live_front`)
    localparam W = 89;                          // the translations of an index are swept (`live_pages`)
    wire [10:0] f, r, o, d, g, a, e, s, b, w;
    wire [3:0] beats, ops;
    wire raising = \dut.publish.s_raise$q ;
    wire sorting = \dut.flow.s_sort$q && o_flush && \dut.flow.kind$q [1];          // a flush set by set waits here
    env_calm calm (.clock(clock), .reset(reset), .waits(raising), .busy(sweep_busy));
    env_owed owed (.clock(clock), .reset(reset), .moves(icm_valid && icm_ready), .write(icm_write), .last(icm_last), .len(icm_len),
        .beat(ricm_valid), .beat_last(ricm_last), .op_take(op_valid && op_ready), .op_done(op_done), .beats(beats), .ops(ops));
    env_prompt #(.MOST(F), .W(11)) takes (.clock(clock), .reset(reset), .wants(icm_valid), .gets(icm_ready), .left(f));
    env_prompt #(.MOST(R), .W(11)) words (.clock(clock), .reset(reset), .wants(beats != 0), .gets(ricm_valid), .left(r));
    env_prompt #(.MOST(O), .W(11)) slots (.clock(clock), .reset(reset), .wants(op_valid), .gets(op_ready), .left(o));
    env_prompt #(.MOST(D), .W(11)) pipe (.clock(clock), .reset(reset), .wants(ops != 0), .gets(op_done), .left(d));
    env_prompt #(.MOST(G), .W(11)) producer (.clock(clock), .reset(reset), .wants(pages || page_ready), .gets(page_valid), .left(g));
    env_prompt #(.MOST(A), .W(11)) answered (.clock(clock), .reset(reset), .wants(rsp_valid), .gets(rsp_ready), .left(a));
    env_prompt #(.MOST(E), .W(11)) noted (.clock(clock), .reset(reset), .wants(event_valid), .gets(event_ready), .left(e));
    env_prompt #(.MOST(S), .W(11)) waiters (.clock(clock), .reset(reset), .wants((raising || sorting) && starved), .gets(!starved), .left(s));
    env_prompt #(.MOST(B), .W(11)) rested (.clock(clock), .reset(reset), .wants(raising && sweep_busy), .gets(!sweep_busy), .left(b));
    env_prompt #(.MOST(W), .W(11)) swept (.clock(clock), .reset(reset), .wants(sweep_valid), .gets(sweep_done), .left(w));

    // what the others rely on: how it asks for slots, holds lookups, asks the memory
    localparam LANES = 1 << `SETW;
    localparam HELD = LANES * (O + 2) + LANES * (D + 1) + 1;
    wire few;
    wire [2:0] number;
    wire [3:0] burst;
    env_few seldom (.clock(clock), .reset(reset), .valid(op_valid), .take(op_valid && op_ready), .few(few), .number(number));
    env_held #(.MOST(HELD), .GIVEN(0)) holds (.clock(clock), .reset(reset), .hold(op_hold), .op(op_valid));
    env_bursts #(.GIVEN(0)) bursts (.clock(clock), .reset(reset), .valid(icm_valid), .ready(icm_ready), .last(icm_last), .words(burst));
    (* hierconn *) wire [2:0] \seldom.quiet , \holds.free ;
    (* hierconn *) wire [6:0] \holds.held ;
    (* hierconn *) wire \bursts.was , \bursts.over , \bursts.gap ;

    // cycles from the first in a step to the end of all, at most
    localparam X = 13;
    localparam WIDEST = 40;
    localparam DIGITS = 20;
    localparam ANSWER = A + 1;
    localparam ACK = R + 1 + ANSWER;
    localparam WRITE = `MPTN * (F + 1) + ACK;
    localparam KILLED = D + 1 + 1 + WRITE;
    localparam KILL = O + 2 + KILLED;
    localparam RAISE = S + 2 + KILL;
    localparam CALM = B + 1 + S;                                 // a flush's: no sweep, then nobody starved
    localparam FLUSH = CALM + 2 + KILL;
    localparam LATER = R > D ? R : D;
    localparam ACKS = 8 * (LATER + 1) + 1 + RAISE;
    localparam TAKE = G + 1 + ACKS;
    localparam PUT = R + F + 2 + TAKE;
    localparam LOOK = G + 1 + PUT;
    localparam PAGE = LOOK - ACKS;                               // what a page of the list adds
    localparam TRANSFER = 1 + LOOK;
    localparam EACH = R + F + 3;                                 // an inline page
    localparam ROOM = 2 + `INL * EACH + TRANSFER;
    localparam JUDGE = 1 + ROOM;
    localparam LOWER = 2 * (R + 1) + JUDGE;
    localparam ASK = F + 1 + LOWER;
    localparam BASE = 1 + ASK;
    localparam SECOND = F + 1 + ACKS;
    localparam EMPTIED = 8 * (LATER + 1) + 2 + ANSWER;
    localparam SETS = LANES * (O + 2) + EMPTIED;
    localparam ARGS = DIGITS + 2 + BASE;
    localparam LOAD = 1 + ARGS;
    localparam LINK = 1 + WRITE;
    localparam JUDGED = 1 + (LOAD > W + 1 + LINK ? LOAD : W + 1 + LINK);
    localparam WORD = `MPTN * (R + 1) + JUDGED;
    localparam READ = F + 1 + WORD;
    localparam BOUND = 1 + READ;

    logic [X-1:0] rank;
    wire [X-1:0] inline_rank = 1 + (`INL - count) * EACH + TRANSFER;
    wire [X-1:0] open_rank = open == 0 ? 1 : (open - 4'd1) * (LATER + 1) + (o_flush ? d : r) + 2;
    wire [X-1:0] after = o_del ? RAISE : ANSWER;
    always @(*) begin
        rank = 0;
        if (\dut.flow.s_sort$q ) rank = sorting ? s + 1 + SETS : BOUND;
        if (\dut.flow.s_read$q ) rank = f + 1 + WORD;
        if (\dut.flow.s_word$q ) rank = (beats - 4'd1) * (R + 1) + r + 1 + JUDGED;
        if (\dut.flow.s_judge$q ) rank = JUDGED;
        if (\dut.flow.s_match$q ) rank = 2 + (FLUSH > RAISE ? FLUSH : RAISE);
        if (\dut.flow.s_load$q ) rank = LOAD;
        if (\dut.flow.s_overdue$q ) rank = 1 + ANSWER;
        if (\dut.flow.s_answer$q ) rank = a + 1;
        if (\dut.flow.s_transfer$q ) rank = 1 + (o_reg ? LOOK : after);
        if (args) rank = (\dut.args.run$q ? DIGITS - \dut.args.j$q + 1 : \dut.args.live$q ) + 1 + BASE;
        if (\dut.list.s_base$q ) rank = BASE;
        if (\dut.list.s_ask$q ) rank = f + 1 + LOWER;
        if (\dut.list.s_lower$q ) rank = r + 1 + R + 1 + JUDGE;
        if (\dut.list.s_upper$q ) rank = r + 1 + JUDGE;
        if (\dut.list.s_judge$q ) rank = JUDGE;
        if (\dut.list.s_room$q ) rank = ROOM;
        if (\dut.list.s_inline$q ) rank = inline_rank;
        if (put) rank = (\dut.list.bad_page$q ? 0 : open[3] ? r + 1 + F : f) + 1 + (late ? TAKE : inline_rank - EACH);
        if (\dut.list.s_look$q ) rank = none ? 1 + ACKS : g + 1 + PUT;
        if (\dut.list.s_take$q ) rank = g + 1 + ACKS;
        if (\dut.list.s_first$q ) rank = f + 2 + SECOND;
        if (\dut.list.s_sum$q ) rank = 1 + SECOND;
        if (\dut.list.s_second$q ) rank = f + 1 + ACKS;
        if (sets) rank = set * (O + 2) + (opv ? o : O + 1) + 1 + EMPTIED;
        if (\dut.list.s_acks$q ) rank = open_rank + (o_reg ? RAISE : 1 + ANSWER);
        if (raising) rank = (\dut.flow.put$q ? S + 1 : sweep_busy && o_flush ? b + 1 + S : s) + 1 + KILL;
        if (\dut.publish.s_kill$q ) rank = (opv ? o : O + 1) + 1 + KILLED;
        if (\dut.publish.s_killed$q ) rank = d + 2 + WRITE;
        if (\dut.publish.s_fit$q ) rank = 1 + WRITE;
        if (\dut.publish.s_write$q ) rank = (`MPTN - 1 - at) * (F + 1) + f + 1 + ACK;
        if (\dut.publish.s_ack$q ) rank = r + 1 + ANSWER;
        if (\dut.publish.s_sweep$q ) rank = w + 1 + LINK;
        if (\dut.publish.s_link$q ) rank = LINK;
    end
    wire [32:0] steps = {\dut.flow.s_sort$q , \dut.flow.s_read$q , \dut.flow.s_word$q , \dut.flow.s_judge$q , \dut.flow.s_match$q ,
        \dut.flow.s_load$q , \dut.flow.s_overdue$q , \dut.flow.s_answer$q , \dut.flow.s_transfer$q , args, \dut.list.s_base$q ,
        \dut.list.s_ask$q , \dut.list.s_lower$q , \dut.list.s_upper$q , \dut.list.s_judge$q , \dut.list.s_room$q , \dut.list.s_inline$q ,
        put, \dut.list.s_look$q , \dut.list.s_take$q , \dut.list.s_first$q , \dut.list.s_sum$q , \dut.list.s_second$q , sets,
        \dut.list.s_acks$q , raising, \dut.publish.s_kill$q , \dut.publish.s_killed$q , \dut.publish.s_fit$q , \dut.publish.s_write$q ,
        \dut.publish.s_ack$q , \dut.publish.s_sweep$q , \dut.publish.s_link$q };
    wire publishing = raising || \dut.publish.s_kill$q || \dut.publish.s_killed$q || \dut.publish.s_fit$q || \dut.publish.s_write$q ||
        \dut.publish.s_ack$q || \dut.publish.s_sweep$q || \dut.publish.s_link$q ;
    wire listing = \dut.list.s_base$q || \dut.list.s_ask$q || \dut.list.s_lower$q || \dut.list.s_upper$q || \dut.list.s_judge$q || \dut.list.s_room$q
        || \dut.list.s_inline$q || put || \dut.list.s_look$q || \dut.list.s_take$q || \dut.list.s_first$q || \dut.list.s_sum$q || \dut.list.s_second$q
        || sets || \dut.list.s_acks$q ;
    // the words and ops that are owed in each step
    wire asked = \dut.list.s_lower$q || \dut.list.s_upper$q ;

    // a group of ops, a time in which lookups were held: how long they are over at least
    wire [2:0] free = !working ? 2 : (\dut.flow.s_transfer$q && o_flush) || (\dut.list.s_acks$q && o_flush) || \dut.publish.s_killed$q ? 0 : \dut.flow.s_answer$q || \dut.publish.s_fit$q ? 1
        : \dut.publish.s_write$q || \dut.publish.s_ack$q ? 2 : \dut.flow.s_sort$q ? 3 : 4;
    wire [2:0] quiet = (\dut.list.s_acks$q && o_flush) || \dut.publish.s_killed$q ? 0 : \dut.publish.s_fit$q ? 1 : \dut.publish.s_write$q ? 2 : free + 1;
    wire [7:0] hold_rank = sets ? set * (O + 2) + (opv ? o : O + 1) + 1 + LANES * (D + 1) + 1 : open == 0 ? 1 : (open - 4'd1) * (D + 1) + d + 2;
    // the bound, less what went by; a page that is taken adds its part
    logic [X-1:0] budget = 0;
    wire [X:0] more = budget - 1 + (page_ready && page_valid ? PAGE : 0);
    logic was = 0, ended = 0, fed = 0;
    logic [3:0] idle = 0;
    wire wants = reg_valid || \dut.park$done_valid ;
    always @(posedge clock) begin
        was <= working && !reset;
        if (raising || sorting) fed <= !starved;
        budget <= !working ? BOUND : more > BOUND ? BOUND : more[X-1:0];
        idle <= !reset && !working && wants ? idle + 1 : 0;
        ended <= !reset && rsp_valid && rsp_ready;
    end

    always @(*) if (!reset) begin
        i_one: assert ((steps & (steps - 1)) == 0 && (steps != 0) == working);
        if (working) i_kinds: assert (job + o_reg + o_del + \dut.flow.o_query$q + o_flush + o_window <= 1);
        if (listing) i_listing: assert (o_reg || o_window || o_flush);
        if (args || \dut.flow.s_load$q ) i_args: assert (o_reg);
        if (\dut.list.s_ask$q || asked || \dut.list.s_judge$q || \dut.list.s_room$q || \dut.list.s_inline$q || put || \dut.list.s_look$q || \dut.list.s_take$q )
            i_pages: assert (o_reg);
        if (\dut.list.s_base$q ) i_base: assert (window ? o_window : o_reg);
        if (\dut.list.s_first$q || \dut.list.s_sum$q || \dut.list.s_second$q ) i_window: assert (o_window);
        if (sets) i_sets: assert (o_flush && open + set <= LANES - 1);
        if (working && window) i_of_window: assert (o_window);
        if (working && late) i_late: assert (o_reg);
        if (\dut.list.stepped$q ) i_stepped: assert (\dut.list.s_inline$q || \dut.list.s_take$q );
        if (\dut.flow.s_match$q ) i_match: assert (!job && !o_reg && !o_window);
        if (\dut.flow.s_read$q || \dut.flow.s_word$q || \dut.flow.s_judge$q ) i_reads: assert (!o_window);
        if (\dut.flow.s_transfer$q ) i_before: assert (!late);
        if (\dut.list.s_look$q ) i_look: assert (late);
        if (\dut.list.s_take$q ) i_take: assert (late || \dut.list.wrong$q );
        if (working && \dut.list.wrong$q && !late) i_drains: assert (\dut.flow.result$q != 0);
        if (\dut.list.s_inline$q || (put && !late)) i_inline: assert (!late && count <= `INL && (!put || count < `INL));
        if (\dut.list.s_base$q || \dut.list.s_ask$q || asked || \dut.list.s_judge$q || \dut.list.s_room$q || \dut.list.s_first$q || \dut.list.s_sum$q
            || \dut.list.s_second$q || args || \dut.flow.s_load$q || \dut.flow.s_sort$q || \dut.flow.s_read$q || \dut.flow.s_word$q || \dut.flow.s_judge$q ) i_early: assert (open == 0 && !late && count == 0);
        if (\dut.flow.s_sort$q || \dut.flow.s_read$q || \dut.flow.s_word$q || \dut.flow.s_judge$q || \dut.flow.s_match$q || \dut.flow.s_load$q || args
            || \dut.list.s_base$q || \dut.list.s_ask$q || asked || \dut.list.s_judge$q || \dut.list.s_room$q || \dut.list.s_inline$q || (put && !late))
            i_clean: assert (\dut.flow.result$q == 0);
        if (working && o_reg && !late && open != 0) i_good: assert (\dut.flow.result$q == 0);
        if (!listing && !(\dut.flow.s_transfer$q && o_reg)) i_none: assert (open == 0);
        if (publishing && !raising && !\dut.publish.s_kill$q && !\dut.publish.s_killed$q ) i_changes: assert (job || o_reg || o_del);
        if (raising || \dut.publish.s_kill$q || \dut.publish.s_killed$q ) i_kills: assert (o_reg || o_del || o_flush);
        if (raising || \dut.publish.s_kill$q ) i_put: assert (!\dut.flow.put$q || (raising && o_del));
        if (\dut.publish.s_sweep$q || \dut.publish.s_link$q || \dut.flow.s_overdue$q ) i_job: assert (job);
        i_opv: assert (!opv || \dut.publish.s_kill$q || sets);
        i_open: assert (open <= 8);
        if (\dut.args.run$q ) i_digits: assert (\dut.args.j$q < DIGITS && !\dut.args.finished$q && (\dut.args.live$q || \dut.args.j$q == 0));
        i_finished: assert (!(\dut.args.live$q && !\dut.args.run$q && \dut.args.finished$q ));
        if (working) i_beat: assert (\dut.publish.s_write$q ? at < `MPTN : at == 0 || \dut.publish.s_ack$q );
        i_beats: assert (beats == (\dut.flow.s_word$q ? beats : \dut.list.s_lower$q ? 2 : \dut.list.s_upper$q || \dut.publish.s_ack$q ? 1
            : working && o_flush ? 0 : open));
        if (\dut.flow.s_word$q ) i_word: assert (\owed.reading && beats >= 1 && beats <= `MPTN && open == 0);
        i_ops: assert (ops == (\dut.publish.s_killed$q ? 1 : working && o_flush ? open : 0));
        // how many cycles have gone since the last op, and since lookups were held
        if (number != 0 && !sets && !\dut.publish.s_kill$q ) i_quiet: assert (\seldom.quiet >= quiet);
        if (sets && set != LANES - 1) i_close: assert (\seldom.quiet <= opv);
        if (\dut.flow.s_sort$q ) i_top: assert (set == LANES - 1);
        if (sets) i_number: assert (opv || set != LANES - 1 ? number == LANES - 1 - set : number == 0 || \seldom.quiet >= 5);
        if (\dut.publish.s_kill$q ) i_alone: assert (number == 0);
        if (!op_hold) i_free: assert (\holds.free >= (sets ? 4 + (opv || set != LANES - 1) : \dut.publish.s_kill$q ? 5 : free));
        if (op_hold) i_hold: assert ((sets || \dut.list.s_acks$q ) && o_flush);
        if (op_hold && \holds.held == 0) i_first: assert (sets && \holds.free >= 4);
        i_range: assert (\holds.free <= 5 && \seldom.quiet <= 6 && number <= LANES);
        i_held: assert (\holds.held + (op_hold ? hold_rank : 0) <= HELD);
        i_burst: assert (burst == (\dut.publish.s_write$q ? at : \dut.list.s_sum$q || \dut.list.s_second$q ));
        if (\bursts.was ) i_asks: assert (\dut.flow.s_read$q || \dut.publish.s_write$q || \dut.list.s_ask$q || \dut.list.s_first$q || \dut.list.s_second$q
            || (put && !\dut.list.bad_page$q && !open[3]));
        if (\bursts.over ) i_over: assert (!(\dut.flow.s_read$q || \dut.publish.s_write$q || \dut.list.s_ask$q || \dut.list.s_first$q || \dut.list.s_sum$q
            || \dut.list.s_second$q || put));
        if (\bursts.gap ) i_gap: assert (\dut.list.s_second$q || \dut.publish.s_write$q );
        if (sets || \dut.publish.s_kill$q || opv) i_fed: assert (fed);
        // a kill was raised, or the first of those of the sets, while no lookup was starved
        if (op_valid) a_fed: assert (fed);
        // ops come seldom
        a_few: assert (few);
        if (working) i_rank: assert (budget >= rank && rank != 0);
        // whatever was begun is over within BOUND cycles, and PAGE more for each page that was taken
        if (working) a_time: assert (budget != 0);
        // it ends with an answer, or, of what is parked, with the entry retired
        if (was && !working) a_ends: assert (ended || parks);
        // who wants the port has it when it is free and its last event is gone
        if (!working && wants && event_valid) i_idle: assert (idle + e <= E);
        if (!working && wants) a_begins: assert (idle <= E + 1);
    end
    logic parks = 0, waited = 0;
    always @(posedge clock) waited <= !reset && working && (waited || (sorting && starved));
    always @(posedge clock) parks <= \dut.publish.s_ack$q && ricm_valid && o_del;
    always @(*) if (!reset) begin
        c_query: cover (ended && \dut.flow.o_query$q );
        c_parked: cover (was && !working && parks);
        c_flush: cover (ended && o_flush && \dut.flow.result$q == 0);
        c_window: cover (ended && o_window);
        c_job: cover (ended && job && \dut.flow.result$q == 0);
        c_waits: cover (idle == 2);
        c_fed: cover (sets && waited);
    end
endmodule
