// SPDX-License-Identifier: MIT OR Apache-2.0
//! Small RAM with asynchronous read (distributed RAM, or flip-flops and muxes): one read port, one write port.
//!
//! Ports: `clock`, `read_address` (A), `read_data` (W, the same cycle), `write_address` (A), `write_data` (W),
//! `write_enable`. The old word is seen until the edge of the write. Contents at power-up are unknown in
//! hardware and 0 in the Rust simulation. Keep A small: where no distributed RAM exists each word costs W flip-flops.

use super::prelude::*;

/// 2^A words of W bits.
#[derive(LogicBlock)]
pub struct LutRam<const W: usize, const A: usize> {
    /// Clock, rising edge.
    pub clock: Signal<In, Clock>,
    /// Word to read.
    pub read_address: Signal<In, Bits<A>>,
    /// That word, combinational.
    pub read_data: Signal<Out, Bits<W>>,
    /// Word to write.
    pub write_address: Signal<In, Bits<A>>,
    /// Its new value.
    pub write_data: Signal<In, Bits<W>>,
    /// Write at the next edge.
    pub write_enable: Signal<In, Bit>,
    _words: Vec<Bits<W>>,
}

impl<const W: usize, const A: usize> Default for LutRam<W, A> {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            read_address: Default::default(),
            read_data: Default::default(),
            write_address: Default::default(),
            write_data: Default::default(),
            write_enable: Default::default(),
            _words: vec![Default::default(); 1 << A],
        }
    }
}

impl<const W: usize, const A: usize> Logic for LutRam<W, A> {
    fn update(&mut self) {
        if self.clock.pos_edge() && self.write_enable.val() {
            self._words[self.write_address.val().index()] = self.write_data.val();
        }
        self.read_data.next = self._words[self.read_address.val().index()];
    }

    fn connect(&mut self) {
        self.read_data.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "reg [{high}:0] mem [0:{last}];\n\n\
             always @(posedge clock) begin\n   if (write_enable) mem[write_address] <= write_data;\nend\n\n\
             always @(*) read_data = mem[read_address];\n",
            high = W - 1,
            last = (1usize << A) - 1,
        ))
    }
}
