// SPDX-License-Identifier: MIT OR Apache-2.0
//! What speaks against a command, by the entry at home.
//!
//! ```text
//!   command, entry ──► state and kind? ─► first, code ┐
//!                  ──► state once more ─► asleep      ├─ registers, read in the step Match
//!                  ──► owner, rights  ──► then, code  ┘
//! ```
//! Contract: everything is of the command and the entry one cycle before. The order of refusals is that of `docs/interface.md`: `first`, then a key that is not
//! the entry's (judged in `life_entry`) or `asleep`, then `then`, then what only this command asks. Of a bind the window is judged, and with `region` the region it is bound to.
//! Latency 1, interval 1.

use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct LifeJudge {
    pub clock: Signal<In, Clock>,
    /// Which command it is; of the others none.
    pub o_deregister: Signal<In, Bit>,
    pub o_query: Signal<In, Bit>,
    pub o_flush: Signal<In, Bit>,
    pub o_fast: Signal<In, Bit>,
    pub o_invalidate: Signal<In, Bit>,
    pub o_reregister: Signal<In, Bit>,
    pub o_bind: Signal<In, Bit>,
    pub o_unwindow: Signal<In, Bit>,
    /// Fill or evict a page.
    pub o_page: Signal<In, Bit>,
    /// The region of a bind is at home, not the window.
    pub region: Signal<In, Bit>,
    pub hot: Signal<In, MptHot>,
    /// Windows are bound to it.
    pub bound: Signal<In, Bit>,
    pub reg_access: Signal<In, Bits<32>>,
    pub reg_pd: Signal<In, Bits<PDW>>,
    pub reg_qpn: Signal<In, Bits<QPW>>,
    /// The length is 0.
    pub empty: Signal<In, Bit>,
    /// The entry's state or kind ends it, with this code (0: a query of a retired entry, which is answered).
    pub first: Signal<Out, Bit>,
    pub first_code: Signal<Out, Bits<4>>,
    /// There is no mapping where one is needed.
    pub asleep: Signal<Out, Bit>,
    /// PD, QP, windows or rights end it, with this code.
    pub then: Signal<Out, Bit>,
    pub then_code: Signal<Out, Bits<4>>,
    /// The entry is a window; it has a mapping; of the command's PD.
    pub window: Signal<Out, Bit>,
    pub mapped: Signal<Out, Bit>,
    pub same_pd: Signal<Out, Bit>,
    /// Of a reregister: on_demand or zero_based would be another.
    pub turns: Signal<Out, Bit>,
    /// Of a bind: what it asks for no window may have.
    pub unfit: Signal<Out, Bit>,
    first_q: DFF<Bit>,
    code1: DFF<Bits<4>>,
    asleep_q: DFF<Bit>,
    /// Owner: the PD is asked for, and the same; who may invalidate.
    asks_pd: DFF<Bit>,
    asks_whose: DFF<Bit>,
    whose_q: DFF<Bit>,
    rest_q: DFF<Bit>,
    code2: DFF<Bits<4>>,
    window_q: DFF<Bit>,
    mapped_q: DFF<Bit>,
    pd_q: DFF<Bit>,
    turns_q: DFF<Bit>,
    unfit_q: DFF<Bit>,
    ends: Signal<Local, Bit>,
    st: Signal<Local, Bits<2>>,
    kd: Signal<Local, Bits<3>>,
    rights: Signal<Local, Bits<9>>,
    qpn: Signal<Local, Bits<QPW>>,
    is_window: Signal<Local, Bit>,
    type2: Signal<Local, Bit>,
    plain: Signal<Local, Bit>,
    mine: Signal<Local, Bit>,
    whose: Signal<Local, Bit>,
    alien: Signal<Local, Bit>,
    wrong: Signal<Local, Bit>,
    acc: Signal<Local, Bits<32>>,
    wants_write: Signal<Local, Bit>,
    c1: Signal<Local, Bits<4>>,
    c2: Signal<Local, Bits<4>>,
    #[default(constant(0xC00F_FC00))]
    unknown: Constant<Bits<32>>,
    #[default(Constant::new(F_WINDOWS))]
    has_windows: Constant<Bit>,
}

impl Logic for LifeJudge {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, first_q, code1, asleep_q, asks_pd, asks_whose, whose_q, rest_q, code2, window_q, mapped_q, pd_q, turns_q, unfit_q);
        self.ends.next = self.o_deregister.val() || self.o_invalidate.val() || self.o_reregister.val();
        self.st.next = self.hot.val().state;
        self.kd.next = self.hot.val().kind;
        self.rights.next = self.hot.val().rights;
        self.qpn.next = self.hot.val().qpn;
        self.is_window.next = self.has_windows.val() && ((self.kd.val() == 2) || (self.kd.val() == 3) || (self.kd.val() == 4));
        self.type2.next = (self.kd.val() == 3) || (self.kd.val() == 4);
        self.plain.next = (self.kd.val() == 0) || (self.kd.val() == 1);
        self.mine.next = self.hot.val().pd == self.reg_pd.val();
        // who may invalidate: a QP of the region's PD, or the QP the window is bound to
        self.whose.next = (self.mine.val() || (self.kd.val() == 3)) && ((self.qpn.val() == self.reg_qpn.val()) || !self.type2.val());
        self.wrong.next = false;
        if self.o_deregister.val() {
            self.wrong.next = self.is_window.val();
        }
        if self.o_fast.val() {
            self.wrong.next = !(self.kd.val() == 1) || !(self.st.val() == 2);
        }
        if self.o_invalidate.val() {
            self.wrong.next = !((self.kd.val() == 1) || self.type2.val()) || !(self.st.val() == 3);
        }
        if self.o_reregister.val() {
            self.wrong.next = self.kd.val().any();
        }
        if self.o_bind.val() {
            self.wrong.next = !self.is_window.val() || (self.type2.val() && (self.st.val() == 3));
        }
        if self.o_unwindow.val() {
            self.wrong.next = !self.is_window.val();
        }
        if self.o_page.val() {
            self.wrong.next = !self.plain.val() || !(self.st.val() == 3) || !self.rights.val().get_bit(6);
        }
        if self.region.val() {
            self.wrong.next = !self.plain.val();
        }
        // state and kind
        self.c1.next = 0.into();
        if self.st.val() == 0 {
            self.c1.next = 2.into();
        } else if (self.st.val() == 1) && !self.o_query.val() {
            self.c1.next = 3.into();
        } else if self.wrong.val() {
            self.c1.next = 10.into();
        }
        self.code1.d.next = self.c1.val();
        self.first_q.d.next = self.c1.val().any() || (self.st.val() == 1);
        self.asleep_q.d.next = (self.o_flush.val() && !(self.st.val() == 3)) || (self.region.val() && (self.st.val() == 2));
        // owner and rights: compared here, put together a cycle later
        self.wants_write.next = self.reg_access.val().get_bit(1) || self.reg_access.val().get_bit(3);
        self.c2.next = 0.into();
        if self.region.val() {
            if !self.rights.val().get_bit(4) || (self.wants_write.val() && !self.rights.val().get_bit(0)) {
                self.c2.next = 12.into();
            } else if self.rights.val().get_bit(5) {
                self.c2.next = 1.into();
            }
        } else if self.ends.val() && self.bound.val() && !self.is_window.val() {
            self.c2.next = 13.into();
        }
        self.rest_q.d.next = self.c2.val().any();
        self.code2.d.next = self.c2.val();
        self.whose_q.d.next = self.whose.val();
        self.asks_pd.d.next = self.region.val() || self.o_fast.val() || self.o_bind.val();
        self.asks_whose.d.next = self.o_invalidate.val();
        self.alien.next = (self.asks_pd.q.val() && !self.pd_q.q.val()) || (self.asks_whose.q.val() && !self.whose_q.q.val());
        self.window_q.d.next = self.is_window.val();
        self.mapped_q.d.next = self.st.val() == 3;
        self.pd_q.d.next = self.mine.val();
        self.turns_q.d.next = (self.reg_access.val().get_bit(5) != self.rights.val().get_bit(5)) || (self.reg_access.val().get_bit(6) != self.rights.val().get_bit(6));
        self.acc.next = self.reg_access.val() & self.unknown.val();
        self.unfit_q.d.next = self.acc.val().any() || (self.reg_access.val().get_bit(5) && (self.kd.val() == 2)) || (self.empty.val() && self.type2.val());
        // pins
        self.first.next = self.first_q.q.val();
        self.first_code.next = self.code1.q.val();
        self.asleep.next = self.asleep_q.q.val();
        self.then.next = self.alien.val() || self.rest_q.q.val();
        self.then_code.next = self.code2.q.val();
        if self.alien.val() {
            self.then_code.next = 11.into();
        }
        self.window.next = self.window_q.q.val();
        self.mapped.next = self.mapped_q.q.val();
        self.same_pd.next = self.pd_q.q.val();
        self.turns.next = self.turns_q.q.val();
        self.unfit.next = self.unfit_q.q.val();
    }
}
