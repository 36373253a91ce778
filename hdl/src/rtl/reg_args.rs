// SPDX-License-Identifier: MIT OR Apache-2.0
//! Judges the numbers of a register command, two bits a cycle, and makes the base of the entry on the way.
//!
//! ```text
//!            ┌───────────────── digit j ─────────────────┐
//!  start  ──►│ + length ─► carry, anything nonzero       │ beyond 2^VAW ?
//!  length ──►│ offset + length = need ─┐                 │
//!  pages  ──►│ pages << page bits ─────┴─► difference    │ negative, or a whole page left over ?
//!  base   ──►│ - start (contiguous) ─► digit, push       │ base of the entry, low digits first
//!            └────────────────────────────────────────────┘
//! ```
//! A range needs `pages` pages exactly if 0 <= pages * page - (offset in the first page + length) < page.
//! A zero-based region uses the offset where others use the whole start. Contiguous: no offset, no need, so no pages;
//! its base is what is added to an address (zero-based: the physical address itself).
//!
//! `go` is one pulse; the inputs stay; `done` is one pulse with `ok`, DIGITS + 3 cycles later, DIGITS being half of the widest
//! of VAW, RLW, PAW and PNW + 30. `push` is high for (PAW + 1) / 2 cycles from the second after `go` on.

use super::prelude::*;

const fn most(a: usize, b: usize) -> usize {
    if a > b {
        a
    } else {
        b
    }
}
const WIDEST: usize = most(most(VAW + 1, RLW + 1), most(PAW, PNW + 30));
const DIGITS: usize = WIDEST.div_ceil(2);

/// See the module text.
#[derive(LogicBlock, SmartDefault)]
pub struct RegArgs {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub go: Signal<In, Bit>,
    pub start: Signal<In, Bits<VAW>>,
    pub length: Signal<In, Bits<RLW>>,
    pub page: Signal<In, Bits<3>>,
    pub pages: Signal<In, Bits<PNW>>,
    pub base: Signal<In, Bits<PAW>>,
    /// The verbs' bits as they come.
    pub access: Signal<In, Bits<32>>,
    pub push: Signal<Out, Bit>,
    pub digit: Signal<Out, Bits<2>>,
    pub done: Signal<Out, Bit>,
    pub ok: Signal<Out, Bit>,
    /// The access bits alone, with the page size, are legal; one cycle after the pins.
    pub fair_access: Signal<Out, Bit>,
    /// Digits are being read, are being worked on (one cycle behind).
    run: DFF<Bit>,
    live: DFF<Bit>,
    s: DFF<Bits<2>>,
    l: DFF<Bits<2>>,
    b: DFF<Bits<2>>,
    pushing: DFF<Bit>,
    finished: DFF<Bit>,
    /// Digit number.
    j: DFF<Bits<6>>,
    /// The digit lies below the page size; the page size lies in this digit.
    below: DFF<Bit>,
    split: DFF<Bit>,
    /// What is left of the page count, and its last high bit.
    queue: DFF<Bits<PNW>>,
    held: DFF<Bit>,
    c_range: DFF<Bit>,
    some: DFF<Bit>,
    over: DFF<Bit>,
    c_need: DFF<Bit>,
    borrow: DFF<Bit>,
    spare: DFF<Bit>,
    b_base: DFF<Bit>,
    filled: DFF<Bit>,
    at: Signal<Local, Bits<7>>,
    start_j: Signal<Local, Bits<VAW>>,
    length_j: Signal<Local, Bits<RLW>>,
    base_j: Signal<Local, Bits<PAW>>,
    contiguous: Signal<Local, Bit>,
    zero: Signal<Local, Bit>,
    less: Signal<Local, Bit>,
    s0: Signal<Local, Bit>,
    s1: Signal<Local, Bit>,
    o0: Signal<Local, Bit>,
    o1: Signal<Local, Bit>,
    r0: Signal<Local, Bit>,
    r1: Signal<Local, Bit>,
    l0: Signal<Local, Bit>,
    l1: Signal<Local, Bit>,
    k0: Signal<Local, Bit>,
    k1: Signal<Local, Bit>,
    n0: Signal<Local, Bit>,
    n1: Signal<Local, Bit>,
    nc: Signal<Local, Bit>,
    p0: Signal<Local, Bit>,
    p1: Signal<Local, Bit>,
    d0: Signal<Local, Bit>,
    d1: Signal<Local, Bit>,
    dc: Signal<Local, Bit>,
    rc: Signal<Local, Bit>,
    low_r: Signal<Local, Bit>,
    high_r: Signal<Local, Bit>,
    x0: Signal<Local, Bit>,
    x1: Signal<Local, Bit>,
    bc: Signal<Local, Bit>,
    y0: Signal<Local, Bit>,
    y1: Signal<Local, Bit>,
    last: Signal<Local, Bit>,
    top: Signal<Local, Bit>,
    brink: Signal<Local, Bit>,
    fair: DFF<Bit>,
    acc: Signal<Local, Bits<32>>,
    atomic: Signal<Local, Bit>,
    code: Signal<Local, Bit>,
    // worked on while the next one is read
    #[default(constant(DIGITS - 1))]
    last_j: Constant<Bits<6>>,
    #[default(constant(VAW / 2 + 1))]
    top_j: Constant<Bits<6>>,
    #[default(constant(PAW.div_ceil(2)))]
    push_j: Constant<Bits<6>>,
    // without the feature, on_demand is as unknown as a reserved bit
    #[default(Constant::new(VAW % 2 == 1))]
    odd: Constant<Bit>,
    #[default(Constant::new((0xC00F_FC00u64 | if F_ODP { 0 } else { 0x40 }).to_bits()))]
    unknown: Constant<Bits<32>>,
}

impl Logic for RegArgs {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, fair, run, live, s, l, b, pushing, finished, j, below, split, queue, held, c_range, some, over, c_need, borrow, spare, b_base, filled
        );
        // ---- digit j of every number, for the next cycle
        self.at.next = bit_cast::<7, 6>(self.j.q.val()) << 1;
        self.start_j.next = self.start.val() >> self.at.val();
        self.length_j.next = self.length.val() >> self.at.val();
        self.base_j.next = self.base.val() >> self.at.val();
        self.s.d.next = self.start_j.val().get_bits::<2>(0);
        self.l.d.next = self.length_j.val().get_bits::<2>(0);
        self.b.d.next = self.base_j.val().get_bits::<2>(0);
        self.contiguous.next = self.page.val().get_bit(2);
        self.zero.next = self.access.val().get_bit(5);
        self.s0.next = self.s.q.val().get_bit(0);
        self.s1.next = self.s.q.val().get_bit(1);
        self.l0.next = self.l.q.val().get_bit(0);
        self.l1.next = self.l.q.val().get_bit(1);
        self.o0.next = self.s0.val() && (self.below.q.val() || self.split.q.val());
        self.o1.next = self.s1.val() && self.below.q.val();

        // ---- the range: exactly 2^VAW is the last byte of the space
        self.r0.next = self.o0.val() || (self.s0.val() && !self.zero.val());
        self.r1.next = self.o1.val() || (self.s1.val() && !self.zero.val());
        self.low_r.next = (self.r0.val() ^ self.l0.val()) ^ self.c_range.q.val();
        self.rc.next = (self.r0.val() && self.l0.val()) || (self.c_range.q.val() && (self.r0.val() || self.l0.val()));
        self.high_r.next = (self.r1.val() ^ self.l1.val()) ^ self.rc.val();
        self.c_range.d.next = (self.r1.val() && self.l1.val()) || (self.rc.val() && (self.r1.val() || self.l1.val()));
        self.filled.d.next = self.filled.q.val() || self.l0.val() || self.l1.val();
        self.top.next = self.j.q.val() == self.top_j.val();
        if self.top.val() {
            self.over.d.next =
                (self.low_r.val() && self.some.q.val() && !self.odd.val()) || (self.high_r.val() && self.odd.val() && (self.some.q.val() || self.low_r.val()));
        }
        self.some.d.next = self.some.q.val() || self.low_r.val() || self.high_r.val();

        // ---- what the pages must hold
        self.k0.next = self.l0.val() && !self.contiguous.val();
        self.k1.next = self.l1.val() && !self.contiguous.val();
        self.n0.next = (self.o0.val() ^ self.k0.val()) ^ self.c_need.q.val();
        self.nc.next = (self.o0.val() && self.k0.val()) || (self.c_need.q.val() && (self.o0.val() || self.k0.val()));
        self.n1.next = (self.o1.val() ^ self.k1.val()) ^ self.nc.val();
        self.c_need.d.next = (self.o1.val() && self.k1.val()) || (self.nc.val() && (self.o1.val() || self.k1.val()));

        // ---- what they hold; 2 MiB is an odd power of two
        self.p0.next = self.queue.q.val().get_bit(0) && !self.below.q.val();
        self.p1.next = self.queue.q.val().get_bit(1) && !self.below.q.val();
        if self.page.val() == 2 {
            self.p0.next = self.held.q.val();
            self.p1.next = self.queue.q.val().get_bit(0) && !self.below.q.val();
        }
        self.d0.next = (self.p0.val() ^ self.n0.val()) ^ self.borrow.q.val();
        self.dc.next = (self.n0.val() && !self.p0.val()) || (self.borrow.q.val() && (self.n0.val() || !self.p0.val()));
        self.d1.next = (self.p1.val() ^ self.n1.val()) ^ self.dc.val();
        self.borrow.d.next = (self.n1.val() && !self.p1.val()) || (self.dc.val() && (self.n1.val() || !self.p1.val()));
        self.spare.d.next =
            self.spare.q.val() || (!self.below.q.val() && (self.d1.val() || (self.d0.val() && !self.split.q.val())));
        if !self.below.q.val() {
            self.queue.d.next = self.queue.q.val() >> 2;
            self.held.d.next = self.queue.q.val().get_bit(1);
        }

        // ---- the base
        self.less.next = self.contiguous.val() && !self.zero.val();
        self.x0.next = self.s0.val() && self.less.val();
        self.x1.next = self.s1.val() && self.less.val();
        self.y0.next = (self.b.q.val().get_bit(0) ^ self.x0.val()) ^ self.b_base.q.val();
        self.bc.next = (self.x0.val() && !self.b.q.val().get_bit(0)) || (self.b_base.q.val() && (self.x0.val() || !self.b.q.val().get_bit(0)));
        self.y1.next = (self.b.q.val().get_bit(1) ^ self.x1.val()) ^ self.bc.val();
        self.b_base.d.next = (self.x1.val() && !self.b.q.val().get_bit(1)) || (self.bc.val() && (self.x1.val() || !self.b.q.val().get_bit(1)));
        self.digit.next = 0.into();
        self.digit.next = self.digit.val().replace_bit(0, self.y0.val());
        self.digit.next = self.digit.val().replace_bit(1, self.y1.val());
        self.push.next = self.pushing.q.val();

        // ---- the digits' run
        self.brink.next = (self.j.q.val() == 6 && self.page.val() == 0)
            || (self.j.q.val() == 8 && self.page.val() == 1)
            || (self.j.q.val() == 10 && self.page.val() == 2)
            || (self.j.q.val() == 15 && self.page.val() == 3);
        self.last.next = self.j.q.val() == self.last_j.val();
        self.split.d.next = self.brink.val() && self.page.val().get_bit(1) && !self.page.val().get_bit(0);
        if self.brink.val() {
            self.below.d.next = false;
        }
        if self.j.q.val() == self.push_j.val() {
            self.pushing.d.next = false;
        }
        self.j.d.next = self.j.q.val() + 1;
        self.live.d.next = self.run.q.val();
        self.finished.d.next = self.live.q.val() && !self.run.q.val();
        if self.last.val() {
            self.run.d.next = false;
        }
        if self.go.val() {
            self.run.d.next = true;
        }
        if self.run.q.val() && !self.live.q.val() {
            self.pushing.d.next = true;
        }
        // at rest everything waits at digit 0; the verdict is read in the first cycle of rest
        if !self.run.q.val() {
            self.j.d.next = 0.into();
        }
        if !self.live.q.val() {
            self.below.d.next = !self.contiguous.val();
            self.split.d.next = false;
            self.queue.d.next = self.pages.val();
            self.held.d.next = false;
            self.c_range.d.next = false;
            self.some.d.next = false;
            self.c_need.d.next = false;
            self.b_base.d.next = false;
            self.over.d.next = false;
            self.borrow.d.next = false;
            self.spare.d.next = false;
            self.filled.d.next = false;
        }

        // ---- the verdict
        self.acc.next = self.access.val() & self.unknown.val();
        self.atomic.next = self.access.val().get_bit(0) || (!self.access.val().get_bit(1) && !self.access.val().get_bit(3));
        self.code.next = self.page.val().get_bit(0) || self.page.val().get_bit(1) || self.access.val().get_bit(6);
        // long before the digits are through
        self.fair.d.next = !self.acc.val().any() && self.atomic.val() && !(self.contiguous.val() && self.code.val());
        self.fair_access.next = self.fair.q.val();
        self.done.next = self.finished.q.val();
        self.ok.next = !self.over.q.val()
            && !self.borrow.q.val()
            && !self.spare.q.val()
            && self.filled.q.val()
            && self.fair.q.val();
        if self.reset.val() {
            self.run.d.next = false;
            self.live.d.next = false;
            self.pushing.d.next = false;
            self.finished.d.next = false;
        }
    }
}
