// SPDX-License-Identifier: MIT OR Apache-2.0
//! What stands at the pins of the streams, numbered.

use super::scenes::Recording;
use std::collections::{HashMap, VecDeque};

/// What a stream does in a cycle.
#[derive(Clone, Copy, PartialEq)]
pub struct Hands {
    pub valid: bool,
    pub ready: bool,
    /// number of the payload, from 1
    pub number: usize,
}

impl Hands {
    /// Is there a transfer?
    pub fn moves(self) -> bool {
        self.valid && self.ready
    }
}

/// A payload that stands at the pins; of the memory all beats of a transfer.
pub struct Payload {
    pub stream: usize,
    pub from: usize,
    pub to: usize,
    pub taken: bool,
    pub number: usize,
    pub label: String,
    /// in short
    pub word: String,
}

pub fn payloads(r: &Recording) -> Vec<Payload> {
    let mut list = Vec::new();
    for (stream, kind) in r.streams.iter().enumerate() {
        let mut open = false;
        for (at, cycle) in r.cycles.iter().enumerate() {
            let (valid, ready) = kind.hands(&r.pins, cycle);
            if valid && !open {
                list.push(Payload {
                    stream,
                    from: at,
                    to: at,
                    taken: false,
                    number: 0,
                    label: String::new(),
                    word: kind.word(&r.pins, cycle),
                });
                open = true;
            }
            if let Some(last) = list.last_mut().filter(|_| valid) {
                last.to = at;
                last.taken = ready && kind.ends(&r.pins, cycle);
                open = !last.taken;
            }
        }
    }
    list.sort_by_key(|p| (p.from, p.stream));
    (1..).zip(&mut list).for_each(|(n, p)| p.number = n);
    told(r, &mut list);
    list
}

/// Says what each is, and which other it answers.
fn told(r: &Recording, list: &mut [Payload]) {
    // by stream and tag: number and cycle; the memory answers a tag's requests in their order
    let mut asked: HashMap<(usize, u64), VecDeque<(usize, usize)>> = HashMap::new();
    for p in list {
        let kind = r.streams[p.stream];
        let cycle = &r.cycles[p.from];
        let tag = kind.tag(&r.pins, cycle);
        let of = kind.answers();
        let question = of.and_then(|of| r.streams.iter().position(|s| *s == of));
        let found = question.and_then(|s| asked.get_mut(&(s, tag)));
        let to = found.and_then(|open| match kind {
            super::streams::Stream::IcmRsp => open.pop_front(),
            _ => open.back().copied(),
        });
        p.label = kind.label(r, cycle, to.map(|(n, at)| (n, &r.cycles[at])));
        let open = asked.entry((p.stream, tag)).or_default();
        open.push_back((p.number, p.from));
    }
}

pub fn hands(r: &Recording, payloads: &[Payload]) -> Vec<Vec<Hands>> {
    let of = |stream: usize, at: usize| {
        let (valid, ready) = r.streams[stream].hands(&r.pins, &r.cycles[at]);
        let here = |p: &&Payload| p.stream == stream && (p.from..=p.to).contains(&at);
        Hands {
            valid,
            ready,
            number: payloads.iter().find(here).map_or(0, |p| p.number),
        }
    };
    let row = |at| (0..r.streams.len()).map(|stream| of(stream, at)).collect();
    (0..r.cycles.len()).map(row).collect()
}

/// Lines of the legend: numbers and words; the same payload again and again is one line.
pub fn lines(r: &Recording, payloads: &[Payload]) -> Vec<(String, &'static str, String)> {
    let words = |p: &Payload| {
        let wait = if p.taken { "" } else { " (not yet taken)" };
        format!("{}{wait}", p.label)
    };
    let mut lines = Vec::new();
    let mut rest = payloads;
    while let Some(first) = rest.first() {
        let same = |p: &&Payload| p.stream == first.stream && words(p) == words(first);
        let n = rest.iter().take_while(same).count();
        let numbers = match n {
            1 => first.number.to_string(),
            _ => format!("{}\u{2013}{}", first.number, first.number + n - 1),
        };
        lines.push((numbers, r.streams[first.stream].name(), words(first)));
        rest = &rest[n..];
    }
    lines
}
