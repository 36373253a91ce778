// SPDX-License-Identifier: MIT OR Apache-2.0
//! Serial transmitter: 8 data bits, least significant first, no parity, one stop bit.
//!
//! Contract: a byte is taken when `valid` and `ready`; `ready` is high while nothing is sent. The line is a register, high when idle.

use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct UartTx {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// Byte to send.
    pub byte_out: Signal<In, Bits<8>>,
    /// There is one.
    pub valid: Signal<In, Bit>,
    /// It is taken.
    pub ready: Signal<Out, Bit>,
    /// The wire.
    pub line: Signal<Out, Bit>,
    low: DFF<Bit>,
    busy: DFF<Bit>,
    timer: DFF<Bits<BITW>>,
    left: DFF<Bits<4>>,
    data: DFF<Bits<8>>,
    zero: Signal<Local, Bit>,
    shifted: Signal<Local, Bits<8>>,
    #[default(constant(BIT_CLOCKS - 1))]
    whole: Constant<Bits<BITW>>,
}

impl Logic for UartTx {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, low, busy, timer, left, data);
        self.shifted.next = self.data.q.val() >> 1;
        self.zero.next = !self.data.q.val().get_bit(0);
        self.ready.next = !self.busy.q.val();
        if !self.busy.q.val() {
            self.timer.d.next = self.whole.val();
            self.left.d.next = 9.into();
            self.data.d.next = self.byte_out.val();
            self.busy.d.next = self.valid.val();
            self.low.d.next = self.valid.val();
        } else if self.timer.q.val().any() {
            self.timer.d.next = self.timer.q.val() - 1;
        } else {
            self.timer.d.next = self.whole.val();
            self.left.d.next = self.left.q.val() - 1;
            self.data.d.next = self.shifted.val().replace_bit(7, true);
            self.low.d.next = self.zero.val();
            if !self.left.q.val().any() {
                self.busy.d.next = false;
                self.low.d.next = false;
            }
        }
        // kept upside down, so that the line is idle at power-up
        self.line.next = !self.low.q.val();
        if self.reset.val() {
            self.busy.d.next = false;
            self.low.d.next = false;
        }
    }
}
