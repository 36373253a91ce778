// SPDX-License-Identifier: MIT OR Apache-2.0
//! The streams of the core as rows of a picture.

use super::labels;
use super::scenes::Recording;
use latchkey_testbench::bench::Pins;
use latchkey_testbench::engine::Cycle;

/// A stream, at port 0 where there is one a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    Lookup,
    Verdict,
    Segment,
    DmaDone,
    Event,
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
            Stream::Event => "event",
            Stream::Reg => "reg",
            Stream::Page => "page",
            Stream::Rsp => "rsp",
            Stream::IcmReq => "icm_req",
            Stream::IcmRsp => "icm_rsp",
        }
    }

    /// Valid and ready in a cycle.
    pub fn hands(self, p: &Pins, c: &Cycle) -> (bool, bool) {
        let (ins, outs) = (&c.ins, &c.outs);
        let (valid, ready) = match self {
            Stream::Lookup => (p.lookup_valid.get(ins, 0), p.lookup_ready.get(outs, 0)),
            Stream::Verdict => (p.verdict_valid.get(outs, 0), p.verdict_ready.get(ins, 0)),
            Stream::Segment => (p.segment_valid.get(outs, 0), p.segment_ready.get(ins, 0)),
            Stream::DmaDone => (p.dma_done_valid.get(ins, 0), p.dma_done_ready.get(outs, 0)),
            Stream::Event => (p.event_valid.get(outs, 0), p.event_ready.get(ins, 0)),
            Stream::Reg => (p.reg_valid.get(ins, 0), p.reg_ready.get(outs, 0)),
            Stream::Page => (p.page_valid.get(ins, 0), p.page_ready.get(outs, 0)),
            Stream::Rsp => (p.rsp_valid.get(outs, 0), p.rsp_ready.get(ins, 0)),
            Stream::IcmReq => (p.icm_req_valid.get(outs, 0), p.icm_req_ready.get(ins, 0)),
            Stream::IcmRsp => (p.icm_rsp_valid.get(ins, 0), p.icm_rsp_ready.get(outs, 0)),
        };
        (valid != 0, ready != 0)
    }

    /// Is this transfer the last of its payload? Beats of the memory belong together.
    pub fn ends(self, p: &Pins, c: &Cycle) -> bool {
        match self {
            Stream::IcmReq => p.icm_req_last.get(&c.outs, 0) != 0 || !self.writes(p, c),
            Stream::IcmRsp => p.icm_rsp_last.get(&c.ins, 0) != 0,
            _ => true,
        }
    }

    fn writes(self, p: &Pins, c: &Cycle) -> bool {
        p.icm_req_write.get(&c.outs, 0) != 0
    }

    /// What its payload answers.
    pub fn answers(self) -> Option<Stream> {
        match self {
            Stream::Verdict | Stream::Segment | Stream::DmaDone => Some(Stream::Lookup),
            Stream::Rsp => Some(Stream::Reg),
            Stream::IcmRsp => Some(Stream::IcmReq),
            _ => None,
        }
    }

    /// The tag or id by which question and answer find each other.
    pub fn tag(self, p: &Pins, c: &Cycle) -> u64 {
        match self {
            Stream::Lookup => p.lookup_tag.get(&c.ins, 0),
            Stream::Verdict => p.verdict_tag.get(&c.outs, 0),
            Stream::Segment => p.segment_tag.get(&c.outs, 0),
            Stream::DmaDone => p.dma_done_tag.get(&c.ins, 0),
            Stream::Reg => p.reg_tag.get(&c.ins, 0),
            Stream::Rsp => p.rsp_tag.get(&c.outs, 0),
            Stream::IcmReq => p.icm_req_id.get(&c.outs, 0),
            Stream::IcmRsp => p.icm_rsp_id.get(&c.ins, 0),
            Stream::Event | Stream::Page => 0,
        }
    }

    /// The payload that begins in a cycle, in words; `to` is the number and the cycle of what it answers.
    pub fn label(self, r: &Recording, c: &Cycle, to: Option<(usize, &Cycle)>) -> String {
        let p = &r.pins;
        match self {
            Stream::Lookup => labels::lookup(p, c),
            Stream::Verdict => labels::about("to", to, labels::verdict(p, c)),
            Stream::Segment => labels::about("of", to, labels::segment(p, c)),
            Stream::DmaDone => labels::about("of", to, format!("tag {}", self.tag(p, c))),
            Stream::Event => labels::event(p, r.params.index_bits, c),
            Stream::Reg => labels::command(p, c),
            Stream::Page => labels::page(p, c),
            Stream::Rsp => labels::about("to", to, labels::rsp(p, c, to.map(|t| t.1))),
            Stream::IcmReq => labels::icm_req(p, &r.params, c),
            Stream::IcmRsp => labels::icm_rsp(p, &r.params, c, to),
        }
    }

    /// A word for it, beside its box where there is room.
    pub fn word(self, p: &Pins, c: &Cycle) -> String {
        match self {
            Stream::Lookup => labels::op(p, c),
            Stream::Verdict => labels::judged(p, c),
            Stream::Segment => labels::status(p, c),
            Stream::DmaDone | Stream::Page | Stream::IcmRsp => String::new(),
            Stream::Event => labels::kind(p, c),
            Stream::Reg => labels::called(p.reg_op.get(&c.ins, 0)).into(),
            Stream::Rsp => labels::code(p, c),
            Stream::IcmReq => labels::access(p, c),
        }
    }
}
