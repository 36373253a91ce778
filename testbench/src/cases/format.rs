// SPDX-License-Identifier: MIT OR Apache-2.0
//! The case file: one JSON object a line.

use crate::model::mask;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;

/// A number, written plainly or as a hex string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Num(pub u64);

impl<'de> Deserialize<'de> for Num {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Either {
            Plain(u64),
            Hex(String),
        }
        match Either::deserialize(from)? {
            Either::Plain(value) => Ok(Self(value)),
            Either::Hex(text) => {
                let digits = text.strip_prefix("0x").unwrap_or(&text);
                u64::from_str_radix(digits, 16)
                    .map(Self)
                    .map_err(serde::de::Error::custom)
            }
        }
    }
}

/// One conformance case.
#[derive(Clone, Debug, Deserialize)]
pub struct Case {
    /// Name.
    pub id: String,
    /// In words.
    #[serde(default)]
    pub title: String,
    /// core, driver or optional.
    #[serde(default)]
    pub layer: String,
    /// Commands and accesses before the request.
    pub setup: Vec<Step>,
    /// The access or command that is judged.
    pub request: Step,
    /// Its outcome.
    pub expect: Expect,
    /// Accepted other courses.
    #[serde(default)]
    pub variants: Vec<Variant>,
}

/// A command or an access; fields as the kind needs them.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
#[allow(missing_docs)]
pub struct Step {
    pub cmd: String,
    pub expect: Option<Expect>,
    pub name: String,
    pub index: u32,
    pub key_variant: Option<Num>,
    pub pd: Option<u32>,
    pub iova: Option<Num>,
    pub length: Option<Num>,
    pub page_shift: Option<u32>,
    pub access: Option<Vec<String>>,
    pub pages: Option<Pages>,
    pub fbo: Option<Num>,
    pub implicit: bool,
    pub flags: Vec<String>,
    pub side: String,
    pub op: String,
    pub key: Num,
    pub qp: Option<u32>,
    pub va: Num,
    pub len: Num,
    pub chunk: Option<u64>,
    pub midway: Vec<Midway>,
    pub command: Option<Box<Step>>,
    pub max_pages: Option<Num>,
    #[serde(rename = "type")]
    pub kind: serde_json::Value,
    pub mr_key: Num,
    pub addr: Option<Num>,
    pub mw: String,
    pub mw_key: Option<Num>,
    pub new_key: Option<Num>,
    pub page: Option<Num>,
    pub count: Option<Num>,
    pub writable: Option<bool>,
}

impl Step {
    /// A request of operation bind that names a window is the command.
    fn bind(&self) -> Option<Step> {
        (self.op == "bind" && !self.mw.is_empty()).then(|| Step {
            cmd: "bind_mw".into(),
            name: self.mw.clone(),
            mr_key: self.key,
            addr: Some(self.va),
            length: Some(self.len),
            op: String::new(),
            key: Num(0),
            ..self.clone()
        })
    }
}

impl Case {
    /// The case with a bind as the command it is; none if its request is no bind.
    pub(super) fn with_bind(&self) -> Option<Case> {
        let bind = self.request.bind()?;
        let mut case = self.clone();
        case.request = Step {
            op: "command".into(),
            command: Some(Box::new(bind)),
            ..Step::default()
        };
        Some(case)
    }
}

/// A command in the middle of a request.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs)]
pub struct Midway {
    pub after: u64,
    pub cmd: Step,
}

/// A page list.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum Pages {
    List(Vec<Option<Num>>),
    Run {
        base: Num,
        count: u64,
        stride: Option<Num>,
        #[serde(default)]
        set: BTreeMap<String, Option<Num>>,
    },
    Sparse {
        #[allow(dead_code)]
        sparse: serde_json::Value,
    },
}

/// An outcome that is accepted.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
#[allow(missing_docs)]
pub struct Expect {
    pub status: String,
    pub class: Option<String>,
    pub cause: Option<String>,
    pub cause_any: Vec<String>,
    pub segs: Option<Vec<ExpectSeg>>,
    pub served: Option<Num>,
    pub page: Option<u64>,
    pub alt: Vec<Expect>,
    pub why: String,
}

impl Expect {
    /// The same with pages of so many bits, alternatives too.
    pub(super) fn with_page_of(&self, bits: u32) -> Expect {
        let alt = self.alt.iter().map(|alt| alt.with_page_of(bits));
        Expect {
            page: self.page.map(|page| page & mask(bits)),
            alt: alt.collect(),
            ..self.clone()
        }
    }
}

/// An expected run of memory.
#[derive(Clone, Copy, Debug, Deserialize)]
#[allow(missing_docs)]
pub struct ExpectSeg {
    pub pa: Num,
    pub len: Num,
}

/// Another accepted course, with other outcomes of setup steps.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs)]
pub struct Variant {
    #[serde(default)]
    pub setup_expect: BTreeMap<String, Expect>,
    pub expect: Expect,
    #[serde(default)]
    pub why: String,
}

/// Reads a case file; the error names the line.
pub fn parse(text: &str) -> anyhow::Result<Vec<Case>> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|(at, line)| {
            serde_json::from_str(line).map_err(|error| anyhow::anyhow!("line {}: {error}", at + 1))
        })
        .collect()
}
