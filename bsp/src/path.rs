// SPDX-License-Identifier: MIT OR Apache-2.0
//! The slowest path, hop by hop and by module.

use crate::blocks::GLUE;
use crate::harness::INSTANCE;
use serde::{Deserialize, Serialize};

/// Name under which cells of the timing harness are listed.
pub const HARNESS: &str = "(harness)";
/// Name for cells to which the tools gave names of their own.
pub const UNNAMED: &str = "(unnamed)";

/// A stretch of a path: through a cell, or along a net.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hop {
    /// Delay in nanoseconds.
    pub ns: f64,
    /// nextpnr's word: clk-to-q, logic, routing, setup.
    pub kind: String,
    /// Instance directly under the core that the cell, or the net's driver, is named after.
    pub module: String,
    /// The net, for routing.
    pub net: Option<String>,
    /// Cell and pin where it ends.
    pub to: String,
}

impl Hop {
    /// As a line of text.
    pub fn text(&self) -> String {
        match &self.net {
            Some(net) => format!("{:.2} ns {} {net} -> {}", self.ns, self.kind, self.to),
            None => format!("{:.2} ns {} {}", self.ns, self.kind, self.to),
        }
    }

    /// Along a net?
    pub fn routing(&self) -> bool {
        self.kind == "routing"
    }
}

/// What a module has of a path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Module.
    pub module: String,
    /// Nanoseconds in its cells.
    pub logic_ns: f64,
    /// Nanoseconds on nets that begin in it.
    pub routing_ns: f64,
    /// Cells on the path.
    pub cells: u64,
}

/// The path by module, in the order in which it comes to them.
pub fn parts(path: &[Hop]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for hop in path {
        let at = match parts.iter().position(|p| p.module == hop.module) {
            Some(at) => at,
            None => {
                parts.push(Part {
                    module: hop.module.clone(),
                    logic_ns: 0.0,
                    routing_ns: 0.0,
                    cells: 0,
                });
                parts.len() - 1
            }
        };
        let part = &mut parts[at];
        if hop.routing() {
            part.routing_ns += hop.ns;
        } else {
            part.logic_ns += hop.ns;
            // setup is at the pin of a cell that the path does not go through
            part.cells += u64::from(hop.kind != "setup");
        }
    }
    for part in &mut parts {
        part.logic_ns = (part.logic_ns * 1000.0).round() / 1000.0;
        part.routing_ns = (part.routing_ns * 1000.0).round() / 1000.0;
    }
    parts
}

/// The instance under the core that a flattened name belongs to. Names after flattening are those of a net nearby:
/// logic that two blocks share is counted where its name says.
pub fn module(name: &str) -> String {
    let name = name.strip_prefix("$flatten\\").unwrap_or(name);
    let Some(rest) = name
        .strip_prefix(INSTANCE)
        .and_then(|r| r.strip_prefix('.'))
    else {
        let tools = name.starts_with('$') || name.is_empty();
        return if tools { UNNAMED } else { HARNESS }.into();
    };
    if rest.starts_with('$') {
        return UNNAMED.into();
    }
    match rest.split_once('.') {
        // a memory of the core itself is split into numbered RAMs
        Some((_, rest)) if rest.starts_with(|c: char| c.is_ascii_digit()) => GLUE.into(),
        Some((instance, _)) if !instance.contains('[') => instance.into(),
        _ => GLUE.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hop(ns: f64, kind: &str, module: &str) -> Hop {
        Hop {
            ns,
            kind: kind.into(),
            module: module.into(),
            net: None,
            to: String::new(),
        }
    }

    #[test]
    fn a_name_says_its_block() {
        let of = [
            ("core.slots.words.0.4_RAM", "slots"),
            ("core.walker.doomed.q_SB_DFFESR_Q_E", "walker"),
            ("$flatten\\core.miss.$procdff$77", "miss"),
            ("core.state_SB_LUT4_O", GLUE),
            ("core.memory.0.0_RAM", GLUE),
            ("core.$abc$1$auto$blifparse.cc:492:parse_blif$2", UNNAMED),
            ("$nextpnr_ICESTORM_LC_0", UNNAMED),
            ("stimulus[3]", HARNESS),
        ];
        for (name, block) in of {
            assert_eq!(module(name), block, "{name}");
        }
    }

    #[test]
    fn the_parts_add_up_to_the_path() {
        let path = [
            hop(0.5, "clk-to-q", "a"),
            hop(1.0, "routing", "a"),
            hop(0.4, "logic", "b"),
            hop(0.6, "routing", "b"),
            hop(0.4, "logic", "a"),
            hop(0.1, "setup", "b"),
        ];
        let parts = parts(&path);
        assert_eq!((parts[0].module.as_str(), parts[0].cells), ("a", 2));
        assert_eq!((parts[0].logic_ns, parts[0].routing_ns), (0.9, 1.0));
        assert_eq!((parts[1].logic_ns, parts[1].cells), (0.5, 1));
        let sum: f64 = parts.iter().map(|p| p.logic_ns + p.routing_ns).sum();
        assert!((sum - 3.0).abs() < 1e-9);
    }
}
