// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which version of an entry explains a verdict.

use super::lookups::Choice;
use super::table::State;
use super::{Checker, Fault};
use crate::model::judge::without_entry;
use crate::model::{judge, Outcome};
use crate::trace::{Cause, Lookup, Verdict};

impl Checker {
    /// The entry of a state as what explains a request that walks.
    pub(super) fn choice(&self, state: State, outcome: &Outcome) -> Vec<Choice> {
        let State::Live(id) = state else {
            return Vec::new();
        };
        let parent = self.table.tracked(id).and_then(|tracked| tracked.parent);
        let offset = outcome.offset;
        let choice = outcome.walks.then_some(Choice { id, parent, offset });
        choice.into_iter().collect()
    }

    /// Finds the oldest version that explains a verdict. `None`: an index without version does, or an open one may.
    pub(super) fn explain(
        &mut self,
        cycle: u64,
        at: u64,
        lookup: &Lookup,
        verdict: &Verdict,
    ) -> Result<Option<(Outcome, Vec<Choice>)>, Fault> {
        let seen = (verdict.granted, verdict.class, verdict.cause);
        let same = |outcome: &Outcome| (outcome.granted, outcome.class, outcome.cause) == seen;
        if let Some(outcome) = without_entry(&self.params, lookup) {
            if same(&outcome) {
                return Ok(Some((outcome, Vec::new())));
            }
            let text = format!(
                "{verdict:?} on {lookup:?} of cycle {at}: must be {:?} whatever the table holds",
                outcome.cause
            );
            return Err(Fault::new("verdict", cycle, text));
        }
        let index = self.params.index(lookup.key);
        let mut hit: Option<(usize, Outcome, Vec<Choice>)> = None;
        let mut more = false;
        let mut dead = false;
        let mut changed = false;
        for (position, version) in self.table.candidates(index, at, cycle) {
            changed |= position > 0;
            let valid = self.table.valid(version.state);
            dead |= !valid;
            let outcome = judge(&self.params, lookup, self.table.view(version.state));
            // an entry in use that lets nobody in may say so for either reason
            let free = matches!(version.state, State::Live(_)) && !valid;
            let stale = free && outcome.cause == Cause::WrongSide && {
                let other = Outcome::refusal(lookup, Cause::StaleKey);
                same(&other)
            };
            if same(&outcome) || stale {
                if let Some((_, first, choices)) = &mut hit {
                    more = true;
                    if first.walks && outcome.walks {
                        choices.extend(self.choice(version.state, &outcome));
                        continue;
                    }
                    break;
                }
                let choices = self.choice(version.state, &outcome);
                hit = Some((position, outcome, choices));
            }
        }
        if let Some((position, outcome, choices)) = hit {
            self.table.begun(index, position, cycle);
            self.stats.ambiguous += u64::from(more);
            if position > 0 && !more && self.commands.endings > 0 {
                self.table.mark_seen(index, position, || {
                    format!("{verdict:?} on {lookup:?} of cycle {at}")
                });
            }
            return Ok(Some((outcome, choices)));
        }
        // An index without valid entry may be between versions while some registration is not answered,
        // or was between them at some moment of this lookup's life.
        let between = dead
            && (changed || self.commands.registers > 0)
            && matches!(verdict.cause, Cause::BadKey | Cause::StaleKey);
        if (between || self.table.wild(index))
            && Outcome::refusal(lookup, verdict.cause).class == verdict.class
            && !verdict.granted
        {
            return Ok(None);
        }
        let states: Vec<_> = self
            .table
            .candidates(index, at, cycle)
            .map(|(_, version)| {
                let outcome = judge(&self.params, lookup, self.table.view(version.state));
                format!(
                    "{:?} (from {}..{}) -> {:?}/{:?}",
                    version.state, version.earliest, version.latest, outcome.class, outcome.cause
                )
            })
            .collect();
        let text = format!(
            "{verdict:?} on {lookup:?} of cycle {at}: index {index} may have been {}",
            states.join(", ")
        );
        let rule = if verdict.granted {
            "wrong-grant"
        } else {
            "verdict"
        };
        Err(Fault::new(rule, cycle, text))
    }
}
