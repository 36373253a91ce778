// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bench against a behavioural core: clean runs pass, every injected fault is seen.

use super::fake::{Bug, Fake};
use super::report::Report;
use super::scenario::{run, Options, Scenario};
use super::{Fault, Params};

fn options(scenario: Scenario, lookups: u64, seed: u64) -> Options {
    Options {
        scenario,
        config: "tiny".into(),
        engine: "fake".into(),
        lookups,
        seed,
        counters: Vec::new(),
    }
}

fn go(
    config: &str,
    scenario: Scenario,
    bug: Bug,
    lookups: u64,
    seed: u64,
) -> Result<Report, Fault> {
    // the fake has no registers to write
    let p = Params {
        limits: false,
        ..Params::of(config).unwrap()
    };
    run(
        Fake::new(p.clone(), bug, seed),
        &p,
        &options(scenario, lookups, seed),
        |_| {},
    )
}

#[test]
fn clean_runs_pass_in_every_scenario() {
    for config in ["tiny", "alchitry-cu", "nic"] {
        for name in Scenario::NAMES {
            for seed in 0..2 {
                let r = go(
                    config,
                    Scenario::by_name(name).unwrap(),
                    Bug::None,
                    6_000,
                    seed,
                )
                .unwrap();
                assert!(r.passed(), "{config} {}", r.text());
                assert!(r.run.lookups >= 6_000);
            }
        }
    }
}

#[test]
fn the_rest_of_a_keys_life_passes_and_reaches_every_command() {
    let p = Params {
        fast_reg: true,
        windows: true,
        reregister: true,
        paging: true,
        null: true,
        secrets: true,
        limits: false,
        qp_bits: 24,
        ..Params::of("tiny").unwrap()
    };
    for seed in 0..6 {
        let fake = Fake::new(p.clone(), Bug::None, seed);
        let r = run(fake, &p, &options(Scenario::Life, 20_000, seed), |_| {}).unwrap();
        assert!(r.passed(), "{}", r.text());
        assert!(r.run.grants * 4 >= r.run.lookups, "{}", r.text());
    }
    for bug in [
        Bug::WrongAddress,
        Bug::LostSegment,
        Bug::AnswerBeforeLeases,
        Bug::ForgetKill,
        Bug::ForgetRights,
    ] {
        let fake = Fake::new(p.clone(), bug, 1);
        let r = run(fake, &p, &options(Scenario::Life, 20_000, 1), |_| {}).unwrap();
        assert!(!r.passed(), "{bug:?} goes unnoticed");
    }
}

#[test]
fn the_soak_reaches_every_cause_and_grants_enough() {
    for config in ["tiny", "nic"] {
        let r = go(config, Scenario::Mixed, Bug::None, 60_000, 3).unwrap();
        assert!(r.passed(), "{}", r.text());
        assert!(r.run.grants * 10 >= r.run.lookups * 4, "{}", r.text());
        for (cause, n) in &r.run.refusals {
            assert!(
                n * 1000 >= r.run.lookups,
                "{config}: {cause} only {n} times in {}",
                r.run.lookups
            );
        }
    }
}

#[test]
fn same_seed_same_run() {
    let a = go("tiny", Scenario::Mixed, Bug::None, 5_000, 11).unwrap();
    let b = go("tiny", Scenario::Mixed, Bug::None, 5_000, 11).unwrap();
    assert_eq!(a.json(), b.json());
    assert!(a
        .reproduce
        .starts_with("latchkey sim --config tiny --engine fake --scenario mixed"));
}

#[test]
fn every_injected_fault_is_seen() {
    use Bug::*;
    let bugs = [
        WrongAddress,
        LostVerdict,
        LostSegment,
        AnswerBeforeLeases,
        ForgetKill,
        IgnoreReuse,
        ChangeUnderStall,
        ForgetRights,
        StuckCommand,
    ];
    for bug in bugs {
        let r = go("tiny", Scenario::Mixed, bug, 20_000, 5).unwrap();
        assert!(r.run.fault.is_some(), "{bug:?} was not seen");
        assert_eq!(r.mismatches, 1);
    }
}

#[test]
fn a_users_trace_plays() {
    let text = r#"
# a comment
{"what":"command_in","command":"pd_window","pd":1,"base":0,"words":64}
{"what":"wait"}
{"what":"command_in","name":"m0","command":"register","pd":1,"iova":"0x1000","length":4096,"access":7,"page":"k4","base":0,"pages":1,"list":[{"pa":"0x5000"}]}
{"what":"lookup_in","key":"m0.rkey","side_remote":true,"pd":1,"va":"0x1010","len":16,"op":"read"}
{"what":"lookup_in","port":1,"key":"m0.lkey","side_remote":true,"pd":1,"va":"0x1010","len":16,"op":"read"}
{"what":"command_in","command":"deregister","key":"m0.lkey","mode":"cut"}
"#;
    let text = text.replace("\"0x5000\"", "20480");
    let r = go(
        "tiny",
        Scenario::Trace("t.jsonl".into(), text),
        Bug::None,
        0,
        1,
    )
    .unwrap();
    assert!(r.passed(), "{}", r.text());
    assert_eq!(
        (
            r.run.lookups,
            r.run.grants,
            r.run.segments,
            r.run.refusals["wrong_side"]
        ),
        (2, 1, 1, 1)
    );
}

#[test]
fn a_bad_line_is_named() {
    let cases = [
        ("{\"what\":", "t.jsonl:2: not JSON"),
        ("[1]", "t.jsonl:2: not a JSON object"),
        ("{\"port\":1}", "t.jsonl:2: no \"what\""),
        ("{\"what\":\"lookup\"}", "t.jsonl:2: \"what\" is \"lookup\""),
        (
            "{\"what\":\"lookup_in\",\"key\":1}",
            "t.jsonl:2: missing field",
        ),
        (
            "{\"what\":\"lookup_in\",\"port\":9,\"key\":1}",
            "t.jsonl:2: port is 9",
        ),
        (
            "{\"what\":\"command_in\",\"command\":\"sing\"}",
            "t.jsonl:2: unknown variant",
        ),
        (
            "{\"what\":\"command_in\",\"command\":\"query\",\"key\":\"m7.lkey\"}",
            "t.jsonl:2: no registration named \"m7\"",
        ),
    ];
    for (line, want) in cases {
        let text = format!("{{\"what\":\"wait\"}}\n{line}\n");
        let e = go(
            "tiny",
            Scenario::Trace("t.jsonl".into(), text),
            Bug::None,
            0,
            1,
        )
        .unwrap_err();
        assert!(e.text.starts_with(want), "{line}: {e}");
        assert!(e.text.contains("; "), "no mend: {e}");
    }
}
