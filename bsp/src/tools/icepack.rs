// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runner for icepack: routed text to bitstream.

use super::{args, Tool};
use crate::{Error, Result};
use std::path::Path;
use std::time::Duration;

/// Finds it.
pub fn find() -> Result<Tool> {
    Tool::find(
        "icepack",
        "Debian: `apt-get install fpga-icestorm`; or run `scripts/setup`",
    )
}

/// Packs `asc` into `bin`, both in `folder`; the bitstream appears whole or not at all.
pub fn pack(tool: &Tool, folder: &Path, asc: &str, bin: &str, limit: Duration) -> Result<()> {
    let part = format!("{bin}.part");
    tool.run(&args(&[asc, &part]), folder, limit)?;
    let to = folder.join(bin);
    std::fs::rename(folder.join(part), &to).map_err(|source| Error::File {
        what: "write",
        path: to,
        source,
    })
}
