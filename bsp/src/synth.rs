// SPDX-License-Identifier: MIT OR Apache-2.0
//! Synthesis of a core in the registered harness, over several seeds.

use crate::netlist::{Cells, Netlist};
use crate::place::{self, Placed};
use crate::report::{Fmax, Harness, Report, Seed, FORMAT};
use crate::target::{Goal, Target};
use crate::tools::{icetime, nextpnr_ecp5, nextpnr_ice40, yosys, Tool};
use crate::{atomic, harness, ports, script, work, Error, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// What to synthesize and how.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    /// Name of the configuration, for the report.
    pub config: &'a str,
    /// Verilog of the core with everything below it.
    pub verilog: &'a str,
    /// Its top module.
    pub top: &'a str,
    /// Device.
    pub target: Target,
    /// Place and route is done with seeds 1 to this; 0 stops after packing.
    pub seeds: u64,
    /// How many run at once.
    pub jobs: usize,
    /// Map with ABC9.
    pub abc9: bool,
    /// Limit of one tool run.
    pub limit: Duration,
}

/// Steps a job takes, for a progress bar.
pub fn steps(job: &Job) -> u64 {
    2 + job.seeds
}

/// Runs a job. `step` is told of each finished step; `goal` is what the report is held to.
pub fn run(job: &Job, goal: Option<&Goal>, step: &(dyn Fn(&str) + Sync)) -> Result<Report> {
    let start = Instant::now();
    let yosys = yosys::find(job.target == Target::Ecp585)?;
    let nextpnr = place::tool(job.target)?;
    let native = yosys.name == "yosys";
    let tools = versions(job.target, &yosys, &nextpnr)?;
    let Prepared { folder, .. } = prepare(job, native, yosys::takes_dff(&tools[&yosys.name]))?;
    yosys::run(&yosys, &folder, "joined", job.limit)?;
    step("yosys");
    let harness = compare(&folder, job.top)?;
    let lc = place::packed(&nextpnr, job.target, &folder, "core.json", job.limit)?;
    step("packed");
    let mhz = goal.map_or(100.0, |g| g.mhz);
    let (placed, failed) = seeds(job, &nextpnr, &folder, mhz, step)?;
    let reached = placed.iter().map(|p| Seed {
        seed: p.seed,
        mhz: p.mhz,
        failed: None,
    });
    let fmax = Fmax::of(reached.chain(failed).collect());
    let middle = median(&placed);
    let mut report = Report {
        format: FORMAT,
        config: job.config.into(),
        target: job.target.name().into(),
        top: "core".into(),
        lc,
        lut: harness.bare.lut,
        ff: harness.bare.ff,
        ram: harness.bare.ram,
        device: job.target.device(),
        fmax_mhz: fmax,
        goal_mhz: None,
        met: true,
        missed: vec![],
        critical_path: middle.map(|p| p.path.clone()).unwrap_or_default(),
        icetime_mhz: second_opinion(job, &folder, middle),
        tools,
        seconds: 0.0,
        harness: Harness {
            total_lc: middle.map(|p| p.lc),
            ..harness
        },
        verilog_sha256: work::sha256(job.verilog.as_bytes()),
        abc9: job.abc9 || (job.target == Target::Ecp585 && !native),
        folder: folder.display().to_string(),
    };
    report.judge(goal);
    report.seconds = (start.elapsed().as_secs_f64() * 10.0).round() / 10.0;
    Ok(report)
}

/// Files of a job before any tool has run.
pub struct Prepared {
    /// Work folder.
    pub folder: PathBuf,
    /// Names of the files in it.
    pub files: Vec<String>,
}

/// Writes the Verilog, the harness and the script into a work folder; `native` is for Debian's yosys,
/// `dff` as `script::synth` has it.
pub fn prepare(job: &Job, native: bool, dff: bool) -> Result<Prepared> {
    let ports = ports::ports(job.verilog, job.top)?;
    let folder = work::folder(
        &format!("{}-{}", job.config, job.target.name()),
        &[job.verilog, job.target.name()],
    )?;
    let command = |top: &str| script::synth(job.target, job.abc9, true, top, native, dff);
    let files = [
        ("core.v", job.verilog.to_string()),
        ("harness.v", harness::verilog(job.top, &ports)),
        (
            "joined.ys",
            script::joined(job.top, &command(job.top), &command(harness::TOP)),
        ),
    ];
    for (name, text) in &files {
        atomic::write(&folder.join(name), text.as_bytes())?;
    }
    Ok(Prepared {
        folder,
        files: files.map(|(name, _)| name.to_string()).to_vec(),
    })
}

fn versions(target: Target, yosys: &Tool, nextpnr: &Tool) -> Result<BTreeMap<String, String>> {
    let placer = match target {
        Target::Ice40Hx8k => nextpnr_ice40::version(nextpnr)?,
        Target::Ecp585 => nextpnr_ecp5::version(nextpnr)?,
    };
    Ok(BTreeMap::from([
        (yosys.name.clone(), yosys::version(yosys)?),
        (nextpnr.name.clone(), placer),
    ]))
}

/// Cells of the harness, outside of it, and of the bare core; more than 2 % apart is an error.
fn compare(folder: &Path, top: &str) -> Result<Harness> {
    let bare = Netlist::read(&folder.join("core.json"))?
        .module(top)?
        .count(|_| true);
    let joined = Netlist::read(&folder.join("joined.json"))?;
    let module = joined.module(harness::TOP)?;
    let prefix = format!("{}.", harness::INSTANCE);
    let inside =
        |name: &str| name.starts_with(&prefix) || name.starts_with(&format!("$flatten\\{prefix}"));
    let outside = module.count(inside);
    let cells = module.count(|name| !inside(name));
    let apart = |a: u64, b: u64| 100.0 * a.abs_diff(b) as f64 / b.max(1) as f64;
    let pairs = |a: Cells, b: Cells| [(a.lc, b.lc), (a.lut, b.lut), (a.ff, b.ff), (a.ram, b.ram)];
    let difference_percent = pairs(outside, bare)
        .iter()
        .map(|(a, b)| apart(*a, *b))
        .fold(0.0, f64::max);
    if difference_percent > 2.0 {
        return Err(Error::Harness(format!("cells outside the harness {outside:?} differ from the bare core {bare:?} by {difference_percent:.2} %")));
    }
    Ok(Harness {
        cells,
        outside,
        bare,
        difference_percent,
        total_lc: None,
    })
}

/// Seeds 1.. on a few threads: those that route, and those that do not (no clock, 0 MHz). It is an error when none routes.
fn seeds(
    job: &Job,
    nextpnr: &Tool,
    folder: &Path,
    mhz: f64,
    step: &(dyn Fn(&str) + Sync),
) -> Result<(Vec<Placed>, Vec<Seed>)> {
    let next = Mutex::new(1..=job.seeds);
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..job.jobs.max(1) {
            scope.spawn(|| loop {
                let Some(seed) = next.lock().expect("no panic").next() else {
                    break;
                };
                let result = place::route(nextpnr, job.target, folder, seed, mhz, job.limit);
                step(&match &result {
                    Ok(placed) => format!("seed {seed}: {:.2} MHz", placed.mhz),
                    Err(_) => format!("seed {seed} failed"),
                });
                results.lock().expect("no panic").push((seed, result));
            });
        }
    });
    let mut results = results.into_inner().expect("no panic");
    results.sort_by_key(|(seed, _)| *seed);
    let (good, bad): (Vec<_>, Vec<_>) = results.into_iter().partition(|(_, r)| r.is_ok());
    let placed: Vec<Placed> = good.into_iter().filter_map(|(_, r)| r.ok()).collect();
    let mut failed = Vec::new();
    for (seed, result) in bad {
        let error = result.expect_err("parted above");
        // only what the tool could not do with this seed is a result; anything else ends the run
        let why = match &error {
            Error::Timeout { seconds, .. } => format!("not routed within {seconds} s"),
            Error::ToolFailed { status, .. } => format!("not routed ({status})"),
            _ => return Err(error),
        };
        if placed.is_empty() {
            return Err(error);
        }
        failed.push(Seed {
            seed,
            mhz: 0.0,
            failed: Some(why),
        });
    }
    Ok((placed, failed))
}

fn median(placed: &[Placed]) -> Option<&Placed> {
    let mut sorted: Vec<&Placed> = placed.iter().collect();
    sorted.sort_by(|a, b| a.mhz.total_cmp(&b.mhz));
    sorted.get(sorted.len().saturating_sub(1) / 2).copied()
}

/// icetime is welcome but not needed: its absence is no error.
fn second_opinion(job: &Job, folder: &Path, placed: Option<&Placed>) -> Option<f64> {
    if job.target != Target::Ice40Hx8k {
        return None;
    }
    let tool = icetime::find().ok()?;
    icetime::mhz(
        &tool,
        folder,
        &format!("routed-{}.asc", placed?.seed),
        job.target.package(),
        job.limit,
    )
    .ok()
}
