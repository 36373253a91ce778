// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an export must pass, for every module of every configuration.
//!
//! A fresh instance passes rust-hdl's checks and the lint; two exports are equal; Verilator's lint, Icarus and
//! yosys accept the text without latch, loop or undriven wire; and a random run of the Rust simulation equals one
//! of the compiled Verilog at every output, before and after every edge.

mod differential;
mod tools;

pub use differential::{differential, Mismatch};

use latchkey_hdl::{ConfigInfo, Module};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;

/// Stack of a gate thread in bytes.
const STACK: usize = 64 << 20;

/// How the gate runs.
#[derive(Clone, Debug)]
pub struct Options {
    /// Start of all random stimulus.
    pub seed: u64,
    /// Cycles a module in the differential run; None takes them from the size of its ports.
    pub cycles: Option<u64>,
    /// Modules at work at once.
    pub threads: usize,
    /// Only modules whose `config/module` contains this.
    pub only: Option<String>,
}

impl Options {
    /// From `LATCHKEY_SEED`, `LATCHKEY_GATE_CYCLES`, `LATCHKEY_GATE_ONLY`.
    pub fn from_env() -> Options {
        let number = |name: &str| std::env::var(name).ok().and_then(|v| v.parse().ok());
        Options {
            seed: number("LATCHKEY_SEED").unwrap_or(1),
            cycles: number("LATCHKEY_GATE_CYCLES"),
            threads: 2,
            only: std::env::var("LATCHKEY_GATE_ONLY").ok(),
        }
    }
}

/// One thing a module did not pass.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// `config/module`.
    pub module: String,
    /// The step.
    pub step: &'static str,
    /// What was said.
    pub what: String,
}

/// Result of a gate run.
#[derive(Debug, Default)]
pub struct Report {
    /// `config/module` of all that were looked at, sorted.
    pub modules: Vec<String>,
    /// Everything that failed, sorted by module.
    pub failures: Vec<Failure>,
    /// Cycles compared, over all modules.
    pub cycles: u64,
}

/// Runs the gate over every module of the given configurations.
pub fn run(configs: &[ConfigInfo], options: &Options) -> Report {
    let wanted = |id: &str| options.only.iter().all(|part| id.contains(part.as_str()));
    let jobs: Vec<(String, &ConfigInfo, &Module)> = configs
        .iter()
        .flat_map(|c| {
            c.modules
                .iter()
                .map(move |m| (format!("{}/{}", c.name, m.name), c, m))
        })
        .filter(|(id, ..)| wanted(id))
        .collect();
    let (next, report) = (AtomicUsize::new(0), Mutex::new(Report::default()));
    std::thread::scope(|scope| {
        for _ in 0..options.threads.max(1) {
            // A large block is built on the stack before it moves into its box.
            let thread = std::thread::Builder::new().stack_size(STACK);
            let spawned = thread.spawn_scoped(scope, || {
                while let Some((id, config, module)) =
                    jobs.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let (failures, cycles) = check(id, config, module, options);
                    let mut all = report.lock().unwrap_or_else(|e| e.into_inner());
                    all.modules.push(id.clone());
                    all.failures.extend(failures);
                    all.cycles += cycles;
                }
            });
            spawned.expect("a thread can be started");
        }
    });
    let mut report = report.into_inner().unwrap_or_else(|e| e.into_inner());
    report.modules.sort();
    report.failures.sort_by(|a, b| a.module.cmp(&b.module));
    report
}

/// All steps for one module; also the cycles compared.
fn check(id: &str, config: &ConfigInfo, module: &Module, options: &Options) -> (Vec<Failure>, u64) {
    let mut failures = Vec::new();
    let mut fail = |step: &'static str, what: String| {
        failures.push(Failure {
            module: id.into(),
            step,
            what,
        })
    };
    let texts = (config.generate(module), config.generate(module));
    let text = match texts {
        (Ok(one), Ok(two)) => {
            if one != two {
                fail("export", "two exports of fresh instances differ".into());
            }
            one
        }
        (Err(e), _) | (_, Err(e)) => {
            fail("export", e.to_string());
            return (failures, 0);
        }
    };
    let mut fresh = (module.make)();
    fresh.connect();
    for finding in fresh.lint() {
        fail("lint", finding);
    }
    for (step, found) in tools::all(&format!("latchkey_{}", module.name), &text) {
        fail(step, found);
    }
    let cycles = options
        .cycles
        .unwrap_or_else(|| differential::default_cycles(&fresh.ports()));
    let again = format!(
        "again: LATCHKEY_SEED={} LATCHKEY_GATE_ONLY={id} LATCHKEY_GATE_CYCLES={cycles} \
         cargo test --release -p latchkey-testbench --test export_gate",
        options.seed
    );
    // A design that doesn't settle panics in the Rust engine: that is a finding, not the end of the run.
    let both = std::panic::AssertUnwindSafe(|| differential(config, module, options.seed, cycles));
    match std::panic::catch_unwind(both) {
        Ok(Ok(None)) => {}
        Ok(Ok(Some(mismatch))) => fail("differential", format!("{mismatch}\n  {again}")),
        Ok(Err(e)) => fail("differential", e.to_string()),
        Err(panic) => {
            let said = panic.downcast_ref::<String>().cloned();
            let said = said.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()));
            fail(
                "differential",
                format!("panic: {}\n  {again}", said.unwrap_or_default()),
            );
        }
    }
    (failures, cycles)
}
