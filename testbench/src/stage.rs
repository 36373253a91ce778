// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage for directed tests: a core on the Verilator engine with the history checker watching, and words short enough
//! to write a scene in ten lines. A fault of the core, of the checker or of the clock's patience is a panic with the last transfers.

mod engines;
mod life;
mod play;
mod script;
mod seen;
mod spec;

pub use engines::{each, engine, full, on, scrambled};
pub use life::{Window, ONE, TWO_A, TWO_B};
pub use script::Script;
pub use seen::{Look, Looked, Seen, Sent, Told, Watch};
pub use spec::{Keys, Spec, ALL};

use crate::bench::dma::Hold;
use crate::bench::icm::Latency;
use crate::bench::pattern::Shape;
use crate::bench::{Bench, Chosen, Csr, Params, Side, Surroundings};

/// `claim!(stage, condition, "words", ...)`: fails with the last transfers unless the condition holds.
#[macro_export]
macro_rules! claim {
    ($stage:expr, $good:expr, $($why:tt)+) => {
        let good: bool = $good;
        if !good {
            let why = format!($($why)+);
            $stage.fail(&why);
        }
    };
}

/// Cycles a scene may wait for something.
pub const PATIENCE: u64 = 60_000;

/// A core and everything around it.
pub struct Stage {
    /// engine, drivers, models, checker
    pub bench: Bench<Chosen, Watch>,
    /// numbers of the configuration
    pub p: Params,
    /// its name
    pub config: &'static str,
    script: Script,
    around: Surroundings,
    next_word: [u64; 4],
    next_page: u64,
}

impl Stage {
    /// A core after reset, with MTT windows for PD 1 and 2, a memory that answers after 8 cycles, and leases given back at once.
    pub fn new(config: &'static str) -> Stage {
        Stage::around(engine(config), config, Surroundings::CALM)
    }

    /// The same on a given engine.
    pub fn around(engine: Chosen, config: &'static str, around: Surroundings) -> Stage {
        let mut stage = Stage::bare(engine, config, around);
        stage.set_windows();
        stage
    }

    /// The same before any command: no window is set.
    pub fn bare(engine: Chosen, config: &'static str, around: Surroundings) -> Stage {
        let mut stage = Stage::asleep(engine, config, around);
        if let Err(fault) = stage.bench.wake() {
            stage.fail(&fault.to_string());
        }
        // the numbers of a scene's commands begin behind the secret
        stage.bench.rig.judge.seen.told.clear();
        stage
    }

    /// The same before it has a secret, where it needs one.
    pub fn asleep(engine: Chosen, config: &'static str, around: Surroundings) -> Stage {
        let p = Params::of(config).expect("the configuration is compiled in");
        let bench = Bench::new(engine, p.clone(), Watch::new(&p), around, 11)
            .expect("the pins are those of the core");
        let script = Script::new(p.ports as usize);
        let mut stage = Stage {
            bench,
            p,
            config,
            script,
            around,
            next_word: [0; 4],
            next_page: 1,
        };
        if let Err(fault) = stage.bench.swept() {
            stage.fail(&fault.to_string());
        }
        stage
    }

    /// Reset in the middle of whatever goes on; the memory is cleared too. Nothing is expected of what was under way.
    pub fn reset(self) -> Stage {
        Stage::around(self.bench.engine, self.config, self.around)
    }

    /// Says what was seen last and panics.
    pub fn fail(&self, why: &str) -> ! {
        let rig = &self.bench.rig;
        let text = rig.recent().join("\n");
        panic!("{}: {why}\n{}\n{text}", self.config, rig.state());
    }

    /// Checks something; where the check itself moves the clock, [`crate::claim`] is the word.
    pub fn claim(&self, good: bool, why: impl AsRef<str>) {
        if !good {
            self.fail(why.as_ref());
        }
    }

    /// Latency of the memory from now on; one number: answers in order of the requests.
    pub fn icm(&mut self, cycles: u16) {
        self.surround(Surroundings {
            icm: Latency::Fixed(cycles),
            ..self.around
        });
    }

    /// When leases end from now on.
    pub fn hold(&mut self, low: u16, high: u16) {
        let hold = Hold {
            low,
            high,
            tail: 0,
            longest: high,
            wrong: 0,
        };
        self.surround(Surroundings {
            hold,
            ..self.around
        });
    }

    /// Everything around, anew.
    pub fn surround(&mut self, around: Surroundings) {
        self.around = around;
        self.bench.rig.surround(around);
    }

    /// No `dma_done` on any port until [`Stage::free_leases`].
    pub fn keep_leases(&mut self) {
        for lane in &mut self.bench.rig.lanes {
            lane.dma.set(Shape::NeverFor(u32::MAX));
        }
    }

    /// `dma_done` goes on.
    pub fn free_leases(&mut self) {
        for lane in &mut self.bench.rig.lanes {
            lane.dma.set(Shape::Always);
        }
    }

    /// Verdicts and segments of a port: taken or not.
    pub fn block(&mut self, port: usize, verdicts: bool, segments: bool) {
        let shape = |blocked| {
            if blocked {
                Shape::NeverFor(u32::MAX)
            } else {
                Shape::Always
            }
        };
        let lane = &mut self.bench.rig.lanes[port];
        lane.verdicts.set(shape(verdicts));
        lane.segments.set(shape(segments));
    }

    /// A stream that belongs to no port: active or not.
    pub fn side(&mut self, side: Side, active: bool) {
        self.bench.rig.side(side).set(if active {
            Shape::Always
        } else {
            Shape::NeverFor(u32::MAX)
        });
    }

    /// A counter of the core.
    pub fn counter(&mut self, name: &str) -> u64 {
        let at = latchkey_hdl::csr::counter(name).unwrap_or_else(|| panic!("no counter {name}"));
        let addr = latchkey_hdl::csr::COUNTERS_AT + at as u8;
        u64::from(self.csr(addr, None))
    }

    /// A register, read, or written with a value.
    pub fn csr(&mut self, addr: u8, write: Option<u32>) -> u32 {
        match self.bench.csr(Csr { addr, write }) {
            Ok(value) => value,
            Err(fault) => self.fail(&fault.to_string()),
        }
    }

    /// Bad keys a queue pair may present until it is reported (0: as many as it likes), and whether it is then refused.
    pub fn limit_bad_keys(&mut self, limit: u8, refuse: bool) {
        let value = u32::from(limit) | u32::from(refuse) << 8;
        self.csr(latchkey_hdl::csr::LIMIT_AT, Some(value));
        let refused = refuse && limit > 0;
        if let Some(checker) = self.bench.rig.judge.checker() {
            checker.limit_bad_keys(refused.then_some(u64::from(limit)));
        }
    }

    /// The bad keys of a queue pair are forgotten.
    pub fn forgive(&mut self, qpn: u32) {
        self.csr(latchkey_hdl::csr::FORGIVE_AT, Some(qpn));
        if let Some(checker) = self.bench.rig.judge.checker() {
            checker.forgive(qpn);
        }
    }

    /// What happened so far.
    pub fn seen(&self) -> &Seen {
        &self.bench.rig.judge.seen
    }

    /// Cycle to come.
    pub fn now(&self) -> u64 {
        self.bench.rig.now
    }

    /// Everything comes to its end and the checker has its last word.
    pub fn finish(mut self) {
        self.free_leases();
        self.settle();
        let end = self.bench.drain().and_then(|()| self.bench.finish());
        if let Err(fault) = end {
            self.fail(&fault.to_string());
        }
    }
}
