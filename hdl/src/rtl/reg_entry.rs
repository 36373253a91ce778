// SPDX-License-Identifier: MIT OR Apache-2.0
//! The entry a command works on: one long register that moves word by word.
//!
//! ```text
//!  word, or low again ─►[ MPTN-1 | ... | 1 | 0 ]─► low ─► icm_data
//!                           ▲ ▲ ▲   at home, fields load in place:
//!   load: the command's fields   push: two bits of the base   keys: from the generation
//!   clear: keys 0   retire: state 1, epoch + 1, generation + 1   link: next = head
//! ```
//! Contract: at most one of the pulses at a time. MPTN shifts with `take` bring an entry home; MPTN shifts without
//! turn it once round. The outputs mean something at home only. Each bit has two sources, the bit a word above and its field,
//! and a clock enable of its field's own: one logic cell a bit, so a new field source belongs into another pulse.
//! An incremented field adds `still`, a flip-flop, to every bit, which makes no difference to what it loads but lets
//! the adder and the choice share a cell.
//! `own`: `key` (secret above, variant below) is one of the two keys of the generation, as it was one cycle ago.
//! `tired`: the generation has no successor, likewise.
//!
//! Latency: one cycle a pulse.

use super::key_alloc::*;
use super::prelude::*;

const KEYS: usize = AT[2];
const MID: usize = AT[9] - AT[3];
const CMD: usize = HOTB - AT[3];
const BASEW: usize = PAW + PAW % 2;
const EPW1: usize = EPW + 1;
const TAIL: usize = MPTLINE - AT[11];
const REST: usize = ENTRYW - AT[18];

/// See the module text.
#[derive(LogicBlock, SmartDefault)]
pub struct RegEntry {
    pub clock: Signal<In, Clock>,
    pub shift: Signal<In, Bit>,
    /// The word that comes in is `word`.
    pub take: Signal<In, Bit>,
    pub word: Signal<In, Bits<BEAT>>,
    pub load: Signal<In, Bit>,
    pub access: Signal<In, Bits<32>>,
    pub page: Signal<In, Bits<3>>,
    pub pd: Signal<In, Bits<PDW>>,
    pub start: Signal<In, Bits<VAW>>,
    pub length: Signal<In, Bits<RLW>>,
    /// The base comes two bits at a time, low bits first.
    pub push: Signal<In, Bit>,
    pub digit: Signal<In, Bits<2>>,
    pub keys: Signal<In, Bit>,
    pub clear: Signal<In, Bit>,
    pub retire: Signal<In, Bit>,
    /// Low with `retire`, high with `shift`.
    pub still: Signal<In, Bit>,
    pub link: Signal<In, Bit>,
    pub head: Signal<In, Bits<K>>,
    pub key: Signal<In, Bits<KEYW>>,
    pub low: Signal<Out, Bits<BEAT>>,
    pub hot: Signal<Out, MptHot>,
    pub succ: Signal<Out, Bits<K>>,
    pub own: Signal<Out, Bit>,
    pub tired: Signal<Out, Bit>,
    perm: KeyPerm,
    unpack: HotUnpack,
    pair: DFF<Bits<KEYS>>,
    life: DFF<Bits<2>>,
    mid: DFF<Bits<MID>>,
    base: DFF<Bits<BASEW>>,
    epoch: DFF<Bits<EPW>>,
    tail: DFF<Bits<TAIL>>,
    generation: DFF<Bits<24>>,
    link_to: DFF<Bits<K>>,
    rest: DFF<Bits<REST>>,
    same: DFF<Bit>,
    worn: DFF<Bit>,
    rights: Signal<Local, Bits<9>>,
    cmd: Signal<Local, MptHot>,
    cmdbits: Signal<Local, Bits<HOTB>>,
    fields: Signal<Local, Bits<CMD>>,
    lk: Signal<Local, Bits<KEYW>>,
    rk: Signal<Local, Bits<KEYW>>,
    basis: Signal<Local, Bits<PAW>>,
    all: Signal<Local, Bits<ENTRYW>>,
    top: Signal<Local, Bits<BEAT>>,
    moved: Signal<Local, Bits<ENTRYW>>,
    base_in: Signal<Local, Bits<PAW>>,
    spread: Signal<Local, Bits<24>>,
    spread_e: Signal<Local, Bits<EPW>>,
    gen_sum: Signal<Local, Bits<25>>,
    ep_sum: Signal<Local, Bits<EPW1>>,
    full: Signal<Local, Bits<24>>,
    #[default(constant(AT[2]))]
    at_state: Constant<Bits<12>>,
    #[default(constant(AT[3]))]
    at_mid: Constant<Bits<12>>,
    #[default(constant(AT[9]))]
    at_base: Constant<Bits<12>>,
    #[default(constant(AT[10]))]
    at_epoch: Constant<Bits<12>>,
    #[default(constant(AT[11]))]
    at_tail: Constant<Bits<12>>,
    #[default(constant(AT[16]))]
    at_gen: Constant<Bits<12>>,
    #[default(constant(AT[17]))]
    at_next: Constant<Bits<12>>,
    #[default(constant(AT[18]))]
    at_rest: Constant<Bits<12>>,
    #[default(constant(KEYW))]
    keyw: Constant<Bits<12>>,
    #[default(constant(ENTRYW - BEAT))]
    top_at: Constant<Bits<12>>,
    #[default(constant(BEAT))]
    beat_bits: Constant<Bits<12>>,
    #[default(constant(BASEW - 2))]
    digit_at: Constant<Bits<12>>,
    /// Generation bits that reach no key.
    #[default(Constant::new(ones(GENK, 24)))]
    gen_mask: Constant<Bits<24>>,
    #[default(Constant::new(1.into()))]
    one_g: Constant<Bits<25>>,
    #[default(Constant::new(1.into()))]
    one_e: Constant<Bits<EPW1>>,
}

impl Logic for RegEntry {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, pair, life, mid, base, epoch, tail, generation, link_to, rest, same, worn);
        // ---- the whole, and the whole one word further
        self.basis.next = self.base.q.val().get_bits::<PAW>(0);
        self.all.next = bit_cast::<ENTRYW, KEYS>(self.pair.q.val())
            | (bit_cast::<ENTRYW, 2>(self.life.q.val()) << self.at_state.val())
            | (bit_cast::<ENTRYW, MID>(self.mid.q.val()) << self.at_mid.val())
            | (bit_cast::<ENTRYW, PAW>(self.basis.val()) << self.at_base.val())
            | (bit_cast::<ENTRYW, EPW>(self.epoch.q.val()) << self.at_epoch.val())
            | (bit_cast::<ENTRYW, TAIL>(self.tail.q.val()) << self.at_tail.val())
            | (bit_cast::<ENTRYW, 24>(self.generation.q.val()) << self.at_gen.val())
            | (bit_cast::<ENTRYW, K>(self.link_to.q.val()) << self.at_next.val())
            | (bit_cast::<ENTRYW, REST>(self.rest.q.val()) << self.at_rest.val());
        self.top.next = self.all.val().get_bits::<BEAT>(0);
        self.low.next = self.top.val();
        if self.take.val() {
            self.top.next = self.word.val();
        }
        self.moved.next = (self.all.val() >> self.beat_bits.val()) | (bit_cast::<ENTRYW, BEAT>(self.top.val()) << self.top_at.val());

        // ---- fields
        self.unpack.line.next = self.all.val().get_bits::<MPTLINE>(0);
        self.hot.next = self.unpack.hot.val();
        self.succ.next = self.link_to.q.val();
        self.perm.generation.next = self.generation.q.val();
        self.perm.key.next = self.key.val();
        self.lk.next = self.perm.lkey.val();
        self.rk.next = self.perm.rkey.val();
        self.same.d.next = self.perm.own.val();
        self.own.next = self.same.q.val();
        self.full.next = self.generation.q.val() | self.gen_mask.val();
        self.worn.d.next = self.full.val().all();
        self.tired.next = self.worn.q.val();
        self.rights.next = (bit_cast::<9, 2>(self.access.val().get_bits::<2>(8)) << 7)
            | bit_cast::<9, 7>(self.access.val().get_bits::<7>(0));
        self.cmd.next.rkey = 0.into();
        self.cmd.next.lkey = 0.into();
        self.cmd.next.state = 0.into();
        self.cmd.next.kind = 0.into();
        self.cmd.next.rights = self.rights.val();
        self.cmd.next.page = self.page.val();
        self.cmd.next.pd = self.pd.val();
        self.cmd.next.start = self.start.val();
        self.cmd.next.length = self.length.val();
        self.cmd.next.base = 0.into();
        self.cmd.next.epoch = 0.into();
        self.cmd.next.colour = false;
        self.cmd.next.qpn = 0.into();
        self.cmd.next.parent = 0.into();
        self.cmd.next.parent_epoch = 0.into();
        self.cmd.next.origin = 0.into();
        self.cmdbits.next = self.cmd.val().into();
        self.fields.next = self.cmdbits.val().get_bits::<CMD>(self.at_mid.val().index());

        // ---- sums
        self.spread.next = 0.into();
        self.spread_e.next = 0.into();
        for i in 0..24 {
            self.spread.next = self.spread.val().replace_bit(i, self.still.val());
        }
        for i in 0..EPW {
            self.spread_e.next = self.spread_e.val().replace_bit(i, self.still.val());
        }
        self.gen_sum.next = ((bit_cast::<25, 24>(self.generation.q.val()) << 1) | self.one_g.val())
            + ((bit_cast::<25, 24>(self.spread.val()) << 1) | self.one_g.val());
        self.ep_sum.next = ((bit_cast::<EPW1, EPW>(self.epoch.q.val()) << 1) | self.one_e.val())
            + ((bit_cast::<EPW1, EPW>(self.spread_e.val()) << 1) | self.one_e.val());

        // ---- two sources a bit
        if self.clear.val() {
            self.pair.d.next = 0.into();
        } else if self.shift.val() {
            self.pair.d.next = self.moved.val().get_bits::<KEYS>(0);
        } else if self.keys.val() {
            self.pair.d.next = bit_cast::<KEYS, KEYW>(self.rk.val()) | (bit_cast::<KEYS, KEYW>(self.lk.val()) << self.keyw.val());
        }
        if self.shift.val() {
            self.life.d.next = self.moved.val().get_bits::<2>(self.at_state.val().index());
        } else if self.load.val() {
            self.life.d.next = 3.into();
        } else if self.retire.val() {
            self.life.d.next = 1.into();
        }
        if self.shift.val() {
            self.mid.d.next = self.moved.val().get_bits::<MID>(self.at_mid.val().index());
        } else if self.load.val() {
            self.mid.d.next = self.fields.val().get_bits::<MID>(0);
        }
        self.base_in.next = self.moved.val().get_bits::<PAW>(self.at_base.val().index());
        if self.shift.val() {
            self.base.d.next = bit_cast::<BASEW, PAW>(self.base_in.val());
        } else if self.push.val() {
            self.base.d.next = (self.base.q.val() >> 2) | (bit_cast::<BASEW, 2>(self.digit.val()) << self.digit_at.val());
        }
        if self.shift.val() || self.retire.val() {
            self.epoch.d.next = self.ep_sum.val().get_bits::<EPW>(1);
            if self.still.val() {
                self.epoch.d.next = self.moved.val().get_bits::<EPW>(self.at_epoch.val().index());
            }
        }
        if self.shift.val() {
            self.tail.d.next = self.moved.val().get_bits::<TAIL>(self.at_tail.val().index());
        }
        if self.shift.val() || self.retire.val() {
            self.generation.d.next = self.gen_sum.val().get_bits::<24>(1);
            if self.still.val() {
                self.generation.d.next = self.moved.val().get_bits::<24>(self.at_gen.val().index());
            }
        }
        if self.shift.val() {
            self.link_to.d.next = self.moved.val().get_bits::<K>(self.at_next.val().index());
        } else if self.link.val() {
            self.link_to.d.next = self.head.val();
        }
        if self.shift.val() {
            self.rest.d.next = self.moved.val().get_bits::<REST>(self.at_rest.val().index());
        }
    }
}
