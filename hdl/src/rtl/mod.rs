// SPDX-License-Identifier: MIT OR Apache-2.0
//! The design. Compiled once per configuration; every file starts with `use super::prelude::*;`.

pub mod concrete;
pub mod fifo;
pub mod lut_ram;
pub mod ram;
pub mod types;

/// What every file here needs: rust-hdl, the constants of the configuration, the shared structs.
pub mod prelude {
    pub use super::super::p::*;
    pub use super::types::*;
    pub use rust_hdl::prelude::*;
}
