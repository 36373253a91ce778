// SPDX-License-Identifier: MIT OR Apache-2.0
//! A trace (docs/trace-format.md) played on a board, one line after the other, every answer checked.

use super::checked::{Checked, Wrong};
use super::link::Port;
use crate::bench::scenario::trace_file::TraceFile;
use crate::bench::Traffic;
use crate::trace::Command;
use serde::Serialize;
use std::collections::BTreeMap;

/// What a replay did.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Replayed {
    /// Lookups.
    pub lookups: u64,
    /// Of them granted.
    pub grants: u64,
    /// Refusals by cause.
    pub refusals: BTreeMap<String, u64>,
    /// Segments.
    pub segments: u64,
    /// Commands.
    pub commands: u64,
    /// Answers to them by code.
    pub answers: BTreeMap<String, u64>,
}

fn name(value: impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(text)) => text,
        other => format!("{other:?}"),
    }
}

/// Plays the lines of `text`; `step` is told of each one done. The tags and cycles of the lines are not used: a board is asked
/// one thing at a time. An error names the line of `file`, or the answer that is not the model's.
pub fn replay<P: Port>(
    board: &mut Checked<P>,
    file: &str,
    text: &str,
    mut step: impl FnMut(u64),
) -> Result<Replayed, Wrong> {
    let mut trace = TraceFile::parse(file, text, 1).map_err(Wrong::Argument)?;
    let mut done = Replayed::default();
    while !trace.done() {
        if let Some(body) = trace.command(u64::MAX) {
            let command = Command {
                tag: 0,
                body: body.clone(),
            };
            let answer = board.command(body)?;
            *done.answers.entry(name(answer.code)).or_default() += 1;
            done.commands += 1;
            trace.answer(&command, &answer, u64::MAX);
        } else if let Some(ask) = trace.lookup(0, u64::MAX) {
            let reply = board.lookup(&ask.lookup)?;
            done.lookups += 1;
            done.segments += reply.segments.len() as u64;
            if reply.verdict.granted {
                done.grants += 1;
            } else {
                *done.refusals.entry(name(reply.verdict.cause)).or_default() += 1;
            }
            trace.verdict(&reply.verdict);
        } else if !trace.done() {
            let why = trace.trouble.take();
            return Err(Wrong::Argument(
                why.unwrap_or_else(|| format!("{file}: the trace does not go on")),
            ));
        }
        if let Some(why) = trace.trouble.take() {
            return Err(Wrong::Argument(why));
        }
        step(done.commands + done.lookups);
    }
    match trace.trouble {
        Some(why) => Err(Wrong::Argument(why)),
        None => Ok(done),
    }
}
