// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands and their answers (source: docs/interface.md, "Registration port").

use super::changes::Change;
use super::table::{Id, State};
use super::{Checker, Fault};
use crate::model::life::window_pd;
use crate::model::state::{both, fresh};
use crate::model::{key_faults, rules, Holding, Kind, Params, Region, Seen};
use crate::trace::{Answer, Body, Code, Command, FlushScope, Mode};
use std::collections::HashMap;
use std::sync::Arc;

/// A command on its way.
#[derive(Debug)]
pub(super) struct Running {
    pub command: Command,
    pub since: u64,
    /// What it changes if it is answered ok.
    pub change: Option<Change>,
    /// Another command has taken its entry away.
    pub lost: bool,
    /// Another command that may be parked ran beside it.
    pub beside: bool,
    /// PD whose MTT window it asks for.
    pub window_pd: Option<u32>,
    /// Windows that PD may have had.
    pub windows: Vec<Option<(u64, u64)>>,
    /// The most entries that lived at a time since.
    peak: u32,
    /// A secret had been accepted before.
    seeded: bool,
    /// The account of its PD.
    pub spent: super::limits::Spent,
}

/// An ending that was answered in this cycle: what must be over by its end.
#[derive(Debug)]
pub(super) struct Drain {
    pub cycle: u64,
    pub id: Id,
    pub mode: Mode,
    pub words: String,
    /// evict_page: number of the page and of the command.
    pub page: Option<(u64, u64)>,
}

/// Commands on their way.
#[derive(Debug, Default)]
pub(super) struct Commands {
    pub running: HashMap<u8, Running>,
    windows: HashMap<u32, (u64, u64)>,
    /// Allocations on their way.
    pub registers: u32,
    /// Commands on their way that change an entry in use.
    pub endings: u32,
    /// Answered in this cycle.
    pub drain: Vec<Drain>,
    /// Number of the last command.
    pub serial: u64,
    /// A secret came; one was accepted.
    secret: bool,
    seeded: bool,
    /// By index, when the last invalidation was answered.
    invalidated: HashMap<u32, u64>,
}

impl Checker {
    /// An invalidation of this entry was under way since `since`: meanwhile it is found retired.
    pub(super) fn resting(&self, index: u32, since: u64) -> bool {
        let commands = &self.commands;
        let names = |key: u32| self.params.index(key) == index;
        commands
            .invalidated
            .get(&index)
            .is_some_and(|at| *at >= since)
            || commands.running.values().any(
                |other| matches!(other.command.body, Body::Invalidate { key, .. } if names(key)),
            )
    }
}

/// Gives a new entry when it is answered ok.
fn allocates(body: &Body) -> bool {
    Params::issues(body)
}

/// Changes an entry that is in use.
fn changes(body: &Body) -> bool {
    matches!(
        body,
        Body::Deregister { .. }
            | Body::FastRegister { .. }
            | Body::Invalidate { .. }
            | Body::Reregister { .. }
            | Body::BindWindow(_)
            | Body::DeallocateWindow { .. }
            | Body::FillPage { .. }
            | Body::EvictPage { .. }
    )
}

impl Checker {
    pub(super) fn command_in(&mut self, cycle: u64, command: &Command) -> Result<(), Fault> {
        if self.commands.running.contains_key(&command.tag) {
            let text = format!("stimulus: command tag {} is still in use", command.tag);
            return Err(Fault::new("command-tag", cycle, text));
        }
        let mut running = Running {
            command: command.clone(),
            since: cycle,
            change: None,
            lost: false,
            beside: false,
            window_pd: None,
            windows: Vec::new(),
            peak: self.table.live,
            seeded: self.commands.seeded,
            spent: self.spent(&command.body),
        };
        self.commands.serial += 1;
        let body = &command.body;
        if !self.params.offers(body) {
            self.commands.running.insert(command.tag, running);
            return Ok(());
        }
        running.window_pd = self.window_pd(body);
        if let Some(pd) = running.window_pd {
            let current = self.commands.windows.get(&pd).copied();
            let all = self.commands.running.values();
            let coming = all.filter_map(|other| match other.command.body {
                Body::PdWindow {
                    pd: of,
                    base,
                    words,
                } if of == pd => Some(Some((base, words))),
                _ => None,
            });
            running.windows = std::iter::once(current).chain(coming).collect();
        }
        if allocates(body) {
            self.commands.registers += 1;
        }
        if let Body::PdWindow { pd, base, words } = body {
            for other in self.commands.running.values_mut() {
                if other.window_pd == Some(*pd) {
                    other.windows.push(Some((*base, *words)));
                }
            }
        }
        self.commands.secret |= matches!(body, Body::SetSecret { .. });
        if changes(body) {
            running.beside = self.commands.endings > 0;
            self.commands.endings += 1;
            for other in self.commands.running.values_mut() {
                other.beside = true;
            }
            running.change = self.begin_change(cycle, &running);
        }
        self.commands.running.insert(command.tag, running);
        Ok(())
    }

    /// The PD whose MTT window a command asks for, as its entry is now.
    fn window_pd(&self, body: &Body) -> Option<u32> {
        let key = crate::model::life::key_of(body).unwrap_or(0);
        let newest = self.table.newest(self.params.index(key)).state;
        let entry = match (body, newest) {
            (Body::Reregister { .. }, state) => self.table.seen(state),
            _ => Seen::NeverUsed,
        };
        window_pd(body, entry)
    }

    pub(super) fn answer_out(&mut self, cycle: u64, answer: &Answer) -> Result<(), Fault> {
        let Some(mut running) = self.commands.running.remove(&answer.tag) else {
            return Err(Fault::new(
                "answer-without-command",
                cycle,
                format!("{answer:?}: no such command"),
            ));
        };
        self.stats.answers += 1;
        let body = running.command.body.clone();
        if let Body::Invalidate { key, .. } = body {
            let index = self.params.index(key);
            self.commands.invalidated.insert(index, cycle);
        }
        let result = if !self.params.offers(&body) {
            match answer.code {
                Code::BadOp => Ok(()),
                _ => Err(("answer-code", "must be bad_op".to_string())),
            }
        } else if allocates(&body) {
            self.commands.registers -= 1;
            self.registered(cycle, &running, answer)
        } else if changes(&body) {
            self.commands.endings -= 1;
            self.changed(cycle, &mut running, answer)
        } else {
            match &body {
                Body::Query { key }
                | Body::Flush {
                    key,
                    scope: FlushScope::Key,
                } => self.named(cycle, &running, *key, answer),
                Body::SetSecret { .. } => self.secret_set(answer.code),
                Body::SetQuota { pd, entries } => {
                    let nobody = Seen::NeverUsed;
                    let code = rules(&self.params, &body, nobody, nobody, None, 0).first();
                    if code == Code::Ok {
                        self.limits.set_quota(*pd, *entries);
                    }
                    let text = format!("must be {code:?}");
                    (answer.code == code)
                        .then_some(())
                        .ok_or(("answer-code", text))
                }
                _ if answer.code != Code::Ok => Err(("answer-code", "must be ok".to_string())),
                Body::PdWindow { pd, base, words } => {
                    self.commands.windows.insert(*pd, (*base, *words));
                    Ok(())
                }
                _ => Ok(()),
            }
        };
        result.map_err(|(rule, why)| {
            let text = format!(
                "{answer:?} to {} of cycle {}: {why}",
                brief(&running.command),
                running.since
            );
            Fault::new(rule, cycle, text)
        })
    }

    /// One secret is accepted, once.
    fn secret_set(&mut self, code: Code) -> Broken {
        let mut all = self.commands.running.values();
        let beside = all.any(|other| matches!(other.command.body, Body::SetSecret { .. }));
        let good = match code {
            Code::Ok => !self.commands.seeded,
            Code::BadState => self.commands.seeded || beside,
            _ => false,
        };
        self.commands.seeded |= code == Code::Ok;
        let text = "the first secret must be accepted, every other be bad_state";
        good.then_some(()).ok_or(("secret", text.into()))
    }

    fn registered(&mut self, cycle: u64, running: &Running, answer: &Answer) -> Broken {
        let body = &running.command.body;
        let code = answer.code;
        if self.params.secrets {
            match (code, running.seeded, self.commands.secret) {
                (Code::Unseeded, false, _) => return Ok(()),
                (Code::Unseeded, true, _) => {
                    return Err(("unseeded", "a secret had been accepted before".into()))
                }
                (_, _, false) => {
                    return Err(("unseeded", "must be unseeded: no secret came yet".into()))
                }
                _ => {}
            }
        }
        if let Some(said) = self.within_quota(running, code) {
            return said;
        }
        if code == Code::NoSpace {
            let taken = running.peak.max(self.table.live)
                + self.commands.registers
                // an index whose drain was overdue stays in quarantine for good
                + self.stats.overdue as u32;
            if self.options.strict_space && taken + 1 < self.params.mrs {
                return Err((
                    "no-space",
                    format!("only {taken} of {} entries are taken", self.params.mrs - 1),
                ));
            }
            return Ok(());
        }
        let nobody = Seen::NeverUsed;
        let windows = running.windows.iter().copied();
        let none = running.windows.is_empty().then_some(None);
        let all: Vec<_> = windows
            .chain(none)
            .map(|window| rules(&self.params, body, nobody, nobody, window, 0))
            .collect();
        if !all.iter().any(|rules| rules.accepts(code)) {
            return Err(("register-code", format!("rules broken: {:?}", all.first())));
        }
        if code != Code::Ok {
            return Ok(());
        }
        let (lkey, rkey) = (answer.lkey, answer.rkey);
        let new = match body {
            Body::Register(reg) => {
                let region = Region::new(&self.params, Arc::new(reg.clone()), lkey, rkey);
                Some(Holding::mapped(Kind::Region, region))
            }
            other => fresh(other, lkey, rkey),
        };
        let Some(new) = new else { return Ok(()) };
        let (one, low) = match new.kind {
            Kind::Fast { .. } => (true, (lkey | rkey) & 0xff),
            Kind::Window(_) => (lkey == 0, rkey & 0xff),
            Kind::Null => (rkey == 0, 0),
            Kind::Region => (true, 0),
        };
        if !one || low != 0 {
            let text = "a window has no lkey, a null region no rkey, and a low byte that is the consumer's begins at 0";
            return Err(("key", text.into()));
        }
        let keys = both(&new);
        let index = self.params.index(keys.0);
        let newest = self.table.newest(index);
        let live = matches!(newest.state, State::Live(_))
            || newest.latest == u64::MAX
            || self.table.unsettled(index);
        let faults = key_faults(
            &self.params,
            keys,
            |_| live,
            |key| [lkey, rkey].contains(&key) && self.table.used(index, key),
        );
        if !faults.is_empty() {
            return Err(("key", faults.join("; ")));
        }
        let held = self
            .table
            .quarantine
            .iter()
            .filter_map(|id| self.table.tracked(*id))
            .any(|held| held.index == index);
        if held {
            return Err((
                "quarantine",
                "the index is in quarantine: leases are held since an overdue answer".into(),
            ));
        }
        self.limits.enter(new.pd);
        self.table.add(index, new, running.since, cycle);
        let live = self.table.live;
        for other in self.commands.running.values_mut() {
            other.peak = other.peak.max(live);
        }
        let oldest = self.oldest(cycle);
        self.table.prune(index, oldest);
        Ok(())
    }

    /// When the oldest request or command that is open began.
    pub(super) fn oldest(&self, now: u64) -> u64 {
        let slots = self.ports.iter().flat_map(|port| &port.slots);
        let lookups = slots.filter_map(|slot| slot.owner.as_ref());
        let commands = self.commands.running.values().map(|running| running.since);
        let all = lookups.map(|open| open.at).chain(commands);
        all.min().unwrap_or(now)
    }

    pub(super) fn commands_finished(&self) -> Result<(), Fault> {
        match self
            .commands
            .running
            .values()
            .min_by_key(|running| running.since)
        {
            None => Ok(()),
            Some(running) => {
                let text = format!(
                    "{} of cycle {} got no answer",
                    brief(&running.command),
                    running.since
                );
                Err(Fault::new("command-unanswered", self.now, text))
            }
        }
    }
}

/// A rule that is broken, and why.
pub(super) type Broken = Result<(), (&'static str, String)>;

/// A command without its page list.
pub(super) fn brief(command: &Command) -> String {
    match &command.body {
        Body::Register(reg) => format!(
            "register tag {} pd {} iova {:#x} length {:#x} access {:#x} {:?} base {:#x} pages {}",
            command.tag, reg.pd, reg.iova, reg.length, reg.access, reg.page, reg.base, reg.pages
        ),
        body => format!("tag {} {body:?}", command.tag),
    }
}
