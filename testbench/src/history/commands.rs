// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands and their answers (source: docs/interface.md, "Registration port").

use super::table::{Ending, Id, State};
use super::{Checker, Fault};
use crate::model::{key_faults, reasons, Region};
use crate::trace::{Answer, Body, Code, Command, FlushScope, Mode, Register};
use std::collections::HashMap;
use std::sync::Arc;

/// A command on its way.
#[derive(Debug)]
pub(super) struct Running {
    pub command: Command,
    pub since: u64,
    /// deregister: its region.
    pub region: Option<Id>,
    /// Another deregistration ran beside it.
    pub beside: bool,
    /// register: windows its PD may have had.
    windows: Vec<Option<(u64, u64)>>,
    /// register: the most regions that lived at a time since.
    peak: u32,
}

/// Commands on their way.
#[derive(Debug, Default)]
pub(super) struct Commands {
    pub running: HashMap<u8, Running>,
    windows: HashMap<u32, (u64, u64)>,
    /// Registrations on their way.
    pub registers: u32,
    /// Deregistrations on their way.
    pub endings: u32,
    /// Deregistrations answered in this cycle whose leases must be over by its end.
    pub drain: Vec<(u64, Id, Mode, String)>,
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
            region: None,
            beside: false,
            windows: Vec::new(),
            peak: self.table.live,
        };
        match &command.body {
            Body::Register(reg) => {
                let current = self.commands.windows.get(&reg.pd).copied();
                let coming =
                    self.commands
                        .running
                        .values()
                        .filter_map(|other| match other.command.body {
                            Body::PdWindow { pd, base, words } if pd == reg.pd => {
                                Some(Some((base, words)))
                            }
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
                    self.begin_end(
                        id,
                        Ending {
                            tag: command.tag,
                            mode: *mode,
                            since: cycle,
                        },
                    );
                }
            }
            _ => {}
        }
        self.commands.running.insert(command.tag, running);
        Ok(())
    }

    pub(super) fn answer_out(&mut self, cycle: u64, answer: &Answer) -> Result<(), Fault> {
        let Some(running) = self.commands.running.remove(&answer.tag) else {
            return Err(Fault::new(
                "answer-without-command",
                cycle,
                format!("{answer:?}: no such command"),
            ));
        };
        self.stats.answers += 1;
        let refuse = |rule, why: &str| {
            let text = format!(
                "{answer:?} to {} of cycle {}: {why}",
                brief(&running.command),
                running.since
            );
            Err(Fault::new(rule, cycle, text))
        };
        match &running.command.body {
            Body::Register(reg) => {
                self.commands.registers -= 1;
                self.registered(cycle, &running, reg, answer)
                    .or_else(|(rule, why)| refuse(rule, &why))
            }
            Body::Deregister { key, mode } => {
                self.commands.endings -= 1;
                match running.region {
                    Some(id) => self.ended(cycle, &running, id, *mode, answer),
                    // room among the parked commands is asked for before the key is looked at
                    None if answer.code == Code::Busy && running.beside => Ok(()),
                    None => self.named(cycle, &running, *key, answer, false),
                }
                .or_else(|(rule, why)| refuse(rule, &why))
            }
            Body::Query { key }
            | Body::Flush {
                key,
                scope: FlushScope::Key,
            } => self
                .named(cycle, &running, *key, answer, true)
                .or_else(|(rule, why)| refuse(rule, &why)),
            Body::Flush { .. } if answer.code != Code::Ok => refuse("answer-code", "must be ok"),
            Body::PdWindow { .. } if answer.code != Code::Ok => refuse("answer-code", "must be ok"),
            body if !self.params.offers(body) && answer.code != Code::BadOp => {
                refuse("answer-code", "must be bad_op")
            }
            Body::PdWindow { pd, base, words } => {
                self.commands.windows.insert(*pd, (*base, *words));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn registered(
        &mut self,
        cycle: u64,
        running: &Running,
        reg: &Register,
        answer: &Answer,
    ) -> Broken {
        let code = answer.code;
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
        let all: Vec<_> = running
            .windows
            .iter()
            .map(|window| reasons(&self.params, reg, *window))
            .collect();
        if !all.iter().any(|reasons| reasons.accepts(code)) {
            return Err((
                "register-code",
                format!(
                    "rules broken: {:?}",
                    all.first().map(|reasons| &reasons.must)
                ),
            ));
        }
        if code != Code::Ok {
            return Ok(());
        }
        let index = self.params.index(answer.lkey);
        let newest = self.table.newest(index);
        let live = matches!(newest.state, State::Valid(_))
            || newest.latest == u64::MAX
            || self.ending(index);
        let faults = key_faults(
            &self.params,
            (answer.lkey, answer.rkey),
            |_| live,
            |key| self.table.used(index, key),
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
        let region = Region::new(
            &self.params,
            Arc::new(reg.clone()),
            answer.lkey,
            answer.rkey,
        );
        self.table.add(index, region, running.since, cycle);
        let live = self.table.live;
        for other in self.commands.running.values_mut() {
            other.peak = other.peak.max(live);
        }
        let lookups = self
            .ports
            .iter()
            .flat_map(|port| &port.slots)
            .filter_map(|slot| slot.owner.as_ref());
        let commands = self.commands.running.values().map(|running| running.since);
        let oldest = lookups
            .map(|open| open.at)
            .chain(commands)
            .min()
            .unwrap_or(cycle);
        self.table.prune(index, oldest);
        Ok(())
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
