// SPDX-License-Identifier: MIT OR Apache-2.0
//! The walker of a configuration with several lookup ports: a context a port, one pipeline with the MTT cache, one miss unit.
//!
//! ```text
//!  grant[p] ─► WalkCtx[p] ─► MttPipe ─► OutFifo[p] ─► segment[p]
//!                 ▲ word        │ miss
//!              slot RAM         └─► MttMiss ─► fetch, words
//! ```
//! Contract: granted requests of a port are walked in the order of their grants; ports share the pipeline segment by segment. Every granted
//! request ends with one segment `last`. Its word lies in the slot RAM under its slot until its walk is over. Contexts take turns at
//! the slot RAM's read port. With one port `walker_one.rs` keeps the same contract in fewer cells.
//! Latency: grant to segment at the pins 6 cycles; interval 1.

use super::fair::Fair;
use super::mtt_miss::MttMiss;
use super::mtt_pipe::MttPipe;
use super::out_fifo::OutFifo;
use super::prelude::*;
use super::walk_ctx::WalkCtx;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct WalkerMany {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// The sweep after reset is over.
    pub ready: Signal<Out, Bit>,
    /// s7: a request was granted and is to be walked.
    pub grant: [Signal<In, Bit>; NP],
    /// It.
    pub desc: Signal<In, Desc>,
    /// Its slot.
    pub grant_slot: Signal<In, Bits<SLOTW>>,
    /// Where its word goes in the slot RAM.
    pub put_slot: Signal<Out, Bits<SLOTRW>>,
    /// A word of the slot RAM is wanted.
    pub read_valid: Signal<Out, Bit>,
    /// Which.
    pub read_slot: Signal<Out, Bits<SLOTRW>>,
    /// One port: a waiter's word is read instead; not looked at here.
    pub other_valid: Signal<In, Bit>,
    /// See `other_valid`.
    pub other_slot: Signal<In, Bits<SLOTW>>,
    /// Granted; the word is there next cycle.
    pub read_take: Signal<In, Bit>,
    /// It.
    pub read_word: Signal<In, SlotWord>,
    /// Regions being cut.
    pub cut_valid: Signal<In, Bits<NPARK>>,
    /// Their indices.
    pub cut_index: Signal<In, Bits<NPARK_K>>,
    /// Their epochs.
    pub cut_epoch: Signal<In, Bits<NPARK_EPW>>,
    /// A region's fetches are void.
    pub orphan_valid: Signal<In, Bit>,
    /// Index.
    pub orphan_index: Signal<In, Bits<K>>,
    /// Epoch.
    pub orphan_epoch: Signal<In, Bits<EPW>>,
    /// Kill all lines of an index; held until `sweep_done`.
    pub sweep_valid: Signal<In, Bit>,
    /// Which.
    pub sweep_index: Signal<In, Bits<K>>,
    /// Every set has been swept.
    pub sweep_done: Signal<Out, Bit>,
    /// Fetch a line.
    pub fetch_valid: Signal<Out, Bit>,
    /// Taken.
    pub fetch_ready: Signal<In, Bit>,
    /// Port.
    pub fetch_port: Signal<Out, Bits<PORTW>>,
    /// First MTT word of the line.
    pub fetch_addr: Signal<Out, Bits<MAW>>,
    /// The line arrives.
    pub word_valid: Signal<In, Bit>,
    /// It is no longer needed.
    pub word_ready: Signal<Out, Bit>,
    /// For this port.
    pub word_port: Signal<In, Bits<PORTW>>,
    /// It.
    pub word_data: Signal<In, Bits<BEAT>>,
    /// Last word of the line.
    pub word_last: Signal<In, Bit>,
    /// Count: a line was thrown away.
    pub dropped: Signal<Out, Bit>,
    /// A page is absent (event).
    pub fault_valid: Signal<Out, Bit>,
    /// Its region.
    pub fault_index: Signal<Out, Bits<K>>,
    /// Its number in the region.
    pub fault_page: Signal<Out, Bits<PNW>>,
    /// Counts: hit, miss, segment, cut, page fault.
    pub counts: Signal<Out, Bits<5>>,
    /// A segment is at the pins.
    pub segment_valid: [Signal<Out, Bit>; NP],
    /// It.
    pub segment: [Signal<Out, Segment>; NP],
    /// The consumer takes it.
    pub segment_ready: [Signal<In, Bit>; NP],
    walk: [WalkCtx; NP],
    mtt: MttPipe,
    miss: MttMiss,
    out: [OutFifo<Segment, SEGDW, SEGCW>; NP],
    readers: Fair<NP>,
    asking: Signal<Local, Bits<NP>>,
    tag: Signal<Local, Bits<TAGW>>,
    slot: Signal<Local, Bits<SLOTW>>,
    port_slot: Signal<Local, Bits<SLOTW>>,
    count: Signal<Local, Bits<SEGCW>>,
    op: Signal<Local, PageOp>,
    pn: Signal<Local, Bits<PGW>>,
    cnt: Signal<Local, Bits<5>>,
    #[default(constant(TAGW))]
    tag_bits: Constant<Bits<5>>,
}

impl Logic for WalkerMany {
    #[hdl_gen]
    fn update(&mut self) {
        self.mtt.clock.next = self.clock.val();
        self.mtt.reset.next = self.reset.val();
        self.miss.clock.next = self.clock.val();
        self.miss.reset.next = self.reset.val();
        self.readers.clock.next = self.clock.val();
        self.readers.reset.next = self.reset.val();
        self.ready.next = self.mtt.ready.val();
        self.put_slot.next = bit_cast::<SLOTRW, SLOTW>(self.grant_slot.val());
        // slot RAM
        self.asking.next = 0.into();
        for ra in 0..NP {
            self.asking.next = self.asking.val().replace_bit(ra, self.walk[ra].read_valid.val());
        }
        self.readers.ask.next = self.asking.val();
        self.readers.go.next = self.read_take.val() & self.readers.any.val();
        self.read_valid.next = self.readers.any.val();
        self.slot.next = 0.into();
        for rb in 0..NP {
            self.walk[rb].read_take.next = self.readers.pick.val().get_bit(rb) & self.read_take.val();
            self.walk[rb].read_word.next = self.read_word.val();
            self.tag.next = self.walk[rb].read_tag.val();
            self.port_slot.next = rb.to_bits();
            self.port_slot.next = self.port_slot.val() << self.tag_bits.val();
            self.port_slot.next = self.port_slot.val() | bit_cast::<SLOTW, TAGW>(self.tag.val());
            if self.readers.pick.val().get_bit(rb) {
                self.slot.next = self.port_slot.val();
            }
        }
        self.read_slot.next = bit_cast::<SLOTRW, SLOTW>(self.slot.val());
        // contexts, pipeline, output
        self.miss.op.next = self.mtt.done.val();
        for i in 0..NP {
            self.walk[i].clock.next = self.clock.val();
            self.walk[i].reset.next = self.reset.val();
            self.walk[i].number.next = i.to_bits();
            self.walk[i].grant.next = self.grant[i].val();
            self.walk[i].desc.next = self.desc.val();
            self.count.next = self.out[i].count.val();
            self.walk[i].hold.next = self.miss.hold[i].val() | self.out[i].crowd.val();
            self.walk[i].take.next = self.mtt.take[i].val();
            self.walk[i].last.next = self.mtt.last[i].val();
            self.walk[i].again.next = self.mtt.again[i].val();
            self.walk[i].redo.next = self.mtt.redo[i].val();
            self.walk[i].over.next = self.mtt.over[i].val();
            self.walk[i].probed.next = self.mtt.probed[i].val();
            self.walk[i].from.next = self.mtt.done.val();
            self.mtt.op[i].next = self.walk[i].op.val();
            self.mtt.round[i].next = self.walk[i].round.val();
            for top in 0..SEGCW {
                self.mtt.room[i].next = !self.count.val().get_bit(top);
            }
            self.miss.missed[i].next = self.mtt.missed[i].val();
            self.out[i].clock.next = self.clock.val();
            self.out[i].reset.next = self.reset.val();
            self.out[i].push.next = self.mtt.push[i].val();
            self.out[i].data_in.next = self.mtt.segment.val();
            self.out[i].pop.next = self.segment_ready[i].val();
            self.segment_valid[i].next = self.out[i].valid.val();
            self.segment[i].next = self.out[i].data.val();
        }
        self.mtt.cut_valid.next = self.cut_valid.val();
        self.mtt.cut_index.next = self.cut_index.val();
        self.mtt.cut_epoch.next = self.cut_epoch.val();
        self.mtt.sweep_valid.next = self.sweep_valid.val();
        self.mtt.sweep_index.next = self.sweep_index.val();
        self.sweep_done.next = self.mtt.sweep_done.val();
        // misses
        self.mtt.fill_valid.next = self.miss.fill_valid.val();
        self.mtt.fill_index.next = self.miss.fill_index.val();
        self.mtt.fill_epoch.next = self.miss.fill_epoch.val();
        self.mtt.fill_line.next = self.miss.fill_line.val();
        self.mtt.fill_data.next = self.miss.fill_data.val();
        self.miss.fill_take.next = self.mtt.fill_take.val();
        self.miss.fill_done.next = self.mtt.fill_done.val();
        self.miss.orphan_valid.next = self.orphan_valid.val();
        self.miss.orphan_index.next = self.orphan_index.val();
        self.miss.orphan_epoch.next = self.orphan_epoch.val();
        self.fetch_valid.next = self.miss.fetch_valid.val();
        self.miss.fetch_ready.next = self.fetch_ready.val();
        self.fetch_port.next = self.miss.fetch_port.val();
        self.fetch_addr.next = self.miss.fetch_addr.val();
        self.miss.word_valid.next = self.word_valid.val();
        self.word_ready.next = self.miss.word_ready.val();
        self.miss.word_port.next = self.word_port.val();
        self.miss.word_data.next = self.word_data.val();
        self.miss.word_last.next = self.word_last.val();
        self.dropped.next = self.miss.dropped.val();
        self.op.next = self.mtt.done.val();
        self.cnt.next = self.mtt.counts.val();
        self.counts.next = self.cnt.val();
        self.fault_valid.next = self.cnt.val().get_bit(4);
        self.fault_index.next = self.op.val().index;
        self.pn.next = self.op.val().pn;
        self.fault_page.next = self.pn.val().get_bits::<PNW>(0);
    }
}
