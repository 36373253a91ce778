// SPDX-License-Identifier: MIT OR Apache-2.0
//! History checker: judges a run from its trace alone, while it runs, with no expected value read from the design.
//!
//! Every index has a sequence of versions (never used, valid, retired, valid, ...). A version starts at some unknown
//! moment between the transfer of its command and that of the answer. A verdict is right if some version that may have
//! been in force between the lookup and its verdict gives exactly that verdict. What a lookup has seen bounds the start
//! of that version, so a lookup that starts later can't be explained by an older one (linearizability).
//!
//! Cycles are compared with their equality on the lenient side: what happens in one cycle has no order.
//!
//! The user of the pins must not present a key before the answer that gives it, nor use a tag again before both its
//! verdict and its `dma_done`. Two commands with one tag must not be open together.
//!
//! Memory: versions nobody can refer to any more are dropped; kept are two words a registration (keys never repeat).

mod changes;
mod commands;
mod endings;
mod explain;
mod fault;
mod limits;
mod lookups;
mod named;
mod pages;
mod table;
#[cfg(test)]
mod tests;
mod walks;

pub use fault::Fault;

use crate::model::Params;
use crate::trace::{EventKind, Record, What};
use serde::Serialize;

/// What the checker tolerates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// A deregistration may be answered overdue this many cycles after its transfer, if leases are still held then.
    pub drain_limit: Option<u64>,
    /// no_space is right only when the table is full. Off for runs long enough to use up the keys of an index.
    pub strict_space: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            drain_limit: None,
            strict_space: true,
        }
    }
}

/// Counts of what was seen and found right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// Lookups.
    pub lookups: u64,
    /// Granted verdicts.
    pub grants: u64,
    /// Refusals by cause, in the order of the encoding.
    pub refusals: [u64; 13],
    /// Segments with bytes.
    pub segments: u64,
    /// Bytes in them.
    pub bytes: u64,
    /// Walks that ended cut.
    pub cuts: u64,
    /// Walks that ended in a page fault.
    pub faults: u64,
    /// Commands answered.
    pub answers: u64,
    /// `dma_done` that nobody waited for.
    pub unknown_done: u64,
    /// Events by kind (index 0 is not used).
    pub events: [u64; 7],
    /// Answers overdue.
    pub overdue: u64,
    /// Granted requests with an absent page.
    pub faulting: u64,
    /// Verdicts that more than one version would have explained.
    pub ambiguous: u64,
}

/// The checker. Feed it every transfer in order of cycles, then call [`Checker::finish`].
#[derive(Debug)]
pub struct Checker {
    params: Params,
    options: Options,
    now: u64,
    table: table::Table,
    ports: Vec<lookups::Port>,
    commands: commands::Commands,
    limits: limits::Limits,
    stats: Stats,
}

impl Checker {
    /// A checker for one run that starts from an empty table.
    pub fn new(params: Params, options: Options) -> Self {
        Self {
            params,
            options,
            now: 0,
            table: table::Table::default(),
            ports: Vec::new(),
            commands: commands::Commands::default(),
            limits: limits::Limits::default(),
            stats: Stats::default(),
        }
    }

    /// Takes the next transfer. After an error the checker must not be used further.
    pub fn push(&mut self, record: &Record) -> Result<(), Fault> {
        let cycle = record.cycle;
        if cycle < self.now {
            return Err(Fault::new(
                "trace-order",
                cycle,
                format!("cycle {cycle} after cycle {}", self.now),
            ));
        }
        if cycle > self.now {
            self.drained()?;
        }
        self.now = cycle;
        match &record.what {
            What::LookupIn(lookup) => self.lookup_in(cycle, lookup),
            What::VerdictOut(verdict) => self.verdict_out(cycle, verdict),
            What::SegmentOut(segment) => self.segment_out(cycle, segment),
            What::DmaDone(done) => self.dma_done(cycle, done),
            What::CommandIn(command) => self.command_in(cycle, command),
            What::AnswerOut(answer) => self.answer_out(cycle, answer),
            What::PageIn(_) => Ok(()),
            What::EventOut(event) => {
                self.stats.events[event.kind.bits() as usize] += 1;
                Ok(())
            }
        }
    }

    /// End of the run: nothing may be left unanswered, and no event may have come without its reason.
    pub fn finish(mut self) -> Result<Stats, Fault> {
        self.drained()?;
        self.lookups_finished()?;
        self.commands_finished()?;
        let reasons = [
            (EventKind::PageFault, self.stats.faulting, "page faults"),
            (
                EventKind::DrainOverdue,
                self.stats.overdue,
                "overdue answers",
            ),
            (
                EventKind::TagReuse,
                self.stats.refusals[10],
                "tags used again",
            ),
            (
                EventKind::UnknownDmaDone,
                self.stats.unknown_done,
                "unknown dma_done",
            ),
            (
                EventKind::BadKeys,
                self.stats.refusals[2..=5].iter().sum(),
                "refusals of keys",
            ),
        ];
        for (kind, seen, what) in reasons {
            let events = self.stats.events[kind.bits() as usize];
            if events > seen {
                let text = format!("{events} events {kind:?}, but only {seen} {what}");
                return Err(Fault::new("event-without-reason", self.now, text));
            }
        }
        Ok(self.stats)
    }

    /// Counts so far.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }
}
