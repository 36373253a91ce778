// SPDX-License-Identifier: MIT OR Apache-2.0
//! Room for the tables and pages of replayed regions: words of the translation table, and frames.

use super::facts::RegionFact;
use crate::bench::Params;
use crate::model::register::pages_needed;
use crate::trace::{access, PageList, PageSize, Register};
use std::collections::BTreeMap;

/// Pages of one region that are listed one by one; beyond it larger pages are taken.
const MANY: u128 = 4096;
/// Two pages of a region are three frames apart, so that none are neighbours.
const STRIDE: u64 = 3;

/// What is free.
pub struct Space {
    /// runs of free words: first and count
    words: BTreeMap<u64, u64>,
    next_frame: u64,
    pa_bits: u32,
}

impl Space {
    /// All words free.
    pub fn new(p: &Params) -> Space {
        Space {
            words: BTreeMap::from([Space::window(p)]),
            next_frame: 1,
            pa_bits: p.pa_bits,
        }
    }

    /// The window every protection domain gets: all words that a command can name.
    pub fn window(p: &Params) -> (u64, u64) {
        (0, Params::top(p.mtt_bits.min(p.page_bits)))
    }

    /// Takes `count` words.
    fn take(&mut self, count: u64) -> Option<u64> {
        let (first, free) = self
            .words
            .iter()
            .map(|(a, n)| (*a, *n))
            .find(|(_, n)| *n >= count)?;
        self.words.remove(&first);
        if free > count {
            self.words.insert(first + count, free - count);
        }
        Some(first)
    }

    /// Gives the words of a registration back.
    pub fn free(&mut self, r: &Register) {
        let (mut first, mut count) = (r.base, r.pages);
        if count == 0 {
            return;
        }
        if let Some((a, n)) = self.words.range(..first).next_back().map(|(a, n)| (*a, *n)) {
            if a + n == first {
                self.words.remove(&a);
                (first, count) = (a, count + n);
            }
        }
        if let Some(n) = self.words.remove(&(first + count)) {
            count += n;
        }
        self.words.insert(first, count);
    }

    /// The registration of a region; the words are taken.
    pub fn register(&mut self, fact: &RegionFact) -> Result<Register, String> {
        let sizes = [PageSize::K4, PageSize::K64, PageSize::M2, PageSize::G1];
        let needed =
            |size: PageSize| pages_needed(fact.va, fact.length, size.shift().unwrap_or(12));
        let found = sizes.into_iter().find(|s| needed(*s) <= MANY);
        let mut rights = fact.access;
        if fact.window.is_some() && rights & (access::REMOTE_WRITE | access::REMOTE_ATOMIC) != 0 {
            // a window needs no local right of its own, a region does
            rights |= access::LOCAL_WRITE;
        }
        let plain = Register {
            pd: fact.pd,
            iova: fact.va,
            length: fact.length,
            access: rights,
            page: PageSize::Contiguous,
            base: 0,
            pages: 0,
            list: PageList::default(),
        };
        // whole address spaces, and ranges that are none
        let Some(page) = found else { return Ok(plain) };
        let shift = page.shift().unwrap_or(12);
        let pages = u64::try_from(needed(page)).unwrap_or(u64::MAX);
        let base = self
            .take(pages)
            .ok_or_else(|| format!("{pages} words of the translation table for its pages"))?;
        let frames = (Params::top(self.pa_bits) >> shift).max(1);
        if pages.saturating_mul(STRIDE) + self.next_frame > frames {
            self.next_frame = 1;
        }
        let list = PageList::Run {
            base: (self.next_frame % frames) << shift,
            stride: STRIDE << shift,
            count: pages,
            set: Vec::new(),
        };
        // the next region begins anywhere, not at the next frame
        self.next_frame += pages * STRIDE + 1;
        Ok(Register {
            page,
            base,
            pages,
            list,
            ..plain
        })
    }
}
