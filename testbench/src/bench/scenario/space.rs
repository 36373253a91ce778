// SPDX-License-Identifier: MIT OR Apache-2.0
//! The driver's side of MTT space: a window for each PD, words given out first fit.

/// A window of a protection domain.
#[derive(Clone, Debug)]
pub struct Window {
    /// protection domain
    pub pd: u32,
    /// first word
    pub base: u64,
    /// words
    pub words: u64,
    free: Vec<(u64, u64)>,
}

impl Window {
    /// A window, all free.
    pub fn new(pd: u32, base: u64, words: u64) -> Window {
        Window {
            pd,
            base,
            words,
            free: vec![(base, words)],
        }
    }

    /// Takes words, if there are so many in one piece.
    pub fn take(&mut self, words: u64) -> Option<u64> {
        let at = self.free.iter().position(|(_, n)| *n >= words)?;
        let (base, n) = self.free[at];
        if n == words {
            self.free.remove(at);
        } else {
            self.free[at] = (base + words, n - words);
        }
        Some(base)
    }

    /// Gives words back.
    pub fn give(&mut self, base: u64, words: u64) {
        if words == 0 {
            return;
        }
        let at = self.free.partition_point(|(b, _)| *b < base);
        self.free.insert(at, (base, words));
        if at + 1 < self.free.len() && self.free[at].0 + self.free[at].1 == self.free[at + 1].0 {
            self.free[at].1 += self.free.remove(at + 1).1;
        }
        if at > 0 && self.free[at - 1].0 + self.free[at - 1].1 == self.free[at].0 {
            self.free[at - 1].1 += self.free.remove(at).1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};

    #[test]
    fn words_are_given_once_and_come_together_again() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let mut w = Window::new(1, 100, 300);
        let mut held: Vec<(u64, u64)> = Vec::new();
        for _ in 0..5_000 {
            if rng.gen() {
                let n = rng.gen_range(1..20);
                if let Some(b) = w.take(n) {
                    assert!(b >= 100 && b + n <= 400);
                    assert!(held.iter().all(|(hb, hn)| b + n <= *hb || hb + hn <= b));
                    held.push((b, n));
                }
            } else if !held.is_empty() {
                let (b, n) = held.swap_remove(rng.gen_range(0..held.len()));
                w.give(b, n);
            }
        }
        held.drain(..).for_each(|(b, n)| w.give(b, n));
        assert_eq!(w.free, [(100, 300)]);
    }
}
