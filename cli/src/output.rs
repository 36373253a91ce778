// SPDX-License-Identifier: MIT OR Apache-2.0
//! What goes to stdout and stderr.

use crate::error::Error;
use miette::Diagnostic;
use serde::Serialize;
use std::io::Write;

/// Version of every JSON object of the command line.
pub const FORMAT: u32 = 1;

/// Prints one object on stdout.
pub fn json(value: &impl Serialize) {
    let text = serde_json::to_string_pretty(value).expect("plain data");
    line(&text);
}

/// Prints text on stdout; a reader that went away is no error.
pub fn line(text: &str) {
    writeln!(std::io::stdout().lock(), "{text}").ok();
}

/// Words for the user, on stderr.
pub fn say(text: &str) {
    writeln!(std::io::stderr().lock(), "{text}").ok();
}

/// An error: words on stderr and, with `--json`, still exactly one object on stdout.
pub fn error(error: &Error, as_json: bool) {
    let help = error.help().map(|h| h.to_string());
    say(&format!("error: {error}"));
    if let Some(help) = &help {
        say(&format!("help: {help}"));
    }
    if as_json {
        json(&serde_json::json!({
            "format": FORMAT,
            "error": { "message": error.to_string(), "help": help, "code": error.code() },
        }));
    }
}
