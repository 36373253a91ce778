// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands and their answers (source: docs/interface.md, "Registration port").

use super::table::{Ending, Id, State, Version};
use super::{Checker, Fault};
use crate::model::{key_faults, reasons, Region};
use crate::trace::{access, Answer, Body, Code, Command, FlushScope, Mode, RegState, Register};
use std::collections::HashMap;
use std::sync::Arc;

#[derive(Debug)]
struct Running {
    command: Command,
    since: u64,
    /// deregister: its region.
    region: Option<Id>,
    /// Another deregistration ran beside it.
    beside: bool,
    /// register: windows its PD may have had.
    windows: Vec<Option<(u64, u64)>>,
    /// register: the most regions that lived at a time since.
    peak: u32,
}

/// Commands on their way.
#[derive(Debug, Default)]
pub(super) struct Commands {
    running: HashMap<u8, Running>,
    windows: HashMap<u32, (u64, u64)>,
    /// Registrations on their way.
    pub registers: u32,
    /// Deregistrations on their way.
    pub endings: u32,
    /// Deregistrations answered in this cycle whose leases must be over by its end.
    drain: Vec<(u64, Id, Mode, String)>,
}

impl Checker {
    pub(super) fn command_in(&mut self, cycle: u64, command: &Command) -> Result<(), Fault> {
        if self.commands.running.contains_key(&command.tag) {
            let text = format!("stimulus: command tag {} is still in use", command.tag);
            return Err(Fault::new("command-tag", cycle, text));
        }
        let mut running = Running {
            command: command.clone(), since: cycle, region: None, beside: false, windows: Vec::new(),
            peak: self.table.live,
        };
        match &command.body {
            Body::Register(reg) => {
                let current = self.commands.windows.get(&reg.pd).copied();
                let coming = self.commands.running.values().filter_map(|other| match other.command.body {
                    Body::PdWindow { pd, base, words } if pd == reg.pd => Some(Some((base, words))),
                    _ => None,
                });
                running.windows = std::iter::once(current).chain(coming).collect();
                self.commands.registers += 1;
            }
            Body::PdWindow { pd, base, words } => {
                for other in self.commands.running.values_mut() {
                    if matches!(&other.command.body, Body::Register(reg) if reg.pd == *pd) {
                        other.windows.push(Some((*base, *words)));
                    }
                }
            }
            Body::Deregister { key, mode } => {
                running.beside = self.commands.endings > 0;
                self.commands.endings += 1;
                for other in self.commands.running.values_mut() {
                    other.beside = true;
                }
                running.region = self.table.ending_region(&self.params, *key);
                if let Some(id) = running.region {
                    self.begin_end(id, Ending { tag: command.tag, mode: *mode, since: cycle });
                }
            }
            _ => {}
        }
        self.commands.running.insert(command.tag, running);
        Ok(())
    }

    fn begin_end(&mut self, id: Id, ending: Ending) {
        let Some(tracked) = self.table.tracked_mut(id) else { return };
        tracked.shared |= !tracked.endings.is_empty();
        tracked.endings.push(ending);
        let (index, lkey, rkey) = (tracked.index, tracked.region.lkey, tracked.region.rkey);
        if self.table.newest(index).state == State::Valid(id) {
            let state = State::Retired { lkey, rkey };
            self.table.push(index, Version { state, earliest: ending.since, latest: u64::MAX, seen: None });
        }
    }

    pub(super) fn answer_out(&mut self, cycle: u64, answer: &Answer) -> Result<(), Fault> {
        let Some(running) = self.commands.running.remove(&answer.tag) else {
            return Err(Fault::new("answer-without-command", cycle, format!("{answer:?}: no such command")));
        };
        self.stats.answers += 1;
        let refuse = |rule, why: &str| {
            let text = format!("{answer:?} to {} of cycle {}: {why}", brief(&running.command), running.since);
            Err(Fault::new(rule, cycle, text))
        };
        match &running.command.body {
            Body::Register(reg) => {
                self.commands.registers -= 1;
                self.registered(cycle, &running, reg, answer).or_else(|(rule, why)| refuse(rule, &why))
            }
            Body::Deregister { key, mode } => {
                self.commands.endings -= 1;
                match running.region {
                    Some(id) => self.ended(cycle, &running, id, *mode, answer),
                    None => self.named(cycle, &running, *key, answer, false),
                }
                .or_else(|(rule, why)| refuse(rule, &why))
            }
            Body::Query { key } | Body::Flush { key, scope: FlushScope::Key } => {
                self.named(cycle, &running, *key, answer, true).or_else(|(rule, why)| refuse(rule, &why))
            }
            Body::Flush { .. } if answer.code != Code::Ok => refuse("answer-code", "must be ok"),
            Body::PdWindow { .. } if answer.code != Code::Ok => refuse("answer-code", "must be ok"),
            Body::Other { .. } if answer.code != Code::BadOp => refuse("answer-code", "must be bad_op"),
            Body::PdWindow { pd, base, words } => {
                self.commands.windows.insert(*pd, (*base, *words));
                Ok(())
            }
            Body::Flush { .. } | Body::Other { .. } => Ok(()),
        }
    }

    fn registered(&mut self, cycle: u64, running: &Running, reg: &Register, answer: &Answer) -> Broken {
        let code = answer.code;
        if code == Code::NoSpace {
            let taken = running.peak.max(self.table.live) + self.commands.registers + self.table.quarantine.len() as u32;
            if self.options.strict_space && taken + 1 < self.params.mrs {
                return Err(("no-space", format!("only {taken} of {} entries are taken", self.params.mrs - 1)));
            }
            return Ok(());
        }
        let all: Vec<_> = running.windows.iter().map(|window| reasons(&self.params, reg, *window)).collect();
        if !all.iter().any(|reasons| reasons.accepts(code)) {
            return Err(("register-code", format!("rules broken: {:?}", all.first().map(|reasons| &reasons.must))));
        }
        if code != Code::Ok {
            return Ok(());
        }
        let index = self.params.index(answer.lkey);
        let newest = self.table.newest(index);
        let live = matches!(newest.state, State::Valid(_)) || newest.latest == u64::MAX || self.ending(index);
        let faults = key_faults(&self.params, (answer.lkey, answer.rkey), |_| live, |key| self.table.used(index, key));
        if !faults.is_empty() {
            return Err(("key", faults.join("; ")));
        }
        let held = self.table.quarantine.iter().filter_map(|id| self.table.tracked(*id)).any(|held| held.index == index);
        if held {
            return Err(("quarantine", "the index is in quarantine: leases are held since an overdue answer".into()));
        }
        let region = Region::new(&self.params, Arc::new(reg.clone()), answer.lkey, answer.rkey);
        self.table.add(index, region, running.since, cycle);
        let live = self.table.live;
        for other in self.commands.running.values_mut() {
            other.peak = other.peak.max(live);
        }
        let lookups = self.ports.iter().flat_map(|port| &port.slots).filter_map(|slot| slot.owner.as_ref());
        let commands = self.commands.running.values().map(|running| running.since);
        let oldest = lookups.map(|open| open.at).chain(commands).min().unwrap_or(cycle);
        self.table.prune(index, oldest);
        Ok(())
    }

    /// A deregistration of this index is not answered.
    fn ending(&self, index: u32) -> bool {
        let mut regions = self.commands.running.values().filter_map(|running| running.region);
        regions.any(|id| self.table.tracked(id).is_some_and(|tracked| tracked.index == index && tracked.dead.is_none()))
    }

    fn ended(&mut self, cycle: u64, running: &Running, id: Id, mode: Mode, answer: &Answer) -> Broken {
        let quarantined = !self.table.quarantine.is_empty();
        let Some(tracked) = self.table.tracked_mut(id) else { return Ok(()) };
        tracked.endings.retain(|ending| ending.tag != running.command.tag);
        let index = tracked.index;
        match answer.code {
            Code::Ok | Code::Overdue if tracked.dead.is_some() => {
                return Err(("ended-twice", "another deregistration of this region was answered ok".into()));
            }
            Code::Ok => {
                tracked.dead = Some((cycle, false));
                self.table.live -= 1;
                self.commands.drain.push((cycle, id, mode, format!("{answer:?} to {}", brief(&running.command))));
            }
            Code::Overdue => {
                let Some(limit) = self.options.drain_limit else {
                    return Err(("overdue", "no overdue answer is expected in this run".into()));
                };
                let held = tracked.open > 0;
                if !held || cycle - running.since < limit {
                    let text = format!("leases held: {}, cycles {} of {limit}", tracked.open, cycle - running.since);
                    return Err(("overdue", text));
                }
                tracked.dead = Some((cycle, true));
                self.stats.overdue += 1;
                self.table.live -= 1;
                self.table.quarantine.push(id);
            }
            Code::StaleKey if tracked.shared => {}
            Code::Busy if running.beside || quarantined => {}
            _ => return Err(("deregister-code", "the region was valid and not under another deregistration".into())),
        }
        let Some(tracked) = self.table.tracked_mut(id) else { return Ok(()) };
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
            return Err(("refused-but-cut", format!("nothing may change, yet a walk was cut: {cut}")));
        }
        let retired = self.table.pop(index);
        if let Some(seen) = retired.and_then(|version| version.seen) {
            return Err(("refused-but-retired", format!("nothing may change, yet the region was seen dead: {seen}")));
        }
        Ok(())
    }

    /// A command that names a key and changes nothing (or was answered without a region of that key).
    fn named(&self, cycle: u64, running: &Running, key: u32, answer: &Answer, harmless: bool) -> Broken {
        let index = self.params.index(key);
        let query = matches!(running.command.body, Body::Query { .. });
        if !self.params.in_table(index) {
            return if answer.code == Code::BadKey { Ok(()) } else { Err(("answer-code", "must be bad_key".into())) };
        }
        let mut states = Vec::new();
        let mut dead = false;
        for (_, version) in self.table.candidates(index, running.since, cycle) {
            let right = match version.state {
                State::NeverUsed => answer.code == Code::BadKey,
                State::Retired { lkey, rkey } if query => {
                    let known = key == lkey || key == rkey;
                    (answer.code == Code::Ok && answer.state == RegState::Retired)
                        || (!known && answer.code == Code::StaleKey)
                }
                State::Retired { .. } => answer.code == Code::StaleKey,
                State::Valid(id) => self.table.tracked(id).is_some_and(|tracked| {
                    let region = &tracked.region;
                    match answer.code {
                        Code::Ok if !harmless || ![region.lkey, region.rkey].contains(&key) => false,
                        Code::Ok => !query || describes(region, answer),
                        Code::StaleKey => ![region.lkey, region.rkey].contains(&key),
                        _ => false,
                    }
                }),
            };
            if right {
                return Ok(());
            }
            dead |= !matches!(version.state, State::Valid(_));
            states.push(format!("{:?}", version.state));
        }
        if dead && self.commands.registers > 0 && matches!(answer.code, Code::BadKey | Code::StaleKey) {
            return Ok(());
        }
        Err(("answer-code", format!("index {index} may have been {}", states.join(", "))))
    }

    /// Once the cycle of an answer is over, all that must have ended before it is checked.
    pub(super) fn drained(&mut self, cycle: u64) -> Result<(), Fault> {
        for (end, id, mode, words) in std::mem::take(&mut self.commands.drain) {
            let all = self.ports.iter().flat_map(|port| &port.slots).filter_map(|slot| slot.owner.as_ref());
            for open in all.filter(|open| open.region == Some(id)) {
                if open.last.is_none() {
                    let text = format!("{words}, but the walk of {:?} of cycle {} has not ended", open.lookup, open.at);
                    return Err(Fault::new("answer-before-walk", end, text));
                }
                if mode != Mode::Contract && open.done.is_none() {
                    let text = format!("{words}, but no dma_done was given for {:?} of cycle {}", open.lookup, open.at);
                    return Err(Fault::new("answer-before-done", end, text));
                }
            }
        }
        let _ = cycle;
        Ok(())
    }

    pub(super) fn commands_finished(&self) -> Result<(), Fault> {
        match self.commands.running.values().min_by_key(|running| running.since) {
            None => Ok(()),
            Some(running) => {
                let text = format!("{} of cycle {} got no answer", brief(&running.command), running.since);
                Err(Fault::new("command-unanswered", self.now, text))
            }
        }
    }
}

type Broken = Result<(), (&'static str, String)>;

fn describes(region: &Region, answer: &Answer) -> bool {
    let spec = &region.spec;
    let zero_based = spec.access & access::ZERO_BASED != 0;
    let rights = 0x3ff & !access::HUGETLB;
    answer.state == RegState::Valid
        && answer.pd == spec.pd
        && (zero_based || answer.iova == spec.iova)
        && answer.length == spec.length
        && (answer.access ^ spec.access) & rights == 0
}

/// A command without its page list.
fn brief(command: &Command) -> String {
    match &command.body {
        Body::Register(reg) => format!(
            "register tag {} pd {} iova {:#x} length {:#x} access {:#x} {:?} base {:#x} pages {}",
            command.tag, reg.pd, reg.iova, reg.length, reg.access, reg.page, reg.base, reg.pages
        ),
        body => format!("tag {} {body:?}", command.tag),
    }
}
