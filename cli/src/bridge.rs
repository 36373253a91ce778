// SPDX-License-Identifier: MIT OR Apache-2.0
//! The seam between the command line and the testbench.

use crate::args::{CasesArgs, SimArgs};
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::{configs, engines};
use latchkey_testbench::bench::scenario::{self, Options, Scenario};
use latchkey_testbench::bench::{Kind, Params};
use serde_json::Value;
use std::path::Path;

/// Runs a scenario or a trace; the object of `docs/cli.md`.
pub fn sim(args: &SimArgs) -> Result<Value> {
    let config = configs::find(&args.config)?;
    let params = Params::new(config.constants).map_err(Error::EngineFailed)?;
    let vcd = args.vcd.as_deref().map(temporary).transpose()?;
    let engine = engines::core(config, args.engine, vcd.as_deref())?;
    let options = Options {
        scenario: scenario(args)?,
        config: args.config.clone(),
        engine: args.engine.name().into(),
        lookups: args.lookups,
        seed: args.seed,
        counters: Vec::new(),
    };
    let progress = Progress::new(args.lookups);
    let report = scenario::run(engine, &params, &options, |done| progress.at(done)).map_err(|fault| match fault.kind {
        Kind::Stimulus => Error::Usage { what: fault.to_string(), mend: "the format of a trace is in docs/testbench.md".into() },
        _ => Error::EngineFailed(fault.to_string()),
    })?;
    drop(progress);
    // The engine is gone, so the waveforms are complete; now they get their name.
    if let (Some(part), Some(path)) = (vcd, &args.vcd) {
        part.persist(path).map_err(|e| Error::File { what: "write", path: path.clone(), source: e.error })?;
    }
    serde_json::to_value(report).map_err(|e| Error::EngineFailed(e.to_string()))
}

fn scenario(args: &SimArgs) -> Result<Scenario> {
    match &args.trace {
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .map_err(|source| Error::File { what: "read", path: path.clone(), source })?;
            Ok(Scenario::Trace(path.display().to_string(), text))
        }
        None => Ok(Scenario::by_name(args.scenario.name()).expect("the names are the bench's")),
    }
}

/// A name beside `path` that vanishes unless it is renamed.
fn temporary(path: &Path) -> Result<tempfile::TempPath> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    tempfile::Builder::new()
        .prefix(".latchkey-")
        .suffix(".vcd")
        .tempfile_in(folder)
        .map(tempfile::NamedTempFile::into_temp_path)
        .map_err(|source| Error::File { what: "write", path: path.to_path_buf(), source })
}

/// Runs cases; the object of `docs/cli.md`, without `format`.
pub fn cases(_args: &CasesArgs, _cases: Vec<(usize, Value)>) -> Result<Value> {
    // Wanted: a `cases::Device` over `bench::Bench`; then this is `cases::run`.
    Err(Error::EngineFailed("this build cannot run cases: the bench is no device for them yet".into()))
}
