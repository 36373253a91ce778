// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which index a registration gets, and what its keys are.
//!
//! ```text
//!  give, give_index ──► head ─┐ (nonzero)
//!                             ├─► pick, avail      generation, side ──► KeyPerm ──► key bits
//!  take, take_next  ──► fresh ┘
//! ```
//! The free list is threaded through the `next` field of retired entries; `head` 0 ends it, since index 0
//! is never used. Indices never used before come from the counter `fresh`. `pick` stays the same until
//! `take` (which pops the head to `take_next`, or counts `fresh`) or `give`; both are one-cycle pulses.
//!
//! [`KeyPerm`] is combinational. Its keys are predictable for now: lkey 2g, rkey 2g+1. A keyed permutation
//! goes behind the same pins. Key 0 is never made, because the index is never 0.

use super::prelude::*;

const K1: usize = K + 1;

/// Secret and variant bits of one key of generation `generation`.
#[derive(LogicBlock, Default)]
pub struct KeyPerm {
    /// Generation of the index.
    pub generation: Signal<In, Bits<24>>,
    /// 1 remote key, 0 local key.
    pub side: Signal<In, Bit>,
    /// Secret above, variant in the low 8 bits.
    pub key: Signal<Out, Bits<KEYW>>,
    wide: Signal<Local, Bits<KEYW>>,
    low: Signal<Local, Bits<KEYW>>,
    unit: Signal<Local, Bits<1>>,
    cut: Signal<Local, Bits<GENK>>,
}

/// Generation bits that reach the key.
pub const GENK: usize = if KEYW - 2 < 24 { KEYW - 2 } else { 24 };

impl Logic for KeyPerm {
    #[hdl_gen]
    fn update(&mut self) {
        self.cut.next = self.generation.val().get_bits::<GENK>(0);
        self.wide.next = bit_cast::<KEYW, GENK>(self.cut.val());
        self.unit.next = self.side.val().into();
        self.low.next = bit_cast::<KEYW, 1>(self.unit.val());
        self.key.next = (self.wide.val() << 1) | self.low.val();
    }
}

/// Free list head and fresh counter.
#[derive(LogicBlock)]
pub struct KeyAlloc {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// The index the next registration gets.
    pub pick: Signal<Out, Bits<K>>,
    /// `pick` is good.
    pub avail: Signal<Out, Bit>,
    /// `pick` was published.
    pub take: Signal<In, Bit>,
    /// Its `next` field.
    pub take_next: Signal<In, Bits<K>>,
    /// Puts `give_index` in front; its `next` field must hold `head` already.
    pub give: Signal<In, Bit>,
    pub give_index: Signal<In, Bits<K>>,
    /// First free index, 0 none.
    pub head: Signal<Out, Bits<K>>,
    first: DFF<Bits<K>>,
    fresh: DFF<Bits<K1>>,
    mrs: Constant<Bits<K1>>,
}

impl Default for KeyAlloc {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            pick: Default::default(),
            avail: Default::default(),
            take: Default::default(),
            take_next: Default::default(),
            give: Default::default(),
            give_index: Default::default(),
            head: Default::default(),
            first: Default::default(),
            fresh: Default::default(),
            mrs: Constant::new(Bits::<K1>::from(MRS as u64)),
        }
    }
}

impl Logic for KeyAlloc {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, first, fresh);
        self.head.next = self.first.q.val();
        self.pick.next = self.fresh.q.val().get_bits::<K>(0);
        self.avail.next = self.first.q.val().any() || (self.fresh.q.val() != self.mrs.val());
        if self.first.q.val().any() {
            self.pick.next = self.first.q.val();
        }
        if self.take.val() {
            if self.first.q.val().any() {
                self.first.d.next = self.take_next.val();
            } else {
                self.fresh.d.next = self.fresh.q.val() + 1;
            }
        }
        if self.give.val() {
            self.first.d.next = self.give_index.val();
        }
        if self.reset.val() {
            self.first.d.next = 0.into();
            self.fresh.d.next = 1.into();
        }
    }
}
