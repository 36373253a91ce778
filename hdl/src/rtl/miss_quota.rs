// SPDX-License-Identifier: MIT OR Apache-2.0
//! How many MSHRs each isolation class holds, and whether it may have another.
//!
//! ```text
//!   taken (one-hot), class ─► of[m], held[class] + 1
//!   freed (one-hot) ────────► held[of[m]] - 1 ──► below[class]: fewer than its quota
//! ```
//! Contract: a class has an MSHR from the cycle after its miss took it until the cycle after it is free; who merges takes none. `below` is true where the quota is 0. A quota that
//! is set lower takes nothing back. Without `feature.limits` there is one class and no quota. Latency 1 cycle.

use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct MissQuota {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// 8 bits a class.
    pub quotas: Signal<In, Bits<32>>,
    /// This MSHR is taken, by `class`.
    pub taken: Signal<In, Bits<NM>>,
    pub iso: Signal<In, Bits<CLW>>,
    /// This one becomes free.
    pub freed: Signal<In, Bits<NM>>,
    pub below: Signal<Out, Bits<OVL>>,
    of: [DFF<Bits<CLW>>; NM],
    held: [DFF<Bits<HELDM>>; OVL],
    under: DFF<Bits<OVL>>,
    lower: Signal<Local, Bits<OVL>>,
    adds: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    now: Signal<Local, Bits<HELDM>>,
    wide: Signal<Local, Bits<8>>,
    quota: Signal<Local, Bits<8>>,
    #[default(Constant::new(ones(0, if F_LIMITS { 0 } else { OVL })))]
    unlimited: Constant<Bits<OVL>>,
    #[default(std::array::from_fn(|i| constant(i * 8 % 32)))]
    by8: [Constant<Bits<8>>; OVL],
}

impl Logic for MissQuota {
    #[hdl_gen]
    fn update(&mut self) {
        self.under.clock.next = self.clock.val();
        self.lower.next = 0.into();
        for m in 0..NM {
            self.of[m].clock.next = self.clock.val();
            self.of[m].d.next = self.of[m].q.val();
            if self.taken.val().get_bit(m) {
                self.of[m].d.next = self.iso.val();
            }
        }
        self.adds.next = false;
        self.ends.next = false;
        self.now.next = 0.into();
        self.wide.next = 0.into();
        self.quota.next = 0.into();
        for c in 0..OVL {
            self.held[c].clock.next = self.clock.val();
            self.adds.next = self.taken.val().any() && (self.iso.val() == c.to_bits());
            self.ends.next = false;
            for f in 0..NM {
                if self.freed.val().get_bit(f) && (self.of[f].q.val() == c.to_bits()) {
                    self.ends.next = true;
                }
            }
            self.now.next = self.held[c].q.val();
            if self.adds.val() && !self.ends.val() {
                self.now.next = self.held[c].q.val() + 1;
            }
            if self.ends.val() && !self.adds.val() {
                self.now.next = self.held[c].q.val() - 1;
            }
            if self.reset.val() {
                self.now.next = 0.into();
            }
            self.held[c].d.next = self.now.val();
            self.wide.next = bit_cast::<8, HELDM>(self.now.val());
            self.quota.next = self.quotas.val().get_bits::<8>(self.by8[c].val().index());
            self.lower.next = self.lower.val().replace_bit(c, !self.quota.val().any() || (self.wide.val() < self.quota.val()));
        }
        self.under.d.next = self.lower.val();
        self.below.next = self.under.q.val() | self.unlimited.val();
    }
}
