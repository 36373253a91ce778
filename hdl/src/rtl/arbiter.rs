// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stage c0: which op enters the key cache this cycle.
//!
//! ```text
//!   sweep (must) ─┐
//!   fill ─────────┤
//!   replay ───────┼─► first that asks ─► kind, index, req
//!   registration ─┤
//!   ports (fair) ─┤
//!   sweep (idle) ─┘
//! ```
//! With one port (`lookup_direct.rs`) a port's slot is promised one cycle ahead, when nobody else wants it (`next_free`), and then comes first;
//! if the port does not use it, only an idle sweep does, and the others wait a cycle.
//! Contract: at most one op a cycle. Ports take turns:
//! the one served last has the lowest claim. While the registration port holds lookups (`op_hold`), ports wait and each
//! lost slot is pulsed on `held`. Nothing here waits for anything outside: every request is served within a bounded time, as fills, replays,
//! registration ops and must-sweeps are bounded in number.
//! Latency 0 (combinational), interval 1.

use super::fair::Fair;
use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct Arbiter {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// A sweep op waits.
    pub sweep_valid: Signal<In, Bit>,
    /// It must go now.
    pub sweep_must: Signal<In, Bit>,
    /// Its kind (of `tags.rs`).
    pub sweep_kind: Signal<In, Bits<3>>,
    /// Its set.
    pub sweep_set: Signal<In, Bits<SETW>>,
    /// It goes.
    pub sweep_take: Signal<Out, Bit>,
    /// A fill waits.
    pub fill_valid: Signal<In, Bit>,
    /// Its index.
    pub fill_index: Signal<In, Bits<K>>,
    /// It goes.
    pub fill_take: Signal<Out, Bit>,
    /// A lookup that waited for a fill asks again.
    pub replay_valid: Signal<In, Bit>,
    /// It.
    pub replay: Signal<In, Req>,
    /// It goes.
    pub replay_take: Signal<Out, Bit>,
    /// The registration port wants a slot.
    pub op_valid: Signal<In, Bit>,
    /// 0 kill index, 1 new epoch, 2 kill set.
    pub op_kind: Signal<In, Bits<2>>,
    /// Index.
    pub op_index: Signal<In, Bits<K>>,
    /// Set.
    pub op_set: Signal<In, Bits<SETW>>,
    /// Lookups are held.
    pub op_hold: Signal<In, Bit>,
    /// It has the slot.
    pub op_take: Signal<Out, Bit>,
    /// Requests of the ports.
    pub offer: [Signal<In, Bit>; NP],
    /// They.
    pub head: [Signal<In, Req>; NP],
    /// Taken.
    pub take: [Signal<Out, Bit>; NP],
    /// Op of this cycle (kinds of `tags.rs`).
    pub kind: Signal<Out, Bits<3>>,
    /// The request of a lookup. Of any op the key holds the index (of sweeps and set kills: the set in its low bits).
    pub req: Signal<Out, Req>,
    /// The lookup comes from a port (not a replay).
    pub fresh: Signal<Out, Bit>,
    /// A lookup slot was withheld.
    pub held: Signal<Out, Bit>,
    /// A request waits at its pins, which are not ready (one port: counted while lookups are held).
    pub waits: Signal<In, Bit>,
    /// One port: this slot was promised to it, whether it comes or not (a register).
    pub promised: Signal<In, Bit>,
    /// Nobody but the ports wants the next slot (one port: it may be promised).
    pub next_free: Signal<Out, Bit>,
    fair: Fair<NP>,
    asking: Signal<Local, Bits<NP>>,
    any: Signal<Local, Bit>,
    pick: Signal<Local, Bits<NP>>,
    key: Signal<Local, Bits<32>>,
    port_go: Signal<Local, Bit>,
    kept: Signal<Local, Bit>,
    index: Signal<Local, Bits<K>>,
    again: Signal<Local, Bits<32>>,
    taken: Signal<Local, Bit>,
    free: Signal<Local, Bit>,
    pick_req: Signal<Local, Req>,
    variant: Signal<Local, Bits<32>>,
    secret: Signal<Local, Bits<32>>,
    placed: Signal<Local, Bits<32>>,
    #[default(constant(8 + K))]
    above: Constant<Bits<6>>,
    #[default(Constant::new(NP == 1))]
    one_port: Constant<Bit>,
}

impl Logic for Arbiter {
    #[hdl_gen]
    fn update(&mut self) {
        self.fair.clock.next = self.clock.val();
        self.asking.next = 0.into();
        for i in 0..NP {
            self.asking.next = self.asking.val().replace_bit(i, self.offer[i].val());
        }
        self.fair.ask.next = self.asking.val();
        self.fair.reset.next = self.reset.val();
        self.any.next = self.fair.any.val();
        self.pick.next = self.fair.pick.val();
        self.kind.next = 0.into();
        self.pick_req.next = self.replay.val();
        // one port: who has a promise goes before all others, and should it not come, only an idle sweep takes its place: so it is known early who does not go
        self.kept.next = self.one_port.val() & self.promised.val();
        for n in 0..NP {
            if (self.pick.val().get_bit(n) & !self.replay_valid.val() & !self.one_port.val()) | self.kept.val() {
                self.pick_req.next = self.head[n].val();
            }
        }
        self.key.next = self.pick_req.val().key;
        self.again.next = self.replay.val().key;
        // whose index it is, should no port go: known early, while the ports still compare
        self.index.next = bit_cast::<K, SETW>(self.sweep_set.val());
        if !self.sweep_must.val() & !self.kept.val() {
            if self.fill_valid.val() {
                self.index.next = self.fill_index.val();
            } else if self.replay_valid.val() {
                self.index.next = self.again.val().get_bits::<K>(8);
            } else if self.op_valid.val() {
                self.index.next = self.op_index.val();
                if self.op_kind.val() == 2 {
                    self.index.next = bit_cast::<K, SETW>(self.op_set.val());
                }
            }
        }
        self.taken.next = self.sweep_must.val() | self.fill_valid.val() | self.replay_valid.val() | self.op_valid.val() | self.op_hold.val();
        self.free.next = !self.taken.val() | self.one_port.val();
        if self.any.val() & self.free.val() {
            self.index.next = self.key.val().get_bits::<K>(8);
        }
        self.fresh.next = false;
        self.held.next = false;
        self.sweep_take.next = false;
        self.fill_take.next = false;
        self.replay_take.next = false;
        self.op_take.next = false;
        self.port_go.next = false;
        if self.kept.val() {
            self.sweep_take.next = self.sweep_valid.val() & !self.any.val();
            if self.any.val() {
                self.port_go.next = true;
                self.fresh.next = true;
                self.kind.next = 1.into();
            }
        } else if self.sweep_must.val() {
            self.sweep_take.next = true;
        } else if self.fill_valid.val() {
            self.fill_take.next = true;
            self.kind.next = 2.into();
        } else if self.replay_valid.val() {
            self.replay_take.next = true;
            self.kind.next = 1.into();
        } else if self.op_valid.val() {
            self.op_take.next = true;
            self.kind.next = 3.into();
            if self.op_kind.val() == 1 {
                self.kind.next = 7.into();
            }
            if self.op_kind.val() == 2 {
                self.kind.next = 4.into();
            }
        } else if self.any.val() & !self.op_hold.val() {
            self.port_go.next = true;
            self.fresh.next = true;
            self.kind.next = 1.into();
        } else if self.sweep_valid.val() {
            self.sweep_take.next = true;
        }
        if self.op_hold.val() {
            self.held.next = self.any.val();
            if self.one_port.val() {
                self.held.next = self.waits.val();
            }
        }
        self.next_free.next = !self.taken.val();
        if self.sweep_take.val() {
            self.kind.next = self.sweep_kind.val();
        }
        self.variant.next = bit_cast::<32, 8>(self.key.val().get_bits::<8>(0));
        self.secret.next = (self.key.val() >> self.above.val()) << self.above.val();
        self.placed.next = bit_cast::<32, K>(self.index.val()) << 8;
        self.req.next = self.pick_req.val();
        self.req.next.key = self.secret.val() | self.placed.val() | self.variant.val();
        for m in 0..NP {
            self.take[m].next = self.free.val() & self.pick.val().get_bit(m);
        }
        self.fair.go.next = self.port_go.val();
    }
}
