// SPDX-License-Identifier: MIT OR Apache-2.0
//! The entry a command of the full registration port works on: one long register, moved word by word, changed field by field.
//!
//! ```text
//!  word, or low again ─►[ MPTN-1 | ... | 1 | 0 ]─► low ─► icm_data
//!                           ▲ at home (all words in their places) one of:
//!   fields: the command's fields, those not kept     digits: base     pair: keys of the generation, or its secret and a variant byte
//!   fresh: next block of generations    morph: a region becomes a window bound to it    up, down: windows bound to it
//!   retire, rest, freed, bump: what becomes of it    chain: next = head    save: kind, epoch and generation are kept for morph
//! ```
//! Contract: at most one of the pulses at a time, `pair` and `based` with `fields` at the most. MPTN shifts with `take` bring an entry home; MPTN
//! shifts without turn it once round. The outputs mean something at home only.
//! `own`: `key` (secret above, variant below) is one of the entry's keys (a window's: its remote one), as it was one cycle ago. `kin`: but for the variant.
//!
//! Generations: an ordinary or null region takes one of them, two keys over secret and variant. What lets its consumer choose the variant
//! takes a whole block of 256, two secrets. So no key value comes twice while an index lives. `tired`: no block is left.
//! With `feature.secrets` these numbers go through `key_cipher`, and the top bit tells the two kinds apart: 0 ordinary and null, 1 the others.
//! `again`: the secrets the entry has are kept, only the variant changes.
//!
//! Latency: one cycle a pulse.

use super::key_alloc::*;
use super::key_cipher::BLOCKW;
use super::prelude::*;

const BASEW: usize = PAW + PAW % 2;

/// See the module text.
#[derive(LogicBlock, SmartDefault)]
pub struct LifeEntry {
    pub clock: Signal<In, Clock>,
    pub shift: Signal<In, Bit>,
    /// The word that comes in is `word`.
    pub take: Signal<In, Bit>,
    pub word: Signal<In, Bits<BEAT>>,
    pub fields: Signal<In, Bit>,
    pub kind: Signal<In, Bits<3>>,
    pub state: Signal<In, Bits<2>>,
    /// Start, length and page size stay; rights stay; PD stays.
    pub keep_map: Signal<In, Bit>,
    pub keep_rights: Signal<In, Bit>,
    pub keep_pd: Signal<In, Bit>,
    pub rights: Signal<In, Bits<9>>,
    pub page: Signal<In, Bits<3>>,
    pub pd: Signal<In, Bits<PDW>>,
    pub start: Signal<In, Bits<VAW>>,
    pub length: Signal<In, Bits<RLW>>,
    pub budget: Signal<In, Bits<PNW>>,
    pub qpn: Signal<In, Bits<QPW>>,
    pub parent: Signal<In, Bits<K>>,
    pub origin: Signal<In, Bits<ORGW>>,
    /// The base comes two bits at a time, low bits first, into a register of its own; `based` puts it in its place.
    pub push: Signal<In, Bit>,
    pub digit: Signal<In, Bits<2>>,
    pub based: Signal<In, Bit>,
    /// Keys: of the generation, or (`blocked`) its secrets with `variant`, or (`again`) the entry's own secrets with it.
    pub pair: Signal<In, Bit>,
    pub blocked: Signal<In, Bit>,
    pub again: Signal<In, Bit>,
    pub variant: Signal<In, Bits<8>>,
    pub fresh: Signal<In, Bit>,
    pub save: Signal<In, Bit>,
    pub morph: Signal<In, Bit>,
    /// Secret of the window, whose key is on the pins.
    pub secret: Signal<In, Bits<SECW>>,
    pub up: Signal<In, Bit>,
    pub down: Signal<In, Bit>,
    /// The end: state 1, epoch and generation go on, no keys.
    pub retire: Signal<In, Bit>,
    /// State 1, the epoch goes on, the keys stay.
    pub rest: Signal<In, Bit>,
    /// State 2; with `bump` the epoch goes on too.
    pub freed: Signal<In, Bit>,
    /// The epoch goes on.
    pub bump: Signal<In, Bit>,
    pub chain: Signal<In, Bit>,
    pub head: Signal<In, Bits<K>>,
    pub key: Signal<In, Bits<KEYW>>,
    /// What the cipher made of `count_of`, its generation.
    pub drawn_l: Signal<In, Bits<DEEP>>,
    pub drawn_r: Signal<In, Bits<DEEP>>,
    pub drawn_lsec: Signal<In, Bits<FLAT>>,
    pub drawn_rsec: Signal<In, Bits<FLAT>>,
    pub count_of: Signal<Out, Bits<24>>,
    pub low: Signal<Out, Bits<BEAT>>,
    pub hot: Signal<Out, MptHot>,
    pub succ: Signal<Out, Bits<K>>,
    pub own: Signal<Out, Bit>,
    pub kin: Signal<Out, Bit>,
    pub tired: Signal<Out, Bit>,
    /// Windows are bound to it; the most that can be.
    pub bound: Signal<Out, Bit>,
    pub full: Signal<Out, Bit>,
    /// More pages than `budget` may be registered.
    pub narrow: Signal<Out, Bit>,
    perm: KeyPerm,
    unpack: HotUnpack,
    all: DFF<Bits<ENTRYW>>,
    digits: DFF<Bits<BASEW>>,
    same: DFF<Bit>,
    alike: DFF<Bit>,
    worn: DFF<Bit>,
    poor: DFF<Bit>,
    kind_q: DFF<Bits<3>>,
    epoch_q: DFF<Bits<EPW>>,
    generation_q: DFF<Bits<24>>,
    now: Signal<Local, MptHot>,
    next: Signal<Local, MptHot>,
    hotbits: Signal<Local, Bits<HOTB>>,
    basis: Signal<Local, Bits<PAW>>,
    top: Signal<Local, Bits<BEAT>>,
    moved: Signal<Local, Bits<ENTRYW>>,
    changed: Signal<Local, Bits<ENTRYW>>,
    alters: Signal<Local, Bit>,
    generation: Signal<Local, Bits<24>>,
    generation_next: Signal<Local, Bits<24>>,
    block: Signal<Local, Bits<16>>,
    block_next: Signal<Local, Bits<16>>,
    block_cut: Signal<Local, Bits<BLOCKW>>,
    plain_sec: Signal<Local, Bits<SECW>>,
    lsec: Signal<Local, Bits<SECW>>,
    rsec: Signal<Local, Bits<SECW>>,
    lnew: Signal<Local, Bits<KEYW>>,
    rnew: Signal<Local, Bits<KEYW>>,
    lk: Signal<Local, Bits<KEYW>>,
    rk: Signal<Local, Bits<KEYW>>,
    link_to: Signal<Local, Bits<K>>,
    link_next: Signal<Local, Bits<K>>,
    count: Signal<Local, Bits<8>>,
    count_next: Signal<Local, Bits<8>>,
    most: Signal<Local, Bits<PNW>>,
    most_next: Signal<Local, Bits<PNW>>,
    kind_now: Signal<Local, Bits<3>>,
    whole: Signal<Local, Bit>,
    window: Signal<Local, Bit>,
    epoch_now: Signal<Local, Bits<EPW>>,
    epoch_sum: Signal<Local, Bits<EPW>>,
    held_rights: Signal<Local, Bits<9>>,
    new_rights: Signal<Local, Bits<9>>,
    secret_key: Signal<Local, Bits<SECW>>,
    secret_l: Signal<Local, Bits<SECW>>,
    secret_r: Signal<Local, Bits<SECW>>,
    last_blocks: Signal<Local, Bits<24>>,
    #[default(constant(AT[16]))]
    at_gen: Constant<Bits<12>>,
    #[default(constant(AT[17]))]
    at_next: Constant<Bits<12>>,
    #[default(constant(AT[18]))]
    at_bound: Constant<Bits<12>>,
    #[default(constant(AT[19]))]
    at_budget: Constant<Bits<12>>,
    #[default(constant(ENTRYW - BEAT))]
    top_at: Constant<Bits<12>>,
    #[default(constant(BEAT))]
    beat_bits: Constant<Bits<12>>,
    #[default(constant(BASEW - 2))]
    digit_at: Constant<Bits<12>>,
    /// Generation bits that reach no key, and those of the last two blocks, of which the one before the last can be taken but not given back.
    #[default(Constant::new(ones::<24>(GENK, 24) | ones::<24>(0, 9)))]
    last_mask: Constant<Bits<24>>,
    #[default(constant(1))]
    one: Constant<Bits<SECW>>,
    #[default(constant(1 << FLAT))]
    high: Constant<Bits<SECW>>,
    #[default(Constant::new(F_SECRETS))]
    has_secrets: Constant<Bit>,
    #[default(constant(0x40))]
    odp_mask: Constant<Bits<9>>,
}

impl Logic for LifeEntry {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, all, digits, same, alike, worn, poor, kind_q, epoch_q, generation_q);
        // ---- what it is
        self.unpack.line.next = self.all.q.val().get_bits::<MPTLINE>(0);
        self.now.next = self.unpack.hot.val();
        self.hot.next = self.now.val();
        self.generation.next = self.all.q.val().get_bits::<24>(self.at_gen.val().index());
        self.link_to.next = self.all.q.val().get_bits::<K>(self.at_next.val().index());
        self.count.next = self.all.q.val().get_bits::<8>(self.at_bound.val().index());
        self.most.next = self.all.q.val().get_bits::<PNW>(self.at_budget.val().index());
        self.succ.next = self.link_to.val();
        self.bound.next = self.count.val().any();
        self.full.next = self.count.val().all();
        self.poor.d.next = self.budget.val() > self.most.val();
        self.narrow.next = self.poor.q.val();
        self.kind_now.next = self.now.val().kind;
        self.window.next = (self.kind_now.val() == 2) || (self.kind_now.val() == 3) || (self.kind_now.val() == 4);
        self.whole.next = self.window.val() || (self.kind_now.val() == 1);
        self.last_blocks.next = self.generation.val() | self.last_mask.val();
        self.worn.d.next = self.last_blocks.val().all();
        self.tired.next = self.worn.q.val();

        // ---- whose key
        self.lk.next = self.now.val().lkey;
        self.rk.next = self.now.val().rkey;
        self.same.d.next = (self.key.val() == self.rk.val()) || ((self.key.val() == self.lk.val()) && !self.window.val());
        self.secret_key.next = self.key.val().get_bits::<SECW>(8);
        self.secret_l.next = self.lk.val().get_bits::<SECW>(8);
        self.secret_r.next = self.rk.val().get_bits::<SECW>(8);
        self.alike.d.next = (self.secret_key.val() == self.secret_r.val()) || (self.secret_key.val() == self.secret_l.val());
        self.own.next = self.same.q.val();
        self.kin.next = self.alike.q.val();

        // ---- generations and keys
        self.block.next = self.generation.val().get_bits::<16>(8);
        self.block_next.next = self.block.val() + 1;
        self.perm.generation.next = self.generation.val();
        self.perm.key.next = self.key.val();
        self.block_cut.next = self.block.val().get_bits::<BLOCKW>(0);
        self.count_of.next = self.generation.val();
        self.plain_sec.next = bit_cast::<SECW, BLOCKW>(self.block_cut.val()) << 1;
        self.lsec.next = self.plain_sec.val();
        self.rsec.next = self.plain_sec.val() | self.one.val();
        self.lnew.next = self.perm.lkey.val();
        self.rnew.next = self.perm.rkey.val();
        if self.has_secrets.val() {
            self.lsec.next = bit_cast::<SECW, FLAT>(self.drawn_lsec.val()) | self.high.val();
            self.rsec.next = bit_cast::<SECW, FLAT>(self.drawn_rsec.val()) | self.high.val();
            self.lnew.next = bit_cast::<KEYW, DEEP>(self.drawn_l.val());
            self.rnew.next = bit_cast::<KEYW, DEEP>(self.drawn_r.val());
        }
        if self.again.val() {
            self.lsec.next = self.secret_l.val();
            self.rsec.next = self.secret_r.val();
        }

        // ---- what becomes of it
        self.next.next = self.now.val();
        self.generation_next.next = self.generation.val();
        self.link_next.next = self.link_to.val();
        self.count_next.next = self.count.val();
        self.most_next.next = self.most.val();
        self.epoch_now.next = self.now.val().epoch;
        self.epoch_sum.next = self.epoch_now.val() + 1;
        self.held_rights.next = self.now.val().rights;
        self.new_rights.next = self.rights.val();
        if self.fields.val() {
            self.next.next.kind = self.kind.val();
            self.next.next.state = self.state.val();
            if !self.keep_rights.val() {
                self.next.next.rights = self.rights.val();
            }
            if !self.keep_pd.val() {
                self.next.next.pd = self.pd.val();
            }
            if !self.keep_map.val() {
                self.next.next.page = self.page.val();
                self.next.next.start = self.start.val();
                self.next.next.length = self.length.val();
            }
        }
        if self.fresh.val() {
            self.generation_next.next = bit_cast::<24, 16>(self.block_next.val()) << 8;
            self.most_next.next = self.budget.val();
            self.count_next.next = 0.into();
        }
        if self.pair.val() {
            self.next.next.lkey = self.lnew.val();
            self.next.next.rkey = self.rnew.val();
            if self.blocked.val() {
                self.next.next.lkey = (bit_cast::<KEYW, SECW>(self.lsec.val()) << 8) | bit_cast::<KEYW, 8>(self.variant.val());
                self.next.next.rkey = (bit_cast::<KEYW, SECW>(self.rsec.val()) << 8) | bit_cast::<KEYW, 8>(self.variant.val());
            }
        }
        self.basis.next = self.digits.q.val().get_bits::<PAW>(0);
        if self.based.val() {
            self.next.next.base = self.basis.val();
        }
        if self.save.val() {
            self.kind_q.d.next = self.kind_now.val();
            self.epoch_q.d.next = self.epoch_now.val();
            self.generation_q.d.next = self.generation.val();
        }
        if self.morph.val() {
            // page size, base and PD are the region's; so is whether its pages come and go
            self.next.next.kind = self.kind_q.q.val();
            self.next.next.state = self.state.val();
            self.next.next.lkey = 0.into();
            self.next.next.rkey = (bit_cast::<KEYW, SECW>(self.secret.val()) << 8) | bit_cast::<KEYW, 8>(self.variant.val());
            self.next.next.rights = (self.held_rights.val() & self.odp_mask.val()) | self.new_rights.val();
            self.next.next.start = self.start.val();
            self.next.next.length = self.length.val();
            self.next.next.epoch = self.epoch_q.q.val();
            self.next.next.qpn = self.qpn.val();
            self.next.next.parent = bit_cast::<PARK, K>(self.parent.val());
            self.next.next.parent_epoch = bit_cast::<PARE, EPW>(self.epoch_now.val());
            self.next.next.origin = self.origin.val();
            self.generation_next.next = self.generation_q.q.val();
            self.count_next.next = 0.into();
            self.most_next.next = 0.into();
        }
        if self.up.val() {
            self.count_next.next = self.count.val() + 1;
        }
        if self.down.val() {
            self.count_next.next = self.count.val() - 1;
        }
        if self.retire.val() || self.rest.val() {
            self.next.next.state = 1.into();
        }
        if self.freed.val() {
            self.next.next.state = 2.into();
        }
        if self.retire.val() || self.rest.val() || self.bump.val() {
            self.next.next.epoch = self.epoch_sum.val();
        }
        if self.retire.val() {
            self.next.next.lkey = 0.into();
            self.next.next.rkey = 0.into();
            self.generation_next.next = self.generation.val() + 1;
            if self.whole.val() {
                self.generation_next.next = bit_cast::<24, 16>(self.block_next.val()) << 8;
            }
        }
        if self.chain.val() {
            self.link_next.next = self.head.val();
        }
        self.hotbits.next = self.next.val().into();
        self.changed.next = bit_cast::<ENTRYW, HOTB>(self.hotbits.val())
            | (bit_cast::<ENTRYW, 24>(self.generation_next.val()) << self.at_gen.val())
            | (bit_cast::<ENTRYW, K>(self.link_next.val()) << self.at_next.val())
            | (bit_cast::<ENTRYW, 8>(self.count_next.val()) << self.at_bound.val())
            | (bit_cast::<ENTRYW, PNW>(self.most_next.val()) << self.at_budget.val());

        // ---- one word further
        self.top.next = self.all.q.val().get_bits::<BEAT>(0);
        self.low.next = self.top.val();
        if self.take.val() {
            self.top.next = self.word.val();
        }
        self.moved.next = (self.all.q.val() >> self.beat_bits.val()) | (bit_cast::<ENTRYW, BEAT>(self.top.val()) << self.top_at.val());
        // not at home the fields are not where they look to be, so nothing is written back unless asked for
        self.alters.next = self.fields.val()
            || self.pair.val()
            || self.based.val()
            || self.fresh.val()
            || self.morph.val()
            || self.up.val()
            || self.down.val()
            || self.retire.val()
            || self.rest.val()
            || self.freed.val()
            || self.bump.val()
            || self.chain.val();
        if self.alters.val() {
            self.all.d.next = self.changed.val();
        }
        if self.shift.val() {
            self.all.d.next = self.moved.val();
        }
        if self.push.val() {
            self.digits.d.next = (self.digits.q.val() >> 2) | (bit_cast::<BASEW, 2>(self.digit.val()) << self.digit_at.val());
        }
    }
}
