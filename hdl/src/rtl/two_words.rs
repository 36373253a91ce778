// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two words in registers, one behind the other: each word passes both.
//!
//! ```text
//!  push, data_in ──►[ next ]──►[ head ]──► valid, data
//!                                 ◄── pop
//! ```
//! Contract: `push` only while `room`, which knows `pop` of the same cycle. A word leaves when `valid` and `pop`.
//! Holds two and never loses a cycle to a consumer that is always ready; no word is chosen between two, so what is pushed may come late.
//! Latency 2 cycles, interval 1.

use rust_hdl::prelude::*;

/// See the module's text.
#[derive(LogicBlock, Default)]
pub struct TwoWords<D: Synth> {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// Take `data_in` at this edge.
    pub push: Signal<In, Bit>,
    /// Word to take.
    pub data_in: Signal<In, D>,
    /// A word may be pushed.
    pub room: Signal<Out, Bit>,
    /// A word is at the pins.
    pub valid: Signal<Out, Bit>,
    /// The word.
    pub data: Signal<Out, D>,
    /// The consumer is ready.
    pub pop: Signal<In, Bit>,
    head: DFF<D>,
    full: DFF<Bit>,
    next: DFF<D>,
    more: DFF<Bit>,
    moves: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
}

impl<D: Synth> Logic for TwoWords<D> {
    #[hdl_gen]
    fn update(&mut self) {
        self.head.clock.next = self.clock.val();
        self.full.clock.next = self.clock.val();
        self.next.clock.next = self.clock.val();
        self.more.clock.next = self.clock.val();
        self.head.d.next = self.head.q.val();
        self.full.d.next = self.full.q.val();
        self.next.d.next = self.next.q.val();
        self.more.d.next = self.more.q.val();
        self.moves.next = self.pop.val() | !self.full.q.val();
        self.takes.next = self.moves.val() | !self.more.q.val();
        if self.moves.val() {
            self.head.d.next = self.next.q.val();
            self.full.d.next = self.more.q.val();
        }
        if self.takes.val() {
            self.next.d.next = self.data_in.val();
            self.more.d.next = self.push.val();
        }
        self.room.next = self.takes.val();
        self.valid.next = self.full.q.val();
        self.data.next = self.head.q.val();
        if self.reset.val() {
            self.full.d.next = false;
            self.more.d.next = false;
        }
    }
}
