// SPDX-License-Identifier: MIT OR Apache-2.0
//! The verdict on one request against one state of its entry (source: docs/interface.md, "Order of checks",
//! "Needed right", "Class of a refusal").

use super::{Binding, Params, Region, View};
use crate::trace::{access, Cause, Class, Lookup, Op};

/// What must be seen at the pins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Allowed.
    pub granted: bool,
    /// Completion class of the verdict.
    pub class: Class,
    /// Cause of the verdict.
    pub cause: Cause,
    /// Takes a lease and owes segments.
    pub walks: bool,
    /// Offset inside the region (when `walks`).
    pub offset: u64,
    /// The first page that is absent (when `walks`): one page_fault segment and nothing else.
    pub fault: Option<u64>,
}

impl Outcome {
    const GRANTED: Self = Self {
        granted: true,
        class: Class::Ok,
        cause: Cause::None,
        walks: false,
        offset: 0,
        fault: None,
    };

    /// A refusal of this request.
    pub fn refusal(lookup: &Lookup, cause: Cause) -> Self {
        Self {
            granted: false,
            class: class(lookup.side_remote, cause),
            cause,
            ..Self::GRANTED
        }
    }
}

/// Completion class of a refusal: it depends on the side and on whether the request itself is malformed.
pub fn class(remote: bool, cause: Cause) -> Class {
    let malformed = matches!(
        cause,
        Cause::BadLength | Cause::Misaligned | Cause::TagReuse
    );
    match (malformed, remote) {
        (_, _) if matches!(cause, Cause::None | Cause::Nothing) => Class::Ok,
        (true, true) => Class::RemInvReqErr,
        (true, false) => Class::LocLenErr,
        (false, true) => Class::RemAccessErr,
        (false, false) => Class::LocProtErr,
    }
}

/// Bits that must all be held.
pub fn needed(op: Op) -> u32 {
    match op {
        Op::Read => access::REMOTE_READ,
        Op::Write | Op::AtomicWrite => access::REMOTE_WRITE,
        Op::Atomic => access::REMOTE_ATOMIC,
        Op::FlushGlobal => access::FLUSH_GLOBAL,
        Op::FlushPersistent => access::FLUSH_PERSISTENT,
        Op::LocalWrite => access::LOCAL_WRITE,
        Op::Bind => access::MW_BIND,
        Op::LocalRead | Op::Other(_) => 0,
    }
}

/// The operation changes memory, so its pages must be writable.
pub fn writes(op: Op) -> bool {
    matches!(
        op,
        Op::Write | Op::Atomic | Op::AtomicWrite | Op::LocalWrite
    )
}

fn atomic(op: Op) -> bool {
    matches!(op, Op::Atomic | Op::AtomicWrite)
}

fn offered(params: &Params, op: Op) -> bool {
    match op {
        Op::Other(_) => false,
        Op::Atomic | Op::AtomicWrite => params.atomics,
        Op::FlushGlobal | Op::FlushPersistent => params.flush_ops,
        _ => true,
    }
}

/// The part of the checks that needs no entry: `Some` when it decides.
pub fn without_entry(params: &Params, lookup: &Lookup) -> Option<Outcome> {
    let op = lookup.op;
    let too_long = u64::from(lookup.len) > params.max_request;
    if !offered(params, op) || too_long || (atomic(op) && lookup.len != 8) {
        return Some(Outcome::refusal(lookup, Cause::BadLength));
    }
    if lookup.len == 0 && matches!(op, Op::Read | Op::Write | Op::LocalRead | Op::LocalWrite) {
        return Some(Outcome::GRANTED);
    }
    if !params.in_table(params.index(lookup.key)) {
        return Some(Outcome::refusal(lookup, Cause::BadKey));
    }
    None
}

/// Verdict on `lookup` if its entry is in state `view`. First failing check is the cause.
pub fn judge(params: &Params, lookup: &Lookup, view: View<'_>) -> Outcome {
    if let Some(outcome) = without_entry(params, lookup) {
        return outcome;
    }
    match view {
        View::NeverUsed => Outcome::refusal(lookup, Cause::BadKey),
        View::Retired => Outcome::refusal(lookup, Cause::StaleKey),
        View::Free { lkey, rkey } => {
            keyed(lookup, lkey, rkey).unwrap_or_else(|| Outcome::refusal(lookup, Cause::StaleKey))
        }
        View::Valid(region) => in_region(lookup, region),
        View::Window(window, region) => in_window(lookup, window, region),
        View::Null { lkey, pd } => in_null(lookup, lkey, pd),
    }
}

/// A refusal, unless the key presented is that of its side.
fn keyed(lookup: &Lookup, lkey: u32, rkey: u32) -> Option<Outcome> {
    let (own, other) = if lookup.side_remote {
        (rkey, lkey)
    } else {
        (lkey, rkey)
    };
    let cause = if lookup.key == other {
        Cause::WrongSide
    } else {
        Cause::StaleKey
    };
    (lookup.key != own).then(|| Outcome::refusal(lookup, cause))
}

/// Through a window: its own owner, rights and range; the pages are those of its region.
fn in_window(lookup: &Lookup, window: &Binding, region: &Region) -> Outcome {
    let refuse = |cause| Outcome::refusal(lookup, cause);
    if let Some(refused) = keyed(lookup, 0, window.rkey) {
        return refused;
    }
    if !window.lets_in(lookup.pd, lookup.qpn) {
        return refuse(Cause::PdMismatch);
    }
    let needed = needed(lookup.op);
    if window.access & needed != needed {
        return refuse(Cause::NoPermission);
    }
    let Some(inside) = window.offset(lookup.va, lookup.len) else {
        return refuse(Cause::OutOfBounds);
    };
    if atomic(lookup.op) && lookup.va % 8 != 0 {
        return refuse(Cause::Misaligned);
    }
    let offset = window.iova - region.spec.iova + inside;
    granted(lookup, region, offset)
}

/// A null region takes and gives everything locally, and moves no byte.
fn in_null(lookup: &Lookup, lkey: u32, pd: u32) -> Outcome {
    if let Some(refused) = keyed(lookup, lkey, 0) {
        return refused;
    }
    if lookup.pd != pd {
        return Outcome::refusal(lookup, Cause::PdMismatch);
    }
    if needed(lookup.op) & !access::LOCAL_WRITE != 0 {
        return Outcome::refusal(lookup, Cause::NoPermission);
    }
    Outcome {
        cause: Cause::Nothing,
        ..Outcome::GRANTED
    }
}

fn granted(lookup: &Lookup, region: &Region, offset: u64) -> Outcome {
    let walks = lookup.walk && lookup.len > 0;
    let fault = if walks {
        region.fault(offset, lookup.len, writes(lookup.op))
    } else {
        None
    };
    Outcome {
        walks,
        offset,
        fault,
        ..Outcome::GRANTED
    }
}

fn in_region(lookup: &Lookup, region: &Region) -> Outcome {
    let refuse = |cause| Outcome::refusal(lookup, cause);
    if let Some(refused) = keyed(lookup, region.lkey, region.rkey) {
        return refused;
    }
    if lookup.pd != region.spec.pd {
        return refuse(Cause::PdMismatch);
    }
    let needed = needed(lookup.op);
    if region.spec.access & needed != needed {
        return refuse(Cause::NoPermission);
    }
    let Some(offset) = region.offset(lookup.va, lookup.len) else {
        return refuse(Cause::OutOfBounds);
    };
    if atomic(lookup.op) && lookup.va % 8 != 0 {
        return refuse(Cause::Misaligned);
    }
    granted(lookup, region, offset)
}
