// SPDX-License-Identifier: MIT OR Apache-2.0
//! What was seen in a capture.

use super::net::Skip;
use serde::Serialize;
use std::collections::BTreeMap;

/// Counters of the reading side.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Counts {
    /// frames of the file
    pub frames: u64,
    /// RC and UC packets whose headers were read
    pub packets: u64,
    /// over IPv6
    pub ipv6: u64,
    /// with a VLAN tag
    pub vlan: u64,
    /// captured in part
    pub cut_payload: u64,
    /// packets by opcode
    pub opcodes: BTreeMap<String, u64>,
    /// frames that are not replayed, by reason
    pub skipped: BTreeMap<Skip, u64>,
    /// requests seen a second time: READs, looked up again
    pub repeated_reads: u64,
    /// the others, answered by a responder from its memory and not looked up
    pub repeated_others: u64,
    /// jumps in the sequence: packets that were lost or not captured
    pub gaps: u64,
    /// sequences that begin anew
    pub connections: u64,
    /// NAKs by syndrome
    pub naks: BTreeMap<String, u64>,
    /// receiver not ready
    pub not_ready: u64,
    /// answers to nothing that is in the capture
    pub unmatched: u64,
    /// the file ends inside a packet
    pub cut_file: bool,
}

impl Counts {
    /// Counts a frame that is left out.
    pub fn skip(&mut self, why: Skip) {
        *self.skipped.entry(why).or_default() += 1;
    }
}
