// SPDX-License-Identifier: MIT OR Apache-2.0
// Property C where lookups wait: the lists of the miss unit (`miss`). Every lookup that missed is in one list, at one place,
// until it asks again; it asks once for each time it missed; its list is that of an MSHR that lives and has its index, or the
// overflow list, so none is forgotten.
//
// The ghost is the list of every slot (`at`; NM is the overflow list). That the lists keep the order and lose nobody is shown by
// `lists`; here it is assumed (`env_waiting`) of who is said to be first. A lookup that missed is on its way to its list for one cycle
// (`append9`); who is asked leaves its list as it asks, or later, when appends to other lists keep the tables busy.
`include "env.sv"
`include "miss.svh"

module waiters (
    `MISS_INPUTS
);
    `MISS_DUT
    localparam N = `SLOTS;
    localparam M = `NM1;
    localparam S = `SLOTW;
    localparam IDLE = 0, TURN = 1, LOAD = 2, READ = 3, GOT = 4, SEND = 5, WAIT = 6;
    localparam LOOK = 1, FILL = 2, DROP = 3, PIPE = 4, WORDS = 5, HAND = 6;

    (* hierconn *) wire \dut.append , \dut.lists.go , \dut.lists.over , \dut.lists.append9$q , \dut.lists.mine9$q , \dut.lists.w_has$q ;
    (* hierconn *) wire [M-1:0] \dut.lists.hot9$q , \dut.lists.any$q , \dut.list_hot$q ;
    (* hierconn *) wire [S-1:0] \dut.lists.slot9$q , \dut.lists.w_head$q    ;
    (* hierconn *) wire [`NML-1:0] \dut.list$q ;
    (* hierconn *) wire \dut.lists$mine ;
    (* hierconn *) wire [M-1:0] \dut.into ;
    (* hierconn *) wire [`SETW-1:0] \dut.list_set$q ;
    (* hierconn *) wire [S-1:0] \dut.word_slot$q , \dut.slot8$q ;
    (* hierconn *) wire [2:0] \dut.asks$q , \dut.phase$q , \dut.state$0$q , \dut.state$1$q , \dut.kind8$q ;
    (* hierconn *) wire [`NMW-1:0] \dut.buf_id$q , \dut.offer_id$q ;
    (* hierconn *) wire [`NM-1:0] \dut.buf_hot$q , \dut.spare$q , \dut.pick$q ;
    (* hierconn *) wire \dut.leaves$q , \dut.miss8$q , \dut.match8$0$q , \dut.match8$1$q , \dut.offer$q , \dut.wants$q , \dut.stale$0$q , \dut.stale$1$q ;
    (* hierconn *) wire [`K-1:0] \dut.owner$0$q , \dut.owner$1$q , \dut.index8$q , \dut.buf_owner$q ;
    (* hierconn *) wire \dut.found8$q , \dut.mine8$q , \dut.asked$q ;
    (* hierconn *) wire \lines.inside ;
    wire append = \dut.append , go = \dut.lists.go , leaves = \dut.leaves$q ;
    wire [`NML-1:0] list = \dut.list$q ;
    wire [S-1:0] comes = \dut.slot8$q , asker = \dut.word_slot$q ;
    wire [2:0] asks = \dut.asks$q , phase = \dut.phase$q ;
    wire [3*`NM-1:0] state = {\dut.state$1$q , \dut.state$0$q };
    wire [`NM*`K-1:0] owner = {\dut.owner$1$q , \dut.owner$0$q };
    wire [`NM-1:0] match = {\dut.match8$1$q , \dut.match8$0$q };
    wire [`NMW-1:0] current = \dut.buf_id$q ;
    wire [M-1:0] list_hot = \dut.list_hot$q , any = \dut.lists.any$q ;
    // what is put into a list now
    wire put = \dut.lists.append9$q , mine = \dut.lists.mine9$q ;
    wire [M-1:0] hot = \dut.lists.hot9$q ;
    wire [S-1:0] put_slot = \dut.lists.slot9$q ;
    wire [1:0] target = hot[1] ? 1 : hot[2] ? 2 : 0;
    wire blocked = leaves && put && target != list;

    // the ghost
    logic [N-1:0] inside = 0;                 // is in a list
    logic [N-1:0] owed = 0;                   // has missed and not asked again
    logic [N*2-1:0] at;
    logic [N*`K-1:0] wants;
    logic [`K-1:0] index9;
    logic [3:0] late = 0;                     // cycles the asker has been kept from leaving
    logic [3:0] since = 0;                    // and since it asked
    wire [S-1:0] asked = {replay.port, replay.tag};
    integer m;
    always @(posedge clock) begin
        index9 <= \dut.index8$q ;
        if (append) begin owed[comes] <= 1; wants[comes*`K +: `K] <= \dut.index8$q ; end
        if (replay_take) owed[asked] <= 0;
        if (go) inside[asker] <= 0;
        if (put) begin
            inside[put_slot] <= 1;
            at[put_slot*2 +: 2] <= target;
        end
        late <= asks == GOT ? 0 : late + blocked;
        since <= asks == SEND && replay_take ? 1 : since == 15 ? 15 : since + 1;
        if (reset) begin inside <= 0; owed <= 0; late <= 0; end
    end
    // who is in list `of`
    function [N-1:0] members(input [1:0] of);
        for (m = 0; m < N; m = m + 1) members[m] = inside[m] && at[m*2 +: 2] == of;
    endfunction
    function [N-1:0] only(input [S-1:0] who);
        for (m = 0; m < N; m = m + 1) only[m] = who == m;
    endfunction
    function [2:0] state_of(input [1:0] of);
        state_of = of[0] ? state[5:3] : state[2:0];
    endfunction
    function [`K-1:0] owner_of(input [1:0] of);
        owner_of = of[0] ? owner[`K +: `K] : owner[0 +: `K];
    endfunction

    wire [`NM-1:0] open;
    wire [`BEATCW:0] beat;
    wire [`NMW-1:0] brought;
    wire filling;
    env_reset starts (.clock(clock), .reset(reset));
    env_lines lines (.clock(clock), .reset(reset), .fetch(fetch_valid && fetch_ready), .fetch_id(fetch_id), .valid(line_valid),
        .ready(line_ready), .id(line_id), .last(line_last), .data(line_data), .open(open), .beat(beat), .id_was(brought));
    env_slots slots (.clock(clock), .reset(reset), .fill(fill_take), .fill_valid(fill_valid), .replay(replay_take),
        .replay_valid(replay_valid), .kill(kill_take), .placed(placed), .filling(filling));
    env_misses misses (.clock(clock), .reset(reset), .kind(kind), .is_miss(is_miss), .slot(slot), .owed(owed), .comes(comes), .append(append),
        .asks(replay_take), .asked(asked));
    (* hierconn *) wire [6*S-1:0] \misses.who ;
    (* hierconn *) wire [5:0] \misses.there ;

    wire [M*N-1:0] in = {members(2), members(1), members(0)};
    wire [N-1:0] ours = list == 0 ? in[0 +: N] : list == 1 ? in[N +: N] : in[2*N +: N];
    logic [2:0] asks_was = 0;
    logic [S-1:0] asker_was;
    logic [`NML-1:0] list_was;
    always @(posedge clock) begin asks_was <= reset ? 0 : asks; asker_was <= asker; list_was <= list; end
    env_waiting waiting (.clock(clock), .reset(reset), .works(asks >= READ), .has(\dut.lists.w_has$q ), .head(\dut.lists.w_head$q ),
        .popped(go), .ours(ours), .over(\dut.lists.over ), .last(in[2*N +: N] != 0 || (put && hot[`NM])));

    // a miss at s7 is one append a cycle later
    logic miss8 = 0, past = 0;
    logic [S-1:0] slot8;
    always @(posedge clock) begin
        miss8 <= kind == 1 && is_miss && !reset;
        slot8 <= slot;
        past <= !reset;
    end

    logic ok_place, ok_owner, ok_owed, ok_left, ok_free, ok_match, ok_state, ok_open;
    integer a, i;
    logic [3:0] others;
    always @(*) begin
        ok_place = 1; ok_owner = 1; ok_owed = 1; ok_left = 1; ok_free = 1; ok_match = 1;
        ok_state = 1; ok_open = 1; others = 0;
        for (a = 0; a < N; a = a + 1) begin
            if (inside[a]) begin
                if (at[a*2 +: 2] > `NM) ok_place = 0;
                if (at[a*2 +: 2] < `NM && !(state_of(at[a*2 +: 2]) >= 4 && owner_of(at[a*2 +: 2]) == wants[a*`K +: `K])) ok_owner = 0;
                if (!owed[a] && !(asks == WAIT && asker == a)) ok_left = 0;
            end
            if (owed[a] && !(inside[a] || (put && put_slot == a) || (asks == SEND && asker == a))) ok_owed = 0;
            others = others + (inside[a] && at[a*2 +: 2] != list);
        end
        for (a = 0; a < `NM; a = a + 1) begin
            if (state_of(a) == 0 && (in[a*N +: N] != 0 || (put && hot[a]))) ok_free = 0;
            if (state_of(a) == 7 && !((asks != IDLE && list == a) || (phase == HAND && current == a))) ok_free = 0;
            if (!past && state_of(a) != 0) ok_match = 0;
            if (past && state_of(a) != 0 && match[a] != (owner_of(a) == \dut.index8$q )) ok_match = 0;
            for (i = 0; i < a; i = i + 1) if (state_of(a) != 0 && state_of(i) != 0 && owner_of(a) == owner_of(i)) ok_match = 0;
            if (!(state_of(a) == 0 || state_of(a) >= 4)) ok_state = 0;
            if (state_of(a) == 6 && !((phase == PIPE || phase == WORDS) && current == a && open[a])) ok_state = 0;
            if (state_of(a) == 5 && !(open[a] || (\dut.offer$q && \dut.offer_id$q == a))) ok_open = 0;
            if (open[a] && !((state_of(a) == 5 || state_of(a) == 6) && !(\dut.offer$q && \dut.offer_id$q == a))) ok_open = 0;
            if (\dut.offer$q && \dut.offer_id$q == a && state_of(a) != 5) ok_open = 0;
        end
    end
    wire of_asked = asks != IDLE && list < `NM;
    wire busy = phase != IDLE && phase != HAND;
    wire [2:0] its = state_of(list);

    always @(*) if (!reset) begin
        // the MSHRs and the line that has come (as in `refill`)
        i_state: assert (ok_state);
        i_open: assert (ok_open);
        i_match: assert (ok_match);
        // known a cycle ahead: whether a miss finds an MSHR, that of the list that asks, and whether that one's line stands
        if (past) i_found: assert (\dut.found8$q == ((state[2:0] != 0 && match[0]) || (state[5:3] != 0 && match[1])));
        if (of_asked && asks >= LOAD) i_found_list: assert (\dut.mine8$q == match[list] && \dut.asked$q == (its == 7));
        i_spare: assert ((\dut.spare$q & (\dut.spare$q - 1)) == 0 && (\dut.spare$q & {state[5:3] != 0, state[2:0] != 0}) == 0);
        i_pick: assert ((\dut.pick$q & (\dut.pick$q - 1)) == 0);
        i_phase: assert (phase <= HAND && asks <= WAIT);
        if (phase != IDLE) i_buffer: assert (\dut.buf_hot$q == (1 << current) && \dut.buf_owner$q == owner_of(current));
        if (busy) i_busy: assert (open[current] && brought == current && state_of(current) == ((phase == PIPE || phase == WORDS) ? 6 : 5));
        if (phase == HAND) i_hand: assert (state_of(current) == 7 || state_of(current) == 5 || state_of(current) == 4);
        if (busy && beat == 0) i_stands: assert (line_valid && line_id == current);
        i_inside: assert (\lines.inside == (beat != 0) && beat < `MPTW);
        if (!(phase == WORDS || phase == DROP)) i_first: assert (beat == 0);
        i_wants: assert (!\dut.wants$q || (phase == FILL && !(current ? \dut.stale$1$q : \dut.stale$0$q )));
        i_pipe: assert ((phase == PIPE) == filling);
        // whose turn it is
        if (asks != IDLE) i_list: assert (list <= `NM && list_hot == (1 << list));
        if (of_asked) i_asked: assert ((its == 4 || its == 5 || its == 7) && \dut.list_set$q == (owner_of(list) & ((1 << `SETW) - 1))
            && !((phase == FILL || phase == PIPE || phase == WORDS || phase == HAND) && current == list));
        // the lists are those of the ghost
        if (put) i_put: assert ((hot == 1 || hot == 2 || hot == 4) && owed[put_slot] && !inside[put_slot] && wants[put_slot*`K +: `K] == index9);
        if (put && target < `NM) i_owned: assert (state_of(target) >= 4 && owner_of(target) == index9);
        // so the lists are used as `env_lists` says
        if (append) i_hot: assert (\dut.into == 1 || \dut.into == 2 || \dut.into == 4);
        if (asks == IDLE) i_idle: assert (!leaves);
        i_turn: assert (asks >= READ ? asks_was >= LOAD : asks == LOAD ? asks_was == TURN : asks == IDLE || asks_was == IDLE);
        if (asks >= LOAD) i_stays: assert (list == list_was);
        if (asks >= TURN) i_own: assert (!append || \dut.lists$mine == \dut.into [list]);
        if (asks >= LOAD) i_mine: assert (mine == (put && target == list));
        i_place: assert (ok_place);
        if (asks == GOT) i_got: assert (\dut.lists.w_has$q && asker == \dut.lists.w_head$q );
        i_leaves: assert (!leaves || asks == SEND || asks == WAIT);
        if (asks == WAIT) i_wait: assert (leaves && !owed[asker]);
        if (leaves) i_head: assert (\dut.lists.w_has$q && asker == \dut.lists.w_head$q && asks_was >= GOT && asker == asker_was);
        if (asks == SEND) i_send: assert (owed[asker] && inside[asker] == leaves && !(put && put_slot == asker));
        // who has asked is out of its list before it can miss again: it waits no longer than there are others to append
        if (leaves) i_others: assert (others >= late);
        if (asks == WAIT) i_since: assert (late >= since && since != 0);
        if (asks == WAIT && since <= 6) i_history: assert (\misses.there [since - 1] && (\misses.who >> ((since - 1) * S) & 7) == asker);
        if (append) i_comes: assert (!inside[comes] && !(put && put_slot == comes));
        // C: every miss is remembered, and where it is remembered it is looked after
        a_append: assert (append == miss8 && (!append || comes == slot8));
        a_owed: assert (ok_owed);
        a_left: assert (ok_left);
        a_owner: assert (ok_owner);
        a_free: assert (ok_free);
        // C: it asks once
        if (replay_take) a_once: assert (owed[asked] && asked == asker);
        if (append) a_new: assert (!owed[comes]);
    end
    always @(*) if (!reset) begin
        c_three: cover (in[0 +: 3] == 7);
        c_overflow: cover ((in[2*N +: 2]) == 3 && in[0 +: N] != 0 && in[N +: N] != 0);
        c_again: cover (replay_take && list == `NM);
        c_replay: cover (replay_take && list == 0 && in[0 +: 2] == 3);
        c_freed: cover (past && state == 0 && fill_index != 0);
        c_both: cover (go && put && target == list);
        c_late: cover (late == 2 && asks == WAIT);
    end
endmodule
