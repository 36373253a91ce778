// SPDX-License-Identifier: MIT OR Apache-2.0
//! The table as a sequence of commands leaves it, one command at a time (source: docs/interface.md, "Registration
//! port"). Concurrency is the business of [`crate::history`].

use super::entry::merged;
use super::life::{charged_pd, key_of, region_of, window_pd};
use super::{
    judge, reasons, rules, Binding, Holding, Kind, Outcome, Params, Reasons, Region, Rules, Seen,
    View, WindowKind,
};
use crate::trace::{access, Answer, Body, Code, Entry, Lookup, RegState, Register};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

#[derive(Debug, Default)]
struct Slot {
    held: Option<Holding>,
    /// Windows bound to it.
    bound: u32,
    used: HashSet<u32>,
}

/// The table.
#[derive(Debug)]
pub struct Model {
    /// Widths.
    pub params: Params,
    slots: HashMap<u32, Slot>,
    windows: HashMap<u32, (u64, u64)>,
    seeded: bool,
    /// Quota and entries of each PD.
    accounts: HashMap<u32, (u64, u64)>,
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
            seeded: false,
            accounts: HashMap::new(),
        }
    }

    /// State of an index, as a lookup sees it.
    pub fn view(&self, index: u32) -> View<'_> {
        match self.seen(index) {
            Seen::NeverUsed => View::NeverUsed,
            Seen::Retired => View::Retired,
            Seen::Live(held) => {
                let parent = held
                    .binding
                    .and_then(|binding| self.mapping(binding.parent));
                held.view(parent)
            }
        }
    }

    /// State of an index, as a command sees it.
    pub fn seen(&self, index: u32) -> Seen<'_> {
        match self.slots.get(&index) {
            None => Seen::NeverUsed,
            Some(slot) => slot.held.as_ref().map_or(Seen::Retired, Seen::Live),
        }
    }

    fn mapping(&self, index: u32) -> Option<&Region> {
        self.slots.get(&index)?.held.as_ref()?.region.as_ref()
    }

    fn bound(&self, index: u32) -> u32 {
        self.slots.get(&index).map_or(0, |slot| slot.bound)
    }

    /// Was a key given before for its index that differs in the low byte only?
    pub fn knows_secret(&self, key: u32) -> bool {
        let slot = self.slots.get(&self.params.index(key));
        slot.is_some_and(|slot| slot.used.iter().any(|used| (used ^ key) >> 8 == 0))
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
        match self.seen(index) {
            _ if !self.params.in_table(index) => Err(Code::BadKey),
            Seen::NeverUsed => Err(Code::BadKey),
            Seen::Live(held) if held.has(key) => held.region.as_ref().ok_or(Code::StaleKey),
            _ => Err(Code::StaleKey),
        }
    }

    /// Reasons against a registration now.
    pub fn reasons(&self, reg: &Register) -> Reasons {
        reasons(&self.params, reg, self.windows.get(&reg.pd).copied())
    }

    /// Reasons against any command now.
    pub fn rules(&self, body: &Body) -> Rules {
        let why = match (self.params.offers(body), self.seeded) {
            (true, false) if self.params.secrets && Params::issues(body) => {
                Some((Code::Unseeded, "no secret yet"))
            }
            (true, true) if matches!(body, Body::SetSecret { .. }) => {
                Some((Code::BadState, "there is a secret"))
            }
            (true, _)
                if Params::issues(body) && charged_pd(body).is_some_and(|pd| self.spent(pd)) =>
            {
                Some((Code::Quota, "the PD has as many entries as it may"))
            }
            _ => None,
        };
        if let Some(why) = why {
            return Rules {
                ordered: vec![why],
                ..Rules::default()
            };
        }
        let index = key_of(body).map_or(0, |key| self.params.index(key));
        let entry = self.seen(index);
        let (parent, about) = match region_of(body) {
            Some(region) => {
                let parent = self.params.index(region);
                (self.seen(parent), parent)
            }
            None => (Seen::NeverUsed, index),
        };
        let window = window_pd(body, entry).and_then(|pd| self.windows.get(&pd).copied());
        let mut bound = self.bound(about);
        // A bind anew gives up its own place first.
        if let (Body::BindWindow(_), Seen::Live(held)) = (body, entry) {
            let again = held.binding.is_some_and(|binding| binding.parent == about);
            bound -= u32::from(again);
        }
        let spent = charged_pd(body).is_some_and(|pd| self.spent(pd));
        rules(&self.params, body, entry, parent, window, bound).meeting(body, entry, spent, spent)
    }

    /// Has the PD as many entries as it may?
    fn spent(&self, pd: u32) -> bool {
        let (quota, used) = self.accounts.get(&pd).copied().unwrap_or_default();
        self.params.limits && quota > 0 && used >= quota
    }

    fn charge(&mut self, pd: u32, by: i64) {
        let account = self.accounts.entry(pd).or_default();
        account.1 = account.1.wrapping_add_signed(by);
    }

    /// Takes over a registration that was answered ok. Gives the faults of its keys.
    pub fn learn(&mut self, reg: Arc<Register>, lkey: u32, rkey: u32) -> Vec<&'static str> {
        let region = Region::new(&self.params, reg, lkey, rkey);
        self.admit(Holding::mapped(Kind::Region, region))
    }

    /// Takes over an entry that was answered ok. Gives the faults of its keys.
    pub fn admit(&mut self, held: Holding) -> Vec<&'static str> {
        let (lkey, rkey) = (held.lkey, held.rkey);
        let index = self.params.index(if lkey == 0 { rkey } else { lkey });
        let slot = self.slots.get(&index);
        let faults = key_faults(
            &self.params,
            both(&held),
            |_| slot.is_some_and(|slot| slot.held.is_some()),
            |key| slot.is_some_and(|slot| slot.used.contains(&key)),
        );
        self.charge(held.pd, 1);
        let slot = self.slots.entry(index).or_default();
        slot.used.extend([lkey, rkey]);
        (slot.held, slot.bound) = (Some(held), 0);
        faults
    }

    /// Takes over an allocation of any kind that was answered ok with these keys; none for the other commands.
    pub fn allocated(&mut self, body: &Body, lkey: u32, rkey: u32) -> Option<Vec<&'static str>> {
        let held = match body {
            Body::Register(reg) => return Some(self.learn(Arc::new(reg.clone()), lkey, rkey)),
            other => fresh(other, lkey, rkey)?,
        };
        Some(self.admit(held))
    }

    /// Answer to any command but those that give a new entry.
    pub fn answer(&mut self, tag: u8, body: &Body) -> Answer {
        let code = self.rules(body).first();
        if let Body::Query { key } = body {
            return self.query(tag, *key, code);
        }
        if code != Code::Ok {
            return Answer::bare(tag, code);
        }
        let keys = match body {
            Body::PdWindow { pd, base, words } => {
                self.windows.insert(*pd, (*base, *words));
                None
            }
            Body::SetQuota { pd, entries } => {
                self.accounts.entry(*pd).or_default().0 = *entries;
                None
            }
            Body::SetSecret { .. } => {
                self.seeded = true;
                None
            }
            body => self.change(body),
        };
        let (lkey, rkey) = keys.unwrap_or_default();
        Answer {
            lkey,
            rkey,
            ..Answer::bare(tag, Code::Ok)
        }
    }

    /// The effect of a command nothing speaks against; gives the keys it answers.
    fn change(&mut self, body: &Body) -> Option<(u32, u32)> {
        let index = self.params.index(key_of(body)?);
        let params = self.params.clone();
        let slot = self.slots.get_mut(&index)?;
        match body {
            Body::Deregister { .. } => {
                let held = slot.held.take()?;
                self.charge(held.pd, -1);
            }
            Body::DeallocateWindow { .. } => {
                let held = slot.held.take()?;
                self.charge(held.pd, -1);
                self.unbind(&held);
            }
            Body::FastRegister { key, reg } => {
                let held = slot.held.as_mut()?;
                held.lkey = (held.lkey & !0xff) | (key & 0xff);
                held.rkey = (held.rkey & !0xff) | (key & 0xff);
                let (lkey, rkey) = (held.lkey, held.rkey);
                held.region = Some(Region::new(&params, Arc::new(reg.clone()), lkey, rkey));
                slot.used.extend([lkey, rkey]);
                return Some((lkey, rkey));
            }
            Body::Invalidate { .. } => {
                let held = slot.held.as_mut()?;
                held.region = None;
                let before = held.clone();
                held.binding = None;
                self.unbind(&before);
            }
            Body::Reregister { change, reg, .. } => {
                let held = slot.held.as_mut()?;
                let region = held.region.as_mut()?;
                region.spec = Arc::new(merged(&region.spec, *change, reg));
                let (old, new) = (held.pd, region.spec.pd);
                held.pd = new;
                self.charge(old, -1);
                self.charge(new, 1);
            }
            Body::BindWindow(bind) => {
                let held = slot.held.as_mut()?;
                let Kind::Window(kind) = held.kind else {
                    return None;
                };
                let before = held.clone();
                let parent = params.index(bind.region);
                let binding = Binding::new(held, kind, bind, parent);
                if bind.length > 0 {
                    held.rkey = binding.rkey;
                }
                held.binding = (bind.length > 0).then_some(binding);
                slot.used.insert(binding.rkey);
                self.unbind(&before);
                if bind.length > 0 {
                    self.slots.get_mut(&parent)?.bound += 1;
                }
            }
            Body::FillPage { number, entry, .. } => {
                slot.held
                    .as_mut()?
                    .region
                    .as_mut()?
                    .set_page(*number, *entry);
            }
            Body::EvictPage { number, .. } => {
                let region = slot.held.as_mut()?.region.as_mut()?;
                region.set_page(*number, Entry::ABSENT);
            }
            _ => {}
        }
        None
    }

    /// A window gives up its place at its region.
    fn unbind(&mut self, window: &Holding) {
        let parent = window.binding.map(|binding| binding.parent);
        if let Some(slot) = parent.and_then(|parent| self.slots.get_mut(&parent)) {
            slot.bound -= 1;
        }
    }

    fn query(&self, tag: u8, key: u32, code: Code) -> Answer {
        let bare = Answer::bare(tag, Code::Ok);
        match self.seen(self.params.index(key)) {
            Seen::Retired if code == Code::StaleKey => Answer {
                state: RegState::Retired,
                ..bare
            },
            Seen::Live(held) if held.has(key) => {
                let state = if held.valid() {
                    RegState::Valid
                } else {
                    RegState::Free
                };
                let (iova, length, access) = match (&held.region, &held.binding) {
                    (Some(region), _) => {
                        let spec = &region.spec;
                        (spec.iova, spec.length, spec.access)
                    }
                    (_, Some(binding)) => (binding.iova, binding.length, binding.access),
                    _ => (0, 0, 0),
                };
                Answer {
                    state,
                    pd: held.pd,
                    iova,
                    length,
                    access: access & access::KNOWN & 0x3ff,
                    ..bare
                }
            }
            _ => Answer::bare(tag, code),
        }
    }
}

/// The entry that an allocation without a mapping makes.
pub fn fresh(body: &Body, lkey: u32, rkey: u32) -> Option<Holding> {
    let (kind, pd) = match body {
        Body::Allocate { pd, pages } => (Kind::Fast { budget: *pages }, *pd),
        Body::AllocateWindow { pd, kind } => (Kind::Window(WindowKind::from_bits(*kind)?), *pd),
        Body::AllocateNull { pd } => (Kind::Null, *pd),
        _ => return None,
    };
    Some(Holding::new(kind, pd, lkey, rkey))
}

/// Both keys, to be judged as such: where an entry has one, another value that nothing speaks against stands for the one it has not.
pub fn both(held: &Holding) -> (u32, u32) {
    match held.kind {
        Kind::Window(_) if held.lkey == 0 => (held.rkey ^ 1, held.rkey),
        Kind::Null if held.rkey == 0 => (held.lkey, held.lkey ^ 1),
        _ => (held.lkey, held.rkey),
    }
}
