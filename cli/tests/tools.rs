// SPDX-License-Identifier: MIT OR Apache-2.0
//! Synthesis from the command line: missing tools, failing tools, missed goals.

#[cfg(target_os = "linux")]
mod fake;

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;
use std::path::Path;

const SMALL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../bsp/tests/small.v");

fn command(cache: &Path, args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("latchkey").unwrap();
    command.env("LATCHKEY_CACHE", cache);
    command.current_dir(cache).args(args);
    command
}

fn small<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec![
        "synth",
        "--verilog",
        SMALL,
        "--top",
        "small",
        "--target",
        "ice40-hx8k",
    ];
    args.extend(more);
    args
}

fn present(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).any(|p| p.join(name).is_file());
    assert!(
        found || std::env::var_os("LATCHKEY_ALL_TOOLS").is_none(),
        "{name} is missing"
    );
    found
}

#[test]
fn a_missing_tool_is_exit_code_3_and_says_how_to_get_it() {
    let dir = tempfile::tempdir().unwrap();
    let assert = command(dir.path(), &small(&["--json"]))
        .env("PATH", dir.path())
        .assert()
        .code(3);
    let value: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    assert!(
        value["error"]["help"]
            .as_str()
            .unwrap()
            .contains("apt-get install yosys"),
        "{value}"
    );
    let assert = command(dir.path(), &["doctor", "--json"])
        .env("PATH", dir.path())
        .assert()
        .code(3);
    let value: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    assert_eq!(
        (&value["ok"], &value["tools"][0]["found"]),
        (&false.into(), &false.into())
    );
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn preparing_needs_no_tool() {
    let dir = tempfile::tempdir().unwrap();
    let assert = command(dir.path(), &small(&["--no-run", "--json"]))
        .env("PATH", dir.path())
        .assert()
        .success();
    let value: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    for file in value["files"].as_array().unwrap() {
        assert!(Path::new(file.as_str().unwrap()).is_file(), "{file}");
    }
}

#[test]
fn a_goal_out_of_reach_is_exit_code_5_and_says_by_how_much() {
    if !present("yosys") || !present("nextpnr-ice40") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let goals = dir.path().join("goals.toml");
    std::fs::write(
        &goals,
        "[[goal]]\nconfig='small'\ntarget='ice40-hx8k'\nmhz=900.0\nlc_max=1000\n",
    )
    .unwrap();
    let args = small(&[
        "--config",
        "small",
        "--goals",
        goals.to_str().unwrap(),
        "--json",
    ]);
    let assert = command(dir.path(), &args)
        .assert()
        .code(5)
        .stderr(contains("below the goal of 900 MHz"));
    let value: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    for key in [
        "config",
        "target",
        "top",
        "lc",
        "lut",
        "ff",
        "ram",
        "device",
        "fmax_mhz",
        "goal_mhz",
        "met",
        "critical_path",
        "tools",
        "seconds",
    ] {
        assert!(value.get(key).is_some(), "no key {key}");
    }
    assert_eq!(
        (value["met"].as_bool(), value["device"]["lc"].as_u64()),
        (Some(false), Some(7680))
    );
    command(dir.path(), &small(&["--seeds", "0"]))
        .assert()
        .success()
        .stdout(contains("goals met"));
}

#[test]
fn a_failing_tool_is_exit_code_4_with_its_words() {
    if !present("yosys") || !present("nextpnr-ice40") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("broken.v");
    std::fs::write(&file, "module small(a); input a; wire b = ; endmodule").unwrap();
    let args = [
        "synth",
        "--verilog",
        file.to_str().unwrap(),
        "--top",
        "small",
        "--target",
        "ice40-hx8k",
    ];
    command(dir.path(), &args)
        .assert()
        .code(4)
        .stderr(contains("syntax error"));
}

#[test]
fn a_block_no_budget_line_names_is_exit_code_5() {
    if !present("yosys") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let args = [
        "synth",
        "--config",
        "alchitry-cu",
        "--verilog",
        SMALL,
        "--top",
        "small",
        "--budget",
    ];
    command(dir.path(), &args)
        .assert()
        .code(5)
        .stderr(contains("block `sum`").and(contains("is in no line of the budget")));
}

#[test]
fn the_core_keeps_to_its_budget() {
    if !present("yosys") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    command(
        dir.path(),
        &["synth", "--config", "alchitry-cu", "--budget"],
    )
    .assert()
    .success()
    .stdout(contains("registration port"));
}

#[test]
fn the_netlist_of_synthesis_does_what_the_verilog_does() {
    if !["yosys", "iverilog", "verilator"]
        .map(present)
        .iter()
        .all(|p| *p)
    {
        return;
    }
    // The usual cache, for the engine that other tests have built.
    let assert = Command::cargo_bin("latchkey")
        .unwrap()
        .args(["netlist", "--cycles", "1500", "--seed", "3", "--json"])
        .assert()
        .code(0);
    let report: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    assert_eq!(report["cycles"], 1500);
    assert_eq!(report["differences"], 0, "{}", report["first"]);
    assert!(report["cells"]["SB_LUT4"].as_u64().unwrap() > 1000);
    assert!(report["cells"]["SB_RAM40_4K"].as_u64().unwrap() > 10);
}

/// A yosys that notes its process and sleeps.
#[cfg(target_os = "linux")]
#[test]
fn who_stops_it_stops_the_tool_too() {
    use std::time::{Duration, Instant};
    let dir = tempfile::tempdir().unwrap();
    let note = dir.path().join("pid");
    let text = format!(
        "#!/bin/sh\ncase \"$*\" in *-V*|*version*) echo Yosys 0.23;; *) echo $$ > {0}.new; mv {0}.new {0}; sleep 300;; esac\n",
        note.display()
    );
    let path = fake::tools(dir.path(), &["yosys", "nextpnr-ice40"], &text);
    let mut latchkey = std::process::Command::new(assert_cmd::cargo::cargo_bin("latchkey"))
        .env("LATCHKEY_CACHE", dir.path())
        .env("PATH", path)
        .current_dir(dir.path())
        .args(small(&[]))
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while !note.exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "no tool started");
        std::thread::sleep(Duration::from_millis(20));
    }
    let alive = |id: &str| {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        !stat.is_empty() && !stat.contains(") Z ")
    };
    let tool = std::fs::read_to_string(&note).unwrap();
    assert!(alive(tool.trim()), "the tool runs");
    let id = latchkey.id().to_string();
    let kill = std::process::Command::new("kill")
        .args(["-TERM", &id])
        .status();
    assert!(kill.unwrap().success());
    assert_eq!(latchkey.wait().unwrap().code(), Some(130));
    while alive(tool.trim()) {
        assert!(start.elapsed() < Duration::from_secs(70), "the tool stays");
        std::thread::sleep(Duration::from_millis(20));
    }
}
