// SPDX-License-Identifier: MIT OR Apache-2.0
//! Deregistrations that wait for walks and leases, and the scan that finds out when they may answer.
//!
//! ```text
//!  put ──► entry (cut visible) ── arm ──► live ──► finished ─┐
//!                                          │ ▲               ├─► done_* ── pop ──► empty
//!                    scan_slot ──► leases ─┘ └─ 2^DRAINW ► over
//! ```
//! `put` fills the first empty entry (`room` says there is one), `arm` starts its scan and its timer: both are
//! one-cycle pulses, one command between them at a time. From `put` to `pop` an entry of mode cut or contract
//! stands in the cut table.
//!
//! `put_end` says what is to be done at the end and comes back with `done_end`. With windows a slot counts for two entries, that of the
//! region and that of the window the access went through. An eviction (`put_seen`) looks at no epoch: it waits for the leases of its index that
//! were held when it was put, remembered in `pending`, of which there is one (`watching`: another eviction can't be put).
//!
//! An armed entry is finished when one pass over all slots found none of its index and epoch walking
//! (contract) or held (cut, drain). No lease of the old epoch can begin after `arm`, so the pass waits at a
//! slot that blocks it, or starts again later if another entry wants the scan. A pass takes SLOTS + 4 cycles.
//! An entry is overdue after at least 2^DRAINW and at most 1.25 * 2^DRAINW cycles (one shared counter).
//!
//! One finished or overdue entry is chosen and stays so until `pop`: `done_valid`, `done_over`. Its index and tag are there
//! while `peek` is high, when they use the scan's reader and the pass starts again; so `peek` must be short while
//! `done_valid`. An entry chosen does not stop the scan of others otherwise.

use super::prelude::*;

const TICKW: usize = DRAINW - 2;
const TICKW1: usize = TICKW + 1;

/// See the module text.
#[derive(LogicBlock, SmartDefault)]
pub struct Parked {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub room: Signal<Out, Bit>,
    pub put: Signal<In, Bit>,
    pub put_index: Signal<In, Bits<K>>,
    pub put_epoch: Signal<In, Bits<EPW>>,
    pub put_tag: Signal<In, Bits<8>>,
    /// 0 cut, 1 drain, 2 contract.
    pub put_mode: Signal<In, Bits<2>>,
    /// What is left to do when nothing blocks any more.
    pub put_end: Signal<In, Bits<2>>,
    /// Wait for the leases held now, of whatever epoch.
    pub put_seen: Signal<In, Bit>,
    pub arm: Signal<In, Bit>,
    pub cut_valid: Signal<Out, Bits<NPARK>>,
    pub cut_index: Signal<Out, Bits<NPARK_K>>,
    pub cut_epoch: Signal<Out, Bits<NPARK_EPW>>,
    /// The scan belonging to `scan_slot` comes back one cycle later.
    pub scan_slot: Signal<Out, Bits<SLOTW>>,
    pub scan_index: Signal<In, Bits<K>>,
    pub scan_epoch: Signal<In, Bits<EPW>>,
    /// The window of the access, and its epoch.
    pub scan_via: Signal<In, Bits<PARK>>,
    pub scan_via_epoch: Signal<In, Bits<PARE>>,
    /// Leases held now, one bit a slot.
    pub held: Signal<In, Bits<HELDW>>,
    /// An eviction is parked.
    pub watching: Signal<Out, Bit>,
    /// Of this index, one cycle before, a change that keeps the key alive (`put_end` 2) is parked.
    pub asked: Signal<In, Bits<K>>,
    pub tied: Signal<Out, Bit>,
    pub scan_held: Signal<In, Bit>,
    pub scan_walking: Signal<In, Bit>,
    pub done_valid: Signal<Out, Bit>,
    /// Not finished: too late.
    pub done_over: Signal<Out, Bit>,
    pub done_index: Signal<Out, Bits<K>>,
    pub done_tag: Signal<Out, Bits<8>>,
    pub done_end: Signal<Out, Bits<2>>,
    /// Index and tag are read.
    pub peek: Signal<In, Bit>,
    /// The chosen entry goes.
    pub pop: Signal<In, Bit>,
    valid: [DFF<Bit>; NPARK],
    live: [DFF<Bit>; NPARK],
    fin: [DFF<Bit>; NPARK],
    over: [DFF<Bit>; NPARK],
    index: [DFF<Bits<K>>; NPARK],
    epoch: [DFF<Bits<EPW>>; NPARK],
    tag: [DFF<Bits<8>>; NPARK],
    mode: [DFF<Bits<2>>; NPARK],
    age: [DFF<Bits<3>>; NPARK],
    ending: [DFF<Bits<2>>; NPARK],
    seen_only: [DFF<Bit>; NPARK],
    pending: DFF<Bits<HELDW>>,
    awaited: DFF<Bit>,
    tied_q: DFF<Bit>,
    c_end: Signal<Local, Bits<2>>,
    c_seen: Signal<Local, Bit>,
    hit: Signal<Local, Bit>,
    any_seen: Signal<Local, Bit>,
    any_tied: Signal<Local, Bit>,
    via: Signal<Local, Bits<K>>,
    via_at: Signal<Local, Bits<PARK>>,
    via_epoch: Signal<Local, Bits<EPW>>,
    via_epoch_at: Signal<Local, Bits<PARE>>,
    from_here: Signal<Local, Bits<HELDW>>,
    #[default(Constant::new(F_PAGING))]
    paging: Constant<Bit>,
    #[default(Constant::new(F_WINDOWS))]
    windows: Constant<Bit>,
    tick: DFF<Bits<TICKW1>>,
    cur: DFF<Bits<NPARKW>>,
    ptr: DFF<Bits<SLOTW>>,
    answer: DFF<Bit>,
    judged: DFF<Bit>,
    /// What `hit` is put together from: index and epoch of the region, of the window, what is held there; of an eviction, and its lease.
    of_index: DFF<Bit>,
    of_epoch: DFF<Bit>,
    of_via: DFF<Bit>,
    of_via_epoch: DFF<Bit>,
    bars: DFF<Bit>,
    seen_q: DFF<Bit>,
    stood: DFF<Bit>,
    ready: DFF<Bit>,
    chosen: DFF<Bits<NPARKW>>,
    low: Signal<Local, Bits<TICKW>>,
    pulse: Signal<Local, Bit>,
    look: Signal<Local, Bits<NPARKW>>,
    reading: Signal<Local, Bit>,
    back: Signal<Local, Bits<SLOTW>>,
    c_tag: Signal<Local, Bits<8>>,
    fill: [Signal<Local, Bit>; NPARK],
    pick: [Signal<Local, Bit>; NPARK],
    full: Signal<Local, Bit>,
    found: Signal<Local, Bit>,
    cv: Signal<Local, Bits<NPARK>>,
    seen: Signal<Local, Bits<1>>,
    ix: Signal<Local, Bits<K>>,
    ep: Signal<Local, Bits<EPW>>,
    cx: Signal<Local, Bits<NPARK_K>>,
    ce: Signal<Local, Bits<NPARK_EPW>>,
    c_index: Signal<Local, Bits<K>>,
    s_index: Signal<Local, Bits<K>>,
    c_epoch: Signal<Local, Bits<EPW>>,
    c_contract: Signal<Local, Bit>,
    c_live: Signal<Local, Bit>,
    others: Signal<Local, Bit>,
    advance: Signal<Local, Bit>,
    finish: Signal<Local, Bit>,
    gone: Signal<Local, Bit>,
    over_now: Signal<Local, Bit>,
    #[default(Constant::new(NPARK == 1))]
    single: Constant<Bit>,
    #[default(constant(NPARK - 1))]
    n_top: Constant<Bits<16>>,
    #[default(constant(K))]
    k: Constant<Bits<16>>,
    #[default(constant(NPARK_K - K))]
    k_top: Constant<Bits<16>>,
    #[default(constant(EPW))]
    e: Constant<Bits<16>>,
    #[default(constant(NPARK_EPW - EPW))]
    e_top: Constant<Bits<16>>,
    #[default(constant(NPARK - 1))]
    last: Constant<Bits<NPARKW>>,
    #[default(constant(SLOTS - 2))]
    minus2: Constant<Bits<SLOTW>>,
    #[default(constant(TICKW))]
    tick_top: Constant<Bits<6>>,
}

impl Logic for Parked {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, tick, cur, ptr, answer, judged, of_index, of_epoch, of_via, of_via_epoch, bars, seen_q, stood, ready, chosen, pending, awaited, tied_q);
        // the top bit is high for one cycle each time the rest has come round
        self.low.next = self.tick.q.val().get_bits::<TICKW>(0);
        self.pulse.next = self.tick.q.val().get_bit(self.tick_top.val().index());
        self.tick.d.next = bit_cast::<TICKW1, TICKW>(self.low.val()) + 1;

        // what the scan looks for, or the chosen entry
        self.reading.next = self.peek.val() && self.ready.q.val();
        self.look.next = self.cur.q.val();
        if self.reading.val() && !self.single.val() {
            self.look.next = self.chosen.q.val();
        }
        self.c_index.next = 0.into();
        self.s_index.next = 0.into();
        self.c_epoch.next = 0.into();
        self.c_tag.next = 0.into();
        self.c_contract.next = false;
        self.c_live.next = false;
        self.others.next = false;
        self.c_end.next = 0.into();
        self.c_seen.next = false;
        for i in 0..NPARK {
            if self.single.val() || (self.look.val() == i.to_bits()) {
                self.c_index.next = self.index[i].q.val();
                self.c_tag.next = self.tag[i].q.val();
                self.c_end.next = self.ending[i].q.val();
            }
            if self.single.val() || (self.cur.q.val() == i.to_bits()) {
                self.s_index.next = self.index[i].q.val();
                self.c_epoch.next = self.epoch[i].q.val();
                self.c_contract.next = self.mode[i].q.val().get_bit(1);
                self.c_live.next = self.live[i].q.val();
                self.c_seen.next = self.seen_only[i].q.val();
            } else {
                self.others.next = self.others.val() | self.live[i].q.val();
            }
        }
        // what comes from the RAM comes late: it is compared here, and put together a cycle later
        self.of_index.d.next = self.scan_index.val() == self.s_index.val();
        self.of_epoch.d.next = self.scan_epoch.val() == self.c_epoch.val();
        self.via_at.next = self.scan_via.val();
        self.via.next = bit_cast::<K, PARK>(self.via_at.val());
        self.via_epoch_at.next = self.scan_via_epoch.val();
        self.via_epoch.next = bit_cast::<EPW, PARE>(self.via_epoch_at.val());
        self.of_via.d.next = self.windows.val() && (self.via.val() == self.s_index.val());
        self.of_via_epoch.d.next = self.windows.val() && (self.via_epoch.val() == self.c_epoch.val());
        self.bars.d.next = self.scan_walking.val() || (self.scan_held.val() && !self.c_contract.val());
        self.seen_q.d.next = self.paging.val() && self.c_seen.val();
        self.stood.d.next = self.paging.val() && self.awaited.q.val();
        self.hit.next = ((self.of_index.q.val() && self.of_epoch.q.val()) || (self.of_via.q.val() && self.of_via_epoch.q.val())) && self.bars.q.val();
        if self.seen_q.q.val() {
            self.hit.next = self.stood.q.val() && self.of_index.q.val();
        }
        // a lease that was given back since is not waited for, whoever has its slot now
        self.from_here.next = self.pending.q.val() >> self.ptr.q.val();
        self.awaited.d.next = false;
        self.pending.d.next = self.pending.q.val() & self.held.val();
        if self.put.val() && self.put_seen.val() {
            self.pending.d.next = self.held.val();
        }
        if self.paging.val() {
            self.awaited.d.next = self.from_here.val().get_bit(0);
        }

        // one slot a cycle; `answer`: the scan pins belong to slot ptr - 1; `judged`: `hit` belongs to slot ptr - 2
        self.scan_slot.next = self.ptr.q.val();
        self.back.next = 1.into();
        self.answer.d.next = true;
        self.judged.d.next = self.answer.q.val();
        self.advance.next = !self.c_live.val();
        self.finish.next = false;
        if self.c_live.val() && self.judged.q.val() {
            if self.hit.val() {
                self.back.next = self.minus2.val();
                self.answer.d.next = false;
                self.judged.d.next = false;
                self.advance.next = self.others.val();
            } else {
                self.finish.next = self.ptr.q.val() == 1;
                self.advance.next = self.finish.val();
            }
        }
        self.ptr.d.next = self.ptr.q.val() + self.back.val();
        if self.reading.val() {
            self.ptr.d.next = 0.into();
            self.answer.d.next = false;
            self.judged.d.next = false;
        }
        if self.advance.val() {
            self.ptr.d.next = 0.into();
            self.answer.d.next = false;
            self.judged.d.next = false;
            self.cur.d.next = self.cur.q.val() + 1;
            if self.single.val() || (self.cur.q.val() == self.last.val()) {
                self.cur.d.next = 0.into();
            }
        }

        // entries
        self.full.next = true;
        self.found.next = false;
        self.over_now.next = false;
        self.any_seen.next = false;
        self.any_tied.next = false;
        self.cv.next = 0.into();
        self.cx.next = 0.into();
        self.ce.next = 0.into();
        for i in 0..NPARK {
            self.valid[i].clock.next = self.clock.val();
            self.live[i].clock.next = self.clock.val();
            self.fin[i].clock.next = self.clock.val();
            self.over[i].clock.next = self.clock.val();
            self.index[i].clock.next = self.clock.val();
            self.epoch[i].clock.next = self.clock.val();
            self.tag[i].clock.next = self.clock.val();
            self.mode[i].clock.next = self.clock.val();
            self.age[i].clock.next = self.clock.val();
            self.ending[i].clock.next = self.clock.val();
            self.seen_only[i].clock.next = self.clock.val();
            self.ending[i].d.next = self.ending[i].q.val();
            self.seen_only[i].d.next = self.seen_only[i].q.val();
            self.valid[i].d.next = self.valid[i].q.val();
            self.live[i].d.next = self.live[i].q.val();
            self.fin[i].d.next = self.fin[i].q.val();
            self.over[i].d.next = self.over[i].q.val();
            self.index[i].d.next = self.index[i].q.val();
            self.epoch[i].d.next = self.epoch[i].q.val();
            self.tag[i].d.next = self.tag[i].q.val();
            self.mode[i].d.next = self.mode[i].q.val();
            self.age[i].d.next = self.age[i].q.val();
            // `live`: armed and undecided
            if self.live[i].q.val() {
                if self.pulse.val() {
                    self.age[i].d.next = self.age[i].q.val() + 1;
                }
                if self.finish.val() && (self.single.val() || (self.cur.q.val() == i.to_bits())) {
                    self.fin[i].d.next = true;
                    self.live[i].d.next = false;
                } else if self.age[i].q.val() == 5 {
                    self.over[i].d.next = true;
                    self.live[i].d.next = false;
                }
            }
            self.fill[i].next = self.full.val() && !self.valid[i].q.val();
            self.full.next = self.full.val() && self.valid[i].q.val();
            if self.put.val() && self.fill[i].val() {
                self.valid[i].d.next = true;
                self.index[i].d.next = self.put_index.val();
                self.epoch[i].d.next = self.put_epoch.val();
                self.tag[i].d.next = self.put_tag.val();
                self.mode[i].d.next = self.put_mode.val();
                self.ending[i].d.next = self.put_end.val();
                self.seen_only[i].d.next = self.put_seen.val();
                self.age[i].d.next = 0.into();
            }
            if self.arm.val() && self.valid[i].q.val() && !self.fin[i].q.val() && !self.over[i].q.val() && !self.live[i].q.val() {
                self.live[i].d.next = true;
            }
            self.pick[i].next = (self.fin[i].q.val() || self.over[i].q.val()) && !self.found.val();
            if self.pick[i].val() {
                self.found.next = true;
                if !self.ready.q.val() {
                    self.chosen.d.next = i.to_bits();
                }
            }
            self.gone.next = self.pop.val() && (self.single.val() || (self.chosen.q.val() == i.to_bits()));
            if self.single.val() || (self.chosen.q.val() == i.to_bits()) {
                self.over_now.next = self.over[i].q.val();
            }
            if self.reset.val() || self.gone.val() {
                self.valid[i].d.next = false;
                self.live[i].d.next = false;
                self.fin[i].d.next = false;
                self.over[i].d.next = false;
            }
            self.ix.next = self.index[i].q.val();
            self.ep.next = self.epoch[i].q.val();
            self.cx.next = (self.cx.val() >> self.k.val()) | (bit_cast::<NPARK_K, K>(self.ix.val()) << self.k_top.val());
            self.ce.next = (self.ce.val() >> self.e.val()) | (bit_cast::<NPARK_EPW, EPW>(self.ep.val()) << self.e_top.val());
            self.seen.next = (self.valid[i].q.val() && (self.mode[i].q.val() != 1)).into();
            if self.valid[i].q.val() && !self.seen_only[i].q.val() && (self.ending[i].q.val() == 2) && (self.index[i].q.val() == self.asked.val()) {
                self.any_tied.next = true;
            }
            self.any_seen.next = self.any_seen.val() || (self.valid[i].q.val() && self.seen_only[i].q.val());
            self.cv.next = (self.cv.val() >> 1) | (bit_cast::<NPARK, 1>(self.seen.val()) << self.n_top.val());
        }
        self.room.next = !self.full.val();
        self.ready.d.next = self.found.val() && !self.pop.val();
        self.done_valid.next = self.ready.q.val();
        self.done_over.next = self.over_now.val();
        self.done_index.next = self.c_index.val();
        self.done_tag.next = self.c_tag.val();
        self.done_end.next = self.c_end.val();
        self.watching.next = self.any_seen.val();
        self.tied_q.d.next = self.any_tied.val();
        self.tied.next = self.tied_q.q.val();
        self.cut_valid.next = self.cv.val();
        self.cut_index.next = self.cx.val();
        self.cut_epoch.next = self.ce.val();
        if self.reset.val() {
            self.tick.d.next = 0.into();
            self.cur.d.next = 0.into();
            self.ptr.d.next = 0.into();
            self.answer.d.next = false;
            self.judged.d.next = false;
            self.ready.d.next = false;
        }
    }
}
