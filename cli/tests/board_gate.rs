// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every block of the board passes the export gate of the design (docs/gate.md).

use latchkey_testbench::gate::{run, Options};

#[test]
fn every_export_passes_on_the_board() {
    let info = latchkey_bsp::board::info().expect("a build with the configuration alchitry-cu");
    let report = run(std::slice::from_ref(info), &Options::from_env());
    println!(
        "{} modules, {} cycles compared",
        report.modules.len(),
        report.cycles
    );
    for failure in &report.failures {
        println!("{}: {}: {}", failure.module, failure.step, failure.what);
    }
    assert!(
        !report.modules.is_empty() && report.failures.is_empty(),
        "{} findings, listed above",
        report.failures.len()
    );
}
