// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prints the GTKWave layout of a configuration: `cargo run --release --example wave_layout -- nic > nic.gtkw`.

fn main() -> Result<(), String> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "tiny".into());
    let core = latchkey_hdl::config(&name)
        .and_then(|config| config.top())
        .ok_or_else(|| format!("no configuration {name}"))?;
    print!(
        "{}",
        latchkey_testbench::bench::waves::layout(&(core.make)().ports())
    );
    Ok(())
}
