// SPDX-License-Identifier: MIT OR Apache-2.0
//! RAM with one registered read port and one write port.
//!
//! ```text
//!  read_address  ──►┌───────┐──► read_data   (one cycle later)
//!  write_*       ──►│ 2^N D │
//!                   └───────┘
//! ```
//! Contract: a word written at an edge is read from the next edge on; a read and a write of one word at the same
//! edge return the old word in simulation and *anything* in silicon (`no_rw_check`), so no user relies on it.
//! No initial contents: users write before they read, or sweep after reset.
//! Latency 1 cycle, interval 1. Becomes block RAM (iCE40: 16 bits wide at depth 256).

use rust_hdl::prelude::*;
use std::collections::BTreeMap;

/// See the module's text. `D` is a word, `N` the address bits.
#[derive(LogicBlock, Default)]
pub struct Table<D: Synth, const N: usize> {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Address to read at this edge.
    pub read_address: Signal<In, Bits<N>>,
    /// Word of the last edge's address.
    pub read_data: Signal<Out, D>,
    /// Address to write at this edge.
    pub write_address: Signal<In, Bits<N>>,
    /// Word to write.
    pub write_data: Signal<In, D>,
    /// Write at this edge.
    pub write_enable: Signal<In, Bit>,
    _mem: Box<BTreeMap<Bits<N>, D>>,
}

impl<D: Synth, const N: usize> Logic for Table<D, N> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.read_data.next = *self._mem.get(&self.read_address.val()).unwrap_or(&D::default());
            if self.write_enable.val() {
                self._mem.insert(self.write_address.val(), self.write_data.val());
            }
        }
    }
    fn connect(&mut self) {
        self.read_data.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "(* no_rw_check, ram_style = \"block\" *) reg [{d}:0] words[{n}:0];\n\n\
             always @(posedge clock) begin\n   read_data <= words[read_address];\n   \
             if (write_enable) words[write_address] <= write_data;\nend\n",
            d = D::BITS - 1,
            n = (1u64 << N) - 1,
        ))
    }
}
