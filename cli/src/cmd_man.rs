// SPDX-License-Identifier: MIT OR Apache-2.0
//! `latchkey man`

use crate::args::Cli;
use crate::error::{Outcome, Result};
use clap::CommandFactory;

/// Prints the man page, the commands after the overview.
pub fn run() -> Result<Outcome> {
    let command = Cli::command();
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone())
        .render(&mut text)
        .expect("writing to memory");
    for sub in command.get_subcommands() {
        let name = format!("latchkey-{}", sub.get_name());
        clap_mangen::Man::new(sub.clone())
            .title(name)
            .render(&mut text)
            .expect("writing to memory");
    }
    crate::output::line(String::from_utf8_lossy(&text).trim_end());
    Ok(Outcome::OK)
}
