// SPDX-License-Identifier: MIT OR Apache-2.0
//! What was seen, in the words of the cases, and its comparison with what is accepted.

use super::format::Expect;
use super::Reply;
use crate::trace::{Code, SegStatus};
use serde::{Serialize, Serializer};

/// A run of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Seg {
    /// Physical address.
    #[serde(serialize_with = "hex")]
    pub pa: u64,
    /// Bytes.
    #[serde(serialize_with = "hex")]
    pub len: u64,
}

fn hex<S: Serializer>(value: &u64, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(&format!("{value:#x}"))
}

/// What was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Got {
    /// ok or error.
    pub status: String,
    /// Class of an error.
    pub class: Option<String>,
    /// Cause of an error.
    pub cause: Option<String>,
    /// Memory that was served, adjacent runs joined.
    pub segs: Vec<Seg>,
    /// Page of a page fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<u64>,
}

/// The name of an enumeration's value as serde writes it: the cases use the same words.
fn word(value: impl Serialize) -> Option<String> {
    serde_json::to_value(value)
        .ok()?
        .as_str()
        .map(str::to_owned)
}

impl Got {
    /// Nothing served yet, no error.
    pub fn ok() -> Self {
        Self {
            status: "ok".into(),
            ..Self::default()
        }
    }

    fn error(&mut self, class: Option<String>, cause: &str) {
        self.status = "error".into();
        self.class = class;
        self.cause = Some(cause.into());
    }

    /// Adds what one packet gave.
    pub fn add(&mut self, reply: &Reply, remote: bool) {
        let verdict = &reply.verdict;
        if !verdict.granted {
            let cause = word(verdict.cause).unwrap_or_default();
            return self.error(word(verdict.class), &cause);
        }
        for segment in &reply.segments {
            match segment.status {
                SegStatus::Ok => self.join(segment.pa, u64::from(segment.len)),
                SegStatus::Cut => {
                    let class = if remote {
                        "rem_access_err"
                    } else {
                        "loc_prot_err"
                    };
                    self.error(Some(class.into()), "stale_key");
                }
                SegStatus::PageFault => {
                    self.error(Some("page_fault".into()), "not_present");
                    self.page = reply.page;
                }
            }
        }
    }

    fn join(&mut self, pa: u64, len: u64) {
        match self.segs.last_mut() {
            Some(last) if last.pa.wrapping_add(last.len) == pa => last.len += len,
            _ => self.segs.push(Seg { pa, len }),
        }
    }

    /// What a command gave; `class` is that of a refusal.
    pub fn of_code(code: Code, class: &str) -> Self {
        let mut got = Self::ok();
        let cause = match code {
            Code::Ok => return got,
            Code::BadArg | Code::BadWindow | Code::BadList => "bad_arg".into(),
            Code::Bound => "mw_bound".into(),
            code => word(code).unwrap_or_default(),
        };
        got.error(Some(class.into()), &cause);
        got
    }
}

/// Drivers differ in the class of a failed work request: any of those seen is right.
fn same_class(want: &str, got: &str) -> bool {
    want == got
        || match got {
            "loc_qp_op_err" => ["loc_prot_err", "mw_bind_err"].contains(&want),
            "mw_bind_err" => want == "loc_qp_op_err",
            _ => false,
        }
}

/// Does `expect`, or an alternative in it, accept `got`? `retired`: the key belongs to a dead handle.
pub fn accepts(expect: &Expect, got: &Got, retired: bool) -> Result<String, String> {
    let first = match one(expect, got, retired) {
        Ok(()) => return Ok(String::new()),
        Err(why) => why,
    };
    match expect.alt.iter().find(|alt| one(alt, got, retired).is_ok()) {
        Some(alt) => Ok(alt.why.clone()),
        None => Err(first),
    }
}

fn one(expect: &Expect, got: &Got, retired: bool) -> Result<(), String> {
    let differs = |what: &str, want: &dyn std::fmt::Debug, seen: &dyn std::fmt::Debug| {
        Err(format!("{what} {seen:?}, must be {want:?}"))
    };
    if expect.status != got.status {
        return differs(
            "status",
            &(&expect.status, &expect.cause),
            &(&got.status, &got.class, &got.cause),
        );
    }
    let seen = got.class.as_deref().unwrap_or_default();
    if expect
        .class
        .as_deref()
        .is_some_and(|want| !same_class(want, seen))
    {
        return differs("class", &expect.class, &got.class);
    }
    if let (Some(cause), Some(seen)) = (&expect.cause, &got.cause) {
        let either = |cause: &String| {
            retired && cause == "bad_key" && seen == "stale_key"
                || retired && cause == "stale_key" && seen == "bad_key"
        };
        let mut right = std::iter::once(cause).chain(&expect.cause_any);
        if !right.any(|cause| cause == seen || either(cause)) {
            return differs("cause", &(cause, &expect.cause_any), seen);
        }
    }
    if let Some(segs) = &expect.segs {
        let mut want = Got::ok();
        segs.iter().for_each(|seg| want.join(seg.pa.0, seg.len.0));
        if want.segs != got.segs {
            return differs("segs", &want.segs, &got.segs);
        }
    }
    let served: u64 = got.segs.iter().map(|seg| seg.len).sum();
    if expect.served.is_some_and(|want| want.0 != served) {
        return differs("served", &expect.served, &served);
    }
    if expect.page.is_some() && got.page.is_some() && expect.page != got.page {
        return differs("page", &expect.page, &got.page);
    }
    Ok(())
}
