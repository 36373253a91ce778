// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registration port with every command: its pins and what is behind them. Configurations without the features of a key's later life
//! have `reg_port.rs` in its place, with the same pins and the first five commands.
//!
//! ```text
//!  reg_* ─┬────────────────► LifeFlow ◄─── Parked ◄── scan, held    completions
//!         │   fields, go ▲ │  ▲ judged      ▲ put, arm, pop
//!         │              │ │  │             │
//!         ├► RegArgs ────┤ └──┼─► KeyAlloc, KeyCipher
//!         │    └ digits  │    │             │
//!         ├► LifeSums ───┤    └── RegList ◄─┤ page_*
//!         │   ▲ entry    ▼                  │
//!         └───┴────── LifeEntry ─► icm_* , rsp_*
//! ```
//! Contract: see `docs/interface.md` for the pins, codes and order of refusals. The command stays on its pins until its transfer:
//! `reg_ready` rises for one cycle when it is judged, before anything a lookup can see. A refusal is taken with its page list.
//! A completion has priority over a new command. A blocked answer holds the port, not the parked entries.
//!
//! Latency on a free port, ICM answering after L cycles with a word a cycle: register and fast_register about 25 + 4L + 2 * MPTN + 3 * pages cycles and one for
//! two bits of an address; with `feature.secrets` another 50 for what draws keys (register, allocate, allocate_window, allocate_null); what parks about 15 + 2L + 2 * MPTN, then the scan; a bind twice that; a page about 10 + 2L + MPTN and a sweep.

use super::key_alloc::KeyAlloc;
use super::key_cipher::KeyCipher;
use super::life_entry::LifeEntry;
use super::life_flow::LifeFlow;
use super::life_sums::LifeSums;
use super::parked::Parked;
use super::pd_quota::PdQuota;
use super::prelude::*;
use super::reg_args::RegArgs;
use super::reg_list::RegList;

/// See the module text.
#[derive(LogicBlock, SmartDefault)]
pub struct LifePort {
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
    /// The window of the access.
    pub scan_via: Signal<In, Bits<PARK>>,
    pub scan_via_epoch: Signal<In, Bits<PARE>>,
    /// Leases held now, one bit a slot.
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
    cipher: KeyCipher,
    args: RegArgs,
    entry: LifeEntry,
    flow: LifeFlow,
    list: RegList,
    park: Parked,
    sums: LifeSums,
    ledger: PdQuota,
    hot: Signal<Local, MptHot>,
    rights: Signal<Local, Bits<9>>,
    kind: Signal<Local, Bits<3>>,
    is_window: Signal<Local, Bit>,
    is_null: Signal<Local, Bit>,
    index: Signal<Local, Bits<K>>,
    pd: Signal<Local, Bits<PDW>>,
    asked: Signal<Local, Bits<32>>,
    key_low: Signal<Local, Bits<8>>,
    key_high: Signal<Local, Bits<SECW>>,
    given: Signal<Local, Bits<9>>,
    access: Signal<Local, Bits<32>>,
    binds: Signal<Local, Bit>,
    middle: Signal<Local, Bits<32>>,
    lkey: Signal<Local, Bits<KEYW>>,
    rkey: Signal<Local, Bits<KEYW>>,
    lkey_low: Signal<Local, Bits<8>>,
    lkey_high: Signal<Local, Bits<SECW>>,
    rkey_low: Signal<Local, Bits<8>>,
    rkey_high: Signal<Local, Bits<SECW>>,
    #[default(constant(8 + K))]
    sec_at: Constant<Bits<6>>,
    #[default(constant(MPTA))]
    mpta: Constant<Bits<4>>,
    #[default(constant(MPTN - 1))]
    mlen: Constant<Bits<4>>,
    #[default(constant(1))]
    null_rights: Constant<Bits<9>>,
    #[default(constant(0x1AE))]
    window_rights: Constant<Bits<9>>,
}

impl Logic for LifePort {
    #[hdl_gen]
    fn update(&mut self) {
        self.alloc.clock.next = self.clock.val();
        self.alloc.reset.next = self.reset.val();
        self.cipher.clock.next = self.clock.val();
        self.cipher.reset.next = self.reset.val();
        self.args.clock.next = self.clock.val();
        self.args.reset.next = self.reset.val();
        self.entry.clock.next = self.clock.val();
        self.flow.clock.next = self.clock.val();
        self.flow.reset.next = self.reset.val();
        self.list.clock.next = self.clock.val();
        self.list.reset.next = self.reset.val();
        self.park.clock.next = self.clock.val();
        self.park.reset.next = self.reset.val();
        self.sums.clock.next = self.clock.val();
        self.hot.next = self.entry.hot.val();
        self.rights.next = self.hot.val().rights;
        self.kind.next = self.hot.val().kind;
        self.is_window.next = (self.kind.val() == 2) || (self.kind.val() == 3) || (self.kind.val() == 4);
        self.is_null.next = self.kind.val() == 5;
        self.index.next = self.flow.index.val();
        self.binds.next = self.flow.op.val() == 13;

        // ---- the flow
        self.flow.reg_valid.next = self.reg_valid.val();
        self.flow.reg_op.next = self.reg_op.val();
        self.flow.reg_tag.next = self.reg_tag.val();
        self.flow.reg_index.next = self.reg_key.val().get_bits::<K>(8);
        self.flow.reg_index2.next = self.reg_key2.val().get_bits::<K>(8);
        self.flow.reg_access.next = self.reg_access.val();
        self.flow.reg_pd.next = self.reg_pd.val();
        self.flow.reg_qpn.next = self.reg_qpn.val().get_bits::<QPW>(0);
        self.flow.reg_extra.next = self.reg_extra.val();
        self.flow.reg_pages.next = self.reg_pages.val();
        self.flow.reg_mode.next = self.reg_mode.val();
        self.flow.empty.next = !self.reg_length.val().any();
        self.flow.rsp_ready.next = self.rsp_ready.val();
        self.flow.hot.next = self.hot.val();
        self.flow.own.next = self.entry.own.val();
        self.flow.kin.next = self.entry.kin.val();
        self.flow.tired.next = self.entry.tired.val();
        self.flow.bound.next = self.entry.bound.val();
        self.flow.full.next = self.entry.full.val();
        self.flow.narrow.next = self.entry.narrow.val();
        self.flow.args_done.next = self.args.done.val();
        self.flow.args_ok.next = self.args.ok.val();
        self.flow.args_fair.next = self.args.fair_access.val();
        self.flow.contained.next = self.sums.contained.val();
        self.flow.there.next = self.sums.there.val();
        self.flow.sound.next = self.sums.sound.val();
        self.flow.page_word.next = self.sums.word.val();
        self.flow.page_entry.next = self.reg_inline.val().get_bits::<BEAT>(0);
        self.flow.list_judged.next = self.list.judged.val();
        self.flow.list_ended.next = self.list.ended.val();
        self.flow.list_code.next = self.list.code.val();
        self.flow.list_op.next = self.list.op_want.val();
        self.flow.avail.next = self.alloc.avail.val();
        self.flow.pick.next = self.alloc.pick.val();
        self.flow.room.next = self.park.room.val();
        self.flow.watching.next = self.park.watching.val();
        self.flow.tied.next = self.park.tied.val();
        self.flow.done_valid.next = self.park.done_valid.val();
        self.flow.done_over.next = self.park.done_over.val();
        self.flow.done_index.next = self.park.done_index.val();
        self.flow.done_tag.next = self.park.done_tag.val();
        self.flow.done_end.next = self.park.done_end.val();
        self.flow.op_ready.next = self.op_ready.val();
        self.flow.op_done.next = self.op_done.val();
        self.flow.sweep_busy.next = self.sweep_busy.val();
        self.flow.starved.next = self.starved.val();
        self.flow.sweep_done.next = self.sweep_done.val();
        self.flow.icm_ready.next = self.icm_ready.val();
        self.flow.ricm_valid.next = self.ricm_valid.val();
        self.flow.ricm_last.next = self.ricm_last.val();
        self.flow.event_ready.next = self.event_ready.val();

        // ---- the entry
        self.asked.next = self.reg_key.val();
        if self.flow.second.val() {
            self.asked.next = self.reg_key2.val();
        }
        self.key_low.next = self.asked.val().get_bits::<8>(0);
        self.key_high.next = self.asked.val().get_bits::<SECW>(self.sec_at.val().index());
        self.entry.key.next = (bit_cast::<KEYW, SECW>(self.key_high.val()) << 8) | bit_cast::<KEYW, 8>(self.key_low.val());
        self.entry.shift.next = self.flow.shift.val();
        self.entry.take.next = self.flow.take.val();
        self.entry.word.next = self.ricm_data.val();
        self.entry.fields.next = self.flow.fields.val();
        self.entry.kind.next = self.flow.kind.val();
        self.entry.state.next = self.flow.state.val();
        self.entry.keep_map.next = self.flow.keep_map.val();
        self.entry.keep_rights.next = self.flow.keep_rights.val();
        self.entry.keep_pd.next = self.flow.keep_pd.val();
        self.given.next = (bit_cast::<9, 2>(self.reg_access.val().get_bits::<2>(8)) << 7) | bit_cast::<9, 7>(self.reg_access.val().get_bits::<7>(0));
        self.entry.rights.next = self.given.val();
        if self.binds.val() {
            self.entry.rights.next = self.given.val() & self.window_rights.val();
        }
        if self.flow.op.val() == 17 {
            self.entry.rights.next = self.null_rights.val();
        }
        self.entry.page.next = self.reg_page.val();
        self.entry.pd.next = self.reg_pd.val();
        self.entry.start.next = self.reg_iova.val();
        self.entry.length.next = self.reg_length.val();
        self.entry.budget.next = self.reg_pages.val();
        self.entry.qpn.next = self.reg_qpn.val().get_bits::<QPW>(0);
        self.entry.parent.next = self.reg_key2.val().get_bits::<K>(8);
        self.entry.origin.next = self.sums.origin.val();
        self.entry.push.next = self.args.push.val();
        self.entry.digit.next = self.args.digit.val();
        self.entry.based.next = self.flow.based.val();
        self.entry.pair.next = self.flow.pair.val();
        self.entry.blocked.next = self.flow.blocked.val();
        self.entry.again.next = self.flow.again.val();
        // the consumer's byte; a key just allocated has 0
        self.entry.variant.next = 0.into();
        if self.flow.op.val() == 9 {
            self.entry.variant.next = self.reg_key.val().get_bits::<8>(0);
        }
        if self.binds.val() {
            self.entry.variant.next = self.reg_extra.val();
        }
        self.entry.fresh.next = self.flow.fresh.val();
        self.entry.save.next = self.flow.save.val();
        self.entry.morph.next = self.flow.morph.val();
        self.entry.secret.next = self.reg_key.val().get_bits::<SECW>(self.sec_at.val().index());
        self.entry.up.next = self.flow.up.val();
        self.entry.down.next = self.flow.down.val();
        self.entry.retire.next = self.flow.retire.val();
        self.entry.rest.next = self.flow.rest.val();
        self.entry.freed.next = self.flow.freed.val();
        self.entry.bump.next = self.flow.bump.val();
        self.entry.chain.next = self.flow.chain.val();
        self.entry.head.next = self.alloc.head.val();

        // ---- secrets
        self.cipher.load.next = self.flow.cipher_load.val();
        self.cipher.secret.next = (bit_cast::<64, 32>(self.reg_key2.val()) << 32) | bit_cast::<64, 32>(self.reg_key.val());
        self.cipher.go.next = self.flow.cipher_go.val();
        self.cipher.block.next = self.flow.blocked.val();
        self.cipher.index.next = self.index.val();
        self.cipher.generation.next = self.entry.count_of.val();
        self.flow.cipher_busy.next = self.cipher.busy.val();
        self.entry.drawn_l.next = self.cipher.lkey.val();
        self.entry.drawn_r.next = self.cipher.rkey.val();
        self.entry.drawn_lsec.next = self.cipher.lsecret.val();
        self.entry.drawn_rsec.next = self.cipher.rsecret.val();

        // ---- the numbers: of what stays, the entry's
        self.access.next = self.reg_access.val();
        if self.flow.keep_rights.val() {
            self.access.next = (bit_cast::<32, 2>(self.rights.val().get_bits::<2>(7)) << 8) | bit_cast::<32, 7>(self.rights.val().get_bits::<7>(0));
        }
        self.args.go.next = self.flow.args_go.val();
        self.args.start.next = self.reg_iova.val();
        self.args.length.next = self.reg_length.val();
        self.args.page.next = self.reg_page.val();
        if self.flow.keep_map.val() {
            self.args.page.next = self.hot.val().page;
        }
        self.args.pages.next = self.reg_pages.val();
        self.args.base.next = self.reg_base.val();
        self.args.access.next = self.access.val();
        self.sums.start.next = self.hot.val().start;
        self.sums.length.next = self.hot.val().length;
        self.sums.page.next = self.hot.val().page;
        self.sums.base.next = self.hot.val().base;
        self.sums.iova.next = self.reg_iova.val();
        self.sums.window.next = self.reg_length.val();
        self.sums.zero.next = self.reg_access.val().get_bit(5);
        self.sums.number.next = self.reg_pages.val();
        self.sums.entry.next = self.reg_inline.val().get_bits::<BEAT>(0);

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
        // only register needs an index of its own
        self.list.avail.next = self.alloc.avail.val() || self.flow.op.val().any();
        self.list.page_valid.next = self.page_valid.val();
        self.list.page_data.next = self.page_data.val();
        self.list.page_last.next = self.page_last.val();
        self.list.icm_ready.next = self.icm_ready.val();
        self.list.ricm_valid.next = self.ricm_valid.val();
        self.list.ricm_data.next = self.ricm_data.val();
        self.list.op_taken.next = self.flow.op_valid.val() && self.op_ready.val();
        self.list.op_done.next = self.op_done.val();

        // ---- indices, parked commands
        self.alloc.take.next = self.flow.grab.val();
        self.alloc.take_next.next = self.entry.succ.val();
        self.alloc.give.next = self.flow.give.val();
        self.alloc.give_index.next = self.index.val();
        self.park.put.next = self.flow.put.val();
        self.park.put_index.next = self.index.val();
        self.park.put_epoch.next = self.hot.val().epoch;
        self.park.put_tag.next = self.flow.tag.val();
        self.park.put_mode.next = self.flow.put_mode.val();
        self.park.put_end.next = self.flow.put_end.val();
        self.park.put_seen.next = self.flow.put_seen.val();
        self.park.arm.next = self.flow.arm.val();
        self.park.peek.next = !self.flow.busy.val();
        self.park.pop.next = self.flow.pop.val();
        self.park.scan_index.next = self.scan_index.val();
        self.park.scan_epoch.next = self.scan_epoch.val();
        self.park.scan_via.next = self.scan_via.val();
        self.park.scan_via_epoch.next = self.scan_via_epoch.val();
        self.park.held.next = self.held.val();
        self.park.asked.next = self.index.val();
        self.park.scan_held.next = self.scan_held.val();
        self.park.scan_walking.next = self.scan_walking.val();

        // ---- the PD's account
        self.ledger.clock.next = self.clock.val();
        self.ledger.load.next = self.flow.ledger_load.val();
        self.ledger.of.next = self.flow.ledger_of.val();
        self.ledger.pins.next = self.reg_pd.val();
        self.ledger.entry.next = self.hot.val().pd;
        self.ledger.take.next = self.flow.ledger_take.val();
        self.ledger.word.next = self.ricm_data.val();
        self.ledger.down.next = self.flow.ledger_down.val();
        self.ledger.renew.next = self.flow.ledger_renew.val();
        self.ledger.quota.next = self.reg_pages.val();
        self.flow.ledger_spent.next = self.ledger.spent.val();
        self.flow.ledger_too_many.next = self.ledger.too_many.val();

        // ---- ICM
        self.icm_valid.next = self.flow.icm_read.val() || self.flow.icm_ledger.val() || self.flow.icm_charge.val() || self.flow.icm_write.val() || self.flow.icm_page.val() || self.list.icm_valid.val();
        self.icm_write.next = self.flow.icm_write.val();
        self.icm_space.next = 0.into();
        self.icm_addr.next = bit_cast::<ADW, K>(self.index.val()) << self.mpta.val();
        self.icm_len.next = self.mlen.val();
        self.icm_data.next = self.entry.low.val();
        self.icm_last.next = self.flow.icm_read.val() || self.flow.icm_last.val();
        self.pd.next = self.hot.val().pd;
        if self.flow.op.val() == 4 {
            self.pd.next = self.reg_pd.val();
        }
        if self.list.icm_mtt.val() {
            self.icm_space.next = 1.into();
            self.icm_addr.next = bit_cast::<ADW, MAW>(self.list.icm_addr.val());
            self.icm_len.next = 0.into();
        }
        if self.list.icm_window.val() {
            self.icm_space.next = 2.into();
            self.icm_addr.next = bit_cast::<ADW, PDW>(self.pd.val()) << 1;
            self.icm_len.next = 1.into();
        }
        if self.list.icm_mtt.val() || self.list.icm_window.val() {
            self.icm_write.next = self.list.icm_write.val();
            self.icm_data.next = self.list.icm_data.val();
            self.icm_last.next = self.list.icm_last.val();
        }
        if self.flow.icm_page.val() {
            self.icm_write.next = true;
            self.icm_space.next = 1.into();
            self.icm_addr.next = bit_cast::<ADW, MAW>(self.flow.icm_page_at.val());
            self.icm_len.next = 0.into();
            self.icm_data.next = self.flow.icm_page_word.val();
            self.icm_last.next = true;
        }

        if self.flow.icm_ledger.val() || self.flow.icm_charge.val() {
            self.icm_write.next = self.flow.icm_charge.val();
            self.icm_space.next = 3.into();
            self.icm_addr.next = bit_cast::<ADW, PDW>(self.ledger.at.val());
            self.icm_len.next = 0.into();
            self.icm_data.next = self.ledger.out.val();
            self.icm_last.next = true;
        }

        // ---- answers
        self.reg_ready.next = self.flow.reg_ready.val();
        self.page_ready.next = self.list.page_ready.val();
        self.rsp_valid.next = self.flow.rsp_valid.val();
        self.rsp_tag.next = self.flow.tag.val();
        self.rsp_code.next = self.flow.code.val();
        self.middle.next = bit_cast::<32, K>(self.index.val()) << 8;
        self.lkey.next = self.hot.val().lkey;
        self.rkey.next = self.hot.val().rkey;
        self.lkey_low.next = self.lkey.val().get_bits::<8>(0);
        self.lkey_high.next = self.lkey.val().get_bits::<SECW>(8);
        self.rkey_low.next = self.rkey.val().get_bits::<8>(0);
        self.rkey_high.next = self.rkey.val().get_bits::<SECW>(8);
        self.rsp_lkey.next = 0.into();
        self.rsp_rkey.next = 0.into();
        if self.flow.shown.val() && !self.is_window.val() {
            self.rsp_lkey.next =
                (bit_cast::<32, SECW>(self.lkey_high.val()) << self.sec_at.val()) | self.middle.val() | bit_cast::<32, 8>(self.lkey_low.val());
        }
        if self.flow.shown.val() && !self.is_null.val() {
            self.rsp_rkey.next =
                (bit_cast::<32, SECW>(self.rkey_high.val()) << self.sec_at.val()) | self.middle.val() | bit_cast::<32, 8>(self.rkey_low.val());
        }
        self.rsp_state.next = self.hot.val().state;
        self.rsp_pd.next = self.hot.val().pd;
        self.rsp_iova.next = self.hot.val().start;
        self.rsp_length.next = self.hot.val().length;
        self.rsp_access.next = (bit_cast::<10, 2>(self.rights.val().get_bits::<2>(7)) << 8) | bit_cast::<10, 7>(self.rights.val().get_bits::<7>(0));

        // ---- the caches
        self.op_valid.next = self.flow.op_valid.val();
        self.op_kind.next = self.flow.op_kind.val();
        self.op_index.next = self.index.val();
        self.op_set.next = self.list.op_set.val();
        self.op_hold.next = self.flow.op_hold.val();
        self.barrier_active.next = self.flow.barrier.val();
        self.barrier_index.next = self.index.val();
        self.barrier_wait.next = self.flow.barrier_wait.val();
        self.cut_valid.next = self.park.cut_valid.val();
        self.cut_index.next = self.park.cut_index.val();
        self.cut_epoch.next = self.park.cut_epoch.val();
        self.orphan_valid.next = self.flow.orphan.val();
        self.orphan_index.next = self.index.val();
        self.orphan_epoch.next = self.hot.val().epoch;
        self.scan_slot.next = self.park.scan_slot.val();
        self.sweep_valid.next = self.flow.sweep_valid.val();
        self.sweep_index.next = self.index.val();
        self.event_valid.next = self.flow.event_valid.val();
        self.event_kind.next = self.flow.event_kind.val();
        self.event_info.next = bit_cast::<32, K>(self.index.val());
        self.count_register.next = self.flow.count_register.val();
        self.count_deregister.next = self.flow.count_deregister.val();
        self.count_park.next = self.flow.count_park.val();
        self.count_overdue.next = self.flow.count_overdue.val();
        self.count_sweep.next = self.flow.count_sweep.val();
        self.count_flush.next = self.flow.count_flush.val();
    }
}
