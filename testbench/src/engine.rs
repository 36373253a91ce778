// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs one block cycle by cycle: in rust-hdl's simulator, or as exported Verilog compiled by Verilator.
//!
//! Both engines take the same stimulus and give the same trace. Ports are numbered as [`Engine::ports`] lists
//! them; values are 32-bit words, least significant first. Inputs keep their value until changed.

mod cache;
mod layout;
mod record;
mod rust;
mod tape;
pub mod tape_bench;
mod verilator;
mod wrapper;

pub use layout::Layout;
pub use record::Recorder;
pub use rust::RustEngine;
pub use tape::{Cycle, Tape, Taped};
pub use verilator::{Effort, VerilatorEngine};

use latchkey_hdl::ports::{Dir, Port};
use std::path::{Path, PathBuf};

/// Why an engine can't be made or used.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// A program is not installed.
    #[error("`{tool}` is not installed: apt-get install verilator g++")]
    ToolMissing {
        /// The program.
        tool: &'static str,
    },
    /// A program failed.
    #[error("`{tool}` failed on {module}:\n{output}")]
    ToolFailed {
        /// The program.
        tool: &'static str,
        /// What it was working on.
        module: String,
        /// What it said.
        output: String,
    },
    /// The block can't be exported.
    #[error(transparent)]
    Export(#[from] latchkey_hdl::export::ExportError),
    /// A file can't be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The built library can't be loaded.
    #[error("can't load {path}: {source}")]
    Load {
        /// The library.
        path: PathBuf,
        /// The cause.
        source: libloading::Error,
    },
}

impl EngineError {
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> EngineError + '_ {
        move |source| EngineError::Io {
            path: path.into(),
            source,
        }
    }
}

/// A running block.
pub trait Engine: Send {
    /// Where each port's words are.
    fn layout(&self) -> &Layout;
    /// Words of all inputs; write a port at [`Layout::offset`]. Bits beyond a port's width are ignored.
    fn in_mut(&mut self) -> &mut [u32];
    /// Words of all outputs as of the last [`Engine::settle`] or [`Engine::cycle`].
    fn out(&self) -> &[u32];
    /// Applies the inputs with the clock low; outputs then show combinational answers.
    fn settle(&mut self);
    /// Applies the inputs with the clock low, settles, then gives one rising edge and settles.
    fn cycle(&mut self);
    /// Can it be told the inputs of the next cycle with the edge of this one ([`Engine::edge`])?
    fn ahead(&self) -> bool {
        false
    }
    /// Where [`Engine::ahead`]: gives a rising edge to what was applied last and applies the inputs, which belong to the cycle that
    /// begins. Outputs are then as after a [`Engine::settle`]. Costs one evaluation, a cycle with new inputs two.
    fn edge(&mut self) {
        unreachable!("only where `ahead` says so")
    }
    /// From now on writes every cycle to a VCD file.
    fn record(&mut self, path: &Path) -> Result<(), EngineError>;

    /// All ports, in order.
    fn ports(&self) -> &[Port] {
        self.layout().ports()
    }

    /// The number of the port of that name.
    fn port(&self, name: &str) -> Option<usize> {
        self.ports().iter().position(|p| p.name == name)
    }

    /// Where the words of a port begin, in `in_mut()` or `out()` by its direction.
    fn offset(&self, port: usize) -> usize {
        self.layout().offset(port)
    }

    /// Sets an input.
    ///
    /// # Panics
    /// If the port is not an input or `words` is longer than it.
    fn set(&mut self, port: usize, words: &[u32]) {
        assert_eq!(
            self.ports()[port].dir,
            Dir::In,
            "{} is an output",
            self.ports()[port].name
        );
        let (at, size) = (self.offset(port), self.ports()[port].words());
        let target = &mut self.in_mut()[at..at + size];
        target[words.len()..].fill(0);
        target[..words.len()].copy_from_slice(words);
    }

    /// Reads an output.
    ///
    /// # Panics
    /// If the port is not an output.
    fn get(&self, port: usize, words: &mut [u32]) {
        assert_eq!(
            self.ports()[port].dir,
            Dir::Out,
            "{} is an input",
            self.ports()[port].name
        );
        let (at, size) = (
            self.offset(port),
            self.ports()[port].words().min(words.len()),
        );
        words[..size].copy_from_slice(&self.out()[at..at + size]);
    }
}
