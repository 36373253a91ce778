// SPDX-License-Identifier: MIT OR Apache-2.0
//! `latchkey mutate`

use crate::args_prove::MutateArgs;
use crate::error::{Outcome, Result};
use crate::progress::Progress;
use crate::{output, proofs};
use latchkey_bsp::prove::{self, Fate, Mutation, Tools};
use latchkey_bsp::table;
use latchkey_testbench::proofs::Proof;
use serde_json::json;
use std::time::Duration;

/// Mutates the blocks under proof; fails when a mutant survives that is not equal to the design.
pub fn run(args: &MutateArgs) -> Result<Outcome> {
    let sources = proofs::sources(args.from.as_deref())?;
    let chosen = proofs::chosen(&sources, &args.proofs, |p| p.induction > 0)?;
    let tools = Tools::find()?;
    let jobs = proofs::jobs(&sources, &chosen, None, Duration::from_secs(args.timeout))?;
    let number = |p: &Proof| args.count.unwrap_or(p.mutants.max(1));
    let progress = Progress::new(chosen.iter().map(|p| u64::from(number(p))).sum());
    let items: Vec<_> = jobs.iter().zip(&chosen).collect();
    let all = proofs::parallel(&items, args.jobs, |(job, proof)| {
        Ok(prove::mutate(
            job,
            &tools,
            number(proof),
            args.seed,
            &|text| progress.step(text),
        )?)
    })?;
    drop(progress);
    let survivors = |m: &Mutation| count(m, Fate::Survived);
    let left: usize = all.iter().map(survivors).sum();
    if args.json {
        output::json(&json!({
            "format": output::FORMAT,
            "seed": args.seed,
            "survived": left,
            "proofs": all,
            "tools": tools.versions()?,
        }));
    } else {
        let fates = [
            Fate::Trace,
            Fate::Induction,
            Fate::Cover,
            Fate::Timeout,
            Fate::Equal,
            Fate::Survived,
        ];
        let rows: Vec<Vec<String>> = all
            .iter()
            .map(|m| {
                let mut row = vec![m.proof.clone(), m.mutants.len().to_string()];
                row.extend(fates.map(|f| count(m, f).to_string()));
                row
            })
            .collect();
        let head = [
            "proof",
            "mutants",
            "trace",
            "induction",
            "cover",
            "timeout",
            "equal",
            "survived",
        ];
        output::line(&table::table(&head, &rows));
        for m in &all {
            for mutant in m.mutants.iter().filter(|x| x.fate == Fate::Survived) {
                output::line(&format!("{} {}: {}", m.proof, mutant.number, mutant.what));
            }
        }
    }
    Ok(Outcome::check(left == 0))
}

fn count(mutation: &Mutation, fate: Fate) -> usize {
    mutation.mutants.iter().filter(|m| m.fate == fate).count()
}
