// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tag pipeline of a set-associative cache: one op a cycle, fills and kills in the same pipe as lookups.
//!
//! ```text
//!   c0 (op, set, tag) ─► [tag RAMs] ─ s1 raw ─► s2 compare ─► s3 resolve ─► hit / way / victim
//!                                                               │ write tag + PLRU
//!                              forwarding: the op ahead at s3, the two before it at s2
//! ```
//! Contract: the answer at s3 is as if every op had been executed whole, one after the other: a write is forwarded to the
//! three lookups behind it that read the RAM before or while it was written, so nothing relies on a RAM's collision behaviour.
//! Ops (`kind`): 0 none, 1 lookup, 2 fill, 3 kill the line with this tag, 4 kill every way of the set,
//! 5 kill lines of an older epoch in the set, 6 kill lines of this owner (low `OWN` bits of the tag) in the set, 7 new epoch.
//! A fill takes the way that holds its tag, else the way chosen at s2: an empty one, or the tree-PLRU victim, as the RAM has them.
//! A user that sends no op behind a write that must see it (`forward` 0) saves the comparisons.
//! Epoch: one bit. Before kind 7 comes again every set must have seen kind 5 (the sweep); `flush.rs` sees to it.
//!
//! Parameters: `W` ways (2, 4, 8), `S` set bits, `T` tag bits, `R` = T + 2 RAM bits, `OWN` owner bits at the bottom of the tag.
//! Latency: op presented in c0, answer valid in s3 (three cycles later), interval 1. `SHORT`: no register behind the tag RAMs, so
//! the comparison is in s1 and the answer in s2; then only the two ops ahead are forwarded.

use super::super::p::SHORT;
use super::lane_table::LaneTable;
use super::tag_way::TagWay;
use rust_hdl::prelude::*;
use smart_default::SmartDefault;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct Tags<const W: usize, const S: usize, const T: usize, const R: usize, const OWN: usize> {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset (the RAMs are swept by kind 4 ops afterwards).
    pub reset: Signal<In, Bit>,
    /// Op of cycle c0.
    pub kind: Signal<In, Bits<3>>,
    /// Its set.
    pub row: Signal<In, Bits<S>>,
    /// Its tag.
    pub tag: Signal<In, Bits<T>>,
    /// Constant. 1: the ops behind a write see it whatever the RAM says. 0: the user sends no op behind one that it must see.
    pub forward: Signal<In, Bit>,
    /// s3: the lookup hit, or the kill found its line.
    pub hit: Signal<Out, Bit>,
    /// s3: way that hit, or way a fill takes.
    pub way: Signal<Out, Bits<3>>,
    /// s3: way that hit (known before `way`).
    pub found: Signal<Out, Bits<3>>,
    /// s3: each way, whether it hits.
    pub hits: Signal<Out, Bits<W>>,
    /// s3: the op's set.
    pub set_out: Signal<Out, Bits<S>>,
    /// s3: a fill takes the place of a live line.
    pub evict: Signal<Out, Bit>,
    #[default(std::array::from_fn(|_| Default::default()))]
    ways: [TagWay<T, R, OWN>; W],
    ram: LaneTable<W, R, S>,
    epoch: DFF<Bit>,
    kind_s1: DFF<Bits<3>>,
    kind_s2: DFF<Bits<3>>,
    kind_s3: DFF<Bits<3>>,
    set_s1: DFF<Bits<S>>,
    set_s2: DFF<Bits<S>>,
    set_s3: DFF<Bits<S>>,
    set_s4: DFF<Bits<S>>,
    tag_s1: DFF<Bits<T>>,
    tag_s2: DFF<Bits<T>>,
    tag_s3: DFF<Bits<T>>,
    tag_s4: DFF<Bits<T>>,
    plru_s2: DFF<Bits<7>>,
    plru_s3: DFF<Bits<7>>,
    set_like_s2: DFF<Bits<3>>,
    tag_like_s2: DFF<Bits<3>>,
    wrote_s4: DFF<Bits<W>>,
    wrote_s5: DFF<Bits<W>>,
    fill_s4: DFF<Bit>,
    fill_s5: DFF<Bit>,
    behind: DFF<Bit>,
    alike: DFF<Bit>,
    set_like_c: Signal<Local, Bits<3>>,
    tag_like_c: Signal<Local, Bits<3>>,
    far: Signal<Local, Bit>,
    hits_r: Signal<Local, Bits<W>>,
    victim: DFF<Bits<3>>,
    plru_c: Signal<Local, Bits<7>>,
    victim_live: Signal<Local, Bit>,
    is_flip: Signal<Local, Bit>,
    is_fill: Signal<Local, Bit>,
    f1: Signal<Local, Bit>,
    f1_k: Signal<Local, Bit>,
    f2: Signal<Local, Bit>,
    hit_w: Signal<Local, Bit>,
    live_w: Signal<Local, Bit>,
    any_hit: Signal<Local, Bit>,
    room: Signal<Local, Bit>,
    not_flip: Signal<Local, Bit>,
    epoch_now: Signal<Local, Bit>,
    epoch_next: Signal<Local, Bit>,
    b0: Signal<Local, Bit>,
    b1: Signal<Local, Bit>,
    b2: Signal<Local, Bit>,
    set1: Signal<Local, Bit>,
    set2: Signal<Local, Bit>,
    set3: Signal<Local, Bit>,
    tag1: Signal<Local, Bit>,
    tag2: Signal<Local, Bit>,
    tag3: Signal<Local, Bit>,
    mask: Signal<Local, Bits<W>>,
    way_mask: Signal<Local, Bits<3>>,
    hit_way: Signal<Local, Bits<3>>,
    room_way: Signal<Local, Bits<3>>,
    path: Signal<Local, Bits<3>>,
    tree_way: Signal<Local, Bits<3>>,
    pick: Signal<Local, Bits<3>>,
    like_set: Signal<Local, Bits<3>>,
    like_tag: Signal<Local, Bits<3>>,
    tree: Signal<Local, Bits<7>>,
    n0: Signal<Local, Bit>,
    n1: Signal<Local, Bit>,
    n2: Signal<Local, Bit>,
    write_w: Signal<Local, Bit>,
    tree_after: Signal<Local, Bits<7>>,
    word: Signal<Local, Bits<R>>,
    #[default(Constant::new(SHORT == 1))]
    short: Constant<Bit>,
    kind_c: Signal<Local, Bits<3>>,
    tag_c: Signal<Local, Bits<T>>,
    kind_r: Signal<Local, Bits<3>>,
    set_r: Signal<Local, Bits<S>>,
    tag_r: Signal<Local, Bits<T>>,
    plru_r: Signal<Local, Bits<7>>,
}

impl<const W: usize, const S: usize, const T: usize, const R: usize, const OWN: usize> Logic for Tags<W, S, T, R, OWN> {
    #[hdl_gen]
    fn update(&mut self) {
        self.ram.clock.next = self.clock.val();
        self.epoch.clock.next = self.clock.val();
        self.kind_s1.clock.next = self.clock.val();
        self.kind_s2.clock.next = self.clock.val();
        self.kind_s3.clock.next = self.clock.val();
        self.set_s1.clock.next = self.clock.val();
        self.set_s2.clock.next = self.clock.val();
        self.set_s3.clock.next = self.clock.val();
        self.set_s4.clock.next = self.clock.val();
        self.tag_s1.clock.next = self.clock.val();
        self.tag_s2.clock.next = self.clock.val();
        self.tag_s3.clock.next = self.clock.val();
        self.tag_s4.clock.next = self.clock.val();
        self.plru_s2.clock.next = self.clock.val();
        self.plru_s3.clock.next = self.clock.val();
        self.set_like_s2.clock.next = self.clock.val();
        self.behind.clock.next = self.clock.val();
        self.victim.clock.next = self.clock.val();
        self.alike.clock.next = self.clock.val();
        self.tag_like_s2.clock.next = self.clock.val();
        self.wrote_s4.clock.next = self.clock.val();
        self.wrote_s5.clock.next = self.clock.val();
        self.fill_s4.clock.next = self.clock.val();
        self.fill_s5.clock.next = self.clock.val();
        // c0 to s3: what travels
        self.kind_s1.d.next = self.kind.val();
        self.kind_s2.d.next = self.kind_s1.q.val();
        self.kind_s3.d.next = self.kind_s2.q.val();
        self.set_s1.d.next = self.row.val();
        self.set_s2.d.next = self.set_s1.q.val();
        self.set_s3.d.next = self.set_s2.q.val();
        self.set_s4.d.next = self.set_s3.q.val();
        self.tag_s1.d.next = self.tag.val();
        self.tag_s2.d.next = self.tag_s1.q.val();
        self.tag_s3.d.next = self.tag_s2.q.val();
        self.tag_s4.d.next = self.tag_s3.q.val();
        self.ram.read_address.next = self.row.val();
        self.plru_s2.d.next = self.ram.read_state.val();
        self.plru_s3.d.next = self.plru_s2.q.val();
        // s1: is the op one, two, three ahead in the same set, has it the same tag?
        self.set1.next = self.set_s1.q.val() == self.set_s2.q.val();
        self.set2.next = self.set_s1.q.val() == self.set_s3.q.val();
        self.set3.next = self.set_s1.q.val() == self.set_s4.q.val();
        self.tag1.next = self.tag_s1.q.val() == self.tag_s2.q.val();
        self.tag2.next = self.tag_s1.q.val() == self.tag_s3.q.val();
        self.tag3.next = self.tag_s1.q.val() == self.tag_s4.q.val();
        self.like_set.next = 0.into();
        self.like_set.next = self.like_set.val().replace_bit(0, self.set1.val());
        self.like_set.next = self.like_set.val().replace_bit(1, self.set2.val());
        self.like_set.next = self.like_set.val().replace_bit(2, self.set3.val());
        self.like_tag.next = 0.into();
        self.like_tag.next = self.like_tag.val().replace_bit(0, self.tag1.val());
        self.like_tag.next = self.like_tag.val().replace_bit(1, self.tag2.val());
        self.like_tag.next = self.like_tag.val().replace_bit(2, self.tag3.val());
        self.set_like_s2.d.next = self.like_set.val();
        self.tag_like_s2.d.next = self.like_tag.val();
        // s2: a new epoch takes effect for everything behind it; fills ahead of it are no longer alive
        self.kind_c.next = self.kind_s2.q.val();
        self.tag_c.next = self.tag_s2.q.val();
        self.kind_r.next = self.kind_s3.q.val();
        self.set_r.next = self.set_s3.q.val();
        self.tag_r.next = self.tag_s3.q.val();
        self.plru_c.next = self.plru_s2.q.val();
        self.plru_r.next = self.plru_s3.q.val();
        self.set_like_c.next = self.set_like_s2.q.val();
        self.tag_like_c.next = self.tag_like_s2.q.val();
        if self.short.val() {
            self.kind_c.next = self.kind_s1.q.val();
            self.tag_c.next = self.tag_s1.q.val();
            self.kind_r.next = self.kind_s2.q.val();
            self.set_r.next = self.set_s2.q.val();
            self.tag_r.next = self.tag_s2.q.val();
            self.plru_c.next = self.ram.read_state.val();
            self.plru_r.next = self.plru_s2.q.val();
            self.set_like_c.next = self.like_set.val().replace_bit(2, false);
            self.tag_like_c.next = self.like_tag.val();
        }
        self.behind.d.next = self.forward.val() & self.set_like_c.val().get_bit(0);
        self.is_flip.next = self.kind_c.val() == 7;
        self.not_flip.next = !self.is_flip.val();
        self.epoch_now.next = self.epoch.q.val();
        self.epoch_next.next = self.epoch_now.val() ^ self.is_flip.val();
        self.epoch.d.next = self.epoch_next.val() & !self.reset.val();
        // s3: resolve each way
        self.is_fill.next = self.kind_r.val() == 2;
        self.hits_r.next = 0.into();
        self.victim_live.next = false;
        self.hit_way.next = 0.into();
        self.room_way.next = 0.into();
        self.room.next = false;
        self.way_mask.next = 0.into();
        for i in 0..W {
            self.ways[i].clock.next = self.clock.val();
            self.ways[i].raw.next = self.ram.read_data[i].val();
            self.ways[i].tag_s2.next = self.tag_c.val();
            self.ways[i].epoch.next = self.epoch.q.val();
            // s2: what the ops two and three ahead have written since the RAM was read
            self.f2.next = self.forward.val() & self.set_like_c.val().get_bit(1) & self.wrote_s4.q.val().get_bit(i);
            self.far.next = self.forward.val() & self.set_like_c.val().get_bit(2) & self.wrote_s5.q.val().get_bit(i);
            self.ways[i].recent.next = self.f2.val() | self.far.val();
            self.ways[i].recent_live.next = self.fill_s5.q.val();
            self.ways[i].recent_hit.next = self.fill_s5.q.val() & self.tag_like_c.val().get_bit(2);
            if self.f2.val() {
                self.ways[i].recent_live.next = self.fill_s4.q.val();
                self.ways[i].recent_hit.next = self.fill_s4.q.val() & self.tag_like_c.val().get_bit(1);
            }
            // s3: what the op ahead has
            self.f1.next = self.behind.q.val() & self.wrote_s4.q.val().get_bit(i);
            self.hit_w.next = self.ways[i].eq.val();
            self.live_w.next = self.ways[i].live.val();
            if self.f1.val() {
                self.hit_w.next = self.alike.q.val();
                self.live_w.next = self.fill_s4.q.val();
            }
            self.hits_r.next = self.hits_r.val().replace_bit(i, self.hit_w.val());
            // (one way at most)
            if self.hit_w.val() {
                self.hit_way.next = self.hit_way.val() | i.to_bits();
            }
            if self.live_w.val() & (self.victim.q.val() == i.to_bits()) {
                self.victim_live.next = true;
            }
            if !self.ways[i].alive.val() {
                self.room_way.next = i.to_bits();
                self.room.next = true;
            }
            self.way_mask.next = i.to_bits();
        }
        self.any_hit.next = self.hits_r.val().any();
        // tree-PLRU: bit 0 the root, 1-2 its children, 3-6 theirs; a bit names the side to evict from
        self.tree.next = self.plru_c.val();
        self.b0.next = self.tree.val().get_bit(0);
        self.b1.next = self.tree.val().get_bit(1);
        if self.b0.val() {
            self.b1.next = self.tree.val().get_bit(2);
        }
        self.b2.next = self.tree.val().get_bit(3);
        if self.b0.val() {
            self.b2.next = self.tree.val().get_bit(5);
            if self.b1.val() {
                self.b2.next = self.tree.val().get_bit(6);
            }
        } else if self.b1.val() {
            self.b2.next = self.tree.val().get_bit(4);
        }
        self.path.next = 0.into();
        self.path.next = self.path.val().replace_bit(0, self.b0.val());
        self.path.next = self.path.val().replace_bit(1, self.b1.val());
        self.path.next = self.path.val().replace_bit(2, self.b2.val());
        self.tree_way.next = self.path.val() & self.way_mask.val();
        self.victim.d.next = self.tree_way.val();
        if self.room.val() {
            self.victim.d.next = self.room_way.val();
        }
        self.pick.next = self.victim.q.val();
        if self.any_hit.val() | !self.is_fill.val() {
            self.pick.next = self.hit_way.val();
        }
        self.set_out.next = self.set_r.val();
        self.hit.next = self.any_hit.val();
        self.hits.next = self.hits_r.val();
        self.found.next = self.hit_way.val();
        self.way.next = self.pick.val();
        self.evict.next = self.is_fill.val() & !self.any_hit.val() & self.victim_live.val();
        // the way just used is moved away from
        self.n0.next = !self.pick.val().get_bit(0);
        self.n1.next = !self.pick.val().get_bit(1);
        self.n2.next = !self.pick.val().get_bit(2);
        self.tree_after.next = self.plru_r.val();
        self.tree_after.next = self.tree_after.val().replace_bit(0, self.n0.val());
        if self.pick.val().get_bit(0) {
            self.tree_after.next = self.tree_after.val().replace_bit(2, self.n1.val());
            if self.pick.val().get_bit(1) {
                self.tree_after.next = self.tree_after.val().replace_bit(6, self.n2.val());
            } else {
                self.tree_after.next = self.tree_after.val().replace_bit(5, self.n2.val());
            }
        } else {
            self.tree_after.next = self.tree_after.val().replace_bit(1, self.n1.val());
            if self.pick.val().get_bit(1) {
                self.tree_after.next = self.tree_after.val().replace_bit(4, self.n2.val());
            } else {
                self.tree_after.next = self.tree_after.val().replace_bit(3, self.n2.val());
            }
        }
        self.ram.write_address.next = self.set_r.val();
        self.ram.state.next = self.tree_after.val();
        self.ram.write_state.next = self.is_fill.val() | ((self.kind_r.val() == 1) & self.any_hit.val());
        if self.kind_r.val() == 4 {
            self.ram.state.next = 0.into();
            self.ram.write_state.next = true;
        }
        // s3: what is written
        self.mask.next = 0.into();
        for k in 0..W {
            self.write_w.next = false;
            self.f1_k.next = self.behind.q.val() & self.wrote_s4.q.val().get_bit(k);
            if self.is_fill.val() {
                self.write_w.next = self.hits_r.val().get_bit(k) | (!self.any_hit.val() & (self.victim.q.val() == k.to_bits()));
            }
            if self.kind_r.val() == 3 {
                self.write_w.next = self.hits_r.val().get_bit(k);
            }
            if self.kind_r.val() == 4 {
                self.write_w.next = true;
            }
            if self.kind_r.val() == 5 {
                self.write_w.next = self.ways[k].old.val() & !self.f1_k.val();
            }
            if self.kind_r.val() == 6 {
                self.write_w.next = self.ways[k].own.val() | self.f1_k.val();
            }
            self.mask.next = self.mask.val().replace_bit(k, self.write_w.val());
        }
        self.word.next = bit_cast::<R, T>(self.tag_r.val()) << 2;
        self.word.next = self.word.val().replace_bit(0, self.is_fill.val());
        self.word.next = self.word.val().replace_bit(1, self.epoch_now.val());
        self.ram.write.next = self.mask.val();
        self.ram.write_data.next = self.word.val();
        self.wrote_s4.d.next = self.mask.val();
        self.wrote_s5.d.next = self.wrote_s4.q.val();
        self.fill_s4.d.next = self.is_fill.val() & self.not_flip.val();
        self.alike.d.next = self.is_fill.val() & self.not_flip.val() & self.tag_like_c.val().get_bit(0);
        self.fill_s5.d.next = self.fill_s4.q.val() & self.not_flip.val();
        if self.reset.val() {
            self.kind_s1.d.next = 0.into();
            self.kind_s2.d.next = 0.into();
            self.kind_s3.d.next = 0.into();
            self.wrote_s4.d.next = 0.into();
            self.wrote_s5.d.next = 0.into();
        }
    }
}
