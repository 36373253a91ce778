// SPDX-License-Identifier: MIT OR Apache-2.0
//! Of the walker with one port: which page of its region a request is at.
//!
//! ```text
//!  pos (RAM) ─► cut by page size ─┐
//!                                 ├─► now
//!  pn ────────────────────────────┘ first
//! ```
//! The size is told by a bit each. A block of its own for the reason of `next_word.rs`: from here the number goes to the tag RAM's address.
//! Combinational, interval 1.

use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct PageNow {
    /// Position in the region's pages.
    pub pos: Signal<In, Bits<64>>,
    /// Page size: 4 KiB, 64 KiB, 2 MiB, 1 GiB. Both of the upper bits are a contiguous region, whose number nobody asks for.
    pub shape: Signal<In, Bits<4>>,
    /// The request's first page is next: the position tells it.
    pub first: Signal<In, Bit>,
    /// Else it is this one.
    pub pn: Signal<In, Bits<PGW>>,
    /// Number of the page.
    pub now: Signal<Out, Bits<PGW>>,
    high: Signal<Local, Bits<64>>,
}

impl Logic for PageNow {
    #[hdl_gen]
    fn update(&mut self) {
        self.high.next = 0.into();
        if self.shape.val().get_bit(0) {
            self.high.next = self.pos.val() >> 12;
        }
        if self.shape.val().get_bit(1) {
            self.high.next = self.high.val() | (self.pos.val() >> 16);
        }
        if self.shape.val().get_bit(2) {
            self.high.next = self.high.val() | (self.pos.val() >> 21);
        }
        if self.shape.val().get_bit(3) {
            self.high.next = self.high.val() | (self.pos.val() >> 30);
        }
        self.now.next = self.pn.val();
        if self.first.val() {
            self.now.next = self.high.val().get_bits::<PGW>(0);
        }
    }
}
