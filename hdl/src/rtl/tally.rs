// SPDX-License-Identifier: MIT OR Apache-2.0
//! Turns up to N pulses a cycle into one pulse a cycle, losing none.
//!
//! ```text
//!   pulses[N] ─► + ─►(owed)─► tick, owed - 1
//! ```
//! Contract: as many ticks as pulses, as long as fewer than 2^W are owed; `crowded` from half of that on, so that a source that can be
//! held is held. One source (N = 1) never owes more than one: W = 1 will do, and it is never crowded. Latency 1 cycle.

use super::prelude::*;

/// `N` pulse inputs, `W` bits of backlog.
#[derive(LogicBlock, SmartDefault)]
pub struct Tally<const N: usize, const W: usize> {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// Pulses.
    pub pulses: Signal<In, Bits<N>>,
    /// One pulse.
    pub tick: Signal<Out, Bit>,
    /// Half of the backlog is taken.
    pub crowded: Signal<Out, Bit>,
    owed: DFF<Bits<W>>,
    rest: Signal<Local, Bits<W>>,
    more: Signal<Local, Bits<W>>,
    /// One-hot: how many pulses.
    many: Signal<Local, Bits<32>>,
    #[default(std::array::from_fn(|i| constant(i + 1)))]
    number: [Constant<Bits<W>>; N],
}

impl<const N: usize, const W: usize> Logic for Tally<N, W> {
    #[hdl_gen]
    fn update(&mut self) {
        self.owed.clock.next = self.clock.val();
        self.rest.next = self.owed.q.val();
        self.tick.next = self.owed.q.val().any();
        if self.owed.q.val().any() {
            self.rest.next = self.owed.q.val() - 1;
        }
        // how many come, without carries: bit `i` is moved once a pulse
        self.many.next = 1.into();
        for i in 0..N {
            if self.pulses.val().get_bit(i) {
                self.many.next = self.many.val() << 1;
            }
        }
        self.more.next = 0.into();
        for n in 0..N {
            self.many.next = self.many.val() >> 1;
            if self.many.val().get_bit(0) {
                self.more.next = self.number[n].val();
            }
        }
        self.owed.d.next = self.rest.val() + self.more.val();
        self.crowded.next = false;
        for b in 1..W {
            self.crowded.next = self.owed.q.val().get_bit(b);
        }
        if self.reset.val() {
            self.owed.d.next = 0.into();
        }
    }
}
