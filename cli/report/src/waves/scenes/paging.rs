// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pages on demand.

use super::super::streams::Stream;
use super::{answered, calm, looked, shows, until_segment, until_taken, Scene, Shot, LIFE};
use latchkey_testbench::stage::{Spec, Stage};
use latchkey_testbench::trace::{Body, Entry, SegStatus};

pub const FILL_PAGE: Scene = Scene {
    name: "fill_page",
    title: "A page fault, fill_page, and the same read again",
    fits: |p| p.paging,
    streams: &[
        Stream::Lookup,
        Stream::Verdict,
        Stream::Segment,
        Stream::DmaDone,
        Stream::Event,
        Stream::Reg,
        Stream::Rsp,
    ],
    play: fill,
    ..LIFE
};

pub const EVICT_PAGE: Scene = Scene {
    name: "evict_page",
    title: "A page goes: those who had it end first, those who come later find it absent",
    fits: |p| p.paging,
    streams: &[
        Stream::Lookup,
        Stream::Segment,
        Stream::DmaDone,
        Stream::Event,
        Stream::Reg,
        Stream::IcmReq,
        Stream::Rsp,
    ],
    play: evict,
    ..LIFE
};

/// Two pages, the second one absent.
fn fill(s: &mut Stage) -> Shot {
    let keys = s.region(&Spec::new(0x1000, 0x2000).odp(1, Entry::ABSENT));
    s.lookup(keys.read(0, 64));
    s.hold(3, 3);
    let from = calm(s);
    let first = s.lookup(keys.read(0x800, 0x1000));
    s.settle();
    let told = s.send(Body::FillPage {
        key: keys.lkey,
        number: 1,
        entry: Entry::page(0x8000),
    });
    s.answer(told);
    let again = s.ask(0, keys.read(0x800, 0x1000));
    s.settle();
    let again = looked(s, again);
    s.claim(first.statuses() == [SegStatus::PageFault], "a fault");
    s.claim(again.segments.len() == 2, "both pages");
    let done = again.done.expect("done");
    Shot::new(from, done).command(s, told)
}

/// A read of the page holds its lease for long; another comes when the page is gone.
fn evict(s: &mut Stage) -> Shot {
    let keys = s.region(&Spec::new(0x1000, 0x2000).odp(0, Entry::page(0x8000)));
    s.lookup(keys.read(0, 64));
    s.hold(140, 140);
    calm(s);
    let old = s.ask(0, keys.read(0, 64));
    until_segment(s, old);
    s.hold(3, 3);
    let told = s.send(Body::EvictPage {
        key: keys.lkey,
        number: 0,
    });
    let at = until_taken(s, told);
    let new = s.ask_at(at + 40, 0, keys.read(0, 64));
    s.answer(told);
    s.settle();
    let (old, new) = (looked(s, old), looked(s, new));
    let absent = new.statuses() == [SegStatus::PageFault];
    shows(s, absent, "it is absent");
    let last = answered(s, told).max(new.done.unwrap_or(0));
    Shot::new(old.at, last).command_behind(s, told, &old)
}
