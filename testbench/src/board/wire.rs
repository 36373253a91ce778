// SPDX-License-Identifier: MIT OR Apache-2.0
//! Payloads as they stand in docs/board.md: requests of the host, messages and acknowledgements of the board.

use super::frame::Frame;
use crate::trace::{
    Answer, Body, Cause, Class, Code, Command, Event, EventKind, Lookup, RegState, SegStatus,
    Segment, Verdict,
};
use latchkey_hdl::link::{board, host, source};

/// One transfer of the ICM request stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IcmBeat {
    /// A write.
    pub write: bool,
    /// Last beat of a write.
    pub last: bool,
    /// 0 entries, 1 MTT, 2 windows.
    pub space: u8,
    /// Beats less one of the whole access.
    pub len: u8,
    /// First word of the access.
    pub addr: u32,
    /// Number of this beat of a write.
    pub beat: u8,
    /// Its data.
    pub data: u32,
}

/// What a message of the board carries.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// A table access, to be answered.
    Icm(IcmBeat),
    /// Answer to a command.
    Answer(Answer),
    /// Verdict on a lookup.
    Verdict(Verdict),
    /// Segment of a lookup.
    Segment(Segment),
    /// Event.
    Event(Event),
    /// Value of a register.
    Csr(u32),
}

/// Acknowledgement of a request, with the state of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Ack {
    /// Of [`latchkey_hdl::link::status`].
    pub status: u8,
    /// Of [`latchkey_hdl::link::flag`].
    pub flags: u8,
    /// Version of the protocol.
    pub version: u8,
    /// Frames that broke on the wire, modulo 256.
    pub bad: u8,
    /// Good frames that were not what was due, modulo 256.
    pub refused: u8,
    /// Messages sent again, modulo 256.
    pub resent: u8,
    /// Byte of the script at which the self-test stands.
    pub at: u8,
}

/// Bytes of a number, least significant first.
fn le(value: u64, bytes: usize) -> impl Iterator<Item = u8> {
    value.to_le_bytes().into_iter().take(bytes)
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b))
}

/// Payload of `COMMAND`. `inline` is the first page-list entry.
pub fn command(command: &Command) -> Vec<u8> {
    let mut fields = Fields {
        tag: command.tag,
        op: command.body.op_bits() as u8,
        ..Fields::default()
    };
    match &command.body {
        Body::Register(r) => {
            fields.inline = r
                .list
                .get(0)
                .filter(|_| r.pages > 0)
                .map_or(0, |e| e.bits() as u32);
            (fields.access, fields.base, fields.pages) = (r.access, r.base, r.pages as u16);
            (fields.page, fields.pd) = (r.page.bits() as u8, r.pd as u8);
            (fields.va, fields.len) = (r.iova, r.length as u32);
        }
        Body::Deregister { key, mode } => {
            (fields.key, fields.page) = (*key, (mode.bits() as u8) << 3)
        }
        Body::Query { key } => fields.key = *key,
        Body::Flush { key, scope } => (fields.key, fields.page) = (*key, (scope.bits() as u8) << 3),
        Body::PdWindow { pd, base, words } => {
            (fields.pd, fields.base, fields.pages) = (*pd as u8, *base, *words as u16)
        }
        // the link has no room for the others; [`super::Checked`] does not send them
        _ => {}
    }
    fields.bytes(host::COMMAND)
}

/// Payload of `LOOKUP`.
pub fn lookup(l: &Lookup) -> Vec<u8> {
    let op = l.op.bits() as u8 & 15;
    let flags = u8::from(l.side_remote) << 4 | u8::from(l.walk) << 5 | (l.class & 1) << 6;
    Fields {
        key: l.key,
        pd: l.pd as u8,
        va: l.va,
        len: l.len,
        tag: l.tag as u8,
        op: op | flags,
        ..Fields::default()
    }
    .bytes(host::LOOKUP)
}

/// Payload of `PAGES`: at most eight entries, `last` if the list ends with them.
pub fn pages(words: &[u32], last: bool) -> Vec<u8> {
    let mut all: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    all.resize(32, 0);
    all.push(words.len() as u8 | u8::from(last) << 4);
    all
}

/// Payload of `CSR`.
pub fn csr(addr: u8, write: Option<u32>) -> Vec<u8> {
    Fields {
        len: write.unwrap_or(0),
        tag: u8::from(write.is_some()),
        op: addr,
        ..Fields::default()
    }
    .bytes(host::CSR)
}

#[derive(Default)]
struct Fields {
    inline: u32,
    access: u32,
    base: u64,
    pages: u16,
    page: u8,
    key: u32,
    pd: u8,
    va: u64,
    len: u32,
    tag: u8,
    op: u8,
}

impl Fields {
    /// The end of a command's 33 bytes, as many as the kind has.
    fn bytes(&self, kind: u8) -> Vec<u8> {
        let mut all = self.inline.to_le_bytes().to_vec();
        all.extend(self.access.to_le_bytes());
        all.extend(le(self.base, 5));
        all.extend(self.pages.to_le_bytes());
        all.push(self.page);
        all.extend(self.key.to_le_bytes());
        all.push(self.pd);
        all.extend(le(self.va, 6));
        all.extend(self.len.to_le_bytes());
        all.extend([self.tag, self.op]);
        all.split_off(all.len() - host::BYTES[usize::from(kind)])
    }
}

impl Ack {
    /// From a frame of that kind and length.
    pub fn read(frame: &Frame) -> Option<Ack> {
        match (frame.kind, frame.payload.as_slice()) {
            (board::ACK, [status, flags, version, bad, refused, resent, at]) => Some(Ack {
                status: *status,
                flags: *flags,
                version: *version,
                bad: *bad,
                refused: *refused,
                resent: *resent,
                at: *at,
            }),
            _ => None,
        }
    }

    /// Is a flag of [`latchkey_hdl::link::flag`] set?
    pub fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

impl Message {
    /// From a frame; none when it is no message or makes no sense.
    pub fn read(frame: &Frame) -> Option<Message> {
        let p = frame.payload.as_slice();
        Some(match (frame.kind.checked_sub(board::MESSAGE)?, p.len()) {
            (source::ICM, 4 | 8) => {
                let write = p[0] & 1 == 1;
                if write != (p.len() == 8) {
                    return None;
                }
                Message::Icm(IcmBeat {
                    write,
                    last: p[0] & 2 != 0,
                    space: p[0] >> 2 & 3,
                    len: p[0] >> 4,
                    addr: number(&p[1..4]) as u32 & 0xf_ffff,
                    beat: p[3] >> 4,
                    data: if write { number(&p[4..8]) as u32 } else { 0 },
                })
            }
            (source::ANSWER, 23) => Message::Answer(Answer {
                tag: p[0],
                code: Code::from_bits(u32::from(p[1] & 15))?,
                state: RegState::from_bits(u32::from(p[1] >> 4 & 3))?,
                lkey: number(&p[2..6]) as u32,
                rkey: number(&p[6..10]) as u32,
                pd: u32::from(p[10]),
                iova: number(&p[11..17]),
                length: number(&p[17..21]),
                access: number(&p[21..23]) as u32,
            }),
            (source::VERDICT, 2) => Message::Verdict(Verdict {
                port: 0,
                tag: u16::from(p[0] & 15),
                granted: p[0] & 16 != 0,
                class: Class::from_bits(u32::from(p[0] >> 5))?,
                cause: Cause::from_bits(u32::from(p[1]))?,
            }),
            (source::SEGMENT, 8) => Message::Segment(Segment {
                port: 0,
                tag: u16::from(p[0] & 15),
                pa: number(&p[1..6]),
                len: number(&p[6..8]) as u32,
                last: p[0] & 16 != 0,
                status: SegStatus::from_bits(u32::from(p[0] >> 5))?,
            }),
            (source::EVENT, 5) => Message::Event(Event {
                kind: EventKind::from_bits(u32::from(p[0]))?,
                info: number(&p[1..5]) as u32,
            }),
            (source::CSR, 4) => Message::Csr(number(p) as u32),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Mode, Op};

    #[test]
    fn requests_have_the_lengths_of_the_protocol() {
        let dereg = Command {
            tag: 9,
            body: Body::Deregister {
                key: 0x11223344,
                mode: Mode::Contract,
            },
        };
        let bytes = command(&dereg);
        assert_eq!(bytes.len(), host::BYTES[usize::from(host::COMMAND)]);
        assert_eq!(
            (bytes[15], &bytes[16..20]),
            (2 << 3, &[0x44, 0x33, 0x22, 0x11][..])
        );
        assert_eq!((bytes[31], bytes[32]), (9, 1));
        let ask = Lookup {
            port: 0,
            tag: 5,
            key: 0xaabbccdd,
            side_remote: true,
            qpn: 0,
            pd: 7,
            va: 0x0102_0304_0506,
            len: 0x2000,
            op: Op::Write,
            walk: true,
            class: 1,
        };
        let bytes = lookup(&ask);
        assert_eq!(
            bytes,
            [0xdd, 0xcc, 0xbb, 0xaa, 7, 6, 5, 4, 3, 2, 1, 0, 0x20, 0, 0, 5, 0x71]
        );
        assert_eq!(
            pages(&[1], true).len(),
            host::BYTES[usize::from(host::PAGES)]
        );
        assert_eq!(csr(0x40, None), [0, 0, 0, 0, 0, 0x40]);
    }

    #[test]
    fn a_message_of_the_wrong_length_is_none() {
        let frame = |payload: &[u8]| Frame {
            kind: board::MESSAGE + source::ICM,
            seq: 0,
            payload: payload.to_vec(),
        };
        assert!(Message::read(&frame(&[1, 0, 0, 0])).is_none());
        let read = Message::read(&frame(&[0x50, 8, 0, 0]));
        assert!(matches!(
            read,
            Some(Message::Icm(IcmBeat {
                write: false,
                len: 5,
                addr: 8,
                ..
            }))
        ));
    }
}
