// SPDX-License-Identifier: MIT OR Apache-2.0
//! The order of every command of the full registration port and of every completion.
//!
//! ```text
//!  Idle ─► Sort ─► Read ─► Word ─► Judge ─► Match ──┬─ Fresh ─► Fields ─► Args ─► List ─┐   (new mapping)
//!            │                       │ ▲            │  (with secrets: Draw ─► Drawn before Fields where keys are new)
//!            │                       │ ▲            ├─ Read the region ─► MatchRegion ─► Sum ─► Write it ─► Morph ─┤   (bind)
//!            │ completion            │ │            ├─ Sum ─┤                           ▼
//!            ▼                       ▼ │            └───────┴──────────────────────► Transfer ─┬─► ListEnd ─┐
//!       Overdue, Answer           Sweep, Link                                                    ├─► Page ─► Sweep ─► Put
//!                                      │            ┌────────────────────────────────────────────┴─► Put ─┤
//!                                      ▼            ▼                                                      │
//!  Idle ◄─ Answer ◄─┬─ Done ◄─ Ack ◄─ Write ◄─ Fit ◄─ Killed ◄─ Kill ◄─ Raise ◄──────────────────────────────┘
//!          (parked) └────────────┴─► Read, Count, Write the region that lost its window
//! ```
//! With limits a command that makes an entry reads the account of its PD first (Ledger, Account, Weigh) and charges it before Done (Charge, Charged); a reregister that changes the PD
//! does both, before Fields and after Ack, then gives the old PD its entry back; so does the completion of what ends an entry, before Answer; set_quota is one round of it.
//! Contract: see `life_port` for the pins and `docs/interface.md` for the order of refusals. Completions come before commands. Before the
//! transfer the command is read from its pins, so only its kind, mode, tag and index are kept. What lookups see changes between Raise and Ack:
//! the barrier stands, the line dies, the entry is written. A region's count of windows is written before the binding and after its end.
//! Twice in a round of epochs the region's lines are swept: at the completion of what ends a mapping, and before one takes the place of another. So no
//! value comes round with lines of its last use, also not with those a walk leaves behind the sweep; and while such a change waits for those
//! walks, another change of the index is answered busy.
//! An eviction writes its page, makes the fetches under way void, sweeps the region's lines, and then waits for the leases held.
//!
//! Latency: a cycle a step; Word and Write one a word, Sum SUMS + 1.

use super::entry::*;
use super::life_judge::LifeJudge;
use super::life_sums::SUMS;
use super::prelude::*;

const K1: usize = K + 1;
const INLC: usize = INLW + 1;
const EPWL: usize = EPW - 1;

/// One step each; the module text has their order.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
#[allow(missing_docs)]
pub enum LifeStep {
    Idle,
    Sort,
    Read,
    Word,
    Judge,
    Match,
    MatchRegion,
    Sum,
    Fresh,
    Draw,
    Drawn,
    Fields,
    Args,
    List,
    Morph,
    Transfer,
    ListEnd,
    Page,
    PageAck,
    Put,
    Raise,
    Kill,
    Killed,
    Fit,
    Write,
    Ack,
    Count,
    Done,
    Sweep,
    Link,
    Overdue,
    Answer,
    Ledger,
    Account,
    Weigh,
    Charge,
    Charged,
}

/// See the module text.
#[derive(LogicBlock, SmartDefault)]
pub struct LifeFlow {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub reg_valid: Signal<In, Bit>,
    pub reg_ready: Signal<Out, Bit>,
    pub reg_op: Signal<In, Bits<5>>,
    pub reg_tag: Signal<In, Bits<8>>,
    pub reg_index: Signal<In, Bits<K>>,
    pub reg_index2: Signal<In, Bits<K>>,
    pub reg_access: Signal<In, Bits<32>>,
    pub reg_pd: Signal<In, Bits<PDW>>,
    pub reg_qpn: Signal<In, Bits<QPW>>,
    pub reg_extra: Signal<In, Bits<8>>,
    pub reg_pages: Signal<In, Bits<PNW>>,
    pub reg_mode: Signal<In, Bits<2>>,
    /// The length is 0.
    pub empty: Signal<In, Bit>,
    pub rsp_valid: Signal<Out, Bit>,
    pub rsp_ready: Signal<In, Bit>,
    pub busy: Signal<Out, Bit>,
    pub op: Signal<Out, Bits<5>>,
    pub tag: Signal<Out, Bits<8>>,
    pub code: Signal<Out, Bits<5>>,
    pub index: Signal<Out, Bits<K>>,
    pub mode: Signal<Out, Bits<2>>,
    /// The answer gives keys.
    pub shown: Signal<Out, Bit>,
    /// The other key is the one in question.
    pub second: Signal<Out, Bit>,
    /// The entry: what it says, what happens to it.
    pub hot: Signal<In, MptHot>,
    pub own: Signal<In, Bit>,
    pub kin: Signal<In, Bit>,
    pub tired: Signal<In, Bit>,
    pub bound: Signal<In, Bit>,
    pub full: Signal<In, Bit>,
    pub narrow: Signal<In, Bit>,
    pub shift: Signal<Out, Bit>,
    pub take: Signal<Out, Bit>,
    pub fields: Signal<Out, Bit>,
    pub kind: Signal<Out, Bits<3>>,
    pub state: Signal<Out, Bits<2>>,
    pub keep_map: Signal<Out, Bit>,
    pub keep_rights: Signal<Out, Bit>,
    pub keep_pd: Signal<Out, Bit>,
    pub based: Signal<Out, Bit>,
    pub pair: Signal<Out, Bit>,
    pub blocked: Signal<Out, Bit>,
    /// The entry's secrets stay.
    pub again: Signal<Out, Bit>,
    /// The cipher gets its secret; makes the keys of the entry at home; is at it.
    pub cipher_load: Signal<Out, Bit>,
    pub cipher_go: Signal<Out, Bit>,
    pub cipher_busy: Signal<In, Bit>,
    pub fresh: Signal<Out, Bit>,
    pub save: Signal<Out, Bit>,
    pub morph: Signal<Out, Bit>,
    pub up: Signal<Out, Bit>,
    pub down: Signal<Out, Bit>,
    pub retire: Signal<Out, Bit>,
    pub rest: Signal<Out, Bit>,
    pub freed: Signal<Out, Bit>,
    pub bump: Signal<Out, Bit>,
    pub chain: Signal<Out, Bit>,
    /// The PD's account.
    pub ledger_load: Signal<Out, Bit>,
    pub ledger_of: Signal<Out, Bits<2>>,
    pub ledger_take: Signal<Out, Bit>,
    pub ledger_down: Signal<Out, Bit>,
    pub ledger_renew: Signal<Out, Bit>,
    pub ledger_spent: Signal<In, Bit>,
    pub ledger_too_many: Signal<In, Bit>,
    pub icm_ledger: Signal<Out, Bit>,
    pub icm_charge: Signal<Out, Bit>,
    /// The numbers.
    pub args_go: Signal<Out, Bit>,
    pub args_done: Signal<In, Bit>,
    pub args_ok: Signal<In, Bit>,
    pub args_fair: Signal<In, Bit>,
    pub contained: Signal<In, Bit>,
    pub there: Signal<In, Bit>,
    pub sound: Signal<In, Bit>,
    pub page_word: Signal<In, Bits<MAW>>,
    pub page_entry: Signal<In, Bits<BEAT>>,
    /// The page list.
    pub list_go: Signal<Out, Bit>,
    pub list_post: Signal<Out, Bit>,
    pub list_drain: Signal<Out, Bit>,
    pub list_put: Signal<Out, Bit>,
    pub list_sets: Signal<Out, Bit>,
    pub list_judged: Signal<In, Bit>,
    pub list_ended: Signal<In, Bit>,
    pub list_code: Signal<In, Bits<3>>,
    pub list_op: Signal<In, Bit>,
    /// Indices.
    pub avail: Signal<In, Bit>,
    pub pick: Signal<In, Bits<K>>,
    pub grab: Signal<Out, Bit>,
    pub give: Signal<Out, Bit>,
    /// Parked commands.
    pub room: Signal<In, Bit>,
    pub watching: Signal<In, Bit>,
    /// A change of this index (of a cycle before) that keeps its key alive still waits for what was granted before.
    pub tied: Signal<In, Bit>,
    pub done_valid: Signal<In, Bit>,
    pub done_over: Signal<In, Bit>,
    pub done_index: Signal<In, Bits<K>>,
    pub done_tag: Signal<In, Bits<8>>,
    pub done_end: Signal<In, Bits<2>>,
    pub put: Signal<Out, Bit>,
    pub put_mode: Signal<Out, Bits<2>>,
    pub put_end: Signal<Out, Bits<2>>,
    pub put_seen: Signal<Out, Bit>,
    pub arm: Signal<Out, Bit>,
    pub pop: Signal<Out, Bit>,
    /// The caches.
    pub op_valid: Signal<Out, Bit>,
    pub op_kind: Signal<Out, Bits<2>>,
    pub op_ready: Signal<In, Bit>,
    pub op_done: Signal<In, Bit>,
    pub op_hold: Signal<Out, Bit>,
    pub sweep_busy: Signal<In, Bit>,
    pub barrier: Signal<Out, Bit>,
    pub barrier_wait: Signal<Out, Bit>,
    pub starved: Signal<In, Bit>,
    pub orphan: Signal<Out, Bit>,
    pub sweep_valid: Signal<Out, Bit>,
    pub sweep_done: Signal<In, Bit>,
    /// Memory.
    pub icm_read: Signal<Out, Bit>,
    pub icm_write: Signal<Out, Bit>,
    pub icm_last: Signal<Out, Bit>,
    pub icm_page: Signal<Out, Bit>,
    pub icm_page_at: Signal<Out, Bits<MAW>>,
    pub icm_page_word: Signal<Out, Bits<BEAT>>,
    pub icm_ready: Signal<In, Bit>,
    pub ricm_valid: Signal<In, Bit>,
    pub ricm_last: Signal<In, Bit>,
    pub event_valid: Signal<Out, Bit>,
    pub event_ready: Signal<In, Bit>,
    pub event_kind: Signal<Out, Bits<4>>,
    pub count_register: Signal<Out, Bit>,
    pub count_deregister: Signal<Out, Bit>,
    pub count_park: Signal<Out, Bit>,
    pub count_overdue: Signal<Out, Bit>,
    pub count_sweep: Signal<Out, Bit>,
    pub count_flush: Signal<Out, Bit>,
    step: DFF<LifeStep>,
    job: DFF<Bit>,
    over: DFF<Bit>,
    seeded: DFF<Bit>,
    ending: DFF<Bits<2>>,
    code_of: DFF<Bits<5>>,
    kind_of: DFF<Bits<2>>,
    label: DFF<Bits<8>>,
    idx: DFF<Bits<K>>,
    result: DFF<Bits<5>>,
    /// The entry goes from one PD to another; the new one has been charged.
    moved: DFF<Bit>,
    charged: DFF<Bit>,
    /// Of a bind: the region is at work; the region that lost its window is.
    region: DFF<Bit>,
    loser: DFF<Bit>,
    /// A binding ends, of this region; there is no new one.
    had: DFF<Bit>,
    old: DFF<Bits<K>>,
    unbind: DFF<Bit>,
    /// Translation, PD, access are given anew.
    named: DFF<Bits<3>>,
    sums: DFF<Bits<2>>,
    beat: DFF<Bits<4>>,
    opv: DFF<Bit>,
    bar: DFF<Bit>,
    evv: DFF<Bit>,
    evk: DFF<Bit>,
    hold: DFF<Bit>,
    page_at: DFF<Bits<MAW>>,
    page_is: DFF<Bits<BEAT>>,
    /// A command that may be parked; one whose index does not exist.
    placed: DFF<Bit>,
    beyond: DFF<Bit>,
    judge: LifeJudge,
    o_register: DFF<Bit>,
    o_deregister: DFF<Bit>,
    o_query: DFF<Bit>,
    o_flush: DFF<Bit>,
    o_pd_window: DFF<Bit>,
    o_allocate: DFF<Bit>,
    o_fast: DFF<Bit>,
    o_invalidate: DFF<Bit>,
    o_reregister: DFF<Bit>,
    o_window: DFF<Bit>,
    o_bind: DFF<Bit>,
    o_unwindow: DFF<Bit>,
    o_fill: DFF<Bit>,
    o_evict: DFF<Bit>,
    o_null: DFF<Bit>,
    o_secret: DFF<Bit>,
    o_quota: DFF<Bit>,
    any_op: Signal<Local, Bit>,
    makes: DFF<Bit>,
    maps: DFF<Bit>,
    parks_q: DFF<Bit>,
    parks: Signal<Local, Bit>,
    outside: Signal<Local, Bit>,
    outside2: Signal<Local, Bit>,
    scoped: Signal<Local, Bit>,
    wide: Signal<Local, Bits<5>>,
    to: Signal<Local, LifeStep>,
    is_window: Signal<Local, Bit>,
    held: Signal<Local, Bit>,
    crowded: Signal<Local, Bit>,
    moves: Signal<Local, Bit>,
    epoch: Signal<Local, Bits<EPW>>,
    epoch_low: Signal<Local, Bits<EPWL>>,
    parent: Signal<Local, Bits<PARK>>,
    listed: Signal<Local, Bit>,
    list_high: Signal<Local, Bits<PNW>>,
    list_low: Signal<Local, Bits<INLC>>,
    last_beat: Signal<Local, Bit>,
    kill_now: Signal<Local, Bit>,
    #[default(constant(MRS))]
    mrs: Constant<Bits<K1>>,
    #[default(constant(INL + 1))]
    inl1: Constant<Bits<INLC>>,
    #[default(constant(INLC))]
    low_bits: Constant<Bits<6>>,
    #[default(constant(MPTN - 1))]
    mlen: Constant<Bits<4>>,
    #[default(Constant::new(F_FAST_REG))]
    has_fast: Constant<Bit>,
    #[default(Constant::new(F_WINDOWS))]
    has_windows: Constant<Bit>,
    #[default(Constant::new(F_REREGISTER))]
    has_reregister: Constant<Bit>,
    #[default(Constant::new(F_PAGING))]
    has_paging: Constant<Bit>,
    #[default(Constant::new(F_NULL_MR))]
    has_null: Constant<Bit>,
    #[default(Constant::new(F_SECRETS))]
    has_secrets: Constant<Bit>,
    #[default(Constant::new(F_LIMITS))]
    has_limits: Constant<Bit>,
    #[default(constant(SUMS))]
    sums_last: Constant<Bits<2>>,
}

impl Logic for LifeFlow {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, step, job, over, seeded, ending, code_of, kind_of, label, idx, result, moved, charged, region, loser, had, old, unbind, named, sums, beat, opv, bar, evv, evk, hold,
            page_at, page_is, placed, beyond, o_register, o_deregister, o_query, o_flush, o_pd_window, o_allocate, o_fast, o_invalidate, o_reregister, o_window, o_bind, o_unwindow, o_fill, o_evict, o_null, o_secret, o_quota, makes, maps, parks_q
        );
        // ---- which command: known when it is taken (`Idle`)
        self.parks.next = self.parks_q.q.val() || (self.o_bind.q.val() && self.had.q.val());
        self.any_op.next = self.makes.q.val()
            || self.maps.q.val()
            || self.parks.val()
            || self.o_query.q.val()
            || self.o_flush.q.val()
            || self.o_pd_window.q.val()
            || self.o_bind.q.val()
            || self.o_fill.q.val();
        self.scoped.next = self.o_flush.q.val() && self.kind_of.q.val().any();

        // ---- the entry at home
        self.judge.clock.next = self.clock.val();
        self.judge.o_deregister.next = self.o_deregister.q.val();
        self.judge.o_query.next = self.o_query.q.val();
        self.judge.o_flush.next = self.o_flush.q.val();
        self.judge.o_fast.next = self.o_fast.q.val();
        self.judge.o_invalidate.next = self.o_invalidate.q.val();
        self.judge.o_reregister.next = self.o_reregister.q.val();
        self.judge.o_bind.next = self.o_bind.q.val();
        self.judge.o_unwindow.next = self.o_unwindow.q.val();
        self.judge.o_page.next = self.o_fill.q.val() || self.o_evict.q.val();
        self.judge.region.next = self.region.q.val();
        self.judge.hot.next = self.hot.val();
        self.judge.bound.next = self.bound.val();
        self.judge.reg_access.next = self.reg_access.val();
        self.judge.reg_pd.next = self.reg_pd.val();
        self.judge.reg_qpn.next = self.reg_qpn.val();
        self.judge.empty.next = self.empty.val();
        self.is_window.next = self.judge.window.val();
        self.epoch.next = self.hot.val().epoch;
        self.epoch_low.next = self.epoch.val().get_bits::<EPWL>(0);
        self.parent.next = self.hot.val().parent;
        self.held.next = self.own.val();
        if self.o_fast.q.val() {
            self.held.next = self.kin.val();
        }
        self.crowded.next = self.placed.q.val() && (!self.room.val() || (self.o_evict.q.val() && self.watching.val()) || (self.tied.val() && !self.o_evict.q.val()));
        self.outside.next = !self.idx.q.val().any() || (bit_cast::<K1, K>(self.idx.q.val()) >= self.mrs.val());
        self.outside2.next = !self.reg_index2.val().any() || (bit_cast::<K1, K>(self.reg_index2.val()) >= self.mrs.val());
        self.list_high.next = self.reg_pages.val() >> self.low_bits.val();
        self.list_low.next = self.reg_pages.val().get_bits::<INLC>(0);
        self.moves.next = self.has_limits.val() && self.o_reregister.q.val() && self.named.q.val().get_bit(1) && !self.judge.same_pd.val();
        self.listed.next = self.list_high.val().any() || (self.list_low.val() >= self.inl1.val());
        self.last_beat.next = self.beat.q.val() == self.mlen.val();
        self.kill_now.next = self.opv.q.val() && self.op_ready.val();

        // ---- at rest
        self.reg_ready.next = false;
        self.shift.next = false;
        self.take.next = false;
        self.fields.next = false;
        self.based.next = false;
        self.pair.next = false;
        self.fresh.next = false;
        self.save.next = false;
        self.morph.next = false;
        self.up.next = false;
        self.down.next = false;
        self.retire.next = false;
        self.rest.next = false;
        self.freed.next = false;
        self.bump.next = false;
        self.chain.next = false;
        self.args_go.next = false;
        self.list_go.next = false;
        self.list_post.next = false;
        self.list_drain.next = false;
        self.list_put.next = false;
        self.list_sets.next = false;
        self.grab.next = false;
        self.give.next = false;
        self.put.next = false;
        self.arm.next = false;
        self.pop.next = false;
        self.orphan.next = false;
        self.sweep_valid.next = false;
        self.icm_read.next = false;
        self.icm_write.next = false;
        self.icm_page.next = false;
        self.rsp_valid.next = false;
        self.count_register.next = false;
        self.count_deregister.next = false;
        self.count_park.next = false;
        self.count_overdue.next = false;
        self.count_sweep.next = false;
        self.count_flush.next = false;
        self.cipher_load.next = false;
        self.cipher_go.next = false;
        self.ledger_load.next = false;
        self.ledger_of.next = 0.into();
        self.ledger_take.next = false;
        self.icm_ledger.next = false;
        self.icm_charge.next = false;
        self.placed.d.next = false;
        self.beyond.d.next = false;
        self.wide.next = 0.into();
        self.to.next = self.step.q.val();
        if self.event_ready.val() {
            self.evv.d.next = false;
        }

        match self.step.q.val() {
            LifeStep::Idle => {
                self.job.d.next = self.done_valid.val();
                self.over.d.next = self.done_over.val();
                self.ending.d.next = self.done_end.val();
                self.code_of.d.next = self.reg_op.val();
                // those compiled out are none
                self.o_register.d.next = !self.done_valid.val() && (self.reg_op.val() == 0);
                self.o_deregister.d.next = !self.done_valid.val() && (self.reg_op.val() == 1);
                self.o_query.d.next = !self.done_valid.val() && (self.reg_op.val() == 2);
                self.o_flush.d.next = !self.done_valid.val() && (self.reg_op.val() == 3);
                self.o_pd_window.d.next = !self.done_valid.val() && (self.reg_op.val() == 4);
                self.o_allocate.d.next = !self.done_valid.val() && (self.reg_op.val() == 8) && self.has_fast.val();
                self.o_fast.d.next = !self.done_valid.val() && (self.reg_op.val() == 9) && self.has_fast.val();
                self.o_invalidate.d.next = !self.done_valid.val() && (self.reg_op.val() == 10) && (self.has_fast.val() || self.has_windows.val());
                self.o_reregister.d.next = !self.done_valid.val() && (self.reg_op.val() == 11) && self.has_reregister.val();
                self.o_window.d.next = !self.done_valid.val() && (self.reg_op.val() == 12) && self.has_windows.val();
                self.o_bind.d.next = !self.done_valid.val() && (self.reg_op.val() == 13) && self.has_windows.val();
                self.o_unwindow.d.next = !self.done_valid.val() && (self.reg_op.val() == 14) && self.has_windows.val();
                self.o_fill.d.next = !self.done_valid.val() && (self.reg_op.val() == 15) && self.has_paging.val();
                self.o_evict.d.next = !self.done_valid.val() && (self.reg_op.val() == 16) && self.has_paging.val();
                self.o_null.d.next = !self.done_valid.val() && (self.reg_op.val() == 17) && self.has_null.val();
                self.o_secret.d.next = !self.done_valid.val() && (self.reg_op.val() == 18) && self.has_secrets.val();
                self.o_quota.d.next = !self.done_valid.val() && (self.reg_op.val() == 19) && self.has_limits.val();
                self.makes.d.next = !self.done_valid.val()
                    && ((self.reg_op.val() == 0)
                        || ((self.reg_op.val() == 8) && self.has_fast.val())
                        || ((self.reg_op.val() == 12) && self.has_windows.val())
                        || ((self.reg_op.val() == 17) && self.has_null.val()));
                self.maps.d.next = !self.done_valid.val()
                    && ((self.reg_op.val() == 0)
                        || ((self.reg_op.val() == 9) && self.has_fast.val())
                        || ((self.reg_op.val() == 11) && self.has_reregister.val() && self.reg_extra.val().get_bit(0)));
                self.parks_q.d.next = !self.done_valid.val()
                    && ((self.reg_op.val() == 1)
                        || ((self.reg_op.val() == 10) && (self.has_fast.val() || self.has_windows.val()))
                        || ((self.reg_op.val() == 11) && self.has_reregister.val())
                        || ((self.reg_op.val() == 14) && self.has_windows.val())
                        || ((self.reg_op.val() == 16) && self.has_paging.val()));
                self.kind_of.d.next = self.reg_mode.val();
                self.named.d.next = self.reg_extra.val().get_bits::<3>(0);
                self.label.d.next = self.reg_tag.val();
                if !self.evv.q.val() {
                    self.idx.d.next = self.reg_index.val();
                }
                if self.done_valid.val() && !self.evv.q.val() {
                    self.label.d.next = self.done_tag.val();
                    self.idx.d.next = self.done_index.val();
                }
                self.result.d.next = 0.into();
                self.moved.d.next = false;
                self.charged.d.next = false;
                self.region.d.next = false;
                self.loser.d.next = false;
                self.had.d.next = false;
                self.unbind.d.next = false;
                self.sums.d.next = 0.into();
                self.hold.d.next = false;
                if !self.evv.q.val() && (self.done_valid.val() || self.reg_valid.val()) {
                    self.to.next = LifeStep::Sort;
                }
            }
            LifeStep::Sort => {
                self.to.next = LifeStep::Read;
                if self.job.q.val() {
                    if self.over.q.val() {
                        self.to.next = LifeStep::Overdue;
                    } else if self.ending.q.val() == 2 {
                        self.pop.next = true;
                        self.to.next = LifeStep::Answer;
                    }
                } else if self.o_secret.q.val() {
                    // once only: under a new secret a key could come again
                    self.to.next = LifeStep::Transfer;
                    if self.seeded.q.val() {
                        self.wide.next = 10.into();
                    } else {
                        self.cipher_load.next = true;
                        self.seeded.d.next = true;
                    }
                } else if self.makes.q.val() && self.has_secrets.val() && !self.seeded.q.val() {
                    self.wide.next = 15.into();
                    self.to.next = LifeStep::Transfer;
                } else if self.makes.q.val() {
                    self.idx.d.next = self.pick.val();
                    if !self.avail.val() {
                        self.to.next = LifeStep::Match;
                    }
                    if self.has_limits.val() {
                        self.ledger_load.next = true;
                        self.to.next = LifeStep::Ledger;
                    }
                } else if self.o_quota.q.val() {
                    self.ledger_load.next = true;
                    self.to.next = LifeStep::Ledger;
                } else if self.o_pd_window.q.val() {
                    self.list_put.next = true;
                    self.to.next = LifeStep::ListEnd;
                } else if self.scoped.val() {
                    self.to.next = LifeStep::Raise;
                    if self.kind_of.q.val().get_bit(1) && self.starved.val() {
                        // as a barrier, it leaves a lookup that was sent back often enough its turn
                        self.to.next = LifeStep::Sort;
                    } else if self.kind_of.q.val().get_bit(1) {
                        self.list_sets.next = true;
                        self.hold.d.next = self.kind_of.q.val().get_bit(0);
                        self.to.next = LifeStep::ListEnd;
                    }
                } else if !self.any_op.val() {
                    self.wide.next = 9.into();
                    self.to.next = LifeStep::Transfer;
                } else {
                    // judged in the next step, where nothing has been asked of the memory yet (`tied` is a cycle late)
                    self.placed.d.next = self.parks.val() || self.o_bind.q.val();
                    self.beyond.d.next = self.outside.val();
                }
            }
            LifeStep::Read => {
                if self.crowded.val() || self.beyond.q.val() {
                    self.wide.next = 2.into();
                    if self.crowded.val() {
                        self.wide.next = 7.into();
                    }
                    self.to.next = LifeStep::Transfer;
                } else {
                    self.icm_read.next = true;
                    if self.icm_ready.val() {
                        self.to.next = LifeStep::Word;
                    }
                }
            }
            LifeStep::Word => {
                self.take.next = true;
                if self.ricm_valid.val() {
                    self.shift.next = true;
                    if self.ricm_last.val() {
                        self.to.next = LifeStep::Judge;
                    }
                }
            }
            LifeStep::Judge => {
                self.to.next = LifeStep::Match;
                if self.region.q.val() {
                    self.to.next = LifeStep::MatchRegion;
                }
                if self.loser.q.val() {
                    self.to.next = LifeStep::Count;
                }
                if self.job.q.val() {
                    self.to.next = LifeStep::Link;
                    if !self.epoch_low.val().any() {
                        self.count_sweep.next = true;
                        self.to.next = LifeStep::Sweep;
                    }
                }
            }
            LifeStep::Match => {
                self.to.next = LifeStep::Transfer;
                if self.makes.q.val() {
                    if self.o_allocate.q.val() && !self.reg_pages.val().any() {
                        self.wide.next = 1.into();
                    } else if self.o_window.q.val() && (self.reg_extra.val() >= 3) {
                        self.wide.next = 1.into();
                    } else if !self.avail.val() && !self.o_register.q.val() {
                        self.wide.next = 6.into();
                        self.evv.d.next = true;
                        self.evk.d.next = true;
                    } else {
                        self.to.next = LifeStep::Fields;
                        if self.has_secrets.val() {
                            self.to.next = LifeStep::Draw;
                        }
                        if self.o_allocate.q.val() || self.o_window.q.val() {
                            self.to.next = LifeStep::Fresh;
                        }
                    }
                } else if self.judge.first.val() {
                    self.wide.next = bit_cast::<5, 4>(self.judge.first_code.val());
                } else if !self.held.val() || self.judge.asleep.val() {
                    self.wide.next = 3.into();
                } else if self.judge.then.val() {
                    self.wide.next = bit_cast::<5, 4>(self.judge.then_code.val());
                } else if self.o_fast.q.val() {
                    if self.narrow.val() {
                        self.wide.next = 1.into();
                    } else {
                        self.to.next = LifeStep::Fields;
                    }
                } else if self.o_reregister.q.val() {
                    if !self.named.q.val().any()
                        || (!self.named.q.val().get_bit(0) && self.named.q.val().get_bit(2) && (self.judge.turns.val() || !self.args_fair.val()))
                    {
                        self.wide.next = 1.into();
                    } else {
                        self.to.next = LifeStep::Fields;
                        if self.moves.val() {
                            self.to.next = LifeStep::Ledger;
                        }
                    }
                } else if self.o_bind.q.val() {
                    if self.judge.unfit.val() {
                        self.wide.next = 1.into();
                    } else if !self.empty.val() {
                        if self.outside2.val() {
                            self.wide.next = 2.into();
                        } else {
                            self.idx.d.next = self.reg_index2.val();
                            self.region.d.next = true;
                            self.to.next = LifeStep::Read;
                        }
                    }
                } else if self.o_fill.q.val() || self.o_evict.q.val() {
                    self.to.next = LifeStep::Sum;
                } else if self.o_flush.q.val() {
                    self.to.next = LifeStep::Raise;
                }
                // not looked at where the command is refused
                self.save.next = self.o_bind.q.val();
                self.unbind.d.next = self.o_bind.q.val() && self.empty.val();
                self.had.d.next = (self.o_bind.q.val() || self.o_invalidate.q.val() || self.o_unwindow.q.val()) && self.judge.mapped.val() && self.judge.window.val();
                self.old.d.next = bit_cast::<K, PARK>(self.parent.val());
                self.moved.d.next = self.moves.val();
                self.ledger_load.next = self.o_reregister.q.val();
            }
            LifeStep::MatchRegion => {
                self.to.next = LifeStep::Transfer;
                if self.judge.first.val() {
                    self.wide.next = bit_cast::<5, 4>(self.judge.first_code.val());
                } else if !self.own.val() || self.judge.asleep.val() {
                    self.wide.next = 3.into();
                } else if self.judge.then.val() {
                    self.wide.next = bit_cast::<5, 4>(self.judge.then_code.val());
                } else {
                    self.to.next = LifeStep::Sum;
                }
            }
            LifeStep::Sum => {
                self.sums.d.next = self.sums.q.val() + 1;
                self.page_at.d.next = self.page_word.val();
                self.page_is.d.next = self.page_entry.val();
                if self.o_evict.q.val() {
                    self.page_is.d.next = 0.into();
                }
                if self.sums.q.val() == self.sums_last.val() {
                    self.to.next = LifeStep::Transfer;
                    if !self.o_bind.q.val() {
                        if !self.there.val() || (self.o_fill.q.val() && !self.sound.val()) {
                            self.wide.next = 1.into();
                        }
                    } else if !self.contained.val() {
                        self.wide.next = 14.into();
                    } else if self.full.val() {
                        self.wide.next = 6.into();
                    } else {
                        self.up.next = true;
                        self.to.next = LifeStep::Write;
                    }
                }
            }
            LifeStep::Fresh => {
                self.fresh.next = true;
                self.to.next = LifeStep::Fields;
                if self.has_secrets.val() {
                    self.to.next = LifeStep::Draw;
                }
            }
            LifeStep::Draw => {
                self.cipher_go.next = true;
                self.to.next = LifeStep::Drawn;
            }
            LifeStep::Drawn => {
                if !self.cipher_busy.val() {
                    self.to.next = LifeStep::Fields;
                }
            }
            LifeStep::Fields => {
                self.fields.next = true;
                self.pair.next = !self.o_reregister.q.val();
                self.to.next = LifeStep::Transfer;
                if self.maps.q.val() {
                    self.args_go.next = true;
                    self.to.next = LifeStep::Args;
                }
            }
            LifeStep::Args => {
                if self.args_done.val() {
                    if self.args_ok.val() {
                        self.based.next = true;
                        self.list_go.next = true;
                        self.to.next = LifeStep::List;
                    } else {
                        self.wide.next = 1.into();
                        self.to.next = LifeStep::Transfer;
                    }
                }
            }
            LifeStep::List => {
                if self.list_judged.val() {
                    self.wide.next = bit_cast::<5, 3>(self.list_code.val());
                    self.to.next = LifeStep::Transfer;
                    if self.list_code.val().get_bit(1) {
                        self.evv.d.next = true;
                        self.evk.d.next = true;
                    }
                }
            }
            LifeStep::Morph => {
                self.morph.next = true;
                self.idx.d.next = self.reg_index.val();
                self.region.d.next = false;
                self.to.next = LifeStep::Transfer;
            }
            LifeStep::Transfer => {
                self.reg_ready.next = true;
                self.to.next = LifeStep::Answer;
                if self.result.q.val().any() {
                    if self.maps.q.val() && self.listed.val() {
                        self.list_drain.next = true;
                        self.to.next = LifeStep::ListEnd;
                    }
                } else if self.maps.q.val() {
                    self.list_post.next = true;
                    self.to.next = LifeStep::ListEnd;
                } else if self.o_fill.q.val() || self.o_evict.q.val() {
                    self.to.next = LifeStep::Page;
                } else if self.parks.val() {
                    self.to.next = LifeStep::Put;
                } else if self.makes.q.val() || (self.o_bind.q.val() && !self.unbind.q.val()) {
                    self.to.next = LifeStep::Raise;
                }
            }
            LifeStep::ListEnd => {
                if self.list_ended.val() {
                    self.to.next = LifeStep::Transfer;
                    if self.maps.q.val() {
                        self.to.next = LifeStep::Answer;
                        if !self.result.q.val().any() {
                            self.wide.next = bit_cast::<5, 3>(self.list_code.val());
                            if !self.list_code.val().any() {
                                self.to.next = LifeStep::Raise;
                                if self.o_reregister.q.val() {
                                    self.to.next = LifeStep::Put;
                                }
                            }
                        }
                    }
                    self.hold.d.next = false;
                    self.count_flush.next = self.o_flush.q.val();
                }
            }
            LifeStep::Page => {
                self.icm_page.next = true;
                if self.icm_ready.val() {
                    self.to.next = LifeStep::PageAck;
                }
            }
            LifeStep::PageAck => {
                if self.ricm_valid.val() {
                    self.orphan.next = true;
                    self.to.next = LifeStep::Sweep;
                }
            }
            LifeStep::Put => {
                self.put.next = true;
                self.to.next = LifeStep::Raise;
                if self.o_evict.q.val() {
                    self.to.next = LifeStep::Done;
                }
                // the epoch in force may leave lines behind this sweep, which the one half a round later takes
                if (self.o_reregister.q.val() || self.o_bind.q.val()) && self.epoch_low.val().all() {
                    self.count_sweep.next = true;
                    self.to.next = LifeStep::Sweep;
                }
            }
            LifeStep::Raise => {
                if self.o_flush.q.val() {
                    if !self.sweep_busy.val() && !self.starved.val() {
                        self.to.next = LifeStep::Kill;
                    }
                } else if !self.starved.val() {
                    self.bar.d.next = true;
                    self.to.next = LifeStep::Kill;
                }
            }
            LifeStep::Kill => {
                if self.kill_now.val() {
                    self.to.next = LifeStep::Killed;
                }
            }
            LifeStep::Killed => {
                if self.op_done.val() {
                    self.to.next = LifeStep::Fit;
                    if self.o_flush.q.val() {
                        self.count_flush.next = true;
                        self.to.next = LifeStep::Transfer;
                    }
                }
            }
            LifeStep::Fit => {
                self.retire.next = self.o_deregister.q.val() || self.o_unwindow.q.val();
                self.rest.next = self.o_invalidate.q.val();
                self.freed.next = self.unbind.q.val();
                self.bump.next = self.o_reregister.q.val() || (self.o_bind.q.val() && self.had.q.val());
                self.orphan.next = (self.o_deregister.q.val() || self.o_invalidate.q.val() || self.o_reregister.q.val()) && !(self.kind_of.q.val() == 1) && !self.is_window.val();
                self.to.next = LifeStep::Write;
            }
            LifeStep::Write => {
                self.icm_write.next = true;
                if self.icm_ready.val() {
                    self.shift.next = true;
                    self.beat.d.next = self.beat.q.val() + 1;
                    if self.last_beat.val() {
                        self.to.next = LifeStep::Ack;
                    }
                }
            }
            LifeStep::Ack => {
                self.beat.d.next = 0.into();
                if self.ricm_valid.val() {
                    self.bar.d.next = false;
                    self.to.next = LifeStep::Done;
                    if self.has_limits.val() && (self.makes.q.val() || self.moved.q.val()) {
                        self.to.next = LifeStep::Charge;
                    }
                    if self.region.q.val() {
                        self.to.next = LifeStep::Morph;
                    } else if self.had.q.val() && !self.loser.q.val() {
                        self.idx.d.next = self.old.q.val();
                        self.loser.d.next = true;
                        self.to.next = LifeStep::Read;
                    }
                }
            }
            LifeStep::Count => {
                self.down.next = true;
                self.to.next = LifeStep::Write;
            }
            LifeStep::Done => {
                self.to.next = LifeStep::Answer;
                if self.job.q.val() {
                    self.give.next = self.ending.q.val() == 0;
                    self.count_deregister.next = self.ending.q.val() == 0;
                    self.pop.next = true;
                    if self.has_limits.val() && (self.ending.q.val() == 0) {
                        self.to.next = LifeStep::Ledger;
                    }
                } else if self.parks.val() {
                    self.arm.next = true;
                    self.count_park.next = true;
                    self.to.next = LifeStep::Idle;
                }
                self.grab.next = self.makes.q.val();
                self.count_register.next = self.o_register.q.val();
            }
            LifeStep::Sweep => {
                self.sweep_valid.next = true;
                if self.sweep_done.val() {
                    self.to.next = LifeStep::Raise;
                    if self.job.q.val() {
                        self.to.next = LifeStep::Link;
                    }
                    if self.o_fill.q.val() {
                        self.to.next = LifeStep::Answer;
                    }
                    if self.o_evict.q.val() {
                        self.to.next = LifeStep::Put;
                    }
                }
            }
            LifeStep::Ledger => {
                self.icm_ledger.next = true;
                if self.icm_ready.val() {
                    self.to.next = LifeStep::Account;
                }
            }
            LifeStep::Account => {
                if self.ricm_valid.val() {
                    self.ledger_take.next = true;
                    self.to.next = LifeStep::Weigh;
                }
            }
            LifeStep::Weigh => {
                self.to.next = LifeStep::Charge;
                if self.o_quota.q.val() {
                    if self.ledger_too_many.val() {
                        self.wide.next = 1.into();
                        self.to.next = LifeStep::Transfer;
                    }
                } else if !self.job.q.val() && !self.charged.q.val() {
                    if self.ledger_spent.val() {
                        self.wide.next = 16.into();
                        self.to.next = LifeStep::Transfer;
                    } else if self.moved.q.val() {
                        self.to.next = LifeStep::Fields;
                    } else {
                        self.to.next = LifeStep::Read;
                        if !self.avail.val() {
                            self.to.next = LifeStep::Match;
                        }
                    }
                }
            }
            LifeStep::Charge => {
                self.icm_charge.next = true;
                if self.icm_ready.val() {
                    self.to.next = LifeStep::Charged;
                }
            }
            LifeStep::Charged => {
                if self.ricm_valid.val() {
                    self.to.next = LifeStep::Done;
                    if self.o_quota.q.val() {
                        self.to.next = LifeStep::Transfer;
                    }
                    if self.job.q.val() {
                        self.to.next = LifeStep::Answer;
                    }
                    if self.moved.q.val() && !self.charged.q.val() {
                        self.charged.d.next = true;
                        self.ledger_load.next = true;
                        self.ledger_of.next = 2.into();
                        self.to.next = LifeStep::Ledger;
                    }
                }
            }
            LifeStep::Link => {
                self.to.next = LifeStep::Write;
                self.ledger_load.next = true;
                self.ledger_of.next = 1.into();
                if self.ending.q.val() == 1 {
                    self.freed.next = true;
                } else if self.tired.val() {
                    // its keys are used up: it is not given again
                    self.pop.next = true;
                    self.count_deregister.next = true;
                    self.to.next = LifeStep::Answer;
                    if self.has_limits.val() {
                        self.to.next = LifeStep::Ledger;
                    }
                } else {
                    self.chain.next = true;
                }
            }
            LifeStep::Overdue => {
                self.pop.next = true;
                self.count_overdue.next = true;
                self.evv.d.next = true;
                self.evk.d.next = false;
                self.wide.next = 8.into();
                self.to.next = LifeStep::Answer;
            }
            LifeStep::Answer => {
                self.rsp_valid.next = true;
                if self.rsp_ready.val() {
                    self.to.next = LifeStep::Idle;
                }
            }
        }
        self.step.d.next = self.to.val();
        if !(self.step.q.val() == LifeStep::Idle) {
            self.result.d.next = self.result.q.val() | self.wide.val();
        }
        self.opv.d.next = ((self.step.q.val() == LifeStep::Kill) || self.list_op.val()) && !self.kill_now.val();

        // ---- pins
        self.kind.next = 0.into();
        self.state.next = 3.into();
        if self.o_allocate.q.val() {
            self.kind.next = 1.into();
            self.state.next = 2.into();
        }
        if self.o_fast.q.val() {
            self.kind.next = 1.into();
        }
        if self.o_window.q.val() {
            self.state.next = 2.into();
            self.kind.next = 2.into();
            if self.reg_extra.val() == 1 {
                self.kind.next = 3.into();
            }
            if self.reg_extra.val() == 2 {
                self.kind.next = 4.into();
            }
        }
        if self.o_null.q.val() {
            self.kind.next = 5.into();
        }
        self.keep_map.next = self.o_reregister.q.val() && !self.named.q.val().get_bit(0);
        self.keep_rights.next = self.o_reregister.q.val() && !self.named.q.val().get_bit(2);
        self.keep_pd.next = self.o_fast.q.val() || (self.o_reregister.q.val() && !self.named.q.val().get_bit(1));
        self.blocked.next = self.o_allocate.q.val() || self.o_fast.q.val() || self.o_window.q.val();
        self.again.next = self.o_fast.q.val();
        self.put_mode.next = self.kind_of.q.val();
        if self.o_evict.q.val() || (self.is_window.val() && !self.kind_of.q.val().get_bit(1)) {
            self.put_mode.next = 1.into();
        }
        self.put_end.next = 2.into();
        if self.o_deregister.q.val() || self.o_unwindow.q.val() {
            self.put_end.next = 0.into();
        }
        if self.o_invalidate.q.val() {
            self.put_end.next = 1.into();
        }
        self.put_seen.next = self.o_evict.q.val();
        self.ledger_down.next = self.job.q.val() || self.charged.q.val();
        self.ledger_renew.next = self.o_quota.q.val();
        self.busy.next = !(self.step.q.val() == LifeStep::Idle);
        self.op.next = self.code_of.q.val();
        self.tag.next = self.label.q.val();
        self.code.next = self.result.q.val();
        self.index.next = self.idx.q.val();
        self.mode.next = self.kind_of.q.val();
        self.second.next = self.region.q.val();
        self.shown.next = (self.makes.q.val() || self.o_fast.q.val()) && !self.result.q.val().any();
        self.icm_last.next = self.last_beat.val();
        self.icm_page_at.next = self.page_at.q.val();
        self.icm_page_word.next = self.page_is.q.val();
        self.op_valid.next = self.opv.q.val();
        self.op_kind.next = 0.into();
        if self.o_flush.q.val() {
            self.op_kind.next = self.kind_of.q.val();
            if self.kind_of.q.val().get_bit(1) {
                self.op_kind.next = 2.into();
            }
        }
        self.op_hold.next = self.hold.q.val();
        self.barrier.next = self.bar.q.val();
        self.barrier_wait.next = self.o_reregister.q.val() || self.o_bind.q.val();
        self.event_valid.next = self.evv.q.val();
        self.event_kind.next = 2.into();
        if self.evk.q.val() {
            self.event_kind.next = 3.into();
        }
        if self.reset.val() {
            self.step.d.next = LifeStep::Idle;
            self.beat.d.next = 0.into();
            self.opv.d.next = false;
            self.bar.d.next = false;
            self.evv.d.next = false;
            self.hold.d.next = false;
            self.seeded.d.next = false;
        }
    }
}
