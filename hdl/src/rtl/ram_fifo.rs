// SPDX-License-Identifier: MIT OR Apache-2.0
//! FIFO in a RAM with a registered read: two registers in front of it, so that nobody sees the RAM's latency.
//!
//! ```text
//!  push, data_in ──┬──────────────┬──────────┐
//!                  ▼              ▼          ▼
//!               ┌ RAM ┐─ word ─►┌ spare ┐─►┌ head ┐──► valid, data
//!               └─────┘    └──────────────►└──────┘◄── pop
//! ```
//! Contract: `push` only while fewer than 2^N + 1 words are inside (users hold credits); a word pushed into an empty FIFO
//! is at the pins after the same edge. `pop` is the consumer's ready: a word leaves when `valid` and `pop`.
//! The RAM's next word is always asked for ahead. It can't be used (`ready`) in the cycle after it was written; it is written only
//! when `spare` is full or the RAM still has an older word, so one of these goes first and no cycle is lost.
//! Latency 1 cycle when empty, interval 1. The RAM never holds 2^N words, as both registers are full before it fills.

use super::table::Table;
use rust_hdl::prelude::*;

/// See the module's text.
#[derive(LogicBlock, Default)]
pub struct RamFifo<D: Synth, const N: usize> {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// Take `data_in` at this edge.
    pub push: Signal<In, Bit>,
    /// Word to take.
    pub data_in: Signal<In, D>,
    /// A word is at the pins.
    pub valid: Signal<Out, Bit>,
    /// The word.
    pub data: Signal<Out, D>,
    /// The consumer is ready.
    pub pop: Signal<In, Bit>,
    ram: Table<D, N>,
    head: DFF<D>,
    full: DFF<Bit>,
    spare: DFF<D>,
    second: DFF<Bit>,
    wr: DFF<Bits<N>>,
    rd: DFF<Bits<N>>,
    ready: DFF<Bit>,
    free: Signal<Local, Bit>,
    open: Signal<Local, Bit>,
    ask: Signal<Local, Bits<N>>,
    direct: Signal<Local, Bit>,
    refill: Signal<Local, Bit>,
    more: Signal<Local, Bit>,
    after: Signal<Local, Bits<N>>,
    more_now: Signal<Local, Bit>,
    more_after: Signal<Local, Bit>,
    entry: Signal<Local, Bit>,
}

impl<D: Synth, const N: usize> Logic for RamFifo<D, N> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, head, full, spare, second, wr, rd, ready);
        self.free.next = !self.full.q.val() | self.pop.val();
        // the RAM's word goes to the head past an empty spare, or to a spare that is or becomes empty
        self.direct.next = self.ready.q.val() & self.free.val() & !self.second.q.val();
        self.open.next = self.free.val() == self.second.q.val();
        self.refill.next = self.ready.q.val() & self.open.val();
        // both answers are there before it is known which: the consumer's pin comes late
        self.after.next = self.rd.q.val() + 1;
        self.more_now.next = self.rd.q.val() != self.wr.q.val();
        self.more_after.next = self.after.val() != self.wr.q.val();
        self.ask.next = self.rd.q.val();
        self.more.next = self.more_now.val();
        if self.direct.val() | self.refill.val() {
            self.ask.next = self.after.val();
            self.more.next = self.more_after.val();
        }
        self.rd.d.next = self.ask.val();
        self.ready.d.next = self.more.val();
        // where a word that comes goes: nothing may be ahead of it there
        self.entry.next = self.free.val() & !self.second.q.val() & !self.ready.q.val();
        if self.free.val() {
            self.full.d.next = self.second.q.val() | self.ready.q.val() | self.push.val();
            self.head.d.next = self.data_in.val();
            if self.ready.q.val() {
                self.head.d.next = self.ram.read_data.val();
            }
            if self.second.q.val() {
                self.head.d.next = self.spare.q.val();
            }
        }
        self.ram.clock.next = self.clock.val();
        self.ram.read_address.next = self.ask.val();
        self.ram.write_address.next = self.wr.q.val();
        self.ram.write_data.next = self.data_in.val();
        self.ram.write_enable.next = false;
        if self.refill.val() {
            self.spare.d.next = self.ram.read_data.val();
            self.second.d.next = true;
        } else if self.open.val() | self.direct.val() {
            self.spare.d.next = self.data_in.val();
            self.second.d.next = self.push.val() & !self.more.val();
        }
        if self.push.val() & !self.entry.val() {
            if self.more.val() | self.refill.val() | !(self.open.val() | self.direct.val()) {
                self.ram.write_enable.next = true;
                self.wr.d.next = self.wr.q.val() + 1;
            }
        }
        self.valid.next = self.full.q.val();
        self.data.next = self.head.q.val();
        if self.reset.val() {
            self.full.d.next = false;
            self.second.d.next = false;
            self.ready.d.next = false;
            self.wr.d.next = 0.into();
            self.rd.d.next = 0.into();
        }
    }
}
