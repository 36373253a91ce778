// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a walk does that found no MTT line: one fetch a port at most, merged over ports.
//!
//! ```text
//!   Run ─ missed ─► Need ─ same line under way elsewhere ─► Other ─ that one ended ─► Run (look again)
//!                     └─ fetch taken ─► Wait ─ line installed ─► Run
//!   orphan (its region is being cut): the fetch's line is thrown away on arrival, the walk runs on into its cut
//! ```
//! States: Run walks. Need wants to fetch. Wait has a fetch under way. Other waits for another port's fetch of the same line.
//! Contract: `hold` keeps the port's context from issuing. No line of a region is installed after `orphan` named it.
//! Latency: miss to fetch offered 1 cycle.

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
    held_line: DFF<Bits<MELINE>>,
    full: DFF<Bit>,
    sent: DFF<Bit>,
    buf_port: DFF<Bits<PORTW>>,
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
    same: Signal<Local, Bit>,
    ready_to: Signal<Local, Bit>,
    want: Signal<Local, Bit>,
    want_port: Signal<Local, Bits<PORTW>>,
    want_addr: Signal<Local, Bits<MAW>>,
    gone: Signal<Local, Bit>,
    incoming: Signal<Local, Bits<MELINE>>,
    is_orphan: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
}

impl Logic for MttMiss {
    #[hdl_gen]
    fn update(&mut self) {
        self.held_line.clock.next = self.clock.val();
        self.full.clock.next = self.clock.val();
        self.sent.clock.next = self.clock.val();
        self.buf_port.clock.next = self.clock.val();
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
        }
        self.held_line.d.next = self.held_line.q.val();
        self.full.d.next = self.full.q.val();
        self.sent.d.next = self.sent.q.val();
        self.buf_port.d.next = self.buf_port.q.val();
        for hd100 in 0..NP {
            self.state[hd100].d.next = self.state[hd100].q.val();
            self.index[hd100].d.next = self.index[hd100].q.val();
            self.epoch[hd100].d.next = self.epoch[hd100].q.val();
            self.line[hd100].d.next = self.line[hd100].q.val();
            self.addr[hd100].d.next = self.addr[hd100].q.val();
            self.busy[hd100].d.next = self.busy[hd100].q.val();
            self.orphan[hd100].d.next = self.orphan[hd100].q.val();
            self.f_index[hd100].d.next = self.f_index[hd100].q.val();
            self.f_epoch[hd100].d.next = self.f_epoch[hd100].q.val();
            self.f_line[hd100].d.next = self.f_line[hd100].q.val();
        }
        // a miss: remember the line
        self.pn.next = self.op.val().pn;
        self.pn_line.next = self.pn.val() >> self.line_bits.val();
        self.pn_first.next = self.pn_line.val() << self.line_bits.val();
        self.pn_wide.next = bit_cast::<64, PGW>(self.pn_first.val());
        self.pn_addr.next = self.pn_wide.val().get_bits::<MAW>(0);
        for i in 0..NP {
            if self.missed[i].val() {
                self.state[i].d.next = 1.into();
                self.index[i].d.next = self.op.val().index;
                self.epoch[i].d.next = self.op.val().epoch;
                self.line[i].d.next = self.pn_line.val().get_bits::<MLINEW>(0);
                self.addr[i].d.next = self.op.val().base + self.pn_addr.val();
            }
        }
        // who may fetch; who waits for another
        self.want.next = false;
        self.want_port.next = 0.into();
        self.want_addr.next = 0.into();
        for p in 0..NP {
            self.same.next = false;
            for q in 0..NP {
                if self.busy[q].q.val()
                    & !self.orphan[q].q.val()
                    & (self.f_index[q].q.val() == self.index[p].q.val())
                    & (self.f_epoch[q].q.val() == self.epoch[p].q.val())
                    & (self.f_line[q].q.val() == self.line[p].q.val())
                {
                    self.same.next = true;
                }
            }
            self.ready_to.next = (self.state[p].q.val() == 1) & !self.busy[p].q.val();
            if (self.state[p].q.val() == 1) & self.same.val() {
                self.state[p].d.next = 3.into();
            } else if self.ready_to.val() {
                self.want.next = true;
                self.want_port.next = p.to_bits();
                self.want_addr.next = self.addr[p].q.val();
            }
            if (self.state[p].q.val() == 3) & !self.same.val() {
                self.state[p].d.next = 0.into();
            }
        }
        self.fetch_valid.next = self.want.val();
        self.fetch_port.next = self.want_port.val();
        self.fetch_addr.next = self.want_addr.val();
        for f in 0..NP {
            if self.want.val() & self.fetch_ready.val() & (self.want_port.val() == f.to_bits()) {
                self.busy[f].d.next = true;
                self.orphan[f].d.next = false;
                self.f_index[f].d.next = self.index[f].q.val();
                self.f_epoch[f].d.next = self.epoch[f].q.val();
                self.f_line[f].d.next = self.line[f].q.val();
                self.state[f].d.next = 2.into();
            }
        }
        // a line arrives
        self.word_ready.next = !self.full.q.val();
        self.incoming.next = bit_cast::<MELINE, BEAT>(self.word_data.val()) << self.top.val();
        if self.word_valid.val() & !self.full.q.val() {
            self.held_line.d.next = (self.held_line.q.val() >> self.beat.val()) | self.incoming.val();
            self.full.d.next = self.word_last.val();
            self.buf_port.d.next = self.word_port.val();
        }
        // its region was cut meanwhile: away with it; else it takes a slot
        self.is_orphan.next = false;
        self.fill_index.next = 0.into();
        self.fill_epoch.next = 0.into();
        self.fill_line.next = 0.into();
        for b in 0..NP {
            if self.buf_port.q.val() == b.to_bits() {
                self.is_orphan.next = self.orphan[b].q.val();
                self.fill_index.next = self.f_index[b].q.val();
                self.fill_epoch.next = self.f_epoch[b].q.val();
                self.fill_line.next = self.f_line[b].q.val();
            }
        }
        self.fill_data.next = self.held_line.q.val();
        self.fill_valid.next = self.full.q.val() & !self.sent.q.val() & !self.is_orphan.val();
        self.dropped.next = self.full.q.val() & !self.sent.q.val() & self.is_orphan.val();
        if self.fill_take.val() {
            self.sent.d.next = true;
        }
        self.ends.next = (self.full.q.val() & !self.sent.q.val() & self.is_orphan.val()) | self.fill_done.val();
        if self.ends.val() {
            self.full.d.next = false;
            self.sent.d.next = false;
            for e in 0..NP {
                if self.buf_port.q.val() == e.to_bits() {
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
            self.gone.next = self.orphan_valid.val() & (self.orphan_index.val() == self.index[g].q.val()) & (self.orphan_epoch.val() == self.epoch[g].q.val());
            if self.gone.val() & self.state[g].q.val().any() {
                self.state[g].d.next = 0.into();
            }
            // a fetch taken in this very cycle is void too: its line could come after the epoch has come round
            if self.gone.val() & self.want.val() & self.fetch_ready.val() & (self.want_port.val() == g.to_bits()) {
                self.orphan[g].d.next = true;
            }
            self.gone.next = self.orphan_valid.val() & (self.orphan_index.val() == self.f_index[g].q.val()) & (self.orphan_epoch.val() == self.f_epoch[g].q.val());
            if self.gone.val() & self.busy[g].q.val() {
                self.orphan[g].d.next = true;
            }
            self.hold[g].next = self.state[g].q.val().any();
        }
        if self.reset.val() {
            self.full.d.next = false;
            self.sent.d.next = false;
            for r in 0..NP {
                self.state[r].d.next = 0.into();
                self.busy[r].d.next = false;
                self.orphan[r].d.next = false;
            }
        }
    }
}
