// SPDX-License-Identifier: MIT OR Apache-2.0
//! `latchkey generate`

use crate::args::GenerateArgs;
use crate::error::{Error, Outcome, Result};
use crate::{configs, output};
use latchkey_bsp::{atomic, work};
use serde_json::json;
use std::path::PathBuf;

/// Writes, checks or lists.
pub fn run(args: &GenerateArgs) -> Result<Outcome> {
    if args.list {
        return list(args.json);
    }
    let (config, module) = configs::chosen(&args.config, &args.module, &args.top)?;
    let findings = (module.make)().lint();
    if !findings.is_empty() {
        return Err(Error::Design(format!(
            "{}: the lint objects: {}",
            module.name,
            findings.join("; ")
        )));
    }
    let (text, top) = configs::verilog(config, module)?;
    let folder = args
        .out
        .clone()
        .unwrap_or_else(|| PathBuf::from("out").join(config.name));
    let path = folder.join(format!("{top}.v"));
    let mut same = true;
    if args.check {
        same = std::fs::read(&path).is_ok_and(|old| old == text.as_bytes());
    } else {
        atomic::folder(&folder)?;
        atomic::write(&path, text.as_bytes())?;
    }
    let (sha256, lines) = (work::sha256(text.as_bytes()), text.lines().count());
    if args.json {
        output::json(&json!({
            "format": output::FORMAT,
            "config": config.name,
            "top": top,
            "files": [{ "path": path, "sha256": sha256, "lines": lines }],
            "written": !args.check,
            "same": args.check.then_some(same),
        }));
    } else {
        output::line(&format!(
            "{}  {lines} lines  sha256 {sha256}",
            path.display()
        ));
    }
    if !same {
        output::say(&format!(
            "{} is not what would be written; run again without --check",
            path.display()
        ));
    }
    Ok(Outcome::check(same))
}

fn list(as_json: bool) -> Result<Outcome> {
    let configs = latchkey_hdl::configs();
    if as_json {
        let list: Vec<_> = configs
            .iter()
            .map(|c| json!({ "name": c.name, "modules": c.modules.iter().map(|m| m.name).collect::<Vec<_>>() }))
            .collect();
        output::json(&json!({ "format": output::FORMAT, "configs": list }));
    } else {
        for config in configs {
            let modules: Vec<&str> = config.modules.iter().map(|m| m.name).collect();
            output::line(&format!("{}: {}", config.name, modules.join(" ")));
        }
    }
    Ok(Outcome::OK)
}
