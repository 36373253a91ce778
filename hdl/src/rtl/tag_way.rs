// SPDX-License-Identifier: MIT OR Apache-2.0
//! One way's comparison (stages s1 to s3 of `tags.rs`; s1 to s2 when short).
//!
//! ```text
//!  [tag RAM] lane ─ s1 ─►(raw_s2)─► = tag_s2 ? ─►(eq live old own)_s3
//! ```
//! A RAM word is {tag, epoch, valid}, valid lowest. Latency 2 cycles from the lane to the flags (`SHORT`: 1), interval 1.

use super::super::p::SHORT;
use rust_hdl::prelude::*;
use smart_default::SmartDefault;

/// `T` tag bits, `R` = T + 2, `OWN` owner bits at the bottom of the tag.
#[derive(LogicBlock, SmartDefault)]
pub struct TagWay<const T: usize, const R: usize, const OWN: usize> {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Lane of the tag RAM (s1).
    pub raw: Signal<In, Bits<R>>,
    /// Tag to compare with (s2).
    pub tag_s2: Signal<In, Bits<T>>,
    /// Running epoch (s2).
    pub epoch: Signal<In, Bit>,
    /// s2: an op two or three ahead wrote this way of the set, later than the RAM was read.
    pub recent: Signal<In, Bit>,
    /// s2: and it is alive since.
    pub recent_live: Signal<In, Bit>,
    /// s2: and it is this tag.
    pub recent_hit: Signal<In, Bit>,
    /// s2: the way is alive as the RAM has it.
    pub alive: Signal<Out, Bit>,
    /// s3: the way holds this tag, alive.
    pub eq: Signal<Out, Bit>,
    /// s3: the way is alive.
    pub live: Signal<Out, Bit>,
    /// s3: the way is valid but of the other epoch (not: written just now).
    pub old: Signal<Out, Bit>,
    /// s3: the way is valid and of this owner (or written just now).
    pub own: Signal<Out, Bit>,
    raw_s2: DFF<Bits<R>>,
    eq_s3: DFF<Bit>,
    live_s3: DFF<Bit>,
    old_s3: DFF<Bit>,
    own_s3: DFF<Bit>,
    #[default(Constant::new(SHORT == 1))]
    short: Constant<Bit>,
    seen: Signal<Local, Bits<R>>,
    valid: Signal<Local, Bit>,
    same_epoch: Signal<Local, Bit>,
    tag: Signal<Local, Bits<T>>,
    same: Signal<Local, Bit>,
    owner: Signal<Local, Bit>,
}

impl<const T: usize, const R: usize, const OWN: usize> Logic for TagWay<T, R, OWN> {
    #[hdl_gen]
    fn update(&mut self) {
        self.raw_s2.clock.next = self.clock.val();
        self.eq_s3.clock.next = self.clock.val();
        self.live_s3.clock.next = self.clock.val();
        self.old_s3.clock.next = self.clock.val();
        self.own_s3.clock.next = self.clock.val();
        self.raw_s2.d.next = self.raw.val();
        self.seen.next = self.raw_s2.q.val();
        if self.short.val() {
            self.seen.next = self.raw.val();
        }
        self.valid.next = self.seen.val().get_bit(0);
        self.same_epoch.next = self.seen.val().get_bit(1) == self.epoch.val();
        self.tag.next = self.seen.val().get_bits::<T>(2);
        self.same.next = self.tag.val() == self.tag_s2.val();
        self.owner.next = self.tag.val().get_bits::<OWN>(0) == self.tag_s2.val().get_bits::<OWN>(0);
        self.alive.next = self.valid.val() & self.same_epoch.val();
        self.eq_s3.d.next = self.valid.val() & self.same_epoch.val() & self.same.val();
        self.live_s3.d.next = self.valid.val() & self.same_epoch.val();
        self.old_s3.d.next = self.valid.val() & !self.same_epoch.val();
        self.own_s3.d.next = self.valid.val() & self.owner.val();
        if self.recent.val() {
            self.eq_s3.d.next = self.recent_hit.val();
            self.live_s3.d.next = self.recent_live.val();
            self.old_s3.d.next = false;
            self.own_s3.d.next = true;
        }
        self.eq.next = self.eq_s3.q.val();
        self.live.next = self.live_s3.q.val();
        self.old.next = self.old_s3.q.val();
        self.own.next = self.own_s3.q.val();
    }
}
