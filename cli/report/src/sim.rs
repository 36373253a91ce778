// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page of `latchkey sim`.

use crate::page::{facts, page, state};
use crate::scale::thousands;
use crate::sim_parts::{causes, fault, hits, latencies, summary, words};
use latchkey_testbench::bench::pattern::Shape;
use latchkey_testbench::bench::report::Report;
use maud::{html, Markup};

/// The page.
pub fn html(r: &Report) -> String {
    let t = &r.run;
    let windows: Vec<_> = r
        .hit_rate_over_time
        .iter()
        .map(|w| (w.cycle, w.hits, w.misses))
        .collect();
    let mut reasons: Vec<String> = t.fault.iter().cloned().collect();
    reasons.extend(
        r.uncovered
            .iter()
            .map(|point| format!("{point} was not reached and had to be")),
    );
    let what = if r.passed() {
        "Every answer is right."
    } else {
        "Failed:"
    };
    page(
        &format!("Latchkey: {} on {}", r.scenario, r.config),
        html! { "Simulated, cycle by cycle (engine: " (r.engine) "). Seed " (r.seed) "." },
        state(r.passed(), what, &reasons),
        html! {
            (summary(t, r.mismatches))
            (fault(t))
            (latencies(t))
            (hits(t, &windows, "cycles"))
            (causes(&t.refusals, t.lookups, "lookups"))
            h2 { "Coverage" }
            (coverage(r))
            h2 { "Once more" }
            (facts(&[("seed", r.seed.to_string()), ("command", r.reproduce.clone())]))
        },
    )
}

fn coverage(r: &Report) -> Markup {
    let reached = r.coverage.values().filter(|n| **n > 0).count();
    let cross = |name: &str| name.contains("_idle_");
    html! {
        p {
            (reached) " of " (r.coverage.len()) " points reached. "
            "Those that begin with core are the core's own counters, read at the end; the others are counted at the pins. A zero is marked."
        }
        ul.points {
            @for (point, n) in r.coverage.iter().filter(|(name, _)| !cross(name)) {
                li {
                    span { (words(point.strip_prefix("cp_").unwrap_or(point))) }
                    @if *n == 0 { span.zero { "\u{2717} 0" } } @else { span { (thousands(*n)) } }
                }
            }
        }
        @for what in ["verdict", "segment"] {
            h3 { "How requests came (rows) and " (what) "s were taken (columns)" }
            (crossed(r, what))
        }
        p.soft { "Each number counts transfers under two patterns: when the bench held valid up, and when it held ready up." }
    }
}

fn crossed(r: &Report, what: &str) -> Markup {
    html! {
        table {
            thead { tr { th { "" } @for back in Shape::NAMES { th.n { (words(back)) } } } }
            tbody {
                @for idle in Shape::NAMES {
                    tr {
                        th scope="row" { (words(idle)) }
                        @for back in Shape::NAMES {
                            @let n = r.coverage.get(&format!("cp_{what}_idle_{idle}_ready_{back}")).copied().unwrap_or(0);
                            td.n { (thousands(n)) }
                        }
                    }
                }
            }
        }
    }
}
