// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a run has finished, kept as it goes, so that a run that was stopped can be resumed.
//!
//! Results lie in a folder named by a hash of everything they depend on (Verilog, harness, scripts, device, clock asked
//! for, tools with their versions): what is found there is what would come out again.

use crate::blocks::Blocks;
use crate::place::Placed;
use crate::report::Harness;
use crate::{atomic, work, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Results of one design with one set of tools.
#[derive(Clone, Debug)]
pub struct Kept {
    folder: Option<PathBuf>,
    read: bool,
}

/// The mapped netlist.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Mapped {
    /// Logic cells of the core packed alone.
    pub lc: u64,
    /// Harness and core.
    pub harness: Harness,
    joined: PathBuf,
    joined_sha256: String,
}

impl Mapped {
    /// The netlist `joined.json` of `folder`.
    pub fn new(folder: &Path, lc: u64, harness: Harness) -> Result<Mapped> {
        let joined = folder.join("joined.json");
        Ok(Mapped {
            lc,
            harness,
            joined_sha256: work::sha256(atomic::read(&joined)?.as_bytes()),
            joined,
        })
    }

    /// Puts the netlist into another work folder; false when it is gone or not as it was.
    pub fn copy_to(&self, folder: &Path) -> Result<bool> {
        let Ok(text) = std::fs::read_to_string(&self.joined) else {
            return Ok(false);
        };
        if work::sha256(text.as_bytes()) != self.joined_sha256 {
            return Ok(false);
        }
        atomic::write(&folder.join("joined.json"), text.as_bytes())?;
        Ok(true)
    }
}

impl Kept {
    /// Under `out`, for what `inputs` say; `None`: nothing is kept. Without `read` things are only written.
    pub fn new(out: Option<&Path>, inputs: &[&str], read: bool) -> Result<Kept> {
        let id = work::sha256(inputs.join("\0").as_bytes());
        let folder = out.map(|out| out.join("seeds").join(&id[..16]));
        if let Some(folder) = &folder {
            atomic::folder(folder)?;
        }
        Ok(Kept { folder, read })
    }

    fn get<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        let folder = self.folder.as_ref().filter(|_| self.read)?;
        // A file that cannot be read is a result that is not there.
        let text = std::fs::read_to_string(folder.join(name)).ok()?;
        serde_json::from_str(&text).ok()
    }

    fn put<T: Serialize>(&self, name: &str, what: &T) -> Result<()> {
        match &self.folder {
            Some(folder) => {
                let text = serde_json::to_string_pretty(what).expect("plain data");
                atomic::write(&folder.join(name), text.as_bytes())
            }
            None => Ok(()),
        }
    }

    /// The netlist's numbers.
    pub fn mapped(&self) -> Option<Mapped> {
        self.get("netlist.json")
    }

    /// Keeps them.
    pub fn keep_mapped(&self, mapped: &Mapped) -> Result<()> {
        self.put("netlist.json", mapped)
    }

    /// Cells by block.
    pub fn blocks(&self) -> Option<Blocks> {
        self.get("blocks.json")
    }

    /// Keeps them.
    pub fn keep_blocks(&self, blocks: &Blocks) -> Result<()> {
        self.put("blocks.json", blocks)
    }

    /// A seed that was placed and routed. One that failed is tried again.
    pub fn seed(&self, seed: u64) -> Option<Placed> {
        self.get(&format!("seed-{seed}.json"))
    }

    /// Keeps it.
    pub fn keep_seed(&self, placed: &Placed) -> Result<()> {
        self.put(&format!("seed-{}.json", placed.seed), placed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(seed: u64) -> Placed {
        Placed {
            seed,
            mhz: 90.25,
            lc: 10,
            path: vec![],
            icetime_mhz: None,
        }
    }

    #[test]
    fn only_the_same_inputs_find_a_result_and_only_when_asked() {
        let dir = tempfile::tempdir().unwrap();
        let kept = |inputs: &[&str], read| Kept::new(Some(dir.path()), inputs, read).unwrap();
        kept(&["a", "b"], false).keep_seed(&placed(3)).unwrap();
        assert_eq!(kept(&["a", "b"], true).seed(3), Some(placed(3)));
        assert_eq!(kept(&["a", "b"], true).seed(4), None);
        assert_eq!(kept(&["a", "b"], false).seed(3), None);
        assert_eq!(kept(&["a", "c"], true).seed(3), None);
    }

    #[test]
    fn a_broken_file_is_no_result() {
        let dir = tempfile::tempdir().unwrap();
        let kept = Kept::new(Some(dir.path()), &["a"], true).unwrap();
        kept.keep_seed(&placed(1)).unwrap();
        let file = kept.folder.as_ref().unwrap().join("seed-1.json");
        std::fs::write(file, "{\"seed\": 1").unwrap();
        assert_eq!(kept.seed(1), None);
    }
}
