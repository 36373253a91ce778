// SPDX-License-Identifier: MIT OR Apache-2.0
//! Horizontal bars, some with a mark for a limit.

use super::{line, rect, svg, text, WIDTH};
use crate::scale::Scale;
use maud::{html, Markup};

/// One bar.
#[derive(Clone, Debug)]
pub struct Bar {
    /// What it is.
    pub label: String,
    /// Its length.
    pub value: f64,
    /// Whether it is drawn as something that is wrong.
    pub bad: bool,
    /// Place of a mark.
    pub limit: Option<f64>,
    /// What is written behind it.
    pub shown: String,
    /// Longest the bar can get, drawn as a frame.
    pub room: Option<f64>,
}

const LABELS: f64 = 262.0;
const SHOWN: f64 = 175.0;
const ROW: f64 = 24.0;

/// The bars, each on a scale of its own where it has room, else all on one; `log` makes that scale logarithmic.
pub fn bars(list: &[Bar], log: bool, told: &str) -> Markup {
    let (left, right) = (LABELS, WIDTH - SHOWN);
    let most = list
        .iter()
        .flat_map(|b| [Some(b.value), b.limit])
        .flatten()
        .fold(0.0, f64::max);
    let scale = |bar: &Bar| match (bar.room, log) {
        (Some(room), _) => Scale::linear((0.0, room.max(bar.value)), (left, right)),
        // one of something is still seen
        (None, true) => Scale::log((0.6, most.max(10.0)), (left, right)),
        (None, false) => Scale::linear((0.0, most), (left, right)),
    };
    svg(
        list.len() as f64 * ROW + 4.0,
        told,
        html! {
            @for (n, bar) in list.iter().enumerate() {
                @let y = n as f64 * ROW + 2.0;
                @let scale = scale(bar);
                (text(left - 8.0, y + 15.0, "end", &bar.label))
                @if let Some(room) = bar.room {
                    (rect((left, y + 3.0), (scale.at(room) - left, ROW - 8.0), "room"))
                }
                @if bar.value > 0.0 {
                    (rect((left, y + 3.0), (scale.at(bar.value) - left, ROW - 8.0), if bar.bad { "bad" } else { "a" }))
                }
                @if let Some(limit) = bar.limit {
                    (line((scale.at(limit), y), (scale.at(limit), y + ROW - 2.0), "limit"))
                }
                (text(right + 8.0, y + 15.0, if bar.bad { "strong" } else { "" }, &bar.shown))
            }
            (line((left, 0.0), (left, list.len() as f64 * ROW + 2.0), "axis"))
        },
    )
}
