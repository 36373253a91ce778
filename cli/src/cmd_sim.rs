// SPDX-License-Identifier: MIT OR Apache-2.0
//! `latchkey sim`

use crate::args::SimArgs;
use crate::error::{Outcome, Result};
use crate::{bridge, configs, lines, output, replay};
use serde::Serialize;
use std::path::Path;

/// Runs and reports; any mismatch, or a coverage point that had to be hit and was not, is a failed check.
pub fn run(args: &SimArgs) -> Result<Outcome> {
    configs::find(&args.config)?;
    if let Some(file) = &args.trace {
        lines::read(
            file,
            &["what"],
            "each line is one stimulus, see docs/trace-format.md",
        )?;
    }
    if let Some(file) = &args.vcd {
        lines::writable(file)?;
    }
    if let Some(capture) = &args.capture {
        return replayed(args, capture);
    }
    let report = bridge::sim(args)?;
    Ok(shown(
        args,
        &report,
        report.text(),
        report.passed(),
        &report.reproduce,
    ))
}

/// A capture in place of a scenario.
fn replayed(args: &SimArgs, capture: &Path) -> Result<Outcome> {
    let report = replay::run(args, capture)?;
    Ok(shown(
        args,
        &report,
        report.text(),
        report.passed(),
        &report.reproduce,
    ))
}

/// The report as asked for, how to run it again if it failed, and the exit code.
fn shown(
    args: &SimArgs,
    report: &impl Serialize,
    text: String,
    passed: bool,
    reproduce: &str,
) -> Outcome {
    if args.json {
        output::json(report);
    } else {
        output::line(text.trim_end());
    }
    if !passed {
        output::say(&format!("failed; again with: {reproduce}"));
    }
    Outcome::check(passed)
}
