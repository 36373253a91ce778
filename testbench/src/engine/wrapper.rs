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
    let clock = |level: u8| {
        if layout.clock().is_some() {
            format!("  m->clock = {level};\n")
        } else {
            String::new()
        }
    };
    let (low, high) = (clock(0), clock(1));
    let edge = if layout.clock().is_some() {
        format!("{high}  m->eval();\n")
    } else {
        String::new()
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
         API void* latchkey_new() {{ Run* r = new Run; {before}r->model = new {class}(&r->context);\n  {class}* m = r->model;\n{low}  m->eval();\n  return r; }}\n\
         API void latchkey_free(void* p) {{ Run* r = (Run*)p; r->model->final(); delete r->model; delete r; }}\n\
         API void latchkey_settle(void* p, const uint32_t* in, uint32_t* out) {{\n  {class}* m = ((Run*)p)->model;\n  load(m, in);\n{low}  m->eval();\n  store(m, out);\n}}\n\
         API void latchkey_cycle(void* p, const uint32_t* in, uint32_t* out) {{\n  {class}* m = ((Run*)p)->model;\n  load(m, in);\n#ifdef LATCHKEY_LOW\n  m->rootp->LATCHKEY_LOW = 0;\n#else\n{low}  m->eval();\n#endif\n{edge}  store(m, out);\n}}\n\
         double sc_time_stamp() {{ return 0; }}\n"
    )
}
