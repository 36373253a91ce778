// SPDX-License-Identifier: MIT OR Apache-2.0
//! `latchkey cases`

use crate::args::CasesArgs;
use crate::error::{Error, Outcome, Result};
use crate::{bridge, configs, lines, output};
use serde_json::{json, Value};

/// Runs the cases of a file; a failed one is a failed check, a skipped one is not.
pub fn run(args: &CasesArgs) -> Result<Outcome> {
    configs::find(&args.config)?;
    let all = lines::read(
        &args.file,
        &["id", "setup", "request", "expect"],
        "each line is one case, see docs/conformance.md",
    )?;
    let chosen = choose(args, all);
    if chosen.is_empty() {
        return Err(Error::Usage {
            what: format!(
                "no case of {} begins with `{}`",
                args.file.display(),
                args.only
            ),
            mend: "look at the `id`s of the file".into(),
        });
    }
    let mut report = bridge::cases(args, chosen)?;
    report["format"] = json!(output::FORMAT);
    let good = report["failed"].as_u64() == Some(0);
    if args.json {
        output::json(&report);
    } else {
        output::line(&text(&report));
    }
    Ok(Outcome::check(good))
}

fn choose(args: &CasesArgs, all: Vec<(usize, Value)>) -> Vec<(usize, Value)> {
    let named = |case: &Value| {
        case["id"]
            .as_str()
            .is_some_and(|id| id.starts_with(&args.only))
    };
    all.into_iter()
        .enumerate()
        .filter(|(n, (_, case))| *n as u64 % args.every == 0 && named(case))
        .map(|(_, c)| c)
        .collect()
}

fn text(report: &Value) -> String {
    let mut out = String::new();
    for case in report["cases"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|c| c["status"] != "passed")
    {
        let word = |key: &str| case[key].as_str().unwrap_or("").to_string();
        out += &format!("{} {}: {}\n", word("id"), word("status"), word("reason"));
    }
    out + &format!(
        "{} passed, {} failed, {} skipped",
        report["passed"], report["failed"], report["skipped"]
    )
}
