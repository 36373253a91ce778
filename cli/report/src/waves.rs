// SPDX-License-Identifier: MIT OR Apache-2.0
//! Timing diagrams of real runs: a scene is played on an engine, the pins are recorded, a stretch of them is drawn.

mod draw;
mod labels;
mod payload;
mod scenes;
mod streams;
mod time;

use latchkey_testbench::bench::{Chosen, Params};

/// A scene to be drawn.
#[derive(Clone, Copy)]
pub struct Plan {
    scene: &'static scenes::Scene,
    /// Name of its picture, without `.svg`.
    pub name: &'static str,
    /// Configuration it is played on.
    pub config: &'static str,
}

/// What is to be drawn, in order, and the names of what can't be.
pub struct Program {
    /// Scenes with their configurations.
    pub plans: Vec<Plan>,
    /// Names of scenes with commands that the configuration does not have.
    pub without: Vec<&'static str>,
}

/// All scenes, each on a configuration of its own, or on the given one as far as it has their commands.
pub fn program(config: Option<(&'static str, &Params)>) -> Program {
    let mut program = Program {
        plans: Vec::new(),
        without: Vec::new(),
    };
    for scene in &scenes::SCENES {
        match config {
            Some((_, params)) if !(scene.fits)(params) => program.without.push(scene.name),
            _ => program.plans.push(Plan {
                scene,
                name: scene.name,
                config: config.map_or(scene.config, |(name, _)| name),
            }),
        }
    }
    program
}

impl Plan {
    /// Plays the scene on a fresh core of its configuration and draws it as SVG.
    ///
    /// # Panics
    /// If the core breaks a rule: the history checker watches every scene.
    pub fn picture(&self, core: Chosen) -> String {
        draw::svg(&self.scene.record(self.config, core))
    }
}
