// SPDX-License-Identifier: MIT OR Apache-2.0
//! Requests as a responder sees them, and what it answered.

use std::cell::Cell;
use std::net::IpAddr;
use std::rc::Rc;

/// One direction of a connection: who asks which queue pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlowKey {
    /// requester
    pub src: IpAddr,
    /// responder
    pub dst: IpAddr,
    /// queue pair at the responder
    pub qp: u32,
}

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// RDMA WRITE
    Write,
    /// RDMA READ
    Read,
    /// compare-swap, fetch-add
    Atomic,
    /// ATOMIC WRITE
    AtomicWrite,
    /// FLUSH
    Flush {
        /// to global visibility
        global: bool,
        /// to persistence
        persistent: bool,
        /// of the whole region, whatever the range
        whole: bool,
    },
    /// SEND with invalidate of `rkey`
    Invalidate,
    /// SEND
    Send,
}

impl Kind {
    /// For lists.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Write => "write",
            Kind::Read => "read",
            Kind::Atomic => "atomic",
            Kind::AtomicWrite => "atomic_write",
            Kind::Flush { .. } => "flush",
            Kind::Invalidate => "send_inv",
            Kind::Send => "send",
        }
    }

    /// It names a range of memory by a key.
    pub fn accesses(self) -> bool {
        !matches!(self, Kind::Send | Kind::Invalidate)
    }
}

/// What the capture has as the answer to a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Answer {
    /// Nothing (yet).
    #[default]
    None,
    /// The first part of the data of a READ.
    Started,
    /// Done.
    Ack,
    /// Refused.
    Nak {
        /// frame of the NAK
        frame: u64,
        /// its syndrome
        syndrome: u8,
        /// a part of the data had gone out before
        late: bool,
    },
}

impl Answer {
    /// No further word is expected.
    pub fn settled(self) -> bool {
        matches!(self, Answer::Ack | Answer::Nak { .. })
    }

    /// Syndrome of a NAK.
    pub fn nak(self) -> Option<u8> {
        match self {
            Answer::Nak { syndrome, .. } => Some(syndrome),
            _ => None,
        }
    }
}

/// A request of one or more packets.
#[derive(Debug)]
pub struct Message {
    /// its number in the capture, from 1
    pub id: u64,
    /// who asks whom
    pub flow: FlowKey,
    /// unreliable connection: never answered
    pub unreliable: bool,
    /// what it asks for
    pub kind: Kind,
    /// key it names
    pub rkey: u32,
    /// first address
    pub va: u64,
    /// bytes in all
    pub len: u32,
    /// frame of its first packet
    pub frame: u64,
    /// sequence number of that
    pub psn: u32,
    /// it was seen before
    pub repeated: bool,
    /// the answer, as far as it is known
    pub answer: Cell<Answer>,
}

/// Which part of a request a packet carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    Whole,
    /// The first packet of a longer WRITE: its own bytes, and the range of the whole.
    First {
        /// bytes of this packet
        len: u32,
    },
    /// A packet behind the first.
    Next {
        /// where its bytes begin, counted from the start of the request
        offset: u64,
        /// bytes of this packet
        len: u32,
        /// ends the request
        last: bool,
    },
}

/// What one packet asks of the responder.
#[derive(Clone, Debug)]
pub struct Access {
    /// the request it belongs to
    pub message: Rc<Message>,
    /// frame number
    pub frame: u64,
    /// nanoseconds since 1970
    pub nanos: u64,
    /// part of the request
    pub part: Part,
}
