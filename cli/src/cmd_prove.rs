// SPDX-License-Identifier: MIT OR Apache-2.0
//! `latchkey prove`

use crate::args_prove::ProveArgs;
use crate::error::{Outcome, Result};
use crate::progress::Progress;
use crate::{output, proofs};
use latchkey_bsp::prove::{self, Outcome as Proved, Tools};
use latchkey_bsp::table;
use latchkey_testbench::proofs::Proof;
use serde_json::{json, Value};
use std::time::Duration;

/// Proves, or lists what there is to prove.
pub fn run(args: &ProveArgs) -> Result<Outcome> {
    let sources = proofs::sources(args.from.as_deref())?;
    let chosen = proofs::chosen(&sources, &args.proofs, |p| !args.quick || p.quick)?;
    if args.list {
        return list(&chosen, args.json);
    }
    let tools = Tools::find()?;
    let jobs = proofs::jobs(
        &sources,
        &chosen,
        args.depth,
        Duration::from_secs(args.timeout),
    )?;
    let progress = Progress::new(jobs.len() as u64);
    let outcomes = proofs::parallel(&jobs, args.jobs, |job| {
        let outcome = prove::run(job, &tools)?;
        progress.step(&format!("{}: {}", outcome.name, outcome.result.words()));
        Ok(outcome)
    })?;
    drop(progress);
    let good = outcomes.iter().all(|o| o.result.good());
    if args.json {
        let proofs: Vec<Value> = chosen
            .iter()
            .zip(&outcomes)
            .map(|(p, o)| object(p, o))
            .collect();
        output::json(&json!({
            "format": output::FORMAT,
            "passed": good,
            "proofs": proofs,
            "tools": tools.versions()?,
        }));
    } else {
        let rows: Vec<Vec<String>> = chosen
            .iter()
            .zip(&outcomes)
            .map(|(p, o)| row(p, o))
            .collect();
        let head = [
            "proof", "config", "property", "method", "steps", "asserts", "covers", "result", "s",
        ];
        output::line(&table::table(&head, &rows));
    }
    for bad in outcomes.iter().filter(|o| !o.result.good()) {
        let trace = bad
            .trace
            .as_ref()
            .map(|t| format!("; trace: {}", t.display()))
            .unwrap_or_default();
        output::say(&format!(
            "{}: {} ({}){trace}; folder: {}",
            bad.name,
            bad.result.words(),
            bad.missed.join(", "),
            bad.folder.display()
        ));
    }
    Ok(Outcome::check(good))
}

fn method(induction: u32) -> String {
    match induction {
        0 => "bounded".into(),
        k => format!("induction, k = {k}"),
    }
}

fn row(proof: &Proof, o: &Proved) -> Vec<String> {
    vec![
        o.name.clone(),
        proof.config.clone(),
        proof.property.clone(),
        method(o.induction),
        o.base.to_string(),
        o.asserts.to_string(),
        o.covers.len().to_string(),
        o.result.words().into(),
        format!("{:.1}", o.seconds),
    ]
}

fn object(proof: &Proof, o: &Proved) -> Value {
    let mut value = serde_json::to_value(o).expect("plain data");
    value["config"] = json!(proof.config);
    value["property"] = json!(proof.property);
    value["what"] = json!(proof.what);
    value["method"] = json!(method(o.induction));
    value
}

fn list(chosen: &[Proof], as_json: bool) -> Result<Outcome> {
    if as_json {
        let proofs: Vec<Value> = chosen
            .iter()
            .map(|p| json!({ "name": p.name, "config": p.config, "property": p.property, "what": p.what, "induction": p.induction, "base": p.base, "quick": p.quick }))
            .collect();
        output::json(&json!({ "format": output::FORMAT, "proofs": proofs }));
    } else {
        let rows: Vec<Vec<String>> = chosen
            .iter()
            .map(|p| {
                vec![
                    p.name.clone(),
                    p.config.clone(),
                    p.property.clone(),
                    method(p.induction),
                    p.what.clone(),
                ]
            })
            .collect();
        output::line(&table::table(
            &["proof", "config", "property", "method", "what"],
            &rows,
        ));
    }
    Ok(Outcome::OK)
}
