// SPDX-License-Identifier: MIT OR Apache-2.0
// Liveness (F) at the registration port with the later commands (`life_port`: flow, list, arguments and cipher as they are; entry, sums, indices
// and parked commands give anything): whatever it began, any command or any completion, it has answered, or parked, within a number of
// cycles, and each page of its list adds some; a command is taken, and a completion gone from its place, once. As `live_reg` for the first
// commands. Keeps what the others take of the port: `env_few`, `env_held`, `env_bursts`, `env_fed`, `env_pages` (sweeps), `env_chosen`.
//
// `rank` says how many cycles are left at most, from the step and from what its wait has left; it falls every cycle. `budget` is the bound,
// less the cycles that went by: it holds the rank, so it is not used up before the answer.
`include "env.sv"
`include "life.svh"

module live_life (
    `LIFE_INPUTS
);
    `LIFE_FLOW
    env_reset starts (.clock(clock), .reset(reset));

    (* hierconn *) wire [1:0] \dut.flow.sums$q ;
    (* hierconn *) wire \dut.list.s_base$q , \dut.list.s_ask$q , \dut.list.s_lower$q , \dut.list.s_upper$q , \dut.list.s_judge$q ,
        \dut.list.s_room$q , \dut.list.s_inline$q , \dut.list.s_look$q , \dut.list.s_put$q , \dut.list.s_take$q , \dut.list.s_acks$q ,
        \dut.list.s_first$q , \dut.list.s_sum$q , \dut.list.s_second$q , \dut.list.s_sets$q , \dut.list.window$q , \dut.list.late$q ,
        \dut.list.bad_page$q , \dut.list.wrong$q , \dut.list.stepped$q , \dut.list.took$q ;
    (* hierconn *) wire [`PNW-1:0] \dut.list.left$q ;
    (* hierconn *) wire [`INLW:0] \dut.list.count$q ;
    (* hierconn *) wire [3:0] \dut.list.open$q ;
    (* hierconn *) wire [`MAW:0] \dut.list.naddr$q ;
    (* hierconn *) wire \dut.args.run$q , \dut.args.live$q , \dut.args.finished$q , \dut.cipher.runs$q ;
    (* hierconn *) wire [5:0] \dut.args.j$q , \dut.cipher.turns$q ;
    (* hierconn *) wire \owed.reading ;
    wire [1:0] sums = \dut.flow.sums$q ;
    wire working = step != IDLE;
    (* hierconn *) wire \dut.flow.judge.first_q$q , \dut.flow.judge.rest_q$q ;
    (* hierconn *) wire [3:0] \dut.flow.judge.code1$q , \dut.flow.judge.code2$q ;
    wire judging = step == SORT || step == READ || step == WORD || step == JUDGE || step == MATCH;
    wire o_pd_window = !job && code == 4;
    wire maps = o_register || o_fast || (o_reregister && \dut.flow.named$q [0]);
    wire parks = ends || o_reregister || o_evict || (o_bind && had);
    wire late = \dut.list.late$q , window = \dut.list.window$q , wrong = \dut.list.wrong$q , bad_page = \dut.list.bad_page$q ;
    wire none = \dut.list.left$q == 0;
    wire [3:0] open = \dut.list.open$q , at = \dut.flow.beat$q ;
    wire [`INLW:0] count = \dut.list.count$q ;
    wire [`SETW-1:0] set = \dut.list.naddr$q ;
    wire opv = \dut.flow.opv$q ;
    wire arguing = \dut.args.run$q || \dut.args.live$q || \dut.args.finished$q ;
    wire runs = \dut.cipher.runs$q ;
    wire base = \dut.list.s_base$q , ask = \dut.list.s_ask$q , lower = \dut.list.s_lower$q , upper = \dut.list.s_upper$q , judge = \dut.list.s_judge$q ,
        roomy = \dut.list.s_room$q , inline = \dut.list.s_inline$q , look = \dut.list.s_look$q , page_put = \dut.list.s_put$q , taking = \dut.list.s_take$q ,
        acks = \dut.list.s_acks$q , first = \dut.list.s_first$q , sum = \dut.list.s_sum$q , second = \dut.list.s_second$q , sets = \dut.list.s_sets$q ;
    wire [14:0] listing = {base, ask, lower, upper, judge, roomy, inline, look, page_put, taking, acks, first, sum, second, sets};
    // before its transfer, and behind it
    wire before = (base && !window) || ask || lower || upper || judge || roomy || inline || (page_put && !late);
    wire pages = look && !none;

    // what it waits for
    localparam F = 8;                           // the memory takes a request (`life_live_icm`)
    localparam R = 24;                          // it answers, the next beat comes
    localparam O = 4;                           // an op has its slot (`life_live_front`)
    localparam D = 7;                           // an op has left the pipe
    localparam G = 4;                           // the next page of a list is there
    localparam A = 4;                           // the answer is taken
    localparam E = 4;                           // the event is taken
    localparam S = 1930;                        // no lookup is starved any more (`life_live_miss`)
    localparam B = 79;                          // the sweep behind the last new epoch is over (`life_live_front`)
    localparam W = 89;                          // the translations of an index are swept (`live_pages`)
    wire [10:0] f, r, o, d, g, a, e, s, b, w;
    wire [3:0] beats, ops;
    wire raising = step == RAISE;
    wire sorting = step == SORT && o_flush && mode[1];          // a flush set by set waits here
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

    // cycles from the first in a step to the end of all, at most; from the end on
    localparam X = 13;
    localparam DIGITS = 20;
    localparam ROUNDS = 48;
    localparam SUMS = 3;
    localparam ANSWERED = A + 1;
    localparam ENDS = 1 + ANSWERED;                              // done: an answer, or parked
    localparam WORDS = `MPTN * (R + 1);
    localparam WRITES = `MPTN * (F + 1);
    localparam WRITE_LAST = WRITES + R + 1 + ENDS;
    localparam LOSES = F + 1 + WORDS + 2 + WRITE_LAST;           // the region that lost its window: read, counted, written
    localparam WRITE_ENTRY = WRITES + R + 1 + LOSES;
    localparam KILL_LEFT = D + 1 + 1 + WRITE_ENTRY;
    localparam KILLING = O + 2 + KILL_LEFT;
    localparam RAISING = S + 1 + KILLING;
    localparam FLUSHING = B + 1 + RAISING;                       // a flush: no sweep, then nobody starved
    localparam SWEEPING = W + 1 + RAISING;
    localparam PUTTING = 1 + SWEEPING;
    // pages of a list, written behind the transfer
    localparam LATER = R > D ? R : D;
    localparam OPEN = 8 * (LATER + 1) + 1;
    localparam ACKS = OPEN + PUTTING;
    localparam EMPTIED = OPEN + 1 + ANSWERED;                    // of a window of a PD, or of sets
    localparam TAKES = G + 1 + ACKS;
    localparam PUTS = R + F + 2 + TAKES;
    localparam LOOKS = G + 1 + PUTS;
    localparam PAGE_MORE = LOOKS - ACKS;                         // what a page of the list adds
    localparam POSTS = 1 + LOOKS;
    // the list before it
    localparam EACH = R + F + 3;                                 // an inline page
    localparam ROOMS = 2 + `INL * EACH + POSTS;
    localparam JUDGES = 1 + ROOMS;
    localparam LOWERS = 2 * (R + 1) + JUDGES;
    localparam ASKS = F + 1 + LOWERS;
    localparam BASES = 1 + ASKS;
    localparam ARGUES = DIGITS + 2 + BASES;
    localparam FIELD = 1 + ARGUES;
    localparam DRAWS = 1 + ROUNDS + 1 + FIELD;
    localparam FRESHER = 1 + DRAWS;
    // a bind: the region is read, counted, written
    localparam MORPHS = 2 + PUTTING;
    localparam WRITE_REGION = WRITES + R + 1 + MORPHS;
    localparam FINDS = 1 + SUMS + 1 + WRITE_REGION;              // from the match on
    localparam REGION = F + 1 + WORDS + 1 + FINDS;
    // a page filled, or evicted
    localparam PAGE_ACKED = W + 1 + 1 + ENDS;
    localparam PAGE_WRITES = F + 1 + R + 1 + PAGE_ACKED;
    // and all
    localparam MOST_1 = FRESHER > REGION ? FRESHER : REGION;
    localparam MOST_2 = MOST_1 > FLUSHING ? MOST_1 : FLUSHING;
    localparam MATCHES = 1 + MOST_2;
    localparam LINKS = 1 + WRITE_LAST;
    localparam BOUND = 1 + F + 1 + WORDS + 1 + MATCHES;
    localparam SECONDS = F + 1 + EMPTIED;
    localparam SET_WALK = LANES * (O + 2) + EMPTIED;

    logic [X-1:0] rank;
    wire [X-1:0] inline_rank = 1 + (`INL - count) * EACH + POSTS;
    wire [X-1:0] open_rank = open == 0 ? 1 : (open - 4'd1) * (LATER + 1) + (o_flush ? d : r) + 2;
    wire paging = o_fill || o_evict;
    wire soon = o_flush || o_pd_window || o_query;                // its transfer is next to its answer
    always @(*) begin
        rank = 0;
        case (step)
            SORT: rank = sorting ? s + 1 + SET_WALK : BOUND;
            READ: rank = f + 1 + WORDS + 1 + (loser ? 1 + WRITE_LAST : region ? FINDS : MATCHES);
            WORD: rank = (beats - 4'd1) * (R + 1) + r + 1 + 1 + (loser ? 1 + WRITE_LAST : region ? FINDS : MATCHES);
            JUDGE: rank = 1 + (loser ? 1 + WRITE_LAST : region ? FINDS : MATCHES);
            MATCH: rank = MATCHES;
            MATCH_REGION: rank = FINDS;
            SUM: rank = SUMS - sums + 1 + (region ? WRITE_REGION : 1 + PAGE_WRITES);
            FRESH: rank = FRESHER;
            DRAW: rank = DRAWS;
            DRAWN: rank = (runs ? ROUNDS - \dut.cipher.turns$q : 0) + 1 + FIELD;
            FIELDS: rank = FIELD;
            ARGS: rank = (\dut.args.run$q ? DIGITS - \dut.args.j$q + 1 : \dut.args.live$q ) + 1 + BASES;
            MORPH: rank = MORPHS;
            TRANSFER: rank = 1 + (soon ? ANSWERED : maps ? LOOKS : paging ? PAGE_WRITES : PUTTING);
            PAGE: rank = f + 1 + R + 1 + PAGE_ACKED;
            PAGE_ACK: rank = r + 1 + PAGE_ACKED;
            PUT: rank = o_evict ? 1 + ENDS : PUTTING;
            RAISE: rank = (o_flush && sweep_busy ? b + 1 + S : s) + 1 + KILLING;
            KILL: rank = (opv ? o : O + 1) + 1 + KILL_LEFT;
            KILLED: rank = d + 2 + WRITE_ENTRY;
            FIT: rank = 1 + WRITE_ENTRY;
            WRITE: rank = (`MPTN - 1 - at) * (F + 1) + f + 1 + R + 1 + (region ? MORPHS : loser || job ? ENDS : LOSES);
            ACK: rank = r + 1 + (region ? MORPHS : loser || job ? ENDS : LOSES);
            COUNT: rank = 1 + WRITE_LAST;
            DONE: rank = ENDS;
            SWEEP: rank = w + 1 + (job ? LINKS : paging ? 1 + ENDS : RAISING);
            LINK: rank = LINKS;
            OVERDUE: rank = 1 + ANSWERED;
            ANSWER: rank = a + 1;
            LIST, LIST_END: begin
                if (base) rank = window ? 1 + F + 2 + SECONDS : BASES;
                if (ask) rank = f + 1 + LOWERS;
                if (lower) rank = r + 1 + R + 1 + JUDGES;
                if (upper) rank = r + 1 + JUDGES;
                if (judge) rank = JUDGES;
                if (roomy) rank = ROOMS;
                if (inline) rank = inline_rank;
                if (page_put) rank = (bad_page ? 0 : open[3] ? r + 1 + F : f) + 1 + (late ? TAKES : inline_rank - EACH);
                if (look) rank = none ? 1 + ACKS : g + 1 + PUTS;
                if (taking) rank = g + 1 + ACKS;
                if (first) rank = f + 2 + SECONDS;
                if (sum) rank = 1 + SECONDS;
                if (second) rank = f + 1 + EMPTIED;
                if (sets) rank = set * (O + 2) + (opv ? o : O + 1) + 1 + EMPTIED;
                if (acks) rank = open_rank + (maps ? PUTTING : 1 + ANSWERED);
            end
        endcase
    end

    // a group of ops, a time in which lookups were held: how long they are over at least
    wire flush_out = o_flush && step == TRANSFER;
    wire [2:0] free = !working ? 2 : flush_out ? 0 : step == ANSWER ? 1 : step == SORT ? 3 : 4;
    wire [2:0] quiet = (acks && o_flush) || step == KILLED ? 0 : flush_out || step == FIT ? 1 : step == ANSWER || step == WRITE ? 2
        : !working || step == ACK ? 3 : step == SORT || step == DONE || step == READ || step == MORPH ? 4 : 5;
    wire [7:0] hold_rank = sets ? set * (O + 2) + (opv ? o : O + 1) + 1 + LANES * (D + 1) + 1 : open == 0 ? 1 : (open - 4'd1) * (D + 1) + d + 2;
    // the bound, less what went by; a page that is taken adds its part
    logic [X-1:0] budget = 0;
    wire [X:0] more = budget - 1 + (page_ready && page_valid ? PAGE_MORE : 0);
    logic was = 0, was_job = 0, ended = 0, armed = 0, fed = 0;
    logic sweeps = 0, done_sweep = 0;
    logic [3:0] idle = 0;
    // how often it was taken, was taken out of its place
    logic [1:0] taken = 0, popped = 0;
    wire wants = reg_valid || \dut.park$done_valid ;
    always @(posedge clock) begin
        was <= working && !reset;
        was_job <= job;
        if (raising || sorting) fed <= !starved;
        budget <= !working ? BOUND : more > BOUND ? BOUND : more[X-1:0];
        idle <= !reset && !working && wants ? idle + 1 : 0;
        ended <= !reset && rsp_valid && rsp_ready;
        armed <= !reset && arm;
        sweeps <= !reset && sweep_valid && !sweep_done; done_sweep <= !reset && sweep_valid && sweep_done;
        taken <= !working || reset ? 0 : taken == 3 ? 3 : taken + reg_ready;
        popped <= !working || reset ? 0 : popped == 3 ? 3 : popped + pop;
    end
    // behind its transfer
    wire behind = !job && !region && (loser || step == PAGE || step == PAGE_ACK || step == PUT || (raising && !o_flush) || ((step == KILL || step == KILLED) && !o_flush)
        || step == FIT || step == WRITE || step == ACK || step == DONE || step == SWEEP || step == ANSWER || (step == LIST_END && maps));

    always @(*) if (!reset) begin
        // ---- one thing is under way
        i_steps: assert (step < LEDGER);
        i_list: assert ((listing & (listing - 1)) == 0 && (listing != 0) == (step == LIST || step == LIST_END));
        if (listing != 0) i_half: assert (before == (step == LIST));
        i_args: assert (arguing == (step == ARGS));
        if (runs) i_runs: assert (step == DRAWN && \dut.cipher.turns$q < ROUNDS);
        if (working && step != SUM) i_sums: assert (sums == 0);
        i_no_took: assert (!\dut.list.took$q );
        // ---- who can be where
        if (working && job) i_job: assert (!region && !loser && !had && (step == SORT || step == READ || step == WORD || step == JUDGE || step == SWEEP
            || step == LINK || step == WRITE || step == ACK || step == DONE || step == OVERDUE || step == ANSWER));
        // what reads an entry (the rest is judged at once)
        if (judging && step != SORT && !job) i_known: assert (makes || ends || o_fast || o_reregister || o_bind || o_fill || o_evict || o_query || (o_flush && mode == 0));
        if (step == LINK || step == OVERDUE) i_of_job: assert (job);
        if (working && region) i_region: assert (o_bind && !loser && (step == READ || step == WORD || step == JUDGE || step == MATCH_REGION || step == SUM
            || step == WRITE || step == ACK || step == MORPH || step == TRANSFER || step == ANSWER));
        if (region && (step == TRANSFER || step == ANSWER)) i_refused: assert (result != 0);
        if (step == MATCH_REGION || step == MORPH) i_bind: assert (region);
        if (working && (placed || \dut.flow.beyond$q )) i_placed: assert (step == READ && !job && !region && !loser);
        if (step == MATCH_REGION) i_codes: assert (\dut.flow.judge.first_q$q == (\dut.flow.judge.code1$q != 0) && \dut.flow.judge.rest_q$q == (\dut.flow.judge.code2$q != 0));
        if (working && loser) i_loser: assert (had && !o_query && (step == READ || step == WORD || step == JUDGE || step == COUNT || step == WRITE || step == ACK || step == DONE));
        if (step == COUNT) i_count: assert (loser);
        if (working && had) i_had: assert (o_bind || o_unwindow || o_invalidate || o_query);
        if (step == SUM) i_sum: assert (region || paging);
        if (step == PAGE || step == PAGE_ACK) i_page: assert (paging);
        if (step == PUT) i_put: assert (parks);
        if (step == DRAW || step == DRAWN || step == FRESH) i_draws: assert (makes);
        if (step == FIELDS) i_fields: assert (makes || maps || o_reregister);
        if (step == ARGS || step == LIST) i_maps: assert (maps);
        if (step == LIST_END) i_list_end: assert (maps || o_pd_window || (o_flush && mode[1]));
        if (sorting || sets) i_whole: assert (o_flush && mode[1]);
        if (o_flush && working) i_flush: assert (step == SORT || step == READ || step == WORD || step == JUDGE || step == MATCH || step == LIST_END || raising
            || step == KILL || step == KILLED || step == TRANSFER || step == ANSWER);
        if (o_pd_window && working) i_pd_window: assert (step == SORT || step == LIST_END || step == TRANSFER || step == ANSWER);
        if (o_query && working) i_query: assert (step == SORT || step == READ || step == WORD || step == JUDGE || step == MATCH || step == TRANSFER || step == ANSWER);
        if (paging && working && !judging) i_paging: assert (step == SUM || step == TRANSFER || step == PAGE || step == PAGE_ACK || step == SWEEP || step == PUT
            || step == DONE || step == ANSWER);
        if (o_fill && working) i_fill: assert (step != PUT && step != DONE);
        if (working && maps && step == TRANSFER) i_posts: assert (!late);
        // ---- the list
        if (window && working) i_window: assert (o_pd_window);
        if (base || first || sum || second) i_base: assert (window == o_pd_window);
        if (first || sum || second) i_first: assert (window);
        if (ask || lower || upper || judge || roomy || inline || look || page_put || taking) i_pages: assert (maps);
        if (sets) i_sets: assert (open + set <= LANES - 1);
        if (working && late) i_late: assert (maps && (step == LIST_END || step >= PUT) && step != FIELDS);
        if (look) i_look: assert (late);
        if (taking) i_take: assert (late || wrong);
        if (\dut.list.stepped$q ) i_stepped: assert (inline || taking);
        if (inline || (page_put && !late)) i_inline: assert (!late && count <= `INL && (!page_put || count < `INL));
        if (working && ((judging && !loser) || step == ARGS || step == FIELDS || step == FRESH || step == DRAW || step == DRAWN || (base && !window) || ask || lower || upper || judge
            || roomy)) i_early: assert (open == 0 && !late && count == 0);
        if (first || sum || second || base) i_window_open: assert (open == 0);
        if (!(step == LIST || step == LIST_END || (step == TRANSFER && maps))) i_none: assert (open == 0);
        i_open: assert (open <= 8);
        // pages are written only of a command that is not refused
        if (working && maps && !late && open != 0) i_good: assert (result == 0);
        if (working && step != TRANSFER && step != LIST_END && step != ANSWER) i_clean: assert (result == 0);
        // ---- counts
        i_opv: assert (!opv || step == KILL || sets);
        if (\dut.args.run$q ) i_digits: assert (\dut.args.j$q < DIGITS && !\dut.args.finished$q && (\dut.args.live$q || \dut.args.j$q == 0));
        i_finished: assert (!(\dut.args.live$q && !\dut.args.run$q && \dut.args.finished$q ));
        i_beat: assert (step == WRITE ? at < `MPTN : at == 0 || step == ACK);
        i_beats: assert (beats == (step == WORD ? beats : lower ? 2 : upper || step == ACK || step == PAGE_ACK ? 1 : working && o_flush ? 0 : open));
        if (step == WORD) i_word: assert (\owed.reading && beats >= 1 && beats <= `MPTN && open == 0);
        i_ops: assert (ops == (step == KILLED ? 1 : working && o_flush ? open : 0));
        // ---- how many cycles have gone since the last op, and since lookups were held
        if (number != 0 && !sets && step != KILL) i_quiet: assert (\seldom.quiet >= quiet);
        if (sets && set != LANES - 1) i_close: assert (\seldom.quiet <= opv);
        if (step == SORT) i_top: assert (set == LANES - 1);
        if (sets) i_number: assert (opv || set != LANES - 1 ? number == LANES - 1 - set : number == 0 || \seldom.quiet >= 5);
        if (step == KILL) i_alone: assert (number == 0);
        if (!op_hold) i_free: assert (\holds.free >= (sets ? 4 + (opv || set != LANES - 1) : step == KILL ? 5 : free));
        if (op_hold) i_hold: assert ((sets || acks) && o_flush);
        if (op_hold && \holds.held == 0) i_begins: assert (sets && \holds.free >= 4);
        i_range: assert (\holds.free <= 5 && \seldom.quiet <= 6 && number <= LANES);
        i_held: assert (\holds.held + (op_hold ? hold_rank : 0) <= HELD);
        i_burst: assert (burst == (step == WRITE ? at : sum || second));
        if (\bursts.was ) i_asks: assert (step == READ || step == WRITE || step == PAGE || ask || first || second || (page_put && !bad_page && !open[3]));
        if (\bursts.over ) i_over: assert (!(step == READ || step == WRITE || step == PAGE || ask || first || sum || second || page_put));
        if (\bursts.gap ) i_gap: assert (second || step == WRITE);
        if (sets || step == KILL || opv) i_fed: assert (fed);
        // a kill was raised, or the first of those of the sets, while no lookup was starved
        if (op_valid) a_fed: assert (fed);
        // ops come seldom
        a_few: assert (few);
        // a sweep is asked for until it is done, and not in the cycle after
        if (sweeps) a_sweeps: assert (sweep_valid);
        if (done_sweep) a_swept: assert (!sweep_valid);
        if (working) i_rank: assert (budget >= rank && rank != 0);
        // whatever was begun is over within BOUND cycles, and PAGE_MORE more for each page that was taken
        if (working) a_time: assert (budget != 0);
        // it ends with an answer, or, of what is parked, armed
        if (was && !working) a_ends: assert (ended || (armed && !was_job));
        // of a command that was taken once; of a completion that was taken out of its place once
        if (working) i_taken: assert (taken == (behind || (region && step == ANSWER)));
        if (working) i_popped: assert (popped == (job && step == ANSWER));
        if (was && !working) a_once: assert (was_job ? popped == 1 : taken == 1);
        // who wants the port has it when it is free and its last event is gone
        if (!working && wants && event_valid) i_idle: assert (idle + e <= E);
        if (!working && wants) a_begins: assert (idle <= E + 1);
    end
    logic waited = 0;
    logic turned = 0;                                             // an epoch came round, and was swept
    always @(posedge clock) turned <= !reset && working && (turned || step == SWEEP);
    logic [6:0] age = 0;
    always @(posedge clock) age <= age == 127 ? 127 : age + 1;
    // a run in which nobody lets the port wait, so that the covers are soon found
    logic smooth = 1;
    always @(posedge clock) smooth <= reset || (smooth && icm_ready && (ricm_valid || beats == 0) && op_ready && (op_done || ops == 0) && rsp_ready
        && !starved && !sweep_busy && sweep_done && event_ready && page_valid && wants);
    always @(posedge clock) waited <= !reset && working && (waited || (sorting && starved));
    always @(*) if (!reset) begin
        c_waits: cover (idle == 2);
        c_fed: cover (sets && waited);
    end
    // (each is sought from the cycle on in which it can be; before, that would take the solver long)
    always @(*) if (!reset && smooth) begin
        c_overdue: cover (ended && job && result == 8);
        c_flush: cover (ended && o_flush && mode[1]);
        c_window: cover (ended && o_pd_window);
        c_query: cover (age >= 16 && ended && o_query && result == 0);
        c_drained: cover (age >= 19 && ended && maps && wrong && result == 1);
        c_filled: cover (age >= 24 && ended && o_fill && result == 0);
        c_evicted: cover (age >= 25 && armed && o_evict);
        c_job: cover (age >= 28 && ended && job && ending == 0 && result == 0 && turned);
        c_parked: cover (age >= 33 && armed && o_deregister);
        c_reregistered: cover (age >= 35 && armed && o_reregister && turned);
        c_bound: cover (age >= 60 && ended && o_bind && result == 0 && !unbind);
        c_listed: cover (age >= 69 && ended && o_fast && result == 0 && count == 2);
        c_rebound: cover (age >= 82 && armed && o_bind && !unbind);
        c_made: cover (age >= 85 && ended && o_window && result == 0);
        c_registered: cover (age >= 110 && ended && o_register && result == 0);
    end
endmodule
