// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bench around the core: drivers, memory, DMA and scenarios, on any engine (docs/trace-format.md for its input).

pub mod apart;
pub mod core;
pub mod counts;
pub mod coverage;
pub mod device;
pub mod dma;
mod drive;
pub mod engine;
pub mod fault;
pub mod icm;
pub mod lane;
pub mod latency;
pub mod params;
pub mod pattern;
pub mod pins;
pub mod report;
pub mod rig;
mod sample;
mod sample_icm;
pub mod scenario;
pub mod shards;
pub mod sink;
pub mod source;
pub mod store;
pub mod tally;
pub mod traffic;
pub mod waves;
pub mod windows;

#[cfg(test)]
mod fake;
#[cfg(test)]
mod fake_ports;
#[cfg(test)]
mod tests;

pub use self::core::{Bench, Wires};
pub use device::Cases;
pub use engine::Chosen;
pub use fault::{Fault, Kind};
pub use params::Params;
pub use pins::{PinPort, Pins};
pub use rig::{Csr, Judge, NoJudge, Rig, Side, Strict, Surroundings};
pub use traffic::{Ask, Silence, Traffic};

/// The examples of the document are tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/testbench.md")]
struct Documented;
