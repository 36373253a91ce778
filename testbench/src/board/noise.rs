// SPDX-License-Identifier: MIT OR Apache-2.0
//! A bad line: bytes changed, lost and added by chance.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Chances in 100,000 for each byte that passes.
#[derive(Clone, Debug)]
pub struct Noise {
    rng: ChaCha8Rng,
    /// A bit of it is turned.
    pub flip: u32,
    /// It is lost.
    pub lose: u32,
    /// Another one comes before it.
    pub add: u32,
    /// Bytes that met one of these.
    pub hurt: u64,
}

impl Noise {
    /// The same chance for all three.
    pub fn new(chance: u32, seed: u64) -> Noise {
        Noise {
            rng: ChaCha8Rng::seed_from_u64(seed),
            flip: chance,
            lose: chance,
            add: chance,
            hurt: 0,
        }
    }

    /// What arrives of a byte.
    pub fn pass(&mut self, byte: u8, mut arrives: impl FnMut(u8)) {
        let mut chance = |n: u32| self.rng.gen_range(0..100_000) < n;
        let (flip, lose, add) = (chance(self.flip), chance(self.lose), chance(self.add));
        self.hurt += u64::from(flip || lose || add);
        if add {
            arrives(self.rng.gen());
        }
        if !lose {
            arrives(
                byte ^ if flip {
                    1 << self.rng.gen_range(0..8)
                } else {
                    0
                },
            );
        }
    }
}
