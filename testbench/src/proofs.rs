// SPDX-License-Identifier: MIT OR Apache-2.0
//! The proofs of `testbench/proofs`: their list, their sources, and the exported core as they read it.
//!
//! A proof reads the exported Verilog of the core as it is, but for its RAMs ([`rams`]): a read of what is written at the
//! same edge gives anything, as silicon may; and where the list says so a RAM remembers one address only, any one, and a block gives
//! anything at all ([`freed`]). All of it only adds behaviours.

mod freed;
mod manifest;
mod rams;

pub use freed::freed;
pub use manifest::{all, NoFolder, Proof, Sources};
pub use rams::{model, NoBlock};

use latchkey_hdl::ConfigInfo;

/// Prefix of the modules inside the exported core.
pub const CORE: &str = "latchkey_core$";

/// Files a proof may include, by name.
pub const SHARED: [(&str, &str); 7] = [
    ("env.sv", include_str!("../proofs/env.sv")),
    ("fetch.svh", include_str!("../proofs/fetch.svh")),
    ("life.svh", include_str!("../proofs/life.svh")),
    ("life_story.svh", include_str!("../proofs/life_story.svh")),
    ("miss.svh", include_str!("../proofs/miss.svh")),
    ("queue.svh", include_str!("../proofs/queue.svh")),
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
    fn blocks_proved_for_one_configuration_are_the_same_text_in_the_other() {
        // so `tag_life`, `verdict_queue`, `pages`, `lists` and `fetch` hold for `life` too, and `live_queue`, `live_pages`, `live_fetch`, `live_segments`
        let text = |name: &str| {
            let config = latchkey_hdl::config(name).unwrap();
            config.generate(config.top().unwrap()).unwrap()
        };
        let body = |text: &str, name: &str| -> Vec<String> {
            text.split("\nmodule ")
                .filter(|m| m.starts_with(&format!("{CORE}{name}")))
                .map(String::from)
                .collect()
        };
        let (tiny, life) = (text("tiny"), text("life"));
        for name in [
            "state$0",
            "verdicts$0",
            "walker$mtt",
            "walker$miss",
            "walker$out$0",
            "miss$lists",
            "arbiter$fair",
            "flush",
            "regs$alloc",
        ] {
            assert!(!body(&tiny, name).is_empty(), "{name}");
            assert_eq!(body(&tiny, name), body(&life, name), "{name}");
        }
    }

    #[test]
    fn every_ram_of_the_list_is_in_the_core() {
        for name in ["tiny", "life"] {
            let config = latchkey_hdl::config(name).unwrap();
            let text = config.generate(config.top().unwrap()).unwrap();
            for proof in all().iter().filter(|p| p.config == name) {
                let made = model(&text, &proof.one_address, &proof.shown).unwrap();
                assert!(made.contains("junk"), "{}", proof.name);
                freed(&made, &proof.free).unwrap();
            }
            let none = model(&text, &["no$such".to_string()], &[]).unwrap_err();
            assert_eq!(none.0, "no$such");
        }
    }
}
