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
#[derive(LogicBlock, SmartDefault)]
pub struct Decide {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// s5: op.
    pub kind_s5: Signal<In, Bits<3>>,
    /// s5: request.
    pub req_s5: Signal<In, Req>,
    /// s5: its line is there.
    pub hit_s5: Signal<In, Bit>,
    /// s7, from the check: allowed.
    pub granted: Signal<In, Bit>,
    /// And this says the same of what is to be walked.
    pub clear: Signal<In, Bit>,
    /// Cause.
    pub cause: Signal<In, Bits<4>>,
    /// Class.
    pub klass: Signal<In, Bits<3>>,
    /// Position in the region's pages.
    pub pos: Signal<In, Bits<VAW>>,
    /// One port: of it, what lies inside its page, as far as a request's length reaches.
    pub in_page: Signal<In, Bits<LENW>>,
    /// Page code.
    pub page: Signal<In, Bits<3>>,
    /// First MTT word.
    pub mtt_base: Signal<In, Bits<MAW>>,
    /// Epoch.
    pub epoch: Signal<In, Bits<EPW>>,
    /// Region whose pages are meant.
    pub who: Signal<In, Bits<K>>,
    /// Epoch of the entry that was asked.
    pub via_epoch: Signal<In, Bits<PARE>>,
    /// s6: a null region.
    pub nothing: Signal<In, Bit>,
    /// Slot RAM: first MTT word, or secret and variant.
    pub code: Signal<In, Bits<CODEW>>,
    /// Slot RAM: epoch, or PD.
    pub holder: Signal<In, Bits<OWNW>>,
    /// Slot RAM: page code, or operation.
    pub opcode: Signal<In, Bits<4>>,
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
    /// s7: the word is a walk's (if granted).
    pub settled: Signal<Out, Bit>,
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
    /// A verdict is given (with `verdict`).
    pub told: Signal<Out, Bit>,
    kind6: DFF<Bits<3>>,
    kind7: DFF<Bits<3>>,
    key: Signal<Local, Bits<32>>,
    index_7: Signal<Local, Bits<K>>,
    req6: DFF<Req>,
    req7: DFF<Req>,
    hit6: DFF<Bit>,
    hit7: DFF<Bit>,
    lenm7: DFF<Bits<LENW>>,
    #[default(constant(TAGW))]
    tag_bits: Constant<Bits<5>>,
    #[default(constant(EPW))]
    tag_at: Constant<Bits<8>>,
    #[default(constant(POSW))]
    more_at: Constant<Bits<8>>,
    #[default(constant(LENW))]
    top: Constant<Bits<8>>,
    #[default(Constant::new(ones(0, POSW)))]
    place_mask: Constant<Bits<ADRW>>,
    #[default(Constant::new(!ones(LENW, 16)))]
    keep16: Constant<Bits<VAW>>,
    #[default(Constant::new(!ones(LENW, 21)))]
    keep21: Constant<Bits<VAW>>,
    #[default(Constant::new(!ones(LENW, 30)))]
    keep30: Constant<Bits<VAW>>,
    #[default(Constant::new(LENW < 16))]
    wide16: Constant<Bit>,
    #[default(Constant::new(LENW < 21))]
    wide21: Constant<Bit>,
    #[default(Constant::new(LENW < 30))]
    wide30: Constant<Bit>,
    #[default(Constant::new(NP == 1))]
    one_port: Constant<Bit>,
    tag8: DFF<Bits<TAGW>>,
    reused8: DFF<Bit>,
    walks8: DFF<Bit>,
    any8: DFF<Bit>,
    walks7: DFF<Bit>,
    miss7: DFF<Bit>,
    walks: Signal<Local, Bit>,
    #[default(Constant::new(SHORT == 1))]
    short: Constant<Bit>,
    shape: Signal<Local, Bits<4>>,
    whole: Signal<Local, Bit>,
    r6: Signal<Local, Req>,
    len6: Signal<Local, Bits<LENW>>,
    stays: Signal<Local, Bits<1>>,
    reach: Signal<Local, Bits<LENW1>>,
    carry: Signal<Local, Bit>,
    reach64: Signal<Local, Bits<64>>,
    span: Signal<Local, Bits<64>>,
    crossed: Signal<Local, Bits<1>>,
    borders: Signal<Local, Bits<EXW>>,
    ahead: Signal<Local, Bits<VAW>>,
    brink: Signal<Local, Bit>,
    addr: Signal<Local, Bits<ADRW>>,
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
    len: Signal<Local, Bits<LENW>>,
    reused: Signal<Local, Bit>,
    mine: Signal<Local, Bit>,
    whose: Signal<Local, Bits<K>>,
    via: Signal<Local, Bits<PARK>>,
    via_all: Signal<Local, Bits<PARK>>,
    #[default(Constant::new(ones(0, if F_WINDOWS { PARK } else { 0 })))]
    via_mask: Constant<Bits<PARK>>,
    #[default(Constant::new(ones(0, if F_WINDOWS { PARE } else { 0 })))]
    via_epoch_mask: Constant<Bits<PARE>>,
    via_epoch_7: Signal<Local, Bits<PARE>>,
    #[default(Constant::new(F_WINDOWS))]
    windows: Constant<Bit>,
}

impl Logic for Decide {
    #[hdl_gen]
    fn update(&mut self) {
        self.kind6.clock.next = self.clock.val();
        self.kind7.clock.next = self.clock.val();
        self.req6.clock.next = self.clock.val();
        self.req7.clock.next = self.clock.val();
        self.hit6.clock.next = self.clock.val();
        self.hit7.clock.next = self.clock.val();
        self.kind6.d.next = self.kind_s5.val();
        self.kind7.d.next = self.kind6.q.val();
        self.req6.d.next = self.req_s5.val();
        self.req7.d.next = self.req6.q.val();
        self.hit6.d.next = self.hit_s5.val();
        self.hit7.d.next = self.hit6.q.val();
        self.lenm7.clock.next = self.clock.val();
        self.r6.next = self.req6.q.val();
        self.len6.next = self.r6.val().len;
        self.lenm7.d.next = self.len6.val() - 1;
        self.walks7.clock.next = self.clock.val();
        self.walks7.d.next = (self.kind6.q.val() == 1) & (self.hit6.q.val() | self.r6.val().early.any()) & self.r6.val().walk & self.len6.val().any()
            & !self.nothing.val();
        self.miss7.clock.next = self.clock.val();
        self.miss7.d.next = (self.kind6.q.val() == 1) & !self.hit6.q.val() & !self.r6.val().early.any();
        // s7
        self.walks.next = self.walks7.q.val();
        self.r.next = self.req7.q.val();
        self.key.next = self.r.val().key;
        self.index_7.next = self.key.val().get_bits::<K>(8);
        self.lookup.next = self.kind7.q.val() == 1;
        self.missed.next = self.miss7.q.val();
        self.answer.next = self.lookup.val() & (self.hit7.q.val() | self.r.val().early.any());
        self.len.next = self.r.val().len;
        self.kind.next = self.kind7.q.val();
        self.index.next = self.index_7.val();
        self.is_miss.next = self.missed.val();
        self.hit.next = self.lookup.val() & self.hit7.q.val() & !self.r.val().early.any();
        // slot = port, tag
        self.port.next = self.r.val().port;
        self.tag.next = self.r.val().tag;
        self.port_wide.next = bit_cast::<8, PORTW>(self.port.val());
        self.port_slot.next = self.port_wide.val().get_bits::<SLOTW>(0);
        self.at.next = self.port_slot.val() << self.tag_bits.val();
        self.at.next = self.at.val() | bit_cast::<SLOTW, TAGW>(self.tag.val());
        self.slot.next = self.at.val();
        // slot RAM
        // whether or not it is granted, as that is known late; not for a tag in use, whose slot is another request's
        self.reused.next = self.r.val().early == 3;
        self.store.next = self.lookup.val() & !self.reused.val();
        self.settled.next = self.answer.val();
        self.addr.next = bit_cast::<ADRW, VAW>(self.pos.val());
        self.word.next.addr = self.addr.val();
        self.brink.next = false;
        self.word.next.len = self.len.val();
        // without windows nothing of the check is looked at, so that nothing of it is kept
        self.whose.next = self.index_7.val();
        if self.windows.val() {
            self.whose.next = self.who.val();
        }
        self.via_all.next = bit_cast::<PARK, K>(self.index_7.val());
        self.via.next = self.via_all.val() & self.via_mask.val();
        self.via_epoch_7.next = self.via_epoch.val() & self.via_epoch_mask.val();
        self.word.next.index = self.whose.val();
        self.word.next.code = self.code.val();
        self.word.next.owner = self.holder.val();
        self.word.next.qpn = self.r.val().qpn;
        self.word.next.op = self.opcode.val();
        self.word.next.side = self.writes.val();
        self.word.next.walk = self.odp.val();
        self.word.next.class = self.r.val().class;
        self.ahead.next = 0.into();
        self.crossed.next = 0.into();
        self.reach.next = 0.into();
        self.carry.next = false;
        self.reach64.next = 0.into();
        self.span.next = 0.into();
        self.borders.next = 0.into();
        self.stays.next = 0.into();
        self.shape.next = 0.into();
        self.whole.next = false;
        if self.one_port.val() {
            // page borders the request crosses: of a small page by the sum, of a page larger than a request by its carry
            self.shape.next = self.opcode.val();
            self.whole.next = self.shape.val().get_bit(2) & self.shape.val().get_bit(3);
            self.reach.next = bit_cast::<LENW1, LENW>(self.in_page.val()) + bit_cast::<LENW1, LENW>(self.lenm7.q.val());
            self.carry.next = self.reach.val().get_bit(self.top.val().index());
            self.reach64.next = bit_cast::<64, LENW1>(self.reach.val());
            if self.shape.val().get_bit(0) {
                self.span.next = self.reach64.val() >> 12;
            }
            if self.shape.val().get_bit(1) {
                self.ahead.next = self.pos.val() | self.keep16.val();
                if self.wide16.val() {
                    self.brink.next = self.ahead.val().all() & !self.missed.val();
                } else {
                    self.span.next = self.reach64.val() >> 16;
                }
            }
            if self.shape.val().get_bit(2) & !self.whole.val() {
                self.ahead.next = self.pos.val() | self.keep21.val();
                if self.wide21.val() {
                    self.brink.next = self.ahead.val().all() & !self.missed.val();
                } else {
                    self.span.next = self.reach64.val() >> 21;
                }
            }
            if self.shape.val().get_bit(3) & !self.whole.val() {
                self.ahead.next = self.pos.val() | self.keep30.val();
                if self.wide30.val() {
                    self.brink.next = self.ahead.val().all() & !self.missed.val();
                } else {
                    self.span.next = self.reach64.val() >> 30;
                }
            }
            self.borders.next = self.span.val().get_bits::<EXW>(0);
            self.stays.next = self.missed.val().into();
            self.word.next.len = self.lenm7.q.val() + bit_cast::<LENW, 1>(self.stays.val());
            if !self.missed.val() {
                self.addr.next = (self.addr.val() & self.place_mask.val()) | (bit_cast::<ADRW, EXW>(self.borders.val()) << self.more_at.val());
                self.word.next.owner = self.holder.val() | (bit_cast::<OWNW, TAGW>(self.tag.val()) << self.tag_at.val());
            }
            // the carry is the last to come
            self.crossed.next = (self.carry.val() & self.brink.val()).into();
            self.word.next.addr = self.addr.val() | (bit_cast::<ADRW, 1>(self.crossed.val()) << self.more_at.val());
        }
        self.desc.next.tag = self.tag.val();
        self.desc.next.index = self.whose.val();
        self.desc.next.epoch = self.epoch.val();
        self.desc.next.page = self.page.val();
        self.desc.next.pos = self.pos.val();
        self.desc.next.len = self.len.val();
        self.desc.next.base = self.mtt_base.val();
        self.desc.next.write = self.writes.val();
        self.desc.next.odp = self.odp.val();
        self.owner.next.index = self.whose.val();
        self.owner.next.epoch = self.epoch.val();
        self.owner.next.via = self.via.val();
        self.owner.next.via_epoch = self.via_epoch_7.val();
        // the verdict: at s7, with one port at s8
        self.tag8.clock.next = self.clock.val();
        self.reused8.clock.next = self.clock.val();
        self.walks8.clock.next = self.clock.val();
        self.any8.clock.next = self.clock.val();
        self.tag8.d.next = self.tag.val();
        self.reused8.d.next = self.reused.val();
        self.walks8.d.next = self.walks.val();
        self.any8.d.next = self.answer.val();
        self.told.next = self.answer.val();
        self.takes.next = self.walks.val() & self.clear.val();
        self.verdict.next.tag = self.tag.val();
        self.verdict.next.free = !self.takes.val() & !self.reused.val();
        if self.short.val() {
            self.told.next = self.any8.q.val();
            self.takes.next = self.walks8.q.val() & self.clear.val();
            self.verdict.next.tag = self.tag8.q.val();
            self.verdict.next.free = !self.takes.val() & !self.reused8.q.val();
        }
        self.verdict.next.granted = self.granted.val();
        self.verdict.next.class = self.klass.val();
        self.verdict.next.cause = self.cause.val();
        self.leased.next = self.takes.val();
        for p in 0..NP {
            self.mine.next = self.one_port.val() | (self.port.val() == p.to_bits());
            self.push[p].next = self.told.val() & self.mine.val();
            self.lease[p].next = self.takes.val() & self.mine.val();
        }
        if self.reset.val() {
            self.kind6.d.next = 0.into();
            self.kind7.d.next = 0.into();
            self.walks7.d.next = false;
            self.miss7.d.next = false;
            self.any8.d.next = false;
            self.walks8.d.next = false;
        }
    }
}
