// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the time of an answer tells, and how many come.

use latchkey_testbench::bench::dma::Hold;
use latchkey_testbench::bench::scenario::{run, Options, Scenario};
use latchkey_testbench::bench::Params;
use latchkey_testbench::claim;
use latchkey_testbench::stage::{each, engine, on, Spec};
use latchkey_testbench::trace::{access, Class, Lookup, Op};

#[test]
fn refusals_of_one_class_take_one_time() {
    each(|s| {
        let k = s.region(&Spec::new(0x1000, 0x1000).access(access::REMOTE_READ));
        s.lookup(k.read(0, 8));
        s.settle();
        let granted = s.lookup(k.read(0, 8)).latency();
        let limit = if s.config == "nic" { 8 } else { 12 };
        claim!(s, granted <= limit, "a grant takes {granted} cycles");
        let good = k.read(0, 8);
        let asks = [
            Lookup {
                key: k.rkey ^ 1,
                ..good
            },
            Lookup {
                key: k.rkey ^ 0x8000_0000,
                ..good
            },
            Lookup {
                key: k.lkey,
                ..good
            },
            Lookup { pd: 2, ..good },
            k.ask(Op::Write, 0, 8),
            Lookup {
                va: good.va - 1,
                ..good
            },
            k.read(0xfff, 2),
            Lookup {
                len: u32::MAX,
                ..good
            },
            Lookup {
                op: Op::Other(9),
                ..good
            },
            k.ask(Op::Atomic, 0, 8),
            Lookup { key: 0, ..good },
        ];
        for l in asks {
            let got = s.lookup(l);
            claim!(
                s,
                got.latency() == granted,
                "{} cycles, not {granted}: {got:?}",
                got.latency()
            );
            claim!(
                s,
                got.verdict.is_some_and(|(_, v)| v.class != Class::Ok),
                "{got:?}"
            );
        }
    });
}

#[test]
fn first_segment_of_a_hit() {
    each(|s| {
        let limit = if s.config == "nic" { 14 } else { 20 };
        for spec in [Spec::new(0x1000, 0x2000), Spec::flat(0x8000, 0x1000, 0)] {
            let k = s.region(&spec);
            s.lookup(k.read(0, 8));
            for offset in [0, 8, 0xff0] {
                s.settle();
                let got = s.lookup(k.read(offset, 8));
                claim!(
                    s,
                    got.segment_latency() <= limit,
                    "{} cycles: {got:?}",
                    got.segment_latency()
                );
            }
        }
    });
}

#[test]
fn a_segment_a_cycle_in_a_walk() {
    each(|s| {
        let k = s.region(&Spec::new(0x1000, 0x8000));
        s.lookup(k.read(0, 0x8000));
        s.settle();
        let got = s.lookup(k.read(0, 0x8000));
        let (first, last) = (got.segments[0].0, got.segments[7].0);
        claim!(
            s,
            last - first == 7,
            "8 segments in {} cycles",
            last - first + 1
        );
    });
}

#[test]
fn a_segment_a_cycle_on_hits() {
    on("nic", |s| {
        let p = Params::of(s.config).unwrap_or_default();
        let o = Options {
            scenario: Scenario::Hits,
            config: s.config.into(),
            engine: "verilator".into(),
            lookups: 40_000,
            seed: 5,
            counters: Vec::new(),
        };
        let report = run(engine(s.config), &p, &o, |_| {});
        let json = report
            .map(|r| serde_json::to_value(&r).unwrap_or_default())
            .unwrap_or_default();
        let rate = json["lookups_per_cycle"].as_f64().unwrap_or(0.0);
        claim!(
            s,
            rate >= 0.99,
            "{rate} lookups a cycle, {} mismatches",
            json["mismatches"]
        );
        claim!(
            s,
            json["mismatches"].as_u64() == Some(0) && Hold::STEADY.low >= 64,
            "every answer checked, leases of 64 cycles"
        );
    });
}
