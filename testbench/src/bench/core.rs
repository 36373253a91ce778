// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bench: an engine with everything around its pins.

use super::fault::{Fault, Kind};
use super::params::Params;
use super::pins::{PinPort, Pins};
use super::rig::{Csr, Judge, Rig, Surroundings};
use super::traffic::{Ask, Silence, Traffic};
use crate::trace::{Answer, Body, Command};

/// Cycles an entry of a page list may take, besides the patience for every command.
const PAGE_PATIENCE: u64 = 400;

/// What the bench needs of an engine: words of the pins and a clock.
pub trait Wires {
    /// All ports but the clock; `word` is the first word in [`Wires::inputs`] or [`Wires::outputs`].
    fn pins(&self) -> Vec<PinPort<'_>>;
    /// Words of the inputs.
    fn inputs(&mut self) -> &mut [u32];
    /// Words of the outputs after the last edge.
    fn outputs(&self) -> &[u32];
    /// One clock cycle.
    fn cycle(&mut self);
    /// Can the inputs of the next cycle be given with the edge of this one?
    fn ahead(&self) -> bool {
        false
    }
    /// Applies the inputs; no clock.
    fn apply(&mut self) {}
    /// Where [`Wires::ahead`]: an edge for the inputs applied last, then the inputs as they are now.
    fn edge(&mut self) {
        unreachable!("only where `ahead` says so")
    }
}

/// Gives the core its secret.
struct Seeding {
    secret: Option<u64>,
    told: bool,
}

impl Traffic for Seeding {
    fn lookup(&mut self, _port: usize, _now: u64) -> Option<Ask> {
        None
    }
    fn command(&mut self, _now: u64) -> Option<Body> {
        self.secret.take().map(|secret| Body::SetSecret { secret })
    }
    fn answer(&mut self, _command: &Command, _answer: &Answer, _now: u64) {
        self.told = true;
    }
    fn done(&self) -> bool {
        self.told
    }
}

/// Engine, drivers, models and judge.
pub struct Bench<E, J> {
    /// the design
    pub engine: E,
    /// everything around it
    pub rig: Rig<J>,
    reset: super::pins::Field,
}

impl<E: Wires, J: Judge> Bench<E, J> {
    /// Resolves the pins and resets the design.
    pub fn new(
        engine: E,
        params: Params,
        judge: J,
        around: Surroundings,
        seed: u64,
    ) -> Result<Self, Fault> {
        let list = engine.pins();
        let bad = |text| Fault::new(Kind::Protocol, 0, text);
        let pins = Pins::new(&list).map_err(bad)?;
        let reset = super::pins::field(&list, "reset", 1, true).map_err(bad)?;
        drop(list);
        let rig = Rig::new(pins, params, judge, around, seed);
        let mut bench = Bench { engine, rig, reset };
        bench.reset(4);
        Ok(bench)
    }

    fn reset(&mut self, cycles: u32) {
        self.engine.inputs().fill(0);
        self.reset.set_bits(self.engine.inputs(), 1);
        for _ in 0..cycles {
            self.engine.cycle();
        }
        self.reset.set_bits(self.engine.inputs(), 0);
    }

    /// One cycle.
    #[inline]
    pub fn step<T: Traffic>(&mut self, traffic: &mut T) -> Result<(), Fault> {
        self.rig.drive(self.engine.inputs(), traffic);
        self.rig.sample(self.engine.outputs(), traffic)?;
        self.engine.cycle();
        if self.rig.now % 1024 == 0 {
            self.rig.watch()?;
        }
        Ok(())
    }

    /// Runs until the traffic is done; `progress` is called every so often with the number of verdicts.
    pub fn run<T: Traffic>(
        &mut self,
        traffic: &mut T,
        mut progress: impl FnMut(u64),
    ) -> Result<(), Fault> {
        if self.engine.ahead() && !traffic.done() {
            return self.run_ahead(traffic, progress);
        }
        while !traffic.done() {
            for _ in 0..256 {
                self.step(traffic)?;
                if traffic.done() {
                    break;
                }
            }
            progress(self.rig.counts.verdicts);
        }
        Ok(())
    }

    /// The same cycles. What is driven next follows from the outputs before an edge, not after it, so both are given at once.
    fn run_ahead<T: Traffic>(
        &mut self,
        traffic: &mut T,
        mut progress: impl FnMut(u64),
    ) -> Result<(), Fault> {
        let mut left = 256;
        self.rig.drive(self.engine.inputs(), traffic);
        self.engine.apply();
        loop {
            self.rig.sample(self.engine.outputs(), traffic)?;
            let watched = if self.rig.now % 1024 == 0 {
                self.rig.watch()
            } else {
                Ok(())
            };
            let done = traffic.done();
            if done || watched.is_err() {
                self.engine.cycle();
                progress(self.rig.counts.verdicts);
                return watched;
            }
            self.rig.drive(self.engine.inputs(), traffic);
            self.engine.edge();
            left -= 1;
            if left == 0 {
                left = 256;
                progress(self.rig.counts.verdicts);
            }
        }
    }

    /// Everything that is under way comes to its end.
    pub fn drain(&mut self) -> Result<(), Fault> {
        self.drain_into(&mut Silence)
    }

    /// The same, with a listener for what still comes.
    pub fn drain_into<T: Traffic>(&mut self, traffic: &mut T) -> Result<(), Fault> {
        self.rig.calm();
        let mut quiet = 0;
        while quiet < 200 {
            self.step(traffic)?;
            quiet = if self.rig.quiet() { quiet + 1 } else { 0 };
        }
        Ok(())
    }

    /// The judge's last word, after [`Bench::drain`].
    pub fn finish(&mut self) -> Result<(), Fault> {
        let now = self.rig.now;
        self.rig
            .judge
            .finish()
            .map_err(|text| Fault::new(Kind::Mismatch, now, text))
    }

    /// Reads or writes a register and waits for the answer, lookups standing still.
    pub fn csr(&mut self, access: Csr) -> Result<u32, Fault> {
        self.rig.csr_done.clear();
        self.rig.csr.push(access);
        let from = self.rig.now;
        loop {
            self.step(&mut Silence)?;
            if let Some(value) = self.rig.csr_done.pop_front() {
                return Ok(value);
            }
            if self.rig.now - from > self.rig.around.patience {
                return Err(self
                    .rig
                    .fault(Kind::Deadlock, format!("no answer to {access:?}")));
            }
        }
    }

    /// Waits until the core takes lookups, as after the sweep that follows reset, and gives it the run's secret if it needs one.
    pub fn wake(&mut self) -> Result<(), Fault> {
        self.swept()?;
        if self.rig.params.secrets {
            let mut seeding = Seeding {
                secret: Some(self.rig.secret),
                told: false,
            };
            self.run(&mut seeding, |_| {})?;
        }
        Ok(())
    }

    /// The first half of [`Bench::wake`].
    pub fn swept(&mut self) -> Result<(), Fault> {
        let from = self.rig.now;
        let pins = self.rig.pins;
        let all = u32::MAX >> (32 - pins.np);
        loop {
            let out = self.engine.outputs();
            if pins.lookup_ready.bits(out) & all == all {
                return Ok(());
            }
            self.step(&mut Silence)?;
            if self.rig.now - from > self.rig.around.patience {
                return Err(self.rig.fault(Kind::Deadlock, "not ready after reset"));
            }
        }
    }
}

impl<J: Judge> Rig<J> {
    /// Is something due for too long?
    pub fn watch(&mut self) -> Result<(), Fault> {
        let (now, patience) = (self.now, self.around.patience);
        if now - self.moved > patience && !self.quiet() {
            return Err(self.fault(
                Kind::Deadlock,
                format!(
                    "no transfer for {} cycles; {}",
                    now - self.moved,
                    self.state()
                ),
            ));
        }
        if now % 16_384 != 0 {
            return Ok(());
        }
        for (p, lane) in self.lanes.iter().enumerate() {
            for (n, tag) in lane.tags.iter().enumerate() {
                let answered = tag.verdict && (!tag.lease || tag.last);
                // a walk over many pages is alive as long as segments come
                let quiet = now - tag.since.max(tag.heard);
                if tag.open && !answered && quiet > 4 * patience {
                    let text = format!(
                        "port {p} tag {n} waits for {quiet} cycles: {tag:?}; {}",
                        self.state()
                    );
                    return Err(self.fault(Kind::Deadlock, text));
                }
            }
        }
        for (command, since) in self.pending.iter().flatten() {
            // a page list takes its time
            let pages = command.body.listed().map_or(0, |reg| reg.list.count());
            // a drain may take as long as the core lets it
            let drain = match command.body {
                Body::Deregister { .. }
                | Body::Invalidate { .. }
                | Body::Reregister { .. }
                | Body::BindWindow(_)
                | Body::DeallocateWindow { .. }
                | Body::EvictPage { .. }
                    if !self.kept.is_empty() =>
                {
                    5 << self.params.drain_bits >> 2
                }
                _ => 0,
            };
            if now - since > 4 * patience + PAGE_PATIENCE * pages + drain {
                let text = format!(
                    "no answer for {} cycles: {command:?}; {}",
                    now - since,
                    self.state()
                );
                return Err(self.fault(Kind::Deadlock, text));
            }
        }
        Ok(())
    }

    /// What is under way, in words.
    pub fn state(&self) -> String {
        let ports: Vec<String> = self.lanes.iter().enumerate().map(|(p, l)| {
            let used = l.tags.iter().filter(|t| t.open).count();
            format!(
                "port {p}: {} offered, {} without verdict, {} leases, {used} tags in use, {} dma_done waiting",
                u32::from(l.ask.is_some()), l.unanswered, l.leases, l.ended.len()
            )
        }).collect();
        format!(
            "{}; commands: {} offered, {} open; page lists: {}; ICM: {} open",
            ports.join("; "),
            self.commands.waiting(),
            self.commands_open(),
            self.pages.waiting(),
            self.icm.open()
        )
    }
}
