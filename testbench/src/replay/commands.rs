// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lives of regions as commands of the registration port.

use super::facts::Facts;
use super::keys::Keys;
use super::space::Space;
use super::tally::{Exception, Reason, Tally};
use crate::bench::tally::name;
use crate::bench::Params;
use crate::model::Model;
use crate::trace::{Answer, Body, Code, Mode, Register};
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

/// A command to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Planned {
    /// MTT window of a domain
    Window(u32),
    /// a region begins
    Begin(usize),
    /// a region ends
    End(usize),
    /// a key of the core is deregistered because a packet asked for it
    Invalidate(u32),
}

/// What waits for its answer.
enum Waiting {
    Window,
    Begin(usize, Arc<Register>),
    End(usize),
    Invalidate,
}

/// Commands in order, one at a time.
pub(super) struct Commands {
    pub queue: VecDeque<Planned>,
    waiting: Option<Waiting>,
    windows: HashSet<u32>,
    space: Space,
    held: HashMap<usize, Arc<Register>>,
    /// regions that live
    pub living: HashSet<usize>,
    /// regions that have begun, or could not
    begun: HashSet<usize>,
    /// the configuration is too small
    pub trouble: Option<String>,
}

impl Commands {
    /// Nothing to do yet.
    pub fn new(p: &Params) -> Commands {
        Commands {
            queue: VecDeque::new(),
            waiting: None,
            windows: HashSet::new(),
            space: Space::new(p),
            held: HashMap::new(),
            living: HashSet::new(),
            begun: HashSet::new(),
            trouble: None,
        }
    }

    /// No command is to come or waits for its answer.
    pub fn idle(&self) -> bool {
        self.queue.is_empty() && self.waiting.is_none()
    }

    /// A region begins; one with the same key ends first.
    pub fn begin(&mut self, region: usize, facts: &Facts, keys: &Keys) {
        let fact = &facts.regions[region];
        if fact.length == 0 || !self.begun.insert(region) {
            return;
        }
        if let Some(former) = keys.holder(fact.host, fact.rkey) {
            self.end(former);
        }
        if self.windows.insert(fact.pd) {
            self.queue.push_back(Planned::Window(fact.pd));
        }
        self.queue.push_back(Planned::Begin(region));
        self.living.insert(region);
    }

    /// A region ends, if it lives.
    pub fn end(&mut self, region: usize) {
        if self.living.remove(&region) {
            self.queue.push_back(Planned::End(region));
        }
    }

    /// The next command, if none waits for its answer.
    pub fn next(&mut self, facts: &Facts, keys: &Keys, p: &Params) -> Option<Body> {
        while self.waiting.is_none() {
            let (body, waiting) = match self.queue.pop_front()? {
                Planned::Window(pd) => {
                    let (base, words) = Space::window(p);
                    (Body::PdWindow { pd, base, words }, Waiting::Window)
                }
                Planned::Begin(region) => match self.space.register(&facts.regions[region]) {
                    Ok(reg) => {
                        let reg = Arc::new(reg);
                        (Body::Register((*reg).clone()), Waiting::Begin(region, reg))
                    }
                    Err(what) => {
                        let name = &facts.regions[region].name;
                        self.trouble = Some(format!(
                            "{name} needs {what}, which the configuration has not"
                        ));
                        return None;
                    }
                },
                Planned::End(region) => {
                    // a registration that was refused has nothing to end
                    let Some(key) = keys.live(region) else {
                        continue;
                    };
                    let mode = Mode::Cut;
                    (Body::Deregister { key, mode }, Waiting::End(region))
                }
                Planned::Invalidate(key) => {
                    let mode = Mode::Cut;
                    (Body::Deregister { key, mode }, Waiting::Invalidate)
                }
            };
            self.waiting = Some(waiting);
            return Some(body);
        }
        None
    }

    /// The answer of the command that waits.
    pub fn answer(
        &mut self,
        body: &Body,
        answer: &Answer,
        (facts, keys, model, tally): (&Facts, &mut Keys, &mut Model, &mut Tally),
    ) {
        let Some(waiting) = self.waiting.take() else {
            return;
        };
        if let Waiting::Begin(region, reg) = waiting {
            return self.registered(region, reg, answer, (facts, keys, model, tally));
        }
        let want = model.answer(answer.tag, body).code;
        if want != answer.code {
            tally.differs(format!("{body:?} got {answer:?}, the model says {want:?}"));
        }
        match waiting {
            Waiting::End(region) => {
                keys.died(region);
                if let Some(reg) = self.held.remove(&region) {
                    self.space.free(&reg);
                }
            }
            Waiting::Invalidate => tally.invalidations[1] += u64::from(answer.code != Code::Ok),
            _ => {}
        }
    }

    fn registered(
        &mut self,
        region: usize,
        reg: Arc<Register>,
        answer: &Answer,
        (facts, keys, model, tally): (&Facts, &mut Keys, &mut Model, &mut Tally),
    ) {
        let fact = &facts.regions[region];
        let reasons = model.reasons(&reg);
        if answer.code != Code::NoSpace && !reasons.accepts(answer.code) {
            tally.differs(format!(
                "{reg:?} got {answer:?}, the model says {reasons:?}"
            ));
        }
        if answer.code == Code::Ok {
            for fault in model.learn(reg.clone(), answer.lkey, answer.rkey) {
                tally.differs(format!("{} got {answer:?}: {fault}", fact.name));
            }
            keys.born(region, fact, answer.lkey, answer.rkey);
            self.held.insert(region, reg);
            tally.windows += u64::from(fact.window.is_some());
            return;
        }
        self.living.remove(&region);
        self.space.free(&reg);
        if answer.code == Code::NoSpace {
            let live = self.living.len();
            self.trouble = Some(format!(
                "{} is one more than the {live} regions that the configuration can hold at once",
                fact.name
            ));
            return;
        }
        let why = reasons.must.first().map_or("", |(_, why)| why);
        tally.except(Exception {
            frame: 0,
            op: "register",
            request: format!(
                "{} key 0x{:08x} va 0x{:x} length {}",
                fact.name, fact.rkey, fact.va, fact.length
            ),
            capture: "registered".into(),
            core: format!("refused: {}", name(answer.code)),
            reason: Reason::Registration,
            why: format!("the core does not take it: {why}"),
        });
    }
}
