// SPDX-License-Identifier: MIT OR Apache-2.0
//! The walker of a configuration with one lookup port: few cells, since what a request carries stays in the slot RAM while it is walked.
//!
//! ```text
//!  grant ─► slot RAM, as a queue: wr ..................... rd ........... cp
//!                                 (written)                (at the RAM's output, m0)   (oldest not yet over)
//!  m0: page number ─► tags ─► m1: compare; bytes ─► m2: way ─► data RAM ─► m4: decide ─► segment, or: restart at cp
//!                      ▲                                                     │ miss
//!                      └──────────── fill of the page at m0 ◄─ ICM ◄─ fetch ◄┘
//! ```
//! Contract: the same as of `walker_many.rs`. Requests are walked in the order of their grants. Ops are issued on the assumption that they
//! hit; m4 confirms, or m5 restarts at the oldest request that is not over: its word is read again and the `done` pages it has
//! given are jumped over. A restart flips `round`, which voids the ops behind. m4 judges in order: no room: again; region being cut:
//! cut segment, over; not cached: again, and the page at m0 is fetched; absent page, or read-only page of a write: the page comes to m0
//! again, where the event is raised, and then its segment ends the request; else a segment (nothing in the probing pass of an on-demand access).
//! A region that is being cut is seen at m0 and m1, at most four cycles before the segment; its tag walks until its last segment has left,
//! and the deregistration waits for that. A fetch whose region is cut meanwhile is void, its word is dropped on arrival.
//! Parameters: needs lines of one entry (`mtt_cache.line_bits` 0). Latency: grant (s8) to segment at the pins 6 cycles; interval 1.

use super::mtt_place::MttPlace;
use super::mtt_sweep::MttSweep;
use super::may_look::MayLook;
use super::next_word::NextWord;
use super::page_now::PageNow;
use super::prelude::*;
use super::table::Table;
use super::tags::Tags;
use super::two_words::TwoWords;

/// What a page look-up carries.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct OneOp {
    /// Offset of the first byte in the page (m1: of the request's first byte in its first page).
    pub off: Bits<30>,
    /// Contiguous: address bits 30 and up.
    pub hi: Bits<PAHW>,
    /// Tag.
    pub tag: Bits<TAGW>,
    /// m1: bytes of the request, less one.
    pub lenm: Bits<LENW>,
    /// m1: page size, one bit each: 4 KiB, 64 KiB, 2 MiB, 1 GiB or contiguous.
    pub shape: Bits<4>,
    /// Contiguous.
    pub whole: Bit,
    /// First page of the request.
    pub first: Bit,
    /// Last page of the request.
    pub last: Bit,
    /// The page must be writable.
    pub write: Bit,
    /// Only whether the page is there.
    pub probe: Bit,
    /// The region is being cut (m1: this matters).
    pub cut: Bit,
    /// The page is known to be absent.
    pub absent: Bit,
    /// Incarnation.
    pub round: Bit,
}

/// Run walks. Need wants the page at m0. Sum adds its number to the list's start. Ask has its fetch offered. Wait for the word. Fill wants a slot for it. Gap until it is in.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum OneState {
    /// Walks.
    Run,
    /// Wants the page at m0.
    Need,
    /// Adds its number to the list's first word.
    Sum,
    /// Fetch offered.
    Ask,
    /// Fetch under way.
    Wait,
    /// Word there.
    Fill,
    /// On its way into the cache.
    Gap,
}

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct WalkerOne {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// The sweep after reset is over.
    pub ready: Signal<Out, Bit>,
    /// s7: a request was granted and is to be walked.
    pub grant: [Signal<In, Bit>; NP],
    /// It; this walker takes it from the slot RAM instead.
    pub desc: Signal<In, Desc>,
    /// Its slot; not needed with one port.
    pub grant_slot: Signal<In, Bits<SLOTW>>,
    /// Where its word goes in the slot RAM.
    pub put_slot: Signal<Out, Bits<SLOTRW>>,
    /// A word of the slot RAM is wanted.
    pub read_valid: Signal<Out, Bit>,
    /// Which.
    pub read_slot: Signal<Out, Bits<SLOTRW>>,
    /// A waiter's word is read instead: then `read_slot` is its slot.
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
    /// A region's fetches are void; not needed, since the waiting op sees its region being cut.
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
    /// Its MTT word.
    pub fetch_addr: Signal<Out, Bits<MAW>>,
    /// The line arrives.
    pub word_valid: Signal<In, Bit>,
    /// It is no longer needed.
    pub word_ready: Signal<Out, Bit>,
    /// For this port.
    pub word_port: Signal<In, Bits<PORTW>>,
    /// It.
    pub word_data: Signal<In, Bits<BEAT>>,
    /// Always high: a line is one word.
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
    tags: Tags<MWAYS, MSETW, MTAGB, MTAGR, K>,
    data: Table<Bits<BEAT>, MLINEA>,
    sweeper: MttSweep,
    may_look: MayLook,
    next_word: NextWord,
    page_now: PageNow,
    place_of: MttPlace,
    out: TwoWords<Segment>,
    wr: DFF<Bits<TAGCW>>,
    rd: DFF<Bits<TAGCW>>,
    cp: DFF<Bits<TAGCW>>,
    have: DFF<Bit>,
    here: DFF<Bit>,
    first: DFF<Bit>,
    jump: DFF<Bit>,
    emit: DFF<Bit>,
    absent: DFF<Bit>,
    told: DFF<Bit>,
    tell: DFF<Bit>,
    round: DFF<Bit>,
    turn: DFF<Bit>,
    emits: DFF<Bit>,
    clear: DFF<Bit>,
    gains: DFF<Bit>,
    forth: DFF<Bit>,
    lacks: DFF<Bit>,
    tally: DFF<Bits<5>>,
    cut_low: DFF<Bits<NPARK>>,
    cut_high: DFF<Bits<NPARK>>,
    cut_there: DFF<Bits<NPARK>>,
    cut2: DFF<Bit>,
    may: DFF<Bit>,
    there1: DFF<Bit>,
    there2: DFF<Bit>,
    pn: DFF<Bits<PGW>>,
    left: DFF<Bits<EXW>>,
    ends: DFF<Bit>,
    done: DFF<Bits<EXW>>,
    state: DFF<OneState>,
    busy: DFF<Bit>,
    doomed: DFF<Bit>,
    fetch: DFF<Bits<MAW>>,
    look1: DFF<Bit>,
    look2: DFF<Bit>,
    look4: DFF<Bit>,
    fill1: DFF<Bit>,
    fill2: DFF<Bit>,
    fill4: DFF<Bit>,
    op1: DFF<OneOp>,
    op2: DFF<OneOp>,
    op4: DFF<OneOp>,
    len2: DFF<Bits<LENW>>,
    len4: DFF<Bits<LENW>>,
    hit4: DFF<Bit>,
    where4: DFF<Bits<MLINEA>>,
    word: Signal<Local, SlotWord>,
    addr: Signal<Local, Bits<ADRW>>,
    place: Signal<Local, Bits<POSW>>,
    pos: Signal<Local, Bits<64>>,
    more: Signal<Local, Bits<EXW>>,
    owner: Signal<Local, Bits<OWNW>>,
    code: Signal<Local, Bits<CODEW>>,
    shape: Signal<Local, Bits<4>>,
    huge: Signal<Local, Bit>,
    low16: Signal<Local, Bits<30>>,
    low21: Signal<Local, Bits<30>>,
    step: Signal<Local, Bit>,
    form: Signal<Local, Bits<4>>,
    read_ahead: Signal<Local, Bit>,
    wr_next: Signal<Local, Bits<TAGCW>>,
    after: Signal<Local, Bits<TAGCW>>,
    more_now: Signal<Local, Bit>,
    more_after: Signal<Local, Bit>,
    found: Signal<Local, Bits<MLINEA>>,
    found_way: Signal<Local, Bits<MWAYW>>,
    base: Signal<Local, Bits<MAW>>,
    epoch: Signal<Local, Bits<EPW>>,
    index: Signal<Local, Bits<K>>,
    off: Signal<Local, Bits<30>>,
    now: Signal<Local, Bits<PGW>>,
    pn_addr: Signal<Local, Bits<MAW>>,
    pn_wide: Signal<Local, Bits<64>>,
    rest: Signal<Local, Bits<EXW>>,
    left_next: Signal<Local, Bits<EXW>>,
    inc: Signal<Local, Bits<EXW>>,
    last: Signal<Local, Bit>,
    cut: Signal<Local, Bit>,
    cuts: Signal<Local, Bits<NPARK>>,
    cut_i: Signal<Local, Bits<K>>,
    cut_e: Signal<Local, Bits<EPW>>,
    lows: Signal<Local, Bits<NPARK>>,
    highs: Signal<Local, Bits<NPARK>>,
    low_i: Signal<Local, Bits<K>>,
    low_c: Signal<Local, Bits<K>>,
    there: Signal<Local, Bit>,
    quiet: Signal<Local, Bit>,
    telling: Signal<Local, Bit>,
    idle: Signal<Local, Bit>,
    look: Signal<Local, Bit>,
    fill: Signal<Local, Bit>,
    sweep: Signal<Local, Bit>,
    kind: Signal<Local, Bits<3>>,
    row: Signal<Local, Bits<MSETW>>,
    rd_next: Signal<Local, Bits<TAGCW>>,
    spot_slot: Signal<Local, Bits<SLOTRW>>,
    slot_walk: Signal<Local, Bits<SLOTRW>>,
    slot_next: Signal<Local, Bits<SLOTRW>>,
    op: Signal<Local, OneOp>,
    opa: Signal<Local, OneOp>,
    opb: Signal<Local, OneOp>,
    lenm: Signal<Local, Bits<LENW>>,
    mask: Signal<Local, Bits<LENW>>,
    offlow: Signal<Local, Bits<LENW>>,
    off1: Signal<Local, Bits<30>>,
    reach: Signal<Local, Bits<LENW>>,
    bytes: Signal<Local, Bits<LENW>>,
    way: Signal<Local, Bits<MWAYW>>,
    spot: Signal<Local, Bits<MLINEA>>,
    set2: Signal<Local, Bits<MSETW>>,
    entry: Signal<Local, Bits<BEAT>>,
    frame: Signal<Local, Bits<FRW>>,
    frame64: Signal<Local, Bits<64>>,
    off64: Signal<Local, Bits<64>>,
    hi64: Signal<Local, Bits<64>>,
    pa64: Signal<Local, Bits<64>>,
    o4: Signal<Local, OneOp>,
    absent_now: Signal<Local, Bit>,
    missing: Signal<Local, Bit>,
    live: Signal<Local, Bit>,
    again: Signal<Local, Bit>,
    over: Signal<Local, Bit>,
    probed: Signal<Local, Bit>,
    fin: Signal<Local, Bit>,
    push: Signal<Local, Bit>,
    lack: Signal<Local, Bit>,
    gain: Signal<Local, Bit>,
    cp_next: Signal<Local, Bits<TAGCW>>,
    seg: Signal<Local, Segment>,
    cnt: Signal<Local, Bits<5>>,
    #[default(constant(POSW.min(ADRW - EXW)))]
    more_at: Constant<Bits<8>>,
    #[default(constant(EPW.min(OWNW - TAGW)))]
    tag_at: Constant<Bits<8>>,
    #[default(Constant::new((1u64 << (SLOTRW - 1)).to_bits()))]
    walks: Constant<Bits<SLOTRW>>,
    #[default(constant(MSETW))]
    set_bits: Constant<Bits<5>>,
    #[default(Constant::new(ones(0, 2 * K / 3)))]
    low_half: Constant<Bits<K>>,
    #[default(std::array::from_fn(|n| constant(n * K)))]
    i_at: [Constant<Bits<9>>; NPARK],
    #[default(std::array::from_fn(|n| constant(n * EPW)))]
    e_at: [Constant<Bits<9>>; NPARK],
    #[default(Constant::new(ones(0, 12)))]
    mask4k: Constant<Bits<LENW>>,
    #[default(Constant::new(ones(0, 16)))]
    mask64k: Constant<Bits<LENW>>,
    #[default(Constant::new(ones(0, 21)))]
    mask2m: Constant<Bits<LENW>>,
    #[default(Constant::new(ones(0, 30)))]
    mask1g: Constant<Bits<LENW>>,
}

impl Logic for WalkerOne {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, wr, rd, cp, have, here, first, jump, emit, absent, told, tell, round, turn, emits, clear, gains, forth, lacks, tally, cut_low, cut_high, cut_there, cut2, may, there1, there2, pn, left, ends, done, state, busy, doomed, fetch, look1, look2, look4, fill1, fill2, fill4, op1, op2,
            op4, len2, len4, hit4, where4
        );
        self.tags.clock.next = self.clock.val();
        self.tags.reset.next = self.reset.val();
        // behind a fill nothing is looked up until it is in; a sweep kills what no walk looks for
        self.tags.forward.next = false;
        self.data.clock.next = self.clock.val();
        self.out.clock.next = self.clock.val();
        self.out.reset.next = self.reset.val();
        self.sweeper.clock.next = self.clock.val();
        self.sweeper.reset.next = self.reset.val();
        self.sweeper.valid.next = self.sweep_valid.val();
        self.sweep_done.next = self.sweeper.done.val();
        self.ready.next = self.sweeper.ready.val();

        // ---- the request at the RAM's output
        self.word.next = self.read_word.val();
        self.addr.next = self.word.val().addr;
        self.place.next = self.addr.val().get_bits::<POSW>(0);
        self.more.next = self.addr.val().get_bits::<EXW>(self.more_at.val().index());
        self.pos.next = bit_cast::<64, POSW>(self.place.val());
        self.owner.next = self.word.val().owner;
        self.epoch.next = self.owner.val().get_bits::<EPW>(0);
        self.shape.next = self.word.val().op;
        self.code.next = self.word.val().code;
        self.base.next = self.code.val().get_bits::<MAW>(0);
        self.index.next = self.word.val().index;
        // page number and offset, by one bit a size (`page_cut.rs` does the same by code); no number is needed of a contiguous region
        self.page_now.pos.next = self.pos.val();
        self.page_now.shape.next = self.shape.val();
        self.page_now.first.next = self.first.q.val();
        self.page_now.pn.next = self.pn.q.val();
        self.huge.next = self.shape.val().get_bit(2) | self.shape.val().get_bit(3);
        self.low16.next = bit_cast::<30, 16>(self.pos.val().get_bits::<16>(0));
        self.low21.next = bit_cast::<30, 21>(self.pos.val().get_bits::<21>(0));
        self.off.next = bit_cast::<30, 12>(self.pos.val().get_bits::<12>(0));
        if !self.shape.val().get_bit(0) {
            self.off.next = self.low16.val();
        }
        if self.huge.val() {
            self.off.next = self.low21.val();
        }
        if self.shape.val().get_bit(3) {
            self.off.next = self.pos.val().get_bits::<30>(0);
        }
        self.now.next = self.page_now.now.val();
        self.rest.next = self.left.q.val();
        if self.first.q.val() {
            self.rest.next = self.more.val();
        }
        self.next_word.more.next = self.more.val();
        self.last.next = self.ends.q.val() | (self.first.q.val() & self.next_word.alone.val());
        self.hi64.next = 0.into();
        // is it one of those being cut (`cut_match.rs`)? compared in two parts, put together at m1
        self.cut_there.d.next = self.cut_valid.val();
        self.low_i.next = self.index.val() & self.low_half.val();
        self.lows.next = 0.into();
        self.highs.next = 0.into();
        for c in 0..NPARK {
            self.cut_i.next = self.cut_index.val().get_bits::<K>(self.i_at[c].val().index());
            self.cut_e.next = self.cut_epoch.val().get_bits::<EPW>(self.e_at[c].val().index());
            self.low_c.next = self.cut_i.val() & self.low_half.val();
            self.lows.next = self.lows.val().replace_bit(c, self.low_c.val() == self.low_i.val());
            self.highs.next = self.highs.val().replace_bit(
                c,
                ((self.cut_i.val() | self.low_half.val()) == (self.index.val() | self.low_half.val())) & (self.cut_e.val() == self.epoch.val()),
            );
        }
        self.cut_low.d.next = self.lows.val();
        self.cut_high.d.next = self.highs.val();
        self.cuts.next = self.cut_there.q.val() & self.cut_low.q.val() & self.cut_high.q.val();
        self.cut.next = self.cuts.val().any();

        // ---- m0: a sweep that must go, a fill, a look-up, a sweep that may go
        // (a look-up in the cycle of a restart is void, and what it moves is set anew)
        self.there.next = self.here.q.val();
        self.cut2.d.next = self.there1.q.val() & self.cut.val();
        self.quiet.next = self.absent.q.val() & !self.told.q.val();
        // by then it is known whether its region is being cut
        self.telling.next = self.quiet.val() & self.there.val() & self.there1.q.val() & self.there2.q.val() & !self.tell.q.val();
        self.there1.d.next = self.there.val();
        self.there2.d.next = self.there.val() & self.there1.q.val();
        // (`may` is low while a fill is due, so neither waits for the other's word)
        self.may_look.here.next = self.here.q.val();
        self.may_look.may.next = self.may.q.val();
        self.may_look.must.next = self.sweeper.must.val();
        self.may_look.first.next = self.first.q.val();
        self.may_look.ends.next = self.ends.q.val();
        self.look.next = self.may_look.look.val();
        self.fill.next = self.there.val() & (self.state.q.val() == OneState::Fill) & !self.sweeper.must.val();
        self.idle.next = !self.there.val() | (!self.may.q.val() & (self.state.q.val() != OneState::Fill));
        self.sweep.next = self.sweeper.must.val() | (self.idle.val() & self.sweeper.wants.val());
        self.kind.next = 0.into();
        if self.look.val() {
            self.kind.next = 1.into();
        }
        if self.fill.val() {
            self.kind.next = 2.into();
        }
        if self.sweep.val() {
            self.kind.next = self.sweeper.kind.val();
        }
        self.sweeper.take.next = self.sweep.val();
        self.place_of.index.next = self.index.val();
        self.place_of.epoch.next = self.epoch.val();
        self.place_of.line.next = self.now.val().get_bits::<MLINEW>(0);
        self.row.next = self.place_of.row.val();
        if self.sweep.val() {
            self.place_of.index.next = self.sweep_index.val();
            self.row.next = self.sweeper.row.val();
        }
        self.tags.kind.next = self.kind.val();
        self.tags.row.next = self.row.val();
        self.tags.tag.next = self.place_of.tag.val();
        // to the next page, or the next request
        self.next_word.begins.next = self.may_look.begins.val();
        self.next_word.goes.next = self.may_look.goes.val();
        self.step.next = self.next_word.step.val();
        self.inc.next = 1.into();
        self.left_next.next = self.left.q.val();
        if self.state.q.val() == OneState::Need {
            // the number comes into `pn`, where the sum takes it from
            self.inc.next = 0.into();
        }
        if self.jump.q.val() {
            self.inc.next = self.done.q.val();
        }
        if self.look.val() | (self.have.q.val() & self.jump.q.val()) | (self.there.val() & (self.state.q.val() == OneState::Need)) {
            self.pn.d.next = self.now.val() + bit_cast::<PGW, EXW>(self.inc.val());
        }
        if self.look.val() | (self.have.q.val() & self.jump.q.val()) {
            self.left_next.next = self.rest.val() - self.inc.val();
            self.left.d.next = self.left_next.val();
            // (of a request under way, and of its last page it is all ones: on a first page `more` says it)
            self.ends.d.next = !self.left_next.val().any();
            // the next request begins with its first page
            self.first.d.next = self.step.val();
            self.emit.d.next = self.emit.q.val() & !self.step.val();
        }
        if self.have.q.val() {
            self.jump.d.next = false;
        }
        self.after.next = self.rd.q.val() + 1;
        self.more_now.next = self.rd.q.val() != self.wr.q.val();
        self.more_after.next = self.after.val() != self.wr.q.val();
        self.rd_next.next = self.rd.q.val();
        self.read_ahead.next = self.more_now.val();
        if self.step.val() {
            self.rd_next.next = self.after.val();
            self.read_ahead.next = self.more_after.val();
        }
        self.rd.d.next = self.rd_next.val();
        self.read_valid.next = self.read_ahead.val();
        self.slot_walk.next = bit_cast::<SLOTRW, TAGW>(self.rd.q.val().get_bits::<TAGW>(0));
        self.slot_next.next = bit_cast::<SLOTRW, TAGW>(self.after.val().get_bits::<TAGW>(0));
        self.next_word.after.next = self.walks.val() | self.slot_next.val();
        // another's word goes before the walk's
        self.next_word.turns.next = self.may_look.begins.val() & !self.other_valid.val();
        self.next_word.base.next = self.walks.val() | self.slot_walk.val();
        if self.may_look.goes.val() {
            self.next_word.base.next = self.walks.val() | self.slot_next.val();
        }
        if self.other_valid.val() {
            self.next_word.base.next = bit_cast::<SLOTRW, SLOTW>(self.other_slot.val());
        }
        self.read_slot.next = self.next_word.slot.val();
        self.have.d.next = self.read_ahead.val() & self.read_take.val();
        // with no pages to be jumped over, or none any more
        self.here.d.next = self.read_ahead.val() & self.read_take.val() & (self.have.q.val() | !self.jump.q.val());
        // the grant of a word comes one cycle after it is written, so the next one goes behind it by then
        self.wr_next.next = self.wr.q.val();
        if self.grant[0].val() {
            self.wr_next.next = self.wr.q.val() + 1;
        }
        self.wr.d.next = self.wr_next.val();
        self.spot_slot.next = bit_cast::<SLOTRW, TAGW>(self.wr_next.val().get_bits::<TAGW>(0));
        self.put_slot.next = self.walks.val() | self.spot_slot.val();
        // an absent page: its event, then its op
        // (no page is looked up meanwhile, so it is this word that is read again)
        self.tell.d.next = self.telling.val() & self.more_now.val() & self.read_take.val();
        if self.telling.val() & self.cut2.q.val() {
            self.tell.d.next = false;
            self.absent.d.next = false;
        }
        if self.tell.q.val() {
            self.told.d.next = true;
        }
        self.fault_valid.next = self.tell.q.val();
        self.fault_index.next = self.index.val();
        self.fault_page.next = self.now.val().get_bits::<PNW>(0);
        if self.look.val() {
            self.absent.d.next = false;
            self.told.d.next = false;
        }

        // ---- m1: which bytes of the page
        self.op.next.off = self.off.val();
        self.op.next.hi = self.pos.val().get_bits::<PAHW>(30);
        self.op.next.tag = self.owner.val().get_bits::<TAGW>(self.tag_at.val().index());
        self.op.next.lenm = self.word.val().len;
        self.op.next.shape = self.shape.val();
        self.op.next.whole = self.shape.val().get_bit(2) & self.shape.val().get_bit(3);
        self.op.next.first = self.first.q.val();
        self.op.next.last = self.last.val();
        self.op.next.write = self.word.val().side;
        self.op.next.probe = self.word.val().walk & !self.emit.q.val();
        self.op.next.cut = !self.told.q.val();
        self.op.next.absent = self.told.q.val();
        self.op.next.round = self.round.q.val();
        self.op1.d.next = self.op.val();
        self.look1.d.next = self.look.val();
        self.fill1.d.next = self.fill.val();
        self.opa.next = self.op1.q.val();
        self.opb.next = self.opa.val();
        self.opb.next.cut = self.opa.val().cut & self.cut.val();
        self.form.next = self.opa.val().shape;
        self.mask.next = self.mask4k.val();
        if self.form.val().get_bit(1) {
            self.mask.next = self.mask64k.val();
        }
        if self.form.val().get_bit(2) {
            self.mask.next = self.mask2m.val();
        }
        if self.form.val().get_bit(3) {
            self.mask.next = self.mask1g.val();
        }
        self.off1.next = self.opa.val().off;
        self.offlow.next = bit_cast::<LENW, 30>(self.off1.val());
        self.lenm.next = self.opa.val().lenm;
        self.reach.next = self.offlow.val() + self.lenm.val();
        self.bytes.next = self.mask.val();
        if self.opa.val().first {
            self.bytes.next = self.mask.val() & !self.offlow.val();
        }
        if self.opa.val().last {
            self.bytes.next = self.mask.val() & self.reach.val();
            if self.opa.val().first {
                self.bytes.next = self.lenm.val();
            }
        }
        self.len2.d.next = self.bytes.val();
        if !self.opa.val().first {
            self.opb.next.off = 0.into();
        }
        self.op2.d.next = self.opb.val();
        self.look2.d.next = self.look1.q.val();
        self.fill2.d.next = self.fill1.q.val();

        // ---- m2: way
        self.hit4.d.next = self.tags.hit.val();
        self.set2.next = self.tags.set_out.val();
        self.way.next = self.tags.way.val().get_bits::<MWAYW>(0);
        self.spot.next = bit_cast::<MLINEA, MWAYW>(self.way.val()) << self.set_bits.val();
        self.spot.next = self.spot.val() | bit_cast::<MLINEA, MSETW>(self.set2.val());
        self.where4.d.next = self.spot.val();
        self.found_way.next = self.tags.found.val().get_bits::<MWAYW>(0);
        self.found.next = bit_cast::<MLINEA, MWAYW>(self.found_way.val()) << self.set_bits.val();
        self.found.next = self.found.val() | bit_cast::<MLINEA, MSETW>(self.set2.val());
        self.data.read_address.next = self.found.val();
        self.op4.d.next = self.op2.q.val();
        self.look4.d.next = self.look2.q.val();
        self.fill4.d.next = self.fill2.q.val();
        self.len4.d.next = self.len2.q.val() + 1;

        // ---- m4: a fill's word goes in, a look-up is judged
        self.data.write_address.next = self.where4.q.val();
        self.data.write_data.next = self.word_data.val();
        self.data.write_enable.next = self.fill4.q.val();
        self.entry.next = self.data.read_data.val();
        self.frame.next = self.entry.val().get_bits::<FRW>(2);
        self.o4.next = self.op4.q.val();
        self.frame64.next = bit_cast::<64, FRW>(self.frame.val()) << 12;
        self.missing.next = !self.hit4.q.val();
        self.absent_now.next = !self.entry.val().get_bit(0) | (self.o4.val().write & !self.entry.val().get_bit(1));
        if self.o4.val().whole {
            self.hi64.next = bit_cast::<64, PAHW>(self.op4.q.val().hi);
            self.frame64.next = self.hi64.val() << 30;
            self.missing.next = false;
            self.absent_now.next = false;
        }
        self.off64.next = bit_cast::<64, 30>(self.op4.q.val().off);
        self.pa64.next = self.frame64.val() | self.off64.val();
        self.seg.next.tag = self.o4.val().tag;
        self.seg.next.pa = self.pa64.val().get_bits::<PAW>(0);
        self.seg.next.len = self.len4.q.val();
        self.seg.next.last = self.o4.val().last;
        self.seg.next.status = 0.into();
        self.live.next = self.look4.q.val() & (self.o4.val().round == self.round.q.val()) & !self.turn.q.val();
        self.again.next = false;
        self.lack.next = false;
        self.over.next = false;
        self.probed.next = false;
        self.fin.next = false;
        self.gain.next = false;
        self.push.next = false;
        self.cnt.next = 0.into();
        if self.live.val() {
            if !self.out.room.val() {
                self.again.next = true;
            } else if self.o4.val().cut {
                self.over.next = true;
                self.push.next = true;
                self.seg.next.status = 1.into();
                self.cnt.next = self.cnt.val().replace_bit(3, true);
            } else if self.o4.val().absent {
                self.over.next = true;
                self.push.next = true;
                self.seg.next.status = 2.into();
                self.cnt.next = self.cnt.val().replace_bit(4, true);
            } else if self.missing.val() {
                self.again.next = true;
                self.cnt.next = self.cnt.val().replace_bit(1, true);
            } else if self.absent_now.val() {
                self.again.next = true;
                self.lack.next = true;
            } else {
                self.gain.next = true;
                if self.o4.val().probe {
                    self.probed.next = self.o4.val().last;
                } else {
                    self.fin.next = self.o4.val().last;
                    self.push.next = true;
                    self.cnt.next = self.cnt.val().replace_bit(0, true);
                    self.cnt.next = self.cnt.val().replace_bit(2, true);
                }
            }
        }
        if self.over.val() {
            self.seg.next.last = true;
            self.seg.next.len = 0.into();
            self.seg.next.pa = 0.into();
        }
        self.out.push.next = self.push.val();
        self.out.data_in.next = self.seg.val();
        self.out.pop.next = self.segment_ready[0].val();
        // (what ends it comes with a restart, and then nothing is there for a cycle)
        self.may.d.next = (self.state.q.val() == OneState::Run) & !self.quiet.val() & self.out.room.val();

        // ---- the page at m0 is fetched
        self.pn_wide.next = bit_cast::<64, PGW>(self.pn.q.val());
        self.pn_addr.next = self.pn_wide.val().get_bits::<MAW>(0);
        self.fetch_valid.next = false;
        match self.state.q.val() {
            OneState::Run => {}
            OneState::Need => {
                if self.there.val() {
                    if self.cut2.q.val() {
                        self.state.d.next = OneState::Run;
                    } else if !self.busy.q.val() {
                        self.state.d.next = OneState::Sum;
                    }
                }
            }
            OneState::Sum => {
                // again and again while another reader has the RAM
                if self.there.val() {
                    self.fetch.d.next = self.base.val() + self.pn_addr.val();
                    self.state.d.next = OneState::Ask;
                }
            }
            OneState::Ask => {
                self.fetch_valid.next = true;
                if self.fetch_ready.val() {
                    self.busy.d.next = true;
                    self.state.d.next = OneState::Wait;
                }
            }
            OneState::Wait => {
                if self.cut2.q.val() {
                    self.doomed.d.next = true;
                    self.state.d.next = OneState::Run;
                } else if self.word_valid.val() {
                    self.state.d.next = OneState::Fill;
                }
            }
            OneState::Fill => {
                // a line of a region that is cut just now does no harm: its epoch goes, and is swept before it comes again
                if self.fill.val() {
                    self.state.d.next = OneState::Gap;
                }
            }
            OneState::Gap => {
                if self.fill4.q.val() {
                    self.state.d.next = OneState::Run;
                }
            }
        }
        self.fetch_port.next = 0.into();
        self.fetch_addr.next = self.fetch.q.val();
        self.dropped.next = self.doomed.q.val() & self.word_valid.val();
        self.word_ready.next = self.doomed.q.val() | self.fill4.q.val();
        if self.word_valid.val() & self.word_ready.val() {
            self.busy.d.next = false;
            self.doomed.d.next = false;
        }

        // ---- m5: what m4 found takes effect; the op behind, judged meanwhile, is void if it is a restart
        self.turn.d.next = self.again.val() | self.over.val() | self.probed.val();
        self.clear.d.next = self.over.val() | self.probed.val() | self.fin.val();
        self.gains.d.next = self.gain.val();
        self.forth.d.next = self.fin.val() | self.over.val();
        self.emits.d.next = self.probed.val() | (self.again.val() & !self.o4.val().probe);
        self.lacks.d.next = self.lack.val();
        self.tally.d.next = self.cnt.val();
        self.counts.next = self.tally.q.val();
        if self.gains.q.val() {
            self.done.d.next = self.done.q.val() + 1;
        }
        if self.clear.q.val() {
            self.done.d.next = 0.into();
        }
        self.cp_next.next = self.cp.q.val();
        if self.forth.q.val() {
            self.cp_next.next = self.cp.q.val() + 1;
        }
        self.cp.d.next = self.cp_next.val();
        if self.tally.q.val().get_bit(1) {
            self.state.d.next = OneState::Need;
        }
        if self.lacks.q.val() {
            self.absent.d.next = true;
        }
        if self.turn.q.val() {
            self.rd.d.next = self.cp_next.val();
            self.have.d.next = false;
            self.here.d.next = false;
            // nor is anything known of the word that will be
            self.there1.d.next = false;
            self.there2.d.next = false;
            self.cut2.d.next = false;
            self.first.d.next = true;
            self.ends.d.next = false;
            self.jump.d.next = self.done.q.val().any() & !self.clear.q.val();
            self.round.d.next = !self.round.q.val();
            self.emit.d.next = self.emits.q.val();
        }
        for i in 0..NP {
            self.segment_valid[i].next = self.out.valid.val();
            self.segment[i].next = self.out.data.val();
        }
        if self.reset.val() {
            self.wr.d.next = 0.into();
            self.rd.d.next = 0.into();
            self.cp.d.next = 0.into();
            self.have.d.next = false;
            self.here.d.next = false;
            self.first.d.next = true;
            self.ends.d.next = false;
            self.jump.d.next = false;
            self.emit.d.next = false;
            self.absent.d.next = false;
            self.told.d.next = false;
            self.tell.d.next = false;
            self.round.d.next = false;
            self.turn.d.next = false;
            self.clear.d.next = false;
            self.gains.d.next = false;
            self.forth.d.next = false;
            self.lacks.d.next = false;
            self.tally.d.next = 0.into();
            self.cut2.d.next = false;
            self.may.d.next = false;
            self.there1.d.next = false;
            self.there2.d.next = false;
            self.done.d.next = 0.into();
            self.state.d.next = OneState::Run;
            self.busy.d.next = false;
            self.doomed.d.next = false;
            self.look1.d.next = false;
            self.look2.d.next = false;
            self.look4.d.next = false;
            self.fill1.d.next = false;
            self.fill2.d.next = false;
            self.fill4.d.next = false;
        }
    }
}
