// SPDX-License-Identifier: MIT OR Apache-2.0
//! What becomes of running programs when the user stops us: each is a process group of its own, which a Ctrl-C does not reach.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, Once};

/// Exit code after Ctrl-C, or the like from another program.
const STOPPED: i32 = 130;

static GROUPS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn groups() -> MutexGuard<'static, BTreeSet<u32>> {
    GROUPS
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// A process group that ends with us.
#[derive(Debug)]
pub(super) struct Group(u32);

impl Group {
    /// The group whose first process is `id`.
    pub fn of(id: u32) -> Group {
        static HANDLER: Once = Once::new();
        HANDLER.call_once(|| {
            // one that is set already keeps its say
            ctrlc::set_handler(|| {
                for id in groups().iter() {
                    kill(*id);
                }
                std::process::exit(STOPPED);
            })
            .ok();
        });
        groups().insert(id);
        Group(id)
    }

    /// Ends all of it.
    pub fn kill(&self) {
        kill(self.0);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        groups().remove(&self.0);
    }
}

#[cfg(unix)]
fn kill(group: u32) {
    Command::new("kill")
        .args(["-9", "--", &format!("-{group}")])
        .stderr(Stdio::null())
        .status()
        .ok();
}

#[cfg(not(unix))]
fn kill(_: u32) {}
