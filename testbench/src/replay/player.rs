// SPDX-License-Identifier: MIT OR Apache-2.0
//! The capture as traffic of the bench: commands and lookups in the order of its packets.

use super::commands::{Commands, Planned};
use super::explain::{listed, Decision};
use super::facts::Facts;
use super::keys::Keys;
use super::lookups::{Offer, Open};
use super::run::Trouble;
use super::tally::{Exception, Reason, Tally};
use crate::bench::{Ask, Params, Traffic};
use crate::capture::{Access, FlowKey, Kind, Part, Source};
use crate::model::Model;
use crate::trace::{Answer as Told, Body, Command, Lookup, Segment, Verdict};
use std::collections::{HashMap, VecDeque};

/// A replay under way.
pub(super) struct Player<'a> {
    pub(super) p: &'a Params,
    pub facts: &'a Facts,
    pub source: Source,
    pub(super) model: Model,
    pub(super) keys: Keys,
    commands: Commands,
    open: Open,
    pub(super) ready: VecDeque<Offer>,
    /// waits for the commands before it
    held: Option<Access>,
    next_event: usize,
    pub(super) decisions: HashMap<u64, Decision>,
    /// the request of a flow that may still go on
    current: HashMap<FlowKey, u64>,
    pub tally: Tally,
    pub trouble: Option<Trouble>,
    ended: bool,
    /// the bench comes back here when so many lookups have their verdict
    pub pause: u64,
    pub verdicts: u64,
    /// frame of the access looked at last
    pub frame: u64,
}

impl<'a> Player<'a> {
    /// At the beginning of a capture.
    pub fn new(p: &'a Params, facts: &'a Facts, source: Source) -> Player<'a> {
        Player {
            p,
            facts,
            source,
            model: Model::new(p.model()),
            keys: Keys::default(),
            commands: Commands::new(p),
            open: Open::default(),
            ready: VecDeque::new(),
            held: None,
            next_event: 0,
            decisions: HashMap::new(),
            current: HashMap::new(),
            tally: Tally::default(),
            trouble: None,
            ended: false,
            pause: u64::MAX,
            verdicts: 0,
            frame: 0,
        }
    }

    /// Everything was asked and answered.
    pub fn finished(&self) -> bool {
        let quiet = self.open.idle() && self.ready.is_empty() && self.commands.idle();
        self.trouble.is_some() || (self.ended && quiet)
    }

    /// The last requests are decided, and NAKs without request are listed.
    pub fn close(&mut self) {
        let mut left: Vec<u64> = self.decisions.keys().copied().collect();
        left.sort_unstable();
        for id in left {
            self.done_with(id);
        }
        for lone in std::mem::take(&mut self.source.lone) {
            self.tally.except(Exception {
                frame: lone.frame,
                op: "nak",
                request: format!("qp 0x{:x} psn {}", lone.qp, lone.psn),
                capture: format!("NAK 0x{:02x}", lone.syndrome),
                core: "not asked".into(),
                reason: Reason::NoRequest,
                why: "its request is not in the capture, or was cut".into(),
            });
        }
    }

    /// Fetches what comes next until there is something to offer.
    fn fill(&mut self) {
        while self.ready.is_empty() && self.commands.idle() && !self.ended && self.trouble.is_none()
        {
            let access = match self.held.take() {
                Some(access) => access,
                None => match self.source.next_access() {
                    Ok(Some(access)) => access,
                    Ok(None) => {
                        self.ended = true;
                        return;
                    }
                    Err(e) => {
                        self.trouble = Some(Trouble::Capture(e));
                        return;
                    }
                },
            };
            self.frame = access.frame;
            let host = self.host(&access);
            self.events(&access, host);
            if self.commands.queue.is_empty() {
                self.take(&access, host);
            } else {
                self.held = Some(access);
            }
        }
    }

    fn host(&self, access: &Access) -> usize {
        let m = &access.message;
        let known = self.facts.host(m.flow.dst, &self.source);
        known
            .or_else(|| self.facts.owner(m.rkey))
            .unwrap_or(usize::MAX)
    }

    /// Regions that begin or end before this access.
    fn events(&mut self, access: &Access, host: usize) {
        let now = if self.facts.by_frame {
            access.frame
        } else {
            access.nanos
        };
        while let Some(event) = self
            .facts
            .events
            .get(self.next_event)
            .filter(|e| e.at <= now)
        {
            self.next_event += 1;
            if event.begins {
                self.commands.begin(event.region, self.facts, &self.keys);
            } else {
                self.commands.end(event.region);
            }
        }
        // A NAK while the region may already be gone says that it is.
        let m = &access.message;
        let Some(region) = self.keys.holder(host, m.rkey) else {
            return;
        };
        let gone = self.facts.regions[region]
            .dies
            .is_some_and(|(early, _)| early <= now);
        if gone && m.answer.get().nak() == Some(0x62) && self.commands.living.contains(&region) {
            self.tally.ended_early += 1;
            self.commands.end(region);
        }
    }

    /// An access whose regions are as they were when it came.
    fn take(&mut self, access: &Access, host: usize) {
        let m = &access.message;
        let begins = !matches!(access.part, Part::Next { .. });
        if begins && !m.repeated {
            if let Some(former) = self.current.insert(m.flow, m.id) {
                self.shut(former);
            }
        }
        match m.kind {
            Kind::Send => self.send(access),
            Kind::Invalidate => self.invalidate(access, host),
            _ => self.access(access, host),
        }
    }

    /// A NAK of a SEND is about the receive buffer.
    fn send(&mut self, access: &Access) {
        let m = &access.message;
        if m.answer.get().nak().is_some() {
            let why = "a SEND names no memory by a key: its receive buffer was refused".into();
            self.tally
                .except(listed(m, "not asked".into(), Reason::NoKey, why));
        }
    }

    /// SEND with invalidate ends a type 2 window of its own queue pair; everything else keeps its region.
    fn invalidate(&mut self, access: &Access, host: usize) {
        self.send(access);
        let m = &access.message;
        let (key, how) = self.keys.resolve(host, m.rkey, self.p, &self.model);
        let live = how.region().filter(|r| self.commands.living.contains(r));
        if let Some(region) = live {
            let fact = &self.facts.regions[region];
            let own = fact.qpn.is_none_or(|q| q == m.flow.qp);
            let allowed = self.facts.by_frame || (fact.window == Some(2) && own);
            if allowed && m.answer.get().nak().is_none() {
                self.tally.invalidations[0] += 1;
                return self.commands.end(region);
            }
        } else if self.model.region(key).is_err() {
            // the core itself refuses the key, and counts when it has
            return self.commands.queue.push_back(Planned::Invalidate(key));
        }
        self.tally.invalidations[1] += 1;
    }
}

impl Traffic for Player<'_> {
    fn lookup(&mut self, _port: usize, _now: u64) -> Option<Ask> {
        if self.ready.is_empty() {
            self.fill();
        }
        let qpn = self.ready.front()?.lookup.qpn;
        if self.open.waits(qpn) {
            return None;
        }
        let offer = self.ready.pop_front()?;
        let ask = Ask::new(offer.lookup);
        self.open.give(offer);
        Some(ask)
    }

    fn offered(&mut self, lookup: &Lookup) {
        self.open.offered(lookup);
    }

    fn command(&mut self, _now: u64) -> Option<Body> {
        self.fill();
        // a command waits until the lookups before it have come to their end
        if !self.open.idle() || !self.ready.is_empty() {
            return None;
        }
        let body = self.commands.next(self.facts, &self.keys, self.p);
        if let Some(what) = self.commands.trouble.take() {
            self.trouble = Some(Trouble::Fit(what));
        }
        body
    }

    fn answer(&mut self, command: &Command, answer: &Told, _now: u64) {
        let around = (self.facts, &mut self.keys, &mut self.model, &mut self.tally);
        self.commands.answer(&command.body, answer, around);
        if let Some(what) = self.commands.trouble.take() {
            self.trouble = Some(Trouble::Fit(what));
        }
    }

    fn verdict(&mut self, verdict: &Verdict) {
        self.verdicts += 1;
        let Some((id, refused)) = self.open.verdict(verdict, &mut self.tally) else {
            return;
        };
        let Some(d) = self.decisions.get_mut(&id) else {
            return;
        };
        d.open -= 1;
        d.refused = d.refused.or(refused);
        if d.open == 0 && d.closed {
            self.done_with(id);
        }
    }

    fn segment(&mut self, segment: &Segment) {
        self.open.segment(segment, &mut self.tally);
    }

    fn done(&self) -> bool {
        self.verdicts >= self.pause || self.finished()
    }
}
