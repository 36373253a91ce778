// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages of the core as bytes: the stream `source` at its pins, byte `index` of it. Nothing is copied: the core holds its
//! pins until the message is taken.
//!
//! ```text
//!  pins ─► byte `index` of each source (register) ─► the source's (register) ─► byte_out
//! ```
//! Layout: `docs/board.md`. Contract: `byte_out` and `size` belong to the `source` and `index` of two cycles ago. Byte 0 and
//! 1, kind and sequence number, are the same for all. A read of the ICM has no data bytes, as its data may change.

use super::prelude::*;
use latchkey_hdl::link::board::MESSAGE;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
#[allow(missing_docs)]
pub struct Message {
    pub clock: Signal<In, Clock>,
    pub source: Signal<In, Bits<3>>,
    pub index: Signal<In, Bits<5>>,
    pub seq: Signal<In, Bits<8>>,
    pub byte_out: Signal<Out, Bits<8>>,
    pub size: Signal<Out, Bits<5>>,
    /// Beat of the write burst.
    pub beat: Signal<In, Bits<4>>,
    pub icm_write: Signal<In, Bit>,
    pub icm_space: Signal<In, Bits<2>>,
    pub icm_addr: Signal<In, Bits<ADW>>,
    pub icm_len: Signal<In, Bits<4>>,
    pub icm_data: Signal<In, Bits<BEAT>>,
    pub icm_last: Signal<In, Bit>,
    pub rsp_tag: Signal<In, Bits<8>>,
    pub rsp_code: Signal<In, Bits<4>>,
    pub rsp_lkey: Signal<In, Bits<32>>,
    pub rsp_rkey: Signal<In, Bits<32>>,
    pub rsp_state: Signal<In, Bits<2>>,
    pub rsp_pd: Signal<In, Bits<PDW>>,
    pub rsp_iova: Signal<In, Bits<VAW>>,
    pub rsp_length: Signal<In, Bits<RLW>>,
    pub rsp_access: Signal<In, Bits<10>>,
    pub verdict_tag: Signal<In, Bits<NP_TAGW>>,
    pub verdict_granted: Signal<In, Bits<NP>>,
    pub verdict_class: Signal<In, Bits<NP_3>>,
    pub verdict_cause: Signal<In, Bits<NP_4>>,
    pub segment_tag: Signal<In, Bits<NP_TAGW>>,
    pub segment_pa: Signal<In, Bits<NP_PAW>>,
    pub segment_len: Signal<In, Bits<NP_32>>,
    pub segment_last: Signal<In, Bits<NP>>,
    pub segment_status: Signal<In, Bits<NP_2>>,
    pub event_kind: Signal<In, Bits<4>>,
    pub event_info: Signal<In, Bits<32>>,
    pub csr_data: Signal<In, Bits<32>>,
    icm: DFF<Bits<8>>,
    rsp: DFF<Bits<8>>,
    little: DFF<Bits<8>>,
    chosen: DFF<Bits<8>>,
    bytes: DFF<Bits<5>>,
    place: Signal<Local, Bits<5>>,
    three: Signal<Local, Bits<3>>,
    flags: Signal<Local, Bits<8>>,
    kind: Signal<Local, Bits<8>>,
    seg: Signal<Local, Bits<64>>,
    pair: Signal<Local, Bits<16>>,
    lone: Signal<Local, Bits<8>>,
    info: Signal<Local, Bits<8>>,
    word: Signal<Local, Bits<32>>,
    iova: Signal<Local, Bits<VAW>>,
    length: Signal<Local, Bits<RLW>>,
    access: Signal<Local, Bits<10>>,
    addr: Signal<Local, Bits<ADW>>,
    pa: Signal<Local, Bits<PAW>>,
    len: Signal<Local, Bits<32>>,
    lkey: Signal<Local, Bits<32>>,
    rkey: Signal<Local, Bits<32>>,
    #[default(constant(MESSAGE as usize))]
    message_kind: Constant<Bits<8>>,
}

const _: () = assert!(
    ADW <= 20 && PAW <= 40 && LENW <= 16 && TAGW == 4 && BEAT == 32 && VAW == 48 && RLW == 32
);

impl Logic for Message {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, icm, rsp, little, chosen, bytes);
        self.place.next = self.index.val();
        // a beat of the ICM
        self.flags.next = bit_cast::<8, 4>(self.icm_len.val()) << 4;
        self.lone.next = bit_cast::<8, 2>(self.icm_space.val()) << 2;
        self.flags.next = self.flags.val() | self.lone.val();
        self.flags.next = self.flags.val().replace_bit(0, self.icm_write.val());
        self.flags.next = self.flags.val().replace_bit(1, self.icm_last.val());
        self.addr.next = self.icm_addr.val();
        self.word.next = self.icm_data.val();
        self.icm.d.next = 0.into();
        match self.place.val().index() {
            2 => {
                self.icm.d.next = self.flags.val();
            }
            3 => {
                self.icm.d.next = self.addr.val().get_bits::<8>(0);
            }
            4 => {
                self.icm.d.next = self.addr.val().get_bits::<8>(8);
            }
            5 => {
                self.lone.next = bit_cast::<8, 4>(self.beat.val()) << 4;
                self.icm.d.next =
                    bit_cast::<8, 2>(self.addr.val().get_bits::<2>(16)) | self.lone.val();
            }
            6 => {
                self.icm.d.next = self.word.val().get_bits::<8>(0);
            }
            7 => {
                self.icm.d.next = self.word.val().get_bits::<8>(8);
            }
            8 => {
                self.icm.d.next = self.word.val().get_bits::<8>(16);
            }
            9 => {
                self.icm.d.next = self.word.val().get_bits::<8>(24);
            }
            _ => {}
        }
        // an answer of the registration port
        self.lkey.next = self.rsp_lkey.val();
        self.rkey.next = self.rsp_rkey.val();
        self.iova.next = self.rsp_iova.val();
        self.length.next = self.rsp_length.val();
        self.access.next = self.rsp_access.val();
        self.info.next = bit_cast::<8, 2>(self.rsp_state.val()) << 4;
        self.rsp.d.next = 0.into();
        match self.place.val().index() {
            2 => {
                self.rsp.d.next = self.rsp_tag.val();
            }
            3 => {
                self.rsp.d.next = bit_cast::<8, 4>(self.rsp_code.val()) | self.info.val();
            }
            4 => {
                self.rsp.d.next = self.lkey.val().get_bits::<8>(0);
            }
            5 => {
                self.rsp.d.next = self.lkey.val().get_bits::<8>(8);
            }
            6 => {
                self.rsp.d.next = self.lkey.val().get_bits::<8>(16);
            }
            7 => {
                self.rsp.d.next = self.lkey.val().get_bits::<8>(24);
            }
            8 => {
                self.rsp.d.next = self.rkey.val().get_bits::<8>(0);
            }
            9 => {
                self.rsp.d.next = self.rkey.val().get_bits::<8>(8);
            }
            10 => {
                self.rsp.d.next = self.rkey.val().get_bits::<8>(16);
            }
            11 => {
                self.rsp.d.next = self.rkey.val().get_bits::<8>(24);
            }
            12 => {
                self.rsp.d.next = self.rsp_pd.val();
            }
            13 => {
                self.rsp.d.next = self.iova.val().get_bits::<8>(0);
            }
            14 => {
                self.rsp.d.next = self.iova.val().get_bits::<8>(8);
            }
            15 => {
                self.rsp.d.next = self.iova.val().get_bits::<8>(16);
            }
            16 => {
                self.rsp.d.next = self.iova.val().get_bits::<8>(24);
            }
            17 => {
                self.rsp.d.next = self.iova.val().get_bits::<8>(32);
            }
            18 => {
                self.rsp.d.next = self.iova.val().get_bits::<8>(40);
            }
            19 => {
                self.rsp.d.next = self.length.val().get_bits::<8>(0);
            }
            20 => {
                self.rsp.d.next = self.length.val().get_bits::<8>(8);
            }
            21 => {
                self.rsp.d.next = self.length.val().get_bits::<8>(16);
            }
            22 => {
                self.rsp.d.next = self.length.val().get_bits::<8>(24);
            }
            23 => {
                self.rsp.d.next = self.access.val().get_bits::<8>(0);
            }
            24 => {
                self.rsp.d.next = bit_cast::<8, 2>(self.access.val().get_bits::<2>(8));
            }
            _ => {}
        }
        // the small ones
        self.len.next = self.segment_len.val();
        self.pa.next = self.segment_pa.val();
        self.seg.next = bit_cast::<64, 16>(self.len.val().get_bits::<16>(0)) << 48;
        self.seg.next = self.seg.val() | bit_cast::<64, PAW>(self.pa.val()) << 8;
        self.three.next = bit_cast::<3, NP_2>(self.segment_status.val());
        self.lone.next = bit_cast::<8, 3>(self.three.val()) << 5;
        self.lone.next = self.lone.val() | bit_cast::<8, NP_TAGW>(self.segment_tag.val());
        self.lone.next = self
            .lone
            .val()
            .replace_bit(4, self.segment_last.val().get_bit(0));
        self.seg.next = self.seg.val() | bit_cast::<64, 8>(self.lone.val());
        self.lone.next = bit_cast::<8, NP_3>(self.verdict_class.val()) << 5;
        self.lone.next = self.lone.val() | bit_cast::<8, NP_TAGW>(self.verdict_tag.val());
        self.lone.next = self
            .lone
            .val()
            .replace_bit(4, self.verdict_granted.val().get_bit(0));
        self.pair.next = bit_cast::<16, NP_4>(self.verdict_cause.val()) << 8;
        self.pair.next = self.pair.val() | bit_cast::<16, 8>(self.lone.val());
        if self.source.val() == 2 {
            self.seg.next = bit_cast::<64, 16>(self.pair.val());
        }
        if self.source.val() == 4 {
            self.seg.next = bit_cast::<64, 32>(self.event_info.val()) << 8;
            self.seg.next = self.seg.val() | bit_cast::<64, 4>(self.event_kind.val());
        }
        if self.source.val() == 5 {
            self.seg.next = bit_cast::<64, 32>(self.csr_data.val());
        }
        self.little.d.next = 0.into();
        match self.place.val().index() {
            2 => {
                self.little.d.next = self.seg.val().get_bits::<8>(0);
            }
            3 => {
                self.little.d.next = self.seg.val().get_bits::<8>(8);
            }
            4 => {
                self.little.d.next = self.seg.val().get_bits::<8>(16);
            }
            5 => {
                self.little.d.next = self.seg.val().get_bits::<8>(24);
            }
            6 => {
                self.little.d.next = self.seg.val().get_bits::<8>(32);
            }
            7 => {
                self.little.d.next = self.seg.val().get_bits::<8>(40);
            }
            8 => {
                self.little.d.next = self.seg.val().get_bits::<8>(48);
            }
            9 => {
                self.little.d.next = self.seg.val().get_bits::<8>(56);
            }
            _ => {}
        }
        // which of them
        self.chosen.d.next = self.little.q.val();
        self.bytes.d.next = 10.into();
        match self.source.val().index() {
            0 => {
                self.chosen.d.next = self.icm.q.val();
                if !self.icm_write.val() {
                    self.bytes.d.next = 6.into();
                }
            }
            1 => {
                self.chosen.d.next = self.rsp.q.val();
                self.bytes.d.next = 25.into();
            }
            2 => {
                self.bytes.d.next = 4.into();
            }
            4 => {
                self.bytes.d.next = 7.into();
            }
            5 => {
                self.bytes.d.next = 6.into();
            }
            _ => {}
        }
        self.kind.next = bit_cast::<8, 3>(self.source.val()) | self.message_kind.val();
        if self.place.val() == 0 {
            self.chosen.d.next = self.kind.val();
        }
        if self.place.val() == 1 {
            self.chosen.d.next = self.seq.val();
        }
        self.byte_out.next = self.chosen.q.val();
        self.size.next = self.bytes.q.val();
    }
}
