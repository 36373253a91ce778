// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where an MTT line lies: the set and the tag of a line number of a region.
//!
//! ```text
//!   line ─► low bits ─► xor ─► row          tag = { upper bits of line, epoch, index }
//!   index, its bits reversed ─►┘
//! ```
//! Contract: a line is named by owner (index, epoch) and number in the region, never by a memory address. Neighbouring regions lie far
//! apart, since their low index bits turn the high set bits. The index is the low part of the tag (`OWN` of `tags.rs`). Combinational.

use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct MttPlace {
    /// Region.
    pub index: Signal<In, Bits<K>>,
    /// Map epoch.
    pub epoch: Signal<In, Bits<EPW>>,
    /// Line number in the region.
    pub line: Signal<In, Bits<MLINEW>>,
    /// Set.
    pub row: Signal<Out, Bits<MSETW>>,
    /// Tag.
    pub tag: Signal<Out, Bits<MTAGB>>,
    turned: Signal<Local, Bits<MSETW>>,
    side: Signal<Local, Bits<1>>,
    low: Signal<Local, Bits<MSETW>>,
    owner: Signal<Local, Bits<MOWNW>>,
    upper: Signal<Local, Bits<MLINEW>>,
    high: Signal<Local, Bits<MTAGB>>,
    #[default(constant(MSETW))]
    set_bits: Constant<Bits<5>>,
    #[default(constant(MOWNW))]
    own_bits: Constant<Bits<7>>,
    #[default(constant(K))]
    k_bits: Constant<Bits<7>>,
}

impl Logic for MttPlace {
    #[hdl_gen]
    fn update(&mut self) {
        self.turned.next = 0.into();
        for b in 0..MSETW {
            self.side.next = self.index.val().get_bit(b).into();
            self.turned.next = (self.turned.val() << 1) | bit_cast::<MSETW, 1>(self.side.val());
        }
        self.low.next = self.line.val().get_bits::<MSETW>(0);
        self.row.next = self.low.val() ^ self.turned.val();
        self.owner.next = bit_cast::<MOWNW, EPW>(self.epoch.val()) << self.k_bits.val();
        self.owner.next = self.owner.val() | bit_cast::<MOWNW, K>(self.index.val());
        self.upper.next = self.line.val() >> self.set_bits.val();
        self.high.next = bit_cast::<MTAGB, MLINEW>(self.upper.val()) << self.own_bits.val();
        self.tag.next = self.high.val() | bit_cast::<MTAGB, MOWNW>(self.owner.val());
    }
}
