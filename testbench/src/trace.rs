// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shared vocabulary of bench, model, history checker and case runner: what is seen at the pins of the core.
//!
//! A trace is a sequence of [`Record`]s in the order of their cycles. Written as JSON, one record a line, it is also
//! the documented format for a user's own stimuli: `{"cycle":12,"what":"lookup_in","port":0,"tag":3,...}`.
//! Pin encodings are in [`codes`] and [`pages`] and nowhere else (source: docs/interface.md).

pub mod codes;
pub mod command;
pub mod pages;

pub use codes::{
    access, change, Cause, Class, Code, EventKind, FlushScope, Mode, Op, PageSize, RegState,
    SegStatus,
};
pub use command::{Answer, Bind, Body, Command, Register, COMMANDS};
pub use pages::{Entry, PageList};

use serde::{Deserialize, Serialize};

/// A request at a lookup port (docs/interface.md, "Lookup ports").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Lookup {
    /// Port number.
    pub port: u16,
    /// Tag; must be free on this port.
    pub tag: u16,
    /// The 32-bit key presented.
    pub key: u32,
    /// true: the key came from the wire (rkey); false: from a local work request (lkey).
    pub side_remote: bool,
    /// Queue pair number (24 bits).
    #[serde(default)]
    pub qpn: u32,
    /// Protection domain of the queue pair.
    pub pd: u32,
    /// First address.
    pub va: u64,
    /// Bytes.
    pub len: u32,
    /// Operation.
    pub op: Op,
    /// false: verdict only, no lease and no segments.
    #[serde(default = "yes")]
    pub walk: bool,
    /// Isolation class.
    #[serde(default)]
    pub class: u8,
}

impl Lookup {
    /// A remote read that walks, of port 0, tag 0, queue pair 0 and class 0: what others are made from by changing a field.
    pub fn read(pd: u32, key: u32, va: u64, len: u32) -> Lookup {
        Lookup {
            port: 0,
            tag: 0,
            key,
            side_remote: true,
            qpn: 0,
            pd,
            va,
            len,
            op: Op::Read,
            walk: true,
            class: 0,
        }
    }
}

fn yes() -> bool {
    true
}

/// Answer to a lookup; every lookup gets exactly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Verdict {
    /// Port number.
    pub port: u16,
    /// Tag of the lookup.
    pub tag: u16,
    /// Access allowed.
    pub granted: bool,
    /// Completion class, `Ok` when granted.
    pub class: Class,
    /// Cause, `None` when granted.
    pub cause: Cause,
}

/// One piece of physical memory of a granted lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Segment {
    /// Port number.
    pub port: u16,
    /// Tag of the lookup.
    pub tag: u16,
    /// Physical address of the first byte.
    pub pa: u64,
    /// Bytes; 0 when status is not ok.
    pub len: u32,
    /// Last one of this lookup.
    pub last: bool,
    /// Ok, cut or page fault.
    pub status: SegStatus,
}

/// The DMA engine has finished with a request; its lease ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DmaDone {
    /// Port number.
    pub port: u16,
    /// Tag of the lookup.
    pub tag: u16,
}

/// A transfer on the page-list stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PageIn {
    /// MTT entry as bits, see [`Entry::bits`].
    pub data: u64,
    /// `page_last`.
    pub last: bool,
}

/// A transfer on the event stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Event {
    /// Kind.
    pub kind: EventKind,
    /// `event_info`.
    pub info: u32,
}

/// What happened in one transfer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum What {
    /// Transfer at `lookup`.
    LookupIn(Lookup),
    /// Transfer at `verdict`.
    VerdictOut(Verdict),
    /// Transfer at `segment`.
    SegmentOut(Segment),
    /// Transfer at `dma_done`.
    DmaDone(DmaDone),
    /// Transfer at `reg`.
    CommandIn(Command),
    /// Transfer at `page`.
    PageIn(PageIn),
    /// Transfer at `rsp`.
    AnswerOut(Answer),
    /// Transfer at `event`.
    EventOut(Event),
}

/// One transfer seen at the pins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Number of the clock edge of the transfer.
    pub cycle: u64,
    /// The transfer.
    #[serde(flatten)]
    pub what: What,
}

impl Record {
    /// A record of `what` at `cycle`.
    pub const fn new(cycle: u64, what: What) -> Self {
        Self { cycle, what }
    }
}
