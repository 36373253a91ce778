// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can go wrong with a tool, a file or a goal.

use std::path::PathBuf;

/// Result with this crate's error.
pub type Result<T> = std::result::Result<T, Error>;

/// Errors of the runners. Each names the thing, the value, and how to mend it.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum Error {
    /// The program is neither on PATH nor in the tool environment.
    #[error("the tool `{tool}` was not found on PATH or in {venv}")]
    #[diagnostic(help("{mend}"))]
    ToolMissing {
        /// Program name.
        tool: String,
        /// Folder of the Python environment that was searched too.
        venv: PathBuf,
        /// How to get it.
        mend: String,
    },
    /// The program ran and gave a bad exit status.
    #[error("`{tool}` failed ({status}) while running: {command}\n--- its stdout (end)\n{stdout}\n--- its stderr (end)\n{stderr}")]
    #[diagnostic(help("the work folder is kept: {folder}"))]
    ToolFailed {
        /// Program name.
        tool: String,
        /// Exit status in words.
        status: String,
        /// The command line.
        command: String,
        /// Tail of stdout.
        stdout: String,
        /// Tail of stderr.
        stderr: String,
        /// Folder it ran in.
        folder: String,
    },
    /// The program gave no answer in time and was stopped.
    #[error("`{tool}` was stopped after {seconds} s without finishing: {command}\n--- its stdout (end)\n{stdout}\n--- its stderr (end)\n{stderr}")]
    #[diagnostic(help("give it longer with --timeout SECONDS"))]
    Timeout {
        /// Program name.
        tool: String,
        /// The limit.
        seconds: u64,
        /// The command line.
        command: String,
        /// Tail of stdout.
        stdout: String,
        /// Tail of stderr.
        stderr: String,
    },
    /// A file or folder could not be read or written.
    #[error("cannot {what} {path}: {source}")]
    #[diagnostic(help("check that the folder exists and that you may write to it"))]
    File {
        /// "read", "write", ...
        what: &'static str,
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A tool's output or a committed file is not what was expected.
    #[error("{path}: {why}")]
    #[diagnostic(help("{mend}"))]
    Malformed {
        /// Which file.
        path: String,
        /// What is wrong in it.
        why: String,
        /// What would be right.
        mend: String,
    },
    /// The place and route result breaks a rule of the harness.
    #[error("{0}")]
    #[diagnostic(help("this is a fault of the harness: please report it"))]
    Harness(String),
    /// No such target.
    #[error("unknown target `{0}`")]
    #[diagnostic(help("targets: ice40-hx8k, ecp5-85"))]
    UnknownTarget(String),
}
