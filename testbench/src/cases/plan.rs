// SPDX-License-Identifier: MIT OR Apache-2.0
//! From the steps of a case to commands and lookups, before keys are known.

use super::format::{Case, Pages, Step};
use crate::trace::{access, Entry, Op, PageList, PageSize, Register};

/// All steps that may give or change a region, midway and request included.
pub fn commands(case: &Case) -> impl Iterator<Item = &Step> {
    let midway = case.request.midway.iter().map(|midway| &midway.cmd);
    case.setup
        .iter()
        .chain(midway)
        .chain(case.request.command.as_deref())
}

/// Bits of `reg_access`; the error is a name nobody knows.
pub fn rights(names: &[String]) -> Result<u32, String> {
    names.iter().try_fold(0, |bits, name| {
        let bit = match name.as_str() {
            "relaxed_ordering" => 1 << 20,
            "optional_bit_25" => 1 << 25,
            "unknown_bit_12" => 1 << 12,
            other => access::named(other).ok_or_else(|| format!("access bit {other}"))?,
        };
        Ok(bits | bit)
    })
}

/// `reg_extra` of a window's type; what nobody knows is a type that is refused.
pub fn window(kind: &serde_json::Value) -> u8 {
    let text = kind
        .as_str()
        .map_or_else(|| kind.to_string(), str::to_owned);
    match text.to_ascii_uppercase().as_str() {
        "1" => 0,
        "2A" => 1,
        "2" | "2B" => 2,
        _ => 3,
    }
}

/// Operation of a request.
pub fn operation(name: &str) -> Result<Op, String> {
    serde_json::from_value(serde_json::Value::String(name.into()))
        .map_err(|_| format!("operation {name}"))
}

/// The page list; `None` for a sparse one.
pub fn list(pages: &Pages, shift: u32) -> Option<PageList> {
    let entry =
        |page: &Option<super::format::Num>| page.map_or(Entry::ABSENT, |page| Entry::page(page.0));
    match pages {
        Pages::List(list) => Some(PageList::List(list.iter().map(entry).collect())),
        Pages::Run {
            base,
            count,
            stride,
            set,
        } => {
            let mut set: Vec<_> = set
                .iter()
                .filter_map(|(at, page)| Some((at.parse().ok()?, entry(page))))
                .collect();
            set.sort_by_key(|(at, _)| *at);
            Some(PageList::Run {
                base: base.0,
                stride: stride.map_or(1 << shift, |s| s.0),
                count: *count,
                set,
            })
        }
        Pages::Sparse { .. } => None,
    }
}

/// The registration of a `reg` step (or of a composed rereg), with `base` as its first MTT word.
pub fn register(step: &Step, base: u64) -> Result<Register, String> {
    let shift = step.page_shift.unwrap_or(12);
    let sizes = [PageSize::K4, PageSize::K64, PageSize::M2, PageSize::G1];
    let page = sizes.into_iter().find(|size| size.shift() == Some(shift));
    let access = rights(step.access.as_deref().unwrap_or_default())?;
    let mut iova = step.iova.unwrap_or_default().0;
    let zero_based = access & access::ZERO_BASED != 0;
    if let Some(fbo) = step.fbo {
        if zero_based {
            iova = fbo.0;
        } else if fbo.0 != iova & ((1 << shift) - 1) {
            return Err("first-page offset other than that of iova".into());
        }
    }
    let list = step
        .pages
        .as_ref()
        .and_then(|pages| list(pages, shift))
        .unwrap_or_default();
    Ok(Register {
        pd: step.pd.unwrap_or_default(),
        iova,
        length: step.length.unwrap_or_default().0,
        access,
        page: page.ok_or_else(|| format!("page shift {shift}"))?,
        base,
        pages: list.count(),
        list,
    })
}
