// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a scenario gives the bench to do, and what it hears back.

use crate::trace::{Answer, Body, Command, Lookup, Segment, Verdict};

/// A lookup to be offered; the bench chooses the tag.
#[derive(Clone, Copy, Debug)]
pub struct Ask {
    /// The request; port and tag are filled in.
    pub lookup: Lookup,
    /// Use a tag that is in use, as a protocol fault (if one is surely in use).
    pub reuse: bool,
    /// Use exactly the tag of `lookup`, in use or not (a user's own trace).
    pub fixed_tag: bool,
    /// Its lease is given back only when a deregistration was answered overdue, or when the run comes to its end.
    pub keep: bool,
}

impl Ask {
    /// A request with a free tag.
    pub fn new(lookup: Lookup) -> Ask {
        Ask {
            lookup,
            reuse: false,
            fixed_tag: false,
            keep: false,
        }
    }
}

/// A source of stimuli. The bench calls it; it never sees the pins.
pub trait Traffic {
    /// The next lookup for a port that is free to offer one.
    fn lookup(&mut self, port: usize, now: u64) -> Option<Ask>;

    /// The lookup that was given last goes to the pins, with the port and the tag the bench chose.
    fn offered(&mut self, _lookup: &Lookup) {}

    /// The next command, when the registration port is free to offer one; the bench chooses the tag.
    fn command(&mut self, now: u64) -> Option<Body>;

    /// A command was answered.
    fn answer(&mut self, _command: &Command, _answer: &Answer, _now: u64) {}

    /// A lookup got its verdict.
    fn verdict(&mut self, _verdict: &Verdict) {}

    /// A segment came.
    fn segment(&mut self, _segment: &Segment) {}

    /// Nothing more will be asked for.
    fn done(&self) -> bool;
}

/// Nothing to do: used to drain.
pub struct Silence;

impl Traffic for Silence {
    fn lookup(&mut self, _port: usize, _now: u64) -> Option<Ask> {
        None
    }
    fn command(&mut self, _now: u64) -> Option<Body> {
        None
    }
    fn done(&self) -> bool {
        true
    }
}
