// SPDX-License-Identifier: MIT OR Apache-2.0
//! A fourth configuration from a folder outside the tree. Builds the crate anew in a target folder of its own, so it
//! is not run by a plain `cargo test`: `cargo test -p latchkey-hdl --test outside_config -- --ignored`.

use std::path::Path;
use std::process::{Command, Output};

fn check(folder: &Path) -> Output {
    let target = std::env::temp_dir().join("latchkey-outside-config");
    Command::new(env!("CARGO"))
        .args([
            "check",
            "--offline",
            "-p",
            "latchkey-hdl",
            "--manifest-path",
        ])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .env("LATCHKEY_CONFIG_DIR", folder)
        .env("CARGO_TARGET_DIR", target)
        .output()
        .expect("cargo runs")
}

#[test]
#[ignore = "builds the crate twice; scripts/test runs it"]
fn a_file_in_another_folder_is_a_configuration() {
    let folder = std::env::temp_dir().join(format!("latchkey-configs-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let nic = include_str!("../configs/nic.toml")
        .replace("\"nic\"", "\"fourth\"")
        .replace("count = 4", "count = 3");
    std::fs::write(folder.join("fourth.toml"), &nic).expect("written");
    let good = check(&folder);
    std::fs::write(
        folder.join("fourth.toml"),
        nic.replace("beat = 64", "beat = 63"),
    )
    .expect("written");
    let bad = check(&folder);
    std::fs::remove_dir_all(&folder).expect("removed");
    let text = |o: &Output| String::from_utf8_lossy(&o.stderr).into_owned();
    assert!(good.status.success(), "{}", text(&good));
    assert!(!bad.status.success(), "an illegal value stops the build");
    for part in ["fourth.toml", "icm.beat", "63", "32 or 64"] {
        assert!(
            text(&bad).contains(part),
            "{part} is missing in: {}",
            text(&bad)
        );
    }
}
