// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lookups, their verdicts, segments and leases (source: docs/interface.md, "Lookup ports").

use super::table::{Id, State};
use super::{Checker, Fault};
use crate::model::judge::without_entry;
use crate::model::{judge, Outcome};
use crate::trace::{Cause, DmaDone, Lookup, Mode, SegStatus, Segment, Verdict};
use std::collections::VecDeque;

/// A request between its lookup and the end of its lease.
#[derive(Debug)]
pub(super) struct Open {
    pub lookup: Lookup,
    pub at: u64,
    /// Granted by this region; known from the verdict or the first segment.
    pub region: Option<Id>,
    pub offset: u64,
    fault: Option<u64>,
    verdict: Option<u64>,
    served: u32,
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
    walked: VecDeque<u16>,
    walking: Option<u16>,
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
            lookup, at, region: None, offset: 0, fault: None, verdict: None, served: 0, last: None, done: None,
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
    fn slot(&mut self, port: u16, tag: u16) -> &mut Slot {
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
                let reused = slot.extra.front().map(|(lookup, at)| format!("; {lookup:?} of cycle {at} used the tag again and must get tag_reuse"));
                let text = format!("{verdict:?} answers no lookup{}", reused.unwrap_or_default());
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
            self.still_alive(cycle, id, || format!("{verdict:?} grants {lookup:?} of cycle {at}, its walk has not ended"))?;
        }
        if region.is_none() {
            self.adopt(verdict.port, verdict.tag, id, &outcome);
        }
        let slot = self.slot(verdict.port, verdict.tag);
        let finished = slot.owner.as_ref().is_some_and(|open| open.done.is_some());
        if finished {
            self.end_lease(cycle, verdict.port, verdict.tag);
        }
        self.ports[usize::from(verdict.port)].granted.push_back(verdict.tag);
        self.check_order(cycle, verdict.port)
    }

    fn tag_reuse(&mut self, cycle: u64, verdict: &Verdict) -> Result<(), Fault> {
        let slot = self.slot(verdict.port, verdict.tag);
        let lookup = match slot.extra.pop_front() {
            Some((lookup, _)) => lookup,
            None => match slot.owner.take_if(|open| open.maybe_reuse && open.verdict.is_none() && open.region.is_none()) {
                Some(open) => open.lookup,
                None => {
                    let text = format!("{verdict:?}, but the tag was not used while it was in use");
                    return Err(Fault::new("tag-reuse-without-cause", cycle, text));
                }
            },
        };
        let wanted = Outcome::refusal(&lookup, Cause::TagReuse);
        if verdict.granted || verdict.class != wanted.class {
            let text = format!("{verdict:?} on {lookup:?}: class must be {:?}", wanted.class);
            return Err(Fault::new("verdict", cycle, text));
        }
        self.stats.refusals[Cause::TagReuse.bits() as usize] += 1;
        Ok(())
    }

    /// Finds the oldest version that explains a verdict. `None`: an index without version does, or an open one may.
    #[allow(clippy::type_complexity)]
    fn explain(
        &mut self,
        cycle: u64,
        at: u64,
        lookup: &Lookup,
        verdict: &Verdict,
    ) -> Result<Option<(Outcome, Option<Id>)>, Fault> {
        let same = |outcome: &Outcome| {
            (outcome.granted, outcome.class, outcome.cause) == (verdict.granted, verdict.class, verdict.cause)
        };
        if let Some(outcome) = without_entry(&self.params, lookup) {
            if same(&outcome) {
                return Ok(Some((outcome, None)));
            }
            let text = format!("{verdict:?} on {lookup:?} of cycle {at}: must be {:?} whatever the table holds", outcome.cause);
            return Err(Fault::new("verdict", cycle, text));
        }
        let index = self.params.index(lookup.key);
        let mut hit = None;
        let mut more = false;
        let mut dead = false;
        for (position, version) in self.table.candidates(index, at, cycle) {
            dead |= !matches!(version.state, State::Valid(_));
            let outcome = judge(&self.params, lookup, self.table.view(version.state));
            if same(&outcome) {
                let id = if let State::Valid(id) = version.state { Some(id) } else { None };
                if hit.is_some() {
                    more = true;
                    break;
                }
                hit = Some((position, outcome, id));
            }
        }
        if let Some((position, outcome, id)) = hit {
            self.table.begun(index, position, cycle);
            self.stats.ambiguous += u64::from(more);
            if position > 0 && !more && self.commands.endings > 0 {
                self.table.mark_seen(index, position, || format!("{verdict:?} on {lookup:?} of cycle {at}"));
            }
            return Ok(Some((outcome, id)));
        }
        // An index without valid entry may be between versions while some registration is not answered.
        let between = dead && self.commands.registers > 0 && matches!(verdict.cause, Cause::BadKey | Cause::StaleKey);
        if between && Outcome::refusal(lookup, verdict.cause).class == verdict.class && !verdict.granted {
            return Ok(None);
        }
        let states: Vec<_> = self
            .table
            .candidates(index, at, cycle)
            .map(|(_, version)| {
                let outcome = judge(&self.params, lookup, self.table.view(version.state));
                format!("{:?} (from {}..{}) -> {:?}/{:?}", version.state, version.earliest, version.latest, outcome.class, outcome.cause)
            })
            .collect();
        let text = format!("{verdict:?} on {lookup:?} of cycle {at}: index {index} may have been {}", states.join(", "));
        let rule = if verdict.granted { "wrong-grant" } else { "verdict" };
        Err(Fault::new(rule, cycle, text))
    }

    /// An old walk may not go on after the answer to the deregistration of its region.
    fn still_alive(&self, cycle: u64, id: Id, what: impl FnOnce() -> String) -> Result<(), Fault> {
        match self.table.tracked(id).and_then(|tracked| tracked.dead) {
            Some((end, false)) if cycle > end => {
                let text = format!("{} after the deregistration was answered ok in cycle {end}", what());
                Err(Fault::new("walk-after-answer", cycle, text))
            }
            _ => Ok(()),
        }
    }

    fn adopt(&mut self, port: u16, tag: u16, id: Id, outcome: &Outcome) {
        self.table.hold(id);
        self.stats.faulting += u64::from(outcome.fault.is_some());
        if let Some(open) = self.slot(port, tag).owner.as_mut() {
            open.region = Some(id);
            open.offset = outcome.offset;
            open.fault = outcome.fault;
        }
    }

    pub(super) fn segment_out(&mut self, cycle: u64, segment: &Segment) -> Result<(), Fault> {
        let (port, tag) = (segment.port, segment.tag);
        let wrong = |rule, text: String| Err(Fault::new(rule, cycle, format!("{segment:?}: {text}")));
        let slot = self.slot(port, tag);
        let Some(open) = slot.owner.as_ref() else { return wrong("segment-without-lookup", "no such request".into()) };
        let (lookup, at) = (open.lookup, open.at);
        if let Some(last) = open.last {
            return wrong("segment-after-last", format!("the last one was in cycle {last} ({lookup:?})"));
        }
        if open.region.is_none() {
            let index = self.params.index(lookup.key);
            let found = self.table.candidates(index, at, cycle).find_map(|(_, version)| match version.state {
                State::Valid(id) => Some((judge(&self.params, &lookup, self.table.view(version.state)), id)),
                _ => None,
            }
            .filter(|(outcome, _)| outcome.walks));
            let Some((outcome, id)) = found else {
                return wrong("segment-without-grant", format!("{lookup:?} of cycle {at} may not be granted"));
            };
            self.adopt(port, tag, id, &outcome);
        }
        let walking = self.ports[usize::from(port)].walking;
        if walking.is_some_and(|other| other != tag) {
            return wrong("segments-mixed", format!("walk of tag {walking:?} on this port is not at its end"));
        }
        if walking.is_none() {
            self.ports[usize::from(port)].walking = Some(tag);
            self.ports[usize::from(port)].walked.push_back(tag);
            self.check_order(cycle, port)?;
        }
        self.walk_step(cycle, segment)?;
        if segment.last {
            self.ports[usize::from(port)].walking = None;
            if let Some(open) = self.slot(port, tag).owner.as_mut() {
                open.last = Some(cycle);
            }
        }
        Ok(())
    }

    fn walk_step(&mut self, cycle: u64, segment: &Segment) -> Result<(), Fault> {
        let Some(open) = self.ports[usize::from(segment.port)].slots[usize::from(segment.tag)].owner.as_mut() else {
            return Ok(());
        };
        let lookup = open.lookup;
        let wrong = |rule, text: String| Err(Fault::new(rule, cycle, format!("{segment:?}: {text} ({lookup:?})")));
        let Some(id) = open.region else { return Ok(()) };
        let Some(tracked) = self.table.regions.get_mut(id).and_then(Option::as_mut) else { return Ok(()) };
        if segment.status != SegStatus::Ok && (!segment.last || segment.len != 0) {
            return wrong("segment-form", "a segment that is not ok must be last and empty".into());
        }
        match segment.status {
            SegStatus::Ok => {
                if let Some(page) = open.fault {
                    return wrong("fault-ignored", format!("page {page} is absent, no bytes may be given"));
                }
                let left = lookup.len - open.served;
                let piece = tracked.region.piece(open.offset.wrapping_add(u64::from(open.served)), left);
                if (piece.pa, piece.len) != (segment.pa, segment.len) {
                    return wrong("segment-bytes", format!("must be pa {:#x} len {:#x}", piece.pa, piece.len));
                }
                open.served += piece.len;
                if segment.last != (piece.len == left) {
                    return wrong("segment-last", format!("{} bytes are left", left - piece.len));
                }
                self.stats.segments += 1;
                self.stats.bytes += u64::from(piece.len);
            }
            SegStatus::Cut => {
                if !tracked.endings.iter().any(|ending| ending.mode != Mode::Drain) && tracked.dead.is_none() {
                    let text = "no deregistration in mode cut or contract of its region is on its way";
                    return wrong("cut-without-cause", text.into());
                }
                tracked.cut = Some(format!("{segment:?} in cycle {cycle}"));
                self.stats.cuts += 1;
            }
            SegStatus::PageFault if open.fault.is_none() => {
                return wrong("fault-without-cause", "every page of the request is there".into());
            }
            SegStatus::PageFault => self.stats.faults += 1,
        }
        self.still_alive(cycle, id, || format!("{segment:?} of {lookup:?}"))
    }

    fn check_order(&mut self, cycle: u64, port: u16) -> Result<(), Fault> {
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
            self.table.let_go(id);
        }
    }

    pub(super) fn lookups_finished(&self) -> Result<(), Fault> {
        for (port, slot) in self.ports.iter().flat_map(|port| &port.slots).enumerate() {
            let _ = port;
            if let Some((lookup, at)) = slot.extra.front() {
                return Err(Fault::new("lookup-unanswered", self.now, format!("{lookup:?} of cycle {at} (tag in use) got no verdict")));
            }
            match &slot.owner {
                Some(open) if open.verdict.is_none() => {
                    let text = format!("{:?} of cycle {} got no verdict", open.lookup, open.at);
                    return Err(Fault::new("lookup-unanswered", self.now, text));
                }
                Some(open) if open.last.is_none() => {
                    let text = format!("{:?} of cycle {} was granted, its last segment never came", open.lookup, open.at);
                    return Err(Fault::new("walk-unfinished", self.now, text));
                }
                _ => {}
            }
        }
        Ok(())
    }
}
