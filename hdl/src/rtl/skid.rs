// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two words in registers: one at the pins, one behind it.
//!
//! ```text
//!  push, data_in ──►[ spare ]──►[ head ]──► valid, data
//!                └───────────────►┘           ◄── pop
//! ```
//! Contract: `push` only while `room`; a word pushed while empty is at the pins after the same edge. A word leaves when `valid` and `pop`.
//! The cheapest queue that never loses a cycle to a consumer that is always ready. Latency 1 cycle, interval 1.

use rust_hdl::prelude::*;

/// See the module's text.
#[derive(LogicBlock, Default)]
pub struct Skid<D: Synth> {
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
    spare: DFF<D>,
    more: DFF<Bit>,
    /// Not `more`, apart: it is asked early in the cycle.
    vacant: DFF<Bit>,
}

impl<D: Synth> Logic for Skid<D> {
    #[hdl_gen]
    fn update(&mut self) {
        self.head.clock.next = self.clock.val();
        self.full.clock.next = self.clock.val();
        self.spare.clock.next = self.clock.val();
        self.more.clock.next = self.clock.val();
        self.vacant.clock.next = self.clock.val();
        self.head.d.next = self.head.q.val();
        self.full.d.next = self.full.q.val();
        self.spare.d.next = self.spare.q.val();
        self.more.d.next = self.more.q.val();
        self.vacant.d.next = self.vacant.q.val();
        if !self.more.q.val() {
            self.spare.d.next = self.data_in.val();
        }
        if self.pop.val() | !self.full.q.val() {
            self.head.d.next = self.data_in.val();
            self.full.d.next = self.push.val() | self.more.q.val();
            if self.more.q.val() {
                self.head.d.next = self.spare.q.val();
            }
            self.more.d.next = false;
            self.vacant.d.next = true;
        } else if self.push.val() {
            self.more.d.next = true;
            self.vacant.d.next = false;
        }
        self.room.next = self.vacant.q.val();
        self.valid.next = self.full.q.val();
        self.data.next = self.head.q.val();
        if self.reset.val() {
            self.full.d.next = false;
            self.more.d.next = false;
            self.vacant.d.next = true;
        }
    }
}
