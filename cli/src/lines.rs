// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files of JSON lines, checked before anything is built or run.

use crate::error::{Error, Result};
use serde_json::Value;
use std::path::Path;

/// Every line with its number from 1; empty lines and lines that begin with `#` are left out.
/// Each must be an object that has all of `fields`.
pub fn read(path: &Path, fields: &[&str], mend: &str) -> Result<Vec<(usize, Value)>> {
    let text = std::fs::read_to_string(path).map_err(|source| Error::File {
        what: "read",
        path: path.to_path_buf(),
        source,
    })?;
    let mut list = Vec::new();
    for (number, line) in text.lines().enumerate().map(|(i, l)| (i + 1, l.trim())) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let fail = |why: String| Error::Line {
            path: path.display().to_string(),
            line: number,
            why,
            mend: mend.into(),
        };
        let value: Value =
            serde_json::from_str(line).map_err(|e| fail(format!("not JSON: {e}")))?;
        for field in fields {
            if value.get(field).is_none() {
                return Err(fail(format!("no field `{field}`")));
            }
        }
        list.push((number, value));
    }
    if list.is_empty() {
        return Err(Error::Usage {
            what: format!("{} has no lines", path.display()),
            mend: mend.into(),
        });
    }
    Ok(list)
}

/// Fails early when a file could not be written in the end.
pub fn writable(path: &Path) -> Result<()> {
    let folder = path
        .parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let fail = |source| Error::File {
        what: "write",
        path: path.to_path_buf(),
        source,
    };
    // Trying is the only sure way; the file vanishes when it is dropped.
    tempfile::Builder::new()
        .prefix(".latchkey-")
        .tempfile_in(folder)
        .map(drop)
        .map_err(fail)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn the_broken_line_is_named() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        writeln!(file, "# words\n{{\"a\":1}}\n\n{{\"b\":1}}").unwrap();
        let error = read(file.path(), &["a"], "see the docs")
            .unwrap_err()
            .to_string();
        assert!(error.ends_with("line 4: no field `a`"), "{error}");
    }

    #[test]
    fn a_folder_that_is_not_there_is_not_writable() {
        assert!(writable(Path::new("/no-such-folder/x.vcd")).is_err());
        assert!(writable(&std::env::temp_dir().join("x.vcd")).is_ok());
    }
}
