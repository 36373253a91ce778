// SPDX-License-Identifier: MIT OR Apache-2.0
//! A waiting request's word in the slot RAM, as the request it was.
//!
//! ```text
//!   word (SlotWord), slot {port, tag} ─► req
//! ```
//! Contract: what `decide.rs` wrote for a lookup that found no line comes out as that lookup (early verdict none). Wires only.

use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct SlotRequest {
    /// Its word.
    pub word: Signal<In, SlotWord>,
    /// Its slot: port above tag.
    pub slot: Signal<In, Bits<SLOTW>>,
    /// The request.
    pub req: Signal<Out, Req>,
    #[default(constant(TAGW))]
    tag_bits: Constant<Bits<5>>,
    #[default(constant(8 + K))]
    sec_at: Constant<Bits<6>>,
    word_at: Signal<Local, Bits<ADRW>>,
    code: Signal<Local, Bits<CODEW>>,
    secret: Signal<Local, Bits<SECW>>,
    variant: Signal<Local, Bits<8>>,
    port_of: Signal<Local, Bits<8>>,
    port_wide: Signal<Local, Bits<8>>,
    key: Signal<Local, Bits<32>>,
    key_index: Signal<Local, Bits<32>>,
    owner_bits: Signal<Local, Bits<OWNW>>,
    slot_bits: Signal<Local, Bits<SLOTW>>,
}

impl Logic for SlotRequest {
    #[hdl_gen]
    fn update(&mut self) {
        self.code.next = self.word.val().code;
        self.variant.next = self.code.val().get_bits::<8>(0);
        self.secret.next = self.code.val().get_bits::<SECW>(8);
        self.word_at.next = self.word.val().addr;
        self.req.next.va = bit_cast::<VAW, ADRW>(self.word_at.val());
        self.req.next.len = self.word.val().len;
        self.key.next = bit_cast::<32, SECW>(self.secret.val()) << self.sec_at.val();
        self.key.next = self.key.val() | bit_cast::<32, 8>(self.variant.val());
        self.key_index.next = bit_cast::<32, K>(self.word.val().index) << 8;
        self.req.next.key = self.key.val() | self.key_index.val();
        self.owner_bits.next = self.word.val().owner;
        self.req.next.pd = self.owner_bits.val().get_bits::<PDW>(0);
        self.req.next.qpn = self.word.val().qpn;
        self.req.next.op = self.word.val().op;
        self.req.next.side = self.word.val().side;
        self.req.next.walk = self.word.val().walk;
        self.req.next.class = self.word.val().class;
        self.req.next.early = 0.into();
        self.slot_bits.next = self.slot.val();
        self.req.next.tag = self.slot_bits.val().get_bits::<TAGW>(0);
        // eight bits wide: with one port the slot has no port bits, and Icarus never runs a shift by the whole width
        self.port_of.next = bit_cast::<8, SLOTW>(self.slot_bits.val());
        self.port_wide.next = self.port_of.val() >> self.tag_bits.val();
        self.req.next.port = self.port_wide.val().get_bits::<PORTW>(0);
    }
}
