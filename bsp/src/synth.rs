// SPDX-License-Identifier: MIT OR Apache-2.0
//! Synthesis of a core in the registered harness, over several seeds.

use crate::kept::{Kept, Mapped};
use crate::netlist::{Cells, Netlist};
use crate::place::{self, Placed};
use crate::prepare::prepare;
use crate::report::{Fmax, Harness, Report, Seed, FORMAT};
use crate::script::Recipe;
use crate::seeds::{self, Place};
use crate::target::{Goal, Target};
use crate::tools::yosys::{self, Yosys};
use crate::tools::{nextpnr_ecp5, nextpnr_ice40, Tool};
use crate::{budget, harness, path, runs, work, Error, Result};
use std::collections::BTreeMap;
use std::path::Path;
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
    /// Count the cells block by block too.
    pub blocks: bool,
    /// Folder in which results are kept as they come; `None`: nowhere.
    pub out: Option<&'a Path>,
    /// Take what is kept there in place of running it again.
    pub resume: bool,
}

/// Steps a job takes, for a progress bar.
pub fn steps(job: &Job) -> u64 {
    2 + job.seeds + u64::from(job.blocks)
}

/// Runs a job. `step` is told of each finished step; `goal` is what the report is held to.
pub fn run(job: &Job, goal: Option<&Goal>, step: &(dyn Fn(&str) + Sync)) -> Result<Report> {
    let start = Instant::now();
    let yosys = yosys::find(job.target)?;
    let nextpnr = place::tool(job.target)?;
    let (can, version) = Yosys::found(&yosys)?;
    let recipe = Recipe {
        target: job.target,
        abc9: job.abc9,
        flatten: true,
        yosys: can,
    };
    let mut tools = BTreeMap::from([(yosys.name.clone(), version)]);
    tools.insert(nextpnr.name.clone(), placer(job.target, &nextpnr)?);
    let prepared = prepare(job, &recipe)?;
    let folder = &prepared.folder;
    let mhz = goal.map_or(100.0, |g| g.mhz);
    let settings = format!("{} {} {mhz} {tools:?}", job.target.name(), job.top);
    let kept = Kept::new(job.out, &[&prepared.sha256, &settings], job.resume)?;
    let mapped = mapped(job, &yosys, &nextpnr, folder, &kept, step)?;
    let mut report = begun(job, mapped, &recipe, tools, folder);
    let seeds = if report.overfull().is_empty() {
        job.seeds
    } else {
        0
    };
    let place = Place {
        nextpnr: &nextpnr,
        folder,
        mhz,
        kept: &kept,
    };
    let outcome = seeds::run(job, seeds, &place, step)?;
    let reached = outcome.placed.iter().map(|p| Seed {
        seed: p.seed,
        mhz: p.mhz,
        icetime_mhz: p.icetime_mhz,
        resumed: outcome.resumed.contains(&p.seed),
        failed: None,
    });
    report.fmax_mhz = Fmax::of(reached.chain(outcome.failed).collect());
    if let Some(middle) = median(&outcome.placed) {
        report.critical_path = middle.path.iter().map(path::Hop::text).collect();
        report.critical_path_modules = path::parts(&middle.path);
        report.critical_path_hops = middle.path.clone();
        report.icetime_mhz = middle.icetime_mhz;
        report.harness.total_lc = Some(middle.lc);
    }
    if let Some(blocks) = &outcome.blocks {
        let budget = budget::committed(job.config).filter(|b| b.target == job.target.name());
        report.blocks = budget::lines(budget.as_ref(), blocks);
    }
    report.judge(goal);
    report.when = runs::now();
    report.seconds = (start.elapsed().as_secs_f64() * 10.0).round() / 10.0;
    Ok(report)
}

/// The netlist, made or taken from an earlier run. Where every seed is kept it is not needed again.
fn mapped(
    job: &Job,
    yosys: &Tool,
    nextpnr: &Tool,
    folder: &Path,
    kept: &Kept,
    step: &(dyn Fn(&str) + Sync),
) -> Result<Mapped> {
    if let Some(mapped) = kept.mapped() {
        let all = (1..=job.seeds).all(|seed| kept.seed(seed).is_some());
        if all || mapped.copy_to(folder)? {
            step("yosys (kept)");
            step("packed (kept)");
            return Ok(mapped);
        }
    }
    yosys::run(yosys, folder, "joined", job.limit)?;
    step("yosys");
    let mut harness = compare(folder, job.top)?;
    let pack = |json: &str| place::packed(nextpnr, job.target, folder, json, job.limit);
    let (lc, _) = pack("core.json")?;
    (harness.packed_lc, harness.packed_ram) = pack("joined.json")?;
    step("packed");
    let mapped = Mapped::new(folder, lc, harness)?;
    kept.keep_mapped(&mapped)?;
    Ok(mapped)
}

/// The report as far as the netlist goes.
fn begun(
    job: &Job,
    mapped: Mapped,
    recipe: &Recipe,
    tools: BTreeMap<String, String>,
    folder: &Path,
) -> Report {
    let kind = |name: &String| {
        let kind = if name.starts_with("yowasp-") {
            "YoWASP"
        } else {
            "native"
        };
        (name.clone(), kind)
    };
    Report {
        format: FORMAT,
        config: job.config.into(),
        target: job.target.name().into(),
        top: "core".into(),
        lc: mapped.lc,
        lut: mapped.harness.bare.lut,
        ff: mapped.harness.bare.ff,
        ram: mapped.harness.bare.ram,
        device: job.target.device(),
        fmax_mhz: None,
        goal_mhz: None,
        met: true,
        missed: vec![],
        critical_path: vec![],
        critical_path_hops: vec![],
        critical_path_modules: vec![],
        blocks: vec![],
        icetime_mhz: None,
        tool_kinds: tools.keys().map(kind).collect(),
        tools,
        seconds: 0.0,
        when: String::new(),
        previous: None,
        harness: mapped.harness,
        verilog_sha256: work::sha256(job.verilog.as_bytes()),
        abc9: recipe.maps_with_abc9(),
        folder: folder.display().to_string(),
    }
}

fn placer(target: Target, nextpnr: &Tool) -> Result<String> {
    match target {
        Target::Ice40Hx8k => nextpnr_ice40::version(nextpnr),
        Target::Ecp585 => nextpnr_ecp5::version(nextpnr),
    }
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
        packed_lc: 0,
        packed_ram: 0,
    })
}

fn median(placed: &[Placed]) -> Option<&Placed> {
    let mut sorted: Vec<&Placed> = placed.iter().collect();
    sorted.sort_by(|a, b| a.mhz.total_cmp(&b.mhz));
    sorted.get(sorted.len().saturating_sub(1) / 2).copied()
}
