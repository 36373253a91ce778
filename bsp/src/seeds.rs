// SPDX-License-Identifier: MIT OR Apache-2.0
//! Place and route over several seeds, some at once, and the table of blocks beside them.

use crate::blocks::{self, Blocks};
use crate::kept::Kept;
use crate::place::{self, Placed};
use crate::report::Seed;
use crate::synth::Job;
use crate::target::Target;
use crate::tools::{icetime, Tool};
use crate::{Error, Result};
use std::collections::VecDeque;
use std::path::Path;
use std::sync::Mutex;

enum Work {
    Blocks,
    Seed(u64),
}

enum Done {
    Blocks(Result<Blocks>),
    Seed(u64, Result<Placed>),
}

/// What came of the seeds.
pub struct Outcome {
    /// Those that route, by number.
    pub placed: Vec<Placed>,
    /// Those that do not (no clock, 0 MHz).
    pub failed: Vec<Seed>,
    /// Seeds taken from an earlier run.
    pub resumed: Vec<u64>,
    /// Cells by block, if asked for.
    pub blocks: Option<Blocks>,
}

/// Where and how fast.
pub struct Place<'a> {
    /// The tool.
    pub nextpnr: &'a Tool,
    /// Folder with `joined.json`.
    pub folder: &'a Path,
    /// Clock asked for.
    pub mhz: f64,
    /// Results of earlier runs, and where new ones go.
    pub kept: &'a Kept,
}

/// Runs seeds 1 to `job.seeds` that are not there yet. It is an error when none routes.
pub fn run(job: &Job, seeds: u64, place: &Place, step: &(dyn Fn(&str) + Sync)) -> Result<Outcome> {
    let mut outcome = Outcome {
        placed: Vec::new(),
        failed: Vec::new(),
        resumed: Vec::new(),
        blocks: None,
    };
    let mut work = VecDeque::new();
    if job.blocks {
        outcome.blocks = place.kept.blocks();
        match outcome.blocks {
            Some(_) => step("blocks (kept)"),
            None => work.push_back(Work::Blocks),
        }
    }
    for seed in 1..=seeds {
        match place.kept.seed(seed) {
            Some(placed) => {
                step(&format!("seed {seed}: {:.2} MHz (kept)", placed.mhz));
                outcome.resumed.push(seed);
                outcome.placed.push(placed);
            }
            None => work.push_back(Work::Seed(seed)),
        }
    }
    let (work, done) = (Mutex::new(work), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..job.jobs.max(1) {
            scope.spawn(|| loop {
                let Some(next) = work.lock().expect("no panic").pop_front() else {
                    break;
                };
                let result = one(job, place, next, step);
                done.lock().expect("no panic").push(result);
            });
        }
    });
    let mut results = Vec::new();
    for done in done.into_inner().expect("no panic") {
        match done {
            Done::Blocks(blocks) => outcome.blocks = Some(blocks?),
            Done::Seed(seed, result) => results.push((seed, result)),
        }
    }
    results.sort_by_key(|(seed, _)| *seed);
    let mut errors = Vec::new();
    for (seed, result) in results {
        match result {
            Ok(placed) => outcome.placed.push(placed),
            Err(error) => errors.push((seed, error)),
        }
    }
    for (seed, error) in errors {
        match why(&error).filter(|_| !outcome.placed.is_empty()) {
            Some(why) => outcome.failed.push(Seed::failed(seed, why)),
            None => return Err(error),
        }
    }
    outcome.placed.sort_by_key(|p| p.seed);
    Ok(outcome)
}

fn one(job: &Job, place: &Place, work: Work, step: &(dyn Fn(&str) + Sync)) -> Done {
    match work {
        Work::Blocks => {
            let blocks = blocks::run(job.config, job.verilog, job.top, job.target, job.limit);
            let blocks = blocks.and_then(|b| place.kept.keep_blocks(&b).map(|()| b));
            step("blocks");
            Done::Blocks(blocks)
        }
        Work::Seed(seed) => {
            let result = routed(job, place, seed);
            step(&match &result {
                Ok(placed) => format!("seed {seed}: {:.2} MHz", placed.mhz),
                Err(_) => format!("seed {seed} failed"),
            });
            Done::Seed(seed, result)
        }
    }
}

fn routed(job: &Job, place: &Place, seed: u64) -> Result<Placed> {
    let mut placed = place::route(
        place.nextpnr,
        job.target,
        place.folder,
        seed,
        place.mhz,
        job.limit,
    )?;
    placed.icetime_mhz = second_opinion(job, place.folder, seed);
    place.kept.keep_seed(&placed)?;
    Ok(placed)
}

/// Only what the tool could not do with this seed is a result; anything else ends the run.
fn why(error: &Error) -> Option<String> {
    match error {
        Error::Timeout { seconds, .. } => Some(format!("not routed within {seconds} s")),
        Error::ToolFailed { status, .. } => Some(format!("not routed ({status})")),
        _ => None,
    }
}

/// icetime is welcome but not needed: its absence is no error.
fn second_opinion(job: &Job, folder: &Path, seed: u64) -> Option<f64> {
    if job.target != Target::Ice40Hx8k {
        return None;
    }
    let tool = icetime::find().ok()?;
    let asc = format!("routed-{seed}.asc");
    icetime::mhz(&tool, folder, &asc, job.target.package(), job.limit).ok()
}
