// SPDX-License-Identifier: MIT OR Apache-2.0
//! First decoding of a request: what can be refused, or passed, without asking the table.
//!
//! ```text
//!   pins ─►(length, operation, index)─► req, with `early`
//! ```
//! Contract: `early` is 1 bad_length (unknown operation, one compiled out, longer than MAXREQ, atomic not of 8 bytes), else 2 zero-length
//! read or write (passes), else 4 no such index, else 0. Rule: `docs/interface.md`, order of checks. Combinational.

use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct ReqDecode {
    /// Port number.
    pub number: Signal<In, Bits<PORTW>>,
    /// Tag.
    pub tag: Signal<In, Bits<TAGW>>,
    /// Key.
    pub key: Signal<In, Bits<32>>,
    /// 1 remote.
    pub side: Signal<In, Bit>,
    /// QP number.
    pub qpn: Signal<In, Bits<24>>,
    /// PD of the QP.
    pub pd: Signal<In, Bits<PDW>>,
    /// First byte.
    pub va: Signal<In, Bits<VAW>>,
    /// Bytes.
    pub len: Signal<In, Bits<32>>,
    /// Operation.
    pub op: Signal<In, Bits<4>>,
    /// Addresses wanted.
    pub walk: Signal<In, Bit>,
    /// Isolation class.
    pub iso: Signal<In, Bits<CLW>>,
    /// The request as it enters the key cache.
    pub req: Signal<Out, Req>,
    #[default(constant(MAXB))]
    max_bits: Constant<Bits<6>>,
    #[default(constant(MRS))]
    mrs: Constant<Bits<32>>,
    #[default(Constant::new(F_FLUSH_OPS))]
    has_flush: Constant<Bit>,
    #[default(Constant::new(F_ATOMICS))]
    has_atomics: Constant<Bit>,
    unknown: Signal<Local, Bit>,
    long: Signal<Local, Bit>,
    blocks: Signal<Local, Bits<32>>,
    more: Signal<Local, Bits<32>>,
    rest: Signal<Local, Bits<MAXB>>,
    atomic: Signal<Local, Bit>,
    index: Signal<Local, Bits<K>>,
    no_index: Signal<Local, Bit>,
    zero: Signal<Local, Bit>,
}

impl Logic for ReqDecode {
    #[hdl_gen]
    fn update(&mut self) {
        self.index.next = self.key.val().get_bits::<K>(8);
        self.no_index.next = !self.index.val().any() | (bit_cast::<32, K>(self.index.val()) >= self.mrs.val());
        // longer than MAXREQ, a power of two: no carry chain behind the pins
        self.blocks.next = self.len.val() >> self.max_bits.val();
        self.more.next = self.blocks.val() >> 1;
        self.rest.next = self.len.val().get_bits::<MAXB>(0);
        self.long.next = self.more.val().any() | (self.blocks.val().get_bit(0) & self.rest.val().any());
        self.atomic.next = (self.op.val() == 2) | (self.op.val() == 3);
        self.zero.next = !self.len.val().any();
        self.req.next.va = self.va.val();
        self.req.next.len = self.len.val().get_bits::<LENW>(0);
        self.req.next.key = self.key.val();
        self.req.next.pd = self.pd.val();
        self.req.next.qpn = self.qpn.val().get_bits::<QPW>(0);
        self.req.next.op = self.op.val();
        self.req.next.side = self.side.val();
        self.req.next.walk = self.walk.val();
        self.req.next.class = self.iso.val();
        self.req.next.tag = self.tag.val();
        self.req.next.port = self.number.val();
        self.req.next.early = 0.into();
        if self.no_index.val() {
            self.req.next.early = 4.into();
        }
        if self.zero.val() & ((self.op.val() == 0) | (self.op.val() == 1) | (self.op.val() == 6) | (self.op.val() == 7)) {
            self.req.next.early = 2.into();
        }
        self.unknown.next = self.op.val() > 8;
        if (self.op.val() == 4) | (self.op.val() == 5) {
            self.unknown.next = !self.has_flush.val();
        }
        if self.atomic.val() {
            self.unknown.next = !self.has_atomics.val();
        }
        if self.long.val() | self.unknown.val() | (self.atomic.val() & (self.len.val() != 8)) {
            self.req.next.early = 1.into();
        }
    }
}
