// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reset at any moment, and power-up with anything in registers and RAMs.

use latchkey_testbench::bench::scenario::{load::Load, mixed};
use latchkey_testbench::bench::Surroundings;
use latchkey_testbench::claim;
use latchkey_testbench::stage::{each, scrambled, Spec, Stage};
use latchkey_testbench::trace::{Cause, Mode};

/// A short life that touches everything; counters must start at 0.
fn works(s: &mut Stage) {
    let zero = ["lookups", "leases_taken", "registers", "parked", "segments"].map(|n| s.counter(n));
    claim!(s, zero == [0; 5], "counters start at 0: {zero:?}");
    let never = s.lookup(latchkey_testbench::trace::Lookup {
        key: 0x100,
        port: 0,
        tag: 0,
        side_remote: true,
        qpn: 0,
        pd: 1,
        va: 0,
        len: 8,
        op: latchkey_testbench::trace::Op::Read,
        walk: true,
        class: 0,
    });
    claim!(
        s,
        never.cause() == Some(Cause::BadKey),
        "the table is empty: {never:?}"
    );
    for n in 0..4u64 {
        let k = s.region(&Spec::new(0x1000 * n, 0x3000));
        for port in 0..s.p.ports as usize {
            let got = s.lookup_on(port, k.read(0x10, 0x2000));
            claim!(s, got.granted() && got.segments.len() == 3, "{got:?}");
        }
        if n % 2 == 0 {
            s.end(&k, Mode::Cut);
            claim!(
                s,
                s.lookup(k.read(0, 8)).cause() == Some(Cause::StaleKey),
                "dead"
            );
        }
    }
    s.settle();
}

#[test]
fn any_contents_at_power_up_are_harmless() {
    each(|s| {
        for _ in 0..4 {
            let mut s = Stage::around(scrambled(s.config), s.config, Surroundings::CALM);
            works(&mut s);
            s.finish();
        }
    });
}

#[test]
fn reset_at_any_moment() {
    each(|s| {
        let config = s.config;
        let hold = latchkey_testbench::bench::dma::Hold {
            longest: 300,
            ..latchkey_testbench::bench::dma::Hold::SOAK
        };
        let mut stage = Stage::new(config);
        for n in 0..25u64 {
            stage.surround(Surroundings {
                hold,
                ..Surroundings::SOAK
            });
            let mut load = Load::new(&stage.p.clone(), mixed::mix(&stage.p), u64::MAX, n);
            for _ in 0..300 + n * 37 {
                let step = stage.bench.step(&mut load);
                claim!(stage, step.is_ok(), "{step:?}");
            }
            stage.surround(Surroundings::CALM);
            stage = stage.reset();
            works(&mut stage);
        }
        stage.finish();
    });
}
