// SPDX-License-Identifier: MIT OR Apache-2.0
//! A region changes under its keys.

use super::super::streams::Stream;
use super::{answered, calm, judged, looked, shows, until_segment, until_taken, Scene, Shot, LIFE};
use latchkey_testbench::stage::{Spec, Stage};
use latchkey_testbench::trace::{change, Body, Mode};

pub const REREGISTER: Scene = Scene {
    name: "reregister",
    title: "Other pages under the same key: a lookup at the barrier waits and sees the new ones",
    fits: |p| p.reregister,
    streams: &[
        Stream::Lookup,
        Stream::Verdict,
        Stream::Segment,
        Stream::DmaDone,
        Stream::Reg,
        Stream::IcmReq,
        Stream::Rsp,
    ],
    play: reregister,
    ..LIFE
};

/// A read of the old page holds a lease, another comes at the barrier.
fn reregister(s: &mut Stage) -> Shot {
    let keys = s.region(&Spec::new(0x1000, 0x1000));
    s.lookup(keys.read(0, 64));
    s.hold(160, 160);
    calm(s);
    let old = s.ask(0, keys.read(0, 64));
    until_segment(s, old);
    let reg = s.plan(&Spec::new(0x1000, 0x1000));
    let told = s.send(Body::Reregister {
        key: keys.rkey,
        change: change::TRANSLATION,
        mode: Mode::Drain,
        reg,
    });
    let at = until_taken(s, told);
    s.hold(1, 1);
    let new = s.ask_at(at + 16, 0, keys.read(0, 64));
    s.answer(told);
    s.settle();
    let (old, new) = (looked(s, old), looked(s, new));
    shows(s, old.pa() != new.pa(), "another page");
    let last = answered(s, told).max(new.segments[0].0);
    Shot::new(old.at, last)
        .span("the lookup waits", new.at, judged(&new))
        .command_behind(s, told, &old)
}
