// SPDX-License-Identifier: MIT OR Apache-2.0
//! `latchkey synth`

use crate::args::SynthArgs;
use crate::error::{Error, Outcome, Result};
use crate::progress::Progress;
use crate::{configs, lines, output};
use latchkey_bsp::report::Report;
use latchkey_bsp::script::Recipe;
use latchkey_bsp::target::{self, Goal, Target};
use latchkey_bsp::tools::yosys::{self, Yosys};
use latchkey_bsp::{atomic, blocks, board_synth, budget, place, prepare, runs, synth, table};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Synthesizes, or holds to the budget, or only prepares.
pub fn run(args: &SynthArgs) -> Result<Outcome> {
    match args.top.as_deref().filter(|_| args.verilog.is_none()) {
        Some("board") => return board(args),
        None | Some("core") => {}
        Some(other) => {
            return Err(Error::Usage {
                what: format!("unknown top `{other}`"),
                mend: "core or board; any other needs --verilog".into(),
            })
        }
    }
    let target = match &args.target {
        Some(name) => Target::from_name(name)?,
        None => Target::usual(&args.config),
    };
    let (verilog, top) = source(args)?;
    let goals = match &args.goals {
        Some(file) => target::from_file(file)?,
        None => target::committed(),
    };
    // A goal speaks of the core of its configuration only.
    let whole = args.verilog.is_none() && args.module == "core";
    let goal = target::goal(&goals, &args.config, target).filter(|_| whole || args.goals.is_some());
    let out = folder(args);
    let job = synth::Job {
        config: &args.config,
        verilog: &verilog,
        top: &top,
        target,
        seeds: args.seeds,
        jobs: args.jobs,
        abc9: args.abc9 || goal.is_some_and(|g| g.abc9),
        limit: Duration::from_secs(args.timeout),
        blocks: !args.no_blocks,
        out: Some(&out),
        resume: args.resume,
    };
    if args.no_run {
        return prepare(&job, goal, args.json);
    }
    if args.budget {
        return hold(&job, args.json);
    }
    // Better to know now than after an hour of place and route; and nothing is made where a tool is missing.
    yosys::find(target)?;
    place::tool(target)?;
    atomic::folder(&out)?;
    lines::writable(&out.join("synth.html"))?;
    let progress = Progress::new(synth::steps(&job));
    let mut report = synth::run(&job, goal, &|text| progress.step(text))?;
    drop(progress);
    report.previous = runs::previous(&out, &report);
    let page = written(&out, &report, goal)?;
    if args.json {
        output::json(&report);
    } else {
        output::line(&table::report(&report));
    }
    for missed in &report.missed {
        output::say(&format!("missed: {missed}"));
    }
    output::say(&format!("report: {}", page.display()));
    Ok(if report.met {
        Outcome::OK
    } else {
        Outcome::MISSED
    })
}

/// The whole board, with its bitstream.
fn board(args: &SynthArgs) -> Result<Outcome> {
    let (config, module) = configs::chosen(&args.config, &args.module, "board")?;
    if args
        .target
        .as_ref()
        .is_some_and(|t| t != Target::Ice40Hx8k.name())
        || args.budget
        || args.goals.is_some()
        || args.abc9
    {
        return Err(Error::Usage {
            what: "--target, --budget, --goals and --abc9 are for cores".into(),
            mend: "the board has one device, and its goals are in docs/board.md".into(),
        });
    }
    let (verilog, top) = configs::verilog(config, module)?;
    let out = args
        .out
        .clone()
        .unwrap_or_else(|| PathBuf::from("out").join(config.name));
    let job = board_synth::Job {
        verilog: &verilog,
        top: &top,
        seeds: args.seeds,
        jobs: args.jobs,
        limit: Duration::from_secs(args.timeout),
        out: &out,
    };
    if args.no_run {
        let folder = board_synth::prepare(&job, Yosys::usual(Target::Ice40Hx8k))?;
        if args.json {
            output::json(
                &json!({ "format": output::FORMAT, "config": config.name, "target": Target::Ice40Hx8k.name(), "top": "board", "goal_mhz": board_synth::GOAL_MHZ, "folder": folder }),
            );
        } else {
            output::line(&folder.display().to_string());
        }
        return Ok(Outcome::OK);
    }
    let progress = Progress::new(board_synth::steps(&job));
    let report = board_synth::run(&job, &|text| progress.step(text))?;
    drop(progress);
    if args.json {
        output::json(&report);
    } else {
        output::line(board_synth::text(&report).trim_end());
    }
    report
        .missed
        .iter()
        .for_each(|m| output::say(&format!("missed: {m}")));
    Ok(if report.met {
        Outcome::OK
    } else {
        Outcome::MISSED
    })
}

/// Where results go: a folder a configuration, module or file.
fn folder(args: &SynthArgs) -> PathBuf {
    if let Some(out) = &args.out {
        return out.clone();
    }
    let out = Path::new("out");
    match &args.top {
        Some(top) if args.verilog.is_some() => out.join(top),
        Some(_) => out.join(&args.config),
        None if args.module != "core" => out.join(&args.config).join(&args.module),
        None => out.join(&args.config),
    }
}

/// Text, JSON and page, and the run among those that are kept. Gives the page's path.
fn written(out: &Path, report: &Report, goal: Option<&Goal>) -> Result<PathBuf> {
    let name = |end: &str| out.join(format!("synth-{}.{end}", report.target));
    let text = serde_json::to_string_pretty(report).expect("plain data") + "\n";
    atomic::write(&name("json"), text.as_bytes())?;
    atomic::write(&name("txt"), table::report(report).as_bytes())?;
    let page = latchkey_report::synth::html(report, goal);
    atomic::write(&name("html"), page.as_bytes())?;
    runs::keep(out, report)?;
    Ok(name("html"))
}

/// Verilog and top module.
fn source(args: &SynthArgs) -> Result<(String, String)> {
    if let (Some(file), Some(top)) = (&args.verilog, &args.top) {
        return Ok((atomic::read(file)?, top.clone()));
    }
    let config = configs::find(&args.config)?;
    configs::verilog(config, configs::module(config, &args.module)?)
}

/// The files for the yosys that is there, or for the usual one.
fn prepare(job: &synth::Job, goal: Option<&Goal>, as_json: bool) -> Result<Outcome> {
    let there = yosys::find(job.target).and_then(|tool| Yosys::found(&tool));
    let recipe = Recipe {
        target: job.target,
        abc9: job.abc9,
        flatten: true,
        yosys: there.map_or_else(|_| Yosys::usual(job.target), |(can, _)| can),
    };
    let prepared = prepare::prepare(job, &recipe)?;
    let files: Vec<_> = prepared
        .files
        .iter()
        .map(|f| prepared.folder.join(f))
        .collect();
    if as_json {
        output::json(&json!({
            "format": output::FORMAT,
            "config": job.config,
            "target": job.target.name(),
            "top": "core",
            "device": job.target.device(),
            "goal_mhz": goal.map(|g| g.mhz),
            "folder": prepared.folder,
            "files": files,
        }));
    } else {
        files
            .iter()
            .for_each(|f| output::line(&f.display().to_string()));
    }
    Ok(Outcome::OK)
}

fn hold(job: &synth::Job, as_json: bool) -> Result<Outcome> {
    let budget = budget::committed(job.config).ok_or_else(|| Error::Usage {
        what: format!("configuration `{}` has no committed budget", job.config),
        mend: "there is one for `alchitry-cu`".into(),
    })?;
    let blocks = blocks::run(
        job.config,
        job.verilog,
        job.top,
        Target::from_name(&budget.target)?,
        job.limit,
    )?;
    let outcome = budget::judge(&budget, &blocks);
    if as_json {
        output::json(&json!({
            "format": output::FORMAT,
            "config": job.config,
            "target": budget.target,
            "blocks": outcome.lines,
            "missed": outcome.missed,
            "met": outcome.missed.is_empty(),
        }));
    } else {
        output::line(&budget::text(&outcome));
    }
    outcome
        .missed
        .iter()
        .for_each(|m| output::say(&format!("missed: {m}")));
    Ok(if outcome.missed.is_empty() {
        Outcome::OK
    } else {
        Outcome::MISSED
    })
}
