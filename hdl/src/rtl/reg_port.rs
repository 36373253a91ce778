// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registration port: one state machine that runs every command and every completion.
//!
//! ```text
//!  reg_* ─► Idle ─► read entry ─► check ─► transfer ─► page list ─► barrier ─► kill ─► write entry ─► rsp_*
//!             ▲ completions first     │ refused: transfer, drain the list, answer          │ deregister
//!             └───────────────────────┴──────────────── Parked (leases, time limit) ◄──────┘
//!
//!   entry: [ word 0 | 1 | ... | MPTN-1 ]  one register that turns: ICM reads shift in at the top,
//!            └► icm_data   writes shift out at the bottom and round again; fields load in place
//! ```
//! Contract: see `docs/interface.md` for the pins and codes. The command stays on its pins until its transfer:
//! `reg_ready` rises for one cycle when the arguments are judged and, for register, the inline list is written,
//! but before anything a lookup can see. So no command is copied. A refusal is taken with its page list.
//! Order of refusals of register: bad_arg (numbers), bad_window, no_space, then the list: bad_list over bad_arg.
//! deregister: busy, bad_key, stale_key. MTT words of a register refused for its list may have been written.
//!
//! A completion has priority over a new command. A blocked answer holds the machine, not the parked entries.
//! Answers other than register give keys 0; the query fields mean something only in a query answered ok.
//!
//! Latency of register on a free machine, ICM answering after L cycles with a word a cycle:
//! about 35 + 4L + 2 * MPTN + 3 * pages cycles; deregister: about 15 + 2L + 2 * MPTN, then the scan, then the same.

use super::entry::*;
use super::key_alloc::*;
use super::parked::Parked;
use super::prelude::*;
use super::reg_args::RegArgs;

const MAW1: usize = MAW + 1;
const MAW2: usize = MAW + 2;
const MAW3: usize = MAW + 3;
const INLC: usize = INLW + 1;
const K1: usize = K + 1;
const COLD: usize = ENTRYW - MPTLINE;

/// States of the machine.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum RegState {
    Idle,
    Range,
    ReadAsk,
    ReadTake,
    Judge,
    Match,
    Load,
    Args,
    WindowAsk,
    WindowBase,
    WindowLimit,
    WindowJudge,
    WindowOk,
    InlineNext,
    PageCheck,
    PagePut,
    Accept,
    Transfer,
    PageNext,
    Drain,
    PageAcks,
    Raise,
    Kill,
    KillDone,
    Retire,
    LocalKey,
    RemoteKey,
    Write,
    WriteAck,
    SetAsk,
    SetDone,
    PutWindow,
    PutBase,
    PutLimit,
    PutAck,
    Sweep,
    Link,
    Overdue,
    Answer,
}

/// See the module text.
#[derive(LogicBlock)]
pub struct RegPort {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub reg_valid: Signal<In, Bit>,
    pub reg_ready: Signal<Out, Bit>,
    pub reg_op: Signal<In, Bits<5>>,
    pub reg_tag: Signal<In, Bits<8>>,
    pub reg_key: Signal<In, Bits<32>>,
    pub reg_pd: Signal<In, Bits<PDW>>,
    pub reg_iova: Signal<In, Bits<VAW>>,
    pub reg_length: Signal<In, Bits<RLW>>,
    pub reg_access: Signal<In, Bits<32>>,
    pub reg_page: Signal<In, Bits<3>>,
    pub reg_base: Signal<In, Bits<PAW>>,
    pub reg_pages: Signal<In, Bits<PNW>>,
    pub reg_mode: Signal<In, Bits<2>>,
    pub reg_inline: Signal<In, Bits<INL_BEAT>>,
    pub page_valid: Signal<In, Bit>,
    pub page_ready: Signal<Out, Bit>,
    pub page_data: Signal<In, Bits<BEAT>>,
    pub page_last: Signal<In, Bit>,
    pub rsp_valid: Signal<Out, Bit>,
    pub rsp_ready: Signal<In, Bit>,
    pub rsp_tag: Signal<Out, Bits<8>>,
    pub rsp_code: Signal<Out, Bits<4>>,
    pub rsp_lkey: Signal<Out, Bits<32>>,
    pub rsp_rkey: Signal<Out, Bits<32>>,
    pub rsp_state: Signal<Out, Bits<2>>,
    pub rsp_pd: Signal<Out, Bits<PDW>>,
    pub rsp_iova: Signal<Out, Bits<VAW>>,
    pub rsp_length: Signal<Out, Bits<RLW>>,
    pub rsp_access: Signal<Out, Bits<10>>,
    /// Ops of the cache pipe: 0 kill index, 1 epoch flush, 2 kill set.
    pub op_valid: Signal<Out, Bit>,
    pub op_kind: Signal<Out, Bits<2>>,
    pub op_index: Signal<Out, Bits<K>>,
    pub op_set: Signal<Out, Bits<SETW>>,
    /// No lookup may enter (set walk, mode 3).
    pub op_hold: Signal<Out, Bit>,
    pub op_ready: Signal<In, Bit>,
    /// An op left the pipe; all lookups before it have their leases.
    pub op_done: Signal<In, Bit>,
    pub sweep_busy: Signal<In, Bit>,
    pub barrier_active: Signal<Out, Bit>,
    pub barrier_index: Signal<Out, Bits<K>>,
    pub barrier_wait: Signal<Out, Bit>,
    pub starved: Signal<In, Bit>,
    pub cut_valid: Signal<Out, Bits<NPARK>>,
    pub cut_index: Signal<Out, Bits<NPARK_K>>,
    pub cut_epoch: Signal<Out, Bits<NPARK_EPW>>,
    /// MTT fetches of this index and epoch are dropped.
    pub orphan_valid: Signal<Out, Bit>,
    pub orphan_index: Signal<Out, Bits<K>>,
    pub orphan_epoch: Signal<Out, Bits<EPW>>,
    pub scan_slot: Signal<Out, Bits<SLOTW>>,
    pub scan_index: Signal<In, Bits<K>>,
    pub scan_epoch: Signal<In, Bits<EPW>>,
    pub scan_held: Signal<In, Bit>,
    pub scan_walking: Signal<In, Bit>,
    /// The MTT cache forgets `sweep_index`; held until `sweep_done`.
    pub sweep_valid: Signal<Out, Bit>,
    pub sweep_index: Signal<Out, Bits<K>>,
    pub sweep_done: Signal<In, Bit>,
    pub icm_valid: Signal<Out, Bit>,
    pub icm_ready: Signal<In, Bit>,
    pub icm_write: Signal<Out, Bit>,
    pub icm_space: Signal<Out, Bits<2>>,
    pub icm_addr: Signal<Out, Bits<ADW>>,
    pub icm_len: Signal<Out, Bits<4>>,
    pub icm_data: Signal<Out, Bits<BEAT>>,
    pub icm_last: Signal<Out, Bit>,
    pub ricm_valid: Signal<In, Bit>,
    pub ricm_data: Signal<In, Bits<BEAT>>,
    pub ricm_last: Signal<In, Bit>,
    pub event_valid: Signal<Out, Bit>,
    pub event_ready: Signal<In, Bit>,
    pub event_kind: Signal<Out, Bits<4>>,
    pub event_info: Signal<Out, Bits<32>>,
    /// Counter pulses, each one cycle.
    pub count_register: Signal<Out, Bit>,
    pub count_deregister: Signal<Out, Bit>,
    pub count_park: Signal<Out, Bit>,
    pub count_overdue: Signal<Out, Bit>,
    pub count_sweep: Signal<Out, Bit>,
    pub count_flush: Signal<Out, Bit>,
    alloc: KeyAlloc,
    perm: KeyPerm,
    args: RegArgs,
    park: Parked,
    unpack: HotUnpack,
    state: DFF<RegState>,
    entry: DFF<Bits<ENTRYW>>,
    idx: DFF<Bits<K>>,
    left: DFF<Bits<PNW>>,
    addr: DFF<Bits<MAW1>>,
    open: DFF<Bits<4>>,
    code: DFF<Bits<4>>,
    tag: DFF<Bits<8>>,
    op: DFF<Bits<3>>,
    mode: DFF<Bits<2>>,
    job: DFF<Bit>,
    post: DFF<Bit>,
    icnt: DFF<Bits<INLC>>,
    page: DFF<Bits<BEAT>>,
    bad_page: DFF<Bit>,
    low_ok: DFF<Bit>,
    put: DFF<Bit>,
    pop: DFF<Bit>,
    arm: DFF<Bit>,
    grab: DFF<Bit>,
    give: DFF<Bit>,
    beyond: DFF<Bit>,
    sel: DFF<Bits<2>>,
    step: DFF<Bit>,
    early: DFF<Bit>,
    same_key: DFF<Bit>,
    tired: DFF<Bit>,
    beat: DFF<Bits<4>>,
    space: DFF<Bits<2>>,
    write: DFF<Bit>,
    ask: DFF<Bit>,
    second: DFF<Bit>,
    ready: DFF<Bit>,
    pready: DFF<Bit>,
    opv: DFF<Bit>,
    opk: DFF<Bits<2>>,
    hold: DFF<Bit>,
    bar: DFF<Bit>,
    orphan: DFF<Bit>,
    sweep: DFF<Bit>,
    rspv: DFF<Bit>,
    evv: DFF<Bit>,
    evk: DFF<Bits<4>>,
    // views of the entry and the key
    hot: Signal<Local, MptHot>,
    img: Signal<Local, MptHot>,
    hotbits: Signal<Local, Bits<HOTB>>,
    cold: Signal<Local, Bits<COLD>>,
    image: Signal<Local, Bits<ENTRYW>>,
    generation: Signal<Local, Bits<24>>,
    next: Signal<Local, Bits<K>>,
    img_gen: Signal<Local, Bits<24>>,
    img_next: Signal<Local, Bits<K>>,
    worn: Signal<Local, Bits<24>>,
    key_low: Signal<Local, Bits<8>>,
    key_high: Signal<Local, Bits<SECW>>,
    key: Signal<Local, Bits<KEYW>>,
    key_index: Signal<Local, Bits<K>>,
    shown: Signal<Local, Bits<K>>,
    middle: Signal<Local, Bits<32>>,
    side_low: Signal<Local, Bits<8>>,
    side_high: Signal<Local, Bits<SECW>>,
    side_low2: Signal<Local, Bits<8>>,
    side_high2: Signal<Local, Bits<SECW>>,
    half: Signal<Local, MptHot>,
    rights: Signal<Local, Bits<9>>,
    rspright: Signal<Local, Bits<9>>,
    lk: Signal<Local, Bits<KEYW>>,
    rk: Signal<Local, Bits<KEYW>>,
    newep: Signal<Local, Bits<EPW>>,
    newgen: Signal<Local, Bits<24>>,
    shift: Signal<Local, Bit>,
    take: Signal<Local, Bit>,
    top: Signal<Local, Bits<BEAT>>,
    // addresses and pages
    add: Signal<Local, Bits<MAW1>>,
    addv: Signal<Local, Bit>,
    first: Signal<Local, Bit>,
    cin: Signal<Local, Bits<1>>,
    inv: Signal<Local, Bits<MAW1>>,
    diff: Signal<Local, Bits<MAW3>>,
    geq: Signal<Local, Bit>,
    shelf: [Signal<Local, Bits<INL_BEAT>>; INL],
    inline: Signal<Local, Bits<BEAT>>,
    frame: Signal<Local, Bits<FRW>>,
    odd: Signal<Local, Bits<FRW>>,
    align: Signal<Local, Bits<FRW>>,
    missing: Signal<Local, Bit>,
    zb: Signal<Local, Bit>,
    iova_low: Signal<Local, Bits<PAW>>,
    crooked: Signal<Local, Bit>,
    opened: Signal<Local, Bit>,
    closed: Signal<Local, Bit>,
    sent: Signal<Local, Bit>,
    set: Signal<Local, Bits<SETW>>,
    // the command has a page list on its stream
    listed: DFF<Bit>,
    // constants of the configuration
    gen_at: Constant<Bits<12>>,
    cold_at: Constant<Bits<12>>,
    next_at: Constant<Bits<12>>,
    top_at: Constant<Bits<12>>,
    beat_bits: Constant<Bits<12>>,
    sec_at: Constant<Bits<6>>,
    mpta: Constant<Bits<4>>,
    mlen: Constant<Bits<4>>,
    top_bit: Constant<Bits<8>>,
    mrs: Constant<Bits<K1>>,
    inl: Constant<Bits<INLC>>,
    inlp: Constant<Bits<PNW>>,
    gen_mask: Constant<Bits<24>>,
    keep: Constant<Bits<ENTRYW>>,
    mask1: Constant<Bits<FRW>>,
    mask2: Constant<Bits<FRW>>,
    mask3: Constant<Bits<FRW>>,
}

/// Ones from bit `from` up to, without, bit `to`.
fn span<const W: usize>(from: usize, to: usize) -> Constant<Bits<W>> {
    let mut b: Bits<W> = 0.into();
    for i in from..to.min(W) {
        b = b.replace_bit(i, true);
    }
    Constant::new(b)
}

/// Bits of the entry that no command loads: they must turn with the rest.
fn untouched() -> Constant<Bits<ENTRYW>> {
    let mut b: Bits<ENTRYW> = 0.into();
    for i in (HOTB..MPTLINE).chain(MPTLINE + GENW + K..ENTRYW) {
        b = b.replace_bit(i, true);
    }
    Constant::new(b)
}

impl Default for RegPort {
    fn default() -> Self {
        let at = |i: usize| Constant::new(Bits::<12>::from(AT[i] as u64));
        Self {
            clock: Default::default(),
            reset: Default::default(),
            reg_valid: Default::default(),
            reg_ready: Default::default(),
            reg_op: Default::default(),
            reg_tag: Default::default(),
            reg_key: Default::default(),
            reg_pd: Default::default(),
            reg_iova: Default::default(),
            reg_length: Default::default(),
            reg_access: Default::default(),
            reg_page: Default::default(),
            reg_base: Default::default(),
            reg_pages: Default::default(),
            reg_mode: Default::default(),
            reg_inline: Default::default(),
            page_valid: Default::default(),
            page_ready: Default::default(),
            page_data: Default::default(),
            page_last: Default::default(),
            rsp_valid: Default::default(),
            rsp_ready: Default::default(),
            rsp_tag: Default::default(),
            rsp_code: Default::default(),
            rsp_lkey: Default::default(),
            rsp_rkey: Default::default(),
            rsp_state: Default::default(),
            rsp_pd: Default::default(),
            rsp_iova: Default::default(),
            rsp_length: Default::default(),
            rsp_access: Default::default(),
            op_valid: Default::default(),
            op_kind: Default::default(),
            op_index: Default::default(),
            op_set: Default::default(),
            op_hold: Default::default(),
            op_ready: Default::default(),
            op_done: Default::default(),
            sweep_busy: Default::default(),
            barrier_active: Default::default(),
            barrier_index: Default::default(),
            barrier_wait: Default::default(),
            starved: Default::default(),
            cut_valid: Default::default(),
            cut_index: Default::default(),
            cut_epoch: Default::default(),
            orphan_valid: Default::default(),
            orphan_index: Default::default(),
            orphan_epoch: Default::default(),
            scan_slot: Default::default(),
            scan_index: Default::default(),
            scan_epoch: Default::default(),
            scan_held: Default::default(),
            scan_walking: Default::default(),
            sweep_valid: Default::default(),
            sweep_index: Default::default(),
            sweep_done: Default::default(),
            icm_valid: Default::default(),
            icm_ready: Default::default(),
            icm_write: Default::default(),
            icm_space: Default::default(),
            icm_addr: Default::default(),
            icm_len: Default::default(),
            icm_data: Default::default(),
            icm_last: Default::default(),
            ricm_valid: Default::default(),
            ricm_data: Default::default(),
            ricm_last: Default::default(),
            event_valid: Default::default(),
            event_ready: Default::default(),
            event_kind: Default::default(),
            event_info: Default::default(),
            count_register: Default::default(),
            count_deregister: Default::default(),
            count_park: Default::default(),
            count_overdue: Default::default(),
            count_sweep: Default::default(),
            count_flush: Default::default(),
            alloc: Default::default(),
            perm: Default::default(),
            args: Default::default(),
            park: Default::default(),
            unpack: Default::default(),
            state: Default::default(),
            entry: Default::default(),
            idx: Default::default(),
            left: Default::default(),
            addr: Default::default(),
            open: Default::default(),
            code: Default::default(),
            tag: Default::default(),
            op: Default::default(),
            mode: Default::default(),
            job: Default::default(),
            post: Default::default(),
            icnt: Default::default(),
            page: Default::default(),
            bad_page: Default::default(),
            low_ok: Default::default(),
            put: Default::default(),
            pop: Default::default(),
            arm: Default::default(),
            grab: Default::default(),
            give: Default::default(),
            beyond: Default::default(),
            sel: Default::default(),
            step: Default::default(),
            early: Default::default(),
            same_key: Default::default(),
            tired: Default::default(),
            beat: Default::default(),
            space: Default::default(),
            write: Default::default(),
            ask: Default::default(),
            second: Default::default(),
            ready: Default::default(),
            pready: Default::default(),
            opv: Default::default(),
            opk: Default::default(),
            hold: Default::default(),
            bar: Default::default(),
            orphan: Default::default(),
            sweep: Default::default(),
            rspv: Default::default(),
            evv: Default::default(),
            evk: Default::default(),
            hot: Default::default(),
            img: Default::default(),
            hotbits: Default::default(),
            cold: Default::default(),
            image: Default::default(),
            generation: Default::default(),
            next: Default::default(),
            img_gen: Default::default(),
            img_next: Default::default(),
            worn: Default::default(),
            key_low: Default::default(),
            key_high: Default::default(),
            key: Default::default(),
            key_index: Default::default(),
            shown: Default::default(),
            middle: Default::default(),
            side_low: Default::default(),
            side_high: Default::default(),
            side_low2: Default::default(),
            side_high2: Default::default(),
            half: Default::default(),
            rights: Default::default(),
            rspright: Default::default(),
            lk: Default::default(),
            rk: Default::default(),
            newep: Default::default(),
            newgen: Default::default(),
            shift: Default::default(),
            take: Default::default(),
            top: Default::default(),
            add: Default::default(),
            addv: Default::default(),
            first: Default::default(),
            cin: Default::default(),
            inv: Default::default(),
            diff: Default::default(),
            geq: Default::default(),
            shelf: std::array::from_fn(|_| Default::default()),
            inline: Default::default(),
            frame: Default::default(),
            odd: Default::default(),
            align: Default::default(),
            missing: Default::default(),
            zb: Default::default(),
            iova_low: Default::default(),
            crooked: Default::default(),
            opened: Default::default(),
            closed: Default::default(),
            sent: Default::default(),
            set: Default::default(),
            listed: Default::default(),
            gen_at: at(13),
            cold_at: Constant::new(Bits::<12>::from(MPTLINE as u64)),
            next_at: at(14),
            top_at: Constant::new(Bits::<12>::from((ENTRYW - BEAT) as u64)),
            beat_bits: Constant::new(Bits::<12>::from(BEAT as u64)),
            sec_at: Constant::new(Bits::<6>::from(8 + K as u64)),
            mpta: Constant::new(Bits::<4>::from(MPTA as u64)),
            mlen: Constant::new(Bits::<4>::from(MPTN as u64 - 1)),
            top_bit: Constant::new(Bits::<8>::from(MAW2 as u64)),
            mrs: Constant::new(Bits::<K1>::from(MRS as u64)),
            inl: Constant::new(Bits::<INLC>::from(INL as u64)),
            inlp: Constant::new(Bits::<PNW>::from(INL as u64)),
            gen_mask: span(GENK, 24),
            keep: untouched(),
            mask1: span(0, 4),
            mask2: span(0, 9),
            mask3: span(0, 18),
        }
    }
}

impl Logic for RegPort {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, state, entry, idx, left, addr, open, code, tag, op, mode, job, post, icnt, page, bad_page, low_ok, beyond, sel, step, early,
            put, pop, arm, grab, give, same_key, tired, listed, beat, space, write, ask, second, ready, pready, opv, opk, hold, bar, orphan, sweep, rspv, evv, evk
        );
        self.alloc.clock.next = self.clock.val();
        self.alloc.reset.next = self.reset.val();
        self.args.clock.next = self.clock.val();
        self.args.reset.next = self.reset.val();
        self.park.clock.next = self.clock.val();
        self.park.reset.next = self.reset.val();

        // ---- views
        self.unpack.line.next = self.entry.q.val().get_bits::<MPTLINE>(0);
        self.hot.next = self.unpack.hot.val();
        self.generation.next = self.entry.q.val().get_bits::<24>(self.gen_at.val().index());
        self.next.next = self.entry.q.val().get_bits::<K>(self.next_at.val().index());
        self.key_low.next = self.reg_key.val().get_bits::<8>(0);
        self.key_index.next = self.reg_key.val().get_bits::<K>(8);
        self.key_high.next = self.reg_key.val().get_bits::<SECW>(self.sec_at.val().index());
        self.key.next = (bit_cast::<KEYW, SECW>(self.key_high.val()) << 8) | bit_cast::<KEYW, 8>(self.key_low.val());
        self.same_key.d.next = (self.hot.val().rkey == self.key.val()) || (self.hot.val().lkey == self.key.val());
        self.rights.next = (bit_cast::<9, 2>(self.reg_access.val().get_bits::<2>(8)) << 7)
            | bit_cast::<9, 7>(self.reg_access.val().get_bits::<7>(0));
        self.worn.next = self.generation.val() | self.gen_mask.val();
        self.tired.d.next = self.worn.val().all();
        self.newep.next = self.hot.val().epoch + 1;
        self.newgen.next = self.generation.val() + 1;
        self.perm.generation.next = self.generation.val();
        self.perm.side.next = self.state.q.val() == RegState::RemoteKey;

        // ---- fields that load in place
        self.img.next = self.hot.val();
        self.img_gen.next = self.generation.val();
        self.img_next.next = self.next.val();
        self.shift.next = false;
        self.take.next = false;

        // ---- arguments
        self.args.go.next = false;
        self.args.start.next = self.hot.val().start;
        self.args.length.next = self.hot.val().length;
        self.args.page.next = self.hot.val().page;
        self.args.pages.next = self.left.q.val();
        self.args.access.next = self.reg_access.val();
        self.listed.d.next = self.reg_pages.val() > self.inlp.val();

        // ---- allocation, parking: pulses in registers
        self.alloc.take.next = self.grab.q.val();
        self.grab.d.next = false;
        self.alloc.take_next.next = self.next.val();
        self.alloc.give.next = self.give.q.val();
        self.give.d.next = false;
        self.alloc.give_index.next = self.idx.q.val();
        self.park.put.next = self.put.q.val();
        self.put.d.next = false;
        self.park.put_index.next = self.idx.q.val();
        self.park.put_epoch.next = self.hot.val().epoch;
        self.park.put_tag.next = self.tag.q.val();
        self.park.put_mode.next = self.mode.q.val();
        self.park.arm.next = self.arm.q.val();
        self.arm.d.next = false;
        self.park.pop_index.next = self.idx.q.val();
        self.park.pop.next = self.pop.q.val();
        self.pop.d.next = false;
        self.park.scan_index.next = self.scan_index.val();
        self.park.scan_epoch.next = self.scan_epoch.val();
        self.park.scan_held.next = self.scan_held.val();
        self.park.scan_walking.next = self.scan_walking.val();

        // ---- ICM: `space` also chooses address and data
        self.sent.next = self.ask.q.val() && self.icm_ready.val();
        self.icm_valid.next = self.ask.q.val();
        self.icm_write.next = self.write.q.val();
        self.icm_space.next = self.space.q.val();
        self.icm_addr.next = bit_cast::<ADW, K>(self.idx.q.val()) << self.mpta.val();
        self.icm_len.next = self.mlen.val();
        self.icm_data.next = self.entry.q.val().get_bits::<BEAT>(0);
        self.icm_last.next = !self.write.q.val() || (self.beat.q.val() == self.mlen.val());
        if self.space.q.val() == 1 {
            self.icm_addr.next = bit_cast::<ADW, MAW>(self.addr.q.val().get_bits::<MAW>(0));
            self.icm_len.next = 0.into();
            self.icm_data.next = self.page.q.val();
            self.icm_last.next = true;
        }
        if self.space.q.val() == 2 {
            self.icm_addr.next = bit_cast::<ADW, PDW>(self.reg_pd.val()) << 1;
            self.icm_len.next = 1.into();
            self.icm_data.next = bit_cast::<BEAT, MAW1>(self.addr.q.val());
            self.icm_last.next = !self.write.q.val() || self.second.q.val();
        }

        // ---- one adder for base, base + pages, + 1; one comparator: addr >= word, or addr > word
        // (its control is registered: the sum stands two cycles after the state that asks for it)
        self.step.d.next = false;
        self.add.next = 1.into();
        if self.sel.q.val() == 1 {
            self.add.next = bit_cast::<MAW1, MAW>(self.reg_base.val().get_bits::<MAW>(0));
        }
        if self.sel.q.val() == 2 {
            self.add.next = bit_cast::<MAW1, PNW>(self.reg_pages.val());
        }
        self.addv.next = self.step.q.val() || (self.early.q.val() && self.ricm_valid.val());
        self.first.next = !self.second.q.val();
        self.cin.next = self.first.val().into();
        self.inv.next = !self.ricm_data.val().get_bits::<MAW1>(0);
        self.diff.next = ((bit_cast::<MAW3, MAW1>(self.addr.q.val()) << 1) | bit_cast::<MAW3, 1>(self.cin.val()))
            + ((bit_cast::<MAW3, MAW1>(self.inv.val()) << 1) | bit_cast::<MAW3, 1>(self.cin.val()));
        self.geq.next = self.diff.val().get_bit(self.top_bit.val().index());

        // ---- pages
        self.shelf[0].next = self.reg_inline.val();
        for i in 1..INL {
            self.shelf[i].next = self.shelf[i - 1].val() >> self.beat_bits.val();
        }
        self.inline.next = 0.into();
        for i in 0..INL {
            if self.icnt.q.val() == i.to_bits() {
                self.inline.next = self.shelf[i].val().get_bits::<BEAT>(0);
            }
        }
        self.frame.next = self.page.q.val().get_bits::<FRW>(2);
        self.align.next = 0.into();
        if self.hot.val().page == 1 {
            self.align.next = self.mask1.val();
        }
        if self.hot.val().page == 2 {
            self.align.next = self.mask2.val();
        }
        if self.hot.val().page == 3 {
            self.align.next = self.mask3.val();
        }
        self.odd.next = self.frame.val() & self.align.val();
        self.missing.next = !self.page.q.val().get_bit(0) || !self.page.q.val().get_bit(1);
        self.half.next = self.hot.val();
        self.rspright.next = self.half.val().rights;
        self.crooked.next = (self.missing.val() && !self.rspright.val().get_bit(6))
            || (self.odd.val().any() && self.page.q.val().get_bit(0));
        self.opened.next = false;
        self.closed.next = self.ricm_valid.val() && self.open.q.val().any();
        self.set.next = self.addr.q.val().get_bits::<SETW>(0);

        // ---- counters
        self.count_register.next = false;
        self.count_deregister.next = false;
        self.count_park.next = false;
        self.count_overdue.next = false;
        self.count_sweep.next = false;
        self.count_flush.next = false;

        self.orphan.d.next = false;
        if self.event_ready.val() {
            self.evv.d.next = false;
        }

        self.zb.next = self.reg_access.val().get_bit(5);
        self.iova_low.next = self.reg_iova.val().get_bits::<PAW>(0);
        match self.state.q.val() {
            RegState::Idle => {
                self.left.d.next = self.reg_pages.val();
                self.addr.d.next = 0.into();
                self.open.d.next = 0.into();
                self.icnt.d.next = 0.into();
                self.beat.d.next = 0.into();
                self.space.d.next = 0.into();
                self.code.d.next = 0.into();
                self.opk.d.next = 0.into();
                self.write.d.next = false;
                self.second.d.next = false;
                self.bad_page.d.next = false;
                self.post.d.next = false;
                self.op.d.next = self.reg_op.val().get_bits::<3>(0);
                self.mode.d.next = self.reg_mode.val();
                self.job.d.next = self.park.done_valid.val();
                self.img.next.rkey = 0.into();
                self.img.next.lkey = 0.into();
                self.idx.d.next = self.key_index.val();
                if self.reg_op.val() == 0 {
                    self.idx.d.next = self.alloc.pick.val();
                }
                if self.park.done_valid.val() {
                    self.idx.d.next = self.park.done_index.val();
                    self.tag.d.next = self.park.done_tag.val();
                }
                if !self.evv.q.val() {
                    if self.park.done_valid.val() {
                        self.state.d.next = RegState::ReadAsk;
                        if self.park.done_over.val() {
                            self.state.d.next = RegState::Overdue;
                        }
                    } else if self.reg_valid.val() {
                        self.state.d.next = RegState::Range;
                        if self.reg_op.val() == 0 {
                            self.state.d.next = RegState::ReadAsk;
                            if !self.alloc.avail.val() {
                                self.state.d.next = RegState::Load;
                            }
                        }
                        if (self.reg_op.val() == 1) && !self.park.room.val() {
                            self.code.d.next = 7.into();
                            self.state.d.next = RegState::Accept;
                        }
                        if self.reg_op.val() == 3 {
                            if self.reg_mode.val() == 1 {
                                self.opk.d.next = 1.into();
                                self.state.d.next = RegState::Raise;
                            }
                            if self.reg_mode.val().get_bit(1) {
                                self.opk.d.next = 2.into();
                                self.hold.d.next = self.reg_mode.val().get_bit(0);
                                self.state.d.next = RegState::SetAsk;
                            }
                        }
                        if self.reg_op.val() == 4 {
                            self.state.d.next = RegState::PutWindow;
                        }
                        if self.reg_op.val() > 4 {
                            self.op.d.next = 7.into();
                            self.code.d.next = 9.into();
                            self.state.d.next = RegState::Accept;
                        }
                    }
                }
            }
            RegState::Range => {
                self.state.d.next = RegState::ReadAsk;
                if !self.idx.q.val().any() || (bit_cast::<K1, K>(self.idx.q.val()) >= self.mrs.val()) {
                    self.code.d.next = 2.into();
                    self.state.d.next = RegState::Accept;
                }
            }
            // ---- read the entry
            RegState::ReadAsk => {
                self.ask.d.next = true;
                if self.sent.val() {
                    self.ask.d.next = false;
                    self.state.d.next = RegState::ReadTake;
                }
            }
            RegState::ReadTake => {
                self.take.next = true;
                self.shift.next = self.ricm_valid.val();
                if self.ricm_valid.val() && self.ricm_last.val() {
                    self.state.d.next = RegState::Judge;
                }
            }
            RegState::Judge => {
                self.state.d.next = RegState::Match;
                if self.job.q.val() {
                    self.state.d.next = RegState::Link;
                    if !self.hot.val().epoch.any() {
                        self.sweep.d.next = true;
                        self.count_sweep.next = true;
                        self.state.d.next = RegState::Sweep;
                    }
                } else if self.op.q.val() == 0 {
                    self.state.d.next = RegState::Load;
                }
            }
            // ---- key of a deregister, query or flush
            RegState::Match => {
                self.img.next.rkey = 0.into();
                self.img.next.lkey = 0.into();
                self.state.d.next = RegState::Accept;
                if self.hot.val().state == 0 {
                    self.code.d.next = 2.into();
                } else if self.hot.val().state == 3 {
                    if !self.same_key.q.val() {
                        self.code.d.next = 3.into();
                    } else if self.op.q.val() == 3 {
                        self.state.d.next = RegState::Kill;
                    }
                } else if self.op.q.val() != 2 {
                    self.code.d.next = 3.into();
                }
            }
            // ---- register
            RegState::Load => {
                self.img.next.rkey = 0.into();
                self.img.next.lkey = 0.into();
                self.img.next.state = 3.into();
                self.img.next.kind = 0.into();
                self.img.next.rights = self.rights.val();
                self.img.next.page = self.reg_page.val();
                self.img.next.pd = self.reg_pd.val();
                self.img.next.start = self.reg_iova.val();
                self.img.next.length = self.reg_length.val();
                // contiguous: what is added to an address to get the physical one
                self.img.next.base = self.reg_base.val();
                if (self.reg_page.val() == 4) & !self.zb.val() {
                    self.img.next.base = self.reg_base.val() - self.iova_low.val();
                }
                self.args.go.next = true;
                self.state.d.next = RegState::Args;
            }
            RegState::Args => {
                if self.args.done.val() {
                    self.state.d.next = RegState::Accept;
                    if !self.args.ok.val() {
                        self.code.d.next = 1.into();
                    } else if self.left.q.val().any() {
                        self.sel.d.next = 1.into();
                        self.step.d.next = true;
                        self.space.d.next = 2.into();
                        self.state.d.next = RegState::WindowAsk;
                    } else {
                        self.state.d.next = RegState::WindowOk;
                    }
                }
            }
            RegState::WindowAsk => {
                self.ask.d.next = true;
                if self.sent.val() {
                    self.ask.d.next = false;
                    self.sel.d.next = 2.into();
                    self.early.d.next = true;
                    self.state.d.next = RegState::WindowBase;
                }
            }
            RegState::WindowBase => {
                self.low_ok.d.next = self.geq.val();
                if self.ricm_valid.val() {
                    self.second.d.next = true;
                    self.early.d.next = false;
                    self.state.d.next = RegState::WindowLimit;
                }
            }
            RegState::WindowLimit => {
                self.beyond.d.next = self.geq.val();
                if self.ricm_valid.val() {
                    self.addr.d.next = 0.into();
                    self.state.d.next = RegState::WindowJudge;
                }
            }
            RegState::WindowJudge => {
                self.state.d.next = RegState::WindowOk;
                if self.beyond.q.val() || !self.low_ok.q.val() {
                    self.code.d.next = 4.into();
                    self.state.d.next = RegState::Accept;
                }
            }
            RegState::WindowOk => {
                self.sel.d.next = 1.into();
                self.step.d.next = true;
                self.space.d.next = 1.into();
                self.write.d.next = true;
                self.state.d.next = RegState::InlineNext;
                if !self.alloc.avail.val() {
                    self.code.d.next = 6.into();
                    self.evv.d.next = true;
                    self.evk.d.next = 3.into();
                    self.state.d.next = RegState::Accept;
                }
            }
            RegState::InlineNext => {
                self.page.d.next = self.inline.val();
                self.icnt.d.next = self.icnt.q.val() + 1;
                self.state.d.next = RegState::PageCheck;
                if !self.left.q.val().any() || (self.icnt.q.val() == self.inl.val()) {
                    self.state.d.next = RegState::Accept;
                }
            }
            RegState::PageCheck => {
                self.bad_page.d.next = self.bad_page.q.val() || self.crooked.val();
                self.state.d.next = RegState::PagePut;
            }
            RegState::PagePut => {
                self.ask.d.next = !self.bad_page.q.val() && (self.ask.q.val() || !self.open.q.val().get_bit(3));
                self.opened.next = self.sent.val();
                if self.sent.val() || self.bad_page.q.val() {
                    self.ask.d.next = false;
                    self.left.d.next = self.left.q.val() - 1;
                    self.sel.d.next = 0.into();
                    self.step.d.next = true;
                    self.state.d.next = RegState::InlineNext;
                    if self.post.q.val() {
                        self.state.d.next = RegState::PageNext;
                    }
                }
            }
            // ---- the command leaves its pins
            RegState::Accept => {
                self.ready.d.next = true;
                self.state.d.next = RegState::Transfer;
            }
            RegState::Transfer => {
                self.ready.d.next = false;
                self.tag.d.next = self.reg_tag.val();
                self.post.d.next = true;
                self.state.d.next = RegState::Answer;
                if self.op.q.val() == 0 {
                    if !self.code.q.val().any() {
                        self.state.d.next = RegState::PageNext;
                    } else if self.listed.q.val() {
                        self.state.d.next = RegState::Drain;
                    }
                }
                if (self.op.q.val() == 1) && !self.code.q.val().any() {
                    self.put.d.next = true;
                    self.state.d.next = RegState::Raise;
                }
            }
            RegState::PageNext => {
                self.page.d.next = self.page_data.val();
                if !self.left.q.val().any() {
                    self.state.d.next = RegState::PageAcks;
                } else {
                    self.pready.d.next = true;
                    if self.pready.q.val() && self.page_valid.val() {
                        self.pready.d.next = false;
                        self.state.d.next = RegState::PageCheck;
                        if self.page_last.val() && (self.left.q.val() != 1) {
                            self.code.d.next = 5.into();
                            self.state.d.next = RegState::PageAcks;
                        }
                        if !self.page_last.val() && (self.left.q.val() == 1) {
                            self.code.d.next = 5.into();
                            self.state.d.next = RegState::Drain;
                        }
                    }
                }
            }
            RegState::Drain => {
                self.pready.d.next = true;
                if self.pready.q.val() && self.page_valid.val() && self.page_last.val() {
                    self.pready.d.next = false;
                    self.state.d.next = RegState::PageAcks;
                }
            }
            RegState::PageAcks => {
                if !self.open.q.val().any() {
                    self.space.d.next = 0.into();
                    self.state.d.next = RegState::Raise;
                    if self.code.q.val().any() {
                        self.state.d.next = RegState::Answer;
                    } else if self.bad_page.q.val() {
                        self.code.d.next = 1.into();
                        self.state.d.next = RegState::Answer;
                    }
                }
            }
            // ---- linearization
            RegState::Raise => {
                if self.opk.q.val().any() {
                    if !self.sweep_busy.val() {
                        self.state.d.next = RegState::Kill;
                    }
                } else if !self.starved.val() && !self.put.q.val() {
                    self.bar.d.next = true;
                    self.state.d.next = RegState::Kill;
                }
            }
            RegState::Kill => {
                self.opv.d.next = true;
                if self.opv.q.val() && self.op_ready.val() {
                    self.opv.d.next = false;
                    self.state.d.next = RegState::KillDone;
                }
            }
            RegState::KillDone => {
                if self.op_done.val() {
                    self.state.d.next = RegState::LocalKey;
                    if self.op.q.val() == 1 {
                        self.orphan.d.next = self.mode.q.val() != 1;
                        self.state.d.next = RegState::Retire;
                    }
                    if self.op.q.val() == 3 {
                        self.count_flush.next = true;
                        self.state.d.next = RegState::Accept;
                    }
                }
            }
            RegState::Retire => {
                self.img.next.state = 1.into();
                self.img.next.epoch = self.newep.val();
                self.img_gen.next = self.newgen.val();
                self.write.d.next = true;
                self.state.d.next = RegState::Write;
            }
            RegState::LocalKey => {
                self.img.next.lkey = self.perm.key.val();
                self.state.d.next = RegState::RemoteKey;
            }
            RegState::RemoteKey => {
                self.img.next.rkey = self.perm.key.val();
                self.state.d.next = RegState::Write;
            }
            RegState::Write => {
                self.ask.d.next = true;
                self.shift.next = self.sent.val();
                if self.sent.val() {
                    self.beat.d.next = self.beat.q.val() + 1;
                    if self.beat.q.val() == self.mlen.val() {
                        self.ask.d.next = false;
                        self.state.d.next = RegState::WriteAck;
                    }
                }
            }
            RegState::WriteAck => {
                if self.ricm_valid.val() {
                    self.bar.d.next = false;
                    self.state.d.next = RegState::Answer;
                    if self.job.q.val() {
                        self.give.d.next = true;
                        self.pop.d.next = true;
                        self.count_deregister.next = true;
                    } else if self.op.q.val() == 1 {
                        self.arm.d.next = true;
                        self.count_park.next = true;
                        self.state.d.next = RegState::Idle;
                    } else {
                        self.grab.d.next = true;
                        self.count_register.next = true;
                    }
                }
            }
            // ---- flush by sets: one op every other cycle
            RegState::SetAsk => {
                self.opv.d.next = self.opv.q.val() || !self.open.q.val().get_bit(3);
                if self.opv.q.val() && self.op_ready.val() {
                    self.opv.d.next = false;
                    self.opened.next = true;
                    self.sel.d.next = 0.into();
                    self.step.d.next = true;
                    if self.set.val().all() {
                        self.state.d.next = RegState::SetDone;
                    }
                }
                self.closed.next = self.op_done.val();
            }
            RegState::SetDone => {
                self.closed.next = self.op_done.val();
                if !self.open.q.val().any() {
                    self.hold.d.next = false;
                    self.count_flush.next = true;
                    self.state.d.next = RegState::Accept;
                }
            }
            // ---- window of a PD
            RegState::PutWindow => {
                self.sel.d.next = 1.into();
                self.step.d.next = true;
                self.space.d.next = 2.into();
                self.write.d.next = true;
                self.state.d.next = RegState::PutBase;
            }
            RegState::PutBase => {
                self.ask.d.next = true;
                if self.sent.val() {
                    self.sel.d.next = 2.into();
                    self.step.d.next = true;
                    self.second.d.next = true;
                    self.ask.d.next = false;
                    self.state.d.next = RegState::PutLimit;
                }
            }
            RegState::PutLimit => {
                self.ask.d.next = true;
                if self.sent.val() {
                    self.ask.d.next = false;
                    self.state.d.next = RegState::PutAck;
                }
            }
            RegState::PutAck => {
                if self.ricm_valid.val() {
                    self.state.d.next = RegState::Accept;
                }
            }
            // ---- completions
            RegState::Sweep => {
                if self.sweep_done.val() {
                    self.sweep.d.next = false;
                    self.state.d.next = RegState::Link;
                }
            }
            RegState::Link => {
                self.img_next.next = self.alloc.head.val();
                self.write.d.next = true;
                self.state.d.next = RegState::Write;
                if self.tired.q.val() {
                    self.pop.d.next = true;
                    self.count_deregister.next = true;
                    self.state.d.next = RegState::Answer;
                }
            }
            RegState::Overdue => {
                self.evv.d.next = true;
                self.evk.d.next = 2.into();
                self.code.d.next = 8.into();
                self.pop.d.next = true;
                self.count_overdue.next = true;
                self.state.d.next = RegState::Answer;
            }
            RegState::Answer => {
                self.rspv.d.next = true;
                if self.rspv.q.val() && self.rsp_ready.val() {
                    self.rspv.d.next = false;
                    self.state.d.next = RegState::Idle;
                }
            }
        }

        // ---- the entry register
        self.hotbits.next = self.img.val().into();
        self.cold.next = bit_cast::<COLD, 24>(self.img_gen.val())
            | (bit_cast::<COLD, K>(self.img_next.val()) << 24);
        self.image.next = (self.entry.q.val() & self.keep.val())
            | bit_cast::<ENTRYW, HOTB>(self.hotbits.val())
            | (bit_cast::<ENTRYW, COLD>(self.cold.val()) << self.cold_at.val());
        self.top.next = self.entry.q.val().get_bits::<BEAT>(0);
        if self.take.val() {
            self.top.next = self.ricm_data.val();
        }
        self.entry.d.next = self.image.val();
        if self.shift.val() {
            self.entry.d.next = (self.entry.q.val() >> self.beat_bits.val()) | (bit_cast::<ENTRYW, BEAT>(self.top.val()) << self.top_at.val());
        }
        if self.addv.val() {
            self.addr.d.next = self.addr.q.val() + self.add.val();
        }
        if self.opened.val() && !self.closed.val() {
            self.open.d.next = self.open.q.val() + 1;
        }
        if self.closed.val() && !self.opened.val() {
            self.open.d.next = self.open.q.val() - 1;
        }

        // ---- pins
        self.reg_ready.next = self.ready.q.val();
        self.page_ready.next = self.pready.q.val();
        self.rsp_valid.next = self.rspv.q.val();
        self.rsp_tag.next = self.tag.q.val();
        self.rsp_code.next = self.code.q.val();
        self.shown.next = 0.into();
        if (self.op.q.val() == 0) && !self.code.q.val().any() && !self.job.q.val() {
            self.shown.next = self.idx.q.val();
        }
        self.middle.next = bit_cast::<32, K>(self.shown.val()) << 8;
        self.lk.next = self.half.val().lkey;
        self.rk.next = self.half.val().rkey;
        self.side_low.next = self.lk.val().get_bits::<8>(0);
        self.side_high.next = self.lk.val().get_bits::<SECW>(8);
        self.side_low2.next = self.rk.val().get_bits::<8>(0);
        self.side_high2.next = self.rk.val().get_bits::<SECW>(8);
        self.rsp_lkey.next =
            (bit_cast::<32, SECW>(self.side_high.val()) << self.sec_at.val()) | self.middle.val() | bit_cast::<32, 8>(self.side_low.val());
        self.rsp_rkey.next =
            (bit_cast::<32, SECW>(self.side_high2.val()) << self.sec_at.val()) | self.middle.val() | bit_cast::<32, 8>(self.side_low2.val());
        self.rsp_state.next = self.half.val().state;
        self.rsp_pd.next = self.half.val().pd;
        self.rsp_iova.next = self.half.val().start;
        self.rsp_length.next = self.half.val().length;
        self.rsp_access.next = (bit_cast::<10, 2>(self.rspright.val().get_bits::<2>(7)) << 8)
            | bit_cast::<10, 7>(self.rspright.val().get_bits::<7>(0));
        self.op_valid.next = self.opv.q.val();
        self.op_kind.next = self.opk.q.val();
        self.op_index.next = self.idx.q.val();
        self.op_set.next = self.set.val();
        self.op_hold.next = self.hold.q.val();
        self.barrier_active.next = self.bar.q.val();
        self.barrier_index.next = self.idx.q.val();
        self.barrier_wait.next = false;
        self.cut_valid.next = self.park.cut_valid.val();
        self.cut_index.next = self.park.cut_index.val();
        self.cut_epoch.next = self.park.cut_epoch.val();
        self.orphan_valid.next = self.orphan.q.val();
        self.orphan_index.next = self.idx.q.val();
        self.orphan_epoch.next = self.half.val().epoch;
        self.scan_slot.next = self.park.scan_slot.val();
        self.sweep_valid.next = self.sweep.q.val();
        self.sweep_index.next = self.idx.q.val();
        self.event_valid.next = self.evv.q.val();
        self.event_kind.next = self.evk.q.val();
        self.event_info.next = bit_cast::<32, K>(self.idx.q.val());

        if self.reset.val() {
            self.state.d.next = RegState::Idle;
            self.ready.d.next = false;
            self.pready.d.next = false;
            self.ask.d.next = false;
            self.step.d.next = false;
            self.early.d.next = false;
            self.opv.d.next = false;
            self.hold.d.next = false;
            self.bar.d.next = false;
            self.orphan.d.next = false;
            self.sweep.d.next = false;
            self.rspv.d.next = false;
            self.evv.d.next = false;
            self.put.d.next = false;
            self.pop.d.next = false;
            self.arm.d.next = false;
            self.grab.d.next = false;
            self.give.d.next = false;
            self.open.d.next = 0.into();
        }
    }
}
