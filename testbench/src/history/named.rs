// SPDX-License-Identifier: MIT OR Apache-2.0
//! Answers to commands that name a key and change nothing (source: docs/interface.md, "deregister/query/flush key").

use super::commands::{Broken, Running};
use super::table::State;
use super::Checker;
use crate::model::{rules, Holding, Seen};
use crate::trace::{access, Answer, Body, Code, RegState};

impl Checker {
    /// A query or the flush of one key.
    pub(super) fn named(&self, cycle: u64, running: &Running, key: u32, answer: &Answer) -> Broken {
        let index = self.params.index(key);
        let body = &running.command.body;
        let query = matches!(body, Body::Query { .. });
        let mut states = Vec::new();
        let mut dead = !self.params.in_table(index);
        for (_, version) in self.table.candidates(index, running.since, cycle) {
            let seen = self.table.seen(version.state);
            let rules = rules(&self.params, body, seen, Seen::NeverUsed, None, 0);
            let right = match (version.state, seen) {
                (State::Retired { lkey, rkey }, _) if query && self.params.in_table(index) => {
                    let known = key == lkey || key == rkey;
                    (answer.code == Code::Ok && answer.state == RegState::Retired)
                        || (!known && answer.code == Code::StaleKey)
                }
                // what a key says that is current but lets nobody in is left open
                (_, Seen::Live(held)) if held.has(key) && !held.valid() => match answer.code {
                    Code::Ok => !query || answer.state == RegState::Free && answer.pd == held.pd,
                    code => code == Code::StaleKey,
                },
                (_, Seen::Live(held)) if answer.code == Code::Ok => {
                    rules.accepts(Code::Ok) && (!query || describes(held, answer))
                }
                _ => rules.accepts(answer.code),
            };
            if right || self.table.wild(index) {
                return Ok(());
            }
            dead |= !self.table.valid(version.state);
            states.push(format!("{:?}", version.state));
        }
        if dead
            && self.params.in_table(index)
            && self.commands.registers > 0
            && matches!(answer.code, Code::BadKey | Code::StaleKey)
        {
            return Ok(());
        }
        let retired = match answer.code {
            Code::Ok => query && answer.state == RegState::Retired,
            code => code == Code::StaleKey,
        };
        if retired && self.resting(index, running.since) {
            return Ok(());
        }
        Err((
            "answer-code",
            format!("index {index} may have been {}", states.join(", ")),
        ))
    }
}

fn describes(held: &Holding, answer: &Answer) -> bool {
    if answer.state != RegState::Valid || answer.pd != held.pd {
        return false;
    }
    // of a window and a null region nothing more is promised
    let Some(region) = &held.region else {
        return true;
    };
    let spec = &region.spec;
    let zero_based = spec.access & access::ZERO_BASED != 0;
    let rights = 0x3ff & !access::HUGETLB;
    (zero_based || answer.iova == spec.iova)
        && answer.length == spec.length
        && (answer.access ^ spec.access) & rights == 0
}
