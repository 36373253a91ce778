// SPDX-License-Identifier: MIT OR Apache-2.0
//! Place and route of a netlist, and what nextpnr reports about it.

use crate::path::{module, Hop};
use crate::target::Target;
use crate::tools::{nextpnr_ecp5, nextpnr_ice40, Tool};
use crate::{atomic, Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Pins of the netlist, when there is such a file in the work folder.
pub const PINS: &str = "pins.pcf";

/// Result of one seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Placed {
    /// Seed.
    pub seed: u64,
    /// Clock it reaches.
    pub mhz: f64,
    /// Logic cells of the whole design.
    pub lc: u64,
    /// The slowest register-to-register path.
    pub path: Vec<Hop>,
    /// The clock icetime reckons for the same routing (iCE40, where it is installed).
    pub icetime_mhz: Option<f64>,
}

#[derive(Deserialize)]
struct Report {
    critical_paths: Vec<CriticalPath>,
    fmax: BTreeMap<String, Fmax>,
    utilization: BTreeMap<String, Use>,
}

#[derive(Deserialize)]
struct Fmax {
    achieved: f64,
}

#[derive(Deserialize)]
struct Use {
    used: u64,
}

#[derive(Deserialize)]
struct CriticalPath {
    from: String,
    to: String,
    path: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    delay: f64,
    to: End,
    net: Option<String>,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct End {
    cell: String,
    port: String,
}

/// The place and route tool of a target.
pub fn tool(target: Target) -> Result<Tool> {
    match target {
        Target::Ice40Hx8k => nextpnr_ice40::find(),
        Target::Ecp585 => nextpnr_ecp5::find(),
    }
}

fn device(target: Target) -> Vec<String> {
    match target {
        Target::Ice40Hx8k => nextpnr_ice40::device(target.package()),
        Target::Ecp585 => nextpnr_ecp5::device(target.package(), 6),
    }
}

fn lc_name(target: Target) -> &'static str {
    match target {
        Target::Ice40Hx8k => "ICESTORM_LC",
        Target::Ecp585 => "TRELLIS_COMB",
    }
}

fn ram_name(target: Target) -> &'static str {
    match target {
        Target::Ice40Hx8k => "ICESTORM_RAM",
        Target::Ecp585 => "DP16KD",
    }
}

/// Logic cells and block RAMs of `json` after packing (pins do not matter yet, so a bare core can be packed).
pub fn packed(
    tool: &Tool,
    target: Target,
    folder: &Path,
    json: &str,
    limit: Duration,
) -> Result<(u64, u64)> {
    let mut list = device(target);
    list.extend(["--json", json, "--pack-only"].map(String::from));
    let out = tool.run(&list, folder, limit)?;
    let text = format!("{}\n{}", out.stdout, out.stderr);
    let find = |name: &str| {
        used(&text, name).ok_or_else(|| Error::Malformed {
            path: format!("the output of {}", tool.name),
            why: format!("no line `{name}: used/available`"),
            mend: "this version of nextpnr prints another summary: try the version of the documentation"
                .into(),
        })
    };
    Ok((find(lc_name(target))?, find(ram_name(target))?))
}

fn used(text: &str, name: &str) -> Option<u64> {
    let line = text
        .lines()
        .rev()
        .find(|l| l.contains(&format!("{name}:")))?;
    line.split(':')
        .next_back()?
        .split('/')
        .next()?
        .trim()
        .parse()
        .ok()
}

/// Places and routes `joined.json` with one seed. Files of the seed carry its number.
pub fn route(
    tool: &Tool,
    target: Target,
    folder: &Path,
    seed: u64,
    mhz: f64,
    limit: Duration,
) -> Result<Placed> {
    let (report, number, goal) = (
        format!("report-{seed}.json"),
        seed.to_string(),
        mhz.to_string(),
    );
    let mut list = device(target);
    list.extend(
        [
            "--json",
            "joined.json",
            "--seed",
            &number,
            "--freq",
            &goal,
            "--timing-allow-fail",
            "--report",
            &report,
        ]
        .map(String::from),
    );
    if folder.join(PINS).is_file() {
        list.extend(["--pcf", PINS].map(String::from));
    }
    if target == Target::Ice40Hx8k {
        list.extend(["--asc".to_string(), format!("routed-{seed}.asc")]);
    }
    let out = tool.run(&list, folder, limit)?;
    atomic::write(
        &folder.join(format!("route-{seed}.log")),
        format!("{}{}", out.stdout, out.stderr).as_bytes(),
    )?;
    read(target, seed, &atomic::read(&folder.join(&report))?, &report)
}

fn read(target: Target, seed: u64, text: &str, file: &str) -> Result<Placed> {
    let fail = |why: String| Error::Malformed {
        path: file.into(),
        why,
        mend: "this version of nextpnr writes another report".into(),
    };
    let report: Report = serde_json::from_str(text).map_err(|e| fail(e.to_string()))?;
    let mhz = report
        .fmax
        .values()
        .map(|f| f.achieved)
        .reduce(f64::min)
        .ok_or_else(|| fail("no clock in `fmax`".into()))?;
    let path = report
        .critical_paths
        .iter()
        .find(|p| p.from == p.to && p.from.starts_with("posedge"));
    Ok(Placed {
        seed,
        mhz: (mhz * 100.0).round() / 100.0,
        lc: report
            .utilization
            .get(lc_name(target))
            .map_or(0, |u| u.used),
        path: path
            .map(|p| p.path.iter().filter_map(hop).collect())
            .unwrap_or_default(),
        icetime_mhz: None,
    })
}

/// One hop of a path; the free ones inside a carry chain are left out.
fn hop(step: &Step) -> Option<Hop> {
    if step.net.is_some() && step.delay == 0.0 {
        return None;
    }
    let to = format!("{}.{}", step.to.cell, step.to.port);
    let place = step.net.as_ref().unwrap_or(&step.to.cell);
    Some(Hop {
        ns: (step.delay * 1000.0).round() / 1000.0,
        kind: step.kind.clone(),
        module: module(place),
        net: step.net.clone(),
        to,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_clock_and_the_synchronous_path_are_taken() {
        let text = r#"{"critical_paths":[
            {"from":"<async>","to":"posedge c","path":[]},
            {"from":"posedge c","to":"posedge c","path":[
              {"delay":0.5,"from":{"cell":"a","port":"O"},"to":{"cell":"core.a","port":"O"},"type":"clk-to-q"},
              {"delay":1.25,"from":{"cell":"a","port":"O"},"net":"core.n","to":{"cell":"core.b","port":"I0"},"type":"routing"},
              {"delay":0,"from":{"cell":"a","port":"O"},"net":"k","to":{"cell":"core.b","port":"CIN"},"type":"routing"}]}],
            "fmax":{"c":{"achieved":145.836,"constraint":100},"d":{"achieved":150.0}},
            "utilization":{"ICESTORM_LC":{"available":7680,"used":111}}}"#;
        let placed = read(Target::Ice40Hx8k, 3, text, "x").unwrap();
        assert_eq!((placed.mhz, placed.lc, placed.seed), (145.84, 111, 3));
        let lines: Vec<String> = placed.path.iter().map(Hop::text).collect();
        assert_eq!(
            lines,
            [
                "0.50 ns clk-to-q core.a.O",
                "1.25 ns routing core.n -> core.b.I0"
            ]
        );
    }

    #[test]
    fn the_packing_summary_is_read() {
        let text = "Info: Packing\nInfo: \t         ICESTORM_LC:    75/ 7680     0%\n";
        assert_eq!(used(text, "ICESTORM_LC"), Some(75));
        assert_eq!(used(text, "ICESTORM_RAM"), None);
    }
}
