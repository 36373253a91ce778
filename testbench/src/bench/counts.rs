// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is counted at the pins while a bench runs.

use super::latency::Histogram;
use super::pattern::Shape;
use super::windows::Windows;

/// Kinds of pattern.
pub const KINDS: usize = Shape::NAMES.len();

/// Latency classes.
#[derive(Clone, Default)]
pub struct Latencies {
    /// verdicts of lookups whose entry was not fetched meanwhile
    pub hit: Histogram,
    /// verdicts of lookups that waited for their entry
    pub miss: Histogram,
    /// first segments of hits
    pub segment: Histogram,
}

/// Counters of a run.
#[derive(Clone, Default)]
#[allow(missing_docs)]
pub struct Counts {
    pub cycles: u64,
    pub lookups: u64,
    pub verdicts: u64,
    pub grants: u64,
    /// by cause; 9: page faults seen at segments
    pub causes: [u64; 16],
    pub classes: [u64; 8],
    /// by operation and granted
    pub ops: [[u64; 2]; 16],
    /// granted: local, remote
    pub sides: [u64; 2],
    pub zero_length: u64,
    pub verdict_only: u64,
    pub segments: u64,
    pub statuses: [u64; 4],
    pub many_segments: u64,
    pub dma_done: u64,
    pub wrong_dma_done: u64,
    /// by command and answer code
    pub answers: [[u64; 32]; 32],
    /// deregistrations answered ok, by mode
    pub modes: [u64; 4],
    /// flushes answered ok, by scope
    pub scopes: [u64; 4],
    /// registrations answered ok, by page size
    pub sizes: [u64; 8],
    pub zero_based: u64,
    pub on_demand: u64,
    pub mid_page: u64,
    pub pages: u64,
    pub events: [u64; 16],
    pub icm_stalled: u64,
    /// verdicts taken: idle pattern of the lookups, back-pressure of the verdicts
    pub cross_verdict: [[u64; KINDS]; KINDS],
    /// segments taken: idle pattern of the lookups, back-pressure of the segments
    pub cross_segment: [[u64; KINDS]; KINDS],
    pub latency: Latencies,
    pub windows: Windows,
}

impl Counts {
    /// Registrations answered ok.
    pub fn registered(&self) -> u64 {
        self.answers[0][0]
    }

    /// Deregistrations answered ok or overdue.
    pub fn deregistered(&self) -> u64 {
        self.answers[1][0] + self.answers[1][8]
    }
}
