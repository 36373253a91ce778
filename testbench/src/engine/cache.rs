// SPDX-License-Identifier: MIT OR Apache-2.0
//! Builds shared libraries from Verilog and keeps them by the hash of everything that went in.

use super::EngineError;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Folder of built libraries: `LATCHKEY_CACHE`, else `latchkey` in the user's cache folder.
pub(super) fn folder() -> PathBuf {
    let set = |name: &str| {
        std::env::var_os(name)
            .filter(|v| !v.is_empty())
            .map(PathBuf::from)
    };
    set("LATCHKEY_CACHE")
        .or_else(|| set("XDG_CACHE_HOME").map(|p| p.join("latchkey")))
        .or_else(|| set("HOME").map(|p| p.join(".cache/latchkey")))
        .unwrap_or_else(|| std::env::temp_dir().join("latchkey-cache"))
}

/// Hex digest of the parts, each ended.
pub(super) fn digest(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    hash.finalize().iter().map(|b| format!("{b:02x}")).collect()
}

/// Where to keep what this program makes of `parts`; another build of the program has another place. None: it can't tell which build it is.
pub(super) fn kept(parts: &[&str]) -> Option<PathBuf> {
    let exe = std::env::current_exe().ok()?;
    let about = std::fs::metadata(&exe).ok()?;
    let built = about
        .modified()
        .ok()?
        .duration_since(std::time::UNIX_EPOCH)
        .ok()?;
    let build = format!("{} {} {}", exe.display(), about.len(), built.as_nanos());
    let key = digest(&[&[build.as_str()], parts].concat());
    Some(folder().join(format!("text-{}.v", &key[..16])))
}

/// Writes a file of the cache, whole or not at all.
pub(super) fn keep(path: &Path, text: &str) -> Result<(), EngineError> {
    let folder = folder();
    std::fs::create_dir_all(&folder).map_err(EngineError::io(&folder))?;
    let part = tempfile::NamedTempFile::new_in(&folder).map_err(EngineError::io(&folder))?;
    std::fs::write(part.path(), text).map_err(EngineError::io(path))?;
    part.persist(path)
        .map_err(|e| EngineError::io(path)(e.error))?;
    Ok(())
}

/// Runs a program; its output in case of failure is part of the error.
pub(super) fn run(
    tool: &'static str,
    module: &str,
    command: &mut Command,
) -> Result<String, EngineError> {
    let output = command.output().map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => EngineError::ToolMissing { tool },
        _ => EngineError::Io {
            path: tool.into(),
            source: e,
        },
    })?;
    let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    if !output.status.success() {
        let output = text(&output.stdout) + &text(&output.stderr);
        return Err(EngineError::ToolFailed {
            tool,
            module: module.into(),
            output,
        });
    }
    Ok(text(&output.stdout))
}

/// Verilog without the `initial` blocks that set registers.
pub(super) fn uninitialised(verilog: &str) -> String {
    let mut out = String::with_capacity(verilog.len());
    let mut inside = false;
    for line in verilog.lines() {
        inside |= line.trim() == "initial begin";
        if !inside {
            out.push_str(line);
            out.push('\n');
        }
        inside &= line.trim() != "end";
    }
    out
}

/// Version line of Verilator, asked for once a process.
fn version() -> Result<String, EngineError> {
    static FOUND: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    if let Some(found) = FOUND.get() {
        return Ok(found.clone());
    }
    let said = run(
        "verilator",
        "--version",
        Command::new("verilator").arg("--version"),
    )?;
    Ok(FOUND.get_or_init(|| said.trim().into()).clone())
}

/// Folder of Verilator's runtime.
fn root() -> Result<PathBuf, EngineError> {
    let said = run(
        "verilator",
        "--getenv",
        Command::new("verilator").args(["--getenv", "VERILATOR_ROOT"]),
    )?;
    Ok(PathBuf::from(said.trim()))
}

const CXX: &[&str] = &[
    "-std=gnu++17",
    "-fPIC",
    "-fvisibility=hidden",
    "-fno-gnu-unique",
    "-w",
];

/// Verilator's own runtime as an object file, built once a version.
pub(super) fn runtime(version: &str, root: &Path) -> Result<PathBuf, EngineError> {
    let folder = folder();
    std::fs::create_dir_all(&folder).map_err(EngineError::io(&folder))?;
    let target = folder.join(format!(
        "runtime-{}.o",
        &digest(&[version, &CXX.join(" ")])[..16]
    ));
    if target.exists() {
        return Ok(target);
    }
    let work = tempfile::tempdir_in(&folder).map_err(EngineError::io(&folder))?;
    let source = work.path().join("runtime.cpp");
    let text = "#include \"verilated.cpp\"\n#include \"verilated_threads.cpp\"\n";
    std::fs::write(&source, text).map_err(EngineError::io(&source))?;
    let object = work.path().join("runtime.o");
    let include = root.join("include");
    run(
        "g++",
        "verilated.cpp",
        Command::new("g++")
            .args(CXX)
            .arg("-O2")
            .arg("-I")
            .arg(&include)
            .arg("-I")
            .arg(include.join("vltstd"))
            .arg("-c")
            .arg(&source)
            .arg("-o")
            .arg(&object),
    )?;
    std::fs::rename(&object, &target).map_err(EngineError::io(&target))?;
    Ok(target)
}

/// One library to build.
pub(super) struct Job<'a> {
    pub module: &'a str,
    pub class: &'a str,
    pub verilog: &'a str,
    pub wrapper: &'a str,
    /// Optimisation flag of the C++ compiler.
    pub optimise: &'static str,
    /// Registers come up with random contents.
    pub anything: bool,
}

/// Path of the library, built if it isn't there yet.
pub(super) fn library(job: &Job) -> Result<PathBuf, EngineError> {
    let version = version()?;
    let key = digest(&[
        job.verilog,
        job.wrapper,
        &version,
        job.optimise,
        &CXX.join(" "),
    ]);
    let target = folder().join(format!("{key}.so"));
    if target.exists() {
        return Ok(target);
    }
    let root = root()?;
    let runtime = runtime(&version, &root)?;
    let work = tempfile::tempdir_in(folder()).map_err(EngineError::io(&folder()))?;
    let dir = work.path();
    let write = |name: &str, text: &str| {
        let path = dir.join(name);
        std::fs::write(&path, text).map_err(EngineError::io(&path))
    };
    write("design.v", job.verilog)?;
    write("wrap.cpp", job.wrapper)?;
    run(
        "verilator",
        job.module,
        Command::new("verilator")
            .current_dir(dir)
            .args([
                "--cc",
                "--no-timing",
                "-O3",
                "--x-assign",
                "fast",
                "--x-initial",
                if job.anything { "unique" } else { "0" },
                "-Wno-lint",
                "-Wno-fatal",
            ])
            .args([
                "--top-module",
                job.module,
                "--prefix",
                job.class,
                "--Mdir",
                "obj",
                "design.v",
            ]),
    )?;
    let obj = dir.join("obj");
    let mut parts: Vec<String> = std::fs::read_dir(&obj)
        .map_err(EngineError::io(&obj))?
        .flatten()
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .filter(|n| n.ends_with(".cpp"))
        .collect();
    parts.sort();
    let all: String = parts
        .iter()
        .map(|p| format!("#include \"{p}\"\n"))
        .collect();
    write("all.cpp", &(all + "#include \"../wrap.cpp\"\n"))?;
    let include = root.join("include");
    let low = low_edge(&dir.join("obj"), job.class);
    run(
        "g++",
        job.module,
        Command::new("g++")
            .current_dir(dir)
            .args(CXX)
            .args(&low)
            .args([job.optimise, "-shared", "-Wl,-Bsymbolic", "-I", "obj", "-I"])
            .arg(&include)
            .arg("-I")
            .arg(include.join("vltstd"))
            .arg("all.cpp")
            .arg(&runtime)
            .args(["-lpthread", "-o", "model.so"]),
    )?;
    // Another process may have built the same one meanwhile; the rename replaces it by an equal file.
    std::fs::rename(dir.join("model.so"), &target).map_err(EngineError::io(&target))?;
    Ok(target)
}

/// Verilator remembers the clock of the last call in a variable of its own. Where that variable is found, the wrapper sets it low by hand and
/// calls the model once a cycle instead of twice; where it is not (another Verilator), the wrapper does without.
fn low_edge(obj: &Path, class: &str) -> Option<String> {
    let text = std::fs::read_to_string(obj.join(format!("{class}___024root.h"))).ok()?;
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let clock = |w: &&str| {
        w.starts_with("__Vtrig")
            && w.contains("prev")
            && w.contains("__TOP__clock")
            && !w.contains("DOT")
    };
    let names: std::collections::BTreeSet<&str> = text.split(|c| !word(c)).filter(clock).collect();
    let mut names = names.into_iter();
    names
        .next()
        .filter(|_| names.next().is_none())
        .map(|name| format!("-DLATCHKEY_LOW={name}"))
}
