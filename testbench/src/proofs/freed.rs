// SPDX-License-Identifier: MIT OR Apache-2.0
//! Blocks of an exported design of which a proof wants to know nothing: their outputs give anything, in every cycle.

use super::rams::NoBlock;
use regex::Regex;

/// The design with the blocks of these names (of modules below the core: `regs$list`) so emptied.
pub fn freed(design: &str, names: &[String]) -> Result<String, NoBlock> {
    let mut parts: Vec<String> = design.split("\nmodule ").map(String::from).collect();
    for name in names {
        let start = format!("{}{name}(", super::CORE);
        let part = parts.iter_mut().find(|p| p.starts_with(&start));
        let part = part.ok_or_else(|| NoBlock(name.clone()))?;
        *part = emptied(part);
    }
    Ok(parts.join("\nmodule "))
}

fn emptied(module: &str) -> String {
    let pin = Regex::new(r"^\s*(input|output) (?:wire|reg) (\[[^\]]*\] )?(\S+);")
        .expect("constant pattern");
    let mut lines = module.lines();
    let mut text = format!("{}\n", lines.next().unwrap_or_default());
    for line in lines {
        let Some(c) = pin.captures(line) else {
            continue;
        };
        let (width, name) = (c.get(2).map_or("", |w| w.as_str()), &c[3]);
        if &c[1] == "input" {
            text += &format!("    input wire {width}{name};\n");
        } else {
            text += &format!(
                "    output wire {width}{name};\n    (* anyseq *) wire {width}any${name};\n    assign {name} = any${name};\n"
            );
        }
    }
    text + "endmodule\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_gives_anything() {
        let design = "x\nmodule latchkey_core$b(clock,d,q);\n    input wire clock;\n    input wire [3:0] d;\n    output reg [3:0] q;\n    reg [3:0] n;\n    always @(*) q = d;\nendmodule\n\nmodule other();\nendmodule";
        let text = freed(design, &["b".into()]).unwrap();
        let wanted = "x\nmodule latchkey_core$b(clock,d,q);\n    input wire clock;\n    input wire [3:0] d;\n    output wire [3:0] q;\n    (* anyseq *) wire [3:0] any$q;\n    assign q = any$q;\nendmodule\n\nmodule other();\nendmodule";
        assert_eq!(text, wanted);
        assert_eq!(freed(design, &["c".into()]).unwrap_err().0, "c");
    }
}
