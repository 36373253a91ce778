// SPDX-License-Identifier: MIT OR Apache-2.0
//! Base and extension headers of a datagram.

use super::net::{Datagram, Skip};
use super::opcode::parse;
use super::packet::{Aeth, Packet, Reth};

const BTH: usize = 12;
const ICRC: usize = 4;

/// Takes the headers apart. Lengths are those on the wire, so that a cut payload does no harm.
pub fn decode(datagram: &Datagram<'_>) -> Result<Packet, Skip> {
    let bytes = datagram.payload;
    if datagram.length < BTH + ICRC {
        return Err(Skip::Short);
    }
    let Some(bth) = bytes.get(..BTH) else {
        return Err(Skip::Cut);
    };
    let opcode = bth[0];
    let qp = word(bth, 4) & 0xff_ffff;
    match opcode >> 5 {
        0 | 1 => {}
        3 if qp == 1 => return Err(Skip::Management),
        3 => return Err(Skip::Datagram),
        4 if opcode == 0x81 => return Err(Skip::Congestion),
        _ => return Err(Skip::OtherTransport),
    }
    let (group, heads) = parse(opcode).ok_or(Skip::Undefined)?;
    let pad = usize::from(bth[1] >> 4 & 3);
    let payload = datagram
        .length
        .checked_sub(BTH + heads.len() + pad + ICRC)
        .ok_or(Skip::Short)?;
    let mut rest = bytes.get(BTH..BTH + heads.len()).ok_or(Skip::Cut)?;
    let mut take = |n: usize| {
        let (head, tail) = rest.split_at(n);
        rest = tail;
        head
    };
    let feth = if heads.feth { word(take(4), 0) } else { 0 };
    let mut reth = heads.reth.then(|| {
        let head = take(16);
        Reth {
            va: long(head, 0),
            rkey: word(head, 8),
            len: word(head, 12),
        }
    });
    if heads.atomic {
        let head = take(28);
        reth = Some(Reth {
            va: long(head, 0),
            rkey: word(head, 8),
            len: 8,
        });
    }
    let aeth = heads.aeth.then(|| Aeth {
        syndrome: take(4)[0],
    });
    if heads.atomic_ack {
        take(8);
    }
    if heads.imm {
        take(4);
    }
    let ieth = heads.ieth.then(|| word(take(4), 0));
    Ok(Packet {
        src: datagram.src,
        dst: datagram.dst,
        opcode,
        group,
        qp,
        psn: word(bth, 8) & 0xff_ffff,
        payload: payload as u32,
        reth,
        feth,
        ieth,
        aeth,
    })
}

fn word(bytes: &[u8], at: usize) -> u32 {
    bytes[at..at + 4]
        .iter()
        .fold(0, |n, b| n << 8 | u32::from(*b))
}

fn long(bytes: &[u8], at: usize) -> u64 {
    u64::from(word(bytes, at)) << 32 | u64::from(word(bytes, at + 4))
}
