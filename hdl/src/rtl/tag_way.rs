// SPDX-License-Identifier: MIT OR Apache-2.0
//! One way's tag RAM and its comparison (stages c0 to s3 of `tags.rs`).
//!
//! ```text
//!  set ─►[tag RAM]─ s1 ─►(raw_s2)─► = tag_s2 ? ─►(eq live old own)_s3
//! ```
//! A RAM word is {tag, epoch, valid}, valid lowest. Latency 3 cycles from `set` to the flags, interval 1.

use super::table::Table;
use rust_hdl::prelude::*;

/// `S` set bits, `T` tag bits, `R` = T + 2, `OWN` owner bits at the bottom of the tag.
#[derive(LogicBlock, Default)]
pub struct TagWay<const S: usize, const T: usize, const R: usize, const OWN: usize> {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Set to read (c0).
    pub row: Signal<In, Bits<S>>,
    /// Tag to compare with (s2).
    pub tag_s2: Signal<In, Bits<T>>,
    /// Running epoch (s2).
    pub epoch: Signal<In, Bit>,
    /// s3: the way holds this tag, alive.
    pub eq: Signal<Out, Bit>,
    /// s3: the way is alive.
    pub live: Signal<Out, Bit>,
    /// s3: the way is valid but of the other epoch.
    pub old: Signal<Out, Bit>,
    /// s3: the way is valid and of this owner.
    pub own: Signal<Out, Bit>,
    /// Write port: enable.
    pub write: Signal<In, Bit>,
    /// Write port: set.
    pub write_set: Signal<In, Bits<S>>,
    /// Write port: word.
    pub write_word: Signal<In, Bits<R>>,
    ram: Table<Bits<R>, S>,
    raw_s2: DFF<Bits<R>>,
    eq_s3: DFF<Bit>,
    live_s3: DFF<Bit>,
    old_s3: DFF<Bit>,
    own_s3: DFF<Bit>,
    valid: Signal<Local, Bit>,
    same_epoch: Signal<Local, Bit>,
    tag: Signal<Local, Bits<T>>,
    same: Signal<Local, Bit>,
    owner: Signal<Local, Bit>,
}

impl<const S: usize, const T: usize, const R: usize, const OWN: usize> Logic for TagWay<S, T, R, OWN> {
    #[hdl_gen]
    fn update(&mut self) {
        self.ram.clock.next = self.clock.val();
        self.raw_s2.clock.next = self.clock.val();
        self.eq_s3.clock.next = self.clock.val();
        self.live_s3.clock.next = self.clock.val();
        self.old_s3.clock.next = self.clock.val();
        self.own_s3.clock.next = self.clock.val();
        self.ram.read_address.next = self.row.val();
        self.ram.write_enable.next = self.write.val();
        self.ram.write_address.next = self.write_set.val();
        self.ram.write_data.next = self.write_word.val();
        self.raw_s2.d.next = self.ram.read_data.val();
        self.valid.next = self.raw_s2.q.val().get_bit(0);
        self.same_epoch.next = self.raw_s2.q.val().get_bit(1) == self.epoch.val();
        self.tag.next = self.raw_s2.q.val().get_bits::<T>(2);
        self.same.next = self.tag.val() == self.tag_s2.val();
        self.owner.next = self.tag.val().get_bits::<OWN>(0) == self.tag_s2.val().get_bits::<OWN>(0);
        self.eq_s3.d.next = self.valid.val() & self.same_epoch.val() & self.same.val();
        self.live_s3.d.next = self.valid.val() & self.same_epoch.val();
        self.old_s3.d.next = self.valid.val() & !self.same_epoch.val();
        self.own_s3.d.next = self.valid.val() & self.owner.val();
        self.eq.next = self.eq_s3.q.val();
        self.live.next = self.live_s3.q.val();
        self.old.next = self.old_s3.q.val();
        self.own.next = self.own_s3.q.val();
    }
}
