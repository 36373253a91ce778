// SPDX-License-Identifier: MIT OR Apache-2.0
//! `latchkey completions`

use crate::args::{Cli, CompletionsArgs};
use crate::error::{Outcome, Result};
use clap::CommandFactory;

/// Prints completions for a shell.
pub fn run(args: &CompletionsArgs) -> Result<Outcome> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "latchkey", &mut text);
    crate::output::line(String::from_utf8_lossy(&text).trim_end());
    Ok(Outcome::OK)
}
