// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counters of the core against what was counted at its pins.

use latchkey_testbench::bench::scenario::{load::Load, mixed};
use latchkey_testbench::bench::Surroundings;
use latchkey_testbench::claim;
use latchkey_testbench::stage::{each, engine, Stage};
use latchkey_testbench::trace::Code;

#[test]
fn counters_are_exact() {
    each(|s| {
        let hold = latchkey_testbench::bench::dma::Hold {
            longest: 300,
            ..latchkey_testbench::bench::dma::Hold::SOAK
        };
        let mut s = Stage::around(
            engine(s.config),
            s.config,
            Surroundings {
                hold,
                ..Surroundings::SOAK
            },
        );
        let mut load = Load::new(&s.p.clone(), mixed::mix(&s.p), 15_000, 3);
        let run = s.bench.run(&mut load, |_| {});
        claim!(s, run.is_ok(), "{run:?}");
        s.surround(Surroundings::CALM);
        s.settle();
        s.run(200);
        let c = s.bench.rig.counts.clone();
        let told = &s.seen().told;
        let codes = |op: u32, codes: &[Code]| {
            let of = |t: &&latchkey_testbench::stage::Sent| t.command.body.op_bits() == op;
            told.iter()
                .filter(of)
                .filter(|t| t.answer.is_some_and(|(_, a)| codes.contains(&a.code)))
                .count() as u64
        };
        let names = [
            "bad_length",
            "bad_key",
            "stale_key",
            "wrong_side",
            "pd_mismatch",
            "no_permission",
            "out_of_bounds",
            "misaligned",
        ];
        let mut want: Vec<(String, u64)> = names
            .iter()
            .zip(1..)
            .map(|(n, i)| (format!("refused_{n}"), c.causes[i]))
            .collect();
        let more = [
            ("refused_not_present", c.causes[9]),
            ("refused_tag_reuse", c.causes[10]),
            ("lookups", c.lookups),
            ("page_faults", c.statuses[2]),
            ("cut_walks", c.statuses[1]),
            ("segments", c.statuses[0]),
            ("leases_taken", c.dma_done),
            ("leases_ended", c.dma_done),
            ("unknown_dma_done", c.wrong_dma_done),
            ("registers", codes(0, &[Code::Ok])),
            ("deregisters", codes(1, &[Code::Ok])),
            ("overdue", codes(1, &[Code::Overdue])),
            ("parked", codes(1, &[Code::Ok, Code::Overdue])),
            ("flushes", codes(3, &[Code::Ok])),
        ];
        want.extend(more.iter().map(|(n, v)| (n.to_string(), *v)));
        for (name, value) in want {
            let got = s.counter(&name);
            claim!(s, got == value, "{name}: {got}, at the pins {value}");
        }
        let (hits, misses, merges) = (s.counter("hits"), s.counter("misses"), s.counter("merges"));
        let (lookups, replays) = (s.counter("lookups"), s.counter("replays"));
        claim!(
            s,
            hits + misses + merges <= lookups + replays,
            "{hits} {misses} {merges} {lookups} {replays}"
        );
        claim!(
            s,
            hits > 0
                && misses > 0
                && merges > 0
                && s.counter("mtt_hits") > 0
                && s.counter("mtt_misses") > 0,
            "all kinds"
        );
        s.finish();
    });
}

#[test]
fn registers_of_the_map_say_what_the_configuration_is() {
    each(|s| {
        let constants = latchkey_hdl::config(s.config)
            .map(|c| c.constants)
            .unwrap_or_default();
        let read = |s: &mut Stage, addr| s.csr(addr, None);
        claim!(
            s,
            read(s, 0) == latchkey_hdl::csr::MAGIC && read(s, 1) == latchkey_hdl::csr::VERSION,
            "identity"
        );
        for (at, (name, _)) in (latchkey_hdl::csr::CONFIG_AT..).zip(latchkey_hdl::csr::CONFIG) {
            let want = constants
                .iter()
                .find(|(n, _)| *n == name)
                .map_or(0, |(_, v)| *v);
            let got = read(s, at);
            claim!(s, u64::from(got) == want, "{name}: {got}, not {want}");
        }
        let lookups = read(s, 0x40);
        s.csr(0x40, Some(77));
        claim!(
            s,
            read(s, 0x40) == lookups && read(s, 0xff) == 0,
            "writes change nothing, unknown addresses read 0"
        );
    });
}

/// Commands, misses and translations as close together as a memory of no latency lets them come: counters of few bits
/// (`counters.rs`, `most`) live on the least interval of their pulses.
#[test]
fn counters_are_exact_when_commands_come_as_fast_as_they_can() {
    use latchkey_testbench::stage::{Keys, Spec};
    use latchkey_testbench::trace::{Body, FlushScope, Mode};
    each(|s| {
        s.icm(1);
        let (mut flushes, mut regions, mut ended) = (0, 0, 0);
        let mut lookups = 0;
        for round in 0..6u64 {
            // no answer is waited for: the port is always offered the next command
            let scopes = [FlushScope::Epoch, FlushScope::Key, FlushScope::WalkServed];
            let keys: Vec<Keys> = (0..8)
                .map(|n| s.region(&Spec::flat(n << 12, 0x1000, n << 12)))
                .collect();
            regions += 8;
            let told: Vec<_> = (0..24)
                .map(|n| {
                    s.send(Body::Flush {
                        key: keys[n % 8].lkey,
                        scope: scopes[if n < 16 { 0 } else { n % 3 }],
                    })
                })
                .collect();
            for t in told {
                claim!(s, s.answer(t).code == Code::Ok, "flush");
                flushes += 1;
            }
            // every index misses, and in every other round again
            for n in 0..32 {
                s.lookup_on(n % s.p.ports as usize, keys[n % 8].read(0, 8));
                lookups += 1;
            }
            let mode = [Mode::Cut, Mode::Drain, Mode::Contract][round as usize % 3];
            for k in &keys {
                claim!(s, s.end(k, mode).code == Code::Ok, "deregister");
                ended += 1;
            }
        }
        s.settle();
        s.run(200);
        let want = [
            ("flushes", flushes),
            ("registers", regions),
            ("deregisters", ended),
            ("parked", ended),
            ("lookups", lookups),
            ("overdue", 0),
        ];
        for (name, value) in want {
            let got = s.counter(name);
            claim!(s, got == value, "{name}: {got}, told {value}");
        }
    });
}
