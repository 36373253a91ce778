// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is sent when: acknowledgements at once, messages of the core one at a time, again and again until the host answers.
//!
//! ```text
//!  valid[s] ─► IDLE ─► SEND ─► SENDING ─► WAIT ─ complete ─► PAUSE ─► IDLE, next number
//!                       ▲                  │ time is over
//!                       └──────────────────┘
//! ```
//! Contract: ICM requests come first, as others wait for them. A message keeps its number however often it is sent; answers are taken
//! in WAIT only (`waiting`). `open` gives up the message at hand and its number, since the core is reset.
//! States: IDLE looks for a message; SEND waits for the framer; SENDING for the end of the frame; WAIT for the answer;
//! PAUSE until the taken message no longer shows (`taps.rs`).

use super::prelude::*;

/// States, one phrase each in the module's text.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum OutboxState {
    /// No message.
    Idle,
    /// The framer is awaited.
    Send,
    /// The frame goes out.
    Sending,
    /// The host's answer is awaited.
    Wait,
    /// The taken message still shows.
    Pause,
}

/// See the module's text.
#[derive(LogicBlock, Default)]
#[allow(missing_docs)]
pub struct Outbox {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub hosted: Signal<In, Bit>,
    /// The core is reset.
    pub open: Signal<In, Bit>,
    pub patient: Signal<In, Bit>,
    pub patient_set: Signal<In, Bit>,
    /// Messages at the core's pins.
    pub valid: Signal<In, Bits<8>>,
    pub complete: Signal<In, Bit>,
    pub waiting: Signal<Out, Bit>,
    /// A message is sent or waits: the host may have seen it, and the core has not been told.
    pub at_hand: Signal<Out, Bit>,
    /// Source of the message.
    pub source: Signal<Out, Bits<3>>,
    /// Its number.
    pub seq: Signal<Out, Bits<8>>,
    /// It was sent again.
    pub resent: Signal<Out, Bit>,
    /// It was sent again and is still not answered.
    pub silent: Signal<Out, Bit>,
    pub ack: Signal<In, Bit>,
    /// The frame that goes out is an acknowledgement.
    pub is_ack: Signal<Out, Bit>,
    pub start: Signal<Out, Bit>,
    pub framer_busy: Signal<In, Bit>,
    state: DFF<OutboxState>,
    chosen: DFF<Bits<3>>,
    number: DFF<Bits<8>>,
    timer: DFF<Bits<22>>,
    slow: DFF<Bit>,
    owed: DFF<Bit>,
    acking: DFF<Bit>,
    go: DFF<Bit>,
    late: DFF<Bit>,
    quiet: DFF<Bit>,
    over: Signal<Local, Bit>,
    free: Signal<Local, Bit>,
}

impl Logic for Outbox {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, chosen, number, timer, slow, owed, acking, go, late, quiet);
        if self.patient_set.val() {
            self.slow.d.next = self.patient.val();
        }
        self.over.next = self.timer.q.val().get_bit(17);
        if self.slow.q.val() {
            self.over.next = self.timer.q.val().get_bit(21);
        }
        self.timer.d.next = self.timer.q.val() + 1;
        self.late.d.next = false;
        self.go.d.next = false;
        self.free.next = !self.framer_busy.val() && !self.go.q.val();
        match self.state.q.val() {
            OutboxState::Idle => {
                if self.hosted.val() && self.valid.val().any() {
                    self.state.d.next = OutboxState::Send;
                }
                self.chosen.d.next = 4.into();
                if self.valid.val().get_bit(5) {
                    self.chosen.d.next = 5.into();
                }
                if self.valid.val().get_bit(3) {
                    self.chosen.d.next = 3.into();
                }
                if self.valid.val().get_bit(2) {
                    self.chosen.d.next = 2.into();
                }
                if self.valid.val().get_bit(1) {
                    self.chosen.d.next = 1.into();
                }
                if self.valid.val().get_bit(0) {
                    self.chosen.d.next = 0.into();
                }
            }
            OutboxState::Send => {
                if self.free.val() && !self.owed.q.val() {
                    self.go.d.next = true;
                    self.acking.d.next = false;
                    self.state.d.next = OutboxState::Sending;
                }
            }
            OutboxState::Sending => {
                self.timer.d.next = 0.into();
                if self.free.val() {
                    self.state.d.next = OutboxState::Wait;
                }
            }
            OutboxState::Wait => {
                if self.complete.val() {
                    self.number.d.next = self.number.q.val() + 1;
                    self.quiet.d.next = false;
                    self.timer.d.next = 0.into();
                    self.state.d.next = OutboxState::Pause;
                } else if self.over.val() {
                    self.late.d.next = true;
                    self.quiet.d.next = true;
                    self.state.d.next = OutboxState::Send;
                }
            }
            OutboxState::Pause => {
                if self.timer.q.val().get_bit(2) {
                    self.state.d.next = OutboxState::Idle;
                }
            }
        }
        if self.free.val() && self.owed.q.val() {
            self.go.d.next = true;
            self.acking.d.next = true;
            self.owed.d.next = false;
        }
        if self.ack.val() {
            self.owed.d.next = true;
        }
        if self.open.val() || self.reset.val() {
            self.timer.d.next = 0.into();
            self.state.d.next = OutboxState::Pause;
            self.quiet.d.next = false;
            self.number.d.next = self.number.q.val() + 1;
        }
        if self.reset.val() {
            self.owed.d.next = false;
            self.go.d.next = false;
            self.slow.d.next = false;
        }
        self.waiting.next = self.state.q.val() == OutboxState::Wait;
        self.at_hand.next = self.waiting.val()
            || (self.state.q.val() == OutboxState::Send)
            || (self.state.q.val() == OutboxState::Sending);
        self.source.next = self.chosen.q.val();
        self.seq.next = self.number.q.val();
        self.resent.next = self.late.q.val();
        self.silent.next = self.quiet.q.val();
        self.is_ack.next = self.acking.q.val();
        self.start.next = self.go.q.val();
    }
}
