// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cache folder: the tool environment and the work folders of synthesis runs.

use crate::{atomic, Result};
use sha2::{Digest, Sha256};
use std::path::PathBuf;

/// `$LATCHKEY_CACHE`, else `$XDG_CACHE_HOME/latchkey`, else `~/.cache/latchkey`.
pub fn cache() -> PathBuf {
    let set = |name: &str| {
        std::env::var_os(name)
            .filter(|v| !v.is_empty())
            .map(PathBuf::from)
    };
    set("LATCHKEY_CACHE")
        .or_else(|| set("XDG_CACHE_HOME").map(|p| p.join("latchkey")))
        .or_else(|| set("HOME").map(|p| p.join(".cache/latchkey")))
        .unwrap_or_else(|| PathBuf::from(".latchkey-cache"))
}

/// Folder of programs of the Python environment that `scripts/setup` makes.
pub fn venv_bin() -> PathBuf {
    cache().join("venv/bin")
}

/// Work folder of one synthesis run, named by what goes in. It is kept, with the logs of the tools.
pub fn folder(name: &str, inputs: &[&str]) -> Result<PathBuf> {
    folder_of("synth", name, inputs)
}

/// The same for another kind of run.
pub fn folder_of(kind: &str, name: &str, inputs: &[&str]) -> Result<PathBuf> {
    let mut hash = Sha256::new();
    for input in inputs {
        hash.update(input.as_bytes());
        hash.update([0]);
    }
    // The process number keeps two runs on the same input from sharing files.
    let id = format!(
        "{name}-{}-{}",
        &hex(&hash.finalize())[..12],
        std::process::id()
    );
    let folder = cache().join(kind).join(id);
    atomic::folder(&folder)?;
    Ok(folder)
}

/// SHA-256 of some bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn known_digest() {
        assert!(super::sha256(b"").starts_with("e3b0c44298fc1c149afbf4c8996fb924"));
    }
}
