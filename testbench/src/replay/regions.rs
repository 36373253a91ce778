// SPDX-License-Identifier: MIT OR Apache-2.0
//! The file of regions that comes with a capture (format: docs/captures.md).

use super::facts::{Event, Expect, Facts, Qp, RegionFact};
use super::regions_file::{File, Region, Request};
use crate::capture::CaptureError;
use crate::trace::access;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// Nanoseconds by which a moment may be wrong: on the host that captured, on another.
const HERE: u64 = 500_000;
const THERE: u64 = 3_000_000;

fn right(name: &str) -> Option<u32> {
    match name {
        // a region on demand is registered with all of its pages; the others change no answer
        "on_demand" | "hugetlb" | "relaxed_ordering" => Some(0),
        name => access::named(name),
    }
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
            access: rights(r.access.as_deref().unwrap_or_default()),
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
            pd: domain((host, q.pid, q.pd.unwrap_or(0))),
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
