// SPDX-License-Identifier: MIT OR Apache-2.0
//! The synthesizable RDMA memory-region key table.
//!
//! The sources under `rtl/` are compiled once for every configuration file (see `docs/configurations.md`),
//! each copy under a module of its own: [`mod@configs`]`::tiny::rtl`, `::alchitry_cu::rtl`, ...

pub mod config;
mod derive;

/// One module per configuration, written by the build script.
#[allow(missing_docs)]
#[allow(clippy::all)]
pub mod configs {
    include!(concat!(env!("OUT_DIR"), "/configs.rs"));
}

/// What the build knows about one configuration.
pub struct ConfigInfo {
    /// Name as in the file (`alchitry-cu`).
    pub name: &'static str,
    /// Every constant of the configuration, given and derived.
    pub constants: &'static [(&'static str, u64)],
}

/// All configurations compiled in, sorted by name.
pub fn configs() -> &'static [ConfigInfo] {
    configs::ALL
}
