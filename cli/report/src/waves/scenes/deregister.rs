// SPDX-License-Identifier: MIT OR Apache-2.0
//! The end of a region while it is read.

use super::super::streams::Stream;
use super::{answered, burst, judged, looked, Scene, Shot, TINY};
use latchkey_testbench::stage::{Spec, Stage};
use latchkey_testbench::trace::{Body, Mode};

const STREAMS: &[Stream] = &[
    Stream::Lookup,
    Stream::Verdict,
    Stream::Segment,
    Stream::DmaDone,
    Stream::Reg,
    Stream::Rsp,
];

pub const CUT: Scene = Scene {
    name: "deregister-cut",
    title: "Deregistration in mode cut, in the middle of a burst",
    streams: STREAMS,
    play: cut,
    ..TINY
};

pub const CONTRACT: Scene = Scene {
    name: "deregister-contract",
    title: "Deregistration in mode contract: the answer does not wait for dma_done",
    streams: STREAMS,
    play: contract,
    ..TINY
};

/// The command is offered after the first segment. Then the old key is tried once more.
fn cut(s: &mut Stage) -> Shot {
    let keys = s.region(&Spec::new(0x0, 0x8000));
    let look = burst(s, keys.read(0, 64), keys.read(0, 0x8000), 60);
    let told = s.send(Body::Deregister {
        key: keys.rkey,
        mode: Mode::Cut,
    });
    s.answer(told);
    let late = s.ask(0, keys.read(0, 64));
    let late = s.done(late);
    s.settle();
    let got = looked(s, look);
    Shot::new(got.at, judged(&late)).command_behind(s, told, &got)
}

/// A DMA engine that takes its time: the answer is out before it is done.
fn contract(s: &mut Stage) -> Shot {
    let keys = s.region(&Spec::new(0x0, 0x8000));
    // as long as a scan of all leases, and more
    let slots = (s.p.ports << s.p.tag_bits) as u16;
    let hold = 112 + slots;
    let look = burst(s, keys.read(0, 64), keys.read(0, 0x8000), hold);
    let told = s.send(Body::Deregister {
        key: keys.rkey,
        mode: Mode::Contract,
    });
    s.answer(told);
    s.settle();
    let got = looked(s, look);
    let done = got.done.expect("done");
    s.claim(answered(s, told) < done, "a long lease");
    Shot::new(got.at, done).command(s, told).span(
        "the memory is still read",
        answered(s, told),
        done,
    )
}
