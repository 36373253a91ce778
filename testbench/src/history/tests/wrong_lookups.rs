// SPDX-License-Identifier: MIT OR Apache-2.0
//! Wrong verdicts, segments and leases.

use super::*;

fn granted() -> Trace {
    Trace::start()
        .lookup(20, lookup(1, RKEY, 0x10ff0, 0x20))
        .verdict(24, 1, Cause::None)
}

fn refused(lookup: Lookup, cause: Cause) -> Trace {
    Trace::start()
        .lookup(20, lookup)
        .verdict(24, lookup.tag, cause)
}

#[test]
fn verdicts() {
    let good = lookup(1, RKEY, 0x10000, 8);
    refused(good, Cause::StaleKey).wrong("verdict");
    refused(Lookup { pd: 2, ..good }, Cause::None).wrong("wrong-grant");
    refused(Lookup { pd: 2, ..good }, Cause::OutOfBounds).wrong("verdict");
    refused(Lookup { va: 0xffff, ..good }, Cause::None).wrong("wrong-grant");
    refused(
        Lookup {
            va: u64::MAX,
            len: 0x10000,
            ..good
        },
        Cause::None,
    )
    .wrong("wrong-grant");
    refused(
        Lookup {
            op: Op::FlushGlobal,
            ..good
        },
        Cause::None,
    )
    .wrong("wrong-grant");
    refused(
        Lookup {
            op: Op::Atomic,
            va: 0x10001,
            ..good
        },
        Cause::None,
    )
    .wrong("wrong-grant");
    refused(
        Lookup {
            op: Op::Other(9),
            ..good
        },
        Cause::None,
    )
    .wrong("verdict");
    refused(Lookup { len: 0, ..good }, Cause::BadKey).wrong("verdict");
    refused(Lookup { key: 0, ..good }, Cause::StaleKey).wrong("verdict");
    refused(Lookup { key: LKEY, ..good }, Cause::StaleKey).wrong("verdict");
    refused(
        Lookup {
            key: 0x0222_0644,
            ..good
        },
        Cause::StaleKey,
    )
    .wrong("verdict");
    let wrong_class = Verdict {
        class: Class::RemAccessErr,
        ..verdict(1, Cause::BadLength)
    };
    Trace::start()
        .lookup(
            20,
            Lookup {
                len: 0x10001,
                ..good
            },
        )
        .at(24, What::VerdictOut(wrong_class))
        .wrong("verdict");
}

#[test]
fn exactly_one_verdict() {
    granted()
        .verdict(25, 1, Cause::None)
        .wrong("verdict-without-lookup");
    Trace::start()
        .verdict(25, 1, Cause::BadKey)
        .wrong("verdict-without-lookup");
    Trace::start()
        .lookup(20, lookup(1, RKEY, 0x10000, 8))
        .wrong("lookup-unanswered");
    granted()
        .lookup(25, lookup(1, RKEY, 0x10000, 8))
        .read_rest()
        .wrong("lookup-unanswered");
}

impl Trace {
    fn read_rest(self) -> Self {
        self.segment(30, segment(1, 0xaff0, 0x10, false))
            .segment(31, segment(1, 0x3000, 0x10, true))
            .done(32, 1)
    }
}

#[test]
fn segments() {
    granted().wrong("walk-unfinished");
    granted()
        .segment(25, segment(1, 0xaff1, 0x10, false))
        .wrong("segment-bytes");
    granted()
        .segment(25, segment(1, 0xaff0, 0x0f, false))
        .wrong("segment-bytes");
    granted()
        .segment(25, segment(1, 0xaff0, 0x20, true))
        .wrong("segment-bytes");
    granted()
        .segment(25, segment(1, 0xaff0, 0x10, true))
        .wrong("segment-last");
    granted()
        .segment(25, segment(1, 0x3000, 0x10, false))
        .wrong("segment-bytes");
    let no_last = granted()
        .segment(25, segment(1, 0xaff0, 0x10, false))
        .segment(26, segment(1, 0x3000, 0x10, false));
    no_last.wrong("segment-last");
    granted()
        .read_rest()
        .segment(33, segment(1, 0x3000, 0x10, true))
        .wrong("segment-without-lookup");
    let twice = granted()
        .segment(25, segment(1, 0xaff0, 0x10, false))
        .segment(26, segment(1, 0x3000, 0x10, true));
    twice
        .segment(27, segment(1, 0x3000, 0x10, true))
        .wrong("segment-after-last");
    granted()
        .segment(25, segment(2, 0xaff0, 0x10, false))
        .wrong("segment-without-lookup");
    granted()
        .end(25, 1, SegStatus::Cut)
        .wrong("cut-without-cause");
    granted()
        .dereg(21 + 4, 7, Mode::Drain)
        .end(26, 1, SegStatus::Cut)
        .wrong("cut-without-cause");
    granted()
        .end(25, 1, SegStatus::PageFault)
        .wrong("fault-without-cause");
    let half = Segment {
        status: SegStatus::Cut,
        ..segment(1, 0, 0, false)
    };
    granted()
        .dereg(25, 7, Mode::Cut)
        .segment(26, half)
        .wrong("segment-form");
}

#[test]
fn segments_without_grant() {
    let outside = Trace::start().lookup(20, lookup(1, RKEY, 0xfff0, 0x20));
    outside
        .segment(22, segment(1, 0xaff0, 0x10, false))
        .wrong("segment-without-grant");
    let only = Trace::start().lookup(
        20,
        Lookup {
            walk: false,
            ..lookup(1, RKEY, 0x10000, 8)
        },
    );
    only.clone()
        .segment(22, segment(1, 0xa000, 8, true))
        .wrong("segment-without-grant");
    only.verdict(24, 1, Cause::None)
        .segment(25, segment(1, 0xa000, 8, true))
        .wrong("segment-without-lookup");
    Trace::start()
        .lookup(18, lookup(1, RKEY, 0x10000, 8))
        .dereg(20, 7, Mode::Cut)
        .segment(21, segment(1, 0xa000, 8, true))
        .verdict(24, 1, Cause::StaleKey)
        .wrong("segments-of-refused");
}

#[test]
fn order_on_a_port() {
    let two = granted()
        .lookup(25, lookup(2, RKEY, 0x10000, 8))
        .verdict(26, 2, Cause::None);
    two.clone()
        .segment(27, segment(2, 0xa000, 8, true))
        .wrong("segment-order");
    two.segment(27, segment(1, 0xaff0, 0x10, false))
        .segment(28, segment(2, 0xa000, 8, true))
        .wrong("segments-mixed");
}

#[test]
fn absent_page() {
    let mut demand = region();
    demand.access |= access::ON_DEMAND;
    demand.list = PageList::List(vec![
        Entry::page(0xa000),
        Entry::ABSENT,
        Entry::page(0x7000),
    ]);
    let trace = Trace::window()
        .command(5, 2, Body::Register(demand))
        .keys(10, 2, LKEY, RKEY)
        .lookup(20, lookup(1, RKEY, 0x10ff0, 0x20))
        .verdict(24, 1, Cause::None);
    trace
        .segment(25, segment(1, 0xaff0, 0x10, false))
        .wrong("fault-ignored");
}

#[test]
fn tags() {
    Trace::start()
        .lookup(20, lookup(1, RKEY, 0x10000, 8))
        .verdict(24, 1, Cause::TagReuse)
        .wrong("tag-reuse-without-cause");
    granted()
        .lookup(25, lookup(1, RKEY, 0x10000, 8))
        .verdict(26, 1, Cause::None)
        .wrong("verdict-without-lookup");
}
