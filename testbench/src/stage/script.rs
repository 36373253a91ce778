// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a scene has asked for and was not offered yet.

use crate::bench::{Ask, Traffic};
use crate::trace::Body;
use std::collections::VecDeque;

/// Lookups and commands with the cycle from which on they are offered, in order.
pub struct Script {
    /// by port
    pub asks: Vec<VecDeque<(u64, Ask)>>,
    /// commands
    pub commands: VecDeque<(u64, Body)>,
}

impl Script {
    /// An empty one.
    pub fn new(ports: usize) -> Script {
        Script {
            asks: vec![VecDeque::new(); ports],
            commands: VecDeque::new(),
        }
    }
}

fn due<T>(queue: &mut VecDeque<(u64, T)>, now: u64) -> Option<T> {
    if queue.front().is_some_and(|(at, _)| *at <= now) {
        return queue.pop_front().map(|(_, item)| item);
    }
    None
}

impl Traffic for Script {
    fn lookup(&mut self, port: usize, now: u64) -> Option<Ask> {
        due(&mut self.asks[port], now)
    }

    fn command(&mut self, now: u64) -> Option<Body> {
        due(&mut self.commands, now)
    }

    fn done(&self) -> bool {
        self.commands.is_empty() && self.asks.iter().all(VecDeque::is_empty)
    }
}
