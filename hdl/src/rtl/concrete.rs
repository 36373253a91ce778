// SPDX-License-Identifier: MIT OR Apache-2.0
//! Concrete instances of generic blocks, for the export gate: the build script registers every `pub type` here.

use super::fair::Fair;
use super::lane_table::LaneTable;
use super::line_table::LineTable;
use super::lut_table::LutTable;
use super::out_fifo::OutFifo;
use super::prelude::*;
use super::ram_fifo::RamFifo;
use super::table::Table;
use super::tag_way::TagWay;
use super::tags::Tags;
use super::two_words::TwoWords;

/// A RAM of structs wider than 64 bits.
pub type TableHot = Table<MptHot, LINEA>;
/// Data of the MPT cache.
pub type LineTableMpt = LineTable<MPTW, BEAT, HOTB, LINEA>;
/// A narrow RAM.
pub type TableNarrow = Table<Bits<5>, 3>;
/// A small asynchronous RAM.
pub type LutTableSlot = LutTable<Bits<SLOTW>, SLOTW>;
/// A queue of verdicts as `out_fifo.rs` keeps it.
pub type OutFifoVerdict = OutFifo<Verdict, VDW, VDCW>;
/// Verdicts of a port.
pub type RamFifoVerdict = RamFifo<Verdict, VDW>;
/// A short one of them.
pub type RamFifoShort = RamFifo<Bits<9>, 3>;
/// Segments of a port.
pub type OutFifoSegment = OutFifo<Segment, SEGDW, SEGCW>;
/// Segments of the only port.
pub type TwoWordsSegment = TwoWords<Segment>;
/// Choice among the ports.
pub type FairPorts = Fair<NP>;
/// Choice among more than any configuration has.
pub type FairFive = Fair<5>;
/// One way of the MPT cache.
pub type TagWayMpt = TagWay<TAGB, TAGR, TAGB>;
/// Tags of the MPT cache.
pub type TagsMpt = Tags<WAYS, SETW, TAGB, TAGR, TAGB>;
/// Tags of the MTT cache, whose owner is only part of the tag.
pub type TagsMtt = Tags<MWAYS, MSETW, MTAGB, MTAGR, K>;
/// The widest tags, few sets: every op meets the ones ahead of it.
pub type TagsEight = Tags<8, 1, 4, 6, 2>;
/// Tag RAM of the MPT cache.
pub type LaneTableMpt = LaneTable<WAYS, TAGR, SETW>;
