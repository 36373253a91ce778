// SPDX-License-Identifier: MIT OR Apache-2.0
//! The scenes: what is asked of the core, and which stretch is drawn.

mod deregister;
mod fast;
mod lookups;
mod paging;
mod privileged;
mod regions;
mod reregister;
mod windows;

use super::streams::Stream;
use latchkey_testbench::bench::{Chosen, Params, Pins, Surroundings, Wires};
use latchkey_testbench::engine::{Cycle, Taped};
use latchkey_testbench::stage::{Look, Looked, Stage, Told};
use latchkey_testbench::trace::Lookup;

/// A scene.
pub struct Scene {
    /// file name
    pub name: &'static str,
    title: &'static str,
    /// the smallest configuration that has its commands
    pub config: &'static str,
    /// has a configuration all that it needs?
    pub fits: fn(&Params) -> bool,
    /// how it begins
    stage: fn(Chosen, &'static str, Surroundings) -> Stage,
    streams: &'static [Stream],
    play: fn(&mut Stage) -> Shot,
}

/// A scene on `tiny` after its start.
const TINY: Scene = Scene {
    name: "",
    title: "",
    config: "tiny",
    fits: |_| true,
    stage: Stage::around,
    streams: &[],
    play: |s| Shot::new(s.now(), s.now()),
};

/// The same on `life`.
const LIFE: Scene = Scene {
    config: "life",
    ..TINY
};

/// A command and what it does to the memory.
const COMMAND: &[Stream] = &[Stream::Reg, Stream::IcmReq, Stream::IcmRsp, Stream::Rsp];

/// What a scene wants to show; cycles are the stage's.
struct Shot {
    from: u64,
    to: u64,
    /// transfer and answer of commands whose time is shown
    commands: Vec<(u64, u64)>,
    spans: Vec<Span>,
}

impl Shot {
    fn new(from: u64, to: u64) -> Shot {
        Shot {
            from,
            to,
            commands: Vec::new(),
            spans: Vec::new(),
        }
    }

    /// Shows how long something takes, from the transfer in cycle `from` to what is first seen in `to`.
    fn span(mut self, what: &'static str, from: u64, to: u64) -> Shot {
        self.spans.push(Span { from, to, what });
        self
    }

    /// Shows how long a command takes from its first cycle at the pins to its answer.
    fn command(mut self, s: &Stage, told: Told) -> Shot {
        self.commands.push((taken(s, told), answered(s, told)));
        self
    }

    /// The same of a command that waits for the lease of a lookup, and how long it takes from the end of that.
    fn command_behind(self, s: &Stage, told: Told, lease: &Looked) -> Shot {
        let done = lease.done.expect("done");
        self.command(s, told)
            .span("end of the lease to answer", done, answered(s, told))
    }
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
    /// rows
    pub streams: &'static [Stream],
    /// where the pins are
    pub pins: Pins,
    /// numbers of the configuration
    pub params: Params,
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
        let mut stage = (self.stage)(engine, config, Surroundings::CALM);
        // the cycles of the reset are on the tape and not in the stage's count
        let ahead = tape.len() as u64 - stage.now();
        let shot = (self.play)(&mut stage);
        stage.run(MARGIN + 1);
        let from = shot.from - MARGIN;
        let at = |cycle: u64| (cycle + ahead) as usize;
        let cycles = tape.cycles(at(from), at(shot.to + MARGIN + 1));
        let offered = |&(taken, to): &(u64, u64)| {
            let waits = |at: &u64| Stream::Reg.hands(&pins, &cycles[*at as usize]) == (true, false);
            let waited = (0..taken - from).rev().take_while(waits).count() as u64;
            let first = taken - waited;
            // from the edge before
            Span {
                from: first - 1,
                to,
                what: "offered to answer",
            }
        };
        let spans = shot.commands.iter().map(offered).chain(shot.spans);
        let shifted = |s: Span| Span {
            from: s.from - from,
            to: s.to - from,
            what: s.what,
        };
        let spans = spans.map(shifted).collect();
        let params = stage.p.clone();
        stage.finish();
        Recording {
            title: self.title,
            under: format!("Port 0 of configuration {config}, recorded pin by pin. Cycles in which nothing moves are left out."),
            streams: self.streams,
            pins,
            params,
            cycles,
            spans,
        }
    }
}

/// All of them: lookups, then the commands by their numbers.
pub static SCENES: [Scene; 21] = [
    lookups::HIT,
    lookups::REFUSAL,
    lookups::MISS,
    regions::REGISTER,
    deregister::CUT,
    deregister::CONTRACT,
    regions::QUERY,
    regions::FLUSH,
    privileged::PD_WINDOW,
    fast::ALLOCATE,
    fast::FAST_REGISTER,
    fast::INVALIDATE,
    reregister::REREGISTER,
    windows::ALLOCATE_WINDOW,
    windows::BIND_WINDOW,
    windows::DEALLOCATE_WINDOW,
    paging::FILL_PAGE,
    paging::EVICT_PAGE,
    regions::ALLOCATE_NULL,
    privileged::SET_SECRET,
    privileged::SET_QUOTA,
];

/// Nothing is under way, for so many cycles; then the picture may begin.
fn calm(s: &mut Stage) -> u64 {
    s.settle();
    s.run(4);
    s.now()
}

/// Cycle of a command's transfer.
fn taken(s: &Stage, told: Told) -> u64 {
    s.seen().told[told.0].at
}

/// Cycle of its answer.
fn answered(s: &Stage, told: Told) -> u64 {
    s.answered(told).expect("answered").0
}

/// Runs until a command is taken.
fn until_taken(s: &mut Stage, told: Told) -> u64 {
    s.until("the transfer", |s| s.seen().told.len() > told.0);
    taken(s, told)
}

/// Runs until a lookup's first segment is out.
fn until_segment(s: &mut Stage, look: Look) {
    s.until("the first segment", |s| {
        s.look(look).is_some_and(|l| !l.segments.is_empty())
    });
}

/// A read whose entry is cached and whose pages are not, so that the walk takes its time; its first segment is out, its lease is held for `hold` cycles.
fn burst(s: &mut Stage, warm: Lookup, read: Lookup, hold: u16) -> Look {
    s.lookup(warm);
    s.settle();
    s.hold(hold, hold);
    s.run(2);
    let look = s.ask(0, read);
    until_segment(s, look);
    look
}

/// What became of a lookup.
fn looked(s: &Stage, look: Look) -> Looked {
    s.look(look).cloned().expect("asked")
}

/// Cycle of a lookup's verdict.
fn judged(l: &Looked) -> u64 {
    l.verdict.expect("judged").0
}

/// What a picture is to show because of the moment at which something is asked. Larger configurations have other moments.
fn shows(s: &Stage, so: bool, what: &str) {
    let own = SCENES.iter().any(|scene| scene.config == s.config);
    s.claim(so || !own, what);
}

/// The same lookup for its verdict alone: no lease, no segments.
fn only(lookup: Lookup) -> Lookup {
    Lookup {
        walk: false,
        ..lookup
    }
}
