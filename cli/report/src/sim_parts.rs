// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the pages of a scenario and of a capture have in common.

use crate::charts::bars::{bars, Bar};
use crate::charts::{histogram, over_time};
use crate::page::{figure, table};
use crate::scale::{percent, thousands};
use latchkey_testbench::bench::latency::Quantiles;
use latchkey_testbench::bench::tally::Tally;
use maud::{html, Markup};
use std::collections::BTreeMap;

/// What was done, in numbers.
pub fn summary(t: &Tally, mismatches: u64) -> Markup {
    let verdicts = t.latency.hit.count + t.latency.miss.count;
    let row = |name: &str, value: String, rate: String| vec![name.to_string(), value, rate];
    let a_cycle = |rate: f64| format!("{rate:.3} a cycle");
    table(
        &[],
        &[
            row("cycles", thousands(t.cycles), String::new()),
            row(
                "lookups",
                thousands(t.lookups),
                a_cycle(t.lookups_per_cycle),
            ),
            row("granted", thousands(t.grants), percent(t.grants, t.lookups)),
            row(
                "segments",
                thousands(t.segments),
                a_cycle(t.segments_per_cycle),
            ),
            row(
                "verdicts on a hit",
                thousands(t.latency.hit.count),
                percent(t.latency.hit.count, verdicts),
            ),
            row("registrations", thousands(t.registrations), String::new()),
            row(
                "deregistrations",
                thousands(t.deregistrations),
                String::new(),
            ),
            row("mismatches", thousands(mismatches), String::new()),
        ],
    )
}

/// The three histograms with their quantiles.
pub fn latencies(t: &Tally) -> Markup {
    let (l, h) = (&t.latency, &t.histograms);
    let all: [(&str, &str, &Quantiles, &[(u64, u64)]); 3] = [
        ("Verdict on a hit", "The entry was in the key cache.", &l.hit, &h.hit),
        ("Verdict after a miss", "The entry had to be fetched from the memory of the tables, or its fetch was waited for.", &l.miss, &h.miss),
        ("First segment on a hit", "Page look-up and its misses included.", &l.segment, &h.segment),
    ];
    let rows: Vec<Vec<String>> = all
        .iter()
        .map(|(name, _, q, _)| {
            let mut row = vec![name.to_string(), thousands(q.count)];
            row.extend([q.p50, q.p99, q.p999, q.max].map(|v| {
                if q.count == 0 {
                    "none".into()
                } else {
                    thousands(v)
                }
            }));
            row
        })
        .collect();
    html! {
        h2 { "Latency" }
        p { "From the edge of the request's transfer to the edge at which the answer is valid; what the run's own back-pressure adds is in it." }
        (table(&["cycles", "number", "p50", "p99", "p99.9", "longest"], &rows))
        @for (name, words, q, pairs) in all.iter().filter(|(_, _, q, _)| q.count > 0) {
            h3 { (name) }
            (figure(histogram::histogram(pairs, q), html! {
                (words) " Logarithmic counts."
                @if q.max > 8190 { " The last bar holds everything beyond 8,190 cycles." }
            }))
        }
    }
}

/// The hit rate along the run.
pub fn hits(t: &Tally, list: &[(u64, u64, u64)], unit: &str) -> Markup {
    let (hit, miss) = (t.latency.hit.count, t.latency.miss.count);
    html! {
        h2 { "Hit rate over time" }
        @if list.is_empty() { p { "No verdict was a hit or a miss." } } @else {
            (figure(over_time::share(list, unit, "Hit rate over time"), html! {
                (percent(hit, hit + miss)) " over the whole run, of " (thousands(hit + miss)) " verdicts. A step is one stretch of the run; where it has no verdict the line is broken."
            }))
        }
    }
}

/// Refusals by cause.
pub fn causes(refusals: &BTreeMap<String, u64>, of: u64, what: &str) -> Markup {
    let mut list: Vec<(&String, &u64)> = refusals.iter().collect();
    list.sort_by_key(|(name, n)| (std::cmp::Reverse(**n), name.as_str()));
    let total: u64 = refusals.values().sum();
    let list: Vec<Bar> = list
        .into_iter()
        .map(|(cause, n)| Bar {
            label: words(cause),
            value: *n as f64,
            bad: false,
            limit: None,
            shown: thousands(*n),
            room: None,
        })
        .collect();
    html! {
        h2 { "Faults by cause" }
        @if total == 0 { p { "Nothing was refused." } } @else {
            (figure(bars(&list, true, "Faults by cause"), html! {
                (thousands(total)) " of " (thousands(of)) " " (what) ", logarithmic scale. The first check that fails is the cause (docs/interface.md). \"not present\" are page faults of granted walks."
            }))
        }
    }
}

/// Where something went wrong.
pub fn fault(t: &Tally) -> Markup {
    html! {
        @if let Some(fault) = &t.fault {
            h2 { "The fault" }
            p { (fault) }
            @for line in &t.recent { p { code { (line) } } }
        }
    }
}

/// A name of the JSON as words.
pub fn words(name: &str) -> String {
    name.replace('_', " ")
}
