// SPDX-License-Identifier: MIT OR Apache-2.0
//! What lookups can see of a command: barrier, kill, the entry's write, and the end of a completion.
//!
//! ```text
//!  raise ─► Raise ─► Kill ─► Killed ─┬─► flushed
//!                                    └─► Fit ─► Write ─► Ack ─┬─► finished (answer)
//!  sweep ─► Sweep ─► Link ───────────────────────►┘           └─► waiting (parked, no answer yet)
//!  link ───────────────┘ └─► finished (no successor)
//! ```
//! Contract: one of the pulses at a time; `flushed`, `finished` and `waiting` are one pulse each. The barrier stands from
//! Raise to the acknowledgement; a flush has none, and waits in Raise like the others while a lookup is starved. The kinds of command (`o_*`, `job`) and `mode` stand still meanwhile. An op of the list is
//! offered like a kill, every other cycle at most.
//!
//! Latency: Raise at least 1, Kill 2, Fit 1, Write MPTN; Killed, Ack, Sweep as long as the others take.

use super::prelude::*;

/// See the module text.
#[derive(LogicBlock, SmartDefault)]
pub struct RegPublish {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub raise: Signal<In, Bit>,
    pub sweep: Signal<In, Bit>,
    pub link: Signal<In, Bit>,
    /// The completion under way is too late.
    pub overdue: Signal<In, Bit>,
    pub job: Signal<In, Bit>,
    pub o_reg: Signal<In, Bit>,
    pub o_del: Signal<In, Bit>,
    pub o_flush: Signal<In, Bit>,
    pub mode: Signal<In, Bits<2>>,
    /// The parked entry is being written.
    pub put: Signal<In, Bit>,
    pub tired: Signal<In, Bit>,
    pub flushed: Signal<Out, Bit>,
    pub finished: Signal<Out, Bit>,
    pub waiting: Signal<Out, Bit>,
    /// To the entry.
    pub went: Signal<Out, Bit>,
    pub keys: Signal<Out, Bit>,
    pub retire: Signal<Out, Bit>,
    pub chain: Signal<Out, Bit>,
    /// Low in the cycle of `keys` or `retire`.
    pub still: Signal<Out, Bit>,
    pub grab: Signal<Out, Bit>,
    pub give: Signal<Out, Bit>,
    pub arm: Signal<Out, Bit>,
    pub pop: Signal<Out, Bit>,
    pub icm_write: Signal<Out, Bit>,
    pub icm_last: Signal<Out, Bit>,
    pub icm_ready: Signal<In, Bit>,
    pub ricm_valid: Signal<In, Bit>,
    pub list_op: Signal<In, Bit>,
    pub op_valid: Signal<Out, Bit>,
    pub op_kind: Signal<Out, Bits<2>>,
    pub op_ready: Signal<In, Bit>,
    pub op_done: Signal<In, Bit>,
    pub sweep_busy: Signal<In, Bit>,
    pub barrier: Signal<Out, Bit>,
    pub starved: Signal<In, Bit>,
    pub orphan: Signal<Out, Bit>,
    pub sweep_valid: Signal<Out, Bit>,
    pub sweep_done: Signal<In, Bit>,
    pub count_register: Signal<Out, Bit>,
    pub count_deregister: Signal<Out, Bit>,
    pub count_park: Signal<Out, Bit>,
    s_raise: DFF<Bit>,
    s_kill: DFF<Bit>,
    s_killed: DFF<Bit>,
    s_fit: DFF<Bit>,
    s_write: DFF<Bit>,
    s_ack: DFF<Bit>,
    s_sweep: DFF<Bit>,
    s_link: DFF<Bit>,
    beat: DFF<Bits<4>>,
    opv: DFF<Bit>,
    bar: DFF<Bit>,
    popq: DFF<Bit>,
    armq: DFF<Bit>,
    grabq: DFF<Bit>,
    giveq: DFF<Bit>,
    calm: DFF<Bit>,
    raised: Signal<Local, Bit>,
    killed: Signal<Local, Bit>,
    acked: Signal<Local, Bit>,
    stuck: Signal<Local, Bit>,
    moving: Signal<Local, Bit>,
    last_beat: Signal<Local, Bit>,
    #[default(constant(MPTN - 1))]
    mlen: Constant<Bits<4>>,
}

impl Logic for RegPublish {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, s_raise, s_kill, s_killed, s_fit, s_write, s_ack, s_sweep, s_link, beat, opv, bar, popq, armq, grabq, giveq, calm
        );
        // ---- linearization
        self.raised.next = false;
        if self.s_raise.q.val() {
            if self.o_flush.val() {
                self.raised.next = !self.sweep_busy.val() && !self.starved.val();
            } else if !self.starved.val() && !self.put.val() {
                self.bar.d.next = true;
                self.raised.next = true;
            }
        }
        self.s_raise.d.next = self.raise.val() || (self.s_raise.q.val() && !self.raised.val());
        self.s_kill.d.next =
            self.raised.val() || (self.s_kill.q.val() && !(self.opv.q.val() && self.op_ready.val()));
        self.opv.d.next = (self.s_kill.q.val() || self.list_op.val()) && !(self.opv.q.val() && self.op_ready.val());
        self.s_killed.d.next = (self.s_kill.q.val() && self.opv.q.val() && self.op_ready.val()) || (self.s_killed.q.val() && !self.op_done.val());
        self.killed.next = self.s_killed.q.val() && self.op_done.val();
        self.flushed.next = self.killed.val() && self.o_flush.val();
        self.s_fit.d.next = self.killed.val() && !self.o_flush.val();
        self.calm.d.next = !(self.killed.val() && !self.o_flush.val());
        self.still.next = self.calm.q.val();
        self.keys.next = self.s_fit.q.val() && self.o_reg.val();
        self.retire.next = self.s_fit.q.val() && self.o_del.val();
        self.orphan.next = self.s_fit.q.val() && self.o_del.val() && (self.mode.val() != 1);

        // ---- the end of a completion
        self.s_sweep.d.next = self.sweep.val() || (self.s_sweep.q.val() && !self.sweep_done.val());
        self.s_link.d.next = self.link.val() || (self.s_sweep.q.val() && self.sweep_done.val());
        self.chain.next = self.s_link.q.val();
        self.stuck.next = self.s_link.q.val() && self.tired.val();

        // ---- the entry goes
        self.last_beat.next = self.beat.q.val() == self.mlen.val();
        self.moving.next = self.s_write.q.val() && self.icm_ready.val();
        self.went.next = self.moving.val();
        self.s_write.d.next = self.s_fit.q.val()
            || (self.s_link.q.val() && !self.tired.val())
            || (self.s_write.q.val() && !(self.icm_ready.val() && self.last_beat.val()));
        if !self.s_write.q.val() {
            self.beat.d.next = 0.into();
        } else if self.icm_ready.val() {
            self.beat.d.next = self.beat.q.val() + 1;
        }
        self.icm_write.next = self.s_write.q.val();
        self.icm_last.next = self.last_beat.val();
        self.s_ack.d.next = (self.moving.val() && self.last_beat.val()) || (self.s_ack.q.val() && !self.ricm_valid.val());
        self.acked.next = false;
        if self.s_ack.q.val() {
            if self.ricm_valid.val() {
                self.acked.next = true;
                self.bar.d.next = false;
            }
        }
        self.finished.next = (self.acked.val() && !self.o_del.val()) || self.stuck.val();
        self.waiting.next = self.acked.val() && self.o_del.val();
        self.grabq.d.next = self.acked.val() && self.o_reg.val();
        self.armq.d.next = self.acked.val() && self.o_del.val();
        self.giveq.d.next = self.acked.val() && self.job.val();
        self.popq.d.next = (self.acked.val() && self.job.val()) || self.stuck.val() || self.overdue.val();

        // ---- pins
        self.grab.next = self.grabq.q.val();
        self.give.next = self.giveq.q.val();
        self.arm.next = self.armq.q.val();
        self.pop.next = self.popq.q.val();
        self.op_valid.next = self.opv.q.val();
        self.op_kind.next = 0.into();
        if self.o_flush.val() {
            self.op_kind.next = self.mode.val();
            if self.mode.val().get_bit(1) {
                self.op_kind.next = 2.into();
            }
        }
        self.barrier.next = self.bar.q.val();
        self.sweep_valid.next = self.s_sweep.q.val();
        self.count_register.next = self.acked.val() && self.o_reg.val();
        self.count_park.next = self.acked.val() && self.o_del.val();
        self.count_deregister.next = (self.acked.val() && self.job.val()) || self.stuck.val();
        if self.reset.val() {
            self.s_raise.d.next = false;
            self.s_kill.d.next = false;
            self.s_killed.d.next = false;
            self.s_fit.d.next = false;
            self.calm.d.next = true;
            self.s_write.d.next = false;
            self.s_ack.d.next = false;
            self.s_sweep.d.next = false;
            self.s_link.d.next = false;
            self.opv.d.next = false;
            self.bar.d.next = false;
            self.popq.d.next = false;
            self.armq.d.next = false;
            self.grabq.d.next = false;
            self.giveq.d.next = false;
        }
    }
}
