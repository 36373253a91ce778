// SPDX-License-Identifier: MIT OR Apache-2.0
//! Board support and the open tools behind it: synthesis, place and route, timing, budgets.
//!
//! Every external tool has one thin runner under [`tools`]; [`synth`] puts them together.
//! Nothing here deletes a folder, and every file that outlives a run is written beside its
//! final name and then renamed.

pub mod atomic;
pub mod blocks;
pub mod board;
pub mod board_synth;
pub mod budget;
pub mod doctor;
pub mod error;
pub mod harness;
pub mod kept;
pub mod netcheck;
pub mod netlist;
pub mod path;
pub mod place;
pub mod ports;
pub mod prepare;
pub mod prove;
pub mod report;
pub mod runs;
pub mod script;
pub mod seeds;
pub mod synth;
pub mod table;
pub mod target;
pub mod tools;
pub mod work;

pub use error::{Error, Result};
