// SPDX-License-Identifier: MIT OR Apache-2.0
//! Engines, reference model, benches and the export gate.

pub mod bench;
pub mod board;
pub mod capture;
pub mod cases;
pub mod engine;
pub mod gate;
pub mod history;
mod mix;
pub mod model;
pub mod proofs;
pub mod replay;
pub mod secrets;
pub mod stage;
pub mod trace;
