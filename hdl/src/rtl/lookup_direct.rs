// SPDX-License-Identifier: MIT OR Apache-2.0
//! Entrance of the only requester port: no buffer, since `ready` promises the very slot.
//!
//! ```text
//!   req ─► head, offer = valid and ready ──► arbiter (must take it)
//!   next_free, credit ─► ready (register)
//! ```
//! Contract: `ready` is high when the slot of this cycle is kept for this port: nobody else wanted it one cycle ago, and the verdict FIFO has
//! room for one more answer. A request offered is taken in the same cycle, always. Whoever else wants a slot waits one cycle
//! longer than behind `lookup_port.rs`. Latency 0 (the pins are stage c0), interval 1.

use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct LookupDirect {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// Requests may be accepted (low until the reset sweep is over).
    pub enable: Signal<In, Bit>,
    /// Stream valid.
    pub valid: Signal<In, Bit>,
    /// Stream ready, a register: the slot of this cycle is this port's.
    pub ready: Signal<Out, Bit>,
    /// The request at the pins, decoded (`req_decode.rs`).
    pub req: Signal<In, Req>,
    /// A request is there.
    pub offer: Signal<Out, Bit>,
    /// It.
    pub head: Signal<Out, Req>,
    /// The arbiter takes it.
    pub take: Signal<In, Bit>,
    /// Nobody else wants the next slot.
    pub next_free: Signal<In, Bit>,
    /// A verdict left the port.
    pub verdict_left: Signal<In, Bit>,
    ready_q: DFF<Bit>,
    out: DFF<Bits<VDCW>>,
    out_next: Signal<Local, Bits<VDCW>>,
    left: Signal<Local, Bit>,
    #[default(Constant::new((1u64 << VDW).to_bits()))]
    most: Constant<Bits<VDCW>>,
}

impl Logic for LookupDirect {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, ready_q, out);
        self.offer.next = self.valid.val() & self.ready_q.q.val();
        self.head.next = self.req.val();
        self.ready.next = self.ready_q.q.val();
        // credit
        self.left.next = self.verdict_left.val();
        self.out_next.next = self.out.q.val();
        if self.take.val() & !self.left.val() {
            self.out_next.next = self.out.q.val() + 1;
        }
        if !self.take.val() & self.left.val() {
            self.out_next.next = self.out.q.val() - 1;
        }
        self.out.d.next = self.out_next.val();
        self.ready_q.d.next = self.enable.val() & self.next_free.val() & (self.out.q.val() < self.most.val());
        if self.reset.val() {
            self.ready_q.d.next = false;
            self.out.d.next = 0.into();
        }
    }
}
