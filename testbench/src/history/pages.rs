// SPDX-License-Identifier: MIT OR Apache-2.0
//! The pages of an on-demand region over time (source: docs/interface.md, fill_page and evict_page).

use crate::model::Region;
use crate::trace::{access, Entry};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// What a page was, and when that may have begun.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    pub entry: Entry,
    earliest: u64,
    latest: u64,
    serial: u64,
}

/// Pages that were filled or evicted, with what they were before; the others are as the region's list says.
#[derive(Debug, Default)]
pub struct Pages {
    changed: HashMap<u64, Vec<Page>>,
}

impl Pages {
    /// Of a region whose pages may change.
    pub fn of(region: &Region) -> Option<Arc<Mutex<Pages>>> {
        (region.spec.access & access::ON_DEMAND != 0).then(Arc::default)
    }

    /// A page may change from `earliest` on.
    pub fn push(&mut self, region: &Region, number: u64, entry: Entry, earliest: u64, serial: u64) {
        let first = || {
            vec![Page {
                entry: region.spec.list.get(number).unwrap_or(Entry::ABSENT),
                earliest: 0,
                latest: 0,
                serial: 0,
            }]
        };
        let page = Page {
            entry,
            earliest,
            latest: u64::MAX,
            serial,
        };
        self.changed.entry(number).or_insert_with(first).push(page);
    }

    /// The command of a change was answered ok; what was over before `oldest` is forgotten.
    pub fn settle(&mut self, number: u64, serial: u64, cycle: u64, oldest: u64) {
        let Some(all) = self.changed.get_mut(&number) else {
            return;
        };
        if let Some(page) = all.iter_mut().find(|page| page.serial == serial) {
            page.latest = page.latest.min(cycle);
        }
        while all.get(1).is_some_and(|next| next.latest < oldest) {
            all.remove(0);
        }
    }

    /// The command of a change was refused.
    pub fn remove(&mut self, number: u64, serial: u64) {
        if let Some(all) = self.changed.get_mut(&number) {
            all.retain(|page| page.serial != serial);
        }
    }

    /// What a page may have been between two moments, oldest first.
    pub fn candidates(&self, region: &Region, number: u64, from: u64, to: u64) -> Vec<Entry> {
        let Some(all) = self.changed.get(&number) else {
            return vec![region.spec.list.get(number).unwrap_or(Entry::ABSENT)];
        };
        let over = |at: usize| all.get(at + 1).is_some_and(|next| next.latest < from);
        let fits = |(at, page): &(usize, &Page)| page.earliest <= to && !over(*at);
        let fitting = all.iter().enumerate().filter(fits);
        fitting.map(|(_, page)| page.entry).collect()
    }

    /// What a page may be since the change of a command. Where that is forgotten already, what is left is newer.
    pub fn since(&self, number: u64, serial: u64) -> Vec<Entry> {
        let all = self.changed.get(&number).map_or(&[][..], Vec::as_slice);
        let at = all.iter().position(|page| page.serial == serial);
        let newer = at.map_or(all, |at| &all[at + 1..]);
        newer.iter().map(|page| page.entry).collect()
    }

    /// Somebody saw this entry of a page by `by`: the oldest that is the same had begun by then.
    pub fn begun(&mut self, number: u64, entry: Entry, from: u64, by: u64) {
        let Some(all) = self.changed.get_mut(&number) else {
            return;
        };
        let mut at = 0;
        while at < all.len() {
            let over = all.get(at + 1).is_some_and(|next| next.latest < from);
            if !over && all[at].entry == entry {
                break;
            }
            at += 1;
        }
        if at == all.len() {
            return;
        }
        for page in all.iter_mut().take(at + 1) {
            page.latest = page.latest.min(by);
        }
    }
}

/// May a page be used for this?
pub fn usable(entry: &Entry, write: bool) -> bool {
    entry.present && (!write || entry.writable)
}
