// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every module of every configuration passes the export gate.
//!
//! `LATCHKEY_SEED`, `LATCHKEY_GATE_CYCLES` and `LATCHKEY_GATE_ONLY` (part of `config/module`) choose another run.

use latchkey_testbench::gate::{run, Options};

#[test]
fn every_export_passes() {
    let options = Options::from_env();
    println!("LATCHKEY_SEED={}", options.seed);
    let report = run(latchkey_hdl::configs(), &options);
    assert!(!report.modules.is_empty(), "no module was looked at");
    println!(
        "{} modules, {} cycles compared",
        report.modules.len(),
        report.cycles
    );
    for failure in &report.failures {
        println!("{}: {}: {}", failure.module, failure.step, failure.what);
    }
    assert!(
        report.failures.is_empty(),
        "{} findings, listed above",
        report.failures.len()
    );
}
