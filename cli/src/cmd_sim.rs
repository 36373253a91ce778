// SPDX-License-Identifier: MIT OR Apache-2.0
//! `latchkey sim`

use crate::args::SimArgs;
use crate::error::{Outcome, Result};
use crate::{bridge, configs, lines, output, replay};
use latchkey_bsp::atomic;
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
    for file in args.vcd.iter().chain(&args.html) {
        lines::writable(file)?;
    }
    if let Some(out) = &args.out {
        atomic::folder(out)?;
        lines::writable(&out.join("sim.html"))?;
    }
    if let Some(capture) = &args.capture {
        return replayed(args, capture);
    }
    let report = bridge::sim(args)?;
    let shown = Shown {
        text: report.text(),
        page: latchkey_report::sim::html(&report),
        passed: report.passed(),
        reproduce: &report.reproduce,
    };
    shown.show(args, &report)
}

/// A capture in place of a scenario.
fn replayed(args: &SimArgs, capture: &Path) -> Result<Outcome> {
    let report = replay::run(args, capture)?;
    let shown = Shown {
        text: report.text(),
        page: latchkey_report::replay::html(&report),
        passed: report.passed(),
        reproduce: &report.reproduce,
    };
    shown.show(args, &report)
}

/// A report in its forms.
struct Shown<'a> {
    text: String,
    page: String,
    passed: bool,
    reproduce: &'a str,
}

impl Shown<'_> {
    /// The report as asked for, how to run it again if it failed, and the exit code.
    fn show(&self, args: &SimArgs, report: &impl Serialize) -> Result<Outcome> {
        if let Some(file) = &args.html {
            atomic::write(file, self.page.as_bytes())?;
        }
        if let Some(out) = &args.out {
            let json = serde_json::to_string_pretty(report).expect("plain data") + "\n";
            let files = [
                ("sim.txt", &self.text),
                ("sim.json", &json),
                ("sim.html", &self.page),
            ];
            for (name, text) in files {
                atomic::write(&out.join(name), text.as_bytes())?;
            }
            output::say(&format!("report: {}", out.join("sim.html").display()));
        }
        if args.json {
            output::json(report);
        } else {
            output::line(self.text.trim_end());
        }
        if !self.passed {
            output::say(&format!("failed; again with: {}", self.reproduce));
        }
        Ok(Outcome::check(self.passed))
    }
}
