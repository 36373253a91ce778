// SPDX-License-Identifier: MIT OR Apache-2.0
//! Devices we synthesize for, and the committed goals.

use crate::{atomic, Error, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Lattice iCE40 HX8K in the board's package.
    Ice40Hx8k,
    /// Lattice ECP5 85k, speed grade 6.
    Ecp585,
}

/// Size of a device.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Device {
    /// Logic cells (ECP5: LUT4 sites).
    pub lc: u64,
    /// Block RAMs.
    pub ram: u64,
}

impl Target {
    /// All of them.
    pub const ALL: [Target; 2] = [Target::Ice40Hx8k, Target::Ecp585];

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Target::Ice40Hx8k => "ice40-hx8k",
            Target::Ecp585 => "ecp5-85",
        }
    }

    /// Target of a name.
    pub fn from_name(name: &str) -> Result<Target> {
        Self::ALL
            .into_iter()
            .find(|t| t.name() == name)
            .ok_or_else(|| Error::UnknownTarget(name.into()))
    }

    /// The usual target of a configuration.
    pub fn usual(config: &str) -> Target {
        if config.starts_with("nic") {
            Target::Ecp585
        } else {
            Target::Ice40Hx8k
        }
    }

    /// Its size.
    pub fn device(self) -> Device {
        match self {
            Target::Ice40Hx8k => Device { lc: 7680, ram: 32 },
            Target::Ecp585 => Device {
                lc: 83640,
                ram: 208,
            },
        }
    }

    /// Package used in the harness.
    pub fn package(self) -> &'static str {
        match self {
            Target::Ice40Hx8k => "cb132",
            Target::Ecp585 => "CABGA756",
        }
    }
}

/// Committed goal of a configuration on a target.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Goal {
    /// Configuration.
    pub config: String,
    /// Target.
    pub target: String,
    /// Median clock over the seeds must reach this.
    pub mhz: f64,
    /// Logic cells of the core must not pass this.
    pub lc_max: Option<u64>,
    /// Block RAMs of the core must not pass this.
    pub ram_max: Option<u64>,
    /// Map with ABC9 (measured: whichever gives the better clock).
    #[serde(default)]
    pub abc9: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Goals {
    goal: Vec<Goal>,
}

/// The goals compiled into the program.
pub fn committed() -> Vec<Goal> {
    parse(
        include_str!("../../constraints/targets.toml"),
        "constraints/targets.toml",
    )
    .expect("committed goals are legal")
}

/// Goals of a file.
pub fn from_file(path: &Path) -> Result<Vec<Goal>> {
    parse(&atomic::read(path)?, &path.display().to_string())
}

fn parse(text: &str, path: &str) -> Result<Vec<Goal>> {
    let goals: Goals = toml::from_str(text).map_err(|e| Error::Malformed {
        path: path.into(),
        why: e.to_string(),
        mend: "each [[goal]] has config, target, mhz and may have lc_max, ram_max, abc9".into(),
    })?;
    for goal in &goals.goal {
        Target::from_name(&goal.target)?;
    }
    Ok(goals.goal)
}

/// The goal for a configuration on a target, if there is one.
pub fn goal<'a>(goals: &'a [Goal], config: &str, target: Target) -> Option<&'a Goal> {
    goals
        .iter()
        .find(|g| g.config == config && g.target == target.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_goals_name_the_board_and_the_nic() {
        let goals = committed();
        let board = goal(&goals, "alchitry-cu", Target::Ice40Hx8k).unwrap();
        assert!(board.mhz >= 100.0 && board.lc_max.unwrap() <= 7680 * 60 / 100);
        assert!(goal(&goals, "nic", Target::Ecp585).unwrap().mhz >= 100.0);
    }

    #[test]
    fn an_unknown_field_or_target_is_refused() {
        assert!(parse(
            "[[goal]]\nconfig='a'\ntarget='ecp5-85'\nmhz=1.0\nspeed=3\n",
            "x"
        )
        .is_err());
        assert!(parse("[[goal]]\nconfig='a'\ntarget='none'\nmhz=1.0\n", "x").is_err());
    }
}
