// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Alchitry Cu board: its blocks beside those of the core, for export, gate and simulation.

use latchkey_hdl::{ConfigInfo, Module};

/// Configuration whose core the board carries.
pub const CONFIG: &str = "alchitry-cu";
/// Name of the top among the modules.
pub const TOP: &str = "board";
/// Pins.
pub const PCF: &str = include_str!("../../constraints/alchitry-cu.pcf");

#[cfg(latchkey_board)]
#[path = "board_rtl/mod.rs"]
pub mod rtl;

#[cfg(latchkey_board)]
#[allow(clippy::all, missing_docs)]
mod access_code {
    use super::rtl;
    include!(concat!(env!("OUT_DIR"), "/board.rs"));
}

#[cfg(latchkey_board)]
static BOARD: ConfigInfo = ConfigInfo {
    name: CONFIG,
    constants: latchkey_hdl::configs::alchitry_cu::CONSTANTS,
    modules: access_code::MODULES,
};

/// The board's blocks under the name of its configuration; none in a build without that configuration.
pub fn info() -> Option<&'static ConfigInfo> {
    #[cfg(latchkey_board)]
    return Some(&BOARD);
    #[cfg(not(latchkey_board))]
    None
}

/// The board's top.
pub fn top() -> Option<(&'static ConfigInfo, &'static Module)> {
    let info = info()?;
    Some((info, info.module(TOP)?))
}
