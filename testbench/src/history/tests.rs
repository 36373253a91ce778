// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hand-made traces: right ones pass, and for every rule a wrong one is refused for that rule.

mod life;
mod right;
mod secrets;
mod speed;
mod wrong_commands;
mod wrong_lookups;
mod wrong_registrations;

use super::{Checker, Fault, Options, Stats};
use crate::model::judge::class;
use crate::model::Params;
use crate::trace::*;

pub const LKEY: u32 = 0x0111_0521;
pub const RKEY: u32 = 0x0222_0544;
pub const RIGHTS: u32 = 0xf;

pub fn params() -> Params {
    Params {
        index_bits: 8,
        mrs: 16,
        va_bits: 48,
        pa_bits: 40,
        max_request: 0x10000,
        ..Params::wide()
    }
}

/// A trace under construction.
#[derive(Clone, Default)]
pub struct Trace {
    pub records: Vec<Record>,
}

pub fn lookup(tag: u16, key: u32, va: u64, len: u32) -> Lookup {
    Lookup {
        tag,
        ..Lookup::read(1, key, va, len)
    }
}

pub fn region() -> Register {
    Register {
        pd: 1,
        iova: 0x10000,
        length: 0x3000,
        access: RIGHTS,
        page: PageSize::K4,
        base: 0,
        pages: 3,
        list: PageList::List([0xa000, 0x3000, 0x7000].map(Entry::page).to_vec()),
    }
}

pub fn verdict(tag: u16, cause: Cause) -> Verdict {
    Verdict {
        port: 0,
        tag,
        granted: cause == Cause::None,
        class: class(true, cause),
        cause,
    }
}

pub fn segment(tag: u16, pa: u64, len: u32, last: bool) -> Segment {
    Segment {
        port: 0,
        tag,
        pa,
        len,
        last,
        status: SegStatus::Ok,
    }
}

impl Trace {
    pub fn at(mut self, cycle: u64, what: What) -> Self {
        self.records.push(Record::new(cycle, what));
        self
    }

    pub fn lookup(self, cycle: u64, lookup: Lookup) -> Self {
        self.at(cycle, What::LookupIn(lookup))
    }

    pub fn verdict(self, cycle: u64, tag: u16, cause: Cause) -> Self {
        self.at(cycle, What::VerdictOut(verdict(tag, cause)))
    }

    pub fn segment(self, cycle: u64, segment: Segment) -> Self {
        self.at(cycle, What::SegmentOut(segment))
    }

    pub fn end(self, cycle: u64, tag: u16, status: SegStatus) -> Self {
        self.segment(
            cycle,
            Segment {
                status,
                ..segment(tag, 0, 0, true)
            },
        )
    }

    pub fn done(self, cycle: u64, tag: u16) -> Self {
        self.at(cycle, What::DmaDone(DmaDone { port: 0, tag }))
    }

    pub fn command(self, cycle: u64, tag: u8, body: Body) -> Self {
        self.at(cycle, What::CommandIn(Command { tag, body }))
    }

    pub fn answer(self, cycle: u64, tag: u8, code: Code) -> Self {
        self.at(cycle, What::AnswerOut(Answer::bare(tag, code)))
    }

    pub fn keys(self, cycle: u64, tag: u8, lkey: u32, rkey: u32) -> Self {
        self.at(
            cycle,
            What::AnswerOut(Answer {
                lkey,
                rkey,
                ..Answer::bare(tag, Code::Ok)
            }),
        )
    }

    pub fn dereg(self, cycle: u64, tag: u8, mode: Mode) -> Self {
        self.command(cycle, tag, Body::Deregister { key: LKEY, mode })
    }

    /// Window in cycle 1..2.
    pub fn window() -> Self {
        Self::default()
            .command(
                1,
                1,
                Body::PdWindow {
                    pd: 1,
                    base: 0,
                    words: 64,
                },
            )
            .answer(2, 1, Code::Ok)
    }

    /// Window and one region, index 5, ready in cycle 10.
    pub fn start() -> Self {
        Self::window()
            .command(5, 2, Body::Register(region()))
            .keys(10, 2, LKEY, RKEY)
    }

    /// A whole read of two pages with tag `tag` from cycle `from` to `from + 8`.
    pub fn read(self, from: u64, tag: u16) -> Self {
        self.lookup(from, lookup(tag, RKEY, 0x10ff0, 0x20))
            .verdict(from + 4, tag, Cause::None)
            .segment(from + 5, segment(tag, 0xaff0, 0x10, false))
            .segment(from + 6, segment(tag, 0x3000, 0x10, true))
            .done(from + 8, tag)
    }

    pub fn run(&self, options: Options) -> Result<Stats, Fault> {
        let mut checker = Checker::new(params(), options);
        for record in &self.records {
            checker.push(record)?;
        }
        checker.finish()
    }

    pub fn right(&self) -> Stats {
        self.run(Options::default())
            .unwrap_or_else(|fault| panic!("{fault}"))
    }

    /// Must break `rule`.
    pub fn wrong(&self, rule: &str) {
        let fault = self.run(Options::default()).expect_err("must be refused");
        assert_eq!(fault.rule, rule, "{fault}");
        assert!(!fault.text.is_empty());
    }
}
