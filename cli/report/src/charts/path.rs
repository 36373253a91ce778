// SPDX-License-Identifier: MIT OR Apache-2.0
//! The slowest path along time, a lane a module.

use super::{axis_x, line, rect, svg, text, WIDTH};
use crate::scale::Scale;
use latchkey_bsp::path::{Hop, Part};
use maud::{html, Markup};

const LEFT: f64 = 120.0;
const RIGHT: f64 = WIDTH - 190.0;
const TOP: f64 = 22.0;
const LANE: f64 = 26.0;

/// Full blocks: in cells. Lines: on nets. Where the path goes from lane to lane it enters another module.
pub fn path(hops: &[Hop], parts: &[Part]) -> Markup {
    let total: f64 = hops.iter().map(|h| h.ns).sum();
    let scale = Scale::linear((0.0, total), (LEFT, RIGHT));
    let bottom = TOP + LANE * parts.len() as f64;
    let lane = |module: &str| {
        let n = parts.iter().position(|p| p.module == module).unwrap_or(0);
        TOP + LANE * (n as f64 + 0.5)
    };
    let mut from = 0.0;
    let mut drawn = Vec::new();
    let mut last: Option<f64> = None;
    for hop in hops {
        let (x, end) = (scale.at(from), scale.at(from + hop.ns));
        let y = lane(&hop.module);
        if let Some(last) = last.filter(|last| *last != y) {
            drawn.push(line((x, last), (x, y), "net"));
        }
        drawn.push(if hop.routing() {
            line((x, y), (end, y), "net")
        } else {
            rect((x, y - 7.0), ((end - x).max(1.5), 14.0), "a edge")
        });
        last = Some(y);
        from += hop.ns;
    }
    let told = format!(
        "Slowest path: {total:.2} ns through {} modules",
        parts.len()
    );
    svg(
        bottom + 42.0,
        &told,
        html! {
            (axis_x(&scale, (LEFT, RIGHT), (TOP, bottom), "nanoseconds from the clock edge"))
            (text(RIGHT + 12.0, TOP - 8.0, "soft", "cells, logic + nets, ns"))
            @for (n, part) in parts.iter().enumerate() {
                @let y = TOP + LANE * (n as f64 + 0.5);
                (text(LEFT - 10.0, y + 4.0, "end", &part.module))
                (text(RIGHT + 12.0, y + 4.0, "", &format!("{}, {:.2} + {:.2}", part.cells, part.logic_ns, part.routing_ns)))
            }
            @for part in drawn { (part) }
        },
    )
}
