// SPDX-License-Identifier: MIT OR Apache-2.0
//! A broken rule, with words for a human.

use std::fmt;

/// The first rule that a trace breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Short name of the rule.
    pub rule: &'static str,
    /// Cycle of the transfer that broke it.
    pub cycle: u64,
    /// Explanation, with the transfers involved.
    pub text: String,
}

impl Fault {
    pub(super) fn new(rule: &'static str, cycle: u64, text: impl Into<String>) -> Self {
        Self {
            rule,
            cycle,
            text: text.into(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cycle {}: {} [{}]", self.cycle, self.text, self.rule)
    }
}

impl std::error::Error for Fault {}
