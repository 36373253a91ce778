// SPDX-License-Identifier: MIT OR Apache-2.0
//! The link between board and host, as numbers. RTL, host library and `docs/board.md` agree on what stands here.
//!
//! A frame is `kind, seq, payload, CRC-32 (least significant byte first)`, COBS-encoded and ended by a zero byte.
//! Every frame of the host but an answer has a byte before its payload: the number of the last message answered.

/// Version of the protocol, in every acknowledgement.
pub const VERSION: u8 = 2;
/// Bits a second on the wire, one start and one stop bit, no parity.
pub const BAUD: u32 = 2_000_000;
/// Oscillator of the board in Hz.
pub const OSCILLATOR_HZ: u32 = 100_000_000;
/// Clock of the board's logic in Hz, made from it by the PLL: a number the placed design reaches.
pub const CLOCK_HZ: u32 = 80_000_000;
/// Longest frame before COBS, without its CRC, from the host.
pub const MAX_FROM_HOST: usize = 60;

/// First byte of a frame from the host.
pub mod host {
    /// Answers a message of the board; `seq` is that of the message. Payload: the words of an ICM read, else none.
    pub const ANSWER: u8 = 1;
    /// Opens the link. Payload: flags of [`super::hello`].
    pub const HELLO: u8 = 2;
    /// A command of the registration port.
    pub const COMMAND: u8 = 3;
    /// A lookup.
    pub const LOOKUP: u8 = 4;
    /// Up to eight page-list entries.
    pub const PAGES: u8 = 5;
    /// `dma_done`. Payload: the tag.
    pub const DONE: u8 = 6;
    /// Access to a register.
    pub const CSR: u8 = 7;
    /// Asks for an acknowledgement only, which carries the state.
    pub const STATUS: u8 = 8;
    /// Resets the core, closes the link, runs the self-test.
    pub const SELF_TEST: u8 = 9;

    /// Payload bytes of each kind; of `ANSWER` they depend on the message.
    pub const BYTES: [usize; 10] = [0, 0, 1, 33, 17, 33, 1, 6, 0, 0];
}

/// Bits of the payload of `HELLO`.
pub mod hello {
    /// The tables of the host are empty: the core is reset.
    pub const FRESH: u8 = 1;
    /// The link is slow to answer: messages are sent again after 2^21 cycles in place of 2^17.
    pub const PATIENT: u8 = 2;
}

/// First byte of a frame from the board.
pub mod board {
    /// Answers a request of the host; `seq` is that of the request. Payload: status, flags, version, counters.
    pub const ACK: u8 = 0x81;
    /// A message of the core: this plus the number in [`super::source`].
    pub const MESSAGE: u8 = 0x90;
}

/// What a message of the board carries.
pub mod source {
    /// A beat of the ICM request stream.
    pub const ICM: u8 = 0;
    /// Answer of the registration port.
    pub const ANSWER: u8 = 1;
    /// Verdict.
    pub const VERDICT: u8 = 2;
    /// Segment.
    pub const SEGMENT: u8 = 3;
    /// Event.
    pub const EVENT: u8 = 4;
    /// Answer of a register access.
    pub const CSR: u8 = 5;
}

/// Status in an acknowledgement.
pub mod status {
    /// Done, or done before (the same request again).
    pub const OK: u8 = 0;
    /// The place the request needs is taken, or the answer the host gave before it was lost; nothing was done, ask again.
    pub const BUSY: u8 = 1;
    /// Not the next sequence number; nothing was done.
    pub const SEQUENCE: u8 = 2;
    /// Unknown kind or wrong length; nothing was done.
    pub const MALFORMED: u8 = 3;
    /// The link is not open (no `HELLO` since reset or self-test, or one without `FRESH`); nothing was done.
    pub const CLOSED: u8 = 4;
}

/// Flags in an acknowledgement.
pub mod flag {
    /// The host serves the ICM.
    pub const HOSTED: u8 = 1;
    /// The core has ended its sweep after reset.
    pub const READY: u8 = 2;
    /// The self-test runs.
    pub const TESTING: u8 = 4;
    /// The last self-test passed.
    pub const PASSED: u8 = 8;
    /// The last self-test failed.
    pub const FAILED: u8 = 16;
    /// A message is on its way to the host or waits for its answer.
    pub const WAITING: u8 = 32;
}
