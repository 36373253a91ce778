// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cuts a position in a region's pages into page number and offset.
//!
//! ```text
//!   pos, page code ─► number = pos >> 12, 16, 21, 30     offset = the bits below
//! ```
//! Contract: a contiguous region (code 4) is cut as a page of 1 GiB, so number and offset together are its address. Combinational.

use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, Default)]
pub struct PageCut {
    /// Position, or the physical address.
    pub pos: Signal<In, Bits<64>>,
    /// Page code.
    pub page: Signal<In, Bits<3>>,
    /// Page number.
    pub number: Signal<Out, Bits<64>>,
    /// Offset in the page.
    pub offset: Signal<Out, Bits<30>>,
}

impl Logic for PageCut {
    #[hdl_gen]
    fn update(&mut self) {
        self.number.next = self.pos.val() >> 12;
        self.offset.next = bit_cast::<30, 12>(self.pos.val().get_bits::<12>(0));
        if self.page.val() == 1 {
            self.number.next = self.pos.val() >> 16;
            self.offset.next = bit_cast::<30, 16>(self.pos.val().get_bits::<16>(0));
        }
        if self.page.val() == 2 {
            self.number.next = self.pos.val() >> 21;
            self.offset.next = bit_cast::<30, 21>(self.pos.val().get_bits::<21>(0));
        }
        if (self.page.val() == 3) | (self.page.val() == 4) {
            self.number.next = self.pos.val() >> 30;
            self.offset.next = self.pos.val().get_bits::<30>(0);
        }
    }
}
