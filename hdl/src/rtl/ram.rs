// SPDX-License-Identifier: MIT OR Apache-2.0
//! Block RAM: one synchronous read port, one write port.
//!
//! Ports: `clock`, `read_address` (A), `read_data` (W, one cycle after the address), `write_address` (A),
//! `write_data` (W), `write_enable`. A read of the address written at the same edge gives the old word in
//! simulation, but nothing may rely on it: the RAM is marked `no_rw_check`, so that synthesis adds no bypass.
//! Contents at power-up are unknown in hardware and 0 in the Rust simulation. No reset.

use super::prelude::*;

/// 2^A words of W bits.
#[derive(LogicBlock)]
pub struct Ram<const W: usize, const A: usize> {
    /// Clock, rising edge.
    pub clock: Signal<In, Clock>,
    /// Word to read at the next edge.
    pub read_address: Signal<In, Bits<A>>,
    /// The word addressed at the last edge.
    pub read_data: Signal<Out, Bits<W>>,
    /// Word to write.
    pub write_address: Signal<In, Bits<A>>,
    /// Its new value.
    pub write_data: Signal<In, Bits<W>>,
    /// Write at the next edge.
    pub write_enable: Signal<In, Bit>,
    _words: Vec<Bits<W>>,
}

impl<const W: usize, const A: usize> Default for Ram<W, A> {
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

impl<const W: usize, const A: usize> Logic for Ram<W, A> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.read_data.next = self._words[self.read_address.val().index()];
            if self.write_enable.val() {
                self._words[self.write_address.val().index()] = self.write_data.val();
            }
        }
    }

    fn connect(&mut self) {
        self.read_data.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "(* no_rw_check *)\nreg [{high}:0] mem [0:{last}];\n\n\
             always @(posedge clock) begin\n   read_data <= mem[read_address];\n\
             \x20  if (write_enable) mem[write_address] <= write_data;\nend\n",
            high = W - 1,
            last = (1usize << A) - 1,
        ))
    }
}
