// SPDX-License-Identifier: MIT OR Apache-2.0
//! Regions: register, query, flush, and the one that is nothing.

use super::super::streams::Stream;
use super::{answered, calm, judged, only, Scene, Shot, COMMAND, LIFE, TINY};
use latchkey_testbench::stage::{Keys, Spec, Stage};
use latchkey_testbench::trace::{Body, Code, FlushScope, Op};

pub const REGISTER: Scene = Scene {
    name: "register",
    title: "A register command with its page list",
    streams: &[
        Stream::Reg,
        Stream::Page,
        Stream::IcmReq,
        Stream::IcmRsp,
        Stream::Rsp,
    ],
    play: register,
    ..TINY
};

pub const QUERY: Scene = Scene {
    name: "query",
    title: "Query: of a region's key, and of a key that is not its key",
    streams: COMMAND,
    play: query,
    ..TINY
};

pub const FLUSH: Scene = Scene {
    name: "flush",
    title: "Flush of one key: the next lookup fetches the entry again",
    streams: &[
        Stream::Lookup,
        Stream::Verdict,
        Stream::Reg,
        Stream::IcmReq,
        Stream::IcmRsp,
        Stream::Rsp,
    ],
    play: flush,
    ..TINY
};

pub const ALLOCATE_NULL: Scene = Scene {
    name: "allocate_null",
    title: "A null region: granted everywhere, no segment",
    fits: |p| p.null,
    streams: &[
        Stream::Reg,
        Stream::IcmReq,
        Stream::Rsp,
        Stream::Lookup,
        Stream::Verdict,
        Stream::Segment,
    ],
    play: null,
    ..LIFE
};

/// Four pages: one entry goes with the command, three follow.
fn register(s: &mut Stage) -> Shot {
    s.settle();
    s.icm(4);
    s.run(4);
    let plan = s.plan(&Spec::new(0x1800, 0x3000));
    let from = s.now();
    let told = s.send(Body::Register(plan));
    s.answer(told);
    s.settle();
    Shot::new(from, answered(s, told)).command(s, told)
}

/// The same index with another secret is another key.
fn query(s: &mut Stage) -> Shot {
    let keys = s.region(&Spec::new(0x1800, 0x3000));
    let from = calm(s);
    let right = s.send(Body::Query { key: keys.rkey });
    s.answer(right);
    let wrong = s.send(Body::Query {
        key: keys.rkey ^ 1 << 31,
    });
    let code = s.answer(wrong).code;
    s.claim(code == Code::StaleKey, "not its key");
    s.settle();
    Shot::new(from, answered(s, wrong)).command(s, right)
}

/// The key is in the cache, then it is not.
fn flush(s: &mut Stage) -> Shot {
    let keys = s.region(&Spec::new(0x1800, 0x1000));
    s.lookup(keys.read(0, 64));
    calm(s);
    let hit = s.lookup(only(keys.read(0, 64)));
    let told = s.send(Body::Flush {
        key: keys.rkey,
        scope: FlushScope::Key,
    });
    s.answer(told);
    let miss = s.lookup(only(keys.read(0, 64)));
    s.settle();
    Shot::new(hit.at, judged(&miss))
        .command(s, told)
        .span("verdict", miss.at, judged(&miss))
}

/// A write anywhere.
fn null(s: &mut Stage) -> Shot {
    let from = calm(s);
    let told = s.send(Body::AllocateNull { pd: 1 });
    let answer = s.answer(told);
    let spec = s.plan(&Spec::flat(0, 1, 0));
    let keys = Keys::of(&answer, spec);
    let look = s.lookup(keys.ask(Op::LocalWrite, 0xabcd, 4096));
    s.settle();
    s.run(12);
    Shot::new(from, judged(&look) + 8).command(s, told)
}
