// SPDX-License-Identifier: MIT OR Apache-2.0
//! Segments: bytes, order, cuts and page faults (source: docs/interface.md, "Segments are one per page").

use super::table::{Id, State};
use super::{Checker, Fault};
use crate::model::{judge, Outcome};
use crate::trace::{Mode, SegStatus, Segment};

impl Checker {
    /// An old walk may not go on after the answer to the deregistration of its region.
    pub(super) fn still_alive(
        &self,
        cycle: u64,
        id: Id,
        what: impl FnOnce() -> String,
    ) -> Result<(), Fault> {
        match self.table.tracked(id).and_then(|tracked| tracked.dead) {
            Some((end, false)) if cycle > end => {
                let text = format!(
                    "{} after the deregistration was answered ok in cycle {end}",
                    what()
                );
                Err(Fault::new("walk-after-answer", cycle, text))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn adopt(&mut self, port: u16, tag: u16, id: Id, outcome: &Outcome) {
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
        if open.region.is_none() {
            let index = self.params.index(lookup.key);
            let found = self
                .table
                .candidates(index, at, cycle)
                .find_map(|(_, version)| {
                    match version.state {
                        State::Valid(id) => Some((
                            judge(&self.params, &lookup, self.table.view(version.state)),
                            id,
                        )),
                        _ => None,
                    }
                    .filter(|(outcome, _)| outcome.walks)
                });
            let Some((outcome, id)) = found else {
                return wrong(
                    "segment-without-grant",
                    format!("{lookup:?} of cycle {at} may not be granted"),
                );
            };
            self.adopt(port, tag, id, &outcome);
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
        let Some(open) = self.ports[usize::from(segment.port)].slots[usize::from(segment.tag)]
            .owner
            .as_mut()
        else {
            return Ok(());
        };
        let lookup = open.lookup;
        let wrong = |rule, text: String| {
            Err(Fault::new(
                rule,
                cycle,
                format!("{segment:?}: {text} ({lookup:?})"),
            ))
        };
        let Some(id) = open.region else { return Ok(()) };
        let Some(tracked) = self.table.regions.get_mut(id).and_then(Option::as_mut) else {
            return Ok(());
        };
        if segment.status != SegStatus::Ok && (!segment.last || segment.len != 0) {
            return wrong(
                "segment-form",
                "a segment that is not ok must be last and empty".into(),
            );
        }
        match segment.status {
            SegStatus::Ok => {
                if let Some(page) = open.fault {
                    return wrong(
                        "fault-ignored",
                        format!("page {page} is absent, no bytes may be given"),
                    );
                }
                let left = lookup.len - open.served;
                let piece = tracked
                    .region
                    .piece(open.offset.wrapping_add(u64::from(open.served)), left);
                if (piece.pa, piece.len) != (segment.pa, segment.len) {
                    return wrong(
                        "segment-bytes",
                        format!("must be pa {:#x} len {:#x}", piece.pa, piece.len),
                    );
                }
                open.served += piece.len;
                if segment.last != (piece.len == left) {
                    return wrong(
                        "segment-last",
                        format!("{} bytes are left", left - piece.len),
                    );
                }
                self.stats.segments += 1;
                self.stats.bytes += u64::from(piece.len);
            }
            SegStatus::Cut => {
                if !tracked
                    .endings
                    .iter()
                    .any(|ending| ending.mode != Mode::Drain)
                    && tracked.dead.is_none()
                {
                    let text =
                        "no deregistration in mode cut or contract of its region is on its way";
                    return wrong("cut-without-cause", text.into());
                }
                tracked.cut = Some(format!("{segment:?} in cycle {cycle}"));
                self.stats.cuts += 1;
            }
            SegStatus::PageFault if open.fault.is_none() => {
                return wrong(
                    "fault-without-cause",
                    "every page of the request is there".into(),
                );
            }
            SegStatus::PageFault => self.stats.faults += 1,
        }
        self.still_alive(cycle, id, || format!("{segment:?} of {lookup:?}"))
    }
}
