// SPDX-License-Identifier: MIT OR Apache-2.0
//! Running a program with a time limit, both output streams read as they come.

use super::stop::Group;
use super::Tool;
use crate::{Error, Result};
use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What a program wrote.
#[derive(Clone, Debug)]
pub struct Output {
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// Lines of each stream that an error carries; the full text is in the tool's log file.
const TAIL: usize = 40;

/// Runs it; a bad exit status is an error.
pub(super) fn run(tool: &Tool, args: &[String], folder: &Path, limit: Duration) -> Result<Output> {
    let (status, output) = run_any(tool, args, folder, limit, None)?;
    if status.success() {
        return Ok(output);
    }
    Err(Error::ToolFailed {
        tool: tool.name.clone(),
        status: status.to_string(),
        command: format!("{} {}", tool.path.display(), args.join(" ")),
        stdout: tail(&output.stdout),
        stderr: tail(&output.stderr),
        folder: folder.display().to_string(),
    })
}

/// Runs it, and its children with it in one process group, PATH in place of the own one; how it ended and what it wrote.
pub(super) fn run_any(
    tool: &Tool,
    args: &[String],
    folder: &Path,
    limit: Duration,
    search: Option<&OsStr>,
) -> Result<(ExitStatus, Output)> {
    let command = format!("{} {}", tool.path.display(), args.join(" "));
    let fail = |source| Error::File {
        what: "run",
        path: tool.path.clone(),
        source,
    };
    let mut program = Command::new(&tool.path);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut program, 0);
    if let Some(search) = search {
        program.env("PATH", search);
    }
    let mut child = program
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(fail)?;
    let group = Group::of(child.id());
    let stdout = reader(child.stdout.take().expect("piped"));
    let stderr = reader(child.stderr.take().expect("piped"));
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    let status = loop {
        if let Some(status) = child.try_wait().map_err(fail)? {
            break Some(status);
        }
        if start.elapsed() >= limit {
            group.kill();
            child.kill().ok();
            child.wait().map_err(fail)?;
            break None;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    };
    let (stdout, stderr) = (text(stdout), text(stderr));
    match status {
        Some(status) => Ok((status, Output { stdout, stderr })),
        None => Err(Error::Timeout {
            tool: tool.name.clone(),
            seconds: limit.as_secs(),
            command,
            stdout: tail(&stdout),
            stderr: tail(&stderr),
        }),
    }
}

fn reader(mut from: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes).ok();
        bytes
    })
}

fn text(reader: JoinHandle<Vec<u8>>) -> String {
    String::from_utf8_lossy(&reader.join().unwrap_or_default()).into_owned()
}

fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(TAIL)..].join("\n")
}
