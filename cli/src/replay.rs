// SPDX-License-Identifier: MIT OR Apache-2.0
//! `latchkey sim --capture`: a capture on the core.

use crate::args::{EngineName, SimArgs};
use crate::bridge;
use crate::configs;
use crate::engines::Cores;
use crate::error::{Error, Result};
use crate::progress::Progress;
use latchkey_testbench::bench::Params;
use latchkey_testbench::replay::{self, Options, Replay, Trouble};
use std::path::{Path, PathBuf};

/// Replays; the report is the object of `docs/cli.md`.
pub fn run(args: &SimArgs, capture: &Path) -> Result<Replay> {
    let config = configs::find(&args.config)?;
    let params = Params::new(config.constants).map_err(Error::EngineFailed)?;
    let size = std::fs::metadata(capture).map_or(0, |m| m.len());
    let options = Options {
        capture: capture.display().to_string(),
        regions: regions(args, capture),
        config: args.config.clone(),
        engine: args.engine.name().into(),
        seed: args.seed,
    };
    // The files are read before an engine is built.
    let progress = Progress::new(size);
    let facts = replay::facts(&options, |bytes| progress.at(bytes)).map_err(wrong)?;
    drop(progress);
    let vcd = args.vcd.as_deref().map(bridge::temporary).transpose()?;
    let cores = Cores::new(config, args.engine)?;
    let progress = Progress::new(size);
    let at = |bytes| progress.at(bytes);
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    if cpus > 1 && vcd.is_none() && args.engine == EngineName::Verilator {
        let report = replay::run_apart(cores.fresh(), &params, &options, &facts, at);
        if let Some(report) = report.map_err(wrong)? {
            return Ok(report);
        }
    }
    let engine = cores.recorded(vcd.as_deref())?;
    let report = replay::run(engine, &params, &options, &facts, at).map_err(wrong)?;
    drop(progress);
    bridge::keep(vcd, args)?;
    Ok(report)
}

/// The file of regions: the given one, or the one beside the capture.
fn regions(args: &SimArgs, capture: &Path) -> Option<PathBuf> {
    if args.infer {
        return None;
    }
    let beside = || Some(capture.with_extension("json")).filter(|p| p.is_file());
    args.regions.clone().or_else(beside)
}

fn wrong(trouble: Trouble) -> Error {
    match trouble {
        Trouble::Capture(e) => Error::Usage {
            what: e.to_string(),
            mend: e.mend,
        },
        Trouble::Fit(what) => Error::Usage {
            what,
            mend: "take a wider configuration, as `--config nic`; see docs/configurations.md"
                .into(),
        },
        Trouble::Engine(what) => Error::EngineFailed(what),
    }
}
