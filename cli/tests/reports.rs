// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pages and pictures: well-formed, complete in themselves, made of the run; kept runs and resumed ones.

#[cfg(unix)]
mod fake;

use assert_cmd::Command;
use predicates::str::contains;
use serde_json::Value;
use std::path::{Path, PathBuf};

const SMALL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../bsp/tests/small.v");
const OVERFULL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/overfull.v");
const CAPTURE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../testbench/captures/mixed.pcap"
);

/// The command, at work in `dir`.
fn latchkey(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("latchkey").unwrap();
    command.env("LATCHKEY_CACHE", dir.join("cache"));
    command.current_dir(dir).args(args);
    command
}

fn which(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path)
        .map(|p| p.join(name))
        .find(|p| p.is_file());
    assert!(
        found.is_some() || std::env::var_os("LATCHKEY_ALL_TOOLS").is_none(),
        "{name} is missing"
    );
    found
}

fn json(file: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

/// A page is XML as well as HTML, so that any parser sees a broken one.
fn parsed(text: &str) -> roxmltree::Document<'_> {
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        ..roxmltree::ParsingOptions::default()
    };
    roxmltree::Document::parse_with_options(text, options).unwrap_or_else(|e| panic!("{e}"))
}

/// Well-formed, has a title, pictures and text, and needs nothing from elsewhere.
fn page(file: &Path, pictures: usize) -> String {
    let text = std::fs::read_to_string(file).unwrap();
    let html = parsed(&text);
    let count =
        |wanted: &dyn Fn(&roxmltree::Node) -> bool| html.descendants().filter(wanted).count();
    assert_eq!(count(&|n| n.has_tag_name("h1")), 1);
    let shown = count(&|n| n.has_tag_name("svg") && n.attribute("role") == Some("img"));
    assert!(shown >= pictures, "{shown} pictures in {}", file.display());
    for tag in ["script", "link", "img", "iframe", "object", "use", "image"] {
        assert_eq!(count(&|n| n.has_tag_name(tag)), 0, "{tag}");
    }
    for attribute in ["src", "href", "onload", "onclick"] {
        assert_eq!(
            count(&|n| n.attribute(attribute).is_some()),
            0,
            "{attribute}"
        );
    }
    for word in ["http:", "https:", "url(", "@import", "NaN", "inf "] {
        assert!(!text.contains(word), "{word} in {}", file.display());
    }
    text
}

#[test]
fn a_run_has_a_page_with_its_numbers() {
    let dir = tempfile::tempdir().unwrap();
    let args = [
        "sim",
        "--config",
        "tiny",
        "--engine",
        "rust",
        "--scenario",
        "mixed",
        "--lookups",
        "600",
        "--seed",
        "3",
        "--out",
        "deep/out",
        "--html",
        "one.html",
    ];
    latchkey(dir.path(), &args).assert().success();
    let out = dir.path().join("deep/out");
    let text = page(&out.join("sim.html"), 5);
    assert_eq!(
        std::fs::read_to_string(dir.path().join("one.html")).unwrap(),
        text
    );
    let report = json(&out.join("sim.json"));
    for heading in [
        "Latency",
        "Hit rate over time",
        "Faults by cause",
        "Coverage",
        "Once more",
    ] {
        assert!(text.contains(&format!("<h2>{heading}</h2>")), "{heading}");
    }
    assert!(text.contains(report["reproduce"].as_str().unwrap()));
    for (name, n) in report["refusals"].as_object().unwrap() {
        assert!(
            text.contains(&format!(">{}</text>", name.replace('_', " "))),
            "{name}"
        );
        assert!(text.contains(&format!(">{n}</text>")), "{name}: {n}");
    }
    // every verdict that was timed is in a window and in a histogram
    let sum = |list: &Value, of: &dyn Fn(&Value) -> u64| -> u64 {
        list.as_array().unwrap().iter().map(of).sum()
    };
    let windows = &report["hit_rate_over_time"];
    for (class, key) in [("hit", "hits"), ("miss", "misses")] {
        let count = report["latency"][class]["count"].as_u64().unwrap();
        assert!(count > 0);
        assert_eq!(
            sum(windows, &|w| w[key].as_u64().unwrap()),
            count,
            "{class}"
        );
        let bins = &report["histograms"][class];
        assert_eq!(sum(bins, &|b| b[1].as_u64().unwrap()), count, "{class}");
    }
    assert!(std::fs::read_to_string(out.join("sim.txt"))
        .unwrap()
        .contains("mismatches"));
}

#[test]
fn a_capture_has_a_page_too() {
    if which("verilator").is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    // the compiled core is shared with the other tests
    let mut command = Command::cargo_bin("latchkey").unwrap();
    command.current_dir(dir.path());
    command.args(["sim", "--capture", CAPTURE, "--html", "c.html", "--json"]);
    let assert = command.assert().success();
    let report: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    let text = page(&dir.path().join("c.html"), 4);
    let matched = report["requests"]["naks_matched"].as_u64().unwrap();
    assert!(matched > 0);
    let row = format!("NAKs matched by a refusal of the core</td><td class=\"n\">{matched}</td>");
    assert!(text.contains(&row));
}

fn small<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec![
        "synth",
        "--verilog",
        SMALL,
        "--top",
        "small",
        "--config",
        "small",
        "--target",
        "ice40-hx8k",
    ];
    args.extend(more);
    args
}

/// A nextpnr that notes its seeds, in a folder for the front of PATH.
#[cfg(unix)]
fn noting(dir: &Path, real: &Path) -> std::ffi::OsString {
    let note = dir.join("seeds.txt");
    let text = format!(
        "#!/bin/sh\nn=no; for a; do [ $n = yes ] && echo $a >> {}; n=no; [ \"$a\" = --seed ] && n=yes; done\nexec {} \"$@\"\n",
        note.display(),
        real.display()
    );
    fake::tools(dir, &["nextpnr-ice40"], &text)
}

#[cfg(unix)]
#[test]
fn a_resumed_run_does_again_only_what_is_missing_and_is_held_against_the_last() {
    let (Some(_), Some(real)) = (which("yosys"), which("nextpnr-ice40")) else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let path = noting(dir.path(), &real);
    let run = |more: &[&str]| -> (Value, Vec<String>) {
        std::fs::write(dir.path().join("seeds.txt"), "").unwrap();
        latchkey(dir.path(), &small(more))
            .env("PATH", &path)
            .assert()
            .success();
        let notes = std::fs::read_to_string(dir.path().join("seeds.txt")).unwrap();
        let mut seeds: Vec<String> = notes.lines().map(str::to_string).collect();
        seeds.sort();
        (
            json(&dir.path().join("out/small/synth-ice40-hx8k.json")),
            seeds,
        )
    };
    let (first, seeds) = run(&["--seeds", "2"]);
    assert_eq!(
        (seeds, &first["previous"]),
        (vec!["1".into(), "2".into()], &Value::Null)
    );
    let (more, seeds) = run(&["--seeds", "3", "--resume"]);
    assert_eq!(seeds, ["3"]);
    assert_eq!(more["blocks"], first["blocks"]);
    let resumed = |report: &Value| -> Vec<bool> {
        let list = report["fmax_mhz"]["per_seed"].as_array().unwrap();
        list.iter()
            .map(|s| s["resumed"].as_bool().unwrap())
            .collect()
    };
    assert_eq!(resumed(&more), [true, true, false]);
    assert_eq!(more["previous"]["then"]["seeds"], 2);
    assert_eq!(
        (
            &more["previous"]["same_verilog"],
            &more["previous"]["change"]["lc"]
        ),
        (&true.into(), &0.into())
    );
    // other settings are another run
    let (_, seeds) = run(&["--seeds", "1", "--resume", "--abc9"]);
    assert_eq!(seeds, ["1"]);
    // and without being asked nothing is taken
    let (_, seeds) = run(&["--seeds", "1", "--no-blocks"]);
    assert_eq!(seeds, ["1"]);
    let text = page(&dir.path().join("out/small/synth-ice40-hx8k.html"), 3);
    assert!(text.contains("Against the last run kept") && text.contains("icetime"));
    let kept = std::fs::read_dir(dir.path().join("out/small/runs")).unwrap();
    assert!(kept.count() >= 3);
}

#[test]
fn an_overfull_device_is_exit_code_5_and_says_by_how_much() {
    if which("yosys").is_none() || which("nextpnr-ice40").is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let args = [
        "synth",
        "--verilog",
        OVERFULL,
        "--top",
        "overfull",
        "--config",
        "small",
        "--target",
        "ice40-hx8k",
        "--no-blocks",
    ];
    latchkey(dir.path(), &args)
        .assert()
        .code(5)
        .stderr(contains("36 block RAMs, 4 more than the 32 of the device"));
    let text = page(&dir.path().join("out/overfull/synth-ice40-hx8k.html"), 1);
    assert!(text.contains("4 more than the 32 of the device"));
}

#[test]
fn a_folder_that_cannot_be_written_is_named_before_anything_runs() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("file"), "x").unwrap();
    let tools = which("yosys").is_some() && which("nextpnr-ice40").is_some();
    let synth = small(&["--out", "file/out"]);
    let commands: [&[&str]; 4] = [
        &[
            "sim", "--config", "tiny", "--engine", "rust", "--out", "file/out",
        ],
        &[
            "sim",
            "--config",
            "tiny",
            "--engine",
            "rust",
            "--html",
            "file/x.html",
        ],
        &["waves", "--out", "file/out"],
        &synth,
    ];
    for args in commands.iter().filter(|args| tools || args[0] != "synth") {
        latchkey(dir.path(), args)
            .assert()
            .code(2)
            .stderr(contains("file/"));
    }
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
}
