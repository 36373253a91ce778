// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prints the Verilog of a block of the board: `export_board [MODULE]`.

fn main() {
    let name = std::env::args().nth(1).unwrap_or_else(|| "board".into());
    let info = latchkey_bsp::board::info().expect("the build has the configuration alchitry-cu");
    let module = info.module(&name).expect("a module of the board");
    for finding in (module.make)().lint() {
        eprintln!("lint: {finding}");
    }
    print!(
        "{}",
        info.generate(module)
            .expect("the export passes rust-hdl's checks")
    );
}
