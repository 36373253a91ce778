// SPDX-License-Identifier: MIT OR Apache-2.0
//! Answers to commands that name a key and change nothing (source: docs/interface.md, "deregister/query/flush key").

use super::commands::{Broken, Running};
use super::table::State;
use super::Checker;
use crate::model::Region;
use crate::trace::{access, Answer, Body, Code, RegState};

impl Checker {
    /// A command that names a key and changes nothing (or was answered without a region of that key).
    pub(super) fn named(
        &self,
        cycle: u64,
        running: &Running,
        key: u32,
        answer: &Answer,
        harmless: bool,
    ) -> Broken {
        let index = self.params.index(key);
        let query = matches!(running.command.body, Body::Query { .. });
        if !self.params.in_table(index) {
            return if answer.code == Code::BadKey {
                Ok(())
            } else {
                Err(("answer-code", "must be bad_key".into()))
            };
        }
        let mut states = Vec::new();
        let mut dead = false;
        for (_, version) in self.table.candidates(index, running.since, cycle) {
            let right = match version.state {
                State::NeverUsed => answer.code == Code::BadKey,
                State::Retired { lkey, rkey } if query => {
                    let known = key == lkey || key == rkey;
                    (answer.code == Code::Ok && answer.state == RegState::Retired)
                        || (!known && answer.code == Code::StaleKey)
                }
                State::Retired { .. } => answer.code == Code::StaleKey,
                State::Valid(id) => self.table.tracked(id).is_some_and(|tracked| {
                    let region = &tracked.region;
                    match answer.code {
                        Code::Ok if !harmless || ![region.lkey, region.rkey].contains(&key) => {
                            false
                        }
                        Code::Ok => !query || describes(region, answer),
                        Code::StaleKey => ![region.lkey, region.rkey].contains(&key),
                        _ => false,
                    }
                }),
            };
            if right {
                return Ok(());
            }
            dead |= !matches!(version.state, State::Valid(_));
            states.push(format!("{:?}", version.state));
        }
        if dead
            && self.commands.registers > 0
            && matches!(answer.code, Code::BadKey | Code::StaleKey)
        {
            return Ok(());
        }
        Err((
            "answer-code",
            format!("index {index} may have been {}", states.join(", ")),
        ))
    }
}

fn describes(region: &Region, answer: &Answer) -> bool {
    let spec = &region.spec;
    let zero_based = spec.access & access::ZERO_BASED != 0;
    let rights = 0x3ff & !access::HUGETLB;
    answer.state == RegState::Valid
        && answer.pd == spec.pd
        && (zero_based || answer.iova == spec.iova)
        && answer.length == spec.length
        && (answer.access ^ spec.access) & rights == 0
}
