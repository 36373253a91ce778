// SPDX-License-Identifier: MIT OR Apache-2.0
//! Events of all sources in one bounded queue.
//!
//! ```text
//!  registration port ─┐ pending   ┌─────────┐
//!  page fault        ─┤ register  │ EVD     │
//!  tag reuse         ─┼─ each ───►│ entries ├──► event_*
//!  bad keys of a QP  ─┤ in turn   └─────────┘
//!  unknown dma_done  ─┘
//! ```
//! A source is a one-cycle pulse with its data and is never stalled (`reg_ready` is always 1). A source keeps one
//! pending event; one that comes while its register is full is dropped: `dropped` pulses (several at once
//! count once) and `drops` counts up to its maximum and stays there. Fixed priority from the pending registers
//! to the queue: registration port, bad keys (once a QP, so they hold up nobody), page fault, tag reuse, dma_done. The queue is registers in a row, the first of them at the pins (`SHORT`: no other).
//! From pulse to `event_valid`: EVD + 1 cycles.
//! Information: page fault `page << K | index` (low 32 bits); tag reuse and dma_done: what the source gives; bad keys: the QP.
//! The registration port has only kinds 2 and 3 and tells an index, so one bit and K bits of it are kept.

use super::prelude::*;

/// See the module text.
#[derive(LogicBlock, SmartDefault)]
pub struct Events {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub reg_valid: Signal<In, Bit>,
    pub reg_ready: Signal<Out, Bit>,
    pub reg_kind: Signal<In, Bits<4>>,
    pub reg_info: Signal<In, Bits<32>>,
    pub pf_valid: Signal<In, Bit>,
    pub pf_index: Signal<In, Bits<K>>,
    pub pf_page: Signal<In, Bits<PNW>>,
    pub reuse_valid: Signal<In, Bit>,
    pub reuse_info: Signal<In, Bits<SLOTW>>,
    pub unknown_valid: Signal<In, Bit>,
    pub unknown_info: Signal<In, Bits<SLOTW>>,
    pub limit_valid: Signal<In, Bit>,
    pub limit_info: Signal<In, Bits<24>>,
    pub event_valid: Signal<Out, Bit>,
    pub event_ready: Signal<In, Bit>,
    pub event_kind: Signal<Out, Bits<4>>,
    pub event_info: Signal<Out, Bits<32>>,
    pub dropped: Signal<Out, Bit>,
    pub drops: Signal<Out, Bits<8>>,
    queue: [DFF<Bits<36>>; EVD],
    full: [DFF<Bit>; EVD],
    v_reg: DFF<Bit>,
    /// The registration port's kind is 3, not 2.
    third: DFF<Bit>,
    d_reg: DFF<Bits<K>>,
    v_pf: DFF<Bit>,
    d_pf: DFF<Bits<PFW>>,
    v_reuse: DFF<Bit>,
    d_reuse: DFF<Bits<SLOTW>>,
    v_limit: DFF<Bit>,
    d_limit: DFF<Bits<24>>,
    v_unknown: DFF<Bit>,
    d_unknown: DFF<Bits<SLOTW>>,
    lost: DFF<Bits<8>>,
    fell: DFF<Bit>,
    free: [Signal<Local, Bit>; EVD],
    room: Signal<Local, Bit>,
    chosen: Signal<Local, Bits<36>>,
    shown: Signal<Local, Bits<36>>,
    any: Signal<Local, Bit>,
    drop: Signal<Local, Bit>,
    page32: Signal<Local, Bits<PFW>>,
    #[default(constant(K))]
    index_bits: Constant<Bits<6>>,
    #[default(Constant::new(0x4_0000_0000u64.to_bits()))]
    reuse_kind: Constant<Bits<36>>,
    #[default(Constant::new(F_LIMITS))]
    limits: Constant<Bit>,
    #[default(Constant::new(0x6_0000_0000u64.to_bits()))]
    limit_kind: Constant<Bits<36>>,
    #[default(Constant::new(0x1_0000_0000u64.to_bits()))]
    pf_kind: Constant<Bits<36>>,
    #[default(Constant::new(0x5_0000_0000u64.to_bits()))]
    unknown_kind: Constant<Bits<36>>,
    #[default(Constant::new(0x2_0000_0000u64.to_bits()))]
    overdue_kind: Constant<Bits<36>>,
    #[default(Constant::new(0x3_0000_0000u64.to_bits()))]
    full_kind: Constant<Bits<36>>,
}

const PFW: usize = if PNW + K < 32 { PNW + K } else { 32 };
const PFP: usize = PFW - K;

impl Logic for Events {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, v_reg, third, d_reg, v_pf, d_pf, v_reuse, d_reuse, v_limit, d_limit, v_unknown, d_unknown, lost, fell);
        // entry 0 is at the pins; an entry is free when it is empty or moves on
        self.free[0].next = !self.full[0].q.val() | self.event_ready.val();
        for f in 1..EVD {
            self.free[f].next = !self.full[f].q.val() | self.free[f - 1].val();
        }
        for e in (EVD - 1)..EVD {
            self.room.next = self.free[e].val();
        }
        // oldest first in priority order: kind in bits 35..32
        self.chosen.next = bit_cast::<36, SLOTW>(self.d_unknown.q.val()) | self.unknown_kind.val();
        if self.v_reuse.q.val() {
            self.chosen.next = bit_cast::<36, SLOTW>(self.d_reuse.q.val()) | self.reuse_kind.val();
        }
        if self.v_pf.q.val() {
            self.chosen.next = bit_cast::<36, PFW>(self.d_pf.q.val()) | self.pf_kind.val();
        }
        if self.v_limit.q.val() {
            self.chosen.next = bit_cast::<36, 24>(self.d_limit.q.val()) | self.limit_kind.val();
        }
        if self.v_reg.q.val() {
            self.chosen.next = bit_cast::<36, K>(self.d_reg.q.val()) | self.overdue_kind.val();
            if self.third.q.val() {
                self.chosen.next = bit_cast::<36, K>(self.d_reg.q.val()) | self.full_kind.val();
            }
        }
        self.any.next = self.v_reg.q.val() || self.v_pf.q.val() || self.v_reuse.q.val() || self.v_limit.q.val() || self.v_unknown.q.val();
        for n in 0..EVD {
            self.queue[n].clock.next = self.clock.val();
            self.full[n].clock.next = self.clock.val();
            self.queue[n].d.next = self.queue[n].q.val();
            self.full[n].d.next = self.full[n].q.val();
        }
        for m in 1..EVD {
            if self.free[m - 1].val() {
                self.queue[m - 1].d.next = self.queue[m].q.val();
                self.full[m - 1].d.next = self.full[m].q.val();
            }
        }
        for t in (EVD - 1)..EVD {
            if self.free[t].val() {
                self.queue[t].d.next = self.chosen.val();
                self.full[t].d.next = self.any.val();
            }
        }
        if self.room.val() {
            if self.v_reg.q.val() {
                self.v_reg.d.next = false;
            } else if self.v_limit.q.val() {
                self.v_limit.d.next = false;
            } else if self.v_pf.q.val() {
                self.v_pf.d.next = false;
            } else if self.v_reuse.q.val() {
                self.v_reuse.d.next = false;
            } else {
                self.v_unknown.d.next = false;
            }
        }
        // sources
        self.reg_ready.next = true;
        self.drop.next = false;
        self.page32.next = bit_cast::<PFW, PFP>(self.pf_page.val().get_bits::<PFP>(0));
        if self.reg_valid.val() {
            if self.v_reg.q.val() {
                self.drop.next = true;
            } else {
                self.v_reg.d.next = true;
                self.third.d.next = self.reg_kind.val().get_bit(0);
                self.d_reg.d.next = self.reg_info.val().get_bits::<K>(0);
            }
        }
        if self.pf_valid.val() {
            if self.v_pf.q.val() {
                self.drop.next = true;
            } else {
                self.v_pf.d.next = true;
                self.d_pf.d.next = (self.page32.val() << self.index_bits.val()) | bit_cast::<PFW, K>(self.pf_index.val());
            }
        }
        if self.reuse_valid.val() {
            if self.v_reuse.q.val() {
                self.drop.next = true;
            } else {
                self.v_reuse.d.next = true;
                self.d_reuse.d.next = self.reuse_info.val();
            }
        }
        if self.unknown_valid.val() {
            if self.v_unknown.q.val() {
                self.drop.next = true;
            } else {
                self.v_unknown.d.next = true;
                self.d_unknown.d.next = self.unknown_info.val();
            }
        }
        // without limits there is no such event
        if self.limits.val() && self.limit_valid.val() {
            if self.v_limit.q.val() {
                self.drop.next = true;
            } else {
                self.v_limit.d.next = true;
                self.d_limit.d.next = self.limit_info.val();
            }
        }
        self.dropped.next = self.drop.val();
        // counted a cycle later, as what drops may be known late
        self.fell.d.next = self.drop.val();
        if self.fell.q.val() && !self.lost.q.val().all() {
            self.lost.d.next = self.lost.q.val() + 1;
        }
        self.drops.next = self.lost.q.val();
        self.shown.next = self.queue[0].q.val();
        self.event_valid.next = self.full[0].q.val();
        self.event_kind.next = self.shown.val().get_bits::<4>(32);
        self.event_info.next = self.shown.val().get_bits::<32>(0);
        if self.reset.val() {
            for r in 0..EVD {
                self.full[r].d.next = false;
            }
            self.v_reg.d.next = false;
            self.v_pf.d.next = false;
            self.v_reuse.d.next = false;
            self.v_limit.d.next = false;
            self.v_unknown.d.next = false;
            self.lost.d.next = 0.into();
            self.fell.d.next = false;
        }
    }
}
