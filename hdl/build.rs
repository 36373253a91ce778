// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads every configuration file, checks it, and mounts the design once per configuration.

#[path = "src/config.rs"]
mod config;
#[path = "src/derive.rs"]
mod derive;
#[path = "src/scan.rs"]
mod scan;

use config::{Config, ConfigError};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn read_all(folders: &[PathBuf]) -> Result<BTreeMap<String, Config>, ConfigError> {
    let mut all: BTreeMap<String, Config> = BTreeMap::new();
    for folder in folders {
        println!("cargo:rerun-if-changed={}", folder.display());
        let fail = |e: std::io::Error, p: &Path| ConfigError {
            file: p.display().to_string(),
            field: String::new(),
            value: String::new(),
            mend: format!("{e}: LATCHKEY_CONFIG_DIR must name a folder of .toml files"),
        };
        let entries = std::fs::read_dir(folder).map_err(|e| fail(e, folder))?;
        for path in entries.flatten().map(|e| e.path()) {
            if !path.extension().is_some_and(|x| x == "toml") {
                continue;
            }
            println!("cargo:rerun-if-changed={}", path.display());
            let file = path.display().to_string();
            let config = Config::parse(
                &file,
                &std::fs::read_to_string(&path).map_err(|e| fail(e, &path))?,
            )?;
            if let Some(other) = all.insert(config.ident(), config) {
                let mend =
                    "another file has this name already: choose a name of its own".to_string();
                return Err(ConfigError {
                    file,
                    field: "name".into(),
                    value: other.name,
                    mend,
                });
            }
        }
    }
    Ok(all)
}

fn mount(out: &mut String, config: &Config, rtl: &Path, access: &str) {
    let _ = writeln!(out, "pub mod {} {{\n    pub mod p {{", config.ident());
    let mut table = String::new();
    for (name, value) in config.constants() {
        let _ = writeln!(out, "        pub const {name}: usize = {value};");
        let _ = write!(table, "(\"{name}\", {value}), ");
    }
    for (name, on) in config.features() {
        let _ = writeln!(out, "        pub const {name}: bool = {on};");
    }
    let _ = writeln!(
        out,
        "    }}\n    #[path = {:?}]\n    pub mod rtl;",
        rtl.join("mod.rs")
    );
    // blocks of which a configuration picks one of several
    let (walker, entrance, misses) = if config.ports.count == 1 {
        (
            "walker_one::WalkerOne",
            "lookup_direct::LookupDirect",
            "miss_few::MissFew",
        )
    } else {
        (
            "walker_many::WalkerMany",
            "lookup_port::LookupPort",
            "miss::Miss",
        )
    };
    let registration = if config.life() {
        "life_port::LifePort"
    } else {
        "reg_port::RegPort"
    };
    let limits = if config.feature.limits {
        "limits::Limits"
    } else {
        "no_limits::NoLimits"
    };
    let _ = writeln!(out, "    pub mod chosen {{");
    for (name, block) in [
        ("Walker", walker),
        ("Entrance", entrance),
        ("Misses", misses),
        ("Registration", registration),
        ("Limiter", limits),
    ] {
        let _ = writeln!(out, "        pub use super::rtl::{block} as {name};");
    }
    let _ = writeln!(out, "    }}");
    let _ = writeln!(
        out,
        "    pub const CONSTANTS: &[(&str, u64)] = &[{table}];\n{access}}}"
    );
}

fn main() {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets this"));
    println!("cargo:rerun-if-env-changed=LATCHKEY_CONFIG_DIR");
    for part in [
        "build.rs",
        "src/config.rs",
        "src/derive.rs",
        "src/scan.rs",
        "src/rtl",
    ] {
        println!("cargo:rerun-if-changed={part}");
    }
    let mut folders = vec![root.join("configs")];
    folders.extend(
        std::env::var_os("LATCHKEY_CONFIG_DIR")
            .filter(|v| !v.is_empty())
            .map(PathBuf::from),
    );
    let all = read_all(&folders).unwrap_or_else(|e| {
        eprintln!("\nillegal configuration\n  {e}\n");
        std::process::exit(1);
    });
    let access = scan::access(&root.join("src/rtl")).unwrap_or_else(|e| {
        eprintln!("\nrtl: {e}\n");
        std::process::exit(1);
    });
    let mut all = all;
    println!("cargo:rerun-if-env-changed=LATCHKEY_ONLY");
    // a quick build for work on the design: LATCHKEY_ONLY=tiny,nic
    if let Some(only) = std::env::var("LATCHKEY_ONLY")
        .ok()
        .filter(|v| !v.is_empty())
    {
        all.retain(|_, c| only.split(',').any(|name| name == c.name));
    }
    let mut out = String::new();
    let mut list = String::new();
    for (ident, config) in &all {
        mount(&mut out, config, &root.join("src/rtl"), &access);
        let _ = write!(list, "super::ConfigInfo {{ name: {:?}, constants: {ident}::CONSTANTS, modules: {ident}::MODULES }}, ", config.name);
    }
    let _ = writeln!(out, "pub static ALL: &[super::ConfigInfo] = &[{list}];");
    let target =
        PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets this")).join("configs.rs");
    std::fs::write(target, out).expect("OUT_DIR is writable");
}
