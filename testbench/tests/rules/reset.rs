// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reset at any moment, and power-up with anything in registers and RAMs.

use latchkey_testbench::bench::pattern::Shape;
use latchkey_testbench::bench::scenario::{load::Load, mixed};
use latchkey_testbench::bench::{Ask, Side, Surroundings};
use latchkey_testbench::claim;
use latchkey_testbench::stage::{each, scrambled, Keys, Spec, Stage};
use latchkey_testbench::trace::{Body, Cause, Lookup, Mode, Op};

fn guess(index: u64, side_remote: bool) -> Lookup {
    Lookup {
        key: (index as u32) << 8 | u32::from(side_remote),
        port: 0,
        tag: 0,
        side_remote,
        qpn: 0,
        pd: 1,
        va: 0x1000,
        len: 8,
        op: if side_remote { Op::Read } else { Op::LocalRead },
        walk: true,
        class: 0,
    }
}

/// No index was ever used, whatever the caches hold, and no command stands before one.
fn nobody(s: &mut Stage) {
    for n in 0..2 * s.p.mrs.min(200) {
        let index = n / 2 % s.p.mrs;
        let look = s.lookup(guess(index, n & 1 == 1));
        let bad = look.cause() == Some(Cause::BadKey);
        claim!(s, bad, "index {index} was never used: {look:?}");
    }
    let told = s.send(Body::Query { key: 0x301 });
    let looks: Vec<_> = (0..20).map(|n| s.ask(n % 2, guess(3, n % 3 > 0))).collect();
    s.answer(told);
    s.settle();
    for look in looks {
        let cause = s.look(look).and_then(|l| l.cause());
        let bad = cause == Some(Cause::BadKey);
        claim!(s, bad, "beside a query of the same index: {cause:?}");
    }
}

/// A short life that touches everything; counters must start at 0.
fn works(s: &mut Stage) {
    let zero = ["lookups", "leases_taken", "registers", "parked", "segments"].map(|n| s.counter(n));
    claim!(s, zero == [0; 5], "counters start at 0: {zero:?}");
    nobody(s);
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

/// Another stage on the core as it is after a reset.
fn again(s: &mut Stage, scene: impl FnOnce(&mut Stage)) {
    let fresh = Stage::new(s.config);
    let old = std::mem::replace(s, fresh);
    let mut new = old.reset();
    scene(&mut new);
    *s = new;
}

#[test]
fn what_was_cached_before_a_reset_is_gone() {
    each(|s| {
        // few enough that the caches keep all of them, and more
        for count in [1, 2, 6] {
            let keys: Vec<Keys> = (0..count)
                .map(|n| s.region(&Spec::new(n << 13, 0x2000)))
                .collect();
            for k in &keys {
                s.lookup(k.read(0, 0x2000));
            }
            again(s, |s| {
                // the same indices, epochs and pages as before, in other frames
                nobody(s);
                for n in 0..50 {
                    s.plan(&Spec::new(n << 12, 0x1000));
                }
                for n in 0..count {
                    let k = s.region(&Spec::new(n << 13, 0x2000));
                    let got = s.lookup(k.read(0, 0x2000));
                    let right = got.granted()
                        && got.segments.len() == 2
                        && (0..2).all(|i| got.segments[i].1.pa == k.pa(i as u64 * 0x1000));
                    claim!(s, right, "region {n}: {got:?}");
                }
            });
        }
    });
}

#[test]
fn leases_and_tags_end_with_a_reset() {
    each(|s| {
        let k = s.region(&Spec::new(0x1000, 0x4000));
        let (ports, tags) = (s.p.ports as usize, 1 << s.p.tag_bits);
        // half of the tags hold a lease of a walk that has ended, half of one that has not
        s.keep_leases();
        for port in 0..ports {
            for n in 0..tags {
                if n == tags / 2 {
                    s.block(port, false, true);
                }
                let look = s.ask(port, k.read(n as u64 * 8, 0x3000));
                s.until("the verdict", |s| s.look(look).is_some_and(|l| l.granted()));
            }
        }
        s.run(60);
        again(s, |s| {
            for port in 0..ports {
                for tag in 0..tags {
                    claim!(s, s.take_tag(port, tag), "{tag} is free");
                    s.wrong_done(port, tag);
                }
            }
            s.settle();
            // one a cycle is counted
            s.run(ports as u64 * tags as u64);
            let unknown = s.counter("unknown_dma_done") as usize;
            claim!(s, unknown == ports * tags as usize, "{unknown} unknown");
            let k = s.region(&Spec::new(0x1000, 0x4000));
            let told = s.send(Body::Deregister {
                key: k.rkey,
                mode: Mode::Drain,
            });
            s.run(300);
            claim!(s, s.answered(told).is_some(), "nothing is waited for");
            let k = s.region(&Spec::flat(0x1000, 0x4000, 0));
            for n in 0..4 * ports * tags as usize {
                s.ask(n % ports, k.read(n as u64 % 64, 8));
            }
            s.settle();
            let good = s.seen().looks.iter().flatten().all(|l| l.granted());
            claim!(s, good, "no tag is in use");
        });
    });
}

#[test]
fn reset_in_every_part_of_a_deregistration() {
    each(|s| {
        for offset in 0..70 {
            let k = s.region(&Spec::new(0x1000, 0x1000));
            s.lookup(k.read(0, 8));
            s.icm(12);
            s.send(Body::Deregister {
                key: k.rkey,
                mode: Mode::ALL[offset as usize % Mode::ALL.len()],
            });
            s.run(offset);
            again(s, |s| {
                nobody(s);
                let k = s.region(&Spec::new(0x2000, 0x1000));
                claim!(s, s.lookup(k.read(0, 8)).granted(), "offset {offset}");
            });
        }
    });
}

#[test]
fn every_index_is_given_once_after_a_reset() {
    each(|s| {
        for ends in 0..4 {
            let all = (s.p.mrs as usize - 1).min(40);
            let keys: Vec<Keys> = (0..all as u64)
                .map(|n| s.region(&Spec::flat(n << 12, 0x1000, n << 12)))
                .collect();
            for k in keys.iter().take(ends * 3) {
                s.end(k, Mode::Cut);
            }
            again(s, |s| {
                let mut given = std::collections::BTreeSet::new();
                let keys: Vec<Keys> = (0..all as u64)
                    .map(|n| s.region(&Spec::flat(n << 12, 0x1000, n << 12)))
                    .collect();
                for k in &keys {
                    let index = s.p.index(k.rkey);
                    claim!(s, given.insert(index), "index {index} is given twice");
                    claim!(s, s.lookup(k.read(0, 8)).granted(), "index {index}");
                }
                for k in &keys {
                    s.end(k, Mode::Cut);
                }
            });
        }
    });
}

#[test]
fn credit_and_bursts_end_with_a_reset() {
    each(|s| {
        for offset in 0..60 {
            let k = s.region(&Spec::flat(0x1000, 0x1000, 0));
            // a port that is full of verdicts, and an entry on its way to a slow memory
            s.keep_leases();
            let owner = s.lookup(k.read(0, 8));
            s.block(0, true, false);
            for _ in 0..80 {
                let ask = Ask {
                    fixed_tag: true,
                    ..Ask::new(owner.lookup)
                };
                s.put(0, 0, ask);
            }
            s.run(60);
            s.bench.rig.side(Side::IcmReq).set(Shape::OneIn(7));
            s.send(Body::Register(k.spec.clone()));
            s.run(offset * 2);
            let fresh = Stage::new(s.config);
            let old = std::mem::replace(s, fresh);
            let mut new = Stage::bare(old.bench.engine, old.config, Surroundings::CALM);
            for n in 0..8 {
                let look = new.lookup(guess(n % 4, true));
                let bad = look.cause() == Some(Cause::BadKey);
                claim!(new, bad, "offset {offset}: before any command: {look:?}");
            }
            new.set_windows();
            *s = new;
        }
    });
}
