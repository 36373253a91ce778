// SPDX-License-Identifier: MIT OR Apache-2.0
//! Traces that must pass.

use super::*;

#[test]
fn a_whole_life() {
    let stats = Trace::start()
        .read(20, 3)
        .lookup(30, lookup(4, LKEY, 0x10000, 8))
        .verdict(34, 4, Cause::WrongSide)
        .lookup(35, lookup(4, RKEY, 0x12fff, 2))
        .verdict(39, 4, Cause::OutOfBounds)
        .lookup(40, lookup(4, 0, 0, 0))
        .verdict(44, 4, Cause::None)
        .dereg(50, 7, Mode::Cut)
        .answer(60, 7, Code::Ok)
        .lookup(61, lookup(4, RKEY, 0x10000, 8))
        .verdict(65, 4, Cause::StaleKey)
        .lookup(66, lookup(4, 0x0222_0644, 0x10000, 8))
        .verdict(69, 4, Cause::BadKey)
        .right();
    assert_eq!(
        (stats.lookups, stats.grants, stats.segments, stats.bytes),
        (6, 2, 2, 0x20)
    );
}

#[test]
fn both_outcomes_during_a_deregistration_in_order() {
    Trace::start()
        .lookup(18, lookup(1, RKEY, 0x10000, 8))
        .dereg(20, 7, Mode::Cut)
        .lookup(21, lookup(2, RKEY, 0x10000, 8))
        .lookup(22, lookup(3, RKEY, 0x10000, 8))
        .verdict(25, 1, Cause::None)
        .verdict(26, 2, Cause::StaleKey)
        .verdict(27, 3, Cause::StaleKey)
        .segment(28, segment(1, 0xa000, 8, true))
        .done(40, 1)
        .answer(41, 7, Code::Ok)
        .right();
}

#[test]
fn a_cut_walk_and_a_contract_answer_before_its_done() {
    Trace::start()
        .lookup(18, lookup(1, RKEY, 0x10000, 0x2000))
        .dereg(20, 7, Mode::Contract)
        .segment(21, segment(1, 0xa000, 0x1000, false))
        .verdict(23, 1, Cause::None)
        .end(25, 1, SegStatus::Cut)
        .answer(30, 7, Code::Ok)
        .done(90, 1)
        .right();
}

#[test]
fn a_busy_deregistration_changes_nothing() {
    Trace::start()
        .command(11, 3, Body::Register(region()))
        .keys(15, 3, 0x0555_0633, 0x0444_0622)
        .dereg(20, 7, Mode::Cut)
        .command(
            21,
            8,
            Body::Deregister {
                key: 0x0555_0633,
                mode: Mode::Cut,
            },
        )
        .answer(25, 8, Code::Busy)
        .answer(29, 7, Code::Ok)
        .lookup(30, lookup(1, 0x0444_0622, 0x10000, 8))
        .verdict(34, 1, Cause::None)
        .segment(35, segment(1, 0xa000, 8, true))
        .right();
}

#[test]
fn an_index_is_used_again_with_new_keys() {
    Trace::start()
        .dereg(20, 7, Mode::Drain)
        .answer(29, 7, Code::Ok)
        .command(30, 7, Body::Register(region()))
        .keys(40, 7, LKEY ^ 0xff, RKEY ^ 0xff)
        .lookup(41, lookup(1, RKEY, 0x10000, 8))
        .verdict(45, 1, Cause::StaleKey)
        .command(50, 8, Body::Query { key: LKEY ^ 0xff })
        .at(
            55,
            What::AnswerOut(Answer {
                state: RegState::Valid,
                pd: 1,
                iova: 0x10000,
                length: 0x3000,
                access: RIGHTS,
                ..Answer::bare(8, Code::Ok)
            }),
        )
        .right();
}

#[test]
fn a_page_fault_and_a_tag_used_again() {
    let mut demand = region();
    demand.access |= access::ON_DEMAND;
    demand.list = PageList::List(vec![
        Entry::page(0xa000),
        Entry::ABSENT,
        Entry::page(0x7000),
    ]);
    let stats = Trace::window()
        .command(5, 2, Body::Register(demand))
        .keys(10, 2, LKEY, RKEY)
        .lookup(20, lookup(1, RKEY, 0x10ff0, 0x20))
        .verdict(24, 1, Cause::None)
        .lookup(25, lookup(1, RKEY, 0x10000, 8))
        .end(26, 1, SegStatus::PageFault)
        .verdict(29, 1, Cause::TagReuse)
        .done(30, 1)
        .done(31, 1)
        .at(
            32,
            What::EventOut(Event {
                kind: EventKind::PageFault,
                info: 1,
            }),
        )
        .right();
    assert_eq!(
        (stats.faults, stats.unknown_done, stats.refusals[10]),
        (1, 1, 1)
    );
}

#[test]
fn an_overdue_answer_with_a_lease_held() {
    let trace = Trace::start()
        .lookup(12, lookup(1, RKEY, 0x10000, 8))
        .verdict(14, 1, Cause::None)
        .segment(15, segment(1, 0xa000, 8, true))
        .dereg(20, 7, Mode::Cut)
        .answer(130, 7, Code::Overdue)
        .lookup(131, lookup(2, RKEY, 0x10000, 8))
        .verdict(134, 2, Cause::StaleKey)
        .done(140, 1);
    let options = Options {
        drain_limit: Some(100),
        ..Options::default()
    };
    assert_eq!(trace.run(options).map(|stats| stats.overdue), Ok(1));
    trace.wrong("overdue");
    let strict = Options {
        drain_limit: Some(120),
        ..Options::default()
    };
    assert_eq!(
        trace.run(strict).map_err(|fault| fault.rule),
        Err("overdue")
    );
}

#[test]
fn an_overdue_answer_that_waited_while_the_lease_came_to_its_end() {
    let trace = |done| {
        Trace::start()
            .lookup(12, lookup(1, RKEY, 0x10000, 8))
            .verdict(14, 1, Cause::None)
            .segment(15, segment(1, 0xa000, 8, true))
            .dereg(20, 7, Mode::Cut)
            .done(done, 1)
            .answer(180, 7, Code::Overdue)
    };
    let options = || Options {
        drain_limit: Some(100),
        ..Options::default()
    };
    assert_eq!(trace(125).run(options()).map(|stats| stats.overdue), Ok(1));
    assert_eq!(
        trace(110).run(options()).map_err(|fault| fault.rule),
        Err("overdue")
    );
}

#[test]
fn stale_or_bad_while_a_registration_runs() {
    for cause in [Cause::BadKey, Cause::StaleKey] {
        Trace::start()
            .command(20, 3, Body::Register(region()))
            .lookup(21, lookup(1, 0x0777_0699, 0x10000, 8))
            .verdict(25, 1, cause)
            .keys(30, 3, 0x0555_0633, 0x0444_0622)
            .right();
    }
}

#[test]
fn a_record_survives_its_json_line() {
    for record in &Trace::start()
        .read(20, 3)
        .dereg(50, 7, Mode::Cut)
        .answer(60, 7, Code::Ok)
        .records
    {
        let line = serde_json::to_string(record).unwrap();
        assert_eq!(
            &serde_json::from_str::<Record>(&line).unwrap(),
            record,
            "{line}"
        );
    }
}
