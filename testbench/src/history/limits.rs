// SPDX-License-Identifier: MIT OR Apache-2.0
//! Limits (source: docs/interface.md, "Limits"): accounts of the PDs, and queue pairs with too many bad keys.
//!
//! Accounts are as the answers before a command's transfer left them, but for reregisters under way, whose entry may count for either PD.
//! The limit of bad keys is not in the trace: who writes the register says so ([`Checker::limit_bad_keys`]).

use super::commands::{Broken, Running};
use super::{Checker, Fault};
use crate::model::judge::without_entry;
use crate::model::life::charged_pd;
use crate::model::Params;
use crate::trace::{Body, Cause, Code, Lookup, Verdict};
use std::collections::HashMap;

/// How long a bad key may take until lookups that enter are refused for it, from its verdict at the pins.
const SLACK: u64 = 16;

/// One PD's entries.
#[derive(Debug, Default, Clone, Copy)]
struct Account {
    quota: u64,
    used: u64,
}

/// Does a PD have as many entries as it may?
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Spent {
    pub must: bool,
    pub may: bool,
}

/// What is counted.
#[derive(Debug, Default)]
pub(super) struct Limits {
    accounts: HashMap<u32, Account>,
    /// Something ended of which it is not known what it was: the accounts are no longer known.
    loose: bool,
    /// Bad keys until a queue pair is refused.
    limit: Option<u64>,
    /// By queue pair (the low bits of its number that are told apart): bad keys told, and when the one came that reached the limit.
    bad: HashMap<u32, (u64, Option<u64>)>,
}

impl Limits {
    pub fn enter(&mut self, pd: u32) {
        self.accounts.entry(pd).or_default().used += 1;
    }

    pub fn leave(&mut self, pd: u32) {
        self.accounts.entry(pd).or_default().used -= 1;
    }

    pub fn loosen(&mut self) {
        self.loose = true;
    }

    pub fn set_quota(&mut self, pd: u32, quota: u64) {
        self.accounts.entry(pd).or_default().quota = quota;
    }
}

impl Checker {
    /// From now on lookups of a queue pair are refused once it has presented so many bad keys; `None`: no more. Counts begin at 0.
    pub fn limit_bad_keys(&mut self, limit: Option<u64>) {
        self.limits.limit = limit;
        self.limits.bad.clear();
    }

    /// A queue pair begins at 0 again.
    pub fn forgive(&mut self, qpn: u32) {
        self.limits.bad.remove(&self.queue_pair(qpn));
    }

    /// Queue pairs that share a count.
    fn queue_pair(&self, qpn: u32) -> u32 {
        qpn & crate::model::mask(self.params.qp_bits) as u32
    }

    /// A bad key was told, or a refusal for too many of them.
    pub(super) fn count_bad_key(&mut self, cycle: u64, lookup: &Lookup, verdict: &Verdict) {
        let bad = matches!(
            verdict.cause,
            Cause::BadKey | Cause::StaleKey | Cause::WrongSide | Cause::PdMismatch
        );
        if let Some(limit) = self.limits.limit.filter(|_| bad) {
            let qp = self.queue_pair(lookup.qpn);
            let (count, at) = self.limits.bad.entry(qp).or_default();
            *count += 1;
            if *count >= limit {
                at.get_or_insert(cycle);
            }
        }
    }

    /// Is a refusal for too many bad keys right, or must this verdict be one? Gives whether it is settled with that.
    pub(super) fn limited(
        &self,
        cycle: u64,
        at: u64,
        lookup: &Lookup,
        verdict: &Verdict,
    ) -> Result<bool, Fault> {
        let Some(limit) = self.limits.limit else {
            return match verdict.cause {
                Cause::QpLimited => Err(Fault::new(
                    "qp-limited",
                    cycle,
                    format!("{verdict:?}, but there is no limit"),
                )),
                _ => Ok(false),
            };
        };
        let early = without_entry(&self.params, lookup).is_some();
        let (count, since) = self
            .limits
            .bad
            .get(&self.queue_pair(lookup.qpn))
            .copied()
            .unwrap_or_default();
        if verdict.cause == Cause::QpLimited {
            // verdicts of the same queue pair that wait at other ports count too
            let slots = self.ports.iter().flat_map(|port| &port.slots);
            let open = slots.filter_map(|slot| slot.owner.as_ref());
            let same = |open: &&super::lookups::Open| {
                open.verdict.is_none()
                    && self.queue_pair(open.lookup.qpn) == self.queue_pair(lookup.qpn)
            };
            let more = open.filter(same).count() as u64;
            let right = count + more >= limit
                && !early
                && !verdict.granted
                && verdict.class == crate::model::Outcome::refusal(lookup, verdict.cause).class;
            let text = format!("{verdict:?} on {lookup:?}: {count} bad keys of {limit}");
            return right
                .then_some(true)
                .ok_or(Fault::new("qp-limited", cycle, text));
        }
        if !early && since.is_some_and(|since| at > since + SLACK) {
            let text = format!(
                "{verdict:?} on {lookup:?} of cycle {at}: must be refused, the queue pair has {count} bad keys of {limit} since cycle {since:?}"
            );
            return Err(Fault::new("qp-not-limited", cycle, text));
        }
        Ok(false)
    }

    /// The account a command is charged to, as it is at its transfer.
    pub(super) fn spent(&self, body: &Body) -> Spent {
        if !self.params.limits {
            return Spent::default();
        }
        let Some(pd) = charged_pd(body) else {
            return Spent::default();
        };
        let account = self.limits.accounts.get(&pd).copied().unwrap_or_default();
        let (mut comes, mut goes) = (0, 0);
        for other in self.commands.running.values() {
            // of those that change an entry, only a reregister has a PD to be charged
            let (Some(changed), new) = (other.change, charged_pd(&other.command.body)) else {
                continue;
            };
            let old = self.table.tracked(changed.old).map(|old| old.held.pd);
            if new.is_some() && old != new {
                comes += u64::from(new == Some(pd));
                goes += u64::from(old == Some(pd));
            }
        }
        let full = |used| account.quota > 0 && used >= account.quota;
        Spent {
            must: full(account.used.saturating_sub(goes)) && !self.limits.loose,
            may: full(account.used + comes) || self.limits.loose,
        }
    }

    /// Is the answer right as far as the account goes? `Some`: there is nothing more to say.
    pub(super) fn within_quota(&self, running: &Running, code: Code) -> Option<Broken> {
        let Spent { must, may } = running.spent;
        if !Params::issues(&running.command.body) {
            return None;
        }
        match code {
            Code::Quota if may => Some(Ok(())),
            Code::Quota => Some(Err(("quota", "the PD has room for an entry".into()))),
            _ if must => Some(Err(("quota", "must be quota".into()))),
            _ => None,
        }
    }
}
