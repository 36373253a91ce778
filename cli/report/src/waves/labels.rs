// SPDX-License-Identifier: MIT OR Apache-2.0
//! Payloads in words.

use crate::scale::thousands;
use latchkey_testbench::bench::tally::name;
use latchkey_testbench::bench::{sink, Pins};
use latchkey_testbench::engine::Cycle;
use latchkey_testbench::trace::{Code, Op, SegStatus};

pub fn lookup(p: &Pins, c: &Cycle) -> String {
    let get = |field: &latchkey_testbench::bench::pins::Field| field.get(&c.ins, 0);
    let side = if get(&p.lookup_side) == 1 {
        "rkey"
    } else {
        "lkey"
    };
    format!(
        "{}, {side} 0x{:08x}, va 0x{:x}, {} bytes, tag {}",
        name(Op::from_bits(get(&p.lookup_op) as u32)),
        get(&p.lookup_key),
        get(&p.lookup_va),
        thousands(get(&p.lookup_len)),
        get(&p.lookup_tag)
    )
}

pub fn verdict(p: &Pins, c: &Cycle) -> String {
    match sink::verdict(p, &c.outs, 0) {
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

pub fn reg(p: &Pins, c: &Cycle) -> String {
    let get = |field: &latchkey_testbench::bench::pins::Field| field.get(&c.ins, 0);
    let tag = get(&p.reg_tag);
    match get(&p.reg_op) {
        0 => format!(
            "register: pd {}, iova 0x{:x}, {} bytes, {} pages from MTT word {}, tag {tag}",
            get(&p.reg_pd),
            get(&p.reg_iova),
            thousands(get(&p.reg_length)),
            get(&p.reg_pages),
            get(&p.reg_base)
        ),
        1 => {
            let mode = ["cut", "drain", "contract", "?"][get(&p.reg_mode) as usize & 3];
            format!(
                "deregister: key 0x{:08x}, mode {mode}, tag {tag}",
                get(&p.reg_key)
            )
        }
        other => format!("command {other}, tag {tag}"),
    }
}

pub fn page(p: &Pins, c: &Cycle) -> String {
    let data = p.page_data.get(&c.ins, 0);
    let last = if p.page_last.get(&c.ins, 0) != 0 {
        ", last"
    } else {
        ""
    };
    format!("MTT entry: frame at 0x{:x}{last}", data >> 2 << 12)
}

pub fn rsp(p: &Pins, c: &Cycle) -> String {
    match sink::answer(p, &c.outs) {
        Ok(a) if a.code == Code::Ok && a.rkey != 0 => {
            format!(
                "ok: lkey 0x{:08x}, rkey 0x{:08x}, tag {}",
                a.lkey, a.rkey, a.tag
            )
        }
        Ok(a) => format!("{}, tag {}", name(a.code), a.tag),
        Err(why) => why,
    }
}

pub fn icm_req(p: &Pins, c: &Cycle) -> String {
    let r = sink::request(p, &c.outs);
    let space = ["MPT", "MTT", "PD window", "?"][usize::from(r.space) & 3];
    let beats = match r.len {
        0 => "1 beat".into(),
        n => format!("{} beats", n + 1),
    };
    match r.write {
        true => format!(
            "write {space} word {} ({beats}): 0x{:x}, id {}",
            r.addr, r.data, r.id
        ),
        false => format!("read {space} word {} ({beats}), id {}", r.addr, r.id),
    }
}

pub fn icm_rsp(p: &Pins, c: &Cycle) -> String {
    let get = |field: &latchkey_testbench::bench::pins::Field| field.get(&c.ins, 0);
    let last = if get(&p.icm_rsp_last) != 0 {
        ", last"
    } else {
        ""
    };
    format!(
        "to id {}: 0x{:x}{last}",
        get(&p.icm_rsp_id),
        get(&p.icm_rsp_data)
    )
}
