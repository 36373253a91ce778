// SPDX-License-Identifier: MIT OR Apache-2.0
//! Streams and who may stall whom.

use latchkey_testbench::bench::pattern::Shape;
use latchkey_testbench::bench::Side;
use latchkey_testbench::claim;
use latchkey_testbench::stage::{each, Keys, Spec, Stage};
use latchkey_testbench::trace::{Body, Code, Mode};

/// Keeps a port busy with requests; gives the segments of that port in so many cycles.
fn rate(s: &mut Stage, port: usize, k: &Keys, cycles: u64) -> u64 {
    let before = segments(s, port);
    for n in 0..cycles {
        if n % 512 == 0 {
            for m in 0..512 {
                s.ask(port, k.read(8 * (m % 16), 8));
            }
        }
        s.step();
    }
    segments(s, port) - before
}

fn segments(s: &Stage, port: usize) -> u64 {
    s.seen().looks[port]
        .iter()
        .map(|l| l.segments.len() as u64)
        .sum()
}

fn warm(s: &mut Stage) -> Keys {
    let k = s.region(&Spec::new(0x1000, 0x1000));
    s.lookup(k.read(0, 8));
    k
}

#[test]
fn payload_stands_still_under_back_pressure() {
    // the drivers compare every payload that is shown and not taken
    each(|s| {
        let k = warm(s);
        for shape in [
            Shape::OneIn(3),
            Shape::Random(60),
            Shape::Bursts { on: 2, off: 9 },
        ] {
            for lane in &mut s.bench.rig.lanes {
                lane.verdicts.set(shape);
                lane.segments.set(shape);
            }
            for side in [
                Side::Rsp,
                Side::Event,
                Side::IcmReq,
                Side::IcmRsp,
                Side::Reg,
                Side::Page,
            ] {
                s.bench.rig.side(side).set(shape);
            }
            for n in 0..40 {
                s.ask(n % 2, k.read(n as u64, 8));
                s.ask(1, k.read(0x1000, 8));
            }
            let other = s.region(&Spec::new(0x2000, 0x4000));
            s.lookup(other.read(0, 0x4000));
            s.end(&other, Mode::Cut);
            s.settle();
        }
    });
}

#[test]
fn a_blocked_port_stalls_no_other() {
    each(|s| {
        let k = warm(s);
        let alone = rate(s, 1, &k, 2_000);
        for (verdicts, segments) in [(true, true), (true, false), (false, true)] {
            s.block(0, verdicts, segments);
            for n in 0..200 {
                s.ask(0, k.read(n, 8));
            }
            let beside = rate(s, 1, &k, 10_000);
            claim!(
                s,
                beside * 100 >= alone * 5 * 97,
                "port 1: {alone} in 2000 alone, {beside} in 10000 beside a blocked port"
            );
            s.block(0, false, false);
            s.settle();
        }
    });
}

#[test]
fn a_blocked_answer_never_holds_the_pipeline() {
    each(|s| {
        let k = warm(s);
        let alone = rate(s, 0, &k, 1_000);
        s.side(Side::Rsp, false);
        let told = s.send(Body::Query { key: k.rkey });
        let more = s.send(Body::Query { key: k.lkey });
        let beside = rate(s, 0, &k, 4_000);
        claim!(
            s,
            beside * 100 >= alone * 4 * 97,
            "{alone} in 1000 alone, {beside} in 4000 beside a blocked answer"
        );
        s.side(Side::Rsp, true);
        claim!(
            s,
            s.answer(told).code == Code::Ok && s.answer(more).code == Code::Ok,
            "both are answered"
        );
    });
}

#[test]
fn a_blocked_event_holds_nothing() {
    each(|s| {
        let k = warm(s);
        let alone = rate(s, 0, &k, 1_000);
        s.side(Side::Event, false);
        for n in 0..20 {
            let tag = s.free_tag(1, n);
            s.wrong_done(1, tag);
            s.run(4);
        }
        let beside = rate(s, 0, &k, 2_000);
        claim!(
            s,
            beside * 100 >= alone * 2 * 97,
            "{alone} in 1000 alone, {beside} in 2000 beside blocked events"
        );
        let other = s.region(&Spec::new(0x2000, 0x1000));
        s.lookup(other.read(0, 8));
        let unknown = s.counter("unknown_dma_done");
        claim!(s, unknown == 20, "{unknown} counted");
        // one at the kind's place and three in the queue are kept
        let drops = s.csr(latchkey_hdl::csr::DROPS_AT, None);
        claim!(s, drops == 16, "{drops:?} events dropped");
        s.side(Side::Event, true);
    });
}

#[test]
fn a_blocked_memory_stops_no_hit() {
    each(|s| {
        let k = warm(s);
        let cold = s.region(&Spec::new(0x5000, 0x1000));
        let alone = rate(s, 0, &k, 1_000);
        for side in [Side::IcmReq, Side::IcmRsp] {
            s.side(side, false);
            s.ask(1, cold.read(0, 8));
            let beside = rate(s, 0, &k, 2_000);
            claim!(
                s,
                beside * 100 >= alone * 2 * 97,
                "{alone} in 1000 alone, {beside} in 2000 beside a blocked memory"
            );
            s.side(side, true);
            s.settle();
            s.flush(cold.rkey, latchkey_testbench::trace::FlushScope::Key);
        }
    });
}

#[test]
fn ports_take_turns() {
    each(|s| {
        let k = warm(s);
        let ports = s.p.ports as usize;
        for n in 0..200 * ports {
            s.ask(n % ports, k.read(n as u64 % 64, 8));
        }
        s.run(400);
        let counts: Vec<usize> = s
            .seen()
            .looks
            .iter()
            .map(|l| l.iter().filter(|l| l.verdict.is_some()).count())
            .collect();
        let (low, high) = (counts.iter().min(), counts.iter().max());
        claim!(
            s,
            low.zip(high).is_some_and(|(l, h)| l + 8 >= *h),
            "served: {counts:?}"
        );
    });
}

#[test]
fn a_port_has_credit_for_every_verdict_it_may_owe() {
    each(|s| {
        let k = warm(s);
        s.keep_leases();
        let owner = s.ask(0, k.read(0, 8));
        s.until("a lease", |s| s.look(owner).is_some_and(|l| l.granted()));
        let tag = s.look(owner).map_or(0, |l| l.lookup.tag);
        s.block(0, true, false);
        let looks: Vec<_> = (0..70)
            .map(|n| {
                let lookup = latchkey_testbench::trace::Lookup {
                    tag,
                    ..k.read(n, 8)
                };
                s.put(
                    0,
                    0,
                    latchkey_testbench::bench::Ask {
                        fixed_tag: true,
                        ..latchkey_testbench::bench::Ask::new(lookup)
                    },
                )
            })
            .collect();
        s.run(300);
        s.block(0, false, false);
        s.until("every refusal", |s| {
            looks
                .iter()
                .all(|l| s.look(*l).is_some_and(|l| l.verdict.is_some()))
        });
        s.free_leases();
    });
}

#[test]
fn ports_take_turns_when_every_slot_is_asked_for() {
    each(|s| {
        let k = warm(s);
        let ports = s.p.ports as usize;
        s.keep_leases();
        let owners: Vec<_> = (0..ports)
            .map(|port| s.lookup_on(port, k.read(0, 8)))
            .collect();
        for (port, owner) in owners.iter().enumerate() {
            for _ in 0..400 {
                // a tag in use: no credit but that of the verdict is needed
                let ask = latchkey_testbench::bench::Ask {
                    fixed_tag: true,
                    ..latchkey_testbench::bench::Ask::new(owner.lookup)
                };
                s.put(0, port, ask);
            }
        }
        s.run(60 + 100 * ports as u64);
        let taken: Vec<usize> = s.seen().looks.iter().map(Vec::len).collect();
        let (low, high) = (taken.iter().min(), taken.iter().max());
        claim!(
            s,
            low.zip(high).is_some_and(|(l, h)| l + 6 >= *h && *l > 90),
            "taken: {taken:?}"
        );
        s.free_leases();
    });
}

#[test]
fn walks_of_all_ports_take_turns() {
    each(|s| {
        let k = s.region(&Spec::new(0x8000, 0x8000));
        s.lookup(k.read(0, 0x8000));
        let ports = s.p.ports as usize;
        let before: Vec<u64> = (0..ports).map(|p| segments(s, p)).collect();
        for n in 0..100 * ports {
            s.ask(n % ports, k.read(0, 0x8000));
        }
        s.run(150 * ports as u64);
        let got: Vec<u64> = (0..ports).map(|p| segments(s, p) - before[p]).collect();
        let (low, high) = (got.iter().min(), got.iter().max());
        claim!(
            s,
            low.zip(high)
                .is_some_and(|(l, h)| l * 10 >= h * 8 && *l > 80),
            "segments: {got:?}"
        );
    });
}
