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
    /// Talk to a board, or to a simulated one
    Board(BoardArgs),
    /// Play a recorded run to the netlist of synthesis and compare
    Netlist(NetlistArgs),
    /// Draw timing diagrams of real runs
    Waves(WavesArgs),
    /// Prove properties of the exported core, of configurations tiny and life
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
    after_help = "Examples:\n  latchkey generate --config tiny\n  latchkey generate --config nic --out out/nic --json\n  latchkey generate --config nic --out out/nic --check\n  latchkey generate --config alchitry-cu --top board\n  latchkey generate --list"
)]
pub struct GenerateArgs {
    /// Configuration
    #[arg(long, default_value = "nic")]
    pub config: String,
    /// Module; the core when not given
    #[arg(long, default_value = "core")]
    pub module: String,
    /// Top: core, or board (the whole of the Alchitry Cu around the core of `alchitry-cu`)
    #[arg(long, default_value = "core", conflicts_with = "module", value_parser = ["core", "board"])]
    pub top: String,
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
    /// fast registration, windows, re-registration, paging and null regions, as far as the configuration has them
    Life,
}

impl ScenarioName {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            ScenarioName::Hits => "hits",
            ScenarioName::Misses => "misses",
            ScenarioName::Churn => "churn",
            ScenarioName::Mixed => "mixed",
            ScenarioName::Life => "life",
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
    /// Parts of the run side by side, each with an engine, a checker and a seed of its own
    #[arg(long, default_value_t = 1, conflicts_with_all = ["vcd", "trace", "capture"], value_parser = clap::value_parser!(u64).range(1..=64))]
    pub jobs: u64,
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
    after_help = "Examples:\n  latchkey synth --config alchitry-cu\n  latchkey synth --config nic --target ecp5-85 --seeds 8 --json\n  latchkey synth --config alchitry-cu --seeds 8 --resume\n  latchkey synth --config alchitry-cu --budget\n  latchkey synth --config alchitry-cu --top board --seeds 8\n  latchkey synth --config tiny --no-run"
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
    /// What: core, in the timing harness, or board, on its pins and with a bitstream; with --verilog its top module
    #[arg(long, conflicts_with = "module")]
    pub top: Option<String>,
    /// Map with ABC9, whatever the goal's line says
    #[arg(long)]
    pub abc9: bool,
    /// Folder for report (text, JSON, page), a board's bitstream, kept runs and finished seeds; out/CONFIG when not given
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
    /// Configuration; without it every scene has its own, the smallest with its commands
    #[arg(long)]
    pub config: Option<String>,
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

/// Arguments of `netlist`.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  latchkey netlist\n  latchkey netlist --config tiny --scenario churn --cycles 20000 --seed 7 --json"
)]
pub struct NetlistArgs {
    /// Configuration
    #[arg(long, default_value = "alchitry-cu")]
    pub config: String,
    /// Scenario that is recorded
    #[arg(long, value_enum, default_value = "mixed")]
    pub scenario: ScenarioName,
    /// Cycles to record, from reset on
    #[arg(long, default_value_t = 3_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub cycles: u64,
    /// Seed of the stimulus
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Limit of one tool run
    #[arg(long, default_value_t = 3600, value_name = "SECONDS")]
    pub timeout: u64,
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

/// Arguments of `board`.
#[derive(Args)]
#[command(
    after_help = "A session (tables, regions) is kept from one call to the next; a board that was reset begins anew.\n\nExamples:\n  latchkey board virtual\n  latchkey board --port virtual demo\n  latchkey board --port /dev/ttyUSB1 selftest\n  latchkey board --port /dev/ttyUSB1 register --iova 0x10000 --length 8192 --access local_write,remote_read --frame 0x80000 --frame 0x93000\n  latchkey board --port /dev/ttyUSB1 lookup --key 0x101 --va 0x10010 --len 64\n  latchkey board --port /dev/ttyUSB1 deregister --key 0x101\n  latchkey board --port /dev/ttyUSB1 replay my.jsonl --json"
)]
pub struct BoardArgs {
    /// Serial port of the board, or `virtual`: a simulated one inside this program
    #[arg(long, value_name = "PATH", default_value = "virtual", global = true)]
    pub port: String,
    /// The board is given up after so long without an answer
    #[arg(long, value_name = "SECONDS", default_value_t = 20, global = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout: u64,
    /// The USB adapter collects bytes (latency timer of 16 ms): let the board wait longer before it repeats itself
    #[arg(long, global = true)]
    pub slow_line: bool,
    /// Begin with empty tables, whatever was before
    #[arg(long, global = true)]
    pub fresh: bool,
    /// Print one JSON object
    #[arg(long, global = true)]
    pub json: bool,
    /// What to do
    #[command(subcommand)]
    pub command: BoardCommand,
}

/// What can be done with a board.
#[derive(Subcommand)]
pub enum BoardCommand {
    /// Serve a simulated board behind a pseudo-terminal, until stopped; prints its path
    Virtual(VirtualArgs),
    /// Ask for the state of the board; needs no session and changes nothing
    Status,
    /// Have the board test itself; ends the session
    Selftest,
    /// Register, resolve, be refused, deregister, be refused; ends the session
    Demo,
    /// Register a region and print its keys
    Register(RegisterArgs),
    /// Look an address up
    Lookup(LookupArgs),
    /// Deregister a region
    Deregister(DeregisterArgs),
    /// Print the counters of the core
    Counters,
    /// Play a trace (JSON lines, docs/trace-format.md), every answer checked; begins with empty tables
    Replay(ReplayArgs),
}

/// Arguments of `board virtual`.
#[derive(Args)]
pub struct VirtualArgs {
    /// Bytes of 100,000 that are changed, of as many that are lost, and of as many that are added
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=50_000))]
    pub noise: u32,
    /// Seed of the noise
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// A number, decimal or with 0x.
pub fn number(text: &str) -> Result<u64, String> {
    let found = match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16),
        None => text.parse(),
    };
    found.map_err(|e| format!("{e}: give a decimal number, or a hexadecimal one with 0x"))
}

/// A number of 32 bits, decimal or with 0x.
pub fn number32(text: &str) -> Result<u32, String> {
    u32::try_from(number(text)?).map_err(|_| "has more than 32 bits".into())
}

/// Arguments of `board register`.
#[derive(Args)]
pub struct RegisterArgs {
    /// Protection domain
    #[arg(long, default_value = "1", value_parser = number32)]
    pub pd: u32,
    /// First address
    #[arg(long, value_parser = number)]
    pub iova: u64,
    /// Bytes
    #[arg(long, value_parser = number)]
    pub length: u64,
    /// Rights, by the verbs' names
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "local_write,remote_read,remote_write"
    )]
    pub access: Vec<String>,
    /// Page size: 4k, 64k, 2m, 1g, or contiguous
    #[arg(long, default_value = "4k")]
    pub page: String,
    /// Physical address of a page, once a page; one alone stands for pages that follow one another
    #[arg(long = "frame", value_parser = number, required = true)]
    pub frames: Vec<u64>,
}

/// Arguments of `board lookup`.
#[derive(Args)]
pub struct LookupArgs {
    /// Key
    #[arg(long, value_parser = number32)]
    pub key: u32,
    /// First address
    #[arg(long, value_parser = number)]
    pub va: u64,
    /// Bytes
    #[arg(long, value_parser = number32)]
    pub len: u32,
    /// Operation, as in docs/trace-format.md
    #[arg(long, default_value = "read")]
    pub op: String,
    /// Protection domain of the queue pair
    #[arg(long, default_value = "1", value_parser = number32)]
    pub pd: u32,
    /// The key is a local one
    #[arg(long)]
    pub local: bool,
}

/// Arguments of `board deregister`.
#[derive(Args)]
pub struct DeregisterArgs {
    /// Either key of the region
    #[arg(long, value_parser = number32)]
    pub key: u32,
    /// What happens to running accesses: cut, drain or contract
    #[arg(long, default_value = "cut")]
    pub mode: String,
}

/// Arguments of `board replay`.
#[derive(Args)]
pub struct ReplayArgs {
    /// Trace
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}
