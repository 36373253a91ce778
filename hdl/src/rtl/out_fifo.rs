// SPDX-License-Identifier: MIT OR Apache-2.0
//! Output FIFO of a port: a register at the pins, a small table behind it.
//!
//! ```text
//!  push, data_in ──►┌ table 2^N ┐──►┌ register ┐──► valid, data
//!                └──┴───────────┴──►└──────────┘◄── pop
//! ```
//! Contract: `push` only when `count` says there is room (users hold credits); a word pushed into an empty FIFO is at the
//! pins after the same edge. `pop` is the consumer's ready: a word leaves when `valid` and `pop`.
//! Latency 1 cycle when empty, interval 1. Holds 2^N words and one at the pins.

use super::lut_table::LutTable;
use rust_hdl::prelude::*;

/// See the module's text. `CW` must be `N + 1`.
#[derive(LogicBlock, Default)]
pub struct OutFifo<D: Synth, const N: usize, const CW: usize> {
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
    /// Words held in the table (the one at the pins is not counted); a register.
    pub count: Signal<Out, Bits<CW>>,
    /// More than one is held; a register.
    pub crowd: Signal<Out, Bit>,
    mem: LutTable<D, N>,
    head: DFF<D>,
    full: DFF<Bit>,
    wr: DFF<Bits<N>>,
    rd: DFF<Bits<N>>,
    count_q: DFF<Bits<CW>>,
    some_q: DFF<Bit>,
    crowd_q: DFF<Bit>,
    two: Signal<Local, Bit>,
    one: Signal<Local, Bit>,
    put: Signal<Local, Bit>,
    got: Signal<Local, Bit>,
    some: Signal<Local, Bit>,
    free: Signal<Local, Bit>,
}

impl<D: Synth, const N: usize, const CW: usize> Logic for OutFifo<D, N, CW> {
    #[hdl_gen]
    fn update(&mut self) {
        self.mem.clock.next = self.clock.val();
        self.head.clock.next = self.clock.val();
        self.full.clock.next = self.clock.val();
        self.wr.clock.next = self.clock.val();
        self.rd.clock.next = self.clock.val();
        self.head.d.next = self.head.q.val();
        self.full.d.next = self.full.q.val();
        self.wr.d.next = self.wr.q.val();
        self.rd.d.next = self.rd.q.val();
        self.count_q.clock.next = self.clock.val();
        self.some_q.clock.next = self.clock.val();
        self.count_q.d.next = self.count_q.q.val();
        self.some_q.d.next = self.some_q.q.val();
        self.crowd_q.clock.next = self.clock.val();
        self.crowd_q.d.next = self.crowd_q.q.val();
        self.crowd.next = self.crowd_q.q.val();
        self.some.next = self.some_q.q.val();
        self.one.next = self.count_q.q.val() == 1;
        self.two.next = self.count_q.q.val() == 2;
        self.free.next = !self.full.q.val() | self.pop.val();
        self.mem.read_address.next = self.rd.q.val();
        self.mem.write_address.next = self.wr.q.val();
        self.mem.write_data.next = self.data_in.val();
        self.mem.write_enable.next = false;
        if self.free.val() {
            self.full.d.next = self.some.val() | self.push.val();
            if self.some.val() {
                self.head.d.next = self.mem.read_data.val();
                self.rd.d.next = self.rd.q.val() + 1;
            } else {
                self.head.d.next = self.data_in.val();
            }
        }
        if self.push.val() & (self.some.val() | !self.free.val()) {
            self.mem.write_enable.next = true;
            self.wr.d.next = self.wr.q.val() + 1;
        }
        // how many, and whether any, are registers: they choose what every bit of the head is loaded with
        self.put.next = self.push.val() & (self.some.val() | !self.free.val());
        self.got.next = self.free.val() & self.some.val();
        if self.put.val() & !self.got.val() {
            self.count_q.d.next = self.count_q.q.val() + 1;
            self.some_q.d.next = true;
            self.crowd_q.d.next = self.some.val();
        }
        if !self.put.val() & self.got.val() {
            self.count_q.d.next = self.count_q.q.val() - 1;
            self.some_q.d.next = !self.one.val();
            self.crowd_q.d.next = self.crowd_q.q.val() & !self.two.val();
        }
        self.valid.next = self.full.q.val();
        self.data.next = self.head.q.val();
        self.count.next = self.count_q.q.val();
        if self.reset.val() {
            self.full.d.next = false;
            self.wr.d.next = 0.into();
            self.rd.d.next = 0.into();
            self.count_q.d.next = 0.into();
            self.some_q.d.next = false;
            self.crowd_q.d.next = false;
        }
    }
}
