// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a run has shown, as text and as the JSON object of `latchkey sim`.

use super::coverage::{self, Points};
use super::fault::Fault;
use super::rig::{Judge, Rig};
use super::scenario::Options;
use super::tally::Tally;
use super::windows::Window;
use serde::Serialize;
use std::fmt::Write;

/// Version of the JSON object.
pub const FORMAT: u32 = 1;

/// The result of a run. Keys are kept from version to version.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Report {
    pub format: u32,
    pub config: String,
    pub scenario: String,
    pub engine: String,
    pub seed: u64,
    #[serde(flatten)]
    pub run: Tally,
    pub mismatches: u64,
    /// hits and misses along the run
    pub hit_rate_over_time: Vec<Window>,
    pub coverage: Points,
    /// points that are zero and must not be
    pub uncovered: Vec<String>,
    pub reproduce: String,
}

impl Report {
    /// From what a rig has counted.
    pub fn new<J: Judge>(
        o: &Options,
        rig: &Rig<J>,
        fault: Option<Fault>,
        coverage: Points,
    ) -> Report {
        let c = &rig.counts;
        let (hits, misses) = (c.latency.hit.count(), c.latency.miss.count());
        Report {
            format: FORMAT,
            config: o.config.clone(),
            scenario: o.scenario.name().into(),
            engine: o.engine.clone(),
            seed: o.seed,
            run: Tally::new(rig, fault.as_ref()),
            mismatches: u64::from(fault.is_some()),
            hit_rate_over_time: c.windows.all(c.cycles, hits, misses),
            uncovered: coverage::missing(&o.scenario, &coverage, c.lookups),
            coverage,
            reproduce: o.reproduce(),
        }
    }

    /// No mismatch, nothing uncovered.
    pub fn passed(&self) -> bool {
        self.run.fault.is_none() && self.uncovered.is_empty()
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
        line("cycles", self.run.cycles.to_string());
        line(
            "lookups",
            format!(
                "{} ({} a cycle)",
                self.run.lookups, self.run.lookups_per_cycle
            ),
        );
        line(
            "segments",
            format!(
                "{} ({} a cycle)",
                self.run.segments, self.run.segments_per_cycle
            ),
        );
        line("grants", self.run.grants.to_string());
        for (cause, n) in &self.run.refusals {
            line(&format!("  {cause}"), n.to_string());
        }
        line(
            "commands",
            format!(
                "{} registrations, {} deregistrations",
                self.run.registrations, self.run.deregistrations
            ),
        );
        for (name, q) in [
            ("hit", self.run.latency.hit),
            ("miss", self.run.latency.miss),
            ("first segment", self.run.latency.segment),
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
        if let Some(fault) = &self.run.fault {
            line("fault", fault.clone());
            self.run.recent.iter().for_each(|r| line("", r.clone()));
        }
        line("reproduce", self.reproduce.clone());
        s
    }
}
