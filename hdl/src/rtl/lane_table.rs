// SPDX-License-Identifier: MIT OR Apache-2.0
//! RAM whose words are lanes written one by one: the tags of all ways of a set, and the set's replacement state.
//!
//! ```text
//!  read_address ──►┌──────────────────────────────┐──► read_data[W], read_state   (one cycle later)
//!  write_* ───────►│ lane 0 │ ... │ lane W-1 │ state │
//!                  └──────────────────────────────┘
//! ```
//! Contract: as `table.rs` (a read of the word written at the same edge gives *anything* in silicon); `write[i]` writes lane i
//! alone. One RAM instead of W + 1, so that narrow lanes share a block RAM's width (iCE40: a write mask for each bit).
//! Latency 1 cycle, interval 1.

use rust_hdl::prelude::*;
use smart_default::SmartDefault;
use std::collections::BTreeMap;

/// See the module's text. `W` lanes of `R` bits and 7 bits of state, `S` address bits.
#[derive(LogicBlock, SmartDefault)]
pub struct LaneTable<const W: usize, const R: usize, const S: usize> {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Address to read at this edge.
    pub read_address: Signal<In, Bits<S>>,
    /// Lanes of the last edge's address.
    #[default(std::array::from_fn(|_| Default::default()))]
    pub read_data: [Signal<Out, Bits<R>>; W],
    /// State of the last edge's address.
    pub read_state: Signal<Out, Bits<7>>,
    /// Address to write at this edge.
    pub write_address: Signal<In, Bits<S>>,
    /// Word for the lanes written.
    pub write_data: Signal<In, Bits<R>>,
    /// Lanes to write at this edge.
    pub write: Signal<In, Bits<W>>,
    /// State to write.
    pub state: Signal<In, Bits<7>>,
    /// Write the state at this edge.
    pub write_state: Signal<In, Bit>,
    _lanes: Box<BTreeMap<(usize, Bits<S>), Bits<R>>>,
    _state: Box<BTreeMap<Bits<S>, Bits<7>>>,
}

impl<const W: usize, const R: usize, const S: usize> Logic for LaneTable<W, R, S> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let (from, to) = (self.read_address.val(), self.write_address.val());
            for i in 0..W {
                self.read_data[i].next = self._lanes.get(&(i, from)).copied().unwrap_or_default();
            }
            self.read_state.next = self._state.get(&from).copied().unwrap_or_default();
            for i in 0..W {
                if self.write.val().get_bit(i) {
                    self._lanes.insert((i, to), self.write_data.val());
                }
            }
            if self.write_state.val() {
                self._state.insert(to, self.state.val());
            }
        }
    }
    fn connect(&mut self) {
        self.read_data.iter_mut().for_each(|lane| lane.connect());
        self.read_state.connect();
    }
    fn hdl(&self) -> Verilog {
        let all = W * R + 7;
        let mut text = format!(
            "(* no_rw_check *) reg [{}:0] mem[{}:0];\nreg [{}:0] word;\n\nalways @(posedge clock) begin\n   word <= mem[read_address];\n",
            all - 1,
            (1u64 << S) - 1,
            all - 1
        );
        for i in 0..W {
            text += &format!("   if (write[{i}]) mem[write_address][{}:{}] <= write_data;\n", i * R + R - 1, i * R);
        }
        text += &format!("   if (write_state) mem[write_address][{}:{}] <= state;\nend\n\nalways @(*) begin\n", all - 1, W * R);
        for i in 0..W {
            text += &format!("   read_data${i} = word[{}:{}];\n", i * R + R - 1, i * R);
        }
        text += &format!("   read_state = word[{}:{}];\nend\n", all - 1, W * R);
        Verilog::Custom(text)
    }
}
