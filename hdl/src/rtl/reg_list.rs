// SPDX-License-Identifier: MIT OR Apache-2.0
//! MTT words: the window of a PD, the page list of a register, and the two walks that count like them.
//!
//! ```text
//!  put ─► First ─► second ───────────────────────────────┐            window of a PD
//!  go ──► base ─► Ask ─► Lower ─► Upper ─► Judge ─┐       │
//!         (no pages) ───────────────────────────► Room ─► judged (4, 6)
//!                      ┌──── inline ────── Inline ◄┘ └──► judged (0), transfer of the command
//!                      └──────► Put ─┐                    │
//!  post ─► Look ─► Put ─► Take ─┬─► Look ...              ▼
//!  drain ───────────────► Take ─┴──────────────────────► Acks ─► ended (0, 1, 5)
//!  sets ─► Sets (an op a set) ───────────────────────────┘
//! ```
//! Contract: one of the pulses at a time, `busy` low between commands. `judged` and `ended` are one pulse each, with `code`.
//! The pages are looked at on the pins: `page_ready` rises when the page is judged and written, so none is copied.
//! Of a list with a wrong `last` every page up to it is taken; of pages none is written after a bad one.
//! At most eight writes or ops are on their way; `ended` comes when all are answered.
//!
//! `addr` is kept inverted: then the carry of word + addr compares without an inverter. `left` adds `busy` to every bit, which
//! is -1 when it counts and makes no difference when it loads: so adder and choice share a cell. Sets are walked downwards.
//!
//! Latency: 3 cycles a page, 2 an inline page, 2 an op (3 with one port); the window check 4 cycles and the ICM's answer.

use super::prelude::*;

const MAW1: usize = MAW + 1;
const MAW3: usize = MAW + 3;
const INLC: usize = INLW + 1;

/// See the module text.
#[derive(LogicBlock, SmartDefault)]
pub struct RegList {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// Low: no command is under way, `pages` is loaded, the address is 0.
    pub busy: Signal<In, Bit>,
    pub go: Signal<In, Bit>,
    pub post: Signal<In, Bit>,
    pub drain: Signal<In, Bit>,
    pub put: Signal<In, Bit>,
    pub sets: Signal<In, Bit>,
    pub judged: Signal<Out, Bit>,
    pub ended: Signal<Out, Bit>,
    pub code: Signal<Out, Bits<3>>,
    pub base: Signal<In, Bits<PAW>>,
    pub pages: Signal<In, Bits<PNW>>,
    pub inlined: Signal<In, Bits<INL_BEAT>>,
    /// Of the region; kept after the command's transfer.
    pub page: Signal<In, Bits<3>>,
    pub odp: Signal<In, Bit>,
    /// There is a free index.
    pub avail: Signal<In, Bit>,
    pub page_valid: Signal<In, Bit>,
    pub page_ready: Signal<Out, Bit>,
    pub page_data: Signal<In, Bits<BEAT>>,
    pub page_last: Signal<In, Bit>,
    pub icm_valid: Signal<Out, Bit>,
    pub icm_ready: Signal<In, Bit>,
    pub icm_write: Signal<Out, Bit>,
    /// `mtt`: a page; else a window.
    pub icm_mtt: Signal<Out, Bit>,
    pub icm_window: Signal<Out, Bit>,
    pub icm_addr: Signal<Out, Bits<MAW>>,
    pub icm_data: Signal<Out, Bits<BEAT>>,
    pub icm_last: Signal<Out, Bit>,
    pub ricm_valid: Signal<In, Bit>,
    pub ricm_data: Signal<In, Bits<BEAT>>,
    pub op_want: Signal<Out, Bit>,
    pub op_set: Signal<Out, Bits<SETW>>,
    /// Pulses: the op is in the pipe, has left it.
    pub op_taken: Signal<In, Bit>,
    pub op_done: Signal<In, Bit>,
    /// One state each.
    s_base: DFF<Bit>,
    s_ask: DFF<Bit>,
    s_lower: DFF<Bit>,
    s_upper: DFF<Bit>,
    s_judge: DFF<Bit>,
    s_room: DFF<Bit>,
    s_inline: DFF<Bit>,
    s_look: DFF<Bit>,
    s_put: DFF<Bit>,
    s_take: DFF<Bit>,
    s_acks: DFF<Bit>,
    s_first: DFF<Bit>,
    s_sum: DFF<Bit>,
    stepped: DFF<Bit>,
    s_second: DFF<Bit>,
    s_sets: DFF<Bit>,
    took: DFF<Bit>,
    /// Kind of command, after the transfer, the list to its end.
    window: DFF<Bit>,
    late: DFF<Bit>,
    wrong: DFF<Bit>,
    bad_page: DFF<Bit>,
    under: DFF<Bit>,
    beyond: DFF<Bit>,
    naddr: DFF<Bits<MAW1>>,
    left: DFF<Bits<PNW>>,
    count: DFF<Bits<INLC>>,
    open: DFF<Bits<4>>,
    from_base: Signal<Local, Bit>,
    from_pages: Signal<Local, Bit>,
    add: Signal<Local, Bits<MAW1>>,
    step: Signal<Local, Bit>,
    move_addr: Signal<Local, Bit>,
    none: Signal<Local, Bit>,
    spread: Signal<Local, Bits<PNW>>,
    sum: Signal<Local, Bits<PNW>>,
    cin: Signal<Local, Bits<1>>,
    word: Signal<Local, Bits<MAW1>>,
    against: Signal<Local, Bits<MAW3>>,
    compare: Signal<Local, Bits<MAW3>>,
    carry: Signal<Local, Bit>,
    #[default(std::array::from_fn(|_| Default::default()))]
    shelf: [Signal<Local, Bits<INL_BEAT>>; INL],
    entry: Signal<Local, Bits<BEAT>>,
    frame: Signal<Local, Bits<FRW>>,
    align: Signal<Local, Bits<FRW>>,
    odd: Signal<Local, Bits<FRW>>,
    missing: Signal<Local, Bit>,
    crooked: Signal<Local, Bit>,
    room: Signal<Local, Bit>,
    want: Signal<Local, Bit>,
    sent: Signal<Local, Bit>,
    next_page: Signal<Local, Bit>,
    mismatch: Signal<Local, Bit>,
    opened: Signal<Local, Bit>,
    closed: Signal<Local, Bit>,
    idle_open: Signal<Local, Bit>,
    address: Signal<Local, Bits<MAW1>>,
    inl_last: Signal<Local, Bit>,
    last_set: Signal<Local, Bit>,
    set_out: Signal<Local, Bit>,
    #[default(Constant::new(SHORT == 1))]
    short: Constant<Bit>,
    set: Signal<Local, Bits<SETW>>,
    to_acks: Signal<Local, Bit>,
    #[default(constant(INL))]
    inl: Constant<Bits<INLC>>,
    #[default(constant(BEAT))]
    beat_bits: Constant<Bits<12>>,
    #[default(constant(MAW + 2))]
    top_bit: Constant<Bits<8>>,
    #[default(Constant::new(ones(0, MAW1)))]
    ones: Constant<Bits<MAW1>>,
    #[default(Constant::new(ones(0, 4)))]
    mask1: Constant<Bits<FRW>>,
    #[default(Constant::new(ones(0, 9)))]
    mask2: Constant<Bits<FRW>>,
    #[default(Constant::new(ones(0, 18)))]
    mask3: Constant<Bits<FRW>>,
}

impl Logic for RegList {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, s_base, s_ask, s_lower, s_upper, s_judge, s_room, s_inline, s_look, s_put, s_take, s_acks, s_first, s_second, s_sum, stepped, s_sets, took,
            window, late, wrong, bad_page, under, beyond, naddr, left, count, open
        );
        // ---- one page: its pins, its faults
        self.shelf[0].next = self.inlined.val();
        for i in 1..INL {
            self.shelf[i].next = self.shelf[i - 1].val() >> self.beat_bits.val();
        }
        self.entry.next = self.page_data.val();
        if !self.late.q.val() {
            for n in 0..INL {
                if self.count.q.val() == n.to_bits() {
                    self.entry.next = self.shelf[n].val().get_bits::<BEAT>(0);
                }
            }
        }
        self.frame.next = self.entry.val().get_bits::<FRW>(2);
        self.align.next = 0.into();
        if self.page.val() == 1 {
            self.align.next = self.mask1.val();
        }
        if self.page.val() == 2 {
            self.align.next = self.mask2.val();
        }
        if self.page.val() == 3 {
            self.align.next = self.mask3.val();
        }
        self.odd.next = self.frame.val() & self.align.val();
        self.missing.next = !self.entry.val().get_bit(0) || !self.entry.val().get_bit(1);
        self.crooked.next = (self.missing.val() && !self.odp.val()) || (self.odd.val().any() && self.entry.val().get_bit(0));

        // ---- ICM
        self.room.next = !self.open.q.val().get_bit(3);
        self.want.next = self.s_put.q.val() && !self.bad_page.q.val() && self.room.val();
        self.sent.next = self.want.val() && self.icm_ready.val();
        self.icm_valid.next = self.want.val() || self.s_ask.q.val() || self.s_first.q.val() || self.s_second.q.val();
        self.icm_write.next = !self.s_ask.q.val();
        self.icm_mtt.next = self.s_put.q.val();
        self.icm_window.next = self.s_ask.q.val() || self.s_first.q.val() || self.s_second.q.val();
        self.address.next = !self.naddr.q.val();
        self.icm_addr.next = self.address.val().get_bits::<MAW>(0);
        self.icm_data.next = self.entry.val();
        if !self.s_put.q.val() {
            self.icm_data.next = bit_cast::<BEAT, MAW1>(self.address.val());
        }
        self.icm_last.next = !self.s_first.q.val();

        // ---- address and count
        // an op of a set is out; on a slow fabric that is known a cycle later, and then the next one waits a cycle more
        self.took.d.next = self.s_sets.q.val() && self.op_taken.val() && self.short.val();
        self.set_out.next = self.took.q.val() || (self.s_sets.q.val() && self.op_taken.val() && !self.short.val());
        self.op_want.next = self.s_sets.q.val() && self.room.val() && !self.took.q.val();
        self.step.next = self.sent.val() || (self.s_put.q.val() && self.bad_page.q.val());
        self.from_base.next = self.s_base.q.val() || self.s_room.q.val();
        self.from_pages.next = self.s_lower.q.val() || self.s_sum.q.val();
        self.add.next = 1.into();
        if self.from_base.val() {
            self.add.next = bit_cast::<MAW1, MAW>(self.base.val().get_bits::<MAW>(0));
        }
        if self.from_pages.val() {
            self.add.next = bit_cast::<MAW1, PNW>(self.pages.val());
        }
        self.move_addr.next = self.from_base.val()
            || (self.s_lower.q.val() && self.ricm_valid.val())
            || self.s_sum.q.val()
            || self.stepped.q.val()
            || self.set_out.val();
        if !self.busy.val() || self.s_judge.q.val() {
            self.naddr.d.next = self.ones.val();
        } else if self.move_addr.val() {
            self.naddr.d.next = self.naddr.q.val() - self.add.val();
        }
        self.none.next = !self.left.q.val().any();
        self.spread.next = 0.into();
        for i in 0..PNW {
            self.spread.next = self.spread.val().replace_bit(i, self.busy.val());
        }
        self.sum.next = self.left.q.val() + self.spread.val();
        if !self.busy.val() {
            self.left.d.next = self.pages.val();
        } else if self.step.val() {
            self.left.d.next = self.sum.val();
        }
        if self.step.val() {
            self.count.d.next = self.count.q.val() + 1;
        }
        self.cin.next = self.s_upper.q.val().into();
        self.word.next = self.ricm_data.val().get_bits::<MAW1>(0);
        // 1 here, not the carry again: nextpnr's router never ends on a cell with one net at both inputs of its carry
        self.against.next = bit_cast::<MAW3, MAW1>(self.naddr.q.val()) << 1;
        self.against.next = self.against.val().replace_bit(0, true);
        self.compare.next = ((bit_cast::<MAW3, MAW1>(self.word.val()) << 1) | bit_cast::<MAW3, 1>(self.cin.val())) + self.against.val();
        self.carry.next = self.compare.val().get_bit(self.top_bit.val().index());
        // word > base, word < base + pages
        if self.s_lower.q.val() {
            self.under.d.next = self.carry.val();
        }
        if self.s_upper.q.val() {
            self.beyond.d.next = !self.carry.val();
        }

        // ---- window
        self.s_base.d.next = self.put.val() || (self.go.val() && !self.none.val());
        self.s_ask.d.next = (self.s_base.q.val() && !self.window.q.val()) || (self.s_ask.q.val() && !self.icm_ready.val());
        self.s_lower.d.next = (self.s_ask.q.val() && self.icm_ready.val()) || (self.s_lower.q.val() && !self.ricm_valid.val());
        self.s_upper.d.next = (self.s_lower.q.val() && self.ricm_valid.val()) || (self.s_upper.q.val() && !self.ricm_valid.val());
        self.s_judge.d.next = self.s_upper.q.val() && self.ricm_valid.val();
        self.s_first.d.next = (self.s_base.q.val() && self.window.q.val()) || (self.s_first.q.val() && !self.icm_ready.val());
        // the address moves in a cycle of its own, the transfer is not known early enough
        self.s_sum.d.next = self.s_first.q.val() && self.icm_ready.val();
        self.stepped.d.next = self.step.val();
        self.s_second.d.next = self.s_sum.q.val() || (self.s_second.q.val() && !self.icm_ready.val());
        // ---- before the transfer
        self.s_room.d.next = self.go.val() && self.none.val();
        self.judged.next = false;
        self.code.next = 0.into();
        if self.s_judge.q.val() {
            if self.under.q.val() || self.beyond.q.val() {
                self.judged.next = true;
                self.code.next = 4.into();
            } else {
                self.s_room.d.next = true;
            }
        }
        self.inl_last.next = self.none.val() || (self.count.q.val() == self.inl.val());
        if self.s_room.q.val() && !self.avail.val() {
            self.judged.next = true;
            self.code.next = 6.into();
        }
        if self.s_inline.q.val() && self.inl_last.val() {
            self.judged.next = true;
        }
        self.s_inline.d.next = (self.s_room.q.val() && self.avail.val()) || (self.step.val() && !self.late.q.val());
        // ---- pages
        self.next_page.next = self.s_take.q.val() && self.page_valid.val() && !self.wrong.q.val();
        self.mismatch.next = self.next_page.val() && (self.page_last.val() != self.none.val());
        self.s_look.d.next = self.post.val()
            || (self.s_look.q.val() && !self.none.val() && !self.page_valid.val())
            || (self.next_page.val() && !self.page_last.val() && !self.none.val());
        self.s_put.d.next = (self.s_inline.q.val() && !self.inl_last.val())
            || (self.s_look.q.val() && !self.none.val() && self.page_valid.val())
            || (self.s_put.q.val() && !self.step.val());
        if (self.s_inline.q.val() && !self.inl_last.val()) || (self.s_look.q.val() && self.page_valid.val() && !self.none.val()) {
            self.bad_page.d.next = self.bad_page.q.val() || self.crooked.val();
        }
        self.wrong.d.next = self.busy.val() && (self.wrong.q.val() || self.mismatch.val() || self.drain.val());
        self.s_take.d.next = self.drain.val()
            || (self.step.val() && self.late.q.val())
            || (self.s_take.q.val() && !self.page_valid.val())
            || (self.s_take.q.val() && !self.page_last.val() && (self.wrong.q.val() || self.none.val()));
        self.page_ready.next = self.s_take.q.val();
        // ---- sets
        self.set.next = self.naddr.q.val().get_bits::<SETW>(0);
        self.op_set.next = self.set.val();
        self.last_set.next = !self.set.val().any();
        self.s_sets.d.next = self.sets.val() || (self.s_sets.q.val() && !(self.set_out.val() && self.last_set.val()));
        // ---- the end
        self.idle_open.next = !self.open.q.val().any();
        self.to_acks.next = (self.s_look.q.val() && self.none.val())
            || (self.s_take.q.val() && self.page_valid.val() && self.page_last.val())
            || (self.s_second.q.val() && self.icm_ready.val())
            || (self.set_out.val() && self.last_set.val());
        self.s_acks.d.next = self.to_acks.val() || (self.s_acks.q.val() && !self.idle_open.val());
        self.ended.next = self.s_acks.q.val() && self.idle_open.val();
        if self.s_acks.q.val() {
            if self.wrong.q.val() {
                self.code.next = 5.into();
            } else if self.bad_page.q.val() {
                self.code.next = 1.into();
            }
        }
        self.opened.next = self.sent.val() || (self.s_second.q.val() && self.icm_ready.val()) || self.set_out.val();
        self.closed.next = (self.ricm_valid.val() || self.op_done.val()) && !self.idle_open.val();
        if self.opened.val() && !self.closed.val() {
            self.open.d.next = self.open.q.val() + 1;
        }
        if self.closed.val() && !self.opened.val() {
            self.open.d.next = self.open.q.val() - 1;
        }
        if self.put.val() {
            self.window.d.next = true;
        }
        // (no enable: it would come late)
        self.late.d.next = self.busy.val() && (self.late.q.val() || self.post.val());
        if !self.busy.val() {
            self.window.d.next = false;
            self.bad_page.d.next = false;
            self.count.d.next = 0.into();
        }
        if self.reset.val() {
            self.s_base.d.next = false;
            self.s_ask.d.next = false;
            self.s_lower.d.next = false;
            self.s_upper.d.next = false;
            self.s_judge.d.next = false;
            self.s_room.d.next = false;
            self.s_inline.d.next = false;
            self.s_look.d.next = false;
            self.s_put.d.next = false;
            self.s_take.d.next = false;
            self.s_acks.d.next = false;
            self.s_first.d.next = false;
            self.s_second.d.next = false;
            self.s_sum.d.next = false;
            self.stepped.d.next = false;
            self.s_sets.d.next = false;
            self.took.d.next = false;
            self.open.d.next = 0.into();
        }
    }
}
