// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands with the pins that they name.

use crate::scale::thousands;
use latchkey_testbench::bench::pins::Field;
use latchkey_testbench::bench::Pins;
use latchkey_testbench::engine::Cycle;
use latchkey_testbench::trace::COMMANDS;

/// The name of a command.
pub fn called(op: u64) -> &'static str {
    COMMANDS.get(op as usize).copied().unwrap_or("")
}

/// A command, pin by pin.
pub fn command(p: &Pins, c: &Cycle) -> String {
    let get = |field: &Field| field.get(&c.ins, 0);
    let op = get(&p.reg_op);
    let key = || format!("key 0x{:08x}", get(&p.reg_key));
    let pd = || format!("pd {}", get(&p.reg_pd));
    let whose = || format!("{}, qpn {}", pd(), get(&p.reg_qpn));
    let pages = || get(&p.reg_pages);
    let base = || get(&p.reg_base);
    let range = || {
        let (iova, length) = (get(&p.reg_iova), thousands(get(&p.reg_length)));
        format!("iova 0x{iova:x}, length {length}")
    };
    let mapping = || {
        let (size, base, pages) = (get(&p.reg_page), base(), pages());
        let inline = match pages {
            0 => String::new(),
            _ => format!(", inline 0x{:x}", get(&p.reg_inline)),
        };
        format!(
            "{}, page {size}, base 0x{base:x}, pages {pages}{inline}",
            range()
        )
    };
    let access = || format!("access 0x{:x}", get(&p.reg_access));
    let mode = || match get(&p.reg_mode) {
        0 => "mode 0 (cut)",
        1 => "mode 1 (drain)",
        _ => "mode 2 (contract)",
    };
    let extra = || get(&p.reg_extra);
    let pins = match op {
        0 => format!("{}, {}, {}", pd(), mapping(), access()),
        1 | 14 => format!("{}, {}", key(), mode()),
        2 => key(),
        3 => match get(&p.reg_mode) {
            0 => format!("{}, mode 0 (one key)", key()),
            n => format!("mode {n}"),
        },
        4 => format!("{}, base {}, pages {}", pd(), base(), pages()),
        8 => format!("{}, pages {} (budget)", pd(), pages()),
        9 => format!("{}, {}, {}, {}", key(), pd(), mapping(), access()),
        10 => format!("{}, {}, {}", key(), whose(), mode()),
        11 => reregister(extra(), &key(), mode(), [mapping(), pd(), access()]),
        12 => format!("{}, extra {} ({})", pd(), extra(), kind(extra())),
        13 => format!(
            "{}, key2 0x{:08x}, {}, {}, {}, extra 0x{:02x} (new low byte)",
            key(),
            get(&p.reg_key2),
            whose(),
            range(),
            access(),
            extra()
        ),
        15 => format!(
            "{}, pages {} (number), inline: {}",
            key(),
            pages(),
            super::entry(get(&p.reg_inline))
        ),
        16 => format!("{}, pages {} (number)", key(), pages()),
        17 => pd(),
        18 => format!("{}, key2 0x{:08x}", key(), get(&p.reg_key2)),
        19 => format!("{}, pages {} (most entries)", pd(), pages()),
        _ => String::new(),
    };
    let (name, tag) = (called(op), get(&p.reg_tag));
    format!("op {op} {name}: {pins}, tag {tag}")
}

fn reregister(change: u64, key: &str, mode: &str, parts: [String; 3]) -> String {
    let named = ["translation", "PD", "access"];
    let mut what = Vec::new();
    let mut text = format!("{key}, {mode}");
    for (n, part) in parts.iter().enumerate() {
        if change >> n & 1 == 1 {
            what.push(named[n]);
            text += &format!(", {part}");
        }
    }
    format!("{text}, extra {change} ({})", what.join(", "))
}

fn kind(extra: u64) -> &'static str {
    match extra {
        0 => "type 1",
        1 => "type 2A",
        2 => "type 2B",
        _ => "no type",
    }
}
