// SPDX-License-Identifier: MIT OR Apache-2.0
//! Serial receiver: 8 data bits, least significant first, no parity, one stop bit.
//!
//! ```text
//!  line ─► 2 flip-flops ─► start seen ─► middle of each bit ─► byte, valid | broken
//! ```
//! Contract: `valid` is a pulse with `byte`; `broken` is a pulse in its place when the stop bit is not high. A start bit that is
//! not low in its middle is noise and gives nothing. The byte comes in the middle of its stop bit.

use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct UartRx {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// The wire, high when idle.
    pub line: Signal<In, Bit>,
    /// The byte of `valid`.
    pub byte_in: Signal<Out, Bits<8>>,
    /// A byte has come.
    pub valid: Signal<Out, Bit>,
    /// A byte without its stop bit has come.
    pub broken: Signal<Out, Bit>,
    meta: DFF<Bit>,
    low: DFF<Bit>,
    busy: DFF<Bit>,
    timer: DFF<Bits<BITW>>,
    left: DFF<Bits<4>>,
    data: DFF<Bits<8>>,
    good: DFF<Bit>,
    bad: DFF<Bit>,
    high: Signal<Local, Bit>,
    shifted: Signal<Local, Bits<8>>,
    #[default(constant(BIT_CLOCKS / 2 - 2))]
    half: Constant<Bits<BITW>>,
    #[default(constant(BIT_CLOCKS - 1))]
    whole: Constant<Bits<BITW>>,
}

impl Logic for UartRx {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, meta, low, busy, timer, left, data, good, bad);
        // kept upside down, so that the line looks idle at power-up
        self.high.next = !self.line.val();
        self.meta.d.next = self.high.val();
        self.low.d.next = self.meta.q.val();
        self.high.next = !self.low.q.val();
        self.shifted.next = self.data.q.val() >> 1;
        self.good.d.next = false;
        self.bad.d.next = false;
        if !self.busy.q.val() {
            self.timer.d.next = self.half.val();
            self.left.d.next = 9.into();
            self.busy.d.next = self.low.q.val();
        } else if self.timer.q.val().any() {
            self.timer.d.next = self.timer.q.val() - 1;
        } else {
            self.timer.d.next = self.whole.val();
            self.left.d.next = self.left.q.val() - 1;
            if self.left.q.val() == 9 {
                self.busy.d.next = self.low.q.val();
            } else if self.left.q.val().any() {
                self.data.d.next = self.shifted.val().replace_bit(7, self.high.val());
            } else {
                self.busy.d.next = false;
                self.good.d.next = self.high.val();
                self.bad.d.next = self.low.q.val();
            }
        }
        self.byte_in.next = self.data.q.val();
        self.valid.next = self.good.q.val();
        self.broken.next = self.bad.q.val();
        if self.reset.val() {
            self.busy.d.next = false;
            self.good.d.next = false;
            self.bad.d.next = false;
        }
    }
}
