// SPDX-License-Identifier: MIT OR Apache-2.0
//! Deregistrations: when the old entry ends, and what must be over before the answer (source: docs/interface.md,
//! "Lookups with the key of a deregister", "busy").

use super::commands::{brief, Broken, Running};
use super::table::{Ending, Id, State, Version};
use super::{Checker, Fault};
use crate::trace::{Answer, Code, Mode};

impl Checker {
    pub(super) fn begin_end(&mut self, id: Id, ending: Ending) {
        let Some(tracked) = self.table.tracked_mut(id) else {
            return;
        };
        tracked.shared |= !tracked.endings.is_empty();
        tracked.endings.push(ending);
        let (index, lkey, rkey) = (tracked.index, tracked.region.lkey, tracked.region.rkey);
        if self.table.newest(index).state == State::Valid(id) {
            let state = State::Retired { lkey, rkey };
            self.table.push(
                index,
                Version {
                    state,
                    earliest: ending.since,
                    latest: u64::MAX,
                    seen: None,
                },
            );
        }
    }

    /// A deregistration of this index is not answered.
    pub(super) fn ending(&self, index: u32) -> bool {
        let mut regions = self
            .commands
            .running
            .values()
            .filter_map(|running| running.region);
        regions.any(|id| {
            self.table
                .tracked(id)
                .is_some_and(|tracked| tracked.index == index && tracked.dead.is_none())
        })
    }

    pub(super) fn ended(
        &mut self,
        cycle: u64,
        running: &Running,
        id: Id,
        mode: Mode,
        answer: &Answer,
    ) -> Broken {
        let quarantined = !self.table.quarantine.is_empty();
        let Some(tracked) = self.table.tracked_mut(id) else {
            return Ok(());
        };
        tracked
            .endings
            .retain(|ending| ending.tag != running.command.tag);
        let index = tracked.index;
        match answer.code {
            Code::Ok | Code::Overdue if tracked.dead.is_some() => {
                return Err((
                    "ended-twice",
                    "another deregistration of this region was answered ok".into(),
                ));
            }
            Code::Ok => {
                tracked.dead = Some((cycle, false));
                self.table.live -= 1;
                self.commands.drain.push((
                    cycle,
                    id,
                    mode,
                    format!("{answer:?} to {}", brief(&running.command)),
                ));
            }
            Code::Overdue => {
                let Some(limit) = self.options.drain_limit else {
                    return Err((
                        "overdue",
                        "no overdue answer is expected in this run".into(),
                    ));
                };
                // the answer may wait for the registration port while the last lease ends
                let held = tracked.open > 0 || tracked.let_go >= running.since + limit;
                if !held || cycle - running.since < limit {
                    let text = format!(
                        "leases held: {}, cycles {} of {limit}",
                        tracked.open,
                        cycle - running.since
                    );
                    return Err(("overdue", text));
                }
                tracked.dead = Some((cycle, true));
                self.stats.overdue += 1;
                self.table.live -= 1;
                self.table.quarantine.push(id);
            }
            Code::StaleKey if tracked.shared => {}
            Code::Busy if running.beside || quarantined => {}
            _ => {
                return Err((
                    "deregister-code",
                    "the region was valid and not under another deregistration".into(),
                ))
            }
        }
        let Some(tracked) = self.table.tracked_mut(id) else {
            return Ok(());
        };
        if tracked.dead.is_some() {
            if tracked.dead.map(|(end, _)| end) == Some(cycle) {
                if let Some(version) = self.table.newest_mut(index) {
                    version.latest = version.latest.min(cycle);
                }
            }
            self.table.release(id);
            return Ok(());
        }
        if !tracked.endings.is_empty() {
            return Ok(());
        }
        if let Some(cut) = tracked.cut.take() {
            return Err((
                "refused-but-cut",
                format!("nothing may change, yet a walk was cut: {cut}"),
            ));
        }
        let retired = self.table.pop(index);
        if let Some(seen) = retired.and_then(|version| version.seen) {
            return Err((
                "refused-but-retired",
                format!("nothing may change, yet the region was seen dead: {seen}"),
            ));
        }
        Ok(())
    }

    /// Once the cycle of an answer is over, all that must have ended before it is checked.
    pub(super) fn drained(&mut self) -> Result<(), Fault> {
        for (end, id, mode, words) in std::mem::take(&mut self.commands.drain) {
            let all = self
                .ports
                .iter()
                .flat_map(|port| &port.slots)
                .filter_map(|slot| slot.owner.as_ref());
            for open in all.filter(|open| open.region == Some(id)) {
                if open.last.is_none() {
                    let text = format!(
                        "{words}, but the walk of {:?} of cycle {} has not ended",
                        open.lookup, open.at
                    );
                    return Err(Fault::new("answer-before-walk", end, text));
                }
                if mode != Mode::Contract && open.done.is_none() {
                    let text = format!(
                        "{words}, but no dma_done was given for {:?} of cycle {}",
                        open.lookup, open.at
                    );
                    return Err(Fault::new("answer-before-done", end, text));
                }
            }
        }
        Ok(())
    }
}
