// SPDX-License-Identifier: MIT OR Apache-2.0
// Properties B and D at the walker's miss unit (`mtt_miss`): a line that is installed is the words that came for the fetch of a port,
// under the region, epoch and line that fetch was made for, from the address base + line of the op that missed; and no line of
// a region is installed whose fetches were declared void (`orphan`) since the op missed. An op that misses in that very cycle counts as behind
// it: of a mapping that ends there is none (`walk`, `a_missed`), and after an eviction its fetch is yet to be asked for. Watched: port `P`.
`include "env.sv"
`include "fetch.svh"

module fetch (
    `FETCH_INPUTS
);
    `FETCH_DUT
    (* anyconst *) wire P;
    env_reset starts (.clock(clock), .reset(reset));
    // the op P missed with, what was chosen to be fetched for it, its fetch, and the words that came for it; each is void once
    // its region was declared so
    op_t want, aim, got;
    logic open = 0, void_ = 0, void_want = 0, void_aim = 0, came = 0;
    logic [`MELINE-1:0] words;
    (* hierconn *) wire [1:0] \dut.turn$q , \dut.phase$q , \dut.buf_port$q ;
    wire [1:0] turn = \dut.turn$q , phase = \dut.phase$q , buf_port = \dut.buf_port$q ;
    localparam PICK = 0, COMPARE = 1, DECIDE = 2, OFFER = 3;
    wire chosen = phase == COMPARE && turn[P];
    wire asks = fetch_valid && fetch_ready && fetch_port == P;
    wire word = word_valid && word_ready && word_port == P;
    wire names_want = orphan_valid && orphan_index == want.index && orphan_epoch == want.epoch;
    wire names_aim = orphan_valid && orphan_index == aim.index && orphan_epoch == aim.epoch;
    wire names_got = orphan_valid && orphan_index == got.index && orphan_epoch == got.epoch;
    logic mine = 0;                // the words that stand are P's
    always @(posedge clock) begin
        if (names_want) void_want <= 1;
        if (missed[P]) begin want <= op; void_want <= 0; end
        if (names_aim) void_aim <= 1;
        if (chosen) begin aim <= want; void_aim <= void_want || names_want; end
        if (open && names_got) void_ <= 1;
        if (asks) begin open <= 1; came <= 0; got <= aim; void_ <= void_aim || names_aim; end
        if (word) begin words <= word_data; came <= 1; end
        if (word_valid && word_ready) mine <= word_port == P;
        if ((dropped || fill_done) && mine) open <= 0;
        if (reset) begin open <= 0; came <= 0; mine <= 0; void_ <= 0; end
    end
    wire [1:0] busy = {\dut.busy$1$q , \dut.busy$0$q };
    env_words arrive (.clock(clock), .reset(reset), .fetch(fetch_valid && fetch_ready), .fetch_port(fetch_port), .valid(word_valid),
        .ready(word_ready), .port(word_port), .last(word_last), .take(fill_take), .fill_valid(fill_valid), .done(fill_done),
        .missed(missed), .hold(hold));

    (* hierconn *) wire \dut.busy$0$q , \dut.busy$1$q , \dut.orphan$0$q , \dut.orphan$1$q , \dut.full$q , \dut.sent$q , \dut.wants$q , \dut.void_t$q ;
    (* hierconn *) wire [1:0] \dut.state$0$q , \dut.state$1$q ;
    (* hierconn *) wire [1:0] \dut.fair.ahead$0$q , \dut.fair.ahead$1$q ;
    (* hierconn *) wire [`PORTW-1:0] \dut.turn_port$q ;
    (* hierconn *) wire [`K-1:0] \dut.index$0$q , \dut.index$1$q , \dut.f_index$0$q , \dut.f_index$1$q , \dut.t_index$q ;
    (* hierconn *) wire [`EPW-1:0] \dut.epoch$0$q , \dut.epoch$1$q , \dut.f_epoch$0$q , \dut.f_epoch$1$q , \dut.t_epoch$q ;
    (* hierconn *) wire [`MLINEW-1:0] \dut.line$0$q , \dut.line$1$q , \dut.f_line$0$q , \dut.f_line$1$q , \dut.t_line$q ;
    (* hierconn *) wire [`MAW-1:0] \dut.addr$0$q , \dut.addr$1$q , \dut.t_addr$q ;
    (* hierconn *) wire [`MELINE-1:0] \dut.held_line$q ;
    (* hierconn *) wire \arrive.filling ;
    (* hierconn *) wire [1:0] \arrive.owes , \arrive.held , \arrive.held2 ;
    wire [1:0] state = P ? \dut.state$1$q : \dut.state$0$q ;
    wire orphan = P ? \dut.orphan$1$q : \dut.orphan$0$q ;
    wire [1:0] orphans = {\dut.orphan$1$q , \dut.orphan$0$q };
    wire full = \dut.full$q , sent = \dut.sent$q , of_P = buf_port[P];
    wire [`MLINEW-1:0] want_line = want.pn >> `MEB, got_line = got.pn >> `MEB, aim_line = aim.pn >> `MEB;
    wire [`MAW-1:0] want_addr = want.base + ((want.pn >> `MEB) << `MEB), aim_addr = aim.base + ((aim.pn >> `MEB) << `MEB);

    // the fetch of the other port: under way, and for which line
    wire flies = busy[!P] && !orphans[!P];
    wire of_want = want.index == (P ? \dut.f_index$0$q : \dut.f_index$1$q ) && want.epoch == (P ? \dut.f_epoch$0$q : \dut.f_epoch$1$q )
        && want_line == (P ? \dut.f_line$0$q : \dut.f_line$1$q );
    (* hierconn *) wire [1:0] \dut.other$0$q , \dut.other$1$q , \dut.alike$q ;
    wire [1:0] other = P ? \dut.other$1$q : \dut.other$0$q ;
    wire same = want.index == aim.index && want.epoch == aim.epoch && want_line == aim_line && want_addr == aim_addr;

    always @(*) if (!reset) begin
        i_open: assert (open == busy[P]);
        if (state != 0 || \arrive.held [P]) i_want: assert (want.index == (P ? \dut.index$1$q : \dut.index$0$q )
            && want.epoch == (P ? \dut.epoch$1$q : \dut.epoch$0$q ) && want_line == (P ? \dut.line$1$q : \dut.line$0$q )
            && want_addr == (P ? \dut.addr$1$q : \dut.addr$0$q ));
        // who waits waits for what is not void
        if (state != 0) i_alive: assert (!void_want);
        i_turns: assert (!\dut.fair.ahead$0$q [0] && !\dut.fair.ahead$1$q [1] && \dut.fair.ahead$0$q [1] != \dut.fair.ahead$1$q [0]);
        if (phase != PICK) i_turn: assert ((turn == 1 || turn == 2) && (turn & busy) == 0);
        if (phase == DECIDE || phase == OFFER) i_port: assert (turn[\dut.turn_port$q ]);
        if (chosen) i_held: assert (\arrive.held [P]);
        if (phase == DECIDE && turn[P]) i_decide: assert (\arrive.held2 [P] && (state == 0 ? 1 : state == 1 && same && !void_aim && !\dut.void_t$q ));
        if ((phase == DECIDE || phase == OFFER) && turn[P]) i_aim: assert (aim.index == \dut.t_index$q && aim.epoch == \dut.t_epoch$q
            && aim_line == \dut.t_line$q && aim_addr == \dut.t_addr$q );
        if (phase == OFFER && turn[P]) i_offer: assert (void_aim == \dut.void_t$q && (void_aim || (state == 1 && same)));
        if (open) i_got: assert (got.index == (P ? \dut.f_index$1$q : \dut.f_index$0$q ) && got.epoch == (P ? \dut.f_epoch$1$q : \dut.f_epoch$0$q )
            && got_line == (P ? \dut.f_line$1$q : \dut.f_line$0$q ) && orphan == void_);
        if (phase == DECIDE && turn[P] && state == 1 && flies) i_alike: assert (\dut.alike$q [!P] == of_want);
        // who waits for the fetch of another waits for one of its own line
        if (state == 3) a_joined: assert (other == (P ? 1 : 2) && (!flies || of_want));
        if (full) i_buffer: assert (buf_port == 1 || buf_port == 2);
        i_owes: assert (\arrive.owes == (busy & ~(buf_port & {2{full}})) && (!full || (busy & buf_port) != 0));
        i_filling: assert (\arrive.filling == sent && (!sent || full));
        if (\dut.wants$q ) i_wants: assert (full && !sent && (orphans & buf_port) == 0);
        if (full) i_mine: assert (mine == of_P);
        if (full && mine) i_words: assert (came && \dut.held_line$q == words && open);
        // a port is held since it missed (what `walk` shows of such a port is what is assumed of misses here)
        if (hold[P]) a_waits: assert (waits);
        // B: what is asked for is the line of the op that missed
        if (asks) a_asked: assert (fetch_addr == aim_addr && !open);
        // B, D: what is installed is what came for it, and it is not void: its region was not declared so since the op missed
        if (fill_take && mine) a_words: assert (open && came && fill_data == words && fill_index == got.index && fill_epoch == got.epoch
            && fill_line == got_line);
        if (fill_take && mine) a_void: assert (!void_);
        if (sent) a_stands: assert (fill_data == was_data);
    end
    logic waits = 0;
    always @(posedge clock) waits <= !reset && (missed[P] || (waits && hold[P]));
    logic [`MELINE-1:0] was_data;
    always @(posedge clock) was_data <= fill_data;
    always @(*) if (!reset) begin
        c_fill: cover (fill_take && mine && fill_data == 7);
        c_void: cover (dropped && mine);
        c_joins: cover (hold == 3 && \dut.state$0$q == 3);
        c_joined: cover (hold == 3 && \dut.state$1$q == 3);
        c_second: cover (fill_take && mine && busy == 3);
    end
endmodule
