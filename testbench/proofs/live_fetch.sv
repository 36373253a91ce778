// SPDX-License-Identifier: MIT OR Apache-2.0
// Liveness (F) at the walker's miss unit (`mtt_miss`): a port that waits for a line, any port `P`, runs again within a number of cycles, not counting those
// in which words wait for the line before to be installed; what its region's end makes void in between included.
`include "env.sv"
`include "fetch.svh"

module live_fetch (
    `FETCH_INPUTS
);
    `FETCH_DUT
    (* anyconst *) wire P;
    env_reset starts (.clock(clock), .reset(reset));
    env_words arrive (.clock(clock), .reset(reset), .fetch(fetch_valid && fetch_ready), .fetch_port(fetch_port), .valid(word_valid),
        .ready(word_ready), .port(word_port), .last(word_last), .take(fill_take), .fill_valid(fill_valid), .done(fill_done),
        .missed(missed), .hold(hold));
    env_word stays (.clock(clock), .reset(reset), .valid(word_valid), .ready(word_ready), .port(word_port));

    (* hierconn *) wire \dut.busy$0$q , \dut.busy$1$q , \dut.orphan$0$q , \dut.orphan$1$q , \dut.full$q , \dut.sent$q , \dut.wants$q , \dut.void_t$q ;
    (* hierconn *) wire [1:0] \dut.state$0$q , \dut.state$1$q , \dut.turn$q , \dut.phase$q , \dut.buf_port$q , \dut.other$0$q , \dut.other$1$q , \dut.alike$q ;
    (* hierconn *) wire [1:0] \dut.fair.ahead$0$q , \dut.fair.ahead$1$q ;
    (* hierconn *) wire [`PORTW-1:0] \dut.turn_port$q ;
    (* hierconn *) wire [1:0] \arrive.owes , \arrive.held , \arrive.held2 ;
    (* hierconn *) wire \arrive.filling , \mine.there , \others.there ;
    (* hierconn *) wire [`K-1:0] \dut.index$0$q , \dut.index$1$q , \dut.f_index$0$q , \dut.f_index$1$q , \dut.t_index$q ;
    (* hierconn *) wire [`EPW-1:0] \dut.epoch$0$q , \dut.epoch$1$q , \dut.f_epoch$0$q , \dut.f_epoch$1$q , \dut.t_epoch$q ;
    wire [`K+`EPW-1:0] its = P ? {\dut.index$1$q , \dut.epoch$1$q } : {\dut.index$0$q , \dut.epoch$0$q };
    wire [`K+`EPW-1:0] fetched = P ? {\dut.f_index$1$q , \dut.f_epoch$1$q } : {\dut.f_index$0$q , \dut.f_epoch$0$q };
    wire [1:0] turn = \dut.turn$q , phase = \dut.phase$q , buf_port = \dut.buf_port$q , busy = {\dut.busy$1$q , \dut.busy$0$q };
    wire [1:0] orphans = {\dut.orphan$1$q , \dut.orphan$0$q };
    wire [1:0] state = P ? \dut.state$1$q : \dut.state$0$q , other = P ? \dut.state$0$q : \dut.state$1$q ;
    wire full = \dut.full$q , sent = \dut.sent$q ;
    localparam PICK = 0, COMPARE = 1, DECIDE = 2, OFFER = 3;

    localparam F = 35;                          // its fetch is taken (`live_icm`)
    localparam L = 20;                          // the words come
    localparam S = 3;                           // the line has its slot (`live_pages`)
    localparam D = 5;                           // and has left the pipe
    wire [5:0] f, lp, lo, s, d;
    wire stands = word_valid && !word_ready;
    env_prompt #(.MOST(F), .W(6)) takes (.clock(clock), .reset(reset), .wants(fetch_valid), .gets(fetch_ready), .left(f));
    env_answers #(.MOST(L), .W(6)) mine (.clock(clock), .reset(reset), .open(\arrive.owes [P]), .began(word_valid && word_port == P),
        .stands(stands), .left(lp));
    env_answers #(.MOST(L), .W(6)) others (.clock(clock), .reset(reset), .open(\arrive.owes [!P]), .began(word_valid && word_port != P),
        .stands(stands), .left(lo));
    env_prompt #(.MOST(S), .W(6)) fills (.clock(clock), .reset(reset), .wants(fill_valid), .gets(fill_take), .left(s));
    env_prompt #(.MOST(D), .W(6)) leaves (.clock(clock), .reset(reset), .wants(\arrive.filling ), .gets(fill_done), .left(d));

    localparam X = 9;
    // a line in the buffer, until it is installed; a fetch, from its taking; a turn, from its choice
    localparam LINE = 1 + S + 1 + D + 1;
    localparam FLY = L + 1 + LINE + 1 + LINE;
    localparam TURN = 2 + F + 1;
    localparam OWN = 1 + TURN + FLY + 1;
    localparam BOUND = F + 1 + FLY + 1 + TURN + OWN;
    wire [X-1:0] line = (orphans & buf_port) != 0 && !sent ? 1 : sent ? d + 1 : \dut.wants$q ? s + 1 + D + 1 : LINE;
    wire in_mine = full && buf_port[P], in_other = full && buf_port[!P];
    wire [X-1:0] flies = in_mine ? line : word_valid && word_port == P ? (full ? line : 0) + 1 + LINE : lp + 1 + LINE + 1 + LINE;
    wire [X-1:0] flies_other = in_other ? line : word_valid && word_port != P ? (full ? line : 0) + 1 + LINE : lo + 1 + LINE + 1 + LINE;
    wire [X-1:0] in_turn = phase == COMPARE ? TURN : phase == DECIDE ? F + 2 : f + 1;
    wire joined = busy[!P] && !orphans[!P] && (P ? \dut.other$1$q [0] : \dut.other$0$q [1]);
    wire asks = other == 1 && !busy[!P];
    wire first = !asks || (P ? !\dut.fair.ahead$1$q [0] : !\dut.fair.ahead$0$q [1]);
    logic [X-1:0] rank;
    always @(*) begin
        rank = 0;
        if (state == 3) rank = joined ? flies_other + 1 : 1;
        if (state == 2) rank = flies;
        if (state == 1) rank = busy[P] ? flies + 1 + TURN + OWN
            : phase == PICK ? (first ? 0 : 1 + TURN) + OWN
            : turn[P] ? in_turn + FLY + 1 + (phase == OFFER && \dut.void_t$q ? 1 + TURN + OWN : 0) : in_turn + OWN;
    end
    logic [X-1:0] budget = BOUND;
    logic [X-1:0] waited = 0;
    always @(posedge clock) begin
        budget <= reset || state == 0 ? BOUND : stands ? budget : budget - 1;
        waited <= reset || state == 0 ? 0 : waited + 1;
    end
    always @(*) if (!reset) begin
        i_turns: assert (!\dut.fair.ahead$0$q [0] && !\dut.fair.ahead$1$q [1] && \dut.fair.ahead$0$q [1] != \dut.fair.ahead$1$q [0]);
        if (phase != PICK) i_turn: assert ((turn == 1 || turn == 2) && (turn & busy) == 0);
        if (phase == DECIDE || phase == OFFER) i_port: assert (turn[\dut.turn_port$q ]);
        if (phase != PICK && turn[!P]) i_next: assert (P ? !\dut.fair.ahead$1$q [0] : !\dut.fair.ahead$0$q [1]);
        if (full) i_buffer: assert (buf_port == 1 || buf_port == 2);
        i_owes: assert (\arrive.owes == (busy & ~(buf_port & {2{full}})) && (!full || (busy & buf_port) != 0));
        i_filling: assert (\arrive.filling == sent && (!sent || full));
        if (\dut.wants$q ) i_wants: assert (full && !sent && (orphans & buf_port) == 0);
        if (state == 2) i_two: assert (busy[P] && !orphans[P]);
        if (state == 2) i_same: assert (its == fetched);
        if ((phase == DECIDE || phase == OFFER) && turn[P] && state == 1 && !\dut.void_t$q ) i_aim: assert (its == {\dut.t_index$q , \dut.t_epoch$q });
        if (state == 3) i_three: assert (P ? \dut.other$1$q == 1 : \dut.other$0$q == 2);
        if (other == 3) i_third: assert (P ? \dut.other$0$q == 2 : \dut.other$1$q == 1);
        if (phase == COMPARE && turn[P]) i_held: assert (\arrive.held [P]);
        if (phase == DECIDE && turn[P]) i_decide: assert (\arrive.held2 [P] && state <= 1 && !\dut.void_t$q );
        if (phase == OFFER && turn[P] && !\dut.void_t$q ) i_goes: assert (state == 1);
        if (phase == COMPARE && turn[!P]) i_held_2: assert (\arrive.held [!P]);
        if (phase == DECIDE && turn[!P]) i_decide_2: assert (\arrive.held2 [!P] && other <= 1);
        if ((phase == COMPARE || phase == OFFER) && turn[P]) i_offer: assert (state <= 1);
        if ((phase == COMPARE || phase == OFFER) && turn[!P]) i_offer_2: assert (other <= 1);
        if (\mine.there ) i_there: assert (!\arrive.owes [P] || (word_valid && word_port == P));
        if (\others.there ) i_there_2: assert (!\arrive.owes [!P] || (word_valid && word_port != P));
        if (state != 0) i_rank: assert (budget >= rank && budget <= BOUND && rank != 0);
        // F: it runs again
        if (state != 0) a_runs: assert (hold[P] && budget != 0);
    end
    logic void_was = 0, joins = 0;
    always @(posedge clock) begin
        void_was <= !reset && state != 0 && (void_was || (state == 1 && busy[P]));
        joins <= !reset && state == 3;
    end
    always @(*) if (!reset) begin
        c_runs: cover (waited > 5 && fill_done && in_mine && state == 2);
        c_joins: cover (joins && state == 0);
        c_void: cover (void_was && state == 2);
        c_stands: cover (stands && state != 0);
    end
endmodule
