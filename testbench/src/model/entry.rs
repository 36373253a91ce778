// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an index holds: a region, a region for fast registration, a window or a null region (source: docs/interface.md,
//! "The rest of the life of a key").

use super::{Region, View};
use crate::trace::{access, Register};

/// Whom a window lets in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowKind {
    /// Type 1: every queue pair of its PD.
    One,
    /// Type 2A: one queue pair.
    TwoA,
    /// Type 2B: one queue pair, of its PD.
    TwoB,
}

impl WindowKind {
    /// From `reg_extra`.
    pub const fn from_bits(bits: u8) -> Option<Self> {
        match bits {
            0 => Some(Self::One),
            1 => Some(Self::TwoA),
            2 => Some(Self::TwoB),
            _ => None,
        }
    }
}

/// Kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// From register.
    Region,
    /// From allocate.
    Fast {
        /// Most pages of a registration.
        budget: u64,
    },
    /// From allocate_window.
    Window(WindowKind),
    /// From allocate_null.
    Null,
}

/// A bound window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Its key.
    pub rkey: u32,
    /// Whom it lets in.
    pub kind: WindowKind,
    /// Its protection domain.
    pub pd: u32,
    /// Queue pair of the bind (type 2).
    pub qpn: u32,
    /// First address, in the region.
    pub iova: u64,
    /// Bytes.
    pub length: u64,
    /// Rights.
    pub access: u32,
    /// Index of its region.
    pub parent: u32,
}

/// Access bits that mean something on a window.
const WINDOW_RIGHTS: u32 = access::REMOTE_READ
    | access::REMOTE_WRITE
    | access::REMOTE_ATOMIC
    | access::ZERO_BASED
    | access::FLUSH_GLOBAL
    | access::FLUSH_PERSISTENT;

impl Binding {
    /// What a bind makes of a window.
    pub fn new(window: &Holding, kind: WindowKind, bind: &crate::trace::Bind, parent: u32) -> Self {
        Self {
            rkey: (window.rkey & !0xff) | u32::from(bind.variant),
            kind,
            pd: window.pd,
            qpn: bind.qpn,
            iova: bind.iova,
            length: bind.length,
            access: bind.access & WINDOW_RIGHTS,
            parent,
        }
    }

    /// May this queue pair use it?
    pub fn lets_in(&self, pd: u32, qpn: u32) -> bool {
        let same_pd = self.kind == WindowKind::TwoA || self.pd == pd;
        same_pd && (self.kind == WindowKind::One || self.qpn == qpn)
    }

    /// Offset of a request from the first byte of the window, if all of it is inside.
    pub fn offset(&self, va: u64, len: u32) -> Option<u64> {
        let zero_based = self.access & access::ZERO_BASED != 0;
        let first = u128::from(if zero_based { 0 } else { self.iova });
        let (start, end) = (u128::from(va), u128::from(va) + u128::from(len));
        (start >= first && end <= first + u128::from(self.length)).then(|| (start - first) as u64)
    }
}

/// An entry that is in use.
#[derive(Clone, Debug)]
pub struct Holding {
    /// What it is.
    pub kind: Kind,
    /// Its protection domain.
    pub pd: u32,
    /// Local key; 0 of a window.
    pub lkey: u32,
    /// Remote key; 0 of a null region.
    pub rkey: u32,
    /// The mapping of a region, while it is valid.
    pub region: Option<Region>,
    /// What a window is bound to.
    pub binding: Option<Binding>,
}

impl Holding {
    /// An entry without a mapping.
    pub fn new(kind: Kind, pd: u32, lkey: u32, rkey: u32) -> Self {
        Self {
            kind,
            pd,
            lkey,
            rkey,
            region: None,
            binding: None,
        }
    }

    /// A region with its mapping.
    pub fn mapped(kind: Kind, region: Region) -> Self {
        Self {
            region: Some(region.clone()),
            ..Self::new(kind, region.spec.pd, region.lkey, region.rkey)
        }
    }

    /// Is it one of its keys?
    pub fn has(&self, key: u32) -> bool {
        key == self.lkey || key == self.rkey
    }

    /// Is it one of its keys, but for the low byte?
    pub fn has_secret(&self, key: u32) -> bool {
        (key ^ self.lkey) >> 8 == 0 || (key ^ self.rkey) >> 8 == 0
    }

    /// Lookups may be granted.
    pub fn valid(&self) -> bool {
        self.region.is_some() || self.binding.is_some() || self.kind == Kind::Null
    }

    /// As a lookup sees it; `parent` is the region of a window.
    pub fn view<'a>(&'a self, parent: Option<&'a Region>) -> View<'a> {
        match (&self.region, &self.binding, parent) {
            (Some(region), _, _) => View::Valid(region),
            (_, Some(binding), Some(parent)) => View::Window(binding, parent),
            _ if self.kind == Kind::Null => View::Null {
                lkey: self.lkey,
                pd: self.pd,
            },
            _ => View::Free {
                lkey: self.lkey,
                rkey: self.rkey,
            },
        }
    }
}

/// State of an entry as a command sees it.
#[derive(Clone, Copy, Debug)]
pub enum Seen<'a> {
    /// Never used.
    NeverUsed,
    /// Used before.
    Retired,
    /// In use.
    Live(&'a Holding),
}

/// The mapping after a reregister.
pub fn merged(old: &Register, change: u8, new: &Register) -> Register {
    use crate::trace::change::{ACCESS, PD, TRANSLATION};
    let mut reg = if change & TRANSLATION != 0 {
        new.clone()
    } else {
        old.clone()
    };
    reg.pd = if change & PD != 0 { new.pd } else { old.pd };
    reg.access = if change & ACCESS != 0 {
        new.access
    } else {
        old.access
    };
    reg
}
