// SPDX-License-Identifier: MIT OR Apache-2.0
//! Limits on floods: what software sets of them, and the limiter of bad keys.
//!
//! ```text
//!   register writes ─► bad_key_limit, miss_quota, forgive ─┐
//!   c0 qpn ──────────────────────────────────► QpCount ────┴─► s2 limited (the lookup is refused, whatever its key)
//!   s7 a refusal of a key ───────────────────►         ──────► report (event)
//! ```
//! Contract: a refusal for its key counts against its queue pair: bad_key, stale_key, wrong_side, pd_mismatch, on either side. With a limit set, the bad key that reaches it raises one event;
//! with `refuse` set too, lookups of the QP that enter from then on are refused (cause 12), until the QP is forgiven. Lookups under way are answered as they would be, but those that wait for a line: they enter anew.
//! Writing the limit forgets all counts; while they are cleared (2^LIMW cycles, also after reset) nothing is counted or refused. Limit 0: off.
//! `quotas` holds 8 bits a class, for the miss unit; 0 there is no limit.
//! Where `feature.limits` is off, `no_limits.rs` has its place. Latency: 2 cycles from c0 to s2.

use super::prelude::*;
use super::qp_count::QpCount;
use crate::csr;

const _: () = assert!(csr::LIMIT_AT == 0x28 && csr::QUOTA_AT == 0x29 && csr::FORGIVE_AT == 0x2a && csr::REFUSED_AT == 0x2b);

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct Limits {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// A register is written.
    pub wrote: Signal<In, Bit>,
    pub wrote_at: Signal<In, Bits<8>>,
    pub wrote_to: Signal<In, Bits<32>>,
    /// Registers as read.
    pub shown: Signal<Out, Bits<32>>,
    pub quotas: Signal<Out, Bits<32>>,
    /// Lookups refused so far.
    pub refused: Signal<Out, Bits<32>>,
    /// c0: a lookup, or any other op.
    pub req: Signal<In, Req>,
    /// s2: its QP is refused.
    pub limited: Signal<Out, Bit>,
    /// s7: a verdict.
    pub told: Signal<In, Bit>,
    pub cause: Signal<In, Bits<4>>,
    pub qpn: Signal<In, Bits<QPW>>,
    /// A QP reached the limit.
    pub report: Signal<Out, Bit>,
    pub report_qpn: Signal<Out, Bits<24>>,
    qps: QpCount,
    limit: DFF<Bits<8>>,
    refuse: DFF<Bit>,
    quota: DFF<Bits<32>>,
    refusals: DFF<Bits<32>>,
    clear: DFF<Bit>,
    forgive: DFF<Bit>,
    forgive_qpn: DFF<Bits<24>>,
    on: Signal<Local, Bit>,
    of_key: Signal<Local, Bit>,
    bad_now: Signal<Local, Bit>,
    flag: Signal<Local, Bits<1>>,
}

impl Logic for Limits {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, limit, refuse, quota, refusals, clear, forgive, forgive_qpn);
        self.qps.clock.next = self.clock.val();
        self.qps.reset.next = self.reset.val();
        self.clear.d.next = false;
        self.on.next = self.limit.q.val().any() && !self.clear.q.val() && !self.qps.clearing.val();
        self.of_key.next = (self.cause.val() == 2) || (self.cause.val() == 3) || (self.cause.val() == 4) || (self.cause.val() == 5);
        self.bad_now.next = self.told.val() && self.of_key.val() && self.on.val();
        // waits for a cycle without a bad key
        self.forgive.d.next = self.forgive.q.val() && self.bad_now.val();
        if self.wrote.val() {
            if self.wrote_at.val() == 0x28 {
                self.limit.d.next = self.wrote_to.val().get_bits::<8>(0);
                self.refuse.d.next = self.wrote_to.val().get_bit(8);
                self.clear.d.next = true;
            }
            if self.wrote_at.val() == 0x29 {
                self.quota.d.next = self.wrote_to.val();
            }
            if self.wrote_at.val() == 0x2a {
                self.forgive.d.next = true;
                self.forgive_qpn.d.next = self.wrote_to.val().get_bits::<24>(0);
            }
        }
        self.flag.next = self.refuse.q.val().into();
        self.shown.next = bit_cast::<32, 8>(self.limit.q.val()) | (bit_cast::<32, 1>(self.flag.val()) << 8);
        self.quotas.next = self.quota.q.val();
        self.qps.limit.next = self.limit.q.val();
        self.qps.clear.next = self.clear.q.val();
        self.qps.forgive.next = self.forgive.q.val();
        self.qps.forgive_qpn.next = self.forgive_qpn.q.val();
        self.qps.asked.next = self.req.val().qpn;
        self.limited.next = self.qps.full.val() && self.refuse.q.val() && self.on.val();
        self.qps.bad.next = self.bad_now.val();
        self.qps.qpn.next = self.qpn.val();
        if self.told.val() && (self.cause.val() == 12) {
            self.refusals.d.next = self.refusals.q.val() + 1;
        }
        self.refused.next = self.refusals.q.val();
        self.report.next = self.qps.reached.val() && self.on.val();
        self.report_qpn.next = self.qps.reached_qpn.val();
        if self.reset.val() {
            self.limit.d.next = 0.into();
            self.refuse.d.next = false;
            self.quota.d.next = 0.into();
            self.refusals.d.next = 0.into();
            self.clear.d.next = false;
            self.forgive.d.next = false;
        }
    }
}
