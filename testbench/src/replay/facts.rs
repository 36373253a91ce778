// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of the regions behind a capture: from a file ([`super::regions`]) or from the traffic ([`super::infer`]).

use crate::capture::Source;
use std::collections::HashMap;
use std::net::IpAddr;

/// A memory region or window.
#[derive(Clone, Debug, Default)]
pub struct RegionFact {
    /// for messages
    pub name: String,
    /// whose it is, an index of [`Facts::hosts`]
    pub host: usize,
    /// type of a window
    pub window: Option<u8>,
    /// remote key; 0: none
    pub rkey: u32,
    /// local key; 0: none or not known
    pub lkey: u32,
    /// protection domain, numbered from 1 over all hosts and programs
    pub pd: u32,
    /// type 2 window: the only queue pair that may use it
    pub qpn: Option<u32>,
    /// first address
    pub va: u64,
    /// bytes
    pub length: u64,
    /// rights, bits of [`crate::trace::access`]
    pub access: u32,
    /// moments between which it came to its end
    pub dies: Option<(u64, u64)>,
}

/// A queue pair.
#[derive(Clone, Copy, Debug)]
pub struct Qp {
    /// connected at (0: not known)
    pub since: u64,
    /// protection domain
    pub pd: u32,
    /// rights of the queue pair, if known
    pub access: Option<u32>,
}

/// What the rules say of a request, and what the responder did.
#[derive(Clone, Debug)]
pub struct Expect {
    /// class by the rules
    pub class: String,
    /// other classes that are right
    pub alt: Vec<String>,
    /// for lists
    pub title: String,
}

impl Expect {
    /// Does the responder's side decide it? Otherwise the requester's own memory does.
    pub fn remote(&self) -> bool {
        self.class == "ok" || self.class.starts_with("rem_")
    }

    /// Is this class right?
    pub fn allows(&self, class: &str) -> bool {
        self.class == class || self.alt.iter().any(|a| a == class)
    }
}

/// A region begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Event {
    /// in nanoseconds or frames
    pub at: u64,
    /// its end; ends go before beginnings of the same moment
    pub begins: bool,
    /// index of [`Facts::regions`]
    pub region: usize,
}

/// Everything known.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// file they are from; `None`: inferred
    pub file: Option<String>,
    /// names of the hosts
    pub hosts: Vec<String>,
    /// addresses of the hosts
    pub addresses: HashMap<IpAddr, usize>,
    /// all regions
    pub regions: Vec<RegionFact>,
    /// their beginnings and ends in order
    pub events: Vec<Event>,
    /// moments are frame numbers, not nanoseconds
    pub by_frame: bool,
    /// queue pairs by host and number, in order of time
    pub qps: HashMap<(usize, u32), Vec<Qp>>,
    /// by frame of the first packet of a request
    pub expects: HashMap<u64, Expect>,
    /// highest number of a protection domain
    pub pds: u32,
    /// what was passed over, in words
    pub notes: Vec<String>,
}

/// Nanoseconds by which clocks of hosts may differ.
const SKEW: u64 = 3_000_000;

impl Facts {
    /// Sorts the events; they may have been added in any order.
    pub fn sort(&mut self) {
        self.events.sort_unstable();
        for list in self.qps.values_mut() {
            list.sort_by_key(|q| q.since);
        }
    }

    /// The host behind an address, maybe by another address of its network card.
    pub fn host(&self, ip: IpAddr, source: &Source) -> Option<usize> {
        let known = |ip: IpAddr| self.addresses.get(&ip).copied();
        known(ip).or_else(|| source.beside(ip).find_map(known))
    }

    /// The only host that has a region of this key, if the address says nothing.
    pub fn owner(&self, rkey: u32) -> Option<usize> {
        let mut owners = self
            .regions
            .iter()
            .filter(|r| r.rkey == rkey && rkey != 0)
            .map(|r| r.host);
        let first = owners.next()?;
        owners.all(|o| o == first).then_some(first)
    }

    /// The queue pair of that number at that time: the latest that was connected before.
    pub fn qp(&self, host: usize, number: u32, nanos: u64) -> Option<Qp> {
        let list = self.qps.get(&(host, number))?;
        let before = list.iter().rev().find(|q| q.since <= nanos + SKEW);
        before.or(list.first()).copied()
    }
}
