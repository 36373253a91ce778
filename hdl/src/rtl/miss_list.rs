// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lists of waiting lookups: one an MSHR, and more (the last) for those that found none to take: one, or with limits one a class.
//!
//! ```text
//!   append (list, slot) ─► register ─► tails ─► next[tail] = slot, or heads = slot when it was empty
//!   load ─► head, tail, has of one list ─► pop: head = next[asker]
//! ```
//! A list is a chain of slots through `next`, so any number of lookups waits in any number of lists; heads and tails lie in LUT RAM.
//! Contract: `load` fetches the working copy of `which`; it follows appends and pops from then on. A pop takes the asker off the list; when
//! an append to another list writes the tables in that cycle, `popped` stays low and the pop is to be held. Pops and loads
//! are of one list, appends of any. `coming`: an append to this list is not in the working copy yet.
//! Latency: an append is in its list two cycles later.

use super::lut_table::LutTable;
use super::prelude::*;
use super::table::Table;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct MissList {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// s8: a lookup waits.
    pub append: Signal<In, Bit>,
    /// In this list, one-hot.
    pub hot: Signal<In, Bits<NM1>>,
    /// It is the list that is worked on.
    pub mine: Signal<In, Bit>,
    /// Its slot.
    pub slot: Signal<In, Bits<SLOTW>>,
    /// The list that is worked on; it stands two cycles before `load`.
    pub which: Signal<In, Bits<NML>>,
    /// The same, one-hot.
    pub list_hot: Signal<In, Bits<NM1>>,
    /// Fetch its working copy at this edge.
    pub load: Signal<In, Bit>,
    /// Who is at its head (its word was read in the cycle before, at the earliest).
    pub asker: Signal<In, Bits<SLOTW>>,
    /// The asker leaves the list.
    pub pop: Signal<In, Bit>,
    /// It does.
    pub popped: Signal<Out, Bit>,
    /// Somebody is in the list.
    pub has: Signal<Out, Bit>,
    /// Who comes first.
    pub head: Signal<Out, Bits<SLOTW>>,
    /// An append to this list is under way.
    pub coming: Signal<Out, Bit>,
    /// Somebody is in each of the last lists, or on the way there.
    pub over: Signal<Out, Bits<OVL>>,
    /// Somebody is in each of the last lists.
    pub standing_over: Signal<Out, Bits<OVL>>,
    append9: DFF<Bit>,
    hot9: DFF<Bits<NM1>>,
    mine9: DFF<Bit>,
    slot9: DFF<Bits<SLOTW>>,
    any: DFF<Bits<NM1>>,
    over_q: DFF<Bits<OVL>>,
    heads: LutTable<Bits<SLOTW>, NML>,
    tails: LutTable<Bits<SLOTW>, NML>,
    last: LutTable<Bits<SLOTW>, NML>,
    next: Table<Bits<SLOTW>, SLOTW>,
    w_has: DFF<Bit>,
    w_head: DFF<Bits<SLOTW>>,
    w_tail: DFF<Bits<SLOTW>>,
    linked: DFF<Bit>,
    link: DFF<Bits<SLOTW>>,
    put: Signal<Local, Bit>,
    put_hot: Signal<Local, Bits<NM1>>,
    put_slot: Signal<Local, Bits<SLOTW>>,
    target: Signal<Local, Bits<NML>>,
    common: Signal<Local, Bits<NM1>>,
    same: Signal<Local, Bit>,
    full: Signal<Local, Bit>,
    chain: Signal<Local, Bit>,
    first: Signal<Local, Bit>,
    only: Signal<Local, Bit>,
    go: Signal<Local, Bit>,
    empties: Signal<Local, Bit>,
    held: Signal<Local, Bit>,
    after: Signal<Local, Bits<SLOTW>>,
    set: Signal<Local, Bits<NM1>>,
    clear: Signal<Local, Bits<NM1>>,
    standing: Signal<Local, Bits<NM1>>,
    soon: Signal<Local, Bits<NM1>>,
    #[default(constant(NM))]
    last_at: Constant<Bits<6>>,
}

impl Logic for MissList {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, append9, hot9, mine9, slot9, any, over_q, w_has, w_head, w_tail, linked, link);
        self.heads.clock.next = self.clock.val();
        self.tails.clock.next = self.clock.val();
        self.last.clock.next = self.clock.val();
        self.next.clock.next = self.clock.val();
        self.append9.d.next = self.append.val();
        self.hot9.d.next = self.hot.val();
        self.slot9.d.next = self.slot.val();
        self.mine9.d.next = self.append.val() & self.mine.val();
        self.put.next = self.append9.q.val();
        self.put_hot.next = self.hot9.q.val();
        self.put_slot.next = self.slot9.q.val();
        self.same.next = self.mine9.q.val();
        // which list
        self.target.next = 0.into();
        for t in 0..NM1 {
            if self.put_hot.val().get_bit(t) {
                self.target.next = self.target.val() | t.to_bits();
            }
        }
        self.standing.next = self.any.q.val();
        if self.append9.q.val() {
            self.standing.next = self.any.q.val() | self.put_hot.val();
        }
        self.over.next = self.over_q.q.val();
        self.standing_over.next = self.any.q.val().get_bits::<OVL>(self.last_at.val().index());
        self.coming.next = self.same.val();
        self.common.next = self.any.q.val() & self.list_hot.val();
        self.held.next = self.common.val().any();
        self.common.next = self.any.q.val() & self.put_hot.val();
        self.full.next = self.common.val().any();
        // the asker goes: who was behind it (a link written while it was read is remembered)
        self.only.next = self.w_tail.q.val() == self.asker.val();
        self.after.next = self.next.read_data.val();
        if self.linked.q.val() {
            self.after.next = self.link.q.val();
        }
        self.chain.next = self.full.val() & !(self.pop.val() & self.same.val() & self.only.val());
        self.first.next = self.put.val() & !self.chain.val();
        self.go.next = self.pop.val() & (!self.put.val() | self.same.val());
        self.empties.next = self.go.val() & self.only.val() & !self.same.val();
        self.popped.next = self.go.val();
        // tables
        self.heads.read_address.next = self.which.val();
        self.heads.write_address.next = self.target.val();
        self.heads.write_data.next = self.put_slot.val();
        self.heads.write_enable.next = self.first.val() | self.go.val();
        if self.go.val() & !self.first.val() {
            self.heads.write_address.next = self.which.val();
            self.heads.write_data.next = self.after.val();
        }
        self.tails.read_address.next = self.target.val();
        self.tails.write_address.next = self.target.val();
        self.tails.write_data.next = self.put_slot.val();
        self.tails.write_enable.next = self.put.val();
        self.last.read_address.next = self.which.val();
        self.last.write_address.next = self.target.val();
        self.last.write_data.next = self.put_slot.val();
        self.last.write_enable.next = self.put.val();
        self.next.read_address.next = self.asker.val();
        self.next.write_address.next = self.tails.read_data.val();
        self.next.write_data.next = self.put_slot.val();
        self.next.write_enable.next = self.put.val() & self.chain.val();
        self.link.d.next = self.put_slot.val();
        self.linked.d.next = self.same.val() & self.chain.val() & self.only.val();
        self.set.next = 0.into();
        if self.put.val() {
            self.set.next = self.put_hot.val();
        }
        self.clear.next = 0.into();
        if self.empties.val() {
            self.clear.next = self.list_hot.val();
        }
        self.any.d.next = (self.any.q.val() | self.set.val()) & !self.clear.val();
        self.soon.next = self.standing.val() & !self.clear.val();
        if self.append.val() {
            self.soon.next = self.soon.val() | self.hot.val();
        }
        self.over_q.d.next = self.soon.val().get_bits::<OVL>(self.last_at.val().index());
        // working copy
        if self.go.val() {
            self.w_head.d.next = self.after.val();
        }
        if self.empties.val() {
            self.w_has.d.next = false;
        }
        if self.load.val() {
            self.w_has.d.next = self.held.val();
            self.w_head.d.next = self.heads.read_data.val();
            self.w_tail.d.next = self.last.read_data.val();
        }
        if self.same.val() {
            self.w_has.d.next = true;
            self.w_tail.d.next = self.put_slot.val();
            if self.first.val() {
                self.w_head.d.next = self.put_slot.val();
            }
        }
        self.has.next = self.w_has.q.val();
        self.head.next = self.w_head.q.val();
        if self.reset.val() {
            self.append9.d.next = false;
            self.mine9.d.next = false;
            self.any.d.next = 0.into();
            self.over_q.d.next = 0.into();
            self.w_has.d.next = false;
        }
    }
}
