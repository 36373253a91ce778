// SPDX-License-Identifier: MIT OR Apache-2.0
//! The one block RAM of the board: a frame from the host, the tables of the self-test, and its script (`layout.rs`).
//!
//! Contract as of the core's `table.rs`: a word written at an edge is read from the next edge on, a read of a word in the cycle of
//! its write gives anything. The script is there after configuration; everything else is written before it is read.
//! Latency 1 cycle, interval 1. Becomes one block RAM of 512 x 8 bits.

use super::prelude::*;
use super::script;
use std::collections::BTreeMap;

/// See the module's text.
#[derive(LogicBlock)]
pub struct Store {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Address to read at this edge.
    pub read_address: Signal<In, Bits<RAMW>>,
    /// Byte of the last edge's address.
    pub read_data: Signal<Out, Bits<8>>,
    /// Address to write at this edge.
    pub write_address: Signal<In, Bits<RAMW>>,
    /// Byte to write.
    pub write_data: Signal<In, Bits<8>>,
    /// Write at this edge.
    pub write_enable: Signal<In, Bit>,
    _mem: Box<BTreeMap<Bits<RAMW>, Bits<8>>>,
}

impl Default for Store {
    fn default() -> Store {
        let script = script::bytes();
        let words = script.iter().enumerate().map(|(at, byte)| {
            (
                ((SCRIPT_AT + at) as u64).to_bits(),
                u64::from(*byte).to_bits(),
            )
        });
        Store {
            clock: Default::default(),
            read_address: Default::default(),
            read_data: Default::default(),
            write_address: Default::default(),
            write_data: Default::default(),
            write_enable: Default::default(),
            _mem: Box::new(words.collect()),
        }
    }
}

impl Logic for Store {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.read_data.next = *self
                ._mem
                .get(&self.read_address.val())
                .unwrap_or(&Default::default());
            if self.write_enable.val() {
                self._mem
                    .insert(self.write_address.val(), self.write_data.val());
            }
        }
    }
    fn connect(&mut self) {
        self.read_data.connect();
    }
    fn hdl(&self) -> Verilog {
        let script = script::bytes();
        let contents: String = (0..1usize << RAMW)
            .map(|at| {
                at.checked_sub(SCRIPT_AT)
                    .and_then(|n| script.get(n))
                    .copied()
                    .unwrap_or(0)
            })
            .enumerate()
            .map(|(at, byte)| format!("   words[{at}] = 8'h{byte:02x};\n"))
            .collect();
        Verilog::Custom(format!(
            "(* no_rw_check, ram_style = \"block\" *) reg [7:0] words[{n}:0];\n\ninitial begin\n{contents}end\n\n\
             always @(posedge clock) begin\n   read_data <= words[read_address];\n   \
             if (write_enable) words[write_address] <= write_data;\nend\n",
            n = (1u64 << RAMW) - 1,
        ))
    }
}
