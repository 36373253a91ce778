// SPDX-License-Identifier: MIT OR Apache-2.0
//! The result of a replay, one structure for text, JSON and pages.

use super::tally::Tally;
use super::{Facts, Options};
use crate::bench::tally::Tally as Run;
use crate::bench::{Fault, Rig};
use crate::capture::Counts;
use serde::Serialize;

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
    #[serde(flatten)]
    pub run: Run,
    pub mismatches: u64,
    pub hit_rate_over_time: Vec<Stretch>,
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
            run: Run::new(rig, fault.as_ref()),
            mismatches: u64::from(fault.is_some())
                + requests.wrong_count
                + requests.matches.mismatched,
            hit_rate_over_time: stretches,
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
