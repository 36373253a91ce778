// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of the capture and the keys the core has given for the same regions.

use super::facts::RegionFact;
use crate::bench::Params;
use crate::model::{Model, View};
use serde::Serialize;
use std::collections::HashMap;

/// How a key of the capture was understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// the key of a region, alive or not
    Exact(usize),
    /// the local key of a region
    Local(usize),
    /// index of a region, other last byte
    Variant(usize),
    /// no such index was ever named
    Unknown,
}

impl How {
    /// The region it names, if the whole key is that of one.
    pub fn region(self) -> Option<usize> {
        match self {
            How::Exact(r) => Some(r),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Given {
    lkey: u32,
    rkey: u32,
    live: bool,
}

/// The keys of a replay.
#[derive(Default)]
pub struct Keys {
    exact: HashMap<(usize, u32), usize>,
    local: HashMap<(usize, u32), usize>,
    index: HashMap<(usize, u32), (usize, u32)>,
    given: HashMap<usize, Given>,
}

impl Keys {
    /// The core has given keys to a region.
    pub fn born(&mut self, region: usize, fact: &RegionFact, lkey: u32, rkey: u32) {
        let given = Given {
            lkey,
            rkey,
            live: true,
        };
        self.given.insert(region, given);
        let host = fact.host;
        if fact.rkey != 0 {
            self.exact.insert((host, fact.rkey), region);
            self.index
                .insert((host, fact.rkey >> 8), (region, fact.rkey));
        }
        if fact.lkey != 0 && fact.lkey != fact.rkey {
            self.local.insert((host, fact.lkey), region);
            self.index
                .entry((host, fact.lkey >> 8))
                .or_insert((region, fact.lkey));
        }
    }

    /// A region has ended; its keys are remembered as dead ones.
    pub fn died(&mut self, region: usize) {
        if let Some(given) = self.given.get_mut(&region) {
            given.live = false;
        }
    }

    /// The remote key of a region that lives.
    pub fn live(&self, region: usize) -> Option<u32> {
        let given = self.given.get(&region)?;
        given.live.then_some(given.rkey)
    }

    /// The region that a key names exactly and that lives.
    pub fn holder(&self, host: usize, key: u32) -> Option<usize> {
        let region = *self.exact.get(&(host, key))?;
        self.live(region).map(|_| region)
    }

    /// The key to present to the core for a key of the capture.
    pub fn resolve(&self, host: usize, key: u32, p: &Params, model: &Model) -> (u32, How) {
        let given = |region: &usize| self.given.get(region);
        if let Some(region) = self.exact.get(&(host, key)) {
            if let Some(g) = given(region) {
                return (g.rkey, How::Exact(*region));
            }
        }
        if let Some(region) = self.local.get(&(host, key)) {
            if let Some(g) = given(region) {
                return (g.lkey, How::Local(*region));
            }
        }
        if let Some((region, was)) = self.index.get(&(host, key >> 8)) {
            if let Some(g) = given(region) {
                return (g.rkey ^ ((key ^ was) & 0xff), How::Variant(*region));
            }
        }
        (stranger(key, p, model), How::Unknown)
    }
}

/// A key whose index the core has never given; index 0 if there is none left.
fn stranger(key: u32, p: &Params, model: &Model) -> u32 {
    if key == 0 {
        return 0;
    }
    let mrs = p.mrs as u32;
    let from = mrs - 1 - (key >> 8) % (mrs / 4).max(1);
    let unused = |index: &u32| matches!(model.view(*index), View::NeverUsed);
    let index = (1..=from).rev().find(unused).unwrap_or(0);
    index << 8 | (key & 0xff)
}
