// SPDX-License-Identifier: MIT OR Apache-2.0
//! The order of every command and every completion: one flip-flop a step, and one walks through them.
//!
//! ```text
//!  idle ─► Sort ─┬─► Read ─► Word ─► Judge ─┬─► Match ──┬──────────────► publish.raise (flush of a key)
//!                │   (entry)                ├─► Load ─► args, list ─┐
//!                │                          │           ▼           │ judged or refused
//!                ├─────────────── refused ──┼─────► Transfer ◄──────┘◄── publish.flushed
//!                ├─► list.put, list.sets    │           ├─► list.post, list.drain ─► ended ─► publish.raise
//!                ├─► publish.raise          │           └─► publish.raise (deregister)
//!                └─► Overdue ─► Answer      └─► publish.sweep, publish.link (completion)
//!                                                    publish.finished ─► Answer ─► idle
//! ```
//! Contract: see `reg_port` for the pins and the order of refusals. Completions come before commands. `busy` stands from
//! the choice to the answer. Whoever got a pulse (`args`, `list`, `publish`) has the turn until its own pulse comes back.
//! Before the transfer the command is read from its pins, so only its kind, mode, tag and index are kept.
//!
//! Latency: a cycle a step; Word one a word.

use super::prelude::*;

const K1: usize = K + 1;
const INLC: usize = INLW + 1;

/// See the module text.
#[derive(LogicBlock, SmartDefault)]
pub struct RegFlow {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub reg_valid: Signal<In, Bit>,
    pub reg_ready: Signal<Out, Bit>,
    pub reg_op: Signal<In, Bits<5>>,
    pub reg_tag: Signal<In, Bits<8>>,
    pub reg_index: Signal<In, Bits<K>>,
    pub reg_pages: Signal<In, Bits<PNW>>,
    pub reg_mode: Signal<In, Bits<2>>,
    pub rsp_valid: Signal<Out, Bit>,
    pub rsp_ready: Signal<In, Bit>,
    pub busy: Signal<Out, Bit>,
    pub tag: Signal<Out, Bits<8>>,
    pub code: Signal<Out, Bits<4>>,
    pub index: Signal<Out, Bits<K>>,
    pub mode: Signal<Out, Bits<2>>,
    /// The answer gives keys.
    pub shown: Signal<Out, Bit>,
    /// The entry: what it says, what happens to it.
    pub state: Signal<In, Bits<2>>,
    pub round: Signal<In, Bit>,
    pub own: Signal<In, Bit>,
    pub shift: Signal<Out, Bit>,
    pub take: Signal<Out, Bit>,
    pub load: Signal<Out, Bit>,
    pub clear: Signal<Out, Bit>,
    pub args_done: Signal<In, Bit>,
    pub args_ok: Signal<In, Bit>,
    pub list_go: Signal<Out, Bit>,
    pub list_post: Signal<Out, Bit>,
    pub list_drain: Signal<Out, Bit>,
    pub list_put: Signal<Out, Bit>,
    pub list_sets: Signal<Out, Bit>,
    pub list_judged: Signal<In, Bit>,
    pub list_ended: Signal<In, Bit>,
    pub list_code: Signal<In, Bits<3>>,
    pub avail: Signal<In, Bit>,
    pub pick: Signal<In, Bits<K>>,
    pub room: Signal<In, Bit>,
    pub done_valid: Signal<In, Bit>,
    pub done_over: Signal<In, Bit>,
    pub done_index: Signal<In, Bits<K>>,
    pub done_tag: Signal<In, Bits<8>>,
    pub park: Signal<Out, Bit>,
    pub raise: Signal<Out, Bit>,
    /// A lookup was sent back often enough: no kill before it is answered.
    pub starved: Signal<In, Bit>,
    pub sweep: Signal<Out, Bit>,
    pub link: Signal<Out, Bit>,
    pub overdue: Signal<Out, Bit>,
    pub flushed: Signal<In, Bit>,
    pub finished: Signal<In, Bit>,
    pub waiting: Signal<In, Bit>,
    pub job_now: Signal<Out, Bit>,
    pub reg_now: Signal<Out, Bit>,
    pub del_now: Signal<Out, Bit>,
    pub flush_now: Signal<Out, Bit>,
    pub icm_read: Signal<Out, Bit>,
    pub icm_ready: Signal<In, Bit>,
    pub ricm_valid: Signal<In, Bit>,
    pub ricm_last: Signal<In, Bit>,
    pub op_hold: Signal<Out, Bit>,
    pub event_valid: Signal<Out, Bit>,
    pub event_ready: Signal<In, Bit>,
    pub event_kind: Signal<Out, Bits<4>>,
    pub count_overdue: Signal<Out, Bit>,
    pub count_sweep: Signal<Out, Bit>,
    pub count_flush: Signal<Out, Bit>,
    working: DFF<Bit>,
    /// Kind of command: all low is an unknown one.
    job: DFF<Bit>,
    o_reg: DFF<Bit>,
    o_del: DFF<Bit>,
    o_query: DFF<Bit>,
    o_flush: DFF<Bit>,
    o_window: DFF<Bit>,
    kind: DFF<Bits<2>>,
    label: DFF<Bits<8>>,
    idx: DFF<Bits<K>>,
    result: DFF<Bits<4>>,
    s_sort: DFF<Bit>,
    s_read: DFF<Bit>,
    s_word: DFF<Bit>,
    s_judge: DFF<Bit>,
    s_match: DFF<Bit>,
    s_load: DFF<Bit>,
    s_transfer: DFF<Bit>,
    s_overdue: DFF<Bit>,
    s_answer: DFF<Bit>,
    put: DFF<Bit>,
    hold: DFF<Bit>,
    evv: DFF<Bit>,
    evk: DFF<Bit>,
    /// The pins announce a page list; they stand still until they are taken.
    listed: DFF<Bit>,
    start: Signal<Local, Bit>,
    refuse: Signal<Local, Bit>,
    outside: Signal<Local, Bit>,
    matched: Signal<Local, Bit>,
    read_word: Signal<Local, Bit>,
    wide: Signal<Local, Bits<4>>,
    list_high: Signal<Local, Bits<PNW>>,
    list_low: Signal<Local, Bits<INLC>>,
    scoped: Signal<Local, Bit>,
    ended: Signal<Local, Bit>,
    bad_end: Signal<Local, Bit>,
    #[default(constant(MRS))]
    mrs: Constant<Bits<K1>>,
    #[default(constant(INL + 1))]
    inl1: Constant<Bits<INLC>>,
    #[default(constant(INLC))]
    low_bits: Constant<Bits<6>>,
}

impl Logic for RegFlow {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, working, job, o_reg, o_del, o_query, o_flush, o_window, kind, label, idx, result, s_sort, s_read, s_word, s_judge,
            s_match, s_load, s_transfer, s_overdue, s_answer, put, hold, evv, evk, listed
        );
        // ---- idle: everything is latched until something is there
        if !self.working.q.val() {
            self.job.d.next = self.done_valid.val();
            self.o_reg.d.next = !self.done_valid.val() && (self.reg_op.val() == 0);
            self.o_del.d.next = !self.done_valid.val() && (self.reg_op.val() == 1);
            self.o_query.d.next = !self.done_valid.val() && (self.reg_op.val() == 2);
            self.o_flush.d.next = !self.done_valid.val() && (self.reg_op.val() == 3);
            self.o_window.d.next = !self.done_valid.val() && (self.reg_op.val() == 4);
            self.kind.d.next = self.reg_mode.val();
            self.label.d.next = self.reg_tag.val();
            self.idx.d.next = self.reg_index.val();
            if self.done_valid.val() {
                self.label.d.next = self.done_tag.val();
                self.idx.d.next = self.done_index.val();
            }
        }
        self.start.next = !self.working.q.val() && !self.evv.q.val() && (self.done_valid.val() || self.reg_valid.val());
        self.s_sort.d.next = self.start.val();

        // ---- sort
        self.outside.next = !self.idx.q.val().any() || (bit_cast::<K1, K>(self.idx.q.val()) >= self.mrs.val());
        if self.s_sort.q.val() && self.o_reg.q.val() {
            self.idx.d.next = self.pick.val();
        }
        self.scoped.next = self.o_flush.q.val() && (self.kind.q.val().get_bit(0) || self.kind.q.val().get_bit(1));
        self.wide.next = 0.into();
        self.refuse.next = false;
        self.s_read.d.next = self.s_read.q.val() && !self.icm_ready.val();
        self.s_load.d.next = false;
        self.s_overdue.d.next = false;
        self.list_put.next = false;
        self.list_sets.next = false;
        self.raise.next = false;
        if self.s_sort.q.val() {
            if self.job.q.val() {
                self.s_overdue.d.next = self.done_over.val();
                self.s_read.d.next = !self.done_over.val();
            } else if self.o_reg.q.val() {
                self.s_read.d.next = self.avail.val();
                self.s_load.d.next = !self.avail.val();
            } else if self.o_window.q.val() {
                self.list_put.next = true;
            } else if self.scoped.val() && !self.kind.q.val().get_bit(1) {
                self.raise.next = true;
            } else if self.scoped.val() {
                // as a barrier, it leaves a lookup that was sent back often enough its turn
                self.list_sets.next = !self.starved.val();
                self.s_sort.d.next = self.starved.val();
            } else if self.o_del.q.val() && !self.room.val() {
                self.wide.next = 7.into();
                self.refuse.next = true;
            } else if !self.o_del.q.val() && !self.o_query.q.val() && !self.o_flush.q.val() {
                self.wide.next = 9.into();
                self.refuse.next = true;
            } else if self.outside.val() {
                self.wide.next = 2.into();
                self.refuse.next = true;
            } else {
                self.s_read.d.next = true;
            }
        }

        // ---- the entry comes
        self.read_word.next = self.s_word.q.val() && self.ricm_valid.val();
        self.s_word.d.next = (self.s_read.q.val() && self.icm_ready.val()) || (self.s_word.q.val() && !(self.ricm_valid.val() && self.ricm_last.val()));
        self.s_judge.d.next = self.read_word.val() && self.ricm_last.val();
        self.clear.next = self.s_judge.q.val() || self.s_sort.q.val();
        self.s_match.d.next = false;
        self.sweep.next = false;
        self.link.next = false;
        self.count_sweep.next = false;
        if self.s_judge.q.val() {
            if self.job.q.val() {
                self.count_sweep.next = self.round.val();
                self.sweep.next = self.round.val();
                self.link.next = !self.round.val();
            } else {
                self.s_load.d.next = self.o_reg.q.val();
                self.s_match.d.next = !self.o_reg.q.val();
            }
        }
        // ---- key of a deregister, query or flush
        self.matched.next = false;
        if self.s_match.q.val() {
            self.matched.next = true;
            if self.state.val() == 0 {
                self.wide.next = 2.into();
            } else if self.state.val() == 3 {
                if !self.own.val() {
                    self.wide.next = 3.into();
                } else if self.o_flush.q.val() {
                    self.matched.next = false;
                    self.raise.next = true;
                }
            } else if !self.o_query.q.val() {
                self.wide.next = 3.into();
            }
        }
        // ---- register
        self.load.next = self.s_load.q.val();
        self.list_go.next = self.args_done.val() && self.args_ok.val();
        if self.args_done.val() && !self.args_ok.val() {
            self.wide.next = 1.into();
        }
        self.ended.next = self.list_ended.val() && self.o_reg.q.val();
        if self.list_judged.val() || (self.ended.val() && !self.result.q.val().any()) {
            self.wide.next = bit_cast::<4, 3>(self.list_code.val());
        }

        // ---- the command leaves its pins
        self.s_transfer.d.next = self.refuse.val()
            || self.matched.val()
            || (self.args_done.val() && !self.args_ok.val())
            || self.list_judged.val()
            || (self.list_ended.val() && !self.o_reg.q.val())
            || self.flushed.val();
        self.reg_ready.next = self.s_transfer.q.val();
        self.list_high.next = self.reg_pages.val() >> self.low_bits.val();
        self.list_low.next = self.reg_pages.val().get_bits::<INLC>(0);
        self.listed.d.next = self.list_high.val().any() || (self.list_low.val() >= self.inl1.val());
        self.list_post.next = false;
        self.list_drain.next = false;
        self.s_answer.d.next = self.s_answer.q.val() && !self.rsp_ready.val();
        self.put.d.next = false;
        if self.s_transfer.q.val() {
            if self.o_reg.q.val() && !self.result.q.val().any() {
                self.list_post.next = true;
            } else if self.o_reg.q.val() && self.listed.q.val() {
                self.list_drain.next = true;
            } else if self.o_del.q.val() && !self.result.q.val().any() {
                self.put.d.next = true;
                self.raise.next = true;
            } else {
                self.s_answer.d.next = true;
            }
        }
        self.bad_end.next = self.result.q.val().any() || self.list_code.val().any();
        if self.ended.val() {
            if self.bad_end.val() {
                self.s_answer.d.next = true;
            } else {
                self.raise.next = true;
            }
        }
        if self.finished.val() || self.s_overdue.q.val() {
            self.s_answer.d.next = true;
        }
        self.take.next = self.s_word.q.val();
        self.shift.next = self.read_word.val();
        self.icm_read.next = self.s_read.q.val();
        // ---- events
        if self.event_ready.val() {
            self.evv.d.next = false;
        }
        if self.s_overdue.q.val() {
            self.evv.d.next = true;
            self.evk.d.next = false;
            self.wide.next = 8.into();
        }
        if self.list_judged.val() && self.list_code.val().get_bit(1) {
            self.evv.d.next = true;
            self.evk.d.next = true;
        }

        // ---- result
        self.result.d.next = self.result.q.val() | self.wide.val();
        if !self.working.q.val() {
            self.result.d.next = 0.into();
        }
        if self.s_sort.q.val() {
            self.hold.d.next = self.list_sets.val() && self.kind.q.val().get_bit(0);
        }
        if self.list_ended.val() {
            self.hold.d.next = false;
        }
        if self.start.val() {
            self.working.d.next = true;
        }
        if (self.s_answer.q.val() && self.rsp_ready.val()) || self.waiting.val() {
            self.working.d.next = false;
        }

        // ---- pins
        self.busy.next = self.working.q.val();
        self.tag.next = self.label.q.val();
        self.code.next = self.result.q.val();
        self.index.next = self.idx.q.val();
        self.mode.next = self.kind.q.val();
        self.shown.next = self.o_reg.q.val() && !self.result.q.val().any();
        self.rsp_valid.next = self.s_answer.q.val();
        self.park.next = self.put.q.val();
        self.overdue.next = self.s_overdue.q.val();
        self.job_now.next = self.job.q.val();
        self.reg_now.next = self.o_reg.q.val();
        self.del_now.next = self.o_del.q.val();
        self.flush_now.next = self.o_flush.q.val();
        self.op_hold.next = self.hold.q.val();
        self.event_valid.next = self.evv.q.val();
        self.event_kind.next = 2.into();
        if self.evk.q.val() {
            self.event_kind.next = 3.into();
        }
        self.count_overdue.next = self.s_overdue.q.val();
        self.count_flush.next = self.o_flush.q.val() && (self.flushed.val() || self.list_ended.val());
        if self.reset.val() {
            self.working.d.next = false;
            self.s_sort.d.next = false;
            self.s_read.d.next = false;
            self.s_word.d.next = false;
            self.s_judge.d.next = false;
            self.s_match.d.next = false;
            self.s_load.d.next = false;
            self.s_transfer.d.next = false;
            self.s_overdue.d.next = false;
            self.s_answer.d.next = false;
            self.put.d.next = false;
            self.hold.d.next = false;
            self.evv.d.next = false;
        }
    }
}
