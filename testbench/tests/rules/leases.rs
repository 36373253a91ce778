// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tags, leases, `dma_done`.

use latchkey_testbench::bench::Ask;
use latchkey_testbench::claim;
use latchkey_testbench::stage::{each, Look, Spec, Stage};
use latchkey_testbench::trace::{Body, Cause, Class, EventKind, Lookup, Mode, Op, SegStatus};

fn events(s: &Stage, kind: EventKind) -> usize {
    s.seen()
        .events
        .iter()
        .filter(|(_, e)| e.kind == kind)
        .count()
}

fn again(s: &mut Stage, owner: Look, lookup: Lookup) -> Look {
    let tag = s.look(owner).map_or(0, |l| l.lookup.tag);
    let lookup = Lookup { tag, ..lookup };
    s.put(
        0,
        owner.0,
        Ask {
            fixed_tag: true,
            ..Ask::new(lookup)
        },
    )
}

#[test]
fn a_tag_in_use_is_refused_and_its_owner_not_disturbed() {
    each(|s| {
        let k = s.region(&Spec::new(0x1000, 0x6000));
        s.keep_leases();
        s.block(0, false, true);
        let owner = s.ask(0, k.read(0, 0x6000));
        s.until("the verdict", |s| {
            s.look(owner).is_some_and(|l| l.granted())
        });
        for (lookup, class) in [
            (k.read(8, 8), Class::RemInvReqErr),
            (k.ask(Op::LocalRead, 8, 8), Class::LocLenErr),
        ] {
            let look = again(s, owner, lookup);
            s.until("a refusal", |s| {
                s.look(look).is_some_and(|l| l.verdict.is_some())
            });
            let got = s
                .look(look)
                .and_then(|l| l.verdict)
                .map(|(_, v)| (v.cause, v.class));
            claim!(s, got == Some((Cause::TagReuse, class)), "{got:?}");
        }
        s.block(0, false, false);
        let got = s.done(owner);
        claim!(
            s,
            got.segments.len() == 6,
            "every page of the owner: {got:?}"
        );
        s.run(20);
        let (count, seen) = (
            s.counter("refused_tag_reuse"),
            events(s, EventKind::TagReuse),
        );
        claim!(s, count == 2 && seen == 2, "{count} counted, {seen} events");
        let late = again(s, owner, k.read(16, 8));
        s.until("a refusal behind the last segment", |s| {
            s.look(late).is_some_and(|l| l.verdict.is_some())
        });
        claim!(
            s,
            s.look(late)
                .is_some_and(|l| l.cause() == Some(Cause::TagReuse)),
            "held until dma_done"
        );
        s.free_leases();
        s.settle();
    });
}

#[test]
fn a_tag_is_free_right_behind_its_dma_done() {
    each(|s| {
        let k = s.region(&Spec::flat(0x1000, 0x1000, 0));
        for n in 0..20 {
            let look = s.put(
                0,
                0,
                Ask {
                    fixed_tag: true,
                    ..Ask::new(Lookup {
                        tag: 1,
                        ..k.read(n, 8)
                    })
                },
            );
            let got = s.done(look);
            claim!(s, got.granted(), "{got:?}");
            s.settle();
        }
    });
}

#[test]
fn an_unknown_a_doubled_and_an_early_dma_done_are_ignored_and_counted() {
    each(|s| {
        let k = s.region(&Spec::new(0x1000, 0x4000));
        let tag = s.free_tag(0, 0);
        s.wrong_done(0, tag);
        s.run(10);
        let got = s.lookup(k.read(0, 8));
        s.settle();
        claim!(s, s.take_tag(0, got.lookup.tag), "the tag is free");
        s.wrong_done(0, got.lookup.tag);
        s.run(10);
        s.block(0, false, true);
        let look = s.ask(0, k.read(0, 0x4000));
        s.until("the verdict", |s| s.look(look).is_some_and(|l| l.granted()));
        let early = s.look(look).map_or(0, |l| l.lookup.tag);
        s.wrong_done(0, early);
        s.run(20);
        // at once: taken for good, it would be made up for by the right one, which then comes to nothing
        let told = (s.counter("unknown_dma_done"), s.counter("leases_ended"));
        claim!(s, told == (3, 1), "unknown, ended: {told:?}");
        s.block(0, false, false);
        let got = s.done(look);
        claim!(s, got.segments.len() == 4, "{got:?}");
        s.settle();
        let counts = (
            s.counter("unknown_dma_done"),
            s.counter("leases_taken"),
            s.counter("leases_ended"),
        );
        claim!(s, counts == (3, 2, 2), "unknown, taken, ended: {counts:?}");
        claim!(s, events(s, EventKind::UnknownDmaDone) == 3, "three events");
    });
}

#[test]
fn zero_length_denied_and_verdict_only_take_no_lease() {
    each(|s| {
        let k = s.region(&Spec::new(0x1000, 0x1000));
        let none = [
            Lookup {
                pd: 2,
                ..k.read(0x1000, 0)
            },
            k.read(0, 0),
            k.ask(Op::LocalWrite, 0, 0),
            Lookup {
                walk: false,
                ..k.read(0, 8)
            },
            k.read(0x1000, 8),
            Lookup {
                pd: 2,
                ..k.read(0, 8)
            },
            Lookup {
                key: 0,
                ..k.read(0, 8)
            },
            Lookup {
                op: Op::Other(12),
                ..k.read(0, 8)
            },
            k.ask(Op::FlushGlobal, 0, 0),
        ];
        for l in none {
            for _ in 0..2 {
                let look = s.put(
                    0,
                    0,
                    Ask {
                        fixed_tag: true,
                        ..Ask::new(Lookup { tag: 0, ..l })
                    },
                );
                let got = s.done(look);
                claim!(
                    s,
                    got.cause() != Some(Cause::TagReuse),
                    "the tag is free at once: {got:?}"
                );
                let passes = l.len == 0 && l.op.bits() < 8 && l.op != Op::FlushGlobal;
                claim!(
                    s,
                    got.granted() || !passes,
                    "length 0 passes whatever the rest is: {got:?}"
                );
                s.run(2);
            }
        }
        let counts = (s.counter("leases_taken"), s.counter("segments"));
        claim!(s, counts == (0, 0), "leases, segments: {counts:?}");
    });
}

#[test]
fn a_cut_walk_still_owes_its_dma_done() {
    each(|s| {
        let k = s.region(&Spec::new(0x1000, 0x8000));
        s.lookup(k.read(0, 0x8000));
        s.keep_leases();
        s.block(0, false, true);
        let look = s.ask(0, k.read(0, 0x8000));
        s.until("the verdict", |s| s.look(look).is_some_and(|l| l.granted()));
        s.run(30);
        let told = s.send(Body::Deregister {
            key: k.rkey,
            mode: Mode::Cut,
        });
        s.run(100);
        s.block(0, false, false);
        let got = s.done(look);
        claim!(
            s,
            got.segments
                .last()
                .is_some_and(|(_, g)| g.status == SegStatus::Cut && g.len == 0),
            "{got:?}"
        );
        claim!(s, got.segments.len() < 9, "{got:?}");
        s.run(300);
        claim!(
            s,
            s.answered(told).is_none(),
            "the answer waits for the lease of a cut walk"
        );
        let cut = s.counter("cut_walks");
        claim!(s, cut == 1, "{cut} cut");
        s.free_leases();
        s.answer(told);
    });
}

#[test]
fn leases_of_all_ports_end_in_one_cycle() {
    each(|s| {
        let k = s.region(&Spec::flat(0x1000, 0x1000, 0));
        let ports = s.p.ports as usize;
        for _ in 0..6 {
            s.keep_leases();
            for n in 0..3 * ports {
                s.ask(n % ports, k.read(n as u64, 8));
            }
            s.run(60);
            s.free_leases();
            s.settle();
        }
        s.run(40);
        let counts = (s.counter("leases_taken"), s.counter("leases_ended"));
        claim!(
            s,
            counts.0 == counts.1 && counts.0 == 18 * ports as u64,
            "{counts:?}"
        );
    });
}

#[test]
fn a_tag_used_again_while_its_owner_waits_for_its_line() {
    each(|s| {
        for n in 0..6u64 {
            let k = s.region(&Spec::new(0x1000, 0x4000));
            s.icm(40);
            let owner = s.ask(0, k.read(0x10 + n, 0x1800));
            s.until("its transfer", |s| s.look(owner).is_some());
            s.run(n * 3);
            let late = again(s, owner, k.ask(Op::Write, 0x3000, 64));
            s.until("a refusal", |s| {
                s.look(late).is_some_and(|l| l.verdict.is_some())
            });
            let cause = s.look(late).and_then(|l| l.cause());
            claim!(s, cause == Some(Cause::TagReuse), "{cause:?}");
            let got = s.done(owner);
            let pa = got.pa();
            claim!(s, pa == Some(k.pa(0x10 + n)), "its own request: {got:?}");
            s.settle();
            s.icm(8);
            s.end(&k, Mode::Cut);
        }
    });
}
