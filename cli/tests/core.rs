// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cases and scenarios on the whole core from the command line: both engines give the same.

use assert_cmd::Command;
use serde_json::Value;

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/sample_cases.jsonl");
const ENGINES: [&str; 2] = ["rust", "verilator"];

/// Is there a Verilator? With `LATCHKEY_ALL_TOOLS` there must be.
fn verilator() -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).any(|p| p.join("verilator").is_file());
    assert!(
        found || std::env::var_os("LATCHKEY_ALL_TOOLS").is_none(),
        "verilator is missing"
    );
    found
}

/// Runs with `--json`, wants `code`, and gives the only object on stdout.
fn object(args: &[&str], code: i32) -> Value {
    let assert = Command::cargo_bin("latchkey")
        .unwrap()
        .args(args)
        .arg("--json")
        .assert()
        .code(code);
    serde_json::from_slice(&assert.get_output().stdout).expect("exactly one JSON object")
}

fn ids(report: &Value) -> Vec<&str> {
    report["cases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|case| case["id"].as_str().unwrap())
        .collect()
}

#[test]
fn the_sample_cases_pass_and_a_missing_command_is_named() {
    if !verilator() {
        return;
    }
    let reports =
        ENGINES.map(|engine| object(&["cases", CASES, "--config", "tiny", "--engine", engine], 0));
    assert_eq!(reports[0], reports[1]);
    let report = &reports[0];
    assert_eq!(
        (&report["passed"], &report["failed"], &report["skipped"]),
        (&21.into(), &0.into(), &1.into()),
        "{report:#}"
    );
    let skipped = &report["cases"][21];
    assert_eq!(
        (&skipped["id"], &skipped["status"]),
        (&"S22".into(), &"skipped".into())
    );
    assert!(
        skipped["reason"]
            .as_str()
            .unwrap()
            .contains("feature.windows"),
        "{skipped}"
    );
    assert_eq!(report["cases"][1]["got"]["segs"][2]["pa"], "0xc000");
    assert_eq!(report["cases"][16]["got"]["page"], 1);
}

#[test]
fn cases_are_chosen_by_the_start_of_their_name_and_every_nth() {
    let run = |more: &[&str]| {
        let args: Vec<&str> = ["cases", CASES, "--config", "tiny", "--engine", "rust"]
            .iter()
            .chain(more)
            .copied()
            .collect();
        object(&args, 0)
    };
    assert_eq!(ids(&run(&["--only", "S1", "--every", "5"])), ["S11", "S16"]);
    assert_eq!(ids(&run(&["--only", "S22"])), ["S22"]);
}

#[test]
fn a_case_that_expects_something_else_fails_with_its_reason() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("wrong.jsonl");
    let text = std::fs::read_to_string(CASES).unwrap();
    let line = text.lines().find(|line| line.contains("\"S01\"")).unwrap();
    std::fs::write(&file, line.replace("0x9100", "0x9101")).unwrap();
    let report = object(
        &[
            "cases",
            file.to_str().unwrap(),
            "--config",
            "tiny",
            "--engine",
            "rust",
        ],
        1,
    );
    assert_eq!(report["failed"], 1);
    assert!(
        report["cases"][0]["reason"]
            .as_str()
            .unwrap()
            .contains("segs"),
        "{report:#}"
    );
}

#[test]
fn every_scenario_gives_the_same_report_on_both_engines() {
    if !verilator() {
        return;
    }
    for scenario in ["hits", "misses", "churn", "mixed", "life"] {
        let reports = ENGINES.map(|engine| {
            let args = [
                "sim",
                "--config",
                "tiny",
                "--scenario",
                scenario,
                "--lookups",
                "600",
                "--seed",
                "11",
                "--engine",
                engine,
            ];
            let mut report = object(&args, 0);
            for key in ["engine", "reproduce"] {
                assert!(report[key].as_str().unwrap().contains(engine), "{key}");
                report[key] = Value::Null;
            }
            report
        });
        assert_eq!(reports[0], reports[1], "{scenario}");
        assert_eq!(
            (&reports[0]["mismatches"], &reports[0]["scenario"]),
            (&0.into(), &scenario.into())
        );
        assert!(
            reports[0]["coverage"]["cp_core_lookups"].as_u64().unwrap() >= 600,
            "{scenario}"
        );
    }
}

#[test]
fn a_trace_of_ones_own_needs_no_cycles() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("own.jsonl");
    let lines = [
        r#"{"what":"command_in","command":"pd_window","pd":1,"base":0,"words":64}"#,
        r#"{"what":"wait"}"#,
        r#"{"what":"command_in","name":"m0","command":"register","pd":1,"iova":"0x1000","length":4096,"access":7,"page":"k4","base":0,"pages":1,"list":[{"pa":20480}]}"#,
        r#"{"what":"lookup_in","key":"m0.rkey","side_remote":true,"pd":1,"va":"0x1010","len":16,"op":"read"}"#,
    ];
    std::fs::write(&file, lines.join("\n")).unwrap();
    let vcd = dir.path().join("own.vcd");
    let args = [
        "sim",
        "--config",
        "tiny",
        "--engine",
        "rust",
        "--trace",
        file.to_str().unwrap(),
        "--vcd",
        vcd.to_str().unwrap(),
    ];
    let report = object(&args, 0);
    assert_eq!(
        (&report["lookups"], &report["grants"], &report["segments"]),
        (&1.into(), &1.into(), &1.into())
    );
    assert!(std::fs::read_to_string(vcd).unwrap().contains("segment_pa"));
}

const CAPTURE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../testbench/captures/mixed.pcap"
);

#[test]
fn a_capture_is_replayed_with_its_regions_or_without() {
    if !verilator() {
        return;
    }
    for (more, source) in [(None, "file"), (Some("--infer"), "inferred")] {
        let args: Vec<&str> = ["sim", "--capture", CAPTURE]
            .into_iter()
            .chain(more)
            .collect();
        let report = object(&args, 0);
        assert_eq!(report["regions"]["source"], source);
        assert_eq!(
            (&report["format"], &report["mismatches"]),
            (&1.into(), &0.into())
        );
        assert_eq!(report["packets"]["frames"], 400);
        let naks = report["packets"]["naks"].as_object().unwrap().values();
        let naks: u64 = naks.map(|n| n.as_u64().unwrap()).sum();
        assert_eq!(report["requests"]["naks_matched"], naks);
    }
}

#[test]
fn a_capture_that_cannot_be_replayed_is_usage() {
    let small = object(&["sim", "--config", "tiny", "--capture", CAPTURE], 2);
    let error = &small["error"];
    assert!(
        error["message"].as_str().unwrap().contains("address bits"),
        "{small}"
    );
    assert!(error["help"].as_str().unwrap().contains("--config nic"));
    let none = object(&["sim", "--capture", "/no-such.pcap"], 2);
    assert!(none["error"]["message"]
        .as_str()
        .unwrap()
        .contains("/no-such.pcap"));
    let other = object(&["sim", "--capture", CASES], 2);
    assert!(
        other["error"]["help"].as_str().unwrap().contains("pcapng"),
        "{other}"
    );
}
