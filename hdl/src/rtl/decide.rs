// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stages s5 to s7 beside the check: what becomes of a lookup.
//!
//! ```text
//!   s5 ─► s6 ─► s7: no line ─► miss unit, slot RAM
//!               └─ verdict ─► port p;  granted and to be walked ─► lease, slot RAM, walk context p
//! ```
//! Contract: exactly one of miss and verdict for every lookup. A lookup whose verdict is known early (`Req::early`) never misses.
//! A lease is taken for a granted request with walk and a length. Latency 2 cycles from s5, interval 1.

use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock)]
pub struct Decide {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// s5: op.
    pub kind_s5: Signal<In, Bits<3>>,
    /// s5: index.
    pub index_s5: Signal<In, Bits<K>>,
    /// s5: request.
    pub req_s5: Signal<In, Req>,
    /// s5: its line is there.
    pub hit_s5: Signal<In, Bit>,
    /// s7, from the check: allowed.
    pub granted: Signal<In, Bit>,
    /// Cause.
    pub cause: Signal<In, Bits<4>>,
    /// Class.
    pub klass: Signal<In, Bits<3>>,
    /// Position in the region's pages.
    pub pos: Signal<In, Bits<VAW>>,
    /// Page code.
    pub page: Signal<In, Bits<3>>,
    /// First MTT word.
    pub mtt_base: Signal<In, Bits<MAW>>,
    /// Epoch.
    pub epoch: Signal<In, Bits<EPW>>,
    /// On demand.
    pub odp: Signal<In, Bit>,
    /// Pages must be writable.
    pub writes: Signal<In, Bit>,
    /// s7: op.
    pub kind: Signal<Out, Bits<3>>,
    /// s7: index.
    pub index: Signal<Out, Bits<K>>,
    /// s7: slot of the request.
    pub slot: Signal<Out, Bits<SLOTW>>,
    /// s7: it waits for a line.
    pub is_miss: Signal<Out, Bit>,
    /// s7: slot RAM write.
    pub store: Signal<Out, Bit>,
    /// s7: its word.
    pub word: Signal<Out, SlotWord>,
    /// s7: a verdict for port p.
    pub push: [Signal<Out, Bit>; NP],
    /// It.
    pub verdict: Signal<Out, Verdict>,
    /// s7: the request of port p is to be walked.
    pub lease: [Signal<Out, Bit>; NP],
    /// It.
    pub desc: Signal<Out, Desc>,
    /// s7: what the lease table remembers.
    pub owner: Signal<Out, Lease>,
    /// s7: a lease is taken (any port).
    pub leased: Signal<Out, Bit>,
    /// Count: a lookup was answered from a line.
    pub hit: Signal<Out, Bit>,
    /// Count: a verdict was given.
    pub answered: Signal<Out, Bit>,
    kind6: DFF<Bits<3>>,
    kind7: DFF<Bits<3>>,
    index6: DFF<Bits<K>>,
    index7: DFF<Bits<K>>,
    req6: DFF<Req>,
    req7: DFF<Req>,
    hit6: DFF<Bit>,
    hit7: DFF<Bit>,
    tag_bits: Constant<Bits<5>>,
    sec_at: Constant<Bits<6>>,
    r: Signal<Local, Req>,
    lookup: Signal<Local, Bit>,
    missed: Signal<Local, Bit>,
    answer: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
    port: Signal<Local, Bits<PORTW>>,
    port_slot: Signal<Local, Bits<SLOTW>>,
    port_wide: Signal<Local, Bits<8>>,
    tag: Signal<Local, Bits<TAGW>>,
    at: Signal<Local, Bits<SLOTW>>,
    key: Signal<Local, Bits<32>>,
    secret: Signal<Local, Bits<SECW>>,
    variant: Signal<Local, Bits<8>>,
    code: Signal<Local, Bits<CODEW>>,
    pd: Signal<Local, Bits<PDW>>,
    len: Signal<Local, Bits<LENW>>,
    reused: Signal<Local, Bit>,
    mine: Signal<Local, Bit>,
}

impl Default for Decide {
    fn default() -> Self {
        Self {
            tag_bits: Constant::new((TAGW as u64).to_bits()),
            sec_at: Constant::new((8 + K as u64).to_bits()),
            clock: Default::default(),
            reset: Default::default(),
            kind_s5: Default::default(),
            index_s5: Default::default(),
            req_s5: Default::default(),
            hit_s5: Default::default(),
            granted: Default::default(),
            cause: Default::default(),
            klass: Default::default(),
            pos: Default::default(),
            page: Default::default(),
            mtt_base: Default::default(),
            epoch: Default::default(),
            odp: Default::default(),
            writes: Default::default(),
            kind: Default::default(),
            index: Default::default(),
            slot: Default::default(),
            is_miss: Default::default(),
            store: Default::default(),
            word: Default::default(),
            push: Default::default(),
            verdict: Default::default(),
            lease: Default::default(),
            desc: Default::default(),
            owner: Default::default(),
            leased: Default::default(),
            hit: Default::default(),
            answered: Default::default(),
            kind6: Default::default(),
            kind7: Default::default(),
            index6: Default::default(),
            index7: Default::default(),
            req6: Default::default(),
            req7: Default::default(),
            hit6: Default::default(),
            hit7: Default::default(),
            r: Default::default(),
            lookup: Default::default(),
            missed: Default::default(),
            answer: Default::default(),
            takes: Default::default(),
            port: Default::default(),
            port_slot: Default::default(),
            port_wide: Default::default(),
            tag: Default::default(),
            at: Default::default(),
            key: Default::default(),
            secret: Default::default(),
            variant: Default::default(),
            code: Default::default(),
            pd: Default::default(),
            len: Default::default(),
            reused: Default::default(),
            mine: Default::default(),
        }
    }
}

impl Logic for Decide {
    #[hdl_gen]
    fn update(&mut self) {
        self.kind6.clock.next = self.clock.val();
        self.kind7.clock.next = self.clock.val();
        self.index6.clock.next = self.clock.val();
        self.index7.clock.next = self.clock.val();
        self.req6.clock.next = self.clock.val();
        self.req7.clock.next = self.clock.val();
        self.hit6.clock.next = self.clock.val();
        self.hit7.clock.next = self.clock.val();
        self.kind6.d.next = self.kind_s5.val();
        self.kind7.d.next = self.kind6.q.val();
        self.index6.d.next = self.index_s5.val();
        self.index7.d.next = self.index6.q.val();
        self.req6.d.next = self.req_s5.val();
        self.req7.d.next = self.req6.q.val();
        self.hit6.d.next = self.hit_s5.val();
        self.hit7.d.next = self.hit6.q.val();
        // s7
        self.r.next = self.req7.q.val();
        self.lookup.next = self.kind7.q.val() == 1;
        self.missed.next = self.lookup.val() & !self.hit7.q.val() & !self.r.val().early.any();
        self.answer.next = self.lookup.val() & (self.hit7.q.val() | self.r.val().early.any());
        self.len.next = self.r.val().len;
        self.takes.next = self.answer.val() & self.granted.val() & self.r.val().walk & self.len.val().any();
        self.kind.next = self.kind7.q.val();
        self.index.next = self.index7.q.val();
        self.is_miss.next = self.missed.val();
        self.answered.next = self.answer.val();
        self.hit.next = self.lookup.val() & self.hit7.q.val() & !self.r.val().early.any();
        self.leased.next = self.takes.val();
        // slot = port, tag
        self.port.next = self.r.val().port;
        self.tag.next = self.r.val().tag;
        self.port_wide.next = bit_cast::<8, PORTW>(self.port.val());
        self.port_slot.next = self.port_wide.val().get_bits::<SLOTW>(0);
        self.at.next = self.port_slot.val() << self.tag_bits.val();
        self.at.next = self.at.val() | bit_cast::<SLOTW, TAGW>(self.tag.val());
        self.slot.next = self.at.val();
        // slot RAM
        self.key.next = self.r.val().key;
        self.secret.next = self.key.val().get_bits::<SECW>(self.sec_at.val().index());
        self.variant.next = self.key.val().get_bits::<8>(0);
        self.code.next = bit_cast::<CODEW, SECW>(self.secret.val()) << 8;
        self.code.next = self.code.val() | bit_cast::<CODEW, 8>(self.variant.val());
        self.pd.next = self.r.val().pd;
        self.store.next = self.missed.val() | self.takes.val();
        self.word.next.addr = self.r.val().va;
        self.word.next.len = self.len.val();
        self.word.next.index = self.index7.q.val();
        self.word.next.code = self.code.val();
        self.word.next.owner = bit_cast::<OWNW, PDW>(self.pd.val());
        self.word.next.qpn = self.r.val().qpn;
        self.word.next.op = self.r.val().op;
        self.word.next.side = self.r.val().side;
        self.word.next.walk = self.r.val().walk;
        self.word.next.class = self.r.val().class;
        if self.answer.val() {
            self.word.next.addr = self.pos.val();
            self.word.next.code = bit_cast::<CODEW, MAW>(self.mtt_base.val());
            self.word.next.owner = bit_cast::<OWNW, EPW>(self.epoch.val());
            self.word.next.op = bit_cast::<4, 3>(self.page.val());
            self.word.next.side = self.writes.val();
            self.word.next.walk = self.odp.val();
        }
        self.desc.next.tag = self.tag.val();
        self.desc.next.index = self.index7.q.val();
        self.desc.next.epoch = self.epoch.val();
        self.desc.next.page = self.page.val();
        self.desc.next.pos = self.pos.val();
        self.desc.next.len = self.len.val();
        self.desc.next.base = self.mtt_base.val();
        self.desc.next.write = self.writes.val();
        self.desc.next.odp = self.odp.val();
        self.owner.next.index = self.index7.q.val();
        self.owner.next.epoch = self.epoch.val();
        self.reused.next = self.cause.val() == 10;
        self.verdict.next.tag = self.tag.val();
        self.verdict.next.granted = self.granted.val();
        self.verdict.next.class = self.klass.val();
        self.verdict.next.cause = self.cause.val();
        self.verdict.next.free = !self.takes.val() & !self.reused.val();
        for p in 0..NP {
            self.mine.next = self.port.val() == p.to_bits();
            self.push[p].next = self.answer.val() & self.mine.val();
            self.lease[p].next = self.takes.val() & self.mine.val();
        }
        if self.reset.val() {
            self.kind6.d.next = 0.into();
            self.kind7.d.next = 0.into();
        }
    }
}
