// SPDX-License-Identifier: MIT OR Apache-2.0
//! Entrance of one requester port: a two-deep buffer whose ready is a register, and the verdict credit.
//!
//! ```text
//!   req ─────┬─►┌ head ┐──► head, offer ──► arbiter
//!            └─►┌ skid ┐─►└──────┘◄── take
//!   ready ◄─ register        outstanding: +1 take, -1 verdict left
//! ```
//! Contract: `offer` is high while a request waits and the port's verdict FIFO has room for its answer; `take` consumes it.
//! The buffer cuts every path between the pins and the arbiter.
//! With one port `lookup_direct.rs` takes this block's place.
//! Latency 1 cycle, interval 1.

use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct LookupPort {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// Requests may be accepted (low until the reset sweep is over).
    pub enable: Signal<In, Bit>,
    /// Stream valid.
    pub valid: Signal<In, Bit>,
    /// Stream ready, a register.
    pub ready: Signal<Out, Bit>,
    /// The request at the pins, decoded (`req_decode.rs`).
    pub req: Signal<In, Req>,
    /// A request waits and has credit.
    pub offer: Signal<Out, Bit>,
    /// The request.
    pub head: Signal<Out, Req>,
    /// The arbiter takes it.
    pub take: Signal<In, Bit>,
    /// Nobody else wants the next slot; this port does not need to know.
    pub next_free: Signal<In, Bit>,
    /// A verdict left the port.
    pub verdict_left: Signal<In, Bit>,
    a: DFF<Req>,
    av: DFF<Bit>,
    b: DFF<Req>,
    bv: DFF<Bit>,
    ready_q: DFF<Bit>,
    out: DFF<Bits<VDCW>>,
    #[default(Constant::new(((1u64 << VDW) + 1).to_bits()))]
    most: Constant<Bits<VDCW>>,
    #[default(Constant::new((1u64 << VDW).to_bits()))]
    all_but_one: Constant<Bits<VDCW>>,
    offer_q: DFF<Bit>,
    push: Signal<Local, Bit>,
    more: Signal<Local, Bit>,
    av_next: Signal<Local, Bit>,
    full: Signal<Local, Bit>,
    nearly: Signal<Local, Bit>,
    move_on: Signal<Local, Bit>,
    bv_next: Signal<Local, Bit>,
    credit: Signal<Local, Bit>,
    left: Signal<Local, Bit>,
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
        self.offer_q.clock.next = self.clock.val();
        // buffer: `take` comes late, so as little as can be waits for it
        self.push.next = self.valid.val() & self.ready_q.q.val();
        self.move_on.next = self.take.val() | !self.av.q.val();
        self.a.d.next = self.a.q.val();
        if self.move_on.val() {
            self.a.d.next = self.req.val();
            if self.bv.q.val() {
                self.a.d.next = self.b.q.val();
            }
        }
        self.b.d.next = self.b.q.val();
        if !self.bv.q.val() {
            self.b.d.next = self.req.val();
        }
        self.more.next = self.bv.q.val() | self.push.val();
        self.av_next.next = self.more.val() | !self.move_on.val();
        self.bv_next.next = self.more.val() & !self.move_on.val();
        self.av.d.next = self.av_next.val();
        self.bv.d.next = self.bv_next.val();
        self.ready_q.d.next = !self.bv_next.val() & self.enable.val();
        self.ready.next = self.ready_q.q.val();
        // credit: what left in this cycle counts in the one after next
        self.left.next = self.verdict_left.val();
        self.out.d.next = self.out.q.val();
        if self.take.val() & !self.left.val() {
            self.out.d.next = self.out.q.val() + 1;
        }
        if !self.take.val() & self.left.val() {
            self.out.d.next = self.out.q.val() - 1;
        }
        self.full.next = self.out.q.val() == self.most.val();
        self.nearly.next = self.out.q.val() == self.all_but_one.val();
        self.credit.next = !self.full.val() & !(self.nearly.val() & self.take.val());
        self.offer_q.d.next = self.av_next.val() & self.credit.val();
        self.offer.next = self.offer_q.q.val();
        self.head.next = self.a.q.val();
        if self.reset.val() {
            self.av.d.next = false;
            self.bv.d.next = false;
            self.ready_q.d.next = false;
            self.out.d.next = 0.into();
            self.offer_q.d.next = false;
        }
    }
}
