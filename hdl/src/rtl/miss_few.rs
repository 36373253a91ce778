// SPDX-License-Identifier: MIT OR Apache-2.0
//! Miss unit of a configuration with one port: two MSHRs or a few, their lists in registers. `miss.rs` keeps the same contract with many.
//!
//! ```text
//!   s7 miss ─► MSHR with this index? ─ merge ─► waits in its list
//!                 │ no: a free MSHR ─► FETCH ─► first beat ─► FILL (slot, way) ─► beats written ─► DRAIN: waiters ask again
//!                 └ none free: overflow list, asks again when one is
//!   kill of the index at c0: FETCH, FILL ─► stale, fetched again when the beats have come; DRAIN ─► fetched again
//! ```
//! Contract: misses are decided in the order of s7, one cycle later (s8), and enter their lists at s9; kills at their slot in c0 (earlier than any fill behind them). One fetch an index. No fetch for the barrier's index while the barrier stands, so a
//! line read before a command's write was acknowledged is never installed after it. Waiters of a dropped fill ask again in order;
//! after TRIES drops `starved` keeps the registration port from raising a new barrier until they are answered.
//! A request waits in the slot RAM under its own {port, tag}; the lists are next-pointers (`next`), so any number waits.
//! A lookup that met the line unfinished, and comes to s8 when its list is drained already, fetches it once more.
//! A line may come while the waiters of the one before ask. It does not enter until they have, so a waiter meets its line unless a command
//! killed it.
//! Parameters: NM MSHRs. Latency: fetch offered 2 cycles after s7; first beat to fill 3 cycles; last beat to first replay 3; replay every 3 cycles.

use super::line_phase::LinePhase;
use super::prelude::*;
use super::slot_request::SlotRequest;
use super::table::Table;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct MissFew {
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
    /// Its class, and quotas: not looked at with one port.
    pub iso: Signal<In, Bits<CLW>>,
    /// See `iso`.
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
    has: [DFF<Bit>; NM1],
    head: [DFF<Bits<SLOTW>>; NM1],
    tail: [DFF<Bits<SLOTW>>; NM1],
    looks8: DFF<Bit>,
    index8: DFF<Bits<K>>,
    miss8: DFF<Bit>,
    slot8: DFF<Bits<SLOTW>>,
    append9: DFF<Bit>,
    target9: DFF<Bits<NML>>,
    slot9: DFF<Bits<SLOTW>>,
    linked: DFF<Bit>,
    link: DFF<Bits<SLOTW>>,
    next: Table<Bits<SLOTW>, SLOTW>,
    offer: DFF<Bit>,
    offer_id: DFF<Bits<NMW>>,
    offer_index: DFF<Bits<K>>,
    lane: DFF<Bits<MPTW>>,
    buf_id: DFF<Bits<NMW>>,
    phase: DFF<LinePhase>,
    /// Nobody asks; or of the list that is drained the head is looked at, its word read, its request sent.
    s_idle: DFF<Bit>,
    s_read: DFF<Bit>,
    s_load: DFF<Bit>,
    s_send: DFF<Bit>,
    wants: DFF<Bit>,
    leaves: DFF<Bit>,
    extra8: DFF<Bit>,
    held_back: [DFF<Bit>; NM],
    meant: [DFF<Bit>; NM],
    match8: [DFF<Bit>; NM],
    list: DFF<Bits<NML>>,
    word_slot: DFF<Bits<SLOTW>>,
    extra_out: DFF<Bit>,
    extra_slot: DFF<Bits<SLOTW>>,
    #[default(constant(NM))]
    overflow: Constant<Bits<NML>>,
    request: SlotRequest,
    found: Signal<Local, Bit>,
    free: Signal<Local, Bit>,
    free_at: Signal<Local, Bits<NML>>,
    target: Signal<Local, Bits<NML>>,
    chain: Signal<Local, Bit>,
    pop: Signal<Local, Bit>,
    may_alloc: Signal<Local, Bit>,
    is_extra: Signal<Local, Bit>,
    kill_hit: Signal<Local, Bit>,
    want: Signal<Local, Bit>,
    want_id: Signal<Local, Bits<NMW>>,
    want_index: Signal<Local, Bits<K>>,
    only: Signal<Local, Bit>,
    anew: Signal<Local, Bit>,
    same_now: Signal<Local, Bit>,
    barred_now: Signal<Local, Bit>,
    meant_now: Signal<Local, Bit>,
    taking: Signal<Local, Bit>,
    drop_now: Signal<Local, Bit>,
    buf_stale: Signal<Local, Bit>,
    cur_ready: Signal<Local, Bit>,
    killed: Signal<Local, Bits<NM>>,
    cur_has: Signal<Local, Bit>,
    over_has: Signal<Local, Bit>,
    cur_head: Signal<Local, Bits<SLOTW>>,
    live: Signal<Local, Bit>,
    is_lookup_miss: Signal<Local, Bit>,
    owner_of: Signal<Local, Bits<K>>,
    buf_list: Signal<Local, Bits<NML>>,
    near: Signal<Local, Bit>,
    goes: Signal<Local, Bit>,
    over_now: Signal<Local, Bit>,
    ripe: Signal<Local, Bit>,
    empty: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    hands: Signal<Local, Bit>,
    fill_owner: Signal<Local, Bits<K>>,
    extra_busy: Signal<Local, Bit>,
    after: Signal<Local, Bits<SLOTW>>,
    is_link: Signal<Local, Bit>,
    again: Signal<Local, Bit>,
}

impl Logic for MissFew {
    #[hdl_gen]
    fn update(&mut self) {
        self.next.clock.next = self.clock.val();
        self.looks8.clock.next = self.clock.val();
        self.index8.clock.next = self.clock.val();
        self.miss8.clock.next = self.clock.val();
        self.slot8.clock.next = self.clock.val();
        self.append9.clock.next = self.clock.val();
        self.target9.clock.next = self.clock.val();
        self.slot9.clock.next = self.clock.val();
        self.linked.clock.next = self.clock.val();
        self.link.clock.next = self.clock.val();
        self.looks8.d.next = self.kind.val() == 1;
        self.index8.d.next = self.index.val();
        self.miss8.d.next = self.is_miss.val();
        self.slot8.d.next = self.slot.val();
        self.offer.clock.next = self.clock.val();
        self.offer_id.clock.next = self.clock.val();
        self.offer_index.clock.next = self.clock.val();
        self.lane.clock.next = self.clock.val();
        self.buf_id.clock.next = self.clock.val();
        self.phase.clock.next = self.clock.val();
        self.s_idle.clock.next = self.clock.val();
        self.s_read.clock.next = self.clock.val();
        self.s_load.clock.next = self.clock.val();
        self.s_send.clock.next = self.clock.val();
        self.wants.clock.next = self.clock.val();
        self.leaves.clock.next = self.clock.val();
        self.extra8.clock.next = self.clock.val();
        self.list.clock.next = self.clock.val();
        self.word_slot.clock.next = self.clock.val();
        self.extra_out.clock.next = self.clock.val();
        self.extra_slot.clock.next = self.clock.val();
        for ck0 in 0..NM {
            self.state[ck0].clock.next = self.clock.val();
            self.owner[ck0].clock.next = self.clock.val();
            self.stale[ck0].clock.next = self.clock.val();
            self.tries[ck0].clock.next = self.clock.val();
            self.held_back[ck0].clock.next = self.clock.val();
            self.meant[ck0].clock.next = self.clock.val();
            self.match8[ck0].clock.next = self.clock.val();
        }
        for ck1 in 0..NM1 {
            self.has[ck1].clock.next = self.clock.val();
            self.head[ck1].clock.next = self.clock.val();
            self.tail[ck1].clock.next = self.clock.val();
        }
        self.offer.d.next = self.offer.q.val();
        self.offer_id.d.next = self.offer_id.q.val();
        self.offer_index.d.next = self.offer_index.q.val();
        self.lane.d.next = self.lane.q.val();
        self.buf_id.d.next = self.buf_id.q.val();
        self.phase.d.next = self.phase.q.val();
        self.wants.d.next = self.wants.q.val();
        self.list.d.next = self.list.q.val();
        self.word_slot.d.next = self.word_slot.q.val();
        self.extra_out.d.next = self.extra_out.q.val();
        self.extra_slot.d.next = self.extra_slot.q.val();
        for hd100 in 0..NM {
            self.state[hd100].d.next = self.state[hd100].q.val();
            self.owner[hd100].d.next = self.owner[hd100].q.val();
            self.stale[hd100].d.next = self.stale[hd100].q.val();
            self.tries[hd100].d.next = self.tries[hd100].q.val();
        }
        for hd101 in 0..NM1 {
            self.has[hd101].d.next = self.has[hd101].q.val();
            self.head[hd101].d.next = self.head[hd101].q.val();
            self.tail[hd101].d.next = self.tail[hd101].q.val();
        }
        // kills, at their slot in c0: fetches of the index are stale, a line just filled is fetched again
        self.starved.next = false;
        self.killed.next = 0.into();
        for i in 0..NM {
            self.kill_hit.next = self.meant[i].q.val();
            self.killed.next = self.killed.val().replace_bit(i, self.kill_take.val() & self.kill_hit.val());
            if self.kill_take.val() & self.kill_hit.val() {
                if (self.state[i].q.val() == 2) | (self.state[i].q.val() == 3) {
                    self.stale[i].d.next = true;
                }
                if self.state[i].q.val() == 4 {
                    self.state[i].d.next = 1.into();
                    if !self.tries[i].q.val().all() {
                        self.tries[i].d.next = self.tries[i].q.val() + 1;
                    }
                }
            }
            if self.tries[i].q.val().all() & self.state[i].q.val().any() {
                self.starved.next = true;
            }
        }
        // s8: a miss merges, takes an MSHR, or overflows
        self.is_lookup_miss.next = self.miss8.q.val();
        self.extra8.d.next = self.extra_out.q.val() & (self.slot.val() == self.extra_slot.q.val());
        self.is_extra.next = self.extra8.q.val();
        if self.looks8.q.val() & self.is_extra.val() {
            self.extra_out.d.next = false;
        }
        self.found.next = false;
        self.free.next = false;
        self.free_at.next = 0.into();
        self.target.next = self.overflow.val();
        for j in 0..NM {
            self.live.next = self.state[j].q.val().any();
            if !self.live.val() {
                self.free.next = true;
                self.free_at.next = j.to_bits();
            }
        }
        for n in 0..NM {
            if self.state[n].q.val().any() & self.match8[n].q.val() {
                self.found.next = true;
                self.target.next = n.to_bits();
            }
        }
        self.over_has.next = false;
        for ov in 0..NM1 {
            self.over_has.next = self.has[ov].q.val();
        }
        if self.append9.q.val() & (self.target9.q.val() == self.overflow.val()) {
            self.over_has.next = true;
        }
        self.extra_busy.next = self.over_has.val() | self.extra_out.q.val();
        self.may_alloc.next = self.free.val() & (self.is_extra.val() | !self.extra_busy.val());
        self.merged.next = self.is_lookup_miss.val() & self.found.val();
        self.missed.next = self.is_lookup_miss.val() & !self.found.val();
        if !self.found.val() & self.may_alloc.val() {
            self.target.next = self.free_at.val();
            for a in 0..NM {
                if self.is_lookup_miss.val() & (self.free_at.val() == a.to_bits()) {
                    self.state[a].d.next = 1.into();
                    self.owner[a].d.next = self.index8.q.val();
                    self.stale[a].d.next = false;
                    self.tries[a].d.next = 0.into();
                }
            }
        }
        self.append9.d.next = self.is_lookup_miss.val();
        self.target9.d.next = self.target.val();
        self.slot9.d.next = self.slot8.q.val();
        // compares with what comes next cycle: a kill, a miss, the barrier. A kill's index stands a cycle before it may have its slot, and
        // it comes two cycles after the barrier, so a barrier seen one cycle late lets no fetch pass the kill
        self.same_now.next = self.index8.q.val() == self.index.val();
        self.barred_now.next = self.barrier_active.val() & (self.index8.q.val() == self.barrier_index.val());
        self.meant_now.next = self.index8.q.val() == self.kill_index.val();
        if self.kill_kind.val() == 2 {
            self.meant_now.next = self.index8.q.val().get_bits::<SETW>(0) == self.kill_set.val();
        }
        for o in 0..NM {
            self.anew.next = self.is_lookup_miss.val() & !self.found.val() & self.may_alloc.val() & (self.free_at.val() == o.to_bits());
            self.owner_of.next = self.owner[o].q.val();
            self.match8[o].d.next = self.owner_of.val() == self.index.val();
            self.held_back[o].d.next = self.barrier_active.val() & (self.owner_of.val() == self.barrier_index.val());
            self.meant[o].d.next = self.owner_of.val() == self.kill_index.val();
            if self.kill_kind.val() == 2 {
                self.meant[o].d.next = self.owner_of.val().get_bits::<SETW>(0) == self.kill_set.val();
            }
            if self.anew.val() {
                self.match8[o].d.next = self.same_now.val();
                self.held_back[o].d.next = self.barred_now.val();
                self.meant[o].d.next = self.meant_now.val();
            }
            if self.kill_kind.val() == 1 {
                self.meant[o].d.next = true;
            }
        }
        self.taking.next = self.offer.q.val() & self.fetch_ready.val();
        self.want.next = false;
        self.want_id.next = 0.into();
        self.want_index.next = 0.into();
        for w in 0..NM {
            if (self.state[w].q.val() == 1) & !self.held_back[w].q.val() {
                self.want.next = true;
                self.want_id.next = w.to_bits();
                self.want_index.next = self.owner[w].q.val();
            }
        }
        if self.taking.val() {
            self.offer.d.next = false;
        }
        if self.want.val() & !self.offer.q.val() {
            self.offer.d.next = true;
            self.offer_id.d.next = self.want_id.val();
            self.offer_index.d.next = self.want_index.val();
            for f in 0..NM {
                if self.want_id.val() == f.to_bits() {
                    self.state[f].d.next = 2.into();
                    self.stale[f].d.next = false;
                }
            }
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
        }
        // a bit for the beat that is next, none but while they are written
        if self.line_valid.val() {
            self.fill_write.next = self.lane.q.val();
        }
        // the list being drained
        self.buf_stale.next = false;
        self.fill_owner.next = 0.into();
        for b in 0..NM {
            if self.buf_id.q.val() == b.to_bits() {
                self.buf_stale.next = self.stale[b].q.val();
                self.fill_owner.next = self.owner[b].q.val();
            }
        }
        self.fill_index.next = self.fill_owner.val();
        self.cur_ready.next = false;
        for c in 0..NM {
            if self.list.q.val() == c.to_bits() {
                // state 4, the highest there is
                self.cur_ready.next = self.state[c].q.val().get_bit(2);
            }
        }
        self.cur_has.next = false;
        self.cur_head.next = 0.into();
        for h in 0..NM1 {
            if self.list.q.val() == h.to_bits() {
                self.cur_has.next = self.has[h].q.val();
                self.cur_head.next = self.head[h].q.val();
            }
        }
        // no fill while waiters are asking: they shall meet their line
        self.buf_list.next = bit_cast::<NML, NMW>(self.buf_id.q.val());
        self.near.next = !self.s_idle.q.val();
        self.hands.next = false;
        self.fill_valid.next = self.wants.q.val();
        self.drop_now.next = false;
        self.again.next = false;
        // the waiter leaves its list as it begins to ask
        self.pop.next = self.leaves.q.val();
        match self.phase.q.val() {
            LinePhase::Idle => {
                if self.line_valid.val() {
                    self.buf_id.d.next = self.line_id.val();
                    self.phase.d.next = LinePhase::Look;
                }
            }
            LinePhase::Look => {
                if self.buf_stale.val() {
                    self.phase.d.next = LinePhase::Drop;
                } else if !self.near.val() {
                    self.phase.d.next = LinePhase::Fill;
                    self.wants.d.next = true;
                }
            }
            LinePhase::Fill => {
                if self.buf_stale.val() {
                    self.phase.d.next = LinePhase::Drop;
                } else if self.fill_take.val() {
                    self.phase.d.next = LinePhase::Pipe;
                    self.wants.d.next = false;
                    for t in 0..NM {
                        if self.buf_id.q.val() == t.to_bits() {
                            self.state[t].d.next = 3.into();
                        }
                    }
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
                    self.lane.d.next = 1.into();
                }
            }
            LinePhase::Words => {
                if self.line_valid.val() {
                    self.lane.d.next = self.lane.q.val() << 1;
                }
                if self.line_valid.val() & self.line_last.val() {
                    self.lane.d.next = 0.into();
                    // killed meanwhile, or in this very cycle: fetched again
                    // (then whoever asks for its waiters finds it so)
                    self.phase.d.next = LinePhase::Hand;
                    self.hands.next = true;
                    self.again.next = self.buf_stale.val();
                    for p in 0..NM {
                        if self.buf_id.q.val() == p.to_bits() {
                            self.state[p].d.next = 4.into();
                            if self.killed.val().get_bit(p) {
                                self.again.next = true;
                            }
                        }
                    }
                }
            }
            LinePhase::Hand => {
                self.hands.next = true;
            }
        }
        // who asks: an MSHR whose line has come, or the overflow list when an MSHR is free
        self.over_now.next = self.list.q.val() == self.overflow.val();
        if self.s_idle.q.val() {
            self.list.d.next = self.overflow.val();
            if self.hands.val() {
                self.list.d.next = self.buf_list.val();
                self.phase.d.next = LinePhase::Idle;
            }
        }
        // a miss that is being decided, or on its way to a list, may be meant for this one
        self.ripe.next = self.over_now.val() | self.cur_ready.val();
        self.empty.next = self.ripe.val() & !self.cur_has.val();
        self.ends.next = self.empty.val() & !self.is_lookup_miss.val() & !self.append9.q.val();
        if self.s_read.q.val() {
            self.word_slot.d.next = self.cur_head.val();
            for z in 0..NM {
                if self.ends.val() & (self.list.q.val() == z.to_bits()) & (self.state[z].q.val() == 4) & !self.killed.val().get_bit(z) {
                    self.state[z].d.next = 0.into();
                }
            }
        }
        // (no enables: they would come late)
        self.goes.next = self.hands.val() | (self.free.val() & !self.extra_out.q.val() & self.over_has.val());
        self.s_idle.d.next = (self.s_idle.q.val() & !self.goes.val())
            | (self.s_read.q.val() & (!self.ripe.val() | self.ends.val()))
            | (self.s_send.q.val() & self.replay_take.val() & self.over_now.val());
        self.s_read.d.next = (self.s_idle.q.val() & self.goes.val())
            | (self.s_read.q.val() & self.empty.val() & !self.ends.val())
            | (self.s_send.q.val() & self.replay_take.val() & !self.over_now.val());
        self.s_load.d.next = (self.s_read.q.val() & self.ripe.val() & self.cur_has.val()) | (self.s_load.q.val() & !self.read_take.val());
        self.s_send.d.next = (self.s_load.q.val() & self.read_take.val()) | (self.s_send.q.val() & !self.replay_take.val());
        // the word is not kept, the RAM goes on reading it
        self.read_valid.next = self.s_load.q.val() | self.s_send.q.val();
        self.replay_valid.next = self.s_send.q.val();
        self.leaves.d.next = self.s_load.q.val() & self.read_take.val();
        if self.s_load.q.val() & self.over_now.val() {
            self.extra_out.d.next = true;
            self.extra_slot.d.next = self.word_slot.q.val();
        }
        // killed while it waits for its slot: it does not ask any more in the next cycle
        for x in 0..NM {
            if (self.buf_id.q.val() == x.to_bits()) & self.killed.val().get_bit(x) {
                self.wants.d.next = false;
            }
        }
        self.dropped.next = self.drop_now.val();
        if self.drop_now.val() | self.again.val() {
            for d in 0..NM {
                if self.buf_id.q.val() == d.to_bits() {
                    self.state[d].d.next = 1.into();
                    self.stale[d].d.next = false;
                    if !self.tries[d].q.val().all() {
                        self.tries[d].d.next = self.tries[d].q.val() + 1;
                    }
                }
            }
        }
        self.read_slot.next = self.word_slot.q.val();
        // s9: lists: pop, then append
        self.next.read_address.next = self.word_slot.q.val();
        self.next.write_address.next = 0.into();
        self.next.write_data.next = self.slot9.q.val();
        self.next.write_enable.next = false;
        // a link written while it was read is remembered
        self.after.next = self.next.read_data.val();
        if self.linked.q.val() {
            self.after.next = self.link.q.val();
        }
        self.link.d.next = self.slot9.q.val();
        self.is_link.next = false;
        for l in 0..NM1 {
            self.chain.next = self.has[l].q.val();
            // the waiter that asks stands at its head still
            self.only.next = self.tail[l].q.val() == self.word_slot.q.val();
            if self.pop.val() & (self.list.q.val() == l.to_bits()) {
                self.head[l].d.next = self.after.val();
                if self.only.val() {
                    self.has[l].d.next = false;
                    self.chain.next = false;
                }
            }
            if self.append9.q.val() & (self.target9.q.val() == l.to_bits()) {
                self.has[l].d.next = true;
                self.tail[l].d.next = self.slot9.q.val();
                if self.has[l].q.val() {
                    // (behind one that leaves in this very cycle it does no harm)
                    self.next.write_address.next = self.tail[l].q.val();
                    self.next.write_enable.next = true;
                    self.is_link.next = self.only.val();
                }
                if !self.chain.val() {
                    self.head[l].d.next = self.slot9.q.val();
                }
            }
        }
        self.linked.d.next = self.is_link.val();
        // a waiter becomes a request again
        self.request.word.next = self.read_word.val();
        self.request.slot.next = self.word_slot.q.val();
        self.replay.next = self.request.req.val();
        if self.reset.val() {
            self.phase.d.next = LinePhase::Idle;
            self.s_idle.d.next = true;
            self.s_read.d.next = false;
            self.s_load.d.next = false;
            self.s_send.d.next = false;
            self.wants.d.next = false;
            self.leaves.d.next = false;
            self.offer.d.next = false;
            self.extra_out.d.next = false;
            self.looks8.d.next = false;
            self.miss8.d.next = false;
            self.append9.d.next = false;
            self.lane.d.next = 0.into();
            for r in 0..NM {
                self.state[r].d.next = 0.into();
                self.stale[r].d.next = false;
                self.tries[r].d.next = 0.into();
            }
            for q in 0..NM1 {
                self.has[q].d.next = false;
            }
        }
    }
}
