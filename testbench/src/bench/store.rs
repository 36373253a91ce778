// SPDX-License-Identifier: MIT OR Apache-2.0
//! Paged map of words: zeros where nothing was written.

use crate::mix::Mix;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

const PAGE_BITS: u32 = 9;
const PAGE: usize = 1 << PAGE_BITS;

/// Words of the spaces of the ICM.
#[derive(Default)]
pub struct Store {
    pages: HashMap<u64, Box<[u64; PAGE]>, BuildHasherDefault<Mix>>,
}

fn place(space: u8, addr: u64) -> (u64, usize) {
    (
        u64::from(space) << 60 | addr >> PAGE_BITS,
        addr as usize % PAGE,
    )
}

impl Store {
    /// A word; zero when never written.
    #[inline]
    pub fn read(&self, space: u8, addr: u64) -> u64 {
        let (page, at) = place(space, addr);
        self.pages.get(&page).map_or(0, |p| p[at])
    }

    /// Writes a word.
    pub fn write(&mut self, space: u8, addr: u64, data: u64) {
        let (page, at) = place(space, addr);
        self.pages
            .entry(page)
            .or_insert_with(|| Box::new([0; PAGE]))[at] = data;
    }

    /// Pages in use.
    pub fn pages(&self) -> usize {
        self.pages.len()
    }
}
