// SPDX-License-Identifier: MIT OR Apache-2.0
//! The proofs from the command line: the quick ones hold, a mutant breaks one, and what is missing or unknown is named.

use assert_cmd::Command;
use predicates::str::contains;
use serde_json::Value;

fn latchkey(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("latchkey").unwrap();
    command.args(args);
    command
}

fn object(args: &[&str], code: i32) -> Value {
    let assert = latchkey(args).arg("--json").assert().code(code);
    serde_json::from_slice(&assert.get_output().stdout).expect("exactly one JSON object")
}

/// Are the tools there? With `LATCHKEY_ALL_TOOLS` they must be.
fn tools() -> bool {
    let doctor = latchkey(&["doctor", "--json"]).output().unwrap();
    let value: Value = serde_json::from_slice(&doctor.stdout).unwrap();
    let found = |name: &str| {
        let all = value["tools"].as_array().unwrap();
        all.iter().any(|t| t["name"] == name && t["found"] == true)
    };
    let there = found("yosys-smtbmc") && found("yices-smt2");
    assert!(
        there || std::env::var_os("LATCHKEY_ALL_TOOLS").is_none(),
        "yosys-smtbmc or yices-smt2 is missing"
    );
    there
}

#[test]
fn the_quick_proofs_hold_and_reach_their_covers() {
    if !tools() {
        return;
    }
    let value = object(&["prove", "--quick", "--timeout", "600"], 0);
    let proofs = value["proofs"].as_array().unwrap();
    assert!(proofs.len() >= 11, "{value}");
    for proof in proofs {
        assert_eq!(proof["result"], "proved", "{proof}");
        assert!(!proof["covers"].as_object().unwrap().is_empty(), "{proof}");
        assert!(proof["asserts"].as_u64().unwrap() > 0, "{proof}");
    }
    for letter in ["A", "B", "C", "D", "E"] {
        let has = |p: &&Value| p["property"].as_str().unwrap().contains(letter);
        assert!(proofs.iter().any(|p| has(&p)), "no quick proof of {letter}");
    }
}

#[test]
fn a_mutant_breaks_the_proof() {
    if !tools() {
        return;
    }
    let value = object(
        &[
            "mutate", "--proof", "tag_life", "--count", "2", "--seed", "2",
        ],
        0,
    );
    assert_eq!(value["survived"], 0, "{value}");
    let mutants = value["proofs"][0]["mutants"].as_array().unwrap();
    assert_eq!(mutants.len(), 2, "{value}");
    for mutant in mutants {
        assert!(
            ["trace", "cover"].contains(&mutant["fate"].as_str().unwrap()),
            "{mutant}"
        );
        assert!(!mutant["by"].as_str().unwrap().is_empty(), "{mutant}");
    }
}

#[test]
fn the_list_names_every_property() {
    let value = object(&["prove", "--list"], 0);
    let all = value["proofs"].to_string();
    for config in ["tiny", "life"] {
        let of = |p: &Value| p["config"] == config;
        assert!(value["proofs"].as_array().unwrap().iter().any(of), "{all}");
    }
    for name in [
        "verdict",
        "front",
        "entry",
        "parked",
        "cache",
        "core",
        "life_order",
    ] {
        assert!(all.contains(name), "{all}");
    }
}

#[test]
fn an_unknown_proof_is_named_with_the_known_ones() {
    latchkey(&["prove", "--proof", "nothing"])
        .assert()
        .code(2)
        .stderr(contains("nothing"))
        .stderr(contains("verdict_queue"));
}

#[test]
fn a_missing_solver_is_exit_code_3_and_says_how_to_get_it() {
    let dir = tempfile::tempdir().unwrap();
    latchkey(&["prove", "--proof", "decode"])
        .env("PATH", dir.path())
        .env("LATCHKEY_CACHE", dir.path())
        .assert()
        .code(3)
        .stderr(contains("yosys-smtbmc"))
        .stderr(contains("scripts/setup"));
}
