// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why a case can't run on a configuration: a command, a feature or a width that is missing.

use super::format::{Case, Expect, Num, Step};
use super::{plan, Options};
use crate::model::{mask, Params};
use crate::trace::{access, Op, PageList};

/// The first obstacle, in words.
pub fn obstacle(case: &Case, params: &Params, options: &Options) -> Option<String> {
    for (at, step) in plan::commands(case).enumerate() {
        if let Some(why) = missing(
            step,
            params,
            options.compose_rereg || at >= case.setup.len(),
        ) {
            return Some(why);
        }
    }
    if case.request.command.is_none() && case.request.op == "command" {
        return Some("a command request without command".into());
    }
    for step in plan::commands(case) {
        let refused = step
            .expect
            .as_ref()
            .is_some_and(|expect| expect.status != "ok");
        let moves = step.flags.iter().any(|flag| flag == "translation");
        let mapped = match step.cmd.as_str() {
            "reg" => !step.implicit,
            "fast_reg" => plan::register(step, 0).is_ok() || !refused,
            "rereg" => moves && (plan::register(step, 0).is_ok() || !refused),
            _ => false,
        };
        let why = mapped.then(|| region(step, params, options)).flatten();
        let why = why.or_else(|| command(case, step, params));
        if let Some(why) = why.filter(|_| !implicit(case, step)) {
            return Some(why);
        }
    }
    let gives = ["reg", "alloc_fast", "alloc_mw", "alloc_null"];
    let entries = plan::commands(case)
        .filter(|step| gives.contains(&step.cmd.as_str()))
        .count() as u32;
    if entries + 2 > params.mrs {
        return Some(width("key.mrs"));
    }
    let words = all_words(case);
    if words > mask(params.mtt_bits) {
        return Some(width("width.mtt_addr"));
    }
    let accesses = case
        .setup
        .iter()
        .filter(|step| step.cmd == "access")
        .map(|step| (step, step.expect.as_ref()));
    let request = (case.request.op != "command").then_some((&case.request, Some(&case.expect)));
    accesses
        .chain(request)
        .find_map(|(step, expect)| lookup(step, expect, params))
}

/// A step about an implicit region, which the driver refuses to make: nothing of it reaches the pins.
pub fn implicit(case: &Case, step: &Step) -> bool {
    !step.name.is_empty() && plan::commands(case).any(|reg| reg.implicit && reg.name == step.name)
}

/// A command that is not there; `composed`: a rereg may be made of others.
fn missing(step: &Step, params: &Params, composed: bool) -> Option<String> {
    let off = |on: bool, name: &str| (!on).then(|| format!("feature.{name} is off"));
    match step.cmd.as_str() {
        "create_qp" | "reg" | "dereg" | "access" => None,
        "rereg" => off(composed || params.reregister, "reregister"),
        "alloc_fast" | "fast_reg" => off(params.fast_reg, "fast_reg"),
        "local_inv" | "remote_inv" => off(params.fast_reg || params.windows, "fast_reg"),
        "alloc_mw" | "dealloc_mw" | "bind_mw" => off(params.windows, "windows"),
        "page_fault_fill" | "page_invalidate" => off(params.paging, "paging"),
        "alloc_null" => off(params.null, "null"),
        other => Some(format!("command {other} is missing")),
    }
}

/// Numbers of a command that have no room at the pins.
fn command(case: &Case, step: &Step, params: &Params) -> Option<String> {
    // a queue pair reaches the pins with the commands that come from it
    let pairs = || plan::commands(case).filter(|pair| pair.cmd == "create_qp");
    let pd = match step.cmd.as_str() {
        "create_qp" => None,
        "fast_reg" | "local_inv" | "remote_inv" | "bind_mw" => pairs()
            .find(|pair| pair.qp == step.qp)
            .and_then(|pair| pair.pd),
        _ => step.pd,
    };
    let value = |num: Option<Num>| num.unwrap_or_default().0;
    let bind = step.cmd == "bind_mw";
    let fill = step.cmd == "page_fault_fill";
    let rules = [
        (
            u64::from(pd.unwrap_or(0)) > mask(params.pd_bits),
            "width.pd",
        ),
        (
            bind && value(step.addr) > mask(params.va_bits),
            "width.iova",
        ),
        (
            bind && value(step.length) > mask(params.region_bits),
            "width.region",
        ),
        (fill && value(step.addr) > mask(params.pa_bits), "width.pa"),
        (
            value(step.page).saturating_add(value(step.count)) > mask(params.pages_bits)
                || value(step.max_pages) > mask(params.pages_bits),
            "width.pages",
        ),
    ];
    rules
        .iter()
        .find(|(broken, _)| *broken)
        .map(|(_, name)| width(name))
}

fn width(name: &str) -> String {
    format!("does not fit {name}")
}

/// MTT words a step takes.
pub fn words(step: &Step) -> u64 {
    let shift = step.page_shift.unwrap_or(12);
    step.pages
        .as_ref()
        .and_then(|pages| plan::list(pages, shift))
        .map_or(0, |list| list.count())
}

/// MTT words of all steps together; a composed rereg may take those of its region once more.
pub fn all_words(case: &Case) -> u64 {
    let largest = plan::commands(case).map(words).max().unwrap_or(0);
    let need = |step: &Step| match words(step) {
        0 if step.cmd == "rereg" => largest,
        own => own,
    };
    plan::commands(case).map(need).sum()
}

fn highest(list: &PageList) -> u64 {
    match list {
        PageList::List(list) => list.iter().map(|entry| entry.pa).max().unwrap_or(0),
        PageList::Run {
            base,
            stride,
            count,
            set,
        } => {
            let last =
                u128::from(*base) + u128::from(*stride) * u128::from(count.saturating_sub(1));
            set.iter()
                .map(|(_, entry)| entry.pa)
                .max()
                .unwrap_or(0)
                .max(last.min(u64::MAX.into()) as u64)
        }
    }
}

fn region(step: &Step, params: &Params, options: &Options) -> Option<String> {
    let reg = match plan::register(step, 0) {
        Ok(reg) => reg,
        Err(why) => return Some(format!("{why} is missing")),
    };
    if reg.access & access::ON_DEMAND != 0 && !params.odp {
        return Some("feature.odp is off".into());
    }
    if options.max_pages.is_some_and(|limit| reg.pages > limit) {
        return Some(format!(
            "{} pages, more than the limit of this run",
            reg.pages
        ));
    }
    let page = reg.page.shift().map_or(0, mask);
    let rules = [
        (reg.iova > mask(params.va_bits), "width.iova"),
        (
            params.va_bits < 64
                && u128::from(reg.iova) + u128::from(reg.length) > 1 << params.va_bits,
            "width.iova",
        ),
        (reg.length > mask(params.region_bits), "width.region"),
        (reg.pages > mask(params.pages_bits), "width.pages"),
        (highest(&reg.list) | page > mask(params.pa_bits), "width.pa"),
        (u64::from(reg.pd) > mask(params.pd_bits), "width.pd"),
    ];
    rules
        .iter()
        .find(|(broken, _)| *broken)
        .map(|(_, name)| width(name))
}

fn lookup(step: &Step, expect: Option<&Expect>, params: &Params) -> Option<String> {
    let op = match plan::operation(&step.op) {
        Ok(op) => op,
        Err(why) => return Some(format!("{why} is missing")),
    };
    if matches!(op, Op::Atomic | Op::AtomicWrite) && !params.atomics {
        return Some("feature.atomics is off".into());
    }
    if matches!(op, Op::FlushGlobal | Op::FlushPersistent) && !params.flush_ops {
        return Some("feature.flush_ops is off".into());
    }
    let short = |expect: &Expect| expect.cause.as_deref() == Some("bad_length");
    let refused = expect.is_some_and(|expect| short(expect) || expect.alt.iter().any(short));
    let packet = step.chunk.unwrap_or(step.len.0);
    let rules = [
        (step.va.0 > mask(params.va_bits), "width.iova"),
        (
            u64::from(step.pd.unwrap_or(0)) > mask(params.pd_bits),
            "width.pd",
        ),
        (packet > params.max_request && !refused, "key.max_request"),
        (
            step.len.0 > u64::from(u32::MAX),
            "the 32 bits of lookup_len",
        ),
    ];
    rules
        .iter()
        .find(|(broken, _)| *broken)
        .map(|(_, name)| width(name))
}
