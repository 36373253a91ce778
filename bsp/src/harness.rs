// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registered harness: a frame in which the core alone sets the clock.
//!
//! Every input of the core comes from a flip-flop of one long shift register, every output goes
//! into a flip-flop of a signature register; three pins in all. The frame and the core are
//! synthesized apart and joined as netlists, so no logic moves between them: the cells outside
//! the frame are those of the bare core.

use crate::ports::Port;
use std::fmt::Write;

/// Name of the harness module.
pub const TOP: &str = "latchkey_harness";
/// Name of the core's instance in it.
pub const INSTANCE: &str = "core";

/// Verilog of the harness around module `core`, with a black box in place of the core.
pub fn verilog(core: &str, ports: &[Port]) -> String {
    let clocked = |p: &&Port| p.name != "clock";
    let inputs: usize = ports
        .iter()
        .filter(|p| !p.output)
        .filter(clocked)
        .map(|p| p.width)
        .sum();
    let outputs: usize = ports.iter().filter(|p| p.output).map(|p| p.width).sum();
    let (inputs, outputs) = (inputs.max(1), outputs.max(1));
    let mut text = String::from("// SPDX-License-Identifier: Apache-2.0\n// Timing harness, generated. Not part of the core.\n");
    black_box(&mut text, core, ports);
    writeln!(
        text,
        "module {TOP}(input wire clock, input wire scan_in, output reg scan_out);"
    )
    .unwrap();
    writeln!(text, "  reg [{}:0] stimulus;", inputs - 1).unwrap();
    writeln!(text, "  reg [{}:0] signature;", outputs - 1).unwrap();
    writeln!(text, "  wire [{}:0] answers;", outputs - 1).unwrap();
    let mut connections = Vec::new();
    let (mut input, mut output) = (0, 0);
    for port in ports {
        let wire = if port.name == "clock" {
            "clock".to_string()
        } else if port.output {
            slice("answers", &mut output, port.width)
        } else {
            slice("stimulus", &mut input, port.width)
        };
        connections.push(format!("    .{}({wire})", port.name));
    }
    writeln!(
        text,
        "  {core} {INSTANCE}(\n{}\n  );",
        connections.join(",\n")
    )
    .unwrap();
    text.push_str("  always @(posedge clock) begin\n");
    text.push_str(&shift("stimulus", inputs, "scan_in", ""));
    text.push_str(&shift(
        "signature",
        outputs,
        &format!("signature[{}]", outputs - 1),
        " ^ answers",
    ));
    writeln!(
        text,
        "    scan_out <= signature[{}];\n  end\nendmodule",
        outputs - 1
    )
    .unwrap();
    text
}

fn slice(vector: &str, at: &mut usize, width: usize) -> String {
    let low = *at;
    *at += width;
    format!("{vector}[{}:{low}]", *at - 1)
}

fn shift(name: &str, width: usize, first: &str, rest: &str) -> String {
    match width {
        1 => format!("    {name} <= {first}{rest};\n"),
        _ => format!(
            "    {name} <= {{{name}[{}:0], {first}}}{rest};\n",
            width - 2
        ),
    }
}

fn black_box(text: &mut String, core: &str, ports: &[Port]) {
    let list: Vec<String> = ports
        .iter()
        .map(|p| {
            format!(
                "  {} wire [{}:0] {}",
                if p.output { "output" } else { "input" },
                p.width - 1,
                p.name
            )
        })
        .collect();
    writeln!(
        text,
        "(* blackbox *) module {core}(\n{}\n);\nendmodule",
        list.join(",\n")
    )
    .unwrap();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_is_connected_once() {
        let port = |name: &str, output, width| Port {
            name: name.into(),
            output,
            width,
        };
        let text = verilog(
            "c",
            &[
                port("clock", false, 1),
                port("a", false, 3),
                port("b", false, 1),
                port("q", true, 5),
            ],
        );
        for part in [
            ".clock(clock)",
            ".a(stimulus[2:0])",
            ".b(stimulus[3:3])",
            ".q(answers[4:0])",
            "reg [3:0] stimulus;",
            "reg [4:0] signature;",
        ] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
    }
}
