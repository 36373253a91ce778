// SPDX-License-Identifier: MIT OR Apache-2.0
//! The core of a configuration on an engine.

use crate::args::EngineName;
use crate::configs;
use crate::error::{Error, Result};
use latchkey_hdl::{ConfigInfo, Module};
use latchkey_testbench::bench::Chosen;
use latchkey_testbench::engine::{Effort, Engine, EngineError, RustEngine, VerilatorEngine};
use std::path::Path;

/// Makes fresh cores of one configuration, the first of them exported and compiled once.
pub enum Cores {
    /// rust-hdl's simulator
    Rust(&'static Module),
    /// compiled Verilog; boxed, as it is large
    Verilator(Box<VerilatorEngine>),
}

impl Cores {
    /// For a configuration and an engine.
    pub fn new(config: &ConfigInfo, engine: EngineName) -> Result<Cores> {
        let module = configs::module(config, "core")?;
        Ok(match engine {
            EngineName::Rust => Cores::Rust(module),
            EngineName::Verilator => Cores::Verilator(Box::new(
                VerilatorEngine::new(config, module, Effort::Full).map_err(|e| mended(&e))?,
            )),
        })
    }

    /// A core after power-up.
    pub fn fresh(&self) -> Chosen {
        Chosen(match self {
            Cores::Rust(module) => Box::new(RustEngine::new(module)),
            Cores::Verilator(engine) => Box::new(engine.another()),
        })
    }

    /// The same, with waveforms to `vcd`.
    pub fn recorded(&self, vcd: Option<&Path>) -> Result<Chosen> {
        let mut core = self.fresh();
        if let Some(path) = vcd {
            Engine::record(core.0.as_mut(), path).map_err(|e| mended(&e))?;
        }
        Ok(core)
    }
}

/// The error of the command line for one of an engine.
pub fn mended(error: &EngineError) -> Error {
    match error {
        EngineError::ToolMissing { .. } => Error::EngineMissing(error.to_string()),
        EngineError::Export(_) => Error::Design(error.to_string()),
        _ => Error::EngineFailed(error.to_string()),
    }
}
