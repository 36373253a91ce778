// SPDX-License-Identifier: MIT OR Apache-2.0
//! MPT key cache: stages c0 to s5. Tags first, data after way select, RAM outputs registered.
//!
//! ```text
//!   c0 op ─► s1 ─► s2 (barrier?) ─► s3 resolve ─► data RAM ─ s4 ─► s5 line
//!            tag RAMs                  └► {way,set}    ▲ beats of a fill
//! ```
//! Contract: one op a cycle, never stalls. At s5 a lookup shows its request, `hit` and its line (the line means something only on a hit).
//! A lookup of the barrier's index behind the barrier shows `early` = 5, or with `barrier_wait` a miss; one of a QP with too many bad keys 6.
//! A fill takes its way at s3 (`placed`); then the line's beats are written in place as they come, and until the last one
//! (`fill_end`) a lookup that finds the line is a miss like any other. So nobody sees, or reads, a line that is being written.
//! One fill at a time.
//! Parameters: WAYS, SETW. Latency 5 cycles from c0 to s5, interval 1. `SHORT`: 3 cycles, without s3 and without a register behind the
//! data RAM; stages keep their names.

use super::entry::{HotUnpack, MptHot};
use super::line_table::LineTable;
use super::prelude::*;
use super::tags::Tags;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct MptCache {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// c0: op (kinds of `tags.rs`).
    pub kind: Signal<In, Bits<3>>,
    /// c0: the request of a lookup; of any op the index is in its key (of sweeps, the set).
    pub req: Signal<In, Req>,
    /// c0: the lookup comes from a port.
    pub fresh: Signal<In, Bit>,
    /// s1: a request from a port enters (for the tag check).
    pub enter: Signal<Out, Bit>,
    /// s1: it.
    pub enter_req: Signal<Out, Req>,
    /// s2: the lookup's tag was in use (event).
    pub reused: Signal<Out, Bit>,
    /// s2: it.
    pub reused_req: Signal<Out, Req>,
    /// s1: its tag is in use already.
    pub reuse: Signal<In, Bit>,
    /// A command is changing this index.
    pub barrier_active: Signal<In, Bit>,
    /// Which.
    pub barrier_index: Signal<In, Bits<K>>,
    /// Lookups wait instead of being refused.
    pub barrier_wait: Signal<In, Bit>,
    /// s2: too many bad keys of this QP.
    pub limited: Signal<In, Bit>,
    /// A fill has its way: its beats may come.
    pub placed: Signal<Out, Bit>,
    /// Lanes of its line to write with `fill_data`.
    pub fill_write: Signal<In, Bits<MPTW>>,
    /// A beat.
    pub fill_data: Signal<In, Bits<BEAT>>,
    /// It is the last one.
    pub fill_end: Signal<In, Bit>,
    /// s5: op.
    pub kind_s5: Signal<Out, Bits<3>>,
    /// s5: request.
    pub req_s5: Signal<Out, Req>,
    /// s5: the line is there.
    pub hit_s5: Signal<Out, Bit>,
    /// s5: the line.
    pub line_s5: Signal<Out, MptHot>,
    /// A fill displaced a live line.
    pub evict: Signal<Out, Bit>,
    tags: Tags<WAYS, SETW, TAGB, TAGR, TAGB>,
    data: LineTable<MPTW, BEAT, HOTB, LINEA>,
    unpack: HotUnpack,
    filling: DFF<Bit>,
    fill_at: DFF<Bits<LINEA>>,
    fills: Signal<Local, Bit>,
    half: Signal<Local, Bit>,
    kind1: DFF<Bits<3>>,
    kind2: DFF<Bits<3>>,
    kind3: DFF<Bits<3>>,
    kind4: DFF<Bits<3>>,
    kind5: DFF<Bits<3>>,
    req1: DFF<Req>,
    req2: DFF<Req>,
    req3: DFF<Req>,
    req4: DFF<Req>,
    req5: DFF<Req>,
    fresh1: DFF<Bit>,
    fresh2: DFF<Bit>,
    evicts: DFF<Bit>,
    wait3: DFF<Bit>,
    hit4: DFF<Bit>,
    hit5: DFF<Bit>,
    line5: DFF<MptHot>,
    req_1: Signal<Local, Req>,
    req_2: Signal<Local, Req>,
    at_barrier: Signal<Local, Bit>,
    spot: Signal<Local, Bits<LINEA>>,
    set3: Signal<Local, Bits<SETW>>,
    #[default(constant(SETW))]
    set_bits: Constant<Bits<5>>,
    way3: Signal<Local, Bits<WAYW>>,
    #[default(Constant::new(SHORT == 1))]
    short: Constant<Bit>,
    waits: Signal<Local, Bit>,
    key: Signal<Local, Bits<32>>,
    key2: Signal<Local, Bits<32>>,
    index: Signal<Local, Bits<K>>,
    index_2: Signal<Local, Bits<K>>,
    look_at: Signal<Local, Bits<LINEA>>,
    fill_row: Signal<Local, Bits<SETW>>,
    fill_way: Signal<Local, Bits<LINEA>>,
    whole: Signal<Local, Bits<WAYS>>,
}

impl Logic for MptCache {
    #[hdl_gen]
    fn update(&mut self) {
        self.tags.clock.next = self.clock.val();
        self.data.clock.next = self.clock.val();
        self.kind1.clock.next = self.clock.val();
        self.kind2.clock.next = self.clock.val();
        self.kind3.clock.next = self.clock.val();
        self.kind4.clock.next = self.clock.val();
        self.kind5.clock.next = self.clock.val();
        self.req1.clock.next = self.clock.val();
        self.req2.clock.next = self.clock.val();
        self.req3.clock.next = self.clock.val();
        self.req4.clock.next = self.clock.val();
        self.req5.clock.next = self.clock.val();
        self.fresh1.clock.next = self.clock.val();
        self.fresh2.clock.next = self.clock.val();
        self.evicts.clock.next = self.clock.val();
        self.wait3.clock.next = self.clock.val();
        self.hit4.clock.next = self.clock.val();
        self.hit5.clock.next = self.clock.val();
        self.line5.clock.next = self.clock.val();
        self.filling.clock.next = self.clock.val();
        self.fill_at.clock.next = self.clock.val();
        self.filling.d.next = self.filling.q.val();
        self.fill_at.d.next = self.fill_at.q.val();
        self.tags.reset.next = self.reset.val();
        self.tags.forward.next = true;
        // c0
        self.tags.kind.next = self.kind.val();
        // the key of any op holds its index (sweeps: the set)
        self.key.next = self.req.val().key;
        self.index.next = self.key.val().get_bits::<K>(8);
        self.tags.row.next = self.index.val().get_bits::<SETW>(0);
        self.tags.tag.next = self.index.val().get_bits::<TAGB>(self.set_bits.val().index());
        self.kind1.d.next = self.kind.val();
        self.req1.d.next = self.req.val();
        self.fresh1.d.next = self.fresh.val();
        // s1: is the tag in use?
        self.enter.next = self.fresh1.q.val();
        self.enter_req.next = self.req1.q.val();
        self.req_1.next = self.req1.q.val();
        if self.reuse.val() & self.fresh1.q.val() {
            self.req_1.next.early = 3.into();
        }
        self.kind2.d.next = self.kind1.q.val();
        self.req2.d.next = self.req_1.val();
        self.fresh2.d.next = self.fresh1.q.val();
        self.reused_req.next = self.req2.q.val();
        self.reused.next = self.fresh2.q.val() & (self.reused_req.val().early == 3);
        // s2: the barrier
        self.key2.next = self.req2.q.val().key;
        self.index_2.next = self.key2.val().get_bits::<K>(8);
        self.at_barrier.next = self.barrier_active.val() & (self.barrier_index.val() == self.index_2.val());
        self.req_2.next = self.req2.q.val();
        if self.limited.val() & !self.req_2.val().early.any() {
            self.req_2.next.early = 6.into();
        }
        if self.at_barrier.val() & !self.barrier_wait.val() & !self.req_2.val().early.any() {
            self.req_2.next.early = 5.into();
        }
        self.waits.next = self.at_barrier.val() & self.barrier_wait.val();
        self.wait3.d.next = self.waits.val();
        self.kind3.d.next = self.kind2.q.val();
        self.req3.d.next = self.req_2.val();
        // s3: resolved
        self.kind4.d.next = self.kind3.q.val();
        self.req4.d.next = self.req3.q.val();
        self.fills.next = self.kind3.q.val() == 2;
        if self.short.val() {
            self.kind4.d.next = self.kind2.q.val();
            self.req4.d.next = self.req_2.val();
            self.fills.next = self.kind2.q.val() == 2;
        }
        self.evicts.d.next = self.tags.evict.val();
        self.evict.next = self.evicts.q.val();
        self.set3.next = self.tags.set_out.val();
        self.way3.next = self.tags.way.val().get_bits::<WAYW>(0);
        self.spot.next = bit_cast::<LINEA, WAYW>(self.way3.val());
        self.spot.next = self.spot.val() << self.set_bits.val();
        self.spot.next = self.spot.val() | bit_cast::<LINEA, SETW>(self.set3.val());
        self.look_at.next = bit_cast::<LINEA, WAYW>(self.tags.found.val().get_bits::<WAYW>(0));
        self.look_at.next = self.look_at.val() << self.set_bits.val();
        self.look_at.next = self.look_at.val() | bit_cast::<LINEA, SETW>(self.set3.val());
        self.data.read_address.next = self.look_at.val();
        // a line whose beats are still coming is no hit
        self.fill_row.next = self.fill_at.q.val().get_bits::<SETW>(0);
        self.fill_way.next = self.fill_at.q.val() >> self.set_bits.val();
        self.half.next = self.filling.q.val() & (self.fill_row.val() == self.set3.val());
        self.whole.next = self.tags.hits.val();
        for h in 0..WAYS {
            if self.half.val() & (self.fill_way.val() == h.to_bits()) {
                self.whole.next = self.whole.val().replace_bit(h, false);
            }
        }
        self.hit4.d.next = self.whole.val().any() & !self.wait3.q.val();
        if self.short.val() {
            self.hit4.d.next = self.whole.val().any() & !self.waits.val();
        }
        self.placed.next = self.fills.val();
        if self.fill_end.val() {
            self.filling.d.next = false;
        }
        if self.fills.val() {
            self.filling.d.next = true;
            self.fill_at.d.next = self.spot.val();
        }
        self.data.write_address.next = self.fill_at.q.val();
        self.data.write_data.next = self.fill_data.val();
        self.data.write.next = self.fill_write.val();
        self.unpack.line.next = bit_cast::<MPTLINE, HOTB>(self.data.read_data.val());
        // s4
        self.kind5.d.next = self.kind4.q.val();
        self.req5.d.next = self.req4.q.val();
        self.hit5.d.next = self.hit4.q.val();
        self.line5.d.next = self.unpack.hot.val();
        // s5
        self.kind_s5.next = self.kind5.q.val();
        self.req_s5.next = self.req5.q.val();
        self.hit_s5.next = self.hit5.q.val();
        self.line_s5.next = self.line5.q.val();
        if self.short.val() {
            self.kind_s5.next = self.kind4.q.val();
            self.req_s5.next = self.req4.q.val();
            self.hit_s5.next = self.hit4.q.val();
            self.line_s5.next = self.unpack.hot.val();
        }
        if self.reset.val() {
            self.kind1.d.next = 0.into();
            self.kind2.d.next = 0.into();
            self.kind3.d.next = 0.into();
            self.kind4.d.next = 0.into();
            self.kind5.d.next = 0.into();
            self.fresh1.d.next = false;
            self.fresh2.d.next = false;
            self.evicts.d.next = false;
            self.filling.d.next = false;
        }
    }
}
