// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reset of the board: the button, brought to the clock, and held for 1024 cycles after its release and after power-up.
//!
//! ```text
//!  button_n ─► 2 flip-flops ─► counter (cleared while pressed) ─► reset until it is full
//! ```
//! Contract: `reset` is high from power-up (flip-flops come up 0) and from a press until 1024 cycles after; it is a register.

use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, Default)]
pub struct ResetSync {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// The button's pin, low when pressed.
    pub button_n: Signal<In, Bit>,
    /// Synchronous reset, active high.
    pub reset: Signal<Out, Bit>,
    meta: DFF<Bit>,
    released: DFF<Bit>,
    count: DFF<Bits<10>>,
    done: DFF<Bit>,
}

impl Logic for ResetSync {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, meta, released, count, done);
        self.meta.d.next = self.button_n.val();
        self.released.d.next = self.meta.q.val();
        if self.count.q.val().all() {
            self.done.d.next = true;
        } else {
            self.count.d.next = self.count.q.val() + 1;
        }
        if !self.released.q.val() {
            self.count.d.next = 0.into();
            self.done.d.next = false;
        }
        self.reset.next = !self.done.q.val();
    }
}
