// SPDX-License-Identifier: MIT OR Apache-2.0
//! rust-hdl's simulator, driven directly.

use super::{Engine, EngineError, Layout, Recorder};
use latchkey_hdl::ports::{Dir, DynBlock};
use latchkey_hdl::Module;
use std::path::Path;

/// Passes a settled design may take; a value needs one a level it climbs or falls.
const PASSES: usize = 400;

/// One block in rust-hdl's simulator.
pub struct RustEngine {
    block: Box<dyn DynBlock>,
    layout: Layout,
    inputs: Vec<u32>,
    /// Inputs the block has; None before the first cycle.
    applied: Option<Vec<u32>>,
    outputs: Vec<u32>,
    recorder: Option<Recorder>,
}

impl RustEngine {
    /// A fresh instance of a module.
    pub fn new(module: &Module) -> RustEngine {
        RustEngine::from_block((module.make)())
    }

    /// An instance never simulated before.
    pub fn from_block(mut block: Box<dyn DynBlock>) -> RustEngine {
        block.connect();
        let layout = Layout::new(block.ports());
        let inputs = vec![0; layout.input_words()];
        let outputs = vec![0; layout.output_words()];
        RustEngine {
            block,
            layout,
            inputs,
            applied: None,
            outputs,
            recorder: None,
        }
    }

    fn apply(&mut self, clock: u32) {
        for (index, port) in self.layout.ports().iter().enumerate() {
            if port.dir != Dir::In {
                continue;
            }
            if self.layout.clock() == Some(index) {
                self.block.set_input(index, &[clock]);
                continue;
            }
            let at = self.layout.offset(index);
            let range = at..at + port.words();
            let words = &self.inputs[range.clone()];
            if self.applied.as_ref().is_none_or(|old| old[range] != *words) {
                self.block.set_input(index, words);
            }
        }
        match &mut self.applied {
            Some(old) => old.copy_from_slice(&self.inputs),
            none => *none = Some(self.inputs.clone()),
        }
        assert!(
            self.block.settle(PASSES),
            "the design did not settle in {PASSES} passes, a combinational loop among: {}",
            self.block.unsettled().join(", ")
        );
    }

    fn sample(&mut self) {
        for (index, port) in self.layout.ports().iter().enumerate() {
            if port.dir == Dir::Out {
                let at = self.layout.offset(index);
                self.block
                    .get_output(index, &mut self.outputs[at..at + port.words()]);
            }
        }
    }
}

impl Engine for RustEngine {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn in_mut(&mut self) -> &mut [u32] {
        &mut self.inputs
    }

    fn out(&self) -> &[u32] {
        &self.outputs
    }

    fn settle(&mut self) {
        self.apply(0);
        self.sample();
    }

    fn cycle(&mut self) {
        self.apply(0);
        if self.layout.clock().is_some() {
            self.apply(1);
        }
        self.sample();
        if let Some(recorder) = &mut self.recorder {
            recorder
                .cycle(&self.layout, &self.inputs, &self.outputs)
                .expect("the VCD file can be written");
        }
    }

    fn record(&mut self, path: &Path) -> Result<(), EngineError> {
        self.recorder = Some(Recorder::create(path, &self.layout)?);
        Ok(())
    }
}
