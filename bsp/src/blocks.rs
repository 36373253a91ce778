// SPDX-License-Identifier: MIT OR Apache-2.0
//! Resources block by block: each instance directly under the core is flattened by itself and counts with
//! everything below it. Logic that flattening would share or fold across blocks stays, so the sum
//! is a little above the flat design.

use crate::netlist::{Cells, Netlist};
use crate::script::{self, Recipe};
use crate::target::Target;
use crate::tools::yosys::{self, Yosys};
use crate::{atomic, work, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Name under which the core's own logic, in no instance, is listed.
pub const GLUE: &str = "(core itself)";

/// Cells by block.
pub type Blocks = BTreeMap<String, Cells>;

/// Synthesizes `verilog` with its hierarchy and counts.
pub fn run(
    config: &str,
    verilog: &str,
    top: &str,
    target: Target,
    limit: Duration,
) -> Result<Blocks> {
    let yosys = yosys::find(target)?;
    let recipe = Recipe {
        target,
        abc9: false,
        flatten: true,
        yosys: Yosys::found(&yosys)?.0,
    };
    let folder = work::folder(&format!("{config}-blocks"), &[verilog, target.name()])?;
    atomic::write(&folder.join("core.v"), verilog.as_bytes())?;
    atomic::write(&folder.join("tree.ys"), script::tree(top).as_bytes())?;
    yosys::run(&yosys, &folder, "tree", limit)?;
    let tree = Netlist::read(&folder.join("tree.json"))?;
    let kinds: BTreeSet<&str> = tree
        .module(top)?
        .cells
        .values()
        .map(|c| c.kind.as_str())
        .collect();
    let kept: Vec<&str> = kinds
        .into_iter()
        .filter(|kind| tree.modules.contains_key(*kind))
        .collect();
    atomic::write(
        &folder.join("blocks.ys"),
        script::blocks(top, &kept, &recipe).as_bytes(),
    )?;
    yosys::run(&yosys, &folder, "blocks", limit)?;
    count(&Netlist::read(&folder.join("blocks.json"))?, top)
}

fn count(netlist: &Netlist, top: &str) -> Result<Blocks> {
    let core = netlist.module(top)?;
    let mut own = BTreeMap::new();
    for (name, module) in &netlist.modules {
        own.insert(name.as_str(), module.count(|_| true));
    }
    let mut blocks = Blocks::from([(GLUE.to_string(), own[top])]);
    for (instance, cell) in &core.cells {
        if own.contains_key(cell.kind.as_str()) && !library(&cell.kind) {
            *blocks.entry(instance.clone()).or_default() += total(netlist, &own, &cell.kind);
        }
    }
    Ok(blocks)
}

fn total(netlist: &Netlist, own: &BTreeMap<&str, Cells>, module: &str) -> Cells {
    let mut sum = own[module];
    for cell in netlist.modules[module].cells.values() {
        if own.contains_key(cell.kind.as_str()) && !library(&cell.kind) {
            sum += total(netlist, own, &cell.kind);
        }
    }
    sum
}

/// Models of the vendor's cells are in the netlist too.
fn library(kind: &str) -> bool {
    kind.starts_with("SB_")
        || kind.starts_with("ICESTORM_")
        || kind.starts_with("TRELLIS_")
        || kind.starts_with('$')
        || matches!(
            kind,
            "LUT4" | "CCU2C" | "PFUMX" | "L6MUX21" | "DP16KD" | "PDPW16KD" | "MULT18X18D"
        )
}
