// SPDX-License-Identifier: MIT OR Apache-2.0
//! Idle and back-pressure patterns: whether a side of a stream is active in a cycle.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The shapes of activity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Active in every cycle.
    Always,
    /// Quiet for the first n cycles, then always active.
    NeverFor(u32),
    /// Active with a probability of p in 256.
    Random(u8),
    /// Runs of activity of up to `on` cycles, then quiet for up to `off` cycles.
    Bursts {
        /// longest run of active cycles
        on: u16,
        /// longest run of quiet cycles
        off: u16,
    },
    /// Active in one cycle of n.
    OneIn(u16),
    /// Active, but for a stall of up to `len` cycles about every `every` cycles.
    Stalls {
        /// mean distance of stalls
        every: u16,
        /// longest stall
        len: u16,
    },
}

impl Shape {
    /// Names for the coverage points, in the order of [`Shape::kind`].
    pub const NAMES: [&'static str; 6] = [
        "always",
        "never_for",
        "random",
        "bursts",
        "one_in",
        "stalls",
    ];

    /// Number of the shape, without its parameters.
    pub fn kind(&self) -> usize {
        match self {
            Shape::Always => 0,
            Shape::NeverFor(_) => 1,
            Shape::Random(_) => 2,
            Shape::Bursts { .. } => 3,
            Shape::OneIn(_) => 4,
            Shape::Stalls { .. } => 5,
        }
    }

    /// Draws a shape with parameters; none is quiet for ever.
    pub fn draw<R: Rng>(rng: &mut R) -> Shape {
        match rng.gen_range(0..10) {
            0..=3 => Shape::Always,
            4 => Shape::NeverFor(rng.gen_range(1..300)),
            5 | 6 => Shape::Random(rng.gen_range(40..=250)),
            7 => Shape::Bursts {
                on: rng.gen_range(1..40),
                off: rng.gen_range(1..40),
            },
            8 => Shape::OneIn(rng.gen_range(2..9)),
            _ => Shape::Stalls {
                every: rng.gen_range(50..400),
                len: rng.gen_range(10..300),
            },
        }
    }
}

/// A running pattern. [`Pattern::tick`] is called once a cycle.
#[derive(Clone, Debug)]
pub struct Pattern {
    shape: Shape,
    rng: ChaCha8Rng,
    bits: u64,
    left: u8,
    active: bool,
    run: u32,
}

impl Pattern {
    /// A pattern with its own random stream.
    pub fn new(shape: Shape, seed: u64) -> Pattern {
        let mut p = Pattern {
            shape,
            rng: ChaCha8Rng::seed_from_u64(seed),
            bits: 0,
            left: 0,
            active: true,
            run: 0,
        };
        p.set(shape);
        p
    }

    /// Changes the shape; the random stream goes on.
    pub fn set(&mut self, shape: Shape) {
        self.shape = shape;
        self.active = true;
        self.run = match shape {
            Shape::NeverFor(n) => n,
            Shape::Stalls { every, .. } => 1 + u32::from(every) / 2,
            _ => 0,
        };
    }

    /// The shape in force.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    fn byte(&mut self) -> u8 {
        if self.left == 0 {
            self.bits = self.rng.gen();
            self.left = 8;
        }
        self.left -= 1;
        let b = self.bits as u8;
        self.bits >>= 8;
        b
    }

    /// Is this side active in this cycle?
    #[inline]
    pub fn tick(&mut self) -> bool {
        match self.shape {
            Shape::Always => true,
            Shape::Random(p) => self.byte() < p,
            _ => self.counted(),
        }
    }

    fn counted(&mut self) -> bool {
        if let Shape::NeverFor(_) = self.shape {
            if self.run == 0 {
                return true;
            }
            self.run -= 1;
            return false;
        }
        if self.run == 0 {
            match self.shape {
                Shape::OneIn(n) => {
                    self.run = u32::from(n.max(1)) - 1;
                    self.active = false;
                    return true;
                }
                Shape::Bursts { on, off } => {
                    self.active = !self.active;
                    let most = if self.active { on } else { off };
                    self.run = self.rng.gen_range(1..=u32::from(most.max(1)));
                }
                Shape::Stalls { every, len } => {
                    self.active = !self.active;
                    let most = if self.active {
                        every.saturating_mul(2)
                    } else {
                        len
                    };
                    self.run = self.rng.gen_range(1..=u32::from(most.max(1)));
                }
                _ => {}
            }
        }
        self.run -= 1;
        self.active
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(shape: Shape, n: usize) -> usize {
        let mut p = Pattern::new(shape, 1);
        (0..n).filter(|_| p.tick()).count()
    }

    #[test]
    fn rates() {
        assert_eq!(count(Shape::Always, 100), 100);
        assert_eq!(count(Shape::NeverFor(30), 100), 70);
        assert_eq!(count(Shape::OneIn(4), 100), 25);
        assert_eq!(count(Shape::Random(0), 100), 0);
        let half = count(Shape::Random(128), 10_000);
        assert!((4_700..5_300).contains(&half), "{half}");
        let b = count(Shape::Bursts { on: 10, off: 10 }, 10_000);
        assert!((4_000..6_000).contains(&b), "{b}");
        let s = count(
            Shape::Stalls {
                every: 100,
                len: 100,
            },
            10_000,
        );
        assert!((5_000..8_500).contains(&s), "{s}");
    }

    #[test]
    fn same_seed_same_pattern_and_none_is_stuck() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        for seed in 0..200 {
            let shape = Shape::draw(&mut rng);
            let (mut a, mut b) = (Pattern::new(shape, seed), Pattern::new(shape, seed));
            let run: Vec<bool> = (0..1_000).map(|_| a.tick()).collect();
            assert!(run.iter().all(|&x| x == b.tick()));
            assert!(run.iter().any(|&x| x), "{shape:?} is never active");
        }
    }
}
