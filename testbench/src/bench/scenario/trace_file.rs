// SPDX-License-Identifier: MIT OR Apache-2.0
//! A user's own stimuli from a file of JSON lines (docs/trace-format.md).

use super::super::traffic::{Ask, Traffic};
use crate::trace::{Answer, Body, Command, Lookup, Verdict, What};
use serde_json::{Map, Value};
use std::collections::{HashMap, VecDeque};

/// What a line asks for.
#[derive(Clone, Debug, PartialEq)]
enum Line {
    Lookup {
        value: Map<String, Value>,
        tag: Option<u16>,
    },
    Command {
        value: Map<String, Value>,
        name: Option<String>,
    },
    Wait,
}

/// A trace that plays. Lines are taken in order; a line with a key by name waits for the registration of that name.
pub struct TraceFile {
    lines: VecDeque<(u64, u64, Line)>,
    keys: HashMap<String, (u32, u32)>,
    names: VecDeque<(Body, Option<String>)>,
    open: usize,
    /// a line could not be played
    pub trouble: Option<String>,
    file: String,
}

fn wrong(file: &str, line: u64, what: &str, mend: &str) -> String {
    format!("{file}:{line}: {what}; {mend}")
}

impl TraceFile {
    /// Reads all lines; the first bad one is the error.
    pub fn parse(file: &str, text: &str, ports: u32) -> Result<TraceFile, String> {
        let mut lines = VecDeque::new();
        for (n, raw) in text.lines().enumerate() {
            let n = n as u64 + 1;
            let raw = raw.trim();
            if raw.is_empty() || raw.starts_with('#') {
                continue;
            }
            let (cycle, line) =
                parse_line(raw, ports).map_err(|(what, mend)| wrong(file, n, &what, mend))?;
            lines.extend(line.map(|l| (n, cycle, l)));
        }
        Ok(TraceFile {
            lines,
            keys: HashMap::new(),
            names: VecDeque::new(),
            open: 0,
            trouble: None,
            file: file.into(),
        })
    }

    /// Lookups and commands that are still to be offered.
    pub fn left(&self) -> usize {
        self.lines.len()
    }

    fn resolve(&mut self, mut value: Map<String, Value>, line: u64) -> Option<Value> {
        for field in KEYS {
            let Some(Value::String(text)) = value.get(field) else {
                continue;
            };
            let (text, flip) = text.split_once('^').unwrap_or((text, "0"));
            let key = match number(text) {
                Some(n) => n as u32,
                None => {
                    let (name, side) = text.rsplit_once('.').unwrap_or((text, "rkey"));
                    let Some(keys) = self.keys.get(name) else {
                        if self.open == 0 {
                            self.trouble = Some(wrong(
                                &self.file, line, &format!("no registration named {name:?} was answered ok"),
                                "give a register line \"name\" before its keys are used, or use the key as a number",
                            ));
                            self.lines.clear();
                        }
                        return None;
                    };
                    if side == "lkey" {
                        keys.0
                    } else {
                        keys.1
                    }
                }
            };
            let flip = number(flip).unwrap_or(0) as u32;
            value.insert(field.into(), (key ^ flip).into());
        }
        Some(Value::Object(value))
    }

    fn head(&mut self, now: u64) -> Option<(u64, Line)> {
        while let Some((n, cycle, line)) = self.lines.front() {
            if *cycle > now {
                return None;
            }
            if *line != Line::Wait {
                return Some((*n, line.clone()));
            }
            if self.open > 0 {
                return None;
            }
            self.lines.pop_front();
        }
        None
    }

    fn fail(&mut self, line: u64, e: impl std::fmt::Display) {
        self.trouble = Some(wrong(
            &self.file,
            line,
            &e.to_string(),
            "see docs/trace-format.md for the fields of each kind",
        ));
        self.lines.clear();
    }
}

/// Fields that may name a key.
const KEYS: [&str; 2] = ["key", "region"];

fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

type Bad = (String, &'static str);

fn parse_line(raw: &str, ports: u32) -> Result<(u64, Option<Line>), Bad> {
    let value: Value = serde_json::from_str(raw)
        .map_err(|e| (format!("not JSON: {e}"), "write one JSON object a line"))?;
    let Value::Object(mut value) = value else {
        return Err(("not a JSON object".into(), "write one JSON object a line"));
    };
    for (name, v) in value.iter_mut() {
        if let (Some(n), false) = (
            v.as_str().and_then(number),
            matches!(name.as_str(), "name" | "what"),
        ) {
            *v = n.into();
        }
    }
    let cycle = value.get("cycle").map_or(Some(0), Value::as_u64);
    let cycle = cycle.ok_or((
        "cycle is not a number".to_string(),
        "give the first cycle it may be offered, or leave it out",
    ))?;
    let kinds = "use lookup_in, command_in or wait; what the core sends (verdict_out, ...) and dma_done, page_in are passed over";
    let what = value
        .remove("what")
        .and_then(|w| w.as_str().map(str::to_string));
    let what = what.ok_or(("no \"what\"".to_string(), kinds))?;
    value.remove("cycle");
    let line = match what.as_str() {
        "lookup_in" => {
            let tag = value.get("tag").and_then(Value::as_u64).map(|t| t as u16);
            value.entry("tag").or_insert(0.into());
            value.entry("port").or_insert(0.into());
            let port = value["port"].as_u64().unwrap_or(u64::MAX);
            if port >= u64::from(ports) {
                return Err((
                    format!("port is {port}"),
                    "use a port of the configuration: 0 to ports - 1",
                ));
            }
            trial::<Lookup>(&value)?;
            Line::Lookup { value, tag }
        }
        "command_in" => {
            let name = value
                .remove("name")
                .and_then(|n| n.as_str().map(str::to_string));
            trial::<Body>(&value)?;
            Line::Command { value, name }
        }
        "wait" => Line::Wait,
        "verdict_out" | "segment_out" | "answer_out" | "event_out" | "page_in" | "dma_done" => {
            return Ok((cycle, None))
        }
        other => return Err((format!("\"what\" is {other:?}"), kinds)),
    };
    Ok((cycle, Some(line)))
}

/// Are the fields right, whatever key a name stands for?
fn trial<T: serde::de::DeserializeOwned>(value: &Map<String, Value>) -> Result<(), Bad> {
    let mut value = value.clone();
    for field in KEYS {
        if matches!(value.get(field), Some(Value::String(_))) {
            value.insert(field.into(), 0.into());
        }
    }
    serde_json::from_value::<T>(Value::Object(value))
        .map(drop)
        .map_err(|e| {
            (
                e.to_string(),
                "see docs/trace-format.md for the fields of each kind",
            )
        })
}

impl Traffic for TraceFile {
    fn lookup(&mut self, port: usize, now: u64) -> Option<Ask> {
        let (n, Line::Lookup { value, tag }) = self.head(now)? else {
            return None;
        };
        if value.get("port").and_then(Value::as_u64) != Some(port as u64) {
            return None;
        }
        let value = self.resolve(value, n)?;
        match serde_json::from_value::<Lookup>(value) {
            Ok(lookup) => {
                self.lines.pop_front();
                self.open += 1;
                Some(Ask {
                    fixed_tag: tag.is_some(),
                    ..Ask::new(lookup)
                })
            }
            Err(e) => {
                self.fail(n, e);
                None
            }
        }
    }

    fn command(&mut self, now: u64) -> Option<Body> {
        let (n, Line::Command { value, name }) = self.head(now)? else {
            return None;
        };
        let value = self.resolve(value, n)?;
        match serde_json::from_value::<Body>(value) {
            Ok(body) => {
                self.lines.pop_front();
                self.open += 1;
                self.names.push_back((body.clone(), name));
                Some(body)
            }
            Err(e) => {
                self.fail(n, e);
                None
            }
        }
    }

    fn answer(&mut self, command: &Command, answer: &Answer, _now: u64) {
        self.open -= 1;
        let Some(at) = self.names.iter().position(|(b, _)| *b == command.body) else {
            return;
        };
        if let Some((_, Some(name))) = self.names.remove(at) {
            if answer.code == crate::trace::Code::Ok && (answer.lkey, answer.rkey) != (0, 0) {
                self.keys.insert(name, (answer.lkey, answer.rkey));
            }
        }
    }

    fn verdict(&mut self, _verdict: &Verdict) {
        self.open -= 1;
    }

    fn done(&self) -> bool {
        self.lines.is_empty() && self.open == 0
    }
}

/// A stimulus as a trace line.
pub fn line(what: &What, cycle: u64) -> String {
    serde_json::to_string(&crate::trace::Record::new(cycle, what.clone())).unwrap_or_default()
}
