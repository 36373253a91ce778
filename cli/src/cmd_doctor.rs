// SPDX-License-Identifier: MIT OR Apache-2.0
//! `latchkey doctor`

use crate::args::DoctorArgs;
use crate::error::{Outcome, Result};
use crate::output;
use latchkey_bsp::{doctor, table};
use serde_json::json;

/// Looks for the tools; fails when one is missing that is not optional.
pub fn run(args: &DoctorArgs) -> Result<Outcome> {
    let tools = doctor::look();
    let ok = tools.iter().all(|t| t.found || t.optional);
    if args.json {
        output::json(&json!({ "format": output::FORMAT, "ok": ok, "tools": tools }));
    } else {
        let rows: Vec<Vec<String>> = tools
            .iter()
            .map(|t| {
                let state = match (t.found, t.optional) {
                    (true, _) => "found",
                    (false, true) => "missing (optional)",
                    (false, false) => "MISSING",
                };
                let more = if t.found {
                    t.version.clone().unwrap_or_default()
                } else {
                    format!("get it: {}", t.mend)
                };
                vec![t.name.clone(), state.into(), more, t.needed_by.into()]
            })
            .collect();
        output::line(&table::table(&["tool", "", "version", "needed by"], &rows));
    }
    Ok(if ok { Outcome::OK } else { Outcome::MISSING })
}
