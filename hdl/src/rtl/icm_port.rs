// SPDX-License-Identifier: MIT OR Apache-2.0
//! Three clients share the backing memory.
//!
//! ```text
//!  mpt (line read)  ─┐ round robin ┌──────────┐            ┌──────┐ ┌──────┐ id < NM ──► mptr
//!  mtt (line read)  ─┼────────────►│ register ├─► icm_req  │ skid ├─┤ main ├─ NM + port ► mttr
//!  reg (bursts)     ─┘             └──────────┘ icm_rsp ──►└──────┘ └──────┘ NM + NP ──► ricm
//! ```
//! Requests: one register; it takes a new transfer when empty or taken in the same cycle. Whose turn it is stands in a register, so that
//! `ready` of a client is known early: the turn goes on when its client has nothing or has been served, round robin, to one that
//! asks; a write burst of the registration port is not broken. Reads are one transfer. A client that finds it is not its turn
//! waits one cycle more. With one port there is no register: the client whose turn it is stands at the pins itself, and holds still there.
//! Answers: `icm_rsp_ready` is a register (low while the skid is full). An answer waits for its client only;
//! the registration port always takes. Answers with an unknown id are dropped. One cycle each way.

use super::prelude::*;

/// See the module text.
#[derive(LogicBlock, SmartDefault)]
pub struct IcmPort {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub mpt_valid: Signal<In, Bit>,
    pub mpt_ready: Signal<Out, Bit>,
    pub mpt_id: Signal<In, Bits<NMW>>,
    pub mpt_index: Signal<In, Bits<K>>,
    pub mtt_valid: Signal<In, Bit>,
    pub mtt_ready: Signal<Out, Bit>,
    pub mtt_port: Signal<In, Bits<PORTW>>,
    pub mtt_addr: Signal<In, Bits<MAW>>,
    pub reg_valid: Signal<In, Bit>,
    pub reg_ready: Signal<Out, Bit>,
    pub reg_write: Signal<In, Bit>,
    pub reg_space: Signal<In, Bits<2>>,
    pub reg_addr: Signal<In, Bits<ADW>>,
    pub reg_len: Signal<In, Bits<4>>,
    pub reg_data: Signal<In, Bits<BEAT>>,
    pub reg_last: Signal<In, Bit>,
    pub mptr_valid: Signal<Out, Bit>,
    pub mptr_ready: Signal<In, Bit>,
    pub mptr_id: Signal<Out, Bits<NMW>>,
    pub mptr_data: Signal<Out, Bits<BEAT>>,
    pub mptr_last: Signal<Out, Bit>,
    pub mttr_valid: Signal<Out, Bit>,
    pub mttr_ready: Signal<In, Bit>,
    pub mttr_port: Signal<Out, Bits<PORTW>>,
    pub mttr_data: Signal<Out, Bits<BEAT>>,
    pub mttr_last: Signal<Out, Bit>,
    pub ricm_valid: Signal<Out, Bit>,
    pub ricm_data: Signal<Out, Bits<BEAT>>,
    pub ricm_last: Signal<Out, Bit>,
    pub icm_req_valid: Signal<Out, Bit>,
    pub icm_req_ready: Signal<In, Bit>,
    pub icm_req_id: Signal<Out, Bits<IDW>>,
    pub icm_req_write: Signal<Out, Bit>,
    pub icm_req_space: Signal<Out, Bits<2>>,
    pub icm_req_addr: Signal<Out, Bits<ADW>>,
    pub icm_req_len: Signal<Out, Bits<4>>,
    pub icm_req_data: Signal<Out, Bits<BEAT>>,
    pub icm_req_last: Signal<Out, Bit>,
    pub icm_rsp_valid: Signal<In, Bit>,
    pub icm_rsp_ready: Signal<Out, Bit>,
    pub icm_rsp_id: Signal<In, Bits<IDW>>,
    pub icm_rsp_data: Signal<In, Bits<BEAT>>,
    pub icm_rsp_last: Signal<In, Bit>,
    valid: DFF<Bit>,
    id: DFF<Bits<IDW>>,
    write: DFF<Bit>,
    space: DFF<Bits<2>>,
    addr: DFF<Bits<ADW>>,
    len: DFF<Bits<4>>,
    data: DFF<Bits<BEAT>>,
    last: DFF<Bit>,
    burst: DFF<Bit>,
    mpt_turn: DFF<Bit>,
    mtt_turn: DFF<Bit>,
    reg_turn: DFF<Bit>,
    m_valid: DFF<Bit>,
    m_id: DFF<Bits<IDW>>,
    m_data: DFF<Bits<BEAT>>,
    m_last: DFF<Bit>,
    s_valid: DFF<Bit>,
    s_id: DFF<Bits<IDW>>,
    s_data: DFF<Bits<BEAT>>,
    s_last: DFF<Bit>,
    ready: DFF<Bit>,
    space_free: Signal<Local, Bit>,
    asks: Signal<Local, Bit>,
    id_now: Signal<Local, Bits<IDW>>,
    write_now: Signal<Local, Bit>,
    space_now: Signal<Local, Bits<2>>,
    addr_now: Signal<Local, Bits<ADW>>,
    len_now: Signal<Local, Bits<4>>,
    last_now: Signal<Local, Bit>,
    moves: Signal<Local, Bit>,
    left_mpt: Signal<Local, Bit>,
    left_mtt: Signal<Local, Bit>,
    left_reg: Signal<Local, Bit>,
    is_mpt: Signal<Local, Bit>,
    is_mtt: Signal<Local, Bit>,
    is_reg: Signal<Local, Bit>,
    gone: Signal<Local, Bit>,
    arrive: Signal<Local, Bit>,
    port: Signal<Local, Bits<IDW>>,
    #[default(Constant::new(SHORT == 1))]
    short: Constant<Bit>,
    #[default(constant(NM))]
    nm: Constant<Bits<IDW>>,
    #[default(constant(NM + NP))]
    own: Constant<Bits<IDW>>,
    #[default(constant(MPTA))]
    mpta: Constant<Bits<4>>,
    #[default(constant(MPTW - 1))]
    mlen: Constant<Bits<4>>,
    #[default(constant(MEN - 1))]
    tlen: Constant<Bits<4>>,
}

impl Logic for IcmPort {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, valid, id, write, space, addr, len, data, last, burst, mpt_turn, mtt_turn, reg_turn, m_valid, m_id, m_data, m_last, s_valid, s_id,
            s_data, s_last, ready
        );
        // ---- whose turn it is
        self.space_free.next = self.icm_req_ready.val() || (!self.valid.q.val() && !self.short.val());
        self.mpt_ready.next = self.mpt_turn.q.val() && self.space_free.val();
        self.mtt_ready.next = self.mtt_turn.q.val() && self.space_free.val();
        self.reg_ready.next = self.reg_turn.q.val() && self.space_free.val();
        self.asks.next = (self.mpt_turn.q.val() && self.mpt_valid.val())
            || (self.mtt_turn.q.val() && self.mtt_valid.val())
            || (self.reg_turn.q.val() && self.reg_valid.val());
        self.moves.next = self.asks.val() && self.space_free.val();
        // the registration port keeps its turn while it asks, which is never for long: a burst, or one word in two cycles
        // (it has none while another has its turn, so a burst is always its own)
        self.left_mpt.next = self.mpt_turn.q.val() && (self.mtt_valid.val() || self.reg_valid.val()) && (self.space_free.val() || !self.mpt_valid.val());
        self.left_mtt.next = self.mtt_turn.q.val() && (self.mpt_valid.val() || self.reg_valid.val()) && (self.space_free.val() || !self.mtt_valid.val());
        self.left_reg.next = self.reg_turn.q.val() && (self.mpt_valid.val() || self.mtt_valid.val()) && !self.reg_valid.val() && !self.burst.q.val();
        self.mpt_turn.d.next = (self.mpt_turn.q.val() && !self.left_mpt.val())
            || (self.left_mtt.val() && !self.reg_valid.val())
            || (self.left_reg.val() && self.mpt_valid.val());
        self.mtt_turn.d.next = (self.mtt_turn.q.val() && !self.left_mtt.val())
            || (self.left_mpt.val() && self.mtt_valid.val())
            || (self.left_reg.val() && !self.mpt_valid.val());
        self.reg_turn.d.next = (self.reg_turn.q.val() && !self.left_reg.val())
            || (self.left_mpt.val() && !self.mtt_valid.val())
            || (self.left_mtt.val() && self.reg_valid.val());
        if self.moves.val() && self.reg_turn.q.val() {
            self.burst.d.next = !self.reg_last.val();
        }
        // ---- what it asks
        self.write_now.next = self.reg_turn.q.val() && self.reg_write.val();
        self.last_now.next = !self.reg_turn.q.val() || self.reg_last.val();
        self.id_now.next = self.own.val();
        self.space_now.next = self.reg_space.val();
        self.addr_now.next = self.reg_addr.val();
        self.len_now.next = self.reg_len.val();
        if self.mpt_turn.q.val() {
            self.id_now.next = bit_cast::<IDW, NMW>(self.mpt_id.val());
            self.space_now.next = 0.into();
            self.addr_now.next = bit_cast::<ADW, K>(self.mpt_index.val()) << self.mpta.val();
            self.len_now.next = self.mlen.val();
        }
        if self.mtt_turn.q.val() {
            self.id_now.next = bit_cast::<IDW, PORTW>(self.mtt_port.val()) + self.nm.val();
            self.space_now.next = 1.into();
            self.addr_now.next = bit_cast::<ADW, MAW>(self.mtt_addr.val());
            self.len_now.next = self.tlen.val();
        }
        if self.space_free.val() {
            self.valid.d.next = self.asks.val();
            self.data.d.next = self.reg_data.val();
            self.write.d.next = self.write_now.val();
            self.last.d.next = self.last_now.val();
            self.id.d.next = self.id_now.val();
            self.space.d.next = self.space_now.val();
            self.addr.d.next = self.addr_now.val();
            self.len.d.next = self.len_now.val();
        }
        self.icm_req_valid.next = self.valid.q.val();
        self.icm_req_id.next = self.id.q.val();
        self.icm_req_write.next = self.write.q.val();
        self.icm_req_space.next = self.space.q.val();
        self.icm_req_addr.next = self.addr.q.val();
        self.icm_req_len.next = self.len.q.val();
        self.icm_req_data.next = self.data.q.val();
        self.icm_req_last.next = self.last.q.val();
        if self.short.val() {
            self.icm_req_valid.next = self.asks.val();
            self.icm_req_id.next = self.id_now.val();
            self.icm_req_write.next = self.write_now.val();
            self.icm_req_space.next = self.space_now.val();
            self.icm_req_addr.next = self.addr_now.val();
            self.icm_req_len.next = self.len_now.val();
            self.icm_req_data.next = self.reg_data.val();
            self.icm_req_last.next = self.last_now.val();
        }

        // ---- answers
        self.is_mpt.next = self.m_id.q.val() < self.nm.val();
        self.is_reg.next = self.m_id.q.val() == self.own.val();
        self.is_mtt.next = (self.m_id.q.val() < self.own.val()) && !self.is_mpt.val();
        self.port.next = self.m_id.q.val() - self.nm.val();
        self.mptr_valid.next = self.m_valid.q.val() && self.is_mpt.val();
        self.mptr_id.next = self.m_id.q.val().get_bits::<NMW>(0);
        self.mptr_data.next = self.m_data.q.val();
        self.mptr_last.next = self.m_last.q.val();
        self.mttr_valid.next = self.m_valid.q.val() && self.is_mtt.val();
        self.mttr_port.next = self.port.val().get_bits::<PORTW>(0);
        self.mttr_data.next = self.m_data.q.val();
        self.mttr_last.next = self.m_last.q.val();
        self.ricm_valid.next = self.m_valid.q.val() && self.is_reg.val();
        self.ricm_data.next = self.m_data.q.val();
        self.ricm_last.next = self.m_last.q.val();
        self.gone.next = !self.m_valid.q.val()
            || ((self.mptr_ready.val() || !self.is_mpt.val()) && (self.mttr_ready.val() || !self.is_mtt.val()));
        self.arrive.next = self.icm_rsp_valid.val() && self.ready.q.val();
        if self.gone.val() {
            self.m_valid.d.next = (self.s_valid.q.val() && !self.short.val()) || self.arrive.val();
            self.s_valid.d.next = false;
            self.m_id.d.next = self.icm_rsp_id.val();
            self.m_data.d.next = self.icm_rsp_data.val();
            self.m_last.d.next = self.icm_rsp_last.val();
            if self.s_valid.q.val() && !self.short.val() {
                self.m_id.d.next = self.s_id.q.val();
                self.m_data.d.next = self.s_data.q.val();
                self.m_last.d.next = self.s_last.q.val();
            }
        } else if self.arrive.val() {
            self.s_valid.d.next = true;
        }
        if self.ready.q.val() {
            self.s_id.d.next = self.icm_rsp_id.val();
            self.s_data.d.next = self.icm_rsp_data.val();
            self.s_last.d.next = self.icm_rsp_last.val();
        }
        // the skid is full only while ready is low; without it a beat comes every other cycle
        self.ready.d.next = self.gone.val() || (self.ready.q.val() && !self.arrive.val());
        if self.short.val() {
            self.ready.d.next = self.gone.val() && !self.arrive.val();
        }
        self.icm_rsp_ready.next = self.ready.q.val();
        if self.reset.val() {
            self.valid.d.next = false;
            self.burst.d.next = false;
            self.mpt_turn.d.next = true;
            self.mtt_turn.d.next = false;
            self.reg_turn.d.next = false;
            self.m_valid.d.next = false;
            self.s_valid.d.next = false;
            self.ready.d.next = false;
        }
    }
}
