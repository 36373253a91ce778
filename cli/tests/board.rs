// SPDX-License-Identifier: MIT OR Apache-2.0
//! The board as a user meets it: the program itself, against a simulated board behind a pseudo-terminal.

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};

/// A cache folder of its own for sessions; what Verilator built is found where it always is.
struct Bench {
    served: Child,
    port: String,
}

impl Bench {
    fn start(more: &[&str]) -> Bench {
        let mut served = Command::new(cargo_bin("latchkey"))
            .args(["board", "virtual"])
            .args(more)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut port = String::new();
        BufReader::new(served.stdout.take().expect("piped"))
            .read_line(&mut port)
            .expect("the path is printed");
        Bench {
            served,
            port: port.trim().into(),
        }
    }

    fn run(&self, args: &[&str]) -> (i32, Value) {
        // The simulated board shares the machine with other tests and takes its time over a bad line.
        let out = latchkey(
            &[
                &["board", "--port", &self.port, "--timeout", "300", "--json"],
                args,
            ]
            .concat(),
        );
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        let value =
            serde_json::from_str(&text).unwrap_or_else(|e| panic!("{args:?}: {e}: {text}{said}"));
        (out.status.code().expect("no signal"), value)
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        self.served.kill().ok();
        self.served.wait().ok();
    }
}

fn latchkey(args: &[&str]) -> Output {
    Command::new(cargo_bin("latchkey"))
        .args(args)
        .output()
        .expect("the program runs")
}

#[test]
fn a_region_lives_and_dies_over_several_calls() {
    let board = Bench::start(&[]);
    let (code, state) = board.run(&["status"]);
    assert_eq!(
        (code, &state["state"]["passed"], &state["state"]["hosted"]),
        (0, &true.into(), &false.into()),
        "{state}"
    );
    let frames = ["--frame", "0x80000000", "--frame", "0x93000"];
    let region = [
        "register",
        "--fresh",
        "--iova",
        "0x7f0000000800",
        "--length",
        "4096",
    ];
    let (code, keys) = board.run(&[&region[..], &frames].concat());
    assert_eq!((code, &keys["code"]), (0, &"ok".into()), "{keys}");
    let (rkey, lkey) = (keys["rkey"].to_string(), keys["lkey"].to_string());
    let inside = [
        "lookup",
        "--key",
        &rkey,
        "--va",
        "0x7f0000000ff0",
        "--len",
        "32",
    ];
    let (code, reply) = board.run(&inside);
    assert_eq!((code, &reply["granted"]), (0, &true.into()), "{reply}");
    let pieces: Vec<(u64, u64)> = reply["segments"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|s| {
            (
                s["pa"].as_u64().expect("a number"),
                s["len"].as_u64().expect("a number"),
            )
        })
        .collect();
    assert_eq!(pieces, [(0x8000_0ff0, 16), (0x93000, 16)]);
    let (_, reply) = board.run(&[
        "lookup",
        "--key",
        &rkey,
        "--va",
        "0x7f00000017f0",
        "--len",
        "17",
    ]);
    assert_eq!(reply["verdict"]["cause"], "out_of_bounds", "{reply}");
    let (_, reply) = board.run(&[
        "lookup",
        "--key",
        &lkey,
        "--va",
        "0x7f0000000800",
        "--len",
        "1",
    ]);
    assert_eq!(reply["verdict"]["cause"], "wrong_side", "{reply}");
    let (_, counters) = board.run(&["counters"]);
    assert_eq!(counters["counters"]["registers"], 1, "{counters}");
    let (code, end) = board.run(&["deregister", "--key", &lkey]);
    assert_eq!((code, &end["code"]), (0, &"ok".into()), "{end}");
    let (_, reply) = board.run(&inside);
    assert_eq!(reply["verdict"]["cause"], "stale_key", "{reply}");
    let (code, again) = board.run(&["deregister", "--key", &lkey]);
    assert_eq!((code, &again["code"]), (1, &"stale_key".into()), "{again}");
    // the self-test takes the core away; the next call sees that
    let (code, test) = board.run(&["selftest"]);
    assert_eq!((code, &test["passed"]), (0, &true.into()), "{test}");
    let (_, reply) = board.run(&inside);
    assert_eq!(reply["verdict"]["cause"], "bad_key", "{reply}");
}

#[test]
fn a_trace_is_replayed_and_the_demo_passes() {
    replay_and_demo(&Bench::start(&[]));
}

#[test]
fn a_trace_is_replayed_and_the_demo_passes_on_a_bad_line() {
    for (noise, seed) in [("100", "1"), ("300", "5")] {
        replay_and_demo(&Bench::start(&["--noise", noise, "--seed", seed]));
    }
}

fn replay_and_demo(board: &Bench) {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("t.jsonl");
    std::fs::write(&file, include_str!("data/board.jsonl")).expect("written");
    let (code, done) = board.run(&["replay", file.to_str().expect("text")]);
    assert_eq!((code, &done["mismatches"]), (0, &0.into()), "{done}");
    assert_eq!(
        (&done["lookups"], &done["grants"], &done["segments"]),
        (&3.into(), &1.into(), &5.into()),
        "{done}"
    );
    assert_eq!(
        (
            &done["refusals"]["wrong_side"],
            &done["refusals"]["stale_key"]
        ),
        (&1.into(), &1.into()),
        "{done}"
    );
    let (code, demo) = board.run(&["demo"]);
    assert_eq!(
        (code, &demo["passed"], &demo["mismatches"]),
        (0, &true.into(), &0.into()),
        "{demo}"
    );
    // a broken line of a trace is named
    std::fs::write(&file, "{\"what\":\"nothing\"}\n").expect("written");
    let (code, error) = board.run(&["replay", file.to_str().expect("text")]);
    assert_eq!(code, 2);
    assert!(
        error["error"]["message"].to_string().contains("t.jsonl:1"),
        "{error}"
    );
}

#[test]
fn a_port_that_is_not_there_is_named() {
    let out = latchkey(&["board", "--port", "/dev/no-such-port", "status"]);
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(
        said.contains("/dev/no-such-port") && said.contains("help:"),
        "{said}"
    );
}

#[test]
fn a_port_without_a_board_is_given_up() {
    use serialport::SerialPort;
    let (_near, far) = serialport::TTYPort::pair().expect("a pseudo-terminal");
    let path = far.name().expect("a path");
    let out = latchkey(&["board", "--port", &path, "--timeout", "1", "status"]);
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(4), "{said}");
    assert!(
        said.contains("no answer from the board") && said.contains(&path),
        "{said}"
    );
}

#[test]
fn the_board_is_generated_and_only_for_its_configuration() {
    let dir = tempfile::tempdir().expect("a folder");
    let to = dir.path().to_str().expect("text");
    let out = latchkey(&[
        "generate",
        "--config",
        "alchitry-cu",
        "--top",
        "board",
        "--out",
        to,
    ]);
    assert_eq!(
        out.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    let text = std::fs::read_to_string(dir.path().join("latchkey_board.v")).expect("written");
    assert!(text.contains("module latchkey_board(") || text.contains("module latchkey_board ("));
    let out = latchkey(&[
        "generate", "--config", "tiny", "--top", "board", "--out", to,
    ]);
    assert_eq!(out.status.code(), Some(2));
}
