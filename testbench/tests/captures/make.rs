// SPDX-License-Identifier: MIT OR Apache-2.0
//! Captures, packet by packet.

use etherparse::PacketBuilder;
use latchkey_testbench::bench::Params;
use latchkey_testbench::replay::{self, Options, Replay, Trouble};
use latchkey_testbench::stage;
use pcap_file::pcap::{PcapHeader, PcapPacket, PcapWriter};
use pcap_file::pcapng::blocks::enhanced_packet::EnhancedPacketBlock;
use pcap_file::pcapng::blocks::interface_description::{
    InterfaceDescriptionBlock, InterfaceDescriptionOption,
};
use pcap_file::pcapng::{PcapNgBlock, PcapNgWriter};
use pcap_file::DataLink;
use std::path::PathBuf;
use std::time::Duration;

/// Requests go to this queue pair at `B`, answers to the other one at `A`.
pub const QP: u32 = 0x22;
pub const BACK: u32 = 0x11;
/// Seconds of the first packet.
pub const START: u64 = 1_700_000_000;

/// What is around the UDP header.
#[derive(Clone, Copy, Default)]
pub struct Around {
    pub v6: bool,
    pub vlan: bool,
}

/// A capture to be written: frames with their lengths on the wire.
#[derive(Clone, Default)]
pub struct Script {
    pub around: Around,
    pub frames: Vec<(Vec<u8>, u32)>,
}

fn bth(opcode: u8, pad: u8, qp: u32, psn: u32) -> Vec<u8> {
    let mut b = vec![opcode, pad << 4, 0xff, 0xff, 0];
    b.extend(&qp.to_be_bytes()[1..]);
    b.push(0x80);
    b.extend(&psn.to_be_bytes()[1..]);
    b
}

pub fn reth(va: u64, rkey: u32, len: u32) -> Vec<u8> {
    [
        &va.to_be_bytes()[..],
        &rkey.to_be_bytes(),
        &len.to_be_bytes(),
    ]
    .concat()
}

impl Script {
    /// One packet; the checksum is not right, nobody looks.
    pub fn packet(
        &mut self,
        forth: bool,
        opcode: u8,
        qp: u32,
        psn: u32,
        rest: &[u8],
    ) -> &mut Script {
        let pad = (4 - rest.len() % 4) % 4;
        let mut payload = bth(opcode, pad as u8, qp, psn);
        payload.extend(rest);
        payload.extend(vec![0; pad + 4]);
        let (from, to) = if forth { (1, 2) } else { (2, 1) };
        let (a, b) = ([2, 0, 0, 0, 0, from], [2, 0, 0, 0, 0, to]);
        let mut bytes = Vec::new();
        let ip6 = |n: u8| {
            let mut ip = [0; 16];
            (ip[0], ip[1], ip[15]) = (0xfe, 0x80, n);
            ip
        };
        let port = 50_000;
        let link = PacketBuilder::ethernet2(a, b);
        let ip = match (self.around.vlan, self.around.v6) {
            (false, false) => link.ipv4([10, 0, 0, from], [10, 0, 0, to], 64),
            (false, true) => link.ipv6(ip6(from), ip6(to), 64),
            (true, v6) => {
                let tagged = link.single_vlan(5.try_into().unwrap());
                match v6 {
                    false => tagged.ipv4([10, 0, 0, from], [10, 0, 0, to], 64),
                    true => tagged.ipv6(ip6(from), ip6(to), 64),
                }
            }
        };
        ip.udp(port, 4791).write(&mut bytes, &payload).unwrap();
        let wire = bytes.len() as u32;
        self.frames.push((bytes, wire));
        self
    }

    /// A request with RETH and payload.
    pub fn ask(
        &mut self,
        opcode: u8,
        psn: u32,
        (va, rkey, len): (u64, u32, u32),
        payload: usize,
    ) -> &mut Script {
        let mut rest = reth(va, rkey, len);
        rest.extend(vec![0x5a; payload]);
        self.packet(true, opcode, QP, psn, &rest)
    }

    /// A packet behind the first.
    pub fn more(&mut self, opcode: u8, psn: u32, payload: usize) -> &mut Script {
        self.packet(true, opcode, QP, psn, &vec![0x5a; payload])
    }

    /// ACK or NAK.
    pub fn say(&mut self, psn: u32, syndrome: u8) -> &mut Script {
        self.packet(false, 0x11, BACK, psn, &[syndrome, 0, 0, 1])
    }

    /// READ response of one packet, also the answer to FLUSH and ATOMIC WRITE.
    pub fn data(&mut self, opcode: u8, psn: u32, payload: usize) -> &mut Script {
        let mut rest = if opcode == 0x0e {
            vec![]
        } else {
            vec![0x1f, 0, 0, 1]
        };
        rest.extend(vec![1; payload]);
        self.packet(false, opcode, BACK, psn, &rest)
    }

    /// A frame as it is.
    pub fn raw(&mut self, bytes: &[u8]) -> &mut Script {
        self.frames.push((bytes.to_vec(), bytes.len() as u32));
        self
    }

    /// Cuts every frame.
    pub fn cut(mut self, to: usize) -> Script {
        self.frames
            .iter_mut()
            .for_each(|(bytes, _)| bytes.truncate(to));
        self
    }

    fn time(at: usize) -> Duration {
        Duration::new(START, 0) + Duration::from_millis(10 * at as u64)
    }

    /// As pcap.
    pub fn pcap(&self) -> Vec<u8> {
        let header = PcapHeader {
            datalink: DataLink::ETHERNET,
            ..PcapHeader::default()
        };
        let mut w = PcapWriter::with_header(Vec::new(), header).unwrap();
        for (n, (bytes, wire)) in self.frames.iter().enumerate() {
            w.write_packet(&PcapPacket::new(Script::time(n), *wire, bytes))
                .unwrap();
        }
        w.into_writer()
    }

    /// As pcapng with ticks of 2^-20 s, an offset, and a block nobody knows.
    pub fn pcapng(&self) -> Vec<u8> {
        let mut w = PcapNgWriter::new(Vec::new()).unwrap();
        let mut interface = InterfaceDescriptionBlock::new(DataLink::ETHERNET, 0xffff);
        interface.options = vec![
            InterfaceDescriptionOption::IfTsResol(0x80 | 20),
            InterfaceDescriptionOption::IfTsOffset(START),
        ];
        w.write_block(&interface.into_block()).unwrap();
        for (n, (bytes, wire)) in self.frames.iter().enumerate() {
            let since = Script::time(n) - Duration::new(START, 0);
            let block = EnhancedPacketBlock {
                interface_id: 0,
                // the library writes nanoseconds as ticks
                timestamp: Duration::from_nanos(
                    (since.as_nanos() << 20).div_ceil(1_000_000_000) as u64
                ),
                original_len: *wire,
                data: bytes.as_slice().into(),
                options: vec![],
            };
            w.write_block(&block.into_block()).unwrap();
        }
        w.into_inner()
    }

    /// Replays it on `nic`.
    pub fn replay(&self, regions: Option<&str>) -> Replay {
        replayed(&self.pcap(), regions, "nic").unwrap()
    }
}

/// A region of `B` from the first second on, to `end` (in packets) if it ends.
pub fn region(key: u32, va: u64, length: u64, access: &str, end: Option<f64>) -> String {
    let quoted: Vec<String> = access.split(' ').map(|a| format!("{a:?}")).collect();
    let end = end.map_or("null".into(), |e| {
        format!("{:.3}", START as f64 + e / 100.0)
    });
    format!(
        r#"{{"host":"b","pd":7,"rkey":"0x{key:08x}","va":"0x{va:x}","length":{length},"access":[{}],"t_reg":{START}.0,"t_dereg":{end}}}"#,
        quoted.join(",")
    )
}

/// A file of regions.
pub fn regions(list: &[String]) -> String {
    format!(
        r#"{{"captured_on":"b","hosts":{{"a":{{"ip":"10.0.0.1"}},"b":{{"ips":["10.0.0.2","fe80::2"]}}}},
        "regions":[{}],"qps":[{{"host":"b","qpn":"0x{QP:06x}","pd":7}}]}}"#,
        list.join(",")
    )
}

/// Replays bytes of a capture.
pub fn replayed(
    bytes: &[u8],
    regions: Option<&str>,
    config: &'static str,
) -> Result<Replay, Trouble> {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| -> PathBuf {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let capture = file("traffic.pcap", bytes).display().to_string();
    let regions = regions.map(|text| file("regions.json", text.as_bytes()));
    play(capture, regions, config)
}

/// Replays a file.
pub fn play(
    capture: String,
    regions: Option<PathBuf>,
    config: &'static str,
) -> Result<Replay, Trouble> {
    let options = Options {
        capture,
        regions,
        config: config.into(),
        engine: "verilator".into(),
        seed: 1,
    };
    let params = Params::of(config).unwrap();
    let facts = replay::facts(&options, |_| {})?;
    replay::run(stage::engine(config), &params, &options, &facts, |_| {})
}
