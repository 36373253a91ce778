// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of an exported module, read from its Verilog text.

use crate::{Error, Result};

/// One port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Name in the Verilog.
    pub name: String,
    /// True for an output.
    pub output: bool,
    /// Bits.
    pub width: usize,
}

/// The ports of module `top` in `verilog`, in their order of declaration.
pub fn ports(verilog: &str, top: &str) -> Result<Vec<Port>> {
    let fail = |why: String| Error::Malformed {
        path: format!("the Verilog of `{top}`"),
        why,
        mend: "give the file that `latchkey generate` wrote".into(),
    };
    let body = module(verilog, top).ok_or_else(|| fail(format!("no `module {top}`")))?;
    let mut ports = Vec::new();
    for declaration in declarations(body) {
        let port = port(&declaration)
            .ok_or_else(|| fail(format!("cannot read the port `{declaration}`")))?;
        ports.push(port);
    }
    if ports.is_empty() {
        return Err(fail(format!("`module {top}` has no ports")));
    }
    Ok(ports)
}

/// Text from the name of the module to its end.
fn module<'a>(verilog: &'a str, top: &str) -> Option<&'a str> {
    let start = verilog.match_indices("module ").find_map(|(at, word)| {
        let rest = verilog[at + word.len()..].trim_start();
        let after = rest.strip_prefix(top)?;
        let ends = after.starts_with(|c: char| c == '(' || c == ';' || c.is_whitespace());
        (ends && !verilog[..at].ends_with("end")).then_some(after)
    })?;
    start.split("endmodule").next()
}

/// Each declaration that begins with `input` or `output`, comments and attributes left out.
fn declarations(body: &str) -> Vec<String> {
    let clean: String = body
        .lines()
        .map(|l| l.split("//").next().unwrap_or(""))
        .collect::<Vec<_>>()
        .join(" ");
    let mut found = Vec::new();
    for piece in clean.split([';', ',', '(', ')']) {
        let piece = piece.trim();
        if piece.starts_with("input ") || piece.starts_with("output ") {
            found.push(piece.to_string());
        }
    }
    found
}

fn port(declaration: &str) -> Option<Port> {
    let output = declaration.starts_with("output ");
    let width = match declaration.split_once('[') {
        Some((_, rest)) => {
            let (high, rest) = rest.split_once(':')?;
            let (low, _) = rest.split_once(']')?;
            let number = |s: &str| s.trim().parse::<usize>().ok();
            number(high)?.checked_sub(number(low)?)? + 1
        }
        None => 1,
    };
    let name = declaration
        .split_whitespace()
        .last()?
        .rsplit(']')
        .next()?
        .to_string();
    (!name.is_empty()).then_some(Port {
        name,
        output,
        width,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_styles_are_read() {
        let old = "module x; endmodule\nmodule core(clock,a,\n b);\n // Module arguments\n input wire  clock;\n input wire [7:0] a; // input c;\n output reg [1:0] b;\n reg d;\nendmodule";
        let new = "module core (input clock, input wire [7:0] a, output reg [1:0] b); endmodule";
        let names = |v: &[Port]| {
            v.iter()
                .map(|p| (p.name.clone(), p.output, p.width))
                .collect::<Vec<_>>()
        };
        let want = vec![
            ("clock".into(), false, 1),
            ("a".into(), false, 8),
            ("b".into(), true, 2),
        ];
        assert_eq!(names(&ports(old, "core").unwrap()), want);
        assert_eq!(names(&ports(new, "core").unwrap()), want);
    }

    #[test]
    fn a_missing_module_is_named() {
        let text = ports("module cores(input a); endmodule", "core")
            .unwrap_err()
            .to_string();
        assert!(text.contains("no `module core`"), "{text}");
    }
}
