// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mutations of the blocks under proof: every one must break the proof, or be shown to change nothing.
//!
//! yosys picks them (`mutate -list`) from the cells that lie in the blocks under proof and on which an assert depends.

use super::{build, prepare_files, script, Job, Tools};
use crate::tools::smtbmc::Mode;
use crate::{atomic, Error, Result};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// An assert fails from reset, with a trace.
    Trace,
    /// The induction no longer holds, so the mutant is not proved.
    Induction,
    /// The time was over before it was proved.
    Timeout,
    /// A cover is no longer reached.
    Cover,
    /// It was proved as well, and no register, output or assert of the proof differs from the design's: it changes nothing.
    Equal,
    /// It was proved as well.
    Survived,
}

impl Fate {
    /// The proof refuses it.
    pub fn killed(self) -> bool {
        !matches!(self, Fate::Equal | Fate::Survived)
    }
}

/// One mutant.
#[derive(Clone, Debug, Serialize)]
pub struct Mutant {
    /// Number, from 1.
    pub number: usize,
    /// What was done: the mode and the place, with the wire it shows on.
    pub what: String,
    /// yosys's command.
    pub command: String,
    /// What became of it.
    pub fate: Fate,
    /// The first assert that failed or cover that was missed.
    pub by: Option<String>,
}

/// The mutants of one proof.
#[derive(Clone, Debug, Serialize)]
pub struct Mutation {
    /// Proof.
    pub proof: String,
    /// Mutants, in yosys's order.
    pub mutants: Vec<Mutant>,
    /// Work folder, kept.
    pub folder: PathBuf,
}

/// Makes and tries `count` mutants of a proof that holds; `step` is told of each.
pub fn mutate(
    job: &Job,
    tools: &Tools,
    count: u32,
    seed: u64,
    step: &(dyn Fn(&str) + Sync),
) -> Result<Mutation> {
    let folder = prepare_files(job, "mutate")?;
    let list = script::list(&job.module, &job.instances, &job.except, count, seed);
    build(tools, &folder, &job.module, &list, job.limit)?;
    let lines = atomic::read(&folder.join("mutations.txt"))?;
    let design = atomic::read(&folder.join("design.v"))?;
    let mut mutants = Vec::new();
    for (n, line) in lines
        .lines()
        .filter(|l| l.starts_with("mutate "))
        .enumerate()
    {
        let mutant = try_one(job, tools, &folder, n + 1, line, &design)?;
        step(&format!(
            "{} {}: {:?}",
            job.name, mutant.number, mutant.fate
        ));
        mutants.push(mutant);
    }
    if mutants.is_empty() {
        return Err(Error::Malformed {
            path: "mutations.txt".into(),
            why: format!(
                "yosys found nothing to mutate in {:?} of `{}`",
                job.instances, job.name
            ),
            mend: "the instances of the proof are named in proofs.toml".into(),
        });
    }
    Ok(Mutation {
        proof: job.name.clone(),
        mutants,
        folder,
    })
}

fn try_one(
    job: &Job,
    tools: &Tools,
    folder: &Path,
    number: usize,
    line: &str,
    design: &str,
) -> Result<Mutant> {
    let name = format!("mutant{number}");
    build(
        tools,
        folder,
        &name,
        &script::mutant(line, &name),
        job.limit,
    )?;
    let (fate, by) = judge(job, tools, folder, &name)?;
    let fate = match fate {
        Fate::Survived if equal(job, tools, folder, number, line)? => Fate::Equal,
        other => other,
    };
    if fate.killed() {
        // the relation of a killed mutant is of no more use
        std::fs::remove_file(folder.join(format!("{name}.smt2"))).ok();
    }
    Ok(Mutant {
        number,
        what: what(line, design),
        command: line.to_string(),
        fate,
        by,
    })
}

fn judge(job: &Job, tools: &Tools, folder: &Path, name: &str) -> Result<(Fate, Option<String>)> {
    let ask = |mode, steps| {
        let answer = match mode {
            Mode::Induction => super::induction(job, tools, folder, name),
            _ => tools.smtbmc.check(folder, name, mode, steps, job.limit),
        };
        match answer {
            Err(Error::Timeout { .. }) => Ok(None),
            other => other.map(Some),
        }
    };
    let tries = [
        (Mode::Induction, job.induction, Fate::Induction),
        (Mode::Base, job.base, Fate::Trace),
        (Mode::Cover, job.cover, Fate::Cover),
    ];
    let mut broken = None;
    for (mode, steps, fate) in tries {
        // a mutant that the induction refuses may have a trace from reset: then that is said
        if (mode == Mode::Induction && steps == 0) || (mode == Mode::Cover && broken.is_some()) {
            continue;
        }
        match ask(mode, steps)? {
            None => return Ok(broken.unwrap_or((Fate::Timeout, None))),
            Some(answer) if !answer.holds => {
                broken = Some((fate, answer.named.into_iter().next()));
                if mode != Mode::Induction {
                    break;
                }
            }
            Some(_) => {}
        }
    }
    Ok(broken.unwrap_or((Fate::Survived, None)))
}

fn equal(job: &Job, tools: &Tools, folder: &Path, number: usize, line: &str) -> Result<bool> {
    let name = format!("equal{number}");
    match build(
        tools,
        folder,
        &name,
        &script::equal(&job.module, line),
        job.limit,
    ) {
        Ok(()) => Ok(true),
        Err(Error::ToolFailed { .. } | Error::Timeout { .. }) => Ok(false),
        Err(other) => Err(other),
    }
}

/// Mode, bit, and the line of the design where the mutated cell comes from.
fn what(line: &str, design: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let pairs = || words.windows(2);
    let after = |key: &str| {
        pairs()
            .find(|p| p[0] == key)
            .map(|p| p[1].trim_start_matches('\\'))
    };
    let place = pairs().rev().filter(|p| p[0] == "-src").find_map(|p| {
        p[1].strip_prefix("design.v:")?
            .split('.')
            .next()?
            .parse::<usize>()
            .ok()
    });
    let text = place
        .and_then(|n| design.lines().nth(n.checked_sub(1)?))
        .map_or("?", str::trim);
    let wire = after("-wire")
        .map(|w| format!(", wire {w}"))
        .unwrap_or_default();
    let bit = format!(
        "{}[{}]",
        after("-port").unwrap_or("?"),
        after("-portbit").unwrap_or("?")
    );
    format!(
        "{} at {bit} of `{text}`{wire}",
        after("-mode").unwrap_or("?")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_yosys_in_words() {
        let line = "mutate -mode inv -module cache -cell $a$1 -port \\Y -portbit 0 -wire dut.hit -wirebit 2 -src x.sv:1.1-2.2 -src design.v:2.3-2.9";
        assert_eq!(
            what(line, "a\n  b = c;\nd"),
            "inv at Y[0] of `b = c;`, wire dut.hit"
        );
    }

    #[test]
    fn only_equal_and_surviving_mutants_are_not_killed() {
        assert!(Fate::Trace.killed() && Fate::Induction.killed() && Fate::Timeout.killed());
        assert!(!Fate::Equal.killed() && !Fate::Survived.killed());
    }
}
