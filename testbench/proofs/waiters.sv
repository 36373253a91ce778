// SPDX-License-Identifier: MIT OR Apache-2.0
// Property C where lookups wait: the lists of the miss unit (`miss`). Every lookup that missed is in one list, at one place,
// until it asks again; it asks once for each time it missed; its list is that of an MSHR that lives and has its index, or the
// overflow list, so none is forgotten.
//
// The ghost knows of every slot its list (`at`, NM is overflow) and its place in it (0 is the head).
`include "env.sv"

module waiters (
    input logic clock,
    input logic reset,
    input logic [2:0] kind,
    input logic [`K-1:0] index,
    input logic is_miss,
    input logic [`SLOTW-1:0] slot,
    input logic kill_take,
    input logic [1:0] kill_kind,
    input logic [`K-1:0] kill_index,
    input logic [`SETW-1:0] kill_set,
    input logic barrier_active,
    input logic [`K-1:0] barrier_index,
    input logic fetch_ready,
    input logic line_valid,
    input logic [`NMW-1:0] line_id,
    input logic [`BEAT-1:0] line_data,
    input logic line_last,
    input logic fill_take,
    input logic placed,
    input word_t read_word,
    input logic replay_take
);
    wire starved, fetch_valid, line_ready, fill_valid, fill_end, read_valid, replay_valid, missed, merged, dropped;
    wire [`NMW-1:0] fetch_id;
    wire [`K-1:0] fetch_index, fill_index;
    wire [`MPTW-1:0] fill_write;
    wire [`BEAT-1:0] fill_data;
    wire [`SLOTW-1:0] read_slot;
    req_t replay;
    \latchkey_core$miss dut (
        .clock(clock), .reset(reset), .kind(kind), .index(index), .is_miss(is_miss), .slot(slot), .kill_take(kill_take),
        .kill_kind(kill_kind), .kill_index(kill_index), .kill_set(kill_set), .barrier_active(barrier_active),
        .barrier_index(barrier_index), .starved(starved), .fetch_valid(fetch_valid), .fetch_ready(fetch_ready),
        .fetch_id(fetch_id), .fetch_index(fetch_index), .line_valid(line_valid), .line_ready(line_ready), .line_id(line_id),
        .line_data(line_data), .line_last(line_last), .fill_valid(fill_valid), .fill_index(fill_index), .fill_take(fill_take),
        .placed(placed), .fill_write(fill_write), .fill_data(fill_data), .fill_end(fill_end), .read_valid(read_valid),
        .read_slot(read_slot), .read_take(read_valid), .read_word(read_word), .replay_valid(replay_valid), .replay(replay),
        .replay_take(replay_take), .missed(missed), .merged(merged), .dropped(dropped)
    );
    localparam N = `SLOTS;
    localparam M = `NM1;

    (* hierconn *) wire \dut.append , \dut.pop , \dut.free ;
    (* hierconn *) wire [`NML-1:0] \dut.target , \dut.list$q ;
    (* hierconn *) wire [`SLOTW-1:0] \dut.after , \dut.word_slot$q , \dut.slot8$q , \dut.link$q ;
    (* hierconn *) wire \dut.linked$q ;
    (* hierconn *) wire [1:0] \dut.asks$q ;
    (* hierconn *) wire [2:0] \dut.phase$q ;
    (* hierconn *) wire [`NMW-1:0] \dut.buf_id$q ;
    (* hierconn *) wire \dut.leaves$q ;
    (* hierconn *) wire [N*`SLOTW-1:0] \dut.next.all ;
    (* hierconn *) wire \dut.has$0$q , \dut.has$1$q , \dut.has$2$q ;
    (* hierconn *) wire [`SLOTW-1:0] \dut.head$0$q , \dut.head$1$q , \dut.head$2$q , \dut.tail$0$q , \dut.tail$1$q , \dut.tail$2$q ;
    (* hierconn *) wire [2:0] \dut.state$0$q , \dut.state$1$q ;
    (* hierconn *) wire [`K-1:0] \dut.owner$0$q , \dut.owner$1$q , \dut.index8$q ;
    (* hierconn *) wire \dut.match8$0$q , \dut.match8$1$q ;
    (* hierconn *) wire \dut.extra_out$q ;
    (* hierconn *) wire [`SLOTW-1:0] \dut.extra_slot$q ;
    wire [M-1:0] has = {\dut.has$2$q , \dut.has$1$q , \dut.has$0$q };
    wire [M*`SLOTW-1:0] head = {\dut.head$2$q , \dut.head$1$q , \dut.head$0$q };
    wire [M*`SLOTW-1:0] tail = {\dut.tail$2$q , \dut.tail$1$q , \dut.tail$0$q };
    wire [3*`NM-1:0] state = {\dut.state$1$q , \dut.state$0$q };
    wire [`NM*`K-1:0] owner = {\dut.owner$1$q , \dut.owner$0$q };
    wire [`NM-1:0] match = {\dut.match8$1$q , \dut.match8$0$q };
    wire append = \dut.append , pop = \dut.pop ;
    wire [`NML-1:0] target = \dut.target , list = \dut.list$q ;
    wire [`SLOTW-1:0] comes = \dut.slot8$q , asker = \dut.word_slot$q ;
    localparam IDLE = 0, READ = 1, GOT = 2, SEND = 3;
    wire [1:0] asks = \dut.asks$q ;

    // the ghost
    logic [N-1:0] inside = 0;                 // waits in a list
    logic [N-1:0] owed = 0;                   // has missed and not asked again
    logic [N*`NML-1:0] at;
    logic [N*`SLOTW-1:0] place;
    logic [N*`K-1:0] wants;
    logic [M*(`SLOTW+1)-1:0] count = 0;
    wire [`SLOTW-1:0] asked = {replay.port, replay.tag};
    integer x, l;
    always @(posedge clock) begin
        for (x = 0; x < N; x = x + 1) begin
            if (pop && inside[x] && at[x*`NML +: `NML] == list) begin
                place[x*`SLOTW +: `SLOTW] <= place[x*`SLOTW +: `SLOTW] - 1;
                if (place[x*`SLOTW +: `SLOTW] == 0) inside[x] <= 0;
            end
            if (append && comes == x) begin
                inside[x] <= 1;
                at[x*`NML +: `NML] <= target;
                place[x*`SLOTW +: `SLOTW] <= size(target) - (pop && target == list);
                wants[x*`K +: `K] <= \dut.index8$q ;
            end
            if (replay_take && asked == x) owed[x] <= 0;
            if (append && comes == x) owed[x] <= 1;
        end
        for (l = 0; l < M; l = l + 1)
            count[l*(`SLOTW+1) +: `SLOTW+1] <= size(l) + (append && target == l) - (pop && list == l);
        if (reset) begin inside <= 0; owed <= 0; count <= 0; end
    end
    function [`SLOTW:0] size(input [`NML-1:0] of);
        size = count >> (of * (`SLOTW + 1));
    endfunction
    // how many slots wait there
    function [`SLOTW:0] number(input [`NML-1:0] of);
        integer i;
        begin
            number = 0;
            for (i = 0; i < N; i = i + 1) number = number + (inside[i] && at[i*`NML +: `NML] == of);
        end
    endfunction
    function [`NML-1:0] at_of(input [`SLOTW-1:0] s);
        at_of = at >> (s * `NML);
    endfunction
    function [`SLOTW-1:0] place_of(input [`SLOTW-1:0] s);
        place_of = place >> (s * `SLOTW);
    endfunction

    env_reset starts (.clock(clock), .reset(reset));
    env_slots slots (.clock(clock), .reset(reset), .fill(fill_take), .fill_valid(fill_valid), .replay(replay_take),
        .replay_valid(replay_valid), .kill(kill_take), .placed(placed), .filling());
    env_misses misses (.clock(clock), .reset(reset), .kind(kind), .is_miss(is_miss), .slot(slot), .owed(owed), .comes(comes), .append(append));

    // a miss at s7 is one append a cycle later
    logic miss8 = 0;
    logic [`SLOTW-1:0] slot8;
    always @(posedge clock) begin
        miss8 <= kind == 1 && is_miss && !reset;
        slot8 <= slot;
    end

    logic ok_place, ok_next, ok_owner, ok_owed, ok_distinct, ok_lists, ok_free, ok_match;
    integer a, b;
    logic [`SLOTW-1:0] after;
    always @(*) begin
        ok_place = 1; ok_next = 1; ok_owner = 1; ok_owed = 1; ok_distinct = 1; ok_lists = 1; ok_free = 1; ok_match = 1;
        for (a = 0; a < N; a = a + 1) begin
            if (inside[a]) begin
                if (!(at[a*`NML +: `NML] <= `NM && {1'b0, place[a*`SLOTW +: `SLOTW]} < size(at[a*`NML +: `NML]))) ok_place = 0;
                // the link to the next one of its list
                after = \dut.next.all [a*`SLOTW +: `SLOTW];
                if ({1'b0, place[a*`SLOTW +: `SLOTW]} + 1 < size(at[a*`NML +: `NML]))
                    if (!(inside[after] && at_of(after) == at[a*`NML +: `NML] && place_of(after) == place[a*`SLOTW +: `SLOTW] + 1)) ok_next = 0;
                for (b = 0; b < a; b = b + 1)
                    if (inside[b] && at[a*`NML +: `NML] == at[b*`NML +: `NML] && place[a*`SLOTW +: `SLOTW] == place[b*`SLOTW +: `SLOTW]) ok_distinct = 0;
                for (b = 0; b < `NM; b = b + 1)
                    if (at[a*`NML +: `NML] == b && !(state[3*b +: 3] != 0 && owner[b*`K +: `K] == wants[a*`K +: `K])) ok_owner = 0;
                if (!owed[a]) ok_owed = 0;
            end
            if (owed[a] && !(inside[a] || (asks == SEND && asker == a))) ok_owed = 0;
        end
        for (b = 0; b < M; b = b + 1) begin
            if (has[b] != (size(b) != 0) || size(b) != number(b)) ok_lists = 0;
            if (has[b]) begin
                after = head[b*`SLOTW +: `SLOTW];
                if (!(inside[after] && at_of(after) == b && place_of(after) == 0)) ok_lists = 0;
                after = tail[b*`SLOTW +: `SLOTW];
                if (!(inside[after] && at_of(after) == b && {1'b0, place_of(after)} + 1 == size(b))) ok_lists = 0;
            end
        end
        for (b = 0; b < `NM; b = b + 1) begin
            if (state[3*b +: 3] > 4 || (state[3*b +: 3] == 0 && has[b])) ok_free = 0;
            if (state[3*b +: 3] == 4 && !((asks != IDLE && list == b) || (\dut.phase$q == 6 && \dut.buf_id$q == b))) ok_free = 0;
            if (!past && state[3*b +: 3] != 0) ok_match = 0;
            if (past && state[3*b +: 3] != 0 && match[b] != (owner[b*`K +: `K] == \dut.index8$q )) ok_match = 0;
        end
    end
    logic past = 0;
    always @(posedge clock) past <= !reset;
    logic [`SLOTW-1:0] asker_was;
    always @(posedge clock) asker_was <= asker;

    always @(*) if (!reset) begin
        i_place: assert (ok_place);
        i_distinct: assert (ok_distinct);
        i_next: assert (ok_next);
        i_lists: assert (ok_lists);
        i_match: assert (ok_match);
        if (asks != IDLE) i_list: assert (list <= `NM);
        if (asks == GOT) i_got: assert (has[list] && inside[asker] && at_of(asker) == list && place_of(asker) == 0);
        i_leaves: assert (!pop || asks == SEND);
        if (pop) i_pop: assert (inside[asker] && at_of(asker) == list && place_of(asker) == 0);
        if (pop && size(list) > 1) i_after: assert (inside[\dut.after ] && at_of(\dut.after ) == list && place_of(\dut.after ) == 1);
        if (asks == SEND && !pop) i_send: assert (!inside[asker]);
        if (asks == SEND) i_asker: assert (owed[asker]);
        // C: every miss is remembered, and where it is remembered it is looked after
        a_append: assert (append == miss8 && (!append || comes == slot8));
        a_owed: assert (ok_owed);
        a_owner: assert (ok_owner);
        a_free: assert (ok_free);
        // C: it asks once
        if (replay_take) a_once: assert (owed[asked]);
        if (replay_take && pop) a_asker: assert (asked == asker);
        if (append) a_new: assert (!owed[comes]);
    end
    always @(*) if (!reset) begin
        c_three: cover (size(0) == 3);
        c_overflow: cover (size(`NM) == 2 && has[0] && has[1]);
        c_again: cover (replay_take && list == `NM);
        c_replay: cover (replay_take && list == 0 && has[0] && inside == 3);
        c_freed: cover (past && state == 0 && fill_index != 0);
        c_both: cover (pop && append && target == list);
    end
endmodule
