// SPDX-License-Identifier: MIT OR Apache-2.0
//! The keyed permutation that makes keys unguessable (`feature.secrets`).
//!
//! ```text
//!  load, secret ─► key ─┐ go                 low word ──┬──────────────┐
//!  index, block ────────┴─(xor)─► [ left | right ] one round of SIMON64 a cycle, constants z2
//!                                                       ▼ round keys
//!  2 * generation, + 1 ─────► two Feistel networks over KEYW - 1 bits ─► lkey, rkey
//!  2 * block, + 1 ──────────► two Feistel networks over SECW - 1 bits ─► lsecret, rsecret
//! ```
//! Contract: `go` with `index`, `generation`, `block` on the pins for this cycle; `busy` is high from the next cycle on for ROUNDS cycles, then the
//! four results stay until the next `go`. `block` says which of the two kinds of number is wanted: it is part of the tweak, so the two kinds have
//! unrelated permutations. The secret can be loaded, never read.
//!
//! One network: the low half of the number, xored with f of the rest and with the round key, goes to the top, the rest goes down. Where the width is odd,
//! the rest is one bit wider; as the width and the half have no common divisor, every bit is changed in turn. f is that of SIMON,
//! (x <<< 1 & x <<< 8) ^ x <<< 2, over the rest; where 8 is 1 or 2 modulo its width, x stands for x <<< 8. The round key is the low bits of `left`.
//!
//! Key schedule: SIMON64's own round over 64 bits, so that after a third of the rounds two indices have nothing in common; a linear schedule
//! would keep the difference of two tweaks, which everybody knows.
//!
//! DEEP bits of an ordinary key are drawn, the one above them is 0; FLAT bits of the secret of a key whose low byte the consumer chooses, the one above is 1.
//!
//! Latency ROUNDS + 1.

use super::key_alloc::GENK;
use super::prelude::*;

/// Rounds.
pub const ROUNDS: usize = 48;
/// Bits of the number of a block of generations.
pub const BLOCKW: usize = GENK - 8;
const DEEPT: usize = DEEP / 2;
const DEEPS: usize = DEEP - DEEPT;
const FLATT: usize = FLAT / 2;
const FLATS: usize = FLAT - FLATT;

/// See the module text: a network over W bits, of which T are changed a round after the other S.
#[derive(LogicBlock, SmartDefault)]
pub struct Feistel<const W: usize, const T: usize, const S: usize> {
    pub clock: Signal<In, Clock>,
    pub go: Signal<In, Bit>,
    pub number: Signal<In, Bits<W>>,
    pub turn: Signal<In, Bit>,
    pub key: Signal<In, Bits<T>>,
    pub result: Signal<Out, Bits<W>>,
    number_q: DFF<Bits<W>>,
    target: Signal<Local, Bits<T>>,
    rest: Signal<Local, Bits<S>>,
    by_one: Signal<Local, Bits<S>>,
    by_two: Signal<Local, Bits<S>>,
    by_eight: Signal<Local, Bits<S>>,
    mix: Signal<Local, Bits<S>>,
    fit: Signal<Local, Bits<T>>,
    fresh: Signal<Local, Bits<T>>,
    #[default(constant(T))]
    half: Constant<Bits<5>>,
    #[default(constant(S))]
    size: Constant<Bits<5>>,
    #[default(constant(S - 1))]
    less_one: Constant<Bits<5>>,
    #[default(constant(S - 2))]
    less_two: Constant<Bits<5>>,
    #[default(constant(eight(S)))]
    eight: Constant<Bits<5>>,
    #[default(constant(S - eight(S)))]
    less_eight: Constant<Bits<5>>,
}

/// 8 modulo the width, 0 where that is one of the other two rotations.
pub const fn eight(width: usize) -> usize {
    match 8 % width {
        1 | 2 => 0,
        other => other,
    }
}

impl<const W: usize, const T: usize, const S: usize> Logic for Feistel<W, T, S> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, number_q);
        self.result.next = self.number_q.q.val();
        self.target.next = self.number_q.q.val().get_bits::<T>(0);
        self.rest.next = self.number_q.q.val().get_bits::<S>(self.half.val().index());
        self.by_one.next = (self.rest.val() << 1) | (self.rest.val() >> self.less_one.val());
        self.by_two.next = (self.rest.val() << 2) | (self.rest.val() >> self.less_two.val());
        self.by_eight.next = (self.rest.val() << self.eight.val()) | (self.rest.val() >> self.less_eight.val());
        self.mix.next = (self.by_one.val() & self.by_eight.val()) ^ self.by_two.val();
        self.fit.next = self.mix.val().get_bits::<T>(0);
        self.fresh.next = self.target.val() ^ self.fit.val() ^ self.key.val();
        if self.turn.val() {
            self.number_q.d.next = bit_cast::<W, S>(self.rest.val()) | (bit_cast::<W, T>(self.fresh.val()) << self.size.val());
        }
        if self.go.val() {
            self.number_q.d.next = self.number.val();
        }
    }
}

/// See the module text.
#[derive(LogicBlock, SmartDefault)]
pub struct KeyCipher {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// `secret` is the key from now on.
    pub load: Signal<In, Bit>,
    pub secret: Signal<In, Bits<64>>,
    pub go: Signal<In, Bit>,
    pub block: Signal<In, Bit>,
    pub index: Signal<In, Bits<K>>,
    pub generation: Signal<In, Bits<24>>,
    pub busy: Signal<Out, Bit>,
    pub lkey: Signal<Out, Bits<DEEP>>,
    pub rkey: Signal<Out, Bits<DEEP>>,
    pub lsecret: Signal<Out, Bits<FLAT>>,
    pub rsecret: Signal<Out, Bits<FLAT>>,
    deep_l: Feistel<DEEP, DEEPT, DEEPS>,
    deep_r: Feistel<DEEP, DEEPT, DEEPS>,
    flat_l: Feistel<FLAT, FLATT, FLATS>,
    flat_r: Feistel<FLAT, FLATT, FLATS>,
    kept: DFF<Bits<64>>,
    left: DFF<Bits<32>>,
    right: DFF<Bits<32>>,
    turns: DFF<Bits<6>>,
    runs: DFF<Bit>,
    generation_cut: Signal<Local, Bits<GENK>>,
    block_cut: Signal<Local, Bits<BLOCKW>>,
    deep_0: Signal<Local, Bits<DEEP>>,
    deep_1: Signal<Local, Bits<DEEP>>,
    flat_0: Signal<Local, Bits<FLAT>>,
    flat_1: Signal<Local, Bits<FLAT>>,
    word: Signal<Local, Bits<32>>,
    by_one: Signal<Local, Bits<32>>,
    by_two: Signal<Local, Bits<32>>,
    by_eight: Signal<Local, Bits<32>>,
    mix: Signal<Local, Bits<32>>,
    left_start: Signal<Local, Bits<32>>,
    right_start: Signal<Local, Bits<32>>,
    tweak: Signal<Local, Bits<32>>,
    marked: Signal<Local, Bits<32>>,
    ahead: Signal<Local, Bits<64>>,
    chosen: Signal<Local, Bits<32>>,
    #[default(constant(1))]
    one_deep: Constant<Bits<DEEP>>,
    #[default(constant(1))]
    one_flat: Constant<Bits<FLAT>>,
    #[default(constant(0x8000_0000))]
    mark: Constant<Bits<32>>,
    /// SIMON's z2, its first bit the lowest.
    #[default(constant(Z2 as usize))]
    z: Constant<Bits<64>>,
    #[default(constant(0xFFFF_FFFC))]
    c_even: Constant<Bits<32>>,
    #[default(constant(0xFFFF_FFFD))]
    c_odd: Constant<Bits<32>>,
    #[default(constant(ROUNDS - 1))]
    final_turn: Constant<Bits<6>>,
}

/// SIMON's sequence z2, as published (first bit left), turned so that the first bit is the lowest.
pub const Z2: u64 = (0b10_1011_1101_1100_0000_1101_0010_0110_0010_1000_0100_0111_1110_0101_1011_0011u64 << 2).reverse_bits();

impl Logic for KeyCipher {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, kept, left, right, turns, runs);
        self.deep_l.clock.next = self.clock.val();
        self.deep_r.clock.next = self.clock.val();
        self.flat_l.clock.next = self.clock.val();
        self.flat_r.clock.next = self.clock.val();

        // ---- the numbers
        self.generation_cut.next = self.generation.val().get_bits::<GENK>(0);
        self.block_cut.next = self.generation.val().get_bits::<BLOCKW>(8);
        self.deep_0.next = bit_cast::<DEEP, GENK>(self.generation_cut.val()) << 1;
        self.deep_1.next = self.deep_0.val() | self.one_deep.val();
        self.flat_0.next = bit_cast::<FLAT, BLOCKW>(self.block_cut.val()) << 1;
        self.flat_1.next = self.flat_0.val() | self.one_flat.val();
        self.deep_l.number.next = self.deep_0.val();
        self.deep_r.number.next = self.deep_1.val();
        self.flat_l.number.next = self.flat_0.val();
        self.flat_r.number.next = self.flat_1.val();
        self.deep_l.go.next = self.go.val();
        self.deep_r.go.next = self.go.val();
        self.flat_l.go.next = self.go.val();
        self.flat_r.go.next = self.go.val();
        self.deep_l.turn.next = self.runs.q.val();
        self.deep_r.turn.next = self.runs.q.val();
        self.flat_l.turn.next = self.runs.q.val();
        self.flat_r.turn.next = self.runs.q.val();
        self.word.next = self.left.q.val();
        self.deep_l.key.next = self.word.val().get_bits::<DEEPT>(0);
        self.deep_r.key.next = self.word.val().get_bits::<DEEPT>(0);
        self.flat_l.key.next = self.word.val().get_bits::<FLATT>(0);
        self.flat_r.key.next = self.word.val().get_bits::<FLATT>(0);
        self.lkey.next = self.deep_l.result.val();
        self.rkey.next = self.deep_r.result.val();
        self.lsecret.next = self.flat_l.result.val();
        self.rsecret.next = self.flat_r.result.val();

        // ---- the round keys
        self.left_start.next = self.kept.q.val().get_bits::<32>(32);
        self.right_start.next = self.kept.q.val().get_bits::<32>(0);
        self.tweak.next = bit_cast::<32, K>(self.index.val());
        self.marked.next = self.tweak.val();
        if self.block.val() {
            self.marked.next = self.tweak.val() | self.mark.val();
        }
        self.by_one.next = (self.word.val() << 1) | (self.word.val() >> 31);
        self.by_two.next = (self.word.val() << 2) | (self.word.val() >> 30);
        self.by_eight.next = (self.word.val() << 8) | (self.word.val() >> 24);
        self.mix.next = (self.by_one.val() & self.by_eight.val()) ^ self.by_two.val();
        self.ahead.next = self.z.val() >> self.turns.q.val();
        self.chosen.next = self.c_even.val();
        if self.ahead.val().get_bit(0) {
            self.chosen.next = self.c_odd.val();
        }
        self.busy.next = self.runs.q.val();
        if self.runs.q.val() {
            self.left.d.next = self.right.q.val() ^ self.mix.val() ^ self.chosen.val();
            self.right.d.next = self.word.val();
            self.turns.d.next = self.turns.q.val() + 1;
            if self.turns.q.val() == self.final_turn.val() {
                self.runs.d.next = false;
            }
        }
        if self.go.val() {
            self.left.d.next = self.left_start.val() ^ self.marked.val();
            self.right.d.next = self.right_start.val();
            self.turns.d.next = 0.into();
            self.runs.d.next = true;
        }
        if self.load.val() {
            self.kept.d.next = self.secret.val();
        }
        if self.reset.val() {
            self.kept.d.next = 0.into();
            self.runs.d.next = false;
        }
    }
}
