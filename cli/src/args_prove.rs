// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arguments of `prove` and `mutate`.

use clap::Args;
use std::path::PathBuf;

/// Arguments of `prove`.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  latchkey prove --list\n  latchkey prove\n  latchkey prove --quick --json\n  latchkey prove --proof cache --proof front\n  latchkey prove --proof core --depth 40 --timeout 7200\n  latchkey prove --proof cache --from testbench/proofs"
)]
pub struct ProveArgs {
    /// Only this proof (again for more); all when not given
    #[arg(long = "proof", value_name = "NAME")]
    pub proofs: Vec<String>,
    /// Only those that run with the tests
    #[arg(long, conflicts_with = "proofs")]
    pub quick: bool,
    /// Steps from reset, in place of the proof's own
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
    /// Proofs at once
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=64))]
    pub jobs: u64,
    /// Limit of one tool run
    #[arg(long, default_value_t = 1800, value_name = "SECONDS")]
    pub timeout: u64,
    /// Run nothing: list the proofs
    #[arg(long)]
    pub list: bool,
    /// Proofs of this folder (like testbench/proofs) in place of those built in
    #[arg(long, value_name = "FOLDER")]
    pub from: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `mutate`.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  latchkey mutate --proof verdict\n  latchkey mutate --count 50 --seed 7 --json"
)]
pub struct MutateArgs {
    /// Only this proof (again for more); all that hold for every length when not given
    #[arg(long = "proof", value_name = "NAME")]
    pub proofs: Vec<String>,
    /// Mutants of each proof; the proof's own number (`mutants` of proofs.toml) when not given
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub count: Option<u32>,
    /// Seed of yosys's choice
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Proofs at once
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=64))]
    pub jobs: u64,
    /// Limit of one tool run; a mutant that takes longer is not proved, so it is killed
    #[arg(long, default_value_t = 300, value_name = "SECONDS")]
    pub timeout: u64,
    /// Proofs of this folder (like testbench/proofs) in place of those built in
    #[arg(long, value_name = "FOLDER")]
    pub from: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}
