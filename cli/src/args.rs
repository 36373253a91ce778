// SPDX-License-Identifier: MIT OR Apache-2.0
//! The arguments, with help and examples.

use crate::args_prove::{MutateArgs, ProveArgs};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Latchkey: an RDMA memory-region key table as hardware.
#[derive(Parser)]
#[command(
    name = "latchkey",
    version,
    about,
    after_help = "Exit codes: 0 ok, 1 a check failed, 2 usage, 3 a tool is missing, 4 a tool failed, 5 a budget or timing goal missed.\n\nExamples:\n  latchkey generate --config nic --out out/nic\n  latchkey sim --config nic --scenario mixed --lookups 1000000\n  latchkey synth --config alchitry-cu --seeds 8\n  latchkey doctor"
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// Write the Verilog of a configuration
    Generate(GenerateArgs),
    /// Run a scenario on an engine, every answer checked
    Sim(SimArgs),
    /// Run a file of conformance cases
    Cases(CasesArgs),
    /// Synthesize, place and route, and hold the result to the committed goals
    Synth(SynthArgs),
    /// Draw timing diagrams of real runs
    Waves(WavesArgs),
    /// Prove properties of the exported core of configuration tiny
    Prove(ProveArgs),
    /// Break the blocks under proof and see that the proofs break
    Mutate(MutateArgs),
    /// Look for the tools and say how to get what is missing
    Doctor(DoctorArgs),
    /// Print completions for a shell
    Completions(CompletionsArgs),
    /// Print the man page
    Man,
}

/// Arguments of `generate`.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  latchkey generate --config tiny\n  latchkey generate --config nic --out out/nic --json\n  latchkey generate --config nic --out out/nic --check\n  latchkey generate --list"
)]
pub struct GenerateArgs {
    /// Configuration
    #[arg(long, default_value = "nic")]
    pub config: String,
    /// Module; the core when not given
    #[arg(long, default_value = "core")]
    pub module: String,
    /// Folder for the files; out/CONFIG when not given
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Write nothing: fail when the files of the folder are not what would be written
    #[arg(long)]
    pub check: bool,
    /// Write nothing: list configurations and their modules
    #[arg(long)]
    pub list: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineName {
    /// rust-hdl's own simulator
    Rust,
    /// the exported Verilog, compiled by Verilator
    Verilator,
}

impl EngineName {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            EngineName::Rust => "rust",
            EngineName::Verilator => "verilator",
        }
    }
}

/// Named scenarios.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScenarioName {
    /// working set inside the cache
    Hits,
    /// working set far beyond the cache
    Misses,
    /// regions come and go while others are used
    Churn,
    /// everything at once, with back-pressure and reordering
    Mixed,
}

impl ScenarioName {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            ScenarioName::Hits => "hits",
            ScenarioName::Misses => "misses",
            ScenarioName::Churn => "churn",
            ScenarioName::Mixed => "mixed",
        }
    }
}

/// Arguments of `sim`.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  latchkey sim --config tiny --scenario churn --lookups 10000 --engine rust\n  latchkey sim --config nic --scenario mixed --lookups 1000000 --seed 7 --json\n  latchkey sim --config tiny --trace my.jsonl --vcd my.vcd\n  latchkey sim --config nic --scenario churn --html churn.html\n  latchkey sim --capture traffic.pcap --out out/traffic\n  latchkey sim --capture traffic.pcapng --regions regions.json --json"
)]
pub struct SimArgs {
    /// Configuration
    #[arg(long, default_value = "nic")]
    pub config: String,
    /// Engine
    #[arg(long, value_enum, default_value = "verilator")]
    pub engine: EngineName,
    /// Scenario
    #[arg(long, value_enum, default_value = "mixed")]
    pub scenario: ScenarioName,
    /// Lookups to offer
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub lookups: u64,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Write waveforms to this file
    #[arg(long, value_name = "FILE")]
    pub vcd: Option<PathBuf>,
    /// Play this trace (JSON lines, docs/trace-format.md) in place of a scenario
    #[arg(long, value_name = "FILE", conflicts_with = "scenario")]
    pub trace: Option<PathBuf>,
    /// Replay this RoCEv2 capture (pcap or pcapng, docs/captures.md) in place of a scenario
    #[arg(long, value_name = "FILE", conflicts_with_all = ["scenario", "trace", "lookups"])]
    pub capture: Option<PathBuf>,
    /// Memory regions behind the capture; when not given, the capture's name with .json, if there is such a file
    #[arg(long, value_name = "FILE", requires = "capture")]
    pub regions: Option<PathBuf>,
    /// Work the regions out from the traffic, whatever files there are
    #[arg(long, requires = "capture", conflicts_with = "regions")]
    pub infer: bool,
    /// Write the report as one HTML page to this file
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write the report as sim.txt, sim.json and sim.html to this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `cases`.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  latchkey cases mr_cases.jsonl\n  latchkey cases mr_cases.jsonl --engine rust --config nic --json"
)]
pub struct CasesArgs {
    /// Cases, one JSON object a line
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Engine
    #[arg(long, value_enum, default_value = "verilator")]
    pub engine: EngineName,
    /// Configuration
    #[arg(long, default_value = "nic")]
    pub config: String,
    /// Run only the cases whose id begins so
    #[arg(long, default_value = "")]
    pub only: String,
    /// Run every Nth case of the file
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub every: u64,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `synth`.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  latchkey synth --config alchitry-cu\n  latchkey synth --config nic --target ecp5-85 --seeds 8 --json\n  latchkey synth --config alchitry-cu --seeds 8 --resume\n  latchkey synth --config alchitry-cu --budget\n  latchkey synth --config tiny --no-run"
)]
pub struct SynthArgs {
    /// Configuration
    #[arg(long, default_value = "alchitry-cu")]
    pub config: String,
    /// Device: ice40-hx8k or ecp5-85; what suits the configuration when not given
    #[arg(long)]
    pub target: Option<String>,
    /// Place and route with seeds 1 to this; 0 stops after packing
    #[arg(long, default_value_t = 1)]
    pub seeds: u64,
    /// Seeds at once
    #[arg(long, default_value_t = 2)]
    pub jobs: usize,
    /// Module in place of the core
    #[arg(long, default_value = "core")]
    pub module: String,
    /// Synthesize this Verilog file instead of a configuration's
    #[arg(long, value_name = "FILE", requires = "top")]
    pub verilog: Option<PathBuf>,
    /// Top module of --verilog
    #[arg(long, requires = "verilog")]
    pub top: Option<String>,
    /// Map with ABC9, whatever the goal's line says
    #[arg(long)]
    pub abc9: bool,
    /// Folder for report (text, JSON, page), kept runs and finished seeds; out/CONFIG when not given
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Take seeds that an earlier run of the same Verilog, tools and settings has finished
    #[arg(long)]
    pub resume: bool,
    /// Leave out the table of blocks (a synthesis of its own)
    #[arg(long)]
    pub no_blocks: bool,
    /// Hold the blocks to the committed budget; no place and route
    #[arg(long)]
    pub budget: bool,
    /// Goals in place of the committed ones
    #[arg(long, value_name = "FILE")]
    pub goals: Option<PathBuf>,
    /// Prepare the files and print them; run no tool
    #[arg(long)]
    pub no_run: bool,
    /// Limit of one tool run
    #[arg(long, default_value_t = 3600, value_name = "SECONDS")]
    pub timeout: u64,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `waves`.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  latchkey waves\n  latchkey waves --check\n  latchkey waves --config nic --engine verilator --out out/nic/waves"
)]
pub struct WavesArgs {
    /// Configuration
    #[arg(long, default_value = "tiny")]
    pub config: String,
    /// Engine
    #[arg(long, value_enum, default_value = "rust")]
    pub engine: EngineName,
    /// Folder of the pictures
    #[arg(long, value_name = "DIR", default_value = "docs/waves")]
    pub out: PathBuf,
    /// Write nothing: fail when a picture is not what would be drawn
    #[arg(long)]
    pub check: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `doctor`.
#[derive(Args)]
#[command(after_help = "Examples:\n  latchkey doctor\n  latchkey doctor --json")]
pub struct DoctorArgs {
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `completions`.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  latchkey completions bash > ~/.local/share/bash-completion/completions/latchkey"
)]
pub struct CompletionsArgs {
    /// Shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}
