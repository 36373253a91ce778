// SPDX-License-Identifier: MIT OR Apache-2.0
//! Flushes: what they drop, what they cost.

use latchkey_testbench::bench::pattern::Shape;
use latchkey_testbench::bench::{Ask, Side};
use latchkey_testbench::claim;
use latchkey_testbench::stage::{each, on, Keys, Spec, Stage};
use latchkey_testbench::trace::{Body, Code, FlushScope, Lookup, Mode};

const SCOPES: [FlushScope; 4] = [
    FlushScope::Key,
    FlushScope::Epoch,
    FlushScope::WalkServed,
    FlushScope::WalkHeld,
];

fn warm(s: &mut Stage, count: u64) -> Vec<Keys> {
    let keys: Vec<Keys> = (0..count)
        .map(|n| s.region(&Spec::flat(n << 12, 0x1000, n << 12)))
        .collect();
    for k in &keys {
        s.lookup(k.read(0, 8));
    }
    keys
}

/// Is the key in the cache? (It is afterwards.)
fn cached(s: &mut Stage, k: &Keys) -> bool {
    let reads = s.bench.rig.icm.reads;
    s.lookup(k.read(0, 8));
    s.bench.rig.icm.reads == reads
}

#[test]
fn each_scope_drops_what_it_names() {
    each(|s| {
        let keys = warm(s, 6);
        for scope in SCOPES {
            claim!(s, keys.iter().all(|k| cached(s, k)), "before {scope:?}");
            claim!(s, s.flush(keys[2].lkey, scope) == Code::Ok, "{scope:?}");
            for (n, k) in keys.iter().enumerate() {
                let stays = scope == FlushScope::Key && n != 2;
                claim!(s, cached(s, k) == stays, "{scope:?}: key {n}");
            }
        }
        let flushes = s.counter("flushes");
        claim!(s, flushes == 4, "{flushes} counted");
    });
}

#[test]
fn two_epoch_flushes_in_a_row_bring_nothing_back() {
    each(|s| {
        let keys = warm(s, 6);
        for rounds in [2, 3, 2, 4] {
            let told: Vec<_> = (0..rounds)
                .map(|_| {
                    s.send(Body::Flush {
                        key: 0,
                        scope: FlushScope::Epoch,
                    })
                })
                .collect();
            for t in told {
                claim!(s, s.answer(t).code == Code::Ok, "answered");
            }
            for k in &keys {
                claim!(s, !cached(s, k), "behind {rounds} flushes");
            }
            claim!(s, keys.iter().all(|k| cached(s, k)), "warm again");
        }
    });
}

/// Every slot of the pipe is asked for: a tag that is leased is used again and again, which needs no credit but that of the verdict.
fn flood(s: &mut Stage, k: &Keys, each: u64) {
    s.keep_leases();
    for port in 0..s.p.ports as usize {
        let owner = s.lookup_on(port, k.read(0, 8));
        for _ in 0..each {
            s.put(
                0,
                port,
                Ask {
                    fixed_tag: true,
                    ..Ask::new(owner.lookup)
                },
            );
        }
    }
    s.run(60);
}

#[test]
fn an_epoch_flush_waits_for_the_sweep_under_load() {
    each(|s| {
        let keys = warm(s, 6);
        let sets = if s.config == "tiny" { 4 } else { 512 };
        flood(s, &keys[0], 400 + 20 * sets);
        let (from, before) = (s.now(), s.bench.rig.counts.verdicts);
        let flush = Body::Flush {
            key: 0,
            scope: FlushScope::Epoch,
        };
        let first = s.send(flush.clone());
        let second = s.send(flush);
        s.answer(first);
        s.answer(second);
        let (cycles, slots) = (s.now() - from, s.bench.rig.counts.verdicts - before);
        claim!(
            s,
            slots + sets + 8 >= cycles,
            "no slot was idle: {slots} in {cycles} cycles"
        );
        claim!(
            s,
            cycles <= 17 * sets + 120,
            "one slot in 16 for the sweep of {sets} sets: {cycles} cycles"
        );
        claim!(s, cycles >= 15 * sets, "{cycles} cycles, {sets} sets");
        s.free_leases();
        s.until("the load", |s| s.bench.rig.quiet());
        for k in &keys[1..] {
            claim!(s, !cached(s, k), "nothing came back");
        }
    });
}

/// Lookups answered in `cycles` while all ports ask for key 0, which needs no line, and a command is sent.
fn slots(s: &mut Stage, cycles: u64, body: Option<Body>) -> u64 {
    let ports = s.p.ports as usize;
    let any = Lookup::read(1, 0, 0, 8);
    for n in 0..cycles as usize * 2 {
        s.ask(n % ports, any);
    }
    s.run(40);
    let before = s.bench.rig.counts.verdicts;
    let told = body.map(|b| s.send(b));
    s.run(cycles - 40);
    let seen = s.bench.rig.counts.verdicts - before;
    s.until("the load", |s| s.bench.rig.quiet());
    if let Some(told) = told {
        claim!(s, s.answer(told).code == Code::Ok, "answered");
    }
    seen
}

#[test]
fn key_and_epoch_take_one_slot_and_a_held_walk_is_counted() {
    each(|s| {
        let k = warm(s, 1).remove(0);
        let flush = |scope| Some(Body::Flush { key: k.rkey, scope });
        let base = slots(s, 600, None);
        let key = slots(s, 600, flush(FlushScope::Key));
        claim!(s, base - key <= 1, "one key: {base} without, {key} with");
        let epoch = slots(s, 600, flush(FlushScope::Epoch));
        claim!(
            s,
            base - epoch <= 1 + 600 / 16,
            "epoch and its sweep: {base} without, {epoch} with"
        );
        let held = s.counter("held_slots");
        claim!(s, held == 0, "{held} held by key and epoch");
        let served = slots(s, 600, flush(FlushScope::WalkServed));
        let sets = if s.config == "tiny" { 4 } else { 512 };
        claim!(
            s,
            base - served <= sets,
            "served walk: {base} without, {served} with"
        );
        let held = s.counter("held_slots");
        claim!(s, held == 0, "{held} held by a served walk");
        let base = slots(s, 3000, None);
        let walk = slots(s, 3000, flush(FlushScope::WalkHeld));
        let held = s.counter("held_slots");
        claim!(
            s,
            walk + held / 2 <= base,
            "a held walk holds: {base} without, {walk} with, {held} counted"
        );
        claim!(
            s,
            held >= sets / 2,
            "{held} held by a held walk of {sets} sets"
        );
    });
}

#[test]
fn lookups_go_on_during_a_served_walk() {
    each(|s| {
        let keys = warm(s, 4);
        for scope in SCOPES {
            for offset in 0..20 {
                let from = s.now() + 1;
                let told = s.tell_at(
                    from,
                    Body::Flush {
                        key: keys[0].rkey,
                        scope,
                    },
                );
                for (n, k) in keys.iter().enumerate() {
                    s.ask_at(from + offset + n as u64, n % 2, k.read(8, 8));
                }
                s.answer(told);
                s.settle();
            }
        }
        claim!(
            s,
            s.seen().looks.iter().flatten().all(|l| l.granted()),
            "no flush can be seen"
        );
    });
}

#[test]
fn flush_of_a_key_that_is_not_right() {
    each(|s| {
        let k = warm(s, 1).remove(0);
        claim!(s, s.flush(0, FlushScope::Key) == Code::BadKey, "index 0");
        claim!(
            s,
            s.flush(k.rkey ^ 0x40, FlushScope::Key) == Code::StaleKey,
            "another key"
        );
        claim!(s, cached(s, &k), "nothing was dropped");
    });
}

/// A burst of one port in successive slots around a command; the latencies in order of the requests.
fn burst(s: &mut Stage, k: &Keys, offset: u64, body: Body) -> Vec<u64> {
    let from = s.now() + 1;
    let told = s.tell_at(from + 8, body);
    let looks: Vec<_> = (0..4)
        .map(|n| {
            s.ask_at(
                from + offset,
                0,
                Lookup {
                    walk: false,
                    ..k.read(n, 8)
                },
            )
        })
        .collect();
    s.answer(told);
    s.settle();
    looks
        .iter()
        .filter_map(|l| s.look(*l))
        .map(|l| l.latency())
        .collect()
}

#[test]
fn no_lookup_behind_a_kill_hits_the_old_line() {
    each(|s| {
        let keys = warm(s, 2);
        s.icm(60);
        for scope in [FlushScope::Key, FlushScope::Epoch] {
            // the flush of a key reads its entry before it takes its slot
            let mut split = [false; 5];
            for offset in 0..if scope == FlushScope::Key { 120 } else { 40 } {
                s.lookup(keys[0].read(0, 8));
                s.settle();
                if scope == FlushScope::Epoch {
                    // it waits for the sweep behind the last one
                    s.run(if s.config == "tiny" { 40 } else { 560 });
                }
                let all = burst(
                    s,
                    &keys[0],
                    offset,
                    Body::Flush {
                        key: keys[0].rkey,
                        scope,
                    },
                );
                let first = all.iter().position(|l| *l > 40).unwrap_or(all.len());
                split[first] = true;
                claim!(
                    s,
                    all[first..].iter().all(|l| *l > 30),
                    "{scope:?}, offset {offset}: {all:?}"
                );
            }
            claim!(
                s,
                split == [true; 5],
                "{scope:?}: the kill was met before every one of four: {split:?}"
            );
        }
    });
}

#[test]
fn lookups_in_every_slot_around_a_fill() {
    each(|s| {
        let ports = s.p.ports as usize;
        for shape in [Shape::Always, Shape::OneIn(3), Shape::OneIn(7)] {
            s.bench.rig.side(Side::IcmRsp).set(shape);
            for latency in [3, 11] {
                s.icm(latency);
                for offset in 0..60 {
                    // the place of the line holds an earlier life of the same index, other in every field
                    let n = offset % 8;
                    let spec = Spec::flat(0x1000 + n * 0x3000, 0x1000 + n * 0x100, n << 12);
                    let k = s.region(&spec.pd(1 + (n % 2) as u32));
                    let from = s.now() + 1;
                    s.ask_at(from, 0, k.read(0xff0, 16));
                    for n in 0..3 * ports as u64 {
                        let l = k.read(0xff0 - n % 2 * 0xff0, 16);
                        s.ask_at(from + offset + n / 2, n as usize % ports, l);
                    }
                    s.settle();
                    s.end(&k, Mode::Cut);
                }
            }
        }
        let good = s.seen().looks.iter().flatten().all(|l| l.granted());
        claim!(s, good, "all are granted");
    });
}

/// Flushes one behind the other while one lookup, whose line is not cached, waits: how many end before it is answered.
fn flushes_met(s: &mut Stage, k: &Keys, scope: FlushScope) -> u64 {
    let flush = Body::Flush { key: k.lkey, scope };
    s.flush(0, FlushScope::Epoch);
    let mut told: Vec<_> = (0..3).map(|_| s.send(flush.clone())).collect();
    s.answer(told[0]);
    let (look, mut met) = (s.ask(0, k.read(0, 8)), 0);
    while met < 100 && s.look(look).is_none_or(|l| l.verdict.is_none()) {
        if s.answered(told[0]).is_some() {
            told.remove(0);
            told.push(s.send(flush.clone()));
            met += u64::from(s.look(look).is_some());
        }
        s.step();
    }
    for left in told {
        s.answer(left);
    }
    s.settle();
    met
}

#[test]
fn flushes_without_end_starve_no_lookup() {
    let scene = |s: &mut Stage| {
        let k = s.region(&Spec::flat(0x1000, 0x1000, 0x4000));
        for cycles in [2, 8, 24] {
            s.icm(cycles);
            for scope in SCOPES {
                let met = flushes_met(s, &k, scope);
                // three rounds are sent back, each may meet some of them; then they wait for it. Without that they go on for ever
                claim!(
                    s,
                    met <= 12,
                    "{scope:?}, memory of {cycles} cycles: {met} flushes"
                );
            }
        }
    };
    on("tiny", scene);
    on("life", scene);
}
