// SPDX-License-Identifier: MIT OR Apache-2.0
//! The budget of a configuration: limits of logic cells and RAMs, block by block.

use crate::blocks::Blocks;
use crate::netlist::Cells;
use crate::{atomic, table, Error, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A budget file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// Configuration it is for.
    pub config: String,
    /// Target it is counted on.
    pub target: String,
    /// Limit of the sum.
    pub total: Limit,
    /// Limits of the blocks.
    pub block: Vec<Block>,
}

/// A limit.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// Logic cells.
    pub lc: u64,
    /// Block RAMs.
    pub ram: u64,
}

/// Limit of one block.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// Name in the table.
    pub name: String,
    /// Instances under the core that belong to it; a trailing `*` stands for any rest.
    pub instances: Vec<String>,
    /// Logic cells.
    pub lc: u64,
    /// Block RAMs.
    pub ram: u64,
}

/// One line of the outcome.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// Block.
    pub block: String,
    /// What it uses.
    pub cells: Cells,
    /// Its limit of logic cells, where there is a budget.
    pub lc_max: Option<u64>,
    /// Its limit of RAMs, where there is a budget.
    pub ram_max: Option<u64>,
}

/// The outcome.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// Blocks, the sum last.
    pub lines: Vec<Line>,
    /// Limits that were passed, each with by how much.
    pub missed: Vec<String>,
}

/// The budgets compiled into the program.
pub fn committed(config: &str) -> Option<Budget> {
    let text = include_str!("../../constraints/budget-alchitry-cu.toml");
    let budget =
        parse(text, "constraints/budget-alchitry-cu.toml").expect("committed budget is legal");
    (budget.config == config).then_some(budget)
}

/// A budget from a file.
pub fn from_file(path: &Path) -> Result<Budget> {
    parse(&atomic::read(path)?, &path.display().to_string())
}

fn parse(text: &str, path: &str) -> Result<Budget> {
    toml::from_str(text).map_err(|e| Error::Malformed {
        path: path.into(),
        why: e.to_string(),
        mend: "a budget has config, target, [total] and [[block]]s with name, instances, lc, ram"
            .into(),
    })
}

/// Holds the blocks of a build to a budget. A block that no line names is over its budget of nothing.
pub fn judge(budget: &Budget, blocks: &Blocks) -> Outcome {
    let mut lines: Vec<Line> = budget
        .block
        .iter()
        .map(|b| Line {
            block: b.name.clone(),
            cells: Cells::default(),
            lc_max: Some(b.lc),
            ram_max: Some(b.ram),
        })
        .collect();
    let mut total = Line {
        block: "total".into(),
        cells: Cells::default(),
        lc_max: Some(budget.total.lc),
        ram_max: Some(budget.total.ram),
    };
    let mut missed = Vec::new();
    for (instance, cells) in blocks {
        total.cells += *cells;
        match budget
            .block
            .iter()
            .position(|b| b.instances.iter().any(|p| fits(p, instance)))
        {
            Some(at) => lines[at].cells += *cells,
            None => missed.push(format!(
                "block `{instance}` ({} logic cells, {} RAMs) is in no line of the budget",
                cells.lc, cells.ram
            )),
        }
    }
    lines.push(total);
    for line in &lines {
        let mut most = |what: &str, used: u64, limit: Option<u64>| {
            if let Some(limit) = limit.filter(|limit| used > *limit) {
                missed.push(format!(
                    "{}: {used} {what} are {} over the budget of {limit}",
                    line.block,
                    used - limit
                ));
            }
        };
        most("logic cells", line.cells.lc, line.lc_max);
        most("RAMs", line.cells.ram, line.ram_max);
    }
    Outcome { lines, missed }
}

/// The lines of a report: by the budget's blocks, or instance by instance where there is none. The sum is last.
pub fn lines(budget: Option<&Budget>, blocks: &Blocks) -> Vec<Line> {
    let limited = budget.map(|budget| judge(budget, blocks).lines);
    limited.unwrap_or_else(|| {
        let line = |block: &str, cells: Cells| Line {
            block: block.into(),
            cells,
            lc_max: None,
            ram_max: None,
        };
        let mut lines: Vec<Line> = blocks.iter().map(|(b, cells)| line(b, *cells)).collect();
        lines.sort_by_key(|l| std::cmp::Reverse(l.cells.lc));
        let mut total = Cells::default();
        blocks.values().for_each(|cells| total += *cells);
        lines.push(line("total", total));
        lines
    })
}

fn fits(pattern: &str, instance: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => instance.starts_with(start),
        None => instance == pattern,
    }
}

fn shown(limit: Option<u64>) -> String {
    limit.map(|l| l.to_string()).unwrap_or_default()
}

/// Lines as a table.
pub fn lines_text(lines: &[Line]) -> String {
    let rows: Vec<Vec<String>> = lines
        .iter()
        .map(|l| {
            vec![
                l.block.clone(),
                l.cells.lc.to_string(),
                shown(l.lc_max),
                l.cells.ram.to_string(),
                shown(l.ram_max),
            ]
        })
        .collect();
    table::table(&["block", "LC", "LC max", "RAM", "RAM max"], &rows)
}

/// The outcome as text.
pub fn text(outcome: &Outcome) -> String {
    let mut text = lines_text(&outcome.lines);
    for missed in &outcome.missed {
        text += &format!("\nmissed: {missed}");
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(list: &[(&str, u64, u64)]) -> Blocks {
        list.iter()
            .map(|(name, lc, ram)| {
                (
                    name.to_string(),
                    Cells {
                        lc: *lc,
                        ram: *ram,
                        ..Cells::default()
                    },
                )
            })
            .collect()
    }

    #[test]
    fn a_block_over_its_limit_is_named_with_by_how_much() {
        let budget = parse("config='a'\ntarget='ice40-hx8k'\n[total]\nlc=100\nram=4\n[[block]]\nname='cache'\ninstances=['mpt*']\nlc=50\nram=2\n", "x").unwrap();
        assert!(judge(
            &budget,
            &blocks(&[("mpt_tags", 30, 1), ("mpt_data", 20, 1)])
        )
        .missed
        .is_empty());
        let missed = judge(&budget, &blocks(&[("mpt", 57, 3), ("new", 60, 0)])).missed;
        let want = [
            "block `new` (60 logic cells, 0 RAMs) is in no line of the budget",
            "cache: 57 logic cells are 7 over the budget of 50",
            "cache: 3 RAMs are 1 over the budget of 2",
            "total: 117 logic cells are 17 over the budget of 100",
        ];
        assert_eq!(missed, want);
    }

    #[test]
    fn the_committed_budget_fits_its_own_total() {
        let budget = committed("alchitry-cu").unwrap();
        assert!(budget.block.iter().map(|b| b.ram).sum::<u64>() <= budget.total.ram);
        assert!(budget.block.iter().map(|b| b.lc).sum::<u64>() <= budget.total.lc);
        assert!(committed("nic").is_none());
    }
}
