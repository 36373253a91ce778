// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sweeps over the sets of the MTT cache: after reset (tag RAMs come up with anything in them), and before an epoch of an index comes round.
//!
//! ```text
//!   reset ─► Init (every set is emptied) ─► Idle ─ valid ─► Walk (lines of one index, set by set) ─► Leave ─► Idle, done
//! ```
//! Contract: `wants` asks for a slot of the pipe, `must` insists: in Init always, else after 15 cycles without one until it is given, so a sweep takes idle
//! slots and at least one in 18 (the slot behind a line is nobody's). `take` says that the slot was given. `done` is one pulse, when the last kill has left the pipe.
//! Latency from `valid` to `done`: 2^MSETW slots and 16 cycles.

use super::prelude::*;

/// States, one sentence each in the module's text.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum MttSweepState {
    /// After reset.
    Init,
    /// Nothing to do.
    Idle,
    /// Set by set.
    Walk,
    /// Out of the pipe.
    Leave,
}

/// See the module's text.
#[derive(LogicBlock, Default)]
pub struct MttSweep {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// An index is to be swept; held until `done`.
    pub valid: Signal<In, Bit>,
    /// The slot was given.
    pub take: Signal<In, Bit>,
    /// The sweep after reset is over.
    pub ready: Signal<Out, Bit>,
    /// A slot is wanted.
    pub wants: Signal<Out, Bit>,
    /// It must be the next one.
    pub must: Signal<Out, Bit>,
    /// Kind of the op (of `tags.rs`).
    pub kind: Signal<Out, Bits<3>>,
    /// Its set.
    pub row: Signal<Out, Bits<MSETW>>,
    /// Every set has been swept.
    pub done: Signal<Out, Bit>,
    state: DFF<MttSweepState>,
    at: DFF<Bits<MSETW>>,
    age: DFF<Bits<4>>,
    must_q: DFF<Bit>,
}

impl Logic for MttSweep {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, at, age, must_q);
        self.age.d.next = self.age.q.val() + 1;
        self.must.next = self.must_q.q.val();
        self.must_q.d.next = false;
        self.wants.next = false;
        self.done.next = false;
        self.ready.next = true;
        self.kind.next = 6.into();
        self.row.next = self.at.q.val();
        match self.state.q.val() {
            MttSweepState::Init => {
                self.ready.next = false;
                self.must_q.d.next = true;
                self.wants.next = true;
                self.kind.next = 4.into();
            }
            MttSweepState::Idle => {
                self.age.d.next = 0.into();
                if self.valid.val() {
                    self.state.d.next = MttSweepState::Walk;
                }
            }
            MttSweepState::Walk => {
                self.wants.next = true;
                // it stands until it is taken: the slot behind a line's is nobody's
                self.must_q.d.next = (self.must_q.q.val() | self.age.q.val().all()) & !self.take.val();
            }
            MttSweepState::Leave => {
                if self.age.q.val().all() {
                    self.state.d.next = MttSweepState::Idle;
                    self.done.next = true;
                }
            }
        }
        if self.take.val() {
            self.age.d.next = 0.into();
            self.at.d.next = self.at.q.val() + 1;
            if self.at.q.val().all() {
                self.must_q.d.next = false;
                self.state.d.next = MttSweepState::Leave;
                if self.state.q.val() == MttSweepState::Init {
                    self.state.d.next = MttSweepState::Idle;
                }
            }
        }
        if self.reset.val() {
            self.must_q.d.next = true;
            self.state.d.next = MttSweepState::Init;
            self.at.d.next = 0.into();
            self.age.d.next = 0.into();
        }
    }
}
