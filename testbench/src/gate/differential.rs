// SPDX-License-Identifier: MIT OR Apache-2.0
//! The same random inputs into both engines; every output compared before and after every edge.

use crate::engine::{Effort, Engine, EngineError, RustEngine, VerilatorEngine};
use latchkey_hdl::ports::{Dir, Port};
use latchkey_hdl::{ConfigInfo, Module};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt;

/// First difference between the engines.
#[derive(Clone, Debug, PartialEq)]
pub struct Mismatch {
    /// Cycle, from 0.
    pub cycle: u64,
    /// Whether it is seen before the edge already.
    pub before_edge: bool,
    /// Output.
    pub port: String,
    /// Words in the Rust simulation.
    pub rust: Vec<u32>,
    /// Words in the compiled Verilog.
    pub verilog: Vec<u32>,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let edge = if self.before_edge { "before" } else { "after" };
        write!(
            f,
            "cycle {} {edge} the edge: {} is {:x?} in Rust, {:x?} in Verilog",
            self.cycle, self.port, self.rust, self.verilog
        )
    }
}

/// Cycles for a module by the size of its ports: the Rust simulation of a large block is slow.
pub(super) fn default_cycles(ports: &[Port]) -> u64 {
    let bits: usize = ports.iter().map(|p| p.width).sum();
    match bits {
        0..=200 => 20_000,
        201..=1000 => 6_000,
        _ => 1_500,
    }
}

/// A value with many corners: zeros, ones, one bit, a low number, the last value, a neighbour of it, or anything.
fn corner(random: &mut ChaCha8Rng, width: usize, words: &mut [u32]) {
    match random.gen_range(0..10) {
        0 => words.fill(0),
        1 => words.fill(u32::MAX),
        2 => {
            words.fill(0);
            let at = random.gen_range(0..width);
            words[at / 32] = 1 << (at % 32);
        }
        3 | 4 => {
            words.fill(0);
            words[0] = random.gen_range(0..8);
        }
        5 => {}
        6 => {
            let at = random.gen_range(0..width);
            words[at / 32] ^= 1 << (at % 32);
        }
        _ => random.fill(words),
    }
    let top = width % 32;
    if top != 0 {
        let last = words.len() - 1;
        words[last] &= (1 << top) - 1;
    }
}

/// Chance in 16 that a one-bit input is high; resets are rare, so that a run gets anywhere.
fn bias(name: &str, style: u32) -> u32 {
    if name == "reset" || name.ends_with("_reset") {
        return 0;
    }
    [8, 14, 3, 11][style as usize % 4]
}

/// Runs both engines side by side; None when every output was equal throughout.
pub fn differential(
    config: &ConfigInfo,
    module: &Module,
    seed: u64,
    cycles: u64,
) -> Result<Option<Mismatch>, EngineError> {
    let mut verilog = VerilatorEngine::new(config, module, Effort::Quick)?;
    let mut rust = RustEngine::new(module);
    let salt = module
        .name
        .bytes()
        .fold(seed, |h, b| h.wrapping_mul(0x100_0000_01b3) ^ u64::from(b));
    let mut random = ChaCha8Rng::seed_from_u64(salt);
    let ports = rust.ports().to_vec();
    let inputs: Vec<usize> = (0..ports.len())
        .filter(|&i| ports[i].dir == Dir::In && ports[i].name != "clock")
        .collect();
    for cycle in 0..cycles {
        let style = (cycle / 64) as u32;
        for &index in &inputs {
            let (at, port) = (rust.offset(index), &ports[index]);
            let words = &mut rust.in_mut()[at..at + port.words()];
            if port.width > 1 {
                corner(&mut random, port.width, words);
            } else if port.name == "reset" || port.name.ends_with("_reset") {
                words[0] = u32::from(cycle < 2 || random.gen_range(0..500) == 0);
            } else {
                words[0] = u32::from(random.gen_range(0..16) < bias(&port.name, style));
            }
        }
        verilog.in_mut().copy_from_slice(rust.in_mut());
        rust.settle();
        verilog.settle();
        if let Some(found) = compare(&ports, &rust, &verilog, cycle, true) {
            return Ok(Some(found));
        }
        rust.cycle();
        verilog.cycle();
        if let Some(found) = compare(&ports, &rust, &verilog, cycle, false) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

fn compare(
    ports: &[Port],
    rust: &RustEngine,
    verilog: &VerilatorEngine,
    cycle: u64,
    before_edge: bool,
) -> Option<Mismatch> {
    if rust.out() == verilog.out() {
        return None;
    }
    ports
        .iter()
        .enumerate()
        .filter(|(_, p)| p.dir == Dir::Out)
        .find_map(|(index, port)| {
            let range = rust.offset(index)..rust.offset(index) + port.words();
            let (left, right) = (&rust.out()[range.clone()], &verilog.out()[range]);
            (left != right).then(|| Mismatch {
                cycle,
                before_edge,
                port: port.name.clone(),
                rust: left.to_vec(),
                verilog: right.to_vec(),
            })
        })
}
