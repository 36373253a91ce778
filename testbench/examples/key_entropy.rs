// SPDX-License-Identifier: MIT OR Apache-2.0
//! How hard the next key is to guess (ReDMArk's two figures), from the plain-Rust copy of the permutation that the directed tests compare with the
//! core: `cargo run --release -p latchkey-testbench --example key_entropy`.
//!
//! Step: the drawn bits of the next rkey minus those of the last, modulo their number of values; min-entropy is -log2 of the share of the most
//! frequent step. A sample of N among V values flatters no source: even an ideal one has a most frequent step above 1/V, so each line gives the
//! same figure for ChaCha in its place. H(Y|X): Shannon, Y all drawn bits of the next rkey, X the upper 4 (or lower 4) of the last, with Miller-Madow's
//! correction for what a finite sample lacks. Where steps are too many to be counted (`life`), the collision entropy of the step is estimated from pairs.

use latchkey_testbench::secrets::{permute, Cipher, Schedule};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn most(counts: &[u32], all: usize) -> f64 {
    let top = counts.iter().copied().max().unwrap_or(0);
    -(f64::from(top) / all as f64).log2()
}

fn steps(drawn: &[u32], bits: u32) -> f64 {
    let mut counts = vec![0; 1 << bits];
    let mask = (1u32 << bits) - 1;
    for pair in drawn.windows(2) {
        counts[(pair[1].wrapping_sub(pair[0]) & mask) as usize] += 1;
    }
    most(&counts, drawn.len() - 1)
}

/// Of `counts`, in bits, corrected.
fn shannon(counts: &[u32], all: f64) -> f64 {
    let used = counts.iter().filter(|c| **c > 0);
    let (mut sum, mut cells) = (0.0, 0.0);
    for c in used {
        let p = f64::from(*c) / all;
        sum -= p * p.log2();
        cells += 1.0;
    }
    sum + (cells - 1.0) / (2.0 * all * std::f64::consts::LN_2)
}

fn conditional(drawn: &[u32], bits: u32, x_of: impl Fn(u32) -> u32) -> f64 {
    let mut both = vec![0; 1 << (bits + 4)];
    let mut alone = vec![0; 16];
    for pair in drawn.windows(2) {
        let x = x_of(pair[0]);
        both[(x << bits | pair[1]) as usize] += 1;
        alone[x as usize] += 1;
    }
    let all = (drawn.len() - 1) as f64;
    shannon(&both, all) - shannon(&alone, all)
}

/// Collision entropy of the step from the pairs of equal ones.
fn pairs(drawn: &[u32], bits: u32) -> f64 {
    let mask = (1u32 << bits) - 1;
    let step = |p: &[u32]| p[1].wrapping_sub(p[0]) & mask;
    let mut all: Vec<u32> = drawn.windows(2).map(step).collect();
    all.sort_unstable();
    let same: f64 = all
        .chunk_by(|a, b| a == b)
        .map(|c| c.len() as f64 * (c.len() as f64 - 1.0) / 2.0)
        .sum();
    let n = all.len() as f64;
    -(same / (n * (n - 1.0) / 2.0)).log2()
}

fn say(what: &str, drawn: &[u32], bits: u32) {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let ideal: Vec<u32> = drawn
        .iter()
        .map(|_| rng.gen::<u32>() & ((1 << bits) - 1))
        .collect();
    println!("{what}: {} keys, {bits} bits drawn", drawn.len());
    let figures = |name: &str, keys: &[u32]| {
        if bits > 20 {
            let h = pairs(keys, bits);
            println!("  {name}: collision entropy of the step {h:.3} bits");
            return;
        }
        let (h, high) = (
            steps(keys, bits),
            conditional(keys, bits, |x| x >> (bits - 4)),
        );
        let low = conditional(keys, bits, |x| x & 15);
        println!(
            "  {name}: min-entropy of the step {h:.3} bits ({:.3} of the drawn), H(Y|X) {high:.3} and {low:.3} bits ({:.3}, {:.3})",
            h / f64::from(bits), high / f64::from(bits), low / f64::from(bits)
        );
    };
    figures("permutation", drawn);
    figures("ideal source", &ideal);
}

/// rkeys as the free list gives indices that are used in turn.
fn in_turn(cipher: &Cipher, indices: u32, keys: usize) -> Vec<u32> {
    let all: Vec<Schedule> = (1..=indices).map(|i| cipher.schedule(i, false)).collect();
    let key = |n: usize| {
        let (i, generation) = (n % all.len(), (n / all.len()) as u32);
        permute(cipher.deep(), 2 * generation + 1, &all[i])
    };
    (0..keys).map(key).collect()
}

fn main() {
    let secret = 0x0f1e_2d3c_4b5a_6978;
    let nic = Cipher {
        secret,
        index_bits: 16,
    };
    let life = Cipher {
        secret,
        index_bits: 4,
    };
    let few = 1_000_000;
    say(
        "nic, 65,535 indices in turn",
        &in_turn(&nic, 65_535, few),
        15,
    );
    say(
        "nic, 65,535 indices in turn",
        &in_turn(&nic, 65_535, 1 << 26),
        15,
    );
    say("nic, 200 indices in turn", &in_turn(&nic, 200, few), 15);
    // one index to its end, one after the other
    let half = nic.generations();
    let alone: Vec<u32> = (1..=8192u32)
        .flat_map(|i| {
            let schedule = nic.schedule(i, false);
            (0..half).map(move |g| permute(15, 2 * g + 1, &schedule))
        })
        .collect();
    say("nic, one index up to its half", &alone[..half as usize], 15);
    say("nic, 122 indices, each up to its half", &alone[..few], 15);
    say("nic, 8,192 indices, each up to its half", &alone, 15);
    say("life, 15 indices in turn", &in_turn(&life, 15, few), 27);
    say("life, one index", &in_turn(&life, 1, few), 27);
    for other in [!secret, secret ^ 1, secret.rotate_left(8)] {
        let (a, b) = (in_turn(&nic, 65_535, few), {
            let cipher = Cipher {
                secret: other,
                ..nic
            };
            in_turn(&cipher, 65_535, few)
        });
        let same = |n: usize| a.iter().zip(&b).take(n).filter(|(a, b)| a == b).count();
        println!(
            "two secrets, {secret:#x} and {other:#x}: {} of the first 1,000 keys equal, {} of {few}; by chance {:.1}",
            same(1000), same(few), few as f64 / 32768.0
        );
    }
}
