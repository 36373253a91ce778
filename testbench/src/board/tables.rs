// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tables in the host's memory: sparse, zeros where nothing was written.

use super::wire::IcmBeat;
use std::collections::HashMap;

/// Entries, translation words and windows.
#[derive(Debug, Default)]
pub struct Tables {
    words: HashMap<(u8, u32), u32>,
    /// Beats of a write that has not come to its last one.
    burst: Vec<u32>,
    /// Accesses served: reads, writes.
    pub served: (u64, u64),
}

impl Tables {
    /// Serves a beat; the payload of the answer. A write takes effect with its last beat, all at once.
    /// None: the beat does not belong to what came before, and must not be answered.
    pub fn serve(&mut self, beat: &IcmBeat) -> Option<Vec<u8>> {
        if !beat.write {
            self.served.0 += 1;
            let words = (0..=u32::from(beat.len)).map(|n| self.word(beat.space, beat.addr + n));
            return Some(words.flat_map(u32::to_le_bytes).collect());
        }
        if beat.beat == 0 {
            self.burst.clear();
        }
        let whole = usize::from(beat.beat) == self.burst.len();
        if !whole || beat.last != (beat.beat == beat.len) {
            return None;
        }
        self.burst.push(beat.data);
        if beat.last {
            self.served.1 += 1;
            for (n, word) in self.burst.drain(..).enumerate() {
                self.words.insert((beat.space, beat.addr + n as u32), word);
            }
        }
        Some(Vec::new())
    }

    /// A word.
    pub fn word(&self, space: u8, addr: u32) -> u32 {
        self.words.get(&(space, addr)).copied().unwrap_or(0)
    }

    /// Words that were ever written.
    pub fn written(&self) -> usize {
        self.words.len()
    }

    /// Every word that was ever written, as space, address, value, in order.
    pub fn list(&self) -> Vec<(u8, u32, u32)> {
        let mut all: Vec<_> = self.words.iter().map(|((s, a), w)| (*s, *a, *w)).collect();
        all.sort_unstable();
        all
    }

    /// Tables of such words.
    pub fn of(list: &[(u8, u32, u32)]) -> Tables {
        Tables {
            words: list.iter().map(|(s, a, w)| ((*s, *a), *w)).collect(),
            ..Tables::default()
        }
    }

    /// All zeros again.
    pub fn clear(&mut self) {
        self.words.clear();
        self.burst.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_seen_whole_or_not_at_all() {
        let mut tables = Tables::default();
        let beat = |n: u8, data| IcmBeat {
            write: true,
            last: n == 1,
            space: 0,
            len: 1,
            addr: 8,
            beat: n,
            data,
        };
        let read = IcmBeat {
            write: false,
            last: true,
            ..beat(0, 0)
        };
        assert_eq!(tables.serve(&beat(0, 1)), Some(vec![]));
        assert_eq!(tables.serve(&read), Some(vec![0; 8]));
        assert_eq!(tables.serve(&beat(1, 2)), Some(vec![]));
        assert_eq!(tables.serve(&read), Some(vec![1, 0, 0, 0, 2, 0, 0, 0]));
        assert_eq!(tables.serve(&beat(1, 3)), None);
    }
}
