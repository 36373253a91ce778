// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registers between the core's streams and the rest, so that no path of the board goes on in the core or the other way.
//!
//! ```text
//!  valid, icm_* of the core ─► register ─► seen, *_q
//!  take, source ─► register, one hot ─► ready
//! ```
//! Contract: `ready` is a pulse one cycle after `take`; the message leaves the core at its end. `seen` shows that three cycles
//! after `take`, and the ICM's pins are those of the next request then; nobody looks before.

use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, Default)]
#[allow(missing_docs)]
pub struct Taps {
    pub clock: Signal<In, Clock>,
    pub valid: Signal<In, Bits<8>>,
    pub seen: Signal<Out, Bits<8>>,
    pub take: Signal<In, Bit>,
    pub source: Signal<In, Bits<3>>,
    pub ready: Signal<Out, Bits<8>>,
    pub write: Signal<In, Bit>,
    pub space: Signal<In, Bits<2>>,
    pub addr: Signal<In, Bits<ADW>>,
    pub len: Signal<In, Bits<4>>,
    pub last: Signal<In, Bit>,
    pub id: Signal<In, Bits<IDW>>,
    pub data: Signal<In, Bits<BEAT>>,
    pub write_q: Signal<Out, Bit>,
    pub space_q: Signal<Out, Bits<2>>,
    pub addr_q: Signal<Out, Bits<ADW>>,
    pub len_q: Signal<Out, Bits<4>>,
    pub last_q: Signal<Out, Bit>,
    pub id_q: Signal<Out, Bits<IDW>>,
    pub data_q: Signal<Out, Bits<BEAT>>,
    shown: DFF<Bits<8>>,
    taken: DFF<Bits<8>>,
    r_write: DFF<Bit>,
    r_space: DFF<Bits<2>>,
    r_addr: DFF<Bits<ADW>>,
    r_len: DFF<Bits<4>>,
    r_last: DFF<Bit>,
    r_id: DFF<Bits<IDW>>,
    r_data: DFF<Bits<BEAT>>,
    hot: Signal<Local, Bits<8>>,
    mine: Signal<Local, Bit>,
}

impl Logic for Taps {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, shown, taken, r_write, r_space, r_addr, r_len, r_last, r_id, r_data
        );
        self.shown.d.next = self.valid.val();
        self.hot.next = 0.into();
        for i in 0..6 {
            self.mine.next = self.take.val() && (self.source.val() == i.to_bits());
            self.hot.next = self.hot.val().replace_bit(i, self.mine.val());
        }
        self.taken.d.next = self.hot.val();
        self.r_write.d.next = self.write.val();
        self.r_space.d.next = self.space.val();
        self.r_addr.d.next = self.addr.val();
        self.r_len.d.next = self.len.val();
        self.r_last.d.next = self.last.val();
        self.r_id.d.next = self.id.val();
        self.r_data.d.next = self.data.val();
        self.seen.next = self.shown.q.val();
        self.ready.next = self.taken.q.val();
        self.write_q.next = self.r_write.q.val();
        self.space_q.next = self.r_space.q.val();
        self.addr_q.next = self.r_addr.q.val();
        self.len_q.next = self.r_len.q.val();
        self.last_q.next = self.r_last.q.val();
        self.id_q.next = self.r_id.q.val();
        self.data_q.next = self.r_data.q.val();
    }
}
