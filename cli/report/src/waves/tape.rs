// SPDX-License-Identifier: MIT OR Apache-2.0
//! An engine that remembers its pins cycle by cycle.

use latchkey_testbench::bench::{Chosen, Pins, Wires};
use latchkey_testbench::engine::{Engine, EngineError, Layout};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Words of the pins in one cycle: inputs, and outputs as they are before its edge.
#[derive(Clone)]
pub struct Cycle {
    /// inputs
    pub ins: Vec<u32>,
    /// outputs
    pub outs: Vec<u32>,
}

/// The cycles so far.
#[derive(Clone, Default)]
pub struct Tape(Arc<Mutex<Vec<Cycle>>>);

impl Tape {
    /// Number of cycles.
    pub fn len(&self) -> usize {
        self.0.lock().expect("no holder panics").len()
    }

    /// Some of them.
    pub fn cycles(&self, from: usize, to: usize) -> Vec<Cycle> {
        self.0.lock().expect("no holder panics")[from..to].to_vec()
    }
}

struct Recorded {
    inner: Box<dyn Engine>,
    tape: Tape,
}

/// The same engine with a tape, and where its pins are.
pub fn taped(engine: Chosen) -> (Chosen, Tape, Pins) {
    let pins = Pins::new(&engine.pins()).expect("the pins of the core");
    let tape = Tape::default();
    let recorded = Recorded {
        inner: engine.0,
        tape: tape.clone(),
    };
    (Chosen(Box::new(recorded)), tape, pins)
}

impl Engine for Recorded {
    fn layout(&self) -> &Layout {
        self.inner.layout()
    }
    fn in_mut(&mut self) -> &mut [u32] {
        self.inner.in_mut()
    }
    fn out(&self) -> &[u32] {
        self.inner.out()
    }
    fn settle(&mut self) {
        self.inner.settle();
    }
    fn cycle(&mut self) {
        let cycle = Cycle {
            ins: self.inner.in_mut().to_vec(),
            outs: self.inner.out().to_vec(),
        };
        self.tape.0.lock().expect("no holder panics").push(cycle);
        self.inner.cycle();
    }
    fn record(&mut self, path: &Path) -> Result<(), EngineError> {
        self.inner.record(path)
    }
}
