// SPDX-License-Identifier: MIT OR Apache-2.0
//! The report of a synthesis: one schema for every tool and target.

use crate::budget::Line;
use crate::netlist::Cells;
use crate::path::{Hop, Part};
use crate::runs::Previous;
use crate::target::{Device, Goal};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Version of the JSON.
pub const FORMAT: u32 = 1;

/// Everything `latchkey synth` knows at its end. Keys once given stay.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Version of this object.
    pub format: u32,
    /// Configuration.
    pub config: String,
    /// Target.
    pub target: String,
    /// What was synthesized: `core` in the registered harness.
    pub top: String,
    /// Logic cells of the core, packed alone (ECP5: LUT4 sites).
    pub lc: u64,
    /// LUTs of the core.
    pub lut: u64,
    /// Flip-flops of the core.
    pub ff: u64,
    /// Block RAMs of the core.
    pub ram: u64,
    /// Size of the device.
    pub device: Device,
    /// Clock over the seeds; absent when nothing was placed.
    pub fmax_mhz: Option<Fmax>,
    /// Goal of the committed table.
    pub goal_mhz: Option<f64>,
    /// Every goal met (also those of area); true when there is none.
    pub met: bool,
    /// Goals that were missed, each with by how much.
    pub missed: Vec<String>,
    /// Slowest register-to-register path of the median seed.
    pub critical_path: Vec<String>,
    /// The same, hop by hop with its module.
    pub critical_path_hops: Vec<Hop>,
    /// The same by module.
    pub critical_path_modules: Vec<Part>,
    /// Cells by block, each block synthesized by itself; the sum is a little above the flat design. Empty when not asked for.
    pub blocks: Vec<Line>,
    /// Tools and their version lines.
    pub tools: BTreeMap<String, String>,
    /// Each tool: "native" or "YoWASP" (WebAssembly).
    pub tool_kinds: BTreeMap<String, &'static str>,
    /// Wall-clock time.
    pub seconds: f64,
    /// When the run ended, UTC.
    pub when: String,
    /// The last run kept of the same thing, and what has changed since.
    pub previous: Option<Previous>,
    /// The harness, reported apart.
    pub harness: Harness,
    /// Second opinion of icetime on the median seed (iCE40).
    pub icetime_mhz: Option<f64>,
    /// SHA-256 of the core's Verilog.
    pub verilog_sha256: String,
    /// ABC9 was used for mapping.
    pub abc9: bool,
    /// Folder with netlists and logs.
    pub folder: String,
}

/// Clock over several seeds.
#[derive(Clone, Debug, Serialize)]
pub struct Fmax {
    /// Median.
    pub median: f64,
    /// Slowest.
    pub min: f64,
    /// Fastest.
    pub max: f64,
    /// Each, in the order of the seeds.
    pub per_seed: Vec<Seed>,
}

/// Clock of one seed.
#[derive(Clone, Debug, Serialize)]
pub struct Seed {
    /// Seed.
    pub seed: u64,
    /// MHz as nextpnr reports it; 0 when the seed does not route.
    pub mhz: f64,
    /// MHz as icetime reckons it (iCE40, where it is installed).
    pub icetime_mhz: Option<f64>,
    /// Taken from an earlier run (`--resume`).
    pub resumed: bool,
    /// Why it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

impl Seed {
    /// One that does not route.
    pub fn failed(seed: u64, why: String) -> Seed {
        Seed {
            seed,
            mhz: 0.0,
            icetime_mhz: None,
            resumed: false,
            failed: Some(why),
        }
    }
}

/// The registered harness beside the core.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Harness {
    /// Cells of the harness.
    pub cells: Cells,
    /// Cells outside the harness in the joined netlist.
    pub outside: Cells,
    /// Cells of the bare core.
    pub bare: Cells,
    /// Largest difference between the two, in percent (must be at most 2).
    pub difference_percent: f64,
    /// Logic cells of core and harness together, placed.
    pub total_lc: Option<u64>,
    /// Logic cells of core and harness together, packed.
    pub packed_lc: u64,
    /// Block RAMs of core and harness together, packed.
    pub packed_ram: u64,
}

impl Fmax {
    /// From the seeds' results; `None` when there are none.
    pub fn of(mut seeds: Vec<Seed>) -> Option<Fmax> {
        seeds.sort_by_key(|s| s.seed);
        let mut sorted: Vec<f64> = seeds.iter().map(|s| s.mhz).collect();
        sorted.sort_by(f64::total_cmp);
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let (low, high) = (sorted[(sorted.len() - 1) / 2], sorted[sorted.len() / 2]);
        Some(Fmax {
            median: ((low + high) * 50.0).round() / 100.0,
            min,
            max,
            per_seed: seeds,
        })
    }
}

impl Report {
    /// One without any number, for tests.
    #[cfg(test)]
    pub(crate) fn empty() -> Report {
        let none = Cells::default();
        Report {
            format: FORMAT,
            config: String::new(),
            target: String::new(),
            top: "core".into(),
            lc: 0,
            lut: 0,
            ff: 0,
            ram: 0,
            device: Device { lc: 100, ram: 10 },
            fmax_mhz: None,
            goal_mhz: None,
            met: true,
            missed: vec![],
            critical_path: vec![],
            critical_path_hops: vec![],
            critical_path_modules: vec![],
            blocks: vec![],
            tools: BTreeMap::new(),
            tool_kinds: BTreeMap::new(),
            seconds: 0.0,
            when: String::new(),
            previous: None,
            harness: Harness {
                cells: none,
                outside: none,
                bare: none,
                difference_percent: 0.0,
                total_lc: None,
                packed_lc: 0,
                packed_ram: 0,
            },
            icetime_mhz: None,
            verilog_sha256: String::new(),
            abc9: false,
            folder: String::new(),
        }
    }

    /// What does not fit into the device, each with by how much.
    pub fn overfull(&self) -> Vec<String> {
        let over = |what: &str, used: u64, room: u64| {
            (used > room).then(|| {
                format!(
                    "core and harness take {used} {what}, {} more than the {room} of the device: not placed",
                    used - room
                )
            })
        };
        let lc = over("logic cells", self.harness.packed_lc, self.device.lc);
        let ram = over("block RAMs", self.harness.packed_ram, self.device.ram);
        lc.into_iter().chain(ram).collect()
    }

    /// Holds the report to the device and to a goal; fills `met`, `missed` and `goal_mhz`.
    pub fn judge(&mut self, goal: Option<&Goal>) {
        let mut missed = self.overfull();
        if let Some(goal) = goal {
            self.goal_mhz = Some(goal.mhz);
            if let Some(fmax) = &self.fmax_mhz {
                if fmax.median < goal.mhz {
                    missed.push(format!(
                        "median clock {:.2} MHz is {:.2} MHz below the goal of {} MHz",
                        fmax.median,
                        goal.mhz - fmax.median,
                        goal.mhz
                    ));
                }
            }
            let mut most = |what: &str, value: u64, limit: Option<u64>| {
                if let Some(limit) = limit.filter(|l| value > *l) {
                    missed.push(format!(
                        "{value} {what} are {} over the limit of {limit}",
                        value - limit
                    ));
                }
            };
            most("logic cells", self.lc, goal.lc_max);
            most("block RAMs", self.ram, goal.ram_max);
        }
        self.met = missed.is_empty();
        self.missed = missed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_is_the_middle() {
        let seeds = [(3, 90.0), (1, 110.0), (2, 100.0), (4, 104.0)].map(|(seed, mhz)| Seed {
            mhz,
            ..Seed::failed(seed, String::new())
        });
        let fmax = Fmax::of(seeds.to_vec()).unwrap();
        assert_eq!(
            (fmax.median, fmax.min, fmax.max, fmax.per_seed[0].seed),
            (102.0, 90.0, 110.0, 1)
        );
        assert!(Fmax::of(vec![]).is_none());
    }

    #[test]
    fn what_does_not_fit_is_missed_without_any_goal() {
        let mut report = Report::empty();
        (report.harness.packed_lc, report.harness.packed_ram) = (100, 13);
        report.judge(None);
        assert!(!report.met);
        assert_eq!(
            report.missed,
            ["core and harness take 13 block RAMs, 3 more than the 10 of the device: not placed"]
        );
    }
}
