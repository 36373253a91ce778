// SPDX-License-Identifier: MIT OR Apache-2.0
//! `proofs.toml`: the list of the proofs.

use serde::Deserialize;

/// One proof. The fields are described at the head of `proofs.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// Name, of its file and its module.
    pub name: String,
    /// Letters of the properties of issue and docs it is a part of.
    pub property: String,
    /// What it says, in a line.
    pub what: String,
    /// Steps from reset.
    pub base: u32,
    /// k of k-induction; 0: none, the result is bounded by `base`.
    pub induction: u32,
    /// Steps in which the covers must be reached.
    pub cover: u32,
    /// Instances under proof.
    pub instances: Vec<String>,
    /// RAMs that remember one address.
    #[serde(default)]
    pub one_address: Vec<String>,
    /// RAMs whose words are read by invariants.
    #[serde(default)]
    pub shown: Vec<String>,
    /// It runs with the tests.
    pub quick: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    proof: Vec<Proof>,
}

/// All proofs, in the order of the file.
pub fn all() -> Vec<Proof> {
    let file: File = toml::from_str(include_str!("../../proofs/proofs.toml"))
        .expect("proofs.toml is checked by a test");
    file.proof
}

impl Proof {
    /// Its SystemVerilog.
    pub fn source(&self) -> &'static str {
        SOURCES
            .iter()
            .find(|(name, _)| *name == self.name)
            .map(|(_, text)| *text)
            .expect("checked by a test")
    }
}

macro_rules! sources {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../proofs/", $name, ".sv")))),*]
    };
}

const SOURCES: &[(&str, &str)] = &sources![
    "cache",
    "core",
    "decode",
    "entrance",
    "entry",
    "front",
    "pages",
    "parked",
    "publish",
    "tag_life",
    "verdict",
    "verdict_queue",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_proof_has_its_module_an_assert_and_a_cover() {
        assert_eq!(all().len(), SOURCES.len());
        for proof in all() {
            let text = proof.source();
            assert!(
                text.contains(&format!("module {} (", proof.name)),
                "{}",
                proof.name
            );
            assert!(
                text.contains(" a_") && text.contains("cover ("),
                "{}",
                proof.name
            );
            assert!(proof.base >= proof.induction, "{}", proof.name);
            // what is assumed stands in env.sv; here only the choice of a RAM's address may be
            for line in text.lines().filter(|l| l.contains("assume (")) {
                assert!(line.contains("kept_address"), "{}: {line}", proof.name);
            }
        }
    }
}
