// SPDX-License-Identifier: MIT OR Apache-2.0
//! One run as several side by side: each an engine, a bench and a checker of its own, with seeds that follow one another.
//!
//! A processor that waits is of no use to a long run, and one engine can't use two. Nothing is shared between the parts, so the result depends
//! on the seed and the number of parts and not on which of them was faster.

use super::coverage;
use super::latency::{Histogram, Quantiles};
use super::report::Report;
use super::scenario::Options;
use super::tally::rate;

/// The options of each part: the lookups divided, the seeds counted up.
pub fn split(o: &Options, parts: u64) -> Vec<Options> {
    let parts = parts.clamp(1, o.lookups.max(1));
    let part = |n: u64| Options {
        lookups: o.lookups / parts + u64::from(n < o.lookups % parts),
        seed: o.seed.wrapping_add(n),
        ..o.clone()
    };
    (0..parts).map(part).collect()
}

/// One report of all parts: sums, and latencies of all measurements together. Along the run the first part is shown. What went wrong is
/// that of the first part in which something did, and `reproduce` then is the command of that part alone.
pub fn merge(o: &Options, parts: Vec<Report>) -> Report {
    let count = parts.len();
    let wrong = parts.iter().position(|p| p.run.fault.is_some());
    let mut all = parts[wrong.unwrap_or(0)].clone();
    let latency = |pick: fn(&Report) -> (&[(u64, u64)], Quantiles)| {
        Histogram::of(parts.iter().map(pick).map(|(bins, q)| (bins, q.max)))
    };
    let [hit, miss, segment] = [
        latency(|r| (&r.run.histograms.hit, r.run.latency.hit)),
        latency(|r| (&r.run.histograms.miss, r.run.latency.miss)),
        latency(|r| (&r.run.histograms.segment, r.run.latency.segment)),
    ];
    let sum = |pick: fn(&Report) -> u64| parts.iter().map(pick).sum::<u64>();
    let run = &mut all.run;
    run.cycles = sum(|r| r.run.cycles);
    run.lookups = sum(|r| r.run.lookups);
    run.grants = sum(|r| r.run.grants);
    run.segments = sum(|r| r.run.segments);
    run.registrations = sum(|r| r.run.registrations);
    run.deregistrations = sum(|r| r.run.deregistrations);
    run.lookups_per_cycle = rate(run.lookups, run.cycles);
    run.segments_per_cycle = rate(run.segments, run.cycles);
    run.hit_rate = rate(hit.count(), hit.count() + miss.count());
    for (cause, n) in &mut run.refusals {
        *n = parts.iter().filter_map(|p| p.run.refusals.get(cause)).sum();
    }
    (run.latency.hit, run.histograms.hit) = (hit.quantiles(), hit.bins());
    (run.latency.miss, run.histograms.miss) = (miss.quantiles(), miss.bins());
    (run.latency.segment, run.histograms.segment) = (segment.quantiles(), segment.bins());
    for (point, n) in &mut all.coverage {
        *n = parts.iter().filter_map(|p| p.coverage.get(point)).sum();
    }
    all.seed = o.seed;
    all.mismatches = sum(|r| r.mismatches);
    all.uncovered = coverage::missing(&o.scenario, &all.coverage, o.lookups);
    if wrong.is_none() && count > 1 {
        all.reproduce = format!("{} --jobs {count}", o.reproduce());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::scenario::Scenario;

    #[test]
    fn lookups_are_divided_and_seeds_differ() {
        let o = Options {
            scenario: Scenario::Hits,
            config: "tiny".into(),
            engine: "rust".into(),
            lookups: 10,
            seed: 7,
            counters: Vec::new(),
        };
        let parts = split(&o, 3);
        let told: Vec<(u64, u64)> = parts.iter().map(|p| (p.lookups, p.seed)).collect();
        assert_eq!(told, [(4, 7), (3, 8), (3, 9)]);
        assert_eq!(split(&o, 100).len(), 10);
    }
}
