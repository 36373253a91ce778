// SPDX-License-Identifier: MIT OR Apache-2.0
//! The same traffic in every wrapping gives the same result.

use crate::make::{region, regions, replayed, Around, Script};

const KEY: u32 = 0x0000_4512;

/// A WRITE of three packets, a READ, one WRITE too far.
fn traffic(around: Around) -> Script {
    let mut s = Script {
        around,
        ..Script::default()
    };
    s.ask(0x06, 0xff_fffe, (0x1_0100, KEY, 2560), 1024)
        .more(0x07, 0xff_ffff, 1024)
        .more(0x08, 0, 512)
        .say(0, 0x1f)
        .ask(0x0c, 1, (0x1_0000, KEY, 64), 0)
        .data(0x10, 1, 64)
        .ask(0x0a, 2, (0x1_3ff1, KEY, 16), 16)
        .say(2, 0x62);
    s
}

fn facts() -> String {
    regions(&[region(
        KEY,
        0x1_0000,
        0x4000,
        "local_write remote_write remote_read",
        None,
    )])
}

#[test]
fn ipv4_ipv6_and_vlan_give_the_same() {
    for (v6, vlan) in [(false, false), (true, false), (false, true), (true, true)] {
        let s = traffic(Around { v6, vlan });
        for bytes in [s.pcap(), s.pcapng()] {
            for file in [Some(facts()), None] {
                let r = replayed(&bytes, file.as_deref(), "nic").unwrap();
                assert!(r.passed(), "{}", r.text());
                assert_eq!(r.packets.ipv6, if v6 { 8 } else { 0 });
                assert_eq!(r.packets.vlan, if vlan { 8 } else { 0 });
                let m = &r.requests.matches;
                assert_eq!((m.acknowledged, m.refused), (2, 1), "{}", r.text());
                // the whole WRITE, its three packets, the READ, the WRITE that is refused
                assert_eq!((r.run.lookups, r.run.grants), (6, 5));
                assert_eq!(r.requests.causes["out_of_bounds"], 1);
                assert_eq!(
                    r.regions.source,
                    if file.is_some() { "file" } else { "inferred" }
                );
            }
        }
    }
}

#[test]
fn a_cut_payload_does_no_harm() {
    let s = traffic(Around::default()).cut(90);
    let r = s.replay(Some(&facts()));
    assert!(r.passed(), "{}", r.text());
    assert_eq!(r.packets.cut_payload, 4);
    assert_eq!((r.run.lookups, r.requests.matches.acknowledged), (6, 2));
}

#[test]
fn a_wrapping_not_known_is_counted() {
    let mut s = Script::default();
    let tcp = etherparse::PacketBuilder::ethernet2([1; 6], [2; 6])
        .ipv4([10, 0, 0, 1], [10, 0, 0, 2], 64)
        .tcp(1, 4791, 0, 0);
    let mut bytes = Vec::new();
    tcp.write(&mut bytes, &[0; 40]).unwrap();
    s.raw(&bytes);
    // ARP, RoCE version 1, a frame that ends in its Ethernet head
    let ether = |kind: u16| [&[1; 12][..], &kind.to_be_bytes(), &[0; 50]].concat();
    s.raw(&ether(0x0806)).raw(&ether(0x8915)).raw(&[1; 9]);
    // a fragment: more to come
    s.ask(0x0a, 0, (0, 1, 8), 8);
    s.frames.last_mut().unwrap().0[20] = 0x20;
    // RD, XRC, congestion, UD to QP 1 and to another, an opcode that is not defined
    for (opcode, qp) in [
        (0x44, 2),
        (0xaa, 2),
        (0x81, 2),
        (0x64, 1),
        (0x64, 2),
        (0x1f, 2),
    ] {
        s.packet(true, opcode, qp, 0, &[0; 24]);
    }
    // nothing but a checksum, and a WRITE whose headers were not captured
    s.packet(true, 0x0a, 2, 0, &[]);
    let (bytes, _) = s.frames.last_mut().unwrap();
    bytes[39] = 12;
    s.ask(0x0a, 0, (0, 1, 8), 8);
    s.frames.last_mut().unwrap().0.truncate(60);
    let r = s.replay(None);
    assert!(r.passed());
    let said = serde_json::to_value(&r.packets.skipped).unwrap();
    for why in [
        "not_roce",
        "not_ip",
        "roce_v1",
        "fragment",
        "congestion",
        "management",
        "datagram",
        "undefined",
        "short",
    ] {
        assert_eq!(said[why], 1, "{why}: {said}");
    }
    assert_eq!(
        (&said["other_transport"], &said["cut"]),
        (&2.into(), &2.into()),
        "{said}"
    );
    assert_eq!(r.run.lookups, 0);
}
