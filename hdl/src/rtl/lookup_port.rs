// SPDX-License-Identifier: MIT OR Apache-2.0
//! Entrance of one requester port: a two-deep buffer whose ready is a register, first decoding, and the verdict credit.
//!
//! ```text
//!   lookup_* ─►(decode)─►┌ head ┐──► head, offer ──► arbiter
//!            └─►┌ skid ┐─►└──────┘◄── take
//!   ready ◄─ register        outstanding: +1 take, -1 verdict left
//! ```
//! Contract: `offer` is high while a request waits and the port's verdict FIFO has room for its answer; `take` consumes it.
//! The buffer cuts every path between the pins and the arbiter. `early` is decoded on the way in: 1 bad_length
//! (unknown operation, longer than MAXREQ, atomic not of 8 bytes), 2 zero-length read or write (passes), 4 no such index.
//! Rule: `docs/interface.md`, order of checks.
//! Latency 1 cycle, interval 1.

use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock)]
pub struct LookupPort {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// Requests may be accepted (low until the reset sweep is over).
    pub enable: Signal<In, Bit>,
    /// This port's number.
    pub number: Signal<In, Bits<PORTW>>,
    /// Stream valid.
    pub valid: Signal<In, Bit>,
    /// Stream ready, a register.
    pub ready: Signal<Out, Bit>,
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
    /// A request waits and has credit.
    pub offer: Signal<Out, Bit>,
    /// The request.
    pub head: Signal<Out, Req>,
    /// The arbiter takes it.
    pub take: Signal<In, Bit>,
    /// A verdict left the port.
    pub verdict_left: Signal<In, Bit>,
    a: DFF<Req>,
    av: DFF<Bit>,
    b: DFF<Req>,
    bv: DFF<Bit>,
    ready_q: DFF<Bit>,
    out: DFF<Bits<VDCW>>,
    max_len: Constant<Bits<32>>,
    most: Constant<Bits<VDCW>>,
    mrs: Constant<Bits<32>>,
    has_flush: Constant<Bit>,
    has_atomics: Constant<Bit>,
    unknown: Signal<Local, Bit>,
    req: Signal<Local, Req>,
    push: Signal<Local, Bit>,
    move_on: Signal<Local, Bit>,
    bv_next: Signal<Local, Bit>,
    long: Signal<Local, Bit>,
    atomic: Signal<Local, Bit>,
    index: Signal<Local, Bits<K>>,
    no_index: Signal<Local, Bit>,
    zero: Signal<Local, Bit>,
    credit: Signal<Local, Bit>,
    left: Signal<Local, Bit>,
}

impl Default for LookupPort {
    fn default() -> Self {
        Self {
            max_len: Constant::new((MAXREQ as u64).to_bits()),
            most: Constant::new(((1u64 << VDW) + 1).to_bits()),
            mrs: Constant::new((MRS as u64).to_bits()),
            has_flush: Constant::new(F_FLUSH_OPS),
            has_atomics: Constant::new(F_ATOMICS),
            clock: Default::default(),
            reset: Default::default(),
            enable: Default::default(),
            number: Default::default(),
            valid: Default::default(),
            ready: Default::default(),
            tag: Default::default(),
            key: Default::default(),
            side: Default::default(),
            qpn: Default::default(),
            pd: Default::default(),
            va: Default::default(),
            len: Default::default(),
            op: Default::default(),
            walk: Default::default(),
            iso: Default::default(),
            offer: Default::default(),
            head: Default::default(),
            take: Default::default(),
            verdict_left: Default::default(),
            a: Default::default(),
            av: Default::default(),
            b: Default::default(),
            bv: Default::default(),
            ready_q: Default::default(),
            out: Default::default(),
            unknown: Default::default(),
            req: Default::default(),
            push: Default::default(),
            move_on: Default::default(),
            bv_next: Default::default(),
            long: Default::default(),
            atomic: Default::default(),
            index: Default::default(),
            no_index: Default::default(),
            zero: Default::default(),
            credit: Default::default(),
            left: Default::default(),
        }
    }
}

impl Logic for LookupPort {
    #[hdl_gen]
    fn update(&mut self) {
        self.a.clock.next = self.clock.val();
        self.av.clock.next = self.clock.val();
        self.b.clock.next = self.clock.val();
        self.bv.clock.next = self.clock.val();
        self.ready_q.clock.next = self.clock.val();
        self.out.clock.next = self.clock.val();
        // decode
        self.index.next = self.key.val().get_bits::<K>(8);
        self.no_index.next = !self.index.val().any() | (bit_cast::<32, K>(self.index.val()) >= self.mrs.val());
        self.long.next = self.len.val() > self.max_len.val();
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
        // buffer
        self.push.next = self.valid.val() & self.ready_q.q.val();
        self.move_on.next = self.take.val() | !self.av.q.val();
        self.a.d.next = self.a.q.val();
        self.av.d.next = self.av.q.val();
        self.b.d.next = self.b.q.val();
        self.bv_next.next = self.bv.q.val();
        if self.move_on.val() {
            if self.bv.q.val() {
                self.a.d.next = self.b.q.val();
                self.av.d.next = true;
                self.bv_next.next = false;
            } else {
                self.a.d.next = self.req.val();
                self.av.d.next = self.push.val();
            }
        } else if self.push.val() {
            self.b.d.next = self.req.val();
            self.bv_next.next = true;
        }
        self.bv.d.next = self.bv_next.val();
        self.ready_q.d.next = !self.bv_next.val() & self.enable.val();
        self.ready.next = self.ready_q.q.val();
        // credit
        self.credit.next = self.out.q.val() != self.most.val();
        self.left.next = self.verdict_left.val();
        self.out.d.next = self.out.q.val();
        if self.take.val() & !self.left.val() {
            self.out.d.next = self.out.q.val() + 1;
        }
        if !self.take.val() & self.left.val() {
            self.out.d.next = self.out.q.val() - 1;
        }
        self.offer.next = self.av.q.val() & self.credit.val();
        self.head.next = self.a.q.val();
        if self.reset.val() {
            self.av.d.next = false;
            self.bv.d.next = false;
            self.ready_q.d.next = false;
            self.out.d.next = 0.into();
        }
    }
}
