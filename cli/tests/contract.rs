// SPDX-License-Identifier: MIT OR Apache-2.0
//! The contract of the command line: exit codes, one JSON object on stdout, nothing half-written.

use assert_cmd::Command;
use predicates::str::contains;
use serde_json::Value;
use std::path::Path;

fn latchkey(args: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("latchkey").unwrap().args(args).assert()
}

/// Runs, wants `code`, and gives the only object on stdout.
fn object(args: &[&str], code: i32) -> Value {
    let assert = latchkey(args).code(code);
    let value: Value =
        serde_json::from_slice(&assert.get_output().stdout).expect("exactly one JSON object");
    assert_eq!(value["format"], 1);
    value
}

fn count(folder: &Path) -> usize {
    std::fs::read_dir(folder).unwrap().count()
}

#[test]
fn every_help_has_examples() {
    latchkey(&["--help"])
        .success()
        .stdout(contains("Examples:"));
    for command in [
        "generate",
        "sim",
        "cases",
        "synth",
        "waves",
        "doctor",
        "completions",
    ] {
        latchkey(&[command, "--help"])
            .success()
            .stdout(contains("Examples:"));
    }
}

#[test]
fn an_unknown_configuration_is_named_with_the_known_ones() {
    for command in [&["generate"][..], &["sim"], &["synth"]] {
        let args: Vec<&str> = command
            .iter()
            .copied()
            .chain(["--config", "nicc"])
            .collect();
        latchkey(&args)
            .code(2)
            .stderr(contains("unknown configuration `nicc`"))
            .stderr(contains("tiny"));
    }
    let value = object(&["generate", "--config", "nicc", "--json"], 2);
    assert_eq!(value["error"]["code"], 2);
}

#[test]
fn an_unknown_argument_module_or_target_is_usage() {
    latchkey(&["sim", "--scenario", "storm"])
        .code(2)
        .stderr(contains("hits"));
    latchkey(&["generate", "--config", "tiny", "--module", "nothing"])
        .code(2)
        .stderr(contains("--list"));
    latchkey(&["synth", "--config", "tiny", "--target", "z80"])
        .code(2)
        .stderr(contains("ecp5-85"));
}

#[test]
fn generate_writes_the_same_bytes_again_and_check_sees_a_change() {
    let dir = tempfile::tempdir().unwrap();
    let list = object(&["generate", "--list", "--json"], 0);
    let tiny = list["configs"]
        .as_array()
        .unwrap()
        .iter()
        .find(|c| c["name"] == "tiny")
        .unwrap();
    let Some(module) = tiny["modules"]
        .as_array()
        .unwrap()
        .last()
        .and_then(|m| m.as_str())
    else {
        return;
    };
    let out = dir.path().join("deep/out");
    let args = [
        "generate",
        "--config",
        "tiny",
        "--module",
        module,
        "--out",
        out.to_str().unwrap(),
        "--json",
    ];
    let start = std::time::Instant::now();
    let first = object(&args, 0);
    assert!(start.elapsed().as_secs_f64() < 5.0);
    assert_eq!(first, object(&args, 0));
    assert_eq!(count(&out), 1);
    let file = first["files"][0]["path"].as_str().unwrap();
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.starts_with("// SPDX-License-Identifier: "));
    assert_eq!(first["files"][0]["lines"], text.lines().count());
    let check: Vec<&str> = args.iter().copied().chain(["--check"]).collect();
    assert_eq!(object(&check, 0)["same"], true);
    std::fs::write(file, "changed").unwrap();
    assert_eq!(object(&check, 1)["same"], false);
    assert_eq!(std::fs::read_to_string(file).unwrap(), "changed");
}

#[test]
fn an_output_folder_that_cannot_be_made_is_named_and_nothing_is_left() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "x").unwrap();
    let list = object(&["generate", "--list", "--json"], 0);
    let module = list["configs"][0]["modules"][0]
        .as_str()
        .unwrap()
        .to_string();
    let config = list["configs"][0]["name"].as_str().unwrap().to_string();
    let out = file.join("out");
    latchkey(&[
        "generate",
        "--config",
        &config,
        "--module",
        &module,
        "--out",
        out.to_str().unwrap(),
    ])
    .code(2)
    .stderr(contains(out.to_str().unwrap()));
    assert_eq!(count(dir.path()), 1);
}

#[test]
fn a_broken_trace_or_case_file_is_named_by_line() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("t.jsonl");
    std::fs::write(&file, "{\"cycle\":1,\"what\":\"lookup_in\"}\n{\"cycle\":\n").unwrap();
    let name = file.to_str().unwrap();
    latchkey(&["sim", "--config", "tiny", "--trace", name])
        .code(2)
        .stderr(contains("line 2"));
    latchkey(&["cases", name, "--config", "tiny"])
        .code(2)
        .stderr(contains("line 1: no field `id`"));
    latchkey(&["cases", "/no-such-file", "--config", "tiny"])
        .code(2)
        .stderr(contains("/no-such-file"));
    latchkey(&["sim", "--config", "tiny", "--vcd", "/no-such-folder/x.vcd"])
        .code(2)
        .stderr(contains("/no-such-folder"));
}

#[test]
fn completions_and_man_page_are_printed() {
    latchkey(&["completions", "bash"])
        .success()
        .stdout(contains("complete -F"));
    latchkey(&["man"])
        .success()
        .stdout(contains(".TH latchkey"))
        .stdout(contains("latchkey-synth"));
}
