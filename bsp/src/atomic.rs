// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files that appear whole or not at all.

use crate::{Error, Result};
use std::io::Write;
use std::path::Path;

/// Writes `bytes` to `path` through a temporary file in the same folder and a rename.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let fail = |source| Error::File {
        what: "write",
        path: path.to_path_buf(),
        source,
    };
    let folder = match path.parent() {
        Some(p) if !p.as_os_str().is_empty() => p,
        _ => Path::new("."),
    };
    // The named temporary file removes itself when anything below fails.
    let mut file = tempfile::Builder::new()
        .prefix(".latchkey-")
        .tempfile_in(folder)
        .map_err(fail)?;
    file.write_all(bytes).map_err(fail)?;
    file.as_file().sync_all().map_err(fail)?;
    readable(file.as_file()).map_err(fail)?;
    file.persist(path).map_err(|e| fail(e.error))?;
    Ok(())
}

/// Temporary files are private; what a user asked for follows the usual mode.
#[cfg(unix)]
fn readable(file: &std::fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable(_: &std::fs::File) -> std::io::Result<()> {
    Ok(())
}

/// Makes a folder and its parents.
pub fn folder(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path).map_err(|source| Error::File {
        what: "make the folder",
        path: path.to_path_buf(),
        source,
    })
}

/// Reads a text file.
pub fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(|source| Error::File {
        what: "read",
        path: path.to_path_buf(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_appears_whole_and_a_failure_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.v");
        write(&file, b"one").unwrap();
        write(&file, b"two").unwrap();
        assert_eq!(read(&file).unwrap(), "two");
        assert!(write(&dir.path().join("none/a.v"), b"x").is_err());
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}
