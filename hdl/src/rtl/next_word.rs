// SPDX-License-Identifier: MIT OR Apache-2.0
//! Of the walker with one port: is this page the last of its request, and so which word of the slot RAM is read next?
//!
//! ```text
//!  more (RAM) ─► alone ─► which address
//!                     └─► step
//! ```
//! A block of its own because `more` comes late, from a RAM's outputs, and a mapper that takes all nets for equally late makes it
//! as deep as anything else: the synthesis script maps it apart (`docs/budget.md`). So all that is known earlier is put together outside.
//! Combinational, interval 1.

use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct NextWord {
    /// Pages behind the first of the request at the RAM's output.
    pub more: Signal<In, Bits<EXW>>,
    /// A request's first page is looked up.
    pub begins: Signal<In, Bit>,
    /// The last page of a request of several is.
    pub goes: Signal<In, Bit>,
    /// A first page is looked up, and no other word is read.
    pub turns: Signal<In, Bit>,
    /// Address of the word that is read if `turns` and the page is the only one,
    pub after: Signal<In, Bits<SLOTRW>>,
    /// and of what is read else.
    pub base: Signal<In, Bits<SLOTRW>>,
    /// The first page is the only one.
    pub alone: Signal<Out, Bit>,
    /// A page is looked up, and it is the last one.
    pub step: Signal<Out, Bit>,
    /// Address of the slot RAM.
    pub slot: Signal<Out, Bits<SLOTRW>>,
    one: Signal<Local, Bit>,
}

impl Logic for NextWord {
    #[hdl_gen]
    fn update(&mut self) {
        self.one.next = !self.more.val().any();
        self.alone.next = self.one.val();
        self.step.next = self.goes.val() | (self.begins.val() & self.one.val());
        self.slot.next = self.base.val();
        if self.turns.val() & self.one.val() {
            self.slot.next = self.after.val();
        }
    }
}
