// SPDX-License-Identifier: MIT OR Apache-2.0
//! Block-RAM ICM for the self-test: 64 entries, and as many MTT and window words as fit beside them.
//!
//! ```text
//!  RAM  0 .................. half | half ........ 3/4 | 3/4 ........ end     (2^(7 + MPTA) words)
//!       space 0: 64 entries       | space 1: MTT      | space 2: PD windows
//! ```
//! A word outside reads as 0; a write to it is acknowledged and dropped. After reset the whole RAM is cleared with
//! `icm_req_ready` low. Ready is a register. One request at a time: a read gives a beat every 2 cycles, a write takes
//! one a cycle and answers after its last; a burst is atomic, since nothing else runs meanwhile.

use super::prelude::*;
use super::table::Table;

/// Entries that fit.
pub const MRS_BRAM: usize = 64;
const BRA: usize = 7 + MPTA;
const WIDE: usize = if ADW > BRA { ADW } else { BRA };

/// See the module text.
#[derive(LogicBlock, SmartDefault)]
pub struct IcmBram {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub icm_req_valid: Signal<In, Bit>,
    pub icm_req_ready: Signal<Out, Bit>,
    pub icm_req_id: Signal<In, Bits<IDW>>,
    pub icm_req_write: Signal<In, Bit>,
    pub icm_req_space: Signal<In, Bits<2>>,
    pub icm_req_addr: Signal<In, Bits<ADW>>,
    pub icm_req_len: Signal<In, Bits<4>>,
    pub icm_req_data: Signal<In, Bits<BEAT>>,
    pub icm_req_last: Signal<In, Bit>,
    pub icm_rsp_valid: Signal<Out, Bit>,
    pub icm_rsp_ready: Signal<In, Bit>,
    pub icm_rsp_id: Signal<Out, Bits<IDW>>,
    pub icm_rsp_data: Signal<Out, Bits<BEAT>>,
    pub icm_rsp_last: Signal<Out, Bit>,
    store: Table<Bits<BEAT>, BRA>,
    ready: DFF<Bit>,
    clear: DFF<Bit>,
    id: DFF<Bits<IDW>>,
    at: DFF<Bits<BRA>>,
    left: DFF<Bits<4>>,
    here: DFF<Bit>,
    reading: DFF<Bit>,
    burst: DFF<Bit>,
    valid: DFF<Bit>,
    put: DFF<Bit>,
    put_at: DFF<Bits<BRA>>,
    put_data: DFF<Bits<BEAT>>,
    take: Signal<Local, Bit>,
    wide: Signal<Local, Bits<WIDE>>,
    bound: Signal<Local, Bits<WIDE>>,
    mapped: Signal<Local, Bits<BRA>>,
    home: Signal<Local, Bits<BRA>>,
    fits: Signal<Local, Bit>,
    #[default(constant(BRA - 1))]
    half_bits: Constant<Bits<6>>,
    #[default(constant(BRA - 2))]
    quarter_bits: Constant<Bits<6>>,
    #[default(constant(2 << (BRA - 2)))]
    mtt_at: Constant<Bits<BRA>>,
    #[default(constant(3 << (BRA - 2)))]
    win_at: Constant<Bits<BRA>>,
}

impl Logic for IcmBram {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, ready, clear, id, at, left, here, reading, burst, valid, put, put_at, put_data);
        self.take.next = self.icm_req_valid.val() && self.ready.q.val();
        // where the request points
        self.wide.next = bit_cast::<WIDE, ADW>(self.icm_req_addr.val());
        self.home.next = self.wide.val().get_bits::<BRA>(0);
        self.bound.next = self.wide.val() >> self.quarter_bits.val();
        self.mapped.next = self.home.val();
        if self.icm_req_space.val() == 0 {
            self.bound.next = self.wide.val() >> self.half_bits.val();
        }
        if self.icm_req_space.val() == 1 {
            self.mapped.next = self.home.val() | self.mtt_at.val();
        }
        if self.icm_req_space.val() == 2 {
            self.mapped.next = self.home.val() | self.win_at.val();
        }
        self.fits.next = !self.bound.val().any() && (self.icm_req_space.val() != 3);
        if self.burst.q.val() {
            self.mapped.next = self.at.q.val();
            self.fits.next = self.here.q.val();
        }
        self.put.d.next = false;
        self.put_at.d.next = self.mapped.val();
        self.put_data.d.next = self.icm_req_data.val();
        // `valid` after one cycle for the RAM
        if self.reading.q.val() && !self.valid.q.val() {
            self.valid.d.next = true;
        }
        if self.valid.q.val() && self.icm_rsp_ready.val() {
            self.valid.d.next = false;
            self.at.d.next = self.at.q.val() + 1;
            self.left.d.next = self.left.q.val() - 1;
            if !self.reading.q.val() || !self.left.q.val().any() {
                self.reading.d.next = false;
                self.ready.d.next = true;
            }
        }
        if self.take.val() {
            self.id.d.next = self.icm_req_id.val();
            self.here.d.next = self.fits.val();
            self.at.d.next = self.mapped.val();
            self.left.d.next = self.icm_req_len.val();
            if self.icm_req_write.val() {
                self.put.d.next = self.fits.val();
                self.at.d.next = self.mapped.val() + 1;
                self.burst.d.next = !self.icm_req_last.val();
                if self.icm_req_last.val() {
                    self.left.d.next = 0.into();
                    self.ready.d.next = false;
                    self.valid.d.next = true;
                }
            } else {
                self.ready.d.next = false;
                self.reading.d.next = true;
            }
        }
        if self.clear.q.val() {
            self.put.d.next = true;
            self.put_data.d.next = 0.into();
            self.put_at.d.next = self.at.q.val();
            self.at.d.next = self.at.q.val() + 1;
            if self.at.q.val().all() {
                self.clear.d.next = false;
                self.ready.d.next = true;
            }
        }
        self.store.clock.next = self.clock.val();
        self.store.read_address.next = self.at.q.val();
        self.store.write_address.next = self.put_at.q.val();
        self.store.write_data.next = self.put_data.q.val();
        self.store.write_enable.next = self.put.q.val();
        self.icm_req_ready.next = self.ready.q.val();
        self.icm_rsp_valid.next = self.valid.q.val();
        self.icm_rsp_id.next = self.id.q.val();
        self.icm_rsp_last.next = !self.left.q.val().any();
        self.icm_rsp_data.next = 0.into();
        if self.here.q.val() && self.reading.q.val() {
            self.icm_rsp_data.next = self.store.read_data.val();
        }
        if self.reset.val() {
            self.ready.d.next = false;
            self.clear.d.next = true;
            self.at.d.next = 0.into();
            self.reading.d.next = false;
            self.burst.d.next = false;
            self.valid.d.next = false;
            self.put.d.next = false;
        }
    }
}
