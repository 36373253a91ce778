// SPDX-License-Identifier: MIT OR Apache-2.0
//! Walk context of one port: cuts granted requests into page look-ups, in order, and takes them up again where one failed.
//!
//! ```text
//!   grant(s7) ─┬────────────────────► cur ─► op (m0) ─► MTT pipe ─► m5 result ─┐
//!              ├─► nxt ─────────────►  ▲                                        │
//!              └─► tag FIFO ─► slot RAM┘◄── restart from the failed op ◄────────┘
//! ```
//! Contract: requests are walked in the order of their grants. Ops are issued on the assumption that they hit; the result of
//! m5 either confirms (nothing to do, or `last`: the request is over), or restarts: `again` (miss, or no room at the port) from that
//! op, `over` (cut, page fault) from the next request, `probed` (every page of an on-demand access is there) from the same
//! request's first page, now for real. A restart changes `round`, which voids the ops behind the failed one.
//! Everything a restart needs is in the op or still in the slot RAM, since a tag is not used again before its `dma_done`.
//! Latency: a grant into an idle context is an op in the next cycle ; one op a cycle.

use super::lut_table::LutTable;
use super::page_cut::PageCut;
use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct WalkCtx {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// Port number.
    pub number: Signal<In, Bits<PORTW>>,
    /// s7: a request of this port was granted and is to be walked.
    pub grant: Signal<In, Bit>,
    /// It (also written to the slot RAM at this edge).
    pub desc: Signal<In, Desc>,
    /// A word of the slot RAM is wanted.
    pub read_valid: Signal<Out, Bit>,
    /// Of this tag.
    pub read_tag: Signal<Out, Bits<TAGW>>,
    /// Granted; the word is there next cycle.
    pub read_take: Signal<In, Bit>,
    /// It.
    pub read_word: Signal<In, SlotWord>,
    /// Waiting for a line, or no room at the port: issue nothing.
    pub hold: Signal<In, Bit>,
    /// Page look-up (valid inside).
    pub op: Signal<Out, PageOp>,
    /// The pipe takes it.
    pub take: Signal<In, Bit>,
    /// Incarnation; ops of the other one are void.
    pub round: Signal<Out, Bit>,
    /// m5: the request is over, well.
    pub last: Signal<In, Bit>,
    /// m5: take up from `from`.
    pub again: Signal<In, Bit>,
    /// m5: one of `again`, `over`, `probed`.
    pub redo: Signal<In, Bit>,
    /// m5: the request is over, cut or faulted.
    pub over: Signal<In, Bit>,
    /// m5: all pages are there.
    pub probed: Signal<In, Bit>,
    /// m5: the op.
    pub from: Signal<In, PageOp>,
    cutter: PageCut,
    queue: LutTable<Bits<TAGW>, TAGW>,
    wr: DFF<Bits<TAGCW>>,
    rd: DFF<Bits<TAGCW>>,
    cp: DFF<Bits<TAGCW>>,
    cur: DFF<PageOp>,
    nxt: DFF<Desc>,
    nxt_v: DFF<Bit>,
    pending: DFF<Bit>,
    pending_tag: DFF<Bits<TAGW>>,
    head: DFF<Bits<TAGW>>,
    head_v: DFF<Bit>,
    emit: DFF<Bit>,
    round_q: DFF<Bit>,
    #[default(Constant::new((1u64 << 12).to_bits()))]
    size4k: Constant<Bits<32>>,
    #[default(Constant::new((1u64 << 16).to_bits()))]
    size64k: Constant<Bits<32>>,
    #[default(Constant::new((1u64 << 21).to_bits()))]
    size2m: Constant<Bits<32>>,
    #[default(Constant::new((1u64 << 30).to_bits()))]
    size1g: Constant<Bits<32>>,
    step: Signal<Local, Bits<32>>,
    over4k: Signal<Local, Bit>,
    over64k: Signal<Local, Bit>,
    over2m: Signal<Local, Bit>,
    over1g: Signal<Local, Bit>,
    c: Signal<Local, PageOp>,
    n: Signal<Local, PageOp>,
    taken: Signal<Local, PageOp>,
    stays: Signal<Local, PageOp>,
    back: Signal<Local, PageOp>,
    load: Signal<Local, Desc>,
    fresh: Signal<Local, PageOp>,
    pos: Signal<Local, Bits<64>>,
    high: Signal<Local, Bits<64>>,
    off: Signal<Local, Bits<30>>,
    len: Signal<Local, Bits<LENW>>,
    lenm: Signal<Local, Bits<32>>,
    off_wide: Signal<Local, Bits<32>>,
    code: Signal<Local, Bits<CODEW>>,
    owner: Signal<Local, Bits<OWNW>>,
    addr: Signal<Local, Bits<VAW>>,
    opcode: Signal<Local, Bits<4>>,
    is_last: Signal<Local, Bit>,
    free: Signal<Local, Bit>,
    unread: Signal<Local, Bit>,
    direct: Signal<Local, Bit>,
    use_nxt: Signal<Local, Bit>,
    use_desc: Signal<Local, Bit>,
    ready_to: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    starts: Signal<Local, Bit>,
    loads: Signal<Local, Bit>,
    keep_desc: Signal<Local, Bit>,
    word: Signal<Local, SlotWord>,
    word_at: Signal<Local, Bits<ADRW>>,
    end_off: Signal<Local, Bits<32>>,
    cp_next: Signal<Local, Bits<TAGCW>>,
    d: Signal<Local, Desc>,
    restart: Signal<Local, Bit>,
    rd_go: Signal<Local, Bit>,
}

impl Logic for WalkCtx {
    #[hdl_gen]
    fn update(&mut self) {
        self.queue.clock.next = self.clock.val();
        self.wr.clock.next = self.clock.val();
        self.rd.clock.next = self.clock.val();
        self.cp.clock.next = self.clock.val();
        self.cur.clock.next = self.clock.val();
        self.nxt.clock.next = self.clock.val();
        self.nxt_v.clock.next = self.clock.val();
        self.pending.clock.next = self.clock.val();
        self.pending_tag.clock.next = self.clock.val();
        self.head.clock.next = self.clock.val();
        self.head_v.clock.next = self.clock.val();
        self.emit.clock.next = self.clock.val();
        self.round_q.clock.next = self.clock.val();
        self.wr.d.next = self.wr.q.val();
        self.rd.d.next = self.rd.q.val();
        self.cp.d.next = self.cp.q.val();
        self.cur.d.next = self.cur.q.val();
        self.nxt.d.next = self.nxt.q.val();
        self.nxt_v.d.next = self.nxt_v.q.val();
        self.pending.d.next = self.pending.q.val();
        self.pending_tag.d.next = self.pending_tag.q.val();
        self.emit.d.next = self.emit.q.val();
        self.round_q.d.next = self.round_q.q.val();
        self.c.next = self.cur.q.val();
        // is this the request's last page? (`end`: its last byte, counted from this page's start)
        self.end_off.next = self.c.val().end;
        self.over4k.next = self.end_off.val().get_bits::<4>(12).any() & (self.c.val().page == 0);
        self.over64k.next = self.end_off.val().get_bits::<5>(16).any() & ((self.c.val().page == 0) | (self.c.val().page == 1));
        self.over2m.next = self.end_off.val().get_bits::<9>(21).any() & !(self.c.val().page == 3);
        self.over1g.next = self.end_off.val().get_bits::<2>(30).any();
        self.is_last.next =
            (self.c.val().page == 4) | !(self.over4k.val() | self.over64k.val() | self.over2m.val() | self.over1g.val());
        // offered to the pipe
        self.op.next = self.cur.q.val();
        self.op.next.valid = self.c.val().valid & !self.hold.val();
        self.op.next.round = self.round_q.q.val();
        self.round.next = self.round_q.q.val();
        self.free.next = !self.c.val().valid | (self.take.val() & self.is_last.val());
        self.step.next = self.size4k.val();
        if self.c.val().page == 1 {
            self.step.next = self.size64k.val();
        }
        if self.c.val().page == 2 {
            self.step.next = self.size2m.val();
        }
        if self.c.val().page == 3 {
            self.step.next = self.size1g.val();
        }
        self.n.next = self.cur.q.val();
        self.n.next.pn = self.cur.q.val().pn + 1;
        self.n.next.off = 0.into();
        self.n.next.end = self.end_off.val() - self.step.val();
        // what may be loaded
        self.unread.next = self.rd.q.val() != self.wr.q.val();
        self.restart.next = self.redo.val();
        self.direct.next = self.grant.val() & !self.unread.val() & !self.pending.q.val();
        self.use_nxt.next = self.free.val() & self.nxt_v.q.val();
        self.ready_to.next = self.nxt_v.q.val() | self.direct.val();
        // `take` comes late: what it decides is known for either case
        self.ends.next = self.is_last.val() & self.ready_to.val();
        self.starts.next = !self.c.val().valid & self.ready_to.val();
        self.loads.next = self.starts.val() | (self.take.val() & self.ends.val());
        self.use_desc.next = self.loads.val() & !self.nxt_v.q.val();
        self.keep_desc.next = self.direct.val() & !self.free.val() & !self.nxt_v.q.val();
        self.d.next = self.desc.val();
        self.load.next = self.d.val();
        if self.nxt_v.q.val() {
            self.load.next = self.nxt.q.val();
        }
        // page, offset and end of what is loaded
        self.addr.next = self.load.val().pos;
        self.pos.next = bit_cast::<64, VAW>(self.addr.val());
        self.cutter.pos.next = self.pos.val();
        self.cutter.page.next = self.load.val().page;
        self.high.next = self.cutter.number.val();
        self.off.next = self.cutter.offset.val();
        self.len.next = self.load.val().len;
        self.lenm.next = bit_cast::<32, LENW>(self.len.val());
        self.lenm.next = self.lenm.val() - 1;
        self.off_wide.next = bit_cast::<32, 30>(self.off.val());
        self.fresh.next.tag = self.load.val().tag;
        self.fresh.next.port = self.number.val();
        self.fresh.next.index = self.load.val().index;
        self.fresh.next.epoch = self.load.val().epoch;
        self.fresh.next.page = self.load.val().page;
        self.fresh.next.pn = self.high.val().get_bits::<PGW>(0);
        self.fresh.next.off = self.off.val();
        self.fresh.next.end = self.off_wide.val() + self.lenm.val();
        self.fresh.next.base = self.load.val().base;
        self.fresh.next.write = self.load.val().write;
        self.fresh.next.odp = self.load.val().odp;
        self.fresh.next.probe = self.load.val().odp & !self.emit.q.val();
        self.fresh.next.round = false;
        self.fresh.next.valid = self.ready_to.val();
        // `take`, which comes last, chooses between the two that are ready; whether there is a next request (a grant comes late too) is told
        // by its `valid` alone
        self.taken.next = self.n.val();
        if self.is_last.val() {
            self.taken.next = self.fresh.val();
        }
        self.stays.next = self.cur.q.val();
        if !self.c.val().valid {
            self.stays.next = self.fresh.val();
        }
        self.back.next = self.from.val();
        self.back.next.valid = self.again.val();
        if self.restart.val() {
            self.taken.next = self.back.val();
            self.stays.next = self.back.val();
        }
        self.cur.d.next = self.stays.val();
        if self.take.val() {
            self.cur.d.next = self.taken.val();
        }
        if self.loads.val() {
            self.emit.d.next = false;
        }
        if self.use_nxt.val() {
            self.nxt_v.d.next = false;
        }
        if self.keep_desc.val() {
            self.nxt.d.next = self.d.val();
            self.nxt_v.d.next = true;
        }
        // queue of granted tags; words of those that were not loaded at once come from the slot RAM
        self.queue.write_address.next = self.wr.q.val().get_bits::<TAGW>(0);
        self.queue.write_data.next = self.d.val().tag;
        self.queue.write_enable.next = self.grant.val();
        self.queue.read_address.next = self.rd.q.val().get_bits::<TAGW>(0);
        if self.grant.val() {
            self.wr.d.next = self.wr.q.val() + 1;
        }
        self.rd_go.next = self.use_desc.val() | self.keep_desc.val();
        // the tag to be read next is a register, so that the slot RAM's address is early
        self.head.d.next = self.queue.read_data.val();
        self.head_v.d.next = self.unread.val();
        self.read_valid.next = self.head_v.q.val() & !self.pending.q.val() & !self.nxt_v.q.val();
        self.read_tag.next = self.head.q.val();
        self.pending.d.next = false;
        if self.read_take.val() {
            self.pending.d.next = true;
            self.pending_tag.d.next = self.head.q.val();
            self.rd_go.next = true;
        }
        if self.rd_go.val() {
            self.rd.d.next = self.rd.q.val() + 1;
            self.head_v.d.next = false;
        }
        self.word.next = self.read_word.val();
        self.word_at.next = self.word.val().addr;
        self.owner.next = self.word.val().owner;
        self.opcode.next = self.word.val().op;
        self.code.next = self.word.val().code;
        if self.pending.q.val() {
            self.nxt_v.d.next = true;
            self.nxt.d.next.tag = self.pending_tag.q.val();
            self.nxt.d.next.index = self.word.val().index;
            self.nxt.d.next.epoch = self.owner.val().get_bits::<EPW>(0);
            self.nxt.d.next.page = self.opcode.val().get_bits::<3>(0);
            self.nxt.d.next.pos = bit_cast::<VAW, ADRW>(self.word_at.val());
            self.nxt.d.next.len = self.word.val().len;
            self.nxt.d.next.base = self.code.val().get_bits::<MAW>(0);
            self.nxt.d.next.write = self.word.val().side;
            self.nxt.d.next.odp = self.word.val().walk;
        }
        // results; a restart wins over whatever was to be loaded or read
        self.cp_next.next = self.cp.q.val() + 1;
        if self.last.val() | self.over.val() {
            self.cp.d.next = self.cp_next.val();
        }
        if self.restart.val() {
            self.round_q.d.next = !self.round_q.q.val();
            self.nxt_v.d.next = false;
            self.pending.d.next = false;
            self.head_v.d.next = false;
            // it itself once more, or the one behind it
            self.rd.d.next = self.cp_next.val();
            if self.probed.val() {
                self.rd.d.next = self.cp.q.val();
            }
            self.emit.d.next = self.probed.val();
        }
        if self.reset.val() {
            self.wr.d.next = 0.into();
            self.rd.d.next = 0.into();
            self.cp.d.next = 0.into();
            self.cur.d.next.valid = false;
            self.nxt_v.d.next = false;
            self.pending.d.next = false;
            self.head_v.d.next = false;
            self.emit.d.next = false;
            self.round_q.d.next = false;
        }
    }
}
