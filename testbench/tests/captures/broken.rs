// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files that are no captures, or only in part: a clear error or a count, never a panic.

use crate::make::{region, regions, replayed, Script};
use latchkey_testbench::capture::{Reader, Source};
use latchkey_testbench::replay::Trouble;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const KEY: u32 = 0x0000_4512;

fn some() -> Script {
    let mut s = Script::default();
    s.ask(0x0a, 0, (0x1_0000, KEY, 8), 8).say(0, 0x1f);
    s.ask(0x06, 1, (0x1_0000, KEY, 1032), 1024)
        .more(0x08, 2, 8)
        .say(2, 0x1f);
    s.ask(0x0c, 3, (0x1_0000, KEY, 64), 0).data(0x10, 3, 64);
    s
}

fn refused(bytes: &[u8], regions: Option<&str>) -> (String, String) {
    match replayed(bytes, regions, "nic") {
        Err(Trouble::Capture(e)) => (e.to_string(), e.mend),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_no_capture_is_said_to_be_none() {
    let (what, mend) = refused(b"#!/bin/sh\necho no capture at all\n", None);
    assert!(
        what.contains("0x23212f62") && mend.contains("pcapng"),
        "{what}; {mend}"
    );
    let (what, _) = refused(b"\xd4\xc3", None);
    assert!(what.contains("shorter"), "{what}");
    let (what, _) = refused(&some().pcap()[..20], None);
    assert!(what.contains("head of the file"), "{what}");
}

#[test]
fn a_file_that_ends_inside_a_packet_is_replayed_so_far() {
    for bytes in [some().pcap(), some().pcapng()] {
        let r = replayed(&bytes[..bytes.len() - 30], None, "nic").unwrap();
        assert!(r.passed() && r.packets.cut_file, "{}", r.text());
        assert_eq!(r.packets.frames, 6);
    }
}

#[test]
fn a_file_of_regions_that_is_none_is_named() {
    let bytes = some().pcap();
    let (what, mend) = refused(&bytes, Some("{\"regions\": [{\"host\": \"b\"}]}"));
    assert!(
        what.contains("regions.json") && what.contains("va"),
        "{what}"
    );
    assert!(mend.contains("docs/captures.md"));
    let (what, _) = refused(
        &bytes,
        Some(r#"{"regions":[{"host":"b","va":"0xzz","length":1}]}"#),
    );
    assert!(what.contains("0xzz"), "{what}");
}

#[test]
fn a_configuration_that_is_too_small_says_so() {
    let file = regions(&[region(KEY, 0x7fff_0001_0000, 0x1000, "local_write", None)]);
    match replayed(&some().pcap(), Some(&file), "tiny") {
        Err(Trouble::Fit(what)) => assert!(what.contains("24 address bits"), "{what}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_same_traffic_fits_a_small_configuration() {
    let file = regions(&[region(
        KEY,
        0x1_0000,
        0x1000,
        "local_write remote_write remote_read",
        None,
    )]);
    let r = replayed(&some().pcap(), Some(&file), "tiny").unwrap();
    assert!(
        r.passed() && r.requests.matches.acknowledged == 3,
        "{}",
        r.text()
    );
}

#[test]
fn damaged_files_never_panic() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let files = [some().pcap(), some().pcapng()];
    for round in 0..6000 {
        let mut bytes = files[round % 2].clone();
        for _ in 0..rng.gen_range(1..6) {
            let at = rng.gen_range(0..bytes.len());
            bytes[at] = rng.gen();
        }
        if round % 3 == 0 {
            bytes.truncate(rng.gen_range(0..bytes.len()));
        }
        let Ok(reader) = Reader::new("damaged", Box::new(std::io::Cursor::new(bytes))) else {
            continue;
        };
        let mut source = Source::new(reader);
        while let Ok(Some(_)) = source.next_access() {}
    }
}
