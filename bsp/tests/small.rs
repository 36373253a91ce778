// SPDX-License-Identifier: MIT OR Apache-2.0
//! The runners on a small hand-written design, with the real tools.
//!
//! A tool that is not installed makes its test pass with a note, unless `LATCHKEY_ALL_TOOLS` is set.

use latchkey_bsp::target::{Goal, Target};
use latchkey_bsp::{blocks, synth, Error};
use std::sync::Mutex;
use std::time::Duration;

const VERILOG: &str = include_str!("small.v");
const LIMIT: Duration = Duration::from_secs(600);

fn job(target: Target, seeds: u64) -> synth::Job<'static> {
    synth::Job {
        config: "small",
        verilog: VERILOG,
        top: "small",
        target,
        seeds,
        jobs: 2,
        abc9: false,
        limit: LIMIT,
        blocks: false,
        out: None,
        resume: false,
    }
}

fn present<T>(result: Result<T, Error>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(Error::ToolMissing { tool, .. })
            if std::env::var_os("LATCHKEY_ALL_TOOLS").is_none() =>
        {
            eprintln!("not run: {tool} is missing");
            None
        }
        Err(e) => panic!("{e}"),
    }
}

fn check(target: Target) {
    let goal = Goal {
        config: "small".into(),
        target: target.name().into(),
        mhz: 5000.0,
        lc_max: Some(10),
        ram_max: Some(1),
        abc9: false,
    };
    let told = Mutex::new(0);
    let Some(report) = present(synth::run(&job(target, 2), Some(&goal), &|_| {
        *told.lock().unwrap() += 1
    })) else {
        return;
    };
    assert_eq!(*told.lock().unwrap(), synth::steps(&job(target, 2)));
    assert_eq!((report.ram, report.ff >= 17), (1, true));
    assert!(report.lc >= 17 && report.lc < 120, "{}", report.lc);
    assert_eq!(report.harness.difference_percent, 0.0);
    // 18 stimulus, 17 signature and one scan-out flip-flop.
    assert_eq!((report.harness.cells.ff, report.harness.cells.ram), (36, 0));
    let fmax = report.fmax_mhz.as_ref().unwrap();
    assert!(
        fmax.per_seed.len() == 2
            && fmax.min <= fmax.median
            && fmax.median <= fmax.max
            && fmax.min > 20.0
    );
    assert!(
        report.critical_path.iter().any(|l| l.contains("core.")),
        "{:?}",
        report.critical_path
    );
    assert!(
        !report.met && report.missed.len() == 2,
        "{:?}",
        report.missed
    );
    assert_eq!(report.tools.len(), 2);
    for (tool, kind) in &report.tool_kinds {
        assert_eq!(*kind == "YoWASP", tool.starts_with("yowasp-"), "{tool}");
    }
    let ns = |parts: &[latchkey_bsp::path::Part]| -> f64 {
        parts.iter().map(|p| p.logic_ns + p.routing_ns).sum()
    };
    let hops: f64 = report.critical_path_hops.iter().map(|h| h.ns).sum();
    assert!((ns(&report.critical_path_modules) - hops).abs() < 0.01);
    // the path is one period of the clock; nextpnr's own rounding apart
    let middle = fmax.per_seed.iter().map(|s| s.mhz).fold(f64::MAX, f64::min);
    assert!(
        hops * middle < 1100.0 && hops * middle > 900.0,
        "{hops} ns, {middle} MHz"
    );
    if target == Target::Ice40Hx8k {
        assert!(report.icetime_mhz.unwrap() > 20.0);
        assert!(fmax.per_seed.iter().all(|s| s.icetime_mhz.is_some()));
    }
}

#[test]
fn ice40_in_the_harness() {
    check(Target::Ice40Hx8k);
}

#[test]
fn ecp5_in_the_harness() {
    check(Target::Ecp585);
}

#[test]
fn blocks_are_counted_apart() {
    let Some(blocks) = present(blocks::run(
        "small",
        VERILOG,
        "small",
        Target::Ice40Hx8k,
        LIMIT,
    )) else {
        return;
    };
    assert_eq!(blocks.len(), 2, "{blocks:?}");
    assert_eq!((blocks["sum"].ff, blocks["sum"].ram), (16, 0));
    assert_eq!((blocks[blocks::GLUE].ff, blocks[blocks::GLUE].ram), (1, 1));
}

#[test]
fn a_broken_design_is_a_failed_tool_with_its_words() {
    let broken = synth::Job {
        verilog: "module small(a); input a; wire b = ; endmodule",
        ..job(Target::Ice40Hx8k, 1)
    };
    match synth::run(&broken, None, &|_| ()) {
        Err(Error::ToolFailed {
            tool,
            stderr,
            stdout,
            ..
        }) => {
            assert_eq!(tool, "yosys");
            assert!(
                format!("{stdout}{stderr}").contains("syntax error"),
                "{stdout}{stderr}"
            );
        }
        other => drop(present(other.map(|_| panic!("must fail")))),
    }
}

/// Adds what it is told: with a tape that says so no difference, with one wrong word exactly one.
#[test]
fn a_netlist_is_held_against_a_tape() {
    const BENCH: &str = "module bench;\n  reg clock = 0; reg [32:0] tape [0:3]; integer n, wrong = 0; reg [15:0] a; wire [15:0] q;\n\
        plus dut(.clock(clock), .a(a), .q(q));\n  initial begin\n    $readmemh(\"tape.hex\", tape);\n    for (n = 0; n < 4; n = n + 1) begin\n\
        a = tape[n][15:0]; #5 clock = 1; #4;\n      if (q !== tape[n][31:16]) begin wrong = wrong + 1; $display(\"differs cycle %0d\", n); end\n\
        #1 clock = 0;\n    end\n    $display(\"compared %0d %0d\", n, wrong); $finish;\n  end\nendmodule\n";
    let compare = |tape: &str| {
        present(latchkey_bsp::netcheck::compare(&latchkey_bsp::netcheck::Job {
            config: "small",
            verilog: "module plus(clock, a, q);\n  input wire clock; input wire [15:0] a; output reg [15:0] q;\n  always @(posedge clock) q <= a + 16'd3;\nendmodule\n",
            top: "plus",
            bench: (BENCH, "bench"),
            tape,
            limit: LIMIT,
        }))
    };
    let Some(right) = compare("00040001\n00050002\n00030000\n0002ffff\n") else {
        return;
    };
    assert_eq!((right.cycles, right.wrong), (4, 0), "{:?}", right.first);
    assert!(right.cells.iter().any(|(name, _)| name == "SB_DFF"));
    let wrong = compare("00040001\n00060002\n00030000\n0002ffff\n").expect("as before");
    assert_eq!((wrong.wrong, wrong.first.len()), (1, 1));
}
