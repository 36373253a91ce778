// SPDX-License-Identifier: MIT OR Apache-2.0
//! What moves bytes between the RAM and the core, one job at a time: a frame from the host, a step of the self-test, or a
//! table access of the self-test.
//!
//! ```text
//!  frame ─► KIND ─► SEQ ─► HEARD ─► JUDGE ─┬─► refuse, acknowledge
//!                                          ├─► LOAD (arguments, byte by byte)
//!                                          └─► FEED ─► OFFER (beats to the core) ...
//!  step  ─► STEP ─┬─► LOAD
//!                 └─► FIRST ─► SECOND (compare or copy a byte)
//!  table access of the core, not hosted ─► FEED ─► OFFER, or PUT
//!  CLEAR: the tables of the self-test become zero
//! ```
//! Contract: a frame stands in the RAM from `frame` on; `hold` says that it is needed. Each job is bounded: at most 33 bytes at four
//! cycles, or 16 beats at sixteen and the core's wait, less than one byte takes on the wire. An answer of the host reaches the core
//! only if a message waits, its number is the message's, and its length is what the message asked for; else `refused`.
//! Every RAM byte and every message byte is looked at four cycles after its number was set (`rested`).
//! Requests carry the next number of the host, and are acknowledged; the last one again is acknowledged and not done again.
//! They carry the number of the last message the host has answered too (`heard`): while that message is still at hand its answer was
//! lost, and the request is busy. So no request overtakes the answer of a message that it follows from.

use super::prelude::*;
use super::script::step;
use latchkey_hdl::link::{hello, host, source, status};

/// States, in the module's text.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum EngineState {
    /// Tables of the self-test become zero.
    Clear,
    /// What next?
    Idle,
    /// First byte of a frame.
    Kind,
    /// Second.
    Seq,
    /// Third: what the host had answered when it asked.
    Heard,
    /// What to do with it.
    Judge,
    /// Payload to the arguments.
    Load,
    /// Four bytes to a word.
    Feed,
    /// The word to the core.
    Offer,
    /// A word of the core to the RAM.
    Put,
    /// A step of the script.
    Step,
    /// Its first operand.
    First,
    /// Its second operand.
    Second,
}

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
#[allow(missing_docs)]
pub struct Engine {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    // the RAM
    pub read_address: Signal<Out, Bits<RAMW>>,
    pub read_data: Signal<In, Bits<8>>,
    pub write: Signal<Out, Bit>,
    pub write_address: Signal<Out, Bits<RAMW>>,
    pub write_data: Signal<Out, Bits<8>>,
    /// The RAM is written by the deframer: try again.
    pub write_taken: Signal<In, Bit>,
    // frames
    pub frame: Signal<In, Bit>,
    pub size: Signal<In, Bits<7>>,
    pub hold: Signal<Out, Bit>,
    pub ack: Signal<Out, Bit>,
    pub ack_seq: Signal<Out, Bits<8>>,
    pub ack_status: Signal<Out, Bits<3>>,
    pub refused: Signal<Out, Bit>,
    // requests
    pub shift: Signal<Out, Bit>,
    pub set_command: Signal<Out, Bit>,
    pub set_lookup: Signal<Out, Bit>,
    pub set_pages: Signal<Out, Bit>,
    pub set_csr: Signal<Out, Bit>,
    pub args_busy: Signal<In, Bit>,
    pub done_valid: Signal<Out, Bit>,
    pub done_tag: Signal<Out, Bits<4>>,
    pub done_ready: Signal<In, Bit>,
    // modes
    pub hosted: Signal<In, Bit>,
    pub testing: Signal<In, Bit>,
    pub open: Signal<Out, Bit>,
    pub patient: Signal<Out, Bit>,
    pub patient_set: Signal<Out, Bit>,
    pub test: Signal<Out, Bit>,
    pub pass: Signal<Out, Bit>,
    pub fail: Signal<Out, Bit>,
    /// Byte of the script the test stands at.
    pub at: Signal<Out, Bits<8>>,
    // messages
    pub waiting: Signal<In, Bit>,
    pub seq: Signal<In, Bits<8>>,
    /// A message with the number `seq` is sent or waits.
    pub at_hand: Signal<In, Bit>,
    /// Source of the message that waits (hosted).
    pub asked: Signal<In, Bits<3>>,
    pub complete: Signal<Out, Bit>,
    pub valid: Signal<In, Bits<8>>,
    /// Source and byte looked at (not hosted).
    pub source: Signal<Out, Bits<3>>,
    pub index: Signal<Out, Bits<5>>,
    pub byte_in: Signal<In, Bits<8>>,
    /// The message of the source looked at, or asked, is taken.
    pub take: Signal<Out, Bit>,
    // tables
    pub beat: Signal<Out, Bits<4>>,
    pub icm_write: Signal<In, Bit>,
    pub icm_space: Signal<In, Bits<2>>,
    pub icm_addr: Signal<In, Bits<ADW>>,
    pub icm_len: Signal<In, Bits<4>>,
    pub icm_last: Signal<In, Bit>,
    pub icm_id: Signal<In, Bits<IDW>>,
    pub rsp_valid: Signal<Out, Bit>,
    pub rsp_ready: Signal<In, Bit>,
    pub rsp_id: Signal<Out, Bits<IDW>>,
    pub rsp_data: Signal<Out, Bits<BEAT>>,
    pub rsp_last: Signal<Out, Bit>,
    state: DFF<EngineState>,
    age: DFF<Bits<2>>,
    addr: DFF<Bits<RAMW>>,
    held: DFF<Bit>,
    kind: DFF<Bits<4>>,
    odd: DFF<Bit>,
    number: DFF<Bits<8>>,
    heard: DFF<Bits<8>>,
    next: DFF<Bits<8>>,
    left: DFF<Bits<6>>,
    scripted: DFF<Bit>,
    step_at: DFF<Bits<8>>,
    op: DFF<Bits<4>>,
    look: DFF<Bits<3>>,
    want: DFF<Bits<5>>,
    word: DFF<Bits<BEAT>>,
    quarter: DFF<Bits<2>>,
    beats: DFF<Bits<4>>,
    id: DFF<Bits<IDW>>,
    burst: DFF<Bits<4>>,
    own_icm: DFF<Bit>,
    done: DFF<Bit>,
    done_at: DFF<Bits<4>>,
    // judged while the bytes come to rest
    fits: DFF<Bit>,
    answers: DFF<Bit>,
    follows: DFF<Bit>,
    again: DFF<Bit>,
    free: DFF<Bit>,
    early: DFF<Bit>,
    opens: DFF<Bit>,
    plain: DFF<Bit>,
    word_read: DFF<Bit>,
    word_write: DFF<Bit>,
    same: DFF<Bit>,
    room: Signal<Local, Bit>,
    due: Signal<Local, Bit>,
    rested: Signal<Local, Bit>,
    settle: Signal<Local, Bit>,
    fresh: Signal<Local, Bit>,
    local_icm: Signal<Local, Bit>,
    spot: Signal<Local, Bits<RAMW>>,
    base: Signal<Local, Bits<ADW>>,
    entry: Signal<Local, Bit>,
    more: Signal<Local, Bits<6>>,
    payload: Signal<Local, Bits<6>>,
    answer_size: Signal<Local, Bits<7>>,
    beats_asked: Signal<Local, Bits<7>>,
    is_answer: Signal<Local, Bit>,
    following: Signal<Local, Bits<8>>,
    opcode: Signal<Local, Bits<4>>,
    operand: Signal<Local, Bits<4>>,
    there: Signal<Local, Bit>,
    shifted: Signal<Local, Bits<BEAT>>,
    upper: Signal<Local, Bits<BEAT>>,
    of_frame: Signal<Local, Bits<8>>,
    #[default(constant(TABLES_AT))]
    tables_at: Constant<Bits<RAMW>>,
    #[default(constant(0x60))]
    windows_at: Constant<Bits<RAMW>>,
    #[default(constant(0x80))]
    entries_at: Constant<Bits<RAMW>>,
    #[default(constant(SCRIPT_AT))]
    script_at: Constant<Bits<RAMW>>,
    #[default(constant(SCRIPT_AT - 1))]
    tables_end: Constant<Bits<RAMW>>,
    #[default(constant(host::ANSWER as usize))]
    k_answer: Constant<Bits<4>>,
    #[default(constant(host::HELLO as usize))]
    k_hello: Constant<Bits<4>>,
    #[default(constant(host::COMMAND as usize))]
    k_command: Constant<Bits<4>>,
    #[default(constant(host::LOOKUP as usize))]
    k_lookup: Constant<Bits<4>>,
    #[default(constant(host::PAGES as usize))]
    k_pages: Constant<Bits<4>>,
    #[default(constant(host::DONE as usize))]
    k_done: Constant<Bits<4>>,
    #[default(constant(host::CSR as usize))]
    k_csr: Constant<Bits<4>>,
    #[default(constant(host::STATUS as usize))]
    k_status: Constant<Bits<4>>,
    #[default(constant(host::SELF_TEST as usize))]
    k_test: Constant<Bits<4>>,
    #[default(constant(status::OK as usize))]
    s_ok: Constant<Bits<3>>,
    #[default(constant(status::BUSY as usize))]
    s_busy: Constant<Bits<3>>,
    #[default(constant(status::SEQUENCE as usize))]
    s_sequence: Constant<Bits<3>>,
    #[default(constant(status::MALFORMED as usize))]
    s_malformed: Constant<Bits<3>>,
    #[default(constant(status::CLOSED as usize))]
    s_closed: Constant<Bits<3>>,
    #[default(constant(source::ICM as usize))]
    from_icm: Constant<Bits<3>>,
    #[default(constant(step::SEND))]
    o_send: Constant<Bits<4>>,
    #[default(constant(step::WAIT))]
    o_wait: Constant<Bits<4>>,
    #[default(constant(step::CHECK))]
    o_check: Constant<Bits<4>>,
    #[default(constant(step::COPY))]
    o_copy: Constant<Bits<4>>,
    #[default(constant(step::TAKE))]
    o_take: Constant<Bits<4>>,
}

const _: () = assert!(
    hello::FRESH == 1 && hello::PATIENT == 2 && source::ICM == 0 && MPTA == 3 && PDWIN == 1
);

impl Logic for Engine {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, state, age, addr, held, kind, odd, number, heard, next, left, scripted,
            step_at, op, look, want, word, quarter, beats, id, burst, own_icm, done, done_at, fits,
            answers, follows, again, free, early, opens, plain, word_read, word_write, same
        );
        self.rested.next = self.age.q.val().all();
        self.settle.next = false;
        if !self.rested.val() {
            self.age.d.next = self.age.q.val() + 1;
        }
        // ---- what the frame is
        self.of_frame.next = self.read_data.val();
        self.opcode.next = self.of_frame.val().get_bits::<4>(4);
        self.operand.next = self.of_frame.val().get_bits::<4>(0);
        self.payload.next = 0.into();
        match self.kind.q.val().index() {
            2 => {
                self.payload.next = 1.into();
            }
            3 => {
                self.payload.next = 33.into();
            }
            4 => {
                self.payload.next = 17.into();
            }
            5 => {
                self.payload.next = 33.into();
            }
            6 => {
                self.payload.next = 1.into();
            }
            7 => {
                self.payload.next = 6.into();
            }
            _ => {}
        }
        self.more.next = self.payload.val() + 3;
        self.fits.d.next =
            (self.size.val() == bit_cast::<7, 6>(self.more.val())) && !self.odd.q.val();
        self.word_read.d.next = (self.asked.val() == self.from_icm.val()) && !self.icm_write.val();
        self.word_write.d.next = (self.asked.val() == self.from_icm.val()) && self.icm_write.val();
        self.beats_asked.next = 0.into();
        if self.word_read.q.val() {
            self.beats_asked.next = bit_cast::<7, 4>(self.icm_len.val()) << 2;
            self.beats_asked.next = self.beats_asked.val() + 4;
        }
        self.answer_size.next = self.beats_asked.val() + 2;
        self.is_answer.next = self.kind.q.val() == self.k_answer.val();
        self.answers.d.next = self.waiting.val()
            && self.hosted.val()
            && (self.number.q.val() == self.seq.val())
            && (self.size.val() == self.answer_size.val())
            && !self.odd.q.val();
        self.due.next = self.answers.q.val() && self.waiting.val();
        self.following.next = self.next.q.val() + 1;
        self.follows.d.next = self.number.q.val() == self.following.val();
        self.again.d.next = self.number.q.val() == self.next.q.val();
        self.room.next = !self.args_busy.val();
        if self.kind.q.val() == self.k_done.val() {
            self.room.next = !self.done.q.val();
        }
        self.free.d.next = self.room.val();
        self.early.d.next = self.at_hand.val() && (self.heard.q.val() == self.seq.val());
        self.same.d.next = self.of_frame.val() == self.byte_in.val();
        self.opens.d.next = (self.kind.q.val() == self.k_hello.val())
            || (self.kind.q.val() == self.k_test.val())
            || (self.kind.q.val() == self.k_status.val());
        self.plain.d.next = (self.kind.q.val() == self.k_command.val())
            || (self.kind.q.val() == self.k_lookup.val())
            || (self.kind.q.val() == self.k_pages.val())
            || (self.kind.q.val() == self.k_done.val())
            || (self.kind.q.val() == self.k_csr.val());
        // ---- where the core's request points in the RAM
        self.base.next = self.icm_addr.val() + bit_cast::<ADW, 4>(self.burst.q.val());
        self.spot.next = bit_cast::<RAMW, 3>(self.base.val().get_bits::<3>(0)) << 2;
        self.entry.next = self.icm_space.val() == 0;
        if self.entry.val() {
            self.spot.next = bit_cast::<RAMW, 5>(self.base.val().get_bits::<5>(0)) << 2;
            self.spot.next = self.spot.val() | self.entries_at.val();
        } else if self.icm_space.val() == 1 {
            self.spot.next = self.spot.val() | self.tables_at.val();
        } else {
            self.spot.next = self.spot.val() | self.windows_at.val();
        }
        self.local_icm.next = !self.hosted.val() && self.valid.val().get_bit(0);
        self.there.next = self.valid.val().get_bit(self.look.q.val().index());
        // ---- outputs at rest
        self.write.next = false;
        self.write_address.next = self.addr.q.val();
        self.write_data.next = 0.into();
        self.ack.next = false;
        self.ack_seq.next = self.number.q.val();
        self.ack_status.next = self.s_ok.val();
        self.refused.next = false;
        self.shift.next = false;
        self.set_command.next = false;
        self.set_lookup.next = false;
        self.set_pages.next = false;
        self.set_csr.next = false;
        self.open.next = false;
        self.patient.next = self.of_frame.val().get_bit(1);
        self.patient_set.next = false;
        self.test.next = false;
        self.pass.next = false;
        self.fail.next = false;
        self.complete.next = false;
        self.take.next = false;
        self.shifted.next = self.word.q.val() >> 8;
        self.upper.next = bit_cast::<BEAT, 8>(self.of_frame.val()) << 24;
        self.fresh.next = self.of_frame.val().get_bit(0);
        if self.frame.val() {
            self.held.d.next = true;
        }
        if self.done_ready.val() {
            self.done.d.next = false;
        }
        match self.state.q.val() {
            EngineState::Clear => {
                self.write.next = true;
                if !self.write_taken.val() {
                    self.addr.d.next = self.addr.q.val() + 1;
                    if self.addr.q.val() == self.tables_end.val() {
                        self.settle.next = true;
                        self.state.d.next = EngineState::Idle;
                    }
                }
            }
            EngineState::Idle => {
                self.scripted.d.next = false;
                self.quarter.d.next = 0.into();
                // a message taken a moment ago must have gone (`taps.rs`)
                if self.rested.val() {
                    if self.held.q.val() {
                        self.settle.next = true;
                        self.addr.d.next = 0.into();
                        self.state.d.next = EngineState::Kind;
                    } else if self.local_icm.val() {
                        self.settle.next = true;
                        self.addr.d.next = self.spot.val();
                        self.id.d.next = self.icm_id.val();
                        self.beats.d.next = self.icm_len.val();
                        self.own_icm.d.next = true;
                        self.want.d.next = 6.into();
                        if self.icm_write.val() {
                            self.state.d.next = EngineState::Put;
                        } else {
                            self.take.next = true;
                            self.state.d.next = EngineState::Feed;
                        }
                    } else if self.testing.val() {
                        self.settle.next = true;
                        self.addr.d.next =
                            bit_cast::<RAMW, 8>(self.step_at.q.val()) | self.script_at.val();
                        self.scripted.d.next = true;
                        self.state.d.next = EngineState::Step;
                    }
                }
            }
            EngineState::Kind => {
                if self.rested.val() {
                    self.kind.d.next = self.operand.val();
                    self.odd.d.next = self.opcode.val().any();
                    self.addr.d.next = 1.into();
                    self.settle.next = true;
                    self.state.d.next = EngineState::Seq;
                }
            }
            EngineState::Seq => {
                if self.rested.val() {
                    self.number.d.next = self.of_frame.val();
                    self.addr.d.next = 2.into();
                    self.settle.next = true;
                    self.state.d.next = EngineState::Heard;
                }
            }
            EngineState::Heard => {
                if self.rested.val() {
                    self.heard.d.next = self.of_frame.val();
                    self.addr.d.next = 3.into();
                    self.settle.next = true;
                    self.state.d.next = EngineState::Judge;
                }
            }
            EngineState::Judge => {
                if self.rested.val() {
                    self.held.d.next = false;
                    self.state.d.next = EngineState::Idle;
                    self.settle.next = true;
                    self.left.d.next = self.payload.val();
                    if self.is_answer.val() {
                        self.refused.next = !self.due.val();
                        // an answer has no third byte of its own
                        self.addr.d.next = 2.into();
                        if self.due.val() {
                            self.take.next = true;
                            self.complete.next = true;
                            self.id.d.next = self.icm_id.val();
                            self.beats.d.next = self.icm_len.val();
                            if self.word_read.q.val() {
                                self.held.d.next = true;
                                self.state.d.next = EngineState::Feed;
                            }
                            if self.word_write.q.val() {
                                self.burst.d.next = self.burst.q.val() + 1;
                                if self.icm_last.val() {
                                    self.burst.d.next = 0.into();
                                    self.beats.d.next = 0.into();
                                    self.state.d.next = EngineState::Offer;
                                }
                            }
                        }
                    } else {
                        self.ack.next = true;
                        if !self.fits.q.val() || !(self.opens.q.val() || self.plain.q.val()) {
                            self.ack_status.next = self.s_malformed.val();
                            self.refused.next = true;
                        } else if self.opens.q.val() {
                            if self.kind.q.val() == self.k_hello.val() {
                                if self.fresh.val() || self.hosted.val() {
                                    self.open.next = self.fresh.val();
                                    self.patient_set.next = true;
                                    self.next.d.next = self.number.q.val();
                                    if self.fresh.val() {
                                        self.burst.d.next = 0.into();
                                        self.done.d.next = false;
                                    }
                                } else {
                                    self.ack_status.next = self.s_closed.val();
                                }
                            }
                            if self.kind.q.val() == self.k_test.val() {
                                self.test.next = true;
                                self.burst.d.next = 0.into();
                                self.done.d.next = false;
                                self.step_at.d.next = 0.into();
                                self.addr.d.next = self.tables_at.val();
                                self.state.d.next = EngineState::Clear;
                            }
                        } else if !self.hosted.val() {
                            self.ack_status.next = self.s_closed.val();
                            self.refused.next = true;
                        } else if self.follows.q.val() {
                            if self.free.q.val() && !self.early.q.val() {
                                self.next.d.next = self.number.q.val();
                                self.held.d.next = true;
                                self.state.d.next = EngineState::Load;
                            } else {
                                self.ack_status.next = self.s_busy.val();
                            }
                        } else if !self.again.q.val() {
                            self.ack_status.next = self.s_sequence.val();
                            self.refused.next = true;
                        }
                    }
                }
            }
            EngineState::Load => {
                if self.rested.val() {
                    self.settle.next = true;
                    self.addr.d.next = self.addr.q.val() + 1;
                    self.left.d.next = self.left.q.val() - 1;
                    if self.kind.q.val() == self.k_done.val() {
                        self.done.d.next = true;
                        self.done_at.d.next = self.operand.val();
                    } else {
                        self.shift.next = true;
                    }
                    if self.left.q.val() == 1 {
                        self.set_command.next = self.kind.q.val() == self.k_command.val();
                        self.set_lookup.next = self.kind.q.val() == self.k_lookup.val();
                        self.set_pages.next = self.kind.q.val() == self.k_pages.val();
                        self.set_csr.next = self.kind.q.val() == self.k_csr.val();
                        self.state.d.next = EngineState::Idle;
                        if self.scripted.q.val() {
                            self.step_at.d.next = self.addr.q.val().get_bits::<8>(0) + 1;
                        } else {
                            self.held.d.next = false;
                        }
                    }
                }
            }
            EngineState::Feed => {
                if self.rested.val() {
                    self.settle.next = true;
                    self.word.d.next = self.shifted.val() | self.upper.val();
                    self.addr.d.next = self.addr.q.val() + 1;
                    self.quarter.d.next = self.quarter.q.val() + 1;
                    if self.quarter.q.val().all() {
                        self.state.d.next = EngineState::Offer;
                    }
                }
            }
            EngineState::Offer => {
                self.settle.next = true;
                if self.rsp_ready.val() {
                    self.beats.d.next = self.beats.q.val() - 1;
                    self.state.d.next = EngineState::Feed;
                    if !self.beats.q.val().any() {
                        self.state.d.next = EngineState::Idle;
                        self.own_icm.d.next = false;
                        if self.hosted.val() {
                            self.held.d.next = false;
                        }
                    }
                }
            }
            EngineState::Put => {
                self.write_data.next = self.byte_in.val();
                if self.rested.val() {
                    self.write.next = true;
                    if !self.write_taken.val() {
                        self.settle.next = true;
                        self.addr.d.next = self.addr.q.val() + 1;
                        self.want.d.next = self.want.q.val() + 1;
                        self.quarter.d.next = self.quarter.q.val() + 1;
                        if self.quarter.q.val().all() {
                            self.take.next = true;
                            self.burst.d.next = self.burst.q.val() + 1;
                            self.own_icm.d.next = false;
                            self.state.d.next = EngineState::Idle;
                            if self.icm_last.val() {
                                self.burst.d.next = 0.into();
                                self.beats.d.next = 0.into();
                                self.own_icm.d.next = true;
                                self.state.d.next = EngineState::Offer;
                            }
                        }
                    }
                }
            }
            EngineState::Step => {
                if self.rested.val() {
                    self.settle.next = true;
                    self.addr.d.next = self.addr.q.val() + 1;
                    self.op.d.next = self.opcode.val();
                    self.kind.d.next = self.operand.val();
                    self.left.d.next = 0.into();
                    self.look.d.next = self.operand.val().get_bits::<3>(0);
                    self.state.d.next = EngineState::First;
                    if (self.opcode.val() == self.o_check.val())
                        || (self.opcode.val() == self.o_copy.val())
                        || (self.opcode.val() == self.o_take.val())
                    {
                        // the source stays the one of the last wait
                        self.look.d.next = self.look.q.val();
                    }
                }
            }
            EngineState::First => {
                if self.rested.val() {
                    self.settle.next = true;
                    self.state.d.next = EngineState::Idle;
                    self.left.d.next = self.payload.val();
                    if self.op.q.val() == self.o_send.val() {
                        if self.free.q.val() {
                            self.state.d.next = EngineState::Load;
                        }
                    } else if self.op.q.val() == self.o_wait.val() {
                        if self.there.val() {
                            self.step_at.d.next = self.addr.q.val().get_bits::<8>(0);
                        }
                    } else if self.op.q.val() == self.o_take.val() {
                        self.take.next = true;
                        self.step_at.d.next = self.addr.q.val().get_bits::<8>(0);
                    } else if (self.op.q.val() == self.o_check.val())
                        || (self.op.q.val() == self.o_copy.val())
                    {
                        self.want.d.next = self.of_frame.val().get_bits::<5>(0);
                        self.addr.d.next = self.addr.q.val() + 1;
                        self.state.d.next = EngineState::Second;
                    } else {
                        self.pass.next = !self.valid.val().any();
                        self.fail.next = self.valid.val().any();
                    }
                }
            }
            EngineState::Second => {
                if self.rested.val() {
                    self.write_data.next = self.byte_in.val();
                    self.write_address.next =
                        bit_cast::<RAMW, 8>(self.of_frame.val()) | self.script_at.val();
                    self.write.next = self.op.q.val() == self.o_copy.val();
                    if !self.write.val() || !self.write_taken.val() {
                        self.settle.next = true;
                        self.state.d.next = EngineState::Idle;
                        self.step_at.d.next = self.addr.q.val().get_bits::<8>(0) + 1;
                        if !self.write.val() {
                            self.fail.next = !self.same.q.val();
                        }
                    }
                }
            }
        }
        if self.settle.val() {
            self.age.d.next = 0.into();
        }
        self.read_address.next = self.addr.q.val();
        self.hold.next = self.held.q.val();
        self.done_valid.next = self.done.q.val();
        self.done_tag.next = self.done_at.q.val();
        self.at.next = self.step_at.q.val();
        self.index.next = self.want.q.val();
        self.source.next = self.look.q.val();
        if self.own_icm.q.val() || (self.state.q.val() == EngineState::Idle) {
            self.source.next = self.from_icm.val();
        }
        self.beat.next = self.burst.q.val();
        self.rsp_valid.next = self.state.q.val() == EngineState::Offer;
        self.rsp_id.next = self.id.q.val();
        self.rsp_data.next = self.word.q.val();
        self.rsp_last.next = !self.beats.q.val().any();
        if self.reset.val() {
            self.state.d.next = EngineState::Clear;
            self.addr.d.next = self.tables_at.val();
            self.age.d.next = 0.into();
            self.held.d.next = false;
            self.burst.d.next = 0.into();
            self.own_icm.d.next = false;
            self.done.d.next = false;
            self.step_at.d.next = 0.into();
        }
    }
}
