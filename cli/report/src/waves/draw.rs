// SPDX-License-Identifier: MIT OR Apache-2.0
//! A recording as a timing diagram.

mod rows;

use self::rows::{group, rows, words, Row};
use super::payload::{hands, lines, payloads, Hands};
use super::scenes::{Recording, Span};
use super::time::{Time, CELL, GAP, LEFT};
use maud::{html, Markup, PreEscaped};

const TOP: f64 = 82.0;
const BETWEEN: f64 = 34.0;
const SPAN: f64 = 28.0;
const CLOCK: f64 = 30.0;
const STEP: f64 = 12.0;
/// Room for a word behind the last cycle.
const RIGHT: f64 = 64.0;
/// A band is about so wide at most.
const BAND: f64 = 1170.0;

/// A stretch of time that is drawn as one band; long recordings have several.
struct Panel<'a> {
    /// cycle of the recording it begins with
    from: usize,
    hands: &'a [Vec<Hands>],
    /// the streams
    rows: &'a [Row],
    time: Time,
    /// where its clock is
    top: f64,
    /// where its last stream ends
    bottom: f64,
}

/// The diagram.
pub fn svg(r: &Recording) -> String {
    let payloads = payloads(r);
    let hands = hands(r, &payloads);
    let lines = lines(r, &payloads);
    let rows = rows(r, &hands);
    let tall = rows.last().map_or(0.0, |row| row.top + row.height);
    let mut parts = Vec::new();
    let mut top = TOP;
    let mut right: f64 = 0.0;
    let ends = Time::new(&hands).bands(BAND);
    let mut from = 0;
    for end in ends {
        let panel = Panel {
            from,
            hands: &hands[from..end],
            rows: &rows,
            time: Time::new(&hands[from..end]),
            top,
            bottom: top + CLOCK + tall,
        };
        parts.push(clock(&panel));
        for n in 0..rows.len() {
            parts.push(group(n, &payloads, &panel));
        }
        parts.push(gaps(&panel));
        for n in 0..rows.len() {
            parts.push(words(n, &payloads, &panel));
        }
        let here = |s: &&Span| (s.from as usize) + 1 < end && s.to as usize > from;
        let spans: Vec<&Span> = r.spans.iter().filter(here).collect();
        for (n, span) in spans.iter().enumerate() {
            parts.push(distance(
                span,
                panel.bottom + 24.0 + SPAN * n as f64,
                &panel,
            ));
        }
        right = right.max(panel.time.end);
        top = panel.bottom + 8.0 + SPAN * spans.len() as f64 + BETWEEN;
        from = end;
    }
    let longest = lines
        .iter()
        .map(|l| l.1.len() + l.2.len())
        .max()
        .unwrap_or(0);
    let titled = 24.0 + 9.0 * r.title.len() as f64;
    let width = (right + RIGHT)
        .max(60.0 + 6.8 * longest as f64)
        .max(titled)
        .max(780.0)
        .ceil();
    let end = top - BETWEEN;
    let height = end + 36.0 + 17.0 * lines.len() as f64;
    let told = format!("Timing diagram: {}", r.title);
    let inside = html! { @for part in parts { (PreEscaped("\n")) (part) } };
    html! {
        (PreEscaped("<!-- SPDX-License-Identifier: MIT OR Apache-2.0 -->\n<!-- made by `latchkey waves` from a recorded run -->\n"))
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {width} {height}")) width=(width) height=(height) role="img" aria-label=(told) {
            style { (PreEscaped(include_str!("waves.css"))) }
            rect.paper width=(width) height=(height) {}
            text.title x="12" y="22" { (r.title) }
            text.soft x="12" y="40" { (r.under) }
            (inside)
            (PreEscaped("\n"))
            (legend(&lines, end + 20.0))
        }
        (PreEscaped("\n"))
    }
    .into_string()
}

fn clock(panel: &Panel) -> Markup {
    let (time, top) = (&panel.time, panel.top);
    let (high, low) = (top, top + STEP);
    let mut d = String::new();
    for at in time.shown() {
        let x = time.left[at];
        if at == 0 || time.hidden(at - 1) {
            d += &format!("M{x} {low} ");
        }
        d += &format!("V{high} h{} V{low} h{} ", CELL / 2.0, CELL / 2.0);
    }
    html! {
        text.name x="12" y=(top + 11.0) { "clock" }
        text.soft.end x=(LEFT - 8.0) y=(top - 9.0) { "cycle" }
        @for at in time.shown().filter(|at| (panel.from + at) % 5 == 0) {
            text.soft.mid x=(time.left[at] + CELL / 2.0) y=(top - 9.0) { (panel.from + at) }
        }
        path.wire d=(d.trim_end()) {}
    }
}

/// Where cycles are left out.
fn gaps(panel: &Panel) -> Markup {
    let (top, bottom) = (panel.top - 4.0, panel.bottom - 4.0);
    html! {
        @for (from, n) in &panel.time.gaps {
            @let (x, end) = (panel.time.left[*from] + 9.0, panel.time.left[*from] + GAP - 9.0);
            rect.paper x=(x) y=(top) width=(end - x) height=(bottom - top) {}
            path.cut d=(format!("M{x} {top} V{bottom} M{end} {top} V{bottom}")) {}
            text.soft.mid x=((x + end) / 2.0) y=(panel.top - 22.0) { (n) " cycles" }
        }
    }
}

/// An arrow from the end of a cycle to the beginning of another; where one of them is in another band it has no head.
fn distance(span: &Span, y: f64, panel: &Panel) -> Markup {
    let last = panel.from + panel.hands.len() - 1;
    let (from, to) = (span.from as usize, span.to as usize);
    let (begins, ends) = (from >= panel.from, to <= last);
    let x = match begins {
        true => panel.time.right(from - panel.from),
        false => LEFT,
    };
    let end = match ends {
        true => panel.time.left[to - panel.from],
        false => panel.time.end,
    };
    let words = format!("{}: {} cycles", span.what, span.to - span.from - 1);
    let wide = 6.8 * words.len() as f64 + 16.0;
    // above the arrow, or before it, or behind it
    let (at, class, up) = if end - x > wide {
        ((x + end) / 2.0, "spanned mid", 5.0)
    } else if x > wide {
        (x - 8.0, "spanned end", -4.0)
    } else {
        (end + 8.0, "spanned", -4.0)
    };
    let top = panel.bottom - 6.0;
    let foot = y + 4.0;
    let mut d = format!("M{x} {y} H{end}");
    if begins {
        d += &format!(" M{x} {top} V{foot} M{x} {y} m5 -3 l-5 3 l5 3");
    }
    if ends {
        d += &format!(" M{end} {top} V{foot} M{end} {y} m-5 -3 l5 3 l-5 3");
    }
    html! {
        path.span d=(d) {}
        text class=(class) x=(at) y=(y - up) { (words) }
    }
}

fn legend(lines: &[(String, &str, String)], top: f64) -> Markup {
    html! {
        text.soft x="12" y=(top) { "Shaded: valid and ready; the transfer is at the rising edge at its right end (dot). A ready that is not drawn is high. The numbers:" }
        @for (n, (numbers, stream, words)) in lines.iter().enumerate() {
            @let y = top + 20.0 + 17.0 * n as f64;
            text.number.end x="42" y=(y) { (numbers) }
            text x="50" y=(y) { tspan.name { (stream) } " " (words) }
        }
    }
}
