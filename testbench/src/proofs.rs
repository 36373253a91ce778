// SPDX-License-Identifier: MIT OR Apache-2.0
//! The proofs of `testbench/proofs`: their list, their sources, and the exported core as they read it.
//!
//! A proof reads the exported Verilog of the core as it is, but for its RAMs ([`rams`]): a read of what is written at the
//! same edge gives anything, as silicon may; and where the list says so a RAM remembers one address only, any one. Both only
//! add behaviours.

mod manifest;
mod rams;

pub use manifest::{all, NoFolder, Proof, Sources};
pub use rams::{model, NoRam};

use latchkey_hdl::ConfigInfo;

/// Prefix of the modules inside the exported core.
pub const CORE: &str = "latchkey_core$";

/// Files a proof may include, by name.
pub const SHARED: [(&str, &str); 3] = [
    ("env.sv", include_str!("../proofs/env.sv")),
    ("miss.svh", include_str!("../proofs/miss.svh")),
    ("types.svh", include_str!("../proofs/types.svh")),
];

/// Every constant of a configuration as a macro: `constants.svh`.
pub fn constants(config: &ConfigInfo) -> String {
    let lines: String = config
        .constants
        .iter()
        .map(|(name, value)| format!("`define {name} {value}\n"))
        .collect();
    format!("// constants of configuration {}\n{lines}", config.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_walk_contexts_are_one_text() {
        // `walk` proves port 0; port 1 is the same module under another name
        let config = latchkey_hdl::config("tiny").unwrap();
        let text = config.generate(config.top().unwrap()).unwrap();
        let body = |n: u8| -> String {
            let name = format!("walker$walk${n}");
            text.split("\nmodule ")
                .filter(|m| m.starts_with(&format!("{CORE}{name}")))
                .map(|m| m.replace(&name, "walker$walk$x"))
                .collect()
        };
        assert!(body(0).len() > 1000);
        assert_eq!(body(0), body(1));
    }

    #[test]
    fn every_ram_of_the_list_is_in_the_core() {
        let config = latchkey_hdl::config("tiny").unwrap();
        let text = config.generate(config.top().unwrap()).unwrap();
        for proof in all() {
            let made = model(&text, &proof.one_address, &proof.shown).unwrap();
            assert!(made.contains("junk"), "{}", proof.name);
        }
        let none = model(&text, &["no$such".to_string()], &[]).unwrap_err();
        assert_eq!(none.0, "no$such");
    }
}
