// SPDX-License-Identifier: MIT OR Apache-2.0
//! The table as a sequence of commands leaves it, one command at a time (source: docs/interface.md, "Registration
//! port"). Concurrency is the business of [`crate::history`].

use super::{judge, reasons, Outcome, Params, Reasons, Region, View};
use crate::trace::{access, Answer, Body, Code, FlushScope, Lookup, RegState, Register};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

#[derive(Debug, Default)]
struct Slot {
    region: Option<Region>,
    last: Option<Region>,
    used: HashSet<u32>,
}

/// The table.
#[derive(Debug)]
pub struct Model {
    /// Widths.
    pub params: Params,
    slots: HashMap<u32, Slot>,
    windows: HashMap<u32, (u64, u64)>,
}

/// Faults of the keys of a registration (design rules: never 0, one index, two values, in the table, never used before).
/// `used` tells whether a value was given before for that index; `live` whether the index is in use.
pub fn key_faults(
    params: &Params,
    (lkey, rkey): (u32, u32),
    live: impl Fn(u32) -> bool,
    used: impl Fn(u32) -> bool,
) -> Vec<&'static str> {
    let index = params.index(lkey);
    let rules = [
        (lkey == 0 || rkey == 0, "a key is 0"),
        (lkey == rkey, "lkey and rkey are equal"),
        (
            params.index(rkey) != index,
            "lkey and rkey name different entries",
        ),
        (!params.in_table(index), "the index is outside the table"),
        (live(index), "the index is still in use"),
        (used(lkey), "the lkey was given before for this index"),
        (used(rkey), "the rkey was given before for this index"),
    ];
    rules
        .iter()
        .filter(|(broken, _)| *broken)
        .map(|(_, why)| *why)
        .collect()
}

impl Model {
    /// An empty table.
    pub fn new(params: Params) -> Self {
        Self {
            params,
            slots: HashMap::new(),
            windows: HashMap::new(),
        }
    }

    /// State of an index.
    pub fn view(&self, index: u32) -> View<'_> {
        match self.slots.get(&index) {
            None => View::NeverUsed,
            Some(slot) => slot.region.as_ref().map_or(View::Retired, View::Valid),
        }
    }

    /// Verdict on a lookup now.
    pub fn lookup(&self, lookup: &Lookup) -> Outcome {
        judge(
            &self.params,
            lookup,
            self.view(self.params.index(lookup.key)),
        )
    }

    /// The valid region behind either key.
    pub fn region(&self, key: u32) -> Result<&Region, Code> {
        let index = self.params.index(key);
        match self.view(index) {
            _ if !self.params.in_table(index) => Err(Code::BadKey),
            View::NeverUsed => Err(Code::BadKey),
            View::Valid(region) if region.lkey == key || region.rkey == key => Ok(region),
            _ => Err(Code::StaleKey),
        }
    }

    /// Reasons against a registration now.
    pub fn reasons(&self, reg: &Register) -> Reasons {
        reasons(&self.params, reg, self.windows.get(&reg.pd).copied())
    }

    /// Takes over a registration that was answered ok. Gives the faults of its keys.
    pub fn learn(&mut self, reg: Arc<Register>, lkey: u32, rkey: u32) -> Vec<&'static str> {
        let index = self.params.index(lkey);
        let slot = self.slots.get(&index);
        let faults = key_faults(
            &self.params,
            (lkey, rkey),
            |_| slot.is_some_and(|slot| slot.region.is_some()),
            |key| slot.is_some_and(|slot| slot.used.contains(&key)),
        );
        let slot = self.slots.entry(index).or_default();
        slot.used.extend([lkey, rkey]);
        slot.region = Some(Region::new(&self.params, reg, lkey, rkey));
        faults
    }

    /// Answer to any command but register.
    pub fn answer(&mut self, tag: u8, body: &Body) -> Answer {
        let code = match body {
            Body::Register(_) | Body::Other { .. } => Code::BadOp,
            Body::Deregister { key, .. } => self.retire(*key),
            Body::Query { key } => return self.query(tag, *key),
            Body::Flush {
                key,
                scope: FlushScope::Key,
            } => self.region(*key).err().unwrap_or(Code::Ok),
            Body::Flush { .. } => Code::Ok,
            Body::PdWindow { pd, base, words } => {
                self.windows.insert(*pd, (*base, *words));
                Code::Ok
            }
        };
        Answer::bare(tag, code)
    }

    fn retire(&mut self, key: u32) -> Code {
        if let Err(code) = self.region(key) {
            return code;
        }
        if let Some(slot) = self.slots.get_mut(&self.params.index(key)) {
            slot.last = slot.region.take();
        }
        Code::Ok
    }

    fn query(&self, tag: u8, key: u32) -> Answer {
        match (self.region(key), self.view(self.params.index(key))) {
            (Ok(region), _) => Answer {
                state: RegState::Valid,
                pd: region.spec.pd,
                iova: region.spec.iova,
                length: region.spec.length,
                access: region.spec.access & access::KNOWN & 0x3ff,
                ..Answer::bare(tag, Code::Ok)
            },
            (Err(Code::StaleKey), View::Retired) => Answer {
                state: RegState::Retired,
                ..Answer::bare(tag, Code::Ok)
            },
            (Err(code), _) => Answer::bare(tag, code),
        }
    }
}
