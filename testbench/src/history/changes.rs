// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands that change an entry in use: from the transfer of the command on, the entry may be what it makes of it
//! (source: docs/interface.md, "The rest of the life of a key").

use super::commands::{brief, Broken, Drain, Running};
use super::limits::Spent;
use super::pages::Pages;
use super::table::{Ending, Id, State, Version};
use super::Checker;
use crate::model::entry::merged;
use crate::model::life::{key_of, region_of, MOST_WINDOWS};
use crate::model::{rules, Binding, Holding, Kind, Region, Rules, Seen};
use crate::trace::{change, Answer, Body, Code, Entry, Mode};
use std::sync::{Arc, Mutex};

/// What a command changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    serial: u64,
    index: u32,
    /// The entry as it was.
    pub old: Id,
    /// The entry as it will be, unless it is retired or only a page changes.
    new: Option<Id>,
    /// Accesses through the old one end so.
    ends: Option<Mode>,
    /// Only this page changes.
    page: Option<u64>,
}

/// What an entry becomes.
enum Next {
    Retired,
    Held(Holding, Option<Id>),
    Page(u64, Entry),
}

impl Checker {
    /// All rules a command may have met between its transfer and now, with the entry and the region of a bind they were found with.
    fn met(&self, cycle: u64, running: &Running) -> Vec<(Rules, State, State)> {
        let body = &running.command.body;
        let states = |index: u32| -> Vec<State> {
            let all = self.table.candidates(index, running.since, cycle);
            let mut states: Vec<_> = all.map(|(_, version)| version.state).collect();
            states.reverse();
            states
        };
        let entries = states(self.params.index(key_of(body).unwrap_or(0)));
        let region = region_of(body).map(|region| self.params.index(region));
        let parents = region.map_or(vec![State::NeverUsed], states);
        let mut windows = running.windows.clone();
        if windows.is_empty() {
            windows.push(None);
        }
        let mut all = Vec::new();
        for entry in &entries {
            for parent in &parents {
                let about = match body {
                    Body::BindWindow(_) => *parent,
                    _ => *entry,
                };
                for bound in self.bound(about, *entry, running.since) {
                    for window in &windows {
                        let rules = rules(
                            &self.params,
                            body,
                            self.table.seen(*entry),
                            self.table.seen(*parent),
                            *window,
                            bound,
                        );
                        let seen = self.table.seen(*entry);
                        let Spent { must, may } = running.spent;
                        let rules = rules.meeting(body, seen, must, may);
                        all.push((rules, *entry, *parent));
                    }
                }
            }
        }
        all
    }

    /// Windows that may have been bound to a region, the window `entry` not counted.
    fn bound(&self, about: State, entry: State, since: u64) -> Vec<u32> {
        let State::Live(id) = about else {
            return vec![0];
        };
        let Some(tracked) = self.table.tracked(id) else {
            return vec![0];
        };
        let own = match entry {
            State::Live(window) => u32::from(tracked.windows.contains(&window)),
            _ => 0,
        };
        let moves = |window: &Id| {
            let window = self.table.tracked(*window);
            window.is_some_and(|window| self.table.unsettled(window.index))
        };
        let moved = tracked.windows_moved >= since && tracked.windows_moved > 0;
        if moved || tracked.windows.iter().any(moves) {
            return vec![0, MOST_WINDOWS];
        }
        vec![tracked.windows.len() as u32 - own]
    }

    /// What the command changes if some state it may find lets it.
    pub(super) fn begin_change(&mut self, cycle: u64, running: &Running) -> Option<Change> {
        let met = self.met(cycle, running);
        let (_, entry, parent) = met
            .into_iter()
            .find(|(rules, _, _)| rules.accepts(Code::Ok))?;
        let State::Live(old) = entry else { return None };
        let (next, ends) = self.next(&running.command.body, old, parent)?;
        let index = self.table.tracked(old)?.index;
        let serial = self.commands.serial;
        let mut change = Change {
            serial,
            index,
            old,
            new: None,
            ends,
            page: None,
        };
        let state = match next {
            Next::Retired => {
                let held = &self.table.tracked(old)?.held;
                Some(State::Retired {
                    lkey: held.lkey,
                    rkey: held.rkey,
                })
            }
            Next::Held(held, parent) => {
                let id = self.table.track(index, held, parent);
                let pages = self.kept_pages(&running.command.body, old);
                if let Some(new) = self.table.tracked_mut(id).filter(|_| pages.is_some()) {
                    new.pages = pages;
                }
                self.table.windows_move(id, cycle);
                change.new = Some(id);
                Some(State::Live(id))
            }
            Next::Page(number, entry) => {
                let tracked = self.table.tracked(old)?;
                let region = tracked.held.region.as_ref()?;
                let pages = tracked.pages.as_ref()?;
                if let Ok(mut pages) = pages.lock() {
                    pages.push(region, number, entry, cycle, serial);
                }
                change.page = Some(number);
                None
            }
        };
        if let Some(state) = state {
            self.table.windows_move(old, cycle);
            self.table.push(
                index,
                Version {
                    state,
                    earliest: cycle,
                    latest: u64::MAX,
                    seen: None,
                    serial,
                },
            );
        }
        if let (Some(mode), Some(tracked)) = (ends, self.table.tracked_mut(old)) {
            let tag = running.command.tag;
            tracked.endings.push(Ending { tag, mode });
        }
        Some(change)
    }

    /// A region that keeps its translation keeps its pages.
    fn kept_pages(&self, body: &Body, old: Id) -> Option<Arc<Mutex<Pages>>> {
        match body {
            Body::Reregister { change, .. } if change & change::TRANSLATION == 0 => {
                self.table.tracked(old)?.pages.clone()
            }
            _ => None,
        }
    }

    /// What a command makes of an entry that lets it, and how accesses through the old one end.
    fn next(&self, body: &Body, old: Id, parent: State) -> Option<(Next, Option<Mode>)> {
        let held = self.table.tracked(old)?.held.clone();
        // walks through a window are not cut
        let window = |mode: &Mode| match mode {
            Mode::Cut => Mode::Drain,
            mode => *mode,
        };
        Some(match body {
            Body::Deregister { mode, .. } => (Next::Retired, Some(*mode)),
            Body::DeallocateWindow { mode, .. } => (Next::Retired, Some(window(mode))),
            Body::Invalidate { mode, .. } => {
                let mode = match held.kind {
                    Kind::Window(_) => window(mode),
                    _ => *mode,
                };
                let free = Holding {
                    region: None,
                    binding: None,
                    ..held
                };
                (Next::Held(free, None), Some(mode))
            }
            Body::FastRegister { key, reg } => {
                let [lkey, rkey] = [held.lkey, held.rkey].map(|old| (old & !0xff) | (key & 0xff));
                let region = Region::new(&self.params, Arc::new(reg.clone()), lkey, rkey);
                (Next::Held(Holding::mapped(held.kind, region), None), None)
            }
            Body::Reregister {
                change, reg, mode, ..
            } => {
                let spec = merged(&held.region.as_ref()?.spec, *change, reg);
                let (lkey, rkey) = (held.lkey, held.rkey);
                let region = Region::new(&self.params, Arc::new(spec), lkey, rkey);
                let next = Next::Held(Holding::mapped(held.kind, region), None);
                (next, Some(*mode))
            }
            Body::BindWindow(bind) => {
                let Kind::Window(kind) = held.kind else {
                    return None;
                };
                let ends = held.binding.is_some().then(|| window(&bind.mode));
                let at = self.params.index(bind.region);
                let binding = Binding::new(&held, kind, bind, at);
                let mut next = Holding {
                    binding: None,
                    ..held
                };
                let mut region = None;
                if bind.length > 0 {
                    next.binding = Some(binding);
                    next.rkey = binding.rkey;
                    if let State::Live(id) = parent {
                        region = Some(id);
                    }
                }
                (Next::Held(next, region), ends)
            }
            Body::FillPage { number, entry, .. } => (Next::Page(*number, *entry), None),
            Body::EvictPage { number, .. } => {
                (Next::Page(*number, Entry::ABSENT), Some(Mode::Drain))
            }
            _ => return None,
        })
    }

    /// The answer to a command that changes an entry.
    pub(super) fn changed(&mut self, cycle: u64, running: &mut Running, answer: &Answer) -> Broken {
        if let Some(change) = running.change {
            if let Some(tracked) = self.table.tracked_mut(change.old) {
                let tag = running.command.tag;
                tracked.endings.retain(|ending| ending.tag != tag);
            }
        }
        let result = match answer.code {
            Code::Ok => self.done(cycle, running, answer),
            Code::Overdue => self.overdue(cycle, running),
            code => self.refused(cycle, running, code),
        };
        if let Some(change) = running.change {
            self.table.release(change.old);
            let oldest = self.oldest(cycle);
            self.table.prune(change.index, oldest);
        }
        result
    }

    fn done(&mut self, cycle: u64, running: &Running, answer: &Answer) -> Broken {
        let Some(change) = running.change else {
            let index = self
                .params
                .index(key_of(&running.command.body).unwrap_or(0));
            if running.lost {
                let text = "another command has ended this entry and was answered ok";
                return Err(("ended-twice", text.into()));
            }
            if self.table.wild(index) {
                self.limits.loosen();
                return Ok(());
            }
            return Err(("answer-code", self.reasons(cycle, running)));
        };
        let expected = change.new.and_then(|id| self.table.tracked(id));
        if let Some(new) = expected.map(|tracked| &tracked.held) {
            let gives = matches!(running.command.body, Body::FastRegister { .. });
            if gives && (answer.lkey, answer.rkey) != (new.lkey, new.rkey) {
                let text = format!("keys must be {:#x} {:#x}", new.lkey, new.rkey);
                return Err(("key", text));
            }
        }
        let words = || format!("{answer:?} to {}", brief(&running.command));
        if let Some(number) = change.page {
            let oldest = self.oldest(cycle);
            self.table.with_pages(change.old, |pages| {
                pages.settle(number, change.serial, cycle, oldest);
            });
            if let Some(mode) = change.ends {
                self.commands.drain.push(Drain {
                    cycle,
                    id: change.old,
                    mode,
                    words: words(),
                    page: Some((number, change.serial)),
                });
            }
            return Ok(());
        }
        self.recount(change);
        self.table.settle(change.index, change.serial, cycle);
        if let Some(mode) = change.ends {
            self.commands.drain.push(Drain {
                cycle,
                id: change.old,
                mode,
                words: words(),
                page: None,
            });
        }
        self.over(cycle, change, false);
        Ok(())
    }

    /// The entry leaves the account of its PD, or goes to that of another.
    fn recount(&mut self, change: Change) {
        let pd = |id| self.table.tracked(id).map(|tracked| tracked.held.pd);
        let (old, new) = (pd(change.old), change.new.map(pd));
        if let Some(old) = old {
            self.limits.leave(old);
        }
        if let Some(Some(new)) = new {
            self.limits.enter(new);
        }
    }

    /// The old entry is no more.
    fn over(&mut self, cycle: u64, change: Change, overdue: bool) {
        if let Some(tracked) = self.table.tracked_mut(change.old) {
            tracked.dead = Some((cycle, overdue));
        }
        self.table.unbind(change.old, cycle);
        if let Some(new) = change.new {
            self.table.windows_move(new, cycle);
        } else {
            self.table.live -= 1;
        }
        // other commands that were to change it come too late
        let mut late = Vec::new();
        for other in self.commands.running.values_mut() {
            let same = |other: &Change| other.old == change.old && other.page.is_none();
            if other.change.as_ref().is_some_and(same) {
                late.extend(
                    other
                        .change
                        .take()
                        .map(|change| (change, other.command.tag)),
                );
                other.lost = true;
            }
        }
        for (change, tag) in late {
            self.table.remove(change.index, change.serial);
            if let Some(tracked) = self.table.tracked_mut(change.old) {
                tracked.endings.retain(|ending| ending.tag != tag);
            }
        }
    }

    fn overdue(&mut self, cycle: u64, running: &Running) -> Broken {
        let Some(limit) = self.options.drain_limit else {
            let text = "no overdue answer is expected in this run";
            return Err(("overdue", text.into()));
        };
        let Some((change, _)) = running
            .change
            .and_then(|change| Some((change, change.ends?)))
        else {
            let rule = if running.lost {
                "ended-twice"
            } else {
                "overdue"
            };
            return Err((rule, "nothing ends with this command".into()));
        };
        let Some(tracked) = self.table.tracked(change.old) else {
            return Ok(());
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
        self.stats.overdue += 1;
        if change.new.is_some() || change.page.is_some() {
            if change.page.is_none() {
                self.recount(change);
            }
            // what is left of an entry that goes on is not said
            self.table.set_wild(change.index);
            return Ok(());
        }
        self.table.settle(change.index, change.serial, cycle);
        self.over(cycle, change, true);
        self.table.quarantine.push(change.old);
        Ok(())
    }

    fn refused(&mut self, cycle: u64, running: &Running, code: Code) -> Broken {
        let quarantined = !self.table.quarantine.is_empty();
        let seen = self.take_back(cycle, running);
        let ending = matches!(running.command.body, Body::Deregister { .. });
        let parks = !matches!(
            running.command.body,
            Body::FastRegister { .. } | Body::FillPage { .. }
        );
        // room among the parked commands is asked for before the key is looked at
        let busy = code == Code::Busy && parks && (running.beside || quarantined);
        let met = self.met(cycle, running);
        let accepted = match met.as_slice() {
            [(rules, _, _)] => rules.accepts(code),
            all => all.iter().any(|(rules, _, _)| rules.mentions(code)),
        };
        let index = self
            .params
            .index(key_of(&running.command.body).unwrap_or(0));
        let between = matches!(code, Code::BadKey | Code::StaleKey | Code::BadState)
            && self.commands.registers > 0
            && met.iter().any(|(_, entry, _)| !self.table.valid(*entry));
        let rests = |index| self.resting(index, running.since);
        let region = region_of(&running.command.body).map(|region| self.params.index(region));
        let resting = code == Code::StaleKey && (rests(index) || region.is_some_and(rests));
        if !(busy || accepted || between || resting || self.table.wild(index)) {
            let rule = if ending && running.change.is_some() {
                "deregister-code"
            } else {
                "answer-code"
            };
            return Err((rule, self.reasons(cycle, running)));
        }
        seen
    }

    /// Nothing may have changed.
    fn take_back(&mut self, cycle: u64, running: &Running) -> Broken {
        let Some(change) = running.change else {
            return Ok(());
        };
        if let Some(number) = change.page {
            self.table.with_pages(change.old, |pages| {
                pages.remove(number, change.serial);
            });
        }
        self.table.windows_move(change.old, cycle);
        if let Some(new) = change.new {
            self.table.windows_move(new, cycle);
            // commands that go on from what did not come to be
            let from = |other: &Running| other.change.is_some_and(|other| other.old == new);
            if self.commands.running.values().any(from) {
                self.table.set_wild(change.index);
            }
            self.table.unbind(new, cycle);
        }
        let version = self.table.remove(change.index, change.serial);
        if let Some(tracked) = self.table.tracked_mut(change.old) {
            if tracked.endings.is_empty() && tracked.dead.is_none() {
                if let Some(cut) = tracked.cut.take() {
                    let text = format!("nothing may change, yet a walk was cut: {cut}");
                    return Err(("refused-but-cut", text));
                }
            }
        }
        if let Some(seen) = version.and_then(|version| version.seen) {
            let text = format!("nothing may change, yet the region was seen dead: {seen}");
            return Err(("refused-but-retired", text));
        }
        Ok(())
    }

    /// Why a command may have been refused, in words.
    fn reasons(&self, cycle: u64, running: &Running) -> String {
        let met = self.met(cycle, running);
        let words = met.iter().map(|(rules, entry, parent)| {
            let of = match self.table.seen(*entry) {
                Seen::Live(held) => format!("{:?} pd {} {:#x}", held.kind, held.pd, held.rkey),
                other => format!("{other:?}"),
            };
            let region = match parent {
                State::NeverUsed => String::new(),
                parent => format!(" and {parent:?}"),
            };
            format!(
                "{of}{region}: {:?} {:?} {:?}",
                rules.ordered, rules.tail.must, rules.may
            )
        });
        format!("it may have met {}", words.collect::<Vec<_>>().join(", "))
    }
}
