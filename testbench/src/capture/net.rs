// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a frame to the UDP datagram of RoCEv2, through whatever is before it.

use etherparse::{EtherType, LaxNetSlice, LaxSlicedPacket, LinkSlice, TransportSlice};
use serde::Serialize;
use std::net::IpAddr;

/// UDP port of RoCEv2.
pub const PORT: u16 = 4791;

/// Address of a network card.
pub type Mac = [u8; 6];

/// Why a frame is not replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Skip {
    /// Link type that is not read.
    OtherLink,
    /// Neither IPv4 nor IPv6.
    NotIp,
    /// RoCE on bare Ethernet (version 1).
    RoceV1,
    /// A piece of a fragmented datagram.
    Fragment,
    /// IP, but not UDP to port 4791.
    NotRoce,
    /// Cut before the end of its headers.
    Cut,
    /// Too short on the wire for the headers it must have.
    Short,
    /// Opcode that is not defined.
    Undefined,
    /// Reliable datagrams, XRC and other transports.
    OtherTransport,
    /// Datagrams of the connection manager and other management (UD to QP 1).
    Management,
    /// Unreliable datagrams: they carry no remote key.
    Datagram,
    /// Congestion notification.
    Congestion,
    /// Middle or last packet of a message whose first packet is not in the capture.
    Orphan,
}

/// A datagram to the RoCEv2 port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Datagram<'a> {
    /// sender
    pub src: IpAddr,
    /// receiver
    pub dst: IpAddr,
    /// cards of both, on Ethernet
    pub macs: Option<(Mac, Mac)>,
    /// it has a VLAN tag
    pub vlan: bool,
    /// bytes of its payload on the wire
    pub length: usize,
    /// those that were captured
    pub payload: &'a [u8],
}

/// Link types: Ethernet, raw IP (three numbers), Linux cooked capture (two versions).
fn sliced(link: u32, data: &[u8]) -> Result<LaxSlicedPacket<'_>, Skip> {
    let cooked = |at: usize, head: usize| {
        let bytes = data.get(at..at + 2).ok_or(Skip::Cut)?;
        let kind = EtherType(u16::from_be_bytes([bytes[0], bytes[1]]));
        let rest = data.get(head..).ok_or(Skip::Cut)?;
        Ok(LaxSlicedPacket::from_ether_type(kind, rest))
    };
    match link {
        1 => LaxSlicedPacket::from_ethernet(data).map_err(|_| Skip::Cut),
        101 | 228 | 229 | 12 => LaxSlicedPacket::from_ip(data).map_err(|_| Skip::NotIp),
        113 => cooked(14, 16),
        276 => cooked(0, 20),
        _ => Err(Skip::OtherLink),
    }
}

/// The datagram in a frame.
pub fn datagram(link: u32, data: &[u8]) -> Result<Datagram<'_>, Skip> {
    let packet = sliced(link, data)?;
    let (src, dst, fragment) = match &packet.net {
        Some(LaxNetSlice::Ipv4(ip)) => (
            IpAddr::from(ip.header().source_addr()),
            IpAddr::from(ip.header().destination_addr()),
            ip.is_payload_fragmented(),
        ),
        Some(LaxNetSlice::Ipv6(ip)) => (
            IpAddr::from(ip.header().source_addr()),
            IpAddr::from(ip.header().destination_addr()),
            ip.is_payload_fragmented(),
        ),
        _ if ether_type(&packet) == Some(EtherType(0x8915)) => return Err(Skip::RoceV1),
        _ if packet.stop_err.is_some() => return Err(Skip::Cut),
        _ => return Err(Skip::NotIp),
    };
    if fragment {
        return Err(Skip::Fragment);
    }
    let Some(TransportSlice::Udp(udp)) = &packet.transport else {
        // a cut UDP head is only cut, a TCP head is none of ours
        let udp = packet.ip_payload().is_some_and(|p| p.ip_number.0 == 17);
        return Err(if udp { Skip::Cut } else { Skip::NotRoce });
    };
    if udp.destination_port() != PORT {
        return Err(Skip::NotRoce);
    }
    Ok(Datagram {
        src,
        dst,
        macs: match &packet.link {
            Some(LinkSlice::Ethernet2(e)) => Some((e.source(), e.destination())),
            _ => None,
        },
        vlan: packet.vlan().is_some(),
        length: usize::from(udp.length()).saturating_sub(8),
        payload: udp.payload(),
    })
}

fn ether_type(packet: &LaxSlicedPacket<'_>) -> Option<EtherType> {
    packet.ether_payload().map(|p| p.ether_type)
}
