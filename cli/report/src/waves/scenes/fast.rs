// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fast registration: an entry, its mapping, and the end of the mapping.

use super::super::streams::Stream;
use super::{answered, burst, calm, judged, looked, only, shows, until_taken, Scene, Shot, LIFE};
use latchkey_testbench::stage::{Keys, Spec, Stage};
use latchkey_testbench::trace::{Body, Code, Mode};

pub const ALLOCATE: Scene = Scene {
    name: "allocate",
    title: "An entry for fast registration; its keys resolve nothing yet",
    fits: |p| p.fast_reg,
    streams: &[
        Stream::Reg,
        Stream::IcmReq,
        Stream::Rsp,
        Stream::Lookup,
        Stream::Verdict,
    ],
    play: allocate,
    ..LIFE
};

pub const FAST_REGISTER: Scene = Scene {
    name: "fast_register",
    title: "Fast registration: the new key resolves when it is answered",
    fits: |p| p.fast_reg,
    streams: &[
        Stream::Lookup,
        Stream::Verdict,
        Stream::Reg,
        Stream::Page,
        Stream::IcmReq,
        Stream::Rsp,
    ],
    play: fast_register,
    ..LIFE
};

pub const INVALIDATE: Scene = Scene {
    name: "invalidate",
    title: "An invalidation of a fast region, in the middle of a burst",
    fits: |p| p.fast_reg,
    streams: &[
        Stream::Lookup,
        Stream::Verdict,
        Stream::Segment,
        Stream::DmaDone,
        Stream::Reg,
        Stream::Rsp,
    ],
    play: invalidate,
    ..LIFE
};

fn allocate(s: &mut Stage) -> Shot {
    let from = calm(s);
    let told = s.send(Body::Allocate { pd: 1, pages: 4 });
    let answer = s.answer(told);
    let spec = s.plan(&Spec::flat(0, 4096, 0));
    let keys = Keys::of(&answer, spec);
    let look = s.lookup(only(keys.read(0, 64)));
    s.settle();
    Shot::new(from, judged(&look)).command(s, told)
}

/// Two pages, one with the command; the new key is asked for before and after.
fn fast_register(s: &mut Stage) -> Shot {
    let free = s.allocate(1, 4);
    let from = calm(s);
    let reg = s.plan(&Spec::new(0x1000, 0x2000));
    let key = free.rkey | 1;
    let keys = Keys {
        lkey: free.lkey | 1,
        rkey: key,
        spec: reg.clone(),
    };
    let told = s.send(Body::FastRegister { key, reg });
    let early = s.ask(0, only(keys.read(0, 64)));
    s.answer(told);
    let late = s.lookup(only(keys.read(0, 64)));
    s.settle();
    let early = looked(s, early);
    s.claim(!early.granted() && late.granted(), "refused, then granted");
    Shot::new(from, judged(&late)).command(s, told)
}

/// The command is offered after the first segment; a lookup comes while the entry is being written, a fast registration
/// while the invalidation waits.
fn invalidate(s: &mut Stage) -> Shot {
    let mut keys = s.allocate(1, 8);
    let spec = Spec::new(0x0, 0x8000);
    let code = s.fast(&mut keys, 1, &spec);
    s.claim(code == Code::Ok, "mapped");
    let look = burst(s, keys.read(0, 64), keys.read(0, 0x8000), 100);
    let told = s.send(Body::Invalidate {
        key: keys.rkey,
        pd: 1,
        qpn: 5,
        mode: Mode::Cut,
    });
    until_taken(s, told);
    s.run(4);
    let during = s.ask(0, only(keys.read(0, 64)));
    let reg = s.plan(&spec);
    let key = (keys.rkey & !0xff) | 2;
    let early = s.send(Body::FastRegister { key, reg });
    let code = s.answer(early).code;
    s.claim(code == Code::StaleKey, "not before the answer");
    s.answer(told);
    s.settle();
    let (got, during) = (looked(s, look), looked(s, during));
    shows(s, !during.granted(), "refused at the barrier");
    Shot::new(got.at, answered(s, told)).command_behind(s, told, &got)
}
