// SPDX-License-Identifier: MIT OR Apache-2.0
//! Segments: bytes, order, cuts and page faults (source: docs/interface.md, "Segments are one per page").

use super::lookups::{Choice, Open};
use super::pages::usable;
use super::table::Table;
use super::{Checker, Fault};
use crate::model::judge;
use crate::model::judge::writes;
use crate::trace::{Entry, Mode, SegStatus, Segment};

/// What is wrong with a segment: rule and words.
type Wrong = (&'static str, String);

impl Checker {
    /// An old walk may not go on after the answer to the command that ended its entry. Gives the explanations that are left.
    pub(super) fn all_alive(
        &self,
        cycle: u64,
        choices: Vec<Choice>,
        goes_on: bool,
        what: impl FnOnce() -> String,
    ) -> Result<Vec<Choice>, Fault> {
        let end = |id| match self.table.tracked(id).and_then(|tracked| tracked.dead) {
            Some((end, false)) if goes_on && cycle > end => Some(end),
            _ => None,
        };
        let ended = |choice: &Choice| end(choice.id).or_else(|| end(choice.parent?));
        let first = choices.first().and_then(ended);
        let left: Vec<_> = choices.into_iter().filter(|c| ended(c).is_none()).collect();
        match first {
            Some(end) if left.is_empty() => {
                let text = format!(
                    "{} after the deregistration was answered ok in cycle {end}",
                    what()
                );
                Err(Fault::new("walk-after-answer", cycle, text))
            }
            _ => Ok(left),
        }
    }

    pub(super) fn adopt(&mut self, port: u16, tag: u16, choices: Vec<Choice>) {
        for choice in &choices {
            choice.hold(&mut self.table);
        }
        let Checker { ports, table, .. } = self;
        let slot = ports
            .get_mut(usize::from(port))
            .and_then(|port| port.slots.get_mut(usize::from(tag)));
        let Some(open) = slot.and_then(|slot| slot.owner.as_mut()) else {
            return;
        };
        let mut all = choices.into_iter();
        open.choice = all.next();
        open.others.extend(all);
        let fault = open
            .choice
            .is_some_and(|choice| may_fault(table, open, &choice, open.at));
        open.faulting = fault;
        self.stats.faulting += u64::from(fault);
    }

    pub(super) fn segment_out(&mut self, cycle: u64, segment: &Segment) -> Result<(), Fault> {
        let (port, tag) = (segment.port, segment.tag);
        let wrong =
            |rule, text: String| Err(Fault::new(rule, cycle, format!("{segment:?}: {text}")));
        let slot = self.slot(port, tag);
        let Some(open) = slot.owner.as_ref() else {
            return wrong("segment-without-lookup", "no such request".into());
        };
        let (lookup, at) = (open.lookup, open.at);
        if let Some(last) = open.last {
            return wrong(
                "segment-after-last",
                format!("the last one was in cycle {last} ({lookup:?})"),
            );
        }
        if open.choice.is_none() {
            let index = self.params.index(lookup.key);
            let mut found = Vec::new();
            for (_, version) in self.table.candidates(index, at, cycle) {
                let outcome = judge(&self.params, &lookup, self.table.view(version.state));
                if outcome.walks {
                    found.extend(self.choice(version.state, &outcome));
                }
            }
            if found.is_empty() {
                return wrong(
                    "segment-without-grant",
                    format!("{lookup:?} of cycle {at} may not be granted"),
                );
            }
            let what = || format!("{segment:?} of {lookup:?}");
            let left = self.all_alive(cycle, found, true, what)?;
            self.adopt(port, tag, left);
        }
        let walking = self.ports[usize::from(port)].walking;
        if walking.is_some_and(|other| other != tag) {
            return wrong(
                "segments-mixed",
                format!("walk of tag {walking:?} on this port is not at its end"),
            );
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
        let Checker {
            ports,
            table,
            stats,
            ..
        } = self;
        let Some(open) = ports[usize::from(segment.port)].slots[usize::from(segment.tag)]
            .owner
            .as_mut()
        else {
            return Ok(());
        };
        let lookup = open.lookup;
        let wrong = |(rule, text): Wrong| {
            Err(Fault::new(
                rule,
                cycle,
                format!("{segment:?}: {text} ({lookup:?})"),
            ))
        };
        if segment.status != SegStatus::Ok && (!segment.last || segment.len != 0) {
            let text = "a segment that is not ok must be last and empty";
            return wrong(("segment-form", text.into()));
        }
        let all: Vec<_> = open.choice.into_iter().chain(open.others.clone()).collect();
        if all.is_empty() {
            return Ok(());
        }
        let mut good = None;
        let mut first = None;
        let mut bad = Vec::new();
        for choice in &all {
            match explains(table, cycle, open, choice, segment) {
                Ok(len) => good = good.or(Some((*choice, len))),
                Err(why) => {
                    first = first.or(Some(why));
                    bad.push(*choice);
                }
            }
        }
        let Some((choice, len)) = good else {
            return wrong(first.unwrap_or(("segment-bytes", String::new())));
        };
        if !bad.is_empty() {
            for gone in open.give_up(|choice| bad.contains(choice)) {
                gone.let_go(table, cycle);
            }
        }
        match segment.status {
            SegStatus::Ok => {
                open.served += len;
                stats.segments += 1;
                stats.bytes += u64::from(len);
            }
            SegStatus::Cut => {
                open.whole = false;
                let words = || format!("{segment:?} in cycle {cycle}");
                for id in [Some(choice.id), choice.parent].into_iter().flatten() {
                    if let Some(tracked) = table.tracked_mut(id) {
                        tracked.cut = Some(words());
                    }
                }
                stats.cuts += 1;
            }
            SegStatus::PageFault => {
                open.whole = false;
                stats.faulting += u64::from(!open.faulting);
                open.faulting = true;
                stats.faults += 1;
            }
        }
        let left = open.choice.into_iter().chain(open.others.clone()).collect();
        let what = || format!("{segment:?} of {lookup:?}");
        let alive = self.all_alive(cycle, left, true, what)?;
        let slot = self.slot(segment.port, segment.tag);
        let gone = slot
            .owner
            .as_mut()
            .map(|open| open.give_up(|choice| !alive.contains(choice)));
        for choice in gone.into_iter().flatten() {
            choice.let_go(&mut self.table, cycle);
        }
        Ok(())
    }
}

/// What a page of the request's region may have been since the request came.
fn page(table: &Table, open: &Open, choice: &Choice, number: u64, cycle: u64) -> Vec<Entry> {
    let Some(tracked) = table.tracked(choice.data()) else {
        return Vec::new();
    };
    let (Some(region), Some(pages)) = (&tracked.held.region, &tracked.pages) else {
        return Vec::new();
    };
    pages.lock().map_or(Vec::new(), |pages| {
        let from = open.page_from(choice.data(), number);
        pages.candidates(region, number, from, cycle)
    })
}

/// The pages of the request, if its region is one on demand.
fn demanded(table: &Table, open: &Open, choice: &Choice) -> Option<(u64, u64)> {
    let tracked = table.tracked(choice.data())?;
    tracked.pages.as_ref()?;
    let region = tracked.held.region.as_ref()?;
    region.pages(choice.offset, open.lookup.len)
}

/// A page of the request may be one that can't be used.
fn may_fault(table: &Table, open: &Open, choice: &Choice, cycle: u64) -> bool {
    let write = writes(open.lookup.op);
    let Some((first, last)) = demanded(table, open, choice) else {
        return false;
    };
    let unusable = |number: u64| {
        let all = page(table, open, choice, number, cycle);
        all.iter().any(|entry| !usable(entry, write))
    };
    (first..=last).any(unusable)
}

/// Does this entry explain the segment? Gives the bytes of it.
fn explains(
    table: &Table,
    cycle: u64,
    open: &Open,
    choice: &Choice,
    segment: &Segment,
) -> Result<u32, Wrong> {
    let write = writes(open.lookup.op);
    match segment.status {
        SegStatus::Ok => {}
        SegStatus::Cut => {
            let cuts = |id| {
                table.tracked(id).is_some_and(|tracked| {
                    let mut endings = tracked.endings.iter();
                    endings.any(|ending| ending.mode != Mode::Drain) || tracked.dead.is_some()
                })
            };
            // walks through a window run to their end, unless its region ends
            return if cuts(choice.data()) {
                Ok(0)
            } else {
                let text = "no deregistration in mode cut or contract of its region is on its way";
                Err(("cut-without-cause", text.into()))
            };
        }
        SegStatus::PageFault if may_fault(table, open, choice, cycle) => return Ok(0),
        SegStatus::PageFault => {
            let text = "every page of the request is there";
            return Err(("fault-without-cause", text.into()));
        }
    }
    let demanded = demanded(table, open, choice);
    if let Some((first, last)) = demanded {
        // all pages are looked at before the first segment
        let usable = |number: &u64| {
            let all = page(table, open, choice, *number, cycle);
            all.iter().any(|entry| usable(entry, write))
        };
        let absent = (open.served == 0)
            .then(|| (first..=last).find(|number| !usable(number)))
            .flatten();
        if let Some(number) = absent {
            let text = format!("page {number} is absent, no bytes may be given");
            return Err(("fault-ignored", text));
        }
    }
    let Some(region) = table.region(choice.data()) else {
        return Err(("segment-bytes", "its region is gone".into()));
    };
    let left = open.lookup.len - open.served;
    let offset = choice.offset.wrapping_add(u64::from(open.served));
    let piece = region.piece(offset, left);
    if demanded.is_some() {
        let number = region.pages(offset, 1).map_or(0, |(number, _)| number);
        let all = page(table, open, choice, number, cycle);
        let right = |entry: &&Entry| {
            let at = region.piece_in(offset, left, entry.pa);
            usable(entry, write) && (at.pa, at.len) == (segment.pa, segment.len)
        };
        let Some(entry) = all.iter().find(right).copied() else {
            let text = format!("page {number} may have been {all:x?}");
            return Err(("segment-bytes", text));
        };
        if open.others.is_empty() {
            let from = open.page_from(choice.data(), number);
            table.with_pages(choice.data(), |pages| {
                pages.begun(number, entry, from, cycle)
            });
        }
    } else if (piece.pa, piece.len) != (segment.pa, segment.len) {
        let text = format!("must be pa {:#x} len {:#x}", piece.pa, piece.len);
        return Err(("segment-bytes", text));
    }
    if segment.last != (piece.len == left) {
        let text = format!("{} bytes are left", left - piece.len);
        return Err(("segment-last", text));
    }
    Ok(piece.len)
}
