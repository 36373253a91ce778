// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the miss unit, of either kind, does with a line that has come.

use super::prelude::*;

/// What is done with the line that has come.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum LinePhase {
    /// None.
    Idle,
    /// May it enter its set?
    Look,
    /// Its first beat waits for a slot.
    Fill,
    /// It is stale, its beats are thrown away.
    Drop,
    /// The fill is on its way to its way.
    Pipe,
    /// Its beats are written.
    Words,
    /// It stands; its waiters wait for those of the line before.
    Hand,
}
