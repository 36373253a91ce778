// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cycles a second of both engines: `cargo run --release --example engine_speed -- [config] [module] [cycles]`.

use latchkey_testbench::engine::{Effort, Engine, RustEngine, VerilatorEngine};
use std::time::Instant;

fn rate(name: &str, engine: &mut dyn Engine, cycles: u32) {
    let start = Instant::now();
    for cycle in 0..cycles {
        for (at, word) in engine.in_mut().iter_mut().enumerate() {
            *word = cycle.wrapping_mul(0x9E37_79B9).rotate_left(at as u32);
        }
        engine.cycle();
    }
    let words = engine.layout().input_words() + engine.layout().output_words();
    println!(
        "{name}: {:.0} cycles a second, {words} words of ports",
        f64::from(cycles) / start.elapsed().as_secs_f64()
    );
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let arg = |at: usize, other: &str| args.get(at).cloned().unwrap_or_else(|| other.into());
    let config = latchkey_hdl::config(&arg(0, "nic")).ok_or("no such configuration")?;
    let module = config.module(&arg(1, "ram_line")).ok_or("no such module")?;
    let cycles: u32 = arg(2, "1000000").parse()?;
    rate(
        "verilator",
        &mut VerilatorEngine::new(config, module, Effort::Full)?,
        cycles,
    );
    rate("rust-hdl", &mut RustEngine::new(module), cycles / 100);
    Ok(())
}
