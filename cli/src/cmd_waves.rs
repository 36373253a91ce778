// SPDX-License-Identifier: MIT OR Apache-2.0
//! `latchkey waves`

use crate::args::WavesArgs;
use crate::engines::Cores;
use crate::error::{Error, Outcome, Result};
use crate::progress::Progress;
use crate::{configs, lines, output};
use latchkey_bsp::atomic;
use latchkey_report::waves::{self, Picture};
use serde_json::json;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// Draws, or compares with what is there; a picture that is not as it would be drawn is a failed check.
pub fn run(args: &WavesArgs) -> Result<Outcome> {
    let config = configs::find(&args.config)?;
    if !args.check {
        atomic::folder(&args.out)?;
        lines::writable(&args.out.join("x.svg"))?;
    }
    let cores = Cores::new(config, args.engine)?;
    let progress = Progress::new(waves::names().len() as u64);
    // A scene that breaks a rule ends in a panic of the bench, with the last transfers on stderr.
    let drawn = catch_unwind(AssertUnwindSafe(|| {
        waves::pictures(config.name, || cores.fresh(), |name| progress.step(name))
    }));
    drop(progress);
    let pictures =
        drawn.map_err(|_| Error::EngineFailed("a scene broke a rule of the core".into()))?;
    let mut files = Vec::new();
    let mut stale = Vec::new();
    for Picture { name, svg } in &pictures {
        let path = args.out.join(format!("{name}.svg"));
        if !args.check {
            atomic::write(&path, svg.as_bytes())?;
        } else if std::fs::read_to_string(&path).ok().as_ref() != Some(svg) {
            stale.push(path.clone());
        }
        files.push(path);
    }
    for path in &stale {
        output::say(&format!(
            "{} is not what this core does now; draw again with `latchkey waves --config {} --out {}`",
            path.display(),
            args.config,
            args.out.display()
        ));
    }
    if args.json {
        output::json(&json!({
            "format": output::FORMAT,
            "config": args.config,
            "engine": args.engine.name(),
            "files": files,
            "written": !args.check,
            "stale": stale,
        }));
    } else {
        files
            .iter()
            .for_each(|f| output::line(&f.display().to_string()));
    }
    Ok(Outcome::check(stale.is_empty()))
}
