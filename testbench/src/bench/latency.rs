// SPDX-License-Identifier: MIT OR Apache-2.0
//! Histogram of latencies in cycles.

use serde::Serialize;

const TOP: usize = 8192;

/// Counts by cycles.
#[derive(Clone)]
pub struct Histogram {
    counts: Vec<u64>,
    total: u64,
    max: u64,
}

impl Default for Histogram {
    fn default() -> Self {
        Histogram {
            counts: vec![0; TOP],
            total: 0,
            max: 0,
        }
    }
}

/// What a report shows of a histogram.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Quantiles {
    /// median
    pub p50: u64,
    /// 99 of 100 are not above
    pub p99: u64,
    /// 999 of 1000 are not above
    pub p999: u64,
    /// longest
    pub max: u64,
    /// number of measurements
    pub count: u64,
}

impl Histogram {
    /// Adds one.
    #[inline]
    pub fn add(&mut self, cycles: u64) {
        self.counts[(cycles as usize).min(TOP - 1)] += 1;
        self.total += 1;
        self.max = self.max.max(cycles);
    }

    /// All of several: the bins of each ([`Histogram::bins`]) and its longest.
    pub fn of<'a>(parts: impl Iterator<Item = (&'a [(u64, u64)], u64)>) -> Histogram {
        let mut all = Histogram::default();
        for (bins, max) in parts {
            for (cycles, n) in bins {
                all.counts[(*cycles as usize).min(TOP - 1)] += n;
                all.total += n;
            }
            all.max = all.max.max(max);
        }
        all
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Histogram::default();
    }

    fn quantile(&self, per_mille: u64) -> u64 {
        let want = (self.total * per_mille).div_ceil(1000);
        let mut seen = 0;
        for (cycles, n) in self.counts.iter().enumerate() {
            seen += n;
            if seen >= want && want > 0 {
                return if cycles == TOP - 1 {
                    self.max
                } else {
                    cycles as u64
                };
            }
        }
        0
    }

    /// Number of measurements.
    pub fn count(&self) -> u64 {
        self.total
    }

    /// Cycles and how often, where it is not zero; the last one holds everything beyond.
    pub fn bins(&self) -> Vec<(u64, u64)> {
        let seen = self.counts.iter().enumerate().filter(|(_, n)| **n > 0);
        seen.map(|(cycles, n)| (cycles as u64, *n)).collect()
    }

    /// The numbers of the report.
    pub fn quantiles(&self) -> Quantiles {
        Quantiles {
            p50: self.quantile(500),
            p99: self.quantile(990),
            p999: self.quantile(999),
            max: self.max,
            count: self.total,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quantiles_of_two_are_those_of_all_measurements() {
        let (mut one, mut two, mut all) = <(Histogram, Histogram, Histogram)>::default();
        for n in 0..2000 {
            let cycles = (n * 37) % 5000 + n;
            all.add(cycles);
            if n % 3 == 0 {
                one.add(cycles);
            } else {
                two.add(cycles);
            }
        }
        let (a, b) = (one.bins(), two.bins());
        let parts = [(a.as_slice(), one.max), (b.as_slice(), two.max)];
        let merged = Histogram::of(parts.into_iter());
        assert_eq!(merged.quantiles(), all.quantiles());
        assert_eq!(merged.bins(), all.bins());
    }

    #[test]
    fn quantiles_are_exact() {
        let mut h = Histogram::default();
        assert_eq!(h.quantiles(), Quantiles::default());
        (1..=1000).for_each(|c| h.add(c));
        h.add(20_000);
        let q = h.quantiles();
        assert_eq!(
            (q.p50, q.p99, q.p999, q.max, q.count),
            (501, 991, 1000, 20_000, 1001)
        );
    }
}
