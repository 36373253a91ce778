// SPDX-License-Identifier: MIT OR Apache-2.0
//! How often each latency was seen. Counts are logarithmic: the rare long ones are what one looks for.

use super::{axis_x, axis_y, line, rect, svg, text, WIDTH};
use crate::scale::{short, thousands, Scale};
use latchkey_testbench::bench::latency::Quantiles;
use maud::{html, Markup};

const LEFT: f64 = 64.0;
const RIGHT: f64 = WIDTH - 20.0;
const TOP: f64 = 58.0;
const BOTTOM: f64 = 204.0;
/// Bars of a wide histogram.
const BARS: usize = 60;
/// More different cycles than this are put together, on a logarithmic scale.
const SINGLE: u64 = 64;

/// First cycle, last cycle, count.
type Bin = (u64, u64, u64);

/// One bar a cycle where they are few, else bars of equal factors.
fn binned(pairs: &[(u64, u64)]) -> (Vec<Bin>, bool) {
    let (Some((low, _)), Some((high, _))) = (pairs.first(), pairs.last()) else {
        return (Vec::new(), false);
    };
    if high - low < SINGLE {
        return (pairs.iter().map(|(c, n)| (*c, *c, *n)).collect(), false);
    }
    let low = (*low).max(1) as f64;
    let factor = ((*high as f64 + 1.0) / low).powf(1.0 / BARS as f64);
    let mut bins: Vec<Bin> = Vec::new();
    let mut from = low as u64;
    for n in 1..=BARS {
        // rounding must not carry the last bar beyond the longest latency
        let to = match n {
            BARS => high + 1,
            _ => ((low * factor.powi(n as i32)).ceil() as u64).min(high + 1),
        };
        if to > from {
            bins.push((from, to - 1, 0));
            from = to;
        }
    }
    for (cycles, count) in pairs {
        let at = bins
            .partition_point(|bin| bin.1 < *cycles)
            .min(bins.len() - 1);
        bins[at].2 += count;
    }
    (bins, true)
}

/// `pairs` are cycles and counts, in order.
pub fn histogram(pairs: &[(u64, u64)], q: &Quantiles) -> Markup {
    let (bins, log) = binned(pairs);
    if bins.is_empty() {
        return html! { p.soft { "none seen" } };
    }
    let most = bins.iter().map(|b| b.2).max().unwrap_or(1) as f64;
    let (first, last) = (bins[0].0 as f64, bins[bins.len() - 1].1 as f64 + 1.0);
    // few cycles: some room on both sides, and bars on their number
    let x = if log {
        Scale::log((first, last), (LEFT, RIGHT))
    } else {
        let room = (12.0 - (last - first)).max(0.0) / 2.0;
        let from = (first - 0.5 - room).max(-0.5);
        Scale::linear((from, (last - 0.5 + room).max(from + 12.0)), (LEFT, RIGHT))
    };
    let edge = if log { 0.0 } else { 0.5 };
    let y = Scale::log((0.5, most * 1.5), (BOTTOM, TOP));
    let ticks: Vec<(f64, String)> = y
        .ticks(6)
        .into_iter()
        .filter(|t| *t >= 1.0)
        .map(|t| (t, short(t)))
        .collect();
    let told = format!(
        "Histogram of {} latencies: median {}, longest {} cycles",
        q.count, q.p50, q.max
    );
    svg(
        BOTTOM + 42.0,
        &told,
        html! {
            (axis_y(&y, (LEFT, RIGHT), TOP, &ticks, "count"))
            (axis_x(&x, (LEFT, RIGHT), (BOTTOM, BOTTOM), "cycles"))
            @for (from, to, count) in bins.iter().filter(|b| b.2 > 0) {
                @let left = x.at(*from as f64 - edge);
                @let right = x.at(*to as f64 + 1.0 - edge);
                g {
                    title { (range(*from, *to)) ": " (thousands(*count)) }
                    (rect((left + 0.5, y.at(*count as f64)), (right - left - 1.0, BOTTOM - y.at(*count as f64)), "a"))
                }
            }
            (quantiles(&x, q, if log { 0.5 } else { 0.0 }))
        },
    )
}

fn range(from: u64, to: u64) -> String {
    if from == to {
        format!("{from} cycles")
    } else {
        format!("{from} to {to} cycles")
    }
}

/// Marks of the quantiles, each label on a line of its own.
fn quantiles(x: &Scale, q: &Quantiles, middle: f64) -> Markup {
    html! {
        @for (n, (name, value)) in [("p50", q.p50), ("p99", q.p99), ("p99.9", q.p999)].into_iter().enumerate() {
            @let label = format!("{name}: {}", thousands(value));
            @let (at, y) = (x.at(value as f64 + middle), TOP - 44.0 + 15.0 * n as f64);
            // near the right end a label turns round
            @let turn = at + 7.0 * label.len() as f64 > RIGHT;
            (line((at, y - 8.0), (at, BOTTOM), "median"))
            (text(if turn { at - 4.0 } else { at + 4.0 }, y, if turn { "end" } else { "" }, &label))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost_when_bars_are_put_together() {
        let pairs: Vec<(u64, u64)> = (6..5000).map(|c| (c, c % 7 + 1)).collect();
        let (bins, log) = binned(&pairs);
        assert!(log && bins.len() <= BARS, "{}", bins.len());
        let sum = |list: &[u64]| list.iter().sum::<u64>();
        let all: Vec<u64> = pairs.iter().map(|p| p.1).collect();
        let got: Vec<u64> = bins.iter().map(|b| b.2).collect();
        assert_eq!(sum(&got), sum(&all));
        assert!(bins.windows(2).all(|w| w[0].1 + 1 == w[1].0));
        assert_eq!((bins[0].0, bins.last().unwrap().1), (6, 4999));
    }

    #[test]
    fn few_cycles_stay_single() {
        assert_eq!(
            binned(&[(6, 9), (8, 1)]),
            (vec![(6, 6, 9), (8, 8, 1)], false)
        );
        assert_eq!(binned(&[]).0, []);
    }
}
