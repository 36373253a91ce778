// SPDX-License-Identifier: MIT OR Apache-2.0
//! Page lists, dense or described, and the MTT entry (source: docs/interface.md, "MTT entry").

use serde::{Deserialize, Serialize};

/// One MTT entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Entry {
    /// Physical address of the page; the low 12 bits do not reach the hardware.
    pub pa: u64,
    /// The page is there.
    #[serde(default = "yes")]
    pub present: bool,
    /// The page may be written.
    #[serde(default = "yes")]
    pub writable: bool,
}

fn yes() -> bool {
    true
}

impl Entry {
    /// No page.
    pub const ABSENT: Self = Self {
        pa: 0,
        present: false,
        writable: false,
    };

    /// A present, writable page.
    pub const fn page(pa: u64) -> Self {
        Self {
            pa,
            present: true,
            writable: true,
        }
    }

    /// Bits of the MTT entry: 0 present, 1 writable, from 2 the frame (`pa >> 12`).
    pub const fn bits(self) -> u64 {
        (self.present as u64) | (self.writable as u64) << 1 | (self.pa >> 12) << 2
    }

    /// From the bits of an MTT entry.
    pub const fn from_bits(bits: u64) -> Self {
        Self {
            pa: (bits >> 2) << 12,
            present: bits & 1 == 1,
            writable: bits & 2 == 2,
        }
    }
}

/// The page list of a registration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PageList {
    /// Entry `i` is a present, writable page at `base + i * stride`, except where `set` says otherwise.
    Run {
        /// Physical address of the first page.
        base: u64,
        /// Distance of two pages.
        stride: u64,
        /// Number of entries.
        count: u64,
        /// Other entries, ascending by index.
        #[serde(default)]
        set: Vec<(u64, Entry)>,
    },
    /// All entries.
    List(Vec<Entry>),
}

impl Default for PageList {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

impl PageList {
    /// Number of entries.
    pub fn count(&self) -> u64 {
        match self {
            Self::Run { count, .. } => *count,
            Self::List(list) => list.len() as u64,
        }
    }

    /// Entry `index`, `None` behind the end.
    pub fn get(&self, index: u64) -> Option<Entry> {
        match self {
            Self::Run {
                base,
                stride,
                count,
                set,
            } => (index < *count).then(|| match set.binary_search_by_key(&index, |(at, _)| *at) {
                Ok(at) => set[at].1,
                Err(_) => Entry::page(base.wrapping_add(index.wrapping_mul(*stride))),
            }),
            Self::List(list) => usize::try_from(index)
                .ok()
                .and_then(|at| list.get(at))
                .copied(),
        }
    }

    /// All entries in order.
    pub fn iter(&self) -> impl Iterator<Item = Entry> + '_ {
        (0..self.count()).filter_map(|index| self.get(index))
    }
}
