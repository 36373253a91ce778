// SPDX-License-Identifier: MIT OR Apache-2.0
//! An engine whose pins are written down, so that another simulator can be given the same and compared.
//!
//! The tape holds for each cycle the inputs at the rising edge and the outputs after it. [`bench`] writes it as a Verilog test bench that
//! plays it to a module with the same ports and says where an output differs; `latchkey netlist` runs that over the netlist of synthesis.

use super::{Engine, EngineError, Layout};
use latchkey_hdl::ports::{Dir, Port};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// What was written down: a line of hexadecimal digits a cycle, the last port first.
#[derive(Debug, Default)]
pub struct Tape {
    /// For `$readmemh`.
    pub lines: Vec<String>,
    limit: usize,
}

/// Writes down the first cycles of another engine.
pub struct Taped<E> {
    inner: E,
    tape: Arc<Mutex<Tape>>,
    word: Vec<bool>,
}

impl<E: Engine> Taped<E> {
    /// Around `inner`; at most `limit` cycles are kept.
    pub fn new(inner: E, limit: usize) -> (Taped<E>, Arc<Mutex<Tape>>) {
        let tape = Arc::new(Mutex::new(Tape {
            lines: Vec::new(),
            limit,
        }));
        let taped = Taped {
            inner,
            tape: tape.clone(),
            word: Vec::new(),
        };
        (taped, tape)
    }

    fn note(&mut self, inputs: &[u32]) {
        let mut tape = self.tape.lock().expect("no thread dies with it");
        if tape.lines.len() == tape.limit {
            return;
        }
        self.word.clear();
        let layout = self.inner.layout();
        for (index, port) in layout.ports().iter().enumerate() {
            if layout.clock() == Some(index) {
                continue;
            }
            let words = match port.dir {
                Dir::In => inputs,
                Dir::Out => self.inner.out(),
            };
            let at = layout.offset(index);
            let bits = (0..port.width).map(|b| (words[at + b / 32] >> (b % 32)) & 1 == 1);
            self.word.extend(bits);
        }
        tape.lines.push(hex(&self.word));
    }
}

/// Bits, least significant first, as digits, most significant first.
fn hex(bits: &[bool]) -> String {
    let digit = |four: &[bool]| {
        let value = four.iter().rev().fold(0, |v, bit| v * 2 + u32::from(*bit));
        char::from_digit(value, 16).expect("four bits")
    };
    bits.chunks(4).rev().map(digit).collect()
}

impl<E: Engine> Engine for Taped<E> {
    fn layout(&self) -> &Layout {
        self.inner.layout()
    }
    fn in_mut(&mut self) -> &mut [u32] {
        self.inner.in_mut()
    }
    fn out(&self) -> &[u32] {
        self.inner.out()
    }
    fn settle(&mut self) {
        self.inner.settle();
    }
    fn cycle(&mut self) {
        let inputs = self.inner.in_mut().to_vec();
        self.inner.cycle();
        self.note(&inputs);
    }
    fn record(&mut self, path: &Path) -> Result<(), EngineError> {
        self.inner.record(path)
    }
}

/// Name of the module [`bench`] writes.
pub const BENCH: &str = "latchkey_tape";

/// A test bench for module `top` with the ports of `layout`: plays the `cycles` lines of `tape.hex`, prints a line `differs ..` for each of
/// the first ten differences and at the end `compared CYCLES DIFFERENCES`.
pub fn bench(layout: &Layout, top: &str, cycles: usize) -> String {
    let (mut wires, mut pins, mut drives, mut looks) =
        (String::new(), String::new(), String::new(), String::new());
    let mut at = 0;
    for (index, port) in layout.ports().iter().enumerate() {
        let name = &port.name;
        if layout.clock() == Some(index) {
            let _ = write!(pins, "{}.{name}(clock)", comma(&pins));
            continue;
        }
        let (width, from) = (port.width, at);
        at += width;
        let _ = write!(pins, "{}.{name}(p_{name})", comma(&pins));
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

fn comma(before: &str) -> &'static str {
    if before.is_empty() {
        ""
    } else {
        ", "
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn digits_stand_as_readmemh_wants_them() {
        let bits = [true, false, false, false, false, true];
        assert_eq!(super::hex(&bits), "21");
    }
}
