// SPDX-License-Identifier: MIT OR Apache-2.0
// Properties A, B, D: a region's count of windows (`life_flow` with `life_entry`), for any index `I` and its entry in memory, and any region `R`. What one command does to
// the windows bound to `R` it does to the count of `R`: seen from the entry of a window, its binding in memory (`now`) goes with one word written for the region it
// names, and seen from the entry of a region, such a write, and no other, changes its count, by one. So the count is the number of windows, if it was.
`include "env.sv"
`include "life.svh"

module life_bound (
    `LIFE_INPUTS
);
    `LIFE_DUT
    (* anyconst *) wire [`K-1:0] I, R;
    `include "life_story.svh"

    (* hierconn *) wire [`K-1:0] \dut.flow.old$q ;
    // ---- as a window: what it is bound to, in memory, now and before the command
    wire now = was_window && old.state == 3;
    wire [`K-1:0] parent = old.parent;
    logic before, mine = 0, changed = 0;
    logic [`K-1:0] parent_before;
    // the counts that were written for it
    logic more = 0, less = 0;
    logic [`K-1:0] more_of, less_of;
    logic [`EPW-1:0] more_epoch;
    // ---- as a region: what its count is to be, and whether it begins anew
    logic anew = 0, added = 0, taken = 0;
    wire [7:0] bound_was = memory[`MPTLINE + 24 + `K +: 8];
    wire [7:0] due = bound_was + added - taken;
    wire first_window = first_hot.kind == 2 || first_hot.kind == 3 || first_hot.kind == 4;
    always @(posedge clock) begin
        if (step == MATCH && !job && !reset) mine <= idx == I;
        if (written && idx == I && bar) changed <= 1;
        if (written && region) begin more <= 1; more_of <= idx; more_epoch <= hot.epoch; end
        if (written && loser) begin less <= 1; less_of <= idx; end
        if (\dut.flow$fresh || morph) anew <= 1;
        if (\dut.flow$up ) added <= 1;
        if (\dut.flow$down ) taken <= 1;
        if (read || written || reset) begin added <= 0; taken <= 0; end
        if (read || step == IDLE || reset) anew <= 0;
        if (step == IDLE || reset) begin
            before <= reset ? first_window && first_hot.state == 3 : now;
            parent_before <= reset ? first_hot.parent : parent;
            mine <= 0; changed <= 0; more <= 0; less <= 0;
        end
    end
    wire [1:0] gains = more && more_of == R, losses = less && less_of == R;
    wire [1:0] is_now = now && parent == R, was_then = before && parent_before == R;
    wire windows = o_bind || o_unwindow || o_invalidate;
    wire counting = (entry_known || matching) && step != WORD;
    wire fielded = step == ARGS || step == LIST || step == TRANSFER || step == LIST_END || step == PUT || step == RAISE || step == SWEEP || under;
    always @(*) if (!reset) begin
        // nothing but its own command binds or unbinds it
        if (!changed) i_w_same: assert (now == before && (!now || parent == parent_before));
        if (changed) i_changed: assert (mine && wrote && result == 0 && (step == ACK || step == DONE || step == ANSWER || step == IDLE || loser));
        if (mine && wrote) i_written: assert (changed);
        if (mine && more && (step == DONE || step == ANSWER || step == IDLE)) i_came: assert (changed);
        if (mine) i_w_mine: assert (!job && target == I && step != SORT && step != MATCH);
        if (judging && !region && !loser) i_not_yet: assert (!mine && !more && !less && !changed);
        if (job && step != IDLE) i_w_job: assert (!more && !less && !mine);
        // the region is the one that the command names, and is one
        if (region && step != TRANSFER && step != ANSWER && step != IDLE) i_named: assert (idx == reg_key2[8+:`K]);
        if (region && (step == SUM || step == WRITE || step == ACK || step == MORPH)) i_standing: assert (hot.state == 3 && hot.kind <= 1);
        if (more) i_more: assert (o_bind && !unbind && result == 0);
        if (more && region) i_w_more_at: assert (step == ACK || step == MORPH);
        if (region && (step == ACK || step == MORPH)) i_more_of: assert (more && more_of == idx && more_epoch == hot.epoch);
        if (less) i_less: assert (had && loser && result == 0 && less_of == idx);
        if (less) i_less_at: assert (step == ACK || step == DONE || step == ANSWER || step == IDLE);
        if (loser && (step == ACK || step == DONE)) i_lost_one: assert (less);
        // what it was bound to
        if (mine && windows && result == 0) i_had_it: assert (had == before && (!had || \dut.flow.old$q == parent_before));
        if (mine && about && (made || o_fast || o_reregister || o_deregister)) i_free_of: assert (!before);
        if (about && !wrote && (made || o_fast || o_reregister) && fielded) i_makes_window: assert (is_window == o_window);
        if (about && !wrote && o_deregister && step != IDLE) i_no_window: assert (!is_window);
        if (loser && mine && step != IDLE) i_loser_of: assert (idx == parent_before && changed);
        if (keyed && o_bind && !unbind && !region && !loser && !judging && mine && !changed && step != IDLE && step != ANSWER)
            i_bound_to: assert (more && hot.parent == more_of && hot.parent_epoch == more_epoch);
        if (changed && o_bind && !unbind) i_w_bound: assert (now && more && parent == more_of && old.parent_epoch == more_epoch);
        if (changed && !(o_bind && !unbind)) i_unbound_now: assert (!now && !more);
        if (changed && !windows) i_others: assert (!before && !less);
        if (changed && windows && (step == DONE || step == ANSWER || step == IDLE)) i_both: assert (less == before && (!less || less_of == parent_before));
        // each count is written once a command
        if (written && region) a_once: assert (!more);
        if (written && loser) a_once_less: assert (!less);
        // a command is over: what came to R, and what went from it, has been counted
        if (step == IDLE && mine) a_sum: assert (gains - losses == is_now - was_then);
        if (step == IDLE && !mine) a_still: assert (is_now == was_then);
        // and what it is bound to has the epoch it names
        if (step == IDLE && mine && gains) a_epoch_of: assert (old.parent_epoch == more_epoch);

        // ---- the count
        if (counting && owner == I && !anew) i_w_due: assert (bound == due);
        if (counting && owner == I && anew) i_anew: assert (bound == 0);
        i_none_added: assert (!(added || taken) || (step == WRITE && (region ? added && !taken : loser && taken && !added)));
        if (step == WRITE && (region || loser)) i_added: assert (added == region && taken == loser && !anew);
        if (anew && step != IDLE) i_anew_by: assert (!job && !region && (!loser || step == READ) && (o_allocate || o_window || o_bind));
        if (judging && !region && !loser) i_w_old: assert (!anew);
        if (step == WORD) i_old_four: assert (!anew);
        if ((keyed || made) && step != ANSWER) i_its: assert (mine == (target == I));
        if (job && (step == JUDGE || step == SWEEP || step == LINK || step == WRITE)) i_old_one: assert (!anew);
        if (region && (step == JUDGE || step == MATCH_REGION || step == SUM)) i_old_two: assert (!anew);
        if (loser && (step == JUDGE || step == COUNT)) i_old_three: assert (!anew);
        if (step == WRITE && region && owner == I) i_room_left: assert (bound_was != 255);
        // it changes with those words only; and begins at none
        if (written && idx == I) a_count: assert (anew ? bound == 0 && bar && (o_allocate || o_window || o_bind) : bound == bound_was + region - loser);
        // a count that is full is not raised, nor one of what is no region in force
        if (written && idx == I && region) a_region: assert (bound_was != 255 && old.state == 3 && old.kind <= 1);
    end
    // (each is sought from the cycle on in which it can be)
    always @(*) if (!reset && smooth) begin
        c_counted: cover (age >= 39 && written && idx == I && region);
        c_less: cover (age >= 52 && written && idx == I && loser);
        c_unbound: cover (age >= 55 && changed && step == IDLE && losses);
        c_bound: cover (age >= 57 && changed && gains);
    end
endmodule
