// SPDX-License-Identifier: MIT OR Apache-2.0
//! Verilator's lint, Icarus and yosys over one exported file.

use std::path::Path;
use std::process::Command;

/// Warnings of `verilator --lint-only -Wall` that are accepted, each with its reason. LATCH is never among them.
pub const WAIVERS: &str = include_str!("../../../hdl/lint.vlt");

/// Findings of every tool as (step, text).
pub(super) fn all(top: &str, text: &str) -> Vec<(&'static str, String)> {
    let dir = match tempfile::tempdir() {
        Ok(dir) => dir,
        Err(e) => return vec![("tools", e.to_string())],
    };
    for (name, content) in [("design.v", text), ("lint.vlt", WAIVERS)] {
        if let Err(e) = std::fs::write(dir.path().join(name), content) {
            return vec![("tools", e.to_string())];
        }
    }
    let mut found = Vec::new();
    found.extend(verilator(dir.path(), top).map(|t| ("verilator lint", t)));
    found.extend(icarus(dir.path(), top).map(|t| ("icarus", t)));
    found.extend(yosys(dir.path(), top).map(|t| ("yosys", t)));
    found
}

/// Output and success; a missing tool is a failure that says what to install.
fn run(dir: &Path, tool: &str, args: &[String]) -> (bool, String) {
    match Command::new(tool).current_dir(dir).args(args).output() {
        Ok(o) => {
            let text = String::from_utf8_lossy(&o.stdout).into_owned()
                + &String::from_utf8_lossy(&o.stderr);
            (o.status.success(), text)
        }
        Err(e) => (
            false,
            format!("`{tool}`: {e}: apt-get install verilator iverilog yosys"),
        ),
    }
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(String::from).collect()
}

fn verilator(dir: &Path, top: &str) -> Option<String> {
    let mut args = words("--lint-only -Wall --no-timing --top-module");
    args.push(top.into());
    args.extend(["lint.vlt".into(), "design.v".into()]);
    let (ok, text) = run(dir, "verilator", &args);
    (!ok || text.contains("%Warning") || text.contains("%Error")).then_some(text)
}

fn icarus(dir: &Path, top: &str) -> Option<String> {
    let mut args = words("-g2012 -o design.vvp -s");
    args.extend([top.to_string(), "design.v".into()]);
    let (ok, text) = run(dir, "iverilog", &args);
    let noise = |l: &str| l.contains("sensitive to all") || l.contains("sorry: constant selects");
    let said = text.lines().any(|l| !l.trim().is_empty() && !noise(l));
    (!ok || said).then_some(text)
}

fn yosys(dir: &Path, top: &str) -> Option<String> {
    let script = format!("read_verilog design.v; prep -flatten -top {top}; check -assert; select -assert-none t:$dlatch t:$adlatch t:$dlatchsr");
    let (ok, text) = run(dir, "yosys", &["-q".into(), "-p".into(), script]);
    (!ok || text.contains("Latch inferred")).then_some(text)
}
