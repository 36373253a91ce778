// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which version of an entry explains a verdict.

use super::table::{Id, State};
use super::{Checker, Fault};
use crate::model::judge::without_entry;
use crate::model::{judge, Outcome};
use crate::trace::{Cause, Lookup, Verdict};

impl Checker {
    /// Finds the oldest version that explains a verdict. `None`: an index without version does, or an open one may.
    #[allow(clippy::type_complexity)]
    pub(super) fn explain(
        &mut self,
        cycle: u64,
        at: u64,
        lookup: &Lookup,
        verdict: &Verdict,
    ) -> Result<Option<(Outcome, Option<Id>)>, Fault> {
        let same = |outcome: &Outcome| {
            (outcome.granted, outcome.class, outcome.cause)
                == (verdict.granted, verdict.class, verdict.cause)
        };
        if let Some(outcome) = without_entry(&self.params, lookup) {
            if same(&outcome) {
                return Ok(Some((outcome, None)));
            }
            let text = format!(
                "{verdict:?} on {lookup:?} of cycle {at}: must be {:?} whatever the table holds",
                outcome.cause
            );
            return Err(Fault::new("verdict", cycle, text));
        }
        let index = self.params.index(lookup.key);
        let mut hit = None;
        let mut more = false;
        let mut dead = false;
        let mut changed = false;
        for (position, version) in self.table.candidates(index, at, cycle) {
            changed |= position > 0;
            dead |= !matches!(version.state, State::Valid(_));
            let outcome = judge(&self.params, lookup, self.table.view(version.state));
            if same(&outcome) {
                let id = if let State::Valid(id) = version.state {
                    Some(id)
                } else {
                    None
                };
                if hit.is_some() {
                    more = true;
                    break;
                }
                hit = Some((position, outcome, id));
            }
        }
        if let Some((position, outcome, id)) = hit {
            self.table.begun(index, position, cycle);
            self.stats.ambiguous += u64::from(more);
            if position > 0 && !more && self.commands.endings > 0 {
                self.table.mark_seen(index, position, || {
                    format!("{verdict:?} on {lookup:?} of cycle {at}")
                });
            }
            return Ok(Some((outcome, id)));
        }
        // An index without valid entry may be between versions while some registration is not answered,
        // or was between them at some moment of this lookup's life.
        let between = dead
            && (changed || self.commands.registers > 0)
            && matches!(verdict.cause, Cause::BadKey | Cause::StaleKey);
        if between
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
