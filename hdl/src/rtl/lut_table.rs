// SPDX-License-Identifier: MIT OR Apache-2.0
//! Small RAM with a combinational read port and one write port (flip-flops on iCE40, distributed RAM on ECP5).
//!
//! ```text
//!  read_address  ──►┌───────┐──► read_data   (same cycle)
//!  write_*       ──►│ 2^N D │
//!                   └───────┘
//! ```
//! Contract: a word written at an edge is read from that edge on. No initial contents. Latency 0, interval 1.

use rust_hdl::prelude::*;
use std::collections::BTreeMap;

/// See the module's text. `D` is a word, `N` the address bits.
#[derive(LogicBlock, Default)]
pub struct LutTable<D: Synth, const N: usize> {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Address to read now.
    pub read_address: Signal<In, Bits<N>>,
    /// Its word.
    pub read_data: Signal<Out, D>,
    /// Address to write at this edge.
    pub write_address: Signal<In, Bits<N>>,
    /// Word to write.
    pub write_data: Signal<In, D>,
    /// Write at this edge.
    pub write_enable: Signal<In, Bit>,
    _mem: Box<BTreeMap<Bits<N>, D>>,
}

impl<D: Synth, const N: usize> Logic for LutTable<D, N> {
    fn update(&mut self) {
        if self.clock.pos_edge() && self.write_enable.val() {
            self._mem.insert(self.write_address.val(), self.write_data.val());
        }
        self.read_data.next = *self._mem.get(&self.read_address.val()).unwrap_or(&D::default());
    }
    fn connect(&mut self) {
        self.read_data.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "reg [{d}:0] words[{n}:0];\n\nalways @(*) read_data = words[read_address];\n\n\
             always @(posedge clock) begin\n   if (write_enable) words[write_address] <= write_data;\nend\n",
            d = D::BITS - 1,
            n = (1u64 << N) - 1,
        ))
    }
}
