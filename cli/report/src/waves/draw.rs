// SPDX-License-Identifier: MIT OR Apache-2.0
//! A recording as a timing diagram.

use super::payload::{hands, lines, payloads, Hands, Payload};
use super::scenes::{Recording, Span};
use super::streams::Stream;
use super::time::{Time, CELL, GAP, LEFT};
use maud::{html, Markup, PreEscaped};

const TOP: f64 = 82.0;
const BETWEEN: f64 = 34.0;
const SPAN: f64 = 28.0;
const CLOCK: f64 = 30.0;
const GROUP: f64 = 72.0;
const STEP: f64 = 12.0;
/// A stretch of time that is drawn as one band; long recordings have two.
struct Panel<'a> {
    /// cycle of the recording it begins with
    from: usize,
    hands: &'a [Vec<Hands>],
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
    let mut parts = Vec::new();
    let mut top = TOP;
    let mut right: f64 = 0.0;
    let ends: Vec<usize> = r.split.into_iter().chain([hands.len()]).collect();
    let mut from = 0;
    for end in ends {
        let panel = Panel {
            from,
            hands: &hands[from..end],
            time: Time::new(&hands[from..end]),
            top,
            bottom: top + CLOCK + GROUP * r.streams.len() as f64,
        };
        parts.push(clock(&panel));
        for (n, stream) in r.streams.iter().enumerate() {
            parts.push(group(*stream, n, &payloads, &panel));
        }
        parts.push(gaps(&panel));
        let inside = |s: &&Span| s.from as usize >= from && (s.to as usize) < end;
        let spans: Vec<&Span> = r.spans.iter().filter(inside).collect();
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
    let width = (right + 16.0)
        .max(60.0 + 6.8 * longest as f64)
        .max(titled)
        .max(600.0);
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

fn group(stream: Stream, n: usize, payloads: &[Payload], panel: &Panel) -> Markup {
    let (time, hands) = (&panel.time, panel.hands);
    let y = panel.top + CLOCK + GROUP * n as f64;
    let (valid, ready, data) = (y + 4.0, y + 22.0, y + 40.0);
    let moved = || {
        time.shown()
            .filter(|at| hands[*at][n].valid && hands[*at][n].ready)
    };
    let last = panel.from + hands.len() - 1;
    let here = |p: &&Payload| p.stream == n && p.from <= last && p.to >= panel.from;
    html! {
        @for at in moved() {
            rect.moved x=(time.left[at]) y=(y) width=(CELL) height=(GROUP - 12.0) {}
        }
        text.name x="12" y=(y + 14.0) { (stream.name()) }
        text.soft.end x=(LEFT - 8.0) y=(valid + 11.0) { "valid" }
        text.soft.end x=(LEFT - 8.0) y=(ready + 11.0) { "ready" }
        text.soft.end x=(LEFT - 8.0) y=(data + 12.0) { "payload" }
        path.valid d=(level(time, valid, |at| hands[at][n].valid)) {}
        @for at in moved() {
            circle.dot cx=(time.right(at)) cy=(valid) r="3" {}
        }
        path.wire d=(level(time, ready, |at| hands[at][n].ready)) {}
        path.wire d=(format!("M{LEFT} {} H{}", data + 8.0, time.end)) stroke-opacity="0.35" {}
        @for p in payloads.iter().filter(here) {
            @let x = time.left[p.from.max(panel.from) - panel.from];
            @let end = time.right(p.to.min(last) - panel.from);
            path.box d=(format!("M{x} {} l3 -8 H{} l3 8 l-3 8 H{} z", data + 8.0, end - 3.0, x + 3.0)) {}
            @let narrow = if p.number > 9 { "number mid narrow" } else { "number mid" };
            // in a long box where no gap can be
            text class=(narrow) x=(x + CELL / 2.0) y=(data + 12.0) { (p.number) }
        }
    }
}

/// A bit along time.
fn level(time: &Time, top: f64, high: impl Fn(usize) -> bool) -> String {
    let y = |at| if high(at) { top } else { top + STEP };
    let mut d = format!("M{LEFT} {}", y(0));
    for at in time.shown() {
        d += &format!(" H{} V{}", time.left[at], y(at));
    }
    d + &format!(" H{}", time.end)
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

/// An arrow from the end of a cycle to the beginning of another.
fn distance(span: &Span, y: f64, panel: &Panel) -> Markup {
    let local = |cycle: u64| cycle as usize - panel.from;
    let (x, end) = (
        panel.time.right(local(span.from)),
        panel.time.left[local(span.to)],
    );
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
    html! {
        path.span d=(format!("M{x} {top} V{} M{end} {top} V{} M{x} {y} H{end} m-5 -3 l5 3 l-5 3 M{x} {y} m5 -3 l-5 3 l5 3", y + 4.0, y + 4.0)) {}
        text class=(class) x=(at) y=(y - up) { (words) }
    }
}

fn legend(lines: &[(String, &str, String)], top: f64) -> Markup {
    html! {
        text.soft x="12" y=(top) { "Shaded: valid and ready; the transfer is at the rising edge at its right end (dot). The numbers:" }
        @for (n, (numbers, stream, words)) in lines.iter().enumerate() {
            @let y = top + 20.0 + 17.0 * n as f64;
            text.number.end x="42" y=(y) { (numbers) }
            text x="50" y=(y) { tspan.name { (stream) } " " (words) }
        }
    }
}
