// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bad keys by queue pair: a count of 8 bits each in one RAM, and in another, for the lookups, whether it has reached the limit.
//!
//! ```text
//!   c0 qpn ─► RAM (look) ─► s1 ─► s2 full
//!   s7 bad, qpn ─► 0 ─► RAM (own) ─► 1 ─► register ─► 2: + 1, against the limit ─► both RAMs;  reached
//!   clear ─► 2^LIMW cycles of zeros;  forgive one
//! ```
//! Contract: `bad` adds one to the count of its QP, one a cycle, none lost but during `clear`; a count stays at 255. `full` tells whether the QP of the lookup
//! that was at c0 two cycles before has `limit` or more; `limit` changes only with a `clear`. `reached` comes once, with the bad key that makes it `limit`. A QP number beyond 2^LIMW shares the count of its
//! low bits. Neither RAM is relied on where it is read and written at one edge: what was written then is kept beside it. What comes out of either goes into a
//! register, past a choice and nothing else: a large RAM gives its word late in the cycle.
//! Latency: a count is seen by lookups 5 cycles after `bad`.

use super::prelude::*;
use super::table::Table;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct QpCount {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// From how many on.
    pub limit: Signal<In, Bits<8>>,
    /// All counts become 0.
    pub clear: Signal<In, Bit>,
    /// They are doing so.
    pub clearing: Signal<Out, Bit>,
    /// This one becomes 0; in a cycle with a bad key it must stand for the next.
    pub forgive: Signal<In, Bit>,
    pub forgive_qpn: Signal<In, Bits<24>>,
    /// c0: QP of the lookup.
    pub asked: Signal<In, Bits<QPW>>,
    /// s2: it has reached the limit.
    pub full: Signal<Out, Bit>,
    /// s7: a bad key was told.
    pub bad: Signal<In, Bit>,
    pub qpn: Signal<In, Bits<QPW>>,
    pub reached: Signal<Out, Bit>,
    pub reached_qpn: Signal<Out, Bits<24>>,
    look: Table<Bit, LIMW>,
    own: Table<Bits<8>, LIMW>,
    at1: DFF<Bits<LIMW>>,
    full2: DFF<Bit>,
    bad0: DFF<Bit>,
    pardon0: DFF<Bit>,
    qpn0: DFF<Bits<24>>,
    bad1: DFF<Bit>,
    pardon1: DFF<Bit>,
    qpn1: DFF<Bits<24>>,
    bad2: DFF<Bit>,
    pardon2: DFF<Bit>,
    qpn2: DFF<Bits<24>>,
    count2: DFF<Bits<8>>,
    /// What was written at the last edge.
    wrote: DFF<Bit>,
    wrote_at: DFF<Bits<LIMW>>,
    wrote_is: DFF<Bits<8>>,
    wrote_full: DFF<Bit>,
    sweep: DFF<Bit>,
    swept: DFF<Bit>,
    sweep_at: DFF<Bits<LIMW>>,
    reach: DFF<Bit>,
    reach_qpn: DFF<Bits<24>>,
    count: Signal<Local, Bits<8>>,
    more: Signal<Local, Bits<8>>,
    seen: Signal<Local, Bit>,
    behind: Signal<Local, Bits<LIMW>>,
    here: Signal<Local, Bits<LIMW>>,
    put: Signal<Local, Bit>,
    put_at: Signal<Local, Bits<LIMW>>,
    put_is: Signal<Local, Bits<8>>,
    put_full: Signal<Local, Bit>,
}

impl Logic for QpCount {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, at1, full2, bad0, pardon0, qpn0, bad1, pardon1, qpn1, bad2, pardon2, qpn2, count2, wrote, wrote_at, wrote_is, wrote_full, sweep, swept, sweep_at, reach, reach_qpn);
        self.look.clock.next = self.clock.val();
        self.own.clock.next = self.clock.val();
        // c0 to s2
        self.look.read_address.next = self.asked.val().get_bits::<LIMW>(0);
        self.at1.d.next = self.asked.val().get_bits::<LIMW>(0);
        self.seen.next = self.look.read_data.val();
        if self.wrote.q.val() && (self.wrote_at.q.val() == self.at1.q.val()) {
            self.seen.next = self.wrote_full.q.val();
        }
        self.full2.d.next = self.seen.val();
        self.full.next = self.full2.q.val();
        // the counts
        self.bad0.d.next = self.bad.val();
        self.pardon0.d.next = self.forgive.val() && !self.bad.val();
        self.qpn0.d.next = bit_cast::<24, QPW>(self.qpn.val());
        if !self.bad.val() {
            self.qpn0.d.next = self.forgive_qpn.val();
        }
        self.own.read_address.next = self.qpn0.q.val().get_bits::<LIMW>(0);
        self.bad1.d.next = self.bad0.q.val();
        self.pardon1.d.next = self.pardon0.q.val();
        self.qpn1.d.next = self.qpn0.q.val();
        self.bad2.d.next = self.bad1.q.val();
        self.pardon2.d.next = self.pardon1.q.val();
        self.qpn2.d.next = self.qpn1.q.val();
        self.here.next = self.qpn2.q.val().get_bits::<LIMW>(0);
        self.count.next = self.count2.q.val();
        self.more.next = self.count.val() + 1;
        if self.count.val().all() {
            self.more.next = self.count.val();
        }
        if self.pardon2.q.val() {
            self.more.next = 0.into();
        }
        self.put.next = self.bad2.q.val() || self.pardon2.q.val();
        self.put_at.next = self.here.val();
        self.put_is.next = self.more.val();
        self.reach.d.next = self.bad2.q.val() && !self.sweep.q.val() && (self.more.val() == self.limit.val()) && !(self.count.val() == self.limit.val());
        self.reach_qpn.d.next = self.qpn2.q.val();
        self.reached.next = self.reach.q.val();
        self.reached_qpn.next = self.reach_qpn.q.val();
        if self.sweep.q.val() {
            self.put.next = true;
            self.put_at.next = self.sweep_at.q.val();
            self.put_is.next = 0.into();
            self.sweep_at.d.next = self.sweep_at.q.val() + 1;
            self.sweep.d.next = !self.sweep_at.q.val().all();
        }
        if self.clear.val() {
            self.sweep.d.next = true;
            self.sweep_at.d.next = 0.into();
        }
        // what is read comes behind, or was written at the edge of its reading, or is written at this one
        self.behind.next = self.qpn1.q.val().get_bits::<LIMW>(0);
        self.count2.d.next = self.own.read_data.val();
        if self.wrote.q.val() && (self.wrote_at.q.val() == self.behind.val()) {
            self.count2.d.next = self.wrote_is.q.val();
        }
        if self.put.val() && (self.put_at.val() == self.behind.val()) {
            self.count2.d.next = self.put_is.val();
        }
        self.put_full.next = !(self.put_is.val() < self.limit.val());
        // one cycle more: a lookup may have read the last count just before
        self.swept.d.next = self.sweep.q.val();
        self.clearing.next = self.sweep.q.val() || self.swept.q.val();
        self.look.write_address.next = self.put_at.val();
        self.look.write_data.next = self.put_full.val();
        self.look.write_enable.next = self.put.val();
        self.own.write_address.next = self.put_at.val();
        self.own.write_data.next = self.put_is.val();
        self.own.write_enable.next = self.put.val();
        self.wrote.d.next = self.put.val();
        self.wrote_at.d.next = self.put_at.val();
        self.wrote_is.d.next = self.put_is.val();
        self.wrote_full.d.next = self.put_full.val();
        if self.reset.val() {
            self.sweep.d.next = true;
            self.sweep_at.d.next = 0.into();
            self.bad0.d.next = false;
            self.pardon0.d.next = false;
            self.bad1.d.next = false;
            self.pardon1.d.next = false;
            self.bad2.d.next = false;
            self.pardon2.d.next = false;
            self.reach.d.next = false;
        }
    }
}
