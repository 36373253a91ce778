// SPDX-License-Identifier: MIT OR Apache-2.0
//! A stream of a band: its levels, its payloads, its words.

use super::super::payload::{Hands, Payload};
use super::super::scenes::Recording;
use super::super::streams::Stream;
use super::super::time::{Time, CELL, LEFT};
use super::{Panel, CLOCK, RIGHT, STEP};
use maud::{html, Markup};

const GROUP: f64 = 72.0;
const READY: f64 = 18.0;

/// A stream and where it is drawn, from the first one on.
pub struct Row {
    stream: Stream,
    pub top: f64,
    pub height: f64,
    /// Is its ready drawn? Where it is always high it is not.
    ready: bool,
}

pub fn rows(r: &Recording, hands: &[Vec<Hands>]) -> Vec<Row> {
    let mut top = 0.0;
    let row = |(n, stream): (usize, &Stream)| {
        let ready = hands.iter().any(|h| !h[n].ready);
        let row = Row {
            stream: *stream,
            top,
            height: GROUP - if ready { 0.0 } else { READY },
            ready,
        };
        top += row.height;
        row
    };
    r.streams.iter().enumerate().map(row).collect()
}

pub fn group(n: usize, payloads: &[Payload], panel: &Panel) -> Markup {
    let (time, hands, row) = (&panel.time, panel.hands, &panel.rows[n]);
    let y = panel.top + CLOCK + row.top;
    let (valid, ready, data) = (y + 4.0, y + 22.0, panel.data(n));
    let moved = || time.shown().filter(|at| hands[*at][n].moves());
    html! {
        @for at in moved() {
            rect.moved x=(time.left[at]) y=(y) width=(CELL) height=(row.height - 12.0) {}
        }
        text.name x="12" y=(y + 14.0) { (row.stream.name()) }
        text.soft.end x=(LEFT - 8.0) y=(valid + 11.0) { "valid" }
        text.soft.end x=(LEFT - 8.0) y=(data + 12.0) { "payload" }
        path.valid d=(level(time, valid, |at| hands[at][n].valid)) {}
        @for at in moved() {
            circle.dot cx=(time.right(at)) cy=(valid) r="3" {}
        }
        @if row.ready {
            text.soft.end x=(LEFT - 8.0) y=(ready + 11.0) { "ready" }
            path.wire d=(level(time, ready, |at| hands[at][n].ready)) {}
        }
        path.wire d=(format!("M{LEFT} {} H{}", data + 8.0, time.end)) stroke-opacity="0.35" {}
        @for (p, x, end) in panel.boxes(n, payloads) {
            path.box d=(format!("M{x} {} l3 -8 H{} l3 8 l-3 8 H{} z", data + 8.0, end - 3.0, x + 3.0)) {}
            @let narrow = if p.number > 9 { "number mid narrow" } else { "number mid" };
            // in a long box where no gap can be
            text class=(narrow) x=(x + CELL / 2.0) y=(data + 12.0) { (p.number) }
        }
    }
}

/// A word for each payload, in its box or behind it, where there is room.
pub fn words(n: usize, payloads: &[Payload], panel: &Panel) -> Markup {
    let y = panel.data(n) + 12.0;
    let boxes: Vec<_> = panel.boxes(n, payloads).collect();
    let place = |at: usize| {
        let (p, x, end) = &boxes[at];
        let wide = 6.3 * p.word.len() as f64;
        let next = boxes.get(at + 1).map_or(panel.time.end + RIGHT, |b| b.1);
        if p.word.is_empty() {
            None
        } else if end - x > wide + CELL + 2.0 {
            Some(x + CELL)
        } else {
            (next - end > wide + 6.0 && p.from >= panel.from).then_some(end + 4.0)
        }
    };
    html! {
        @for at in 0..boxes.len() {
            @if let Some(x) = place(at) {
                text.word x=(x) y=(y) { (boxes[at].0.word) }
            }
        }
    }
}

impl Panel<'_> {
    /// Top of a row's payload.
    fn data(&self, n: usize) -> f64 {
        let row = &self.rows[n];
        self.top + CLOCK + row.top + row.height - 32.0
    }

    /// The payloads of a row with their left and right ends.
    fn boxes<'a>(
        &'a self,
        n: usize,
        payloads: &'a [Payload],
    ) -> impl Iterator<Item = (&'a Payload, f64, f64)> {
        let last = self.from + self.hands.len() - 1;
        let here = move |p: &&Payload| p.stream == n && p.from <= last && p.to >= self.from;
        payloads.iter().filter(here).map(move |p| {
            let x = self.time.left[p.from.max(self.from) - self.from];
            (p, x, self.time.right(p.to.min(last) - self.from))
        })
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
