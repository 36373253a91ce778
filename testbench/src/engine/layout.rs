// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the words of each port stand.

use latchkey_hdl::ports::{Dir, Port};

/// Ports of a block and their places among the input or output words.
#[derive(Clone, Debug)]
pub struct Layout {
    ports: Vec<Port>,
    offsets: Vec<usize>,
    inputs: usize,
    outputs: usize,
    clock: Option<usize>,
}

impl Layout {
    /// Lays out `ports` in order; inputs and outputs are counted apart.
    pub fn new(ports: Vec<Port>) -> Layout {
        let (mut inputs, mut outputs) = (0, 0);
        let mut offsets = Vec::with_capacity(ports.len());
        for port in &ports {
            let next = if port.dir == Dir::In {
                &mut inputs
            } else {
                &mut outputs
            };
            offsets.push(*next);
            *next += port.words();
        }
        let clock = ports
            .iter()
            .position(|p| p.name == "clock" && p.dir == Dir::In);
        Layout {
            ports,
            offsets,
            inputs,
            outputs,
            clock,
        }
    }

    /// All ports.
    pub fn ports(&self) -> &[Port] {
        &self.ports
    }

    /// First word of a port among the words of its direction.
    pub fn offset(&self, port: usize) -> usize {
        self.offsets[port]
    }

    /// Words of all inputs.
    pub fn input_words(&self) -> usize {
        self.inputs
    }

    /// Words of all outputs.
    pub fn output_words(&self) -> usize {
        self.outputs
    }

    /// The port named `clock`; the engine drives it, whatever its input word says.
    pub fn clock(&self) -> Option<usize> {
        self.clock
    }
}
