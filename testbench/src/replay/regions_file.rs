// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fields of the file of regions; what is not named here is passed over. Numbers may be text like "0x1000".

use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;

#[derive(Deserialize)]
pub(super) struct File {
    #[serde(default)]
    pub captured_on: Option<String>,
    #[serde(default)]
    pub hosts: BTreeMap<String, Host>,
    pub regions: Vec<Region>,
    #[serde(default)]
    pub qps: Vec<QueuePair>,
    #[serde(default)]
    pub requests: Vec<Request>,
}

#[derive(Deserialize)]
pub(super) struct Host {
    #[serde(default)]
    pub ip: Option<String>,
    #[serde(default)]
    pub ips: Vec<String>,
}

#[derive(Deserialize)]
pub(super) struct Region {
    pub host: String,
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub prog: Option<String>,
    #[serde(default)]
    pub pid: Option<i64>,
    #[serde(default)]
    pub kind: Option<String>,
    #[serde(default, rename = "type")]
    pub window: Option<u8>,
    #[serde(default)]
    pub over: Option<String>,
    #[serde(default)]
    pub pd: Option<i64>,
    #[serde(default, deserialize_with = "maybe")]
    pub qpn: Option<u64>,
    #[serde(default, deserialize_with = "maybe")]
    pub rkey: Option<u64>,
    #[serde(default, deserialize_with = "maybe")]
    pub lkey: Option<u64>,
    #[serde(deserialize_with = "number")]
    pub va: u64,
    #[serde(deserialize_with = "number")]
    pub length: u64,
    #[serde(default)]
    pub access: Option<Vec<String>>,
    #[serde(default)]
    pub t_reg: Option<f64>,
    #[serde(default)]
    pub t_dereg: Option<f64>,
    #[serde(default)]
    pub t_dereg_done: Option<f64>,
}

#[derive(Deserialize)]
pub(super) struct QueuePair {
    pub host: String,
    #[serde(deserialize_with = "number")]
    pub qpn: u64,
    #[serde(default)]
    pub pid: Option<i64>,
    #[serde(default)]
    pub pd: Option<i64>,
    #[serde(default)]
    pub access: Option<Vec<String>>,
    #[serde(default)]
    pub t: Option<f64>,
}

#[derive(Deserialize)]
pub(super) struct Request {
    #[serde(default)]
    pub expect: Option<String>,
    #[serde(default)]
    pub alt: Option<Vec<String>>,
    #[serde(default)]
    pub id: serde_json::Value,
    #[serde(default)]
    pub title: Option<String>,
    #[serde(default)]
    pub kind: Option<String>,
    #[serde(default)]
    pub wire: Option<Wire>,
}

#[derive(Deserialize)]
pub(super) struct Wire {
    pub frame: u64,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Number {
    Plain(u64),
    Text(String),
}

impl Number {
    fn value(&self) -> Result<u64, String> {
        match self {
            Number::Plain(n) => Ok(*n),
            Number::Text(text) => match text.strip_prefix("0x") {
                Some(hex) => u64::from_str_radix(hex, 16),
                None => text.parse(),
            }
            .map_err(|_| format!("{text:?} is no number, must be one or text like \"0x1000\"")),
        }
    }
}

fn number<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    let n = Number::deserialize(from)?;
    n.value().map_err(serde::de::Error::custom)
}

fn maybe<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    let n = Option::<Number>::deserialize(from)?;
    n.map(|n| n.value().map_err(serde::de::Error::custom))
        .transpose()
}
