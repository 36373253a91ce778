// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lookups, their tags, verdicts and leases (source: docs/interface.md, "Lookup ports").

use super::table::Id;
use super::{Checker, Fault};
use crate::model::Outcome;
use crate::trace::{Cause, DmaDone, Lookup, Verdict};
use std::collections::VecDeque;

/// A request between its lookup and the end of its lease.
#[derive(Debug)]
pub(super) struct Open {
    pub lookup: Lookup,
    pub at: u64,
    /// Granted by this region; known from the verdict or the first segment.
    pub region: Option<Id>,
    pub offset: u64,
    pub fault: Option<u64>,
    verdict: Option<u64>,
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

impl Slot {
    fn take(&mut self, lookup: Lookup, at: u64, maybe_reuse: bool) {
        self.owner = Some(Open {
            lookup,
            at,
            region: None,
            offset: 0,
            fault: None,
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
        let (lookup, at, region, last) = (open.lookup, open.at, open.region, open.last);
        let outcome = self.explain(cycle, at, &lookup, verdict)?;
        let Some((outcome, id)) = outcome.filter(|(outcome, _)| outcome.granted) else {
            if region.is_some() {
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
        let Some(id) = id else { return Ok(()) };
        if last.is_none() {
            self.still_alive(cycle, id, || {
                format!("{verdict:?} grants {lookup:?} of cycle {at}, its walk has not ended")
            })?;
        }
        if region.is_none() {
            self.adopt(verdict.port, verdict.tag, id, &outcome);
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
                .take_if(|open| open.maybe_reuse && open.verdict.is_none() && open.region.is_none())
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
        let region = slot.owner.as_ref().and_then(|open| open.region);
        slot.free(cycle);
        if let Some(id) = region {
            self.table.let_go(cycle, id);
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
