// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bytes of an acknowledgement, and the counters in it.
//!
//! ```text
//!  byte  0     1    2       3      4        5           6        7        8
//!        0x81  seq  status  flags  version  bad frames  refused  resends  byte of the script the self-test stands at
//! ```
//! Contract: number, status, flags and place are those of the moment of the last `ack`, before what it acknowledges; `byte_out` belongs to the `index` of a cycle ago. Counters have 8 bits
//! and go round; `bad`: frames that broke on the wire, `refused`: good frames that were not what was due, `resent`: messages sent again.
//! If a counter moves while its frame goes out, the frame's CRC is wrong, and the host asks again.

use super::prelude::*;
use latchkey_hdl::link::{board, flag, VERSION};

/// Bytes of the frame, without CRC.
pub const ACK_BYTES: usize = 9;
const _: () = assert!(
    flag::HOSTED == 1
        && flag::READY == 2
        && flag::TESTING == 4
        && flag::PASSED == 8
        && flag::FAILED == 16
        && flag::WAITING == 32
);

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
#[allow(missing_docs)]
pub struct Ack {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub ack: Signal<In, Bit>,
    pub ack_seq: Signal<In, Bits<8>>,
    pub ack_status: Signal<In, Bits<3>>,
    /// Hosted, ready, testing, passed, failed, waiting.
    pub flags: Signal<In, Bits<6>>,
    pub at: Signal<In, Bits<8>>,
    pub bad: Signal<In, Bit>,
    pub refused: Signal<In, Bit>,
    pub resent: Signal<In, Bit>,
    pub index: Signal<In, Bits<5>>,
    pub byte_out: Signal<Out, Bits<8>>,
    seq: DFF<Bits<8>>,
    status: DFF<Bits<3>>,
    state: DFF<Bits<6>>,
    stands: DFF<Bits<8>>,
    bads: DFF<Bits<8>>,
    refusals: DFF<Bits<8>>,
    resends: DFF<Bits<8>>,
    chosen: DFF<Bits<8>>,
    place: Signal<Local, Bits<5>>,
    #[default(constant(board::ACK as usize))]
    kind: Constant<Bits<8>>,
    #[default(constant(VERSION as usize))]
    version: Constant<Bits<8>>,
}

impl Logic for Ack {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, seq, status, state, stands, bads, refusals, resends, chosen);
        if self.ack.val() {
            self.seq.d.next = self.ack_seq.val();
            self.status.d.next = self.ack_status.val();
            self.state.d.next = self.flags.val();
            self.stands.d.next = self.at.val();
        }
        if self.bad.val() {
            self.bads.d.next = self.bads.q.val() + 1;
        }
        if self.refused.val() {
            self.refusals.d.next = self.refusals.q.val() + 1;
        }
        if self.resent.val() {
            self.resends.d.next = self.resends.q.val() + 1;
        }
        self.place.next = self.index.val();
        self.chosen.d.next = self.kind.val();
        match self.place.val().index() {
            1 => {
                self.chosen.d.next = self.seq.q.val();
            }
            2 => {
                self.chosen.d.next = bit_cast::<8, 3>(self.status.q.val());
            }
            3 => {
                self.chosen.d.next = bit_cast::<8, 6>(self.state.q.val());
            }
            4 => {
                self.chosen.d.next = self.version.val();
            }
            5 => {
                self.chosen.d.next = self.bads.q.val();
            }
            6 => {
                self.chosen.d.next = self.refusals.q.val();
            }
            7 => {
                self.chosen.d.next = self.resends.q.val();
            }
            8 => {
                self.chosen.d.next = self.stands.q.val();
            }
            _ => {}
        }
        self.byte_out.next = self.chosen.q.val();
        if self.reset.val() {
            self.bads.d.next = 0.into();
            self.refusals.d.next = 0.into();
            self.resends.d.next = 0.into();
        }
    }
}
