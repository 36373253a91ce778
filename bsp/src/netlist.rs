// SPDX-License-Identifier: MIT OR Apache-2.0
//! Yosys' JSON netlist, as far as counting cells needs it.

use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// A netlist.
#[derive(Deserialize)]
pub struct Netlist {
    /// Modules by name.
    pub modules: BTreeMap<String, Module>,
}

/// A module.
#[derive(Deserialize)]
pub struct Module {
    #[serde(default)]
    ports: BTreeMap<String, Bits>,
    /// Cells and instances by name.
    #[serde(default)]
    pub cells: BTreeMap<String, Cell>,
}

#[derive(Deserialize)]
struct Bits {
    bits: Vec<Bit>,
}

/// A cell or an instance.
#[derive(Deserialize)]
pub struct Cell {
    /// Cell type or module name.
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    connections: BTreeMap<String, Vec<Bit>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Bit {
    Net(u64),
    Constant(#[allow(dead_code)] String),
}

/// Cells of some part of a design.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cells {
    /// Logic cells after packing (reckoned: LUTs and the flip-flops that share no LUT's cell).
    pub lc: u64,
    /// Look-up tables (a carry cell of the ECP5 counts as two).
    pub lut: u64,
    /// Flip-flops.
    pub ff: u64,
    /// Block RAMs.
    pub ram: u64,
}

impl std::ops::AddAssign for Cells {
    fn add_assign(&mut self, other: Cells) {
        self.lc += other.lc;
        self.lut += other.lut;
        self.ff += other.ff;
        self.ram += other.ram;
    }
}

impl Netlist {
    /// Reads a file that yosys wrote.
    pub fn read(path: &Path) -> Result<Netlist> {
        let text = crate::atomic::read(path)?;
        serde_json::from_str(&text).map_err(|e| Error::Malformed {
            path: path.display().to_string(),
            why: e.to_string(),
            mend: "yosys should have written a JSON netlist here".into(),
        })
    }

    /// A module, by name.
    pub fn module(&self, name: &str) -> Result<&Module> {
        self.modules.get(name).ok_or_else(|| Error::Malformed {
            path: "the netlist".into(),
            why: format!("no module `{name}`"),
            mend: "check the name of the top module".into(),
        })
    }
}

impl Module {
    /// Carry cells of the iCE40 with one net at both inputs. nextpnr's router (0.4) rips up the two arcs in turn and may never end (docs/budget.md).
    pub fn twin_carries(&self) -> Vec<&str> {
        let twin = |cell: &Cell| {
            let first = cell.net(&["I0"]);
            cell.kind == "SB_CARRY" && first.is_some() && first == cell.net(&["I1"])
        };
        let mut found: Vec<&str> = self
            .cells
            .iter()
            .filter(|(_, cell)| twin(cell))
            .map(|(name, _)| name.as_str())
            .collect();
        found.sort_unstable();
        found
    }

    /// Own cells whose name passes `wanted`, not those of instances.
    pub fn count(&self, wanted: impl Fn(&str) -> bool) -> Cells {
        let mut fanout: HashMap<u64, u32> = HashMap::new();
        let outputs = |port: &str| matches!(port, "O" | "Z" | "Q" | "CO" | "COUT");
        let nets = self.cells.values().flat_map(|c| {
            c.connections
                .iter()
                .filter(|(p, _)| !outputs(p))
                .flat_map(|(_, b)| b)
        });
        for bit in nets.chain(self.ports.values().flat_map(|p| &p.bits)) {
            if let Bit::Net(net) = bit {
                *fanout.entry(*net).or_default() += 1;
            }
        }
        let lone = |net: &u64| fanout.get(net) == Some(&1);
        let lut_nets: std::collections::HashSet<u64> = self
            .cells
            .values()
            .filter(|c| is_lut(&c.kind))
            .filter_map(|c| c.net(&["O", "Z"]))
            .filter(lone)
            .collect();
        let mut cells = Cells::default();
        for cell in self.cells.iter().filter(|(n, _)| wanted(n)).map(|(_, c)| c) {
            if is_lut(&cell.kind) {
                cells.lut += 1;
                cells.lc += 1;
            } else if cell.kind == "CCU2C" {
                cells.lut += 2;
                cells.lc += 2;
            } else if is_ff(&cell.kind) {
                cells.ff += 1;
                let packed = cell
                    .net(&["D", "DI"])
                    .is_some_and(|n| lut_nets.contains(&n));
                cells.lc += u64::from(!packed);
            } else if is_ram(&cell.kind) {
                cells.ram += 1;
            } else if cell.kind == "TRELLIS_DPR16X4" {
                cells.lut += 4;
                cells.lc += 4;
            }
        }
        cells
    }
}

impl Cell {
    fn net(&self, ports: &[&str]) -> Option<u64> {
        ports
            .iter()
            .find_map(|p| match self.connections.get(*p)?.first()? {
                Bit::Net(net) => Some(*net),
                Bit::Constant(_) => None,
            })
    }
}

fn is_lut(kind: &str) -> bool {
    matches!(kind, "SB_LUT4" | "LUT4")
}

fn is_ff(kind: &str) -> bool {
    kind.starts_with("SB_DFF") || kind == "TRELLIS_FF"
}

fn is_ram(kind: &str) -> bool {
    kind.starts_with("SB_RAM40_4K") || matches!(kind, "DP16KD" | "PDPW16KD")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flip_flop_behind_its_own_lut_shares_the_cell() {
        let text = r#"{"modules":{"m":{"ports":{"q":{"direction":"output","bits":[5]},"r":{"direction":"output","bits":[3]}},"cells":{
            "l":{"type":"SB_LUT4","connections":{"O":[2],"I0":[9]}},
            "f":{"type":"SB_DFF","connections":{"D":[2],"Q":[5]}},
            "k":{"type":"SB_LUT4","connections":{"O":[3],"I0":["0"]}},
            "g":{"type":"SB_DFFE","connections":{"D":[3],"Q":[6]}},
            "b":{"type":"SB_RAM40_4K","connections":{}}}}}}"#;
        let netlist: Netlist = serde_json::from_str(text).unwrap();
        let all = netlist.module("m").unwrap().count(|_| true);
        assert_eq!(
            all,
            Cells {
                lc: 3,
                lut: 2,
                ff: 2,
                ram: 1
            }
        );
        assert!(netlist.module("x").is_err());
    }

    #[test]
    fn a_carry_with_one_net_at_both_inputs_is_named() {
        let text = r#"{"modules":{"m":{"cells":{
            "a":{"type":"SB_CARRY","connections":{"I0":[2],"I1":[2],"CI":["0"]}},
            "b":{"type":"SB_CARRY","connections":{"I0":["1"],"I1":["1"],"CI":[3]}},
            "c":{"type":"SB_CARRY","connections":{"I0":["1"],"I1":[2],"CI":[2]}},
            "d":{"type":"SB_LUT4","connections":{"I0":[2],"I1":[2]}}}}}}"#;
        let netlist: Netlist = serde_json::from_str(text).unwrap();
        assert_eq!(netlist.module("m").unwrap().twin_carries(), ["a"]);
    }
}
