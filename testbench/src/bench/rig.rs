// SPDX-License-Identifier: MIT OR Apache-2.0
//! Everything around the pins but the engine: drivers, models, counters. [`super::Bench`] adds the engine.

use super::counts::Counts;
use super::dma::{Calendar, Hold};
use super::fault::{Fault, Kind};
use super::icm::{Icm, Latency, Request};
use super::lane::Lane;
use super::params::Params;
use super::pattern::{Pattern, Shape};
use super::pins::Pins;
use super::source::{PageStream, Source};
use crate::history::{Checker, Options, Stats};
use crate::trace::{Answer, Command, Event, Record, What};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// Who decides whether what was seen is right.
pub trait Judge {
    /// Sees a transfer; an error ends the run.
    fn see(&mut self, record: &Record) -> Result<(), String>;

    /// The run is over and everything was answered.
    fn finish(&mut self) -> Result<(), String> {
        Ok(())
    }
}

/// The history checker as judge.
pub struct Strict {
    checker: Option<Checker>,
    /// what it counted, after the end
    pub stats: Stats,
}

impl Strict {
    /// For a run from an empty table.
    pub fn new(params: &Params) -> Strict {
        let limit = 1u64 << params.drain_bits.min(40);
        let options = Options {
            drain_limit: Some(limit),
            ..Options::default()
        };
        Strict {
            checker: Some(Checker::new(params.model(), options)),
            stats: Stats::default(),
        }
    }

    /// The checker, until the end, to be told what is not in the trace.
    pub fn checker(&mut self) -> Option<&mut Checker> {
        self.checker.as_mut()
    }
}

impl Judge for Strict {
    #[inline]
    fn see(&mut self, record: &Record) -> Result<(), String> {
        match &mut self.checker {
            Some(c) => c.push(record).map_err(|f| f.to_string()),
            None => Ok(()),
        }
    }

    fn finish(&mut self) -> Result<(), String> {
        if let Some(c) = self.checker.take() {
            self.stats = c.finish().map_err(|f| f.to_string())?;
        }
        Ok(())
    }
}

/// Accepts everything.
pub struct NoJudge;

impl Judge for NoJudge {
    fn see(&mut self, _record: &Record) -> Result<(), String> {
        Ok(())
    }
}

/// What surrounds the core in a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surroundings {
    /// latency of the ICM
    pub icm: Latency,
    /// when leases end
    pub hold: Hold,
    /// new patterns are drawn every so many cycles; 0: everything is always active
    pub shuffle: u64,
    /// cycles without progress that are a deadlock
    pub patience: u64,
    /// keep the last n records for a message
    pub tail: usize,
}

impl Surroundings {
    /// Everything hostile.
    pub const SOAK: Surroundings = Surroundings {
        icm: Latency::SOAK,
        hold: Hold::SOAK,
        shuffle: 1500,
        patience: 60_000,
        tail: 64,
    };
    /// Nothing in the way.
    pub const CALM: Surroundings = Surroundings {
        icm: Latency::Fixed(8),
        hold: Hold::NONE,
        shuffle: 0,
        patience: 60_000,
        tail: 64,
    };
}

/// A CSR access; `None` as data reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Csr {
    /// `csr_addr`
    pub addr: u8,
    /// `csr_wdata`
    pub write: Option<u32>,
}

/// What a stream shows while it waits to be taken.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Steady {
    Answer(Result<Answer, String>),
    Event(Result<Event, String>),
    Request(Request),
}

/// Streams that belong to no lookup port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// answers taken
    Rsp,
    /// events taken
    Event,
    /// ICM requests taken
    IcmReq,
    /// ICM answers offered
    IcmRsp,
    /// commands offered
    Reg,
    /// page lists offered
    Page,
}

/// The parts around the pins.
pub struct Rig<J> {
    /// fields of the pins
    pub pins: Pins,
    /// numbers of the configuration
    pub params: Params,
    /// judges every transfer
    pub judge: J,
    /// the memory
    pub icm: Icm,
    /// counters
    pub counts: Counts,
    /// the lookup ports
    pub lanes: Vec<Lane>,
    /// cycle to come
    pub now: u64,
    /// last events, oldest first
    pub events: VecDeque<Event>,
    pub(super) around: Surroundings,
    /// what the core's keys come from, if it needs a secret
    pub secret: u64,
    pub(super) rng: ChaCha8Rng,
    pub(super) calendar: Calendar,
    pub(super) due: Vec<(usize, u16)>,
    /// leases in force of this period
    pub(super) hold: Hold,
    /// tags whose lease is kept
    pub(super) kept: Vec<(usize, u16)>,
    pub(super) commands: Source<Command>,
    pub(super) pages: Source<PageStream>,
    pub(super) csr: Source<Csr>,
    pub(super) csr_open: VecDeque<Csr>,
    pub(super) csr_done: VecDeque<u32>,
    pub(super) pending: Vec<Option<(Command, u64)>>,
    pub(super) command_tags: Vec<u8>,
    /// rsp, event, icm_req taken; icm_rsp offered
    pub(super) sides: [Pattern; 4],
    pub(super) icm_offered: bool,
    /// valid at the pins of this cycle: lookup, dma_done, reg, page, csr, icm_rsp
    pub(super) valid: [u32; 6],
    /// ready at the pins of this cycle: verdict, segment, rsp, event, icm_req
    pub(super) ready: [u32; 5],
    /// valid was high and not taken: verdict, segment
    pub(super) waits: [u32; 2],
    /// what waits to be taken: rsp, event, icm_req
    pub(super) steady: [Option<Steady>; 3],
    /// cycle of the last fetch of an entry, `u64::MAX` while it runs
    pub(super) fetched: Vec<u64>,
    pub(super) fetching: Vec<u32>,
    pub(super) moved: u64,
    pub(super) recent: VecDeque<Record>,
    pub(super) wrong_next: u64,
}

impl<J: Judge> Rig<J> {
    /// A rig after reset.
    pub fn new(pins: Pins, params: Params, judge: J, around: Surroundings, seed: u64) -> Rig<J> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let np = pins.np as usize;
        let mut sides = || Pattern::new(Shape::Always, rng.gen());
        let mut rig = Rig {
            sides: [sides(), sides(), sides(), sides()],
            icm: Icm::new(around.icm, params.id_bits, seed ^ 0x1c3),
            lanes: (0..np)
                .map(|p| Lane::new(params.tag_bits, seed ^ (p as u64 + 1) << 32))
                .collect(),
            counts: Counts::default(),
            now: 0,
            events: VecDeque::new(),
            calendar: Calendar::default(),
            due: Vec::new(),
            hold: around.hold,
            kept: Vec::new(),
            commands: Source::new(seed ^ 0x10),
            pages: Source::new(seed ^ 0x11),
            csr: Source::new(seed ^ 0x12),
            csr_open: VecDeque::new(),
            csr_done: VecDeque::new(),
            pending: vec![None; 256],
            command_tags: (0..=255).collect(),
            icm_offered: false,
            valid: [0; 6],
            ready: [0; 5],
            waits: [0; 2],
            steady: [None, None, None],
            fetched: vec![0; 1 << params.index_bits],
            fetching: vec![u32::MAX; 1 << params.id_bits.min(16)],
            moved: 0,
            recent: VecDeque::with_capacity(around.tail + 1),
            wrong_next: 0,
            pins,
            params,
            judge,
            around,
            secret: ChaCha8Rng::seed_from_u64(seed ^ 0x5ec).gen(),
            rng,
        };
        rig.shuffle();
        rig
    }

    /// Draws new patterns for every stream, if the surroundings ask for it.
    pub(super) fn shuffle(&mut self) {
        if self.around.shuffle == 0 {
            return;
        }
        // now and then a DMA engine is slow for a while, where the time limit leaves room for it: deregistrations pile up
        self.hold = self.around.hold;
        let room = self.hold.longest << 2 < 1 << self.params.drain_bits.min(15);
        if room && self.rng.gen_range(0..8) == 0 {
            self.hold.low = self.hold.longest / 4;
            self.hold.high = self.hold.longest / 2;
        }
        for lane in &mut self.lanes {
            lane.shuffle(&mut self.rng);
        }
        for side in &mut self.sides {
            side.set(Shape::draw(&mut self.rng));
        }
        self.commands.idle.set(Shape::draw(&mut self.rng));
        self.pages.idle.set(Shape::draw(&mut self.rng));
    }

    /// Kept leases are given back, late.
    pub(super) fn end_kept(&mut self, within: u64) {
        for (p, tag) in std::mem::take(&mut self.kept) {
            let due = self.now + self.rng.gen_range(1..=within);
            self.calendar.put(self.now, due, p, tag);
        }
    }

    /// Makes every stream always active, to come to an end.
    pub fn calm(&mut self) {
        self.around.shuffle = 0;
        self.end_kept(1);
        for lane in &mut self.lanes {
            for p in [
                &mut lane.idle,
                &mut lane.verdicts,
                &mut lane.segments,
                &mut lane.dma,
            ] {
                p.set(Shape::Always);
            }
        }
        self.sides.iter_mut().for_each(|s| s.set(Shape::Always));
        self.commands.idle.set(Shape::Always);
        self.pages.idle.set(Shape::Always);
    }

    /// The pattern of a stream that belongs to no lookup port.
    pub fn side(&mut self, side: Side) -> &mut Pattern {
        match side {
            Side::Reg => &mut self.commands.idle,
            Side::Page => &mut self.pages.idle,
            other => &mut self.sides[other as usize],
        }
    }

    /// Changes latencies and leases of what is to come.
    pub fn surround(&mut self, around: Surroundings) {
        self.icm.set_latency(around.icm);
        let was = std::mem::replace(&mut self.around, around);
        self.hold = around.hold;
        if around.shuffle == 0 && was.shuffle != 0 {
            self.calm();
        }
    }

    /// Nothing is offered, asked or leased.
    pub fn quiet(&self) -> bool {
        self.lanes
            .iter()
            .all(|l| l.ask.is_none() && l.unanswered == 0 && l.leases == 0 && l.ended.is_empty())
            && self.commands.waiting() + self.pages.waiting() + self.csr.waiting() == 0
            && self.csr_open.is_empty()
            && self.command_tags.len() == 256
    }

    /// Commands at the pins that were not taken.
    pub fn offered_commands(&self) -> usize {
        self.commands.waiting()
    }

    /// Commands without answer.
    pub fn commands_open(&self) -> usize {
        256 - self.command_tags.len()
    }

    pub(super) fn fault(&self, kind: Kind, text: impl Into<String>) -> Fault {
        Fault::new(kind, self.now, text)
    }

    /// Passes a transfer to the judge.
    #[inline]
    pub(super) fn emit(&mut self, what: What) -> Result<(), Fault> {
        self.moved = self.now;
        let record = Record::new(self.now, what);
        let seen = self.judge.see(&record);
        if self.around.tail > 0 {
            if self.recent.len() >= self.around.tail {
                self.recent.pop_front();
            }
            self.recent.push_back(record);
        }
        seen.map_err(|text| self.fault(Kind::Mismatch, text))
    }

    /// The last transfers, as trace lines.
    pub fn recent(&self) -> Vec<String> {
        self.recent
            .iter()
            .map(|r| serde_json::to_string(r).unwrap_or_default())
            .collect()
    }
}
