// SPDX-License-Identifier: MIT OR Apache-2.0
//! A lease that outlives the deregistration of its region: the core gives up waiting (overdue), and then the lease comes back.

use super::super::params::Params;
use super::super::traffic::Ask;
use super::population::{Population, Region};
use crate::trace::{Answer, Body, Code, Command, Mode};
use rand::Rng;

/// Cycles within which the walk has surely ended.
const WALK: u64 = 3_000;

#[derive(Clone, Copy, Debug)]
enum State {
    Rest,
    /// a lookup of the region was asked for in this cycle; its lease is kept
    Asked(Region, u64),
    Sent(Region),
}

/// Late leases of a run, one after the other.
pub struct Stray {
    state: State,
    /// numbers of lookups at which one begins
    begins: Vec<u64>,
}

impl Stray {
    /// None in a run that is short against the time limit. Each one costs an index for good.
    pub fn new(p: &Params, lookups: u64) -> Stray {
        let long = lookups < u64::MAX && lookups >= 100_000.max((1 << p.drain_bits) / 20);
        let count = if long {
            (lookups / 1_000_000).clamp(1, 3)
        } else {
            0
        };
        Stray {
            state: State::Rest,
            begins: (0..count)
                .rev()
                .map(|n| lookups / 100 + n * lookups / 4)
                .collect(),
        }
    }

    /// One is under way, or owed.
    pub fn pending(&self) -> bool {
        !matches!(self.state, State::Rest) || !self.begins.is_empty()
    }

    /// It is time for the next.
    pub fn wants(&self, asked: u64) -> bool {
        matches!(self.state, State::Rest) && self.begins.last().is_some_and(|at| asked >= *at)
    }

    /// A good lookup of a region that nobody else asks for any more.
    pub fn ask(&mut self, people: &mut Population, now: u64) -> Option<Ask> {
        if people.live.is_empty() {
            return None;
        }
        let at = people.any_of(usize::MAX);
        let region = people.live.swap_remove(at);
        let lookup = people.good(&region);
        self.begins.pop();
        self.state = State::Asked(region, now);
        Some(Ask {
            keep: true,
            ..Ask::new(lookup)
        })
    }

    /// The deregistration of that region.
    pub fn command(&mut self, people: &mut Population, now: u64) -> Option<Body> {
        let State::Asked(region, at) = self.state else {
            return None;
        };
        if now < at + WALK {
            return None;
        }
        self.state = State::Sent(region);
        let mode = [Mode::Cut, Mode::Drain][people.rng.gen_range(0..2)];
        Some(people.end(region, mode))
    }

    /// Overdue, or busy and to be tried again.
    pub fn answer(&mut self, people: &mut Population, command: &Command, answer: &Answer) {
        let (State::Sent(region), Body::Deregister { key, .. }) = (self.state, &command.body)
        else {
            return;
        };
        if *key != region.lkey && *key != region.rkey {
            return;
        }
        self.state = State::Rest;
        if answer.code == Code::Busy {
            if let Some(at) = people.live.iter().position(|r| r.lkey == region.lkey) {
                people.live.swap_remove(at);
                self.state = State::Asked(region, 0);
            }
        }
    }
}
