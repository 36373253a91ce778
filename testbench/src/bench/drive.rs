// SPDX-License-Identifier: MIT OR Apache-2.0
//! First half of a cycle: what is put on the input pins.

use super::rig::{Judge, Rig};
use super::source::drive_command;
use super::traffic::Traffic;
use crate::trace::Command;
use rand::Rng;

impl<J: Judge> Rig<J> {
    /// Sets all inputs for the cycle to come.
    pub fn drive<T: Traffic>(&mut self, words: &mut [u32], traffic: &mut T) {
        let now = self.now;
        if self.around.shuffle != 0 && now % self.around.shuffle == self.around.shuffle - 1 {
            self.shuffle();
        }
        self.icm.tick();
        if self.calendar.any(now) {
            self.end_leases();
        }
        if self.around.hold.wrong > 0 && now >= self.wrong_next {
            self.wrong_done();
        }
        let (mut asks, mut dones, mut verdicts, mut segments) = (0, 0, 0, 0);
        for p in 0..self.lanes.len() {
            if self.lanes[p].ask.is_none() && self.lanes[p].idle.tick() {
                self.ask(words, p, traffic);
            }
            let lane = &mut self.lanes[p];
            asks |= u32::from(lane.ask.is_some()) << p;
            if !lane.ended.is_empty() {
                if !lane.ending && lane.dma.tick() {
                    lane.ending = true;
                    let tag = lane.ended[0].0;
                    self.pins.dma_done_tag.set(words, p, u64::from(tag));
                }
                dones |= u32::from(lane.ending) << p;
            }
            verdicts |= u32::from(lane.verdicts.tick()) << p;
            segments |= u32::from(lane.segments.tick()) << p;
        }
        self.pins.lookup_valid.set_bits(words, asks);
        self.pins.dma_done_valid.set_bits(words, dones);
        self.pins.verdict_ready.set_bits(words, verdicts);
        self.pins.segment_ready.set_bits(words, segments);
        let (reg, page) = (self.offer_command(words, traffic), self.offer_page(words));
        let (csr, rsp) = (self.offer_csr(words), self.offer_icm(words));
        self.valid = [asks, dones, reg, page, csr, rsp];
        let rest: [u32; 3] = std::array::from_fn(|i| u32::from(self.sides[i].tick()));
        self.pins.rsp_ready.set_bits(words, rest[0]);
        self.pins.event_ready.set_bits(words, rest[1]);
        self.pins.icm_req_ready.set_bits(words, rest[2]);
        self.ready = [verdicts, segments, rest[0], rest[1], rest[2]];
    }

    fn ask<T: Traffic>(&mut self, words: &mut [u32], p: usize, traffic: &mut T) {
        let lane = &mut self.lanes[p];
        if lane.free.is_empty() {
            return;
        }
        let Some(mut ask) = traffic.lookup(p, self.now) else {
            return;
        };
        ask.lookup.port = p as u16;
        if ask.fixed_tag {
            let tag = ask.lookup.tag;
            ask.reuse = !lane.free.contains(&tag);
            lane.free.retain(|t| *t != tag);
        } else if let Some(tag) = ask.reuse.then(|| lane.leased(&mut self.rng)).flatten() {
            ask.lookup.tag = tag;
        } else {
            ask.reuse = false;
            ask.lookup.tag = lane.claim(&mut self.rng).unwrap_or_default();
        }
        if ask.reuse {
            lane.tags[usize::from(ask.lookup.tag)].reuses += 1;
        }
        let (l, pins) = (&ask.lookup, &self.pins);
        pins.lookup_tag.set(words, p, u64::from(l.tag));
        pins.lookup_key.set(words, p, u64::from(l.key));
        pins.lookup_side.set(words, p, u64::from(l.side_remote));
        pins.lookup_qpn.set(words, p, u64::from(l.qpn));
        pins.lookup_pd.set(words, p, u64::from(l.pd));
        pins.lookup_va.set(words, p, l.va);
        pins.lookup_len.set(words, p, u64::from(l.len));
        pins.lookup_op.set(words, p, u64::from(l.op.bits()));
        pins.lookup_walk.set(words, p, u64::from(l.walk));
        pins.lookup_class.set(words, p, u64::from(l.class));
        lane.ask = Some(ask);
        traffic.offered(&ask.lookup);
    }

    fn end_leases(&mut self) {
        let mut due = std::mem::take(&mut self.due);
        self.calendar.take(self.now, &mut due);
        for (p, tag) in due.drain(..) {
            let lane = &mut self.lanes[p];
            if lane.tags[usize::from(tag)].reuses > 0 {
                self.calendar.put(self.now, self.now + 8, p, tag);
            } else {
                lane.tags[usize::from(tag)].ending = true;
                lane.ended.push_back((tag, false));
            }
        }
        self.due = due;
    }

    fn wrong_done(&mut self) {
        let mean = (65_536 / u64::from(self.around.hold.wrong)).max(1);
        self.wrong_next = self.now + self.rng.gen_range(1..=2 * mean);
        let p = self.rng.gen_range(0..self.lanes.len());
        let lane = &mut self.lanes[p];
        if lane.free.len() > 1 {
            if let Some(tag) = lane.claim(&mut self.rng) {
                lane.ended.push_back((tag, true));
            }
        }
    }

    fn offer_command<T: Traffic>(&mut self, words: &mut [u32], traffic: &mut T) -> u32 {
        if self.commands.waiting() == 0 && !self.command_tags.is_empty() {
            if let Some(body) = traffic.command(self.now) {
                let at = self.rng.gen_range(0..self.command_tags.len());
                let tag = self.command_tags.swap_remove(at);
                self.commands.push(Command { tag, body });
            }
        }
        let offer = match self.commands.offer() {
            Some((c, fresh)) => {
                if fresh {
                    drive_command(&self.pins, words, c, self.params.inline);
                }
                1
            }
            None => 0,
        };
        self.pins.reg_valid.set_bits(words, offer);
        offer
    }

    fn offer_page(&mut self, words: &mut [u32]) -> u32 {
        let offer = match self.pages.offer() {
            Some((s, fresh)) => {
                if fresh {
                    let page = s.current();
                    self.pins.page_data.set(words, 0, page.data);
                    self.pins.page_last.set(words, 0, u64::from(page.last));
                }
                1
            }
            None => 0,
        };
        self.pins.page_valid.set_bits(words, offer);
        offer
    }

    fn offer_csr(&mut self, words: &mut [u32]) -> u32 {
        let offer = match self.csr.offer() {
            Some((c, fresh)) => {
                if fresh {
                    self.pins.csr_addr.set(words, 0, u64::from(c.addr));
                    self.pins
                        .csr_write
                        .set(words, 0, u64::from(c.write.is_some()));
                    self.pins
                        .csr_wdata
                        .set(words, 0, u64::from(c.write.unwrap_or(0)));
                }
                1
            }
            None => 0,
        };
        self.pins.csr_valid.set_bits(words, offer);
        offer
    }

    fn offer_icm(&mut self, words: &mut [u32]) -> u32 {
        if !self.icm_offered {
            if self.icm.open() == 0 || !self.sides[3].tick() {
                self.pins.icm_rsp_valid.set_bits(words, 0);
                return 0;
            }
            if let Some(r) = self.icm.offer() {
                self.icm_offered = true;
                self.pins.icm_rsp_id.set(words, 0, u64::from(r.id));
                self.pins.icm_rsp_data.set(words, 0, r.data);
                self.pins.icm_rsp_last.set(words, 0, u64::from(r.last));
            }
        }
        let offer = u32::from(self.icm_offered);
        self.pins.icm_rsp_valid.set_bits(words, offer);
        offer
    }
}
