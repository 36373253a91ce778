// SPDX-License-Identifier: MIT OR Apache-2.0
//! More keys than ways.

use latchkey_testbench::claim;
use latchkey_testbench::stage::{on, Keys, Spec, Stage};

/// Regions whose keys fall into one set: `count` of them, every `sets`-th.
fn one_set(s: &mut Stage, sets: u64, count: u64) -> Vec<Keys> {
    let mut all = Vec::new();
    for n in 0..sets * (count - 1) + 1 {
        let k = s.region(&Spec::flat(
            n << 12 & 0xff_f000,
            0x1000,
            n << 12 & 0xff_f000,
        ));
        if n % sets == 0 {
            all.push(k);
        }
    }
    all
}

fn turns(s: &mut Stage, keys: &[Keys]) {
    let before = s.counter("evictions");
    let ports = s.p.ports as usize;
    for round in 0..6 {
        for n in 0..keys.len() {
            let k = &keys[(n * 7 + round) % keys.len()];
            s.ask(n % ports, k.read(n as u64 * 8, 8));
        }
    }
    s.settle();
    let good = s.seen().looks.iter().flatten().all(|l| l.granted());
    claim!(s, good, "every key is still answered right");
    let evicted = s.counter("evictions") - before;
    claim!(s, evicted > 0, "lines were displaced");
}

#[test]
fn keys_into_one_set_of_tiny() {
    on("tiny", |s| {
        let keys = one_set(s, 4, 4);
        turns(s, &keys);
    });
}

#[test]
fn ten_keys_into_one_set_of_nic() {
    on("nic", |s| {
        let keys = one_set(s, 512, 10);
        turns(s, &keys);
    });
}
