// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers that several blocks of the board share: the RAM's parts, and where the bytes of a request stand.
//!
//! ```text
//!  RAM  0x000 frame from the host (64) | 0x040 MTT (8 words) | 0x060 windows (8 words) | 0x080 entries 0 to 3 | 0x100 script (256)
//! ```
//! A request is shifted in byte by byte, so that the *last* byte of every kind ends in the same place: `AT_*` are its bits.

/// Address bits of the RAM, one byte a word.
pub const RAMW: usize = 9;
/// First byte of the table words.
pub const TABLES_AT: usize = 0x40;
/// First byte of the script.
pub const SCRIPT_AT: usize = 0x100;
/// Bytes of the argument register, the payload of a command.
pub const ARGS: usize = 33;
/// Its bits.
pub const ARGW: usize = 8 * ARGS;
/// Clocks of one bit on the wire.
pub const BIT_CLOCKS: usize = (latchkey_hdl::link::CLOCK_HZ / latchkey_hdl::link::BAUD) as usize;
/// Bits of a counter of them.
pub const BITW: usize = 6;
const _: () = assert!(BIT_CLOCKS <= 1 << BITW && BIT_CLOCKS >= 16);

/// First inline entry; the page at the pins.
pub const AT_INLINE: usize = 0;
/// Rights.
pub const AT_ACCESS: usize = 8 * 4;
/// Base.
pub const AT_BASE: usize = 8 * 8;
/// Page count.
pub const AT_PAGES: usize = 8 * 13;
/// Page size; mode above it.
pub const AT_PAGE: usize = 8 * 15;
/// Key.
pub const AT_KEY: usize = 8 * 16;
/// PD.
pub const AT_PD: usize = 8 * 20;
/// First address.
pub const AT_IOVA: usize = 8 * 21;
/// Length; data of a register write, and of its answer.
pub const AT_LENGTH: usize = 8 * 27;
/// Tag; a register write.
pub const AT_TAG: usize = 8 * 31;
/// Operation; register address; page count and last.
pub const AT_OP: usize = 8 * 32;
