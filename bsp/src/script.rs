// SPDX-License-Identifier: MIT OR Apache-2.0
//! The yosys scripts.

use crate::harness;
use crate::target::Target;

/// The synthesis command of a target. No memory of the core relies on what a RAM gives when one
/// address is read and written at once, so yosys need not build logic for it.
///
/// `dff` lets ABC see the flip-flops (iCE40); newer releases than 0.30 map with ABC9, which fails on them (0.70).
pub fn synth(
    target: Target,
    abc9: bool,
    flatten: bool,
    top: &str,
    native_ecp5: bool,
    dff: bool,
) -> String {
    let command = match target {
        Target::Ice40Hx8k if dff => "synth_ice40 -no-rw-check -dff",
        Target::Ice40Hx8k => "synth_ice40 -no-rw-check",
        Target::Ecp585 => "synth_ecp5 -no-rw-check",
    };
    let abc9 = match (target, abc9) {
        (Target::Ice40Hx8k, true) => " -abc9 -device hx",
        // Newer releases always map the ECP5 with ABC9 and have no switch for it.
        (Target::Ecp585, true) if native_ecp5 => " -abc9",
        _ => "",
    };
    let flatten = if flatten { "" } else { " -noflatten" };
    format!("{command}{abc9}{flatten} -top {top}\n")
}

/// Core alone, harness alone, and both joined; netlists core.json, harness.json, joined.json.
pub fn joined(core: &str, synth_core: &str, synth_harness: &str) -> String {
    let top = harness::TOP;
    format!(
        "read_verilog core.v\n{synth_core}write_json core.json\ndesign -stash core\n\
         read_verilog harness.v\n{synth_harness}write_json harness.json\n\
         design -copy-from core -as {core} {core}\n\
         hierarchy -top {top}\nflatten\nopt_clean\nwrite_json joined.json\n"
    )
}

/// Only the hierarchy, to learn the blocks; netlist tree.json.
pub fn tree(top: &str) -> String {
    format!("read_verilog core.v\nhierarchy -top {top}\nproc\nwrite_json tree.json\n")
}

/// Each of the modules `kept` flattened by itself, for the table of blocks; netlist blocks.json.
pub fn blocks(top: &str, kept: &[&str], synth: &str) -> String {
    let names: Vec<String> = kept.iter().map(|name| format!("\\{name}")).collect();
    let keep = if names.is_empty() {
        String::new()
    } else {
        format!("setattr -mod -set keep_hierarchy 1 {}\n", names.join(" "))
    };
    format!("read_verilog core.v\nhierarchy -top {top}\n{keep}{synth}write_json blocks.json\n")
}
