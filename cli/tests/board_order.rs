// SPDX-License-Identifier: MIT OR Apache-2.0
//! What comes late, twice or not at all on the board's line, and what a program before this one has left on it.

mod line;

use latchkey_hdl::csr::{counter, COUNTERS_AT};
use latchkey_hdl::link::{board as kinds, host, status};
use latchkey_testbench::board::{encode, Checked, Frame, LinkError, Port, Served};
use latchkey_testbench::trace::{Body, Mode};
use line::{board, first_answers_lost, link, params, read, region, Bad, WINDOW};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

/// Registers, reads across all pages, deregisters, reads again; `Checked` holds each answer against the model.
fn life<P: Port>(host: &mut Checked<P>) {
    host.command(WINDOW).expect("as the model says");
    for n in 0..2 {
        let keys = host
            .command(region(0x10000, 3, n * 8))
            .expect("as the model says");
        let granted = host
            .lookup(&read(keys.rkey, 0x10010, 0x2800))
            .expect("as the model says");
        assert!(
            granted.verdict.granted && granted.segments.len() == 3,
            "{granted:?}"
        );
        host.command(Body::Deregister {
            key: keys.lkey,
            mode: Mode::Cut,
        })
        .expect("as the model says");
        let refused = host
            .lookup(&read(keys.rkey, 0x10010, 8))
            .expect("as the model says");
        assert!(!refused.verdict.granted, "{refused:?}");
    }
    assert!(host.events.is_empty(), "{:?}", host.events);
}

#[test]
fn no_request_overtakes_an_answer_that_was_lost() {
    // a dma_done before the answer to its last segment was unknown to the core, and the lease stayed for ever
    let served = Served::new(board()).expect("a terminal");
    let mut host = Checked::open(
        Bad::link(&served, 3, vec![], first_answers_lost()),
        params(),
    )
    .expect("the link opens");
    life(&mut host);
    let stats = host.link.stats();
    assert!(
        stats.message_repeats + 1 >= stats.messages && stats.board_resent > 0,
        "{stats:?}"
    );
}

#[test]
fn frames_that_come_three_times_are_obeyed_once() {
    let served = Served::new(board()).expect("a terminal");
    let mut host =
        Checked::open(Bad::link(&served, 4, vec![], |_| 3), params()).expect("the link opens");
    life(&mut host);
    let registers = COUNTERS_AT + counter("registers").expect("a counter") as u8;
    assert_eq!(host.register(registers).expect("answered"), 2);
    assert!(
        host.link.stats().board_refused > 0,
        "{:?}",
        host.link.stats()
    );
}

/// An acknowledgement as the board sends it.
fn acknowledged(seq: u8) -> Vec<u8> {
    let payload = vec![status::OK, 0x0b, latchkey_hdl::link::VERSION, 0, 0, 0, 0];
    encode(&Frame {
        kind: kinds::ACK,
        seq,
        payload,
    })
}

#[test]
fn an_acknowledgement_owed_to_another_program_opens_no_link() {
    let served = Served::new(board()).expect("a terminal");
    // the last request of this program has the number that the next one's HELLO will have, and that HELLO is lost
    let mut before = Checked::open(link(&served, 20), params()).expect("the link opens");
    before.command(WINDOW).expect("answered");
    let first = before.command(region(0x10000, 1, 0)).expect("answered");
    before.command(region(0x20000, 1, 8)).expect("answered");
    before
        .command(Body::Deregister {
            key: first.lkey,
            mode: Mode::Cut,
        })
        .expect("answered");
    let session = before.session();
    // the numbers of the two HELLOs are 64 apart; four commands followed
    let last = 21_u8 + 64 + 4;
    drop(before);
    let lost = move |frame: &Frame| usize::from(!(frame.kind == host::HELLO && frame.seq == last));
    let ahead = [
        acknowledged(last.wrapping_add(128)),
        acknowledged(last),
        acknowledged(last),
    ]
    .concat();
    let mut host = Checked::open(Bad::link(&served, last - 1, ahead.clone(), lost), params())
        .expect("the second HELLO opens it");
    host.command(WINDOW).expect("answered");
    let again = host.command(region(0x10000, 1, 0)).expect("answered");
    assert_eq!(
        again.rkey, first.rkey,
        "the tables are empty, so the core begins anew"
    );
    assert!(
        host.lookup(&read(again.rkey, 0x10010, 8))
            .expect("as the model says")
            .verdict
            .granted
    );
    // a board that was reset meanwhile serves nobody's tables, whatever an old acknowledgement says
    drop(host);
    link(&served, 90).self_test().expect("it passes");
    let refused = Checked::resume(Bad::link(&served, last - 1, ahead, lost), params(), session);
    assert!(matches!(refused.err(), Some(LinkError::Closed(_))));
}

#[test]
fn what_the_last_program_left_unanswered_is_no_answer_to_this_one() {
    let served = Served::new(board()).expect("a terminal");
    let gone = Arc::new(AtomicBool::new(false));
    let told = gone.clone();
    let lost = move |frame: &Frame| {
        usize::from(frame.kind != host::ANSWER || !told.load(Ordering::Relaxed))
    };
    let mut before =
        Checked::open(Bad::link(&served, 40, vec![], lost), params()).expect("the link opens");
    before.command(WINDOW).expect("answered");
    before.command(region(0x10000, 1, 0)).expect("answered");
    let at = |name| COUNTERS_AT + counter(name).expect("a counter") as u8;
    gone.store(true, Ordering::Relaxed);
    assert_eq!(before.register(at("lookups")).expect("heard"), 0);
    let session = before.session();
    drop(before);
    let mut host =
        Checked::resume(link(&served, 60), params(), session).expect("the link is still open");
    assert_eq!(host.register(at("registers")).expect("answered"), 1);
}
