// SPDX-License-Identifier: MIT OR Apache-2.0
//! `latchkey_core`: the parts put together. Wires, the slot RAM's two readers, and the counting of events; nothing decides here.
//!
//! ```text
//!  lookup_* ─► ReqDecode[p] ─► Entrance[p] ─► Arbiter ─► MptCache ─► MptCheck ─► Decide ─┬─► verdict queue[p] ─► verdict_*
//!                                replay ◄──── Miss ◄───────────────────────────────────────┤
//!                                             │ ▲ beats                                    └─► Walker ─► segment_*
//!  reg_* ─► Registration ────────────────► IcmPort ◄──────────────────────────────────────────────┘
//! ```
//! Contract: `docs/interface.md`. Entrance, miss unit, walker and registration port come in two kinds (`docs/internal.md`), which the build script chooses.
//! Latencies on a hit: request transfer to verdict 8 cycles, to first segment 14 cycles (with one port: 6 and 12).

use super::arbiter::Arbiter;
use super::csr_port::CsrPort;
use super::decide::Decide;
use super::events::Events;
use super::flush::Flush;
use super::icm_port::IcmPort;
use super::mpt_cache::MptCache;
use super::mpt_check::MptCheck;
use super::port_state::PortState;
use super::prelude::*;
use super::ram_fifo::RamFifo;
use super::req_decode::ReqDecode;
use super::table::Table;
use super::tally::Tally;
use super::super::chosen::{Entrance, Limiter, Misses, Registration, Walker};

/// See the module's text and `docs/interface.md`.
#[derive(LogicBlock, SmartDefault)]
#[allow(missing_docs)]
pub struct Core {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub lookup_valid: Signal<In, Bits<NP>>,
    pub lookup_tag: Signal<In, Bits<NP_TAGW>>,
    pub lookup_key: Signal<In, Bits<NP_32>>,
    pub lookup_side: Signal<In, Bits<NP>>,
    pub lookup_qpn: Signal<In, Bits<NP_24>>,
    pub lookup_pd: Signal<In, Bits<NP_PDW>>,
    pub lookup_va: Signal<In, Bits<NP_VAW>>,
    pub lookup_len: Signal<In, Bits<NP_32>>,
    pub lookup_op: Signal<In, Bits<NP_4>>,
    pub lookup_walk: Signal<In, Bits<NP>>,
    pub lookup_class: Signal<In, Bits<NP_CLW>>,
    pub verdict_ready: Signal<In, Bits<NP>>,
    pub segment_ready: Signal<In, Bits<NP>>,
    pub dma_done_valid: Signal<In, Bits<NP>>,
    pub dma_done_tag: Signal<In, Bits<NP_TAGW>>,
    pub lookup_ready: Signal<Out, Bits<NP>>,
    pub verdict_valid: Signal<Out, Bits<NP>>,
    pub verdict_tag: Signal<Out, Bits<NP_TAGW>>,
    pub verdict_granted: Signal<Out, Bits<NP>>,
    pub verdict_class: Signal<Out, Bits<NP_3>>,
    pub verdict_cause: Signal<Out, Bits<NP_4>>,
    pub segment_valid: Signal<Out, Bits<NP>>,
    pub segment_tag: Signal<Out, Bits<NP_TAGW>>,
    pub segment_pa: Signal<Out, Bits<NP_PAW>>,
    pub segment_len: Signal<Out, Bits<NP_32>>,
    pub segment_last: Signal<Out, Bits<NP>>,
    pub segment_status: Signal<Out, Bits<NP_2>>,
    pub dma_done_ready: Signal<Out, Bits<NP>>,
    pub reg_valid: Signal<In, Bit>,
    pub reg_ready: Signal<Out, Bit>,
    pub reg_op: Signal<In, Bits<5>>,
    pub reg_tag: Signal<In, Bits<8>>,
    pub reg_key: Signal<In, Bits<32>>,
    pub reg_pd: Signal<In, Bits<PDW>>,
    pub reg_iova: Signal<In, Bits<VAW>>,
    pub reg_length: Signal<In, Bits<RLW>>,
    pub reg_access: Signal<In, Bits<32>>,
    pub reg_page: Signal<In, Bits<3>>,
    pub reg_base: Signal<In, Bits<PAW>>,
    pub reg_pages: Signal<In, Bits<PNW>>,
    pub reg_mode: Signal<In, Bits<2>>,
    pub reg_inline: Signal<In, Bits<INL_BEAT>>,
    pub reg_key2: Signal<In, Bits<32>>,
    pub reg_qpn: Signal<In, Bits<24>>,
    pub reg_extra: Signal<In, Bits<8>>,
    pub page_valid: Signal<In, Bit>,
    pub page_ready: Signal<Out, Bit>,
    pub page_data: Signal<In, Bits<BEAT>>,
    pub page_last: Signal<In, Bit>,
    pub rsp_valid: Signal<Out, Bit>,
    pub rsp_ready: Signal<In, Bit>,
    pub rsp_tag: Signal<Out, Bits<8>>,
    pub rsp_code: Signal<Out, Bits<5>>,
    pub rsp_lkey: Signal<Out, Bits<32>>,
    pub rsp_rkey: Signal<Out, Bits<32>>,
    pub rsp_state: Signal<Out, Bits<2>>,
    pub rsp_pd: Signal<Out, Bits<PDW>>,
    pub rsp_iova: Signal<Out, Bits<VAW>>,
    pub rsp_length: Signal<Out, Bits<RLW>>,
    pub rsp_access: Signal<Out, Bits<10>>,
    pub icm_req_valid: Signal<Out, Bit>,
    pub icm_req_ready: Signal<In, Bit>,
    pub icm_req_id: Signal<Out, Bits<IDW>>,
    pub icm_req_write: Signal<Out, Bit>,
    pub icm_req_space: Signal<Out, Bits<2>>,
    pub icm_req_addr: Signal<Out, Bits<ADW>>,
    pub icm_req_len: Signal<Out, Bits<4>>,
    pub icm_req_data: Signal<Out, Bits<BEAT>>,
    pub icm_req_last: Signal<Out, Bit>,
    pub icm_rsp_valid: Signal<In, Bit>,
    pub icm_rsp_ready: Signal<Out, Bit>,
    pub icm_rsp_id: Signal<In, Bits<IDW>>,
    pub icm_rsp_data: Signal<In, Bits<BEAT>>,
    pub icm_rsp_last: Signal<In, Bit>,
    pub event_valid: Signal<Out, Bit>,
    pub event_ready: Signal<In, Bit>,
    pub event_kind: Signal<Out, Bits<4>>,
    pub event_info: Signal<Out, Bits<32>>,
    pub csr_valid: Signal<In, Bit>,
    pub csr_ready: Signal<Out, Bit>,
    pub csr_write: Signal<In, Bit>,
    pub csr_addr: Signal<In, Bits<8>>,
    pub csr_wdata: Signal<In, Bits<32>>,
    pub csr_rvalid: Signal<Out, Bit>,
    pub csr_rdata: Signal<Out, Bits<32>>,
    asked: [ReqDecode; NP],
    port: [Entrance; NP],
    state: [PortState; NP],
    arbiter: Arbiter,
    flush: Flush,
    cache: MptCache,
    check: MptCheck,
    decide: Decide,
    miss: Misses,
    limits: Limiter,
    verdicts: [RamFifo<Verdict, VDW>; NP],
    slots: Table<SlotWord, SLOTRW>,
    leases: Table<Bits<LEASEW>, SLOTW>,
    walker: Walker,
    regs: Registration,
    icm: IcmPort,
    events: Events,
    csr: CsrPort,
    ended: Tally<NP, TALLYW>,
    unknown: Tally<NP, TALLYW>,
    done_ready: DFF<Bit>,
    told: DFF<Bits<4>>,
    scan_port: DFF<Bits<8>>,
    scan_wide: Signal<Local, Bits<8>>,
    ready_all: DFF<Bit>,
    #[default(std::array::from_fn(|i| constant(i * TAGW)))]
    tag_at: [Constant<Bits<12>>; NP],
    #[default(std::array::from_fn(|i| constant(i * PDW)))]
    pd_at: [Constant<Bits<12>>; NP],
    #[default(std::array::from_fn(|i| constant(i * VAW)))]
    va_at: [Constant<Bits<12>>; NP],
    #[default(std::array::from_fn(|i| constant(i * CLW)))]
    class_at: [Constant<Bits<12>>; NP],
    #[default(std::array::from_fn(|i| constant(i * PAW)))]
    pa_at: [Constant<Bits<12>>; NP],
    #[default(std::array::from_fn(|i| constant(i * 3)))]
    by3: [Constant<Bits<12>>; NP],
    #[default(std::array::from_fn(|i| constant(i * 4)))]
    by4: [Constant<Bits<12>>; NP],
    #[default(std::array::from_fn(|i| constant(i * 32)))]
    by32: [Constant<Bits<12>>; NP],
    #[default(std::array::from_fn(|i| constant(i * 2)))]
    by2: [Constant<Bits<12>>; NP],
    #[default(constant(TAGW))]
    tag_bits: Constant<Bits<5>>,
    v: Signal<Local, Verdict>,
    sg: Signal<Local, Segment>,
    enter: Signal<Local, Req>,
    asked_word: Signal<Local, SlotWord>,
    reused: Signal<Local, Req>,
    reused_tag: Signal<Local, Bits<TAGW>>,
    reused_slot: Signal<Local, Bits<SLOTW>>,
    decided: Signal<Local, Verdict>,
    sg_tag: Signal<Local, Bits<TAGW>>,
    gone_tag: Signal<Local, Bits<TAGW>>,
    told_cause: Signal<Local, Bits<4>>,
    tag: Signal<Local, Bits<TAGW>>,
    slot: Signal<Local, Bits<SLOTRW>>,
    #[default(Constant::new(NP == 1))]
    one_port: Constant<Bit>,
    port_slot: Signal<Local, Bits<SLOTW>>,
    port_number: Signal<Local, Bits<PORTW>>,
    mine: Signal<Local, Bit>,
    flag: Signal<Local, Bit>,
    any_unknown: Signal<Local, Bit>,
    ended_now: Signal<Local, Bits<NP>>,
    held_now: Signal<Local, Bits<HELDW>>,
    port_held: Signal<Local, Bits<HELDT>>,
    port_all: Signal<Local, Bits<TAGS>>,
    #[default(std::array::from_fn(|i| constant(i * TAGS % HELDW)))]
    held_at: [Constant<Bits<12>>; NP],
    unknown_now: Signal<Local, Bits<NP>>,
    seglen: Signal<Local, Bits<LENW>>,
    inc: Signal<Local, Bits<NC>>,
    counts: Signal<Local, Bits<5>>,
    cause: Signal<Local, Bits<4>>,
    is_cause: Signal<Local, Bit>,
    pack_tag: Signal<Local, Bits<NP_TAGW>>,
    pack_tag2: Signal<Local, Bits<NP_TAGW>>,
    pack_class: Signal<Local, Bits<NP_3>>,
    pack_cause: Signal<Local, Bits<NP_4>>,
    pack_pa: Signal<Local, Bits<NP_PAW>>,
    pack_len: Signal<Local, Bits<NP_32>>,
    pack_status: Signal<Local, Bits<NP_2>>,
    pack_granted: Signal<Local, Bits<NP>>,
    pack_valid: Signal<Local, Bits<NP>>,
    pack_last: Signal<Local, Bits<NP>>,
    pack_valid2: Signal<Local, Bits<NP>>,
    pack_ready: Signal<Local, Bits<NP>>,
    pack_done: Signal<Local, Bits<NP>>,
    scan_held: Signal<Local, Bit>,
    scan_walk: Signal<Local, Bit>,
    reuse_now: Signal<Local, Bit>,
    scan_slot_bits: Signal<Local, Bits<SLOTW>>,
    leave: Signal<Local, Bit>,
    lease_word: Signal<Local, Bits<LEASEW>>,
    lease_bits: Signal<Local, Bits<LEASEB>>,
    lease_read: Signal<Local, Bits<LEASEB>>,
    #[default(constant(LEASE_AT[1]))]
    at_epoch: Constant<Bits<8>>,
    #[default(constant(LEASE_AT[2]))]
    at_via: Constant<Bits<8>>,
    #[default(constant(LEASE_AT[3]))]
    at_via_epoch: Constant<Bits<8>>,
    class3: Signal<Local, Bits<3>>,
    status2: Signal<Local, Bits<2>>,
    pa: Signal<Local, Bits<PAW>>,
}

impl Logic for Core {
    #[hdl_gen]
    fn update(&mut self) {
        self.slots.clock.next = self.clock.val();
        self.leases.clock.next = self.clock.val();
        self.scan_port.clock.next = self.clock.val();
        self.ready_all.clock.next = self.clock.val();
        self.done_ready.clock.next = self.clock.val();
        self.told.clock.next = self.clock.val();
        for ck0 in 0..NP {
            self.verdicts[ck0].clock.next = self.clock.val();
        }
        self.arbiter.clock.next = self.clock.val();
        self.arbiter.reset.next = self.reset.val();
        self.flush.clock.next = self.clock.val();
        self.flush.reset.next = self.reset.val();
        self.cache.clock.next = self.clock.val();
        self.cache.reset.next = self.reset.val();
        self.check.clock.next = self.clock.val();
        self.decide.clock.next = self.clock.val();
        self.decide.reset.next = self.reset.val();
        self.miss.clock.next = self.clock.val();
        self.miss.reset.next = self.reset.val();
        self.limits.clock.next = self.clock.val();
        self.limits.reset.next = self.reset.val();
        self.walker.clock.next = self.clock.val();
        self.walker.reset.next = self.reset.val();
        self.regs.clock.next = self.clock.val();
        self.regs.reset.next = self.reset.val();
        self.icm.clock.next = self.clock.val();
        self.icm.reset.next = self.reset.val();
        self.events.clock.next = self.clock.val();
        self.events.reset.next = self.reset.val();
        self.csr.clock.next = self.clock.val();
        self.csr.reset.next = self.reset.val();
        self.ended.clock.next = self.clock.val();
        self.ended.reset.next = self.reset.val();
        self.unknown.clock.next = self.clock.val();
        self.unknown.reset.next = self.reset.val();
        self.ready_all.d.next = self.flush.ready.val() & self.walker.ready.val();
        // c0: ops and requests
        self.flush.epoch.next = self.arbiter.op_take.val() & (self.regs.op_kind.val() == 1);
        self.flush.take.next = self.arbiter.sweep_take.val();
        self.arbiter.sweep_valid.next = self.flush.valid.val();
        self.arbiter.sweep_must.next = self.flush.must.val();
        self.arbiter.sweep_kind.next = self.flush.kind.val();
        self.arbiter.sweep_set.next = self.flush.sweep_set.val();
        self.arbiter.fill_valid.next = self.miss.fill_valid.val();
        self.arbiter.fill_index.next = self.miss.fill_index.val();
        self.miss.fill_take.next = self.arbiter.fill_take.val();
        self.arbiter.replay_valid.next = self.miss.replay_valid.val();
        self.arbiter.replay.next = self.miss.replay.val();
        self.miss.replay_take.next = self.arbiter.replay_take.val();
        self.arbiter.op_valid.next = self.regs.op_valid.val();
        self.arbiter.op_kind.next = self.regs.op_kind.val();
        self.arbiter.op_index.next = self.regs.op_index.val();
        self.arbiter.op_set.next = self.regs.op_set.val();
        self.arbiter.op_hold.next = self.regs.op_hold.val();
        self.regs.op_ready.next = self.arbiter.op_take.val();
        self.regs.sweep_busy.next = self.flush.busy.val();
        self.miss.kill_take.next = self.arbiter.op_take.val();
        self.miss.kill_kind.next = self.regs.op_kind.val();
        self.miss.kill_index.next = self.regs.op_index.val();
        self.miss.kill_set.next = self.regs.op_set.val();
        self.cache.kind.next = self.arbiter.kind.val();
        self.cache.req.next = self.arbiter.req.val();
        self.limits.req.next = self.arbiter.req.val();
        self.cache.limited.next = self.limits.limited.val();
        self.cache.fresh.next = self.arbiter.fresh.val();
        self.cache.barrier_active.next = self.regs.barrier_active.val();
        self.cache.barrier_index.next = self.regs.barrier_index.val();
        self.cache.barrier_wait.next = self.regs.barrier_wait.val();
        self.cache.fill_write.next = self.miss.fill_write.val();
        self.cache.fill_data.next = self.miss.fill_data.val();
        self.cache.fill_end.next = self.miss.fill_end.val();
        self.miss.placed.next = self.cache.placed.val();
        // s5 to s7
        self.check.req.next = self.cache.req_s5.val();
        self.check.line.next = self.cache.line_s5.val();
        self.check.hit.next = self.cache.hit_s5.val();
        self.decide.code.next = self.check.code.val();
        self.decide.holder.next = self.check.owner.val();
        self.decide.opcode.next = self.check.opcode.val();
        self.decide.kind_s5.next = self.cache.kind_s5.val();
        self.decide.req_s5.next = self.cache.req_s5.val();
        self.decide.hit_s5.next = self.cache.hit_s5.val();
        self.decide.clear.next = self.check.clear.val();
        self.decide.granted.next = self.check.granted.val();
        self.decide.cause.next = self.check.cause.val();
        self.decide.klass.next = self.check.klass.val();
        self.decide.pos.next = self.check.pos.val();
        self.decide.in_page.next = self.check.in_page.val();
        self.decide.page.next = self.check.page.val();
        self.decide.mtt_base.next = self.check.mtt_base.val();
        self.decide.epoch.next = self.check.epoch.val();
        self.decide.who.next = self.check.who.val();
        self.decide.via_epoch.next = self.check.via_epoch.val();
        self.decide.nothing.next = self.check.nothing.val();
        self.decide.odp.next = self.check.odp.val();
        self.decide.writes.next = self.check.writes.val();
        self.miss.kind.next = self.decide.kind.val();
        self.miss.index.next = self.decide.index.val();
        self.miss.is_miss.next = self.decide.is_miss.val();
        self.miss.slot.next = self.decide.slot.val();
        self.asked_word.next = self.decide.word.val();
        self.miss.iso.next = self.asked_word.val().class;
        self.miss.quotas.next = self.limits.quotas.val();
        self.miss.barrier_active.next = self.regs.barrier_active.val();
        self.miss.barrier_index.next = self.regs.barrier_index.val();
        self.regs.starved.next = self.miss.starved.val();
        self.flag.next = (self.decide.kind.val() == 3) | (self.decide.kind.val() == 4) | (self.decide.kind.val() == 7);
        self.regs.op_done.next = self.flag.val() & self.flush.ready.val();
        self.slots.write_address.next = bit_cast::<SLOTRW, SLOTW>(self.decide.slot.val());
        if self.decide.settled.val() {
            self.slots.write_address.next = self.walker.put_slot.val();
        }
        self.slots.write_data.next = self.decide.word.val();
        self.slots.write_enable.next = self.decide.store.val();
        self.leases.write_address.next = self.decide.slot.val();
        // without windows the names of none are stored
        self.lease_bits.next = self.decide.owner.val().into();
        self.leases.write_data.next = self.lease_bits.val().get_bits::<LEASEW>(0);
        self.leases.write_enable.next = self.decide.store.val();
        // slot RAM: a waiter that asks again is read before what is to be walked
        self.miss.read_take.next = self.miss.read_valid.val();
        self.miss.read_word.next = self.slots.read_data.val();
        self.walker.other_valid.next = self.miss.read_valid.val();
        self.walker.other_slot.next = self.miss.read_slot.val();
        self.slot.next = self.walker.read_slot.val();
        if self.miss.read_valid.val() & !self.one_port.val() {
            self.slot.next = bit_cast::<SLOTRW, SLOTW>(self.miss.read_slot.val());
        }
        self.slots.read_address.next = self.slot.val();
        self.walker.read_take.next = self.walker.read_valid.val() & !self.miss.read_valid.val();
        self.walker.read_word.next = self.slots.read_data.val();
        // lease scan
        self.scan_slot_bits.next = self.regs.scan_slot.val();
        self.leases.read_address.next = self.scan_slot_bits.val();
        self.scan_wide.next = bit_cast::<8, SLOTW>(self.scan_slot_bits.val());
        self.scan_port.d.next = self.scan_wide.val() >> self.tag_bits.val();
        self.lease_word.next = self.leases.read_data.val();
        self.lease_read.next = bit_cast::<LEASEB, LEASEW>(self.lease_word.val());
        self.regs.scan_index.next = self.lease_read.val().get_bits::<K>(0);
        self.regs.scan_epoch.next = self.lease_read.val().get_bits::<EPW>(self.at_epoch.val().index());
        self.regs.scan_via.next = self.lease_read.val().get_bits::<PARK>(self.at_via.val().index());
        self.regs.scan_via_epoch.next = self.lease_read.val().get_bits::<PARE>(self.at_via_epoch.val().index());
        self.scan_held.next = false;
        self.scan_walk.next = false;
        // ports
        self.enter.next = self.cache.enter_req.val();
        self.decided.next = self.decide.verdict.val();
        self.reuse_now.next = false;
        self.any_unknown.next = false;
        self.ended_now.next = 0.into();
        self.unknown_now.next = 0.into();
        self.held_now.next = 0.into();
        self.pack_tag.next = 0.into();
        self.pack_tag2.next = 0.into();
        self.pack_class.next = 0.into();
        self.pack_cause.next = 0.into();
        self.pack_pa.next = 0.into();
        self.pack_len.next = 0.into();
        self.pack_status.next = 0.into();
        self.pack_granted.next = 0.into();
        self.pack_valid.next = 0.into();
        self.pack_valid2.next = 0.into();
        self.pack_last.next = 0.into();
        self.pack_ready.next = 0.into();
        self.pack_done.next = 0.into();
        self.events.unknown_info.next = 0.into();
        for i in 0..NP {
            self.port[i].clock.next = self.clock.val();
            self.port[i].reset.next = self.reset.val();
            self.port[i].enable.next = self.ready_all.q.val();
            self.asked[i].number.next = i.to_bits();
            self.port[i].valid.next = self.lookup_valid.val().get_bit(i);
            self.asked[i].tag.next = self.lookup_tag.val().get_bits::<TAGW>(self.tag_at[i].val().index());
            self.asked[i].key.next = self.lookup_key.val().get_bits::<32>(i * 32);
            self.asked[i].side.next = self.lookup_side.val().get_bit(i);
            self.asked[i].qpn.next = self.lookup_qpn.val().get_bits::<24>(i * 24);
            self.asked[i].pd.next = self.lookup_pd.val().get_bits::<PDW>(self.pd_at[i].val().index());
            self.asked[i].va.next = self.lookup_va.val().get_bits::<VAW>(self.va_at[i].val().index());
            self.asked[i].len.next = self.lookup_len.val().get_bits::<32>(i * 32);
            self.asked[i].op.next = self.lookup_op.val().get_bits::<4>(i * 4);
            self.asked[i].walk.next = self.lookup_walk.val().get_bit(i);
            self.asked[i].iso.next = self.lookup_class.val().get_bits::<CLW>(self.class_at[i].val().index());
            self.port[i].req.next = self.asked[i].req.val();
            self.pack_ready.next = self.pack_ready.val().replace_bit(i, self.port[i].ready.val());
            self.arbiter.offer[i].next = self.port[i].offer.val();
            self.arbiter.head[i].next = self.port[i].head.val();
            self.port[i].take.next = self.arbiter.take[i].val();
            self.port[i].next_free.next = self.arbiter.next_free.val();
            self.arbiter.promised.next = self.port[i].ready.val();
            self.arbiter.waits.next = self.lookup_valid.val().get_bit(i) & !self.port[i].ready.val();
            // tags
            self.state[i].clock.next = self.clock.val();
            self.state[i].reset.next = self.reset.val();
            self.mine.next = self.enter.val().port == i.to_bits();
            self.state[i].enter.next = self.mine.val() & self.cache.enter.val();
            self.state[i].enter_tag.next = self.enter.val().tag;
            if self.mine.val() {
                self.reuse_now.next = self.state[i].reuse.val();
            }
            self.state[i].lease.next = self.decide.lease[i].val();
            self.state[i].lease_tag.next = self.decided.val().tag;
            // verdicts
            self.verdicts[i].reset.next = self.reset.val();
            self.verdicts[i].push.next = self.decide.push[i].val();
            self.verdicts[i].data_in.next = self.decide.verdict.val();
            self.verdicts[i].pop.next = self.verdict_ready.val().get_bit(i);
            self.v.next = self.verdicts[i].data.val();
            self.leave.next = self.verdicts[i].valid.val() & self.verdict_ready.val().get_bit(i);
            self.port[i].verdict_left.next = self.leave.val();
            self.state[i].left.next = self.leave.val() & self.v.val().free;
            self.state[i].left_tag.next = self.v.val().tag;
            self.pack_valid.next = self.pack_valid.val().replace_bit(i, self.verdicts[i].valid.val());
            self.pack_granted.next = self.pack_granted.val().replace_bit(i, self.v.val().granted);
            self.tag.next = self.v.val().tag;
            self.pack_tag.next = self.pack_tag.val() | (bit_cast::<NP_TAGW, TAGW>(self.tag.val()) << self.tag_at[i].val());
            self.class3.next = self.v.val().class;
            self.pack_class.next = self.pack_class.val() | (bit_cast::<NP_3, 3>(self.class3.val()) << self.by3[i].val());
            self.cause.next = self.v.val().cause;
            self.pack_cause.next = self.pack_cause.val() | (bit_cast::<NP_4, 4>(self.cause.val()) << self.by4[i].val());
            // walks
            self.walker.grant[i].next = self.decide.lease[i].val();
            self.walker.segment_ready[i].next = self.segment_ready.val().get_bit(i);
            self.sg.next = self.walker.segment[i].val();
            self.pack_valid2.next = self.pack_valid2.val().replace_bit(i, self.walker.segment_valid[i].val());
            self.pack_last.next = self.pack_last.val().replace_bit(i, self.sg.val().last);
            self.sg_tag.next = self.sg.val().tag;
            self.pack_tag2.next = self.pack_tag2.val() | (bit_cast::<NP_TAGW, TAGW>(self.sg_tag.val()) << self.tag_at[i].val());
            self.pa.next = self.sg.val().pa;
            self.pack_pa.next = self.pack_pa.val() | (bit_cast::<NP_PAW, PAW>(self.pa.val()) << self.pa_at[i].val());
            self.seglen.next = self.sg.val().len;
            self.pack_len.next = self.pack_len.val() | (bit_cast::<NP_32, LENW>(self.seglen.val()) << self.by32[i].val());
            self.status2.next = self.sg.val().status;
            self.pack_status.next = self.pack_status.val() | (bit_cast::<NP_2, 2>(self.status2.val()) << self.by2[i].val());
            self.state[i].last_out.next = self.walker.segment_valid[i].val() & self.segment_ready.val().get_bit(i) & self.sg.val().last;
            self.state[i].last_tag.next = self.sg.val().tag;
            // leases that end; the tag is free when its next request can be at s1
            self.state[i].done.next = self.dma_done_valid.val().get_bit(i) & self.done_ready.q.val() & !self.reset.val();
            self.state[i].done_tag.next = self.dma_done_tag.val().get_bits::<TAGW>(self.tag_at[i].val().index());
            self.pack_done.next = self.pack_done.val().replace_bit(i, self.done_ready.q.val());
            self.state[i].scan_tag.next = self.scan_slot_bits.val().get_bits::<TAGW>(0);
            if self.scan_port.q.val() == i.to_bits() {
                self.scan_held.next = self.state[i].scan_held.val();
                self.scan_walk.next = self.state[i].scan_walking.val();
            }
            self.port_all.next = self.state[i].leased.val();
            self.port_held.next = self.port_all.val().get_bits::<HELDT>(0);
            self.held_now.next = self.held_now.val() | (bit_cast::<HELDW, HELDT>(self.port_held.val()) << self.held_at[i].val());
            self.gone_tag.next = self.state[i].told_tag.val();
            self.port_slot.next = i.to_bits();
            self.port_slot.next = (self.port_slot.val() << self.tag_bits.val()) | bit_cast::<SLOTW, TAGW>(self.gone_tag.val());
            if self.state[i].unknown.val() {
                self.any_unknown.next = true;
                self.events.unknown_info.next = self.port_slot.val();
            }
            self.ended_now.next = self.ended_now.val().replace_bit(i, self.state[i].ended.val());
            self.unknown_now.next = self.unknown_now.val().replace_bit(i, self.state[i].unknown.val());
        }
        self.regs.held.next = self.held_now.val();
        self.ended.pulses.next = self.ended_now.val();
        self.unknown.pulses.next = self.unknown_now.val();
        self.flag.next = !self.unknown.crowded.val();
        self.done_ready.d.next = self.flag.val() & self.ready_all.q.val() & !self.reset.val();
        self.cache.reuse.next = self.reuse_now.val();
        self.regs.scan_held.next = self.scan_held.val();
        self.regs.scan_walking.next = self.scan_walk.val();
        self.lookup_ready.next = self.pack_ready.val();
        self.verdict_valid.next = self.pack_valid.val();
        self.verdict_tag.next = self.pack_tag.val();
        self.verdict_granted.next = self.pack_granted.val();
        self.verdict_class.next = self.pack_class.val();
        self.verdict_cause.next = self.pack_cause.val();
        self.segment_valid.next = self.pack_valid2.val();
        self.segment_tag.next = self.pack_tag2.val();
        self.segment_pa.next = self.pack_pa.val();
        self.segment_len.next = self.pack_len.val();
        self.segment_last.next = self.pack_last.val();
        self.segment_status.next = self.pack_status.val();
        self.dma_done_ready.next = self.pack_done.val();
        // walker
        self.walker.desc.next = self.decide.desc.val();
        self.walker.grant_slot.next = self.decide.slot.val();
        self.walker.cut_valid.next = self.regs.cut_valid.val();
        self.walker.cut_index.next = self.regs.cut_index.val();
        self.walker.cut_epoch.next = self.regs.cut_epoch.val();
        self.walker.sweep_valid.next = self.regs.sweep_valid.val();
        self.walker.sweep_index.next = self.regs.sweep_index.val();
        self.regs.sweep_done.next = self.walker.sweep_done.val();
        self.walker.orphan_valid.next = self.regs.orphan_valid.val();
        self.walker.orphan_index.next = self.regs.orphan_index.val();
        self.walker.orphan_epoch.next = self.regs.orphan_epoch.val();
        // memory
        self.icm.mpt_valid.next = self.miss.fetch_valid.val();
        self.icm.mpt_id.next = self.miss.fetch_id.val();
        self.icm.mpt_index.next = self.miss.fetch_index.val();
        self.miss.fetch_ready.next = self.icm.mpt_ready.val();
        self.miss.line_valid.next = self.icm.mptr_valid.val();
        self.miss.line_id.next = self.icm.mptr_id.val();
        self.miss.line_data.next = self.icm.mptr_data.val();
        self.miss.line_last.next = self.icm.mptr_last.val();
        self.icm.mptr_ready.next = self.miss.line_ready.val();
        self.icm.mtt_valid.next = self.walker.fetch_valid.val();
        self.icm.mtt_port.next = self.walker.fetch_port.val();
        self.icm.mtt_addr.next = self.walker.fetch_addr.val();
        self.walker.fetch_ready.next = self.icm.mtt_ready.val();
        self.walker.word_valid.next = self.icm.mttr_valid.val();
        self.walker.word_port.next = self.icm.mttr_port.val();
        self.walker.word_data.next = self.icm.mttr_data.val();
        self.walker.word_last.next = self.icm.mttr_last.val();
        self.icm.mttr_ready.next = self.walker.word_ready.val();
        self.icm.reg_valid.next = self.regs.icm_valid.val();
        self.regs.icm_ready.next = self.icm.reg_ready.val();
        self.icm.reg_write.next = self.regs.icm_write.val();
        self.icm.reg_space.next = self.regs.icm_space.val();
        self.icm.reg_addr.next = self.regs.icm_addr.val();
        self.icm.reg_len.next = self.regs.icm_len.val();
        self.icm.reg_data.next = self.regs.icm_data.val();
        self.icm.reg_last.next = self.regs.icm_last.val();
        self.regs.ricm_valid.next = self.icm.ricm_valid.val();
        self.regs.ricm_data.next = self.icm.ricm_data.val();
        self.regs.ricm_last.next = self.icm.ricm_last.val();
        self.icm_req_valid.next = self.icm.icm_req_valid.val();
        self.icm.icm_req_ready.next = self.icm_req_ready.val();
        self.icm_req_id.next = self.icm.icm_req_id.val();
        self.icm_req_write.next = self.icm.icm_req_write.val();
        self.icm_req_space.next = self.icm.icm_req_space.val();
        self.icm_req_addr.next = self.icm.icm_req_addr.val();
        self.icm_req_len.next = self.icm.icm_req_len.val();
        self.icm_req_data.next = self.icm.icm_req_data.val();
        self.icm_req_last.next = self.icm.icm_req_last.val();
        self.icm.icm_rsp_valid.next = self.icm_rsp_valid.val();
        self.icm_rsp_ready.next = self.icm.icm_rsp_ready.val();
        self.icm.icm_rsp_id.next = self.icm_rsp_id.val();
        self.icm.icm_rsp_data.next = self.icm_rsp_data.val();
        self.icm.icm_rsp_last.next = self.icm_rsp_last.val();
        // registration pins
        self.regs.reg_valid.next = self.reg_valid.val();
        self.reg_ready.next = self.regs.reg_ready.val();
        self.regs.reg_op.next = self.reg_op.val();
        self.regs.reg_tag.next = self.reg_tag.val();
        self.regs.reg_key.next = self.reg_key.val();
        self.regs.reg_pd.next = self.reg_pd.val();
        self.regs.reg_iova.next = self.reg_iova.val();
        self.regs.reg_length.next = self.reg_length.val();
        self.regs.reg_access.next = self.reg_access.val();
        self.regs.reg_page.next = self.reg_page.val();
        self.regs.reg_base.next = self.reg_base.val();
        self.regs.reg_pages.next = self.reg_pages.val();
        self.regs.reg_mode.next = self.reg_mode.val();
        self.regs.reg_inline.next = self.reg_inline.val();
        self.regs.reg_key2.next = self.reg_key2.val();
        self.regs.reg_qpn.next = self.reg_qpn.val();
        self.regs.reg_extra.next = self.reg_extra.val();
        self.regs.page_valid.next = self.page_valid.val();
        self.page_ready.next = self.regs.page_ready.val();
        self.regs.page_data.next = self.page_data.val();
        self.regs.page_last.next = self.page_last.val();
        self.rsp_valid.next = self.regs.rsp_valid.val();
        self.regs.rsp_ready.next = self.rsp_ready.val();
        self.rsp_tag.next = self.regs.rsp_tag.val();
        self.rsp_code.next = self.regs.rsp_code.val();
        self.rsp_lkey.next = self.regs.rsp_lkey.val();
        self.rsp_rkey.next = self.regs.rsp_rkey.val();
        self.rsp_state.next = self.regs.rsp_state.val();
        self.rsp_pd.next = self.regs.rsp_pd.val();
        self.rsp_iova.next = self.regs.rsp_iova.val();
        self.rsp_length.next = self.regs.rsp_length.val();
        self.rsp_access.next = self.regs.rsp_access.val();
        // events, counters
        self.event_valid.next = self.events.event_valid.val();
        self.events.event_ready.next = self.event_ready.val();
        self.event_kind.next = self.events.event_kind.val();
        self.event_info.next = self.events.event_info.val();
        self.csr.csr_valid.next = self.csr_valid.val();
        self.csr_ready.next = self.csr.csr_ready.val();
        self.csr.csr_write.next = self.csr_write.val();
        self.csr.csr_addr.next = self.csr_addr.val();
        self.csr.csr_wdata.next = self.csr_wdata.val();
        self.csr_rvalid.next = self.csr.csr_rvalid.val();
        self.csr_rdata.next = self.csr.csr_rdata.val();
        self.events.reg_valid.next = self.regs.event_valid.val();
        self.events.reg_kind.next = self.regs.event_kind.val();
        self.events.reg_info.next = self.regs.event_info.val();
        self.regs.event_ready.next = self.events.reg_ready.val();
        self.counts.next = self.walker.counts.val();
        self.events.pf_valid.next = self.walker.fault_valid.val();
        self.events.pf_index.next = self.walker.fault_index.val();
        self.events.pf_page.next = self.walker.fault_page.val();
        self.events.reuse_valid.next = self.cache.reused.val();
        self.reused.next = self.cache.reused_req.val();
        self.reused_tag.next = self.reused.val().tag;
        self.port_number.next = self.reused.val().port;
        self.reused_slot.next = bit_cast::<SLOTW, PORTW>(self.port_number.val());
        self.reused_slot.next = (self.reused_slot.val() << self.tag_bits.val()) | bit_cast::<SLOTW, TAGW>(self.reused_tag.val());
        self.events.reuse_info.next = self.reused_slot.val();
        self.events.unknown_valid.next = self.any_unknown.val();
        self.csr.drops.next = self.events.drops.val();
        // limits
        self.limits.wrote.next = self.csr.wrote.val();
        self.limits.wrote_at.next = self.csr.wrote_at.val();
        self.limits.wrote_to.next = self.csr.wrote_to.val();
        self.csr.limit.next = self.limits.shown.val();
        self.csr.quotas.next = self.limits.quotas.val();
        self.csr.refused.next = self.limits.refused.val();
        self.limits.told.next = self.decide.told.val();
        self.limits.cause.next = self.decided.val().cause;
        self.limits.qpn.next = self.asked_word.val().qpn;
        self.events.limit_valid.next = self.limits.report.val();
        self.events.limit_info.next = self.limits.report_qpn.val();
        // counters, in the order of `csr.rs`
        self.inc.next = 0.into();
        self.inc.next = self.inc.val().replace_bit(0, self.cache.enter.val());
        self.inc.next = self.inc.val().replace_bit(1, self.decide.hit.val());
        self.inc.next = self.inc.val().replace_bit(2, self.miss.missed.val());
        self.inc.next = self.inc.val().replace_bit(3, self.miss.merged.val());
        self.inc.next = self.inc.val().replace_bit(4, self.cache.evict.val());
        self.inc.next = self.inc.val().replace_bit(5, self.miss.dropped.val());
        self.inc.next = self.inc.val().replace_bit(6, self.arbiter.replay_take.val());
        self.told.d.next = 0.into();
        if self.decide.told.val() {
            self.told.d.next = self.decided.val().cause;
        }
        self.told_cause.next = self.told.q.val();
        self.is_cause.next = self.told_cause.val() == 1;
        self.inc.next = self.inc.val().replace_bit(7, self.is_cause.val());
        self.is_cause.next = self.told_cause.val() == 2;
        self.inc.next = self.inc.val().replace_bit(8, self.is_cause.val());
        self.is_cause.next = self.told_cause.val() == 3;
        self.inc.next = self.inc.val().replace_bit(9, self.is_cause.val());
        self.is_cause.next = self.told_cause.val() == 4;
        self.inc.next = self.inc.val().replace_bit(10, self.is_cause.val());
        self.is_cause.next = self.told_cause.val() == 5;
        self.inc.next = self.inc.val().replace_bit(11, self.is_cause.val());
        self.is_cause.next = self.told_cause.val() == 6;
        self.inc.next = self.inc.val().replace_bit(12, self.is_cause.val());
        self.is_cause.next = self.told_cause.val() == 7;
        self.inc.next = self.inc.val().replace_bit(13, self.is_cause.val());
        self.is_cause.next = self.told_cause.val() == 8;
        self.inc.next = self.inc.val().replace_bit(14, self.is_cause.val());
        self.inc.next = self.inc.val().replace_bit(15, self.counts.val().get_bit(4));
        self.is_cause.next = self.told_cause.val() == 10;
        self.inc.next = self.inc.val().replace_bit(16, self.is_cause.val());
        // 17 is 15
        self.inc.next = self.inc.val().replace_bit(18, self.counts.val().get_bit(3));
        self.inc.next = self.inc.val().replace_bit(19, self.counts.val().get_bit(2));
        // 20 is 19: every segment with an address is one hit (bit 0 of `counts`)
        self.inc.next = self.inc.val().replace_bit(21, self.counts.val().get_bit(1));
        self.inc.next = self.inc.val().replace_bit(22, self.walker.dropped.val());
        self.inc.next = self.inc.val().replace_bit(23, self.regs.count_flush.val());
        self.inc.next = self.inc.val().replace_bit(24, self.arbiter.held.val());
        self.inc.next = self.inc.val().replace_bit(25, self.decide.leased.val());
        self.inc.next = self.inc.val().replace_bit(26, self.ended.tick.val());
        self.inc.next = self.inc.val().replace_bit(27, self.unknown.tick.val());
        self.inc.next = self.inc.val().replace_bit(28, self.regs.count_park.val());
        self.inc.next = self.inc.val().replace_bit(29, self.regs.count_overdue.val());
        self.inc.next = self.inc.val().replace_bit(30, self.regs.count_sweep.val());
        self.inc.next = self.inc.val().replace_bit(31, self.regs.count_register.val());
        self.inc.next = self.inc.val().replace_bit(32, self.regs.count_deregister.val());
        self.csr.inc.next = self.inc.val();
    }
}
