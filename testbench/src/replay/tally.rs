// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a replay counts beside the bench, and the packets that need a word.

use crate::bench::tally::name;
use crate::trace::Cause;
use serde::Serialize;
use std::collections::BTreeMap;

/// Exceptions that are kept; more are only counted.
const KEPT: usize = 10_000;

/// Why capture and core differ, or why a packet is listed though they agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The rules of the file of regions agree with the core, the responder did otherwise.
    Responder,
    /// A type 2 window belongs to one queue pair, a window as region to all of its domain.
    WindowOwner,
    /// The queue pair lacks the right: decided before the key table.
    QpRight,
    /// NAK invalid request that is not about the key.
    InvalidRequest,
    /// NAK remote operational error: not about the key.
    RemoteOperational,
    /// Both refuse, under another class.
    OtherClass,
    /// NAK in the middle of a READ that was granted when it came.
    LateNak,
    /// NAK of a request that names no memory by a key.
    NoKey,
    /// NAK of a request that is not in the capture, or whose headers were cut.
    NoRequest,
    /// A longer request than the configuration takes.
    TooLong,
    /// The core refuses the registration, the responder took it.
    Registration,
    /// Core and responder agree, the rules of the file of regions say otherwise.
    Rules,
    /// No reason found: a mismatch.
    Unexplained,
}

impl Reason {
    /// It counts as failure.
    pub fn fails(self) -> bool {
        matches!(self, Reason::Unexplained | Reason::Rules)
    }
}

/// A packet that is explained by itself.
#[derive(Clone, Debug, Serialize)]
pub struct Exception {
    /// frame number; 0: not a packet
    pub frame: u64,
    /// kind of request
    pub op: &'static str,
    /// queue pair, sequence number, key, range
    pub request: String,
    /// what the capture has
    pub capture: String,
    /// what the core says
    pub core: String,
    /// why
    pub reason: Reason,
    /// the same in words
    pub why: String,
}

/// Requests by their answer.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Matches {
    /// acknowledged and granted
    pub acknowledged: u64,
    /// refused by both
    pub refused: u64,
    /// without answer in the capture: granted, refused
    pub unanswered: [u64; 2],
    /// refused by a NAK and granted by the core, with a reason
    pub nak_granted: u64,
    /// acknowledged and refused by the core, with a reason
    pub ack_refused: u64,
    /// without any reason
    pub mismatched: u64,
    /// agree with what the rules of the file of regions say
    pub as_expected: u64,
}

/// Requests of one kind.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct KindCount {
    /// all
    pub requests: u64,
    /// granted by the core
    pub granted: u64,
    /// refused by the core
    pub refused: u64,
}

/// Everything counted.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Tally {
    /// by kind
    pub kinds: BTreeMap<&'static str, KindCount>,
    /// refused requests by cause
    pub causes: BTreeMap<String, u64>,
    /// against the answers of the capture
    pub matches: Matches,
    /// NAKs of the capture that have their refusal
    pub naks_matched: u64,
    /// NAKs that were seen again or came to a request that was refused before
    pub naks_other: u64,
    /// packets behind the first of a request that was refused at once
    pub not_served: u64,
    /// accesses whose address the configuration cannot present: refused without it
    pub beyond_width: u64,
    /// SEND with invalidate: carried out, refused
    pub invalidations: [u64; 2],
    /// windows registered as regions
    pub windows: u64,
    /// regions that ended a moment earlier than known, because their NAK says so
    pub ended_early: u64,
    /// lookups whose queue pair is not known; the region's domain was taken
    pub assumed_domain: u64,
    /// exceptions by reason
    pub reasons: BTreeMap<Reason, u64>,
    /// the packets
    pub exceptions: Vec<Exception>,
    /// verdicts, segments or answers that differ from the model
    pub wrong: Vec<String>,
    /// how many there are
    pub wrong_count: u64,
}

impl Tally {
    /// Lists a packet.
    pub fn except(&mut self, exception: Exception) {
        *self.reasons.entry(exception.reason).or_default() += 1;
        if exception.reason.fails() {
            self.matches.mismatched += 1;
        }
        if self.exceptions.len() < KEPT {
            self.exceptions.push(exception);
        }
    }

    /// Something that differs from the model.
    pub fn differs(&mut self, what: String) {
        self.wrong_count += 1;
        if self.wrong.len() < 20 {
            self.wrong.push(what);
        }
    }

    /// One request decided.
    pub fn decided(&mut self, kind: &'static str, cause: Option<Cause>) {
        let count = self.kinds.entry(kind).or_default();
        count.requests += 1;
        match cause {
            None => count.granted += 1,
            Some(cause) => {
                count.refused += 1;
                *self.causes.entry(name(cause)).or_default() += 1;
            }
        }
    }
}
