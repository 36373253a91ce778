// SPDX-License-Identifier: MIT OR Apache-2.0
//! Versions of table entries and the moments at which they may have begun.

use crate::mix::Mix;
use crate::model::{Params, Region, View};
use crate::trace::Mode;
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::BuildHasherDefault;

/// Number of a region in [`Table::regions`].
pub type Id = usize;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    NeverUsed,
    Retired { lkey: u32, rkey: u32 },
    Valid(Id),
}

#[derive(Clone, Debug)]
pub struct Version {
    pub state: State,
    /// Not in force before this cycle.
    pub earliest: u64,
    /// In force (or over) from this cycle on; `u64::MAX` while its command runs.
    pub latest: u64,
    /// A lookup saw it and nothing else explains that lookup.
    pub seen: Option<String>,
}

/// A deregistration that is not answered yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    pub tag: u8,
    pub mode: Mode,
    pub since: u64,
}

/// A registered region and its end.
#[derive(Debug)]
pub struct Tracked {
    pub region: Region,
    pub index: u32,
    /// Deregistrations on their way.
    pub endings: Vec<Ending>,
    /// More than one deregistration was on its way at a time.
    pub shared: bool,
    /// Answered ok or overdue: cycle, and whether it was overdue.
    pub dead: Option<(u64, bool)>,
    /// A segment with status cut, in words.
    pub cut: Option<String>,
    /// Requests that refer to it.
    pub open: u32,
    /// When the last of them so far came to its end.
    pub let_go: u64,
    /// Some version refers to it.
    pub listed: bool,
}

#[derive(Debug)]
struct Index {
    versions: VecDeque<Version>,
    used: HashSet<u32>,
}

/// All entries.
#[derive(Debug, Default)]
pub struct Table {
    indices: HashMap<u32, Index, BuildHasherDefault<Mix>>,
    pub regions: Vec<Option<Tracked>>,
    free: Vec<Id>,
    /// Regions that are valid and not answered dead.
    pub live: u32,
    /// Overdue regions.
    pub quarantine: Vec<Id>,
}

const FRESH: Version = Version {
    state: State::NeverUsed,
    earliest: 0,
    latest: 0,
    seen: None,
};

impl Table {
    /// Versions that may have been in force at some moment from `from` to `to`, oldest first, with their position.
    #[inline]
    pub fn candidates(
        &self,
        index: u32,
        from: u64,
        to: u64,
    ) -> impl Iterator<Item = (usize, &Version)> {
        let versions = self.indices.get(&index).map(|entry| &entry.versions);
        let fresh = versions.is_none().then_some((0, &FRESH));
        let listed = versions.into_iter().flat_map(move |versions| {
            let next = move |at: usize| versions.get(at + 1).map_or(u64::MAX, |next| next.latest);
            let fits = move |(at, version): &(usize, &Version)| {
                version.earliest <= to && next(*at) >= from
            };
            versions.iter().enumerate().filter(fits)
        });
        fresh.into_iter().chain(listed)
    }

    /// The state as the model wants it.
    pub fn view(&self, state: State) -> View<'_> {
        match state {
            State::NeverUsed => View::NeverUsed,
            State::Retired { .. } => View::Retired,
            State::Valid(id) => self
                .tracked(id)
                .map_or(View::Retired, |tracked| View::Valid(&tracked.region)),
        }
    }

    pub fn tracked(&self, id: Id) -> Option<&Tracked> {
        self.regions.get(id)?.as_ref()
    }

    pub fn tracked_mut(&mut self, id: Id) -> Option<&mut Tracked> {
        self.regions.get_mut(id)?.as_mut()
    }

    /// The newest version.
    pub fn newest(&self, index: u32) -> &Version {
        self.indices
            .get(&index)
            .and_then(|entry| entry.versions.back())
            .unwrap_or(&FRESH)
    }

    pub fn newest_mut(&mut self, index: u32) -> Option<&mut Version> {
        self.indices.get_mut(&index)?.versions.back_mut()
    }

    /// The region whose deregistration may be running or whose version is the newest, if `key` is one of its keys.
    pub fn ending_region(&self, params: &Params, key: u32) -> Option<Id> {
        let entry = self.indices.get(&params.index(key))?;
        entry
            .versions
            .iter()
            .rev()
            .take(2)
            .find_map(|version| match version.state {
                State::Valid(id) => self
                    .tracked(id)
                    .filter(|tracked| {
                        tracked.dead.is_none()
                            && (tracked.region.lkey == key || tracked.region.rkey == key)
                    })
                    .map(|_| id),
                _ => None,
            })
    }

    /// Somebody saw version `at` (or a later one) by cycle `by`: it and all before it had begun by then.
    pub fn begun(&mut self, index: u32, at: usize, by: u64) {
        if let Some(entry) = self.indices.get_mut(&index) {
            for version in entry.versions.iter_mut().take(at + 1).rev() {
                if version.latest <= by {
                    break;
                }
                version.latest = by;
            }
        }
    }

    pub fn mark_seen(&mut self, index: u32, at: usize, words: impl FnOnce() -> String) {
        if let Some(version) = self
            .indices
            .get_mut(&index)
            .and_then(|entry| entry.versions.get_mut(at))
        {
            if version.seen.is_none() {
                version.seen = Some(words());
            }
        }
    }

    /// Was this value given before for this index?
    pub fn used(&self, index: u32, key: u32) -> bool {
        self.indices
            .get(&index)
            .is_some_and(|entry| entry.used.contains(&key))
    }

    /// A new newest version.
    pub fn push(&mut self, index: u32, version: Version) {
        let entry = self.indices.entry(index).or_insert_with(|| Index {
            versions: VecDeque::from([FRESH]),
            used: HashSet::new(),
        });
        entry.versions.push_back(version);
    }

    /// Takes the newest version back: its command was refused.
    pub fn pop(&mut self, index: u32) -> Option<Version> {
        self.indices.get_mut(&index)?.versions.pop_back()
    }

    /// A region that was answered ok.
    pub fn add(&mut self, index: u32, region: Region, earliest: u64, latest: u64) {
        let keys = [region.lkey, region.rkey];
        let tracked = Tracked {
            region,
            index,
            endings: Vec::new(),
            shared: false,
            dead: None,
            cut: None,
            open: 0,
            let_go: 0,
            listed: true,
        };
        let id = self.free.pop().unwrap_or(self.regions.len());
        if id == self.regions.len() {
            self.regions.push(None);
        }
        self.regions[id] = Some(tracked);
        self.push(
            index,
            Version {
                state: State::Valid(id),
                earliest,
                latest,
                seen: None,
            },
        );
        if let Some(entry) = self.indices.get_mut(&index) {
            entry.used.extend(keys);
        }
        self.live += 1;
    }

    /// Drops versions that were over before `oldest`, when the oldest open request began.
    pub fn prune(&mut self, index: u32, oldest: u64) {
        let mut over = Vec::new();
        if let Some(entry) = self.indices.get_mut(&index) {
            while entry
                .versions
                .get(1)
                .is_some_and(|next| next.latest < oldest)
            {
                over.extend(entry.versions.pop_front());
            }
        }
        for version in over {
            if let State::Valid(id) = version.state {
                if let Some(tracked) = self.tracked_mut(id) {
                    tracked.listed = false;
                }
                self.release(id);
            }
        }
    }

    /// Frees the number of a region nobody refers to.
    pub fn release(&mut self, id: Id) {
        let idle =
            |tracked: &Tracked| tracked.open == 0 && !tracked.listed && tracked.endings.is_empty();
        if self.tracked(id).is_some_and(idle) && !self.quarantine.contains(&id) {
            self.regions[id] = None;
            self.free.push(id);
        }
    }

    /// One more (or fewer) request refers to a region.
    pub fn hold(&mut self, id: Id) {
        if let Some(tracked) = self.tracked_mut(id) {
            tracked.open += 1;
        }
    }

    pub fn let_go(&mut self, cycle: u64, id: Id) {
        if let Some(tracked) = self.tracked_mut(id) {
            tracked.let_go = cycle;
            tracked.open -= 1;
            if tracked.open == 0 {
                self.quarantine.retain(|held| *held != id);
                self.release(id);
            }
        }
    }
}
