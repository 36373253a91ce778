// SPDX-License-Identifier: MIT OR Apache-2.0
//! The account of one protection domain: how many entries it has, and how many it may have.
//!
//! ```text
//!   load ─► at, prior ─► address (space 3 of the ICM, a word a PD)
//!   take ─► word {quota, used} ─► spent
//!                      └─ + 1, - 1, or another quota ─► words out
//! ```
//! Contract: `load` fixes whose account it is: the PD at the pins, the entry's, or (`back`) the one an entry had before its PD changed, which the first load of a command
//! remembers. `take` loads the word. `spent`: the PD has as many entries as it may; a quota of 0 is none. An account that nobody wrote is 0, so nobody is limited until set_quota. Latency 1 cycle.
//! Only the registration port reads and writes accounts, one at a time, so a word taken is the present one until it is written.

use super::prelude::*;

const K1: usize = K + 1;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct PdQuota {
    pub clock: Signal<In, Clock>,
    /// Whose account: at the pins (0), the entry's (1), the PD before (2).
    pub load: Signal<In, Bit>,
    pub of: Signal<In, Bits<2>>,
    pub pins: Signal<In, Bits<PDW>>,
    pub entry: Signal<In, Bits<PDW>>,
    pub take: Signal<In, Bit>,
    pub word: Signal<In, Bits<BEAT>>,
    pub spent: Signal<Out, Bit>,
    /// What is written: one entry less, or another quota; else one entry more.
    pub down: Signal<In, Bit>,
    pub renew: Signal<In, Bit>,
    pub quota: Signal<In, Bits<PNW>>,
    /// The quota at the pins is larger than the table.
    pub too_many: Signal<Out, Bit>,
    pub at: Signal<Out, Bits<PDW>>,
    pub out: Signal<Out, Bits<BEAT>>,
    whose: DFF<Bits<PDW>>,
    prior: DFF<Bits<PDW>>,
    used: DFF<Bits<K1>>,
    most: DFF<Bits<K1>>,
    wide: DFF<Bit>,
    now: Signal<Local, Bits<K1>>,
    may: Signal<Local, Bits<K1>>,
    asked: Signal<Local, Bits<32>>,
    #[default(constant(K1))]
    quota_at: Constant<Bits<6>>,
    #[default(constant(MRS + 1))]
    beyond: Constant<Bits<32>>,
}

impl Logic for PdQuota {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, whose, prior, used, most, wide);
        if self.load.val() {
            self.whose.d.next = self.pins.val();
            if self.of.val() == 1 {
                self.whose.d.next = self.entry.val();
            }
            if self.of.val() == 2 {
                self.whose.d.next = self.prior.q.val();
            }
            if self.of.val() == 0 {
                self.prior.d.next = self.entry.val();
            }
        }
        if self.take.val() {
            self.used.d.next = self.word.val().get_bits::<K1>(0);
            self.most.d.next = self.word.val().get_bits::<K1>(self.quota_at.val().index());
        }
        self.spent.next = self.most.q.val().any() && !(self.used.q.val() < self.most.q.val());
        self.asked.next = bit_cast::<32, PNW>(self.quota.val());
        self.wide.d.next = !(self.asked.val() < self.beyond.val());
        self.too_many.next = self.wide.q.val();
        self.now.next = self.used.q.val() + 1;
        self.may.next = self.most.q.val();
        if self.down.val() {
            self.now.next = self.used.q.val() - 1;
        }
        if self.renew.val() {
            self.now.next = self.used.q.val();
            self.may.next = self.asked.val().get_bits::<K1>(0);
        }
        self.at.next = self.whose.q.val();
        self.out.next = (bit_cast::<BEAT, K1>(self.may.val()) << self.quota_at.val()) | bit_cast::<BEAT, K1>(self.now.val());
    }
}
