// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lookups and commands in given shares; `misses`, `churn` and `mixed` are shares of it.

use super::super::params::Params;
use super::super::traffic::{Ask, Traffic};
use super::asks::{Kind, Taste};
use super::population::{Population, Shape};
use super::stray::Stray;
use crate::trace::{Answer, Body, Command, FlushScope, Mode, Verdict};
use rand::Rng;

/// Shares of a load.
#[derive(Clone, Debug)]
pub struct Mix {
    /// regions aimed at
    pub regions: usize,
    /// what they look like
    pub shape: Shape,
    /// kinds of lookups and their weights
    pub kinds: Vec<(Kind, u32)>,
    /// regions that are asked for more than others
    pub taste: Taste,
    /// stretches of commands in eight of which the newest regions end and begin again, so that a few indices go through many lives
    pub brief_ends: u64,
    /// commands for 1000 lookups, once the regions are there
    pub commands: u64,
    /// of 100 commands: registrations, deregistrations, queries, flushes; the rest is malformed
    pub share: [u32; 4],
    /// registrations with an error, of 100
    pub spoilt: u32,
    /// flushes: one key, epoch, walk served, walk held; weights of 100
    pub flush: [u32; 4],
    /// most commands at a time
    pub at_once: usize,
    /// a long run gives a lease back too late, and comes to its end with a full table
    pub long: bool,
    /// lookups wait until the regions are there
    pub fill_first: bool,
}

/// How full the table is to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// as the mix says
    Usual,
    /// being filled, lookups few
    Filling,
    /// no index is free; registrations go on
    Full,
}

/// Cycles between two lookups while regions are made, while commands lag, while the table is filled, and while only a late lease is waited for.
const FEW: [u64; 4] = [16, 40, 256, 10_000];
/// Commands of a stretch.
const STRETCH: u64 = 4_096;
/// Commands that may be owed before lookups are held back, and until they go on.
const LAG: [u64; 2] = [400, 50];

/// A running mix.
pub struct Load {
    /// the driver
    pub people: Population,
    mix: Mix,
    table: Vec<Kind>,
    lookups: u64,
    asked: u64,
    answered: u64,
    sent: u64,
    filled: bool,
    refused: u32,
    phase: Phase,
    stray: Stray,
    next: u64,
    lags: bool,
}

impl Load {
    /// A load of so many lookups.
    pub fn new(p: &Params, mix: Mix, lookups: u64, seed: u64) -> Load {
        let mut table = Vec::with_capacity(1024);
        let total: u32 = mix.kinds.iter().map(|k| k.1).sum();
        for (kind, weight) in &mix.kinds {
            let n = (1024 * weight / total.max(1)).max(1);
            table.extend(std::iter::repeat_n(*kind, n as usize));
        }
        let people = Population::new(p, mix.shape, seed);
        let stray = Stray::new(p, if mix.long { lookups } else { 0 });
        Load {
            people,
            table,
            mix,
            lookups,
            asked: 0,
            answered: 0,
            sent: 0,
            filled: false,
            refused: 0,
            phase: Phase::Usual,
            stray,
            next: 0,
            lags: false,
        }
    }

    /// Share of verdicts so far that were expected.
    pub fn answered(&self) -> u64 {
        self.answered
    }

    fn any_key(&mut self) -> u32 {
        let rng = &mut self.people.rng;
        let list = if rng.gen_range(0..4) == 0 {
            &self.people.retired
        } else {
            &self.people.live
        };
        match list.len() {
            0 => rng.gen(),
            n => {
                let r = list[rng.gen_range(0..n)];
                if rng.gen() {
                    r.lkey
                } else {
                    r.rkey
                }
            }
        }
    }

    fn other(&mut self) -> Body {
        let key = self.any_key();
        let rng = &mut self.people.rng;
        match rng.gen_range(0..4) {
            0 => match [5, 6, 7, 18, 23, 30, 31][rng.gen_range(0..7)] {
                // a second secret
                18 if self.people.p.secrets => Body::SetSecret { secret: key.into() },
                op => Body::Other { op },
            },
            1 => {
                let w = &self.people.windows[rng.gen_range(0..self.people.windows.len())];
                Body::PdWindow {
                    pd: w.pd,
                    base: w.base,
                    words: w.words,
                }
            }
            2 => Body::Deregister {
                key: key ^ 1 << rng.gen_range(0..32),
                mode: Mode::Cut,
            },
            _ => {
                let key = self.people.retired.first().map_or(0, |r| r.lkey);
                Body::Deregister {
                    key,
                    mode: Mode::Drain,
                }
            }
        }
    }

    fn draw(&mut self) -> Option<Body> {
        let n = self.people.rng.gen_range(0..100);
        let [a, b, c, d] = self.mix.share;
        let regions = if self.phase == Phase::Full {
            self.people.p.mrs as usize
        } else {
            self.mix.regions
        };
        let people = self.people.live.len() + self.people.registering;
        let full = people >= regions;
        if n < a + b {
            // The number of regions is kept near its aim.
            let low = people < regions * 9 / 10;
            let brief = self.sent / STRETCH % 8 < self.mix.brief_ends && self.phase != Phase::Full;
            if brief && self.people.live.len() > self.people.level {
                let mode = Mode::ALL[self.people.rng.gen_range(0..Mode::ALL.len())];
                return self.people.deregister(mode, self.mix.taste.brief);
            }
            if !full && (n < a || low || brief) {
                return self.people.register(self.mix.spoilt);
            }
            if low {
                return None;
            }
            let mode = Mode::ALL[self.people.rng.gen_range(0..Mode::ALL.len())];
            let ended = self.people.deregister(mode, usize::MAX);
            self.people.level = self.people.live.len();
            return ended;
        }
        if n < a + b + c {
            let key = self.any_key();
            return Some(self.people.sent(Body::Query { key }));
        }
        if n < a + b + c + d {
            let key = self.any_key();
            let at = self.people.rng.gen_range(0..100);
            let [k, e, s, _] = self.mix.flush;
            let scope = match at {
                _ if at < k => FlushScope::Key,
                _ if at < k + e => FlushScope::Epoch,
                _ if at < k + e + s => FlushScope::WalkServed,
                _ => FlushScope::WalkHeld,
            };
            return Some(self.people.sent(Body::Flush { key, scope }));
        }
        let body = self.other();
        // A deregistration of a key that happens to be alive must be known as one.
        if let Body::Deregister { key, .. } = body {
            let index = self.people.p.index(key);
            let same = |r: &super::population::Region| {
                self.people.p.index(r.lkey) == index && (r.lkey == key || r.rkey == key)
            };
            if self.people.live.iter().any(same) {
                return None;
            }
        }
        Some(self.people.sent(body))
    }
}

impl Load {
    /// A table of this size is worth filling in a run of this length.
    fn fills(&self) -> bool {
        let most = 100_000.max(8 * self.people.p.mrs);
        self.mix.long && self.lookups >= most && self.lookups < u64::MAX
    }

    /// Lookups are held back: the table is being filled, or nothing but a late lease is left to see.
    fn few(&self) -> Option<u64> {
        if !self.filled && self.mix.long {
            return Some(FEW[0]);
        }
        if self.phase == Phase::Filling {
            return Some(FEW[2]);
        }
        if self.lags {
            return Some(FEW[1]);
        }
        let last = self.asked + (self.lookups / 200).min(3_000) >= self.lookups;
        (last && self.stray.pending()).then_some(FEW[3])
    }

    fn phase(&mut self) {
        let late = self.asked + self.lookups / 20 >= self.lookups;
        self.phase = match self.phase {
            Phase::Usual if late && self.fills() => {
                self.refused = 0;
                Phase::Filling
            }
            Phase::Filling if self.refused > 0 => Phase::Full,
            same => same,
        };
    }
}

impl Traffic for Load {
    fn lookup(&mut self, _port: usize, now: u64) -> Option<Ask> {
        if self.asked >= self.lookups || (self.mix.fill_first && !self.filled) {
            return None;
        }
        if let Some(every) = self.few() {
            if now < self.next {
                return None;
            }
            self.next = now + every;
        }
        if self.filled && self.stray.wants(self.asked) {
            let ask = self.stray.ask(&mut self.people, now);
            self.asked += u64::from(ask.is_some());
            return ask;
        }
        let kind = self.table[self.people.rng.gen_range(0..self.table.len())];
        let lookup = self.people.ask(kind, self.mix.taste)?;
        self.asked += 1;
        Some(Ask {
            reuse: kind == Kind::Reuse,
            ..Ask::new(lookup)
        })
    }

    fn command(&mut self, now: u64) -> Option<Body> {
        if self.people.windows_set < self.people.windows.len() {
            return self.people.next_window();
        }
        if let Some(body) = self.stray.command(&mut self.people, now) {
            return Some(body);
        }
        if self.people.open >= self.mix.at_once || self.asked >= self.lookups {
            return None;
        }
        self.phase();
        let owed = (self.asked * self.mix.commands / 1000).saturating_sub(self.sent);
        self.lags = self.mix.long && owed > LAG[usize::from(self.lags)];
        if self.phase == Phase::Filling {
            return Some(self.people.small());
        }
        if !self.filled {
            self.filled =
                self.people.live.len() >= self.mix.regions * 9 / 10 || self.refused > 2_000;
            self.people.level = self.people.live.len();
            if self.people.live.len() + self.people.registering < self.mix.regions {
                return self.people.register(self.mix.spoilt / 4);
            }
            return None;
        }
        if self.sent * 1000 >= self.asked * self.mix.commands {
            return None;
        }
        let body = self.draw();
        self.sent += u64::from(body.is_some());
        body
    }

    fn answer(&mut self, command: &Command, answer: &Answer, _now: u64) {
        self.refused += u32::from(answer.code == crate::trace::Code::NoSpace);
        self.people.answer(command, answer);
        self.stray.answer(&mut self.people, command, answer);
    }

    fn verdict(&mut self, _verdict: &Verdict) {
        self.answered += 1;
    }

    fn done(&self) -> bool {
        self.answered >= self.lookups && !self.stray.pending()
    }
}
