// SPDX-License-Identifier: MIT OR Apache-2.0
//! Verilog of a block.

use rust_hdl::prelude::*;
use sha2::{Digest, Sha256};

/// Why a block can't be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// rust-hdl's own checks object: something unconnected, a Local read before written, an input written.
    #[error("{name}: rust-hdl's checks object: {what}")]
    Check {
        /// Module name.
        name: String,
        /// The finding.
        what: String,
    },
}

/// Verilog of a fresh `block`, with `name` as its top module. The text depends on the design only.
///
/// Call it on an instance that was never simulated.
pub fn export<B: Block>(block: &mut B, name: &str) -> Result<String, ExportError> {
    block.connect_all();
    check_all(block).map_err(|e| ExportError::Check { name: name.into(), what: format!("{e:?}") })?;
    let mut defines = ModuleDefines::default();
    block.accept(name, &mut defines);
    Ok(tidy(&defines.defines()))
}

/// `text` under a header that names the configuration it was made from.
pub fn with_header(text: &str, config: &str, constants: &[(&str, u64)]) -> String {
    let mut hash = Sha256::new();
    for (name, value) in constants {
        hash.update(format!("{name}={value}\n"));
    }
    let hex: String = hash.finalize().iter().take(8).map(|b| format!("{b:02x}")).collect();
    format!(
        "// SPDX-License-Identifier: MIT OR Apache-2.0\n// Latchkey, configuration {config} ({hex})\n\
         // Written by `latchkey generate`; do not edit.\n{text}"
    )
}

/// Trailing blanks off, runs of empty lines joined, and blocks made to run at time 0.
fn tidy(text: &str) -> String {
    let mut out = String::new();
    let mut blank = true;
    for line in text.lines().map(str::trim_end) {
        if line.is_empty() && blank {
            continue;
        }
        blank = line.is_empty();
        out.push_str(&line.replace("wire  ", "wire ").replace("reg  ", "reg "));
        out.push('\n');
    }
    let vectors = out.split_inclusive("endmodule").map(index_scalars).collect::<String>();
    wake_constants(&vectors)
}

/// rust-hdl declares `Bits<1>` as a scalar, of which Verilog allows no bit select; one that is indexed becomes `[0:0]`.
fn index_scalars(module: &str) -> String {
    let lines = module.lines().map(|line| {
        let declared = line.trim().strip_suffix(';').and_then(|l| l.rsplit_once(' '));
        match declared {
            Some((kind, name)) if matches!(kind, "input wire" | "output wire" | "output reg" | "wire" | "reg") => {
                let indexed = module.match_indices(&format!("{name}[")).any(|(at, _)| {
                    let before = module[..at].chars().next_back();
                    !before.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
                });
                if indexed { line.replace(&format!("{kind} {name}"), &format!("{kind} [0:0] {name}")) } else { line.into() }
            }
            _ => line.to_string(),
        }
    });
    lines.collect::<Vec<_>>().join("\n") + if module.ends_with('\n') { "\n" } else { "" }
}

/// An `always @(*)` that reads nothing from outside never runs in Icarus, so its outputs stay X for ever.
/// Such a block becomes one `assign` a target, and its targets become wires.
fn wake_constants(text: &str) -> String {
    text.split_inclusive("endmodule").map(wake_module).collect()
}

fn wake_module(module: &str) -> String {
    let lines: Vec<&str> = module.lines().collect();
    let starts = |l: &&str| l.trim() == "always @(*) begin";
    let Some(open) = lines.iter().position(starts) else { return module.into() };
    let indent = lines[open].len() - lines[open].trim_start().len();
    let ends = |l: &&str| l.trim() == "end" && l.len() - l.trim_start().len() == indent;
    let Some(length) = lines[open..].iter().position(ends) else { return module.into() };
    let locals: Vec<&str> = lines.iter().filter_map(|l| l.trim().strip_prefix("localparam")).collect();
    let Some(assigns) = constant_assigns(&lines[open + 1..open + length], &locals) else { return module.into() };
    let mut out: Vec<String> = Vec::new();
    for line in &lines[..open] {
        let declared = line.trim().strip_suffix(';').and_then(|l| l.rsplit(' ').next()).unwrap_or("");
        let target = assigns.iter().any(|(name, _)| name == declared);
        out.push(if target { line.replacen("reg", "wire", 1) } else { line.to_string() });
    }
    let pad = &lines[open][..indent];
    out.extend(assigns.iter().map(|(name, value)| format!("{pad}assign {name} = {value};")));
    out.extend(lines[open + length + 1..].iter().map(|l| l.to_string()));
    out.join("\n") + if module.ends_with('\n') { "\n" } else { "" }
}

/// The assignments of a body that reads nothing but constants and its own targets; None for any other body.
fn constant_assigns(body: &[&str], locals: &[&str]) -> Option<Vec<(String, String)>> {
    let mut list: Vec<(String, String)> = Vec::new();
    for line in body.iter().map(|l| l.trim()).filter(|l| !l.is_empty() && !l.starts_with("//")) {
        let (name, value) = line.strip_suffix(';')?.split_once(" = ")?;
        if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$') {
            return None;
        }
        for read in identifiers(value) {
            let local = locals.iter().any(|l| identifiers(l).first() == Some(&read));
            if !local && !list.iter().any(|(target, _)| *target == read) {
                return None;
            }
        }
        list.retain(|(target, _)| target != name || !identifiers(value).contains(target));
        if list.iter().any(|(target, _)| target == name) {
            // The last write wins; reads of an earlier one can't be told apart, so such a body is left alone.
            if list.iter().any(|(_, v)| identifiers(v).iter().any(|i| i == name)) {
                return None;
            }
            list.retain(|(target, _)| target != name);
        }
        list.push((name.into(), value.into()));
    }
    (!list.is_empty()).then_some(list)
}

/// Identifiers in an expression; the digits of sized literals (`8'hff`) are none.
fn identifiers(text: &str) -> Vec<String> {
    let inside = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$' || c == '\'';
    text.split(|c: char| !inside(c))
        .filter(|w| w.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_'))
        .map(String::from)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(LogicBlock, Default)]
    struct Fixed {
        a: Signal<In, Bits<4>>,
        one: Signal<Out, Bits<4>>,
        two: Signal<Out, Bits<4>>,
        mid: Signal<Local, Bits<4>>,
    }
    impl Logic for Fixed {
        #[hdl_gen]
        fn update(&mut self) {
            self.one.next = 5.into();
            self.mid.next = 6.into();
            self.two.next = self.mid.val();
        }
    }

    #[test]
    fn constant_blocks_become_assigns() {
        let text = export(&mut Fixed::default(), "fixed").expect("exports");
        assert!(!text.contains("always"), "{text}");
        assert!(text.contains("assign two = mid;") && text.contains("output wire [3:0] two"), "{text}");
        assert_eq!(text, export(&mut Fixed::default(), "fixed").expect("exports"));
    }

    #[test]
    fn an_indexed_scalar_becomes_a_vector() {
        let text = "reg a;\nreg ba;\nreg c;\n x = ba[0] & c;\nendmodule";
        assert_eq!(index_scalars(text), "reg a;\nreg [0:0] ba;\nreg c;\n x = ba[0] & c;\nendmodule");
    }

    #[test]
    fn an_unconnected_input_is_refused_by_name() {
        #[derive(LogicBlock, Default)]
        struct Open {
            inner: Fixed,
        }
        impl Logic for Open {
            #[hdl_gen]
            fn update(&mut self) {}
        }
        let error = export(&mut Open::default(), "open").expect_err("nothing drives `a`").to_string();
        assert!(error.contains("open") && error.contains('a'), "{error}");
    }

    #[test]
    fn a_body_that_reads_an_input_is_left_alone() {
        assert_eq!(constant_assigns(&["x = a;"], &[]), None);
        assert_eq!(constant_assigns(&["x = c;"], &[" c = 4'h1;"]).map(|l| l.len()), Some(1));
    }
}
