// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `latchkey` command.

fn main() {
    for config in latchkey_hdl::configs() {
        println!("{}", config.name);
    }
}
