// SPDX-License-Identifier: MIT OR Apache-2.0
//! Kinds of requests: UC, FLUSH, ATOMIC WRITE, atomics, invalidate, zero length.

use crate::make::{region, regions, reth, Script, BACK, QP};

const KEY: u32 = 0x0000_4512;
const ALL: &str =
    "local_write remote_write remote_read remote_atomic flush_global flush_persistent";

#[test]
fn unreliable_writes_go_on_without_answers() {
    let mut s = Script::default();
    s.ask(0x26, 5, (0x1_0000, KEY, 2048 + 8), 1024)
        .more(0x27, 6, 1024)
        .more(0x28, 7, 8)
        .ask(0x2a, 8, (0x2_0000, KEY, 8), 8);
    let r = s.replay(Some(&regions(&[region(KEY, 0x1_0000, 0x2000, ALL, None)])));
    assert!(r.passed(), "{}", r.text());
    assert_eq!(r.requests.matches.unanswered, [1, 1]);
    assert_eq!((r.run.lookups, r.run.grants, r.run.segments), (5, 4, 3));
    // without a file what was written is taken as right
    assert_eq!(s.replay(None).requests.matches.unanswered, [2, 0]);
}

#[test]
fn flush_and_atomic_write_need_their_rights() {
    let flush = |kind: u32, va, key, len| [&kind.to_be_bytes()[..], &reth(va, key, len)].concat();
    let mut s = Script::default();
    let other = KEY + 0x100;
    s.packet(true, 0x1c, QP, 0, &flush(1, 0x1_0000, KEY, 4096))
        .data(0x10, 0, 0);
    // both kinds are two lookups; the whole region, whatever the range
    s.packet(true, 0x1c, QP, 1, &flush(3, 0x1_0000, KEY, 64))
        .data(0x10, 1, 0);
    s.packet(true, 0x1c, QP, 2, &flush(0x11, 0, KEY, 0))
        .data(0x10, 2, 0);
    s.ask(0x1d, 3, (0x1_0008, KEY, 8), 8).data(0x10, 3, 0);
    let mut last = s.clone();
    last.packet(true, 0x1c, QP, 4, &flush(2, 0x3_0000, other, 8))
        .say(4, 0x62);
    let list = [
        region(KEY, 0x1_0000, 0x2000, ALL, None),
        region(other, 0x3_0000, 0x2000, "local_write remote_write", None),
    ];
    let r = last.replay(Some(&regions(&list)));
    assert!(r.passed(), "{}", r.text());
    assert_eq!((r.run.lookups, r.run.grants), (6, 5));
    assert_eq!(
        (r.requests.matches.acknowledged, r.requests.matches.refused),
        (4, 1)
    );
    assert_eq!(r.requests.kinds["flush"].requests, 4);
    assert_eq!(r.requests.causes["no_permission"], 1);
    let mut odd = s;
    odd.ask(0x1d, 4, (0x1_0004, KEY, 8), 8).say(4, 0x61);
    let r = odd.replay(Some(&regions(&list)));
    assert!(
        r.passed() && r.requests.causes["misaligned"] == 1,
        "{}",
        r.text()
    );
    assert!(odd.replay(None).passed());
}

#[test]
fn atomics_and_requests_of_no_bytes() {
    let atomic = |va: u64, key: u32| [&va.to_be_bytes()[..], &key.to_be_bytes(), &[0; 16]].concat();
    let mut s = Script::default();
    s.packet(true, 0x14, QP, 0, &atomic(0x1_0010, KEY)).packet(
        false,
        0x12,
        BACK,
        0,
        &[0x1f, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0],
    );
    // neither key nor range is looked at
    s.ask(0x0a, 1, (77, 0xdead_beef, 0), 0).say(1, 0x1f);
    s.ask(0x0c, 2, (0, 0, 0), 0).data(0x10, 2, 0);
    for file in [
        Some(regions(&[region(KEY, 0x1_0000, 0x2000, ALL, None)])),
        None,
    ] {
        let r = s.replay(file.as_deref());
        assert!(r.passed(), "{}", r.text());
        assert_eq!((r.run.lookups, r.run.grants, r.run.segments), (3, 3, 1));
    }
}

#[test]
fn invalidate_ends_a_window_and_nothing_else() {
    let window = r#"{"host":"b","kind":"mw","type":2,"qpn":34,"pd":7,"rkey":"0x800","va":"0x10000","length":64,
        "access":["remote_write"],"t_reg":1700000000.0}"#;
    let list = regions(&[region(KEY, 0x1_0000, 0x2000, ALL, None), window.into()]);
    let mut s = Script::default();
    s.ask(0x0a, 0, (0x1_0000, 0x800, 8), 8).say(0, 0x1f);
    // an ordinary region, another variant of the window's key, an unknown one, the window
    for (n, key) in [KEY, 0x8ff, 0x99_0000, 0x800].into_iter().enumerate() {
        s.packet(true, 0x17, QP, 1 + n as u32, &key.to_be_bytes())
            .say(1 + n as u32, 0x1f);
    }
    s.ask(0x0a, 5, (0x1_0000, KEY, 8), 8).say(5, 0x1f);
    s.ask(0x0a, 6, (0x1_0000, 0x800, 8), 8).say(6, 0x62);
    let r = s.replay(Some(&list));
    assert!(r.passed(), "{}", r.text());
    assert_eq!(r.requests.invalidations, [1, 3]);
    assert_eq!(r.regions.windows_as_regions, 1);
    assert_eq!(r.requests.causes["stale_key"], 1);
    assert!(s.replay(None).passed());
}
