// SPDX-License-Identifier: MIT OR Apache-2.0
//! Miss unit: what a lookup does that found no line.
//!
//! ```text
//!   s7 miss ─► MSHR with this index? ─ merge ─► waits in its list
//!                 │ no: a free MSHR ─► FETCH ─► first beat ─► FILL (slot, way) ─► beats written ─► DRAIN: waiters ask again
//!                 └ none free, or the class has its quota: overflow list (of its class), asks again when there is one for it
//!   kill of the index at c0: FETCH, FILL ─► stale, fetched again when the beats have come; DRAIN ─► fetched again
//! ```
//! Contract: misses are decided in the order of s7, one cycle later (s8), kills at their slot in c0 (earlier than any fill behind them). One fetch an index. No fetch for the barrier's index while the barrier stands, so a
//! line read before a command's write was acknowledged is never installed after it. Waiters of a dropped fill ask again in order;
//! after TRIES drops `starved` keeps the registration port from raising a new barrier until they are answered.
//! A request waits in the slot RAM under its own {port, tag}; the lists are next-pointers (`next`), so any number waits.
//! A lookup that met the line unfinished, and comes to s8 when its list is drained already, fetches it once more.
//! States of an MSHR: 0 free, 4 wants to fetch, 5 fetches, 6 its line is entering, 7 its waiters ask.
//! A line may come while the waiters of the one before ask. It does not enter that one's set until they have, so a waiter meets its line
//! unless a command killed it. With one port `miss_few.rs` takes this block's place.
//! What selects among MSHRs is one-hot and comes from registers where it can: the MSHR a miss would take (`spare`) and the one that fetches
//! next (`pick`) are chosen a cycle ahead. The lists themselves are in `miss_list.rs`.
//! With `feature.limits` a class holds no more MSHRs than its quota (`miss_quota.rs`), and the overflow lists take turns: a class with its quota holds up no other.
//! Parameters: NM MSHRs, OVL overflow lists. Latency: fetch offered 3 cycles after s7; first beat to fill 3 cycles; last beat to first replay 5; replay every 3 cycles.

use super::line_phase::LinePhase;
use super::miss_list::MissList;
use super::miss_quota::MissQuota;
use super::prelude::*;
use super::slot_request::SlotRequest;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct Miss {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// s7: op (kinds of `tags.rs`).
    pub kind: Signal<In, Bits<3>>,
    /// s7: its index.
    pub index: Signal<In, Bits<K>>,
    /// s7: the lookup missed (and is not answered otherwise).
    pub is_miss: Signal<In, Bit>,
    /// s7: its slot.
    pub slot: Signal<In, Bits<SLOTW>>,
    /// s7: its class.
    pub iso: Signal<In, Bits<CLW>>,
    /// MSHRs a class may hold, 8 bits each; 0 no limit.
    pub quotas: Signal<In, Bits<32>>,
    /// c0: a kill or flush has its slot.
    pub kill_take: Signal<In, Bit>,
    /// 0 this index, 1 everything, 2 this set.
    pub kill_kind: Signal<In, Bits<2>>,
    /// Index.
    pub kill_index: Signal<In, Bits<K>>,
    /// Set. (Kind, index and set stand one cycle before the slot.)
    pub kill_set: Signal<In, Bits<SETW>>,
    /// A command is changing this index.
    pub barrier_active: Signal<In, Bit>,
    /// Which.
    pub barrier_index: Signal<In, Bits<K>>,
    /// A waiter was dropped too often: no new barrier now.
    pub starved: Signal<Out, Bit>,
    /// Fetch a line.
    pub fetch_valid: Signal<Out, Bit>,
    /// The ICM port takes it.
    pub fetch_ready: Signal<In, Bit>,
    /// MSHR.
    pub fetch_id: Signal<Out, Bits<NMW>>,
    /// Index.
    pub fetch_index: Signal<Out, Bits<K>>,
    /// Words arrive.
    pub line_valid: Signal<In, Bit>,
    /// They can be taken.
    pub line_ready: Signal<Out, Bit>,
    /// MSHR they belong to.
    pub line_id: Signal<In, Bits<NMW>>,
    /// Word.
    pub line_data: Signal<In, Bits<BEAT>>,
    /// Last word of the line.
    pub line_last: Signal<In, Bit>,
    /// A fill wants a slot.
    pub fill_valid: Signal<Out, Bit>,
    /// Its index.
    pub fill_index: Signal<Out, Bits<K>>,
    /// It has it.
    pub fill_take: Signal<In, Bit>,
    /// It has its way.
    pub placed: Signal<In, Bit>,
    /// Lanes of its line to write.
    pub fill_write: Signal<Out, Bits<MPTW>>,
    /// With this beat.
    pub fill_data: Signal<Out, Bits<BEAT>>,
    /// The last one.
    pub fill_end: Signal<Out, Bit>,
    /// Slot RAM read wanted.
    pub read_valid: Signal<Out, Bit>,
    /// Of this slot.
    pub read_slot: Signal<Out, Bits<SLOTW>>,
    /// Granted: the word is there next cycle.
    pub read_take: Signal<In, Bit>,
    /// The word.
    pub read_word: Signal<In, SlotWord>,
    /// A waiter asks again.
    pub replay_valid: Signal<Out, Bit>,
    /// It.
    pub replay: Signal<Out, Req>,
    /// It has its slot.
    pub replay_take: Signal<In, Bit>,
    /// Count: a lookup missed, alone.
    pub missed: Signal<Out, Bit>,
    /// Count: a lookup merged.
    pub merged: Signal<Out, Bit>,
    /// Count: a fill was thrown away.
    pub dropped: Signal<Out, Bit>,
    state: [DFF<Bits<3>>; NM],
    owner: [DFF<Bits<K>>; NM],
    stale: [DFF<Bit>; NM],
    tries: [DFF<Bits<2>>; NM],
    held_back: [DFF<Bit>; NM],
    meant: [DFF<Bit>; NM],
    match8: [DFF<Bit>; NM],
    spare: DFF<Bits<NM>>,
    pick: DFF<Bits<NM>>,
    kind8: DFF<Bits<3>>,
    index8: DFF<Bits<K>>,
    miss8: DFF<Bit>,
    slot8: DFF<Bits<SLOTW>>,
    class8: DFF<Bits<CLW>>,
    /// Overflow lists behind the one that had its turn.
    after: DFF<Bits<OVL>>,
    /// Whose turn it is.
    turn: DFF<Bits<OVL>>,
    share: MissQuota,
    extra8: DFF<Bit>,
    /// s8: an MSHR has its index; the one whose waiters ask.
    found8: DFF<Bit>,
    /// Its line is there, and its waiters ask.
    asked: DFF<Bit>,
    mine8: DFF<Bit>,
    offer: DFF<Bit>,
    offer_id: DFF<Bits<NMW>>,
    offer_index: DFF<Bits<K>>,
    step: DFF<Bits<BEATCW>>,
    buf_id: DFF<Bits<NMW>>,
    buf_hot: DFF<Bits<NM>>,
    buf_owner: DFF<Bits<K>>,
    phase: DFF<LinePhase>,
    wants: DFF<Bit>,
    asks: DFF<AskPhase>,
    leaves: DFF<Bit>,
    list: DFF<Bits<NML>>,
    list_hot: DFF<Bits<NM1>>,
    list_set: DFF<Bits<SETW>>,
    word: DFF<SlotWord>,
    word_slot: DFF<Bits<SLOTW>>,
    extra_out: DFF<Bit>,
    extra_slot: DFF<Bits<SLOTW>>,
    /// The list it comes from.
    extra_of: DFF<Bits<OVL>>,
    lists: MissList,
    request: SlotRequest,
    #[default(std::array::from_fn(|i| constant(NM + i)))]
    overflow: [Constant<Bits<NML>>; OVL],
    #[default(std::array::from_fn(|i| Constant::new(ones(NM + i, NM + i + 1))))]
    overflow_hot: [Constant<Bits<NM1>>; OVL],
    #[default(std::array::from_fn(|i| Constant::new(ones(i + 1, OVL))))]
    behind: [Constant<Bits<OVL>>; OVL],
    #[default(constant(NM))]
    over_at: Constant<Bits<6>>,
    #[default(constant(NM))]
    lists_of_msr: Constant<Bits<NML>>,
    #[default(Constant::new(ones(0, if F_LIMITS { CLW } else { 0 })))]
    class_mask: Constant<Bits<CLW>>,
    whose: Signal<Local, Bits<CLW>>,
    has_room: Signal<Local, Bit>,
    queued: Signal<Local, Bit>,
    another: Signal<Local, Bit>,
    eligible: Signal<Local, Bits<OVL>>,
    waiting: Signal<Local, Bits<OVL>>,
    ordered: Signal<Local, Bits<OVL>>,
    turns: Signal<Local, Bits<OVL>>,
    lesser: Signal<Local, Bits<OVL>>,
    over_list: Signal<Local, Bits<NML>>,
    over_hot: Signal<Local, Bits<NM1>>,
    over_mine: Signal<Local, Bit>,
    over_after: Signal<Local, Bits<OVL>>,
    freed: Signal<Local, Bits<NM>>,
    live: Signal<Local, Bits<NM>>,
    hits: Signal<Local, Bits<NM>>,
    found: Signal<Local, Bit>,
    free: Signal<Local, Bit>,
    may_alloc: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
    taken: Signal<Local, Bits<NM>>,
    open: Signal<Local, Bits<NM>>,
    below: Signal<Local, Bits<NM>>,
    into: Signal<Local, Bits<NM1>>,
    append: Signal<Local, Bit>,
    is_extra: Signal<Local, Bit>,
    extra_busy: Signal<Local, Bit>,
    is_lookup_miss: Signal<Local, Bit>,
    owner_of: Signal<Local, Bits<K>>,
    equal: Signal<Local, Bit>,
    others: Signal<Local, Bits<NM>>,
    own: Signal<Local, Bits<NM>>,
    same_now: Signal<Local, Bit>,
    barred_now: Signal<Local, Bit>,
    meant_now: Signal<Local, Bit>,
    killed: Signal<Local, Bit>,
    bump: Signal<Local, Bit>,
    is_buf: Signal<Local, Bit>,
    taking: Signal<Local, Bit>,
    ready_to: Signal<Local, Bits<NM>>,
    want: Signal<Local, Bit>,
    want_id: Signal<Local, Bits<NMW>>,
    want_index: Signal<Local, Bits<K>>,
    buf_stale: Signal<Local, Bit>,
    buf_killed: Signal<Local, Bit>,
    fill_owner: Signal<Local, Bits<K>>,
    set_of: Signal<Local, Bits<SETW>>,
    close: Signal<Local, Bit>,
    line_hot: Signal<Local, Bits<NM>>,
    hands: Signal<Local, Bit>,
    entered: Signal<Local, Bit>,
    ended: Signal<Local, Bit>,
    drop_now: Signal<Local, Bit>,
    is_over: Signal<Local, Bit>,
    drained: Signal<Local, Bit>,
    mine: Signal<Local, Bit>,
    both: Signal<Local, Bits<NM>>,
    list_msr: Signal<Local, Bits<NM>>,
}

/// What is done with the waiters of the line before.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum AskPhase {
    /// There are none.
    Idle,
    /// It was another list's turn: appends that are under way get where they belong.
    Turn,
    /// Its list is fetched.
    Load,
    /// The next one's word is fetched.
    Read,
    /// It is there.
    Got,
    /// It asks again.
    Send,
    /// It has asked, and has not left its list yet.
    Wait,
}

impl Logic for Miss {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, spare, pick, kind8, index8, miss8, slot8, class8, after, turn, extra8, found8, mine8, asked, offer, offer_id, offer_index, step, buf_id, buf_hot, buf_owner, phase, wants, asks, leaves,
            list, list_hot, list_set, word, word_slot, extra_out, extra_slot, extra_of
        );
        self.lists.clock.next = self.clock.val();
        self.lists.reset.next = self.reset.val();
        self.kind8.d.next = self.kind.val();
        self.index8.d.next = self.index.val();
        self.miss8.d.next = self.is_miss.val();
        self.slot8.d.next = self.slot.val();
        self.class8.d.next = self.iso.val();
        self.share.clock.next = self.clock.val();
        self.share.reset.next = self.reset.val();
        self.share.quotas.next = self.quotas.val();
        for ck0 in 0..NM {
            self.state[ck0].clock.next = self.clock.val();
            self.owner[ck0].clock.next = self.clock.val();
            self.stale[ck0].clock.next = self.clock.val();
            self.tries[ck0].clock.next = self.clock.val();
            self.held_back[ck0].clock.next = self.clock.val();
            self.meant[ck0].clock.next = self.clock.val();
            self.match8[ck0].clock.next = self.clock.val();
            self.state[ck0].d.next = self.state[ck0].q.val();
            self.owner[ck0].d.next = self.owner[ck0].q.val();
            self.stale[ck0].d.next = self.stale[ck0].q.val();
            self.tries[ck0].d.next = self.tries[ck0].q.val();
        }
        self.line_hot.next = 0.into();
        for b in 0..NM {
            self.line_hot.next = self.line_hot.val().replace_bit(b, self.line_id.val() == b.to_bits());
        }
        // what is true of which MSHR
        self.live.next = 0.into();
        self.hits.next = 0.into();
        self.starved.next = false;
        self.ready_to.next = 0.into();
        self.buf_stale.next = false;
        self.buf_killed.next = false;
        // the list stands two cycles before this is read
        self.asked.d.next = false;
        self.fill_owner.next = 0.into();
        self.want_id.next = 0.into();
        self.want_index.next = 0.into();
        for i in 0..NM {
            self.live.next = self.live.val().replace_bit(i, self.state[i].q.val().get_bit(2));
            self.hits.next = self.hits.val().replace_bit(i, self.state[i].q.val().get_bit(2) & self.match8[i].q.val());
            if self.tries[i].q.val().all() & self.state[i].q.val().get_bit(2) {
                self.starved.next = true;
            }
            self.ready_to.next = self.ready_to.val().replace_bit(i, (self.state[i].q.val() == 4) & !self.held_back[i].q.val());
            if self.buf_hot.q.val().get_bit(i) {
                self.buf_stale.next = self.buf_stale.val() | self.stale[i].q.val();
                self.buf_killed.next = self.buf_killed.val() | self.meant[i].q.val();
            }
            if self.line_hot.val().get_bit(i) {
                self.fill_owner.next = self.fill_owner.val() | self.owner[i].q.val();
            }
            if self.list_hot.q.val().get_bit(i) & (self.state[i].q.val() == 7) & !(self.kill_take.val() & self.meant[i].q.val()) {
                self.asked.d.next = true;
            }
            if self.pick.q.val().get_bit(i) {
                self.want_id.next = self.want_id.val() | i.to_bits();
                self.want_index.next = self.want_index.val() | self.owner[i].q.val();
            }
        }
        self.buf_killed.next = self.buf_killed.val() & self.kill_take.val();
        // s8: a miss merges, takes an MSHR, or overflows
        self.is_lookup_miss.next = (self.kind8.q.val() == 1) & self.miss8.q.val();
        self.extra8.d.next = self.extra_out.q.val() & (self.slot.val() == self.extra_slot.q.val());
        self.is_extra.next = self.extra8.q.val();
        if (self.kind8.q.val() == 1) & self.is_extra.val() {
            self.extra_out.d.next = false;
        }
        // known a cycle ahead, as far as nothing is taken or given back in it
        self.found.next = self.found8.q.val();
        self.free.next = self.spare.q.val().any();
        // without limits all are of one class
        self.whose.next = self.class8.q.val() & self.class_mask.val();
        self.is_over.next = !(self.list.q.val() < self.lists_of_msr.val());
        self.has_room.next = false;
        self.over_mine.next = false;
        self.queued.next = false;
        for c in 0..OVL {
            if self.whose.val() == c.to_bits() {
                self.has_room.next = self.share.below.val().get_bit(c);
                self.over_mine.next = self.list.q.val() == self.overflow[c].val();
                self.queued.next = self.lists.over.val().get_bit(c) | (self.extra_out.q.val() & self.extra_of.q.val().get_bit(c));
            }
        }
        // who waits and may go on goes before what comes now: before all of its own class, and of the others before the one that would take the last MSHR
        self.open.next = !(self.live.val() | self.spare.q.val());
        self.another.next = self.open.val().any();
        self.eligible.next = self.lists.over.val() & self.share.below.val();
        self.extra_busy.next = self.eligible.val().any() | self.extra_out.q.val();
        self.may_alloc.next = self.free.val() & (self.is_extra.val() | (self.has_room.val() & !self.queued.val() & (self.another.val() | !self.extra_busy.val())));
        self.append.next = self.is_lookup_miss.val();
        self.merged.next = self.is_lookup_miss.val() & self.found.val();
        self.missed.next = self.is_lookup_miss.val() & !self.found.val();
        self.takes.next = self.is_lookup_miss.val() & !self.found.val() & self.may_alloc.val();
        self.into.next = bit_cast::<NM1, NM>(self.hits.val());
        if !self.found.val() {
            self.into.next = 0.into();
            for o in 0..OVL {
                if self.whose.val() == o.to_bits() {
                    self.into.next = self.overflow_hot[o].val();
                }
            }
            if self.may_alloc.val() {
                self.into.next = bit_cast::<NM1, NM>(self.spare.q.val());
            }
        }
        self.taken.next = 0.into();
        if self.takes.val() {
            self.taken.next = self.spare.q.val();
        }
        self.share.taken.next = self.taken.val();
        self.share.takes.next = self.takes.val();
        self.share.iso.next = self.whose.val();
        // the one the next miss takes: kept until it is
        self.below.next = !self.open.val();
        self.below.next = self.below.val() + 1;
        if self.takes.val() | !self.free.val() {
            self.spare.d.next = self.open.val() & self.below.val();
        }
        // compares with what comes next cycle: a kill, a miss, the barrier. A kill's index stands a cycle before it may have its slot, and
        // it comes two cycles after the barrier, so a barrier seen one cycle late lets no fetch pass the kill
        self.same_now.next = self.index8.q.val() == self.index.val();
        self.barred_now.next = self.barrier_active.val() & (self.index8.q.val() == self.barrier_index.val());
        self.meant_now.next = self.index8.q.val() == self.kill_index.val();
        if self.kill_kind.val() == 2 {
            self.meant_now.next = self.index8.q.val().get_bits::<SETW>(0) == self.kill_set.val();
        }
        self.others.next = 0.into();
        self.own.next = 0.into();
        for o in 0..NM {
            self.owner_of.next = self.owner[o].q.val();
            self.equal.next = self.owner_of.val() == self.index.val();
            self.match8[o].d.next = self.equal.val();
            self.equal.next = self.equal.val() & self.state[o].q.val().get_bit(2);
            self.own.next = self.own.val().replace_bit(o, self.equal.val() & self.list_hot.q.val().get_bit(o));
            self.others.next = self.others.val().replace_bit(o, self.equal.val() & !self.list_hot.q.val().get_bit(o));
            self.held_back[o].d.next = self.barrier_active.val() & (self.owner_of.val() == self.barrier_index.val());
            self.meant[o].d.next = self.owner_of.val() == self.kill_index.val();
            if self.kill_kind.val() == 2 {
                self.meant[o].d.next = self.owner_of.val().get_bits::<SETW>(0) == self.kill_set.val();
            }
            if self.taken.val().get_bit(o) {
                self.match8[o].d.next = self.same_now.val();
                self.held_back[o].d.next = self.barred_now.val();
                self.meant[o].d.next = self.meant_now.val();
            }
            if self.kill_kind.val() == 1 {
                self.meant[o].d.next = true;
            }
        }
        // the one that fetches next; looked at once more as it goes, since the barrier may have come
        self.taking.next = self.offer.q.val() & self.fetch_ready.val();
        self.open.next = self.ready_to.val() & !self.pick.q.val();
        self.below.next = !self.open.val();
        self.below.next = self.below.val() + 1;
        if !self.offer.q.val() | !self.pick.q.val().any() {
            self.pick.d.next = self.open.val() & self.below.val();
        }
        self.open.next = self.ready_to.val() & self.pick.q.val();
        self.want.next = self.open.val().any() & !self.offer.q.val();
        if self.taking.val() {
            self.offer.d.next = false;
        }
        if self.want.val() {
            self.offer.d.next = true;
        }
        if !self.offer.q.val() {
            self.offer_id.d.next = self.want_id.val();
            self.offer_index.d.next = self.want_index.val();
        }
        self.fetch_valid.next = self.offer.q.val();
        self.fetch_id.next = self.offer_id.q.val();
        self.fetch_index.next = self.offer_index.q.val();
        // beats go straight to the line's place
        self.line_ready.next = (self.phase.q.val() == LinePhase::Words) | (self.phase.q.val() == LinePhase::Drop);
        self.fill_data.next = self.line_data.val();
        self.fill_write.next = 0.into();
        self.fill_end.next = false;
        if (self.phase.q.val() == LinePhase::Words) & self.line_valid.val() {
            self.fill_end.next = self.line_last.val();
            for w in 0..MPTW {
                if self.step.q.val() == w.to_bits() {
                    self.fill_write.next = self.fill_write.val().replace_bit(w, true);
                }
            }
        }
        self.fill_index.next = self.buf_owner.q.val();
        // no fill into the set of a line whose waiters are asking: they shall meet it
        self.set_of.next = self.buf_owner.q.val().get_bits::<SETW>(0);
        self.close.next = (self.asks.q.val() != AskPhase::Idle) & (self.list_set.q.val() == self.set_of.val());
        self.hands.next = false;
        self.fill_valid.next = self.wants.q.val();
        self.entered.next = false;
        self.ended.next = false;
        self.drop_now.next = false;
        self.step.d.next = 0.into();
        match self.phase.q.val() {
            LinePhase::Idle => {
                self.buf_id.d.next = self.line_id.val();
                self.buf_hot.d.next = self.line_hot.val();
                self.buf_owner.d.next = self.fill_owner.val();
                if self.line_valid.val() {
                    self.phase.d.next = LinePhase::Look;
                }
            }
            LinePhase::Look => {
                if self.buf_stale.val() {
                    self.phase.d.next = LinePhase::Drop;
                } else if !self.close.val() {
                    self.phase.d.next = LinePhase::Fill;
                    // killed in this very cycle: it does not ask for a slot
                    self.wants.d.next = !self.buf_killed.val();
                }
            }
            LinePhase::Fill => {
                // a stale one has not asked since the cycle of its kill
                if self.fill_take.val() {
                    self.phase.d.next = LinePhase::Pipe;
                    self.entered.next = true;
                } else if self.buf_stale.val() {
                    self.phase.d.next = LinePhase::Drop;
                }
                if self.fill_take.val() | self.buf_killed.val() {
                    self.wants.d.next = false;
                }
            }
            LinePhase::Drop => {
                if self.line_valid.val() & self.line_last.val() {
                    self.drop_now.next = true;
                    self.phase.d.next = LinePhase::Idle;
                }
            }
            LinePhase::Pipe => {
                if self.placed.val() {
                    self.phase.d.next = LinePhase::Words;
                }
            }
            LinePhase::Words => {
                self.step.d.next = self.step.q.val();
                if self.line_valid.val() {
                    self.step.d.next = self.step.q.val() + 1;
                }
                if self.line_valid.val() & self.line_last.val() {
                    self.phase.d.next = LinePhase::Hand;
                    self.hands.next = true;
                    self.ended.next = true;
                }
            }
            LinePhase::Hand => {
                self.hands.next = true;
            }
        }
        self.dropped.next = self.drop_now.val();
        // the waiters of the line before, one after another; one leaves its list as it begins to ask
        self.list_msr.next = self.list_hot.q.val().get_bits::<NM>(0);
        // the overflow lists take turns
        self.waiting.next = self.lists.standing_over.val() & self.share.below.val();
        self.ordered.next = self.waiting.val() & self.after.q.val();
        if !self.ordered.val().any() {
            self.ordered.next = self.waiting.val();
        }
        self.lesser.next = !self.ordered.val();
        self.lesser.next = self.lesser.val() + 1;
        self.turn.d.next = self.ordered.val() & self.lesser.val();
        self.turns.next = self.turn.q.val() & self.waiting.val();
        self.over_list.next = 0.into();
        self.over_hot.next = 0.into();
        self.over_after.next = 0.into();
        for t in 0..OVL {
            if self.turn.q.val().get_bit(t) {
                self.over_list.next = self.overflow[t].val();
                self.over_hot.next = self.overflow_hot[t].val();
                self.over_after.next = self.behind[t].val();
            }
        }
        self.read_valid.next = false;
        self.replay_valid.next = false;
        self.drained.next = false;
        self.lists.append.next = self.append.val();
        self.lists.hot.next = self.into.val();
        // what has an MSHR that is drained merges into it or into none; what has none finds the last list
        self.both.next = self.hits.val() & self.list_msr.val();
        self.mine.next = self.both.val().any();
        self.lists.mine.next = self.mine.val() | (self.over_mine.val() & !self.found.val() & !self.may_alloc.val());
        self.lists.slot.next = self.slot8.q.val();
        self.lists.which.next = self.list.q.val();
        self.lists.list_hot.next = self.list_hot.q.val();
        self.lists.load.next = self.asks.q.val() == AskPhase::Load;
        self.lists.asker.next = self.word_slot.q.val();
        self.lists.pop.next = self.leaves.q.val();
        if self.lists.popped.val() {
            self.leaves.d.next = false;
        }
        match self.asks.q.val() {
            AskPhase::Idle => {
                self.list_set.d.next = self.set_of.val();
                if self.hands.val() {
                    self.list.d.next = bit_cast::<NML, NMW>(self.buf_id.q.val());
                    self.list_hot.d.next = bit_cast::<NM1, NM>(self.buf_hot.q.val());
                    self.asks.d.next = AskPhase::Turn;
                    self.phase.d.next = LinePhase::Idle;
                } else if self.free.val() & !self.extra_out.q.val() & self.turns.val().any() {
                    self.list.d.next = self.over_list.val();
                    self.list_hot.d.next = self.over_hot.val();
                    self.after.d.next = self.over_after.val();
                    self.asks.d.next = AskPhase::Turn;
                }
            }
            AskPhase::Turn => {
                self.asks.d.next = AskPhase::Load;
            }
            AskPhase::Load => {
                self.asks.d.next = AskPhase::Read;
            }
            AskPhase::Read => {
                self.word_slot.d.next = self.lists.head.val();
                if !self.is_over.val() & !self.asked.q.val() {
                    self.asks.d.next = AskPhase::Idle;
                } else if !self.lists.has.val() {
                    // nobody on the way to it either: the line is done with
                    if !self.lists.coming.val() & !(self.append.val() & self.mine8.q.val()) {
                        self.asks.d.next = AskPhase::Idle;
                        self.drained.next = true;
                    }
                } else {
                    self.read_valid.next = true;
                    if self.read_take.val() {
                        self.asks.d.next = AskPhase::Got;
                    }
                }
            }
            AskPhase::Got => {
                self.asks.d.next = AskPhase::Send;
                self.leaves.d.next = true;
                if self.is_over.val() {
                    self.extra_out.d.next = true;
                    self.extra_slot.d.next = self.word_slot.q.val();
                    self.extra_of.d.next = self.list_hot.q.val().get_bits::<OVL>(self.over_at.val().index());
                }
            }
            AskPhase::Send => {
                self.replay_valid.next = true;
                if self.replay_take.val() {
                    self.asks.d.next = AskPhase::Wait;
                    if !self.leaves.q.val() | self.lists.popped.val() {
                        self.asks.d.next = AskPhase::Read;
                        if self.is_over.val() {
                            self.asks.d.next = AskPhase::Idle;
                        }
                    }
                }
            }
            AskPhase::Wait => {
                if self.lists.popped.val() {
                    self.asks.d.next = AskPhase::Read;
                    if self.is_over.val() {
                        self.asks.d.next = AskPhase::Idle;
                    }
                }
            }
        }
        // state of each MSHR
        self.freed.next = 0.into();
        for m in 0..NM {
            self.killed.next = self.kill_take.val() & self.meant[m].q.val();
            self.is_buf.next = self.buf_hot.q.val().get_bit(m);
            self.bump.next = false;
            if self.killed.val() {
                // a fetch of the index is stale, a line just filled is fetched again
                if (self.state[m].q.val() == 5) | (self.state[m].q.val() == 6) {
                    self.stale[m].d.next = true;
                }
                if self.state[m].q.val() == 7 {
                    self.state[m].d.next = 4.into();
                    self.bump.next = true;
                }
            } else if self.drained.val() & self.list_hot.q.val().get_bit(m) {
                self.state[m].d.next = 0.into();
                self.freed.next = self.freed.val().replace_bit(m, true);
            }
            if self.taken.val().get_bit(m) {
                self.state[m].d.next = 4.into();
                self.owner[m].d.next = self.index8.q.val();
                self.stale[m].d.next = false;
            }
            if self.want.val() & self.pick.q.val().get_bit(m) {
                self.state[m].d.next = 5.into();
                self.stale[m].d.next = false;
            }
            if self.entered.val() & self.is_buf.val() {
                self.state[m].d.next = 6.into();
            }
            if self.ended.val() & self.is_buf.val() {
                self.state[m].d.next = 7.into();
                // killed meanwhile, or in this very cycle: fetched again (who asks for its waiters finds it so)
                if self.stale[m].q.val() | self.killed.val() {
                    self.state[m].d.next = 4.into();
                    self.stale[m].d.next = false;
                    self.bump.next = true;
                }
            }
            if self.drop_now.val() & self.is_buf.val() {
                self.state[m].d.next = 4.into();
                self.stale[m].d.next = false;
                self.bump.next = true;
            }
            if self.bump.val() & !self.tries[m].q.val().all() {
                self.tries[m].d.next = self.tries[m].q.val() + 1;
            }
            if self.taken.val().get_bit(m) {
                self.tries[m].d.next = 0.into();
            }
        }
        self.share.freed.next = self.freed.val();
        self.mine8.d.next = self.own.val().any();
        self.found8.d.next = self.others.val().any() | (self.own.val().any() & !self.freed.val().any()) | (self.takes.val() & self.same_now.val());
        self.read_slot.next = self.lists.head.val();
        // a waiter becomes a request again
        if self.asks.q.val() == AskPhase::Got {
            self.word.d.next = self.read_word.val();
        }
        self.request.word.next = self.word.q.val();
        self.request.slot.next = self.word_slot.q.val();
        self.replay.next = self.request.req.val();
        if self.reset.val() {
            self.phase.d.next = LinePhase::Idle;
            self.asks.d.next = AskPhase::Idle;
            self.wants.d.next = false;
            self.leaves.d.next = false;
            self.offer.d.next = false;
            self.extra_out.d.next = false;
            self.after.d.next = 0.into();
            self.turn.d.next = 0.into();
            self.kind8.d.next = 0.into();
            self.spare.d.next = 0.into();
            self.pick.d.next = 0.into();
            for r in 0..NM {
                self.state[r].d.next = 0.into();
                self.stale[r].d.next = false;
                self.tries[r].d.next = 0.into();
            }
        }
    }
}
