// SPDX-License-Identifier: MIT OR Apache-2.0
//! Map epochs: what was cached of an earlier life is never seen again, not even when its number comes round.

use latchkey_testbench::bench::Params;
use latchkey_testbench::claim;
use latchkey_testbench::stage::{each, on, Spec, Stage};
use latchkey_testbench::trace::Mode;

/// Lives until an epoch comes round; the ones between leave no trace in the cache.
fn round(s: &mut Stage, lives: u64) {
    let mode = |n: u64| [Mode::Cut, Mode::Contract, Mode::Drain][n as usize % 3];
    for n in 0..lives {
        let k = s.region(&Spec::new(0x1000, 0x1000));
        if n == 0 || n + 1 == lives {
            let got = s.lookup(k.read(0x10, 8));
            claim!(
                s,
                got.granted() && got.segments[0].1.pa == k.pa(0x10),
                "life {n}: {got:?}"
            );
        }
        s.end(&k, mode(n));
    }
}

fn epochs(s: &Stage) -> u64 {
    if s.config == "tiny" {
        4
    } else {
        256
    }
}

#[test]
fn a_translation_of_a_life_whose_epoch_came_round_is_not_seen() {
    each(|s| {
        let all = epochs(s);
        let rounds = if all > 4 { 2 } else { 12 };
        for _ in 0..rounds {
            round(s, all + 1);
        }
        let sweeps = s.counter("mtt_sweeps");
        claim!(s, sweeps >= rounds, "{sweeps} sweeps");
    });
}

#[test]
fn the_next_life_does_not_see_the_pages_of_the_last() {
    each(|s| {
        for n in 0..12 {
            let k = s.region(&Spec::new(0x1000, 0x3000));
            let got = s.lookup(k.read(0, 0x3000));
            let pages = got
                .segments
                .iter()
                .enumerate()
                .all(|(i, (_, g))| g.pa == k.pa(i as u64 * 4096));
            claim!(s, got.segments.len() == 3 && pages, "life {n}: {got:?}");
            s.end(&k, Mode::Cut);
        }
        // every life had an epoch of its own: a sweep is owed only where the number comes round
        let (sweeps, owed) = (s.counter("mtt_sweeps"), 12 / epochs(s));
        claim!(s, sweeps == owed, "{sweeps} sweeps, {owed} owed");
    });
}

#[test]
fn a_sweep_leaves_other_regions_alone_and_holds_no_walk() {
    each(|s| {
        let other = s.region(&Spec::new(0x8000, 0x4000));
        s.lookup(other.read(0, 0x4000));
        for _ in 0..2 * epochs(s).min(8) {
            let k = s.region(&Spec::new(0x1000, 0x1000));
            let told = s.send(latchkey_testbench::trace::Body::Deregister {
                key: k.rkey,
                mode: Mode::Cut,
            });
            for n in 0..6 {
                s.ask(n % 2, other.read(n as u64 * 0x800, 0x800));
            }
            s.answer(told);
            s.settle();
        }
        let p: &Params = &s.p;
        claim!(s, p.mtt_bits > 0, "walked");
    });
}

#[test]
fn a_page_that_was_under_way_when_its_region_ended_is_dropped() {
    each(|s| {
        for latency in [5, 60] {
            s.icm(latency);
            for offset in 0..3 * u64::from(latency) + 40 {
                let k = s.region(&Spec::new(0x1000, 0x2000));
                let from = s.now() + 1;
                let look = s.ask_at(from, 0, k.read(0, 0x2000));
                let body = latchkey_testbench::trace::Body::Deregister {
                    key: k.rkey,
                    mode: Mode::Cut,
                };
                let told = s.tell_at(from + offset, body);
                s.answer(told);
                s.done(look);
            }
        }
        let dropped = s.counter("mtt_dropped_fills");
        claim!(s, dropped > 0, "a page was under way");
    });
}

#[test]
fn a_sweep_goes_on_under_walks_that_leave_no_slot() {
    on("tiny", |s| {
        let walked = s.region(&Spec::new(0x8000, 0x8000));
        s.lookup(walked.read(0, 0x8000));
        for n in 0..1500 {
            s.ask(n % 2, walked.read(0, 0x8000));
        }
        s.run(100);
        let (from, before) = (s.now(), s.seen().segments);
        for n in 0..8 {
            let k = s.region(&Spec::flat(0x1000, 0x1000, 0));
            let told = s.send(latchkey_testbench::trace::Body::Deregister {
                key: k.rkey,
                mode: Mode::Contract,
            });
            s.answer(told);
            let (cycles, segments) = (s.now() - from, s.seen().segments - before);
            claim!(
                s,
                segments + 40 * (n + 1) >= cycles,
                "no slot was idle: {segments} in {cycles}"
            );
        }
        let cycles = s.now() - from;
        claim!(s, cycles < 4000, "eight lives took {cycles} cycles");
        let sweeps = s.counter("mtt_sweeps");
        claim!(s, sweeps == 2, "{sweeps} sweeps");
    });
}

#[test]
fn a_page_that_comes_after_the_sweep_is_not_there_when_its_epoch_is_back() {
    each(|s| {
        let all = epochs(s);
        let life = |s: &mut Stage| s.region(&Spec::new(0x1000, 0x1000));
        for _ in 0..all - 1 {
            let k = life(s);
            s.end(&k, Mode::Cut);
        }
        // the last life before the sweep: its page is fetched, and comes when everything is over
        let k = life(s);
        s.lookup(latchkey_testbench::trace::Lookup {
            walk: false,
            ..k.read(0, 8)
        });
        s.bench.rig.icm.slow = (s.p.misses + s.p.ports, 1_800);
        let look = s.ask(0, k.read(0, 8));
        s.until("the verdict", |s| s.look(look).is_some_and(|l| l.granted()));
        s.run(20);
        let from = s.now();
        s.end(&k, Mode::Cut);
        let took = s.now() - from;
        claim!(s, took < 1_700, "the sweep took {took} cycles");
        s.bench.rig.icm.slow = (0, 0);
        s.run(2_000);
        for _ in 0..all - 1 {
            let k = life(s);
            s.end(&k, Mode::Cut);
        }
        let k = life(s);
        let got = s.lookup(k.read(0x10, 8));
        let pa = got.pa();
        claim!(s, pa == Some(k.pa(0x10)), "{got:?}");
    });
}
