// SPDX-License-Identifier: MIT OR Apache-2.0
// What has happened at the registration port with the later commands, for the entry of index `I` in memory, and the invariants that carry it
// on: included in the module of each proof about it, behind `LIFE_DUT` and `I`.
    localparam W = `MPTN * `BEAT;
    env_reset starts (.clock(clock), .reset(reset));
    wire [W-1:0] memory;
    wire in_use, owed;
    wire [1:0] owed_end;
    wire reading;
    wire [3:0] beat;
    localparam C = 5 + 8 + 3 * 32 + `PDW + `VAW + `RLW + 3 + `PAW + `PNW + 2 + 24 + 8;
    env_life #(.C(C)) life (.clock(clock), .reset(reset), .reg_valid(reg_valid), .reg_ready(reg_ready), .command({reg_op, reg_tag, reg_key, reg_key2,
        reg_access, reg_pd, reg_iova, reg_length, reg_page, reg_base, reg_pages, reg_mode, reg_qpn, reg_extra}), .read(read),
        .of_I(idx == I), .ricm_valid(ricm_valid), .ricm_last(ricm_last), .ricm_data(ricm_data), .memory(memory), .takes_op(takes_op),
        .op_done(op_done), .room(room), .watching(watching), .avail(avail), .put(put), .grab(grab), .give(give), .registers(o_register),
        .judged(\dut.list$judged ), .list_code(\dut.list$code ), .sets(step == LIST_END && scoped), .list_op(\dut.list$op_want ), .reading(reading), .beat(beat));
    env_life_index indices (.clock(clock), .reset(reset), .idle(step == IDLE), .done_valid(\dut.park$done_valid ), .done_end(\dut.park$done_end ),
        .done_I(\dut.park$done_index == I), .avail(avail), .pick_I(\dut.alloc$pick == I), .in_use(in_use), .owed(owed), .owed_end(owed_end));

    (* hierconn *) wire \life.mine , \life.killing , \dut.list$ended , \dut.args$done , \dut.args$ok , \dut.cipher$busy , \dut.list$icm_valid ;
    // how far the entry is turned, and what it is when it is at home
    logic [3:0] turned = 0;
    always @(posedge clock) if (reset) turned <= 0; else if (shift) turned <= turned == `MPTN - 1 ? 0 : turned + 1;
    wire [W-1:0] turns [`MPTN-1:0];
    genvar g;
    assign turns[0] = all;
    generate for (g = 1; g < `MPTN; g = g + 1) assign turns[g] = {all[W-1-g*`BEAT:0], all[W-1:W-g*`BEAT]}; endgenerate
    wire [W-1:0] home = turns[turned];
    hot_t hot, old;
    assign hot = home[`HOTB-1:0];
    assign old = memory[`HOTB-1:0];
    wire is_window = hot.kind == 2 || hot.kind == 3 || hot.kind == 4;
    wire was_window = old.kind == 2 || old.kind == 3 || old.kind == 4;

    // the entry of I in memory: at first any, be it in use already, or its completion owed
    (* anyconst *) wire [W-1:0] first;
    hot_t first_hot;
    assign first_hot = first[`HOTB-1:0];
    logic [W-1:0] kept;
    assign memory = kept;
    always @(posedge clock) if (reset) kept <= first; else if (written && idx == I) kept <= home;
    // whose entry is at home; its hot words are as they were read; so are all
    logic [`K-1:0] owner;
    logic pure = 0, still = 0;
    always @(posedge clock) begin
        if (read) begin owner <= idx; pure <= 1; still <= 1; end
        if (recasts) begin pure <= 0; still <= 0; end
        if (\dut.flow$up || \dut.flow$down || \dut.flow$chain || \dut.flow$fresh ) still <= 0;
        if (morph) owner <= reg_key[8+:`K];
    end
    // the command: the index it is about, and what has come of it
    logic [`K-1:0] target;
    logic killed = 0, out = 0;                        // its kill has had its slot under the barrier; has left the pipe
    logic parked = 0;                                 // it was put and is not armed
    logic wrote = 0, acked = 0;                       // its entry was written under the barrier; acknowledged
    logic voided = 0, paged = 0, swept = 0;
    logic tied_then, rested = 0;
    logic [`EPW-1:0] epoch;
    always @(posedge clock) begin
        if (placed) tied_then <= tied;
        if (step == MATCH) target <= idx;
        if (takes_op && bar) killed <= 1;
        if (op_done && killed) out <= 1;
        if (put) begin parked <= 1; epoch <= orphan_epoch; end
        if (arm) parked <= 0;
        if (written && bar) wrote <= 1;
        if (step == ACK && ricm_valid && bar) acked <= 1;
        if (orphan_valid) voided <= 1;
        if (step == PAGE_ACK && ricm_valid) paged <= 1;
        if (step == SWEEP && sweep_done) swept <= 1;
        if (step == RAISE && !sweep_busy) rested <= 1;
        if (step == IDLE || reset) begin killed <= 0; out <= 0; parked <= 0; wrote <= 0; acked <= 0; voided <= 0; paged <= 0; swept <= 0; rested <= 0; end
    end
    // an index is in use from the command that takes it on; a completion is owed from the command that ends its life on
    logic used = 0, owes = 0;
    logic [1:0] owes_end;
    (* anyconst *) wire begins, begins_end;
    wire begins_owed = begins && first_hot.state == 1;
    assign in_use = used, owed = owes, owed_end = owes_end;
    always @(posedge clock) begin
        if (grab && idx == I) used <= 1;
        if (give && idx == I) used <= 0;
        if (put && !put_seen && \dut.flow$put_end != 2 && idx == I) begin owes <= 1; owes_end <= \dut.flow$put_end ; end
        if (pop && idx == I && ending != 2) owes <= 0;
        if (reset) begin used <= first_hot.state >= 2 || begins_owed; owes <= begins_owed; owes_end <= begins_end; end
    end

    // ---- steps, by what is true in them
    wire at_home = step != WORD && step != WRITE;
    wire under = step == KILL || step == KILLED || step == FIT || step == WRITE || step == ACK;
    wire changes = !job && !o_flush && !region && !loser;
    wire judging = step == SORT || step == READ || step == WORD || step == JUDGE || step == MATCH;
    // a command that was not refused, behind its match; one that changes an entry by its key
    wire accepted = !job && result == 0 && step != IDLE && step != OVERDUE && (!judging || region || loser);
    wire keyed = accepted && (ends || o_fast || o_reregister || o_bind);
    wire made = accepted && makes && avail;
    wire moves_on = ends || o_reregister || (o_bind && had);
    // the entry at home is the one of `idx`
    wire entry_known = (step == WORD || step == JUDGE || step == MATCH_REGION || step == SUM || step == FRESH || step == DRAW || step == DRAWN
        || step == FIELDS || step == ARGS || step == LIST || step == MORPH || step == PUT || step == RAISE || step == KILL || step == KILLED
        || step == FIT || step == WRITE || step == ACK || step == COUNT || step == LINK || step == SWEEP || step == PAGE || step == PAGE_ACK
        || ((step == TRANSFER || step == LIST_END) && (keyed || made || (accepted && (o_fill || o_evict))))
        || (step == DONE && !had)) && !scoped && !(makes && !avail);
    wire matching = step == MATCH && !(makes && !avail);
    wire about = accepted && (keyed || made || o_fill || o_evict) && !region && !loser && step != DONE && step != ANSWER;
    wire maps = o_register || o_fast || (o_reregister && \dut.flow.named$q [0]);
    wire waits = ends || o_reregister || o_bind || o_evict;
    (* hierconn *) wire \life.stands , \life.room_was , \life.watching_was , \life.put_was , \life.moves , \life.moved ;
    (* hierconn *) wire [`EPW-1:0] \dut.entry.epoch_q$q ;
    (* hierconn *) wire [2:0] \dut.entry.kind_q$q ;
    wire [7:0] bound = home[`MPTLINE + 24 + `K +: 8];
    // word by word: what was read is what is in memory, and stays so
    generate for (g = 0; g < `MPTN; g = g + 1) begin
        wire [`BEAT-1:0] it = home[g*`BEAT +: `BEAT], there = memory[g*`BEAT +: `BEAT];
        wire [`BEAT-1:0] seen = g < `HOTB / `BEAT ? ~0 : g == `HOTB / `BEAT ? (1 << (`HOTB % `BEAT)) - 1 : 0;
        always @(*) if (!reset) begin
            if (step == WORD && idx == I && g < turned) assert (it == there);
            if ((entry_known || matching) && step != WORD && owner == I && pure) assert ((it & seen) == (there & seen));
            if ((entry_known || matching) && step != WORD && owner == I && still) assert (it == there);
        end
    end endgenerate
    (* hierconn *) wire \dut.flow.judge.first_q$q , \dut.flow.judge.asleep_q$q , \dut.flow.judge.rest_q$q , \dut.flow.judge.window_q$q ,
        \dut.flow.judge.mapped_q$q , \dut.flow.judge.pd_q$q , \dut.flow.judge.asks_pd$q , \dut.flow.judge.asks_whose$q , \dut.flow.judge.whose_q$q ;
    (* hierconn *) wire [3:0] \dut.flow.judge.code1$q , \dut.flow.judge.code2$q ;
    wire type2 = hot.kind == 3 || hot.kind == 4, plain = hot.kind <= 1, same_pd = hot.pd == reg_pd;
    wire misfit = o_deregister ? is_window : o_fast ? hot.kind != 1 || hot.state != 2 : o_invalidate ? !(hot.kind == 1 || type2) || hot.state != 3
        : o_reregister ? hot.kind != 0 : o_bind ? !is_window || (type2 && hot.state == 3) : o_unwindow ? !is_window
        : (o_fill || o_evict) && (!plain || hot.state != 3 || !hot.rights[6]);
    wire [3:0] against = hot.state == 0 ? 2 : hot.state == 1 && !o_query ? 3 : misfit ? 10 : 0;
    wire [3:0] remains = (o_deregister || o_invalidate || o_reregister) && bound != 0 && !is_window ? 13 : 0;
    logic bar_was = 0, acks_was, takes_was = 0;
    logic [`K-1:0] op_index_was, bar_index_was;
    logic [1:0] op_kind_was;
    always @(posedge clock) begin
        bar_was <= bar && !reset; acks_was <= step == ACK && ricm_valid; bar_index_was <= barrier_index;
        op_index_was <= op_index; op_kind_was <= op_kind; takes_was <= takes_op;
    end

    // what a lookup could see
    wire differs = written && idx == I && hot != old;
    wire visible = differs && (hot.state == 3 || old.state == 3);
    // the entry of I is its command's to write, and was not written by it yet
    wire held_back = parked && target == I && !wrote && !o_evict;
    wire taking = makes && idx == I && wrote && (step == ACK || step == DONE);
    wire completes = job && idx == I && (step == ACK || step == DONE);
    always @(*) if (!reset) begin
        // ---- the entry at home, and in memory
        i_turned: assert (turned < `MPTN && (!at_home || turned == 0));
        if (step == WORD) i_word: assert (reading && turned == beat);
        if (step != WORD) i_read: assert (!reading);
        if (reading) i_mine: assert (\life.mine == (idx == I));
        if (step == WRITE) i_beat: assert (turned == \dut.flow.beat$q );
        if (step != WRITE && step != ACK) i_no_beat: assert (\dut.flow.beat$q == 0);
        if (entry_known) i_owner: assert (owner == idx);
        if (step == WORD || step == JUDGE) i_fresh: assert (pure && still);
        if (matching) i_match: assert (pure && still && owner == idx && !region && !loser);
        // ---- what speaks against the command was judged in the step before, by this entry and this command
        if (matching && !makes && !job) i_judged: assert (\dut.flow.judge.code1$q == against && \dut.flow.judge.first_q$q == (hot.state == 1 || against != 0)
            && \dut.flow.judge.asleep_q$q == (o_flush && hot.state != 3) && \dut.flow.judge.code2$q == remains && \dut.flow.judge.rest_q$q == (remains != 0)
            && \dut.flow.judge.window_q$q == is_window && \dut.flow.judge.mapped_q$q == (hot.state == 3) && \dut.flow.judge.pd_q$q == same_pd
            && \dut.flow.judge.asks_pd$q == (o_fast || o_bind) && \dut.flow.judge.asks_whose$q == o_invalidate
            && \dut.flow.judge.whose_q$q == ((same_pd || hot.kind == 3) && (hot.qpn == reg_qpn[`QPW-1:0] || !type2)));
        if (step == MATCH_REGION) i_judged_2: assert (\dut.flow.judge.code1$q == (hot.state == 0 ? 2 : hot.state == 1 ? 3 : hot.kind > 1 ? 10 : 0)
            && \dut.flow.judge.first_q$q == (hot.state <= 1 || hot.kind > 1) && \dut.flow.judge.asleep_q$q == (hot.state == 2)
            && \dut.flow.judge.asks_pd$q && \dut.flow.judge.pd_q$q == same_pd && \dut.flow.judge.rest_q$q == (\dut.flow.judge.code2$q != 0));
        if (step == KILL || step == KILLED || step == FIT) i_judged_3: assert (\dut.flow.judge.window_q$q == is_window);
        // ---- the order of steps (of `life`, which has no limits)
        i_no_limits: assert (step < LEDGER);
        if (step != IDLE) i_flags: assert ((!region || (o_bind && !loser)) && (!loser || had) && (!(job && step != IDLE) || !(region || had || unbind || loser)) && (!unbind || o_bind));
        if (!region && !loser && step != IDLE && judging && step != MATCH) i_fresh_flags: assert (!had && !unbind);
        if (step == SORT) i_sort: assert (!region && !loser);
        if (step != IDLE && (placed || \dut.flow.beyond$q )) i_placed: assert (step == READ && !job && !region && !loser && placed == (waits || o_bind));
        if (judging) i_unrefused: assert (result == 0);
        if (op_valid && o_flush && mode == 1) i_epoch_op: assert (step == KILL);
        if (step == KILL && o_flush && mode == 1) i_rested: assert (rested);
        if (waits && !job && !loser && step != IDLE && step != SORT && !placed && step != ANSWER && result == 0 && !parked && !wrote) i_room:
            assert (\life.room_was && (o_evict ? !\life.watching_was : !tied_then));
        if (had && step != IDLE) i_had_by: assert (o_bind || o_unwindow || o_invalidate);
        if (step == MATCH) i_no_flags: assert (!had && !unbind && !region && !loser);
        if (region) i_region: assert (step == READ || step == WORD || step == JUDGE || step == MATCH_REGION || step == SUM || step == WRITE
            || step == ACK || step == MORPH || step == TRANSFER || step == ANSWER || step == IDLE);
        if (region && (step == TRANSFER || step == ANSWER)) i_refused: assert (result != 0);
        if (region && step != TRANSFER && step != ANSWER && step != IDLE) i_going: assert (result == 0 && !unbind);
        if (loser) i_loser: assert (step == READ || step == WORD || step == JUDGE || step == COUNT || step == WRITE || step == ACK || step == DONE
            || step == IDLE);
        if (loser && step != IDLE) i_lost: assert (result == 0 && wrote && acked && parked && (o_bind || o_unwindow || o_invalidate));
        if (step == MATCH_REGION || step == MORPH) i_bind: assert (region);
        if (step == COUNT) i_count: assert (loser);
        if (job) i_job: assert (step == IDLE || step == SORT || step == READ || step == WORD || step == JUDGE || step == SWEEP || step == LINK
            || step == WRITE || step == ACK || step == DONE || step == OVERDUE || step == ANSWER);
        if (step == LINK || step == OVERDUE) i_of_job: assert (job);
        if (job && step != IDLE) i_end: assert (ending != 3);
        if (\life.put_was ) i_put_was: assert (parked);
        if (\life.moves ) i_moves: assert (step == ANSWER || step == IDLE);
        if (\life.moved ) i_settled: assert (step == ANSWER || step == IDLE || step == SORT);
        if (job && step != IDLE && step != SORT && step != OVERDUE && step != ANSWER) i_ending: assert (ending <= 1);
        if (completes) i_completed: assert (old.state == (ending == 0 ? 1 : 2));
        if (target == I && wrote && !job && (step == ACK || step == DONE) && (makes || o_fast || (o_bind && !unbind && !had))) i_made: assert (
            old.state == (o_allocate || o_window ? 2 : 3));
        if (step == FRESH || step == DRAW || step == DRAWN) i_makes: assert (makes && (step != FRESH || o_allocate || o_window));
        if (step == MATCH_REGION || (step >= FRESH && step <= LIST) || step == MORPH || step == SUM) i_on: assert (result == 0 && !job);
        if (step == FIELDS || step == ARGS || step == LIST) i_fields: assert (makes || o_fast || o_reregister);
        if (step == SUM) i_sum: assert (region || o_fill || o_evict);
        if (step == PAGE || step == PAGE_ACK) i_page: assert (result == 0 && (o_fill || o_evict));
        if (step == PUT) i_put: assert (result == 0 && (moves_on || o_evict) && !region && !loser);
        if (step == RAISE && !o_flush) i_raise: assert (result == 0 && (made || o_fast || moves_on || o_bind) && !region && !loser);
        if (moves_on && !o_evict && !region && !loser && (step == RAISE || under || (step == SWEEP && (o_reregister || o_bind)))) i_after_put: assert (parked);
        if (parked) i_parking: assert (step != IDLE && !region && (loser || step == RAISE || under || step == SWEEP || step == DONE));
        if (parked) i_parked_by: assert (moves_on || (o_evict && step == DONE));
        if (step == DONE && !job && (moves_on || o_evict)) i_arming: assert (parked && (o_evict ? paged && voided && swept : wrote && acked));
        if (o_evict && step == SWEEP && !job) i_paged: assert (paged && voided);
        if (o_evict && step == PUT) i_swept: assert (paged && voided && swept);
        if (step == FIT) i_fit: assert (result == 0 && changes && (made || keyed));
        if (step == WRITE || step == ACK) i_write: assert (job || (result == 0 && (region || loser || made || keyed)));
        if (step == SWEEP) i_sweep: assert (job || (result == 0 && (o_fill || o_evict || o_reregister || (o_bind && had))));
        if (under && o_flush) i_flush: assert (step == KILL || step == KILLED);
        if (step == KILL || step == KILLED) i_kills: assert (!job && !region && !loser && (o_flush || (result == 0 && (made || keyed))));
        if (step == DONE) i_done: assert (job || (result == 0 && (makes || keyed || o_evict)));
        if (makes && result == 0 && !judging && step != IDLE && step != ANSWER) i_avail: assert (avail
            || (o_register && (step == DRAW || step == DRAWN || step == FIELDS || step == ARGS || step == LIST)));
        if (judging && step != SORT && !job) i_known: assert (makes || waits || o_fast || o_query || (o_flush && mode == 0) || o_fill);
        i_bar: assert (bar == (under && changes));
        i_opv: assert (!op_valid || step == KILL || scoped);
        if (step == KILLED) i_killing: assert (killed == bar && !out);
        if (step == KILL) i_kill: assert (!killed && !out);
        if (bar && (step == FIT || step == WRITE || step == ACK)) i_killed: assert (killed && out);
        if (!(bar && (step == KILLED || step == FIT || step == WRITE || step == ACK)) && !loser && step != DONE && step != ANSWER && step != IDLE)
            i_none: assert (!killed && !out && !wrote && !acked);
        if (bar && step != ACK) i_unwritten: assert (!wrote && !acked);
        if (bar && step == ACK) i_unacked: assert (wrote && !acked);
        if (step == LIST_END) i_list_end: assert (maps || (!job && code == 4) || (o_flush && mode[1]));
        if (scoped) i_scoped: assert (step == IDLE || step == SORT || step == LIST_END || step == RAISE || step == KILL || step == KILLED || step == TRANSFER || step == ANSWER);
        if (!job && !loser && !bar && step != IDLE && (judging || (step == LIST_END && !maps) || (o_flush && (step == RAISE || under)) || step == MATCH_REGION || step == SUM || step == FRESH || step == DRAW
            || step == DRAWN || step == FIELDS || step == ARGS || step == LIST || step == MORPH || step == TRANSFER || step == WRITE || step == ACK))
            i_stands: assert (\life.stands );
        if ((step == DONE || step == ANSWER) && !job && result == 0 && (makes || o_fast || (o_bind && !unbind && !had))) i_there: assert (wrote && acked);
        // ---- whose entry it is
        if (!job && !makes && judging && !region && !loser) i_asked: assert (idx == reg_key[8+:`K]);
        if (about) i_target: assert (idx == target);
        if (keyed && region) i_window: assert (target == reg_key[8+:`K]);
        if (region && step != READ && step != TRANSFER && step != ANSWER && step != IDLE) i_side: assert (pure);
        if (loser && step != READ && step != IDLE) i_side_2: assert (pure);
        if (job && (step == WORD || step == JUDGE || step == SWEEP || step == LINK)) i_job_pure: assert (pure);
        if (job && step == WRITE) i_job_write: assert (ending == 0 ? pure : !pure && hot.state == 2);
        if (job && step == WRITE && !pure && owner == I) i_job_frees: assert (old.state == 1 && hot.state == 2);
        if (step == WRITE && bar && ends) i_ends: assert (hot.state == 1);
        // ---- the life of I
        if (owes && !held_back && !completes) i_retired: assert (old.state == 1);
        if (owes) i_used: assert (used);
        if (!used && !taking) i_unused: assert (old.state <= 1);
        if ((made || (makes && avail && judging && step != SORT && step != IDLE)) && idx == I && !wrote) i_free: assert (!used);
        if (keyed && target == I) i_in_use: assert (used);
        if (keyed && target == I && !(parked && ends)) i_alive: assert (!owes);
        if (job && ending != 2 && idx == I && step != IDLE && step != ANSWER) i_owed: assert (owes && owes_end == ending);
        // ---- what it is to be
        if (keyed && target == I && !wrote) i_old: assert (old.state == 3 || (old.state == 2 && !o_invalidate) );
        if (keyed && o_fast && target == I && !wrote) i_unmapped: assert (old.state == 2);
        if (keyed && o_bind && target == I && !wrote) i_had: assert (had == (old.state == 3));
        if (keyed && target == I && !wrote) i_kind: assert (o_bind || o_unwindow ? was_window : o_reregister ? old.kind == 0 : !o_fast || old.kind == 1);
        if (parked && ends && target == I) i_owes_end: assert (owes && owes_end == o_invalidate);
        if (keyed && ends && about && target == I && !wrote) i_same_kind: assert (hot.kind == old.kind);
        if (keyed && o_reregister && about && !wrote) i_region_kind: assert (hot.kind == 0);
        if (about && !wrote && (o_unwindow || o_bind)) i_windows: assert (is_window);
        if (keyed && region) i_saved_kind: assert (\dut.entry.kind_q$q >= 2 && \dut.entry.kind_q$q <= 4);
        if (step == WRITE && bar && (o_deregister || o_invalidate || o_reregister) && !is_window && mode != 1) i_voided: assert (voided);
        if (keyed && region && target == I) i_saved: assert (\dut.entry.epoch_q$q == old.epoch);
        if (keyed && target == I && !region && !loser && !wrote && step != ANSWER) i_epoch:
            assert (hot.epoch == old.epoch + (step == WRITE && moves_on));
        if (about && parked && (ends || o_reregister || o_bind) && target == I && !wrote) i_parked: assert (epoch == old.epoch);
        if (keyed && moves_on && target == I && wrote) i_moved: assert (parked || step == ANSWER || step == IDLE);
        if (keyed && moves_on && target == I && wrote && parked) i_new: assert (old.epoch == epoch + `EPW'd1
            && old.state == (ends ? 1 : unbind ? 2 : 3));
        if (about && !ends && !wrote && (made || o_fast || o_reregister || o_bind) && step != FRESH && step != DRAW && step != DRAWN && step != FIELDS
            && (!unbind || step == WRITE)) i_state: assert (hot.state == (o_allocate || o_window || unbind ? 2 : 3));
        if (accepted && (o_deregister || o_invalidate || o_reregister) && !is_window && about && !wrote) i_unbound: assert (bound == 0);
    end
    // a run in which nobody lets the port wait, so that the covers are soon found
    logic smooth = 1, draws_was = 0;
    (* hierconn *) wire \dut.flow$cipher_go ;
    always @(posedge clock) draws_was <= \dut.flow$cipher_go ;
    logic [7:0] age = 0;
    always @(posedge clock) age <= age == 255 ? 255 : age + 1;
    always @(posedge clock) smooth <= reset || (smooth && icm_ready && ricm_valid && op_ready && (op_done || !\life.killing ) && rsp_ready
        && !starved && !sweep_busy && sweep_done && event_ready && (reg_valid || \dut.park$done_valid ) && \dut.list$judged && \dut.list$ended
        && \dut.args$done && \dut.args$ok && (!\dut.cipher$busy || draws_was) && !\dut.list$icm_valid );
