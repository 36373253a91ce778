// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables for the terminal.

use crate::report::Report;
use comfy_table::{presets, CellAlignment, Table};

/// A table with left-aligned first column and right-aligned others.
pub fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let mut table = Table::new();
    table
        .load_preset(presets::ASCII_MARKDOWN)
        .set_header(head.iter().copied());
    table.add_rows(rows.iter().cloned());
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.to_string()
}

/// The report as text.
pub fn report(r: &Report) -> String {
    let share = |used: u64, all: u64| format!("{:.1} %", 100.0 * used as f64 / all as f64);
    let mut rows = vec![
        vec![
            "logic cells".into(),
            r.lc.to_string(),
            r.device.lc.to_string(),
            share(r.lc, r.device.lc),
        ],
        vec![
            "LUTs".into(),
            r.lut.to_string(),
            String::new(),
            String::new(),
        ],
        vec![
            "flip-flops".into(),
            r.ff.to_string(),
            String::new(),
            String::new(),
        ],
        vec![
            "block RAMs".into(),
            r.ram.to_string(),
            r.device.ram.to_string(),
            share(r.ram, r.device.ram),
        ],
    ];
    rows.push(vec![
        "harness, not counted above".into(),
        r.harness.cells.lc.to_string(),
        String::new(),
        String::new(),
    ]);
    let mut text = format!(
        "{} ({}) on {}\n{}\n",
        r.config,
        r.top,
        r.target,
        table(&["", "used", "device", "share"], &rows)
    );
    if let Some(f) = &r.fmax_mhz {
        let seeds: Vec<String> = f
            .per_seed
            .iter()
            .map(|s| match (&s.failed, s.icetime_mhz) {
                (Some(why), _) => format!("{}: {why}", s.seed),
                (None, Some(second)) => format!("{}: {:.1} / {second:.1}", s.seed, s.mhz),
                (None, None) => format!("{}: {:.1}", s.seed, s.mhz),
            })
            .collect();
        text += &format!(
            "clock, MHz: median {:.2}, min {:.2}, max {:.2} (seed: nextpnr / icetime  {})\n",
            f.median,
            f.min,
            f.max,
            seeds.join(", ")
        );
    }
    if let Some(mhz) = r.icetime_mhz {
        text += &format!("icetime on the median seed: {mhz:.2} MHz\n");
    }
    if !r.critical_path.is_empty() {
        text += &format!("slowest path:\n  {}\n", r.critical_path.join("\n  "));
    }
    text += &by_module(r);
    text += &since(r);
    text += &format!(
        "cells outside the harness against the bare core: {:.2} % apart\n",
        r.harness.difference_percent
    );
    for (name, version) in &r.tools {
        let kind = r.tool_kinds.get(name).copied().unwrap_or_default();
        text += &format!("{name} ({kind}): {version}\n");
    }
    for missed in &r.missed {
        text += &format!("missed: {missed}\n");
    }
    if r.met {
        text += "goals met\n";
    }
    text
}

/// Blocks, and the slowest path by module.
fn by_module(r: &Report) -> String {
    let mut text = String::new();
    if !r.critical_path_modules.is_empty() {
        let row = |p: &crate::path::Part| {
            let ns = |v: f64| format!("{v:.2}");
            vec![
                p.module.clone(),
                p.cells.to_string(),
                ns(p.logic_ns),
                ns(p.routing_ns),
            ]
        };
        let rows: Vec<_> = r.critical_path_modules.iter().map(row).collect();
        let head = ["slowest path", "cells", "logic ns", "nets ns"];
        text += &format!("{}\n", table(&head, &rows));
    }
    if !r.blocks.is_empty() {
        text += &format!("{}\n", crate::budget::lines_text(&r.blocks));
    }
    text
}

/// Against the last run kept.
fn since(r: &Report) -> String {
    let Some(p) = &r.previous else {
        return String::new();
    };
    let mhz = match p.change.median_mhz {
        Some(change) => format!(", median {change:+.2} MHz"),
        None => String::new(),
    };
    let same = if p.same_verilog { "same" } else { "other" };
    format!(
        "since the run of {} ({same} Verilog): {:+} logic cells, {:+} block RAMs{mhz}\n",
        p.when, p.change.lc, p.change.ram
    )
}
