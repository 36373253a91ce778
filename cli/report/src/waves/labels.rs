// SPDX-License-Identifier: MIT OR Apache-2.0
//! Payloads in words.

mod commands;
mod memory;

pub use commands::{called, command};
pub use memory::{access, icm_req, icm_rsp};

use crate::scale::thousands;
use latchkey_testbench::bench::tally::name;
use latchkey_testbench::bench::{sink, Pins};
use latchkey_testbench::engine::Cycle;
use latchkey_testbench::trace::{Cause, Code, Entry, EventKind, Op, SegStatus};

/// "to 3: words", or with another preposition, where it is known which payload they belong to.
pub fn about(preposition: &str, which: Option<(usize, &Cycle)>, words: String) -> String {
    match which {
        Some((number, _)) => format!("{preposition} {number}: {words}"),
        None => words,
    }
}

pub fn op(p: &Pins, c: &Cycle) -> String {
    name(Op::from_bits(p.lookup_op.get(&c.ins, 0) as u32))
}

pub fn lookup(p: &Pins, c: &Cycle) -> String {
    let get = |field: &latchkey_testbench::bench::pins::Field| field.get(&c.ins, 0);
    let side = if get(&p.lookup_side) == 1 {
        "rkey"
    } else {
        "lkey"
    };
    let only = if get(&p.lookup_walk) == 0 {
        ", verdict only"
    } else {
        ""
    };
    format!(
        "{}, {side} 0x{:08x}, va 0x{:x}, {} bytes, tag {}{only}",
        op(p, c),
        get(&p.lookup_key),
        get(&p.lookup_va),
        thousands(get(&p.lookup_len)),
        get(&p.lookup_tag)
    )
}

pub fn verdict(p: &Pins, c: &Cycle) -> String {
    match sink::verdict(p, &c.outs, 0) {
        Ok(v) if v.cause == Cause::Nothing => {
            format!("granted, cause nothing: no segment, tag {}", v.tag)
        }
        Ok(v) if v.granted => format!("granted, tag {}", v.tag),
        Ok(v) => format!(
            "refused: {} ({}), tag {}",
            name(v.cause),
            name(v.class),
            v.tag
        ),
        Err(why) => why,
    }
}

pub fn judged(p: &Pins, c: &Cycle) -> String {
    match sink::verdict(p, &c.outs, 0) {
        Ok(v) if v.granted => "granted".into(),
        Ok(v) => name(v.cause),
        Err(why) => why,
    }
}

pub fn segment(p: &Pins, c: &Cycle) -> String {
    match sink::segment(p, &c.outs, 0) {
        Ok(s) => {
            let last = if s.last { ", last" } else { "" };
            match s.status {
                SegStatus::Ok => format!(
                    "pa 0x{:x}, {} bytes, tag {}{last}",
                    s.pa,
                    thousands(s.len.into()),
                    s.tag
                ),
                other => format!("status {}, no bytes, tag {}{last}", name(other), s.tag),
            }
        }
        Err(why) => why,
    }
}

pub fn status(p: &Pins, c: &Cycle) -> String {
    match sink::segment(p, &c.outs, 0) {
        Ok(s) if s.status == SegStatus::Ok => format!("0x{:x}", s.pa),
        Ok(s) => name(s.status),
        Err(why) => why,
    }
}

pub fn event(p: &Pins, index_bits: u32, c: &Cycle) -> String {
    match sink::event(p, &c.outs) {
        Ok(e) if e.kind == EventKind::PageFault => {
            let index = e.info & ((1 << index_bits) - 1);
            format!(
                "kind 1, page fault: index {index}, page {}",
                e.info >> index_bits
            )
        }
        Ok(e) => format!("kind {}, {}: {}", e.kind.bits(), name(e.kind), e.info),
        Err(why) => why,
    }
}

pub fn kind(p: &Pins, c: &Cycle) -> String {
    sink::event(p, &c.outs).map_or_else(|why| why, |e| name(e.kind))
}

/// An MTT word.
fn entry(bits: u64) -> String {
    let e = Entry::from_bits(bits);
    match (e.present, e.writable) {
        (false, _) => "absent".into(),
        (true, true) => format!("frame at 0x{:x}, present, writable", e.pa),
        (true, false) => format!("frame at 0x{:x}, present, read-only", e.pa),
    }
}

pub fn page(p: &Pins, c: &Cycle) -> String {
    let last = if p.page_last.get(&c.ins, 0) != 0 {
        ", last"
    } else {
        ""
    };
    format!("MTT word: {}{last}", entry(p.page_data.get(&c.ins, 0)))
}

/// `command` is what it answers.
pub fn rsp(p: &Pins, c: &Cycle, command: Option<&Cycle>) -> String {
    let query = command.is_some_and(|c| p.reg_op.get(&c.ins, 0) == 2);
    match sink::answer(p, &c.outs) {
        Ok(a) if a.code == Code::Ok && a.lkey | a.rkey != 0 => {
            format!(
                "ok: lkey 0x{:08x}, rkey 0x{:08x}, tag {}",
                a.lkey, a.rkey, a.tag
            )
        }
        Ok(a) if a.code == Code::Ok && query => format!(
            "ok: state {} ({}), pd {}, iova 0x{:x}, length {}, access 0x{:x}, tag {}",
            a.state.bits(),
            name(a.state),
            a.pd,
            a.iova,
            thousands(a.length),
            a.access,
            a.tag
        ),
        Ok(a) => format!("code {} ({}), tag {}", a.code.bits(), name(a.code), a.tag),
        Err(why) => why,
    }
}

pub fn code(p: &Pins, c: &Cycle) -> String {
    sink::answer(p, &c.outs).map_or_else(|why| why, |a| name(a.code))
}
