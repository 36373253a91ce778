// SPDX-License-Identifier: MIT OR Apache-2.0
//! What ABC is told. Its own default maps once; mapping what was mapped again and again finds a
//! smaller *and* shallower netlist, for a few seconds more (measured: `docs/budget.md`).

/// How often the iCE40 is mapped. Six to twelve give the same within ten cells.
const ROUNDS: usize = 10;

/// For `abc -script`, which takes commas for blanks.
pub fn abc() -> String {
    let round = ["dch; if; mfs2"; ROUNDS].join("; strash; ");
    let script =
        format!("strash; &get -n; &fraig -x; &put; scorr; dc2; strash; {round}; lutpack -S 1");
    format!("+{}", script.replace("; ", ";").replace(' ', ","))
}

/// Makes ABC9 try three structures and keep the best of them: a flow that comes with yosys.
pub const ABC9: &str = "scratchpad -copy abc9.script.flow3mfs abc9.script\n";

#[cfg(test)]
mod tests {
    #[test]
    fn every_round_is_there_and_no_blank() {
        let script = super::abc();
        assert_eq!(script.matches("mfs2").count(), super::ROUNDS);
        assert!(!script.contains(' '));
    }
}
