// SPDX-License-Identifier: MIT OR Apache-2.0
//! A capture replayed on the core: every remote access becomes lookups, every region a registration, and every answer of
//! the capture is compared with that of the core (docs/captures.md).

mod asking;
mod commands;
mod explain;
pub mod facts;
mod infer;
mod keys;
mod lookups;
mod player;
mod regions;
mod regions_file;
pub mod report;
mod run;
mod space;
mod tally;
mod text;

pub use facts::Facts;
pub use report::Replay;
pub use run::{facts, run, run_apart, Options, Trouble};
