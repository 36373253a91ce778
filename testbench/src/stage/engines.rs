// SPDX-License-Identifier: MIT OR Apache-2.0
//! One compiled core a configuration, shared by all tests of a process.

use super::Stage;
use crate::bench::Chosen;
use crate::engine::{Effort, VerilatorEngine};
use latchkey_hdl::ports::Port;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

struct Text {
    verilog: String,
    ports: Vec<Port>,
}

/// Verilog of the core, exported once a process. The lock also keeps two tests from compiling the same text.
fn with_text<T>(config: &'static str, make: impl FnOnce(&Text) -> T) -> T {
    static TEXTS: OnceLock<Mutex<HashMap<&'static str, Text>>> = OnceLock::new();
    let mut texts = TEXTS
        .get_or_init(Mutex::default)
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    let text = texts.entry(config).or_insert_with(|| {
        let info =
            latchkey_hdl::config(config).unwrap_or_else(|| panic!("no configuration {config}"));
        let module = info.module("core").expect("every configuration has a core");
        let verilog = VerilatorEngine::text(info, module).expect("the core is exported");
        Text {
            verilog,
            ports: (module.make)().ports(),
        }
    });
    make(text)
}

/// A fresh core.
pub fn engine(config: &'static str) -> Chosen {
    with_text(config, |t| {
        // a text that stands in for the core is good for one test or two
        let given = std::env::var_os("LATCHKEY_VERILOG").is_some();
        let effort = if given { Effort::Least } else { Effort::Full };
        let engine =
            VerilatorEngine::from_verilog(&t.verilog, "latchkey_core", t.ports.clone(), effort);
        Chosen(Box::new(engine.expect("Verilator compiles the core")))
    })
}

/// A core that comes up with anything in its registers and RAMs, another one each time.
pub fn scrambled(config: &'static str) -> Chosen {
    with_text(config, |t| {
        let engine =
            VerilatorEngine::scrambled(&t.verilog, "latchkey_core", t.ports.clone(), Effort::Least);
        Chosen(Box::new(engine.expect("Verilator compiles the core")))
    })
}

/// Is this configuration compiled in, and (environment `LATCHKEY_STAGE`, names with commas) asked for?
fn wanted(config: &str) -> bool {
    let only = std::env::var("LATCHKEY_STAGE").unwrap_or_default();
    latchkey_hdl::config(config).is_some()
        && (only.is_empty() || only.split(',').any(|name| name == config))
}

/// Plays a scene on one configuration, to the checker's last word.
pub fn on(config: &'static str, scene: impl FnOnce(&mut Stage)) {
    if wanted(config) {
        let mut stage = Stage::new(config);
        scene(&mut stage);
        stage.finish();
    }
}

/// Plays a scene on `life` and on `nic`, which have every command.
pub fn full(scene: impl Fn(&mut Stage)) {
    on("life", &scene);
    on("nic", &scene);
}

/// Plays a scene on `tiny` and on `nic`.
pub fn each(scene: impl Fn(&mut Stage)) {
    on("tiny", &scene);
    on("nic", &scene);
}
