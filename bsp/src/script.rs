// SPDX-License-Identifier: MIT OR Apache-2.0
//! The yosys scripts.

use crate::harness;
use crate::target::Target;
use crate::tools::yosys::Yosys;

/// How often ABC maps an iCE40 design.
const MAPPED: usize = 10;

/// Modules whose inputs come late: mapped apart, so that they are as shallow as they can be (docs/budget.md).
const APART: &str = "*next_word* *page_now* *may_look*";

/// How yosys is to map a design.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// Device.
    pub target: Target,
    /// Map with ABC9.
    pub abc9: bool,
    /// Flatten; otherwise modules with `keep_hierarchy` stay.
    pub flatten: bool,
    /// What this release of yosys can do.
    pub yosys: Yosys,
}

impl Recipe {
    /// The synthesis command for module `top`. No memory of the core relies on what a RAM gives when one
    /// address is read and written at once, so yosys need not build logic for it.
    ///
    /// `-dff` lets ABC see the flip-flops (iCE40); newer releases than 0.30 map with ABC9, which fails on them (0.70).
    pub fn synth(&self, top: &str) -> String {
        let flatten = if self.flatten { "" } else { " -noflatten" };
        if self.target == Target::Ice40Hx8k && self.yosys.takes_dff && !self.abc9 {
            return mapped(top, flatten);
        }
        let command = match self.target {
            Target::Ice40Hx8k if self.yosys.takes_dff => "synth_ice40 -no-rw-check -dff",
            Target::Ice40Hx8k => "synth_ice40 -no-rw-check",
            Target::Ecp585 => "synth_ecp5 -no-rw-check",
        };
        let abc9 = match (self.target, self.abc9) {
            (Target::Ice40Hx8k, true) => " -abc9 -device hx",
            // Newer releases always map the ECP5 with ABC9 and have no switch for it.
            (Target::Ecp585, true) if self.yosys.native => " -abc9",
            _ => "",
        };
        format!("{command}{abc9}{flatten} -top {top}\n")
    }

    /// Is ABC9 what maps in the end?
    pub fn maps_with_abc9(&self) -> bool {
        self.abc9 || (self.target == Target::Ecp585 && !self.yosys.native)
    }
}

/// `synth_ice40` with its LUTs mapped in another way: ABC sees the flip-flops, and maps again and again, each time from what it found
/// (docs/budget.md): fewer cells and a level of logic less than yosys' own script. The lines around `abc` are those of yosys 0.23.
fn mapped(top: &str, flatten: &str) -> String {
    // no blank behind a semicolon: it would end the command
    let again = "dch;if;mfs2;strash;".repeat(MAPPED - 1);
    let together = if flatten.is_empty() {
        format!("setattr -mod -unset keep_hierarchy {APART}\nflatten\nclean\n")
    } else {
        String::new()
    };
    format!(
        "setattr -mod -set keep_hierarchy 1 {APART}\n\
         synth_ice40 -no-rw-check -dff{flatten} -top {top} -run begin:map_luts\n\
         techmap -map +/ice40/latches_map.v\n\
         abc -dff -lut 4 -script +strash;ifraig;scorr;balance;fraig;strash;{again}dch;if;mfs2;lutpack\n\
         {together}\
         ice40_wrapcarry -unwrap\n\
         techmap -map +/ice40/ff_map.v\n\
         clean\n\
         opt_lut -dlogic SB_CARRY:I0=1:I1=2:CI=3 -dlogic SB_CARRY:CO=3\n\
         synth_ice40{flatten} -top {top} -run map_cells:\n"
    )
}

/// Core alone, harness alone, and both joined; netlists core.json, harness.json, joined.json.
pub fn joined(core: &str, recipe: &Recipe) -> String {
    let top = harness::TOP;
    let (synth_core, synth_harness) = (recipe.synth(core), recipe.synth(top));
    format!(
        "read_verilog core.v\n{synth_core}write_json core.json\ndesign -stash core\n\
         read_verilog harness.v\n{synth_harness}write_json harness.json\n\
         design -copy-from core -as {core} {core}\n\
         hierarchy -top {top}\nflatten\nopt_clean\nwrite_json joined.json\n"
    )
}

/// A design alone, as cells: core.json, and netlist.v for a simulator.
pub fn netlist(top: &str, recipe: &Recipe) -> String {
    let synth = recipe.synth(top);
    format!("read_verilog core.v\n{synth}write_json core.json\nwrite_verilog -noattr netlist.v\n")
}

/// Only the hierarchy, to learn the blocks; netlist tree.json.
pub fn tree(top: &str) -> String {
    format!("read_verilog core.v\nhierarchy -top {top}\nproc\nwrite_json tree.json\n")
}

/// Each of the modules `kept` flattened by itself, for the table of blocks; netlist blocks.json.
pub fn blocks(top: &str, kept: &[&str], recipe: &Recipe) -> String {
    let names: Vec<String> = kept.iter().map(|name| format!("\\{name}")).collect();
    let keep = if names.is_empty() {
        String::new()
    } else {
        format!("setattr -mod -set keep_hierarchy 1 {}\n", names.join(" "))
    };
    let synth = recipe.synth(top);
    format!("read_verilog core.v\nhierarchy -top {top}\n{keep}{synth}write_json blocks.json\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_release_decides_what_the_command_says() {
        let of = |target, version, native, abc9| {
            let yosys = Yosys::of(version, native);
            let recipe = Recipe {
                target,
                abc9,
                flatten: true,
                yosys,
            };
            recipe.synth("t")
        };
        let old = of(
            Target::Ice40Hx8k,
            "Yosys 0.23 (git sha1 7ce5011c24b)",
            true,
            true,
        );
        assert_eq!(
            old,
            "synth_ice40 -no-rw-check -dff -abc9 -device hx -top t\n"
        );
        let usual = of(
            Target::Ice40Hx8k,
            "Yosys 0.23 (git sha1 7ce5011c24b)",
            true,
            false,
        );
        assert_eq!(usual.matches("dch;if;mfs2").count(), MAPPED);
        assert!(!usual.contains("; ") && usual.contains("abc -dff -lut 4 -script +strash;"));
        let first = format!("setattr -mod -set keep_hierarchy 1 {APART}\nsynth_ice40 -no-rw-check -dff -top t -run begin:map_luts\n");
        assert!(usual.starts_with(&first));
        // what is mapped apart is part of the whole again before the carries are put in
        assert!(usual.contains(&format!(
            "setattr -mod -unset keep_hierarchy {APART}\nflatten\n"
        )));
        assert!(usual.ends_with("synth_ice40 -top t -run map_cells:\n"));
        let new = of(
            Target::Ice40Hx8k,
            "Yosys 0.70+post (git sha1 0)",
            false,
            true,
        );
        assert_eq!(new, "synth_ice40 -no-rw-check -abc9 -device hx -top t\n");
        let ecp5 = of(Target::Ecp585, "Yosys 0.70+post (git sha1 0)", false, true);
        assert_eq!(ecp5, "synth_ecp5 -no-rw-check -top t\n");
    }
}
