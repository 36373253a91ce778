// SPDX-License-Identifier: MIT OR Apache-2.0
//! Configurations by name.

use crate::error::{Error, Result};
use latchkey_hdl::{ConfigInfo, Module};

/// The configuration of that name.
pub fn find(name: &str) -> Result<&'static ConfigInfo> {
    latchkey_hdl::config(name).ok_or_else(|| Error::UnknownConfig {
        name: name.into(),
        known: names().join(", "),
    })
}

/// Names of all.
pub fn names() -> Vec<&'static str> {
    latchkey_hdl::configs().iter().map(|c| c.name).collect()
}

/// A module of a configuration.
pub fn module(config: &ConfigInfo, name: &str) -> Result<&'static Module> {
    config.module(name).ok_or_else(|| Error::UnknownModule {
        config: config.name.into(),
        module: name.into(),
    })
}

/// Verilog and top name of a module.
pub fn verilog(config: &ConfigInfo, module: &Module) -> Result<(String, String)> {
    let text = config
        .generate(module)
        .map_err(|e| Error::Design(e.to_string()))?;
    Ok((text, format!("latchkey_{}", module.name)))
}

/// The module a command is about: one of the configuration's, or the board around it.
pub fn chosen(
    config: &str,
    module: &str,
    top: &str,
) -> Result<(&'static ConfigInfo, &'static Module)> {
    let info = find(config)?;
    if top != "board" {
        return Ok((info, self::module(info, module)?));
    }
    let (board, top) = latchkey_bsp::board::top()
        .filter(|(b, _)| b.name == config)
        .ok_or_else(|| Error::Usage {
            what: format!("configuration `{config}` has no board"),
            mend: format!(
                "`--top board` needs `--config {}`",
                latchkey_bsp::board::CONFIG
            ),
        })?;
    Ok((board, top))
}
