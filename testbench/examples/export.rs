// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prints the Verilog of the core of a configuration: `cargo run --release --example export -- tiny`.

fn main() {
    let name = std::env::args().nth(1).unwrap_or_else(|| "tiny".into());
    let config = latchkey_hdl::config(&name).expect("the configuration exists");
    let module = config
        .module("core")
        .expect("every configuration has a core");
    print!("{}", config.generate(module).expect("the core is exported"));
}
