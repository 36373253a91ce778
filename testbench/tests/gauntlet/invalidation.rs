// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys that end while somebody uses them.

use latchkey_testbench::claim;
use latchkey_testbench::stage::{each, Spec, Stage};
use latchkey_testbench::trace::{Body, Cause, FlushScope, Mode};

const MODES: [Mode; 3] = [Mode::Cut, Mode::Drain, Mode::Contract];

/// A lookup `offset` cycles behind the offer of a deregistration; granted?
fn behind(s: &mut Stage, mode: Mode, offset: u64, cold: bool) -> bool {
    let k = s.region(&Spec::new(0x1000, 0x3000));
    if !cold {
        s.lookup(k.read(0, 8));
    }
    let from = s.now() + 1;
    let told = s.tell_at(from, Body::Deregister { key: k.lkey, mode });
    let look = s.ask_at(from + offset, 0, k.read(0xff0, 0x1800));
    s.answer(told);
    let late = s.lookup(k.read(0, 8));
    claim!(
        s,
        late.cause() == Some(Cause::StaleKey),
        "behind the answer: {late:?}"
    );
    let got = s.done(look);
    claim!(
        s,
        got.granted() || got.cause() == Some(Cause::StaleKey),
        "before or after, nothing else: {got:?}"
    );
    got.granted()
}

#[test]
fn lookup_at_every_distance_behind_a_deregister() {
    each(|s| {
        for mode in MODES {
            let all: Vec<bool> = (0..70)
                .map(|offset| behind(s, mode, offset, false))
                .collect();
            claim!(
                s,
                all[0] && !all[69],
                "{mode:?}: the first is before, the last is behind it: {all:?}"
            );
            let turns = all.windows(2).filter(|w| w[0] != w[1]).count();
            claim!(s, turns == 1, "{mode:?}: one moment of change: {all:?}");
        }
    });
}

#[test]
fn refill_that_arrives_after_the_invalidation() {
    each(|s| {
        for latency in [1, 9, 40] {
            s.icm(latency);
            for offset in 0..4 * u64::from(latency) + 30 {
                behind(s, MODES[offset as usize % 3], offset, true);
            }
        }
        let dropped = s.counter("dropped_fills");
        claim!(s, dropped > 0, "a fill was under way when the kill passed");
    });
}

#[test]
fn refill_that_arrives_after_the_publication_of_a_new_region() {
    each(|s| {
        // the fetch keeps order with the command's own reads and writes, or comes so much later
        for (latency, slow) in [(3, 0), (3, 1), (3, 3), (3, 7), (3, 12), (30, 0)] {
            s.icm(latency);
            s.bench.rig.icm.slow = (if slow > 0 { s.p.misses } else { 0 }, slow);
            for offset in 0..6 * u64::from(latency) + 60 {
                let old = s.region(&Spec::new(0x1000, 0x1000));
                s.end(&old, Mode::Cut);
                let from = s.now() + 1;
                let body = s.plan(&Spec::new(0x2000, 0x1000));
                let told = s.tell_at(from, Body::Register(body.clone()));
                let probe = s.ask_at(from + offset, 0, old.read(0, 8));
                let answer = s.answer(told);
                let new = latchkey_testbench::stage::Keys::of(&answer, body);
                let got = s.lookup(new.read(0, 8));
                claim!(
                    s,
                    got.granted(),
                    "offset {offset}: published, so it is there: {got:?}"
                );
                s.done(probe);
                s.end(&new, Mode::Cut);
            }
        }
    });
}

#[test]
fn lookups_in_every_cycle_around_a_deregister() {
    each(|s| {
        let ports = s.p.ports as usize;
        for offset in 0..24 {
            let k = s.region(&Spec::flat(0x1000, 0x1000, 0x7000));
            s.lookup(k.read(0, 8));
            let from = s.now() + 1;
            let told = s.tell_at(
                from,
                Body::Deregister {
                    key: k.rkey,
                    mode: Mode::Cut,
                },
            );
            for n in 0..3 * ports as u64 {
                s.ask_at(from + offset + n, n as usize % ports, k.read(n, 8));
            }
            s.answer(told);
            s.settle();
        }
    });
}

#[test]
fn reregistered_three_times_with_lookups_between() {
    each(|s| {
        let mut old = Vec::new();
        for n in 0..3u64 {
            let k = s.region(&Spec::new(0x1000, 0x2000));
            let got = s.lookup(k.read(0xff8, 16));
            claim!(
                s,
                got.granted() && got.segments[0].1.pa == k.pa(0xff8),
                "life {n}: {got:?}"
            );
            for (key, _) in &old {
                let got = s.lookup(latchkey_testbench::trace::Lookup {
                    key: *key,
                    ..k.read(0, 8)
                });
                claim!(
                    s,
                    got.cause() == Some(Cause::StaleKey),
                    "life {n}, an older key: {got:?}"
                );
            }
            if let Some((key, _)) = old.last() {
                claim!(
                    s,
                    s.p.index(*key) == s.p.index(k.rkey),
                    "the same index again"
                );
            }
            old.push((k.rkey, n));
            s.end(&k, MODES[n as usize]);
        }
    });
}

#[test]
fn two_misses_of_one_key_make_one_read() {
    each(|s| {
        let k = s.region(&Spec::flat(0x1000, 0x1000, 0x9000));
        s.icm(30);
        let (reads, merges) = (s.bench.rig.icm.reads, s.counter("merges"));
        let looks = [s.ask(0, k.read(0, 8)), s.ask(1, k.read(8, 8))];
        for look in looks {
            let got = s.done(look);
            claim!(s, got.granted(), "{got:?}");
        }
        claim!(s, s.bench.rig.icm.reads == reads + 1, "one read");
        let now = s.counter("merges");
        claim!(s, now == merges + 1, "one merged");
    });
}

#[test]
fn a_fill_in_flight_does_not_survive_a_flush() {
    each(|s| {
        let k = s.region(&Spec::flat(0x1000, 0x1000, 0x9000));
        let sets = if s.config == "tiny" { 4 } else { 512 };
        for scope in FlushScope::ALL {
            // the flush of one key reads its entry first; the others look at no key, so they are told of index 0
            let key = if *scope == FlushScope::Key { k.rkey } else { 0 };
            // a walk comes to the set of the line at its end
            let from = s.now();
            s.flush(key, *scope);
            let took = s.now() - from;
            s.icm(took.clamp(20, 1_500) as u16);
            let before = s.counter("dropped_fills");
            for offset in 0..90 {
                s.flush(k.rkey, FlushScope::Key);
                if *scope == FlushScope::Epoch {
                    // it waits for the sweep behind the last one
                    s.run(sets + 40);
                }
                let from = s.now() + 1;
                let look = s.ask_at(from + 35, 0, k.read(0, 8));
                let told = s.tell_at(from + offset, Body::Flush { key, scope: *scope });
                s.answer(told);
                let got = s.done(look);
                claim!(s, got.granted(), "{scope:?}, offset {offset}: {got:?}");
            }
            let dropped = s.counter("dropped_fills") - before;
            claim!(s, dropped >= 10, "{scope:?}: {dropped} fills dropped");
        }
    });
}

#[test]
fn waiters_of_a_line_that_is_flushed_while_they_ask_again() {
    each(|s| {
        let ports = s.p.ports as usize;
        let k = s.region(&Spec::flat(0x1000, 0x1000, 0x9000));
        s.icm(6);
        let sets = if s.config == "tiny" { 4 } else { 512 };
        for scope in FlushScope::ALL {
            let key = if *scope == FlushScope::Key { k.rkey } else { 0 };
            let reads = s.bench.rig.icm.reads;
            for offset in 0..90 {
                s.flush(k.rkey, FlushScope::Key);
                if *scope == FlushScope::Epoch {
                    s.run(sets + 40);
                }
                let from = s.now() + 1;
                for n in 0..3 * ports {
                    s.ask_at(from, n % ports, k.read(n as u64 * 8, 8));
                }
                let told = s.tell_at(from + offset, Body::Flush { key, scope: *scope });
                s.answer(told);
                s.settle();
            }
            let reads = s.bench.rig.icm.reads - reads;
            claim!(s, reads > 90, "{scope:?}: {reads} reads");
        }
        let good = s.seen().looks.iter().flatten().all(|l| l.granted());
        claim!(s, good, "all are granted");
    });
}

#[test]
fn a_lookup_behind_a_retirement_is_refused_before_the_entry_is_written() {
    each(|s| {
        let k = s.region(&Spec::flat(0x1000, 0x1000, 0x9000));
        s.lookup(k.read(0, 8));
        s.icm(300);
        let told = s.send(Body::Deregister {
            key: k.rkey,
            mode: Mode::Cut,
        });
        let (mut looks, ports) = (Vec::new(), s.p.ports as usize);
        while s.answered(told).is_none() {
            looks.push(s.ask(looks.len() % ports, k.read(0, 8)));
            s.run(10);
        }
        s.settle();
        let refused: Vec<u64> = looks
            .iter()
            .filter_map(|l| s.look(*l))
            .filter(|l| !l.granted())
            .map(|l| l.latency())
            .collect();
        let quick = refused.iter().position(|cycles| *cycles > 30);
        claim!(
            s,
            quick.unwrap_or(refused.len()) >= 20,
            "the first refusals waited for the memory: {refused:?}"
        );
    });
}

#[test]
fn lookups_of_others_beside_a_deregistration() {
    each(|s| {
        let ports = s.p.ports as usize;
        let other = s.region(&Spec::new(0x8000, 0x1000));
        s.lookup(other.read(0, 8));
        for mode in MODES {
            let k = s.region(&Spec::flat(0x1000, 0x1000, 0x9000));
            s.lookup(k.read(0, 8));
            let told = s.send(Body::Deregister { key: k.rkey, mode });
            let mut looks = Vec::new();
            while s.answered(told).is_none() {
                looks.push(s.ask(looks.len() % ports, other.read(0, 8)));
                s.run(2);
            }
            s.settle();
            let good = looks
                .iter()
                .all(|l| s.look(*l).is_some_and(|l| l.granted()));
            claim!(s, good, "{mode:?}: another region was refused");
        }
    });
}
