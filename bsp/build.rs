// SPDX-License-Identifier: MIT OR Apache-2.0
//! Port access and the list of the board's blocks, as the design's own build script writes them for its blocks.

#[path = "../hdl/src/scan.rs"]
mod scan;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=../hdl/src/scan.rs");
    println!("cargo:rerun-if-changed=src/board_rtl");
    println!("cargo:rerun-if-env-changed=LATCHKEY_ONLY");
    println!("cargo:rustc-check-cfg=cfg(latchkey_board)");
    // a quick build that leaves the board's configuration out has no board
    let only = std::env::var("LATCHKEY_ONLY").unwrap_or_default();
    if only.is_empty() || only.split(',').any(|name| name == "alchitry-cu") {
        println!("cargo:rustc-cfg=latchkey_board");
    }
    let rtl = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/board_rtl");
    let text = scan::access(&rtl).unwrap_or_else(|e| {
        eprintln!("\nboard_rtl: {e}\n");
        std::process::exit(1);
    });
    let target = std::path::PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets this"))
        .join("board.rs");
    std::fs::write(target, text.replace("crate::", "latchkey_hdl::")).expect("OUT_DIR is writable");
}
