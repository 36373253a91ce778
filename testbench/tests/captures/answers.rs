// SPDX-License-Identifier: MIT OR Apache-2.0
//! Answers of the capture against those of the core: regions that come and go, repetitions, and what does not fit.

use crate::make::{region, regions, Script};
use latchkey_testbench::replay::report::Replay;

const KEY: u32 = 0x0000_4512;
const RW: &str = "local_write remote_write remote_read";

fn reason(r: &Replay) -> String {
    let reasons = serde_json::to_value(&r.requests.reasons).unwrap();
    reasons.to_string()
}

#[test]
fn stale_keys_meet_the_dead_region() {
    let mut s = Script::default();
    s.ask(0x0a, 0, (0x1_0000, KEY, 8), 8).say(0, 0x1f);
    s.ask(0x0a, 1, (0x1_0000, KEY, 8), 8).say(1, 0x62);
    // another variant, then an index nobody has
    s.ask(0x0a, 40_000, (0x1_0000, KEY ^ 1, 8), 8)
        .say(40_000, 0x62);
    s.ask(0x0a, 80_000, (0x1_0000, 0x77_0000, 8), 8)
        .say(80_000, 0x62);
    let file = regions(&[region(KEY, 0x1_0000, 0x1000, RW, Some(1.5))]);
    let r = s.replay(Some(&file));
    assert!(r.passed(), "{}", r.text());
    assert_eq!(
        (r.requests.causes["stale_key"], r.requests.causes["bad_key"]),
        (2, 1)
    );
    assert_eq!((r.requests.naks_matched, r.run.deregistrations), (3, 1));
    let inferred = s.replay(None);
    assert!(inferred.passed(), "{}", inferred.text());
    assert_eq!(
        (inferred.run.registrations, inferred.run.deregistrations),
        (1, 1)
    );
}

#[test]
fn the_nak_decides_within_the_uncertain_moment() {
    // deregistered 0.1 ms before the second WRITE came, by a clock that is 0.5 ms wrong
    let file = regions(&[region(KEY, 0x1_0000, 0x1000, RW, Some(2.01))]);
    for (answer, early) in [(0x1f, 0), (0x62, 1)] {
        let mut s = Script::default();
        s.ask(0x0a, 0, (0x1_0000, KEY, 8), 8).say(0, 0x1f);
        s.ask(0x0a, 1, (0x1_0000, KEY, 8), 8).say(1, answer);
        let r = s.replay(Some(&file));
        assert!(r.passed(), "{}", r.text());
        assert_eq!(r.requests.ended_early, early);
    }
}

#[test]
fn what_does_not_fit_is_a_mismatch() {
    let file = regions(&[region(KEY, 0x1_0000, 0x1000, RW, None)]);
    let mut nak = Script::default();
    nak.ask(0x0a, 0, (0x1_0000, KEY, 8), 8).say(0, 0x62);
    let mut ack = Script::default();
    ack.ask(0x0a, 0, (0x1_0000, KEY + 0x100, 8), 8).say(0, 0x1f);
    for s in [nak, ack] {
        let r = s.replay(Some(&file));
        assert_eq!(r.mismatches, 1, "{}", r.text());
        assert_eq!(reason(&r), r#"{"unexplained":1}"#);
        assert!(r.requests.exceptions[0].frame == 1 && r.run.fault.is_none());
    }
}

#[test]
fn naks_that_are_not_about_the_key_are_explained() {
    let file = regions(&[region(KEY, 0x1_0000, 0x1000, RW, None)]);
    let mut s = Script::default();
    s.ask(0x0a, 0, (0x1_0000, KEY, 8), 8).say(0, 0x61);
    // a SEND, and a NAK to something that was not captured
    s.packet(true, 4, crate::make::QP, 50_000, &[0; 8])
        .say(50_000, 0x63);
    s.say(600_000, 0x62);
    let r = s.replay(Some(&file));
    assert!(r.passed(), "{}", r.text());
    assert_eq!(
        reason(&r),
        r#"{"invalid_request":1,"no_key":1,"no_request":1}"#
    );
}

#[test]
fn repeated_requests_are_counted_and_only_reads_looked_up() {
    let mut s = Script::default();
    s.ask(0x06, 0, (0x1_0000, KEY, 1032), 1024).more(0x08, 1, 8);
    s.ask(0x06, 0, (0x1_0000, KEY, 1032), 1024)
        .more(0x08, 1, 8)
        .say(1, 0x1f);
    s.ask(0x0c, 2, (0x1_0000, KEY, 2500), 0).data(0x0d, 2, 1024);
    // the rest of the READ is asked for again
    s.ask(0x0c, 3, (0x1_0400, KEY, 2500 - 1024), 0);
    s.data(0x0d, 3, 1024).data(0x0f, 4, 2500 - 2048);
    s.ask(0x0c, 5, (0x1_0000, KEY, 8), 0);
    s.ask(0x0c, 5, (0x1_0000, KEY, 8), 0).data(0x10, 5, 8);
    let file = regions(&[region(KEY, 0x1_0000, 0x1000, RW, None)]);
    let r = s.replay(Some(&file));
    assert!(r.passed(), "{}", r.text());
    assert_eq!(
        (r.packets.repeated_reads, r.packets.repeated_others),
        (2, 2)
    );
    assert_eq!(
        (
            r.requests.kinds["write"].requests,
            r.requests.kinds["read"].requests
        ),
        (1, 4)
    );
    assert_eq!(r.requests.matches.unanswered, [0, 0], "{}", r.text());
    assert_eq!(r.packets.gaps, 0);
}

#[test]
fn a_lost_packet_is_new_when_it_comes() {
    let mut s = Script::default();
    s.ask(0x0a, 0, (0x1_0000, KEY, 8), 8);
    // number 1 is missing; a middle packet without its first one says nothing
    s.ask(0x0a, 2, (0x1_0000, KEY, 8), 8).say(1, 0x60);
    s.ask(0x0a, 1, (0x1_0000, KEY, 8), 8)
        .ask(0x0a, 2, (0x1_0000, KEY, 8), 8)
        .say(2, 0x1f);
    s.more(0x07, 4, 1024);
    let file = regions(&[region(KEY, 0x1_0000, 0x1000, RW, None)]);
    let r = s.replay(Some(&file));
    assert!(r.passed(), "{}", r.text());
    assert_eq!((r.packets.gaps, r.packets.repeated_others), (2, 1));
    assert_eq!((r.requests.matches.acknowledged, r.run.lookups), (3, 3));
    assert_eq!(
        serde_json::to_value(&r.packets.skipped).unwrap()["orphan"],
        1
    );
}

#[test]
fn a_refused_write_is_not_served_further() {
    let mut s = Script::default();
    s.ask(0x06, 0, (0x1_0000, KEY, 4097), 2048)
        .more(0x07, 1, 2048)
        .more(0x08, 2, 1)
        .say(0, 0x62);
    let file = regions(&[region(KEY, 0x1_0000, 0x1000, RW, None)]);
    let r = s.replay(Some(&file));
    assert!(r.passed(), "{}", r.text());
    assert_eq!(
        (
            r.run.lookups,
            r.run.grants,
            r.requests.not_served,
            r.requests.naks_matched
        ),
        (1, 0, 2, 1)
    );
}
