// SPDX-License-Identifier: MIT OR Apache-2.0
//! The scenes: what is asked of the core, and which stretch is drawn.

use super::streams::Stream;
use latchkey_testbench::bench::{Chosen, Pins, Surroundings, Wires};
use latchkey_testbench::engine::{Cycle, Taped};
use latchkey_testbench::stage::{Spec, Stage};
use latchkey_testbench::trace::{Body, Mode};

/// A scene.
pub struct Scene {
    /// file name
    pub name: &'static str,
    title: &'static str,
    streams: &'static [Stream],
    play: fn(&mut Stage) -> Shot,
}

/// What a scene wants to show; cycles are the stage's.
struct Shot {
    from: u64,
    to: u64,
    /// a second band begins here
    split: Option<u64>,
    spans: Vec<Span>,
}

/// A distance in time: from the edge that ends cycle `from` to the edge at which cycle `to` begins.
pub struct Span {
    /// cycle of the transfer it begins with
    pub from: u64,
    /// cycle in which the other thing is first seen
    pub to: u64,
    /// what it is
    pub what: &'static str,
}

/// A recorded scene.
pub struct Recording {
    /// heading
    pub title: &'static str,
    /// what it was recorded from
    pub under: String,
    /// a second band begins with this cycle
    pub split: Option<usize>,
    /// rows
    pub streams: &'static [Stream],
    /// where the pins are
    pub pins: Pins,
    /// the stretch
    pub cycles: Vec<Cycle>,
    /// distances, counted from its first cycle
    pub spans: Vec<Span>,
}

/// Cycles before and after what is shown.
const MARGIN: u64 = 1;

impl Scene {
    /// Plays it on an engine.
    pub fn record(&self, config: &'static str, engine: Chosen) -> Recording {
        let pins = Pins::new(&engine.pins()).expect("the pins of the core");
        let (taped, tape) = Taped::new(engine.0, usize::MAX);
        let engine = Chosen(Box::new(taped));
        let mut stage = Stage::around(engine, config, Surroundings::CALM);
        // the cycles of the reset are on the tape and not in the stage's count
        let ahead = tape.len() as u64 - stage.now();
        let shot = (self.play)(&mut stage);
        stage.run(MARGIN + 1);
        let from = shot.from - MARGIN;
        let at = |cycle: u64| (cycle + ahead) as usize;
        let cycles = tape.cycles(at(from), at(shot.to + MARGIN + 1));
        let shifted = |s: Span| Span {
            from: s.from - from,
            to: s.to - from,
            what: s.what,
        };
        stage.finish();
        Recording {
            title: self.title,
            under: format!("Port 0 of configuration {config}, recorded pin by pin. Cycles in which nothing moves are left out."),
            split: shot.split.map(|at| (at - from) as usize),
            streams: self.streams,
            pins,
            cycles,
            spans: shot.spans.into_iter().map(shifted).collect(),
        }
    }
}

/// All of them.
pub const SCENES: [Scene; 5] = [
    Scene {
        name: "hit",
        title: "A lookup that hits: its verdict, its segments, the end of its lease",
        streams: &[
            Stream::Lookup,
            Stream::Verdict,
            Stream::Segment,
            Stream::DmaDone,
        ],
        play: hit,
    },
    Scene {
        name: "refusal",
        title: "Granted and refused on a hit: the same time",
        streams: &[Stream::Lookup, Stream::Verdict, Stream::Segment],
        play: refusal,
    },
    Scene {
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
    },
    Scene {
        name: "deregister-cut",
        title: "Deregistration in mode cut, in the middle of a burst",
        streams: &[
            Stream::Lookup,
            Stream::Verdict,
            Stream::Segment,
            Stream::Reg,
            Stream::DmaDone,
            Stream::Rsp,
        ],
        play: cut,
    },
    Scene {
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
    },
];

/// Three pages, not from the first byte on; asked for once before.
fn hit(s: &mut Stage) -> Shot {
    let keys = s.region(&Spec::new(0x1800, 0x3000));
    s.lookup(keys.read(0, 0x2800));
    s.settle();
    s.hold(6, 6);
    s.run(2);
    let look = s.ask(0, keys.read(0x400, 0x1c00));
    s.settle();
    let got = s.look(look).cloned().expect("asked");
    let (verdict, segment) = (got.verdict.expect("done").0, got.segments[0].0);
    Shot {
        from: got.at,
        to: got.done.unwrap_or(segment),
        split: None,
        spans: vec![
            Span {
                from: got.at,
                to: verdict,
                what: "verdict",
            },
            Span {
                from: got.at,
                to: segment,
                what: "first segment",
            },
        ],
    }
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
    let at = |l: &latchkey_testbench::stage::Looked| l.verdict.expect("done").0;
    let last = good.segments.last().map_or(0, |l| l.0);
    Shot {
        from: good.at,
        to: at(&bad).max(last),
        split: None,
        spans: vec![
            Span {
                from: good.at,
                to: at(&good),
                what: "granted",
            },
            Span {
                from: bad.at,
                to: at(&bad),
                what: "refused",
            },
        ],
    }
}

/// The first request of a region: nothing of it is in a cache.
fn miss(s: &mut Stage) -> Shot {
    let keys = s.region(&Spec::new(0x1800, 0x1000));
    s.settle();
    s.run(4);
    let got = s.lookup(keys.read(0x20, 0x100));
    s.settle();
    let (verdict, segment) = (got.verdict.expect("done").0, got.segments[0].0);
    Shot {
        from: got.at,
        to: segment.max(verdict),
        split: None,
        spans: vec![
            Span {
                from: got.at,
                to: verdict,
                what: "verdict",
            },
            Span {
                from: got.at,
                to: segment,
                what: "first segment",
            },
        ],
    }
}

/// A burst over eight pages that are not in the translation cache, so that the walk takes its time; the command is offered
/// after the first segment. Then the old key is tried once more.
fn cut(s: &mut Stage) -> Shot {
    let keys = s.region(&Spec::new(0x0, 0x8000));
    s.lookup(keys.read(0, 64));
    s.settle();
    s.hold(12, 12);
    s.run(2);
    let look = s.ask(0, keys.read(0, 0x8000));
    s.until("the first segment", |s| {
        s.look(look).is_some_and(|l| !l.segments.is_empty())
    });
    let told = s.send(Body::Deregister {
        key: keys.rkey,
        mode: Mode::Cut,
    });
    s.answer(told);
    let late = s.ask(0, keys.read(0, 64));
    let late = s.done(late);
    s.settle();
    let got = s.look(look).cloned().expect("asked");
    let sent = &s.seen().told[s.seen().told.len() - 1];
    let (command, answer) = (sent.at, sent.answer.map_or(0, |a| a.0));
    Shot {
        from: got.at,
        to: late.verdict.map_or(answer, |v| v.0),
        split: None,
        spans: vec![Span {
            from: command,
            to: answer,
            what: "command to answer",
        }],
    }
}

/// Four pages: one entry goes with the command, three follow.
fn register(s: &mut Stage) -> Shot {
    s.settle();
    s.icm(4);
    s.run(4);
    let plan = s.plan(&Spec::new(0x1800, 0x3000));
    let from = s.now();
    s.register(plan);
    let sent = &s.seen().told[s.seen().told.len() - 1];
    let (command, answer) = (sent.at, sent.answer.map_or(0, |a| a.0));
    let spans = vec![Span {
        from: command,
        to: answer,
        what: "command to answer",
    }];
    s.settle();
    Shot {
        from,
        to: answer,
        split: Some(command - 4),
        spans,
    }
}
