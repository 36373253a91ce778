// SPDX-License-Identifier: MIT OR Apache-2.0
//! Concrete instances of generic blocks, for the export gate: the build script registers every `pub type` here.

use super::fifo::Fifo;
use super::lut_ram::LutRam;
use super::prelude::*;
use super::ram::Ram;

/// A RAM wider than 64 bits.
pub type RamLine = Ram<MPTLINE, SETW>;
/// A narrow RAM.
pub type RamNarrow = Ram<5, 3>;
/// A small asynchronous RAM.
pub type LutRamSlot = LutRam<PAW, 2>;
/// A FIFO with the width of a verdict.
pub type FifoVerdict = Fifo<9, VDW, VDC>;
