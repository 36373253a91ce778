// SPDX-License-Identifier: MIT OR Apache-2.0
//! The seam between the command line and the testbench.

use crate::args::{CasesArgs, EngineName, SimArgs};
use crate::configs;
use crate::engines::Cores;
use crate::error::{Error, Result};
use crate::progress::Progress;
use latchkey_hdl::csr;
use latchkey_testbench::bench::report::Report;
use latchkey_testbench::bench::scenario::{self, Options, Scenario};
use latchkey_testbench::bench::{shards, Cases, Kind, Params};
use latchkey_testbench::cases::{self, Case};
use serde_json::Value;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Regions of more pages are skipped on the rust engine.
const RUST_PAGES: u64 = 65_536;

/// Runs a scenario or a trace; the report is the object of `docs/cli.md`.
pub fn sim(args: &SimArgs) -> Result<Report> {
    let config = configs::find(&args.config)?;
    let params = Params::new(config.constants).map_err(Error::EngineFailed)?;
    let vcd = args.vcd.as_deref().map(temporary).transpose()?;
    let cores = Cores::new(config, args.engine)?;
    let options = Options {
        scenario: scenario(args)?,
        config: args.config.clone(),
        engine: args.engine.name().into(),
        lookups: args.lookups,
        seed: args.seed,
        counters: (csr::COUNTERS_AT..)
            .zip(csr::COUNTERS)
            .map(|(at, (name, _))| (name.to_string(), at))
            .collect(),
    };
    let progress = Progress::new(args.lookups);
    if args.jobs > 1 {
        return side_by_side(args.jobs, &params, &cores, &options, &progress);
    }
    // Nearly every run is right; one that is not is repeated with the checker in step.
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    if cpus > 1 && vcd.is_none() && args.engine == EngineName::Verilator {
        let done = |done| progress.at(done);
        if let Some(report) = scenario::run_apart(cores.fresh(), &params, &options, done) {
            return Ok(report);
        }
    }
    let engine = cores.recorded(vcd.as_deref())?;
    let report =
        scenario::run(engine, &params, &options, |done| progress.at(done)).map_err(|fault| {
            match fault.kind {
                Kind::Stimulus => Error::Usage {
                    what: fault.to_string(),
                    mend: "the format of a trace is in docs/trace-format.md".into(),
                },
                _ => Error::EngineFailed(fault.to_string()),
            }
        })?;
    drop(progress);
    // The engine is gone, so the waveforms are complete; now they get their name.
    keep(vcd, args)?;
    Ok(report)
}

/// The run in parts (`--jobs`), a thread each.
fn side_by_side(
    jobs: u64,
    params: &Params,
    cores: &Cores,
    options: &Options,
    progress: &Progress,
) -> Result<Report> {
    let parts = shards::split(options, jobs);
    let done: Vec<AtomicU64> = parts.iter().map(|_| AtomicU64::new(0)).collect();
    let reports = std::thread::scope(|scope| {
        let start = |(part, own)| {
            let (engine, done) = (cores.fresh(), &done);
            let tell = move |n| {
                AtomicU64::store(own, n, Relaxed);
                progress.at(done.iter().map(|d| d.load(Relaxed)).sum());
            };
            scope.spawn(move || scenario::run(engine, params, part, tell))
        };
        let threads: Vec<_> = parts.iter().zip(&done).map(start).collect();
        let joined = threads.into_iter().map(|t| t.join());
        joined.collect::<Vec<_>>()
    });
    let mut all = Vec::new();
    for report in reports {
        let report =
            report.map_err(|_| Error::EngineFailed("a part of the run panicked".into()))?;
        all.push(report.map_err(|fault| Error::EngineFailed(fault.to_string()))?);
    }
    Ok(shards::merge(options, all))
}

/// Gives the waveforms of [`temporary`] their name.
pub fn keep(vcd: Option<tempfile::TempPath>, args: &SimArgs) -> Result<()> {
    if let (Some(part), Some(path)) = (vcd, &args.vcd) {
        part.persist(path).map_err(|e| Error::File {
            what: "write",
            path: path.clone(),
            source: e.error,
        })?;
    }
    Ok(())
}

fn scenario(args: &SimArgs) -> Result<Scenario> {
    match &args.trace {
        Some(path) => {
            let text = std::fs::read_to_string(path).map_err(|source| Error::File {
                what: "read",
                path: path.clone(),
                source,
            })?;
            Ok(Scenario::Trace(path.display().to_string(), text))
        }
        None => Ok(Scenario::by_name(args.scenario.name()).expect("the names are the bench's")),
    }
}

/// A name beside `path` that vanishes unless it is renamed.
pub fn temporary(path: &Path) -> Result<tempfile::TempPath> {
    let folder = path
        .parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    tempfile::Builder::new()
        .prefix(".latchkey-")
        .suffix(".vcd")
        .tempfile_in(folder)
        .map(tempfile::NamedTempFile::into_temp_path)
        .map_err(|source| Error::File {
            what: "write",
            path: path.to_path_buf(),
            source,
        })
}

/// Runs cases; the object of `docs/cli.md`.
pub fn cases(args: &CasesArgs, list: Vec<(usize, Value)>) -> Result<Value> {
    let config = configs::find(&args.config)?;
    let params = Params::new(config.constants).map_err(Error::EngineFailed)?;
    let list = list
        .into_iter()
        .map(|(line, value)| case(args, line, value))
        .collect::<Result<Vec<Case>>>()?;
    // Page lists of millions of entries would take the simulator hours.
    let max_pages = (args.engine == EngineName::Rust).then_some(RUST_PAGES);
    let options = cases::Options {
        max_pages,
        ..cases::Options::default()
    };
    let cores = Cores::new(config, args.engine)?;
    let progress = Progress::new(list.len() as u64);
    let fresh = || Cases::new(cores.fresh(), &params, 1);
    let mut done = 0;
    let report = cases::run(&list, &params.model(), &options, fresh, |_| {
        done += 1;
        progress.at(done);
    });
    drop(progress);
    let report = report.map_err(|e| Error::EngineFailed(e.to_string()))?;
    serde_json::to_value(report).map_err(|e| Error::EngineFailed(e.to_string()))
}

fn case(args: &CasesArgs, line: usize, value: Value) -> Result<Case> {
    serde_json::from_value(value).map_err(|e| Error::Line {
        path: args.file.display().to_string(),
        line,
        why: e.to_string(),
        mend: "each line is one case, see docs/conformance.md".into(),
    })
}
