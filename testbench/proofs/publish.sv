// SPDX-License-Identifier: MIT OR Apache-2.0
// Property D at the registration port: the order of barrier, kill, entry and answer (`reg_publish`). Keeps `env_kills`.
//
// A command that changes an entry raises the barrier, then kills, then waits for the kill to leave the pipe, then changes the
// entry and writes all its words, and lowers the barrier with the acknowledgement; not before that is it finished or parked.
`include "env.sv"

module publish (
    input logic clock,
    input logic reset,
    input logic raise, sweep, link, overdue, job, o_reg, o_del, o_flush, put, tired,
    input logic [1:0] mode,
    input logic icm_ready, ricm_valid, list_op, op_ready, op_done, sweep_busy, starved, sweep_done
);
    wire flushed, finished, waiting, went, keys, retire, chain, still, grab, give, arm, pop, icm_write, icm_last;
    wire op_valid, barrier, orphan, sweep_valid, count_register, count_deregister, count_park;
    wire [1:0] op_kind;
    \latchkey_core$regs$publish dut (
        .clock(clock), .reset(reset), .raise(raise), .sweep(sweep), .link(link), .overdue(overdue), .job(job),
        .o_reg(o_reg), .o_del(o_del), .o_flush(o_flush), .mode(mode), .put(put), .tired(tired), .flushed(flushed),
        .finished(finished), .waiting(waiting), .went(went), .keys(keys), .retire(retire), .chain(chain), .still(still),
        .grab(grab), .give(give), .arm(arm), .pop(pop), .icm_write(icm_write), .icm_last(icm_last), .icm_ready(icm_ready),
        .ricm_valid(ricm_valid), .list_op(list_op), .op_valid(op_valid), .op_kind(op_kind), .op_ready(op_ready),
        .op_done(op_done), .sweep_busy(sweep_busy), .barrier(barrier), .starved(starved), .orphan(orphan),
        .sweep_valid(sweep_valid), .sweep_done(sweep_done), .count_register(count_register),
        .count_deregister(count_deregister), .count_park(count_park)
    );
    wire busy;
    env_reset starts (.clock(clock), .reset(reset));
    env_publish turns (.clock(clock), .reset(reset), .raise(raise), .sweep(sweep), .link(link), .overdue(overdue),
        .job(job), .o_reg(o_reg), .o_del(o_del), .o_flush(o_flush), .mode(mode), .tired(tired), .list_op(list_op),
        .flushed(flushed), .finished(finished), .waiting(waiting), .acks(ricm_valid), .write(icm_write && icm_ready),
        .last(icm_last), .op_valid(op_valid), .op_take(op_valid && op_ready), .op_done(op_done), .busy(busy));

    wire take = op_valid && op_ready;
    wire beat = icm_write && icm_ready;
    // the story of one command as the pins tell it
    logic killed = 0;                 // its kill has had its slot, under the barrier
    logic out = 0;                    // and has left the pipe
    logic changed = 0;                // the entry has been changed since
    logic [3:0] beats = 0;            // words written since
    logic acked = 0;
    logic rested = 0;                 // no sweep was under way when the new epoch was raised
    logic fed = 0;                    // nor was a lookup starved, whatever was raised
    wire start = raise || sweep || link;
    always @(posedge clock) begin
        if (take && barrier) killed <= 1;
        if (op_done && killed) out <= 1;
        if (keys || retire) changed <= 1;
        if (beat) beats <= beats + 1;
        if (\dut.s_raise$q && !sweep_busy) rested <= 1;
        if (\dut.s_raise$q ) fed <= !starved;
        if (reset || start) rested <= 0;
        if (reset || start) begin killed <= 0; out <= 0; changed <= 0; beats <= 0; end
    end
    logic barrier_was = 0, take_was = 0;
    always @(posedge clock) begin barrier_was <= barrier && !reset; take_was <= take; end

    (* hierconn *) wire \dut.s_raise$q , \dut.s_kill$q , \dut.s_killed$q , \dut.s_fit$q , \dut.s_write$q , \dut.s_ack$q ,
        \dut.s_sweep$q , \dut.s_link$q , \dut.opv$q ;
    (* hierconn *) wire [3:0] \dut.beat$q ;
    (* hierconn *) wire \turns.killing , \turns.unacked ;
    wire [7:0] step = {\dut.s_raise$q , \dut.s_kill$q , \dut.s_killed$q , \dut.s_fit$q , \dut.s_write$q , \dut.s_ack$q ,
        \dut.s_sweep$q , \dut.s_link$q };
    wire changes = o_reg || o_del;

    always @(*) if (!reset) begin
        i_one: assert ((step & (step - 1)) == 0);
        if (\dut.s_sweep$q || \dut.s_link$q ) i_job: assert (job);
        if (\dut.s_raise$q || \dut.s_kill$q || \dut.s_killed$q ) i_command: assert (!job && (o_reg || o_del || o_flush));
        if (\dut.s_fit$q || \dut.s_write$q || \dut.s_ack$q ) i_entry: assert (job || o_reg || o_del);
        i_busy: assert (step == 0 || busy);
        i_bar: assert (barrier == (changes && !o_flush && !job && (step & 8'b01111100) != 0));
        if (step & 8'b00111110) i_killing: assert (\turns.killing == \dut.s_killed$q );
        i_unacked: assert (\turns.unacked == \dut.s_ack$q );
        if (\dut.s_killed$q && barrier) i_killed: assert (killed && !out);
        if (\dut.s_kill$q && barrier) i_kill: assert (!killed && !out);
        if (\dut.s_raise$q ) i_raise: assert (!killed && !out && !changed && beats == 0);
        if (\dut.s_kill$q || \dut.s_killed$q || \dut.s_fit$q || \dut.s_sweep$q || \dut.s_link$q ) i_none: assert (beats == 0 && !changed);
        if (\dut.s_fit$q ) i_fit: assert (killed && out && barrier);
        if (\dut.s_write$q || \dut.s_ack$q ) i_changed: assert (job ? !barrier : killed && out && changed && barrier);
        if (\dut.s_write$q ) i_beats: assert (beats == \dut.beat$q && beats < `MPTN);
        if (\dut.s_ack$q ) i_all: assert (beats == `MPTN);
        // the kill of a command that changes an entry is of its index, under its barrier, which rose before
        if (barrier && take) a_kind: assert (op_kind == 0 && barrier_was);
        if (barrier && !barrier_was) a_rise: assert (!take);
        // the entry is changed when the kill has left the pipe, and its words go out after that
        if (keys || retire) a_order: assert (killed && out && barrier);
        if (beat && !job) a_words: assert (killed && out && changed && barrier);
        if (orphan) a_orphan: assert (killed && out && barrier);
        // the barrier falls when the last word is acknowledged, no sooner
        if (barrier_was && !barrier) a_falls: assert (past_acked);
        // finished or parked: every word was written and acknowledged in this very cycle (or there was nothing to write)
        if (waiting) a_parked: assert (o_del && barrier && killed && out && changed && beats == `MPTN && ricm_valid);
        if (finished && o_reg) a_registered: assert (barrier && killed && out && changed && beats == `MPTN && ricm_valid);
        if (finished && job && !tired) a_completed: assert (beats == `MPTN && ricm_valid);
        a_arm: assert (!arm || past_waiting);
        if (busy && \dut.s_kill$q && o_flush && mode == 1) i_rested: assert (rested || \dut.s_raise$q );
        if (busy && op_valid && o_flush && mode == 1) i_asks: assert (\dut.s_kill$q );
        if (busy && (\dut.s_kill$q || \dut.s_killed$q )) i_fed: assert (fed);
        // a kill was raised while no lookup was starved
        if (busy && op_valid) a_fed: assert (fed);
        // what is asked of the cache is what the command says; a new epoch only when no sweep was under way
        if (op_valid) a_what: assert (op_kind == (!o_flush ? 0 : mode >= 2 ? 2 : mode));
        if (busy && op_valid && op_kind == 1) a_calm: assert (rested);
        a_last: assert (!beat || icm_last == (beats == `MPTN - 1));
    end
    logic past_acked = 0, past_waiting = 0;
    always @(posedge clock) begin past_acked <= beats == `MPTN && ricm_valid; past_waiting <= waiting; end

    always @(*) if (!reset) begin
        c_parked: cover (waiting);
        c_registered: cover (finished && o_reg);
        c_completed: cover (finished && job && beats == `MPTN);
        c_starved: cover (\dut.s_raise$q && starved && changes);
        c_flushed: cover (flushed);
        c_waits: cover (\dut.s_raise$q && starved && !sweep_busy && o_flush && mode == 0);
        c_orphan: cover (orphan && mode == 0);
    end
endmodule
