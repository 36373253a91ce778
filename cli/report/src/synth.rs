// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page of `latchkey synth`.

use crate::charts::bars::{bars, Bar};
use crate::charts::{path, seeds};
use crate::page::{facts, figure, page, state, table};
use crate::scale::{percent, thousands};
use latchkey_bsp::budget::Line;
use latchkey_bsp::report::{Fmax, Report};
use latchkey_bsp::runs::Previous;
use latchkey_bsp::target::Goal;
use maud::{html, Markup};

/// The page; `goal` is what the report was held to.
pub fn html(r: &Report, goal: Option<&Goal>) -> String {
    let title = format!("Latchkey: {} on {}", r.config, r.target);
    let under = html! { "Synthesized, placed and routed in the timing harness, " (r.when) ". Nothing of this has run on a board." };
    let words = match (r.met, goal) {
        (true, Some(_)) => "All goals are met.",
        (true, None) => "It fits. There is no committed goal for this.",
        (false, _) => "Missed:",
    };
    page(
        &title,
        under,
        state(r.met, words, &r.missed),
        html! {
            h2 { "Resources against the device" }
            (resources(r, goal))
            @if !r.blocks.is_empty() {
                h2 { "Resources by block" }
                (blocks(&r.blocks))
            }
            h2 { "Clock" }
            @match &r.fmax_mhz {
                Some(fmax) => (clock(r, fmax)),
                None => p { "Not placed: no seed was asked for, or it does not fit." },
            }
            @if !r.critical_path_hops.is_empty() {
                h2 { "Slowest path by module" }
                (slowest(r))
            }
            h2 { "Against the last run kept" }
            @match &r.previous {
                Some(previous) => (compared(r, previous)),
                None => p { "This is the first run kept of this target." },
            }
            h2 { "How it was made" }
            (made(r))
        },
    )
}

/// Key of a mark, drawn as in the pictures.
fn key(what: Markup, words: &str) -> Markup {
    html! { svg.key viewBox="0 0 26 14" aria-hidden="true" { (what) } " " (words) }
}

fn limit_key(words: &str) -> Markup {
    key(
        html! { line x1="13" y1="0" x2="13" y2="14" class="limit" {} },
        words,
    )
}

fn resources(r: &Report, goal: Option<&Goal>) -> Markup {
    let bar = |label: &str, used: u64, room: u64, limit: Option<u64>| Bar {
        label: label.into(),
        value: used as f64,
        bad: used > limit.unwrap_or(room).min(room),
        limit: limit.filter(|l| *l <= room).map(|l| l as f64),
        shown: format!(
            "{} of {} ({})",
            thousands(used),
            thousands(room),
            percent(used, room)
        ),
        room: Some(room as f64),
    };
    let list = [
        bar(
            "logic cells, core",
            r.lc,
            r.device.lc,
            goal.and_then(|g| g.lc_max),
        ),
        bar(
            "block RAMs, core",
            r.ram,
            r.device.ram,
            goal.and_then(|g| g.ram_max),
        ),
        bar(
            "logic cells with harness",
            r.harness.packed_lc,
            r.device.lc,
            None,
        ),
    ];
    html! {
        (figure(bars(&list, false, "Resources used of the device"), html! {
            "A frame is the whole device. " (limit_key("goal: no more than this"))
        }))
        (table(&["core alone", "used"], &[
            vec!["LUTs".into(), thousands(r.lut)],
            vec!["flip-flops".into(), thousands(r.ff)],
            vec!["cells outside the harness against the bare core (at most 2 % apart)".into(), format!("{:.2} %", r.harness.difference_percent)],
        ]))
    }
}

fn blocks(lines: &[Line]) -> Markup {
    let bar = |line: &Line, used: u64, limit: Option<u64>| Bar {
        label: line.block.clone(),
        value: used as f64,
        bad: limit.is_some_and(|l| used > l),
        limit: limit.map(|l| l as f64),
        shown: match limit {
            Some(limit) => format!("{} (budget {})", thousands(used), thousands(limit)),
            None => thousands(used),
        },
        room: None,
    };
    let each = || lines.iter().filter(|l| l.block != "total");
    let limited = lines.iter().any(|l| l.lc_max.is_some());
    let mut cells: Vec<Bar> = each().map(|l| bar(l, l.cells.lc, l.lc_max)).collect();
    let mut rams: Vec<Bar> = each()
        .filter(|l| l.cells.ram > 0)
        .map(|l| bar(l, l.cells.ram, l.ram_max))
        .collect();
    for list in [&mut cells, &mut rams] {
        list.sort_by(|a, b| b.value.total_cmp(&a.value));
    }
    let total = lines.iter().find(|l| l.block == "total");
    let sum = total
        .map(|t| (thousands(t.cells.lc), t.cells.ram.to_string()))
        .unwrap_or_default();
    html! {
        h3 { "Logic cells: " (sum.0) " in all" }
        (figure(bars(&cells, false, "Logic cells by block"), html! {
            "Each block is synthesized by itself, so the sum is a little above the flat design. "
            @if limited { (limit_key("budget of the block")) }
        }))
        @if !rams.is_empty() {
            h3 { "Block RAMs: " (sum.1) " in all" }
            (figure(bars(&rams, false, "Block RAMs by block"), html! { "Blocks without block RAM are left out." }))
        }
    }
}

fn clock(r: &Report, fmax: &Fmax) -> Markup {
    let mut icetime: Vec<f64> = fmax.per_seed.iter().filter_map(|s| s.icetime_mhz).collect();
    icetime.sort_by(f64::total_cmp);
    let middle = |list: &[f64]| (list[(list.len() - 1) / 2] + list[list.len() / 2]) / 2.0;
    let mhz = |v: f64| format!("{v:.2}");
    let mut rows = vec![vec![
        "nextpnr".into(),
        mhz(fmax.min),
        mhz(fmax.median),
        mhz(fmax.max),
    ]];
    if let (Some(low), Some(high)) = (icetime.first(), icetime.last()) {
        rows.push(vec![
            "icetime".into(),
            mhz(*low),
            mhz(middle(&icetime)),
            mhz(*high),
        ]);
    }
    let resumed = fmax.per_seed.iter().filter(|s| s.resumed).count();
    html! {
        (figure(seeds::seeds(fmax, r.goal_mhz), html! {
            "A row is one seed of place and route. "
            (key(html! { circle cx="13" cy="7" r="5" class="a" {} }, "nextpnr"))
            @if !icetime.is_empty() {
                " " (key(html! { path d="M8 7 l5 -5 l5 5 l-5 5 z" class="hollow" {} }, "icetime, on the same routing"))
            }
            ". The goal is held against nextpnr's median."
        }))
        (table(&["MHz", "min", "median", "max"], &rows))
        @if resumed > 0 { p.soft { (resumed) " of " (fmax.per_seed.len()) " seeds were finished by an earlier run (--resume)." } }
    }
}

fn slowest(r: &Report) -> Markup {
    let total: f64 = r.critical_path_hops.iter().map(|h| h.ns).sum();
    let seed = r.fmax_mhz.as_ref().map_or(0, |f| f.per_seed.len());
    html! {
        (figure(path::path(&r.critical_path_hops, &r.critical_path_modules), html! {
            "Register to register, " (format!("{total:.2}")) " ns, in the median of " (seed) " seeds. A lane is a block of the core. "
            (key(html! { rect x="2" y="1" width="10" height="12" class="a" {} }, "in a cell"))
            " " (key(html! { line x1="0" y1="7" x2="26" y2="7" class="net" {} }, "on a net"))
            ". After flattening a cell is named after a net nearby: where two blocks share logic, the lane is that of the name."
        }))
        details {
            summary { "Every hop" }
            (table(&["from there to", "ns", "kind", "block"], &r.critical_path_hops.iter().map(|h| vec![
                h.to.clone(), format!("{:.2}", h.ns), h.kind.clone(), h.module.clone(),
            ]).collect::<Vec<_>>()))
        }
    }
}

fn compared(r: &Report, p: &Previous) -> Markup {
    let whole = |name: &str, then: u64, now: u64, change: i64| {
        vec![
            name.into(),
            thousands(then),
            thousands(now),
            format!("{change:+}"),
        ]
    };
    let mhz = |name: &str, then: Option<f64>, now: Option<f64>, change: Option<f64>| {
        let shown = |v: Option<f64>| v.map_or_else(|| "none".into(), |v| format!("{v:.2}"));
        let change = change.map_or_else(|| "none".into(), |c| format!("{c:+.2}"));
        vec![name.to_string(), shown(then), shown(now), change]
    };
    let now = r.fmax_mhz.as_ref();
    let rows = [
        whole("logic cells", p.then.lc, r.lc, p.change.lc),
        whole("LUTs", p.then.lut, r.lut, p.change.lut),
        whole("flip-flops", p.then.ff, r.ff, p.change.ff),
        whole("block RAMs", p.then.ram, r.ram, p.change.ram),
        mhz(
            "median MHz",
            p.then.median_mhz,
            now.map(|f| f.median),
            p.change.median_mhz,
        ),
        mhz(
            "slowest seed, MHz",
            p.then.min_mhz,
            now.map(|f| f.min),
            p.change.min_mhz,
        ),
        mhz(
            "fastest seed, MHz",
            p.then.max_mhz,
            now.map(|f| f.max),
            p.change.max_mhz,
        ),
    ];
    let seeds = now.map_or(0, |f| f.per_seed.len());
    html! {
        (table(&["", "then", "now", "change"], &rows))
        p.soft {
            "Then: " (p.when) ", " (p.then.seeds) " seeds (now " (seeds) "), "
            (if p.same_verilog { "the same Verilog" } else { "other Verilog" }) ", "
            (if p.same_tools { "the same tools" } else { "other tools" }) "; runs/" (p.file) "."
        }
    }
}

fn made(r: &Report) -> Markup {
    let mut rows: Vec<(&str, String)> = r
        .tools
        .iter()
        .map(|(name, version)| {
            let kind = r.tool_kinds.get(name).copied().unwrap_or_default();
            (name.as_str(), format!("{version} ({kind})"))
        })
        .collect();
    rows.push(("Verilog, SHA-256", r.verilog_sha256.clone()));
    rows.push(("mapping", if r.abc9 { "ABC9" } else { "ABC" }.into()));
    rows.push(("time", format!("{} s", r.seconds)));
    facts(&rows)
}
