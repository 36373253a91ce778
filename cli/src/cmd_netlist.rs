// SPDX-License-Identifier: MIT OR Apache-2.0
//! `latchkey netlist`

use crate::args::NetlistArgs;
use crate::engines::mended;
use crate::error::{Error, Outcome, Result};
use crate::progress::Progress;
use crate::{configs, output};
use latchkey_bsp::netcheck::{self, Compared};
use latchkey_testbench::bench::scenario::{self, Options, Scenario};
use latchkey_testbench::bench::{Chosen, Params};
use latchkey_testbench::engine::{tape_bench, Effort, Engine, Taped, VerilatorEngine};
use serde_json::json;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Records a run of the exported Verilog and plays it to the netlist; any output that differs is a failed check.
pub fn run(args: &NetlistArgs) -> Result<Outcome> {
    let started = Instant::now();
    let config = configs::find(&args.config)?;
    let module = configs::module(config, "core")?;
    let params = Params::new(config.constants).map_err(Error::EngineFailed)?;
    let engine = VerilatorEngine::new(config, module, Effort::Full).map_err(|e| mended(&e))?;
    let layout = engine.layout().clone();
    // One more than is played: the outputs after the last edge. No run has more lookups than cycles, so the tape is full at its end.
    let (taped, tape) = Taped::new(Box::new(engine), args.cycles as usize + 1);
    let options = Options {
        scenario: Scenario::by_name(args.scenario.name()).expect("the names are the bench's"),
        config: args.config.clone(),
        engine: "verilator".into(),
        lookups: args.cycles,
        seed: args.seed,
        counters: Vec::new(),
    };
    let progress = Progress::new(args.cycles);
    scenario::run(Chosen(Box::new(taped)), &params, &options, |done| {
        progress.at(done);
    })
    .map_err(|fault| Error::EngineFailed(fault.to_string()))?;
    drop(progress);
    let lines = tape_bench::lines(&layout, &tape.cycles(0, tape.len()));
    let (text, top) = configs::verilog(config, module)?;
    let compared = netcheck::compare(&netcheck::Job {
        config: config.name,
        verilog: &text,
        top: &top,
        bench: (
            &tape_bench::bench(&layout, &top, lines.len()),
            tape_bench::BENCH,
        ),
        tape: &(lines.join("\n") + "\n"),
        limit: Duration::from_secs(args.timeout),
    })?;
    show(args, &compared, started.elapsed().as_secs_f64());
    Ok(Outcome::check(compared.wrong == 0 && compared.cycles > 0))
}

fn show(args: &NetlistArgs, compared: &Compared, seconds: f64) {
    let reproduce = format!(
        "latchkey netlist --config {} --scenario {} --cycles {} --seed {}",
        args.config,
        args.scenario.name(),
        args.cycles,
        args.seed
    );
    if args.json {
        output::json(&json!({
            "format": output::FORMAT,
            "config": args.config,
            "target": "ice40-hx8k",
            "scenario": args.scenario.name(),
            "seed": args.seed,
            "cycles": compared.cycles,
            "differences": compared.wrong,
            "first": compared.first,
            "cells": compared.cells.iter().cloned().collect::<BTreeMap<_, _>>(),
            "tools": compared.tools.iter().cloned().collect::<BTreeMap<_, _>>(),
            "folder": compared.folder,
            "seconds": (seconds * 10.0).round() / 10.0,
            "reproduce": reproduce,
        }));
    } else {
        let cells: u64 = compared.cells.iter().map(|(_, n)| n).sum();
        output::line(&format!(
            "{}: {} cycles of {} played to the netlist of {cells} cells: {} outputs differ",
            args.config,
            compared.cycles,
            args.scenario.name(),
            compared.wrong
        ));
        for (name, count) in &compared.cells {
            output::line(&format!("  {name:<16} {count:>6}"));
        }
    }
    for line in &compared.first {
        output::say(&format!("differs: {line}"));
    }
    if compared.wrong > 0 {
        output::say(&format!(
            "failed; again with: {reproduce}; files in {}",
            compared.folder.display()
        ));
    }
}
