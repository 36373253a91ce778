// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lookups, their tags, verdicts and leases (source: docs/interface.md, "Lookup ports").

use super::table::{Id, Table};
use super::{Checker, Fault};
use crate::model::Outcome;
use crate::trace::{Cause, DmaDone, Lookup, Verdict};
use std::collections::VecDeque;

/// An entry that explains a granted request: a region, or a window and its region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub id: Id,
    pub parent: Option<Id>,
    /// Of the request inside the region.
    pub offset: u64,
}

impl Choice {
    /// The region whose pages it walks over.
    pub fn data(&self) -> Id {
        self.parent.unwrap_or(self.id)
    }

    pub fn refers(&self, id: Id) -> bool {
        self.id == id || self.parent == Some(id)
    }

    pub fn hold(&self, table: &mut Table) {
        table.hold(self.id);
        if let Some(parent) = self.parent {
            table.hold(parent);
        }
    }

    pub fn let_go(&self, table: &mut Table, cycle: u64) {
        table.let_go(cycle, self.id);
        if let Some(parent) = self.parent {
            table.let_go(cycle, parent);
        }
    }
}

/// An eviction was answered in `cycle`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evicted {
    pub region: Id,
    pub number: u64,
    pub cycle: u64,
}

/// A request between its lookup and the end of its lease.
#[derive(Debug)]
pub(super) struct Open {
    pub lookup: Lookup,
    pub at: u64,
    /// Granted by this entry; known from the verdict or the first segment.
    pub choice: Option<Choice>,
    /// Others that explain all that was seen as well.
    pub others: Vec<Choice>,
    /// Evictions that were answered meanwhile: from then on it can only see what their pages are since.
    pub evicted: Vec<Evicted>,
    /// No segment was other than ok.
    pub whole: bool,
    /// It is among [`super::Stats::faulting`].
    pub faulting: bool,
    pub verdict: Option<u64>,
    pub served: u32,
    pub last: Option<u64>,
    pub done: Option<u64>,
    /// Its tag became free in the cycle of its lookup: a refusal for tag reuse is right too.
    maybe_reuse: bool,
}

/// One tag of a port.
#[derive(Debug, Default)]
pub(super) struct Slot {
    pub owner: Option<Open>,
    /// Lookups that came while the tag was in use.
    extra: VecDeque<(Lookup, u64)>,
    freed: Option<u64>,
}

/// One port.
#[derive(Debug, Default)]
pub(super) struct Port {
    pub slots: Vec<Slot>,
    granted: VecDeque<u16>,
    pub walked: VecDeque<u16>,
    pub walking: Option<u16>,
}

impl Port {
    /// Compares the order of walks with that of granting verdicts as far as both are known.
    fn same_order(&mut self) -> Result<(), (u16, u16)> {
        while let (Some(granted), Some(walked)) = (self.granted.front(), self.walked.front()) {
            if granted != walked {
                return Err((*granted, *walked));
            }
            self.granted.pop_front();
            self.walked.pop_front();
        }
        Ok(())
    }
}

impl Open {
    /// Does the first explanation name this entry?
    pub fn refers(&self, id: Id) -> bool {
        let mut all = self.choice.iter().chain(&self.others);
        all.any(|choice| choice.refers(id))
    }

    /// A page of a region is as it was at some moment from here on.
    pub fn page_from(&self, region: Id, number: u64) -> u64 {
        let gone = self.evicted.iter();
        let gone = gone.filter(|gone| gone.region == region && gone.number == number);
        gone.map(|gone| gone.cycle + 1).fold(self.at, u64::max)
    }

    /// Explanations that are none; they are given back to be let go.
    pub fn give_up(&mut self, none: impl Fn(&Choice) -> bool) -> Vec<Choice> {
        let all = self.choice.take().into_iter().chain(self.others.drain(..));
        let (gone, left): (Vec<_>, Vec<_>) = all.partition(|choice| none(choice));
        let mut left = left.into_iter();
        self.choice = left.next();
        self.others.extend(left);
        gone
    }
}

impl Slot {
    fn take(&mut self, lookup: Lookup, at: u64, maybe_reuse: bool) {
        self.owner = Some(Open {
            lookup,
            at,
            choice: None,
            others: Vec::new(),
            evicted: Vec::new(),
            whole: true,
            faulting: false,
            verdict: None,
            served: 0,
            last: None,
            done: None,
            maybe_reuse,
        });
    }

    /// The tag is free again; a lookup of the same cycle may have been in time.
    fn free(&mut self, cycle: u64) {
        self.owner = None;
        self.freed = Some(cycle);
        if let Some(at) = self.extra.iter().position(|(_, at)| *at == cycle) {
            if let Some((lookup, at)) = self.extra.remove(at) {
                self.take(lookup, at, true);
            }
        }
    }
}

impl Checker {
    pub(super) fn slot(&mut self, port: u16, tag: u16) -> &mut Slot {
        let (port, tag) = (usize::from(port), usize::from(tag));
        if self.ports.len() <= port {
            self.ports.resize_with(port + 1, Port::default);
        }
        let slots = &mut self.ports[port].slots;
        if slots.len() <= tag {
            slots.resize_with(tag + 1, Slot::default);
        }
        &mut slots[tag]
    }

    pub(super) fn lookup_in(&mut self, cycle: u64, lookup: &Lookup) -> Result<(), Fault> {
        self.stats.lookups += 1;
        let slot = self.slot(lookup.port, lookup.tag);
        if slot.owner.is_some() {
            slot.extra.push_back((*lookup, cycle));
        } else {
            let maybe = slot.freed == Some(cycle);
            slot.take(*lookup, cycle, maybe);
        }
        Ok(())
    }

    pub(super) fn verdict_out(&mut self, cycle: u64, verdict: &Verdict) -> Result<(), Fault> {
        if verdict.cause == Cause::TagReuse {
            return self.tag_reuse(cycle, verdict);
        }
        let slot = self.slot(verdict.port, verdict.tag);
        let open = match slot.owner.as_mut() {
            Some(open) if open.verdict.is_none() => open,
            _ => {
                let reused = slot.extra.front().map(|(lookup, at)| {
                    format!("; {lookup:?} of cycle {at} used the tag again and must get tag_reuse")
                });
                let text = format!(
                    "{verdict:?} answers no lookup{}",
                    reused.unwrap_or_default()
                );
                return Err(Fault::new("verdict-without-lookup", cycle, text));
            }
        };
        open.verdict = Some(cycle);
        let (lookup, at, known, last) = (open.lookup, open.at, open.choice, open.last);
        self.count_bad_key(cycle, &lookup, verdict);
        let outcome = if self.limited(cycle, at, &lookup, verdict)? {
            None
        } else {
            self.explain(cycle, at, &lookup, verdict)?
        };
        let Some((outcome, choices)) = outcome.filter(|(outcome, _)| outcome.granted) else {
            if known.is_some() {
                let text = format!("{verdict:?} refuses {lookup:?}, but segments of it were given");
                return Err(Fault::new("segments-of-refused", cycle, text));
            }
            self.stats.refusals[verdict.cause.bits() as usize] += 1;
            self.slot(verdict.port, verdict.tag).free(cycle);
            return Ok(());
        };
        self.stats.grants += 1;
        if !outcome.walks {
            self.slot(verdict.port, verdict.tag).free(cycle);
            return Ok(());
        }
        if choices.is_empty() {
            return Ok(());
        }
        if known.is_none() {
            let what =
                || format!("{verdict:?} grants {lookup:?} of cycle {at}, its walk has not ended");
            let left = self.all_alive(cycle, choices, last.is_none(), what)?;
            self.adopt(verdict.port, verdict.tag, left);
        } else if let Some(known) = known.filter(|_| last.is_none()) {
            let what =
                || format!("{verdict:?} grants {lookup:?} of cycle {at}, its walk has not ended");
            self.all_alive(cycle, vec![known], true, what)?;
        }
        let slot = self.slot(verdict.port, verdict.tag);
        let finished = slot.owner.as_ref().is_some_and(|open| open.done.is_some());
        if finished {
            self.end_lease(cycle, verdict.port, verdict.tag);
        }
        self.ports[usize::from(verdict.port)]
            .granted
            .push_back(verdict.tag);
        self.check_order(cycle, verdict.port)
    }

    fn tag_reuse(&mut self, cycle: u64, verdict: &Verdict) -> Result<(), Fault> {
        let slot = self.slot(verdict.port, verdict.tag);
        let lookup = match slot.extra.pop_front() {
            Some((lookup, _)) => lookup,
            None => match slot
                .owner
                .take_if(|open| open.maybe_reuse && open.verdict.is_none() && open.choice.is_none())
            {
                Some(open) => open.lookup,
                None => {
                    let text = format!("{verdict:?}, but the tag was not used while it was in use");
                    return Err(Fault::new("tag-reuse-without-cause", cycle, text));
                }
            },
        };
        let wanted = Outcome::refusal(&lookup, Cause::TagReuse);
        if verdict.granted || verdict.class != wanted.class {
            let text = format!(
                "{verdict:?} on {lookup:?}: class must be {:?}",
                wanted.class
            );
            return Err(Fault::new("verdict", cycle, text));
        }
        self.stats.refusals[Cause::TagReuse.bits() as usize] += 1;
        Ok(())
    }

    pub(super) fn check_order(&mut self, cycle: u64, port: u16) -> Result<(), Fault> {
        self.ports[usize::from(port)].same_order().map_err(|(granted, walked)| {
            let text = format!("port {port}: segments of tag {walked}, but tag {granted} was granted before it");
            Fault::new("segment-order", cycle, text)
        })
    }

    pub(super) fn dma_done(&mut self, cycle: u64, done: &DmaDone) -> Result<(), Fault> {
        match self.slot(done.port, done.tag).owner.as_mut() {
            Some(open) if open.last.is_some() && open.done.is_none() => {
                open.done = Some(cycle);
                if open.verdict.is_some() {
                    self.end_lease(cycle, done.port, done.tag);
                }
            }
            _ => self.stats.unknown_done += 1,
        }
        Ok(())
    }

    fn end_lease(&mut self, cycle: u64, port: u16, tag: u16) {
        let slot = self.slot(port, tag);
        let gone = slot.owner.as_mut().map(|open| open.give_up(|_| true));
        slot.free(cycle);
        for choice in gone.into_iter().flatten() {
            choice.let_go(&mut self.table, cycle);
        }
    }

    pub(super) fn lookups_finished(&self) -> Result<(), Fault> {
        for slot in self.ports.iter().flat_map(|port| &port.slots) {
            if let Some((lookup, at)) = slot.extra.front() {
                return Err(Fault::new(
                    "lookup-unanswered",
                    self.now,
                    format!("{lookup:?} of cycle {at} (tag in use) got no verdict"),
                ));
            }
            match &slot.owner {
                Some(open) if open.verdict.is_none() => {
                    let text = format!("{:?} of cycle {} got no verdict", open.lookup, open.at);
                    return Err(Fault::new("lookup-unanswered", self.now, text));
                }
                Some(open) if open.last.is_none() => {
                    let text = format!(
                        "{:?} of cycle {} was granted, its last segment never came",
                        open.lookup, open.at
                    );
                    return Err(Fault::new("walk-unfinished", self.now, text));
                }
                _ => {}
            }
        }
        Ok(())
    }
}
