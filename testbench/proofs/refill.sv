// SPDX-License-Identifier: MIT OR Apache-2.0
// Property E at the miss unit, and the part of D that is about fetches: `miss`, for any index `I`.
//
// A fill of `I` carries the line of a fetch of `I` that was taken after the last kill of `I`; and when a barrier on `I` has
// stood since the fetch was taken, the barrier still stands and its kill is yet to come. So once a command's entry is
// acknowledged and its barrier down, no line read before is installed. Its beats are written lane by lane, all of one fetch.
`include "env.sv"
`include "miss.svh"

module refill (
    `MISS_INPUTS
);
    `MISS_DUT

    (* anyconst *) wire [`K-1:0] I;
    wire fetch = fetch_valid && fetch_ready;
    wire line = line_valid && line_ready;
    wire killed, filling;
    wire [`NM-1:0] open;
    wire [`BEATCW:0] beat;
    wire [`NMW-1:0] brought;
    env_reset starts (.clock(clock), .reset(reset));
    env_kills kills (.clock(clock), .reset(reset), .take(kill_take), .kind(kill_kind), .index(kill_index), .set(kill_set),
        .barrier(barrier_active), .barrier_index(barrier_index), .killed(killed));
    env_lines lines (.clock(clock), .reset(reset), .fetch(fetch), .fetch_id(fetch_id), .valid(line_valid), .ready(line_ready),
        .id(line_id), .last(line_last), .data(line_data), .open(open), .beat(beat), .id_was(brought));
    env_slots slots (.clock(clock), .reset(reset), .fill(fill_take), .fill_valid(fill_valid), .replay(replay_take),
        .replay_valid(replay_valid), .kill(kill_take), .placed(placed), .filling(filling));

    // what is known of each fetch of I: 0 void, 1 taken outside of a barrier on I, 2 inside one, before its kill
    wire barred = barrier_active && barrier_index == I;
    wire dies = kill_take && (kill_kind == 1 || (kill_kind == 0 && kill_index == I) || (kill_kind == 2 && kill_set == I[`SETW-1:0]));
    logic [1:0] worth [`NM-1:0];
    logic [`NM-1:0] of_I;
    logic [`NM-1:0] seen = 0;      // a barrier on I has stood since the fetch was taken
    integer n;
    always @(posedge clock) begin
        for (n = 0; n < `NM; n = n + 1) begin
            if (dies || (worth[n] == 2 && !barred)) worth[n] <= 0;
            if (barred) seen[n] <= 1;
            if (fetch && fetch_id == n) begin
                of_I[n] <= fetch_index == I;
                worth[n] <= dies ? 0 : !barred ? 1 : killed ? 0 : 2;
                seen[n] <= barred;
            end
        end
    end

    // inside: the state of each MSHR, its owner, and whether its line is void
    (* hierconn *) wire \lines.inside ;
    (* hierconn *) wire [2:0] \dut.state$0$q , \dut.state$1$q ;
    (* hierconn *) wire [`K-1:0] \dut.owner$0$q , \dut.owner$1$q ;
    (* hierconn *) wire \dut.stale$0$q , \dut.stale$1$q ;
    (* hierconn *) wire \dut.meant$0$q , \dut.meant$1$q ;
    (* hierconn *) wire \dut.held_back$0$q , \dut.held_back$1$q ;
    (* hierconn *) wire \dut.offer$q ;
    (* hierconn *) wire [`NMW-1:0] \dut.offer_id$q , \dut.buf_id$q ;
    (* hierconn *) wire [`K-1:0] \dut.offer_index$q ;
    (* hierconn *) wire [2:0] \dut.phase$q ;
    (* hierconn *) wire \dut.wants$q ;
    (* hierconn *) wire [`BEATCW-1:0] \dut.step$q ;
    wire [2:0] state [1:0];
    assign state[0] = \dut.state$0$q , state[1] = \dut.state$1$q ;
    wire [`K-1:0] owner [1:0];
    assign owner[0] = \dut.owner$0$q , owner[1] = \dut.owner$1$q ;
    (* hierconn *) wire \dut.match8$0$q , \dut.match8$1$q ;
    (* hierconn *) wire [`K-1:0] \dut.index8$q ;
    wire [1:0] match = {\dut.match8$1$q , \dut.match8$0$q };
    wire [1:0] stale = {\dut.stale$1$q , \dut.stale$0$q };
    wire [1:0] meant = {\dut.meant$1$q , \dut.meant$0$q };
    wire [1:0] held = {\dut.held_back$1$q , \dut.held_back$0$q };
    wire offer = \dut.offer$q ;
    wire [`NMW-1:0] offered = \dut.offer_id$q , current = \dut.buf_id$q ;
    wire [2:0] phase = \dut.phase$q ;
    // (one index has one MSHR: `a_single`)
    localparam IDLE = 0, LOOK = 1, FILL = 2, DROP = 3, PIPE = 4, WORDS = 5, HAND = 6;
    (* hierconn *) wire [`NM-1:0] \dut.buf_hot$q , \dut.pick$q , \dut.spare$q ;
    (* hierconn *) wire [`K-1:0] \dut.buf_owner$q ;
    (* hierconn *) wire [2:0] \dut.asks$q ;
    (* hierconn *) wire [`NML-1:0] \dut.list$q ;
    (* hierconn *) wire [`NM1-1:0] \dut.list_hot$q ;
    wire busy = phase != IDLE && phase != HAND;

    // one cycle back, for what is compared a cycle ahead
    logic past = 0;
    logic barred_was, aimed_was;
    wire aimed = kill_kind == 1 || (kill_kind == 0 && kill_index == I) || (kill_kind == 2 && kill_set == I[`SETW-1:0]);
    always @(posedge clock) begin past <= !reset; barred_was <= barred; aimed_was <= aimed; end

    genvar g;
    wire [`NM-1:0] ok_open, ok_offer, ok_asked, ok_filled, ok_owner, ok_ahead, ok_state, ok_match, ok_worth, ok_seen, ok_void, ok_held;
    generate for (g = 0; g < `NM; g = g + 1) begin
        // an MSHR whose line was asked for is the one that fetched it
        assign ok_open[g] = !(open[g]) || ((state[g] == 5 || (state[g] == 6 && current == g && (phase == PIPE || phase == WORDS))) && !(offer && offered == g));
        assign ok_offer[g] = !(offer && offered == g) || (state[g] == 5 && owner[g] == \dut.offer_index$q );
        assign ok_asked[g] = !(state[g] == 5) || (open[g] || (offer && offered == g));
        assign ok_filled[g] = !(state[g] == 6) || (open[g]);
        assign ok_owner[g] = !(open[g]) || (of_I[g] == (owner[g] == I));
        assign ok_ahead[g] = !(past && state[g] != 0 && owner[g] == I) || (held[g] == barred_was && meant[g] == aimed_was);
        assign ok_match[g] = !(state[g] != 0) || (past && match[g] == (owner[g] == \dut.index8$q ));
        assign ok_state[g] = state[g] == 0 || state[g] >= 4;
        // what is not void inside is worth something
        assign ok_worth[g] = !(open[g] && owner[g] == I && !stale[g]) || (worth[g] == 1 || (worth[g] == 2 && barred_was && !killed));
        assign ok_seen[g] = !(open[g] && owner[g] == I && worth[g] == 1 && seen[g]) || (barred_was && !killed);
        // an offer that stands when the kill comes is void
        assign ok_void[g] = !(offer && offered == g && owner[g] == I && barred_was && killed) || (stale[g]);
        assign ok_held[g] = !(state[g] == 4 && owner[g] == I && barred_was) || (held[g]);
    end endgenerate

    always @(*) if (!reset) begin
        i_open: assert (&ok_open);
        i_offer: assert (&ok_offer);
        i_asked: assert (&ok_asked);
        i_filled: assert (&ok_filled);
        i_owner: assert (&ok_owner);
        i_ahead: assert (&ok_ahead);
        i_state: assert (&ok_state);
        i_match: assert (&ok_match);
        a_single: assert (!(state[0] != 0 && state[1] != 0 && owner[0] == owner[1]));
        i_worth: assert (&ok_worth);
        i_seen: assert (&ok_seen);
        i_void: assert (&ok_void);
        i_held: assert (&ok_held);
    end

    wire taken_I = fill_take && fill_index == I;
    always @(*) if (!reset) begin
        if (busy) i_busy: assert (open[current] && brought == current);
        if (phase != IDLE) i_hot: assert (\dut.buf_hot$q == (1 << current));
        if (busy) i_buffer: assert (\dut.buf_owner$q == owner[current]);
        if (\dut.asks$q != 0) i_list: assert (\dut.list$q <= `NM && \dut.list_hot$q == (1 << \dut.list$q ));
        i_spare: assert ((\dut.spare$q & (\dut.spare$q - 1)) == 0 && (\dut.spare$q & {state[1] != 0, state[0] != 0}) == 0);
        i_pick: assert ((\dut.pick$q & (\dut.pick$q - 1)) == 0);
        if (busy && beat == 0) i_stands: assert (line_valid && line_id == current);
        i_inside: assert (\lines.inside == (beat != 0) && beat < `MPTW);
        if (!(phase == WORDS || phase == DROP)) i_first: assert (beat == 0);
        if (phase == WORDS) i_step: assert (\dut.step$q == beat && beat < `MPTW);
        if (phase == DROP) i_drop: assert (beat < `MPTW);
        i_wants: assert (!fill_valid || (phase == FILL && !stale[current]));
        i_pipe: assert ((phase == PIPE) == filling);
        i_phase: assert (phase <= HAND);
        // E: what is filled was asked for, under this index, after the last kill of the index
        if (fill_take) a_asked: assert (line_valid && open[line_id] && beat == 0);
        if (taken_I) a_owner: assert (of_I[line_id]);
        if (taken_I) a_fresh: assert (worth[line_id] != 0);
        if (fill_take && fill_index != I) a_other: assert (!of_I[line_id]);
        // D: a barrier that has stood since the fetch was taken still stands, and its kill is yet to come
        if (taken_I && seen[line_id]) a_barrier: assert (barred && !killed);
        // E: beats are written in order, each once, and only of the line that has its place
        if (fill_write != 0) a_beats: assert (line && fill_write == (1 << beat) && fill_data == line_data && phase == WORDS && line_id == current);
        if (line && !dropped && phase == WORDS) a_written: assert (fill_write != 0);
        a_last: assert (fill_end == (fill_write != 0 && line_last));
    end

    logic gone = 0;
    always @(posedge clock) gone <= gone || (dies && open != 0 && of_I != 0);
    always @(*) if (!reset) begin
        c_fill: cover (taken_I);
        c_again: cover (taken_I && gone);
        c_dropped: cover (dropped && of_I[line_id]);
        c_barrier: cover (taken_I && seen[line_id]);
        c_written: cover (fill_end);
    end
endmodule
