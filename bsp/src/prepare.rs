// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files of a synthesis before any tool has run.

use crate::script::{self, Recipe};
use crate::synth::Job;
use crate::{atomic, harness, ports, work, Result};
use std::path::PathBuf;

/// Files of a job before any tool has run.
pub struct Prepared {
    /// Work folder.
    pub folder: PathBuf,
    /// Names of the files in it.
    pub files: Vec<String>,
    /// SHA-256 of all that decides about the netlist: Verilog, harness, script.
    pub sha256: String,
}

/// Writes the Verilog, the harness and the script into a work folder.
pub fn prepare(job: &Job, recipe: &Recipe) -> Result<Prepared> {
    let ports = ports::ports(job.verilog, job.top)?;
    let folder = work::folder(
        &format!("{}-{}", job.config, job.target.name()),
        &[job.verilog, job.target.name()],
    )?;
    let files = [
        ("core.v", job.verilog.to_string()),
        ("harness.v", harness::verilog(job.top, &ports)),
        ("joined.ys", script::joined(job.top, recipe)),
    ];
    for (name, text) in &files {
        atomic::write(&folder.join(name), text.as_bytes())?;
    }
    let all: Vec<&str> = files.iter().map(|(_, text)| text.as_str()).collect();
    Ok(Prepared {
        folder,
        sha256: work::sha256(all.join("\0").as_bytes()),
        files: files.map(|(name, _)| name.to_string()).to_vec(),
    })
}
