// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sums of two commands over the entry at home: does a window lie in the region, and where; is there such a page, and where is its MTT word.
//!
//! ```text
//!  entry (start, length, page, base), pins ─►[ rel, limit, first | last byte ]─►[ contained, origin | last page ]─►[ there, word ]
//! ```
//! Contract: free-running; the outputs are right SUMS cycles after entry and pins stand still. `rel` and `limit` carry a bit more than
//! their operands, so nothing wraps: inside iff iova >= start, length <= the region's, and iova - start <= their difference.
//! `origin` is what is added to an address of the window to give a position in the region's pages (contiguous: a physical address).
//!
//! Latency: 3 cycles.

use super::prelude::*;

/// Cycles from inputs to outputs.
pub const SUMS: usize = 3;

/// See the module text.
#[derive(LogicBlock, SmartDefault)]
pub struct LifeSums {
    pub clock: Signal<In, Clock>,
    /// The region.
    pub start: Signal<In, Bits<VAW>>,
    pub length: Signal<In, Bits<RLW>>,
    pub page: Signal<In, Bits<3>>,
    pub base: Signal<In, Bits<PAW>>,
    /// The window.
    pub iova: Signal<In, Bits<VAW>>,
    pub window: Signal<In, Bits<RLW>>,
    /// Its addresses count from 0.
    pub zero: Signal<In, Bit>,
    /// A page, and its entry.
    pub number: Signal<In, Bits<PNW>>,
    pub entry: Signal<In, Bits<BEAT>>,
    pub contained: Signal<Out, Bit>,
    pub origin: Signal<Out, Bits<ORGW>>,
    pub there: Signal<Out, Bit>,
    pub word: Signal<Out, Bits<MAW>>,
    /// The entry is present and aligned.
    pub sound: Signal<Out, Bit>,
    rel: DFF<Bits<VAW1>>,
    limit: DFF<Bits<RLW1>>,
    first: DFF<Bits<VAW>>,
    offset: DFF<Bits<VAW>>,
    shown: DFF<Bits<VAW>>,
    contained_q: DFF<Bit>,
    origin_q: DFF<Bits<ORGW>>,
    last: DFF<Bits<VAW1>>,
    last_page: DFF<Bits<VAW1>>,
    there_q: DFF<Bit>,
    word_q: DFF<Bits<MAW>>,
    sound_q: DFF<Bit>,
    mask: Signal<Local, Bits<VAW>>,
    contiguous: Signal<Local, Bit>,
    head: Signal<Local, Bits<VAW>>,
    length_wide: Signal<Local, Bits<VAW1>>,
    sum: Signal<Local, Bits<VAW1>>,
    rel_cut: Signal<Local, Bits<VAW>>,
    limit_cut: Signal<Local, Bits<RLW>>,
    limit_wide: Signal<Local, Bits<VAW>>,
    below: Signal<Local, Bit>,
    longer: Signal<Local, Bit>,
    addend: Signal<Local, Bits<VAW>>,
    wanted: Signal<Local, Bits<VAW1>>,
    start_word: Signal<Local, Bits<MAW>>,
    number_wide: Signal<Local, Bits<64>>,
    number_word: Signal<Local, Bits<MAW>>,
    frame: Signal<Local, Bits<FRW>>,
    align: Signal<Local, Bits<FRW>>,
    odd: Signal<Local, Bits<FRW>>,
    #[default(Constant::new(ones(0, 12)))]
    mask4k: Constant<Bits<VAW>>,
    #[default(Constant::new(ones(0, 16)))]
    mask64k: Constant<Bits<VAW>>,
    #[default(Constant::new(ones(0, 21)))]
    mask2m: Constant<Bits<VAW>>,
    #[default(Constant::new(ones(0, 30)))]
    mask1g: Constant<Bits<VAW>>,
    #[default(Constant::new(ones(0, 4)))]
    align64k: Constant<Bits<FRW>>,
    #[default(Constant::new(ones(0, 9)))]
    align2m: Constant<Bits<FRW>>,
    #[default(Constant::new(ones(0, 18)))]
    align1g: Constant<Bits<FRW>>,
    #[default(constant(VAW))]
    va_top: Constant<Bits<8>>,
    #[default(constant(RLW))]
    rl_top: Constant<Bits<8>>,
}

impl Logic for LifeSums {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, rel, limit, first, offset, shown, contained_q, origin_q, last, last_page, there_q, word_q, sound_q
        );
        self.mask.next = self.mask4k.val();
        self.align.next = 0.into();
        if self.page.val() == 1 {
            self.mask.next = self.mask64k.val();
            self.align.next = self.align64k.val();
        }
        if self.page.val() == 2 {
            self.mask.next = self.mask2m.val();
            self.align.next = self.align2m.val();
        }
        if self.page.val() == 3 {
            self.mask.next = self.mask1g.val();
            self.align.next = self.align1g.val();
        }
        self.contiguous.next = self.page.val() == 4;
        // ---- first cycle
        self.rel.d.next = bit_cast::<VAW1, VAW>(self.iova.val()) - bit_cast::<VAW1, VAW>(self.start.val());
        self.limit.d.next = bit_cast::<RLW1, RLW>(self.length.val()) - bit_cast::<RLW1, RLW>(self.window.val());
        self.head.next = self.start.val() & self.mask.val();
        self.first.d.next = self.start.val() - self.head.val();
        self.offset.d.next = bit_cast::<VAW, PAW>(self.base.val());
        self.shown.d.next = 0.into();
        if self.zero.val() {
            self.shown.d.next = self.iova.val();
        }
        self.length_wide.next = bit_cast::<VAW1, RLW>(self.length.val());
        self.sum.next = bit_cast::<VAW1, VAW>(self.head.val()) + self.length_wide.val();
        self.last.d.next = self.sum.val() - 1;
        // ---- second cycle
        self.below.next = self.rel.q.val().get_bit(self.va_top.val().index());
        self.longer.next = self.limit.q.val().get_bit(self.rl_top.val().index());
        self.rel_cut.next = self.rel.q.val().get_bits::<VAW>(0);
        self.limit_cut.next = self.limit.q.val().get_bits::<RLW>(0);
        self.limit_wide.next = bit_cast::<VAW, RLW>(self.limit_cut.val());
        self.contained_q.d.next = !self.below.val() && !self.longer.val() && (self.rel_cut.val() <= self.limit_wide.val());
        self.addend.next = self.shown.q.val() - self.first.q.val();
        if self.contiguous.val() {
            self.addend.next = self.shown.q.val() + self.offset.q.val();
        }
        self.origin_q.d.next = self.addend.val().get_bits::<ORGW>(0);
        self.last_page.d.next = self.last.q.val() >> 12;
        if self.page.val() == 1 {
            self.last_page.d.next = self.last.q.val() >> 16;
        }
        if self.page.val() == 2 {
            self.last_page.d.next = self.last.q.val() >> 21;
        }
        if self.page.val() == 3 {
            self.last_page.d.next = self.last.q.val() >> 30;
        }
        // ---- third cycle
        self.number_wide.next = bit_cast::<64, PNW>(self.number.val());
        self.wanted.next = bit_cast::<VAW1, PNW>(self.number.val());
        self.there_q.d.next = self.wanted.val() <= self.last_page.q.val();
        self.start_word.next = self.base.val().get_bits::<MAW>(0);
        self.number_word.next = self.number_wide.val().get_bits::<MAW>(0);
        self.word_q.d.next = self.start_word.val() + self.number_word.val();
        self.frame.next = self.entry.val().get_bits::<FRW>(2);
        self.odd.next = self.frame.val() & self.align.val();
        self.sound_q.d.next = self.entry.val().get_bit(0) && !self.odd.val().any();
        self.contained.next = self.contained_q.q.val();
        self.origin.next = self.origin_q.q.val();
        self.there.next = self.there_q.q.val();
        self.word.next = self.word_q.q.val();
        self.sound.next = self.sound_q.q.val();
    }
}
