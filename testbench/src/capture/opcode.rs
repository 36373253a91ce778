// SPDX-License-Identifier: MIT OR Apache-2.0
//! Opcodes of the base transport header.

/// What a packet of RC or UC is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// SEND: first packet of its message, last one, with invalidate.
    Send {
        /// begins a message
        first: bool,
        /// ends a message
        last: bool,
        /// carries the key to invalidate
        invalidate: bool,
    },
    /// RDMA WRITE.
    Write {
        /// begins a message and has the RETH
        first: bool,
        /// ends a message
        last: bool,
    },
    /// RDMA READ request.
    Read,
    /// READ response: first or only, last or only.
    Response {
        /// begins the answer
        first: bool,
        /// ends the answer
        last: bool,
    },
    /// ACK, NAK, RNR NAK.
    Ack,
    /// Answer to an atomic.
    AtomicAck,
    /// Compare-swap, fetch-add.
    Atomic,
    /// FLUSH.
    Flush,
    /// ATOMIC WRITE.
    AtomicWrite,
}

/// Extension headers in the order of the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heads {
    /// 4 bytes: type and selectivity of a FLUSH
    pub feth: bool,
    /// 16 bytes: address, key, length
    pub reth: bool,
    /// 28 bytes: address, key, two operands
    pub atomic: bool,
    /// 4 bytes: syndrome and message number
    pub aeth: bool,
    /// 8 bytes: the former value
    pub atomic_ack: bool,
    /// 4 bytes: immediate
    pub imm: bool,
    /// 4 bytes: key to invalidate
    pub ieth: bool,
}

impl Heads {
    /// Bytes of all of them.
    pub fn len(self) -> usize {
        let part = |there: bool, bytes: usize| usize::from(there) * bytes;
        part(self.feth, 4)
            + part(self.reth, 16)
            + part(self.atomic, 28)
            + part(self.aeth, 4)
            + part(self.atomic_ack, 8)
            + part(self.imm, 4)
            + part(self.ieth, 4)
    }
}

/// Group and headers of an RC or UC opcode; `None`: not defined.
pub fn parse(opcode: u8) -> Option<(Group, Heads)> {
    let uc = opcode >> 5 == 1;
    let none = Heads::default();
    let imm = Heads { imm: true, ..none };
    let ieth = Heads { ieth: true, ..none };
    let reth = Heads { reth: true, ..none };
    let aeth = Heads { aeth: true, ..none };
    let send = |first, last, invalidate| Group::Send {
        first,
        last,
        invalidate,
    };
    let write = |first, last| Group::Write { first, last };
    let response = |first, last| Group::Response { first, last };
    let found = match opcode & 0x1f {
        0x00 => (send(true, false, false), none),
        0x01 => (send(false, false, false), none),
        0x02 => (send(false, true, false), none),
        0x03 => (send(false, true, false), imm),
        0x04 => (send(true, true, false), none),
        0x05 => (send(true, true, false), imm),
        0x06 => (write(true, false), reth),
        0x07 => (write(false, false), none),
        0x08 => (write(false, true), none),
        0x09 => (write(false, true), imm),
        0x0a => (write(true, true), reth),
        0x0b => (write(true, true), Heads { imm: true, ..reth }),
        _ if uc => return None,
        0x0c => (Group::Read, reth),
        0x0d => (response(true, false), aeth),
        0x0e => (response(false, false), none),
        0x0f => (response(false, true), aeth),
        0x10 => (response(true, true), aeth),
        0x11 => (Group::Ack, aeth),
        0x12 => (
            Group::AtomicAck,
            Heads {
                atomic_ack: true,
                ..aeth
            },
        ),
        0x13 | 0x14 => (
            Group::Atomic,
            Heads {
                atomic: true,
                ..none
            },
        ),
        0x16 => (send(false, true, true), ieth),
        0x17 => (send(true, true, true), ieth),
        0x1c => (Group::Flush, Heads { feth: true, ..reth }),
        0x1d => (Group::AtomicWrite, reth),
        _ => return None,
    };
    Some(found)
}

/// Name of an opcode.
pub fn name(opcode: u8) -> String {
    const NAMES: [&str; 32] = [
        "SEND first",
        "SEND middle",
        "SEND last",
        "SEND last with immediate",
        "SEND only",
        "SEND only with immediate",
        "WRITE first",
        "WRITE middle",
        "WRITE last",
        "WRITE last with immediate",
        "WRITE only",
        "WRITE only with immediate",
        "READ request",
        "READ response first",
        "READ response middle",
        "READ response last",
        "READ response only",
        "ACK",
        "ATOMIC ACK",
        "compare-swap",
        "fetch-add",
        "RESYNC",
        "SEND last with invalidate",
        "SEND only with invalidate",
        "0x18",
        "0x19",
        "0x1a",
        "0x1b",
        "FLUSH",
        "ATOMIC WRITE",
        "0x1e",
        "0x1f",
    ];
    let transport = match opcode >> 5 {
        0 => "RC",
        1 => "UC",
        2 => "RD",
        3 => "UD",
        4 => "CN",
        5 => "XRC",
        _ => "other",
    };
    format!("{transport} {}", NAMES[usize::from(opcode & 0x1f)])
}
