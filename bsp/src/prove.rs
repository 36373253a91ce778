// SPDX-License-Identifier: MIT OR Apache-2.0
//! Proofs on an exported design: yosys makes the transition relation, yosys-smtbmc asks yices.
//!
//! A proof holds for every length when its induction holds and its base holds for at least as many steps; and it says
//! something only when every cover is reached, so an unreached cover fails it.

mod mutants;
mod script;

pub use mutants::{mutate, Fate, Mutant, Mutation};

use crate::tools::smtbmc::{Answer, Mode, Smtbmc};
use crate::tools::{smtbmc, yosys, Tool};
use crate::{atomic, work, Error, Result};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// One proof, ready to run.
pub struct Job {
    /// Its name.
    pub name: String,
    /// Name of its module.
    pub module: String,
    /// Files of its folder: the design is `design.v`, its own source `MODULE.sv`.
    pub files: Vec<(String, String)>,
    /// Steps from reset.
    pub base: u32,
    /// k; 0: bounded.
    pub induction: u32,
    /// The induction is asked assert by assert.
    pub apart: bool,
    /// Steps for the covers.
    pub cover: u32,
    /// Instances under proof (for mutations).
    pub instances: Vec<String>,
    /// Instances inside those that another proof is about.
    pub except: Vec<String>,
    /// Limit of one tool run.
    pub limit: Duration,
}

/// The programs a proof needs.
pub struct Tools {
    yosys: Tool,
    smtbmc: Smtbmc,
}

impl Tools {
    /// Finds them. The yosys is the one yosys-smtbmc belongs to.
    pub fn find() -> Result<Tools> {
        Ok(Tools {
            smtbmc: smtbmc::find()?,
            yosys: Tool::find("yosys", yosys::MEND)?,
        })
    }

    /// Names and versions.
    pub fn versions(&self) -> Result<BTreeMap<String, String>> {
        Ok(BTreeMap::from([
            ("yosys".into(), yosys::version(&self.yosys)?),
            ("yices-smt2".into(), self.smtbmc.version()?),
        ]))
    }
}

/// How a proof ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// For every length.
    Proved,
    /// For `base` steps.
    Bounded,
    /// An assert fails from reset: there is a trace.
    Failed,
    /// The induction's step fails: nothing is known beyond the base.
    NotInductive,
    /// A cover is not reached.
    Vacuous,
    /// The time was over.
    Timeout,
}

impl Verdict {
    /// Nothing is wrong.
    pub fn good(self) -> bool {
        matches!(self, Verdict::Proved | Verdict::Bounded)
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Proved => "proved",
            Verdict::Bounded => "holds so far",
            Verdict::Failed => "FAILED",
            Verdict::NotInductive => "NOT INDUCTIVE",
            Verdict::Vacuous => "VACUOUS",
            Verdict::Timeout => "TIMEOUT",
        }
    }
}

/// What came of one proof.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// Proof.
    pub name: String,
    /// How it ended.
    pub result: Verdict,
    /// Steps checked from reset.
    pub base: u32,
    /// k, 0 without.
    pub induction: u32,
    /// Asserts in it.
    pub asserts: usize,
    /// Covers reached, with their steps.
    pub covers: BTreeMap<String, u32>,
    /// Asserts that failed or covers that were not reached.
    pub missed: Vec<String>,
    /// A trace of the failure.
    pub trace: Option<PathBuf>,
    /// Wall clock.
    pub seconds: f64,
    /// Work folder, kept.
    pub folder: PathBuf,
}

/// Writes the files of a job into a work folder.
fn prepare_files(job: &Job, kind: &str) -> Result<PathBuf> {
    let texts: Vec<&str> = job.files.iter().map(|(_, text)| text.as_str()).collect();
    let folder = work::folder_of(kind, &job.name, &texts)?;
    for (name, text) in &job.files {
        atomic::write(&folder.join(name), text.as_bytes())?;
    }
    Ok(folder)
}

/// Runs a yosys script. An inner signal that a proof reads and the design no longer has shows as a wire without a driver.
fn build(tools: &Tools, folder: &Path, name: &str, text: &str, limit: Duration) -> Result<()> {
    atomic::write(&folder.join(format!("{name}.ys")), text.as_bytes())?;
    match yosys::run(&tools.yosys, folder, name, limit) {
        Ok(_) => Ok(()),
        Err(Error::ToolFailed { stdout, stderr, .. })
            if script::undriven(&stdout, &stderr).is_some() =>
        {
            let wire = script::undriven(&stdout, &stderr).unwrap_or_default();
            Err(Error::Malformed {
                path: format!("{name}.sv"),
                why: format!("it reads `{wire}`, which the exported core no longer has (or has in another width)"),
                mend: format!("name the signal as it is now in testbench/proofs/{name}.sv; the folder is {}", folder.display()),
            })
        }
        Err(other) => Err(other),
    }
}

/// Runs one proof. The error is a tool's; that it does not hold is a result.
pub fn run(job: &Job, tools: &Tools) -> Result<Outcome> {
    let start = Instant::now();
    let folder = prepare_files(job, "prove")?;
    build(
        tools,
        &folder,
        &job.module,
        &script::whole(&job.module),
        job.limit,
    )?;
    let text = |name: &str| {
        let file = job.files.iter().find(|(n, _)| n == name);
        file.map(|(_, t)| t.as_str()).unwrap_or_default()
    };
    // its own, and those of what it includes in its module
    let own = text(&format!("{}.sv", job.module));
    let story = own
        .split("`include \"")
        .filter_map(|rest| rest.split_once("svh\""));
    let asserts = |text: &str| text.matches("assert (").count();
    let asserts = story
        .map(|(name, _)| asserts(text(&format!("{name}svh"))))
        .sum::<usize>()
        + asserts(own);
    let mut outcome = Outcome {
        name: job.name.clone(),
        result: Verdict::Bounded,
        base: job.base,
        induction: job.induction,
        asserts,
        covers: BTreeMap::new(),
        missed: vec![],
        trace: None,
        seconds: 0.0,
        folder: folder.clone(),
    };
    outcome.result = match steps(job, tools, &folder, &mut outcome) {
        Err(Error::Timeout { .. }) => Verdict::Timeout,
        other => other?,
    };
    outcome.seconds = (start.elapsed().as_secs_f64() * 10.0).round() / 10.0;
    Ok(outcome)
}

/// The induction's step, in one question or assert by assert.
fn induction(job: &Job, tools: &Tools, folder: &Path, name: &str) -> Result<Answer> {
    if job.apart {
        return tools.smtbmc.apart(folder, name, job.induction, job.limit);
    }
    tools
        .smtbmc
        .check(folder, name, Mode::Induction, job.induction, job.limit)
}

fn steps(job: &Job, tools: &Tools, folder: &Path, outcome: &mut Outcome) -> Result<Verdict> {
    let ask = |mode, steps| {
        tools
            .smtbmc
            .check(folder, &job.module, mode, steps, job.limit)
    };
    let base = ask(Mode::Base, job.base)?;
    if !base.holds {
        outcome.missed = base.named;
        outcome.trace = Some(folder.join(format!("{}-base.vcd", job.module)));
        return Ok(Verdict::Failed);
    }
    if job.induction > 0 {
        let step = induction(job, tools, folder, &job.module)?;
        if !step.holds {
            outcome.missed = step.named;
            outcome.trace =
                (!job.apart).then(|| folder.join(format!("{}-induction.vcd", job.module)));
            return Ok(Verdict::NotInductive);
        }
    }
    let cover = ask(Mode::Cover, job.cover)?;
    outcome.covers = cover.reached.into_iter().collect();
    if !cover.holds || outcome.covers.is_empty() {
        outcome.missed = cover.named;
        return Ok(Verdict::Vacuous);
    }
    Ok(if job.induction > 0 {
        Verdict::Proved
    } else {
        Verdict::Bounded
    })
}
