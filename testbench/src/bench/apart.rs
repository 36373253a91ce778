// SPDX-License-Identifier: MIT OR Apache-2.0
//! The history checker on a thread of its own, behind the bench by some thousand transfers.
//!
//! It sees the same transfers in the same order and says yes or no to the whole run. A run it says no to has gone on beyond the fault,
//! so its report is worthless; the same seed gives the same run, and [`super::Strict`] then stops it in the right cycle.

use super::params::Params;
use super::rig::{Judge, Strict};
use crate::trace::Record;
use std::sync::mpsc::{sync_channel, SyncSender};
use std::thread::JoinHandle;

/// Transfers handed over at once.
const BATCH: usize = 512;
/// Batches that may wait.
const AHEAD: usize = 16;

/// The history checker as judge of runs that are expected to be right.
pub struct Apart {
    batch: Vec<Record>,
    to: Option<SyncSender<Vec<Record>>>,
    thread: Option<JoinHandle<Result<(), String>>>,
}

impl Apart {
    /// For a run from an empty table.
    pub fn new(params: &Params) -> Apart {
        let (to, from) = sync_channel::<Vec<Record>>(AHEAD);
        let mut strict = Strict::new(params);
        let thread = std::thread::spawn(move || {
            for batch in from {
                batch.iter().try_for_each(|record| strict.see(record))?;
            }
            strict.finish()
        });
        Apart {
            batch: Vec::with_capacity(BATCH),
            to: Some(to),
            thread: Some(thread),
        }
    }

    fn hand_over(&mut self, next: Vec<Record>) -> Result<(), String> {
        let batch = std::mem::replace(&mut self.batch, next);
        match &self.to {
            Some(to) => to.send(batch).map_err(|_| "the checker objects".into()),
            None => Ok(()),
        }
    }
}

impl Judge for Apart {
    #[inline]
    fn see(&mut self, record: &Record) -> Result<(), String> {
        self.batch.push(record.clone());
        if self.batch.len() == BATCH {
            self.hand_over(Vec::with_capacity(BATCH))?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), String> {
        let handed = self.hand_over(Vec::new());
        self.to = None;
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(said)) => said.and(handed),
            Some(Err(_)) => Err("the checker broke down".into()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Cause, Class, Verdict, What};

    #[test]
    fn an_objection_is_heard_at_the_latest_at_the_end() {
        let params = Params::default();
        assert_eq!(Apart::new(&params).finish(), Ok(()));
        let mut apart = Apart::new(&params);
        let nobody_asked = What::VerdictOut(Verdict {
            port: 0,
            tag: 0,
            granted: true,
            class: Class::Ok,
            cause: Cause::None,
        });
        let seen = apart.see(&Record::new(1, nobody_asked));
        assert_eq!(seen, Ok(()));
        assert!(apart.finish().is_err());
    }
}
