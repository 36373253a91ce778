// SPDX-License-Identifier: MIT OR Apache-2.0
//! Wrong answers, and lookups on the wrong side of an answer.

use super::*;

pub fn ended(mode: Mode) -> Trace {
    Trace::start().dereg(20, 7, mode).answer(30, 7, Code::Ok)
}

#[test]
fn grants_after_the_end() {
    ended(Mode::Cut)
        .lookup(31, lookup(1, RKEY, 0x10000, 8))
        .verdict(35, 1, Cause::None)
        .wrong("wrong-grant");
    // The grant of an early lookup comes late, and its walk with it.
    let early = Trace::start()
        .lookup(19, lookup(1, RKEY, 0x10000, 8))
        .dereg(20, 7, Mode::Contract)
        .answer(30, 7, Code::Ok);
    early
        .clone()
        .verdict(31, 1, Cause::None)
        .wrong("walk-after-answer");
    early
        .segment(31, segment(1, 0xa000, 8, true))
        .wrong("walk-after-answer");
}

#[test]
fn no_way_back_to_the_old_state() {
    Trace::start()
        .dereg(20, 7, Mode::Cut)
        .lookup(21, lookup(1, RKEY, 0x10000, 8))
        .verdict(25, 1, Cause::StaleKey)
        .lookup(
            26,
            Lookup {
                walk: false,
                ..lookup(2, RKEY, 0x10000, 8)
            },
        )
        .verdict(29, 2, Cause::None)
        .wrong("wrong-grant");
}

#[test]
fn refused_before_the_end_begins() {
    Trace::start()
        .lookup(12, lookup(1, RKEY, 0x10000, 8))
        .verdict(18, 1, Cause::StaleKey)
        .dereg(20, 7, Mode::Cut)
        .wrong("verdict");
}

#[test]
fn the_old_entry_after_a_new_registration() {
    ended(Mode::Cut)
        .command(31, 7, Body::Register(region()))
        .keys(40, 7, LKEY ^ 0xff, RKEY ^ 0xff)
        .lookup(41, lookup(1, RKEY ^ 0xff, 0x10000, 8))
        .verdict(45, 1, Cause::StaleKey)
        .wrong("verdict");
}

fn walking(mode: Mode) -> Trace {
    Trace::start()
        .lookup(15, lookup(1, RKEY, 0x10ff0, 0x20))
        .verdict(18, 1, Cause::None)
        .dereg(20, 7, mode)
        .segment(21, segment(1, 0xaff0, 0x10, false))
}

#[test]
fn answers_before_walks_and_leases() {
    for mode in [Mode::Cut, Mode::Drain, Mode::Contract] {
        walking(mode)
            .answer(23, 7, Code::Ok)
            .wrong("answer-before-walk");
        let whole = walking(mode)
            .segment(22, segment(1, 0x3000, 0x10, true))
            .answer(23, 7, Code::Ok)
            .done(30, 1);
        if mode == Mode::Contract {
            whole.right();
        } else {
            whole.wrong("answer-before-done");
        }
    }
    walking(Mode::Cut)
        .end(22, 1, SegStatus::Cut)
        .answer(23, 7, Code::Ok)
        .wrong("answer-before-done");
}

#[test]
fn deregistrations() {
    let answered = |code| Trace::start().dereg(20, 7, Mode::Cut).answer(30, 7, code);
    answered(Code::StaleKey).wrong("deregister-code");
    answered(Code::BadKey).wrong("deregister-code");
    answered(Code::Busy).wrong("deregister-code");
    answered(Code::Overdue).wrong("overdue");
    Trace::start()
        .dereg(20, 7, Mode::Cut)
        .dereg(21, 8, Mode::Cut)
        .answer(30, 7, Code::Ok)
        .answer(31, 8, Code::Ok)
        .wrong("ended-twice");
    ended(Mode::Cut)
        .dereg(40, 7, Mode::Cut)
        .answer(45, 7, Code::Ok)
        .wrong("answer-code");
    ended(Mode::Cut)
        .dereg(40, 7, Mode::Cut)
        .answer(45, 7, Code::BadKey)
        .wrong("answer-code");
    let unknown = Body::Deregister {
        key: LKEY ^ 1,
        mode: Mode::Cut,
    };
    Trace::start()
        .command(20, 7, unknown)
        .answer(30, 7, Code::Ok)
        .wrong("answer-code");
    let busy = Trace::start()
        .command(11, 3, Body::Register(region()))
        .keys(15, 3, 0x0555_0633, 0x0444_0622)
        .command(
            16,
            9,
            Body::Deregister {
                key: 0x0555_0633,
                mode: Mode::Cut,
            },
        )
        .dereg(20, 7, Mode::Cut)
        .lookup(21, lookup(1, RKEY, 0x10000, 8));
    busy.clone()
        .verdict(25, 1, Cause::StaleKey)
        .answer(30, 7, Code::Busy)
        .wrong("refused-but-retired");
    busy.verdict(25, 1, Cause::None)
        .end(27, 1, SegStatus::Cut)
        .answer(30, 7, Code::Busy)
        .wrong("refused-but-cut");
}

#[test]
fn other_answers() {
    Trace::start()
        .command(20, 7, Body::Other { op: 9 })
        .answer(22, 7, Code::Ok)
        .wrong("answer-code");
    let flush = Body::Flush {
        key: 0,
        scope: FlushScope::Epoch,
    };
    Trace::start()
        .command(20, 7, flush)
        .answer(22, 7, Code::Busy)
        .wrong("answer-code");
    Trace::start()
        .command(20, 7, Body::Query { key: LKEY })
        .answer(22, 7, Code::Ok)
        .wrong("answer-code");
    Trace::start()
        .command(20, 7, Body::Query { key: 0x0111_0621 })
        .answer(22, 7, Code::StaleKey)
        .wrong("answer-code");
    Trace::start()
        .answer(22, 9, Code::Ok)
        .wrong("answer-without-command");
    Trace::start()
        .dereg(20, 7, Mode::Cut)
        .wrong("command-unanswered");
    Trace::start()
        .dereg(20, 7, Mode::Cut)
        .command(21, 7, Body::Other { op: 9 })
        .wrong("command-tag");
    Trace::start().answer(3, 2, Code::Ok).wrong("trace-order");
    let event = Event {
        kind: EventKind::PageFault,
        info: 0,
    };
    Trace::start()
        .at(20, What::EventOut(event))
        .wrong("event-without-reason");
}

#[test]
fn an_index_in_quarantine_is_not_given() {
    let trace = Trace::start()
        .lookup(12, lookup(1, RKEY, 0x10000, 8))
        .verdict(14, 1, Cause::None)
        .segment(15, segment(1, 0xa000, 8, true))
        .dereg(20, 7, Mode::Cut)
        .answer(130, 7, Code::Overdue)
        .command(131, 7, Body::Register(region()))
        .keys(135, 7, LKEY ^ 0xff, RKEY ^ 0xff);
    let options = Options {
        drain_limit: Some(100),
        ..Options::default()
    };
    assert_eq!(
        trace.run(options).map_err(|fault| fault.rule),
        Err("quarantine")
    );
}
