// SPDX-License-Identifier: MIT OR Apache-2.0
//! A share along the run: 0 to 100 %, stretch by stretch.

use super::{axis_x, axis_y, svg, WIDTH};
use crate::scale::Scale;
use maud::{html, Markup};

const LEFT: f64 = 64.0;
const RIGHT: f64 = WIDTH - 30.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 180.0;

/// End of the stretch, part, rest. A stretch with neither is a gap.
pub fn share(list: &[(u64, u64, u64)], unit: &str, told: &str) -> Markup {
    let end = list.last().map_or(1, |s| s.0).max(1) as f64;
    let x = Scale::linear((0.0, end), (LEFT, RIGHT));
    let y = Scale::linear((0.0, 1.0), (BOTTOM, TOP));
    let ticks: Vec<(f64, String)> = [0, 25, 50, 75, 100]
        .iter()
        .map(|p| (f64::from(*p) / 100.0, format!("{p} %")))
        .collect();
    let mut d = String::new();
    let mut from = 0.0;
    let mut joined = false;
    for (to, part, rest) in list {
        let right = x.at(*to as f64);
        if part + rest > 0 {
            let at = y.at(*part as f64 / (part + rest) as f64);
            d += &format!(
                "{}{} {at} H{right} ",
                if joined { "L" } else { "M" },
                x.at(from)
            );
        }
        joined = part + rest > 0;
        from = *to as f64;
    }
    svg(
        BOTTOM + 42.0,
        told,
        html! {
            (axis_y(&y, (LEFT, RIGHT), TOP, &ticks, ""))
            (axis_x(&x, (LEFT, RIGHT), (BOTTOM, BOTTOM), unit))
            path d=(d.trim_end()) class="curve" {}
        },
    )
}
