// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors and exit codes: 0 ok, 1 a check failed, 2 usage, 3 a tool is missing, 4 a tool failed,
//! 5 a budget or timing goal missed.

use std::path::PathBuf;

/// How a command ended when nothing stopped it.
pub struct Outcome {
    /// Exit code.
    pub code: u8,
}

impl Outcome {
    /// All well.
    pub const OK: Outcome = Outcome { code: 0 };
    /// A check failed.
    pub const FAILED: Outcome = Outcome { code: 1 };
    /// A tool is missing (doctor).
    pub const MISSING: Outcome = Outcome { code: 3 };
    /// A goal was missed.
    pub const MISSED: Outcome = Outcome { code: 5 };

    /// Ok or failed.
    pub fn check(good: bool) -> Outcome {
        if good {
            Outcome::OK
        } else {
            Outcome::FAILED
        }
    }
}

/// Result of a command.
pub type Result<T> = std::result::Result<T, Error>;

/// What stops a command. Each names the thing, the value and the mend.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum Error {
    /// No such configuration.
    #[error("unknown configuration `{name}`")]
    #[diagnostic(help(
        "compiled in: {known}; a new one is a TOML file, see docs/configurations.md"
    ))]
    UnknownConfig {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// No such module in a configuration.
    #[error("configuration `{config}` has no module `{module}`")]
    #[diagnostic(help("`latchkey generate --config {config} --list` names its modules"))]
    UnknownModule {
        /// Configuration.
        config: String,
        /// What was asked for.
        module: String,
    },
    /// An argument that cannot be used.
    #[error("{what}")]
    #[diagnostic(help("{mend}"))]
    Usage {
        /// The thing and the value.
        what: String,
        /// What would be right.
        mend: String,
    },
    /// A file could not be read or written.
    #[error("cannot {what} {path}: {source}")]
    #[diagnostic(help("check that the folder exists and that you may use it"))]
    File {
        /// "read", "write"
        what: &'static str,
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A line of an input file is broken.
    #[error("{path}, line {line}: {why}")]
    #[diagnostic(help("{mend}"))]
    Line {
        /// Which file.
        path: String,
        /// Line number from 1.
        line: usize,
        /// What is wrong.
        why: String,
        /// Where the format is described.
        mend: String,
    },
    /// The design does not pass its checks.
    #[error("{0}")]
    #[diagnostic(help("the export is refused; nothing was written"))]
    Design(String),
    /// A tool the testbench needs is missing.
    #[error("{0}")]
    #[diagnostic(help("run `scripts/setup`, then `latchkey doctor`"))]
    EngineMissing(String),
    /// The engine could not be built or run.
    #[error("{0}")]
    #[diagnostic(help("`latchkey doctor` checks the tools"))]
    EngineFailed(String),
    /// A serial port can't be opened.
    #[error("cannot open the port {path}: {why}")]
    #[diagnostic(help("`--port` is the serial port of the board (its second USB channel, often /dev/ttyUSB1), or `virtual`; another program may hold it, or you may not use it (group dialout)"))]
    Port {
        /// Which.
        path: String,
        /// Why.
        why: String,
    },
    /// The board can't be talked to.
    #[error("{port}: {what}")]
    #[diagnostic(help("is it the right port, and is the bitstream on the board? LED 0 blinks when it is; docs/board.md has the other LEDs"))]
    Board {
        /// Which.
        port: String,
        /// What is wrong.
        what: String,
    },
    /// The board's answer is not the model's.
    #[error("{0}")]
    #[diagnostic(help("this is a fault of the design or of the link: please report it"))]
    Mismatch(String),
    /// From the tool runners.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Bsp(#[from] latchkey_bsp::Error),
}

impl Error {
    /// Exit code.
    pub fn code(&self) -> u8 {
        use latchkey_bsp::Error as Bsp;
        match self {
            Error::Design(_) | Error::Mismatch(_) => 1,
            Error::EngineMissing(_) | Error::Bsp(Bsp::ToolMissing { .. }) => 3,
            Error::EngineFailed(_)
            | Error::Board { .. }
            | Error::Bsp(Bsp::ToolFailed { .. } | Bsp::Timeout { .. } | Bsp::Harness(_)) => 4,
            _ => 2,
        }
    }
}
