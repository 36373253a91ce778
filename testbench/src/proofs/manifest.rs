// SPDX-License-Identifier: MIT OR Apache-2.0
//! `proofs.toml`: the list of the proofs.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// One proof. The fields are described at the head of `proofs.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// Name.
    pub name: String,
    /// Its module and file, where that has another name: one text for two configurations.
    #[serde(default)]
    module: Option<String>,
    /// Configuration of the core it is about.
    #[serde(default = "smallest")]
    pub config: String,
    /// Letters of the properties of issue and docs it is a part of.
    pub property: String,
    /// What it says, in a line.
    pub what: String,
    /// Steps from reset.
    pub base: u32,
    /// k of k-induction; 0: none, the result is bounded by `base`.
    pub induction: u32,
    /// The induction is asked assert by assert.
    #[serde(default)]
    pub apart: bool,
    /// Steps in which the covers must be reached.
    pub cover: u32,
    /// Instances under proof.
    pub instances: Vec<String>,
    /// Instances inside those that another proof is about.
    #[serde(default)]
    pub except: Vec<String>,
    /// RAMs that remember one address.
    #[serde(default)]
    pub one_address: Vec<String>,
    /// RAMs whose words are read by invariants.
    #[serde(default)]
    pub shown: Vec<String>,
    /// Blocks that give anything.
    #[serde(default)]
    pub free: Vec<String>,
    /// Mutants of a run of `latchkey mutate` that names no number.
    #[serde(default)]
    pub mutants: u32,
    /// It runs with the tests.
    pub quick: bool,
}

impl Proof {
    /// Name of its module and of its file.
    pub fn module(&self) -> &str {
        self.module.as_deref().unwrap_or(&self.name)
    }
}

fn smallest() -> String {
    "tiny".into()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    proof: Vec<Proof>,
}

/// All proofs, in the order of the file.
pub fn all() -> Vec<Proof> {
    list(include_str!("../../proofs/proofs.toml")).expect("proofs.toml is checked by a test")
}

fn list(text: &str) -> Result<Vec<Proof>, toml::de::Error> {
    toml::from_str::<File>(text).map(|file| file.proof)
}

/// A folder of proofs that can't be used.
#[derive(Debug, thiserror::Error)]
pub enum NoFolder {
    /// A file can't be read.
    #[error("{0}: {1}")]
    File(String, std::io::Error),
    /// Its list is not one.
    #[error("{0}: {1}")]
    List(String, toml::de::Error),
}

/// Proofs with their texts: those this program was built with, or those of a folder.
pub struct Sources {
    /// The list.
    pub list: Vec<Proof>,
    texts: BTreeMap<String, String>,
}

impl Sources {
    /// What the program was built with.
    pub fn built_in() -> Sources {
        let own = SOURCES.iter().map(|(n, t)| (format!("{n}.sv"), *t));
        let shared = super::SHARED.iter().map(|(n, t)| (n.to_string(), *t));
        Sources {
            list: all(),
            texts: own.chain(shared).map(|(n, t)| (n, t.to_string())).collect(),
        }
    }

    /// `proofs.toml` of a folder, and what it names.
    pub fn folder(folder: &Path) -> Result<Sources, NoFolder> {
        let read = |name: &str| {
            let path = folder.join(name);
            std::fs::read_to_string(&path)
                .map_err(|e| NoFolder::File(path.display().to_string(), e))
        };
        let list = list(&read("proofs.toml")?)
            .map_err(|e| NoFolder::List(folder.join("proofs.toml").display().to_string(), e))?;
        let own = list.iter().map(|p| format!("{}.sv", p.module()));
        let shared = super::SHARED.iter().map(|(n, _)| n.to_string());
        let texts = own
            .chain(shared)
            .map(|name| read(&name).map(|text| (name, text)))
            .collect::<Result<_, _>>()?;
        Ok(Sources { list, texts })
    }

    /// The files of a proof: its own, those that all include, and another proof it includes.
    pub fn files(&self, proof: &Proof) -> Vec<(String, String)> {
        let own = format!("{}.sv", proof.module());
        let text = &self.texts[&own];
        let wanted = |name: &str| {
            name == own
                || super::SHARED.iter().any(|(n, _)| *n == name)
                || text.contains(&format!("`include \"{name}\""))
        };
        let files = self.texts.iter().filter(|(name, _)| wanted(name));
        files.map(|(n, t)| (n.clone(), t.clone())).collect()
    }
}

macro_rules! sources {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../proofs/", $name, ".sv")))),*]
    };
}

const SOURCES: &[(&str, &str)] = &sources![
    "alloc",
    "cache",
    "cipher",
    "core",
    "core_grant",
    "decode",
    "entrance",
    "entry",
    "fetch",
    "front",
    "life_bound",
    "life_entry",
    "life_keys",
    "life_order",
    "life_place",
    "lists",
    "live_entrance",
    "live_fetch",
    "live_front",
    "live_icm",
    "live_life",
    "live_miss",
    "live_pages",
    "live_parked",
    "live_queue",
    "live_reg",
    "live_segments",
    "live_walk",
    "pages",
    "parked",
    "publish",
    "refill",
    "tag_life",
    "verdict",
    "verdict_queue",
    "waiters",
    "walk",
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_proof_has_its_module_an_assert_and_a_cover() {
        let files = Sources::built_in();
        let modules: BTreeSet<String> = all().iter().map(|p| p.module().into()).collect();
        assert_eq!(modules.len(), SOURCES.len());
        let names: BTreeSet<String> = all().into_iter().map(|p| p.name).collect();
        assert_eq!(names.len(), all().len());
        for proof in all() {
            let name = format!("{}.sv", proof.module());
            let text = &files
                .files(&proof)
                .into_iter()
                .find(|(n, _)| *n == name)
                .unwrap()
                .1;
            assert!(
                text.contains(&format!("module {} (", proof.module())),
                "{}",
                proof.name
            );
            assert!(
                text.contains(" a_") && text.contains("cover ("),
                "{}",
                proof.name
            );
            assert!(proof.base >= proof.induction, "{}", proof.name);
            assert_eq!(proof.mutants > 0, proof.induction > 0, "{}", proof.name);
            // what is assumed stands in env.sv; here only the choice of a RAM's address may be
            for line in text.lines().filter(|l| l.contains("assume (")) {
                assert!(line.contains("kept_address"), "{}: {line}", proof.name);
            }
        }
    }
    #[test]
    fn a_folder_holds_what_was_built_in() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("proofs");
        let (read, own) = (Sources::folder(&folder).unwrap(), Sources::built_in());
        assert_eq!(read.texts, own.texts);
        let text = Sources::folder(Path::new("/no/such"))
            .err()
            .unwrap()
            .to_string();
        assert!(text.starts_with("/no/such/proofs.toml: "), "{text}");
    }
}
