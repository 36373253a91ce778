// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runner of conformance cases (JSON lines) on a device that gives its own keys. The format and the mapping of a case's
//! keys to real ones are described in docs/conformance.md.
//!
//! The runner plays the driver: it sets the MTT window of every protection domain, hands out MTT words, and cuts a
//! request into packets.

mod exec;
mod fit;
mod format;
mod keys;
mod life;
mod outcome;
mod plan;
#[cfg(test)]
mod tests;

pub use format::{parse, Case};
pub use outcome::{Got, Seg};

use crate::model::{Params, Sim};
use crate::trace::{Answer, Command, Lookup, Mode, Segment, Verdict};
use serde::Serialize;

/// What a lookup gave: everything up to its last segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The verdict.
    pub verdict: Verdict,
    /// The segments in order; empty when none are owed.
    pub segments: Vec<Segment>,
    /// Page of a page fault, if the device reports it.
    pub page: Option<u64>,
}

/// A device on which cases run. One lookup and one command at a time, except in [`Device::midway`].
pub trait Device {
    /// Widths and features.
    fn params(&self) -> &Params;
    /// Runs a command to its answer.
    fn command(&mut self, command: &Command) -> anyhow::Result<Answer>;
    /// Runs a lookup to its end, and gives its `dma_done`.
    fn lookup(&mut self, lookup: &Lookup) -> anyhow::Result<Reply>;
    /// Starts `command` when `after` bytes of `lookup` have been served, and runs both to their end. A device without
    /// segments in time serves the lookup first.
    fn midway(
        &mut self,
        lookup: &Lookup,
        after: u64,
        command: &Command,
    ) -> anyhow::Result<(Reply, Answer)> {
        let _ = after;
        let reply = self.lookup(lookup)?;
        Ok((reply, self.command(command)?))
    }
    /// The case is over: what is left comes to its end, and whatever the device found wrong is told.
    fn finish(&mut self) -> anyhow::Result<()> {
        Ok(())
    }
}

impl Device for Sim {
    fn params(&self) -> &Params {
        &self.model.params
    }

    fn command(&mut self, command: &Command) -> anyhow::Result<Answer> {
        Ok(Sim::command(self, command))
    }

    fn lookup(&mut self, lookup: &Lookup) -> anyhow::Result<Reply> {
        let (verdict, segments, page) = Sim::lookup(self, lookup);
        Ok(Reply {
            verdict,
            segments,
            page,
        })
    }
}

/// How cases are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Mode of deregistrations.
    pub mode: Mode,
    /// Regions of more pages are skipped (a slow engine).
    pub max_pages: Option<u64>,
    /// Where reregister is not offered: rereg in a setup is composed of deregister and register, as a driver without that
    /// command does; otherwise such cases are skipped. A rereg that is the request itself or comes midway is composed in any case.
    pub compose_rereg: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            mode: Mode::Cut,
            max_pages: None,
            compose_rereg: false,
        }
    }
}

/// Result of one case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// As expected.
    Passed,
    /// Not as expected.
    Failed,
    /// Not run; the reason names the missing command, feature or width.
    Skipped,
    /// A matter of the driver that hardware can't see.
    Driver,
}

/// Result of one case, with a reason unless it passed plainly.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CaseResult {
    /// Name of the case.
    pub id: String,
    /// Result.
    pub status: Status,
    /// Why.
    pub reason: String,
    /// What was seen last.
    pub got: Option<Got>,
}

/// Results of all cases; keys once given stay (`format` counts changes).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Version of this format.
    pub format: u32,
    /// Number of cases that passed.
    pub passed: usize,
    /// Number of cases that failed.
    pub failed: usize,
    /// Number of cases not run.
    pub skipped: usize,
    /// Number of cases for the driver.
    pub driver: usize,
    /// All cases.
    pub cases: Vec<CaseResult>,
}

/// Runs all cases. `fresh` gives a device with an empty table, of the widths in `params`; `heard` gets each result.
/// What goes wrong in a device is a failed case; only a device that can't be made ends the run.
pub fn run<D: Device>(
    cases: &[Case],
    params: &Params,
    options: &Options,
    mut fresh: impl FnMut() -> anyhow::Result<D>,
    mut heard: impl FnMut(&CaseResult),
) -> anyhow::Result<Report> {
    let mut results = Vec::with_capacity(cases.len());
    for case in cases {
        let result = run_one(case, params, options, &mut fresh)?;
        heard(&result);
        results.push(result);
    }
    let count = |status| {
        results
            .iter()
            .filter(|result| result.status == status)
            .count()
    };
    Ok(Report {
        format: 1,
        passed: count(Status::Passed),
        failed: count(Status::Failed),
        skipped: count(Status::Skipped),
        driver: count(Status::Driver),
        cases: results,
    })
}

/// Runs one case, with its variants if the plain form fails.
pub fn run_one<D: Device>(
    case: &Case,
    params: &Params,
    options: &Options,
    fresh: &mut impl FnMut() -> anyhow::Result<D>,
) -> anyhow::Result<CaseResult> {
    let result = |status, reason: String, got| CaseResult {
        id: case.id.clone(),
        status,
        reason,
        got,
    };
    let bound = case.with_bind();
    let case = bound.as_ref().unwrap_or(case);
    if let Some(reason) = fit::obstacle(case, params, options) {
        let status = if case.layer == "driver" {
            Status::Driver
        } else {
            Status::Skipped
        };
        return Ok(result(status, reason, None));
    }
    let (mut got, mut why) = match exec::execute(case, None, options, fresh()?) {
        (got, Ok(note)) => return Ok(result(Status::Passed, note, got)),
        (got, Err(why)) => (got, why),
    };
    for variant in &case.variants {
        match exec::execute(case, Some(variant), options, fresh()?) {
            (got, Ok(_)) => return Ok(result(Status::Passed, variant.why.clone(), got)),
            (other, Err(reason)) => (got, why) = (other, format!("{why}; variant: {reason}")),
        }
    }
    if case.layer == "driver" {
        return Ok(result(
            Status::Driver,
            format!("hardware need not see it: {why}"),
            got,
        ));
    }
    Ok(result(Status::Failed, why, got))
}
