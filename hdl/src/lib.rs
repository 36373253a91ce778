// SPDX-License-Identifier: MIT OR Apache-2.0
//! The synthesizable RDMA memory-region key table.
//!
//! The sources under `rtl/` are compiled once for every configuration file (see `docs/configurations.md`),
//! each copy under a module of its own: [`mod@configs`]`::tiny::rtl`, `::alchitry_cu::rtl`, ...

pub mod config;
pub mod csr;
mod derive;
pub mod export;
pub mod link;
pub mod lint;
pub mod ports;
mod processes;

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
    /// Every concrete block, sorted by name; each call of the function gives a fresh instance.
    pub modules: &'static [Module],
}

/// One block of a configuration.
pub struct Module {
    /// Name in snake case, the name of its exported module: `core`, `ram_line`, ...
    pub name: &'static str,
    /// Makes a fresh instance.
    pub make: fn() -> Box<dyn ports::DynBlock>,
}

impl ConfigInfo {
    /// The value of a constant.
    pub fn constant(&self, name: &str) -> Option<u64> {
        self.constants
            .iter()
            .find(|(n, _)| *n == name)
            .map(|(_, v)| *v)
    }

    /// A module by name.
    pub fn module(&self, name: &str) -> Option<&'static Module> {
        self.modules.iter().find(|m| m.name == name)
    }

    /// The whole core (`Core` in `rtl/core.rs`).
    pub fn top(&self) -> Option<&'static Module> {
        self.module("core")
    }

    /// Verilog of a module of this configuration, with a header, its top named `latchkey_<module>`.
    pub fn generate(&self, module: &Module) -> Result<String, export::ExportError> {
        let text = (module.make)().export(&format!("latchkey_{}", module.name))?;
        Ok(export::with_header(&text, self.name, self.constants))
    }
}

/// All configurations compiled in, sorted by name.
pub fn configs() -> &'static [ConfigInfo] {
    configs::ALL
}

/// The configuration of that name.
pub fn config(name: &str) -> Option<&'static ConfigInfo> {
    configs().iter().find(|c| c.name == name)
}
