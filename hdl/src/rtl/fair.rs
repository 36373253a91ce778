// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fair choice among N that ask: the one served last has the lowest claim.
//!
//! ```text
//!   ask[N] ─►(asks, and nobody who asks goes before it)─► pick (one-hot), any
//!   go ─► who was picked goes behind all others
//! ```
//! Contract: an asker is served after at most N - 1 others: of those that ask, who was served longest ago. Two at a time are compared, each
//! pair's order in a register, so the choice is two levels of logic. Latency 0, interval 1.

use rust_hdl::prelude::*;
use smart_default::SmartDefault;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
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
    #[default(std::array::from_fn(|_| Default::default()))]
    ahead: [DFF<Bits<N>>; N],
    others: Signal<Local, Bits<N>>,
    choice: Signal<Local, Bits<N>>,
    behind: Signal<Local, Bits<N>>,
}

impl<const N: usize> Logic for Fair<N> {
    #[hdl_gen]
    fn update(&mut self) {
        self.choice.next = 0.into();
        for i in 0..N {
            self.ahead[i].clock.next = self.clock.val();
            self.others.next = self.ask.val() & self.ahead[i].q.val();
            self.choice.next = self.choice.val().replace_bit(i, self.ask.val().get_bit(i) & !self.others.val().any());
        }
        self.pick.next = self.choice.val();
        self.any.next = self.ask.val().any();
        // who goes before `j`: no longer who is served now; all others, when `j` is
        for j in 0..N {
            self.behind.next = self.ahead[j].q.val();
            if self.go.val() {
                self.behind.next = self.behind.val() & !self.choice.val();
                if self.choice.val().get_bit(j) {
                    self.behind.next = 0.into();
                    self.behind.next = !self.behind.val();
                    self.behind.next = self.behind.val().replace_bit(j, false);
                }
            }
            self.ahead[j].d.next = self.behind.val();
        }
        if self.reset.val() {
            self.behind.next = 0.into();
            for k in 0..N {
                self.ahead[k].d.next = self.behind.val();
                self.behind.next = self.behind.val().replace_bit(k, true);
            }
        }
    }
}
