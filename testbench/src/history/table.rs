// SPDX-License-Identifier: MIT OR Apache-2.0
//! Versions of table entries and the moments at which they may have begun.

use super::pages::Pages;
use crate::mix::Mix;
use crate::model::{Holding, Region, Seen, View};
use crate::trace::Mode;
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::BuildHasherDefault;
use std::sync::{Arc, Mutex};

/// Number of an entry in [`Table::regions`].
pub type Id = usize;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    NeverUsed,
    Retired {
        lkey: u32,
        rkey: u32,
    },
    /// In use: a region, a window, valid or not.
    Live(Id),
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
    /// Number of its command while that runs, else 0.
    pub serial: u64,
}

/// A command that ends accesses and is not answered yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    pub tag: u8,
    pub mode: Mode,
}

/// An entry in use, between two commands that change it, and its end.
#[derive(Debug)]
pub struct Tracked {
    pub held: Holding,
    pub index: u32,
    /// A bound window's region.
    pub parent: Option<Id>,
    /// The pages of an on-demand region.
    pub pages: Option<Arc<Mutex<Pages>>>,
    /// Windows that are, or may be, bound to it.
    pub windows: HashSet<Id>,
    /// When that changed last, or may have.
    pub windows_moved: u64,
    /// Windows kept in memory that name it as parent.
    refs: u32,
    /// Commands on their way that end its accesses.
    pub endings: Vec<Ending>,
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
    /// Its state is open: what a command that was answered overdue has left.
    wild: bool,
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
    serial: 0,
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

    /// The state as a lookup sees it.
    pub fn view(&self, state: State) -> View<'_> {
        match state {
            State::NeverUsed => View::NeverUsed,
            State::Retired { .. } => View::Retired,
            State::Live(id) => self.tracked(id).map_or(View::Retired, |tracked| {
                tracked
                    .held
                    .view(tracked.parent.and_then(|id| self.region(id)))
            }),
        }
    }

    /// The state as a command sees it.
    pub fn seen(&self, state: State) -> Seen<'_> {
        match state {
            State::NeverUsed => Seen::NeverUsed,
            State::Retired { .. } => Seen::Retired,
            State::Live(id) => self
                .tracked(id)
                .map_or(Seen::Retired, |tracked| Seen::Live(&tracked.held)),
        }
    }

    /// Accesses may be granted in this state.
    pub fn valid(&self, state: State) -> bool {
        matches!(self.seen(state), Seen::Live(held) if held.valid())
    }

    /// The mapping of a region.
    pub fn region(&self, id: Id) -> Option<&Region> {
        self.tracked(id)?.held.region.as_ref()
    }

    pub fn tracked(&self, id: Id) -> Option<&Tracked> {
        self.regions.get(id)?.as_ref()
    }

    /// Changes the pages of an on-demand region.
    pub fn with_pages(&self, id: Id, change: impl FnOnce(&mut Pages)) {
        let pages = self.tracked(id).and_then(|tracked| tracked.pages.clone());
        if let Some(pages) = pages {
            if let Ok(mut pages) = pages.lock() {
                change(&mut pages);
            }
        }
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

    fn entry(&mut self, index: u32) -> &mut Index {
        self.indices.entry(index).or_insert_with(|| Index {
            versions: VecDeque::from([FRESH]),
            used: HashSet::new(),
            wild: false,
        })
    }

    /// A new newest version.
    pub fn push(&mut self, index: u32, version: Version) {
        self.entry(index).versions.push_back(version);
    }

    /// Nothing is known of the index any more.
    pub fn set_wild(&mut self, index: u32) {
        self.entry(index).wild = true;
    }

    pub fn wild(&self, index: u32) -> bool {
        self.indices.get(&index).is_some_and(|entry| entry.wild)
    }

    /// Takes a version back: its command was refused, or can have no effect any more.
    pub fn remove(&mut self, index: u32, serial: u64) -> Option<Version> {
        let versions = &mut self.indices.get_mut(&index)?.versions;
        let at = versions
            .iter()
            .position(|version| version.serial == serial)?;
        let version = versions.remove(at)?;
        if let State::Live(id) = version.state {
            self.unlist(id);
        }
        Some(version)
    }

    /// The command of a version was answered.
    pub fn settle(&mut self, index: u32, serial: u64, cycle: u64) {
        let versions = self
            .indices
            .get_mut(&index)
            .map(|entry| &mut entry.versions);
        let mut all = versions.into_iter().flatten();
        if let Some(version) = all.find(|version| version.serial == serial) {
            version.latest = version.latest.min(cycle);
            version.serial = 0;
        }
    }

    /// Is a command that changes this index not answered?
    pub fn unsettled(&self, index: u32) -> bool {
        let entry = self.indices.get(&index);
        entry.is_some_and(|entry| entry.versions.iter().any(|version| version.serial != 0))
    }

    /// A new entry; a version must refer to it.
    pub fn track(&mut self, index: u32, held: Holding, parent: Option<Id>) -> Id {
        let pages = held.region.as_ref().and_then(Pages::of);
        let tracked = Tracked {
            held,
            index,
            parent,
            pages,
            windows: HashSet::new(),
            windows_moved: 0,
            refs: 0,
            endings: Vec::new(),
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
        if let Some(region) = parent.and_then(|parent| self.tracked_mut(parent)) {
            region.refs += 1;
            region.windows.insert(id);
        }
        id
    }

    /// A window is bound no more.
    pub fn unbind(&mut self, id: Id, cycle: u64) {
        let parent = self.tracked(id).and_then(|tracked| tracked.parent);
        if let Some(region) = parent.and_then(|parent| self.tracked_mut(parent)) {
            region.windows.remove(&id);
            region.windows_moved = cycle;
        }
    }

    /// The windows of a region change, or may.
    pub fn windows_move(&mut self, id: Id, cycle: u64) {
        let parent = self.tracked(id).and_then(|tracked| tracked.parent);
        if let Some(region) = parent.and_then(|parent| self.tracked_mut(parent)) {
            region.windows_moved = cycle;
        }
    }

    /// An allocation that was answered ok.
    pub fn add(&mut self, index: u32, held: Holding, earliest: u64, latest: u64) {
        let keys = [held.lkey, held.rkey];
        let id = self.track(index, held, None);
        self.push(
            index,
            Version {
                state: State::Live(id),
                earliest,
                latest,
                seen: None,
                serial: 0,
            },
        );
        self.entry(index).used.extend(keys);
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
            if let State::Live(id) = version.state {
                self.unlist(id);
            }
        }
    }

    fn unlist(&mut self, id: Id) {
        if let Some(tracked) = self.tracked_mut(id) {
            tracked.listed = false;
        }
        self.release(id);
    }

    /// Frees the number of an entry nobody refers to.
    pub fn release(&mut self, id: Id) {
        let idle = |tracked: &Tracked| {
            tracked.open == 0 && tracked.refs == 0 && !tracked.listed && tracked.endings.is_empty()
        };
        if !self.tracked(id).is_some_and(idle) || self.quarantine.contains(&id) {
            return;
        }
        let parent = self.regions[id].take().and_then(|tracked| tracked.parent);
        self.free.push(id);
        if let Some(parent) = parent {
            if let Some(region) = self.tracked_mut(parent) {
                region.refs -= 1;
                region.windows.remove(&id);
            }
            self.release(parent);
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
