// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rest of a key's life: right traces pass, wrong ones are refused for their rule.

use super::*;

const WKEY: u32 = 0x0333_0600;

/// The region of index 5, with windows allowed, and a type 2B window of index 6; ready in cycle 14.
fn both() -> Trace {
    with(0)
}

fn with(more: u32) -> Trace {
    let access = RIGHTS | access::MW_BIND | more;
    Trace::window()
        .command(5, 2, Body::Register(Register { access, ..region() }))
        .keys(10, 2, LKEY, RKEY)
        .command(11, 2, Body::AllocateWindow { pd: 1, kind: 2 })
        .keys(14, 2, 0, WKEY)
}

fn bind() -> Bind {
    Bind {
        key: WKEY,
        region: LKEY,
        pd: 1,
        qpn: 7,
        iova: 0x10800,
        length: 0x1000,
        access: access::REMOTE_READ,
        variant: 0x21,
        mode: Mode::Drain,
    }
}

fn bound(trace: Trace) -> Trace {
    trace
        .command(15, 2, Body::BindWindow(bind()))
        .answer(18, 2, Code::Ok)
}

fn through(tag: u16) -> Lookup {
    Lookup {
        qpn: 7,
        ..super::lookup(tag, WKEY | 0x21, 0x10ff0, 0x20)
    }
}

fn invalidate(mode: Mode) -> Body {
    Body::Invalidate {
        key: WKEY | 0x21,
        pd: 1,
        qpn: 7,
        mode,
    }
}

/// Begins in cycle 20, granted in 24, segments in 25 and 26.
fn walked() -> Trace {
    bound(both())
        .lookup(20, through(1))
        .verdict(24, 1, Cause::None)
        .segment(25, segment(1, 0xaff0, 0x10, false))
        .segment(26, segment(1, 0x3000, 0x10, true))
}

#[test]
fn a_window_lives_and_ends() {
    walked().done(28, 1).right();
    let ended = walked()
        .command(27, 3, invalidate(Mode::Cut))
        .done(28, 1)
        .answer(30, 3, Code::Ok)
        .lookup(32, through(2))
        .verdict(35, 2, Cause::StaleKey)
        .dereg(40, 4, Mode::Cut)
        .answer(44, 4, Code::Ok);
    ended.right();
    walked()
        .done(28, 1)
        .dereg(30, 4, Mode::Cut)
        .answer(34, 4, Code::Bound)
        .right();
}

#[test]
fn a_window_under_invalidation_is_found_retired() {
    // also by a bind that names it where a region should be
    let other = 0x0444_0700;
    let named = |begun: bool, code| {
        let trace = walked()
            .command(28, 3, Body::AllocateWindow { pd: 1, kind: 2 })
            .keys(30, 3, 0, other);
        let trace = if begun {
            trace.command(31, 4, invalidate(Mode::Drain))
        } else {
            trace
        };
        let region = WKEY | 0x21;
        let bind = Bind {
            key: other,
            region,
            ..bind()
        };
        trace
            .command(32, 5, Body::BindWindow(bind))
            .answer(36, 5, code)
            .done(40, 1)
    };
    named(true, Code::StaleKey).answer(44, 4, Code::Ok).right();
    named(false, Code::BadState).right();
    named(false, Code::StaleKey).wrong("answer-code");
}

#[test]
fn wrong_windows() {
    let refused = |bind: Bind, code| {
        both()
            .command(15, 2, Body::BindWindow(bind))
            .answer(18, 2, code)
    };
    let cases = [
        (Bind { pd: 2, ..bind() }, Code::PdMismatch),
        (
            Bind {
                length: 0,
                ..bind()
            },
            Code::BadArg,
        ),
        (
            Bind {
                length: 0x3000,
                ..bind()
            },
            Code::OutOfBounds,
        ),
        (
            Bind {
                iova: 0xffff,
                ..bind()
            },
            Code::OutOfBounds,
        ),
        (
            Bind {
                region: LKEY ^ 1,
                ..bind()
            },
            Code::StaleKey,
        ),
        (
            Bind {
                region: WKEY,
                ..bind()
            },
            Code::BadState,
        ),
        (
            Bind {
                key: RKEY,
                ..bind()
            },
            Code::BadState,
        ),
        (
            Bind {
                key: WKEY ^ 1,
                ..bind()
            },
            Code::StaleKey,
        ),
        (
            Bind {
                access: 1 << 12,
                ..bind()
            },
            Code::BadArg,
        ),
    ];
    for (bind, code) in cases {
        refused(bind, code).right();
        refused(bind, Code::Ok).wrong("answer-code");
        refused(bind, Code::NoPermission).wrong("answer-code");
    }
    refused(bind(), Code::BadState).wrong("answer-code");
    bound(both())
        .dereg(20, 3, Mode::Cut)
        .answer(24, 3, Code::Ok)
        .wrong("answer-code");
    let grant = |lookup: Lookup| bound(both()).lookup(20, lookup).verdict(24, 1, Cause::None);
    grant(Lookup {
        qpn: 8,
        ..through(1)
    })
    .wrong("wrong-grant");
    grant(Lookup {
        pd: 2,
        ..through(1)
    })
    .wrong("wrong-grant");
    grant(Lookup {
        op: Op::Write,
        ..through(1)
    })
    .wrong("wrong-grant");
    grant(Lookup {
        va: 0x107ff,
        ..through(1)
    })
    .wrong("wrong-grant");
    grant(Lookup {
        key: WKEY,
        ..through(1)
    })
    .wrong("wrong-grant");
    grant(through(1))
        .segment(25, segment(1, 0xbff0, 0x10, false))
        .wrong("segment-bytes");
    grant(through(1))
        .command(25, 3, invalidate(Mode::Cut))
        .end(27, 1, SegStatus::Cut)
        .wrong("cut-without-cause");
    for (mode, rule) in [
        (Mode::Cut, "answer-before-done"),
        (Mode::Drain, "answer-before-done"),
    ] {
        walked()
            .command(27, 3, invalidate(mode))
            .answer(30, 3, Code::Ok)
            .done(33, 1)
            .wrong(rule);
    }
    walked()
        .command(27, 3, invalidate(Mode::Contract))
        .answer(30, 3, Code::Ok)
        // the region waits for the lease of the window
        .dereg(31, 4, Mode::Drain)
        .answer(33, 4, Code::Ok)
        .done(36, 1)
        .wrong("answer-before-done");
    walked()
        .done(28, 1)
        .command(30, 3, invalidate(Mode::Drain))
        .answer(34, 3, Code::Ok)
        .lookup(36, through(2))
        .verdict(40, 2, Cause::None)
        .wrong("wrong-grant");
}

/// On demand, of three pages, the middle one absent.
fn on_demand(base: u64) -> Register {
    let list = [Entry::page(0xa000), Entry::ABSENT, Entry::page(0x7000)];
    Register {
        access: RIGHTS | access::ON_DEMAND,
        list: PageList::List(list.to_vec()),
        base,
        ..region()
    }
}

fn demand() -> Trace {
    Trace::window()
        .command(5, 2, Body::Register(on_demand(0)))
        .keys(10, 2, LKEY, RKEY)
}

fn fill(pa: u64) -> Body {
    Body::FillPage {
        key: RKEY,
        number: 1,
        entry: Entry::page(pa),
    }
}

const EVICT: Body = Body::EvictPage {
    key: RKEY,
    number: 1,
};

#[test]
fn pages_come_and_go() {
    let ask = |trace: Trace, from, tag| {
        trace
            .lookup(from, lookup(tag, RKEY, 0x10ff0, 0x20))
            .verdict(from + 3, tag, Cause::None)
    };
    let faults = |trace: Trace, from, tag| {
        ask(trace, from, tag)
            .end(from + 4, tag, SegStatus::PageFault)
            .done(from + 6, tag)
    };
    let reads = |trace: Trace, from, tag, pa| {
        ask(trace, from, tag)
            .segment(from + 4, segment(tag, 0xaff0, 0x10, false))
            .segment(from + 5, segment(tag, pa, 0x10, true))
    };
    let filled = || {
        faults(demand(), 20, 1)
            .command(30, 3, fill(0x3000))
            .answer(33, 3, Code::Ok)
    };
    reads(filled(), 40, 1, 0x3000).done(47, 1).right();
    reads(filled(), 40, 1, 0x5000).wrong("segment-bytes");
    faults(filled(), 40, 1).wrong("fault-without-cause");
    reads(demand(), 20, 1, 0x3000).wrong("fault-ignored");
    // while a fill runs both are right
    reads(demand().command(18, 3, fill(0x3000)), 20, 1, 0x3000)
        .done(28, 1)
        .answer(40, 3, Code::Ok)
        .right();
    faults(demand().command(18, 3, fill(0x3000)), 20, 1)
        .answer(40, 3, Code::Ok)
        .right();
    // what was seen is not taken back
    let seen = reads(demand().command(18, 3, fill(0x3000)), 20, 1, 0x3000).done(28, 1);
    faults(seen, 30, 2).wrong("fault-without-cause");

    let evicted = |done| {
        let trace = reads(filled(), 40, 1, 0x3000).command(46, 3, EVICT);
        if done {
            trace.done(48, 1).answer(50, 3, Code::Ok)
        } else {
            trace.answer(50, 3, Code::Ok).done(52, 1)
        }
    };
    faults(evicted(true), 60, 1).right();
    reads(evicted(true), 60, 1, 0x3000).wrong("fault-ignored");
    evicted(false).wrong("answer-before-done");
    reads(
        evicted(true)
            .command(54, 4, fill(0x9000))
            .answer(57, 4, Code::Ok),
        60,
        1,
        0x9000,
    )
    .done(70, 1)
    .right();
    // a request that was granted before, but has given nothing, sees what comes
    ask(filled(), 40, 1)
        .command(44, 3, EVICT)
        .answer(50, 3, Code::Ok)
        .end(54, 1, SegStatus::PageFault)
        .done(56, 1)
        .right();
    ask(filled(), 40, 1)
        .command(44, 3, EVICT)
        .answer(50, 3, Code::Ok)
        .segment(54, segment(1, 0xaff0, 0x10, false))
        .wrong("fault-ignored");
    // neighbours stay
    let neighbour = lookup(1, RKEY, 0x12000, 0x10);
    filled()
        .lookup(40, neighbour)
        .verdict(43, 1, Cause::None)
        .segment(44, segment(1, 0x7000, 0x10, true))
        .command(46, 3, EVICT)
        .answer(50, 3, Code::Ok)
        .done(52, 1)
        .right();
    filled()
        .command(
            40,
            3,
            Body::EvictPage {
                key: RKEY,
                number: 3,
            },
        )
        .answer(43, 3, Code::Ok)
        .wrong("answer-code");
    Trace::start()
        .command(40, 3, EVICT)
        .answer(43, 3, Code::Ok)
        .wrong("answer-code");
}

#[test]
fn an_eviction_says_nothing_of_other_pages() {
    let other = (0x0311_0621, 0x0322_0644);
    let evict = |key, number| Body::EvictPage { key, number };
    // a page is filled anew while a lookup is on its way, and meanwhile an eviction is answered
    let asked = |key, number| {
        demand()
            .command(12, 3, fill(0x3000))
            .answer(15, 3, Code::Ok)
            .command(16, 2, Body::Register(on_demand(8)))
            .keys(19, 2, other.0, other.1)
            .lookup(20, lookup(1, RKEY, 0x11000, 0x20))
            .command(21, 3, fill(0x9000))
            .command(22, 4, evict(key, number))
            .answer(24, 3, Code::Ok)
            .answer(25, 4, Code::Ok)
            .verdict(26, 1, Cause::None)
    };
    for (key, number) in [(other.1, 1), (RKEY, 0), (RKEY, 2)] {
        for pa in [0x3000, 0x9000] {
            asked(key, number)
                .segment(30, segment(1, pa, 0x20, true))
                .done(32, 1)
                .right();
        }
    }
    asked(RKEY, 1)
        .segment(30, segment(1, 0x3000, 0x20, true))
        .wrong("fault-ignored");
}

#[test]
fn an_eviction_may_be_answered_long_after_its_page_was_filled_again() {
    // a lease of before keeps it waiting; what is granted since holds the new page, and it is not waited for
    let reads = |trace: Trace, from, tag, pa| {
        trace
            .lookup(from, lookup(tag, RKEY, 0x11000, 0x20))
            .verdict(from + 3, tag, Cause::None)
            .segment(from + 4, segment(tag, pa, 0x20, true))
    };
    let filled = demand()
        .command(12, 3, fill(0x3000))
        .answer(15, 3, Code::Ok);
    let evicted = reads(filled, 20, 1, 0x3000)
        .command(26, 4, EVICT)
        .command(27, 3, fill(0x9000))
        .answer(30, 3, Code::Ok);
    let used = reads(evicted, 40, 2, 0x9000).done(46, 2).done(47, 1);
    let again = used.command(50, 3, fill(0x9000)).answer(53, 3, Code::Ok);
    reads(again, 60, 1, 0x9000)
        .answer(70, 4, Code::Ok)
        .done(72, 1)
        .right();
}

fn rereg(change: u8, reg: Register) -> Body {
    Body::Reregister {
        key: LKEY,
        change,
        mode: Mode::Drain,
        reg,
    }
}

#[test]
fn a_region_registered_anew() {
    let moved = Register {
        list: PageList::List([0xb000, 0x4000, 0x8000].map(Entry::page).to_vec()),
        base: 8,
        ..region()
    };
    let begun = || Trace::start().command(30, 3, rereg(1, moved.clone()));
    let reads = |trace: Trace, from, a, b| {
        trace
            .lookup(from, lookup(1, RKEY, 0x10ff0, 0x20))
            .verdict(from + 3, 1, Cause::None)
            .segment(from + 4, segment(1, a, 0x10, false))
            .segment(from + 5, segment(1, b, 0x10, true))
    };
    reads(begun(), 32, 0xaff0, 0x3000)
        .done(39, 1)
        .answer(40, 3, Code::Ok)
        .right();
    reads(begun(), 32, 0xbff0, 0x4000)
        .answer(40, 3, Code::Ok)
        .done(42, 1)
        .right();
    reads(begun(), 32, 0xaff0, 0x4000).wrong("segment-bytes");
    reads(begun(), 32, 0xaff0, 0x3000)
        .answer(40, 3, Code::Ok)
        .done(42, 1)
        .wrong("answer-before-done");
    let over = || begun().answer(40, 3, Code::Ok);
    reads(over(), 50, 0xbff0, 0x4000).done(60, 1).right();
    reads(over(), 50, 0xaff0, 0x3000).wrong("segment-bytes");
    let refused = || {
        let none = rereg(0, region());
        Trace::start()
            .command(30, 3, none)
            .answer(40, 3, Code::BadArg)
    };
    reads(refused(), 50, 0xaff0, 0x3000).done(60, 1).right();
    begun().answer(40, 3, Code::BadState).wrong("answer-code");
    let other = Trace::start()
        .command(
            30,
            3,
            rereg(
                4,
                Register {
                    access: access::LOCAL_WRITE,
                    ..region()
                },
            ),
        )
        .answer(40, 3, Code::Ok);
    reads(other, 50, 0xaff0, 0x3000).wrong("wrong-grant");
}

#[test]
fn a_fast_region() {
    let (lkey, rkey) = (0x0111_0700, 0x0222_0700);
    let begun = || {
        Trace::window()
            .command(5, 2, Body::Allocate { pd: 1, pages: 3 })
            .keys(8, 2, lkey, rkey)
    };
    let mapped = |key, told| {
        begun()
            .command(10, 2, Body::FastRegister { key, reg: region() })
            .keys(14, 2, lkey | told, rkey | told)
    };
    let reads = |trace: Trace, from, key| {
        trace
            .lookup(from, lookup(1, key, 0x10ff0, 0x20))
            .verdict(from + 3, 1, Cause::None)
            .segment(from + 4, segment(1, 0xaff0, 0x10, false))
            .segment(from + 5, segment(1, 0x3000, 0x10, true))
            .done(from + 7, 1)
    };
    reads(mapped(lkey | 0x42, 0x42), 20, rkey | 0x42).right();
    reads(mapped(lkey | 0x42, 0x42), 20, rkey).wrong("wrong-grant");
    reads(begun(), 20, rkey).wrong("wrong-grant");
    mapped(lkey | 0x42, 0x41).wrong("key");
    mapped(lkey ^ 0x1000_0042, 0x42).wrong("answer-code");
    let ended = |code| {
        let key = rkey | 0x42;
        let body = Body::Invalidate {
            key,
            pd: 1,
            qpn: 0,
            mode: Mode::Cut,
        };
        reads(mapped(lkey | 0x42, 0x42), 20, key)
            .command(30, 2, body)
            .answer(34, 2, code)
    };
    ended(Code::Ok).right();
    ended(Code::PdMismatch).wrong("answer-code");
    reads(ended(Code::Ok), 40, rkey | 0x42).wrong("wrong-grant");
    ended(Code::Ok)
        .lookup(40, lookup(1, rkey | 0x42, 0x10ff0, 0x20))
        .verdict(43, 1, Cause::StaleKey)
        .right();
    Trace::window()
        .command(5, 2, Body::Allocate { pd: 1, pages: 0 })
        .answer(8, 2, Code::BadArg)
        .right();
    Trace::window()
        .command(5, 2, Body::AllocateNull { pd: 1 })
        .keys(8, 2, lkey, 0)
        .lookup(
            10,
            Lookup {
                side_remote: false,
                op: Op::LocalWrite,
                ..lookup(1, lkey, 0x1234, 8)
            },
        )
        .at(
            12,
            What::VerdictOut(Verdict {
                granted: true,
                ..verdict(1, Cause::Nothing)
            }),
        )
        .right();
}
