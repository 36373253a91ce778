// SPDX-License-Identifier: MIT OR Apache-2.0
//! RAMs of an exported design as a proof sees them.
//!
//! Every module with a memory and a registered read is changed in a few lines: lanes that are read and written at one edge
//! give anything (the contract of `table.rs`). One that "remembers one address" keeps the word of a free address
//! (`kept_address`, `kept`) and gives anything for all others. One that is "shown" has its words in `all`, for invariants.

use regex::{Captures, Regex};
use std::collections::BTreeSet;

/// A RAM or block of the list is not in the design.
#[derive(Debug, thiserror::Error)]
#[error("the exported core has no block `{0}`: a proof names it in proofs.toml")]
pub struct NoBlock(pub String);

/// The design with its RAMs so changed. Names are those of modules below the core (`miss$next`).
pub fn model(design: &str, one_address: &[String], shown: &[String]) -> Result<String, NoBlock> {
    let mut missing: BTreeSet<&str> = one_address
        .iter()
        .chain(shown)
        .map(String::as_str)
        .collect();
    let mut out = String::with_capacity(design.len() + 4096);
    for (n, part) in design.split("\nmodule ").enumerate() {
        if n > 0 {
            out.push_str("\nmodule ");
        }
        let name = part.split('(').next().unwrap_or_default();
        let name = name.strip_prefix(super::CORE).unwrap_or(name);
        let has = |list: &[String]| list.iter().any(|r| r == name);
        match changed(part, has(one_address), has(shown)) {
            Some(text) => {
                missing.remove(name);
                out.push_str(&text);
            }
            None => out.push_str(part),
        }
    }
    match missing.first() {
        Some(name) => Err(NoBlock(name.to_string())),
        None => Ok(out),
    }
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("constant pattern")
}

fn changed(module: &str, one: bool, shown: bool) -> Option<String> {
    let memory = pattern(r"(?m)^.*reg \[(\d+):0\] (words|mem)\[(\d+):0\];").captures(module)?;
    let (top, name) = (&memory[1], &memory[2]);
    let last: usize = memory[3].parse().ok()?;
    let words = if shown {
        let bits = (top.parse::<usize>().ok()? + 1) * (last + 1);
        let list: Vec<String> = (0..=last).rev().map(|n| format!("{name}[{n}]")).collect();
        format!("\n    wire [{}:0] all = {{{}}};", bits - 1, list.join(", "))
    } else {
        String::new()
    };
    let read = pattern(&format!(r"(?m)^\s*(\w+) <= {name}\[read_address\];")).captures(module);
    let Some(read) = read else {
        // read without a clock: nothing collides
        return shown.then(|| module.replacen(&memory[0], &format!("{}{words}", &memory[0]), 1));
    };
    let write = pattern(&format!(
        r"if \(([^)]*)\) {name}\[write_address\](\[[\d:]*\])? <="
    ));
    let register = &read[1];
    let clash: String = write
        .captures_iter(module)
        .map(|c| {
            let lane = c.get(2).map_or("", |l| l.as_str());
            format!(
                "\n       if ({} && write_address == read_address) {register}{lane} <= junk{lane};",
                &c[1]
            )
        })
        .collect();
    let junk = format!("(* anyseq *) wire [{top}:0] junk;");
    if !one {
        return Some(
            module
                .replacen(&memory[0], &format!("{}\n    {junk}{words}", &memory[0]), 1)
                .replacen(&read[0], &format!("{}{clash}", &read[0]), 1),
        );
    }
    let bits = (usize::BITS - last.leading_zeros()).max(1);
    let kept = format!(
        "    {junk}\n    (* anyconst *) wire [{}:0] kept_address;\n    reg [{top}:0] kept;",
        bits - 1
    );
    let text = module.replacen(&memory[0], &kept, 1).replacen(
        &read[0],
        &format!("\n       {register} <= read_address == kept_address ? kept : junk;{clash}"),
        1,
    );
    let written = write.replace_all(&text, |c: &Captures| {
        let lane = c.get(2).map_or("", |l| l.as_str());
        format!(
            "if ({} && write_address == kept_address) kept{lane} <=",
            &c[1]
        )
    });
    Some(written.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "x\nmodule latchkey_core$t(clock);\n    reg [7:0] words[3:0];\n    always @(posedge clock) begin\n       read_data <= words[read_address];\n       if (write_enable) words[write_address] <= write_data;\n    end\nendmodule\n";

    #[test]
    fn a_collision_gives_anything() {
        let text = model(TABLE, &[], &[]).unwrap();
        assert!(
            text.contains("if (write_enable && write_address == read_address) read_data <= junk;"),
            "{text}"
        );
        assert!(
            text.contains("words[write_address] <= write_data"),
            "{text}"
        );
    }

    #[test]
    fn one_address_is_remembered() {
        let text = model(TABLE, &["t".into()], &[]).unwrap();
        assert!(
            text.contains("read_data <= read_address == kept_address ? kept : junk;"),
            "{text}"
        );
        assert!(
            text.contains("if (write_enable && write_address == kept_address) kept <= write_data"),
            "{text}"
        );
        assert!(!text.contains("words"), "{text}");
    }

    #[test]
    fn words_are_shown() {
        let text = model(TABLE, &[], &["t".into()]).unwrap();
        assert!(
            text.contains("wire [31:0] all = {words[3], words[2], words[1], words[0]};"),
            "{text}"
        );
    }
}
