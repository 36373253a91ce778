// SPDX-License-Identifier: MIT OR Apache-2.0
//! The seam between the command line and the testbench.

use crate::args::{CasesArgs, SimArgs};
use crate::error::{Error, Result};
use serde_json::Value;

fn absent<T>(what: &str) -> Result<T> {
    Err(Error::EngineFailed(format!("this build cannot run {what}: the testbench is not connected yet")))
}

/// Runs a scenario or a trace; the object of `docs/cli.md`, without `format`.
pub fn sim(_args: &SimArgs) -> Result<Value> {
    absent("scenarios")
}

/// Runs cases; the object of `docs/cli.md`, without `format`.
pub fn cases(_args: &CasesArgs, _cases: Vec<(usize, Value)>) -> Result<Value> {
    absent("cases")
}
