// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs that are kept, and the comparison with the last one.

use crate::report::Report;
use crate::{atomic, Result};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The last run kept, against the one at hand.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Previous {
    /// Its file, in the folder `runs`.
    pub file: String,
    /// When it ended, UTC.
    pub when: String,
    /// It was made of the same Verilog.
    pub same_verilog: bool,
    /// Its tools were the same.
    pub same_tools: bool,
    /// Its numbers.
    pub then: Numbers,
    /// What they have grown by since.
    pub change: Change,
}

/// What is compared.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Numbers {
    /// Logic cells.
    pub lc: u64,
    /// LUTs.
    pub lut: u64,
    /// Flip-flops.
    pub ff: u64,
    /// Block RAMs.
    pub ram: u64,
    /// Median clock.
    pub median_mhz: Option<f64>,
    /// Slowest seed.
    pub min_mhz: Option<f64>,
    /// Fastest seed.
    pub max_mhz: Option<f64>,
    /// Seeds.
    pub seeds: usize,
}

/// Differences, now less then.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Change {
    /// Logic cells.
    pub lc: i64,
    /// LUTs.
    pub lut: i64,
    /// Flip-flops.
    pub ff: i64,
    /// Block RAMs.
    pub ram: i64,
    /// Median clock, where both runs have one.
    pub median_mhz: Option<f64>,
    /// Slowest seed.
    pub min_mhz: Option<f64>,
    /// Fastest seed.
    pub max_mhz: Option<f64>,
}

#[derive(Deserialize)]
struct Stored {
    #[serde(default)]
    when: String,
    target: String,
    top: String,
    lc: u64,
    lut: u64,
    ff: u64,
    ram: u64,
    fmax_mhz: Option<StoredFmax>,
    verilog_sha256: String,
    tools: std::collections::BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct StoredFmax {
    median: f64,
    min: f64,
    max: f64,
    per_seed: Vec<serde_json::Value>,
}

/// Now, UTC, to the second.
pub fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

fn folder(out: &Path) -> PathBuf {
    out.join("runs")
}

/// The last run kept of the same target and top, against `report`. Files that are no such report are passed over.
pub fn previous(out: &Path, report: &Report) -> Option<Previous> {
    let mut names: Vec<String> = std::fs::read_dir(folder(out))
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".json"))
        .collect();
    names.sort();
    let (name, stored) = names.into_iter().rev().find_map(|name| {
        let text = std::fs::read_to_string(folder(out).join(&name)).ok()?;
        let stored: Stored = serde_json::from_str(&text).ok()?;
        let same = stored.target == report.target && stored.top == report.top;
        same.then_some((name, stored))
    })?;
    Some(compared(name, stored, report))
}

fn compared(file: String, stored: Stored, report: &Report) -> Previous {
    let fmax = stored.fmax_mhz.as_ref();
    let then = Numbers {
        lc: stored.lc,
        lut: stored.lut,
        ff: stored.ff,
        ram: stored.ram,
        median_mhz: fmax.map(|f| f.median),
        min_mhz: fmax.map(|f| f.min),
        max_mhz: fmax.map(|f| f.max),
        seeds: fmax.map_or(0, |f| f.per_seed.len()),
    };
    let less = |now: u64, then: u64| now as i64 - then as i64;
    let now = report.fmax_mhz.as_ref();
    let mhz = |now: Option<f64>, then: Option<f64>| Some(((now? - then?) * 100.0).round() / 100.0);
    Previous {
        same_verilog: stored.verilog_sha256 == report.verilog_sha256,
        same_tools: stored.tools == report.tools,
        when: stored.when,
        change: Change {
            lc: less(report.lc, then.lc),
            lut: less(report.lut, then.lut),
            ff: less(report.ff, then.ff),
            ram: less(report.ram, then.ram),
            median_mhz: mhz(now.map(|f| f.median), then.median_mhz),
            min_mhz: mhz(now.map(|f| f.min), then.min_mhz),
            max_mhz: mhz(now.map(|f| f.max), then.max_mhz),
        },
        then,
        file,
    }
}

/// Keeps a report; its file's name begins with its time, so that names sort by age.
pub fn keep(out: &Path, report: &Report) -> Result<PathBuf> {
    let folder = folder(out);
    atomic::folder(&folder)?;
    let time = humantime::format_rfc3339_millis(SystemTime::now());
    let time = time.to_string().replace(':', "");
    let id = &report.verilog_sha256[..8];
    let file = folder.join(format!("{time}-{}-{id}.json", report.target));
    let text = serde_json::to_string_pretty(report).expect("plain data");
    atomic::write(&file, text.as_bytes())?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(lc: u64, mhz: f64) -> Stored {
        let text = format!(
            r#"{{"when":"then","target":"t","top":"core","lc":{lc},"lut":1,"ff":2,"ram":3,"verilog_sha256":"a","tools":{{}},
            "fmax_mhz":{{"median":{mhz},"min":{mhz},"max":{mhz},"per_seed":[{{}},{{}}]}},"later":"keys do not disturb"}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn less_is_negative_and_a_clock_that_is_missing_has_no_difference() {
        let mut report = crate::report::Report::empty();
        report.lc = 90;
        report.verilog_sha256 = "a".into();
        let p = compared("f".into(), stored(100, 80.0), &report);
        assert_eq!(
            (p.change.lc, p.change.median_mhz, p.then.seeds),
            (-10, None, 2)
        );
        assert!(p.same_verilog && p.same_tools);
        let seed = |seed| crate::report::Seed {
            mhz: 81.5,
            ..crate::report::Seed::failed(seed, String::new())
        };
        report.fmax_mhz = crate::report::Fmax::of(vec![seed(1)]);
        report.verilog_sha256 = "b".into();
        let p = compared("f".into(), stored(100, 80.0), &report);
        assert_eq!(p.change.median_mhz, Some(1.5));
        assert!(!p.same_verilog);
    }

    #[test]
    fn the_youngest_run_of_the_same_target_is_compared() {
        let dir = tempfile::tempdir().unwrap();
        let mut report = crate::report::Report::empty();
        report.verilog_sha256 = "0123456789".into();
        assert_eq!(previous(dir.path(), &report), None);
        for lc in [10, 20] {
            report.lc = lc;
            report.target = "a".into();
            keep(dir.path(), &report).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        report.target = "b".into();
        keep(dir.path(), &report).unwrap();
        std::fs::write(dir.path().join("runs/9999.json"), "broken").unwrap();
        report.target = "a".into();
        report.lc = 25;
        let found = previous(dir.path(), &report).unwrap();
        assert_eq!((found.then.lc, found.change.lc), (20, 5));
    }
}
