// SPDX-License-Identifier: MIT OR Apache-2.0
//! Named coverage points: what a run has reached, and what a scenario must reach.

use super::counts::Counts;
use super::params::Params;
use super::pattern::Shape;
use super::scenario::Scenario;
use crate::trace::{Cause, Code, EventKind, FlushScope, Mode, Op, PageSize, SegStatus, COMMANDS};
use std::collections::BTreeMap;

/// Points by name.
pub type Points = BTreeMap<String, u64>;

/// The commands of the rest of a key's life: `reg_op`, compiled in.
fn life(p: &Params) -> [(usize, bool); 11] {
    [
        (8, p.fast_reg),
        (9, p.fast_reg),
        (10, p.fast_reg || p.windows),
        (11, p.reregister),
        (12, p.windows),
        (13, p.windows),
        (14, p.windows),
        (15, p.paging),
        (16, p.paging),
        (17, p.null),
        (19, p.limits),
    ]
}

fn word<T: serde::Serialize>(value: T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(s)) => s,
        other => format!("{other:?}"),
    }
}

/// All points of a run: from the pins, and the core's own counters as `cp_core_*`.
pub fn points(c: &Counts, counters: &[(String, u64)], p: &Params) -> Points {
    let mut out = Points::new();
    let mut put = |name: String, n: u64| {
        out.insert(format!("cp_{name}"), n);
    };
    for cause in &Cause::ALL[..11] {
        let name = if *cause == Cause::None {
            "granted".into()
        } else {
            word(cause)
        };
        put(format!("cause_{name}"), c.causes[cause.bits() as usize]);
    }
    for op in Op::ALL {
        let on = match op {
            Op::Atomic | Op::AtomicWrite => p.atomics,
            Op::FlushGlobal | Op::FlushPersistent => p.flush_ops,
            _ => true,
        };
        if on {
            put(format!("op_{}", word(op)), c.ops[op.bits() as usize][0]);
        }
    }
    put("op_undefined".into(), (9..16).map(|n| c.ops[n][0]).sum());
    put("side_local".into(), c.sides[0]);
    put("side_remote".into(), c.sides[1]);
    put("zero_length".into(), c.zero_length);
    put("verdict_only".into(), c.verdict_only);
    put("many_segments".into(), c.many_segments);
    for s in SegStatus::ALL {
        put(
            format!("segment_{}", word(s)),
            c.statuses[s.bits() as usize],
        );
    }
    put("dma_done".into(), c.dma_done);
    put("dma_done_unknown".into(), c.wrong_dma_done);
    for (n, command) in COMMANDS[..5].iter().enumerate() {
        put(format!("command_{command}"), c.answers[n].iter().sum());
    }
    if p.null {
        put("life_cause_nothing".into(), c.causes[11]);
    }
    for (op, on) in life(p) {
        let command = COMMANDS[op];
        for code in Code::ALL {
            let n = c.answers[op][code.bits() as usize];
            if on && (n > 0 || *code == Code::Ok) {
                put(format!("life_{command}_{}", word(code)), n);
            }
        }
    }
    let unknown = (5..8).chain(18..32).filter(|op| *op != 19 || !p.limits);
    put(
        "command_bad_op".into(),
        unknown.map(|op| c.answers[op].iter().sum::<u64>()).sum(),
    );
    for code in &Code::ALL[..10] {
        put(
            format!("answer_{}", word(code)),
            c.answers.iter().map(|a| a[code.bits() as usize]).sum(),
        );
    }
    for mode in Mode::ALL {
        put(
            format!("deregister_{}", word(mode)),
            c.modes[mode.bits() as usize],
        );
    }
    for scope in FlushScope::ALL {
        put(
            format!("flush_{}", word(scope)),
            c.scopes[scope.bits() as usize],
        );
    }
    let room = p.va_bits.min(p.pa_bits).min(p.region_bits);
    for size in &PageSize::ALL[..5] {
        if size.shift().unwrap_or(0) < room {
            put(
                format!("page_{}", word(size)),
                c.sizes[size.bits() as usize],
            );
        }
    }
    put("zero_based".into(), c.zero_based);
    put("mid_page".into(), c.mid_page);
    if p.odp {
        put("on_demand".into(), c.on_demand);
    }
    put("page_stream".into(), c.pages);
    for kind in EventKind::ALL {
        if *kind == EventKind::BadKeys && !p.limits {
            continue;
        }
        put(
            format!("event_{}", word(kind)),
            c.events[kind.bits() as usize],
        );
    }
    put("icm_stalled".into(), c.icm_stalled);
    for (i, idle) in Shape::NAMES.iter().enumerate() {
        for (b, back) in Shape::NAMES.iter().enumerate() {
            put(
                format!("verdict_idle_{idle}_ready_{back}"),
                c.cross_verdict[i][b],
            );
            put(
                format!("segment_idle_{idle}_ready_{back}"),
                c.cross_segment[i][b],
            );
        }
    }
    for (name, n) in counters {
        put(format!("core_{name}"), *n);
    }
    out
}

/// Points that may be zero in a run of less than a million lookups: a table is filled, and a time limit passes, in a long one only.
const RARE: [&str; 5] = [
    "cp_answer_overdue",
    "cp_event_drain_overdue",
    "cp_event_key_space",
    "cp_answer_no_space",
    "cp_answer_busy",
];

/// No scenario sets the limit on bad keys; the directed tests of `rules::limits` do.
const DIRECTED: &str = "cp_event_bad_keys";

/// The points of a scenario that are zero and must not be. Short runs owe only what a few lookups reach.
pub fn missing(scenario: &Scenario, points: &Points, lookups: u64) -> Vec<String> {
    let must: &dyn Fn(&str) -> bool = match scenario {
        Scenario::Mixed if lookups >= 1_000_000 => &|name| !name.starts_with("cp_life_"),
        Scenario::Mixed if lookups >= 500_000 => {
            &|name| !RARE.contains(&name) && !name.starts_with("cp_life_")
        }
        Scenario::Life if lookups >= 20_000 => {
            &|name| name.starts_with("cp_life_") || name == "cp_cause_granted"
        }
        Scenario::Mixed if lookups >= 20_000 => {
            &|name| name.starts_with("cp_cause_") || name.starts_with("cp_op_")
        }
        Scenario::Churn if lookups >= 20_000 => &|name| {
            name.starts_with("cp_deregister_")
                || matches!(
                    name,
                    "cp_segment_cut" | "cp_cause_stale_key" | "cp_cause_granted"
                )
        },
        Scenario::Hits | Scenario::Misses if lookups > 0 => {
            &|name| matches!(name, "cp_cause_granted" | "cp_segment_ok" | "cp_dma_done")
        }
        _ => &|_| false,
    };
    points
        .iter()
        .filter(|(name, n)| **n == 0 && must(name) && *name != DIRECTED)
        .map(|(name, _)| name.clone())
        .collect()
}
