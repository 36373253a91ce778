// SPDX-License-Identifier: MIT OR Apache-2.0
//! The host's end of the board's link (docs/board.md): frames, tables in the host's memory, requests checked against the
//! reference model; and the virtual board, the exported board top in Verilator behind a pseudo-terminal.

mod checked;
mod frame;
mod link;
mod noise;
mod replay;
mod tables;
mod terminal;
mod uart;
mod virtual_board;
mod wire;

pub use checked::{Checked, Session, Wrong};
pub use frame::{encode, Decoder, Frame, Garbage};
pub use link::{Link, LinkError, Patience, Port, Stats};
pub use noise::Noise;
pub use replay::{replay, Replayed};
pub use tables::Tables;
pub use terminal::{open, Served};
pub use uart::{Receiver, Sender};
pub use virtual_board::VirtualBoard;
pub use wire::{Ack, IcmBeat, Message};
