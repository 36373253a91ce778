// SPDX-License-Identifier: MIT OR Apache-2.0
//! A tape as a Verilog test bench that plays it to a module with the same ports and says where an output differs; `latchkey netlist` runs it
//! over the netlist of synthesis.

use super::{Cycle, Layout};
use latchkey_hdl::ports::{Dir, Port};
use std::fmt::Write as _;

/// The tape for `$readmemh`: a line of hexadecimal digits a cycle, the last port first, with the inputs at the cycle's edge and the outputs after it,
/// so a line less than there are cycles.
pub fn lines(layout: &Layout, cycles: &[Cycle]) -> Vec<String> {
    cycles
        .windows(2)
        .map(|two| line(layout, &two[0].ins, &two[1].outs))
        .collect()
}

fn line(layout: &Layout, ins: &[u32], outs: &[u32]) -> String {
    let mut bits = Vec::new();
    for (index, port) in layout.ports().iter().enumerate() {
        if layout.clock() == Some(index) {
            continue;
        }
        let words = match port.dir {
            Dir::In => ins,
            Dir::Out => outs,
        };
        let at = layout.offset(index);
        bits.extend((0..port.width).map(|b| (words[at + b / 32] >> (b % 32)) & 1 == 1));
    }
    hex(&bits)
}

/// Bits, least significant first, as digits, most significant first.
fn hex(bits: &[bool]) -> String {
    let digit = |four: &[bool]| {
        let value = four.iter().rev().fold(0, |v, bit| v * 2 + u32::from(*bit));
        char::from_digit(value, 16).expect("four bits")
    };
    bits.chunks(4).rev().map(digit).collect()
}

/// Name of the module [`bench`] writes.
pub const BENCH: &str = "latchkey_tape";

/// A test bench for module `top` with the ports of `layout`: plays the `cycles` lines of `tape.hex`, prints a line `differs ..` for each of
/// the first ten differences and at the end `compared CYCLES DIFFERENCES`.
pub fn bench(layout: &Layout, top: &str, cycles: usize) -> String {
    let (mut wires, mut drives, mut looks) = (String::new(), String::new(), String::new());
    let mut pins = Vec::new();
    let mut at = 0;
    for (index, port) in layout.ports().iter().enumerate() {
        let name = &port.name;
        if layout.clock() == Some(index) {
            pins.push(format!(".{name}(clock)"));
            continue;
        }
        let (width, from) = (port.width, at);
        at += width;
        pins.push(format!(".{name}(p_{name})"));
        if port.dir == Dir::In {
            let _ = writeln!(wires, "  reg [{}:0] p_{name} = 0;", width - 1);
            let _ = writeln!(drives, "      p_{name} = word[{from} +: {width}];");
        } else {
            let _ = writeln!(wires, "  wire [{}:0] p_{name};", width - 1);
            // A stream's payload means something while its `valid` is high: one bit of it a lookup port.
            let valid = valid_of(layout, name);
            let lanes = valid.map_or(1, |v| v.width);
            let lane = width / lanes;
            for n in 0..lanes {
                let when = valid.map_or(String::new(), |v| format!("p_{}[{n}] && ", v.name));
                let here = format!("p_{name}[{} +: {lane}]", n * lane);
                let there = format!("word[{} +: {lane}]", from + n * lane);
                let _ = writeln!(
                    looks,
                    "      if ({when}{here} !== {there}) begin\n        wrong = wrong + 1;\n        if (wrong <= 10) \
                     $display(\"differs cycle %0d port {name} lane {n} here %h tape %h\", n, {here}, {there});\n      end"
                );
            }
        }
    }
    format!(
        "`timescale 1ns/1ps\nmodule {BENCH};\n  reg clock = 0;\n  reg [{msb}:0] tape [0:{last}];\n  reg [{msb}:0] word;\n  integer n, wrong = 0;\n{wires}  \
         {top} dut({pins});\n  initial begin\n    $readmemh(\"tape.hex\", tape);\n    for (n = 0; n < {cycles}; n = n + 1) begin\n      word = tape[n];\n\
         {drives}      #5 clock = 1;\n      #4;\n{looks}      #1 clock = 0;\n    end\n    $display(\"compared %0d %0d\", n, wrong);\n    $finish;\n  end\nendmodule\n",
        pins = pins.join(", "),
        msb = at - 1,
        last = cycles - 1
    )
}

/// The `valid` of the stream that an output is payload of; none for handshakes.
fn valid_of<'a>(layout: &'a Layout, name: &str) -> Option<&'a Port> {
    if name.ends_with("valid") || name.ends_with("ready") {
        return None;
    }
    let stream = &name[..name.find('_')?];
    let out = layout.ports().iter().filter(|p| p.dir == Dir::Out);
    let mut valids = out.filter(|p| p.name.starts_with(stream) && p.name.ends_with("valid"));
    valids.next()
}

#[cfg(test)]
mod tests {
    #[test]
    fn digits_stand_as_readmemh_wants_them() {
        let bits = [true, false, false, false, false, true];
        assert_eq!(super::hex(&bits), "21");
    }
}
