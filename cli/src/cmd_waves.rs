// SPDX-License-Identifier: MIT OR Apache-2.0
//! `latchkey waves`

use crate::args::WavesArgs;
use crate::engines::Cores;
use crate::error::{Error, Outcome, Result};
use crate::progress::Progress;
use crate::{configs, lines, output};
use latchkey_bsp::atomic;
use latchkey_report::waves::{self, Plan};
use latchkey_testbench::bench::Params;
use serde_json::json;
use std::collections::BTreeMap;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// Draws, or compares with what is there; a picture that is not as it would be drawn is a failed check.
pub fn run(args: &WavesArgs) -> Result<Outcome> {
    let only = args.config.as_deref().map(configs::find).transpose()?;
    let params = only.map(|c| (c.name, Params::new(c.constants).expect("complete")));
    let program = waves::program(params.as_ref().map(|(name, p)| (*name, p)));
    if !args.check {
        atomic::folder(&args.out)?;
        lines::writable(&args.out.join("x.svg"))?;
    }
    let cores = cores(args, &program.plans)?;
    let pictures = drawn(&program.plans, &cores)?;
    let mut files = Vec::new();
    let mut stale = Vec::new();
    for (plan, svg) in program.plans.iter().zip(&pictures) {
        let path = args.out.join(format!("{}.svg", plan.name));
        if !args.check {
            atomic::write(&path, svg.as_bytes())?;
        } else if std::fs::read_to_string(&path).ok().as_ref() != Some(svg) {
            stale.push(path.clone());
        }
        files.push(path);
    }
    let again = match &args.config {
        Some(config) => format!("latchkey waves --config {config}"),
        None => "latchkey waves".into(),
    };
    for path in &stale {
        output::say(&format!(
            "{} is not what this core does now; draw again with `{again} --out {}`",
            path.display(),
            args.out.display()
        ));
    }
    if let (Some(config), false) = (&args.config, program.without.is_empty()) {
        let names = program.without.join(", ");
        output::say(&format!("not drawn, as {config} lacks a command: {names}"));
    }
    if args.json {
        output::json(&json!({
            "format": output::FORMAT,
            "config": args.config,
            "engine": args.engine.name(),
            "files": files,
            "without": program.without,
            "written": !args.check,
            "stale": stale,
        }));
    } else {
        files
            .iter()
            .for_each(|f| output::line(&f.display().to_string()));
    }
    Ok(Outcome::check(stale.is_empty()))
}

/// A maker of cores for every configuration that has a scene.
fn cores(args: &WavesArgs, plans: &[Plan]) -> Result<BTreeMap<&'static str, Cores>> {
    let mut cores = BTreeMap::new();
    for plan in plans {
        if !cores.contains_key(plan.config) {
            let config = configs::find(plan.config)?;
            cores.insert(config.name, Cores::new(config, args.engine)?);
        }
    }
    Ok(cores)
}

/// Every scene on a fresh core, side by side.
fn drawn(plans: &[Plan], cores: &BTreeMap<&'static str, Cores>) -> Result<Vec<String>> {
    let progress = Progress::new(plans.len() as u64);
    let draw = |plan: &Plan, core| {
        // A scene that breaks a rule ends in a panic of the bench, with the last transfers on stderr.
        let picture = catch_unwind(AssertUnwindSafe(|| plan.picture(core)));
        progress.step(plan.name);
        picture.map_err(|_| {
            Error::EngineFailed(format!("scene {} broke a rule of the core", plan.name))
        })
    };
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    let share = plans.len().div_ceil(cpus).max(1);
    let draw = &draw;
    std::thread::scope(|scope| {
        let run = |part: &'_ [Plan]| {
            let fresh = |plan: &Plan| (*plan, cores[plan.config].fresh());
            let part: Vec<_> = part.iter().map(fresh).collect();
            scope.spawn(move || {
                let each = part.into_iter().map(|(plan, core)| draw(&plan, core));
                each.collect::<Vec<_>>()
            })
        };
        let running: Vec<_> = plans.chunks(share).map(run).collect();
        let parts = running.into_iter();
        parts
            .flat_map(|part| part.join().expect("panics are caught"))
            .collect()
    })
}
