// SPDX-License-Identifier: MIT OR Apache-2.0
//! The file of regions that comes with a capture (format: docs/captures.md).

use super::facts::{Event, Expect, Facts, Qp, RegionFact};
use crate::capture::CaptureError;
use crate::trace::access;
use serde::{Deserialize, Deserializer};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// Nanoseconds by which a moment may be wrong: on the host that captured, on another.
const HERE: u64 = 500_000;
const THERE: u64 = 3_000_000;

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    captured_on: Option<String>,
    #[serde(default)]
    hosts: BTreeMap<String, Host>,
    regions: Vec<Region>,
    #[serde(default)]
    qps: Vec<QueuePair>,
    #[serde(default)]
    requests: Vec<Request>,
}

#[derive(Deserialize)]
struct Host {
    #[serde(default)]
    ip: Option<String>,
    #[serde(default)]
    ips: Vec<String>,
}

#[derive(Deserialize)]
struct Region {
    host: String,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    prog: Option<String>,
    #[serde(default)]
    pid: Option<i64>,
    #[serde(default)]
    kind: Option<String>,
    #[serde(default, rename = "type")]
    window: Option<u8>,
    #[serde(default)]
    over: Option<String>,
    #[serde(default)]
    pd: Option<i64>,
    #[serde(default, deserialize_with = "maybe")]
    qpn: Option<u64>,
    #[serde(default, deserialize_with = "maybe")]
    rkey: Option<u64>,
    #[serde(default, deserialize_with = "maybe")]
    lkey: Option<u64>,
    #[serde(deserialize_with = "number")]
    va: u64,
    #[serde(deserialize_with = "number")]
    length: u64,
    #[serde(default)]
    access: Vec<String>,
    #[serde(default)]
    t_reg: Option<f64>,
    #[serde(default)]
    t_dereg: Option<f64>,
    #[serde(default)]
    t_dereg_done: Option<f64>,
}

#[derive(Deserialize)]
struct QueuePair {
    host: String,
    #[serde(deserialize_with = "number")]
    qpn: u64,
    #[serde(default)]
    pid: Option<i64>,
    pd: i64,
    #[serde(default)]
    access: Option<Vec<String>>,
    #[serde(default)]
    t: Option<f64>,
}

#[derive(Deserialize)]
struct Request {
    #[serde(default)]
    expect: Option<String>,
    #[serde(default)]
    alt: Option<Vec<String>>,
    #[serde(default)]
    id: serde_json::Value,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    kind: Option<String>,
    #[serde(default)]
    wire: Option<Wire>,
}

#[derive(Deserialize)]
struct Wire {
    frame: u64,
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

fn right(name: &str) -> Option<u32> {
    Some(match name {
        "local_write" => access::LOCAL_WRITE,
        "remote_write" => access::REMOTE_WRITE,
        "remote_read" => access::REMOTE_READ,
        "remote_atomic" => access::REMOTE_ATOMIC,
        "mw_bind" => access::MW_BIND,
        "zero_based" => access::ZERO_BASED,
        "flush_global" => access::FLUSH_GLOBAL,
        "flush_persistent" => access::FLUSH_PERSISTENT,
        // a region on demand is registered with all of its pages; the others change no answer
        "on_demand" | "hugetlb" | "relaxed_ordering" => 0,
        _ => return None,
    })
}

fn nanos(seconds: f64) -> u64 {
    (seconds * 1e9).clamp(0.0, 1e19) as u64
}

/// Reads a file of regions.
pub fn load(path: &Path) -> Result<Facts, CaptureError> {
    let file = path.display().to_string();
    let bad = |what: String| CaptureError {
        file: file.clone(),
        what,
        mend: "the format of the regions is in docs/captures.md; without a file they are inferred"
            .into(),
    };
    let text = std::fs::read_to_string(path).map_err(|e| bad(format!("cannot be read: {e}")))?;
    let parsed: File = serde_json::from_str(&text).map_err(|e| bad(e.to_string()))?;
    facts(&parsed, &file).map_err(bad)
}

fn facts(from: &File, name: &str) -> Result<Facts, String> {
    let mut facts = Facts {
        file: Some(name.into()),
        ..Facts::default()
    };
    let mut hosts: HashMap<&str, usize> = HashMap::new();
    let named = from.hosts.keys().map(String::as_str);
    let used = from.regions.iter().map(|r| r.host.as_str());
    for host in named
        .chain(used)
        .chain(from.qps.iter().map(|q| q.host.as_str()))
    {
        let next = facts.hosts.len();
        if *hosts.entry(host).or_insert(next) == next {
            facts.hosts.push(host.into());
            // a host may also be named by its address
            facts
                .addresses
                .extend(host.parse().ok().map(|ip| (ip, next)));
        }
    }
    for (host, h) in &from.hosts {
        for ip in h.ip.iter().chain(&h.ips) {
            let parsed = ip
                .parse()
                .map_err(|_| format!("host {host}: {ip:?} is no IP address"))?;
            facts.addresses.insert(parsed, hosts[host.as_str()]);
        }
    }
    let mut pds: HashMap<(usize, Option<i64>, i64), u32> = HashMap::new();
    let mut domain = |key: (usize, Option<i64>, i64)| {
        let next = pds.len() as u32 + 1;
        *pds.entry(key).or_insert(next)
    };
    let mut strange = BTreeSet::new();
    let mut rights = |list: &[String]| {
        list.iter().fold(0, |bits, name| {
            bits | right(name).unwrap_or_else(|| {
                strange.insert(name.clone());
                0
            })
        })
    };
    for r in &from.regions {
        let host = hosts[r.host.as_str()];
        let parent = from
            .regions
            .iter()
            .find(|p| p.host == r.host && p.name.is_some() && p.name == r.over);
        let pd = r.pd.or_else(|| parent.and_then(|p| p.pd)).unwrap_or(0);
        let skew = if from.captured_on.as_ref() == Some(&r.host) {
            HERE
        } else {
            THERE
        };
        let index = facts.regions.len();
        let called = r.t_dereg.map(nanos);
        let done = r.t_dereg_done.map(nanos).or(called);
        let dies = called
            .zip(done)
            .map(|(a, b)| (a.saturating_sub(skew), a.max(b) + skew));
        facts.regions.push(RegionFact {
            name: label(r),
            host,
            window: (r.kind.as_deref() == Some("mw")).then(|| r.window.unwrap_or(1)),
            rkey: r.rkey.unwrap_or(0) as u32,
            lkey: r.lkey.unwrap_or(0) as u32,
            pd: domain((host, r.pid, pd)),
            qpn: r.qpn.map(|q| q as u32),
            va: r.va,
            length: r.length,
            access: rights(&r.access),
            dies,
        });
        let born = r.t_reg.map_or(0, nanos).saturating_sub(skew);
        let event = |at, begins| Event {
            at,
            begins,
            region: index,
        };
        facts.events.push(event(born, true));
        facts
            .events
            .extend(dies.map(|(_, late)| event(late, false)));
    }
    for q in &from.qps {
        let host = hosts[q.host.as_str()];
        let qp = Qp {
            since: q.t.map_or(0, nanos),
            pd: domain((host, q.pid, q.pd)),
            access: q.access.as_ref().map(|list| rights(list)),
        };
        facts.qps.entry((host, q.qpn as u32)).or_default().push(qp);
    }
    facts.pds = pds.len() as u32;
    for name in strange {
        facts
            .notes
            .push(format!("right {name:?} is not known and was passed over"));
    }
    for r in &from.requests {
        let (Some(class), Some(wire)) = (&r.expect, &r.wire) else {
            continue;
        };
        let expect = Expect {
            class: class.clone(),
            alt: r.alt.clone().unwrap_or_default(),
            title: title(r),
        };
        facts.expects.insert(wire.frame, expect);
    }
    facts.sort();
    Ok(facts)
}

fn label(r: &Region) -> String {
    let base = r.name.clone().or_else(|| {
        r.prog
            .as_ref()
            .map(|prog| format!("{prog}[{}]", r.pid.unwrap_or(0)))
    });
    format!("{} of {}", base.unwrap_or_else(|| "region".into()), r.host)
}

fn title(r: &Request) -> String {
    let id = match &r.id {
        serde_json::Value::String(s) => s.clone(),
        serde_json::Value::Null => String::new(),
        other => other.to_string(),
    };
    match r.title.as_ref().or(r.kind.as_ref()) {
        Some(words) => format!("{id}: {words}"),
        None => id,
    }
}
