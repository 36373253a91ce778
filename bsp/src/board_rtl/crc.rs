// SPDX-License-Identifier: MIT OR Apache-2.0
//! CRC-32 (ISO-HDLC, as in Ethernet), one bit a cycle.
//!
//! Contract: `clear` begins anew; `start` takes `data`, and `busy` stands for the 8 cycles it needs. `start` only while not busy.
//! `value` is the register itself; the CRC is its complement. After a message and its CRC the register holds a constant: `good`.

use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct Crc {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Begin anew.
    pub clear: Signal<In, Bit>,
    /// Take `data`.
    pub start: Signal<In, Bit>,
    /// Byte to take.
    pub data: Signal<In, Bits<8>>,
    /// At work.
    pub busy: Signal<Out, Bit>,
    /// The register.
    pub value: Signal<Out, Bits<32>>,
    /// A message with its own CRC behind it has passed.
    pub good: Signal<Out, Bit>,
    sum: DFF<Bits<32>>,
    rest: DFF<Bits<8>>,
    left: DFF<Bits<4>>,
    equal: DFF<Bit>,
    shifted: Signal<Local, Bits<32>>,
    back: Signal<Local, Bit>,
    #[default(constant(0xEDB8_8320))]
    poly: Constant<Bits<32>>,
    #[default(constant(0xDEBB_20E3))]
    residue: Constant<Bits<32>>,
    #[default(constant(0xFFFF_FFFF))]
    ones: Constant<Bits<32>>,
}

impl Logic for Crc {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, sum, rest, left, equal);
        self.shifted.next = self.sum.q.val() >> 1;
        self.back.next = self.sum.q.val().get_bit(0) ^ self.rest.q.val().get_bit(0);
        self.busy.next = self.left.q.val().any();
        if self.left.q.val().any() {
            self.left.d.next = self.left.q.val() - 1;
            self.rest.d.next = self.rest.q.val() >> 1;
            self.sum.d.next = self.shifted.val();
            if self.back.val() {
                self.sum.d.next = self.shifted.val() ^ self.poly.val();
            }
        } else if self.start.val() {
            self.rest.d.next = self.data.val();
            self.left.d.next = 8.into();
        }
        self.equal.d.next = self.sum.q.val() == self.residue.val();
        self.good.next = self.equal.q.val();
        self.value.next = self.sum.q.val();
        if self.clear.val() {
            self.sum.d.next = self.ones.val();
            self.left.d.next = 0.into();
        }
    }
}
