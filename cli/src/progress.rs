// SPDX-License-Identifier: MIT OR Apache-2.0
//! Progress on stderr: a bar on a terminal, a line a step elsewhere.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Elsewhere than on a terminal a line comes no more often than this.
const PAUSE: Duration = Duration::from_secs(5);

/// A running bar.
pub struct Progress {
    bar: Option<ProgressBar>,
    steps: u64,
    said: Mutex<Instant>,
}

impl Progress {
    /// A bar of `steps` steps.
    pub fn new(steps: u64) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style =
                ProgressStyle::with_template("{elapsed_precise} [{bar:30}] {pos}/{len} {msg}")
                    .expect("legal template");
            let bar = ProgressBar::new(steps).with_style(style);
            bar.enable_steady_tick(std::time::Duration::from_millis(200));
            bar
        });
        Progress {
            bar,
            steps,
            said: Mutex::new(Instant::now()),
        }
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
            return bar.set_position(position);
        }
        let mut said = self.said.lock().expect("no holder panics");
        if said.elapsed() >= PAUSE {
            *said = Instant::now();
            crate::output::say(&format!("{position} of {}", self.steps));
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
