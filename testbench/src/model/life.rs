// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which answers a command that is no plain registration may get (source: docs/interface.md, "The rest of the life of a
//! key": the first reason that applies, in the order of its table).

use super::entry::merged;
use super::{mask, reasons, Holding, Kind, Params, Reasons, Seen, WindowKind};
use crate::trace::{access, change, Bind, Body, Code, FlushScope};

/// Most windows bound to one region.
pub const MOST_WINDOWS: u32 = 255;

/// Reasons against a command.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Rules broken, in the order in which they are looked at.
    pub ordered: Vec<(Code, &'static str)>,
    /// Matters the interface leaves open: accepted as well.
    pub may: Vec<(Code, &'static str)>,
    /// Those of a registration, looked at when nothing else is wrong.
    pub tail: Reasons,
}

impl Rules {
    /// The account a reregister moves its entry to is looked at once nothing else speaks against the entry: whether it must, or may, be spent.
    pub fn meeting(mut self, body: &Body, entry: Seen<'_>, must: bool, may: bool) -> Rules {
        let pd = match body {
            Body::Reregister { .. } => charged_pd(body),
            _ => None,
        };
        let moves = matches!(entry, Seen::Live(held) if pd.is_some_and(|pd| pd != held.pd));
        if moves && self.ordered.is_empty() {
            let why = (Code::Quota, "the PD has as many entries as it may");
            if must {
                self.ordered.push(why);
            } else if may {
                self.may.push(why);
            }
        }
        self
    }

    /// The answer of a device that looks at everything in order.
    pub fn first(&self) -> Code {
        let first = self.ordered.first().or(self.tail.must.first());
        first.map_or(Code::Ok, |(code, _)| *code)
    }

    /// Is `code` right?
    pub fn accepts(&self, code: Code) -> bool {
        if self.may.iter().any(|(known, _)| *known == code) {
            return true;
        }
        match self.ordered.first() {
            Some((first, _)) => *first == code,
            None => self.tail.accepts(code),
        }
    }

    /// Is `code` one of the reasons, whatever their order? For a command beside which the entry changes.
    pub fn mentions(&self, code: Code) -> bool {
        let listed = |list: &[(Code, &str)]| list.iter().any(|(known, _)| *known == code);
        self.accepts(code) || listed(&self.ordered) || (code != Code::Ok && self.tail.accepts(code))
    }
}

/// The PD whose MTT window a command's words must be in.
pub fn window_pd(body: &Body, entry: Seen<'_>) -> Option<u32> {
    match (body, entry) {
        (Body::Register(reg) | Body::FastRegister { reg, .. }, _) => Some(reg.pd),
        (Body::Reregister { change, reg, .. }, _) if change & change::PD != 0 => Some(reg.pd),
        (Body::Reregister { .. }, Seen::Live(held)) => Some(held.pd),
        _ => None,
    }
}

/// The PD whose account a command's entry would be charged to: a new entry's, or the one a reregister moves its entry to.
pub fn charged_pd(body: &Body) -> Option<u32> {
    match body {
        Body::Register(reg) => Some(reg.pd),
        Body::Allocate { pd, .. } | Body::AllocateWindow { pd, .. } | Body::AllocateNull { pd } => {
            Some(*pd)
        }
        Body::Reregister { change, reg, .. } if change & change::PD != 0 => Some(reg.pd),
        _ => None,
    }
}

/// The key a command names.
pub fn key_of(body: &Body) -> Option<u32> {
    match body {
        Body::Deregister { key, .. }
        | Body::Query { key }
        | Body::Flush {
            key,
            scope: FlushScope::Key,
        }
        | Body::FastRegister { key, .. }
        | Body::Invalidate { key, .. }
        | Body::Reregister { key, .. }
        | Body::DeallocateWindow { key, .. }
        | Body::FillPage { key, .. }
        | Body::EvictPage { key, .. } => Some(*key),
        Body::BindWindow(bind) => Some(bind.key),
        _ => None,
    }
}

/// The key of the region a bind names.
pub fn region_of(body: &Body) -> Option<u32> {
    match body {
        Body::BindWindow(bind) => Some(bind.region),
        _ => None,
    }
}

struct Find<'a> {
    params: &'a Params,
    rules: Rules,
}

/// All reasons against `body`. `entry` is that of its key, `parent` that of a bind's region, `window` the MTT window of
/// [`window_pd`], `bound` the windows bound to the region the command is about.
pub fn rules(
    params: &Params,
    body: &Body,
    entry: Seen<'_>,
    parent: Seen<'_>,
    window: Option<(u64, u64)>,
    bound: u32,
) -> Rules {
    let mut find = Find {
        params,
        rules: Rules::default(),
    };
    if !params.offers(body) {
        find.bad(true, Code::BadOp, "not offered");
        return find.rules;
    }
    match body {
        Body::Register(reg) => find.rules.tail = reasons(params, reg, window),
        Body::Allocate { pages, .. } => find.bad(*pages == 0, Code::BadArg, "no pages"),
        Body::AllocateWindow { kind, .. } => {
            find.bad(WindowKind::from_bits(*kind).is_none(), Code::BadArg, "type")
        }
        Body::Deregister { key, .. } => {
            if let Some(held) = find.there(*key, entry) {
                let window = matches!(held.kind, Kind::Window(_));
                find.bad(window, Code::BadState, "a window");
                find.bad(!held.has(*key), Code::StaleKey, "other key");
                find.bad(bound > 0, Code::Bound, "windows are bound to it");
            }
        }
        Body::Query { key }
        | Body::Flush {
            key,
            scope: FlushScope::Key,
        } => {
            if let Some(held) = find.keyed(*key, entry) {
                find.bad(!held.valid(), Code::StaleKey, "not valid");
            }
        }
        Body::FastRegister { key, reg } => {
            if let Some(held) = find.there(*key, entry) {
                let budget = match held.kind {
                    Kind::Fast { budget } if held.region.is_none() => Some(budget),
                    _ => None,
                };
                find.bad(
                    budget.is_none(),
                    Code::BadState,
                    "not for fast registration, or not free",
                );
                find.bad(!held.has_secret(*key), Code::StaleKey, "other secret");
                find.bad(held.pd != reg.pd, Code::PdMismatch, "other PD");
                find.bad(
                    budget.is_some_and(|most| reg.pages > most),
                    Code::BadArg,
                    "more pages than the budget",
                );
                find.rules.tail = reasons(params, reg, window);
            }
        }
        Body::Invalidate { key, pd, qpn, .. } => {
            if let Some(held) = find.there(*key, entry) {
                let (right, let_in) = match (held.kind, &held.binding) {
                    (Kind::Fast { .. }, _) => (held.region.is_some(), held.pd == *pd),
                    (Kind::Window(WindowKind::One), _) => (false, true),
                    (Kind::Window(_), Some(binding)) => (true, binding.lets_in(*pd, *qpn)),
                    _ => (false, true),
                };
                find.bad(!right, Code::BadState, "nothing to invalidate");
                find.bad(!held.has(*key), Code::StaleKey, "other key");
                find.bad(!let_in, Code::PdMismatch, "other PD or queue pair");
                find.bad(bound > 0, Code::Bound, "windows are bound to it");
            }
        }
        Body::Reregister {
            key, change, reg, ..
        } => {
            if let Some(held) = find.there(*key, entry) {
                let old = held.region.as_ref().filter(|_| held.kind == Kind::Region);
                find.bad(old.is_none(), Code::BadState, "not an ordinary region");
                find.bad(!held.has(*key), Code::StaleKey, "other key");
                find.bad(bound > 0, Code::Bound, "windows are bound to it");
                find.bad(change & 7 == 0, Code::BadArg, "nothing named");
                if let Some(old) = old {
                    let moves = change & change::TRANSLATION != 0;
                    let fixed = access::ON_DEMAND | access::ZERO_BASED;
                    let other =
                        change & change::ACCESS != 0 && (reg.access ^ old.spec.access) & fixed != 0;
                    find.bad(
                        other && !moves,
                        Code::BadArg,
                        "on_demand or zero_based changes without a translation",
                    );
                    let mut tail = reasons(params, &merged(&old.spec, *change, reg), window);
                    if !moves {
                        let (window, rest) = tail
                            .must
                            .into_iter()
                            .partition(|(code, _)| *code == Code::BadWindow);
                        tail.must = rest;
                        tail.may.extend::<Vec<_>>(window);
                    }
                    find.rules.tail = tail;
                }
            }
        }
        Body::BindWindow(bind) => find.bind(bind, entry, parent, bound),
        Body::DeallocateWindow { key, .. } => {
            if let Some(held) = find.there(*key, entry) {
                let window = matches!(held.kind, Kind::Window(_));
                find.bad(!window, Code::BadState, "no window");
                find.bad(!held.has(*key), Code::StaleKey, "other key");
            }
        }
        Body::FillPage {
            key,
            number,
            entry: page,
        } => {
            if let Some(shift) = find.paged(*key, *number, entry) {
                find.bad(!page.present, Code::BadArg, "not present");
                let frame = page.pa & mask(params.pa_bits) & !0xfff;
                find.bad(frame & mask(shift) != 0, Code::BadArg, "misaligned");
            }
        }
        Body::EvictPage { key, number, .. } => {
            find.paged(*key, *number, entry);
        }
        Body::SetQuota { entries, .. } => find.bad(
            *entries > u64::from(params.mrs),
            Code::BadArg,
            "more entries than the table has",
        ),
        Body::Flush { .. }
        | Body::PdWindow { .. }
        | Body::AllocateNull { .. }
        | Body::SetSecret { .. }
        | Body::Other { .. } => {}
    }
    find.rules
}

impl Find<'_> {
    fn bad(&mut self, broken: bool, code: Code, why: &'static str) {
        if broken {
            self.rules.ordered.push((code, why));
        }
    }

    /// bad_key, then stale_key.
    fn keyed<'b>(&mut self, key: u32, entry: Seen<'b>) -> Option<&'b Holding> {
        let inside = self.params.in_table(self.params.index(key));
        match entry {
            Seen::Live(held) if inside && held.has(key) => Some(held),
            Seen::Live(_) | Seen::Retired if inside => {
                self.bad(true, Code::StaleKey, "not a current key of the entry");
                None
            }
            _ => {
                self.bad(true, Code::BadKey, "no such entry");
                None
            }
        }
    }

    /// bad_key, and stale_key of a retired entry; the key itself is compared after the kind.
    fn there<'b>(&mut self, key: u32, entry: Seen<'b>) -> Option<&'b Holding> {
        let inside = self.params.in_table(self.params.index(key));
        match entry {
            Seen::Live(held) if inside => Some(held),
            Seen::Retired if inside => {
                self.bad(true, Code::StaleKey, "retired");
                None
            }
            _ => {
                self.bad(true, Code::BadKey, "no such entry");
                None
            }
        }
    }

    /// The common part of fill_page and evict_page; gives the page size.
    fn paged(&mut self, key: u32, number: u64, entry: Seen<'_>) -> Option<u32> {
        let held = self.there(key, entry)?;
        let region = held
            .region
            .as_ref()
            .filter(|region| region.spec.access & access::ON_DEMAND != 0);
        self.bad(
            region.is_none(),
            Code::BadState,
            "not valid, or not on demand",
        );
        self.bad(!held.has(key), Code::StaleKey, "other key");
        let region = region?;
        self.bad(
            number >= region.spec.pages,
            Code::BadArg,
            "beyond the last page",
        );
        region.spec.page.shift()
    }

    fn bind(&mut self, bind: &Bind, entry: Seen<'_>, parent: Seen<'_>, bound: u32) {
        let Some(held) = self.there(bind.key, entry) else {
            return;
        };
        let Kind::Window(kind) = held.kind else {
            self.bad(true, Code::BadState, "no window");
            return;
        };
        let one = kind == WindowKind::One;
        let has = |bits: u32| bind.access & bits != 0;
        self.bad(
            !one && held.binding.is_some(),
            Code::BadState,
            "bound already",
        );
        self.bad(!held.has(bind.key), Code::StaleKey, "other key");
        self.bad(held.pd != bind.pd, Code::PdMismatch, "other PD");
        self.bad(
            bind.access & !access::KNOWN != 0,
            Code::BadArg,
            "unknown access bit",
        );
        self.bad(
            one && has(access::ZERO_BASED),
            Code::BadArg,
            "zero_based on type 1",
        );
        self.bad(!one && bind.length == 0, Code::BadArg, "length 0 on type 2");
        if bind.length == 0 {
            return;
        }
        let Some(region) = self.there(bind.region, parent) else {
            return;
        };
        let pd = region.pd;
        let kind = matches!(region.kind, Kind::Region | Kind::Fast { .. });
        self.bad(!kind, Code::BadState, "no region");
        let Some(region) = region.region.as_ref().filter(|_| region.has(bind.region)) else {
            self.bad(true, Code::StaleKey, "other key of the region, or free");
            return;
        };
        self.bad(pd != bind.pd, Code::PdMismatch, "other PD of the region");
        let writes = has(access::REMOTE_WRITE | access::REMOTE_ATOMIC);
        let rights = region.spec.access;
        self.bad(
            rights & access::MW_BIND == 0 || (writes && rights & access::LOCAL_WRITE == 0),
            Code::NoPermission,
            "rights of the region",
        );
        self.bad(
            rights & access::ZERO_BASED != 0,
            Code::BadArg,
            "zero-based region",
        );
        let first = u128::from(region.spec.iova);
        let (start, end) = (
            u128::from(bind.iova),
            u128::from(bind.iova) + u128::from(bind.length),
        );
        self.bad(
            start < first || end > first + u128::from(region.spec.length),
            Code::OutOfBounds,
            "beyond the region",
        );
        self.bad(bound >= MOST_WINDOWS, Code::NoSpace, "255 windows");
    }
}
