// SPDX-License-Identifier: MIT OR Apache-2.0
//! Timing diagrams of real runs: a scene is played on an engine, the pins are recorded, a stretch of them is drawn.

mod draw;
mod labels;
mod payload;
mod scenes;
mod streams;
mod time;

use latchkey_testbench::bench::Chosen;

/// A picture as SVG text.
pub struct Picture {
    /// Name of its file, without `.svg`.
    pub name: &'static str,
    /// The SVG.
    pub svg: String,
}

/// Names of the pictures, in their order.
pub fn names() -> Vec<&'static str> {
    scenes::SCENES.iter().map(|scene| scene.name).collect()
}

/// Plays every scene on a fresh core of `config` and draws it. `done` hears the name of each.
///
/// # Panics
/// If the core breaks a rule: the history checker watches every scene.
pub fn pictures(
    config: &'static str,
    fresh: impl Fn() -> Chosen,
    mut done: impl FnMut(&str),
) -> Vec<Picture> {
    let mut list = Vec::new();
    for scene in &scenes::SCENES {
        let svg = draw::svg(&scene.record(config, fresh()));
        done(scene.name);
        list.push(Picture {
            name: scene.name,
            svg,
        });
    }
    list
}
