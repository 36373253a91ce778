// SPDX-License-Identifier: MIT OR Apache-2.0
//! The request at the core's pins: one shift register that a command, a lookup, a register access and page-list entries share.
//!
//! ```text
//!  shift, data ─► [ 33 bytes, last one on top ] ─► pins of the core (fields: `layout.rs`)
//!  set_*       ─► which stream is valid, until the core takes it
//! ```
//! Contract: `shift` and `set_*` only while not `busy`. A page list moves down four bytes with each entry the core
//! takes. A register access stays until its answer, which is loaded in place, is taken (`csr_take`).

use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
#[allow(missing_docs)]
pub struct Args {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub shift: Signal<In, Bit>,
    pub data: Signal<In, Bits<8>>,
    pub set_command: Signal<In, Bit>,
    pub set_lookup: Signal<In, Bit>,
    pub set_pages: Signal<In, Bit>,
    pub set_csr: Signal<In, Bit>,
    /// Something waits for the core.
    pub busy: Signal<Out, Bit>,
    /// The register.
    pub args: Signal<Out, Bits<ARGW>>,
    pub reg_valid: Signal<Out, Bit>,
    pub reg_ready: Signal<In, Bit>,
    pub lookup_valid: Signal<Out, Bit>,
    pub lookup_ready: Signal<In, Bit>,
    pub page_valid: Signal<Out, Bit>,
    pub page_last: Signal<Out, Bit>,
    pub page_ready: Signal<In, Bit>,
    pub csr_valid: Signal<Out, Bit>,
    pub csr_ready: Signal<In, Bit>,
    pub csr_rvalid: Signal<In, Bit>,
    pub csr_rdata: Signal<In, Bits<32>>,
    /// The answer of a register access stands at `AT_LENGTH`.
    pub csr_have: Signal<Out, Bit>,
    pub csr_take: Signal<In, Bit>,
    held: DFF<Bits<ARGW>>,
    command: DFF<Bit>,
    lookup: DFF<Bit>,
    pages: DFF<Bit>,
    csr: DFF<Bit>,
    asked: DFF<Bit>,
    have: DFF<Bit>,
    left: DFF<Bits<4>>,
    last: DFF<Bit>,
    drop: DFF<Bits<3>>,
    top: Signal<Local, Bits<8>>,
    moved: Signal<Local, Bits<ARGW>>,
    kept: Signal<Local, Bits<ARGW>>,
    all: Signal<Local, Bits<ARGW>>,
    one: Signal<Local, Bit>,
    #[default(constant(ARGW - 8))]
    top_at: Constant<Bits<9>>,
    #[default(constant(AT_LENGTH))]
    answer_at: Constant<Bits<9>>,
    #[default(constant(0xFFFF_FFFF))]
    answer_mask: Constant<Bits<32>>,
}

impl Logic for Args {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, held, command, lookup, pages, csr, asked, have, left, last, drop);
        self.all.next = self.held.q.val();
        self.moved.next = self.held.q.val() >> 8;
        self.kept.next = bit_cast::<ARGW, 8>(self.data.val()) << self.top_at.val();
        self.moved.next = self.moved.val() | self.kept.val();
        if self.shift.val() || self.drop.q.val().any() {
            self.held.d.next = self.moved.val();
        }
        if self.drop.q.val().any() {
            self.drop.d.next = self.drop.q.val() - 1;
        }
        // commands and lookups
        if self.command.q.val() && self.reg_ready.val() {
            self.command.d.next = false;
        }
        if self.lookup.q.val() && self.lookup_ready.val() {
            self.lookup.d.next = false;
        }
        // pages: count and last came in the top byte
        self.top.next = self.data.val();
        self.one.next = self.left.q.val() == 1;
        self.page_valid.next = self.pages.q.val() && !self.drop.q.val().any();
        self.page_last.next = self.last.q.val() && self.one.val();
        if self.page_valid.val() && self.page_ready.val() {
            self.left.d.next = self.left.q.val() - 1;
            self.drop.d.next = 4.into();
            self.pages.d.next = !self.one.val();
        }
        // registers
        if self.csr.q.val() && self.csr_ready.val() {
            self.csr.d.next = false;
            self.asked.d.next = true;
        }
        if self.asked.q.val() && self.csr_rvalid.val() {
            self.asked.d.next = false;
            self.have.d.next = true;
            self.kept.next = bit_cast::<ARGW, 32>(self.answer_mask.val()) << self.answer_at.val();
            self.kept.next = !self.kept.val();
            self.moved.next = bit_cast::<ARGW, 32>(self.csr_rdata.val()) << self.answer_at.val();
            self.held.d.next = (self.all.val() & self.kept.val()) | self.moved.val();
        }
        if self.have.q.val() && self.csr_take.val() {
            self.have.d.next = false;
        }
        if self.set_command.val() {
            self.command.d.next = true;
        }
        if self.set_lookup.val() {
            self.lookup.d.next = true;
        }
        if self.set_csr.val() {
            self.csr.d.next = true;
        }
        if self.set_pages.val() {
            self.left.d.next = self.top.val().get_bits::<4>(0);
            self.last.d.next = self.top.val().get_bit(4);
            self.pages.d.next = self.top.val().get_bits::<4>(0).any();
        }
        self.args.next = self.held.q.val();
        self.busy.next = self.command.q.val()
            || self.lookup.q.val()
            || self.pages.q.val()
            || self.csr.q.val()
            || self.asked.q.val()
            || self.have.q.val()
            || self.drop.q.val().any();
        self.reg_valid.next = self.command.q.val();
        self.lookup_valid.next = self.lookup.q.val();
        self.csr_valid.next = self.csr.q.val();
        self.csr_have.next = self.have.q.val();
        if self.reset.val() {
            self.command.d.next = false;
            self.lookup.d.next = false;
            self.pages.d.next = false;
            self.csr.d.next = false;
            self.asked.d.next = false;
            self.have.d.next = false;
            self.drop.d.next = 0.into();
        }
    }
}
