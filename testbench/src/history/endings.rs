// SPDX-License-Identifier: MIT OR Apache-2.0
//! What must be over before the answer to a command that ends accesses (source: docs/interface.md, "Lookups with the key of
//! a deregister", evict_page).

use super::commands::Drain;
use super::lookups::{Evicted, Open};
use super::pages::usable;
use super::{Checker, Fault};
use crate::model::judge::writes;
use crate::trace::Mode;

impl Checker {
    /// Once the cycle of an answer is over, all that must have ended before it is checked.
    pub(super) fn drained(&mut self) -> Result<(), Fault> {
        for drain in std::mem::take(&mut self.commands.drain) {
            match drain.page {
                None => self.drained_entry(&drain)?,
                Some((number, serial)) => self.drained_page(&drain, number, serial)?,
            }
        }
        Ok(())
    }

    /// The rule that an open request of an ended entry breaks, and why.
    fn late(drain: &Drain, open: &Open) -> Option<(&'static str, String)> {
        let (lookup, at, words) = (open.lookup, open.at, &drain.words);
        if open.last.is_none() {
            let text = format!("{words}, but the walk of {lookup:?} of cycle {at} has not ended");
            return Some(("answer-before-walk", text));
        }
        if drain.mode != Mode::Contract && open.done.is_none() {
            let text = format!("{words}, but no dma_done was given for {lookup:?} of cycle {at}");
            return Some(("answer-before-done", text));
        }
        None
    }

    fn drained_entry(&mut self, drain: &Drain) -> Result<(), Fault> {
        let Checker { ports, table, .. } = self;
        let slots = ports.iter_mut().flat_map(|port| &mut port.slots);
        for open in slots.filter_map(|slot| slot.owner.as_mut()) {
            if !open.refers(drain.id) {
                continue;
            }
            let Some((rule, text)) = Self::late(drain, open) else {
                continue;
            };
            // the next version of the entry may explain it as well
            for gone in open.give_up(|choice| choice.refers(drain.id)) {
                gone.let_go(table, drain.cycle);
            }
            if open.choice.is_none() {
                return Err(Fault::new(rule, drain.cycle, text));
            }
        }
        Ok(())
    }

    fn drained_page(&mut self, drain: &Drain, number: u64, serial: u64) -> Result<(), Fault> {
        let Checker { ports, table, .. } = self;
        let Some(tracked) = table.tracked(drain.id) else {
            return Ok(());
        };
        let (Some(region), Some(pages)) = (&tracked.held.region, &tracked.pages) else {
            return Ok(());
        };
        let newer = pages.lock().map_or(Vec::new(), |p| p.since(number, serial));
        let evicted = Evicted {
            region: drain.id,
            number,
            cycle: drain.cycle,
        };
        let slots = ports.iter_mut().flat_map(|port| &mut port.slots);
        for open in slots.filter_map(|slot| slot.owner.as_mut()) {
            let Some(choice) = open.choice.filter(|choice| choice.data() == drain.id) else {
                if open.choice.is_none() {
                    open.evicted.push(evicted);
                }
                continue;
            };
            let all = region.pages(choice.offset, open.lookup.len);
            if !all.is_some_and(|(first, last)| (first..=last).contains(&number)) {
                continue;
            }
            let write = writes(open.lookup.op);
            let after = newer.iter().any(|entry| usable(entry, write));
            if open.served > 0 && open.whole && !after && open.others.is_empty() {
                if let Some((rule, text)) = Self::late(drain, open) {
                    return Err(Fault::new(rule, drain.cycle, text));
                }
            }
            if open.last.is_none() && !after {
                open.evicted.push(evicted);
            }
        }
        Ok(())
    }
}
