// SPDX-License-Identifier: MIT OR Apache-2.0
//! Answers the CSR stream from the configuration, the event queue and the counters.
//!
//! ```text
//!  csr_* ─► held request ─┬─ 0x00 identity, configuration ─┐
//!                         ├─ 0x20 event drops ─────────────┼─► csr_rvalid, csr_rdata
//!                         └─ 0x40 counter ─ Counters ──────┘
//! ```
//! One request at a time: `csr_ready` is a register, low from a transfer until the answer. Answers have no
//! back pressure: `csr_rvalid` is one cycle. The map is `hdl/src/csr.rs`. Writes and unknown addresses answer 0. A write is shown to the limits (`wrote`) in the cycle of its transfer.
//! A counter comes in two halves. Latency 3 cycles, counters up to 2 * NC + 6.

use super::counters::Counters;
use super::prelude::*;
use crate::csr;

const FIXED: usize = 16;
const _: () = assert!(csr::COUNTERS_AT == 0x40 && csr::DROPS_AT == 0x20 && NC == 33 && csr::CONFIG_AT as usize + csr::CONFIG.len() == FIXED);

/// See the module text.
#[derive(LogicBlock, SmartDefault)]
pub struct CsrPort {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub csr_valid: Signal<In, Bit>,
    pub csr_ready: Signal<Out, Bit>,
    pub csr_write: Signal<In, Bit>,
    pub csr_addr: Signal<In, Bits<8>>,
    pub csr_wdata: Signal<In, Bits<32>>,
    pub csr_rvalid: Signal<Out, Bit>,
    pub csr_rdata: Signal<Out, Bits<32>>,
    /// Counter pulses, in the order of the map.
    pub inc: Signal<In, Bits<NC>>,
    pub drops: Signal<In, Bits<8>>,
    /// A register is written.
    pub wrote: Signal<Out, Bit>,
    pub wrote_at: Signal<Out, Bits<8>>,
    pub wrote_to: Signal<Out, Bits<32>>,
    /// What can be written, as read, and what was refused for it.
    pub limit: Signal<In, Bits<32>>,
    pub quotas: Signal<In, Bits<32>>,
    pub refused: Signal<In, Bits<32>>,
    counters: Counters,
    ready: DFF<Bit>,
    addr: DFF<Bits<8>>,
    write: DFF<Bit>,
    asked: DFF<Bit>,
    pending: DFF<Bit>,
    rvalid: DFF<Bit>,
    rlow: DFF<Bits<16>>,
    rhigh: DFF<Bits<16>>,
    take: Signal<Local, Bit>,
    counted: Signal<Local, Bit>,
    at: Signal<Local, Bits<4>>,
    answer: Signal<Local, Bits<32>>,
    #[default(Constant::new(F_LIMITS))]
    limits: Constant<Bit>,
    #[default([csr::MAGIC as usize, csr::VERSION as usize, K, MRS, VAW, PAW, PDW, NP, TAGW, BEAT, WAYS, SETW, MWAYS, MSETW, NM, NPARK].map(constant))]
    fixed: [Constant<Bits<32>>; FIXED],
}

impl Logic for CsrPort {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, ready, addr, write, asked, pending, rvalid, rlow, rhigh);
        self.counters.clock.next = self.clock.val();
        self.counters.reset.next = self.reset.val();
        self.counters.inc.next = self.inc.val();
        self.take.next = self.csr_valid.val() && self.ready.q.val();
        self.asked.d.next = self.take.val();
        if self.take.val() {
            self.ready.d.next = false;
            self.addr.d.next = self.csr_addr.val();
            self.write.d.next = self.csr_write.val();
        }
        self.wrote.next = self.take.val() && self.csr_write.val();
        self.wrote_at.next = self.csr_addr.val();
        self.wrote_to.next = self.csr_wdata.val();
        // 0x40 to 0x60
        self.counted.next = !self.write.q.val()
            && (self.addr.q.val().get_bits::<2>(6) == 1)
            && (!self.addr.q.val().get_bit(5) || !self.addr.q.val().get_bits::<5>(0).any());
        self.counters.read.next = self.pending.q.val();
        self.counters.index.next = self.addr.q.val().get_bits::<NCW>(0);
        self.at.next = self.addr.q.val().get_bits::<4>(0);
        self.answer.next = 0.into();
        for i in 0..FIXED {
            if self.at.val() == i.to_bits() {
                self.answer.next = self.fixed[i].val();
            }
        }
        if self.addr.q.val().get_bits::<4>(4).any() {
            self.answer.next = 0.into();
            if self.addr.q.val() == 32 {
                self.answer.next = bit_cast::<32, 8>(self.drops.val());
            }
            // without limits nothing of them is looked at, in the block by itself too
            if self.limits.val() && (self.addr.q.val() == 40) {
                self.answer.next = self.limit.val();
            }
            if self.limits.val() && (self.addr.q.val() == 41) {
                self.answer.next = self.quotas.val();
            }
            if self.limits.val() && (self.addr.q.val() == 43) {
                self.answer.next = self.refused.val();
            }
        }
        if self.write.q.val() {
            self.answer.next = 0.into();
        }
        self.rvalid.d.next = false;
        if self.asked.q.val() {
            self.rlow.d.next = self.answer.val().get_bits::<16>(0);
            self.rhigh.d.next = self.answer.val().get_bits::<16>(16);
            self.rvalid.d.next = !self.counted.val();
            self.pending.d.next = self.counted.val();
        } else {
            if self.counters.at_low.val() {
                self.rlow.d.next = self.counters.part.val();
            }
            if self.counters.at_high.val() {
                self.rhigh.d.next = self.counters.part.val();
                self.rvalid.d.next = true;
                self.pending.d.next = false;
            }
        }
        if !self.take.val() && !self.asked.q.val() && !self.pending.q.val() {
            self.ready.d.next = true;
        }
        self.csr_ready.next = self.ready.q.val();
        self.csr_rvalid.next = self.rvalid.q.val();
        self.csr_rdata.next = (bit_cast::<32, 16>(self.rhigh.q.val()) << 16) | bit_cast::<32, 16>(self.rlow.q.val());
        if self.reset.val() {
            self.ready.d.next = false;
            self.asked.d.next = false;
            self.pending.d.next = false;
            self.rvalid.d.next = false;
        }
    }
}
