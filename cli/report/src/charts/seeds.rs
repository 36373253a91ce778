// SPDX-License-Identifier: MIT OR Apache-2.0
//! The clock of each seed, as nextpnr and icetime see it, with the goal and the median.

use super::{axis_x, line, svg, text, WIDTH};
use crate::scale::Scale;
use latchkey_bsp::report::{Fmax, Seed};
use maud::{html, Markup};

const LEFT: f64 = 70.0;
const RIGHT: f64 = WIDTH - 150.0;
const TOP: f64 = 40.0;
const ROW: f64 = 22.0;

/// A row a seed.
pub fn seeds(fmax: &Fmax, goal: Option<f64>) -> Markup {
    let values = fmax
        .per_seed
        .iter()
        .flat_map(|s| [Some(s.mhz), s.icetime_mhz]);
    let values: Vec<f64> = values.flatten().chain(goal).filter(|v| *v > 0.0).collect();
    let low = values.iter().copied().fold(f64::MAX, f64::min);
    let high = values.iter().copied().fold(0.0, f64::max);
    let edge = ((high - low) * 0.08).max(1.0);
    let scale = Scale::linear((low - edge, high + edge), (LEFT, RIGHT));
    let bottom = TOP + ROW * fmax.per_seed.len() as f64;
    let told = format!(
        "Clock by seed: median {} MHz, {} to {}",
        fmax.median, fmax.min, fmax.max
    );
    svg(
        bottom + 42.0,
        &told,
        html! {
            (axis_x(&scale, (LEFT, RIGHT), (TOP, bottom), "MHz"))
            (marks(&scale, fmax.median, goal, bottom))
            @for (n, seed) in fmax.per_seed.iter().enumerate() {
                (row(seed, TOP + ROW * (n as f64 + 0.5), &scale))
            }
        },
    )
}

/// Lines of goal and median; their labels stand on opposite sides so that they never meet.
fn marks(scale: &Scale, median: f64, goal: Option<f64>, bottom: f64) -> Markup {
    let left_of = |x: f64, other: f64| if x <= other { "end" } else { "" };
    let at = scale.at(median);
    let to = goal.map(|g| scale.at(g));
    let shift = |class: &str| if class == "end" { -4.0 } else { 4.0 };
    html! {
        @let class = left_of(at, to.unwrap_or(WIDTH));
        @if median > 0.0 {
            (line((at, TOP - 8.0), (at, bottom), "median"))
            (text(at + shift(class), TOP - 12.0, class, &format!("median {median:.2}")))
        }
        @if let (Some(goal), Some(to)) = (goal, to) {
            @let class = if class == "end" { "" } else { "end" };
            (line((to, TOP - 8.0), (to, bottom), "limit"))
            (text(to + shift(class), TOP - 12.0, class, &format!("goal {goal}")))
        }
    }
}

fn row(seed: &Seed, y: f64, scale: &Scale) -> Markup {
    html! {
        (text(LEFT - 10.0, y + 4.0, "end", &format!("seed {}", seed.seed)))
        @if let Some(why) = &seed.failed {
            (text(LEFT + 8.0, y + 4.0, "strong", why))
        } @else {
            @if let Some(mhz) = seed.icetime_mhz {
                @let x = scale.at(mhz);
                path d=(format!("M{} {y} l5 -5 l5 5 l-5 5 z", x - 5.0)) class="hollow" {}
            }
            circle cx=(scale.at(seed.mhz)) cy=(y) r="5" class="a" {}
            @let second = seed.icetime_mhz.map(|m| format!(" / {m:.1}")).unwrap_or_default();
            (text(RIGHT + 12.0, y + 4.0, "", &format!("{:.1}{second}", seed.mhz)))
        }
    }
}
