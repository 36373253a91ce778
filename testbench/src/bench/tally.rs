// SPDX-License-Identifier: MIT OR Apache-2.0
//! What every run reports, be it a scenario, a trace or a capture.

use super::fault::Fault;
use super::latency::{Histogram, Quantiles};
use super::rig::{Judge, Rig};
use crate::trace::Cause;
use serde::Serialize;
use std::collections::BTreeMap;

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

/// How often each latency was seen, as pairs of cycles and count; the last pair of a long one holds everything beyond.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Histograms {
    /// verdicts on a hit
    pub hit: Vec<(u64, u64)>,
    /// verdicts that waited
    pub miss: Vec<(u64, u64)>,
    /// first segments on a hit
    pub segment: Vec<(u64, u64)>,
}

/// What was counted. Keys are kept from version to version.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Tally {
    pub cycles: u64,
    pub lookups: u64,
    pub grants: u64,
    /// refusals by cause; not_present counts page faults of granted walks
    pub refusals: BTreeMap<String, u64>,
    pub segments: u64,
    pub registrations: u64,
    pub deregistrations: u64,
    pub lookups_per_cycle: f64,
    pub segments_per_cycle: f64,
    /// verdicts on a hit, of all that are either
    pub hit_rate: f64,
    pub latency: LatencyReport,
    pub histograms: Histograms,
    /// what went wrong first
    pub fault: Option<String>,
    /// the last transfers before the fault, as trace lines
    pub recent: Vec<String>,
}

impl Tally {
    /// From what a rig has counted.
    pub fn new<J: Judge>(rig: &Rig<J>, fault: Option<&Fault>) -> Tally {
        let c = &rig.counts;
        let l = &c.latency;
        let refusals = Cause::ALL[1..11].iter();
        let refusals = refusals.map(|cause| (name(cause), c.causes[cause.bits() as usize]));
        Tally {
            cycles: c.cycles,
            lookups: c.lookups,
            grants: c.grants,
            refusals: refusals.collect(),
            segments: c.segments,
            registrations: c.registered(),
            deregistrations: c.deregistered(),
            lookups_per_cycle: rate(c.lookups, c.cycles),
            segments_per_cycle: rate(c.segments, c.cycles),
            hit_rate: rate(l.hit.count(), l.hit.count() + l.miss.count()),
            latency: LatencyReport {
                hit: l.hit.quantiles(),
                miss: l.miss.quantiles(),
                segment: l.segment.quantiles(),
            },
            histograms: Histograms {
                hit: Histogram::bins(&l.hit),
                miss: Histogram::bins(&l.miss),
                segment: Histogram::bins(&l.segment),
            },
            fault: fault.map(ToString::to_string),
            recent: fault.map(|_| rig.recent()).unwrap_or_default(),
        }
    }
}

/// `n` of `of`, to six places.
pub(super) fn rate(n: u64, of: u64) -> f64 {
    (n as f64 / of.max(1) as f64 * 1e6).round() / 1e6
}

/// Name of a cause or code as in the reports.
pub fn name(value: impl Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().to_string()
}
