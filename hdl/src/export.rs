// SPDX-License-Identifier: MIT OR Apache-2.0
//! Verilog of a block.

use rust_hdl::prelude::*;
use sha2::{Digest, Sha256};
use std::collections::HashSet;

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
    check_all(block).map_err(|e| ExportError::Check {
        name: name.into(),
        what: format!("{e:?}"),
    })?;
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
    let hex: String = hash
        .finalize()
        .iter()
        .take(8)
        .map(|b| format!("{b:02x}"))
        .collect();
    format!(
        "// SPDX-License-Identifier: MIT OR Apache-2.0\n// Latchkey, configuration {config} ({hex})\n\
         // Written by `latchkey generate`; do not edit.\n{text}"
    )
}

/// Trailing blanks off, runs of empty lines joined, processes parted (`processes.rs`).
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
    let vectors = out
        .split_inclusive("endmodule")
        .map(index_scalars)
        .collect::<String>();
    crate::processes::part(&vectors)
}

/// rust-hdl declares `Bits<1>` as a scalar, of which Verilog allows no bit select; one that is indexed becomes `[0:0]`.
fn index_scalars(module: &str) -> String {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let indexed: HashSet<&str> = module
        .match_indices('[')
        .map(|(at, _)| {
            let name = module[..at].trim_end_matches(word).len();
            &module[name..at]
        })
        .collect();
    let lines = module.lines().map(|line| {
        let declared = line
            .trim()
            .strip_suffix(';')
            .and_then(|l| l.rsplit_once(' '));
        match declared {
            Some((kind, name))
                if matches!(
                    kind,
                    "input wire" | "output wire" | "output reg" | "wire" | "reg"
                ) =>
            {
                if indexed.contains(name) {
                    line.replace(&format!("{kind} {name}"), &format!("{kind} [0:0] {name}"))
                } else {
                    line.into()
                }
            }
            _ => line.to_string(),
        }
    });
    lines.collect::<Vec<_>>().join("\n") + if module.ends_with('\n') { "\n" } else { "" }
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
        assert!(
            text.contains("assign one = 32'h5;") && text.contains("assign two = mid;"),
            "{text}"
        );
        assert_eq!(
            text,
            export(&mut Fixed::default(), "fixed").expect("exports")
        );
    }

    #[test]
    fn an_indexed_scalar_becomes_a_vector() {
        let text = "reg a;\nreg ba;\nreg c;\n x = ba[0] & c;\nendmodule";
        assert_eq!(
            index_scalars(text),
            "reg a;\nreg [0:0] ba;\nreg c;\n x = ba[0] & c;\nendmodule"
        );
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
        let error = export(&mut Open::default(), "open")
            .expect_err("nothing drives `a`")
            .to_string();
        assert!(error.contains("open") && error.contains('a'), "{error}");
    }
}
