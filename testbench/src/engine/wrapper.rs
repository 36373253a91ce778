// SPDX-License-Identifier: MIT OR Apache-2.0
//! C++ between the engine and a Verilated model: one call a cycle, all ports as words.

use super::Layout;
use latchkey_hdl::ports::{Dir, Port};
use std::fmt::Write as _;

/// Verilator's C++ name of a port.
fn escaped(name: &str) -> String {
    name.replace('$', "__024")
}

fn load(out: &mut String, port: &Port, at: usize) {
    let name = escaped(&port.name);
    let top = port.width % 32;
    let mask = if top == 0 {
        u32::MAX
    } else {
        (1u32 << top) - 1
    };
    let last = at + port.words() - 1;
    let _ = match port.width {
        0..=32 => writeln!(out, "  m->{name} = in[{at}] & {mask}u;"),
        33..=64 => writeln!(out, "  m->{name} = (QData)in[{at}] | ((QData)(in[{last}] & {mask}u) << 32);"),
        _ => writeln!(
            out,
            "  for (int i = 0; i < {words}; i++) m->{name}[i] = in[{at} + i];\n  m->{name}[{words}] = in[{last}] & {mask}u;",
            words = port.words() - 1
        ),
    };
}

fn store(out: &mut String, port: &Port, at: usize) {
    let name = escaped(&port.name);
    let _ = match port.width {
        0..=32 => writeln!(out, "  out[{at}] = m->{name};"),
        33..=64 => writeln!(
            out,
            "  out[{at}] = (uint32_t)m->{name}; out[{}] = (uint32_t)(m->{name} >> 32);",
            at + 1
        ),
        _ => writeln!(
            out,
            "  for (int i = 0; i < {}; i++) out[{at} + i] = m->{name}[i];",
            port.words()
        ),
    };
}

/// Name of the module around the design that Verilator is given.
pub(super) const AROUND: &str = "latchkey_around";

/// A module around a clocked design whose inputs are registers with a clock of their own, `load$` (both edges). An edge of
/// `load$` along with one of `clock` gives the design its edge with the inputs it has and the inputs of the next cycle at once, so
/// that nothing is evaluated twice a cycle.
pub(super) fn around(layout: &Layout, top: &str) -> String {
    let [mut list, mut held, mut takes, mut pins] = [(); 4].map(|()| String::new());
    for (index, port) in layout.ports().iter().enumerate() {
        let (name, msb) = (&port.name, port.width - 1);
        let _ = match port.dir {
            Dir::In if layout.clock() == Some(index) => write!(pins, ", .{name}({name})"),
            Dir::In => {
                let _ = write!(list, ",\n  input wire [{msb}:0] {name}");
                let _ = writeln!(held, "  reg [{msb}:0] {name}$q = 0;");
                let _ = writeln!(takes, "    {name}$q <= {name};");
                write!(pins, ", .{name}({name}$q)")
            }
            Dir::Out => {
                let _ = write!(list, ",\n  output wire [{msb}:0] {name}");
                write!(pins, ", .{name}({name})")
            }
        };
    }
    format!(
        "\nmodule {AROUND}(\n  input wire clock,\n  input wire load${list}\n);\n{held}  always @(posedge load$ or negedge load$) begin\n{takes}  end\n  \
         {top} design$({pins});\nendmodule\n",
        pins = pins.trim_start_matches(", ")
    )
}

/// What [`source`]'s `latchkey_step` is asked for: the inputs, then the edge. Without a clock there is only `APPLY`.
pub(super) const APPLY: u32 = 1;
/// A rising edge of the clock.
pub(super) const EDGE: u32 = 2;
/// The inputs along with the edge: the design sees them after it.
pub(super) const NEXT: u32 = 4;

/// The source; `class` is the name given to Verilator as prefix; `anything`: registers come up with random contents.
pub(super) fn source(layout: &Layout, class: &str, anything: bool) -> String {
    let (mut loads, mut stores) = (String::new(), String::new());
    for (index, port) in layout.ports().iter().enumerate() {
        match port.dir {
            Dir::In if layout.clock() == Some(index) => {}
            Dir::In => load(&mut loads, port, layout.offset(index)),
            Dir::Out => store(&mut stores, port, layout.offset(index)),
        }
    }
    let (start, step) = if layout.clock().is_some() {
        ("m->clock = 0; m->load__024 = 0;", STEP)
    } else {
        ("", "  load(m, in);\n  m->eval();\n")
    };
    let before = if anything {
        "static int seed = 0; Verilated::threadContextp(&r->context); r->context.randReset(2); r->context.randSeed(++seed); "
    } else {
        ""
    };
    format!(
        "#include \"{class}.h\"\n#ifdef LATCHKEY_LOW\n#include \"{class}___024root.h\"\n#endif\n\
         #define API extern \"C\" __attribute__((visibility(\"default\")))\n\
         struct Run {{ VerilatedContext context; {class}* model; }};\n\
         static inline void load({class}* m, const uint32_t* in) {{\n{loads}}}\n\
         static inline void store({class}* m, uint32_t* out) {{\n{stores}}}\n\
         API void* latchkey_new() {{ Run* r = new Run; {before}r->model = new {class}(&r->context);\n  {class}* m = r->model;\n  {start}\n  m->eval();\n  return r; }}\n\
         API void latchkey_free(void* p) {{ Run* r = (Run*)p; r->model->final(); delete r->model; delete r; }}\n\
         API void latchkey_step(void* p, const uint32_t* in, uint32_t* out, uint32_t what) {{\n  {class}* m = ((Run*)p)->model;\n{step}  store(m, out);\n}}\n\
         double sc_time_stamp() {{ return 0; }}\n"
    )
}

/// `latchkey_step` of a clocked design. Between calls the clock is high; `LATCHKEY_LOW`: see `low_edge` in `cache.rs`.
const STEP: &str = "  if (what & 1) { load(m, in); m->load__024 = !m->load__024; m->eval(); }
  if (what & 2) {
#ifdef LATCHKEY_LOW
    m->rootp->LATCHKEY_LOW = 0;
#else
    m->clock = 0; m->eval();
#endif
    if (what & 4) { load(m, in); m->load__024 = !m->load__024; }
    m->clock = 1; m->eval();
  }
";
