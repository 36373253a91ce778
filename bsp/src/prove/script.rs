// SPDX-License-Identifier: MIT OR Apache-2.0
//! The yosys scripts: the exported design is read plainly, the proof as formal SystemVerilog.

/// Up to the flat design with its RAMs as flip-flops. `check` comes before anything is optimised, so that a name a proof
/// reads (`hierconn`) and the design does not have is found.
fn flat(name: &str) -> String {
    format!(
        "read_verilog design.v\nread_verilog -formal -sv {name}.sv\nprep -flatten -top {name}\ncheck -assert\nmemory_map\nopt -full\n"
    )
}

const RELATION: &str = "async2sync\ndffunmap\nopt_clean\n";

/// The transition relation of a proof.
pub fn whole(name: &str) -> String {
    format!("{}{RELATION}write_smt2 -wires {name}.smt2\n", flat(name))
}

/// The flat design, kept, and `count` mutations of the cells that lie in an instance under proof and on which an assert depends.
/// Not of those in an instance that another proof is about.
pub fn list(name: &str, instances: &[String], except: &[String], count: u32, seed: u64) -> String {
    let each = |way: &str, list: &[String]| -> String {
        list.iter()
            .map(|i| (i, i.replace('.', ".\\")))
            .map(|(i, deep)| format!("select -{way} c:$flatten\\{deep}.* c:\\{i}.*\n"))
            .collect()
    };
    let mine = each("add", instances) + &each("del", except);
    format!(
        "{}write_ilang flat.il\nselect -none\nselect -add t:$assert\nselect -set cone t:$assert %ci*\nselect -none\n{mine}select -set mine %\nselect @mine @cone %i\nmutate -list {count} -seed {seed} -o mutations.txt\n",
        flat(name)
    )
}

/// The transition relation with one mutation.
pub fn mutant(line: &str, to: &str) -> String {
    format!("read_ilang flat.il\n{line}\nopt_clean\n{RELATION}write_smt2 -wires {to}.smt2\n")
}

/// Are the design and its mutant equal in every output of the instances and every next state? (Registers are paired by name.)
pub fn equal(name: &str, line: &str) -> String {
    format!(
        "read_ilang flat.il\nrename {name} gold\ndesign -stash gold\nread_ilang flat.il\n{line}\nrename {name} gate\ndesign -stash gate\n\
         design -copy-from gold -as gold gold\ndesign -copy-from gate -as gate gate\nequiv_make gold gate equal\nhierarchy -top equal\n\
         equiv_simple -undef\nequiv_induct -undef\nequiv_status -assert\n"
    )
}

/// The first wire without a driver that `check` speaks of.
pub fn undriven(stdout: &str, stderr: &str) -> Option<String> {
    let line = stdout
        .lines()
        .chain(stderr.lines())
        .find(|l| l.contains("is used but has no driver"))?;
    let wire = line.split("Wire ").nth(1)?.split(" is used").next()?;
    let wire = wire.split_once('.').map_or(wire, |(_, w)| w);
    Some(
        wire.split(" [")
            .next()
            .unwrap_or(wire)
            .trim_start_matches('\\')
            .to_string(),
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_lost_name_is_named() {
        let text = "Warning: Wire cache.\\dut.tags.found [2] is used but has no driver.\n";
        assert_eq!(super::undriven(text, "").as_deref(), Some("dut.tags.found"));
        assert_eq!(super::undriven("", "ERROR: other"), None);
    }
}
