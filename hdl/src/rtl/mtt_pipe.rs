// SPDX-License-Identifier: MIT OR Apache-2.0
//! MTT walker's pipeline and its cache: stages m0 to m5. One page look-up of any port a cycle.
//!
//! ```text
//!   contexts (fair) ─┐
//!   fill ────────────┼► m0 ─► m1 ─► m2 ─► m3 way ─► m4 cut? ─► m5 decide ─► segment[p]
//!   sweeps ──────────┘   tag RAMs          data RAM                 └► context p: last / again / over / probed / missed
//! ```
//! Contract: lines are tagged by owner (index, epoch) and line number in the region, never by memory address, so a change of epoch makes all
//! of a region's lines unreachable. An op is judged at m5, in order: void (other round); no room at the port: again; its region is being
//! cut: cut segment, over; not cached: again, and the miss unit is told; absent page, or read-only page of a write: page fault, over;
//! else a segment (or nothing, in the probing pass of an on-demand access). Contiguous regions need no line.
//! Sweeps: after reset every set; on `sweep_valid` the lines of one index in every set, in idle slots and at least one slot in 18.
//! Latency: op in m0 to segment at the port's pins 6 cycles; interval 1.

use super::cut_match::CutMatch;
use super::fair::Fair;
use super::mtt_place::MttPlace;
use super::mtt_sweep::MttSweep;
use super::prelude::*;
use super::table::Table;
use super::tags::Tags;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct MttPipe {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// The reset sweep is over.
    pub ready: Signal<Out, Bit>,
    /// Look-ups of the contexts (valid inside).
    pub op: [Signal<In, PageOp>; NP],
    /// Taken.
    pub take: [Signal<Out, Bit>; NP],
    /// Rounds of the contexts.
    pub round: [Signal<In, Bit>; NP],
    /// Room in the port's segment FIFO.
    pub room: [Signal<In, Bit>; NP],
    /// A line is to be installed.
    pub fill_valid: Signal<In, Bit>,
    /// Its region.
    pub fill_index: Signal<In, Bits<K>>,
    /// Epoch.
    pub fill_epoch: Signal<In, Bits<EPW>>,
    /// Line number.
    pub fill_line: Signal<In, Bits<MLINEW>>,
    /// Entries; stable until `fill_done`.
    pub fill_data: Signal<In, Bits<MELINE>>,
    /// It has its slot.
    pub fill_take: Signal<Out, Bit>,
    /// It has left the pipe.
    pub fill_done: Signal<Out, Bit>,
    /// Regions being cut.
    pub cut_valid: Signal<In, Bits<NPARK>>,
    /// Their indices.
    pub cut_index: Signal<In, Bits<NPARK_K>>,
    /// Their epochs.
    pub cut_epoch: Signal<In, Bits<NPARK_EPW>>,
    /// Kill all lines of an index; held until `sweep_done`.
    pub sweep_valid: Signal<In, Bit>,
    /// Which.
    pub sweep_index: Signal<In, Bits<K>>,
    /// Every set has been swept.
    pub sweep_done: Signal<Out, Bit>,
    /// m5: the op.
    pub done: Signal<Out, PageOp>,
    /// m5: one bit a port: the request is over, well.
    pub last: [Signal<Out, Bit>; NP],
    /// m5: take it up again, or go on with the next: one of the three below.
    pub redo: [Signal<Out, Bit>; NP],
    /// m5: take it up from `done`.
    pub again: [Signal<Out, Bit>; NP],
    /// m5: over, cut or faulted.
    pub over: [Signal<Out, Bit>; NP],
    /// m5: all pages are there.
    pub probed: [Signal<Out, Bit>; NP],
    /// m5: its line is not cached.
    pub missed: [Signal<Out, Bit>; NP],
    /// m5: a segment for the port.
    pub push: [Signal<Out, Bit>; NP],
    /// It.
    pub segment: Signal<Out, Segment>,
    /// Counts: hit, miss, segment, cut, page fault.
    pub counts: Signal<Out, Bits<5>>,
    tags: Tags<MWAYS, MSETW, MTAGB, MTAGR, K>,
    data: Table<Bits<MELINE>, MLINEA>,
    op1: DFF<PageOp>,
    op2: DFF<PageOp>,
    op3: DFF<PageOp>,
    op4: DFF<PageOp>,
    op5: DFF<PageOp>,
    kind1: DFF<Bits<3>>,
    kind2: DFF<Bits<3>>,
    kind3: DFF<Bits<3>>,
    kind4: DFF<Bits<3>>,
    kind5: DFF<Bits<3>>,
    len2: DFF<Bits<32>>,
    len3: DFF<Bits<32>>,
    len4: DFF<Bits<32>>,
    len5: DFF<Bits<32>>,
    last2: DFF<Bit>,
    last3: DFF<Bit>,
    last4: DFF<Bit>,
    last5: DFF<Bit>,
    hit4: DFF<Bit>,
    mis5: DFF<Bit>,
    lookup5: DFF<Bit>,
    port5: DFF<Bits<NP>>,
    /// Which entry of the line.
    sel5: DFF<Bits<MEN>>,
    ports4: Signal<Local, Bits<NP>>,
    where4: DFF<Bits<MLINEA>>,
    line5: DFF<Bits<MELINE>>,
    cut5: DFF<Bit>,
    fair: Fair<NP>,
    asking: Signal<Local, Bits<NP>>,
    after_fill: DFF<Bit>,
    sweeper: MttSweep,
    place: MttPlace,
    cuts: CutMatch,
    #[default(constant(MSETW))]
    set_bits: Constant<Bits<5>>,
    #[default(constant(MEB))]
    line_bits: Constant<Bits<3>>,
    #[default(std::array::from_fn(|i| constant(i * BEAT)))]
    entry_at: [Constant<Bits<12>>; MEN],
    #[default(Constant::new(((1u64 << 12) - 1).to_bits()))]
    mask4k: Constant<Bits<32>>,
    #[default(constant((1 << 16) - 1))]
    mask64k: Constant<Bits<32>>,
    #[default(constant((1 << 21) - 1))]
    mask2m: Constant<Bits<32>>,
    #[default(constant((1 << 30) - 1))]
    mask1g: Constant<Bits<32>>,
    any: Signal<Local, Bit>,
    pick: Signal<Local, Bits<NP>>,
    o: Signal<Local, PageOp>,
    o1: Signal<Local, PageOp>,
    o5: Signal<Local, PageOp>,
    kind: Signal<Local, Bits<3>>,
    index: Signal<Local, Bits<K>>,
    epoch: Signal<Local, Bits<EPW>>,
    line: Signal<Local, Bits<MLINEW>>,
    pn: Signal<Local, Bits<PGW>>,
    pn_line: Signal<Local, Bits<PGW>>,
    set: Signal<Local, Bits<MSETW>>,
    set3: Signal<Local, Bits<MSETW>>,
    sweep_op: Signal<Local, Bit>,
    must: Signal<Local, Bit>,
    go: Signal<Local, Bit>,
    free: Signal<Local, Bit>,
    end_off: Signal<Local, Bits<32>>,
    sh: Signal<Local, Bits<32>>,
    is_last: Signal<Local, Bit>,
    flat: Signal<Local, Bit>,
    mask: Signal<Local, Bits<32>>,
    lim: Signal<Local, Bits<32>>,
    off32: Signal<Local, Bits<32>>,
    off30: Signal<Local, Bits<30>>,
    spot: Signal<Local, Bits<MLINEA>>,
    way3: Signal<Local, Bits<MWAYW>>,
    o4: Signal<Local, PageOp>,
    entry: Signal<Local, Bits<BEAT>>,
    sel: Signal<Local, Bits<PGW>>,
    frame: Signal<Local, Bits<FRW>>,
    pa64: Signal<Local, Bits<64>>,
    off64: Signal<Local, Bits<64>>,
    pn64: Signal<Local, Bits<64>>,
    one: Signal<Local, Bits<BEAT>>,
    sel4: Signal<Local, Bits<MEN>>,
    fault: Signal<Local, Bit>,
    stop: Signal<Local, Bit>,
    fine: Signal<Local, Bit>,
    shown: Signal<Local, Bit>,
    whole: Signal<Local, Bit>,
    bars: Signal<Local, Bit>,
    went: Signal<Local, Bit>,
    mine: Signal<Local, Bit>,
    does: Signal<Local, Bit>,
    seg: Signal<Local, Segment>,
    cnt: Signal<Local, Bits<5>>,
    done_mask: Signal<Local, Bits<PGW>>,
    isp: Signal<Local, Bit>,
    frame64: Signal<Local, Bits<64>>,
}

impl Logic for MttPipe {
    #[hdl_gen]
    fn update(&mut self) {
        self.tags.clock.next = self.clock.val();
        self.data.clock.next = self.clock.val();
        self.op1.clock.next = self.clock.val();
        self.op2.clock.next = self.clock.val();
        self.op3.clock.next = self.clock.val();
        self.op4.clock.next = self.clock.val();
        self.op5.clock.next = self.clock.val();
        self.kind1.clock.next = self.clock.val();
        self.kind2.clock.next = self.clock.val();
        self.kind3.clock.next = self.clock.val();
        self.kind4.clock.next = self.clock.val();
        self.kind5.clock.next = self.clock.val();
        self.len2.clock.next = self.clock.val();
        self.len3.clock.next = self.clock.val();
        self.len4.clock.next = self.clock.val();
        self.len5.clock.next = self.clock.val();
        self.last2.clock.next = self.clock.val();
        self.last3.clock.next = self.clock.val();
        self.last4.clock.next = self.clock.val();
        self.last5.clock.next = self.clock.val();
        self.hit4.clock.next = self.clock.val();
        self.mis5.clock.next = self.clock.val();
        self.lookup5.clock.next = self.clock.val();
        self.port5.clock.next = self.clock.val();
        self.sel5.clock.next = self.clock.val();
        self.where4.clock.next = self.clock.val();
        self.line5.clock.next = self.clock.val();
        self.cut5.clock.next = self.clock.val();
        self.fair.clock.next = self.clock.val();
        self.after_fill.clock.next = self.clock.val();
        self.sweeper.clock.next = self.clock.val();
        self.sweeper.reset.next = self.reset.val();
        self.sweeper.valid.next = self.sweep_valid.val();
        self.op1.d.next = self.op1.q.val();
        self.op2.d.next = self.op2.q.val();
        self.op3.d.next = self.op3.q.val();
        self.op4.d.next = self.op4.q.val();
        self.op5.d.next = self.op5.q.val();
        self.kind1.d.next = self.kind1.q.val();
        self.kind2.d.next = self.kind2.q.val();
        self.kind3.d.next = self.kind3.q.val();
        self.kind4.d.next = self.kind4.q.val();
        self.kind5.d.next = self.kind5.q.val();
        self.len2.d.next = self.len2.q.val();
        self.len3.d.next = self.len3.q.val();
        self.len4.d.next = self.len4.q.val();
        self.len5.d.next = self.len5.q.val();
        self.last2.d.next = self.last2.q.val();
        self.last3.d.next = self.last3.q.val();
        self.last4.d.next = self.last4.q.val();
        self.last5.d.next = self.last5.q.val();
        self.hit4.d.next = self.hit4.q.val();
        self.where4.d.next = self.where4.q.val();
        self.line5.d.next = self.line5.q.val();
        self.cut5.d.next = self.cut5.q.val();
        self.after_fill.d.next = self.after_fill.q.val();
        self.tags.reset.next = self.reset.val();
        self.tags.forward.next = true;
        // m0: which op; ports take turns
        self.asking.next = 0.into();
        for i in 0..NP {
            self.o1.next = self.op[i].val();
            self.asking.next = self.asking.val().replace_bit(i, self.o1.val().valid);
        }
        self.fair.ask.next = self.asking.val();
        self.fair.reset.next = self.reset.val();
        self.any.next = self.fair.any.val();
        self.pick.next = self.fair.pick.val();
        self.o.next = self.op[0].val();
        for n in 0..NP {
            if self.pick.val().get_bit(n) {
                self.o.next = self.op[n].val();
            }
        }
        self.must.next = self.sweeper.must.val();
        self.sweep_op.next = self.sweeper.wants.val();
        self.sweep_done.next = self.sweeper.done.val();
        self.ready.next = self.sweeper.ready.val();
        self.free.next = !(self.after_fill.q.val() | self.must.val() | self.fill_valid.val());
        self.kind.next = 0.into();
        self.fill_take.next = false;
        self.go.next = false;
        self.isp.next = false;
        if self.after_fill.q.val() {
            self.kind.next = 0.into();
        } else if self.must.val() {
            self.isp.next = true;
        } else if self.fill_valid.val() {
            self.fill_take.next = true;
            self.kind.next = 2.into();
        } else if self.any.val() {
            self.go.next = true;
            self.kind.next = 1.into();
        } else if self.sweep_op.val() {
            self.isp.next = true;
        }
        if self.isp.val() {
            self.kind.next = self.sweeper.kind.val();
        }
        self.sweeper.take.next = self.isp.val();
        for t in 0..NP {
            self.take[t].next = self.free.val() & self.pick.val().get_bit(t);
        }
        self.fair.go.next = self.go.val();
        self.after_fill.d.next = self.fill_take.val();
        // m0: tag and set
        self.index.next = self.o.val().index;
        self.epoch.next = self.o.val().epoch;
        self.pn.next = self.o.val().pn;
        self.pn_line.next = self.pn.val() >> self.line_bits.val();
        self.line.next = self.pn_line.val().get_bits::<MLINEW>(0);
        if self.fill_take.val() {
            self.index.next = self.fill_index.val();
            self.epoch.next = self.fill_epoch.val();
            self.line.next = self.fill_line.val();
        }
        if self.isp.val() {
            self.index.next = self.sweep_index.val();
        }
        self.place.index.next = self.index.val();
        self.place.epoch.next = self.epoch.val();
        self.place.line.next = self.line.val();
        self.set.next = self.place.row.val();
        if self.isp.val() {
            self.set.next = self.sweeper.row.val();
        }
        self.tags.kind.next = self.kind.val();
        self.tags.row.next = self.set.val();
        self.tags.tag.next = self.place.tag.val();
        self.kind1.d.next = self.kind.val();
        self.kind2.d.next = self.kind1.q.val();
        self.kind3.d.next = self.kind2.q.val();
        self.kind4.d.next = self.kind3.q.val();
        self.kind5.d.next = self.kind4.q.val();
        self.op1.d.next = self.o.val();
        self.op2.d.next = self.op1.q.val();
        self.op3.d.next = self.op2.q.val();
        self.op4.d.next = self.op3.q.val();
        self.op5.d.next = self.op4.q.val();
        // m1, m2: is it the request's last page, and how many bytes
        self.o1.next = self.op1.q.val();
        self.end_off.next = self.o1.val().end;
        self.off30.next = self.o1.val().off;
        self.off32.next = bit_cast::<32, 30>(self.off30.val());
        self.mask.next = self.mask4k.val();
        self.sh.next = self.end_off.val() >> 12;
        if self.o1.val().page == 1 {
            self.mask.next = self.mask64k.val();
            self.sh.next = self.end_off.val() >> 16;
        }
        if self.o1.val().page == 2 {
            self.mask.next = self.mask2m.val();
            self.sh.next = self.end_off.val() >> 21;
        }
        if self.o1.val().page == 3 {
            self.mask.next = self.mask1g.val();
            self.sh.next = self.end_off.val() >> 30;
        }
        self.is_last.next = !self.sh.val().any() | (self.o1.val().page == 4);
        self.lim.next = self.mask.val();
        if self.is_last.val() {
            self.lim.next = self.end_off.val();
        }
        self.len2.d.next = self.lim.val() - self.off32.val();
        self.last2.d.next = self.is_last.val();
        self.len3.d.next = self.len2.q.val() + 1;
        self.last3.d.next = self.last2.q.val();
        self.len4.d.next = self.len3.q.val();
        self.last4.d.next = self.last3.q.val();
        self.len5.d.next = self.len4.q.val();
        self.last5.d.next = self.last4.q.val();
        // m3: way, data RAM
        self.hit4.d.next = self.tags.hit.val();
        self.set3.next = self.tags.set_out.val();
        self.way3.next = self.tags.way.val().get_bits::<MWAYW>(0);
        self.spot.next = bit_cast::<MLINEA, MWAYW>(self.way3.val()) << self.set_bits.val();
        self.spot.next = self.spot.val() | bit_cast::<MLINEA, MSETW>(self.set3.val());
        self.where4.d.next = self.spot.val();
        self.data.read_address.next = self.spot.val();
        // m4: a fill's line goes in; is the region being cut?
        self.data.write_address.next = self.where4.q.val();
        self.data.write_data.next = self.fill_data.val();
        self.data.write_enable.next = self.kind4.q.val() == 2;
        self.o4.next = self.op4.q.val();
        self.mis5.d.next = !self.hit4.q.val() & (self.o4.val().page != 4);
        self.lookup5.d.next = self.kind4.q.val() == 1;
        self.ports4.next = 0.into();
        for h in 0..NP {
            self.ports4.next = self.ports4.val().replace_bit(h, self.o4.val().port == h.to_bits());
        }
        self.port5.d.next = self.ports4.val();
        self.done_mask.next = 0.into();
        for m in 0..MEN {
            self.done_mask.next = m.to_bits();
        }
        self.sel.next = self.o4.val().pn;
        self.sel.next = self.sel.val() & self.done_mask.val();
        self.sel4.next = 0.into();
        for s in 0..MEN {
            self.sel4.next = self.sel4.val().replace_bit(s, (self.sel.val() == s.to_bits()) & (self.o4.val().page != 4));
        }
        self.sel5.d.next = self.sel4.val();
        self.line5.d.next = self.data.read_data.val();
        self.cuts.cut_valid.next = self.cut_valid.val();
        self.cuts.cut_index.next = self.cut_index.val();
        self.cuts.cut_epoch.next = self.cut_epoch.val();
        self.cuts.index.next = self.o4.val().index;
        self.cuts.epoch.next = self.o4.val().epoch;
        self.cut5.d.next = self.cuts.cut.val();
        // m5: the entry
        self.o5.next = self.op5.q.val();
        // one bit an entry, none for a contiguous region, from m4 on
        self.entry.next = 0.into();
        self.fault.next = false;
        for e in 0..MEN {
            self.one.next = self.line5.q.val().get_bits::<BEAT>(self.entry_at[e].val().index());
            if self.sel5.q.val().get_bit(e) {
                self.entry.next = self.entry.val() | self.one.val();
            }
            self.fault.next = self.fault.val()
                | (self.sel5.q.val().get_bit(e) & (!self.one.val().get_bit(0) | (self.o5.val().write & !self.one.val().get_bit(1))));
        }
        self.frame.next = self.entry.val().get_bits::<FRW>(2);
        self.flat.next = self.o5.val().page == 4;
        self.off30.next = self.o5.val().off;
        self.off64.next = bit_cast::<64, 30>(self.off30.val());
        self.pn.next = self.o5.val().pn;
        self.pn64.next = bit_cast::<64, PGW>(self.pn.val());
        self.frame64.next = bit_cast::<64, FRW>(self.frame.val()) << 12;
        if self.flat.val() {
            self.frame64.next = self.pn64.val() << 30;
        }
        self.pa64.next = self.frame64.val() | self.off64.val();
        // m5: decide; what does not depend on the port comes late, what does is a register
        self.stop.next = self.cut5.q.val() | (!self.mis5.q.val() & self.fault.val());
        self.fine.next = !self.cut5.q.val() & !self.mis5.q.val() & !self.fault.val();
        self.shown.next = self.stop.val() | (self.fine.val() & !self.o5.val().probe);
        self.whole.next = self.fine.val() & self.o5.val().probe & self.last5.q.val();
        // `stop`, not cached, or `whole`
        self.bars.next = self.cut5.q.val() | self.mis5.q.val() | self.fault.val() | (self.o5.val().probe & self.last5.q.val());
        self.went.next = false;
        for r in 0..NP {
            self.mine.next = self.lookup5.q.val() & self.port5.q.val().get_bit(r) & (self.round[r].val() == self.o5.val().round);
            self.does.next = self.mine.val() & self.room[r].val();
            self.went.next = self.went.val() | self.does.val();
            self.last[r].next = self.does.val() & self.fine.val() & !self.o5.val().probe & self.last5.q.val();
            self.redo[r].next = self.mine.val() & (!self.room[r].val() | self.bars.val());
            self.again[r].next = self.mine.val() & (!self.room[r].val() | (!self.cut5.q.val() & self.mis5.q.val()));
            self.over[r].next = self.does.val() & self.stop.val();
            self.probed[r].next = self.does.val() & self.whole.val();
            self.missed[r].next = self.does.val() & !self.cut5.q.val() & self.mis5.q.val();
            self.push[r].next = self.does.val() & self.shown.val();
        }
        self.seg.next.tag = self.o5.val().tag;
        self.seg.next.pa = self.pa64.val().get_bits::<PAW>(0);
        self.seg.next.len = self.len5.q.val().get_bits::<LENW>(0);
        self.seg.next.last = self.last5.q.val();
        self.seg.next.status = 0.into();
        if self.stop.val() {
            self.seg.next.last = true;
            self.seg.next.len = 0.into();
            self.seg.next.pa = 0.into();
            self.seg.next.status = 2.into();
            if self.cut5.q.val() {
                self.seg.next.status = 1.into();
            }
        }
        self.segment.next = self.seg.val();
        self.cnt.next = 0.into();
        if self.went.val() {
            self.cnt.next = self.cnt.val().replace_bit(0, self.fine.val() & !self.o5.val().probe);
            self.cnt.next = self.cnt.val().replace_bit(1, !self.cut5.q.val() & self.mis5.q.val());
            self.cnt.next = self.cnt.val().replace_bit(2, self.fine.val() & !self.o5.val().probe);
            self.cnt.next = self.cnt.val().replace_bit(3, self.cut5.q.val());
            self.cnt.next = self.cnt.val().replace_bit(4, self.stop.val() & !self.cut5.q.val());
        }
        self.done.next = self.o5.val();
        self.counts.next = self.cnt.val();
        self.fill_done.next = self.kind5.q.val() == 2;
        if self.reset.val() {
            self.after_fill.d.next = false;
            self.kind1.d.next = 0.into();
            self.kind2.d.next = 0.into();
            self.kind3.d.next = 0.into();
            self.kind4.d.next = 0.into();
            self.kind5.d.next = 0.into();
            self.lookup5.d.next = false;
        }
    }
}
