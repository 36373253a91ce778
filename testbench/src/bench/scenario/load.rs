// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lookups and commands in given shares; `misses`, `churn` and `mixed` are shares of it.

use super::super::params::Params;
use super::super::traffic::{Ask, Traffic};
use super::asks::Kind;
use super::population::{Population, Shape};
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
    /// regions that get `hot_share` of 100 lookups beside their even part
    pub hot: usize,
    /// see `hot`
    pub hot_share: u32,
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
    /// lookups wait until the regions are there
    pub fill_first: bool,
}

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
            0 => Body::Other {
                op: rng.gen_range(5..32),
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
        let full = self.people.live.len() + self.people.registering >= self.mix.regions;
        if n < a + b {
            // The number of regions is kept near its aim.
            let low = self.people.live.len() + self.people.registering < self.mix.regions * 9 / 10;
            if !full && (n < a || low) {
                return self.people.register(self.mix.spoilt);
            }
            if low {
                return None;
            }
            let mode = Mode::ALL[self.people.rng.gen_range(0..Mode::ALL.len())];
            return self.people.deregister(mode);
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

impl Traffic for Load {
    fn lookup(&mut self, _port: usize, _now: u64) -> Option<Ask> {
        if self.asked >= self.lookups || (self.mix.fill_first && !self.filled) {
            return None;
        }
        let kind = self.table[self.people.rng.gen_range(0..self.table.len())];
        let lookup = self.people.ask(kind, self.mix.hot, self.mix.hot_share)?;
        self.asked += 1;
        Some(Ask {
            reuse: kind == Kind::Reuse,
            ..Ask::new(lookup)
        })
    }

    fn command(&mut self, _now: u64) -> Option<Body> {
        if self.people.windows_set < self.people.windows.len() {
            return self.people.next_window();
        }
        if self.people.open >= self.mix.at_once || self.asked >= self.lookups {
            return None;
        }
        if !self.filled {
            self.filled =
                self.people.live.len() >= self.mix.regions * 9 / 10 || self.refused > 2_000;
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
    }

    fn verdict(&mut self, _verdict: &Verdict) {
        self.answered += 1;
    }

    fn done(&self) -> bool {
        self.answered >= self.lookups
    }
}
