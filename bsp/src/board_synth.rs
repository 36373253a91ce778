// SPDX-License-Identifier: MIT OR Apache-2.0
//! The board's top on its pins: synthesis, place and route over seeds, bitstream of the fastest seed.

use crate::netlist::Netlist;
use crate::place::{self, Placed};
use crate::script::Recipe;
use crate::target::{Device, Target};
use crate::tools::yosys::{self, Yosys};
use crate::tools::{icepack, icetime, nextpnr_ice40, Tool};
use crate::{atomic, board, path, work, Error, Result};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Goal of the design, in the median of the seeds: the board's oscillator, with no PLL needed.
pub const GOAL_MHZ: f64 = 100.0;
/// Clock of the board's logic, behind the PLL: what is flashed has to reach it.
pub const CLOCK_MHZ: f64 = latchkey_hdl::link::CLOCK_HZ as f64 / 1e6;
/// Logic cells: 85 % of the chip, so that later features have room.
pub const LC_MAX: u64 = 7680 * 85 / 100;

/// What to build.
pub struct Job<'a> {
    /// Verilog of the board with everything below it.
    pub verilog: &'a str,
    /// Its top module.
    pub top: &'a str,
    /// Seeds 1 to this, at least 1.
    pub seeds: u64,
    /// Seeds at once.
    pub jobs: usize,
    /// Limit of one tool run.
    pub limit: Duration,
    /// Folder of bitstream and report.
    pub out: &'a Path,
}

/// Clock of a seed.
#[derive(Clone, Debug, Serialize)]
pub struct Clock {
    /// Seed.
    pub seed: u64,
    /// MHz by nextpnr; 0 when it does not route.
    pub mhz: f64,
    /// Why it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

/// Clock over the seeds.
#[derive(Clone, Debug, Serialize)]
pub struct Clocks {
    /// Median.
    pub median: f64,
    /// Slowest.
    pub min: f64,
    /// Fastest.
    pub max: f64,
    /// Each.
    pub per_seed: Vec<Clock>,
}

/// The bitstream.
#[derive(Clone, Debug, Serialize)]
pub struct Bitstream {
    /// File.
    pub path: PathBuf,
    /// SHA-256 of it.
    pub sha256: String,
    /// Seed it is of, the fastest.
    pub seed: u64,
    /// Its clock.
    pub mhz: f64,
}

/// Report of a board; keys as those of a core (docs/cli.md).
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct BoardReport {
    pub format: u32,
    pub config: String,
    pub target: String,
    pub top: String,
    pub lc: u64,
    pub lut: u64,
    pub ff: u64,
    pub ram: u64,
    pub device: Device,
    pub fmax_mhz: Clocks,
    /// Clock the bitstream runs at.
    pub clock_mhz: f64,
    /// Clock the design is meant to reach one day; a median below it is a note, no failure.
    pub goal_mhz: f64,
    pub met: bool,
    pub missed: Vec<String>,
    pub notes: Vec<String>,
    pub critical_path: Vec<String>,
    pub icetime_mhz: Option<f64>,
    pub tools: BTreeMap<String, String>,
    pub seconds: f64,
    pub verilog_sha256: String,
    pub bitstream: Bitstream,
    pub folder: String,
}

/// Steps of a job, for a progress bar.
pub fn steps(job: &Job) -> u64 {
    2 + job.seeds
}

/// Writes the files of a job; the folder.
pub fn prepare(job: &Job, yosys: Yosys) -> Result<PathBuf> {
    let folder = work::folder("board-ice40-hx8k", &[job.verilog])?;
    let recipe = Recipe {
        target: Target::Ice40Hx8k,
        abc9: false,
        flatten: true,
        yosys,
    };
    let synth = recipe.synth(job.top);
    let script = format!("read_verilog board.v\n{synth}write_json joined.json\n");
    for (name, text) in [
        ("board.v", job.verilog),
        (place::PINS, board::PCF),
        ("board.ys", &script),
    ] {
        atomic::write(&folder.join(name), text.as_bytes())?;
    }
    Ok(folder)
}

/// Builds, packs the fastest seed, and writes bitstream and report to the folder; both appear whole or not at all.
pub fn run(job: &Job, step: &(dyn Fn(&str) + Sync)) -> Result<BoardReport> {
    let start = Instant::now();
    let target = Target::Ice40Hx8k;
    let (yosys, nextpnr, icepack) = (
        yosys::find(target)?,
        nextpnr_ice40::find()?,
        icepack::find()?,
    );
    let (can, version) = Yosys::found(&yosys)?;
    let folder = prepare(job, can)?;
    let tools = BTreeMap::from([
        (yosys.name.clone(), version),
        (nextpnr.name.clone(), nextpnr_ice40::version(&nextpnr)?),
    ]);
    yosys::run(&yosys, &folder, "board", job.limit)?;
    step("yosys");
    let netlist = Netlist::read(&folder.join("joined.json"))?;
    let module = netlist.module(job.top)?;
    let (cells, twins) = (module.count(|_| true), module.twin_carries());
    let (placed, clocks) = seeds(job, &nextpnr, &folder, step)?;
    let best = placed
        .iter()
        .max_by(|a, b| a.mhz.total_cmp(&b.mhz))
        .expect("a seed has routed");
    icepack::pack(
        &icepack,
        &folder,
        &format!("routed-{}.asc", best.seed),
        "board.bin",
        job.limit,
    )?;
    let icetime_mhz = icetime::find().ok().and_then(|tool| {
        let asc = format!("routed-{}.asc", best.seed);
        icetime::mhz(&tool, &folder, &asc, target.package(), job.limit).ok()
    });
    step("bitstream");
    let bytes = std::fs::read(folder.join("board.bin")).map_err(|source| Error::File {
        what: "read",
        path: folder.join("board.bin"),
        source,
    })?;
    let mut report = BoardReport {
        format: crate::report::FORMAT,
        config: board::CONFIG.into(),
        target: target.name().into(),
        top: "board".into(),
        lc: best.lc,
        lut: cells.lut,
        ff: cells.ff,
        ram: cells.ram,
        device: target.device(),
        fmax_mhz: clocks,
        clock_mhz: CLOCK_MHZ,
        goal_mhz: GOAL_MHZ,
        met: true,
        missed: vec![],
        notes: twins.iter().map(|cell| format!("{cell} has one net at both inputs of its carry: a seed may never be routed (docs/budget.md)")).collect(),
        critical_path: best.path.iter().map(path::Hop::text).collect(),
        icetime_mhz,
        tools,
        seconds: 0.0,
        verilog_sha256: work::sha256(job.verilog.as_bytes()),
        bitstream: Bitstream {
            path: job.out.join(format!("{}.bin", job.top)),
            sha256: work::sha256(&bytes),
            seed: best.seed,
            mhz: best.mhz,
        },
        folder: folder.display().to_string(),
    };
    judge(&mut report);
    report.seconds = (start.elapsed().as_secs_f64() * 10.0).round() / 10.0;
    atomic::folder(job.out)?;
    atomic::write(&report.bitstream.path, &bytes)?;
    let json = serde_json::to_string_pretty(&report).expect("plain data") + "\n";
    atomic::write(&job.out.join(format!("{}.json", job.top)), json.as_bytes())?;
    atomic::write(
        &job.out.join(format!("{}.txt", job.top)),
        text(&report).as_bytes(),
    )?;
    Ok(report)
}

fn judge(report: &mut BoardReport) {
    let median = report.fmax_mhz.median;
    if median < GOAL_MHZ {
        let by = GOAL_MHZ - median;
        report.notes.push(format!(
            "median clock {median:.2} MHz is {by:.2} MHz below the goal of {GOAL_MHZ} MHz; the PLL gives {CLOCK_MHZ} MHz"
        ));
    }
    let Bitstream { seed, mhz, .. } = report.bitstream;
    if mhz < CLOCK_MHZ {
        report.missed.push(format!("the bitstream (seed {seed}) is good for {mhz:.2} MHz, {:.2} MHz less than the board's clock of {CLOCK_MHZ} MHz: it may fail on the board", CLOCK_MHZ - mhz));
    }
    if report.lc > LC_MAX {
        report.missed.push(format!(
            "{} logic cells are {} over the limit of {LC_MAX}",
            report.lc,
            report.lc - LC_MAX
        ));
    }
    report.met = report.missed.is_empty();
}

/// All seeds, some at once. A seed that does not route counts as 0 MHz; it is an error when none does.
fn seeds(
    job: &Job,
    nextpnr: &Tool,
    folder: &Path,
    step: &(dyn Fn(&str) + Sync),
) -> Result<(Vec<Placed>, Clocks)> {
    let (next, done) = (Mutex::new(1..=job.seeds.max(1)), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..job.jobs.max(1) {
            scope.spawn(|| loop {
                let Some(seed) = next.lock().expect("no panic").next() else {
                    break;
                };
                let result = place::route(
                    nextpnr,
                    Target::Ice40Hx8k,
                    folder,
                    seed,
                    GOAL_MHZ,
                    job.limit,
                );
                step(&match &result {
                    Ok(placed) => format!("seed {seed}: {:.2} MHz", placed.mhz),
                    Err(_) => format!("seed {seed} failed"),
                });
                done.lock().expect("no panic").push((seed, result));
            });
        }
    });
    let mut results = done.into_inner().expect("no panic");
    results.sort_by_key(|(seed, _)| *seed);
    let (mut placed, mut clocks, mut last) = (Vec::new(), Vec::new(), None);
    for (seed, result) in results {
        let (mhz, failed) = match result {
            Ok(p) => {
                let mhz = p.mhz;
                placed.push(p);
                (mhz, None)
            }
            Err(error @ (Error::Timeout { .. } | Error::ToolFailed { .. })) => {
                last = Some(error);
                (0.0, Some("not routed".to_string()))
            }
            Err(error) => return Err(error),
        };
        clocks.push(Clock { seed, mhz, failed });
    }
    if placed.is_empty() {
        return Err(last.expect("no seed routed, so one has failed"));
    }
    let mut sorted: Vec<f64> = clocks.iter().map(|c| c.mhz).collect();
    sorted.sort_by(f64::total_cmp);
    let (low, high) = (sorted[(sorted.len() - 1) / 2], sorted[sorted.len() / 2]);
    let clocks = Clocks {
        median: ((low + high) * 50.0).round() / 100.0,
        min: sorted[0],
        max: sorted[sorted.len() - 1],
        per_seed: clocks,
    };
    Ok((placed, clocks))
}

/// The report as text.
pub fn text(r: &BoardReport) -> String {
    let share = |used: u64, all: u64| format!("{:.1} %", 100.0 * used as f64 / all as f64);
    let row = |name: &str, used: u64, all: u64| {
        vec![
            name.into(),
            used.to_string(),
            all.to_string(),
            share(used, all),
        ]
    };
    let rows = [
        row("logic cells", r.lc, r.device.lc),
        row("block RAMs", r.ram, r.device.ram),
    ];
    let seeds: Vec<String> = r
        .fmax_mhz
        .per_seed
        .iter()
        .map(|s| format!("{}: {:.1}", s.seed, s.mhz))
        .collect();
    let mut text = format!(
        "board of {} on {}\n{}\n{} LUTs, {} flip-flops\nclock, MHz: median {:.2}, min {:.2}, max {:.2} (seed: MHz  {})\n",
        r.config,
        r.target,
        crate::table::table(&["", "used", "device", "share"], &rows),
        r.lut,
        r.ff,
        r.fmax_mhz.median,
        r.fmax_mhz.min,
        r.fmax_mhz.max,
        seeds.join(", ")
    );
    if let Some(mhz) = r.icetime_mhz {
        text += &format!("icetime on the bitstream's seed: {mhz:.2} MHz\n");
    }
    text += &format!("slowest path:\n  {}\n", r.critical_path.join("\n  "));
    text += &format!(
        "bitstream: {} (seed {})\n",
        r.bitstream.path.display(),
        r.bitstream.seed
    );
    for missed in &r.missed {
        text += &format!("missed: {missed}\n");
    }
    for note in &r.notes {
        text += &format!("note: {note}\n");
    }
    if r.met {
        let spare = r.bitstream.mhz - r.clock_mhz;
        text += &format!(
            "the bitstream reaches the board's clock of {} MHz with {spare:.2} MHz to spare, and fits\n",
            r.clock_mhz
        );
    }
    text
}
