// SPDX-License-Identifier: MIT OR Apache-2.0
//! RAM whose wide words are written one lane at a time, as a line's beats arrive, and read whole.
//!
//! ```text
//!  read_address ──►┌──────────────────────────┐──► read_data (one cycle later)
//!  write_* ───────►│ lane 0 │ lane 1 │ ...    │
//!                  └──────────────────────────┘
//! ```
//! Contract: as `table.rs` (a read of the word written at the same edge gives *anything* in silicon); `write[i]` writes lane i alone.
//! The last lane may be narrower than a beat. Latency 1 cycle, interval 1.

use rust_hdl::prelude::*;
use std::collections::BTreeMap;

/// See the module's text. `W` lanes of `B` bits, `L` bits in all (more than `(W - 1) * B`, at most `W * B`), `S` address bits.
#[derive(LogicBlock, Default)]
pub struct LineTable<const W: usize, const B: usize, const L: usize, const S: usize> {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Address to read at this edge.
    pub read_address: Signal<In, Bits<S>>,
    /// Word of the last edge's address.
    pub read_data: Signal<Out, Bits<L>>,
    /// Address to write at this edge.
    pub write_address: Signal<In, Bits<S>>,
    /// Beat for the lanes written.
    pub write_data: Signal<In, Bits<B>>,
    /// Lanes to write at this edge.
    pub write: Signal<In, Bits<W>>,
    _mem: Box<BTreeMap<Bits<S>, Bits<L>>>,
}

impl<const W: usize, const B: usize, const L: usize, const S: usize> Logic for LineTable<W, B, L, S> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.read_data.next = self._mem.get(&self.read_address.val()).copied().unwrap_or_default();
            if self.write.val().any() {
                let at = self.write_address.val();
                let mut word = self._mem.get(&at).copied().unwrap_or_default();
                for i in 0..W {
                    if self.write.val().get_bit(i) {
                        for b in 0..B.min(L - i * B) {
                            word = word.replace_bit(i * B + b, self.write_data.val().get_bit(b));
                        }
                    }
                }
                self._mem.insert(at, word);
            }
        }
    }
    fn connect(&mut self) {
        self.read_data.connect();
    }
    fn hdl(&self) -> Verilog {
        let mut text = format!(
            "(* no_rw_check *) reg [{}:0] words[{}:0];\n\nalways @(posedge clock) begin\n   read_data <= words[read_address];\n",
            L - 1,
            (1u64 << S) - 1
        );
        for i in 0..W {
            let wide = B.min(L - i * B);
            text += &format!(
                "   if (write[{i}]) words[write_address][{}:{}] <= write_data[{}:0];\n",
                i * B + wide - 1,
                i * B,
                wide - 1
            );
        }
        text += "end\n";
        Verilog::Custom(text)
    }
}
