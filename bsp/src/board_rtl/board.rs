// SPDX-License-Identifier: MIT OR Apache-2.0
//! `latchkey_board`: the top of the Alchitry Cu. Wires between the parts and the core of `alchitry-cu`; nothing decides here.
//!
//! ```text
//!  uart_rx ─► UartRx ─► Deframer ─► Store ◄──► Engine ─► Args ─► core: reg_*, page_*, lookup_*, csr_*
//!                                                │ ▲                    core: icm_rsp ◄─ Engine
//!                                         ack    ▼ │ answers
//!  uart_tx ◄─ Framer ◄─ Ack, Message ◄─────── Outbox ◄── core: icm_req, rsp_*, verdict_*, segment_*, event_*, csr answer
//! ```
//! All of it runs on the clock of `Pll`, 80 MHz.
//! Pins: `constraints/alchitry-cu.pcf`. Link, LEDs, self-test: `docs/board.md`.

use super::ack::{Ack, ACK_BYTES};
use super::args::Args;
use super::deframer::Deframer;
use super::engine::Engine;
use super::framer::Framer;
use super::leds::Leds;
use super::message::Message;
use super::modes::Modes;
use super::outbox::Outbox;
use super::pll::Pll;
use super::prelude::*;
use super::reset_sync::ResetSync;
use super::store::Store;
use super::taps::Taps;
use super::uart_rx::UartRx;
use latchkey_hdl::configs::alchitry_cu::rtl::core::Core;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct Board {
    /// Oscillator, 100 MHz.
    pub clock: Signal<In, Clock>,
    /// Button, low when pressed.
    pub reset_n: Signal<In, Bit>,
    /// From the host.
    pub uart_rx: Signal<In, Bit>,
    /// To the host.
    pub uart_tx: Signal<Out, Bit>,
    /// LEDs, lit when high.
    pub led: Signal<Out, Bits<8>>,
    pll: Pll,
    button: ResetSync,
    receiver: UartRx,
    deframer: Deframer,
    store: Store,
    engine: Engine,
    requests: Args,
    modes: Modes,
    taps: Taps,
    message: Message,
    replies: Ack,
    outbox: Outbox,
    framer: Framer,
    leds: Leds,
    core: Core,
    valid: Signal<Local, Bits<8>>,
    source: Signal<Local, Bits<3>>,
    index: Signal<Local, Bits<5>>,
    all: Signal<Local, Bits<ARGW>>,
    flags: Signal<Local, Bits<6>>,
    op: Signal<Local, Bits<8>>,
    tag: Signal<Local, Bits<8>>,
    page: Signal<Local, Bits<8>>,
    one: Signal<Local, Bits<NP>>,
    ready: Signal<Local, Bits<8>>,
    #[default(constant(ACK_BYTES))]
    ack_bytes: Constant<Bits<5>>,
    #[default(constant(AT_INLINE))]
    at_inline: Constant<Bits<10>>,
    #[default(constant(AT_ACCESS))]
    at_access: Constant<Bits<10>>,
    #[default(constant(AT_BASE))]
    at_base: Constant<Bits<10>>,
    #[default(constant(AT_PAGES))]
    at_pages: Constant<Bits<10>>,
    #[default(constant(AT_PAGE))]
    at_page: Constant<Bits<10>>,
    #[default(constant(AT_KEY))]
    at_key: Constant<Bits<10>>,
    #[default(constant(AT_PD))]
    at_pd: Constant<Bits<10>>,
    #[default(constant(AT_IOVA))]
    at_iova: Constant<Bits<10>>,
    #[default(constant(AT_LENGTH))]
    at_length: Constant<Bits<10>>,
    #[default(constant(AT_TAG))]
    at_tag: Constant<Bits<10>>,
    #[default(constant(AT_OP))]
    at_op: Constant<Bits<10>>,
}

const _: () = assert!(NP == 1 && TAGW == 4 && INL == 1 && BEAT == 32 && CLW == 1 && PDW == 8);

impl Logic for Board {
    #[hdl_gen]
    fn update(&mut self) {
        self.pll.clock.next = self.clock.val();
        self.button.clock.next = self.pll.slow.val();
        self.receiver.clock.next = self.pll.slow.val();
        self.deframer.clock.next = self.pll.slow.val();
        self.store.clock.next = self.pll.slow.val();
        self.engine.clock.next = self.pll.slow.val();
        self.requests.clock.next = self.pll.slow.val();
        self.modes.clock.next = self.pll.slow.val();
        self.taps.clock.next = self.pll.slow.val();
        self.message.clock.next = self.pll.slow.val();
        self.replies.clock.next = self.pll.slow.val();
        self.outbox.clock.next = self.pll.slow.val();
        self.framer.clock.next = self.pll.slow.val();
        self.leds.clock.next = self.pll.slow.val();
        self.core.clock.next = self.pll.slow.val();
        // held as long as the clock is not one
        self.button.button_n.next = self.reset_n.val() && self.pll.locked.val();
        self.receiver.reset.next = self.button.reset.val();
        self.deframer.reset.next = self.button.reset.val();
        self.engine.reset.next = self.button.reset.val();
        self.modes.reset.next = self.button.reset.val();
        self.replies.reset.next = self.button.reset.val();
        self.outbox.reset.next = self.button.reset.val();
        self.framer.reset.next = self.button.reset.val();
        self.leds.reset.next = self.button.reset.val();
        self.requests.reset.next = self.modes.core_reset.val();
        self.core.reset.next = self.modes.core_reset.val();
        // ---- from the wire
        self.receiver.line.next = self.uart_rx.val();
        self.deframer.valid.next = self.receiver.valid.val();
        self.deframer.data.next = self.receiver.byte_in.val();
        self.deframer.broken.next = self.receiver.broken.val();
        self.deframer.hold.next = self.engine.hold.val();
        self.engine.frame.next = self.deframer.frame.val();
        self.engine.size.next = self.deframer.size.val();
        // ---- RAM
        self.store.read_address.next = self.engine.read_address.val();
        self.engine.read_data.next = self.store.read_data.val();
        self.engine.write_taken.next = self.deframer.write.val();
        self.store.write_enable.next = self.engine.write.val() || self.deframer.write.val();
        self.store.write_address.next = self.engine.write_address.val();
        self.store.write_data.next = self.engine.write_data.val();
        if self.deframer.write.val() {
            self.store.write_address.next = bit_cast::<RAMW, 6>(self.deframer.address.val());
            self.store.write_data.next = self.deframer.value.val();
        }
        // ---- modes
        self.modes.open.next = self.engine.open.val();
        self.modes.test.next = self.engine.test.val();
        self.modes.pass.next = self.engine.pass.val();
        self.modes.fail.next = self.engine.fail.val();
        self.modes.lookup_ready.next = self.core.lookup_ready.val().get_bit(0);
        self.engine.hosted.next = self.modes.hosted.val();
        self.engine.testing.next = self.modes.testing.val();
        // ---- requests
        self.requests.shift.next = self.engine.shift.val();
        self.requests.data.next = self.store.read_data.val();
        self.requests.set_command.next = self.engine.set_command.val();
        self.requests.set_lookup.next = self.engine.set_lookup.val();
        self.requests.set_pages.next = self.engine.set_pages.val();
        self.requests.set_csr.next = self.engine.set_csr.val();
        self.engine.args_busy.next = self.requests.busy.val();
        self.all.next = self.requests.args.val();
        self.op.next = self.all.val().get_bits::<8>(self.at_op.val().index());
        self.tag.next = self.all.val().get_bits::<8>(self.at_tag.val().index());
        self.page.next = self.all.val().get_bits::<8>(self.at_page.val().index());
        self.core.reg_valid.next = self.requests.reg_valid.val();
        self.requests.reg_ready.next = self.core.reg_ready.val();
        self.core.reg_op.next = self.op.val().get_bits::<5>(0);
        self.core.reg_tag.next = self.tag.val();
        self.core.reg_key.next = self.all.val().get_bits::<32>(self.at_key.val().index());
        self.core.reg_pd.next = self.all.val().get_bits::<PDW>(self.at_pd.val().index());
        self.core.reg_iova.next = self.all.val().get_bits::<VAW>(self.at_iova.val().index());
        self.core.reg_length.next = self.all.val().get_bits::<RLW>(self.at_length.val().index());
        self.core.reg_access.next = self.all.val().get_bits::<32>(self.at_access.val().index());
        self.core.reg_page.next = self.page.val().get_bits::<3>(0);
        self.core.reg_mode.next = self.page.val().get_bits::<2>(3);
        self.core.reg_base.next = self.all.val().get_bits::<PAW>(self.at_base.val().index());
        self.core.reg_pages.next = self.all.val().get_bits::<PNW>(self.at_pages.val().index());
        self.core.reg_inline.next = self
            .all
            .val()
            .get_bits::<INL_BEAT>(self.at_inline.val().index());
        self.core.reg_key2.next = 0.into();
        self.core.reg_qpn.next = 0.into();
        self.core.reg_extra.next = 0.into();
        self.core.page_valid.next = self.requests.page_valid.val();
        self.core.page_last.next = self.requests.page_last.val();
        self.core.page_data.next = self
            .all
            .val()
            .get_bits::<BEAT>(self.at_inline.val().index());
        self.requests.page_ready.next = self.core.page_ready.val();
        self.one.next = 0.into();
        self.core.lookup_valid.next = self
            .one
            .val()
            .replace_bit(0, self.requests.lookup_valid.val());
        self.requests.lookup_ready.next = self.core.lookup_ready.val().get_bit(0);
        self.core.lookup_tag.next = self.tag.val().get_bits::<NP_TAGW>(0);
        self.core.lookup_key.next = self.all.val().get_bits::<NP_32>(self.at_key.val().index());
        self.core.lookup_side.next = self.op.val().get_bits::<NP>(4);
        self.core.lookup_qpn.next = 0.into();
        self.core.lookup_pd.next = self.all.val().get_bits::<NP_PDW>(self.at_pd.val().index());
        self.core.lookup_va.next = self
            .all
            .val()
            .get_bits::<NP_VAW>(self.at_iova.val().index());
        self.core.lookup_len.next = self
            .all
            .val()
            .get_bits::<NP_32>(self.at_length.val().index());
        self.core.lookup_op.next = self.op.val().get_bits::<NP_4>(0);
        self.core.lookup_walk.next = self.op.val().get_bits::<NP>(5);
        self.core.lookup_class.next = self.op.val().get_bits::<NP_CLW>(6);
        self.core.dma_done_valid.next = self.one.val().replace_bit(0, self.engine.done_valid.val());
        self.core.dma_done_tag.next = self.engine.done_tag.val();
        self.engine.done_ready.next = self.core.dma_done_ready.val().get_bit(0);
        self.core.csr_valid.next = self.requests.csr_valid.val();
        self.requests.csr_ready.next = self.core.csr_ready.val();
        self.core.csr_write.next = self.tag.val().get_bit(0);
        self.core.csr_addr.next = self.op.val();
        self.core.csr_wdata.next = self.all.val().get_bits::<32>(self.at_length.val().index());
        self.requests.csr_rvalid.next = self.core.csr_rvalid.val();
        self.requests.csr_rdata.next = self.core.csr_rdata.val();
        // ---- messages of the core, numbered as in `latchkey_hdl::link::source`
        self.valid.next = 0.into();
        self.valid.next = self
            .valid
            .val()
            .replace_bit(0, self.core.icm_req_valid.val());
        self.valid.next = self.valid.val().replace_bit(1, self.core.rsp_valid.val());
        self.valid.next = self
            .valid
            .val()
            .replace_bit(2, self.core.verdict_valid.val().get_bit(0));
        self.valid.next = self
            .valid
            .val()
            .replace_bit(3, self.core.segment_valid.val().get_bit(0));
        self.valid.next = self.valid.val().replace_bit(4, self.core.event_valid.val());
        self.valid.next = self
            .valid
            .val()
            .replace_bit(5, self.requests.csr_have.val());
        self.taps.valid.next = self.valid.val();
        self.engine.valid.next = self.taps.seen.val();
        self.outbox.valid.next = self.taps.seen.val();
        self.source.next = self.engine.source.val();
        self.index.next = self.engine.index.val();
        if self.modes.hosted.val() {
            self.source.next = self.outbox.source.val();
            self.index.next = self.framer.index.val();
        }
        self.taps.take.next = self.engine.take.val();
        self.taps.source.next = self.source.val();
        self.ready.next = self.taps.ready.val();
        self.core.icm_req_ready.next = self.ready.val().get_bit(0);
        self.core.rsp_ready.next = self.ready.val().get_bit(1);
        self.core.verdict_ready.next = self.ready.val().get_bits::<NP>(2);
        self.core.segment_ready.next = self.ready.val().get_bits::<NP>(3);
        self.core.event_ready.next = self.ready.val().get_bit(4);
        self.requests.csr_take.next = self.ready.val().get_bit(5);
        self.taps.write.next = self.core.icm_req_write.val();
        self.taps.space.next = self.core.icm_req_space.val();
        self.taps.addr.next = self.core.icm_req_addr.val();
        self.taps.len.next = self.core.icm_req_len.val();
        self.taps.last.next = self.core.icm_req_last.val();
        self.taps.id.next = self.core.icm_req_id.val();
        self.taps.data.next = self.core.icm_req_data.val();
        self.message.source.next = self.source.val();
        self.message.index.next = self.index.val();
        self.message.seq.next = self.outbox.seq.val();
        self.message.beat.next = self.engine.beat.val();
        self.message.icm_write.next = self.taps.write_q.val();
        self.message.icm_space.next = self.taps.space_q.val();
        self.message.icm_addr.next = self.taps.addr_q.val();
        self.message.icm_len.next = self.taps.len_q.val();
        self.message.icm_data.next = self.taps.data_q.val();
        self.message.icm_last.next = self.taps.last_q.val();
        self.message.rsp_tag.next = self.core.rsp_tag.val();
        self.message.rsp_code.next = self.core.rsp_code.val().get_bits::<4>(0);
        self.message.rsp_lkey.next = self.core.rsp_lkey.val();
        self.message.rsp_rkey.next = self.core.rsp_rkey.val();
        self.message.rsp_state.next = self.core.rsp_state.val();
        self.message.rsp_pd.next = self.core.rsp_pd.val();
        self.message.rsp_iova.next = self.core.rsp_iova.val();
        self.message.rsp_length.next = self.core.rsp_length.val();
        self.message.rsp_access.next = self.core.rsp_access.val();
        self.message.verdict_tag.next = self.core.verdict_tag.val();
        self.message.verdict_granted.next = self.core.verdict_granted.val();
        self.message.verdict_class.next = self.core.verdict_class.val();
        self.message.verdict_cause.next = self.core.verdict_cause.val();
        self.message.segment_tag.next = self.core.segment_tag.val();
        self.message.segment_pa.next = self.core.segment_pa.val();
        self.message.segment_len.next = self.core.segment_len.val();
        self.message.segment_last.next = self.core.segment_last.val();
        self.message.segment_status.next = self.core.segment_status.val();
        self.message.event_kind.next = self.core.event_kind.val();
        self.message.event_info.next = self.core.event_info.val();
        self.message.csr_data.next = self.all.val().get_bits::<32>(self.at_length.val().index());
        self.engine.byte_in.next = self.message.byte_out.val();
        // ---- tables
        self.engine.icm_write.next = self.taps.write_q.val();
        self.engine.icm_space.next = self.taps.space_q.val();
        self.engine.icm_addr.next = self.taps.addr_q.val();
        self.engine.icm_len.next = self.taps.len_q.val();
        self.engine.icm_last.next = self.taps.last_q.val();
        self.engine.icm_id.next = self.taps.id_q.val();
        self.core.icm_rsp_valid.next = self.engine.rsp_valid.val();
        self.engine.rsp_ready.next = self.core.icm_rsp_ready.val();
        self.core.icm_rsp_id.next = self.engine.rsp_id.val();
        self.core.icm_rsp_data.next = self.engine.rsp_data.val();
        self.core.icm_rsp_last.next = self.engine.rsp_last.val();
        // ---- to the wire
        self.outbox.hosted.next = self.modes.hosted.val();
        self.outbox.open.next = self.engine.open.val() || self.engine.test.val();
        self.outbox.patient.next = self.engine.patient.val();
        self.outbox.patient_set.next = self.engine.patient_set.val();
        self.outbox.complete.next = self.engine.complete.val();
        self.outbox.ack.next = self.engine.ack.val();
        self.outbox.framer_busy.next = self.framer.busy.val();
        self.engine.waiting.next = self.outbox.waiting.val();
        self.engine.seq.next = self.outbox.seq.val();
        self.engine.at_hand.next = self.outbox.at_hand.val();
        self.engine.asked.next = self.outbox.source.val();
        self.framer.start.next = self.outbox.start.val();
        self.framer.size.next = self.message.size.val();
        self.framer.byte_out.next = self.message.byte_out.val();
        if self.outbox.is_ack.val() {
            self.framer.size.next = self.ack_bytes.val();
            self.framer.byte_out.next = self.replies.byte_out.val();
        }
        self.uart_tx.next = self.framer.line.val();
        self.replies.index.next = self.framer.index.val();
        self.replies.ack.next = self.engine.ack.val();
        self.replies.ack_seq.next = self.engine.ack_seq.val();
        self.replies.ack_status.next = self.engine.ack_status.val();
        self.replies.bad.next = self.deframer.bad.val();
        self.replies.refused.next = self.engine.refused.val();
        self.replies.resent.next = self.outbox.resent.val();
        self.replies.at.next = self.engine.at.val();
        self.flags.next = 0.into();
        self.flags.next = self.flags.val().replace_bit(0, self.modes.hosted.val());
        self.flags.next = self.flags.val().replace_bit(1, self.modes.ready.val());
        self.flags.next = self.flags.val().replace_bit(2, self.modes.testing.val());
        self.flags.next = self.flags.val().replace_bit(3, self.modes.passed.val());
        self.flags.next = self.flags.val().replace_bit(4, self.modes.failed.val());
        self.flags.next = self.flags.val().replace_bit(5, self.outbox.at_hand.val());
        self.replies.flags.next = self.flags.val();
        self.leds.ready.next = self.modes.ready.val();
        self.leds.passed.next = self.modes.passed.val();
        self.leds.failed.next = self.modes.failed.val();
        self.leds.hosted.next = self.modes.hosted.val();
        self.leds.frame.next = self.deframer.frame.val();
        self.leds.trouble.next = self.deframer.bad.val() || self.engine.refused.val();
        self.leds.silent.next = self.outbox.silent.val();
        self.led.next = self.leds.led.val();
    }
}
