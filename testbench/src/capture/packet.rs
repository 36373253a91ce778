// SPDX-License-Identifier: MIT OR Apache-2.0
//! A packet of RC or UC.

use super::opcode::Group;
use std::net::IpAddr;

/// Address, key and length of an RDMA request; an atomic has 8 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reth {
    /// first address
    pub va: u64,
    /// key
    pub rkey: u32,
    /// bytes
    pub len: u32,
}

/// Syndrome of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aeth {
    /// kind in the upper three bits, code or credits below
    pub syndrome: u8,
}

impl Aeth {
    /// Is it an ACK?
    pub fn positive(self) -> bool {
        self.syndrome >> 5 == 0
    }

    /// Receiver not ready: the request will come again.
    pub fn not_ready(self) -> bool {
        self.syndrome >> 5 == 1
    }

    /// A NAK other than for a gap in the sequence.
    pub fn refusal(self) -> bool {
        self.syndrome >> 5 == 3 && self.syndrome & 0x1f != 0
    }
}

/// What the headers say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// sender
    pub src: IpAddr,
    /// receiver
    pub dst: IpAddr,
    /// opcode
    pub opcode: u8,
    /// its meaning
    pub group: Group,
    /// queue pair at the receiver
    pub qp: u32,
    /// sequence number
    pub psn: u32,
    /// bytes of payload on the wire, without padding and checksum
    pub payload: u32,
    /// of WRITE (first), READ, atomics, FLUSH, ATOMIC WRITE
    pub reth: Option<Reth>,
    /// of FLUSH: bit 0 global, bit 1 persistent, bit 4 the whole region
    pub feth: u32,
    /// of SEND with invalidate
    pub ieth: Option<u32>,
    /// of answers
    pub aeth: Option<Aeth>,
}

impl Packet {
    /// Unreliable connection.
    pub fn unreliable(&self) -> bool {
        self.opcode >> 5 == 1
    }

    /// It answers a request.
    pub fn answers(&self) -> bool {
        matches!(
            self.group,
            Group::Ack | Group::AtomicAck | Group::Response { .. }
        )
    }
}
