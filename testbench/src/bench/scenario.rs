// SPDX-License-Identifier: MIT OR Apache-2.0
//! Named scenarios and the run of one on an engine.

pub mod asks;
pub mod churn;
pub mod hits;
pub mod life;
pub mod load;
pub mod misses;
pub mod mixed;
pub mod population;
pub mod register;
pub mod space;
pub mod stray;
pub mod trace_file;

use super::apart::Apart;
use super::core::{Bench, Wires};
use super::coverage;
use super::dma::Hold;
use super::fault::{Fault, Kind};
use super::icm::Latency;
use super::params::Params;
use super::report::Report;
use super::rig::{Csr, Judge, Strict, Surroundings};
use super::traffic::Traffic;

/// A scenario by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scenario {
    /// Throughput and latency on hits.
    Hits,
    /// More regions than lines.
    Misses,
    /// Regions that live shortly.
    Churn,
    /// The soak.
    Mixed,
    /// Fast regions, windows, re-registration, paging, null regions.
    Life,
    /// A user's own trace: file name and contents.
    Trace(String, String),
}

impl Scenario {
    /// Names for the command line.
    pub const NAMES: [&'static str; 5] = ["hits", "misses", "churn", "mixed", "life"];

    /// By name; a trace file is not found here.
    pub fn by_name(name: &str) -> Option<Scenario> {
        Some(match name {
            "hits" => Scenario::Hits,
            "misses" => Scenario::Misses,
            "churn" => Scenario::Churn,
            "mixed" => Scenario::Mixed,
            "life" => Scenario::Life,
            _ => return None,
        })
    }

    /// Name as on the command line.
    pub fn name(&self) -> &str {
        match self {
            Scenario::Hits => "hits",
            Scenario::Misses => "misses",
            Scenario::Churn => "churn",
            Scenario::Mixed => "mixed",
            Scenario::Life => "life",
            Scenario::Trace(file, _) => file,
        }
    }

    fn around(&self, p: &Params) -> Surroundings {
        let longest = (1u64 << p.drain_bits.min(12)) as u16 / 2;
        match self {
            Scenario::Hits => Surroundings {
                hold: Hold::STEADY,
                ..Surroundings::CALM
            },
            Scenario::Trace(..) => Surroundings::CALM,
            _ => {
                let hold = Hold {
                    longest: Hold::SOAK.longest.min(longest),
                    ..Hold::SOAK
                };
                Surroundings {
                    icm: Latency::SOAK,
                    hold,
                    ..Surroundings::SOAK
                }
            }
        }
    }
}

/// What to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// scenario
    pub scenario: Scenario,
    /// configuration, for the report
    pub config: String,
    /// engine, for the report
    pub engine: String,
    /// lookups to be answered (a trace has its own number)
    pub lookups: u64,
    /// seed of everything
    pub seed: u64,
    /// counters of the core: name and CSR address
    pub counters: Vec<(String, u8)>,
}

impl Options {
    /// The command line of the run.
    pub fn reproduce(&self) -> String {
        let what = match &self.scenario {
            Scenario::Trace(file, _) => format!("--trace {file}"),
            named => format!("--scenario {} --lookups {}", named.name(), self.lookups),
        };
        format!(
            "latchkey sim --config {} --engine {} {what} --seed {}",
            self.config, self.engine, self.seed
        )
    }
}

/// Runs a scenario to its end. `progress` hears the number of verdicts. A fault of the core ends up in the report;
/// an error is a stimulus or an engine that can't be used.
pub fn run<E: Wires>(
    engine: E,
    p: &Params,
    o: &Options,
    progress: impl FnMut(u64),
) -> Result<Report, Fault> {
    judged(engine, p, o, Strict::new(p), progress)
}

/// The same with the checker on a thread of its own. None: something is wrong, [`run`] says what.
pub fn run_apart<E: Wires>(
    engine: E,
    p: &Params,
    o: &Options,
    progress: impl FnMut(u64),
) -> Option<Report> {
    judged(engine, p, o, Apart::new(p), progress)
        .ok()
        .filter(|report| report.run.fault.is_none())
}

fn judged<E: Wires, J: Judge>(
    engine: E,
    p: &Params,
    o: &Options,
    judge: J,
    mut progress: impl FnMut(u64),
) -> Result<Report, Fault> {
    let around = o.scenario.around(p);
    let mut bench = Bench::new(engine, p.clone(), judge, around, o.seed)?;
    let fault = play(&mut bench, p, o, &mut progress);
    let counters = match &fault {
        Ok(()) => read_counters(&mut bench, &o.counters)?,
        Err(f) if f.kind == Kind::Stimulus => return Err(f.clone()),
        Err(_) => Vec::new(),
    };
    let points = coverage::points(&bench.rig.counts, &counters, p);
    Ok(Report::new(o, &bench.rig, fault.err(), points))
}

fn play<E: Wires, J: Judge>(
    bench: &mut Bench<E, J>,
    p: &Params,
    o: &Options,
    progress: &mut impl FnMut(u64),
) -> Result<(), Fault> {
    bench.wake()?;
    match &o.scenario {
        Scenario::Hits => {
            let mut t = hits::Hits::new(p, o.lookups, o.seed);
            bench.run(&mut t, &mut *progress)?;
            // The warm-up ends with every answer given and every lease back; then the count begins.
            while !bench.rig.quiet() {
                bench.step(&mut super::traffic::Silence)?;
            }
            t.begins();
            bench.rig.counts = Default::default();
            let from = bench.rig.now;
            bench.run(&mut t, &mut *progress)?;
            bench.rig.counts.cycles = bench.rig.now - from;
        }
        Scenario::Trace(file, text) => {
            let bad = |text| Fault::new(Kind::Stimulus, 0, text);
            let mut t = trace_file::TraceFile::parse(file, text, p.ports).map_err(bad)?;
            bench.run(&mut t, &mut *progress)?;
            if let Some(text) = t.trouble {
                return Err(bad(text));
            }
        }
        Scenario::Misses => load_run(
            bench,
            &mut load::Load::new(p, misses::mix(p), o.lookups, o.seed),
            progress,
        )?,
        Scenario::Churn => load_run(
            bench,
            &mut load::Load::new(p, churn::mix(p), o.lookups, o.seed),
            progress,
        )?,
        Scenario::Life => {
            if p.limits {
                // no quota of misses, the same for all classes, one for some
                let quotas = [0, 0x0101_0101, 0x0004_0001, 0x0203_0002];
                bench.csr(Csr {
                    addr: latchkey_hdl::csr::QUOTA_AT,
                    write: Some(quotas[o.seed as usize % quotas.len()]),
                })?;
            }
            load_run(bench, &mut life::Life::new(p, o.lookups, o.seed), progress)?
        }
        Scenario::Mixed => load_run(
            bench,
            &mut load::Load::new(p, mixed::mix(p), o.lookups, o.seed),
            progress,
        )?,
    }
    let cycles = bench.rig.counts.cycles;
    bench.drain()?;
    bench.rig.counts.cycles = cycles;
    bench.finish()
}

fn load_run<E: Wires, J: Judge>(
    bench: &mut Bench<E, J>,
    load: &mut impl Traffic,
    progress: &mut impl FnMut(u64),
) -> Result<(), Fault> {
    bench.run(load, progress)
}

fn read_counters<E: Wires, J: Judge>(
    bench: &mut Bench<E, J>,
    list: &[(String, u8)],
) -> Result<Vec<(String, u64)>, Fault> {
    let mut out = Vec::new();
    for (name, addr) in list {
        let value = bench.csr(Csr {
            addr: *addr,
            write: None,
        })?;
        out.push((name.clone(), u64::from(value)));
    }
    Ok(out)
}
