// SPDX-License-Identifier: MIT OR Apache-2.0
//! The result of a replay, one structure for text, JSON and pages.

use super::tally::{name, Tally};
use super::{Facts, Options};
use crate::bench::latency::Histogram;
use crate::bench::report::LatencyReport;
use crate::bench::{Fault, Rig};
use crate::capture::Counts;
use crate::trace::Cause;
use serde::Serialize;
use std::collections::BTreeMap;

/// Version of the JSON object.
pub const FORMAT: u32 = 1;

/// A stretch of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stretch {
    /// last frame of the capture in it
    pub frame: u64,
    /// verdicts on a hit
    pub hits: u64,
    /// verdicts that waited for their entry
    pub misses: u64,
}

/// How often each latency was seen, as pairs of cycles and count.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Histograms {
    /// verdicts on a hit
    pub hit: Vec<(u64, u64)>,
    /// verdicts that waited
    pub miss: Vec<(u64, u64)>,
    /// first segments on a hit
    pub segment: Vec<(u64, u64)>,
}

/// Where the regions are from.
#[derive(Clone, Debug, Serialize)]
pub struct Regions {
    /// "file" or "inferred"
    pub source: &'static str,
    /// the file
    pub file: Option<String>,
    /// regions known
    pub known: usize,
    /// protection domains
    pub domains: u32,
    /// windows that were registered as regions
    pub windows_as_regions: u64,
    /// what was passed over
    pub notes: Vec<String>,
}

/// The result of a replay. Keys are kept from version to version.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Replay {
    pub format: u32,
    pub capture: String,
    pub config: String,
    pub engine: String,
    pub seed: u64,
    pub regions: Regions,
    pub packets: Counts,
    pub requests: Tally,
    pub cycles: u64,
    pub lookups: u64,
    pub grants: u64,
    pub refusals: BTreeMap<String, u64>,
    pub mismatches: u64,
    pub segments: u64,
    pub registrations: u64,
    pub deregistrations: u64,
    pub lookups_per_cycle: f64,
    pub segments_per_cycle: f64,
    pub hit_rate: f64,
    pub hit_rate_over_time: Vec<Stretch>,
    pub latency: LatencyReport,
    pub histograms: Histograms,
    pub fault: Option<String>,
    pub recent: Vec<String>,
    pub reproduce: String,
}

impl Replay {
    /// From what rig and player have counted.
    pub(super) fn new<J>(
        o: &Options,
        facts: &Facts,
        (packets, requests): (Counts, Tally),
        rig: &Rig<J>,
        (stretches, fault): (Vec<Stretch>, Option<Fault>),
    ) -> Replay
    where
        J: crate::bench::Judge,
    {
        let c = &rig.counts;
        let part = |n: u64, of: u64| (n as f64 / of.max(1) as f64 * 1e6).round() / 1e6;
        let (hit, miss) = (&c.latency.hit, &c.latency.miss);
        let causes = Cause::ALL[1..].iter();
        let refusals = causes.map(|cause| (name(*cause), c.causes[cause.bits() as usize]));
        let bins = Histogram::bins;
        Replay {
            format: FORMAT,
            capture: o.capture.clone(),
            config: o.config.clone(),
            engine: o.engine.clone(),
            seed: o.seed,
            regions: Regions {
                source: if facts.file.is_some() {
                    "file"
                } else {
                    "inferred"
                },
                file: facts.file.clone(),
                known: facts.regions.len(),
                domains: facts.pds,
                windows_as_regions: requests.windows,
                notes: facts.notes.clone(),
            },
            cycles: c.cycles,
            lookups: c.lookups,
            grants: c.grants,
            refusals: refusals.collect(),
            mismatches: u64::from(fault.is_some())
                + requests.wrong_count
                + requests.matches.mismatched,
            segments: c.segments,
            registrations: c.registered(),
            deregistrations: c.deregistered(),
            lookups_per_cycle: part(c.lookups, c.cycles),
            segments_per_cycle: part(c.segments, c.cycles),
            hit_rate: part(hit.count(), hit.count() + miss.count()),
            hit_rate_over_time: stretches,
            latency: LatencyReport {
                hit: hit.quantiles(),
                miss: miss.quantiles(),
                segment: c.latency.segment.quantiles(),
            },
            histograms: Histograms {
                hit: bins(hit),
                miss: bins(miss),
                segment: bins(&c.latency.segment),
            },
            recent: if fault.is_some() {
                rig.recent()
            } else {
                Vec::new()
            },
            fault: fault.map(|f| f.to_string()),
            reproduce: o.reproduce(),
            packets,
            requests,
        }
    }

    /// Core, model and capture agree, but for what is explained.
    pub fn passed(&self) -> bool {
        self.mismatches == 0
    }
}
