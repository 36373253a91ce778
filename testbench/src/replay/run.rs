// SPDX-License-Identifier: MIT OR Apache-2.0
//! The run of a replay on an engine.

use super::infer::Infer;
use super::player::Player;
use super::report::{Replay, Stretch};
use super::{regions, Facts};
use crate::bench::apart::Apart;
use crate::bench::core::Wires;
use crate::bench::{Bench, Fault, Judge, Kind, Params, Silence, Strict, Surroundings};
use crate::capture::{CaptureError, Reader, Source};
use std::path::{Path, PathBuf};

/// Stretches of the hit rate that are kept; when there are more, two become one.
const STRETCHES: usize = 128;

/// What to replay.
#[derive(Clone, Debug)]
pub struct Options {
    /// capture, as it was named
    pub capture: String,
    /// its regions; `None`: inferred
    pub regions: Option<PathBuf>,
    /// configuration, for the report
    pub config: String,
    /// engine, for the report
    pub engine: String,
    /// seed of the bench
    pub seed: u64,
}

impl Options {
    pub(super) fn reproduce(&self) -> String {
        let regions = match &self.regions {
            Some(file) => format!("--regions {}", file.display()),
            None => "--infer".into(),
        };
        format!(
            "latchkey sim --config {} --engine {} --capture {} {regions} --seed {}",
            self.config, self.engine, self.capture, self.seed
        )
    }
}

/// Why a replay can't be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// A file can't be read.
    Capture(CaptureError),
    /// The configuration is too small for the capture.
    Fit(String),
    /// The engine does not work.
    Engine(String),
}

impl From<CaptureError> for Trouble {
    fn from(e: CaptureError) -> Trouble {
        Trouble::Capture(e)
    }
}

fn open(file: &str) -> Result<Source, CaptureError> {
    Ok(Source::new(Reader::open(Path::new(file))?))
}

/// What is known of the regions: from the file, or from a first pass over the capture. `progress` hears bytes.
pub fn facts(o: &Options, mut progress: impl FnMut(u64)) -> Result<Facts, Trouble> {
    if let Some(file) = &o.regions {
        return Ok(regions::load(file)?);
    }
    let mut source = open(&o.capture)?;
    let mut infer = Infer::default();
    while let Some(access) = source.next_access()? {
        infer.see(&access);
        progress(source.bytes());
    }
    Ok(infer.facts())
}

/// Does the configuration hold such regions?
fn fits(facts: &Facts, p: &Params) -> Result<(), Trouble> {
    let refuse = |what: String| Err(Trouble::Fit(what));
    let domains = Params::top(p.pd_bits);
    if u64::from(facts.pds) > domains {
        return refuse(format!(
            "the capture has {} protection domains, the configuration numbers {domains}",
            facts.pds
        ));
    }
    for r in &facts.regions {
        let end = u128::from(r.va) + u128::from(r.length);
        if p.va_bits < 64 && end > 1 << p.va_bits {
            return refuse(format!(
                "{} ends at 0x{end:x}, beyond the {} address bits of the configuration",
                r.name, p.va_bits
            ));
        }
        if r.length > Params::top(p.region_bits) {
            return refuse(format!(
                "{} has {} bytes, more than the {} bits of a region's length in the configuration",
                r.name, r.length, p.region_bits
            ));
        }
    }
    Ok(())
}

/// Replays; a fault of the core ends up in the report. `progress` hears bytes of the capture.
pub fn run<E: Wires>(
    engine: E,
    p: &Params,
    o: &Options,
    facts: &Facts,
    progress: impl FnMut(u64),
) -> Result<Replay, Trouble> {
    judged(engine, p, o, facts, Strict::new(p), progress)
}

/// The same with the checker on a thread of its own. `None`: the checker objects, [`run`] says to what.
pub fn run_apart<E: Wires>(
    engine: E,
    p: &Params,
    o: &Options,
    facts: &Facts,
    progress: impl FnMut(u64),
) -> Result<Option<Replay>, Trouble> {
    let report = judged(engine, p, o, facts, Apart::new(p), progress)?;
    Ok(Some(report).filter(|r| r.run.fault.is_none()))
}

fn judged<E: Wires, J: Judge>(
    engine: E,
    p: &Params,
    o: &Options,
    facts: &Facts,
    judge: J,
    mut progress: impl FnMut(u64),
) -> Result<Replay, Trouble> {
    fits(facts, p)?;
    let broken = |f: Fault| Trouble::Engine(f.to_string());
    let mut bench =
        Bench::new(engine, p.clone(), judge, Surroundings::CALM, o.seed).map_err(broken)?;
    let mut player = Player::new(p, facts, open(&o.capture)?);
    let mut stretches = Vec::new();
    let fault = play(&mut bench, &mut player, &mut stretches, &mut progress).err();
    if let Some(trouble) = player.trouble.take() {
        return Err(trouble);
    }
    if let Some(fault) = fault.as_ref().filter(|f| f.kind == Kind::Stimulus) {
        return Err(Trouble::Engine(fault.to_string()));
    }
    player.close();
    let counted = (player.source.counts, player.tally);
    Ok(Replay::new(
        o,
        facts,
        counted,
        &bench.rig,
        (stretches, fault),
    ))
}

fn play<E: Wires, J: Judge>(
    bench: &mut Bench<E, J>,
    player: &mut Player<'_>,
    stretches: &mut Vec<Stretch>,
    progress: &mut impl FnMut(u64),
) -> Result<(), Fault> {
    bench.wake()?;
    let mut step = 64;
    let mut last = Stretch::default();
    loop {
        player.pause = player.verdicts + step;
        bench.run(player, |_| {})?;
        progress(player.source.bytes());
        let latency = &bench.rig.counts.latency;
        let (hits, misses) = (latency.hit.count(), latency.miss.count());
        let frame = player.frame;
        stretches.push(Stretch {
            frame,
            hits: hits - last.hits,
            misses: misses - last.misses,
        });
        last = Stretch {
            frame,
            hits,
            misses,
        };
        if stretches.len() > STRETCHES {
            step *= 2;
            *stretches = stretches.chunks(2).map(joined).collect();
        }
        if player.finished() {
            break;
        }
    }
    let cycles = bench.rig.counts.cycles;
    while !bench.rig.quiet() {
        bench.step(&mut Silence)?;
    }
    bench.drain()?;
    bench.rig.counts.cycles = cycles;
    bench.finish()
}

fn joined(pair: &[Stretch]) -> Stretch {
    pair.iter().fold(Stretch::default(), |a, b| Stretch {
        frame: b.frame,
        hits: a.hits + b.hits,
        misses: a.misses + b.misses,
    })
}
