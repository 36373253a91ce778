// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bench as a device on which conformance cases run: one command and one lookup at a time.

use super::core::{Bench, Wires};
use super::params::Params;
use super::rig::{Strict, Surroundings};
use super::traffic::{Ask, Silence, Traffic};
use crate::cases::{Device, Reply};
use crate::trace::{
    Answer, Body, Cause, Code, Command, EventKind, Lookup, SegStatus, Segment, Verdict,
};
use std::collections::HashMap;

/// Cycles within which the event of a page fault comes.
const EVENT_WAIT: u32 = 64;

/// A bench with a queue of one lookup and one command.
pub struct Cases<E> {
    bench: Bench<E, Strict>,
    params: crate::model::Params,
    /// regions of windows by index: a page fault through a window names its region
    parents: HashMap<u32, u32>,
}

#[derive(Default)]
struct Once {
    lookup: Option<Lookup>,
    command: Option<Body>,
    /// the command waits until so many bytes were served
    after: u64,
    served: u64,
    verdict: Option<Verdict>,
    segments: Vec<Segment>,
    answer: Option<Answer>,
    walks: bool,
    asked: bool,
    told: bool,
}

impl Traffic for Once {
    fn lookup(&mut self, port: usize, _now: u64) -> Option<Ask> {
        if self.lookup.is_some_and(|l| usize::from(l.port) != port) {
            return None;
        }
        self.lookup.take().map(Ask::new)
    }
    fn command(&mut self, _now: u64) -> Option<Body> {
        let refused = self.verdict.is_some_and(|v| !v.granted)
            || self.segments.last().is_some_and(|s| s.last);
        if self.served < self.after && !refused {
            return None;
        }
        self.command.take()
    }
    fn answer(&mut self, _command: &Command, answer: &Answer, _now: u64) {
        self.answer = Some(*answer);
    }
    fn verdict(&mut self, verdict: &Verdict) {
        self.verdict = Some(*verdict);
        self.walks &= verdict.cause != Cause::Nothing;
    }
    fn segment(&mut self, segment: &Segment) {
        self.served += u64::from(segment.len);
        self.segments.push(*segment);
    }
    fn done(&self) -> bool {
        let walked = !self.walks
            || self.verdict.is_some_and(|v| !v.granted)
            || self.segments.last().is_some_and(|s| s.last);
        (!self.asked || (self.verdict.is_some() && walked)) && (!self.told || self.answer.is_some())
    }
}

impl<E: Wires> Cases<E> {
    /// Resets the design; the history checker watches every transfer.
    pub fn new(engine: E, p: &Params, seed: u64) -> anyhow::Result<Self> {
        let mut bench = Bench::new(engine, p.clone(), Strict::new(p), Surroundings::CALM, seed)?;
        bench.wake()?;
        Ok(Cases {
            bench,
            params: p.model(),
            parents: HashMap::new(),
        })
    }

    fn once(&mut self, mut once: Once) -> anyhow::Result<Once> {
        self.bench.rig.events.clear();
        once.asked = once.lookup.is_some();
        once.walks = once.lookup.is_some_and(|l| l.walk && l.len > 0);
        let told = once.command.clone();
        once.told = told.is_some();
        self.bench.run(&mut once, |_| {})?;
        self.learn(&once, told.as_ref());
        // Leases go back before the next step.
        while !self.bench.rig.quiet() {
            self.bench.step(&mut once)?;
        }
        Ok(once)
    }

    /// Which window is bound to which region.
    fn learn(&mut self, once: &Once, told: Option<&Body>) {
        if once.answer.map(|answer| answer.code) != Some(Code::Ok) {
            return;
        }
        let index = |key| self.params.index(key);
        match told {
            Some(Body::BindWindow(bind)) => {
                let (window, region) = (index(bind.key), index(bind.region));
                self.parents.insert(window, region);
            }
            Some(Body::DeallocateWindow { key, .. }) => {
                let window = index(*key);
                self.parents.remove(&window);
            }
            _ => {}
        }
    }

    fn reply(&mut self, once: &Once, lookup: &Lookup) -> anyhow::Result<Reply> {
        let verdict = once.verdict.ok_or_else(|| anyhow::anyhow!("no verdict"))?;
        let faults = once
            .segments
            .last()
            .is_some_and(|s| s.status == SegStatus::PageFault);
        let page = if faults {
            Some(self.fault_page(lookup)?)
        } else {
            None
        };
        Ok(Reply {
            verdict,
            segments: once.segments.clone(),
            page,
        })
    }

    /// The page of the fault event, which may come a little after the segment. The event must name the entry.
    fn fault_page(&mut self, lookup: &Lookup) -> anyhow::Result<u64> {
        for _ in 0..EVENT_WAIT {
            let p = &self.bench.rig.params;
            if let Some(event) = self
                .bench
                .rig
                .events
                .iter()
                .find(|e| e.kind == EventKind::PageFault)
            {
                let (index, page) = p.fault(event.info);
                let own = p.index(lookup.key);
                let wanted = self.parents.get(&own).copied().unwrap_or(own);
                anyhow::ensure!(
                    index == wanted,
                    "the page fault names index {index}, must be {wanted}"
                );
                return Ok(page);
            }
            self.bench.step(&mut Silence)?;
        }
        anyhow::bail!("a page fault without its event")
    }
}

impl<E: Wires> Device for Cases<E> {
    fn params(&self) -> &crate::model::Params {
        &self.params
    }

    fn command(&mut self, command: &Command) -> anyhow::Result<Answer> {
        let once = self.once(Once {
            command: Some(command.body.clone()),
            ..Once::default()
        })?;
        let answer = once.answer.ok_or_else(|| anyhow::anyhow!("no answer"))?;
        Ok(Answer {
            tag: command.tag,
            ..answer
        })
    }

    fn lookup(&mut self, lookup: &Lookup) -> anyhow::Result<Reply> {
        let once = self.once(Once {
            lookup: Some(*lookup),
            ..Once::default()
        })?;
        self.reply(&once, lookup)
    }

    fn midway(
        &mut self,
        lookup: &Lookup,
        after: u64,
        command: &Command,
    ) -> anyhow::Result<(Reply, Answer)> {
        let both = Once {
            lookup: Some(*lookup),
            command: Some(command.body.clone()),
            after,
            ..Once::default()
        };
        let once = self.once(both)?;
        let answer = once.answer.ok_or_else(|| anyhow::anyhow!("no answer"))?;
        Ok((
            self.reply(&once, lookup)?,
            Answer {
                tag: command.tag,
                ..answer
            },
        ))
    }

    /// The checker's last word is part of the case.
    fn finish(&mut self) -> anyhow::Result<()> {
        self.bench.drain()?;
        Ok(self.bench.finish()?)
    }
}
