// SPDX-License-Identifier: MIT OR Apache-2.0
//! MPT check: stages s5 to s7. Is this access allowed, and where in the region's pages does it begin?
//!
//! ```text
//!   s5 key, PD, rights, state; low slices of       s6 high slices         s7 compare, verdict, cause
//!      rel = va - start, lim = length - len,  ───►    and low compare ───►    page position
//!      pos = va + offset
//! ```
//! Contract: the answer at s7 is for the op that was at s5 two cycles before. Bounds in full width, relative form, no wrap:
//! allowed iff va >= start, len <= length, and va - start <= length - len (zero-based: start is 0). Order of causes as in `docs/interface.md`.
//! Every refusal takes the same number of cycles. `pos` counts from the first byte of the region's first page
//! (contiguous: it is the physical address, since the entry holds base - start).
//! Source of the rules: IBTA o10-2.2.1 as the public drivers implement it (rxe `lookup_mr`, `mr_check_range`; siw `siw_check_sge`).
//! A window: its own range, rights and owner, its region's pages: `who` and `epoch` name the region, `origin` in the entry leads an address into its pages.
//! A null region grants on the local side at every address.
//! Without a line the request comes out instead (`pos` is its address, `code`, `owner`, `opcode`, `writes`, `odp` its fields): it waits in the
//! slot RAM in the places a granted request uses, so no stage carries both. Carry chains are cut at VLO bits. Latency 2 cycles, interval 1.

use super::entry::MptHot;
use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct MptCheck {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// s5: request.
    pub req: Signal<In, Req>,
    /// s5: its line.
    pub line: Signal<In, MptHot>,
    /// s5: it is there; else the request itself comes out at s7 in place of what a walk needs.
    pub hit: Signal<In, Bit>,
    /// s7 (one port: s8): allowed.
    pub granted: Signal<Out, Bit>,
    /// The same of what can be walked, known earlier in the cycle.
    pub clear: Signal<Out, Bit>,
    /// s7 (one port: s8): cause of a refusal.
    pub cause: Signal<Out, Bits<4>>,
    /// s7 (one port: s8): completion class.
    pub klass: Signal<Out, Bits<3>>,
    /// s7: position in the region's pages, or the physical address.
    pub pos: Signal<Out, Bits<VAW>>,
    /// s7, one port: of it, what lies inside its page, as far as a request's length reaches (later refused or not: as if granted).
    pub in_page: Signal<Out, Bits<LENW>>,
    /// s7: page code.
    pub page: Signal<Out, Bits<3>>,
    /// s7: first MTT word.
    pub mtt_base: Signal<Out, Bits<MAW>>,
    /// s7: epoch.
    pub epoch: Signal<Out, Bits<EPW>>,
    /// s7: on demand (no line: the addresses are wanted).
    pub odp: Signal<Out, Bit>,
    /// s7: pages must be writable (no line: the side).
    pub writes: Signal<Out, Bit>,
    /// s7: index of the region whose pages are meant (a window's parent).
    pub who: Signal<Out, Bits<K>>,
    /// s7: epoch of the entry itself, be it a window's.
    pub via_epoch: Signal<Out, Bits<PARE>>,
    /// s6: a null region: nothing is to be walked.
    pub nothing: Signal<Out, Bit>,
    /// s7: for the slot RAM: first MTT word, or secret and variant.
    pub code: Signal<Out, Bits<CODEW>>,
    /// s7: for the slot RAM: epoch, or PD.
    pub owner: Signal<Out, Bits<OWNW>>,
    /// s7: for the slot RAM: page code (one port: a bit each size), or operation.
    pub opcode: Signal<Out, Bits<4>>,
    r_eq6: DFF<Bit>,
    l_eq6: DFF<Bit>,
    valid6: DFF<Bit>,
    used6: DFF<Bit>,
    pd6: DFF<Bit>,
    rights6: DFF<Bit>,
    odd6: DFF<Bit>,
    remote6: DFF<Bit>,
    early6: DFF<Bits<3>>,
    early7: DFF<Bits<3>>,
    neg6: DFF<Bit>,
    x6: DFF<Bits<VAW>>,
    y6: DFF<Bits<VAW>>,
    sum7: DFF<Bits<VAW1>>,
    low7: DFF<Bits<SUML2>>,
    high7: DFF<Bits<SUMH>>,
    in_page7: DFF<Bits<LENW>>,
    based6: DFF<Bit>,
    carry6: Signal<Local, Bits<1>>,
    x6w: Signal<Local, Bits<VAW1>>,
    y6w: Signal<Local, Bits<VAW1>>,
    x_low: Signal<Local, Bits<SUML>>,
    y_low: Signal<Local, Bits<SUML>>,
    x_wide: Signal<Local, Bits<SUML2>>,
    y_wide: Signal<Local, Bits<SUML2>>,
    low_sum: Signal<Local, Bits<SUML>>,
    high_sum: Signal<Local, Bits<SUMH>>,
    up: Signal<Local, Bits<1>>,
    sum_wide: Signal<Local, Bits<SUML2>>,
    sum_part: Signal<Local, Bits<SUML>>,
    reach: Signal<Local, Bits<LENW>>,
    page_now: Signal<Local, Bits<4>>,
    x6v: Signal<Local, Bits<VAW>>,
    y6v: Signal<Local, Bits<VAW>>,
    rel_up: Signal<Local, Bits<VHI1>>,
    rel_lo6: DFF<Bits<VLO1>>,
    lim_lo6: DFF<Bits<VLO1>>,
    rel_hi6: DFF<Bits<VHI1>>,
    lim_hi6: DFF<Bits<RHI1>>,
    rel_hi7: DFF<Bits<VHI1>>,
    lim_hi7: DFF<Bits<RHI1>>,
    lo_over7: DFF<Bit>,
    cause7: DFF<Bits<4>>,
    bad7: DFF<Bit>,
    skew7: DFF<Bit>,
    lo_over: Signal<Local, Bit>,
    below: Signal<Local, Bit>,
    open6: Signal<Local, Bit>,
    over8: DFF<Bit>,
    cause8: DFF<Bits<4>>,
    open8: DFF<Bit>,
    odd8: DFF<Bit>,
    remote8: DFF<Bit>,
    open7: Signal<Local, Bit>,
    outside: Signal<Local, Bit>,
    checked: Signal<Local, Bit>,
    skew: Signal<Local, Bit>,
    from_afar: Signal<Local, Bit>,
    #[default(Constant::new(SHORT == 1))]
    short: Constant<Bit>,
    odd7: DFF<Bit>,
    remote7: DFF<Bit>,
    page6: DFF<Bits<4>>,
    page7: DFF<Bits<4>>,
    base6: DFF<Bits<CODEW>>,
    base7: DFF<Bits<CODEW>>,
    epoch6: DFF<Bits<OWNW>>,
    epoch7: DFF<Bits<OWNW>>,
    pd: Signal<Local, Bits<PDW>>,
    first_word: Signal<Local, Bits<MAW>>,
    map: Signal<Local, Bits<EPW>>,
    code_of: Signal<Local, Bits<3>>,
    words: Signal<Local, Bits<CODEW>>,
    name: Signal<Local, Bits<OWNW>>,
    kept: Signal<Local, Bits<4>>,
    odp6: DFF<Bit>,
    odp7: DFF<Bit>,
    writes6: DFF<Bit>,
    writes7: DFF<Bit>,
    who6: DFF<Bits<K>>,
    who7: DFF<Bits<K>>,
    via6: DFF<Bits<PARE>>,
    via7: DFF<Bits<PARE>>,
    null6: DFF<Bit>,
    null7: DFF<Bit>,
    null8: DFF<Bit>,
    empty: Signal<Local, Bit>,
    kind: Signal<Local, Bits<3>>,
    own_epoch: Signal<Local, Bits<EPW>>,
    is_null: Signal<Local, Bit>,
    is_window: Signal<Local, Bit>,
    qpn: Signal<Local, Bits<QPW>>,
    same_pd: Signal<Local, Bit>,
    same_qp: Signal<Local, Bit>,
    parent: Signal<Local, Bits<PARK>>,
    parent_epoch: Signal<Local, Bits<PARE>>,
    origin: Signal<Local, Bits<ORGW>>,
    #[default(Constant::new(F_WINDOWS))]
    windows: Constant<Bit>,
    #[default(Constant::new(F_NULL_MR))]
    nulls: Constant<Bit>,
    #[default(constant(VLO))]
    lo: Constant<Bits<7>>,
    #[default(Constant::new(ones(0, LENW.min(12))))]
    low12: Constant<Bits<LENW>>,
    #[default(Constant::new(ones(0, LENW.min(16))))]
    low16: Constant<Bits<LENW>>,
    #[default(Constant::new(ones(0, LENW.min(21))))]
    low21: Constant<Bits<LENW>>,
    #[default(Constant::new(ones(0, LENW.min(30))))]
    low30: Constant<Bits<LENW>>,
    #[default(constant(SUML))]
    sum_at: Constant<Bits<7>>,
    #[default(constant(SUML + 1))]
    carry_at: Constant<Bits<7>>,
    #[default(constant(8 + K))]
    sec_at: Constant<Bits<6>>,
    #[default(Constant::new(ones(0, 12)))]
    mask4k: Constant<Bits<VAW>>,
    #[default(Constant::new(ones(0, 16)))]
    mask64k: Constant<Bits<VAW>>,
    #[default(Constant::new(ones(0, 21)))]
    mask2m: Constant<Bits<VAW>>,
    #[default(Constant::new(ones(0, 30)))]
    mask1g: Constant<Bits<VAW>>,
    op: Signal<Local, Bits<4>>,
    need: Signal<Local, Bits<9>>,
    held: Signal<Local, Bits<9>>,
    lack: Signal<Local, Bits<9>>,
    atomic: Signal<Local, Bit>,
    key: Signal<Local, Bits<32>>,
    secret: Signal<Local, Bits<SECW>>,
    variant: Signal<Local, Bits<8>>,
    half_key: Signal<Local, Bits<KEYW>>,
    va: Signal<Local, Bits<VAW>>,
    low3: Signal<Local, Bits<3>>,
    start: Signal<Local, Bits<VAW>>,
    from: Signal<Local, Bits<VAW>>,
    mask: Signal<Local, Bits<VAW>>,
    first: Signal<Local, Bits<VAW>>,
    zero_based: Signal<Local, Bit>,
    contiguous: Signal<Local, Bit>,
    base: Signal<Local, Bits<PAW>>,
    length: Signal<Local, Bits<RLW>>,
    len: Signal<Local, Bits<RLW>>,
    va_lo: Signal<Local, Bits<VLO>>,
    va_hi: Signal<Local, Bits<VHI>>,
    from_lo: Signal<Local, Bits<VLO>>,
    from_hi: Signal<Local, Bits<VHI>>,
    length_lo: Signal<Local, Bits<VLO>>,
    len_lo: Signal<Local, Bits<VLO>>,
    length_hi: Signal<Local, Bits<RHI>>,
    len_hi: Signal<Local, Bits<RHI>>,
    rel_low5: Signal<Local, Bits<VLO1>>,
    lim_low5: Signal<Local, Bits<VLO1>>,
    borrow_rel5: Signal<Local, Bits<1>>,
    borrow_lim5: Signal<Local, Bits<1>>,
    rel_low: Signal<Local, Bits<VLO1>>,
    lim_low: Signal<Local, Bits<VLO1>>,
    rel_cut: Signal<Local, Bits<VLO>>,
    lim_cut: Signal<Local, Bits<VLO>>,
    borrow_rel: Signal<Local, Bits<1>>,
    borrow_lim: Signal<Local, Bits<1>>,
    lim_top: Signal<Local, Bits<RHI>>,
    rel_high: Signal<Local, Bits<VHI1>>,
    lim_high: Signal<Local, Bits<RHI1>>,
    longer: Signal<Local, Bit>,
    over: Signal<Local, Bit>,
    rel_near: Signal<Local, Bits<RHI>>,
    rel_far: Signal<Local, Bits<VHI1>>,
    low_bit: Signal<Local, Bits<1>>,
    near: Signal<Local, Bits<RHI1>>,
    limit: Signal<Local, Bits<RHI1>>,
    #[default(constant(RHI))]
    region_high: Constant<Bits<8>>,
    mine: Signal<Local, Bit>,
    other: Signal<Local, Bit>,
    why: Signal<Local, Bits<4>>,
    told: Signal<Local, Bits<4>>,
    invalid: Signal<Local, Bit>,
    zero: Signal<Local, Bits<VAW>>,
    len_req: Signal<Local, Bits<LENW>>,
}

impl Logic for MptCheck {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, over8, cause8, open8, odd8, remote8, bad7, skew7, who6, who7, via6, via7, null6, null7, null8, based6, low7, high7, in_page7);
        self.r_eq6.clock.next = self.clock.val();
        self.l_eq6.clock.next = self.clock.val();
        self.valid6.clock.next = self.clock.val();
        self.used6.clock.next = self.clock.val();
        self.pd6.clock.next = self.clock.val();
        self.rights6.clock.next = self.clock.val();
        self.odd6.clock.next = self.clock.val();
        self.remote6.clock.next = self.clock.val();
        self.early6.clock.next = self.clock.val();
        self.early7.clock.next = self.clock.val();
        self.neg6.clock.next = self.clock.val();
        self.x6.clock.next = self.clock.val();
        self.y6.clock.next = self.clock.val();
        self.sum7.clock.next = self.clock.val();
        self.rel_lo6.clock.next = self.clock.val();
        self.lim_lo6.clock.next = self.clock.val();
        self.rel_hi6.clock.next = self.clock.val();
        self.lim_hi6.clock.next = self.clock.val();
        self.rel_hi7.clock.next = self.clock.val();
        self.lim_hi7.clock.next = self.clock.val();
        self.lo_over7.clock.next = self.clock.val();
        self.cause7.clock.next = self.clock.val();
        self.odd7.clock.next = self.clock.val();
        self.remote7.clock.next = self.clock.val();
        self.page6.clock.next = self.clock.val();
        self.page7.clock.next = self.clock.val();
        self.base6.clock.next = self.clock.val();
        self.base7.clock.next = self.clock.val();
        self.epoch6.clock.next = self.clock.val();
        self.epoch7.clock.next = self.clock.val();
        self.odp6.clock.next = self.clock.val();
        self.odp7.clock.next = self.clock.val();
        self.writes6.clock.next = self.clock.val();
        self.writes7.clock.next = self.clock.val();
        // s5: rights, keys, PD
        self.need.next = 0.into();
        self.atomic.next = false;
        self.op.next = self.req.val().op;
        match self.op.val().index() {
            0 => {
                self.need.next = 4.into();
            }
            1 => {
                self.need.next = 2.into();
            }
            2 => {
                self.need.next = 8.into();
                self.atomic.next = true;
            }
            3 => {
                self.need.next = 2.into();
                self.atomic.next = true;
            }
            4 => {
                self.need.next = 128.into();
            }
            5 => {
                self.need.next = 256.into();
            }
            7 => {
                self.need.next = 1.into();
            }
            8 => {
                self.need.next = 16.into();
            }
            _ => {
                self.need.next = 0.into();
            }
        }
        self.held.next = self.line.val().rights;
        self.lack.next = !self.held.val();
        self.lack.next = self.lack.val() & self.need.val();
        self.key.next = self.req.val().key;
        self.secret.next = self.key.val().get_bits::<SECW>(self.sec_at.val().index());
        self.variant.next = self.key.val().get_bits::<8>(0);
        self.half_key.next = bit_cast::<KEYW, SECW>(self.secret.val()) << 8;
        self.half_key.next = self.half_key.val() | bit_cast::<KEYW, 8>(self.variant.val());
        self.va.next = self.req.val().va;
        self.low3.next = self.va.val().get_bits::<3>(0);
        // a null region has no remote key, a window no local one
        self.kind.next = self.line.val().kind;
        self.is_null.next = self.nulls.val() & (self.kind.val() == 5);
        self.is_window.next = self.windows.val() & ((self.kind.val() == 2) | (self.kind.val() == 3) | (self.kind.val() == 4));
        self.null6.d.next = self.is_null.val();
        self.r_eq6.d.next = (self.half_key.val() == self.line.val().rkey) & !self.is_null.val();
        self.l_eq6.d.next = (self.half_key.val() == self.line.val().lkey) & !self.is_window.val();
        self.valid6.d.next = self.line.val().state == 3;
        self.used6.d.next = self.line.val().state != 0;
        self.qpn.next = self.line.val().qpn;
        self.same_pd.next = self.line.val().pd == self.req.val().pd;
        self.same_qp.next = self.qpn.val() == self.req.val().qpn;
        self.pd6.d.next = self.same_pd.val();
        if self.windows.val() {
            self.pd6.d.next = (self.same_pd.val() | (self.kind.val() == 3)) & (self.same_qp.val() | !((self.kind.val() == 3) | (self.kind.val() == 4)));
        }
        self.rights6.d.next = !self.lack.val().any();
        self.odd6.d.next = self.atomic.val() & self.low3.val().any();
        self.remote6.d.next = self.req.val().side;
        self.early6.d.next = self.req.val().early;
        // s5: slices of rel = va - from and lim = length - len
        self.start.next = self.line.val().start;
        self.zero_based.next = self.held.val().get_bit(5);
        self.code_of.next = self.line.val().page;
        self.contiguous.next = self.line.val().page == 4;
        if self.short.val() {
            // one bit of the code, no compare behind a RAM: nothing above 4 is ever written
            self.contiguous.next = self.code_of.val().get_bit(2);
        }
        self.zero.next = 0.into();
        self.from.next = self.start.val();
        // slow carry chains: the choice comes behind them
        self.based6.d.next = self.zero_based.val() & self.short.val();
        if self.zero_based.val() & !self.short.val() {
            self.from.next = self.zero.val();
        }
        self.length.next = self.line.val().length;
        self.len_req.next = self.req.val().len;
        self.len.next = bit_cast::<RLW, LENW>(self.len_req.val());
        self.va_lo.next = self.va.val().get_bits::<VLO>(0);
        self.va_hi.next = self.va.val().get_bits::<VHI>(self.lo.val().index());
        self.from_lo.next = self.from.val().get_bits::<VLO>(0);
        self.from_hi.next = self.from.val().get_bits::<VHI>(self.lo.val().index());
        self.length_lo.next = self.length.val().get_bits::<VLO>(0);
        self.length_hi.next = self.length.val().get_bits::<RHI>(self.lo.val().index());
        self.len_lo.next = self.len.val().get_bits::<VLO>(0);
        self.len_hi.next = self.len.val().get_bits::<RHI>(self.lo.val().index());
        self.rel_low5.next = bit_cast::<VLO1, VLO>(self.va_lo.val()) - bit_cast::<VLO1, VLO>(self.from_lo.val());
        self.lim_low5.next = bit_cast::<VLO1, VLO>(self.length_lo.val()) - bit_cast::<VLO1, VLO>(self.len_lo.val());
        self.borrow_rel5.next = self.rel_low5.val().get_bits::<1>(self.lo.val().index());
        self.borrow_lim5.next = self.lim_low5.val().get_bits::<1>(self.lo.val().index());
        self.rel_lo6.d.next = self.rel_low5.val();
        self.lim_lo6.d.next = self.lim_low5.val();
        self.rel_hi6.d.next = bit_cast::<VHI1, VHI>(self.va_hi.val()) - bit_cast::<VHI1, VHI>(self.from_hi.val());
        self.lim_hi6.d.next = bit_cast::<RHI1, RHI>(self.length_hi.val()) - bit_cast::<RHI1, RHI>(self.len_hi.val());
        // fast carry chains take the borrow in the same stage
        if !self.short.val() {
            self.rel_hi6.d.next =
                bit_cast::<VHI1, VHI>(self.va_hi.val()) - bit_cast::<VHI1, VHI>(self.from_hi.val()) - bit_cast::<VHI1, 1>(self.borrow_rel5.val());
            self.lim_hi6.d.next =
                bit_cast::<RHI1, RHI>(self.length_hi.val()) - bit_cast::<RHI1, RHI>(self.len_hi.val()) - bit_cast::<RHI1, 1>(self.borrow_lim5.val());
        }
        // s5: operands of the position: va, and minus the first page's address (its complement and a carry), or what is added
        self.mask.next = self.mask4k.val();
        if self.line.val().page == 1 {
            self.mask.next = self.mask64k.val();
        }
        if self.line.val().page == 2 {
            self.mask.next = self.mask2m.val();
        }
        if self.line.val().page == 3 {
            self.mask.next = self.mask1g.val();
        }
        self.first.next = self.start.val() | self.mask.val();
        self.first.next = self.first.val() ^ self.mask.val();
        self.base.next = self.line.val().base;
        self.x6.d.next = self.va.val();
        self.y6.d.next = !self.first.val();
        self.neg6.d.next = true;
        if self.zero_based.val() {
            self.y6.d.next = self.start.val() & self.mask.val();
            self.neg6.d.next = false;
        }
        if self.contiguous.val() {
            self.y6.d.next = bit_cast::<VAW, PAW>(self.base.val());
            self.neg6.d.next = false;
        }
        self.origin.next = self.line.val().origin;
        self.parent.next = self.line.val().parent;
        self.parent_epoch.next = self.line.val().parent_epoch;
        self.own_epoch.next = self.line.val().epoch;
        self.via6.d.next = 0.into();
        self.who6.d.next = 0.into();
        if self.windows.val() {
            self.via6.d.next = bit_cast::<PARE, EPW>(self.own_epoch.val());
            self.who6.d.next = self.key.val().get_bits::<K>(8);
        }
        if self.is_window.val() & self.hit.val() {
            self.who6.d.next = bit_cast::<K, PARK>(self.parent.val());
        }
        if self.is_window.val() {
            self.y6.d.next = bit_cast::<VAW, ORGW>(self.origin.val());
            self.neg6.d.next = false;
        }
        self.first_word.next = self.base.val().get_bits::<MAW>(0);
        self.map.next = self.line.val().epoch;
        if self.is_window.val() {
            self.map.next = bit_cast::<EPW, PARE>(self.parent_epoch.val());
        }
        self.pd.next = self.req.val().pd;
        self.page6.d.next = bit_cast::<4, 3>(self.code_of.val());
        // one bit a page size, so that nobody behind need decode it: 1 4 KiB, 2 64 KiB, 4 2 MiB, 8 1 GiB, 12 contiguous
        if self.short.val() {
            self.page6.d.next = 1.into();
            match self.code_of.val().index() {
                1 => {
                    self.page6.d.next = 2.into();
                }
                2 => {
                    self.page6.d.next = 4.into();
                }
                3 => {
                    self.page6.d.next = 8.into();
                }
                _ => {}
            }
            if self.contiguous.val() {
                self.page6.d.next = 12.into();
            }
        }
        self.base6.d.next = bit_cast::<CODEW, MAW>(self.first_word.val());
        self.epoch6.d.next = bit_cast::<OWNW, EPW>(self.map.val());
        self.odp6.d.next = self.held.val().get_bit(6);
        self.writes6.d.next = (self.op.val() == 1) | (self.op.val() == 2) | (self.op.val() == 3) | (self.op.val() == 7);
        // no line: the request goes on to the slot RAM
        if !self.hit.val() {
            self.y6.d.next = 0.into();
            self.neg6.d.next = false;
            self.page6.d.next = self.op.val();
            self.base6.d.next = bit_cast::<CODEW, KEYW>(self.half_key.val());
            self.epoch6.d.next = bit_cast::<OWNW, PDW>(self.pd.val());
            self.odp6.d.next = self.req.val().walk;
            self.writes6.d.next = self.req.val().side;
        }
        // s6: high slices, compare of the low ones, the cause as far as it is known
        self.x6v.next = self.x6.q.val();
        self.rel_low.next = self.rel_lo6.q.val();
        self.rel_up.next = self.rel_hi6.q.val();
        if self.based6.q.val() {
            self.rel_low.next = bit_cast::<VLO1, VLO>(self.x6v.val().get_bits::<VLO>(0));
            self.rel_up.next = bit_cast::<VHI1, VHI>(self.x6v.val().get_bits::<VHI>(self.lo.val().index()));
        }
        self.lim_low.next = self.lim_lo6.q.val();
        self.rel_cut.next = self.rel_low.val().get_bits::<VLO>(0);
        self.lim_cut.next = self.lim_low.val().get_bits::<VLO>(0);
        self.borrow_rel.next = self.rel_low.val().get_bits::<1>(self.lo.val().index());
        self.borrow_lim.next = self.lim_low.val().get_bits::<1>(self.lo.val().index());
        self.rel_hi7.d.next = self.rel_up.val() - bit_cast::<VHI1, 1>(self.borrow_rel.val());
        self.lim_hi7.d.next = self.lim_hi6.q.val() - bit_cast::<RHI1, 1>(self.borrow_lim.val());
        self.lo_over.next = self.rel_cut.val() > self.lim_cut.val();
        self.lo_over7.d.next = self.lo_over.val();
        self.carry6.next = self.neg6.q.val().into();
        self.x6w.next = (bit_cast::<VAW1, VAW>(self.x6.q.val()) << 1) | bit_cast::<VAW1, 1>(self.carry6.val());
        // 1 here, not the carry again: nextpnr's router never ends on a cell with one net at both inputs of its carry
        self.y6w.next = bit_cast::<VAW1, VAW>(self.y6.q.val()) << 1;
        self.y6w.next = self.y6w.val().replace_bit(0, true);
        self.sum7.d.next = self.x6w.val() + self.y6w.val();
        // slow carry chains: the upper part takes its carry at s7
        self.y6v.next = self.y6.q.val();
        self.x_low.next = self.x6v.val().get_bits::<SUML>(0);
        self.y_low.next = self.y6v.val().get_bits::<SUML>(0);
        self.x_wide.next = (bit_cast::<SUML2, SUML>(self.x_low.val()) << 1) | bit_cast::<SUML2, 1>(self.carry6.val());
        self.y_wide.next = bit_cast::<SUML2, SUML>(self.y_low.val()) << 1;
        self.y_wide.next = self.y_wide.val().replace_bit(0, true);
        self.sum_wide.next = self.x_wide.val() + self.y_wide.val();
        self.low7.d.next = self.sum_wide.val();
        self.page_now.next = self.page6.q.val();
        self.reach.next = self.low30.val();
        if self.page_now.val().get_bit(0) {
            self.reach.next = self.low12.val();
        }
        if self.page_now.val().get_bit(1) {
            self.reach.next = self.low16.val();
        }
        if self.page_now.val().get_bit(2) {
            self.reach.next = self.low21.val();
        }
        self.sum_part.next = self.sum_wide.val().get_bits::<SUML>(1);
        self.in_page7.d.next = bit_cast::<LENW, SUML>(self.sum_part.val()) & self.reach.val();
        self.in_page.next = self.in_page7.q.val();
        self.high7.d.next = self.x6v.val().get_bits::<SUMH>(self.sum_at.val().index()) + self.y6v.val().get_bits::<SUMH>(self.sum_at.val().index());
        self.mine.next = self.l_eq6.q.val();
        self.other.next = self.r_eq6.q.val();
        if self.remote6.q.val() {
            self.mine.next = self.r_eq6.q.val();
            self.other.next = self.l_eq6.q.val();
        }
        self.why.next = 0.into();
        if !self.rights6.q.val() {
            self.why.next = 6.into();
        }
        if !self.pd6.q.val() {
            self.why.next = 5.into();
        }
        if !self.mine.val() | !self.valid6.q.val() {
            self.why.next = 3.into();
            if self.other.val() & self.valid6.q.val() {
                self.why.next = 4.into();
            }
        }
        if !self.used6.q.val() {
            self.why.next = 2.into();
        }
        match self.early6.q.val().index() {
            1 => {
                self.why.next = 1.into();
            }
            2 => {
                self.why.next = 0.into();
            }
            3 => {
                self.why.next = 10.into();
            }
            4 => {
                self.why.next = 2.into();
            }
            5 => {
                self.why.next = 3.into();
            }
            6 => {
                self.why.next = 12.into();
            }
            _ => {}
        }
        self.cause7.d.next = self.why.val();
        self.open6.next = !self.why.val().any() & !self.early6.q.val().any();
        self.early7.d.next = self.early6.q.val();
        self.odd7.d.next = self.odd6.q.val();
        self.remote7.d.next = self.remote6.q.val();
        self.page7.d.next = self.page6.q.val();
        self.base7.d.next = self.base6.q.val();
        self.epoch7.d.next = self.epoch6.q.val();
        self.odp7.d.next = self.odp6.q.val();
        self.writes7.d.next = self.writes6.q.val();
        // s7 (fast carry chains: s6): high compare, verdict
        self.rel_high.next = self.rel_hi7.q.val();
        self.lim_high.next = self.lim_hi7.q.val();
        self.below.next = self.lo_over7.q.val();
        if !self.short.val() {
            self.rel_high.next = self.rel_hi6.q.val();
            self.lim_high.next = self.lim_hi6.q.val();
            self.below.next = self.lo_over.val();
        }
        self.lim_top.next = self.lim_high.val().get_bits::<RHI>(0);
        self.rel_near.next = self.rel_high.val().get_bits::<RHI>(0);
        self.rel_far.next = self.rel_high.val() >> self.region_high.val();
        for j in 0..RHI1 {
            self.longer.next = self.lim_high.val().get_bit(j);
        }
        // one comparison: equal above, the low slices decide
        self.low_bit.next = self.below.val().into();
        self.near.next = (bit_cast::<RHI1, RHI>(self.rel_near.val()) << 1) | bit_cast::<RHI1, 1>(self.low_bit.val());
        self.limit.next = bit_cast::<RHI1, RHI>(self.lim_top.val()) << 1;
        self.over.next = self.rel_far.val().any() | self.longer.val() | (self.near.val() > self.limit.val());
        self.bad7.d.next = self.over.val() & self.open6.val() & !self.null6.q.val();
        self.skew7.d.next = self.odd6.q.val() & self.open6.val();
        self.who7.d.next = self.who6.q.val();
        self.via7.d.next = self.via6.q.val();
        self.nothing.next = self.null6.q.val();
        self.null7.d.next = self.null6.q.val();
        self.null8.d.next = self.null7.q.val() & !self.early7.q.val().any();
        self.empty.next = self.null7.q.val() & !self.early7.q.val().any();
        self.who.next = self.who7.q.val();
        self.via_epoch.next = self.via7.q.val();
        self.open7.next = !self.cause7.q.val().any() & !self.early7.q.val().any();
        self.over8.d.next = self.over.val() & !self.null7.q.val();
        self.cause8.d.next = self.cause7.q.val();
        self.open8.d.next = self.open7.val();
        self.odd8.d.next = self.odd7.q.val();
        self.remote8.d.next = self.remote7.q.val();
        // what is checked is in `bad7` and `skew7` already
        self.told.next = self.cause7.q.val();
        self.outside.next = self.bad7.q.val();
        self.checked.next = true;
        self.skew.next = self.skew7.q.val();
        self.from_afar.next = self.remote7.q.val();
        // the compare of the bounds is long for the fabric of a small FPGA: the verdict is made of it a cycle later there
        if self.short.val() {
            self.told.next = self.cause8.q.val();
            self.outside.next = self.over8.q.val();
            self.empty.next = self.null8.q.val();
            self.checked.next = self.open8.q.val();
            self.skew.next = self.odd8.q.val();
            self.from_afar.next = self.remote8.q.val();
        }
        self.invalid.next = false;
        if self.checked.val() {
            if self.outside.val() {
                self.told.next = 7.into();
            } else if self.skew.val() {
                self.told.next = 8.into();
            }
        }
        self.granted.next = !self.told.val().any();
        self.clear.next = self.granted.val();
        if self.short.val() {
            // an early verdict grants nothing that is walked
            self.clear.next = self.open8.q.val() & !self.over8.q.val() & !self.odd8.q.val();
        }
        self.cause.next = self.told.val();
        // granted, and nothing is to be moved: the requester must know that there is no lease
        if self.empty.val() & !self.told.val().any() {
            self.cause.next = 11.into();
        }
        self.invalid.next = (self.told.val() == 1) | (self.told.val() == 8) | (self.told.val() == 10);
        self.klass.next = 0.into();
        if self.told.val().any() {
            self.klass.next = 1.into();
            if self.invalid.val() {
                self.klass.next = 5.into();
            }
            if self.from_afar.val() {
                self.klass.next = 2.into();
                if self.invalid.val() {
                    self.klass.next = 3.into();
                }
            }
        }
        self.pos.next = self.sum7.q.val().get_bits::<VAW>(1);
        self.low_sum.next = self.low7.q.val().get_bits::<SUML>(1);
        self.up.next = self.low7.q.val().get_bits::<1>(self.carry_at.val().index());
        self.high_sum.next = self.high7.q.val() + bit_cast::<SUMH, 1>(self.up.val());
        if self.short.val() {
            self.pos.next = (bit_cast::<VAW, SUMH>(self.high_sum.val()) << self.sum_at.val()) | bit_cast::<VAW, SUML>(self.low_sum.val());
        }
        self.kept.next = self.page7.q.val();
        self.words.next = self.base7.q.val();
        self.name.next = self.epoch7.q.val();
        self.page.next = self.kept.val().get_bits::<3>(0);
        self.mtt_base.next = self.words.val().get_bits::<MAW>(0);
        self.epoch.next = self.name.val().get_bits::<EPW>(0);
        self.code.next = self.words.val();
        self.owner.next = self.name.val();
        self.opcode.next = self.kept.val();
        self.odp.next = self.odp7.q.val();
        self.writes.next = self.writes7.q.val();
    }
}
