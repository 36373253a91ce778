// SPDX-License-Identifier: MIT OR Apache-2.0
//! The top of the Alchitry Cu board, one block a file: serial link, self-test, and the core of `alchitry-cu`.

pub mod ack;
pub mod args;
pub mod board;
pub mod crc;
pub mod deframer;
pub mod engine;
pub mod framer;
pub mod layout;
pub mod leds;
pub mod message;
pub mod modes;
pub mod outbox;
pub mod pll;
pub mod reset_sync;
pub mod script;
pub mod store;
pub mod taps;
pub mod uart_rx;
pub mod uart_tx;

/// What every file here needs: rust-hdl, the constants of the configuration, the layout of the board.
pub mod prelude {
    pub use super::layout::*;
    pub use latchkey_hdl::configs::alchitry_cu::p::*;
    pub use latchkey_hdl::configs::alchitry_cu::rtl::prelude::constant;
    pub use rust_hdl::prelude::*;
    pub use smart_default::SmartDefault;
}
