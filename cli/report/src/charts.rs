// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts as SVG; their colours are classes of `style.css`.

pub mod bars;
pub mod histogram;
pub mod over_time;
pub mod path;
pub mod seeds;

use crate::scale::{short, Scale};
use maud::{html, Markup};

/// Width of every chart in its own units; a page scales it to its column.
pub const WIDTH: f64 = 720.0;

/// A chart with a text that stands for it where pictures can't be seen.
pub fn svg(height: f64, told: &str, inside: Markup) -> Markup {
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {height}")) role="img" aria-label=(told) { (inside) }
    }
}

/// Text at a place; `class` says how (`end`, `mid`, `soft`, `strong`).
pub fn text(x: f64, y: f64, class: &str, words: &str) -> Markup {
    html! { text x=(x) y=(y) class=(class) { (words) } }
}

/// A line.
pub fn line((x1, y1): (f64, f64), (x2, y2): (f64, f64), class: &str) -> Markup {
    html! { line x1=(x1) y1=(y1) x2=(x2) y2=(y2) class=(class) {} }
}

/// A rectangle.
pub fn rect((x, y): (f64, f64), (w, h): (f64, f64), class: &str) -> Markup {
    html! { rect x=(x) y=(y) width=(w.max(0.0)) height=(h.max(0.0)) class=(class) {} }
}

/// Horizontal axis at `y`, grid lines up to `top`, and its title below.
pub fn axis_x(
    scale: &Scale,
    (left, right): (f64, f64),
    (top, y): (f64, f64),
    title: &str,
) -> Markup {
    html! {
        @for tick in scale.ticks(8) {
            (line((scale.at(tick), top), (scale.at(tick), y), "grid"))
            (text(scale.at(tick), y + 16.0, "mid", &short(tick)))
        }
        (line((left, y), (right, y), "axis"))
        (text((left + right) / 2.0, y + 34.0, "mid soft", title))
    }
}

/// Vertical axis at `x`, grid lines to `right`; its title stands above it.
pub fn axis_y(
    scale: &Scale,
    (x, right): (f64, f64),
    top: f64,
    ticks: &[(f64, String)],
    title: &str,
) -> Markup {
    html! {
        @for (tick, label) in ticks {
            (line((x, scale.at(*tick)), (right, scale.at(*tick)), "grid"))
            (text(x - 6.0, scale.at(*tick) + 4.0, "end", label))
        }
        (text(x - 6.0, top - 10.0, "end soft", title))
    }
}
