// SPDX-License-Identifier: MIT OR Apache-2.0
//! Deregistrations that wait.

use latchkey_testbench::bench::pattern::Shape;
use latchkey_testbench::claim;
use latchkey_testbench::stage::{each, Keys, Spec, Stage, Told};
use latchkey_testbench::trace::{Body, Code, Mode};

/// So many regions with a lease each, ports in turn.
fn leased(s: &mut Stage, count: usize) -> Vec<Keys> {
    let ports = s.p.ports as usize;
    let all: Vec<Keys> = (0..count as u64)
        .map(|n| s.region(&Spec::flat(n << 12, 0x1000, n << 12)))
        .collect();
    s.keep_leases();
    for (n, k) in all.iter().enumerate() {
        s.lookup_on(n % ports, k.read(0, 8));
    }
    all
}

fn end(s: &mut Stage, k: &Keys) -> Told {
    let told = s.send(Body::Deregister {
        key: k.rkey,
        mode: Mode::Drain,
    });
    s.run(150);
    told
}

#[test]
fn beyond_the_last_place_the_answer_is_busy_and_nothing_changed() {
    each(|s| {
        let places = s.p.parked as usize;
        let all = leased(s, places + 1);
        let told: Vec<Told> = all[..places].iter().map(|k| end(s, k)).collect();
        let last = &all[places];
        claim!(
            s,
            s.end(last, Mode::Cut).code == Code::Busy,
            "no place is left"
        );
        let nothing = Body::Deregister {
            key: 0,
            mode: Mode::Cut,
        };
        claim!(
            s,
            s.tell(nothing).code == Code::Busy,
            "busy comes before the key"
        );
        claim!(
            s,
            s.lookup(last.read(8, 8)).granted(),
            "busy has changed nothing"
        );
        claim!(
            s,
            told.iter().all(|t| s.answered(*t).is_none()),
            "the others still wait"
        );
        let parked = s.counter("parked");
        claim!(s, parked == places as u64, "{parked} counted");
        s.free_leases();
        for t in told {
            claim!(s, s.answer(t).code == Code::Ok, "leases came back");
        }
        s.settle();
        claim!(
            s,
            s.end(last, Mode::Cut).code == Code::Ok,
            "now there is a place"
        );
        let done = s.counter("deregisters");
        claim!(s, done == places as u64 + 1, "{done} counted");
    });
}

#[test]
fn who_waits_blocks_no_command() {
    each(|s| {
        let all = leased(s, 1);
        let told = end(s, &all[0]);
        let k = s.region(&Spec::new(0x4000, 0x1000));
        claim!(
            s,
            s.lookup_on(1, k.read(0, 8)).granted(),
            "a new region beside a parked one"
        );
        claim!(
            s,
            s.tell(Body::Query { key: k.rkey }).code == Code::Ok,
            "a query beside it"
        );
        claim!(s, s.answered(told).is_none(), "it still waits");
        s.free_leases();
        s.answer(told);
    });
}

#[test]
fn who_is_ready_first_is_answered_first() {
    each(|s| {
        for first in [0usize, 1] {
            let all = leased(s, 2);
            let told = [end(s, &all[0]), end(s, &all[1])];
            s.bench.rig.lanes[first].dma.set(Shape::Always);
            s.answer(told[first]);
            claim!(
                s,
                s.answered(told[1 - first]).is_none(),
                "the other lease is held"
            );
            s.free_leases();
            s.answer(told[1 - first]);
            s.settle();
        }
    });
}
