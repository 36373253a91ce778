// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runner for icetime: a second opinion on the timing that nextpnr reports.

use super::{args, Tool};
use crate::{Error, Result};
use std::path::Path;
use std::time::Duration;

/// Finds it.
pub fn find() -> Result<Tool> {
    Tool::find(
        "icetime",
        "Debian: `apt-get install fpga-icestorm`; or run `scripts/setup`",
    )
}

/// MHz of the routed design `asc` in `folder`, for the HX8K.
pub fn mhz(tool: &Tool, folder: &Path, asc: &str, package: &str, limit: Duration) -> Result<f64> {
    let out = tool.run(
        &args(&["-d", "hx8k", "-P", package, "-t", asc]),
        folder,
        limit,
    )?;
    parse(&out.stdout).ok_or_else(|| Error::Malformed {
        path: "icetime's output".into(),
        why: "no line `Total path delay: .. ns (.. MHz)`".into(),
        mend: "check the version of fpga-icestorm".into(),
    })
}

fn parse(text: &str) -> Option<f64> {
    let line = text.lines().find(|l| l.contains("Total path delay"))?;
    line.split('(')
        .nth(1)?
        .split_whitespace()
        .next()?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_delay_line_is_read() {
        assert_eq!(
            super::parse("x\nTotal path delay: 8.21 ns (121.80 MHz)\n"),
            Some(121.80)
        );
        assert_eq!(super::parse("nothing"), None);
    }
}
