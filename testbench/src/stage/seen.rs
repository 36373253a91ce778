// SPDX-License-Identifier: MIT OR Apache-2.0
//! What was seen at the pins, sorted by request and by command; the history checker sees it too.

use crate::bench::rig::Judge;
use crate::bench::{Params, Strict};
use crate::history::Checker;
use crate::trace::{
    Answer, Cause, Command, Event, Lookup, Record, SegStatus, Segment, Verdict, What,
};
use std::collections::{HashMap, VecDeque};

/// A lookup of the script: port and number on that port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look(pub usize, pub usize);

/// A command of the script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told(pub usize);

/// A lookup and what came of it; cycles are those of the transfers.
#[derive(Clone, Debug)]
pub struct Looked {
    /// the request, with its tag
    pub lookup: Lookup,
    /// its transfer
    pub at: u64,
    /// its verdict
    pub verdict: Option<(u64, Verdict)>,
    /// its segments
    pub segments: Vec<(u64, Segment)>,
    /// its `dma_done`
    pub done: Option<u64>,
}

impl Looked {
    /// The cause of the verdict.
    pub fn cause(&self) -> Option<Cause> {
        self.verdict.map(|(_, v)| v.cause)
    }

    /// Granted?
    pub fn granted(&self) -> bool {
        self.verdict.is_some_and(|(_, v)| v.granted)
    }

    /// Address of its first segment.
    pub fn pa(&self) -> Option<u64> {
        self.segments.first().map(|(_, s)| s.pa)
    }

    /// Addresses of all its segments.
    pub fn pas(&self) -> Vec<u64> {
        self.segments.iter().map(|(_, s)| s.pa).collect()
    }

    /// What becomes of its segments, in order.
    pub fn statuses(&self) -> Vec<SegStatus> {
        self.segments.iter().map(|(_, s)| s.status).collect()
    }

    /// Cycles from the request's edge to that at which the verdict is valid (if it was taken at once).
    pub fn latency(&self) -> u64 {
        self.verdict.map_or(u64::MAX, |(at, _)| at - 1 - self.at)
    }

    /// The same for the first segment.
    pub fn segment_latency(&self) -> u64 {
        self.segments
            .first()
            .map_or(u64::MAX, |(at, _)| at - 1 - self.at)
    }

    fn walks(&self) -> bool {
        let nothing = |v: &Verdict| v.cause == Cause::Nothing;
        let empty = self.verdict.is_some_and(|(_, v)| nothing(&v));
        self.granted() && self.lookup.walk && self.lookup.len > 0 && !empty
    }

    /// The last segment came.
    pub fn walked(&self) -> bool {
        self.segments.last().is_some_and(|(_, s)| s.last)
    }

    /// Nothing more will come.
    pub fn over(&self) -> bool {
        self.verdict.is_some() && (!self.walks() || (self.walked() && self.done.is_some()))
    }
}

/// A command and its answer.
#[derive(Clone, Debug)]
pub struct Sent {
    /// the command
    pub command: Command,
    /// its transfer
    pub at: u64,
    /// its answer
    pub answer: Option<(u64, Answer)>,
}

/// Everything that was seen.
#[derive(Default)]
pub struct Seen {
    /// lookups, by port
    pub looks: Vec<Vec<Looked>>,
    /// commands
    pub told: Vec<Sent>,
    /// events
    pub events: Vec<(u64, Event)>,
    /// segments of all ports
    pub segments: u64,
    /// `dma_done` of all ports
    pub dones: u64,
    owner: HashMap<(u16, u16), usize>,
    extra: HashMap<(u16, u16), VecDeque<usize>>,
    open: HashMap<u8, usize>,
}

impl Seen {
    fn owner(&mut self, port: u16, tag: u16) -> Option<&mut Looked> {
        let at = *self.owner.get(&(port, tag))?;
        self.looks.get_mut(usize::from(port))?.get_mut(at)
    }

    fn note(&mut self, at: u64, what: &What) {
        match what {
            What::LookupIn(l) => {
                let (port, slot) = (usize::from(l.port), (l.port, l.tag));
                if self.looks.len() <= port {
                    self.looks.resize_with(port + 1, Vec::new);
                }
                let number = self.looks[port].len();
                if self.owner(l.port, l.tag).is_some_and(|o| !o.over()) {
                    self.extra.entry(slot).or_default().push_back(number);
                } else {
                    self.owner.insert(slot, number);
                }
                self.looks[port].push(Looked {
                    lookup: *l,
                    at,
                    verdict: None,
                    segments: Vec::new(),
                    done: None,
                });
            }
            What::VerdictOut(v) => {
                let slot = (v.port, v.tag);
                let number = if v.cause == Cause::TagReuse {
                    self.extra.get_mut(&slot).and_then(VecDeque::pop_front)
                } else {
                    self.owner.get(&slot).copied()
                };
                if let Some(number) = number {
                    self.looks[usize::from(v.port)][number].verdict = Some((at, *v));
                }
            }
            What::SegmentOut(s) => {
                self.segments += 1;
                if let Some(look) = self.owner(s.port, s.tag) {
                    look.segments.push((at, *s));
                }
            }
            What::DmaDone(d) => {
                self.dones += 1;
                if let Some(look) = self
                    .owner(d.port, d.tag)
                    .filter(|o| o.walked() && o.done.is_none())
                {
                    look.done = Some(at);
                }
            }
            What::CommandIn(c) => {
                self.open.insert(c.tag, self.told.len());
                self.told.push(Sent {
                    command: c.clone(),
                    at,
                    answer: None,
                });
            }
            What::AnswerOut(a) => {
                if let Some(number) = self.open.remove(&a.tag) {
                    self.told[number].answer = Some((at, *a));
                }
            }
            What::EventOut(e) => self.events.push((at, *e)),
            What::PageIn(_) => {}
        }
    }
}

/// Judge of a stage: the history checker and the record of what was seen.
pub struct Watch {
    strict: Strict,
    /// the record
    pub seen: Seen,
}

impl Watch {
    /// For a run from an empty table.
    pub fn new(p: &Params) -> Watch {
        let looks = (0..p.ports).map(|_| Vec::new()).collect();
        Watch {
            strict: Strict::new(p),
            seen: Seen {
                looks,
                ..Seen::default()
            },
        }
    }

    /// The history checker, to be told what is not in the trace.
    pub fn checker(&mut self) -> Option<&mut Checker> {
        self.strict.checker()
    }
}

impl Judge for Watch {
    fn see(&mut self, record: &Record) -> Result<(), String> {
        self.seen.note(record.cycle, &record.what);
        self.strict.see(record)
    }

    fn finish(&mut self) -> Result<(), String> {
        self.strict.finish()
    }
}
