// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bad lines and vanished hosts, at the bytes of a simulated board.

mod line;

use latchkey_hdl::link::{flag, host};
use latchkey_testbench::board::{encode, open, Checked, Frame, Link, Noise, Port, Served};
use latchkey_testbench::trace::{Body, Cause, Mode};
use line::{board, link, params, patience, read, region, Terminal, WINDOW};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::{Duration, Instant};

#[test]
fn the_self_test_passes_and_its_leds_say_so() {
    let mut board = board();
    for _ in 0..100 {
        board.run(1000);
    }
    assert_eq!(
        board.leds() & 0b1111_1110,
        0b0000_0110,
        "core ready and passed, nothing else"
    );
    board.press(true);
    board.run(100);
    assert_eq!(board.leds() & 0b1110, 0, "nothing is promised in reset");
    board.press(false);
    board.run(100_000);
    assert_eq!(board.leds() & 0b1111_1110, 0b0000_0110);
}

#[test]
fn on_a_bad_line_every_answer_is_still_the_models() {
    let mut board = board();
    board.disturb(Some(Noise::new(400, 7)));
    let served = Served::new(board).expect("a terminal");
    let mut host = Checked::open(link(&served, 9), params()).expect("the link opens");
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    host.command(WINDOW).expect("answered");
    let mut keys: Vec<(u32, u32, u64)> = Vec::new();
    let (mut grants, mut refusals) = (0, 0);
    for n in 0..40 {
        match rng.gen_range(0..4) {
            0 => {
                let iova = rng.gen_range(0..1u64 << 40) << 4;
                let pages = rng.gen_range(1..6);
                let Body::Register(mut reg) = region(iova & !0xfff, pages, n * 8) else {
                    unreachable!()
                };
                reg.iova = iova & !0xfff;
                let answer = host.command(Body::Register(reg.clone())).expect("answered");
                keys.push((answer.lkey, answer.rkey, reg.iova));
            }
            1 if keys.len() > 1 => {
                let (lkey, ..) = keys[rng.gen_range(0..keys.len())];
                host.command(Body::Deregister {
                    key: lkey,
                    mode: Mode::Cut,
                })
                .expect("answered");
            }
            _ if !keys.is_empty() => {
                let (lkey, rkey, iova) = keys[rng.gen_range(0..keys.len())];
                let key = if rng.gen_bool(0.2) { lkey } else { rkey };
                let ask = read(
                    key,
                    iova + rng.gen_range(0..0x4000),
                    rng.gen_range(1..0x2000),
                );
                let reply = host.lookup(&ask).expect("answered as the model says");
                *if reply.verdict.granted {
                    &mut grants
                } else {
                    &mut refusals
                } += 1;
            }
            _ => {}
        }
    }
    let stats = host.link.stats();
    let board = served.stop();
    assert!(grants > 2 && refusals > 2, "{grants} {refusals}");
    assert!(board.hurt() > 20, "{}", board.hurt());
    assert!(
        stats.garbage > 0
            && stats.board_bad > 0
            && stats.request_resends > 0
            && stats.board_resent > 0,
        "{stats:?}"
    );
}

/// Until a look at the board's state says so.
fn until(host: &mut Link<Terminal>, what: &str, is: impl Fn(u8, u8) -> bool) {
    let began = Instant::now();
    loop {
        let ack = host.status().expect("the board answers");
        if is(ack.flags, ack.resent) {
            return;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "{what}: {ack:?}");
    }
}

#[test]
fn a_host_that_vanishes_in_the_middle_of_a_fill_is_waited_for() {
    let served = Served::new(board()).expect("a terminal");
    let mut checked = Checked::open(link(&served, 20), params()).expect("the link opens");
    checked.command(WINDOW).expect("answered");
    let keys = checked.command(region(0x10000, 2, 0)).expect("answered");
    let (mut port, tables) = checked.link.into_parts();
    // a lookup whose fill nobody answers
    let raw = |kind, seq, payload: &[u8]| {
        encode(&Frame {
            kind,
            seq,
            payload: payload.to_vec(),
        })
    };
    let mut ask = vec![0];
    ask.extend(keys.rkey.to_le_bytes());
    ask.extend([1, 0x10, 0, 1, 0, 0, 0, 8, 0, 0, 0, 5, 0x30]);
    port.send(&raw(host::HELLO, 100, &[0, 0])).expect("sent");
    port.send(&raw(host::LOOKUP, 101, &ask)).expect("sent");
    // a host that only asks how things are does not answer messages
    let mut onlooker = Link::new(port, patience(), 50);
    until(
        &mut onlooker,
        "the fill is asked for again",
        |flags, resent| flags & flag::WAITING != 0 && resent > 1,
    );
    // answers that are not due: another number, a wrong length, a whole line of ones under every number but the right length
    let (mut port, _) = onlooker.into_parts();
    for seq in 0..240 {
        port.send(&raw(host::ANSWER, seq, &[0xff; 20]))
            .expect("sent");
    }
    let mut onlooker = Link::new(port, patience(), 60);
    until(&mut onlooker, "it still waits", |flags, _| {
        flags & flag::WAITING != 0
    });
    let (port, _) = onlooker.into_parts();
    drop(port);
    // the host is back, with its tables
    let mut back = Link::new(
        open(served.path()).expect("the terminal opens"),
        patience(),
        70,
    );
    back.tables = tables;
    let ack = back.open(false).expect("the link is still open");
    assert!(ack.refused > 200, "every false answer was refused: {ack:?}");
    let verdict = back
        .message(Duration::from_secs(60))
        .expect("the line is good")
        .expect("the verdict comes");
    let text = format!("{verdict:?}");
    assert!(
        text.contains("granted: true") && text.contains("tag: 5"),
        "{text}"
    );
    let segment = back
        .message(Duration::from_secs(60))
        .expect("the line is good")
        .expect("the segment comes");
    assert!(
        format!("{segment:?}").contains(&format!("pa: {}", 3 << 12 | 0x10)),
        "{segment:?}"
    );
    // a host without the tables resets the core: nothing of the old ones is granted
    let (port, _) = back.into_parts();
    let mut fresh =
        Checked::open(Link::new(port, patience(), 80), params()).expect("the link opens");
    let reply = fresh
        .lookup(&read(keys.rkey, 0x10010, 8))
        .expect("answered");
    assert_eq!(
        (reply.verdict.granted, reply.verdict.cause),
        (false, Cause::BadKey)
    );
}
