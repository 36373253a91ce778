// SPDX-License-Identifier: MIT OR Apache-2.0
//! The engines of the testbench under the bench's view of pins.

use crate::args::EngineName;
use crate::configs;
use crate::error::{Error, Result};
use latchkey_hdl::ports::Dir;
use latchkey_hdl::ConfigInfo;
use latchkey_testbench::bench::{PinPort, Wires};
use latchkey_testbench::engine::{Effort, Engine, EngineError, RustEngine, VerilatorEngine};
use std::path::Path;

/// An engine as the bench wants it.
pub struct Pinned(Box<dyn Engine>);

/// A fresh core of a configuration on an engine; waveforms go to `vcd`.
pub fn core(config: &ConfigInfo, engine: EngineName, vcd: Option<&Path>) -> Result<Pinned> {
    let module = configs::module(config, "core")?;
    let mut engine: Box<dyn Engine> = match engine {
        EngineName::Rust => Box::new(RustEngine::new(module)),
        EngineName::Verilator => {
            Box::new(VerilatorEngine::new(config, module, Effort::Full).map_err(|e| mended(&e))?)
        }
    };
    if let Some(path) = vcd {
        engine.record(path).map_err(|e| mended(&e))?;
    }
    Ok(Pinned(engine))
}

fn mended(error: &EngineError) -> Error {
    match error {
        EngineError::ToolMissing { .. } => Error::EngineMissing(error.to_string()),
        EngineError::Export(_) => Error::Design(error.to_string()),
        _ => Error::EngineFailed(error.to_string()),
    }
}

impl Wires for Pinned {
    fn pins(&self) -> Vec<PinPort<'_>> {
        let ports = self.0.ports();
        ports
            .iter()
            .enumerate()
            .filter(|(_, port)| port.name != "clock")
            .map(|(at, port)| PinPort {
                name: &port.name,
                width: port.width as u32,
                word: self.0.offset(at) as u32,
                input: port.dir == Dir::In,
            })
            .collect()
    }

    fn inputs(&mut self) -> &mut [u32] {
        self.0.in_mut()
    }

    fn outputs(&self) -> &[u32] {
        self.0.out()
    }

    fn cycle(&mut self) {
        self.0.cycle();
    }
}
