// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which tags of one port are in use, hold a lease, or are being walked.
//!
//! ```text
//!   enter(tag) ─► busy ─ verdict without lease left the port ─► free
//!                  └─ verdict with lease ─► held + walking ─ last segment out ─► held ─ dma_done ─► free
//! ```
//! Contract: `reuse` answers for the tag entering now (s1). A lease is taken at its verdict. `dma_done` of a tag that is not held, or is still
//! walking, is ignored and pulsed on `unknown`. Scan answers belong to the tag presented one cycle before.
//! Latency 1 cycle, interval 1.

use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, Default)]
pub struct PortState {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// s1: a request of this port enters.
    pub enter: Signal<In, Bit>,
    /// Its tag.
    pub enter_tag: Signal<In, Bits<TAGW>>,
    /// The tag is in use already.
    pub reuse: Signal<Out, Bit>,
    /// s7: a granting verdict takes a lease.
    pub lease: Signal<In, Bit>,
    /// Its tag.
    pub lease_tag: Signal<In, Bits<TAGW>>,
    /// A verdict that ends its request left the port.
    pub left: Signal<In, Bit>,
    /// Its tag.
    pub left_tag: Signal<In, Bits<TAGW>>,
    /// The last segment of a walk left the port.
    pub last_out: Signal<In, Bit>,
    /// Its tag.
    pub last_tag: Signal<In, Bits<TAGW>>,
    /// The DMA engine is done (at the pins, taken).
    pub done: Signal<In, Bit>,
    /// With this tag.
    pub done_tag: Signal<In, Bits<TAGW>>,
    /// One cycle after `done`: the tag.
    pub told_tag: Signal<Out, Bits<TAGW>>,
    /// One cycle after `done`: a lease ended.
    pub ended: Signal<Out, Bit>,
    /// One cycle after `done`: it fits nothing.
    pub unknown: Signal<Out, Bit>,
    /// Tag the scan looks at.
    pub scan_tag: Signal<In, Bits<TAGW>>,
    /// One cycle later: held.
    pub scan_held: Signal<Out, Bit>,
    /// One cycle later: walking.
    pub scan_walking: Signal<Out, Bit>,
    /// Tags that hold a lease.
    pub leased: Signal<Out, Bits<TAGS>>,
    busy: DFF<Bits<TAGS>>,
    held: DFF<Bits<TAGS>>,
    walking: DFF<Bits<TAGS>>,
    scan_held_q: DFF<Bit>,
    scan_walking_q: DFF<Bit>,
    b: Signal<Local, Bits<TAGS>>,
    h: Signal<Local, Bits<TAGS>>,
    w: Signal<Local, Bits<TAGS>>,
    ends: DFF<Bit>,
    told: DFF<Bit>,
    gone: DFF<Bits<TAGW>>,
    walks: Signal<Local, Bit>,
}

impl Logic for PortState {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, ends, told, gone);
        self.busy.clock.next = self.clock.val();
        self.held.clock.next = self.clock.val();
        self.walking.clock.next = self.clock.val();
        self.scan_held_q.clock.next = self.clock.val();
        self.scan_walking_q.clock.next = self.clock.val();
        self.b.next = self.busy.q.val();
        self.h.next = self.held.q.val();
        self.leased.next = self.held.q.val();
        self.w.next = self.walking.q.val();
        self.reuse.next = self.busy.q.val().get_bit(self.enter_tag.val().index());
        // looked up a cycle early, with what this cycle changes: the last segment goes, or the tag was given back just before
        self.walks.next = self.walking.q.val().get_bit(self.done_tag.val().index());
        if self.last_out.val() & (self.last_tag.val() == self.done_tag.val()) {
            self.walks.next = false;
        }
        self.ends.d.next = self.held.q.val().get_bit(self.done_tag.val().index()) & !self.walks.val() & self.done.val();
        if self.ends.q.val() & (self.gone.q.val() == self.done_tag.val()) {
            self.ends.d.next = false;
        }
        self.told.d.next = self.done.val();
        self.gone.d.next = self.done_tag.val();
        self.told_tag.next = self.gone.q.val();
        self.ended.next = self.ends.q.val();
        self.unknown.next = self.told.q.val() & !self.ends.q.val();
        if self.enter.val() {
            self.b.next = self.b.val().replace_bit(self.enter_tag.val().index(), true);
        }
        if self.ends.q.val() {
            self.b.next = self.b.val().replace_bit(self.gone.q.val().index(), false);
            self.h.next = self.h.val().replace_bit(self.gone.q.val().index(), false);
        }
        if self.last_out.val() {
            self.w.next = self.w.val().replace_bit(self.last_tag.val().index(), false);
        }
        if self.lease.val() {
            self.h.next = self.h.val().replace_bit(self.lease_tag.val().index(), true);
            self.w.next = self.w.val().replace_bit(self.lease_tag.val().index(), true);
        }
        if self.left.val() {
            self.b.next = self.b.val().replace_bit(self.left_tag.val().index(), false);
        }
        self.busy.d.next = self.b.val();
        self.held.d.next = self.h.val();
        self.walking.d.next = self.w.val();
        self.scan_held_q.d.next = self.held.q.val().get_bit(self.scan_tag.val().index());
        self.scan_walking_q.d.next = self.walking.q.val().get_bit(self.scan_tag.val().index());
        self.scan_held.next = self.scan_held_q.q.val();
        self.scan_walking.next = self.scan_walking_q.q.val();
        if self.reset.val() {
            self.ends.d.next = false;
            self.told.d.next = false;
            self.busy.d.next = 0.into();
            self.held.d.next = 0.into();
            self.walking.d.next = 0.into();
        }
    }
}
