// SPDX-License-Identifier: MIT OR Apache-2.0
//! An engine that remembers its pins cycle by cycle: for timing diagrams, and for another simulator that is to do the same.

use super::{Engine, EngineError, Layout};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Words of the pins in one cycle: inputs, and outputs as they are before its edge.
#[derive(Clone, Debug)]
pub struct Cycle {
    /// inputs
    pub ins: Vec<u32>,
    /// outputs
    pub outs: Vec<u32>,
}

/// The cycles so far.
#[derive(Clone, Debug, Default)]
pub struct Tape(Arc<Mutex<Vec<Cycle>>>);

impl Tape {
    /// Number of cycles.
    pub fn len(&self) -> usize {
        self.0.lock().expect("no holder panics").len()
    }

    /// None yet?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Some of them.
    pub fn cycles(&self, from: usize, to: usize) -> Vec<Cycle> {
        self.0.lock().expect("no holder panics")[from..to].to_vec()
    }
}

/// Another engine, with a tape. It is driven a cycle at a time.
pub struct Taped {
    inner: Box<dyn Engine>,
    tape: Tape,
    limit: usize,
}

impl Taped {
    /// Around `inner`; at most `limit` cycles are kept.
    pub fn new(inner: Box<dyn Engine>, limit: usize) -> (Taped, Tape) {
        let tape = Tape::default();
        let taped = Taped {
            inner,
            tape: tape.clone(),
            limit,
        };
        (taped, tape)
    }
}

impl Engine for Taped {
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
        let mut cycles = self.tape.0.lock().expect("no holder panics");
        if cycles.len() < self.limit {
            cycles.push(Cycle {
                ins: self.inner.in_mut().to_vec(),
                outs: self.inner.out().to_vec(),
            });
        }
        drop(cycles);
        self.inner.cycle();
    }
    fn record(&mut self, path: &Path) -> Result<(), EngineError> {
        self.inner.record(path)
    }
}
