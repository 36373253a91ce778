// SPDX-License-Identifier: MIT OR Apache-2.0
//! Layout of a waveform window (a GTKWave save file) from the ports of a core.

use latchkey_hdl::ports::Port;
use std::fmt::Write;

/// Heading and the beginnings of the names below it.
const GROUPS: [(&str, &[&str]); 10] = [
    ("Clock", &["clock", "reset"]),
    ("Lookups", &["lookup_"]),
    ("Verdicts", &["verdict_"]),
    ("Segments", &["segment_"]),
    ("Ends of leases", &["dma_done_"]),
    ("Commands", &["reg_"]),
    ("Page lists", &["page_"]),
    ("Answers", &["rsp_"]),
    ("Memory of the tables", &["icm_"]),
    ("Events and registers", &["event_", "csr_"]),
];

/// Flags of a trace in GTKWave: hexadecimal and right-justified, one bit, a heading.
const HEX: &str = "@22";
const BIT: &str = "@28";
const HEADING: &str = "@200";

/// The save file for waveforms of `latchkey sim --vcd` and of `Engine::record`.
pub fn layout(ports: &[Port]) -> String {
    let mut text = String::from("[*] SPDX-License-Identifier: MIT OR Apache-2.0\n[timestart] 0\n[size] 1600 1000\n*-7.0 0\n");
    for (heading, starts) in GROUPS {
        let _ = write!(text, "{HEADING}\n-{heading}\n");
        let mut flag = HEADING;
        for port in ports
            .iter()
            .filter(|port| starts.iter().any(|start| port.name.starts_with(start)))
        {
            let wanted = if port.width > 1 { HEX } else { BIT };
            if flag != wanted {
                let _ = writeln!(text, "{wanted}");
                flag = wanted;
            }
            let range = if port.width > 1 {
                format!("[{}:0]", port.width - 1)
            } else {
                String::new()
            };
            let _ = writeln!(text, "top.{}{range}", port.name);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ports(config: &str) -> Option<Vec<Port>> {
        latchkey_hdl::config(config)?
            .top()
            .map(|core| (core.make)().ports())
    }

    #[test]
    fn every_pin_is_in_the_layout_once() {
        let Some(ports) = ports("tiny") else { return };
        let text = layout(&ports);
        for port in &ports {
            let end = |line: &&str| {
                line.strip_prefix("top.")
                    .is_some_and(|l| l.split('[').next() == Some(&port.name))
            };
            assert_eq!(text.lines().filter(end).count(), 1, "{}", port.name);
        }
    }

    /// Again with `cargo run --release --example wave_layout -- tiny > scripts/waves/core.gtkw`.
    #[test]
    fn the_committed_layout_is_that_of_tiny() {
        let Some(ports) = ports("tiny") else { return };
        assert_eq!(
            include_str!("../../../scripts/waves/core.gtkw"),
            layout(&ports)
        );
    }
}
