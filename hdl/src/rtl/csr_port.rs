// SPDX-License-Identifier: MIT OR Apache-2.0
//! Answers the CSR stream from the configuration, the event queue and the counters.
//!
//! ```text
//!  csr_* ─► held request ─┬─ 0x00 identity, configuration ─┐
//!                         ├─ 0x20 event drops ─────────────┼─► csr_rvalid, csr_rdata
//!                         └─ 0x40 counter ─ Counters ──────┘
//! ```
//! One request at a time: `csr_ready` is a register, low from a transfer until the answer. Answers have no
//! back pressure: `csr_rvalid` is one cycle. The map is `hdl/src/csr.rs`. Writes and unknown addresses answer 0.
//! Latency 3 cycles, counters up to NC + 7.

use super::counters::Counters;
use super::prelude::*;
use crate::csr;

const FIXED: usize = 16;

/// See the module text.
#[derive(LogicBlock)]
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
    counters: Counters,
    ready: DFF<Bit>,
    addr: DFF<Bits<8>>,
    write: DFF<Bit>,
    asked: DFF<Bit>,
    pending: DFF<Bit>,
    rvalid: DFF<Bit>,
    rdata: DFF<Bits<32>>,
    take: Signal<Local, Bit>,
    off: Signal<Local, Bits<8>>,
    counted: Signal<Local, Bit>,
    fixed: [Constant<Bits<32>>; FIXED],
    drops_at: Constant<Bits<8>>,
    counters_at: Constant<Bits<8>>,
    nc: Constant<Bits<8>>,
}

impl Default for CsrPort {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            csr_valid: Default::default(),
            csr_ready: Default::default(),
            csr_write: Default::default(),
            csr_addr: Default::default(),
            csr_wdata: Default::default(),
            csr_rvalid: Default::default(),
            csr_rdata: Default::default(),
            inc: Default::default(),
            drops: Default::default(),
            counters: Default::default(),
            ready: Default::default(),
            addr: Default::default(),
            write: Default::default(),
            asked: Default::default(),
            pending: Default::default(),
            rvalid: Default::default(),
            rdata: Default::default(),
            take: Default::default(),
            off: Default::default(),
            counted: Default::default(),
            fixed: [csr::MAGIC as usize, csr::VERSION as usize, K, MRS, VAW, PAW, PDW, NP, TAGW, BEAT, WAYS, SETW, MWAYS, MSETW, NM, NPARK].map(|v| Constant::new(Bits::<32>::from(v as u64))),
            drops_at: Constant::new(Bits::<8>::from(csr::DROPS_AT as u64)),
            counters_at: Constant::new(Bits::<8>::from(csr::COUNTERS_AT as u64)),
            nc: Constant::new(Bits::<8>::from(NC as u64)),
        }
    }
}

impl Logic for CsrPort {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, ready, addr, write, asked, pending, rvalid, rdata);
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
        self.off.next = self.addr.q.val() - self.counters_at.val();
        self.counted.next = !self.write.q.val() && (self.off.val() < self.nc.val());
        self.counters.read.next = self.asked.q.val() && self.counted.val();
        self.counters.index.next = self.off.val().get_bits::<NCW>(0);
        self.rvalid.d.next = false;
        if self.asked.q.val() {
            self.rdata.d.next = 0.into();
            for i in 0..FIXED {
                if self.addr.q.val() == i.to_bits() {
                    self.rdata.d.next = self.fixed[i].val();
                }
            }
            if self.addr.q.val() == self.drops_at.val() {
                self.rdata.d.next = bit_cast::<32, 8>(self.drops.val());
            }
            if self.write.q.val() {
                self.rdata.d.next = 0.into();
            }
            self.rvalid.d.next = !self.counted.val();
            self.pending.d.next = self.counted.val();
        }
        if self.pending.q.val() && self.counters.answer.val() {
            self.rdata.d.next = self.counters.value.val();
            self.rvalid.d.next = true;
            self.pending.d.next = false;
        }
        if !self.take.val() && !self.asked.q.val() && !self.pending.q.val() {
            self.ready.d.next = true;
        }
        self.csr_ready.next = self.ready.q.val();
        self.csr_rvalid.next = self.rvalid.q.val();
        self.csr_rdata.next = self.rdata.q.val();
        if self.reset.val() {
            self.ready.d.next = false;
            self.asked.d.next = false;
            self.pending.d.next = false;
            self.rvalid.d.next = false;
        }
    }
}
