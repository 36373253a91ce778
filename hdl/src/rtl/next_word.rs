// SPDX-License-Identifier: MIT OR Apache-2.0
//! Of the walker with one port: is this page the last of its request, and so which word of the slot RAM is read next?
//!
//! ```text
//!  more (RAM) ─► last ─► step ─► which address
//! ```
//! A block of its own because its inputs come late, from a RAM's outputs, and a mapper that takes all nets for equally late makes it
//! as deep as anything else: the synthesis script maps it apart (`docs/budget.md`). A waiter's word (`other`) goes before the walk's.
//! Combinational, interval 1.

use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct NextWord {
    /// A page may be looked up: the word is here,
    pub here: Signal<In, Bit>,
    /// the walk runs,
    pub may: Signal<In, Bit>,
    /// and no sweep goes before.
    pub must: Signal<In, Bit>,
    /// It is the request's first.
    pub first: Signal<In, Bit>,
    /// Then these are the pages behind it.
    pub more: Signal<In, Bits<EXW>>,
    /// Else whether it is the last.
    pub ends: Signal<In, Bit>,
    /// Address of the word.
    pub now: Signal<In, Bits<SLOTRW>>,
    /// Of the next one.
    pub after: Signal<In, Bits<SLOTRW>>,
    /// Another word is read.
    pub other_valid: Signal<In, Bit>,
    /// Of this slot.
    pub other: Signal<In, Bits<SLOTW>>,
    /// The last page.
    pub last: Signal<Out, Bit>,
    /// A page is looked up, and it is the last one.
    pub step: Signal<Out, Bit>,
    /// Address of the slot RAM.
    pub slot: Signal<Out, Bits<SLOTRW>>,
    alone: Signal<Local, Bit>,
    begins: Signal<Local, Bit>,
    goes: Signal<Local, Bit>,
    stay: Signal<Local, Bits<SLOTRW>>,
    on: Signal<Local, Bits<SLOTRW>>,
    moves: Signal<Local, Bit>,
}

impl Logic for NextWord {
    #[hdl_gen]
    fn update(&mut self) {
        self.alone.next = !self.more.val().any();
        self.last.next = (self.first.val() & self.alone.val()) | (!self.first.val() & self.ends.val());
        // what is known early, put together before what is not
        self.begins.next = self.here.val() & self.may.val() & !self.must.val() & self.first.val();
        self.goes.next = self.here.val() & self.may.val() & !self.must.val() & !self.first.val() & self.ends.val();
        self.moves.next = self.goes.val() | (self.begins.val() & self.alone.val());
        self.step.next = self.moves.val();
        self.stay.next = self.now.val();
        self.on.next = self.after.val();
        if self.other_valid.val() {
            self.stay.next = bit_cast::<SLOTRW, SLOTW>(self.other.val());
            self.on.next = bit_cast::<SLOTRW, SLOTW>(self.other.val());
        }
        self.slot.next = self.stay.val();
        if self.moves.val() {
            self.slot.next = self.on.val();
        }
    }
}
