// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames from the wire into the RAM: COBS undone, CRC and length checked.
//!
//! ```text
//!  byte ─► code or data ─► write (RAM 0 to 63) ─► CRC
//!  zero byte ─► frame (good) | bad
//! ```
//! Contract: bytes of a frame are written as they come, its CRC too; only `frame`, a pulse, says that they are worth anything.
//! `size` is then its bytes without the CRC. `bad` is a pulse for everything else that ended with a zero byte: a wrong CRC,
//! a code that points past the end, fewer than 6 or more than 64 bytes, a byte without stop bit, or a byte that
//! came while `hold` says that the last frame is still read. Zero bytes between frames mean nothing.

use super::crc::Crc;
use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, Default)]
pub struct Deframer {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// A byte has come.
    pub valid: Signal<In, Bit>,
    /// It.
    pub data: Signal<In, Bits<8>>,
    /// A byte without stop bit has come.
    pub broken: Signal<In, Bit>,
    /// The last frame is still in use.
    pub hold: Signal<In, Bit>,
    /// Write to the RAM.
    pub write: Signal<Out, Bit>,
    /// Where.
    pub address: Signal<Out, Bits<6>>,
    /// What.
    pub value: Signal<Out, Bits<8>>,
    /// A good frame stands in the RAM.
    pub frame: Signal<Out, Bit>,
    /// Its bytes without CRC.
    pub size: Signal<Out, Bits<7>>,
    /// A bad one has ended.
    pub bad: Signal<Out, Bit>,
    crc: Crc,
    left: DFF<Bits<8>>,
    open: DFF<Bit>,
    spoilt: DFF<Bit>,
    count: DFF<Bits<7>>,
    length: DFF<Bits<7>>,
    good: DFF<Bit>,
    wrong: DFF<Bit>,
    put: DFF<Bit>,
    put_data: DFF<Bits<8>>,
    put_at: DFF<Bits<6>>,
    emit: Signal<Local, Bit>,
    zero: Signal<Local, Bit>,
    enough: Signal<Local, Bit>,
}

impl Logic for Deframer {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, left, open, spoilt, count, length, good, wrong, put, put_data, put_at
        );
        self.crc.clock.next = self.clock.val();
        self.zero.next = !self.data.val().any();
        self.enough.next =
            (self.count.q.val() > 5) && !self.left.q.val().any() && self.crc.good.val();
        self.emit.next = false;
        self.good.d.next = false;
        self.wrong.d.next = false;
        self.crc.clear.next = self.reset.val();
        self.put_data.d.next = self.data.val();
        if self.valid.val() {
            if self.zero.val() {
                self.good.d.next = self.open.q.val() && self.enough.val() && !self.spoilt.q.val();
                self.wrong.d.next =
                    self.open.q.val() && (!self.enough.val() || self.spoilt.q.val());
                self.length.d.next = self.count.q.val() - 4;
                self.open.d.next = false;
                self.spoilt.d.next = false;
                self.left.d.next = 0.into();
                self.count.d.next = 0.into();
                self.crc.clear.next = true;
            } else {
                self.open.d.next = true;
                if self.left.q.val().any() {
                    self.left.d.next = self.left.q.val() - 1;
                    self.emit.next = true;
                } else {
                    // a code byte: it stands for a zero, but the first
                    self.left.d.next = self.data.val() - 1;
                    self.emit.next = self.open.q.val();
                    self.put_data.d.next = 0.into();
                }
            }
        }
        if self.broken.val() {
            self.open.d.next = true;
            self.spoilt.d.next = true;
        }
        self.put.d.next = false;
        self.put_at.d.next = self.count.q.val().get_bits::<6>(0);
        if self.emit.val() {
            if self.hold.val() || self.count.q.val().get_bit(6) {
                self.spoilt.d.next = true;
            } else {
                self.put.d.next = true;
                self.count.d.next = self.count.q.val() + 1;
            }
        }
        self.crc.start.next = self.put.q.val();
        self.crc.data.next = self.put_data.q.val();
        self.write.next = self.put.q.val();
        self.address.next = self.put_at.q.val();
        self.value.next = self.put_data.q.val();
        self.frame.next = self.good.q.val();
        self.bad.next = self.wrong.q.val();
        self.size.next = self.length.q.val();
        if self.reset.val() {
            self.open.d.next = false;
            self.spoilt.d.next = false;
            self.left.d.next = 0.into();
            self.count.d.next = 0.into();
            self.put.d.next = false;
            self.good.d.next = false;
            self.wrong.d.next = false;
        }
    }
}
