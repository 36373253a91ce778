// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a run has shown, as text and as the JSON object of `latchkey sim`.

use super::coverage::{self, Points};
use super::fault::Fault;
use super::latency::Quantiles;
use super::rig::{Judge, Rig};
use super::scenario::{Options, Scenario};
use crate::trace::Cause;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Version of the JSON object.
pub const FORMAT: u32 = 1;

/// Latencies by class.
#[derive(Clone, Debug, Serialize)]
pub struct LatencyReport {
    /// verdicts on a hit
    pub hit: Quantiles,
    /// verdicts that waited for a fetch of their entry
    pub miss: Quantiles,
    /// first segments on a hit
    pub segment: Quantiles,
}

/// The result of a run. Keys are kept from version to version.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Report {
    pub format: u32,
    pub config: String,
    pub scenario: String,
    pub engine: String,
    pub seed: u64,
    pub cycles: u64,
    pub lookups: u64,
    pub grants: u64,
    /// refusals by cause; not_present counts page faults of granted walks
    pub refusals: BTreeMap<String, u64>,
    pub mismatches: u64,
    pub segments: u64,
    pub registrations: u64,
    pub deregistrations: u64,
    pub lookups_per_cycle: f64,
    pub segments_per_cycle: f64,
    pub latency: LatencyReport,
    pub coverage: Points,
    /// points that are zero and must not be
    pub uncovered: Vec<String>,
    /// what went wrong first
    pub fault: Option<String>,
    /// the last transfers before the fault, as trace lines
    pub recent: Vec<String>,
    pub reproduce: String,
}

impl Report {
    /// From what a rig has counted.
    pub fn new<J: Judge>(
        o: &Options,
        rig: &Rig<J>,
        fault: Option<Fault>,
        coverage: Points,
        _from: u64,
    ) -> Report {
        let c = &rig.counts;
        let rate = |n: u64| (n as f64 / c.cycles.max(1) as f64 * 1e6).round() / 1e6;
        let refusals = Cause::ALL[1..]
            .iter()
            .map(|cause| {
                let name = serde_json::to_value(cause)
                    .ok()
                    .and_then(|v| v.as_str().map(str::to_string));
                (name.unwrap_or_default(), c.causes[cause.bits() as usize])
            })
            .collect();
        Report {
            format: FORMAT,
            config: o.config.clone(),
            scenario: o.scenario.name().into(),
            engine: o.engine.clone(),
            seed: o.seed,
            cycles: c.cycles,
            lookups: c.lookups,
            grants: c.grants,
            refusals,
            mismatches: u64::from(fault.is_some()),
            segments: c.segments,
            registrations: c.registered(),
            deregistrations: c.deregistered(),
            lookups_per_cycle: rate(c.lookups),
            segments_per_cycle: rate(c.segments),
            latency: LatencyReport {
                hit: c.latency.hit.quantiles(),
                miss: c.latency.miss.quantiles(),
                segment: c.latency.segment.quantiles(),
            },
            uncovered: coverage::missing(&o.scenario, &coverage, c.lookups),
            coverage,
            recent: if fault.is_some() {
                rig.recent()
            } else {
                Vec::new()
            },
            fault: fault.map(|f| f.to_string()),
            reproduce: reproduce(o),
        }
    }

    /// No mismatch, nothing uncovered.
    pub fn passed(&self) -> bool {
        self.fault.is_none() && self.uncovered.is_empty()
    }

    /// The JSON object.
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut s = String::new();
        let mut line = |name: &str, value: String| {
            let _ = writeln!(s, "{name:<20} {value}");
        };
        line(
            "scenario",
            format!(
                "{} on {} ({}), seed {}",
                self.scenario, self.config, self.engine, self.seed
            ),
        );
        line("cycles", self.cycles.to_string());
        line(
            "lookups",
            format!("{} ({} a cycle)", self.lookups, self.lookups_per_cycle),
        );
        line(
            "segments",
            format!("{} ({} a cycle)", self.segments, self.segments_per_cycle),
        );
        line("grants", self.grants.to_string());
        for (cause, n) in &self.refusals {
            line(&format!("  {cause}"), n.to_string());
        }
        line(
            "commands",
            format!(
                "{} registrations, {} deregistrations",
                self.registrations, self.deregistrations
            ),
        );
        for (name, q) in [
            ("hit", self.latency.hit),
            ("miss", self.latency.miss),
            ("first segment", self.latency.segment),
        ] {
            line(
                &format!("latency {name}"),
                format!(
                    "p50 {} p99 {} p99.9 {} max {} of {}",
                    q.p50, q.p99, q.p999, q.max, q.count
                ),
            );
        }
        let zero: Vec<&str> = self
            .coverage
            .iter()
            .filter(|(_, n)| **n == 0)
            .map(|(point, _)| point.as_str())
            .collect();
        line(
            "coverage",
            format!(
                "{} points reached, {} zero",
                self.coverage.len() - zero.len(),
                zero.len()
            ),
        );
        for point in zero {
            let owed = if self.uncovered.iter().any(|name| name == point) {
                ": must not be zero in this run"
            } else {
                ""
            };
            line("  zero", format!("{point}{owed}"));
        }
        line("mismatches", self.mismatches.to_string());
        if let Some(fault) = &self.fault {
            line("fault", fault.clone());
            self.recent.iter().for_each(|r| line("", r.clone()));
        }
        line("reproduce", self.reproduce.clone());
        s
    }
}

fn reproduce(o: &Options) -> String {
    let what = match &o.scenario {
        Scenario::Trace(file, _) => format!("--trace {file}"),
        named => format!("--scenario {} --lookups {}", named.name(), o.lookups),
    };
    format!(
        "latchkey sim --config {} --engine {} {what} --seed {}",
        o.config, o.engine, o.seed
    )
}
