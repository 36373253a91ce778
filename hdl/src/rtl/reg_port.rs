// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registration port: its pins and what is behind them.
//!
//! ```text
//!  reg_* ─┬──────────► RegFlow, RegPublish ◄─ Parked ◄── scan   completions
//!         │ go, post ▲ │  ▲ shift, load, ...    ▲
//!         │          │ │  └──────────┐          │ put, arm, pop
//!         ├► RegArgs ┤ └► KeyAlloc   ▼          │
//!         │    └─ digits of the base ► RegEntry ─┴─► rsp_*, epoch
//!         └► RegList ┘                  │
//!  page_* ──►│ windows, MTT words       │ entry words
//!            └────────────┬─────────────┘
//!                         └► icm_*
//! ```
//! Contract: see `docs/interface.md` for the pins and codes. The command stays on its pins until its transfer:
//! `reg_ready` rises for one cycle when the arguments are judged and, for register, the inline list is written,
//! but before anything a lookup can see. So little of it is copied. A refusal is taken with its page list.
//! Order of refusals of register: bad_arg (numbers), bad_window, no_space, then the list: bad_list over bad_arg.
//! deregister: busy, bad_key, stale_key. MTT words of a register refused for its list may have been written.
//!
//! A completion has priority over a new command. A blocked answer holds the port, not the parked entries.
//! Answers other than register give keys 0; the query fields mean something only in a query answered ok.
//!
//! Latency of register on a free port, ICM answering after L cycles with a word a cycle:
//! about 25 + 4L + 2 * MPTN + 3 * pages cycles and one for two bits of an address; deregister: about 15 + 2L + 2 * MPTN,
//! then the scan, then the same. Interval: the same, one command or completion at a time.

use super::key_alloc::KeyAlloc;
use super::parked::Parked;
use super::prelude::*;
use super::reg_args::RegArgs;
use super::reg_entry::RegEntry;
use super::reg_flow::RegFlow;
use super::reg_list::RegList;
use super::reg_publish::RegPublish;

/// See the module text.
#[derive(LogicBlock, SmartDefault)]
pub struct RegPort {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
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
    /// Of commands this port does not have.
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
    /// Ops of the cache pipe: 0 kill index, 1 epoch flush, 2 kill set.
    pub op_valid: Signal<Out, Bit>,
    pub op_kind: Signal<Out, Bits<2>>,
    pub op_index: Signal<Out, Bits<K>>,
    pub op_set: Signal<Out, Bits<SETW>>,
    /// No lookup may enter (set walk, mode 3).
    pub op_hold: Signal<Out, Bit>,
    pub op_ready: Signal<In, Bit>,
    /// An op left the pipe; all lookups before it have their leases.
    pub op_done: Signal<In, Bit>,
    pub sweep_busy: Signal<In, Bit>,
    pub barrier_active: Signal<Out, Bit>,
    pub barrier_index: Signal<Out, Bits<K>>,
    pub barrier_wait: Signal<Out, Bit>,
    pub starved: Signal<In, Bit>,
    pub cut_valid: Signal<Out, Bits<NPARK>>,
    pub cut_index: Signal<Out, Bits<NPARK_K>>,
    pub cut_epoch: Signal<Out, Bits<NPARK_EPW>>,
    /// MTT fetches of this index and epoch are dropped.
    pub orphan_valid: Signal<Out, Bit>,
    pub orphan_index: Signal<Out, Bits<K>>,
    pub orphan_epoch: Signal<Out, Bits<EPW>>,
    pub scan_slot: Signal<Out, Bits<SLOTW>>,
    pub scan_index: Signal<In, Bits<K>>,
    pub scan_epoch: Signal<In, Bits<EPW>>,
    /// Of windows and evictions, which this port does not have.
    pub scan_via: Signal<In, Bits<PARK>>,
    pub scan_via_epoch: Signal<In, Bits<PARE>>,
    pub held: Signal<In, Bits<HELDW>>,
    pub scan_held: Signal<In, Bit>,
    pub scan_walking: Signal<In, Bit>,
    /// The MTT cache forgets `sweep_index`; held until `sweep_done`.
    pub sweep_valid: Signal<Out, Bit>,
    pub sweep_index: Signal<Out, Bits<K>>,
    pub sweep_done: Signal<In, Bit>,
    pub icm_valid: Signal<Out, Bit>,
    pub icm_ready: Signal<In, Bit>,
    pub icm_write: Signal<Out, Bit>,
    pub icm_space: Signal<Out, Bits<2>>,
    pub icm_addr: Signal<Out, Bits<ADW>>,
    pub icm_len: Signal<Out, Bits<4>>,
    pub icm_data: Signal<Out, Bits<BEAT>>,
    pub icm_last: Signal<Out, Bit>,
    pub ricm_valid: Signal<In, Bit>,
    pub ricm_data: Signal<In, Bits<BEAT>>,
    pub ricm_last: Signal<In, Bit>,
    pub event_valid: Signal<Out, Bit>,
    pub event_ready: Signal<In, Bit>,
    pub event_kind: Signal<Out, Bits<4>>,
    pub event_info: Signal<Out, Bits<32>>,
    /// Counter pulses, each one cycle.
    pub count_register: Signal<Out, Bit>,
    pub count_deregister: Signal<Out, Bit>,
    pub count_park: Signal<Out, Bit>,
    pub count_overdue: Signal<Out, Bit>,
    pub count_sweep: Signal<Out, Bit>,
    pub count_flush: Signal<Out, Bit>,
    alloc: KeyAlloc,
    args: RegArgs,
    entry: RegEntry,
    flow: RegFlow,
    list: RegList,
    park: Parked,
    publish: RegPublish,
    hot: Signal<Local, MptHot>,
    key_low: Signal<Local, Bits<8>>,
    key_high: Signal<Local, Bits<SECW>>,
    shown: Signal<Local, Bits<K>>,
    middle: Signal<Local, Bits<32>>,
    side: Signal<Local, Bits<KEYW>>,
    side2: Signal<Local, Bits<KEYW>>,
    side_low: Signal<Local, Bits<8>>,
    side_high: Signal<Local, Bits<SECW>>,
    side_low2: Signal<Local, Bits<8>>,
    side_high2: Signal<Local, Bits<SECW>>,
    rights: Signal<Local, Bits<9>>,
    index: Signal<Local, Bits<K>>,
    #[default(constant(8 + K))]
    sec_at: Constant<Bits<6>>,
    #[default(constant(MPTA))]
    mpta: Constant<Bits<4>>,
    #[default(constant(MPTN - 1))]
    mlen: Constant<Bits<4>>,
}

impl Logic for RegPort {
    #[hdl_gen]
    fn update(&mut self) {
        self.alloc.clock.next = self.clock.val();
        self.alloc.reset.next = self.reset.val();
        self.args.clock.next = self.clock.val();
        self.args.reset.next = self.reset.val();
        self.entry.clock.next = self.clock.val();
        self.flow.clock.next = self.clock.val();
        self.flow.reset.next = self.reset.val();
        self.list.clock.next = self.clock.val();
        self.list.reset.next = self.reset.val();
        self.park.clock.next = self.clock.val();
        self.park.reset.next = self.reset.val();
        self.hot.next = self.entry.hot.val();
        self.rights.next = self.hot.val().rights;
        self.index.next = self.flow.index.val();

        // ---- the flow
        self.flow.reg_valid.next = self.reg_valid.val();
        self.flow.reg_op.next = self.reg_op.val();
        self.flow.reg_tag.next = self.reg_tag.val();
        self.flow.reg_index.next = self.reg_key.val().get_bits::<K>(8);
        self.flow.reg_pages.next = self.reg_pages.val();
        self.flow.reg_mode.next = self.reg_mode.val();
        self.flow.rsp_ready.next = self.rsp_ready.val();
        self.flow.state.next = self.hot.val().state;
        self.flow.round.next = self.hot.val().epoch == 0;
        self.flow.own.next = self.entry.own.val();
        self.flow.args_done.next = self.args.done.val();
        self.flow.args_ok.next = self.args.ok.val();
        self.flow.list_judged.next = self.list.judged.val();
        self.flow.list_ended.next = self.list.ended.val();
        self.flow.list_code.next = self.list.code.val();
        self.flow.avail.next = self.alloc.avail.val();
        self.flow.pick.next = self.alloc.pick.val();
        self.flow.room.next = self.park.room.val();
        self.flow.done_valid.next = self.park.done_valid.val();
        self.flow.done_over.next = self.park.done_over.val();
        self.flow.done_index.next = self.park.done_index.val();
        self.flow.done_tag.next = self.park.done_tag.val();
        self.flow.icm_ready.next = self.icm_ready.val();
        self.flow.ricm_valid.next = self.ricm_valid.val();
        self.flow.ricm_last.next = self.ricm_last.val();
        self.flow.event_ready.next = self.event_ready.val();

        self.flow.flushed.next = self.publish.flushed.val();
        self.flow.finished.next = self.publish.finished.val();
        self.flow.waiting.next = self.publish.waiting.val();

        // ---- what lookups see
        self.publish.clock.next = self.clock.val();
        self.publish.reset.next = self.reset.val();
        self.publish.raise.next = self.flow.raise.val();
        self.flow.starved.next = self.starved.val();
        self.publish.sweep.next = self.flow.sweep.val();
        self.publish.link.next = self.flow.link.val();
        self.publish.overdue.next = self.flow.overdue.val();
        self.publish.job.next = self.flow.job_now.val();
        self.publish.o_reg.next = self.flow.reg_now.val();
        self.publish.o_del.next = self.flow.del_now.val();
        self.publish.o_flush.next = self.flow.flush_now.val();
        self.publish.mode.next = self.flow.mode.val();
        self.publish.put.next = self.flow.park.val();
        self.publish.tired.next = self.entry.tired.val();
        self.publish.list_op.next = self.list.op_want.val();
        self.publish.icm_ready.next = self.icm_ready.val();
        self.publish.ricm_valid.next = self.ricm_valid.val();
        self.publish.op_ready.next = self.op_ready.val();
        self.publish.op_done.next = self.op_done.val();
        self.publish.sweep_busy.next = self.sweep_busy.val();
        self.publish.starved.next = self.starved.val();
        self.publish.sweep_done.next = self.sweep_done.val();

        // ---- the entry
        self.key_low.next = self.reg_key.val().get_bits::<8>(0);
        self.key_high.next = self.reg_key.val().get_bits::<SECW>(self.sec_at.val().index());
        self.entry.key.next = (bit_cast::<KEYW, SECW>(self.key_high.val()) << 8) | bit_cast::<KEYW, 8>(self.key_low.val());
        self.entry.shift.next = self.flow.shift.val() || self.publish.went.val();
        self.entry.take.next = self.flow.take.val();
        self.entry.word.next = self.ricm_data.val();
        self.entry.load.next = self.flow.load.val();
        self.entry.access.next = self.reg_access.val();
        self.entry.page.next = self.reg_page.val();
        self.entry.pd.next = self.reg_pd.val();
        self.entry.start.next = self.reg_iova.val();
        self.entry.length.next = self.reg_length.val();
        self.entry.push.next = self.args.push.val();
        self.entry.digit.next = self.args.digit.val();
        self.entry.keys.next = self.publish.keys.val();
        self.entry.clear.next = self.flow.clear.val();
        self.entry.retire.next = self.publish.retire.val();
        self.entry.still.next = self.publish.still.val();
        self.entry.link.next = self.publish.chain.val();
        self.entry.head.next = self.alloc.head.val();

        // ---- the numbers
        self.args.go.next = self.flow.load.val();
        self.args.start.next = self.reg_iova.val();
        self.args.length.next = self.reg_length.val();
        self.args.page.next = self.reg_page.val();
        self.args.pages.next = self.reg_pages.val();
        self.args.base.next = self.reg_base.val();
        self.args.access.next = self.reg_access.val();

        // ---- MTT words
        self.list.busy.next = self.flow.busy.val();
        self.list.go.next = self.flow.list_go.val();
        self.list.post.next = self.flow.list_post.val();
        self.list.drain.next = self.flow.list_drain.val();
        self.list.put.next = self.flow.list_put.val();
        self.list.sets.next = self.flow.list_sets.val();
        self.list.base.next = self.reg_base.val();
        self.list.pages.next = self.reg_pages.val();
        self.list.inlined.next = self.reg_inline.val();
        self.list.page.next = self.hot.val().page;
        self.list.odp.next = self.rights.val().get_bit(6);
        self.list.avail.next = self.alloc.avail.val();
        self.list.page_valid.next = self.page_valid.val();
        self.list.page_data.next = self.page_data.val();
        self.list.page_last.next = self.page_last.val();
        self.list.icm_ready.next = self.icm_ready.val();
        self.list.ricm_valid.next = self.ricm_valid.val();
        self.list.ricm_data.next = self.ricm_data.val();
        self.list.op_taken.next = self.publish.op_valid.val() && self.op_ready.val();
        self.list.op_done.next = self.op_done.val();

        // ---- indices
        self.alloc.take.next = self.publish.grab.val();
        self.alloc.take_next.next = self.entry.succ.val();
        self.alloc.give.next = self.publish.give.val();
        self.alloc.give_index.next = self.index.val();
        self.park.put.next = self.flow.park.val();
        self.park.put_index.next = self.index.val();
        self.park.put_epoch.next = self.hot.val().epoch;
        self.park.put_tag.next = self.flow.tag.val();
        self.park.put_mode.next = self.flow.mode.val();
        self.park.put_end.next = 0.into();
        self.park.put_seen.next = false;
        self.park.scan_via.next = 0.into();
        self.park.scan_via_epoch.next = 0.into();
        self.park.held.next = 0.into();
        self.park.asked.next = 0.into();
        self.park.arm.next = self.publish.arm.val();
        self.park.peek.next = !self.flow.busy.val();
        self.park.pop.next = self.publish.pop.val();
        self.park.scan_index.next = self.scan_index.val();
        self.park.scan_epoch.next = self.scan_epoch.val();
        self.park.scan_held.next = self.scan_held.val();
        self.park.scan_walking.next = self.scan_walking.val();

        // ---- ICM
        self.icm_valid.next = self.flow.icm_read.val() || self.publish.icm_write.val() || self.list.icm_valid.val();
        self.icm_write.next = self.publish.icm_write.val();
        self.icm_space.next = 0.into();
        self.icm_addr.next = bit_cast::<ADW, K>(self.index.val()) << self.mpta.val();
        self.icm_len.next = self.mlen.val();
        self.icm_data.next = self.entry.low.val();
        self.icm_last.next = self.flow.icm_read.val() || self.publish.icm_last.val();
        if self.list.icm_mtt.val() {
            self.icm_space.next = 1.into();
            self.icm_addr.next = bit_cast::<ADW, MAW>(self.list.icm_addr.val());
            self.icm_len.next = 0.into();
        }
        if self.list.icm_window.val() {
            self.icm_space.next = 2.into();
            self.icm_addr.next = bit_cast::<ADW, PDW>(self.reg_pd.val()) << 1;
            self.icm_len.next = 1.into();
        }
        if self.list.icm_mtt.val() || self.list.icm_window.val() {
            self.icm_write.next = self.list.icm_write.val();
            self.icm_data.next = self.list.icm_data.val();
            self.icm_last.next = self.list.icm_last.val();
        }

        // ---- answers
        self.reg_ready.next = self.flow.reg_ready.val();
        self.page_ready.next = self.list.page_ready.val();
        self.rsp_valid.next = self.flow.rsp_valid.val();
        self.rsp_tag.next = self.flow.tag.val();
        self.rsp_code.next = bit_cast::<5, 4>(self.flow.code.val());
        self.shown.next = 0.into();
        if self.flow.shown.val() {
            self.shown.next = self.index.val();
        }
        self.middle.next = bit_cast::<32, K>(self.shown.val()) << 8;
        self.side.next = self.hot.val().lkey;
        self.side2.next = self.hot.val().rkey;
        self.side_low.next = self.side.val().get_bits::<8>(0);
        self.side_high.next = self.side.val().get_bits::<SECW>(8);
        self.side_low2.next = self.side2.val().get_bits::<8>(0);
        self.side_high2.next = self.side2.val().get_bits::<SECW>(8);
        self.rsp_lkey.next =
            (bit_cast::<32, SECW>(self.side_high.val()) << self.sec_at.val()) | self.middle.val() | bit_cast::<32, 8>(self.side_low.val());
        self.rsp_rkey.next =
            (bit_cast::<32, SECW>(self.side_high2.val()) << self.sec_at.val()) | self.middle.val() | bit_cast::<32, 8>(self.side_low2.val());
        self.rsp_state.next = self.hot.val().state;
        self.rsp_pd.next = self.hot.val().pd;
        self.rsp_iova.next = self.hot.val().start;
        self.rsp_length.next = self.hot.val().length;
        self.rsp_access.next = (bit_cast::<10, 2>(self.rights.val().get_bits::<2>(7)) << 8) | bit_cast::<10, 7>(self.rights.val().get_bits::<7>(0));

        // ---- the caches
        self.op_valid.next = self.publish.op_valid.val();
        self.op_kind.next = self.publish.op_kind.val();
        self.op_index.next = self.index.val();
        self.op_set.next = self.list.op_set.val();
        self.op_hold.next = self.flow.op_hold.val();
        self.barrier_active.next = self.publish.barrier.val();
        self.barrier_index.next = self.index.val();
        self.barrier_wait.next = false;
        self.cut_valid.next = self.park.cut_valid.val();
        self.cut_index.next = self.park.cut_index.val();
        self.cut_epoch.next = self.park.cut_epoch.val();
        self.orphan_valid.next = self.publish.orphan.val();
        self.orphan_index.next = self.index.val();
        self.orphan_epoch.next = self.hot.val().epoch;
        self.scan_slot.next = self.park.scan_slot.val();
        self.sweep_valid.next = self.publish.sweep_valid.val();
        self.sweep_index.next = self.index.val();
        self.event_valid.next = self.flow.event_valid.val();
        self.event_kind.next = self.flow.event_kind.val();
        self.event_info.next = bit_cast::<32, K>(self.index.val());
        self.count_register.next = self.publish.count_register.val();
        self.count_deregister.next = self.publish.count_deregister.val();
        self.count_park.next = self.publish.count_park.val();
        self.count_overdue.next = self.flow.count_overdue.val();
        self.count_sweep.next = self.flow.count_sweep.val();
        self.count_flush.next = self.flow.count_flush.val();
    }
}
