// SPDX-License-Identifier: MIT OR Apache-2.0
//! Verbs of a scene: ask, tell, run, wait.

use super::seen::{Look, Looked, Told};
use super::spec::{Keys, Spec};
use super::{Stage, PATIENCE};
use crate::bench::{Ask, Traffic};
use crate::model::register::pages_needed;
use crate::trace::{Answer, Body, Code, Entry, FlushScope, Lookup, Mode, PageList, Register};

impl Stage {
    /// Windows for PD 1 and 2.
    pub fn set_windows(&mut self) {
        let half = 1 << (self.p.mtt_bits.min(16) - 1);
        for pd in [1, 2] {
            let base = u64::from(pd - 1) * half;
            self.next_word[pd as usize] = base;
            let answer = self.tell(Body::PdWindow {
                pd,
                base,
                words: half,
            });
            self.claim(answer.code == Code::Ok, "a window is set");
        }
    }

    /// MTT words of a PD for so many pages; they come round again.
    pub fn words(&mut self, pd: u32, pages: u64) -> u64 {
        let half = 1 << (self.p.mtt_bits.min(16) - 1);
        let base = u64::from(pd - 1) * half;
        let next = &mut self.next_word[pd as usize];
        if *next + pages > base + half {
            *next = base;
        }
        *next += pages;
        *next - pages
    }

    /// The registration of a region, with frames and MTT words of its own.
    pub fn plan(&mut self, spec: &Spec) -> Register {
        let Spec {
            pd,
            iova,
            length,
            access,
            page,
            ..
        } = *spec;
        let Some(shift) = page.shift() else {
            return Register {
                pd,
                iova,
                length,
                access,
                page,
                base: spec.base,
                pages: 0,
                list: PageList::default(),
            };
        };
        let pages = pages_needed(iova, length, shift) as u64;
        let mut list: Vec<Entry> = Vec::new();
        for _ in 0..pages {
            // no two frames in a row are neighbours
            self.next_page += 3;
            let frame = self.next_page % (crate::model::mask(self.p.pa_bits) >> shift).max(1);
            list.push(Entry::page(frame << shift));
        }
        for (at, entry) in &spec.set {
            list[*at] = *entry;
        }
        let base = if (1..3).contains(&pd) {
            self.words(pd, pages)
        } else {
            0
        };
        Register {
            pd,
            iova,
            length,
            access,
            page,
            base,
            pages,
            list: PageList::List(list),
        }
    }

    /// Registers and expects ok.
    pub fn region(&mut self, spec: &Spec) -> Keys {
        let r = self.plan(spec);
        self.register(r)
    }

    /// Registers and expects ok.
    pub fn register(&mut self, spec: Register) -> Keys {
        let answer = self.tell(Body::Register(spec.clone()));
        self.claim(
            answer.code == Code::Ok,
            format!("{spec:?} is registered: {answer:?}"),
        );
        Keys::of(&answer, spec)
    }

    /// Registers and gives the answer.
    pub fn try_register(&mut self, spec: Register) -> Code {
        self.tell(Body::Register(spec)).code
    }

    /// Deregisters to the answer.
    pub fn end(&mut self, keys: &Keys, mode: Mode) -> Answer {
        self.tell(Body::Deregister {
            key: keys.rkey,
            mode,
        })
    }

    /// Flushes to the answer.
    pub fn flush(&mut self, key: u32, scope: FlushScope) -> Code {
        self.tell(Body::Flush { key, scope }).code
    }

    /// Offers a command from cycle `at` on.
    pub fn tell_at(&mut self, at: u64, body: Body) -> Told {
        let waiting = self.bench.rig.offered_commands() + self.script.commands.len();
        let told = Told(self.seen().told.len() + waiting);
        self.script.commands.push_back((at, body));
        told
    }

    /// Offers a command now, without waiting.
    pub fn send(&mut self, body: Body) -> Told {
        self.tell_at(0, body)
    }

    /// A command to its answer.
    pub fn tell(&mut self, body: Body) -> Answer {
        let told = self.send(body);
        self.answer(told)
    }

    /// Waits for the answer.
    pub fn answer(&mut self, told: Told) -> Answer {
        self.until("an answer", |s| s.answered(told).is_some());
        self.answered(told)
            .map_or_else(|| Answer::bare(0, Code::BadOp), |(_, a)| a)
    }

    /// The answer, if it came, and its cycle.
    pub fn answered(&self, told: Told) -> Option<(u64, Answer)> {
        self.seen().told.get(told.0).and_then(|sent| sent.answer)
    }

    /// Offers a lookup from cycle `at` on.
    pub fn ask_at(&mut self, at: u64, port: usize, lookup: Lookup) -> Look {
        self.put(at, port, Ask::new(lookup))
    }

    /// Offers any kind of request.
    pub fn put(&mut self, at: u64, port: usize, ask: Ask) -> Look {
        let offered = usize::from(self.bench.rig.lanes[port].ask.is_some());
        let look = Look(
            port,
            self.seen().looks[port].len() + offered + self.script.asks[port].len(),
        );
        self.script.asks[port].push_back((at, ask));
        look
    }

    /// Offers a lookup now, without waiting.
    pub fn ask(&mut self, port: usize, lookup: Lookup) -> Look {
        self.ask_at(0, port, lookup)
    }

    /// A lookup at port 0, to its last segment.
    pub fn lookup(&mut self, lookup: Lookup) -> Looked {
        self.lookup_on(0, lookup)
    }

    /// A lookup to its last segment.
    pub fn lookup_on(&mut self, port: usize, lookup: Lookup) -> Looked {
        let look = self.ask(port, lookup);
        self.done(look)
    }

    /// Waits until a lookup has its verdict and its last segment.
    pub fn done(&mut self, look: Look) -> Looked {
        self.until("a lookup", |s| {
            s.look(look)
                .is_some_and(|l| l.over() || l.walked() && l.verdict.is_some())
        });
        self.look(look)
            .cloned()
            .unwrap_or_else(|| self.fail("no such lookup"))
    }

    /// What came of a lookup so far; nothing before its transfer.
    pub fn look(&self, look: Look) -> Option<&Looked> {
        self.seen().looks[look.0].get(look.1)
    }

    /// One cycle.
    pub fn step(&mut self) {
        if let Err(fault) = self.bench.step(&mut self.script) {
            self.fail(&fault.to_string());
        }
    }

    /// So many cycles.
    pub fn run(&mut self, cycles: u64) {
        for _ in 0..cycles {
            self.step();
        }
    }

    /// Until something is so; panics when it never is.
    pub fn until(&mut self, what: &str, mut so: impl FnMut(&Stage) -> bool) {
        let from = self.now();
        while !so(self) {
            self.step();
            if self.now() - from > PATIENCE {
                self.fail(&format!("waited for {what} in vain"));
            }
        }
    }

    /// Until all that was asked for is answered and every lease is back.
    pub fn settle(&mut self) {
        self.until("the end", |s| s.script.done() && s.bench.rig.quiet());
    }
}

/// Tags and `dma_done` against the rules.
impl Stage {
    /// Takes the `n`-th free tag of a port out of use (until its `dma_done`).
    pub fn free_tag(&mut self, port: usize, n: usize) -> u16 {
        self.until("a free tag", |s| !s.bench.rig.lanes[port].free.is_empty());
        let free = &mut self.bench.rig.lanes[port].free;
        free.swap_remove(n % free.len())
    }

    /// Takes this tag of a port out of use; false when it is in use.
    pub fn take_tag(&mut self, port: usize, tag: u16) -> bool {
        let free = &mut self.bench.rig.lanes[port].free;
        let at = free.iter().position(|t| *t == tag);
        at.map(|at| free.swap_remove(at)).is_some()
    }

    /// A `dma_done` nobody waits for.
    pub fn wrong_done(&mut self, port: usize, tag: u16) {
        self.bench.rig.lanes[port].ended.push_back((tag, true));
    }
}
