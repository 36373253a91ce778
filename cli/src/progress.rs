// SPDX-License-Identifier: MIT OR Apache-2.0
//! Progress on stderr: a bar on a terminal, a line a step elsewhere.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;

/// A running bar.
pub struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    /// A bar of `steps` steps.
    pub fn new(steps: u64) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{elapsed_precise} [{bar:30}] {pos}/{len} {msg}").expect("legal template");
            let bar = ProgressBar::new(steps).with_style(style);
            bar.enable_steady_tick(std::time::Duration::from_millis(200));
            bar
        });
        Progress { bar }
    }

    /// One step done.
    pub fn step(&self, text: &str) {
        match &self.bar {
            Some(bar) => {
                bar.set_message(text.to_string());
                bar.inc(1);
            }
            None => crate::output::say(text),
        }
    }

    /// Sets the position (for work counted in large numbers).
    pub fn at(&self, position: u64) {
        if let Some(bar) = &self.bar {
            bar.set_position(position);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
