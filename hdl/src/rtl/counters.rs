// SPDX-License-Identifier: MIT OR Apache-2.0
//! Exact counters: one RAM of 32-bit words, a small accumulator each.
//!
//! ```text
//!  inc[i] ──► accumulator i ─┐ visited in turn
//!                            ├─► + low half ─► + high half ─► write, and answer a read of i
//!  RAM word i ───────────────┘
//! ```
//! The visit goes round all NC counters, one a cycle; it takes the accumulator and leaves the pulse of that very
//! cycle in it. A round is NC cycles and an accumulator holds more than that, so nothing is lost even if every
//! counter pulses in every cycle. The first round after reset writes zeros under the RAM's unknown contents.
//!
//! A read (`read`, one pulse, `index`) is answered when the visit comes by: `answer` is one pulse with the exact
//! `value` (RAM and accumulator), at most NC + 4 cycles later. One read at a time. An index from NC on is never
//! answered. Words wrap at 2^32.

use super::prelude::*;
use super::table::Table;

/// Bits of an accumulator: it must hold NC + 1.
pub const ACCW: usize = (usize::BITS - (NC + 1).leading_zeros()) as usize;

/// See the module text.
#[derive(LogicBlock)]
pub struct Counters {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub inc: Signal<In, Bits<NC>>,
    pub read: Signal<In, Bit>,
    pub index: Signal<In, Bits<NCW>>,
    pub answer: Signal<Out, Bit>,
    pub value: Signal<Out, Bits<32>>,
    totals: Table<Bits<32>, NCW>,
    acc: [DFF<Bits<ACCW>>; NC],
    visit: DFF<Bits<NCW>>,
    first: DFF<Bit>,
    wanted: DFF<Bits<NCW>>,
    waiting: DFF<Bit>,
    at1: DFF<Bits<NCW>>,
    first1: DFF<Bit>,
    taken1: DFF<Bits<ACCW>>,
    live1: DFF<Bit>,
    at2: DFF<Bits<NCW>>,
    low2: DFF<Bits<17>>,
    high2: DFF<Bits<16>>,
    live2: DFF<Bit>,
    at3: DFF<Bits<NCW>>,
    word3: DFF<Bits<32>>,
    live3: DFF<Bit>,
    taken: Signal<Local, Bits<ACCW>>,
    one: Signal<Local, Bits<1>>,
    old: Signal<Local, Bits<32>>,
    low: Signal<Local, Bits<16>>,
    high: Signal<Local, Bits<16>>,
    carry: Signal<Local, Bits<1>>,
    last: Constant<Bits<NCW>>,
}

impl Default for Counters {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            inc: Default::default(),
            read: Default::default(),
            index: Default::default(),
            answer: Default::default(),
            value: Default::default(),
            totals: Default::default(),
            acc: std::array::from_fn(|_| Default::default()),
            visit: Default::default(),
            first: Default::default(),
            wanted: Default::default(),
            waiting: Default::default(),
            at1: Default::default(),
            first1: Default::default(),
            taken1: Default::default(),
            live1: Default::default(),
            at2: Default::default(),
            low2: Default::default(),
            high2: Default::default(),
            live2: Default::default(),
            at3: Default::default(),
            word3: Default::default(),
            live3: Default::default(),
            taken: Default::default(),
            one: Default::default(),
            old: Default::default(),
            low: Default::default(),
            high: Default::default(),
            carry: Default::default(),
            last: Constant::new(Bits::<NCW>::from(NC as u64 - 1)),
        }
    }
}

impl Logic for Counters {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, visit, first, wanted, waiting, at1, first1, taken1, live1, at2, low2, high2, live2, at3, word3, live3
        );
        // visit: read the RAM, take the accumulator
        self.taken.next = 0.into();
        for i in 0..NC {
            self.acc[i].clock.next = self.clock.val();
            self.one.next = self.inc.val().get_bit(i).into();
            if self.visit.q.val() == i.to_bits() {
                self.taken.next = self.acc[i].q.val();
                self.acc[i].d.next = bit_cast::<ACCW, 1>(self.one.val());
            } else {
                self.acc[i].d.next = self.acc[i].q.val() + bit_cast::<ACCW, 1>(self.one.val());
            }
            if self.reset.val() {
                self.acc[i].d.next = 0.into();
            }
        }
        self.totals.clock.next = self.clock.val();
        self.totals.read_address.next = self.visit.q.val();
        self.at1.d.next = self.visit.q.val();
        self.first1.d.next = self.first.q.val();
        self.taken1.d.next = self.taken.val();
        self.live1.d.next = true;
        self.visit.d.next = self.visit.q.val() + 1;
        if self.visit.q.val() == self.last.val() {
            self.visit.d.next = 0.into();
            self.first.d.next = false;
        }
        // low half
        self.old.next = self.totals.read_data.val();
        if self.first1.q.val() {
            self.old.next = 0.into();
        }
        self.low.next = self.old.val().get_bits::<16>(0);
        self.low2.d.next = bit_cast::<17, 16>(self.low.val()) + bit_cast::<17, ACCW>(self.taken1.q.val());
        self.high2.d.next = self.old.val().get_bits::<16>(16);
        self.at2.d.next = self.at1.q.val();
        self.live2.d.next = self.live1.q.val();
        // high half
        self.carry.next = self.low2.q.val().get_bits::<1>(16);
        self.high.next = self.high2.q.val() + bit_cast::<16, 1>(self.carry.val());
        self.word3.d.next = (bit_cast::<32, 16>(self.high.val()) << 16) | bit_cast::<32, 16>(self.low2.q.val().get_bits::<16>(0));
        self.at3.d.next = self.at2.q.val();
        self.live3.d.next = self.live2.q.val();
        // back
        self.totals.write_address.next = self.at3.q.val();
        self.totals.write_data.next = self.word3.q.val();
        self.totals.write_enable.next = self.live3.q.val();
        self.value.next = self.word3.q.val();
        self.answer.next = self.waiting.q.val() && self.live3.q.val() && (self.at3.q.val() == self.wanted.q.val());
        if self.answer.val() {
            self.waiting.d.next = false;
        }
        if self.read.val() {
            self.waiting.d.next = true;
            self.wanted.d.next = self.index.val();
        }
        if self.reset.val() {
            self.visit.d.next = 0.into();
            self.first.d.next = true;
            self.waiting.d.next = false;
            self.live1.d.next = false;
            self.live2.d.next = false;
            self.live3.d.next = false;
        }
    }
}
