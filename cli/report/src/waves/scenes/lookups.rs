// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lookups, and no command beside them.

use super::super::streams::Stream;
use super::{calm, judged, looked, Scene, Shot, TINY};
use latchkey_testbench::stage::{Spec, Stage};

pub const HIT: Scene = Scene {
    name: "hit",
    title: "A lookup that hits: its verdict, its segments, the end of its lease",
    streams: &[
        Stream::Lookup,
        Stream::Verdict,
        Stream::Segment,
        Stream::DmaDone,
    ],
    play: hit,
    ..TINY
};

pub const REFUSAL: Scene = Scene {
    name: "refusal",
    title: "Granted and refused on a hit: the same time",
    streams: &[Stream::Lookup, Stream::Verdict, Stream::Segment],
    play: refusal,
    ..TINY
};

pub const MISS: Scene = Scene {
    name: "miss",
    title: "A lookup that misses: its entry and its page are fetched",
    streams: &[
        Stream::Lookup,
        Stream::IcmReq,
        Stream::IcmRsp,
        Stream::Verdict,
        Stream::Segment,
    ],
    play: miss,
    ..TINY
};

/// Three pages, not from the first byte on; asked for once before.
fn hit(s: &mut Stage) -> Shot {
    let keys = s.region(&Spec::new(0x1800, 0x3000));
    s.lookup(keys.read(0, 0x2800));
    s.settle();
    s.hold(6, 6);
    s.run(2);
    let look = s.ask(0, keys.read(0x400, 0x1c00));
    s.settle();
    let got = looked(s, look);
    let segment = got.segments[0].0;
    Shot::new(got.at, got.done.unwrap_or(segment))
        .span("verdict", got.at, judged(&got))
        .span("first segment", got.at, segment)
}

/// A read that may be and a read of one byte too many.
fn refusal(s: &mut Stage) -> Shot {
    let keys = s.region(&Spec::new(0x1800, 0x1000));
    s.lookup(keys.read(0, 0x1000));
    s.settle();
    s.run(2);
    let good = s.ask(0, keys.read(0xfc0, 64));
    let bad = s.ask(0, keys.read(0xfc1, 64));
    let (good, bad) = (s.done(good), s.done(bad));
    s.settle();
    let last = good.segments.last().map_or(0, |l| l.0);
    Shot::new(good.at, judged(&bad).max(last))
        .span("granted", good.at, judged(&good))
        .span("refused", bad.at, judged(&bad))
}

/// The first request of a region: nothing of it is in a cache.
fn miss(s: &mut Stage) -> Shot {
    let keys = s.region(&Spec::new(0x1800, 0x1000));
    calm(s);
    let got = s.lookup(keys.read(0x20, 0x100));
    s.settle();
    let segment = got.segments[0].0;
    Shot::new(got.at, segment.max(judged(&got)))
        .span("verdict", got.at, judged(&got))
        .span("first segment", got.at, segment)
}
