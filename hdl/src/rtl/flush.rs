// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sweeps over the sets of the MPT cache: after reset (tag RAMs come up with anything in them), and behind a new epoch.
//!
//! ```text
//!   reset ─► INIT (kill every set, nothing else enters) ─► IDLE ─ new epoch left the pipe ─► SWEEP ─► IDLE
//! ```
//! States: INIT kills all sets, one a cycle, `ready` low. IDLE nothing to do. WAIT lets the new epoch and the fills ahead
//! of it leave the pipe. SWEEP kills lines of the older epoch, in idle slots and at least one slot in 16, so that the next
//! epoch finds none of its own.
//! Contract: `busy` from a new epoch's slot until its sweep is over; the registration port starts no other new epoch meanwhile.

use super::prelude::*;

/// States, one sentence each in the module's text.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum FlushState {
    /// Sweep after reset.
    Init,
    /// Nothing to do.
    Idle,
    /// The pipe runs dry of older fills.
    Wait,
    /// Sweep behind a new epoch.
    Sweep,
}

/// See the module's text.
#[derive(LogicBlock, Default)]
pub struct Flush {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// A new epoch entered the pipe this cycle.
    pub epoch: Signal<In, Bit>,
    /// The reset sweep is over.
    pub ready: Signal<Out, Bit>,
    /// A sweep behind an epoch is open.
    pub busy: Signal<Out, Bit>,
    /// A sweep op waits.
    pub valid: Signal<Out, Bit>,
    /// It must go now.
    pub must: Signal<Out, Bit>,
    /// Its kind (of `tags.rs`).
    pub kind: Signal<Out, Bits<3>>,
    /// Its set.
    pub sweep_set: Signal<Out, Bits<SETW>>,
    /// It went.
    pub take: Signal<In, Bit>,
    state: DFF<FlushState>,
    at: DFF<Bits<SETW>>,
    age: DFF<Bits<4>>,
    must_q: DFF<Bit>,
    took: DFF<Bit>,
    due: Signal<Local, Bit>,
}

impl Logic for Flush {
    #[hdl_gen]
    fn update(&mut self) {
        self.state.clock.next = self.clock.val();
        self.at.clock.next = self.clock.val();
        self.age.clock.next = self.clock.val();
        self.must_q.clock.next = self.clock.val();
        self.took.clock.next = self.clock.val();
        self.took.d.next = self.take.val();
        self.state.d.next = self.state.q.val();
        self.at.d.next = self.at.q.val();
        self.age.d.next = self.age.q.val() + 1;
        self.ready.next = true;
        self.busy.next = false;
        self.valid.next = false;
        self.must.next = self.must_q.q.val();
        self.due.next = false;
        self.must_q.d.next = false;
        self.kind.next = 5.into();
        self.sweep_set.next = self.at.q.val();
        match self.state.q.val() {
            FlushState::Init => {
                self.ready.next = false;
                self.valid.next = true;
                self.must_q.d.next = true;
                self.kind.next = 4.into();
            }
            FlushState::Idle => {
                self.age.d.next = 0.into();
                if self.epoch.val() {
                    self.state.d.next = FlushState::Wait;
                }
            }
            FlushState::Wait => {
                self.busy.next = true;
                if self.age.q.val().all() {
                    self.state.d.next = FlushState::Sweep;
                }
            }
            FlushState::Sweep => {
                self.busy.next = true;
                self.valid.next = true;
                // one slot in 16: counted from two cycles behind the last one, and asked for one cycle ahead
                self.due.next = self.must_q.q.val() | (self.age.q.val() == 13);
                self.must_q.d.next = self.due.val() & !self.take.val() & !self.took.q.val();
            }
        }
        if self.took.q.val() {
            self.age.d.next = 0.into();
        }
        if self.take.val() {
            self.at.d.next = self.at.q.val() + 1;
            if self.at.q.val().all() {
                self.must_q.d.next = false;
                self.state.d.next = FlushState::Idle;
            }
        }
        if self.reset.val() {
            self.must_q.d.next = true;
            self.state.d.next = FlushState::Init;
            self.at.d.next = 0.into();
            self.age.d.next = 0.into();
        }
    }
}
