// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs of the tests' own in place of the real ones.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// A PATH that begins with a folder in `dir` where each of `names` is this shell script.
pub fn tools(dir: &Path, names: &[&str], script: &str) -> OsString {
    let bin = dir.join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    for name in names {
        let tool = bin.join(name);
        std::fs::write(&tool, script).unwrap();
        std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(std::iter::once(bin).chain(std::env::split_paths(&path))).unwrap()
}
