// SPDX-License-Identifier: MIT OR Apache-2.0
//! Requests of the core to the memory of its tables, and the answers.

use latchkey_testbench::bench::{sink, Params, Pins};
use latchkey_testbench::engine::Cycle;

const SPACES: [&str; 4] = ["MPT", "MTT", "PD window", "account"];

/// The space and what is done to it, in short.
pub fn access(p: &Pins, c: &Cycle) -> String {
    let r = sink::request(p, &c.outs);
    let does = if r.write { "write" } else { "read" };
    format!("{does} {}", SPACES[usize::from(r.space) & 3])
}

fn beats(len: u8) -> String {
    match len {
        0 => "1 beat".into(),
        n => format!("{} beats", n + 1),
    }
}

/// A word of a space.
fn word(params: &Params, space: u8, data: u64) -> String {
    let bits = params.index_bits + 1;
    match space {
        1 => super::entry(data),
        3 => format!("has {}, quota {}", data & ((1 << bits) - 1), data >> bits),
        _ => format!("0x{data:x}"),
    }
}

pub fn icm_req(p: &Pins, params: &Params, c: &Cycle) -> String {
    let r = sink::request(p, &c.outs);
    let whose = match r.space {
        0 => format!(" (entry {})", r.addr >> params.mpt_shift),
        2 => format!(" (of PD {})", r.addr / (u64::from(r.len) + 1)),
        3 => format!(" (of PD {})", r.addr),
        _ => String::new(),
    };
    let data = match r.write && r.len == 0 {
        true => format!(": {}", word(params, r.space, r.data)),
        false => String::new(),
    };
    format!(
        "{} word {}{whose}, {}{data}",
        access(p, c),
        r.addr,
        beats(r.len)
    )
}

pub fn icm_rsp(p: &Pins, params: &Params, c: &Cycle, to: Option<(usize, &Cycle)>) -> String {
    let data = p.icm_rsp_data.get(&c.ins, 0);
    let Some((number, request)) = to else {
        return format!("to id {}", p.icm_rsp_id.get(&c.ins, 0));
    };
    let r = sink::request(p, &request.outs);
    match (r.write, r.len) {
        (true, _) => format!("to {number}: acknowledged"),
        (false, 0) => format!("to {number}: {}", word(params, r.space, data)),
        (false, len) => format!("to {number}: {}", beats(len)),
    }
}
