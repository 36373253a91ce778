// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hits and misses along a run, in a fixed number of windows whatever its length.

use serde::Serialize;

/// Windows that are kept; when there are more, two become one.
const MOST: usize = 128;
/// Cycles of a window at the beginning.
const FIRST: u64 = 256;

/// A stretch of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Window {
    /// cycle at which it ends, counted from where the count begins
    pub cycle: u64,
    /// verdicts on a hit
    pub hits: u64,
    /// verdicts that waited for their entry
    pub misses: u64,
}

/// Collects them.
#[derive(Clone, Debug)]
pub struct Windows {
    step: u64,
    next: u64,
    total: Window,
    list: Vec<Window>,
}

impl Default for Windows {
    fn default() -> Self {
        Windows {
            step: FIRST,
            next: FIRST,
            total: Window::default(),
            list: Vec::with_capacity(MOST + 1),
        }
    }
}

impl Windows {
    /// Is a window full?
    #[inline]
    pub fn due(&self, cycle: u64) -> bool {
        cycle == self.next
    }

    /// Closes a window; `hits` and `misses` are those of the whole run so far.
    #[cold]
    pub fn close(&mut self, cycle: u64, hits: u64, misses: u64) {
        self.list.push(Window {
            cycle,
            hits: hits - self.total.hits,
            misses: misses - self.total.misses,
        });
        self.total = Window {
            cycle,
            hits,
            misses,
        };
        if self.list.len() > MOST {
            self.step *= 2;
            self.list = self.list.chunks(2).map(joined).collect();
        }
        self.next = cycle + self.step;
    }

    /// All of them, with what came after the last full one.
    pub fn all(&self, cycle: u64, hits: u64, misses: u64) -> Vec<Window> {
        let mut all = self.clone();
        if (hits, misses) != (self.total.hits, self.total.misses) {
            all.close(cycle.max(self.total.cycle), hits, misses);
        }
        all.list
    }
}

fn joined(pair: &[Window]) -> Window {
    pair.iter().fold(Window::default(), |a, b| Window {
        cycle: b.cycle,
        hits: a.hits + b.hits,
        misses: a.misses + b.misses,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_has_few_windows_and_nothing_is_lost() {
        let mut windows = Windows::default();
        let (mut hits, mut misses) = (0, 0);
        for cycle in 1..=1_000_000 {
            hits += u64::from(cycle % 3 == 0);
            misses += u64::from(cycle % 7 == 0);
            if windows.due(cycle) {
                windows.close(cycle, hits, misses);
            }
        }
        let all = windows.all(1_000_000, hits, misses);
        assert!(
            all.len() > MOST / 2 && all.len() <= MOST + 1,
            "{}",
            all.len()
        );
        assert_eq!(all.iter().map(|w| w.hits).sum::<u64>(), hits);
        assert_eq!(all.iter().map(|w| w.misses).sum::<u64>(), misses);
        assert!(all.windows(2).all(|w| w[0].cycle < w[1].cycle));
        assert_eq!(all.last().map(|w| w.cycle), Some(1_000_000));
    }

    #[test]
    fn a_short_run_is_one_window() {
        let all = Windows::default().all(40, 3, 1);
        assert_eq!(
            all,
            [Window {
                cycle: 40,
                hits: 3,
                misses: 1
            }]
        );
        assert_eq!(Windows::default().all(40, 0, 0), []);
    }
}
