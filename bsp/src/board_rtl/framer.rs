// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames onto the wire: the bytes are asked for by number, as often as needed, so no buffer is.
//!
//! ```text
//!  start ─► SUM (CRC of bytes 0..size) ─► SCAN (next zero) ─► CODE ─► SEND (up to it) ─► SCAN ... ─► END (zero byte)
//! ```
//! Contract: `start` while not `busy`; the source holds its bytes until `busy` falls. `byte_out` is right three cycles after `index`
//! changed, at the latest. If the source does not hold still, the frame's CRC is wrong, and the host drops it.
//! States: IDLE waits; SUM takes a byte into the CRC; CRC waits for it; SCAN looks for the next zero or the end;
//! CODE sends the distance to it; SEND sends the bytes before it; END sends the zero byte.

use super::crc::Crc;
use super::prelude::*;
use super::uart_tx::UartTx;

/// States, one phrase each in the module's text.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum FramerState {
    /// Nothing to send.
    Idle,
    /// A byte goes into the CRC.
    Sum,
    /// The CRC is at work.
    Crc,
    /// The next zero is looked for.
    Scan,
    /// Its distance is sent.
    Code,
    /// The bytes before it are sent.
    Send,
    /// The zero byte is sent.
    End,
}

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct Framer {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// Send a frame.
    pub start: Signal<In, Bit>,
    /// Its bytes, without CRC.
    pub size: Signal<In, Bits<5>>,
    /// At work.
    pub busy: Signal<Out, Bit>,
    /// Number of the byte wanted.
    pub index: Signal<Out, Bits<5>>,
    /// It.
    pub byte_out: Signal<In, Bits<8>>,
    /// The wire.
    pub line: Signal<Out, Bit>,
    crc: Crc,
    uart: UartTx,
    state: DFF<FramerState>,
    at: DFF<Bits<6>>,
    from: DFF<Bits<6>>,
    stop: DFF<Bits<6>>,
    tail: DFF<Bits<6>>,
    age: DFF<Bits<2>>,
    here: DFF<Bits<8>>,
    bytes: DFF<Bits<5>>,
    summed: DFF<Bit>,
    sum: Signal<Local, Bits<32>>,
    sum_at: Signal<Local, Bits<6>>,
    sum_shift: Signal<Local, Bits<5>>,
    sum_moved: Signal<Local, Bits<32>>,
    rested: Signal<Local, Bit>,
    at_end: Signal<Local, Bit>,
    hit: Signal<Local, Bit>,
    code: Signal<Local, Bits<6>>,
    gap: Signal<Local, Bits<6>>,
}

impl Logic for Framer {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, at, from, stop, tail, age, here, bytes, summed);
        self.crc.clock.next = self.clock.val();
        self.uart.clock.next = self.clock.val();
        self.uart.reset.next = self.reset.val();
        self.line.next = self.uart.line.val();
        self.index.next = self.at.q.val().get_bits::<5>(0);
        // the byte at `at`: of the source, or of the CRC behind it
        self.sum.next = !self.crc.value.val();
        self.sum_at.next = self.at.q.val() - bit_cast::<6, 5>(self.bytes.q.val());
        self.sum_shift.next = bit_cast::<5, 2>(self.sum_at.val().get_bits::<2>(0)) << 3;
        self.sum_moved.next = self.sum.val() >> self.sum_shift.val();
        self.here.d.next = self.byte_out.val();
        self.summed.d.next = self.at.q.val() >= bit_cast::<6, 5>(self.bytes.q.val());
        if self.summed.q.val() {
            self.here.d.next = self.sum_moved.val().get_bits::<8>(0);
        }
        self.rested.next = self.age.q.val().all();
        if !self.rested.val() {
            self.age.d.next = self.age.q.val() + 1;
        }
        self.tail.d.next = bit_cast::<6, 5>(self.bytes.q.val()) + 4;
        self.at_end.next = self.at.q.val() == self.tail.q.val();
        self.hit.next = self.at_end.val() || !self.here.q.val().any();
        self.gap.next = self.stop.q.val() - self.from.q.val();
        self.code.next = self.gap.val() + 1;
        self.crc.clear.next = false;
        self.crc.start.next = false;
        self.crc.data.next = self.here.q.val();
        self.uart.valid.next = false;
        self.uart.byte_out.next = self.here.q.val();
        self.busy.next = true;
        match self.state.q.val() {
            FramerState::Idle => {
                self.busy.next = false;
                self.crc.clear.next = self.start.val();
                self.bytes.d.next = self.size.val();
                self.at.d.next = 0.into();
                self.age.d.next = 0.into();
                if self.start.val() {
                    self.state.d.next = FramerState::Sum;
                }
            }
            FramerState::Sum => {
                if self.rested.val() {
                    self.crc.start.next = true;
                    self.at.d.next = self.at.q.val() + 1;
                    self.age.d.next = 0.into();
                    self.state.d.next = FramerState::Crc;
                }
            }
            FramerState::Crc => {
                if self.rested.val() && !self.crc.busy.val() {
                    self.age.d.next = 0.into();
                    self.state.d.next = FramerState::Sum;
                    if self.at.q.val() == bit_cast::<6, 5>(self.bytes.q.val()) {
                        self.at.d.next = 0.into();
                        self.from.d.next = 0.into();
                        self.state.d.next = FramerState::Scan;
                    }
                }
            }
            FramerState::Scan => {
                self.stop.d.next = self.at.q.val();
                if self.rested.val() {
                    self.age.d.next = 0.into();
                    self.at.d.next = self.at.q.val() + 1;
                    if self.hit.val() {
                        self.at.d.next = self.from.q.val();
                        self.state.d.next = FramerState::Code;
                    }
                }
            }
            FramerState::Code => {
                self.uart.valid.next = true;
                self.uart.byte_out.next = bit_cast::<8, 6>(self.code.val());
                if self.uart.ready.val() {
                    self.state.d.next = FramerState::Send;
                }
            }
            FramerState::Send => {
                if self.at.q.val() == self.stop.q.val() {
                    self.age.d.next = 0.into();
                    self.at.d.next = self.stop.q.val() + 1;
                    self.from.d.next = self.stop.q.val() + 1;
                    self.state.d.next = FramerState::Scan;
                    if self.at_end.val() {
                        self.state.d.next = FramerState::End;
                    }
                } else if self.rested.val() {
                    self.uart.valid.next = true;
                    if self.uart.ready.val() {
                        self.age.d.next = 0.into();
                        self.at.d.next = self.at.q.val() + 1;
                    }
                }
            }
            FramerState::End => {
                self.uart.valid.next = true;
                self.uart.byte_out.next = 0.into();
                if self.uart.ready.val() {
                    self.state.d.next = FramerState::Idle;
                }
            }
        }
        if self.reset.val() {
            self.state.d.next = FramerState::Idle;
        }
    }
}
