// SPDX-License-Identifier: MIT OR Apache-2.0
//! How many MSHRs each isolation class holds, and whether it may have another.
//!
//! ```text
//!   taken (one-hot), class ──────────────────────► of[m], held[class] + 1
//!   freed (one-hot) ─► register ─► of which class ─► register ─► held - 1 ──► below[class]: fewer than its quota
//! ```
//! Contract: a class has an MSHR from the cycle after its miss took it until the third cycle after it is free (so what is freed, which is known late, is counted later); who merges takes none. `below` is true where the quota is 0. A quota that
//! is set lower takes nothing back. Without `feature.limits` there is one class and no quota. Latency 1 cycle.

use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct MissQuota {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// 8 bits a class.
    pub quotas: Signal<In, Bits<32>>,
    /// One is taken, by class `iso`,
    pub takes: Signal<In, Bit>,
    /// this one.
    pub taken: Signal<In, Bits<NM>>,
    pub iso: Signal<In, Bits<CLW>>,
    /// This one becomes free.
    pub freed: Signal<In, Bits<NM>>,
    pub below: Signal<Out, Bits<OVL>>,
    of: [DFF<Bits<CLW>>; NM],
    held: [DFF<Bits<HELDM>>; OVL],
    under: DFF<Bits<OVL>>,
    freed_q: DFF<Bits<NM>>,
    ended: DFF<Bits<OVL>>,
    lower: Signal<Local, Bits<OVL>>,
    adds: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    less: Signal<Local, Bits<HELDM>>,
    more: Signal<Local, Bits<HELDM>>,
    wide: Signal<Local, Bits<8>>,
    wide_more: Signal<Local, Bits<8>>,
    fits: Signal<Local, Bit>,
    ending: Signal<Local, Bits<OVL>>,
    quota: Signal<Local, Bits<8>>,
    #[default(Constant::new(ones(0, if F_LIMITS { 0 } else { OVL })))]
    unlimited: Constant<Bits<OVL>>,
    #[default(std::array::from_fn(|i| constant(i * 8 % 32)))]
    by8: [Constant<Bits<8>>; OVL],
}

impl Logic for MissQuota {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, under, freed_q, ended);
        self.freed_q.d.next = self.freed.val();
        self.lower.next = 0.into();
        self.ending.next = 0.into();
        for m in 0..NM {
            self.of[m].clock.next = self.clock.val();
            self.of[m].d.next = self.of[m].q.val();
            if self.taken.val().get_bit(m) {
                self.of[m].d.next = self.iso.val();
            }
        }
        for c in 0..OVL {
            self.held[c].clock.next = self.clock.val();
            self.ends.next = false;
            for f in 0..NM {
                if self.freed_q.q.val().get_bit(f) && (self.of[f].q.val() == c.to_bits()) {
                    self.ends.next = true;
                }
            }
            self.ending.next = self.ending.val().replace_bit(c, self.ends.val());
            // `takes` comes last: what it decides is known for either case
            self.less.next = self.held[c].q.val();
            if self.ended.q.val().get_bit(c) {
                self.less.next = self.held[c].q.val() - 1;
            }
            self.more.next = self.less.val() + 1;
            self.wide.next = bit_cast::<8, HELDM>(self.less.val());
            self.wide_more.next = bit_cast::<8, HELDM>(self.more.val());
            self.quota.next = self.quotas.val().get_bits::<8>(self.by8[c].val().index());
            self.adds.next = self.takes.val() && (self.iso.val() == c.to_bits());
            self.held[c].d.next = self.less.val();
            self.fits.next = self.wide.val() < self.quota.val();
            if self.adds.val() {
                self.held[c].d.next = self.more.val();
                self.fits.next = self.wide_more.val() < self.quota.val();
            }
            if self.reset.val() {
                self.held[c].d.next = 0.into();
            }
            self.lower.next = self.lower.val().replace_bit(c, !self.quota.val().any() || self.fits.val());
        }
        self.ended.d.next = self.ending.val();
        self.under.d.next = self.lower.val();
        self.below.next = self.under.q.val() | self.unlimited.val();
        if self.reset.val() {
            self.freed_q.d.next = 0.into();
            self.ended.d.next = 0.into();
        }
    }
}
