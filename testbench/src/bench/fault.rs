// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why a bench stops before its end.

use std::fmt;

/// The kinds of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An answer contradicts the rules.
    Mismatch,
    /// A rule of the streams or of the ICM port is broken.
    Protocol,
    /// Something is due and nothing moves.
    Deadlock,
    /// A stimulus can't be used.
    Stimulus,
}

/// A fault with its cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// kind
    pub kind: Kind,
    /// cycle in which it was seen
    pub cycle: u64,
    /// in words
    pub text: String,
}

impl Fault {
    /// A fault.
    pub fn new(kind: Kind, cycle: u64, text: impl Into<String>) -> Fault {
        Fault {
            kind,
            cycle,
            text: text.into(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Mismatch => "mismatch",
            Kind::Protocol => "protocol",
            Kind::Deadlock => "deadlock",
            Kind::Stimulus => "stimulus",
        };
        write!(f, "cycle {}: {kind}: {}", self.cycle, self.text)
    }
}

impl std::error::Error for Fault {}
