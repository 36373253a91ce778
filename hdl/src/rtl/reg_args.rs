// SPDX-License-Identifier: MIT OR Apache-2.0
//! Judges the numbers of a register command.
//!
//! ```text
//!  start & mask ─┐                              ┌► q = sum >> shift ─► q + (low part nonzero) == pages ?
//!                ├─► lo half ─► hi half = sum ──┤
//!  length ───────┘   (carry in a register)      └► carry, high start bits all ones: beyond 2^VAW ?
//! ```
//! One adder works twice: with the whole start (range), then with the offset in the first page (page count).
//! A zero-based region uses the offset both times. `go` is one pulse; the inputs stay; `done` is one pulse
//! [`LATENCY`](self) = 8 cycles later with `ok`. The longest path is half a length of carry.

use super::prelude::*;

const OFFW: usize = if VAW < 30 { VAW } else { 30 };
const SUMW: usize = if RLW > OFFW { RLW } else { OFFW };
const LOW: usize = SUMW / 2;
const LOW1: usize = LOW + 1;
const HIGH: usize = SUMW - LOW;
const HIGH1: usize = HIGH + 1;
const SUM1: usize = SUMW + 1;
const CUT: usize = SUM1 - 12;
const QUOT: usize = if CUT > PNW { CUT + 1 } else { PNW + 1 };

/// See the module text.
#[derive(LogicBlock)]
pub struct RegArgs {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub go: Signal<In, Bit>,
    pub start: Signal<In, Bits<VAW>>,
    pub length: Signal<In, Bits<RLW>>,
    pub page: Signal<In, Bits<3>>,
    pub pages: Signal<In, Bits<PNW>>,
    /// The verbs' bits as they come.
    pub access: Signal<In, Bits<32>>,
    pub done: Signal<Out, Bit>,
    pub ok: Signal<Out, Bit>,
    step: DFF<Bits<4>>,
    lo: DFF<Bits<LOW1>>,
    hi: DFF<Bits<HIGH1>>,
    over: DFF<Bit>,
    quot: DFF<Bits<QUOT>>,
    rest: DFF<Bit>,
    count: DFF<Bits<QUOT>>,
    fine: DFF<Bit>,
    offset: Signal<Local, Bit>,
    pmask: Signal<Local, Bits<SUMW>>,
    a: Signal<Local, Bits<SUMW>>,
    b: Signal<Local, Bits<SUMW>>,
    al: Signal<Local, Bits<LOW>>,
    bl: Signal<Local, Bits<LOW>>,
    ah: Signal<Local, Bits<HIGH>>,
    bh: Signal<Local, Bits<HIGH>>,
    carry: Signal<Local, Bits<1>>,
    sum: Signal<Local, Bits<SUM1>>,
    low: Signal<Local, Bits<SUMW>>,
    half: Signal<Local, Bits<LOW>>,
    left: Signal<Local, Bits<SUMW>>,
    shifted: Signal<Local, Bits<SUM1>>,
    one: Signal<Local, Bits<1>>,
    acc: Signal<Local, Bits<32>>,
    tops: Signal<Local, Bits<VAW>>,
    at_high: Constant<Bits<8>>,
    mask0: Constant<Bits<SUMW>>,
    mask1: Constant<Bits<SUMW>>,
    mask2: Constant<Bits<SUMW>>,
    mask3: Constant<Bits<SUMW>>,
    lowones: Constant<Bits<VAW>>,
    whole: Constant<Bit>,
    unknown: Constant<Bits<32>>,
    at_carry: Constant<Bits<8>>,
}

fn ones<const W: usize>(n: usize) -> Constant<Bits<W>> {
    let n = n.min(W);
    Constant::new(if n == 0 { 0.into() } else { ((1u128 << (n - 1)) | ((1u128 << (n - 1)) - 1)).to_bits() })
}

impl Default for RegArgs {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            go: Default::default(),
            start: Default::default(),
            length: Default::default(),
            page: Default::default(),
            pages: Default::default(),
            access: Default::default(),
            done: Default::default(),
            ok: Default::default(),
            step: Default::default(),
            lo: Default::default(),
            hi: Default::default(),
            over: Default::default(),
            quot: Default::default(),
            rest: Default::default(),
            count: Default::default(),
            fine: Default::default(),
            offset: Default::default(),
            pmask: Default::default(),
            a: Default::default(),
            b: Default::default(),
            al: Default::default(),
            bl: Default::default(),
            ah: Default::default(),
            bh: Default::default(),
            carry: Default::default(),
            sum: Default::default(),
            low: Default::default(),
            half: Default::default(),
            left: Default::default(),
            shifted: Default::default(),
            one: Default::default(),
            acc: Default::default(),
            tops: Default::default(),
            at_high: Constant::new(Bits::<8>::from(LOW as u64)),
            mask0: ones(12),
            mask1: ones(16),
            mask2: ones(21),
            mask3: ones(30),
            lowones: ones(SUMW),
            whole: Constant::new(SUMW == VAW),
            // without the feature, on_demand is as unknown as a reserved bit
            unknown: Constant::new((0xC00F_FC00u64 | if F_ODP { 0 } else { 0x40 }).to_bits()),
            at_carry: Constant::new(Bits::<8>::from(HIGH as u64)),
        }
    }
}

impl Logic for RegArgs {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, step, lo, hi, over, quot, rest, count, fine);
        // operands: the mask keeps the offset in a page; contiguous has none
        self.pmask.next = self.mask0.val();
        if self.page.val() == 1 {
            self.pmask.next = self.mask1.val();
        }
        if self.page.val() == 2 {
            self.pmask.next = self.mask2.val();
        }
        if self.page.val() == 3 {
            self.pmask.next = self.mask3.val();
        }
        if self.page.val().get_bit(2) {
            self.pmask.next = 0.into();
        }
        self.offset.next = self.step.q.val().get_bit(2) || self.access.val().get_bit(5);
        self.a.next = self.start.val().get_bits::<SUMW>(0);
        if self.offset.val() {
            self.a.next = self.start.val().get_bits::<SUMW>(0) & self.pmask.val();
        }
        self.b.next = bit_cast::<SUMW, RLW>(self.length.val());
        self.al.next = self.a.val().get_bits::<LOW>(0);
        self.bl.next = self.b.val().get_bits::<LOW>(0);
        self.ah.next = self.a.val().get_bits::<HIGH>(self.at_high.val().index());
        self.bh.next = self.b.val().get_bits::<HIGH>(self.at_high.val().index());
        self.carry.next = self.lo.q.val().get_bits::<1>(self.at_high.val().index());
        self.lo.d.next = bit_cast::<LOW1, LOW>(self.al.val()) + bit_cast::<LOW1, LOW>(self.bl.val());
        self.hi.d.next = bit_cast::<HIGH1, HIGH>(self.ah.val())
            + bit_cast::<HIGH1, HIGH>(self.bh.val())
            + bit_cast::<HIGH1, 1>(self.carry.val());
        self.half.next = self.lo.q.val().get_bits::<LOW>(0);
        self.sum.next = (bit_cast::<SUM1, HIGH1>(self.hi.q.val()) << self.at_high.val()) | bit_cast::<SUM1, LOW>(self.half.val());
        // step 3: does the range end beyond 2^VAW? exactly 2^VAW is the last byte of the space
        self.low.next = self.sum.val().get_bits::<SUMW>(0);
        self.tops.next = self.start.val() | self.lowones.val();
        if self.step.q.val() == 3 {
            self.over.d.next = self.hi.q.val().get_bit(self.at_carry.val().index())
                && self.low.val().any()
                && self.tops.val().all()
                && (self.whole.val() || !self.access.val().get_bit(5));
        }
        // step 6: pages, rounded up in step 7
        self.left.next = self.low.val() & self.pmask.val();
        self.rest.d.next = self.left.val().any();
        self.shifted.next = self.sum.val() >> 12;
        if self.page.val() == 1 {
            self.shifted.next = self.sum.val() >> 16;
        }
        if self.page.val() == 2 {
            self.shifted.next = self.sum.val() >> 21;
        }
        if self.page.val() == 3 {
            self.shifted.next = self.sum.val() >> 30;
        }
        if self.page.val().get_bit(2) {
            self.shifted.next = 0.into();
        }
        self.quot.d.next = bit_cast::<QUOT, CUT>(self.shifted.val().get_bits::<CUT>(0));
        self.one.next = self.rest.q.val().into();
        self.count.d.next = self.quot.q.val() + bit_cast::<QUOT, 1>(self.one.val());
        // step 8: the verdict
        self.acc.next = self.access.val() & self.unknown.val();
        self.fine.d.next = !self.over.q.val()
            && self.length.val().any()
            && (self.count.q.val() == bit_cast::<QUOT, PNW>(self.pages.val()))
            && !self.acc.val().any()
            && (self.access.val().get_bit(0) || (!self.access.val().get_bit(1) && !self.access.val().get_bit(3)))
            && !(self.page.val().get_bit(2)
                && (self.page.val().get_bit(0) || self.page.val().get_bit(1) || self.access.val().get_bit(6)));
        self.done.next = self.step.q.val() == 9;
        self.ok.next = self.fine.q.val();
        if self.step.q.val() != 0 {
            self.step.d.next = self.step.q.val() + 1;
        }
        if self.step.q.val() == 9 {
            self.step.d.next = 0.into();
        }
        if self.go.val() {
            self.step.d.next = 1.into();
        }
        if self.reset.val() {
            self.step.d.next = 0.into();
        }
    }
}
