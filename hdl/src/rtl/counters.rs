// SPDX-License-Identifier: MIT OR Apache-2.0
//! Exact counters: words of 32 bits in one RAM of half words, the last few bits of each also as a counter of its own.
//!
//! ```text
//!  inc[i] ──► low i (runs freely) ─┐ visited in turn
//!                                  ├─► difference ──┐
//!  RAM, low half, then high half ──┴─► held ───────► + ──► back, and to a reader
//! ```
//! A low counter is never cleared: what it has gone on since the last visit is its difference to the same bits of the word. A visit
//! takes two cycles, one a half word, the carry between them; NV visits are a round. So a low counter of b bits loses nothing as
//! long as fewer than 2^b pulses come in a round; `most` below says why they cannot, where b is less than what a pulse in every cycle needs.
//! Counters that always pulse together are one word: `page_faults` and `refused_not_present`, `mtt_hits` and `segments`. In the first
//! round after reset 0 is taken for the RAM's unknown contents.
//!
//! A read (`read` held with `index` until the answer, `index` one cycle longer before it) is answered in two halves when the visit comes by: `part` is the low half at
//! `at_low` and the high half at `at_high`, the cycle after; together they are the word of one moment. At most 2 * NV + 4 cycles.
//! An index from NC on is never to be asked. Words wrap at 2^32.

use super::prelude::*;
use super::table::Table;

/// Words. Word i counts what the map has under i, but 15 also 17 and 19 also 20, and in their places 17 counts 32 and 20 counts 31.
/// Visits go through the 31 states of a shift register, which are never 0: word 0 is visited as 31.
pub const NV: usize = NC - 2;
/// Bits of a low counter that may count in every cycle: fewer than 2^LOWW pulses in the 2 * NV cycles of a round.
pub const LOWW: usize = 6;
const _: () = assert!(NC == 33 && 2 * NV < 1 << LOWW);

/// Bits word `i` counts between two visits. One port (`SHORT`) bounds some sources, seen over the 62 cycles of a round:
///
/// | words | least interval | because |
/// |---|---|---|
/// | 4 evictions, 5 dropped_fills | 5 | one line buffer, MPTW beats fill it, here 5 or more |
/// | 6 replays | 3 | a waiter's word is read, there, and sent |
/// | 15 page_faults, 18 cut_walks | 5 | each is a restart of the walk, and the pipe passes before the next |
/// | 21 mtt_misses, 22 mtt_dropped_fills | 5 | one fetch a port: ask, answer, fill, and the pipe (5 stages) before the next look |
/// | 17 deregisters, 20 registers, 23 flushes, 28 parked, 29 overdue, 30 mtt_sweeps | 9 | one command at a time: a flush passes the pipe (7 stages), the others an entry of MPTN beats |
///
/// Parked commands that are overdue may end closer, NPARK of them: a round sees at most NPARK + 62 / 20, hence NPARK <= 4.
pub const fn most(i: usize) -> usize {
    match i {
        4 | 5 if SHORT == 1 && MPTW >= 5 => 4,
        15 | 18 | 21 | 22 if SHORT == 1 => 4,
        6 if SHORT == 1 => 5,
        17 | 20 | 23 | 28 | 30 if SHORT == 1 => 3,
        29 if SHORT == 1 && NPARK <= 4 => 3,
        _ => LOWW,
    }
}

/// See the module text.
#[derive(LogicBlock, SmartDefault)]
pub struct Counters {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// Pulses in the order of the map; those of `page_faults` and `mtt_hits` are not looked at.
    pub inc: Signal<In, Bits<NC>>,
    pub read: Signal<In, Bit>,
    pub index: Signal<In, Bits<NCW>>,
    pub at_low: Signal<Out, Bit>,
    pub at_high: Signal<Out, Bit>,
    pub part: Signal<Out, Bits<16>>,
    totals: Table<Bits<16>, NCW>,
    #[default(std::array::from_fn(|_| Default::default()))]
    low: [DFF<Bits<LOWW>>; NV],
    #[default(std::array::from_fn(|i| constant((1 << most(i)) - 1)))]
    keep: [Constant<Bits<LOWW>>; NV],
    /// The visit whose sum goes back; reading is one visit ahead.
    visit: DFF<Bits<5>>,
    /// The visit after it.
    ahead: DFF<Bits<5>>,
    phase: DFF<Bit>,
    fresh: DFF<Bit>,
    /// What the RAM shows was never written.
    blank: DFF<Bit>,
    /// Complement of the low counter visited.
    picked: DFF<Bits<LOWW>>,
    held: DFF<Bits<16>>,
    add: DFF<Bits<LOWW>>,
    hit: DFF<Bit>,
    half: DFF<Bit>,
    place: DFF<Bits<5>>,
    pulses: Signal<Local, Bits<NV>>,
    registered: Signal<Local, Bit>,
    deregistered: Signal<Local, Bit>,
    one: Signal<Local, Bits<1>>,
    count: Signal<Local, Bits<LOWW>>,
    coming: Signal<Local, Bits<5>>,
    mask_at: Signal<Local, Bits<LOWW>>,
    by16: [Signal<Local, Bits<LOWW>>; 16],
    by8: [Signal<Local, Bits<LOWW>>; 8],
    by4: [Signal<Local, Bits<LOWW>>; 4],
    by2: [Signal<Local, Bits<LOWW>>; 2],
    feed: Signal<Local, Bits<1>>,
    word: Signal<Local, Bits<16>>,
    gone: Signal<Local, Bits<LOWW>>,
    sum: Signal<Local, Bits<17>>,
    here: Signal<Local, Bits<5>>,
    phase1: Signal<Local, Bits<1>>,
}

impl Logic for Counters {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, visit, ahead, phase, fresh, blank, picked, held, add, hit, half, place);
        // low counters; the pulses beyond the words are those of two places that are free
        self.registered.next = self.inc.val().get_bit(31);
        self.deregistered.next = self.inc.val().get_bit(32);
        self.pulses.next = self.inc.val().get_bits::<NV>(0);
        self.pulses.next = self.pulses.val().replace_bit(17, self.deregistered.val());
        self.pulses.next = self.pulses.val().replace_bit(20, self.registered.val());
        for i in 0..NV {
            self.low[i].clock.next = self.clock.val();
            self.one.next = self.pulses.val().get_bit(i).into();
            self.count.next = self.low[i].q.val() + bit_cast::<LOWW, 1>(self.one.val());
            self.low[i].d.next = self.count.val() & self.keep[i].val();
            if self.reset.val() {
                self.low[i].d.next = 0.into();
            }
        }
        // the next visit
        self.coming.next = self.ahead.q.val();
        self.feed.next = self.coming.val().get_bits::<1>(4) ^ self.coming.val().get_bits::<1>(2);
        self.phase.d.next = !self.phase.q.val();
        if self.phase.q.val() {
            self.visit.d.next = self.coming.val();
            self.ahead.d.next = (self.coming.val() << 1) | bit_cast::<5, 1>(self.feed.val());
            if self.coming.val() == 1 {
                self.fresh.d.next = false;
            }
        }
        // phase 0: its low half is read, its low counter taken; phase 1: the high half is read
        self.phase1.next = self.phase.q.val().into();
        self.totals.clock.next = self.clock.val();
        self.totals.read_address.next = (bit_cast::<NCW, 5>(self.coming.val()) << 1) | bit_cast::<NCW, 1>(self.phase1.val());
        self.blank.d.next = self.fresh.q.val();
        self.by16[0].next = self.low[1].q.val();
        for a in 1..15 {
            self.by16[a].next = self.low[a * 2].q.val();
            if self.coming.val().get_bit(0) {
                self.by16[a].next = self.low[a * 2 + 1].q.val();
            }
        }
        self.by16[15].next = self.low[30].q.val();
        if self.coming.val().get_bit(0) {
            self.by16[15].next = self.low[0].q.val();
        }
        for b in 0..8 {
            self.by8[b].next = self.by16[b * 2].val();
            if self.coming.val().get_bit(1) {
                self.by8[b].next = self.by16[b * 2 + 1].val();
            }
        }
        for c in 0..4 {
            self.by4[c].next = self.by8[c * 2].val();
            if self.coming.val().get_bit(2) {
                self.by4[c].next = self.by8[c * 2 + 1].val();
            }
        }
        for e in 0..2 {
            self.by2[e].next = self.by4[e * 2].val();
            if self.coming.val().get_bit(3) {
                self.by2[e].next = self.by4[e * 2 + 1].val();
            }
        }
        self.count.next = self.by2[0].val();
        if self.coming.val().get_bit(4) {
            self.count.next = self.by2[1].val();
        }
        self.picked.d.next = !self.count.val();
        self.mask_at.next = self.keep[0].val();
        for m in 1..NV {
            if self.coming.val() == m.to_bits() {
                self.mask_at.next = self.keep[m].val();
            }
        }
        // phase 1: what came since the last visit; phase 0: the carry of the half just summed
        self.word.next = self.totals.read_data.val();
        self.held.d.next = self.word.val();
        if self.blank.q.val() {
            self.held.d.next = 0.into();
        }
        // low - word, as the complement of word + complement of low: iCE40 has no inverter before a carry
        self.count.next = self.word.val().get_bits::<LOWW>(0) + self.picked.q.val();
        if self.blank.q.val() {
            self.count.next = self.picked.q.val();
        }
        self.gone.next = !self.count.val();
        self.sum.next = bit_cast::<17, 16>(self.held.q.val()) + bit_cast::<17, LOWW>(self.add.q.val());
        self.one.next = self.sum.val().get_bits::<1>(16);
        if self.phase.q.val() {
            self.add.d.next = self.gone.val() & self.mask_at.val();
        } else {
            self.add.d.next = bit_cast::<LOWW, 1>(self.one.val());
        }
        // back, and to a reader
        self.totals.write_address.next = (bit_cast::<NCW, 5>(self.visit.q.val()) << 1) | bit_cast::<NCW, 1>(self.phase1.val());
        self.totals.write_data.next = self.sum.val().get_bits::<16>(0);
        self.totals.write_enable.next = !self.reset.val();
        self.part.next = self.sum.val().get_bits::<16>(0);
        self.here.next = self.index.val().get_bits::<5>(0);
        if !self.index.val().any() {
            self.here.next = 31.into();
        }
        if self.index.val() == 17 {
            self.here.next = 15.into();
        }
        if self.index.val() == 20 {
            self.here.next = 19.into();
        }
        if self.index.val() == 31 {
            self.here.next = 20.into();
        }
        if self.index.val().get_bit(5) {
            self.here.next = 17.into();
        }
        // `index` stands from the cycle before `read` on
        self.place.d.next = self.here.val();
        self.hit.d.next = self.read.val() & self.phase.q.val() & (self.place.q.val() == self.coming.val());
        self.at_low.next = self.hit.q.val();
        self.half.d.next = self.hit.q.val();
        self.at_high.next = self.half.q.val();
        if self.reset.val() {
            self.visit.d.next = 1.into();
            self.ahead.d.next = 2.into();
            self.phase.d.next = false;
            self.fresh.d.next = true;
            self.hit.d.next = false;
            self.half.d.next = false;
        }
    }
}
