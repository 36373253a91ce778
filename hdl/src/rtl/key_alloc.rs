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
//! [`KeyPerm`] is combinational, and its keys are predictable: lkey 2g, rkey 2g+1. Where `feature.secrets` is on, `key_cipher` makes them
//! instead, and a generation has one bit fewer. Key 0 is never made, because the index is never 0.
//!
//! Latency: `head` is right one cycle after a pulse, `pick` and `avail` two, and no pulse comes before they are.

use super::prelude::*;

const K1: usize = K + 1;
const KEYTOP: usize = KEYW - 1;

/// Secret and variant bits of the two keys of generation `generation`.
#[derive(LogicBlock, Default)]
pub struct KeyPerm {
    /// Generation of the index.
    pub generation: Signal<In, Bits<24>>,
    /// A key to compare.
    pub key: Signal<In, Bits<KEYW>>,
    /// Local key: secret above, variant in the low 8 bits.
    pub lkey: Signal<Out, Bits<KEYW>>,
    /// Remote key.
    pub rkey: Signal<Out, Bits<KEYW>>,
    /// `key` is one of the two.
    pub own: Signal<Out, Bit>,
    wide: Signal<Local, Bits<KEYW>>,
    unit: Signal<Local, Bits<KEYW>>,
    cut: Signal<Local, Bits<GENK>>,
}

/// Bits left for the generation: beside the side, and with secrets the bit that tells the two kinds of key apart and one more, so that
/// at most half of a permutation's numbers are used.
const SPARE: usize = if F_SECRETS { KEYW - 3 } else { KEYW - 2 };

/// Generation bits that reach the key.
pub const GENK: usize = if SPARE < 24 { SPARE } else { 24 };

impl Logic for KeyPerm {
    #[hdl_gen]
    fn update(&mut self) {
        self.cut.next = self.generation.val().get_bits::<GENK>(0);
        self.wide.next = bit_cast::<KEYW, GENK>(self.cut.val());
        self.unit.next = 1.into();
        self.lkey.next = self.wide.val() << 1;
        self.rkey.next = (self.wide.val() << 1) | self.unit.val();
        // both differ in the lowest bit only
        self.own.next = self.key.val().get_bits::<KEYTOP>(1) == self.wide.val().get_bits::<KEYTOP>(0);
    }
}

/// Free list head and fresh counter.
#[derive(LogicBlock, SmartDefault)]
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
    some: DFF<Bit>,
    good: DFF<Bit>,
    #[default(constant(MRS))]
    mrs: Constant<Bits<K1>>,
}

impl Logic for KeyAlloc {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, first, fresh, some, good);
        self.head.next = self.first.q.val();
        self.pick.next = self.fresh.q.val().get_bits::<K>(0);
        self.good.d.next = self.first.q.val().any() || (self.fresh.q.val() != self.mrs.val());
        self.avail.next = self.good.q.val();
        self.some.d.next = self.first.q.val().any();
        if self.some.q.val() {
            self.pick.next = self.first.q.val();
        }
        if self.take.val() {
            if self.some.q.val() {
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
            self.some.d.next = false;
            self.good.d.next = true;
        }
    }
}
