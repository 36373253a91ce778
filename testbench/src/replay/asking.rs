// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lookups that a packet becomes, and when its request is decided.

use super::explain::{ops, Decision};
use super::lookups::Offer;
use super::player::Player;
use crate::bench::Params;
use crate::capture::{Access, Answer, Kind, Part};
use crate::trace::{Cause, Class, Lookup};

/// Requests may have this many bytes; a configuration that takes less gets them in pieces.
const LONGEST: u64 = 1 << 31;

impl Player<'_> {
    /// One packet of a request that names memory by a key.
    pub(super) fn access(&mut self, access: &Access, host: usize) {
        let m = &access.message;
        let last = match access.part {
            Part::Whole => true,
            Part::First { .. } => false,
            Part::Next { last, .. } => last,
        };
        let (key, how) = self.keys.resolve(host, m.rkey, self.p, &self.model);
        let qp = self.facts.qp(host, m.flow.qp, access.nanos);
        if !matches!(access.part, Part::Next { .. }) {
            let decision = Decision::new(m.clone(), how, qp.and_then(|q| q.access));
            self.decisions.insert(m.id, decision);
        }
        if self.decisions.get(&m.id).is_none_or(|d| d.foreseen) {
            self.tally.not_served += 1;
        } else {
            self.ask(access, key, how.region(), qp.map(|q| q.pd));
        }
        if last {
            self.shut(m.id);
        }
    }

    /// The lookups of one packet.
    fn ask(&mut self, access: &Access, key: u32, region: Option<usize>, pd: Option<u32>) {
        let m = &access.message;
        let region = region.map(|r| &self.facts.regions[r]);
        self.tally.assumed_domain += u64::from(pd.is_none());
        let (mut va, mut len) = (m.va, m.len);
        if let (Kind::Flush { whole: true, .. }, Some(r)) = (m.kind, region) {
            (va, len) = (r.va, r.length.min(self.p.max_request) as u32);
        }
        let pd = pd.or(region.map(|r| r.pd)).unwrap_or(1);
        let base = Lookup {
            qpn: m.flow.qp & Params::top(24) as u32,
            ..Lookup::read(pd, key, va, len)
        };
        // The first packet of a WRITE is judged by the range of all of it, without walking.
        let parts = match access.part {
            Part::Whole => vec![base],
            Part::First { len } => vec![
                Lookup {
                    walk: false,
                    ..base
                },
                Lookup { len, ..base },
            ],
            Part::Next { offset, len, .. } => {
                let va = va.wrapping_add(offset);
                vec![Lookup { va, len, ..base }]
            }
        };
        let ops = ops(m.kind);
        if ops.is_empty() {
            // a FLUSH of no kind
            self.refuse(m.id, Class::RemInvReqErr, Cause::BadLength);
        }
        for part in parts {
            for op in &ops {
                self.offer(Lookup { op: *op, ..part }, m.id, access.frame);
            }
        }
    }

    fn refuse(&mut self, id: u64, class: Class, cause: Cause) {
        if let Some(d) = self.decisions.get_mut(&id) {
            d.refused.get_or_insert((class, cause));
            d.foreseen = true;
        }
    }

    /// One lookup, or several where the configuration takes only shorter ones. Nothing follows a refusal.
    fn offer(&mut self, whole: Lookup, id: u64, frame: u64) {
        let most = if self.p.max_request < LONGEST {
            self.p.max_request as u32
        } else {
            u32::MAX
        };
        let (mut va, mut left) = (whole.va, whole.len);
        loop {
            if self.decisions.get(&id).is_none_or(|d| d.foreseen) {
                return;
            }
            let len = left.min(most);
            if va > Params::top(self.p.va_bits) {
                self.tally.beyond_width += 1;
                return self.refuse(id, Class::RemAccessErr, Cause::OutOfBounds);
            }
            let offer = Offer::new(&self.model, Lookup { va, len, ..whole }, id, frame);
            if let Some(d) = self.decisions.get_mut(&id) {
                d.open += 1;
                d.foreseen = !offer.outcome.granted;
            }
            self.ready.push_back(offer);
            left -= len;
            va = va.wrapping_add(u64::from(len));
            if left == 0 {
                return;
            }
        }
    }

    /// No packet of that request is to come.
    pub(super) fn shut(&mut self, id: u64) {
        if let Some(d) = self.decisions.get_mut(&id) {
            d.closed = true;
            if d.open == 0 {
                self.done_with(id);
            }
        }
    }

    pub(super) fn done_with(&mut self, id: u64) {
        if let Some(d) = self.decisions.remove(&id) {
            if d.message.answer.get() == Answer::Started {
                // the rest of the data was not captured
                d.message.answer.set(Answer::Ack);
            }
            d.settle(self.facts, &mut self.tally);
        }
    }
}
