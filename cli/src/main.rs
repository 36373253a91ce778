// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `latchkey` command.
//!
//! Data goes to stdout, words and progress to stderr. Exit codes are in [`error`].

mod args;
mod args_prove;
mod board;
mod bridge;
mod cmd_board;
mod cmd_cases;
mod cmd_completions;
mod cmd_doctor;
mod cmd_generate;
mod cmd_man;
mod cmd_mutate;
mod cmd_netlist;
mod cmd_prove;
mod cmd_sim;
mod cmd_synth;
mod cmd_waves;
mod configs;
mod engines;
mod error;
mod lines;
mod output;
mod progress;
mod proofs;
mod replay;

use args::{Cli, Command};
use clap::Parser;
use error::Outcome;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let (json, result) = match cli.command {
        Command::Generate(a) => (a.json, cmd_generate::run(&a)),
        Command::Sim(a) => (a.json, cmd_sim::run(&a)),
        Command::Cases(a) => (a.json, cmd_cases::run(&a)),
        Command::Synth(a) => (a.json, cmd_synth::run(&a)),
        Command::Netlist(a) => (a.json, cmd_netlist::run(&a)),
        Command::Board(a) => (a.json, cmd_board::run(&a)),
        Command::Waves(a) => (a.json, cmd_waves::run(&a)),
        Command::Prove(a) => (a.json, cmd_prove::run(&a)),
        Command::Mutate(a) => (a.json, cmd_mutate::run(&a)),
        Command::Doctor(a) => (a.json, cmd_doctor::run(&a)),
        Command::Completions(a) => (false, cmd_completions::run(&a)),
        Command::Man => (false, cmd_man::run()),
    };
    let code = match result {
        Ok(Outcome { code }) => code,
        Err(e) => {
            output::error(&e, json);
            e.code()
        }
    };
    ExitCode::from(code)
}
