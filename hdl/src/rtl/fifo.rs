// SPDX-License-Identifier: MIT OR Apache-2.0
//! First-word-fall-through FIFO of 2^A entries over a `LutRam`.
//!
//! `Fifo<W, A, C>` with C = A + 1 (stable Rust can't compute it). Ports: `clock`, `reset` (synchronous, empties
//! it), `write` + `data_in` (W), `valid` + `data_out` (W, shown while valid), `pop` (ignored when not valid),
//! `count` (C, registered). A written word is shown from the next cycle on.
//! There is no full flag: whoever writes holds a credit for the entry. A write to a full FIFO spoils it.

use super::lut_ram::LutRam;
use super::prelude::*;

/// 2^A entries of W bits; C must be A + 1.
#[derive(LogicBlock, Default)]
pub struct Fifo<const W: usize, const A: usize, const C: usize> {
    /// Clock, rising edge.
    pub clock: Signal<In, Clock>,
    /// Empties the FIFO.
    pub reset: Signal<In, Bit>,
    /// Take `data_in`; never when full.
    pub write: Signal<In, Bit>,
    /// New entry.
    pub data_in: Signal<In, Bits<W>>,
    /// Drop the shown entry.
    pub pop: Signal<In, Bit>,
    /// An entry is shown.
    pub valid: Signal<Out, Bit>,
    /// The oldest entry.
    pub data_out: Signal<Out, Bits<W>>,
    /// Entries held.
    pub count: Signal<Out, Bits<C>>,
    words: LutRam<W, A>,
    head: DFF<Bits<A>>,
    tail: DFF<Bits<A>>,
    held: DFF<Bits<C>>,
    take: Signal<Local, Bit>,
}

impl<const W: usize, const A: usize, const C: usize> Logic for Fifo<W, A, C> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, head, tail, held);
        self.words.clock.next = self.clock.val();
        self.words.read_address.next = self.head.q.val();
        self.words.write_address.next = self.tail.q.val();
        self.words.write_data.next = self.data_in.val();
        self.words.write_enable.next = self.write.val();
        self.data_out.next = self.words.read_data.val();
        self.valid.next = self.held.q.val().any();
        self.count.next = self.held.q.val();
        self.take.next = self.pop.val() && self.held.q.val().any();
        if self.take.val() {
            self.head.d.next = self.head.q.val() + 1;
        }
        if self.write.val() {
            self.tail.d.next = self.tail.q.val() + 1;
        }
        if self.write.val() && !self.take.val() {
            self.held.d.next = self.held.q.val() + 1;
        }
        if self.take.val() && !self.write.val() {
            self.held.d.next = self.held.q.val() - 1;
        }
        if self.reset.val() {
            self.head.d.next = 0.into();
            self.tail.d.next = 0.into();
            self.held.d.next = 0.into();
        }
    }
}
