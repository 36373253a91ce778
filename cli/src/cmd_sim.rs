// SPDX-License-Identifier: MIT OR Apache-2.0
//! `latchkey sim`

use crate::args::SimArgs;
use crate::error::{Outcome, Result};
use crate::{bridge, configs, lines, output};
use serde_json::{json, Value};

/// Runs and reports; any mismatch, or a coverage point that had to be hit and was not, is a failed check.
pub fn run(args: &SimArgs) -> Result<Outcome> {
    configs::find(&args.config)?;
    if let Some(file) = &args.trace {
        lines::read(file, &["cycle", "what"], "each line is one transfer, see docs/testbench.md")?;
    }
    if let Some(file) = &args.vcd {
        lines::writable(file)?;
    }
    let mut report = bridge::sim(args)?;
    report["format"] = json!(output::FORMAT);
    report["reproduce"] = json!(reproduce(args));
    let good = report["mismatches"].as_u64() == Some(0) && report["uncovered"].as_array().map_or(true, |l| l.is_empty());
    if args.json {
        output::json(&report);
    } else {
        output::line(&text(&report));
    }
    if !good {
        output::say(&format!("failed; again with: {}", reproduce(args)));
    }
    Ok(Outcome::check(good))
}

/// A command line that gives the same run.
fn reproduce(args: &SimArgs) -> String {
    let what = match &args.trace {
        Some(file) => format!("--trace {}", file.display()),
        None => format!("--scenario {} --lookups {}", args.scenario.name(), args.lookups),
    };
    format!("latchkey sim --config {} --engine {} {what} --seed {}", args.config, args.engine.name(), args.seed)
}

/// One line a key, nested keys indented.
fn text(report: &Value) -> String {
    let mut out = String::new();
    walk(report, 0, &mut out);
    out.trim_end().to_string()
}

fn walk(value: &Value, depth: usize, out: &mut String) {
    let Some(map) = value.as_object() else { return };
    for (key, value) in map {
        let pad = "  ".repeat(depth);
        match value {
            Value::Object(_) => {
                *out += &format!("{pad}{key}\n");
                walk(value, depth + 1, out);
            }
            Value::String(s) => *out += &format!("{pad}{key}: {s}\n"),
            other => *out += &format!("{pad}{key}: {other}\n"),
        }
    }
}
