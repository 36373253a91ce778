// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a walk does that found no MTT line: one fetch a port at most, merged over ports.
//!
//! ```text
//!   Run ─ missed ─► Need ─ chosen, compared ─┬─ same line under way elsewhere ─► Other ─ that one ended ─► Run (look again)
//!                                            └─ fetch taken ─► Wait ─ line installed ─► Run
//!   orphan (its region is being cut): the fetch's line is thrown away on arrival, the walk runs on into its cut
//! ```
//! States: Run walks. Need wants to fetch. Wait has a fetch under way. Other waits for another port's fetch of the same line.
//! Contract: `hold` keeps the port's context from issuing. No line of a region is installed after `orphan` named it: neither one that is
//! fetched, nor one that is about to be.
//! One port at a time is chosen (`turn`), its line held against those under way, and offered to the memory; so the compares are with one
//! line and not with each port's.
//! Latency: miss to fetch offered 4 cycles.

use super::fair::Fair;
use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct MttMiss {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// m5: this port missed.
    pub missed: [Signal<In, Bit>; NP],
    /// m5: the op.
    pub op: Signal<In, PageOp>,
    /// The port's context waits.
    pub hold: [Signal<Out, Bit>; NP],
    /// Fetch a line.
    pub fetch_valid: Signal<Out, Bit>,
    /// Taken.
    pub fetch_ready: Signal<In, Bit>,
    /// Port.
    pub fetch_port: Signal<Out, Bits<PORTW>>,
    /// First MTT word of the line.
    pub fetch_addr: Signal<Out, Bits<MAW>>,
    /// A word arrives.
    pub word_valid: Signal<In, Bit>,
    /// It can be taken.
    pub word_ready: Signal<Out, Bit>,
    /// For this port.
    pub word_port: Signal<In, Bits<PORTW>>,
    /// It.
    pub word_data: Signal<In, Bits<BEAT>>,
    /// Last of the line.
    pub word_last: Signal<In, Bit>,
    /// A line is to be installed.
    pub fill_valid: Signal<Out, Bit>,
    /// Region.
    pub fill_index: Signal<Out, Bits<K>>,
    /// Epoch.
    pub fill_epoch: Signal<Out, Bits<EPW>>,
    /// Line number.
    pub fill_line: Signal<Out, Bits<MLINEW>>,
    /// Entries.
    pub fill_data: Signal<Out, Bits<MELINE>>,
    /// It has its slot.
    pub fill_take: Signal<In, Bit>,
    /// It has left the pipe.
    pub fill_done: Signal<In, Bit>,
    /// This region's fetches are void.
    pub orphan_valid: Signal<In, Bit>,
    /// Index.
    pub orphan_index: Signal<In, Bits<K>>,
    /// Epoch.
    pub orphan_epoch: Signal<In, Bits<EPW>>,
    /// Count: a line was thrown away.
    pub dropped: Signal<Out, Bit>,
    state: [DFF<Bits<2>>; NP],
    index: [DFF<Bits<K>>; NP],
    epoch: [DFF<Bits<EPW>>; NP],
    line: [DFF<Bits<MLINEW>>; NP],
    addr: [DFF<Bits<MAW>>; NP],
    busy: [DFF<Bit>; NP],
    orphan: [DFF<Bit>; NP],
    f_index: [DFF<Bits<K>>; NP],
    f_epoch: [DFF<Bits<EPW>>; NP],
    f_line: [DFF<Bits<MLINEW>>; NP],
    other: [DFF<Bits<NP>>; NP],
    phase: DFF<TurnPhase>,
    turn: DFF<Bits<NP>>,
    turn_port: DFF<Bits<PORTW>>,
    t_index: DFF<Bits<K>>,
    t_epoch: DFF<Bits<EPW>>,
    t_line: DFF<Bits<MLINEW>>,
    t_addr: DFF<Bits<MAW>>,
    alike: DFF<Bits<NP>>,
    void_t: DFF<Bit>,
    held_line: DFF<Bits<MELINE>>,
    full: DFF<Bit>,
    sent: DFF<Bit>,
    wants: DFF<Bit>,
    buf_port: DFF<Bits<NP>>,
    fair: Fair<NP>,
    #[default(constant(BEAT))]
    beat: Constant<Bits<12>>,
    #[default(constant(MELINE - BEAT))]
    top: Constant<Bits<12>>,
    #[default(constant(MEB))]
    line_bits: Constant<Bits<3>>,
    pn: Signal<Local, Bits<PGW>>,
    pn_line: Signal<Local, Bits<PGW>>,
    pn_first: Signal<Local, Bits<PGW>>,
    pn_wide: Signal<Local, Bits<64>>,
    pn_addr: Signal<Local, Bits<MAW>>,
    asking: Signal<Local, Bits<NP>>,
    pick: Signal<Local, Bits<NP>>,
    pick_port: Signal<Local, Bits<PORTW>>,
    pick_index: Signal<Local, Bits<K>>,
    pick_epoch: Signal<Local, Bits<EPW>>,
    pick_line: Signal<Local, Bits<MLINEW>>,
    pick_addr: Signal<Local, Bits<MAW>>,
    needs: Signal<Local, Bits<NP>>,
    flying: Signal<Local, Bits<NP>>,
    named: Signal<Local, Bit>,
    needed: Signal<Local, Bit>,
    same: Signal<Local, Bits<NP>>,
    shared: Signal<Local, Bits<NP>>,
    named_t: Signal<Local, Bit>,
    joined: Signal<Local, Bits<NP>>,
    fetched: Signal<Local, Bits<NP>>,
    from: Signal<Local, Bits<NP>>,
    cut_now: Signal<Local, Bit>,
    still: Signal<Local, Bits<NP>>,
    joins: Signal<Local, Bit>,
    incoming: Signal<Local, Bits<MELINE>>,
    is_orphan: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
}

/// What is done with the port whose turn it is.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum TurnPhase {
    /// It is chosen.
    Pick,
    /// Its line is compared with those under way.
    Compare,
    /// It joins one of them, or fetches.
    Decide,
    /// Its fetch is offered.
    Offer,
}

impl Logic for MttMiss {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, phase, turn, turn_port, t_index, t_epoch, t_line, t_addr, alike, void_t, held_line, full, sent, wants, buf_port
        );
        for ck0 in 0..NP {
            self.state[ck0].clock.next = self.clock.val();
            self.index[ck0].clock.next = self.clock.val();
            self.epoch[ck0].clock.next = self.clock.val();
            self.line[ck0].clock.next = self.clock.val();
            self.addr[ck0].clock.next = self.clock.val();
            self.busy[ck0].clock.next = self.clock.val();
            self.orphan[ck0].clock.next = self.clock.val();
            self.f_index[ck0].clock.next = self.clock.val();
            self.f_epoch[ck0].clock.next = self.clock.val();
            self.f_line[ck0].clock.next = self.clock.val();
            self.other[ck0].clock.next = self.clock.val();
            self.state[ck0].d.next = self.state[ck0].q.val();
            self.index[ck0].d.next = self.index[ck0].q.val();
            self.epoch[ck0].d.next = self.epoch[ck0].q.val();
            self.line[ck0].d.next = self.line[ck0].q.val();
            self.addr[ck0].d.next = self.addr[ck0].q.val();
            self.busy[ck0].d.next = self.busy[ck0].q.val();
            self.orphan[ck0].d.next = self.orphan[ck0].q.val();
            self.f_index[ck0].d.next = self.f_index[ck0].q.val();
            self.f_epoch[ck0].d.next = self.f_epoch[ck0].q.val();
            self.f_line[ck0].d.next = self.f_line[ck0].q.val();
            self.other[ck0].d.next = self.other[ck0].q.val();
        }
        // a miss: remember the line
        self.pn.next = self.op.val().pn;
        self.pn_line.next = self.pn.val() >> self.line_bits.val();
        self.pn_first.next = self.pn_line.val() << self.line_bits.val();
        self.pn_wide.next = bit_cast::<64, PGW>(self.pn_first.val());
        self.pn_addr.next = self.pn_wide.val().get_bits::<MAW>(0);
        for i in 0..NP {
            // while it runs, each look-up is remembered: whether it was a miss is known late
            if !self.state[i].q.val().any() {
                self.index[i].d.next = self.op.val().index;
                self.epoch[i].d.next = self.op.val().epoch;
                self.line[i].d.next = self.pn_line.val().get_bits::<MLINEW>(0);
                self.addr[i].d.next = self.op.val().base + self.pn_addr.val();
            }
            if self.missed[i].val() {
                self.state[i].d.next = 1.into();
            }
        }
        // whose turn: who needs a line and has no fetch under way
        self.needs.next = 0.into();
        self.flying.next = 0.into();
        self.asking.next = 0.into();
        for a in 0..NP {
            self.needs.next = self.needs.val().replace_bit(a, self.state[a].q.val() == 1);
            self.flying.next = self.flying.val().replace_bit(a, self.busy[a].q.val() & !self.orphan[a].q.val());
            self.asking.next = self.asking.val().replace_bit(a, (self.state[a].q.val() == 1) & !self.busy[a].q.val());
        }
        self.fair.clock.next = self.clock.val();
        self.fair.reset.next = self.reset.val();
        self.fair.ask.next = self.asking.val();
        self.fair.go.next = (self.phase.q.val() == TurnPhase::Pick) & self.fair.any.val();
        self.pick.next = self.fair.pick.val();
        self.pick_port.next = 0.into();
        self.pick_index.next = 0.into();
        self.pick_epoch.next = 0.into();
        self.pick_line.next = 0.into();
        self.pick_addr.next = 0.into();
        for p in 0..NP {
            if self.turn.q.val().get_bit(p) {
                self.pick_port.next = self.pick_port.val() | p.to_bits();
                self.pick_index.next = self.pick_index.val() | self.index[p].q.val();
                self.pick_epoch.next = self.pick_epoch.val() | self.epoch[p].q.val();
                self.pick_line.next = self.pick_line.val() | self.line[p].q.val();
                self.pick_addr.next = self.pick_addr.val() | self.addr[p].q.val();
            }
        }
        // its line is fetched already?
        self.same.next = 0.into();
        for q in 0..NP {
            self.named.next = (self.f_index[q].q.val() == self.pick_index.val())
                & (self.f_epoch[q].q.val() == self.pick_epoch.val())
                & (self.f_line[q].q.val() == self.pick_line.val());
            self.same.next = self.same.val().replace_bit(q, self.named.val());
        }
        self.alike.d.next = self.same.val();
        self.still.next = self.turn.q.val() & self.needs.val();
        self.needed.next = self.still.val().any();
        self.shared.next = self.alike.q.val() & self.flying.val();
        self.joins.next = self.shared.val().any();
        self.named_t.next =
            self.orphan_valid.val() & (self.orphan_index.val() == self.t_index.q.val()) & (self.orphan_epoch.val() == self.t_epoch.q.val());
        self.void_t.d.next = self.void_t.q.val() | self.named_t.val();
        self.fetch_valid.next = false;
        self.joined.next = 0.into();
        self.fetched.next = 0.into();
        match self.phase.q.val() {
            TurnPhase::Pick => {
                self.turn.d.next = self.pick.val();
                if self.fair.any.val() {
                    self.phase.d.next = TurnPhase::Compare;
                }
            }
            TurnPhase::Compare => {
                self.turn_port.d.next = self.pick_port.val();
                self.t_index.d.next = self.pick_index.val();
                self.t_epoch.d.next = self.pick_epoch.val();
                self.t_line.d.next = self.pick_line.val();
                self.t_addr.d.next = self.pick_addr.val();
                self.void_t.d.next = false;
                self.phase.d.next = TurnPhase::Decide;
            }
            TurnPhase::Decide => {
                // an orphan meanwhile: it needs nothing any more
                self.phase.d.next = TurnPhase::Pick;
                if self.needed.val() {
                    if self.joins.val() {
                        self.joined.next = self.turn.q.val();
                    } else {
                        self.phase.d.next = TurnPhase::Offer;
                    }
                }
            }
            TurnPhase::Offer => {
                self.fetch_valid.next = true;
                if self.fetch_ready.val() {
                    self.fetched.next = self.turn.q.val();
                    self.phase.d.next = TurnPhase::Pick;
                }
            }
        }
        self.fetch_port.next = self.turn_port.q.val();
        self.fetch_addr.next = self.t_addr.q.val();
        for f in 0..NP {
            if self.joined.val().get_bit(f) {
                self.state[f].d.next = 3.into();
                self.other[f].d.next = self.shared.val();
            }
            self.still.next = self.other[f].q.val() & self.flying.val();
            if (self.state[f].q.val() == 3) & !self.still.val().any() {
                self.state[f].d.next = 0.into();
            }
            if self.fetched.val().get_bit(f) {
                self.busy[f].d.next = true;
                self.f_index[f].d.next = self.t_index.q.val();
                self.f_epoch[f].d.next = self.t_epoch.q.val();
                self.f_line[f].d.next = self.t_line.q.val();
                if !self.void_t.q.val() {
                    self.state[f].d.next = 2.into();
                }
            }
        }
        // a line arrives
        self.word_ready.next = !self.full.q.val();
        self.incoming.next = bit_cast::<MELINE, BEAT>(self.word_data.val()) << self.top.val();
        self.from.next = 0.into();
        for w in 0..NP {
            self.from.next = self.from.val().replace_bit(w, self.word_port.val() == w.to_bits());
        }
        if self.word_valid.val() & !self.full.q.val() {
            self.held_line.d.next = (self.held_line.q.val() >> self.beat.val()) | self.incoming.val();
            self.full.d.next = self.word_last.val();
            self.buf_port.d.next = self.from.val();
        }
        // its region was cut meanwhile: away with it; else it takes a slot
        self.is_orphan.next = false;
        self.cut_now.next = false;
        self.fill_index.next = 0.into();
        self.fill_epoch.next = 0.into();
        self.fill_line.next = 0.into();
        for b in 0..NP {
            if self.buf_port.q.val().get_bit(b) {
                self.is_orphan.next = self.is_orphan.val() | self.orphan[b].q.val();
                self.fill_index.next = self.fill_index.val() | self.f_index[b].q.val();
                self.fill_epoch.next = self.fill_epoch.val() | self.f_epoch[b].q.val();
                self.fill_line.next = self.fill_line.val() | self.f_line[b].q.val();
            }
        }
        self.fill_data.next = self.held_line.q.val();
        self.fill_valid.next = self.wants.q.val();
        self.is_orphan.next = self.is_orphan.val() & self.full.q.val() & !self.sent.q.val();
        self.dropped.next = self.is_orphan.val();
        if self.fill_take.val() {
            self.sent.d.next = true;
        }
        self.ends.next = self.is_orphan.val() | self.fill_done.val();
        if self.ends.val() {
            self.full.d.next = false;
            self.sent.d.next = false;
            for e in 0..NP {
                if self.buf_port.q.val().get_bit(e) {
                    self.busy[e].d.next = false;
                    self.orphan[e].d.next = false;
                    if self.state[e].q.val() == 2 {
                        self.state[e].d.next = 0.into();
                    }
                }
            }
        }
        // a region is cut: what it fetches is void, who waits for it runs on
        for g in 0..NP {
            self.named.next = self.orphan_valid.val() & (self.orphan_index.val() == self.index[g].q.val()) & (self.orphan_epoch.val() == self.epoch[g].q.val());
            if self.named.val() & self.state[g].q.val().any() {
                self.state[g].d.next = 0.into();
            }
            self.named.next = self.orphan_valid.val() & (self.orphan_index.val() == self.f_index[g].q.val()) & (self.orphan_epoch.val() == self.f_epoch[g].q.val());
            if self.named.val() & self.busy[g].q.val() {
                self.orphan[g].d.next = true;
                if self.buf_port.q.val().get_bit(g) {
                    self.cut_now.next = true;
                }
            }
            if self.fetched.val().get_bit(g) {
                self.orphan[g].d.next = self.void_t.q.val() | self.named_t.val();
            }
            self.hold[g].next = self.state[g].q.val().any();
        }
        self.wants.d.next = self.full.q.val() & !self.sent.q.val() & !self.fill_take.val() & !self.is_orphan.val() & !self.cut_now.val();
        if self.reset.val() {
            self.full.d.next = false;
            self.sent.d.next = false;
            self.wants.d.next = false;
            self.phase.d.next = TurnPhase::Pick;
            for r in 0..NP {
                self.state[r].d.next = 0.into();
                self.busy[r].d.next = false;
                self.orphan[r].d.next = false;
            }
        }
    }
}
