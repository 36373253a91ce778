// SPDX-License-Identifier: MIT OR Apache-2.0
//! The key cache and its misses.

use latchkey_testbench::bench::pattern::Shape;
use latchkey_testbench::bench::Side;
use latchkey_testbench::claim;
use latchkey_testbench::stage::{each, on, Keys, Spec, Stage};
use latchkey_testbench::trace::{Body, FlushScope, Lookup, Mode};

fn cold(s: &mut Stage, count: usize) -> Vec<Keys> {
    (0..count as u64)
        .map(|n| s.region(&Spec::flat(n << 12, 0x1000, n << 12)))
        .collect()
}

#[test]
fn hits_pass_waiting_misses() {
    each(|s| {
        let misses = s.p.misses as usize;
        let warm = s.region(&Spec::flat(0x1000, 0x1000, 0));
        let keys = cold(s, misses);
        let feed = |s: &mut Stage| {
            for n in 0..400 {
                s.ask(0, warm.read(n * 8 % 512, 8));
            }
            let before = s.seen().segments;
            s.run(350);
            s.seen().segments - before
        };
        s.lookup(warm.read(0, 8));
        let alone = feed(s);
        s.settle();
        s.icm(800);
        let looks: Vec<_> = keys.iter().map(|k| s.ask(1, k.read(0, 8))).collect();
        s.run(misses as u64 + 40);
        let beside = feed(s);
        claim!(
            s,
            looks
                .iter()
                .all(|l| s.look(*l).is_none_or(|l| l.verdict.is_none())),
            "every miss still waits"
        );
        claim!(
            s,
            beside * 10 >= alone * 9,
            "{alone} alone, {beside} beside {misses} misses"
        );
        s.settle();
        claim!(
            s,
            looks
                .iter()
                .all(|l| s.look(*l).is_some_and(|l| l.granted())),
            "all are answered"
        );
    });
}

#[test]
fn misses_of_one_line_merge() {
    each(|s| {
        let k = cold(s, 2).remove(1);
        s.icm(40);
        let reads = s.bench.rig.icm.reads;
        let looks: Vec<_> = (0..6)
            .map(|n| s.ask(n % 2, k.read(8 * n as u64, 8)))
            .collect();
        s.settle();
        claim!(
            s,
            looks
                .iter()
                .all(|l| s.look(*l).is_some_and(|l| l.granted())),
            "all are answered"
        );
        let counts = (
            s.bench.rig.icm.reads - reads,
            s.counter("misses"),
            s.counter("merges"),
        );
        claim!(s, counts == (1, 1, 5), "reads, misses, merges: {counts:?}");
    });
}

#[test]
fn waiters_of_a_line_ask_again_in_order() {
    each(|s| {
        let k = cold(s, 1).remove(0);
        s.icm(60);
        let looks: Vec<_> = (0..3).map(|n| s.ask(0, k.read(8 * n, 8))).collect();
        s.settle();
        let at: Vec<u64> = looks
            .iter()
            .map(|l| s.look(*l).and_then(|l| l.verdict).map_or(0, |(at, _)| at))
            .collect();
        claim!(s, at.windows(2).all(|w| w[0] < w[1]), "{at:?}");
    });
}

#[test]
fn more_misses_than_places_are_all_answered() {
    each(|s| {
        let most = ((1 << s.p.tag_bits) * 2).min(s.p.misses as usize + 6);
        let keys = cold(s, most);
        for latency in [1, 7, 90] {
            s.icm(latency);
            s.flush(0, FlushScope::Epoch);
            s.run(200);
            let looks: Vec<_> = keys
                .iter()
                .enumerate()
                .map(|(n, k)| s.ask(n % 2, k.read(0, 8)))
                .collect();
            s.settle();
            claim!(
                s,
                looks
                    .iter()
                    .all(|l| s.look(*l).is_some_and(|l| l.granted())),
                "latency {latency}"
            );
        }
    });
}

#[test]
fn a_refused_line_is_cached_too_and_dropped_by_the_next_command() {
    each(|s| {
        let k = cold(s, 1).remove(0);
        s.end(&k, Mode::Cut);
        s.lookup(k.read(0, 8));
        let reads = s.bench.rig.icm.reads;
        for _ in 0..5 {
            s.lookup(k.read(0, 8));
        }
        claim!(
            s,
            s.bench.rig.icm.reads == reads,
            "the retired line is cached"
        );
        let new = s.region(&Spec::flat(0x5000, 0x1000, 0));
        claim!(
            s,
            s.lookup(new.read(0, 8)).granted(),
            "and was dropped by the registration"
        );
    });
}

#[test]
fn a_registration_waits_for_no_flood_of_its_index() {
    each(|s| {
        let old = cold(s, 1).remove(0);
        s.end(&old, Mode::Cut);
        s.icm(25);
        for n in 0..600 {
            s.ask(n % 2, old.read(0, 8));
        }
        for _ in 0..4 {
            let new = s.region(&Spec::flat(0x5000, 0x1000, 0));
            s.end(&new, Mode::Cut);
        }
        s.settle();
    });
}

#[test]
fn waiters_of_dropped_fills_are_answered_at_last() {
    each(|s| {
        let k = cold(s, 1).remove(0);
        s.icm(30);
        for n in 0..30 {
            s.ask(n % 2, k.read(0, 8));
            s.send(Body::Flush {
                key: k.rkey,
                scope: if n % 3 == 0 {
                    FlushScope::Key
                } else {
                    FlushScope::WalkServed
                },
            });
            s.run(17);
        }
        s.settle();
        claim!(
            s,
            s.seen().looks.iter().flatten().all(Looked::granted_ok),
            "all granted"
        );
        let replays = s.counter("replays");
        claim!(s, replays >= 4, "{replays} asked again");
    });
}

trait Looked {
    fn granted_ok(&self) -> bool;
}

impl Looked for latchkey_testbench::stage::Looked {
    fn granted_ok(&self) -> bool {
        self.granted()
    }
}

#[test]
fn a_region_in_the_cache_is_not_read_again() {
    each(|s| {
        let lines = (s.p.lines / 2).min(8) as usize;
        let keys = cold(s, lines);
        for k in &keys {
            s.lookup(k.read(0, 8));
        }
        let reads = s.bench.rig.icm.reads;
        for n in 0..200 {
            let k = &keys[n * 5 % keys.len()];
            s.ask(n % 2, k.read(n as u64 % 64, 8));
        }
        s.settle();
        claim!(
            s,
            s.bench.rig.icm.reads == reads,
            "{} more reads",
            s.bench.rig.icm.reads - reads
        );
    });
}

#[test]
fn the_line_used_last_is_not_the_next_to_go() {
    each(|s| {
        let ways = if s.config == "tiny" { 2 } else { 8 };
        let sets = s.p.lines / ways;
        let mut set = Vec::new();
        for n in 0..sets * ways + 1 {
            let k = s.region(&Spec::flat(n << 12 & 0xff_f000, 0x1000, 0));
            if n % sets == 0 {
                set.push(k);
            }
            if set.len() as u64 == ways + 1 || s.p.mrs <= 16 && set.len() == 3 {
                break;
            }
        }
        for k in &set[..ways as usize] {
            s.lookup(k.read(0, 8));
        }
        for k in &set[ways as usize..] {
            s.lookup(set[0].read(0, 8));
            s.lookup(k.read(0, 8));
        }
        let reads = s.bench.rig.icm.reads;
        s.lookup(set[0].read(0, 8));
        claim!(
            s,
            s.bench.rig.icm.reads == reads,
            "the line used last was displaced"
        );
        claim!(
            s,
            s.lookup(Lookup {
                walk: false,
                ..set[0].read(0, 8)
            })
            .granted(),
            "and is right"
        );
    });
}

#[test]
fn a_fill_takes_an_empty_way_before_it_displaces_a_line() {
    on("tiny", |s| {
        // two ways: the one that is empty is not the one used longest ago
        let keys = cold(s, 9);
        let set = [&keys[0], &keys[4], &keys[8]];
        for first in [0, 1] {
            let (old, other) = (set[first], set[1 - first]);
            s.flush(0, FlushScope::WalkServed);
            for k in [set[0], set[1], old] {
                s.lookup(k.read(0, 8));
            }
            let before = s.counter("evictions");
            s.flush(old.rkey, FlushScope::Key);
            s.lookup(set[2].read(0, 8));
            let reads = s.bench.rig.icm.reads;
            s.lookup(other.read(0, 8));
            claim!(s, s.bench.rig.icm.reads == reads, "the other line stays");
            let evicted = s.counter("evictions") - before;
            claim!(s, evicted == 0, "{evicted} displaced beside an empty way");
        }
    });
}

#[test]
fn a_write_of_an_entry_is_one_transfer_among_misses() {
    each(|s| {
        // more keys than lines in their set (tiny), or a flush now and then: there is always a fetch that waits
        let keys = cold(s, 9);
        let walked = s.region(&Spec::new(0x1000, 0x8000));
        let mut open = None;
        for shape in [Shape::Always, Shape::OneIn(3), Shape::Random(100)] {
            s.bench.rig.side(Side::IcmReq).set(shape);
            let writes = s.bench.rig.icm.writes;
            for n in 0..60 {
                for at in 0..9 {
                    s.ask(at % 2, keys[(at * 4 + n) % 9].read(0, 8));
                }
                s.ask(0, walked.read(n as u64 % 8 * 0x1000, 8));
                let body = match open.take() {
                    Some(told) => Body::Deregister {
                        key: s.answer(told).rkey,
                        mode: Mode::Contract,
                    },
                    None => Body::Register(s.plan(&Spec::new(0x2000, 0x3000))),
                };
                let begins = matches!(body, Body::Register(_));
                let told = s.send(body);
                s.send(Body::Flush {
                    key: 0,
                    scope: FlushScope::WalkServed,
                });
                if begins {
                    open = Some(told);
                }
            }
            s.settle();
            let wrote = s.bench.rig.icm.writes - writes;
            claim!(s, wrote >= 120, "{wrote} entries and pages were written");
        }
    });
}

#[test]
fn a_waiter_whose_line_is_killed_again_and_again_is_answered() {
    each(|s| {
        let other = s.region(&Spec::flat(0x8000, 0x1000, 0));
        let k = cold(s, 1).remove(0);
        // the entry comes later than any command is done
        s.bench.rig.icm.slow = (s.p.misses, 400);
        let look = s.ask(0, k.read(0, 8));
        s.run(30);
        let first = s.send(Body::Deregister {
            key: k.rkey,
            mode: Mode::Contract,
        });
        let mut told = vec![first];
        for n in 0..40 {
            s.until("an answer", |s| s.answered(told[n]).is_some());
            let new = s.answered(told[n]).map_or(0, |(_, a)| a.rkey);
            let body = if n % 2 == 0 {
                Body::Register(s.plan(&Spec::flat(0x1000, 0x1000, 0)))
            } else {
                Body::Deregister {
                    key: new,
                    mode: Mode::Contract,
                }
            };
            told.push(s.send(body));
        }
        let last = s.answer(told[40]);
        claim!(
            s,
            last.code == latchkey_testbench::trace::Code::Ok,
            "{last:?}"
        );
        let at = s.look(look).and_then(|l| l.verdict).map(|(at, _)| at);
        let passed = told
            .iter()
            .filter(|t| {
                s.answered(**t)
                    .is_some_and(|(done, _)| at.is_none_or(|at| done < at))
            })
            .count();
        claim!(s, passed <= 20, "{passed} commands went before the lookup");
        s.bench.rig.icm.slow = (0, 0);
        claim!(s, s.lookup(other.read(0, 8)).granted(), "others live");
    });
}
