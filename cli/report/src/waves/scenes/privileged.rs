// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands of the privileged driver: windows of a PD, the secret, quotas.

use super::{answered, calm, Scene, Shot, COMMAND, LIFE, TINY};
use latchkey_testbench::stage::{Spec, Stage};
use latchkey_testbench::trace::{Body, Code};

pub const PD_WINDOW: Scene = Scene {
    name: "pd_window",
    title: "A PD gets its window of MTT words",
    streams: COMMAND,
    play: pd_window,
    ..TINY
};

pub const SET_SECRET: Scene = Scene {
    name: "set_secret",
    title: "No keys before set_secret, and no second secret",
    fits: |p| p.secrets,
    stage: Stage::asleep,
    streams: COMMAND,
    play: set_secret,
    ..LIFE
};

pub const SET_QUOTA: Scene = Scene {
    name: "set_quota",
    title: "A quota, and a PD that has as much as it may have",
    config: "limits",
    fits: |p| p.limits && p.fast_reg,
    streams: COMMAND,
    play: set_quota,
    ..TINY
};

/// Refused before, for PD 3 has no window yet.
fn pd_window(s: &mut Stage) -> Shot {
    let from = calm(s);
    let plan = s.plan(&Spec::new(0x1000, 0x1000).pd(3));
    let early = s.send(Body::Register(plan));
    let code = s.answer(early).code;
    s.claim(code == Code::BadWindow, "no window yet");
    let told = s.send(Body::PdWindow {
        pd: 3,
        base: 0,
        words: 64,
    });
    s.answer(told);
    s.settle();
    Shot::new(from, answered(s, told)).command(s, told)
}

/// A contiguous region, that asks for no window.
fn set_secret(s: &mut Stage) -> Shot {
    let from = calm(s);
    let secret = s.bench.rig.secret;
    let plan = s.plan(&Spec::flat(0x1000, 0x1000, 0x8000));
    let early = s.send(Body::Register(plan.clone()));
    let code = s.answer(early).code;
    s.claim(code == Code::Unseeded, "no secret yet");
    s.run(4);
    let told = s.send(Body::SetSecret { secret });
    s.answer(told);
    s.run(4);
    let again = s.send(Body::SetSecret { secret: !secret });
    s.answer(again);
    s.run(4);
    let region = s.send(Body::Register(plan));
    s.answer(region);
    s.settle();
    Shot::new(from, answered(s, region)).command(s, region)
}

/// One region there is, and one is what there may be.
fn set_quota(s: &mut Stage) -> Shot {
    s.region(&Spec::new(0x1000, 0x1000));
    let from = calm(s);
    let told = s.send(Body::SetQuota { pd: 1, entries: 1 });
    s.answer(told);
    let more = s.send(Body::Allocate { pd: 1, pages: 4 });
    let code = s.answer(more).code;
    s.claim(code == Code::Quota, "one is enough");
    s.settle();
    Shot::new(from, answered(s, more)).command(s, told)
}
