// SPDX-License-Identifier: MIT OR Apache-2.0
//! Of the walker with one port: is a page looked up now, and which of its request?
//!
//! ```text
//!  here, may, must ─┬─► look
//!       first ──────┼─► begins
//!       ends ───────┴─► goes
//! ```
//! A block of its own for the reason of `next_word.rs`: each of the three is a table of four registers, and nobody waits for another.
//! Combinational, interval 1.

use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, Default)]
pub struct MayLook {
    /// The word is at the RAM's output,
    pub here: Signal<In, Bit>,
    /// the walk runs,
    pub may: Signal<In, Bit>,
    /// and no sweep goes before.
    pub must: Signal<In, Bit>,
    /// The request's first page is next.
    pub first: Signal<In, Bit>,
    /// Of a request under way the last one is.
    pub ends: Signal<In, Bit>,
    /// A page is looked up.
    pub look: Signal<Out, Bit>,
    /// A first one.
    pub begins: Signal<Out, Bit>,
    /// The last of several.
    pub goes: Signal<Out, Bit>,
}

impl Logic for MayLook {
    #[hdl_gen]
    fn update(&mut self) {
        self.look.next = self.here.val() & self.may.val() & !self.must.val();
        self.begins.next = self.here.val() & self.may.val() & !self.must.val() & self.first.val();
        self.goes.next = self.here.val() & self.may.val() & !self.must.val() & self.ends.val();
    }
}
