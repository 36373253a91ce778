// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which answers a registration may get (source: docs/interface.md, "register refuses with bad_arg", "bad_window",
//! "MTT entry"). When several rules are broken any of their codes is right, since no order is promised.

use super::{mask, Params};
use crate::trace::{access, Code, Entry, PageList, PageSize, Register};

/// Reasons to refuse.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reasons {
    /// Rules broken for sure: the answer must be one of these codes.
    pub must: Vec<(Code, &'static str)>,
    /// Matters the interface leaves open: these codes are accepted beside ok.
    pub may: Vec<(Code, &'static str)>,
}

impl Reasons {
    /// Is `code` right, space and parking apart?
    pub fn accepts(&self, code: Code) -> bool {
        let listed = |list: &[(Code, &str)]| list.iter().any(|(known, _)| *known == code);
        listed(&self.must) || listed(&self.may) || (code == Code::Ok && self.must.is_empty())
    }
}

/// Pages that a range needs: the first page counts from the offset of `iova` inside it.
pub fn pages_needed(iova: u64, length: u64, shift: u32) -> u128 {
    (u128::from(iova & mask(shift)) + u128::from(length) + u128::from(mask(shift))) >> shift
}

/// All reasons against `reg`; `window` is the MTT window of its PD (first word, words).
pub fn reasons(params: &Params, reg: &Register, window: Option<(u64, u64)>) -> Reasons {
    let mut found = Reasons::default();
    let has = |bits: u32| reg.access & bits != 0;
    let mut bad = |broken: bool, why| {
        if broken {
            found.must.push((Code::BadArg, why));
        }
    };
    bad(reg.length == 0, "length 0");
    bad(reg.access & !access::KNOWN != 0, "unknown access bit");
    bad(
        has(access::REMOTE_WRITE | access::REMOTE_ATOMIC) && !has(access::LOCAL_WRITE),
        "remote_write or remote_atomic without local_write",
    );
    let beyond = u128::from(reg.iova) + u128::from(reg.length) > 1 << params.va_bits;
    bad(
        beyond && !has(access::ZERO_BASED),
        "iova + length beyond the address space",
    );
    bad(
        matches!(reg.page, PageSize::Bad5 | PageSize::Bad6 | PageSize::Bad7),
        "page code not defined",
    );
    bad(
        reg.page == PageSize::Contiguous && has(access::ON_DEMAND),
        "contiguous and on demand",
    );
    let needed = reg
        .page
        .shift()
        .map_or(0, |shift| pages_needed(reg.iova, reg.length, shift));
    bad(
        u128::from(reg.pages) != needed,
        "page count is not what the range needs",
    );
    bad(
        !entries_fit(params, reg),
        "a page is misaligned, absent or read-only",
    );

    let stream = reg.pages > u64::from(params.inline);
    if stream && reg.list.count() != reg.pages {
        found
            .must
            .push((Code::BadList, "page list ends at the wrong place"));
    }
    let fits = window.is_some_and(|(first, words)| {
        let end = u128::from(reg.base) + u128::from(reg.pages);
        reg.base >= first && end <= u128::from(first) + u128::from(words)
    });
    if reg.pages > 0 && reg.page != PageSize::Contiguous && !fits {
        found
            .must
            .push((Code::BadWindow, "MTT words outside the window of the PD"));
    }
    if reg.pages > 0 && reg.page == PageSize::Contiguous && !fits {
        found
            .may
            .push((Code::BadWindow, "contiguous, but a count was given"));
    }
    if beyond && has(access::ZERO_BASED) {
        found.may.push((
            Code::BadArg,
            "zero-based: whether iova + length is looked at is open",
        ));
    }
    if has(access::ON_DEMAND) && !params.odp {
        found.must.push((Code::BadArg, "on demand is not offered"));
    }
    let end = u128::from(reg.base) + u128::from(reg.length);
    if reg.page == PageSize::Contiguous && end > 1 << params.pa_bits {
        found.may.push((
            Code::BadArg,
            "contiguous region runs over the end of physical memory",
        ));
    }
    found
}

/// Every entry that counts is aligned, and present and writable unless the region is on demand.
fn entries_fit(params: &Params, reg: &Register) -> bool {
    let Some(shift) = reg.page.shift() else {
        return true;
    };
    let demand = reg.access & access::ON_DEMAND != 0;
    let fits = |entry: Entry| {
        let frame = entry.pa & mask(params.pa_bits) & !0xfff;
        let usable = entry.present && entry.writable;
        (usable || demand) && (frame & mask(shift) == 0 || !entry.present)
    };
    if reg.list.count() < reg.pages {
        // A short inline list leaves zeros; a short stream is a bad list, its entries are still looked at.
        let inline = reg.pages <= u64::from(params.inline);
        return (!inline || demand) && reg.list.iter().all(fits);
    }
    if let PageList::Run {
        base, stride, set, ..
    } = &reg.list
    {
        let low = mask(shift) & !0xfff;
        if base & low == 0 && stride & mask(shift) == 0 {
            return set
                .iter()
                .filter(|(at, _)| *at < reg.pages)
                .all(|(_, entry)| fits(*entry));
        }
    }
    (0..reg.pages).filter_map(|at| reg.list.get(at)).all(fits)
}
