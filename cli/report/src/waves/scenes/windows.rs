// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory windows.

use super::super::streams::Stream;
use super::{answered, burst, calm, looked, only, shows, until_taken, Scene, Shot, COMMAND, LIFE};
use latchkey_testbench::stage::{Spec, Stage, TWO_B};
use latchkey_testbench::trace::{access, Body, Code, Mode};

pub const ALLOCATE_WINDOW: Scene = Scene {
    name: "allocate_window",
    title: "A window, not bound yet",
    fits: |p| p.windows,
    streams: COMMAND,
    play: allocate,
    ..LIFE
};

pub const BIND_WINDOW: Scene = Scene {
    name: "bind_window",
    title: "A window of type 2B is bound, then used",
    fits: |p| p.windows,
    streams: &[
        Stream::Reg,
        Stream::IcmReq,
        Stream::Rsp,
        Stream::Lookup,
        Stream::Verdict,
        Stream::Segment,
    ],
    play: bind,
    ..LIFE
};

pub const DEALLOCATE_WINDOW: Scene = Scene {
    name: "deallocate_window",
    title: "The end of a window that is read: the walk runs to its end",
    fits: |p| p.windows,
    streams: &[
        Stream::Lookup,
        Stream::Verdict,
        Stream::Segment,
        Stream::DmaDone,
        Stream::Reg,
        Stream::IcmReq,
        Stream::Rsp,
    ],
    play: deallocate,
    ..LIFE
};

fn allocate(s: &mut Stage) -> Shot {
    let from = calm(s);
    let told = s.send(Body::AllocateWindow { pd: 1, kind: TWO_B });
    s.answer(told);
    s.settle();
    Shot::new(from, answered(s, told)).command(s, told)
}

fn bind(s: &mut Stage) -> Shot {
    let region = s.region(&Spec::new(0x1000, 0x2000));
    let mut window = s.window(1, TWO_B);
    let from = calm(s);
    let bind = s.binding(&window, &region, (0x800, 0x1000), access::REMOTE_READ);
    let told = s.send(Body::BindWindow(bind));
    s.answer(told);
    window.rkey = (window.rkey & !0xff) | u32::from(bind.variant);
    (window.first, window.qpn) = (bind.iova, bind.qpn);
    let look = s.lookup(window.read(0, 64));
    s.claim(look.granted(), "through the window");
    s.settle();
    Shot::new(from, look.segments[0].0).command(s, told)
}

/// Eight pages that are not in the translation cache; the command is offered after the first segment.
fn deallocate(s: &mut Stage) -> Shot {
    let region = s.region(&Spec::new(0x0, 0x8000));
    let mut window = s.window(1, TWO_B);
    let bind = s.binding(&window, &region, (0, 0x8000), access::REMOTE_READ);
    let code = s.bind(&mut window, bind);
    s.claim(code == Code::Ok, "bound");
    let look = burst(s, window.read(0, 64), window.read(0, 0x4000), 12);
    let told = s.send(Body::DeallocateWindow {
        key: window.rkey,
        mode: Mode::Drain,
    });
    until_taken(s, told);
    s.run(4);
    let late = s.ask(0, only(window.read(0, 64)));
    s.answer(told);
    s.settle();
    let (got, late) = (looked(s, look), looked(s, late));
    shows(s, !late.granted(), "the key is dead");
    Shot::new(got.at, answered(s, told)).command_behind(s, told, &got)
}
