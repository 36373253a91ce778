// SPDX-License-Identifier: MIT OR Apache-2.0
//! The three modes, the time limit, quarantine.

use latchkey_testbench::claim;
use latchkey_testbench::stage::{each, on, Keys, Look, Spec, Stage, Told};
use latchkey_testbench::trace::{Body, Cause, Code, EventKind, Mode, SegStatus};

const MODES: [Mode; 3] = [Mode::Cut, Mode::Drain, Mode::Contract];

/// A walk of 8 pages that stands still because its port takes no segments, and a deregistration behind it.
fn stuck(s: &mut Stage, mode: Mode) -> (Keys, Look, Told) {
    let k = s.region(&Spec::new(0x1000, 0x8000));
    s.lookup(k.read(0, 0x8000));
    s.settle();
    s.keep_leases();
    s.block(0, false, true);
    let look = s.ask(0, k.read(0, 0x8000));
    s.until("the verdict", |s| s.look(look).is_some_and(|l| l.granted()));
    s.run(30);
    let told = s.send(Body::Deregister { key: k.lkey, mode });
    s.run(150);
    (k, look, told)
}

#[test]
fn no_segment_comes_behind_the_answer() {
    each(|s| {
        for mode in MODES {
            let (_, look, told) = stuck(s, mode);
            claim!(
                s,
                s.answered(told).is_none(),
                "{mode:?}: the walk still runs"
            );
            s.block(0, false, false);
            let walk = s.done(look);
            s.free_leases();
            s.answer(told);
            let answer = s.answered(told).map_or(0, |(at, _)| at);
            let last = walk.segments.last().map_or(0, |(at, _)| *at);
            claim!(
                s,
                last <= answer,
                "{mode:?}: last segment in {last}, answer in {answer}"
            );
        }
    });
}

#[test]
fn cut_and_contract_end_walks_and_drain_lets_them_run() {
    each(|s| {
        for mode in MODES {
            let (_, look, told) = stuck(s, mode);
            s.block(0, false, false);
            let walk = s.done(look);
            let cut = walk
                .segments
                .last()
                .is_some_and(|(_, g)| g.status == SegStatus::Cut);
            claim!(s, cut == (mode != Mode::Drain), "{mode:?}: {walk:?}");
            claim!(s, cut || walk.segments.len() == 8, "{mode:?}: {walk:?}");
            s.free_leases();
            s.answer(told);
        }
    });
}

#[test]
fn cut_and_drain_wait_for_leases_and_contract_does_not() {
    each(|s| {
        for mode in MODES {
            let k = s.region(&Spec::new(0x1000, 0x1000));
            s.keep_leases();
            s.lookup(k.read(0, 8));
            let told = s.send(Body::Deregister { key: k.rkey, mode });
            s.run(400);
            claim!(
                s,
                s.answered(told).is_some() == (mode == Mode::Contract),
                "{mode:?}"
            );
            s.free_leases();
            claim!(s, s.answer(told).code == Code::Ok, "{mode:?}");
            s.settle();
        }
    });
}

#[test]
fn every_lease_of_every_port_is_waited_for() {
    each(|s| {
        for port in 0..s.p.ports as usize {
            for tag in 0..1u16 << s.p.tag_bits {
                let k = s.region(&Spec::flat(0x1000, 0x1000, 0));
                s.keep_leases();
                let lookup = latchkey_testbench::trace::Lookup {
                    tag,
                    ..k.read(0, 8)
                };
                let look = s.put(
                    0,
                    port,
                    latchkey_testbench::bench::Ask {
                        fixed_tag: true,
                        ..latchkey_testbench::bench::Ask::new(lookup)
                    },
                );
                s.done(look);
                let told = s.send(Body::Deregister {
                    key: k.rkey,
                    mode: Mode::Drain,
                });
                s.run(350);
                claim!(
                    s,
                    s.answered(told).is_none(),
                    "port {port}, tag {tag}: the lease is held"
                );
                s.free_leases();
                s.answer(told);
                s.settle();
            }
        }
    });
}

#[test]
fn leases_of_another_region_or_another_life_do_not_count() {
    each(|s| {
        let (a, b) = (
            s.region(&Spec::flat(0x1000, 0x1000, 0)),
            s.region(&Spec::flat(0x2000, 0x1000, 0)),
        );
        s.keep_leases();
        s.lookup(a.read(0, 8));
        claim!(
            s,
            s.end(&b, Mode::Cut).code == Code::Ok,
            "only the leases of the region itself"
        );
        s.end(&a, Mode::Contract);
        let c = s.region(&Spec::flat(0x1000, 0x1000, 0x3000));
        claim!(
            s,
            s.p.index(c.rkey) == s.p.index(a.rkey),
            "the index comes back"
        );
        claim!(
            s,
            s.end(&c, Mode::Drain).code == Code::Ok,
            "a lease of the life before does not count"
        );
        s.free_leases();
        s.settle();
    });
}

#[test]
fn an_overdue_drain_is_answered_told_and_put_in_quarantine() {
    on("tiny", |s| {
        let k = s.region(&Spec::flat(0x1000, 0x1000, 0));
        s.keep_leases();
        s.lookup(k.read(0, 8));
        let from = s.now();
        let answer = s.end(&k, Mode::Cut);
        claim!(s, answer.code == Code::Overdue, "{answer:?}");
        let took = s.now() - from;
        claim!(s, (1024..1500).contains(&took), "after {took} cycles");
        s.run(20);
        claim!(
            s,
            s.seen()
                .events
                .iter()
                .any(|(_, e)| e.kind == EventKind::DrainOverdue),
            "an event says so"
        );
        let count = s.counter("overdue");
        claim!(s, count == 1, "{count} counted");
        let dead = s.lookup_on(1, k.read(0, 8));
        claim!(s, dead.cause() == Some(Cause::StaleKey), "{dead:?}");
        s.free_leases();
        s.settle();
        for n in 0..14 {
            let other = s.region(&Spec::flat(0x1000 * n, 0x1000, 0));
            claim!(
                s,
                s.p.index(other.rkey) != s.p.index(k.rkey),
                "the index stays in quarantine"
            );
        }
        let full = s.plan(&Spec::flat(0, 0x1000, 0));
        claim!(
            s,
            s.try_register(full) == Code::NoSpace,
            "14 of 15 are all there are"
        );
    });
}

#[test]
fn stale_and_bad_keys_are_told_apart() {
    each(|s| {
        let k = s.region(&Spec::flat(0x1000, 0x1000, 0));
        let index = s.p.index(k.rkey);
        let code = |s: &mut Stage, key| {
            s.tell(Body::Deregister {
                key,
                mode: Mode::Cut,
            })
            .code
        };
        claim!(s, code(s, 0) == Code::BadKey, "index 0");
        claim!(s, code(s, (index + 1) << 8) == Code::BadKey, "never used");
        for bit in (0..8).chain(8 + s.p.index_bits..32) {
            let key = k.rkey ^ 1 << bit;
            claim!(
                s,
                key == k.lkey || code(s, key) == Code::StaleKey,
                "bit {bit} wrong"
            );
        }
        claim!(s, s.lookup(k.read(0, 8)).granted(), "nothing was changed");
        claim!(s, code(s, k.lkey) == Code::Ok, "either key");
        claim!(s, code(s, k.lkey) == Code::StaleKey, "not twice");
        claim!(
            s,
            s.flush(k.lkey, latchkey_testbench::trace::FlushScope::Key) == Code::StaleKey,
            "flush of a dead key"
        );
    });
}

#[test]
fn walks_of_others_are_not_cut_and_every_parked_command_cuts_its_own() {
    each(|s| {
        // two regions whose walks stand still at their ports, a third one beside them
        let all: Vec<Keys> = (0..3)
            .map(|n| s.region(&Spec::new(0x1000 + (n << 16), 0x8000)))
            .collect();
        for k in &all {
            s.lookup(k.read(0, 0x8000));
        }
        s.settle();
        s.keep_leases();
        let held = s.lookup_on(1, all[0].read(0, 8));
        claim!(s, held.granted(), "a lease that is kept");
        s.block(0, false, true);
        s.block(1, false, true);
        let looks = [
            s.ask(0, all[1].read(0, 0x8000)),
            s.ask(1, all[2].read(0, 0x8000)),
        ];
        for look in looks {
            s.until("a verdict", |s| s.look(look).is_some_and(|l| l.granted()));
        }
        s.run(30);
        let told: Vec<Told> = (0..2)
            .map(|n| {
                s.send(Body::Deregister {
                    key: all[n].rkey,
                    mode: Mode::Cut,
                })
            })
            .collect();
        s.run(300);
        s.block(0, false, false);
        s.block(1, false, false);
        let walks = looks.map(|look| s.done(look));
        let cut = walks.each_ref().map(|w| {
            w.segments
                .last()
                .is_some_and(|(_, g)| g.status == SegStatus::Cut)
        });
        claim!(s, cut == [true, false], "{cut:?}: {walks:?}");
        s.free_leases();
        for t in told {
            claim!(s, s.answer(t).code == Code::Ok, "answered");
        }
    });
}
