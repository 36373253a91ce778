// SPDX-License-Identifier: MIT OR Apache-2.0
//! Is the mapping (index, epoch) one of those being cut?
//!
//! ```text
//!   cut_* (one place a parked deregistration) ─►(index and epoch equal?)─► any ─► cut
//! ```
//! Combinational.

use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct CutMatch {
    /// Mappings being cut.
    pub cut_valid: Signal<In, Bits<NPARK>>,
    /// Their indices.
    pub cut_index: Signal<In, Bits<NPARK_K>>,
    /// Their epochs.
    pub cut_epoch: Signal<In, Bits<NPARK_EPW>>,
    /// Region asked about.
    pub index: Signal<In, Bits<K>>,
    /// Its map epoch.
    pub epoch: Signal<In, Bits<EPW>>,
    /// It is being cut.
    pub cut: Signal<Out, Bit>,
    i: Signal<Local, Bits<K>>,
    e: Signal<Local, Bits<EPW>>,
    #[default(std::array::from_fn(|n| constant(n * K)))]
    i_at: [Constant<Bits<9>>; NPARK],
    #[default(std::array::from_fn(|n| constant(n * EPW)))]
    e_at: [Constant<Bits<9>>; NPARK],
}

impl Logic for CutMatch {
    #[hdl_gen]
    fn update(&mut self) {
        self.cut.next = false;
        for c in 0..NPARK {
            self.i.next = self.cut_index.val().get_bits::<K>(self.i_at[c].val().index());
            self.e.next = self.cut_epoch.val().get_bits::<EPW>(self.e_at[c].val().index());
            if self.cut_valid.val().get_bit(c) & (self.i.val() == self.index.val()) & (self.e.val() == self.epoch.val()) {
                self.cut.next = true;
            }
        }
    }
}
