// SPDX-License-Identifier: MIT OR Apache-2.0
// Liveness (F) where lookups wait (`miss`, whose lists give anything that `env_turns` lets): for any MSHR `M`, from the miss that took it until it
// is free again, its line there and all its waiters asked, is a number of cycles, not counting those in which a barrier holds it back or a line of
// another stands before its own; a kill of its line lets it begin anew. After three such beginnings `starved` stands until it is free, so it begins anew
// four times at most (`env_fed`).
`include "env.sv"
`include "miss.svh"

module live_miss (
    `MISS_INPUTS
);
    `MISS_DUT
    (* anyconst *) wire M;
    localparam N = `SLOTS;
    localparam IDLE = 0, TURNS = 1, LOADS = 2, READ = 3, GOT = 4, SEND = 5, WAIT = 6;
    localparam LOOK = 1, FILL = 2, DROP = 3, PIPE = 4, WORDS = 5, HAND = 6;
    wire fetch = fetch_valid && fetch_ready;
    wire killed, filling;
    wire [`NM-1:0] open;
    wire [`BEATCW:0] beat;
    wire [`NMW-1:0] brought;
    env_reset starts (.clock(clock), .reset(reset));
    env_lines lines (.clock(clock), .reset(reset), .fetch(fetch), .fetch_id(fetch_id), .valid(line_valid), .ready(line_ready),
        .id(line_id), .last(line_last), .data(line_data), .open(open), .beat(beat), .id_was(brought));
    env_slots slots (.clock(clock), .reset(reset), .fill(fill_take), .fill_valid(fill_valid), .replay(replay_take),
        .replay_valid(replay_valid), .kill(kill_take), .placed(placed), .filling(filling));

    (* hierconn *) wire \lines.inside , \answers.there ;
    (* hierconn *) wire [2:0] \dut.state$0$q , \dut.state$1$q , \dut.phase$q , \dut.asks$q ;
    (* hierconn *) wire \dut.stale$0$q , \dut.stale$1$q , \dut.meant$0$q , \dut.meant$1$q , \dut.held_back$0$q , \dut.held_back$1$q ;
    (* hierconn *) wire [1:0] \dut.tries$0$q , \dut.tries$1$q ;
    (* hierconn *) wire \dut.offer$q , \dut.leaves$q , \dut.lists$has , \dut.lists$popped , \dut.lists$coming , \dut.wants$q , \dut.append , \dut.mine ;
    (* hierconn *) wire [`NMW-1:0] \dut.offer_id$q , \dut.buf_id$q ;
    (* hierconn *) wire [`NM-1:0] \dut.buf_hot$q , \dut.pick$q , \dut.spare$q ;
    (* hierconn *) wire [`NML-1:0] \dut.list$q ;
    (* hierconn *) wire [`NM1-1:0] \dut.list_hot$q ;
    (* hierconn *) wire [`BEATCW-1:0] \dut.step$q ;
    (* hierconn *) wire [`SETW-1:0] \dut.list_set$q ;
    (* hierconn *) wire [`K-1:0] \dut.buf_owner$q ;
    (* hierconn *) wire \dut.found8$q , \dut.mine8$q , \dut.asked$q , \dut.match8$0$q , \dut.match8$1$q ;
    wire [`SETW-1:0] buf_set = \dut.buf_owner$q ;
    wire [2:0] state = M ? \dut.state$1$q : \dut.state$0$q , other = M ? \dut.state$0$q : \dut.state$1$q ;
    wire matches = M ? \dut.match8$1$q : \dut.match8$0$q , others = M ? \dut.match8$0$q : \dut.match8$1$q ;
    wire stale = M ? \dut.stale$1$q : \dut.stale$0$q ;
    // what the pins say of its index, a cycle ago: a barrier on it, a kill that names it
    (* hierconn *) wire [`K-1:0] \dut.owner$0$q , \dut.owner$1$q ;
    wire [`K-1:0] owner = M ? \dut.owner$1$q : \dut.owner$0$q ;
    logic barrier_was = 0, past = 0;
    logic [`K-1:0] barrier_index_was, kill_index_was;
    logic [1:0] kill_kind_was;
    logic [`SETW-1:0] kill_set_was;
    always @(posedge clock) begin
        past <= !reset; barrier_was <= barrier_active; barrier_index_was <= barrier_index;
        kill_kind_was <= kill_kind; kill_index_was <= kill_index; kill_set_was <= kill_set;
    end
    wire held = barrier_was && barrier_index_was == owner;
    wire meant = kill_kind_was == 1 || (kill_kind_was == 2 ? kill_set_was == owner[`SETW-1:0] : kill_index_was == owner);
    wire [1:0] tries = M ? \dut.tries$1$q : \dut.tries$0$q ;
    wire [2:0] phase = \dut.phase$q , asks = \dut.asks$q ;
    wire offer = \dut.offer$q , mine = \dut.buf_id$q == M;
    wire [1:0] pick = \dut.pick$q ;
    wire [`NML-1:0] list = \dut.list$q ;
    wire busy = phase != IDLE && phase != HAND;
    wire [`NMW-1:0] current = \dut.buf_id$q ;
    wire [2:0] its = list == M ? state : other, brought_by = current ? \dut.state$1$q : \dut.state$0$q ;
    wire [`K-1:0] its_owner = list[0] ? \dut.owner$1$q : \dut.owner$0$q ;

    // what it waits for
    localparam F = 35;                          // its fetch is taken (`live_icm`)
    localparam L = 20;                          // the line's first beat comes
    localparam R = 4;                           // the next beat comes
    localparam S = 1;                           // a fill has its slot (`live_front`)
    localparam A = 2;                           // a waiter that asks has its slot (`live_front`)
    localparam T = 2;                           // a fill comes to its way
    localparam G = 7;                           // who has asked leaves its list
    localparam W = 2;                           // who is on the way to the list is in it
    wire [5:0] f, l, r, s, a, t, g, w;
    wire [3:0] n;
    wire stands = line_valid && !line_ready && line_id != M;           // another's line before its own
    env_prompt #(.MOST(F), .W(6)) takes (.clock(clock), .reset(reset), .wants(fetch_valid), .gets(fetch_ready), .left(f));
    env_answers #(.MOST(L), .W(6)) answers (.clock(clock), .reset(reset), .open(open[M]), .began(line_valid && line_id == M), .stands(stands), .left(l));
    env_prompt #(.MOST(R), .W(6)) beats (.clock(clock), .reset(reset), .wants(line_ready), .gets(line_valid), .left(r));
    env_prompt #(.MOST(S), .W(6)) fills (.clock(clock), .reset(reset), .wants(fill_valid), .gets(fill_take), .left(s));
    env_prompt #(.MOST(A), .W(6)) turn (.clock(clock), .reset(reset), .wants(replay_valid), .gets(replay_take), .left(a));
    env_prompt #(.MOST(T), .W(6)) ways (.clock(clock), .reset(reset), .wants(filling), .gets(placed), .left(t));
    env_turns #(.MOST(G), .LATE(W)) turns (.clock(clock), .reset(reset), .asks(asks), .has(\dut.lists$has ), .coming(\dut.lists$coming || (\dut.append && \dut.mine )),
        .leaves(\dut.leaves$q ), .popped(\dut.lists$popped ), .number(n), .left(g), .late(w));
    env_reads reads (.valid(read_valid), .take(read_take));

    // the waiters of one list
    localparam X = 11;
    localparam EACH = 1 + (A + 1) + (G + 1) + (W + 1);
    localparam TURN = 2 + W + 1 + N * EACH;
    wire [X-1:0] rest = (N - n) * EACH;
    wire [X-1:0] asking = asks == IDLE ? 0 : asks == TURNS ? 2 + W + 1 + N * EACH : asks == LOADS ? 1 + W + 1 + N * EACH : asks == READ ? w + 1 + rest
        : asks == GOT ? EACH + rest : asks == SEND ? a + 1 + G + 1 + W + 1 + rest : g + 1 + W + 1 + rest;
    // from the last beat; from the first at hand; from the fetch; from the miss
    localparam DRAIN = TURN + 1 + TURN;
    localparam WRITE = `MPTW * (R + 1) + DRAIN;
    localparam PLACE = T + 1 + WRITE;
    localparam ENTER = S + 1 + PLACE;
    localparam COME = TURN + 1 + ENTER;
    localparam CALL = TURN + 2;
    localparam FETCH = L + 1 + CALL + COME;
    localparam OFFER = F + 1 + FETCH;
    localparam PICK = 2 * F + 5 + OFFER;
    localparam VOID = `MPTW * (R + 1);
    localparam BOUND = F + 1 + L + 1 + CALL + T + 1 + VOID + PICK;
    wire [3:0] words = `MPTW - beat;
    wire [X-1:0] ours = f + 1;
    wire [X-1:0] taken = phase == LOOK ? (stale ? 1 + VOID : asking + 1 + ENTER) : phase == FILL ? (stale ? 1 + VOID : s + 1 + PLACE)
        : phase == DROP ? (words - 4'd1) * (R + 1) + r + 1 : phase == PIPE ? t + 1 + WRITE : (words - 4'd1) * (R + 1) + r + 1 + DRAIN;
    // a void line goes by, or is written for nothing, and then all begins anew
    wire [X-1:0] void_line = phase == LOOK || phase == FILL ? 1 + VOID : phase == DROP || phase == WORDS ? (words - 4'd1) * (R + 1) + r + 1 : t + 1 + VOID;
    wire here = busy && mine;
    wire [X-1:0] called = (phase == HAND ? (asks == IDLE ? 0 : asking) + 1 : 0) + 1;
    logic [X-1:0] rank;
    always @(*) begin
        rank = 0;
        if (state == 4) rank = pick[M] ? (offer ? ours : 0) + 1 + OFFER : pick != 0 ? (offer ? ours : 0) + 1 + F + 1 + 1 + OFFER
            : (offer ? ours : 0) + 2 + F + 1 + 1 + OFFER;
        if (state == 5 || state == 6) rank = here ? (stale ? void_line + PICK : taken)
            : (offer && \dut.offer_id$q == M ? ours + L + 1 + CALL : line_valid && line_id == M ? called : l + 1 + CALL) + (stale ? 1 + VOID + PICK : COME);
        if (state == 7) rank = phase == HAND && mine ? (asks == IDLE ? 0 : asking) + 1 + TURN : asking;
    end
    logic [X-1:0] budget = BOUND;
    logic [2:0] begun = 0;
    logic [2:0] state_was = 0;
    // a kill sends it back: once more for a line that is void already is nothing, nor before its fetch
    wire dies = kill_take && meant && (((state == 5 || state == 6) && !stale) || state == 7);
    wire late;
    env_fed fed (.clock(clock), .reset(reset), .starved(starved), .hit(dies), .late(late));
    logic [2:0] dead = 0;
    always @(posedge clock) dead <= reset || state == 0 ? 0 : dead == 7 ? 7 : dead + dies;
    wire waits = state == 4 && held;
    always @(posedge clock) begin
        budget <= reset || state == 0 || dies || waits ? BOUND : stands ? budget : budget - 1;
        state_was <= reset ? 0 : state;
    end
    wire again = (state_was >= 5) && state == 4;
    always @(posedge clock) begin
        begun <= reset || state == 0 ? 0 : again && begun != 7 ? begun + 1 : begun;
    end
    // a fill in the next slot is some cycles away
    logic [3:0] since = 9, asked = 3;
    always @(posedge clock) begin
        since <= reset ? 9 : fill_take ? 0 : since == 9 ? 9 : since + 1;
        asked <= reset ? 3 : replay_take ? 0 : asked == 3 ? 3 : asked + 1;
    end

    wire [1:0] hot = 1 << current;
    always @(*) if (!reset) begin
        // as in `refill` and `waiters`
        i_state: assert ((state == 0 || state >= 4) && (other == 0 || other >= 4));
        i_open: assert (!open[M] || ((state == 5 || (state == 6 && here)) && !(offer && \dut.offer_id$q == M)));
        i_open_2: assert (!open[!M] || ((other == 5 || (other == 6 && busy && !mine)) && !(offer && \dut.offer_id$q != M)));
        i_asked: assert ((state != 5 || open[M] || (offer && \dut.offer_id$q == M)) && (other != 5 || open[!M] || (offer && \dut.offer_id$q != M)));
        i_offer: assert (!offer || (\dut.offer_id$q == M ? state == 5 : other == 5));
        i_filled: assert ((state != 6 || (here && open[M] && (phase == PIPE || phase == WORDS))) && (other != 6 || (busy && !mine)));
        i_line: assert (!here || (phase == PIPE || phase == WORDS ? state == 6 : state == 5));
        i_held: assert (state == 0 || (past && held == (M ? \dut.held_back$1$q : \dut.held_back$0$q ) && meant == (M ? \dut.meant$1$q : \dut.meant$0$q )));
        i_busy: assert (!busy || (open[current] && brought == current));
        if (phase != IDLE) i_hot: assert (\dut.buf_hot$q == hot);
        if (past) i_found: assert (\dut.found8$q == ((\dut.state$0$q != 0 && \dut.match8$0$q ) || (\dut.state$1$q != 0 && \dut.match8$1$q )));
        if (asks != IDLE && list < `NM) i_lives: assert ((its == 4 || its == 5 || its == 7) && \dut.list_set$q == its_owner[`SETW-1:0]
            && !((phase == FILL || phase == PIPE || phase == WORDS || phase == HAND) && current == list));
        if (phase == HAND) i_hand: assert (brought_by == 4 || brought_by == 5 || brought_by == 7);
        if (phase != IDLE) i_buffer: assert (\dut.buf_owner$q == (current ? \dut.owner$1$q : \dut.owner$0$q ));
        if (asks >= LOADS) i_found_list: assert (\dut.mine8$q == (list < `NM && (list == M ? matches : others)) && (list == `NM || \dut.asked$q == (its == 7)));
        i_phase: assert (phase <= HAND && asks <= WAIT);
        i_spare: assert ((\dut.spare$q & (\dut.spare$q - 1)) == 0 && (!\dut.spare$q [M] || state == 0) && (!\dut.spare$q [!M] || other == 0));
        i_pick: assert ((pick & (pick - 1)) == 0);
        if (busy && beat == 0) i_stands: assert (line_valid && line_id == current);
        i_inside: assert (\lines.inside == (beat != 0) && beat < `MPTW);
        if (!(phase == WORDS || phase == DROP)) i_first: assert (beat == 0);
        if (phase == WORDS) i_step: assert (\dut.step$q == beat);
        i_wants: assert (!fill_valid || (phase == FILL && !(current ? \dut.stale$1$q : \dut.stale$0$q )));
        i_pipe: assert ((phase == PIPE) == filling);
        if (state == 7) i_turn: assert ((asks != IDLE && list == M) || (phase == HAND && mine));
        if (other == 7) i_other: assert ((asks != IDLE && list == !M) || (phase == HAND && !mine));
        if (asks != IDLE) i_list: assert (list <= `NM && \dut.list_hot$q == (1 << list));
        if (here && phase == FILL && !stale) i_fills: assert (fill_valid);
        if (here && phase == DROP) i_drops: assert (stale);
        if (\answers.there && open[M]) i_there: assert (here || (line_valid && line_id == M));
        i_number: assert (asks <= LOADS || n <= N);
        if (asks >= GOT) i_one: assert (n != 0);
        if (asks == TURNS || asks == LOADS) i_none: assert (n == 0);
        i_leaves: assert (!\dut.leaves$q || asks == SEND || asks == WAIT);
        if (asks == WAIT) i_wait: assert (\dut.leaves$q );
        if (state != 0) i_rank: assert (budget >= rank && budget <= BOUND);
        if (state != 0) i_more: assert (rank != 0);
        // F: free again
        if (state != 0) a_free: assert (budget != 0);
        // who began three times anew is told, until it is free
        i_begun: assert (state == 0 || tries == (begun + again >= 3 ? 3 : begun + again));
        if (state != 0 && begun >= 3) a_starved: assert (starved);
        // each beginning is one kill's, and there are four at most
        if (state == 4 || state == 7) i_valid: assert (!stale);
        if (state != 0) i_dead: assert (dead == {1'b0, begun} + again + stale);
        if (state != 0) i_late: assert (dead <= 3 + late);
        if (state != 0) a_few: assert (dead <= 4);
        // who asks meets the line: no other comes to its set meanwhile (with `a_found` of `cache`)
        if ((phase == FILL || phase == PIPE || phase == WORDS) && asks != IDLE && list < `NM) i_apart: assert (\dut.list_set$q != buf_set);
        if (fill_take && asks != IDLE && list < `NM) a_apart: assert (fill_index[`SETW-1:0] != \dut.list_set$q );
        // fills and waiters that ask leave slots to the others (`env_spaced`)
        i_range: assert (since <= 9 && asked <= 3);
        i_since: assert (since == 9 || (phase == PIPE ? 1 : phase == WORDS ? since >= beat + 1 : phase == HAND ? since >= 6 : phase == IDLE ? since >= 6 : phase == LOOK ? since >= 7 : since >= 8));
        if (fill_valid) a_fills: assert (since >= 8);
        i_asks: assert (asked == 3 || (asks == GOT ? asked >= 1 : asks == SEND ? asked >= 2 : 1));
        if (replay_valid) a_replays: assert (asked >= 2);
    end
    logic was_held = 0;
    always @(posedge clock) was_held <= !reset && state != 0 && (was_held || waits);
    always @(*) if (!reset) begin
        c_free: cover (state_was == 7 && state == 0 && n == 2);
        c_held: cover (state == 5 && was_held && begun == 1);
        c_again: cover (starved && begun == 3);
        c_stands: cover (stands && state == 5 && open[M]);
        c_last: cover (late && dead == 4);
    end
endmodule
