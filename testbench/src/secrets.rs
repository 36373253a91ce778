// SPDX-License-Identifier: MIT OR Apache-2.0
//! The adapter's keyed permutation once more, bit for bit, in plain Rust (source: the head of `hdl/src/rtl/key_cipher.rs`). It is here to measure what its
//! keys look like, and is compared with the core's own keys; model and history checker know nothing of it.

/// Rounds of the permutation.
pub const ROUNDS: usize = 48;

/// SIMON's z2, first bit first.
const Z2: &str = "10101111011100000011010010011000101000010001111110010110110011";

/// Who makes the keys: the secret, and index bits of a key.
#[derive(Clone, Copy, Debug)]
pub struct Cipher {
    /// the adapter's secret
    pub secret: u64,
    /// K
    pub index_bits: u32,
}

/// Round keys of one index, for one kind of number.
pub type Schedule = [u32; ROUNDS];

fn simon(x: u32) -> u32 {
    (x.rotate_left(1) & x.rotate_left(8)) ^ x.rotate_left(2)
}

/// A permutation of the numbers of `width` bits.
pub fn permute(width: u32, number: u32, schedule: &Schedule) -> u32 {
    let low = width / 2;
    let rest = width - low;
    let mask = (1u32 << rest) - 1;
    let rol = |x: u32, by: u32| ((x << by) | (x >> (rest - by))) & mask;
    let third = match 8 % rest {
        1 | 2 => 0,
        other => other,
    };
    schedule.iter().fold(number, |now, key| {
        let x = now >> low;
        let f = (rol(x, 1) & rol(x, third)) ^ rol(x, 2);
        let new = (now ^ f ^ key) & ((1 << low) - 1);
        x | new << rest
    })
}

impl Cipher {
    /// Round keys; `short`: for secrets whose low byte the consumer chooses.
    pub fn schedule(&self, index: u32, short: bool) -> Schedule {
        let mut left = (self.secret >> 32) as u32 ^ index ^ u32::from(short) << 31;
        let mut right = self.secret as u32;
        let z = Z2.bytes().cycle();
        let mut all = [0; ROUNDS];
        for (key, z) in all.iter_mut().zip(z) {
            *key = left;
            let next = right ^ simon(left) ^ 0xffff_fffc ^ u32::from(z - b'0');
            (left, right) = (next, left);
        }
        all
    }

    /// Bits of an ordinary key that are drawn.
    pub const fn deep(&self) -> u32 {
        31 - self.index_bits
    }

    /// Bits of a secret that are drawn where the consumer chooses the low byte.
    pub const fn flat(&self) -> u32 {
        23 - self.index_bits
    }

    /// Generations of an index that reach its keys.
    pub const fn generations(&self) -> u32 {
        let bits = 29 - self.index_bits;
        1 << if bits < 24 { bits } else { 24 }
    }

    /// lkey and rkey of an ordinary region.
    pub fn keys(&self, index: u32, generation: u32) -> (u32, u32) {
        let schedule = self.schedule(index, false);
        let key = |side| {
            let drawn = permute(self.deep(), 2 * generation + side, &schedule);
            drawn >> 8 << (8 + self.index_bits) | index << 8 | (drawn & 0xff)
        };
        (key(0), key(1))
    }

    /// lkey and rkey, low byte 0, of what lets its consumer choose that byte.
    pub fn secrets(&self, index: u32, block: u32) -> (u32, u32) {
        let schedule = self.schedule(index, true);
        let key = |side| {
            let drawn = permute(self.flat(), 2 * block + side, &schedule) | 1 << self.flat();
            drawn << (8 + self.index_bits) | index << 8
        };
        (key(0), key(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_once() {
        for width in [7, 8, 11, 15, 16] {
            for seed in 0..4u64 {
                let cipher = Cipher {
                    secret: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15),
                    index_bits: 16,
                };
                let schedule = cipher.schedule(seed as u32, seed & 1 == 1);
                let mut seen = vec![false; 1 << width];
                (0..1 << width).for_each(|n| seen[permute(width, n, &schedule) as usize] = true);
                assert!(seen.iter().all(|s| *s), "{width} bits");
            }
        }
    }

    /// One bit of number, index or secret turned over turns half of the drawn bits over.
    #[test]
    fn one_bit_changes_half() {
        let mut turned = [0u64; 3];
        let all = 20_000u64;
        for n in 0..all {
            let secret = (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let (index, number) = (((n * 7919) & 0xffff) as u32, (n & 0x3fff) as u32);
            let of = |secret, index, number| {
                let cipher = Cipher {
                    secret,
                    index_bits: 16,
                };
                permute(15, number, &cipher.schedule(index, false))
            };
            let base = of(secret, index, number);
            let others = [
                of(secret, index, number ^ 1 << (n % 15)),
                of(secret, index ^ 1 << (n % 16), number),
                of(secret ^ 1 << (n % 64), index, number),
            ];
            for (sum, other) in turned.iter_mut().zip(others) {
                *sum += u64::from((base ^ other).count_ones());
            }
        }
        for sum in turned {
            let mean = sum as f64 / all as f64;
            assert!((7.4..7.6).contains(&mean), "{turned:?} of 15 bits");
        }
    }
}
