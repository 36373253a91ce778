// SPDX-License-Identifier: MIT OR Apache-2.0
//! Transfers at the ICM port, and which entries are being fetched (to tell hits from misses).

use super::fault::{Fault, Kind};
use super::rig::{Judge, Rig};
use super::sink;

impl<J: Judge> Rig<J> {
    #[inline]
    pub(super) fn icm_moves(&mut self, out: &[u32], rsp: u32) -> Result<(), Fault> {
        let pins = self.pins;
        if rsp & pins.icm_rsp_ready.bits(out) != 0 {
            if let Some(r) = self.icm.offer() {
                let index = self.fetching[r.id as usize];
                if r.last && index != u32::MAX {
                    self.fetched[index as usize] = self.now;
                    self.fetching[r.id as usize] = u32::MAX;
                }
            }
            self.icm.taken();
            self.icm_offered = false;
        }
        if pins.icm_req_valid.bits(out) & self.ready[4] == 0 {
            self.counts.icm_stalled += u64::from(pins.icm_req_valid.bits(out));
            return Ok(());
        }
        let r = sink::request(&pins, out);
        if !r.write && r.space == 0 {
            let index = (r.addr >> self.params.mpt_shift) as usize;
            if let Some(f) = self.fetched.get_mut(index) {
                *f = u64::MAX;
                self.fetching[r.id as usize] = index as u32;
            }
        }
        self.icm
            .request(r)
            .map_err(|e| self.fault(Kind::Protocol, e))
    }
}
