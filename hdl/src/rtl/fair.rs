// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fair choice among N that ask: the one served last has the lowest claim.
//!
//! ```text
//!   ask[N] ─►(highest below the last served, else highest)─► pick (one-hot), any
//!   go ─► remembers
//! ```
//! Contract: an asker is served after at most N - 1 others. Latency 0, interval 1.

use rust_hdl::prelude::*;

/// See the module's text.
#[derive(LogicBlock, Default)]
pub struct Fair<const N: usize> {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// Who asks.
    pub ask: Signal<In, Bits<N>>,
    /// The choice is served at this edge.
    pub go: Signal<In, Bit>,
    /// Who is chosen, one-hot; 0 when nobody asks.
    pub pick: Signal<Out, Bits<N>>,
    /// Somebody asks.
    pub any: Signal<Out, Bit>,
    turn: DFF<Bits<N>>,
    high: Signal<Local, Bits<N>>,
    low: Signal<Local, Bits<N>>,
    in_turn: Signal<Local, Bit>,
    choice: Signal<Local, Bits<N>>,
    below: Signal<Local, Bits<N>>,
    seen: Signal<Local, Bit>,
    free: Signal<Local, Bit>,
}

impl<const N: usize> Logic for Fair<N> {
    #[hdl_gen]
    fn update(&mut self) {
        self.turn.clock.next = self.clock.val();
        self.in_turn.next = false;
        self.high.next = 0.into();
        self.low.next = 0.into();
        for i in 0..N {
            if self.ask.val().get_bit(i) {
                self.high.next = 0.into();
                self.high.next = self.high.val().replace_bit(i, true);
                if self.turn.q.val().get_bit(i) {
                    self.in_turn.next = true;
                    self.low.next = 0.into();
                    self.low.next = self.low.val().replace_bit(i, true);
                }
            }
        }
        self.choice.next = self.high.val();
        if self.in_turn.val() {
            self.choice.next = self.low.val();
        }
        self.below.next = 0.into();
        self.seen.next = false;
        for j in 0..N {
            if self.choice.val().get_bit(j) {
                self.seen.next = true;
            }
            self.free.next = !self.seen.val();
            self.below.next = self.below.val().replace_bit(j, self.free.val());
        }
        self.pick.next = self.choice.val();
        self.any.next = self.ask.val().any();
        self.turn.d.next = self.turn.q.val();
        if self.go.val() {
            self.turn.d.next = self.below.val();
        }
        if self.reset.val() {
            self.turn.d.next = 0.into();
        }
    }
}
