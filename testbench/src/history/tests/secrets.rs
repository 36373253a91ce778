// SPDX-License-Identifier: MIT OR Apache-2.0
//! Secrets: no key before one is set, and only one is taken.

use super::*;

fn seed(cycle: u64, trace: Trace) -> Trace {
    trace.command(cycle, 1, Body::SetSecret { secret: 7 })
}

fn null(cycle: u64, trace: Trace) -> Trace {
    trace.command(cycle, 2, Body::AllocateNull { pd: 1 })
}

fn rule(trace: Trace) -> Option<&'static str> {
    let params = Params {
        secrets: true,
        ..params()
    };
    let mut checker = Checker::new(params, Options::default());
    let mut all = trace.records.iter().map(|record| checker.push(record));
    let fault = all.find_map(Result::err);
    fault.map(|fault| fault.rule)
}

#[test]
fn no_key_comes_before_a_secret() {
    let none = || null(5, Trace::default());
    assert_eq!(rule(none().answer(8, 2, Code::Unseeded)), None);
    assert_eq!(rule(none().keys(8, 2, LKEY, 0)), Some("unseeded"));
    assert_eq!(rule(none().answer(8, 2, Code::NoSpace)), Some("unseeded"));
    // under way beside it: either is right
    let beside = || seed(6, none());
    assert_eq!(rule(beside().answer(8, 2, Code::Unseeded)), None);
    assert_eq!(rule(beside().keys(8, 2, LKEY, 0)), None);
    let after = || null(10, seed(5, Trace::default()).answer(8, 1, Code::Ok));
    assert_eq!(rule(after().keys(14, 2, LKEY, 0)), None);
    assert_eq!(
        rule(after().answer(14, 2, Code::Unseeded)),
        Some("unseeded")
    );
    // where there are no secrets
    null(5, Trace::default())
        .answer(8, 2, Code::Unseeded)
        .wrong("register-code");
    seed(5, Trace::default())
        .answer(8, 1, Code::Ok)
        .wrong("answer-code");
}

#[test]
fn one_secret_is_taken() {
    let first = || seed(5, Trace::default());
    assert_eq!(rule(first().answer(8, 1, Code::BadState)), Some("secret"));
    assert_eq!(rule(first().answer(8, 1, Code::BadOp)), Some("secret"));
    let second = || seed(10, first().answer(8, 1, Code::Ok));
    assert_eq!(rule(second().answer(12, 1, Code::BadState)), None);
    assert_eq!(rule(second().answer(12, 1, Code::Ok)), Some("secret"));
}
