// SPDX-License-Identifier: MIT OR Apache-2.0
//! The streams of the core as rows of a picture.

use super::labels;
use latchkey_testbench::bench::Pins;
use latchkey_testbench::engine::Cycle;

/// A stream, at port 0 where there is one a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    Lookup,
    Verdict,
    Segment,
    DmaDone,
    Reg,
    Page,
    Rsp,
    IcmReq,
    IcmRsp,
}

impl Stream {
    /// As its pins are called.
    pub fn name(self) -> &'static str {
        match self {
            Stream::Lookup => "lookup",
            Stream::Verdict => "verdict",
            Stream::Segment => "segment",
            Stream::DmaDone => "dma_done",
            Stream::Reg => "reg",
            Stream::Page => "page",
            Stream::Rsp => "rsp",
            Stream::IcmReq => "icm_req",
            Stream::IcmRsp => "icm_rsp",
        }
    }

    /// Valid and ready in a cycle.
    pub fn hands(self, pins: &Pins, c: &Cycle) -> (bool, bool) {
        let (valid, ready) = match self {
            Stream::Lookup => (
                pins.lookup_valid.get(&c.ins, 0),
                pins.lookup_ready.get(&c.outs, 0),
            ),
            Stream::Verdict => (
                pins.verdict_valid.get(&c.outs, 0),
                pins.verdict_ready.get(&c.ins, 0),
            ),
            Stream::Segment => (
                pins.segment_valid.get(&c.outs, 0),
                pins.segment_ready.get(&c.ins, 0),
            ),
            Stream::DmaDone => (
                pins.dma_done_valid.get(&c.ins, 0),
                pins.dma_done_ready.get(&c.outs, 0),
            ),
            Stream::Reg => (
                pins.reg_valid.get(&c.ins, 0),
                pins.reg_ready.get(&c.outs, 0),
            ),
            Stream::Page => (
                pins.page_valid.get(&c.ins, 0),
                pins.page_ready.get(&c.outs, 0),
            ),
            Stream::Rsp => (
                pins.rsp_valid.get(&c.outs, 0),
                pins.rsp_ready.get(&c.ins, 0),
            ),
            Stream::IcmReq => (
                pins.icm_req_valid.get(&c.outs, 0),
                pins.icm_req_ready.get(&c.ins, 0),
            ),
            Stream::IcmRsp => (
                pins.icm_rsp_valid.get(&c.ins, 0),
                pins.icm_rsp_ready.get(&c.outs, 0),
            ),
        };
        (valid != 0, ready != 0)
    }

    /// The payload in words.
    pub fn label(self, pins: &Pins, c: &Cycle) -> String {
        match self {
            Stream::Lookup => labels::lookup(pins, c),
            Stream::Verdict => labels::verdict(pins, c),
            Stream::Segment => labels::segment(pins, c),
            Stream::DmaDone => format!("tag {}", pins.dma_done_tag.get(&c.ins, 0)),
            Stream::Reg => labels::reg(pins, c),
            Stream::Page => labels::page(pins, c),
            Stream::Rsp => labels::rsp(pins, c),
            Stream::IcmReq => labels::icm_req(pins, c),
            Stream::IcmRsp => labels::icm_rsp(pins, c),
        }
    }
}
