// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands of the registration port and their answers (source: docs/interface.md, "Registration port").

use super::codes::{Code, FlushScope, Mode, PageSize, RegState};
use super::pages::{Entry, PageList};
use serde::{Deserialize, Serialize};

/// A command with its tag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// Given back in the answer.
    pub tag: u8,
    /// What to do.
    #[serde(flatten)]
    pub body: Body,
}

/// The command itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum Body {
    /// 0: new region.
    Register(Register),
    /// 1: end of a region.
    Deregister {
        /// Either key of the region.
        key: u32,
        /// What happens to running accesses.
        mode: Mode,
    },
    /// 2: state of a region.
    Query {
        /// Either key of the region.
        key: u32,
    },
    /// 3: drop cached copies; no visible effect.
    Flush {
        /// Either key of the region (scope `Key`).
        #[serde(default)]
        key: u32,
        /// What is dropped.
        scope: FlushScope,
    },
    /// 4: set the MTT window of a PD.
    PdWindow {
        /// Protection domain.
        pd: u32,
        /// First MTT word.
        base: u64,
        /// Words in the window.
        words: u64,
    },
    /// 8: an entry for fast registration.
    Allocate {
        /// Protection domain.
        pd: u32,
        /// Most pages of a registration.
        pages: u64,
    },
    /// 9: the mapping of a fast region. The low byte of the key is the new one of both keys; `pd` is that of the queue pair.
    FastRegister {
        /// The new key: a key of the entry but for the low byte.
        key: u32,
        /// The mapping.
        #[serde(flatten)]
        reg: Register,
    },
    /// 10: a fast region becomes free, a type 2 window unbound.
    Invalidate {
        /// A key of the region, or that of the window.
        key: u32,
        /// Protection domain of the queue pair.
        pd: u32,
        /// Queue pair.
        #[serde(default)]
        qpn: u32,
        /// What happens to running accesses.
        mode: Mode,
    },
    /// 11: parts of an ordinary region change, its keys stay.
    Reregister {
        /// Either key of the region.
        key: u32,
        /// `reg_extra`: bits of [`super::change`].
        change: u8,
        /// What happens to running accesses.
        mode: Mode,
        /// The new values; what is not named in `change` is not looked at.
        #[serde(flatten)]
        reg: Register,
    },
    /// 12: a memory window, unbound.
    AllocateWindow {
        /// Protection domain.
        pd: u32,
        /// `reg_extra`: 0 type 1, 1 type 2A, 2 type 2B; others are refused.
        kind: u8,
    },
    /// 13: binds a window to a range of a region.
    BindWindow(Bind),
    /// 14: end of a window.
    DeallocateWindow {
        /// Key of the window.
        key: u32,
        /// What happens to running accesses.
        mode: Mode,
    },
    /// 15: a page of an on-demand region is there.
    FillPage {
        /// Either key of the region.
        key: u32,
        /// `reg_pages`: its number, from the first of the region.
        number: u64,
        /// Where it is.
        entry: Entry,
    },
    /// 16: a page of an on-demand region is gone.
    EvictPage {
        /// Either key of the region.
        key: u32,
        /// `reg_pages`: its number, from the first of the region.
        number: u64,
    },
    /// 17: a null region.
    AllocateNull {
        /// Protection domain.
        pd: u32,
    },
    /// 18: the secret all keys come from, once after a reset.
    SetSecret {
        /// `reg_key` its low half, `reg_key2` its high half.
        secret: u64,
    },
    /// 19: most entries of a PD; 0 as many as there are.
    SetQuota {
        /// Protection domain.
        pd: u32,
        /// `reg_pages`.
        entries: u64,
    },
    /// Any other `reg_op`: answered bad_op.
    Other {
        /// 5..7, 20..31.
        op: u8,
    },
}

/// Fields of a bind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bind {
    /// The window's key.
    pub key: u32,
    /// `reg_key2`: either key of the region.
    pub region: u32,
    /// Protection domain of the queue pair.
    pub pd: u32,
    /// Queue pair.
    #[serde(default)]
    pub qpn: u32,
    /// First address.
    pub iova: u64,
    /// Bytes; 0 unbinds a type 1 window.
    pub length: u64,
    /// Bits of [`super::access`].
    pub access: u32,
    /// `reg_extra`: the new low byte of the key.
    pub variant: u8,
    /// What happens to running accesses through the former binding.
    pub mode: Mode,
}

impl Body {
    /// The mapping that comes with its own page list: register, fast_register, and reregister that names the translation.
    pub const fn listed(&self) -> Option<&Register> {
        match self {
            Self::Register(reg) | Self::FastRegister { reg, .. } => Some(reg),
            Self::Reregister { reg, change, .. } if *change & super::change::TRANSLATION != 0 => {
                Some(reg)
            }
            _ => None,
        }
    }

    /// The same, to be changed.
    pub fn listed_mut(&mut self) -> Option<&mut Register> {
        match self {
            Self::Register(reg) | Self::FastRegister { reg, .. } => Some(reg),
            Self::Reregister { reg, change, .. } if *change & super::change::TRANSLATION != 0 => {
                Some(reg)
            }
            _ => None,
        }
    }

    /// `reg_op` at the pins.
    pub const fn op_bits(&self) -> u32 {
        match self {
            Self::Register(_) => 0,
            Self::Deregister { .. } => 1,
            Self::Query { .. } => 2,
            Self::Flush { .. } => 3,
            Self::PdWindow { .. } => 4,
            Self::Allocate { .. } => 8,
            Self::FastRegister { .. } => 9,
            Self::Invalidate { .. } => 10,
            Self::Reregister { .. } => 11,
            Self::AllocateWindow { .. } => 12,
            Self::BindWindow(_) => 13,
            Self::DeallocateWindow { .. } => 14,
            Self::FillPage { .. } => 15,
            Self::EvictPage { .. } => 16,
            Self::AllocateNull { .. } => 17,
            Self::SetSecret { .. } => 18,
            Self::SetQuota { .. } => 19,
            Self::Other { op } => *op as u32,
        }
    }
}

/// Names of the commands by `reg_op`, as traces call them; "" where there is none.
pub const COMMANDS: [&str; 20] = [
    "register",
    "deregister",
    "query",
    "flush",
    "pd_window",
    "",
    "",
    "",
    "allocate",
    "fast_register",
    "invalidate",
    "reregister",
    "allocate_window",
    "bind_window",
    "deallocate_window",
    "fill_page",
    "evict_page",
    "allocate_null",
    "set_secret",
    "set_quota",
];

/// Fields of a registration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Register {
    /// Protection domain.
    pub pd: u32,
    /// First address; zero-based: only the offset in the first page counts.
    pub iova: u64,
    /// Bytes.
    pub length: u64,
    /// Bits of [`super::access`].
    pub access: u32,
    /// Page size code.
    pub page: PageSize,
    /// First MTT word, or the physical address of a contiguous region.
    pub base: u64,
    /// `reg_pages`, the count that is claimed.
    pub pages: u64,
    /// The entries. The first `INL` go beside the command; if `pages > INL` the rest (at least one transfer) goes through
    /// the page stream, `page_last` on the last of the list. A list whose length is not `pages` is a bad_list.
    #[serde(default)]
    pub list: PageList,
}

/// Answer of the registration port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Tag of the command.
    pub tag: u8,
    /// Result.
    pub code: Code,
    /// register: the local key.
    pub lkey: u32,
    /// register: the remote key.
    pub rkey: u32,
    /// query: state.
    pub state: RegState,
    /// query: protection domain.
    pub pd: u32,
    /// query: first address.
    pub iova: u64,
    /// query: bytes.
    pub length: u64,
    /// query: rights.
    pub access: u32,
}

impl Answer {
    /// An answer that carries only a code.
    pub const fn bare(tag: u8, code: Code) -> Self {
        Self {
            tag,
            code,
            lkey: 0,
            rkey: 0,
            state: RegState::NeverUsed,
            pd: 0,
            iova: 0,
            length: 0,
            access: 0,
        }
    }
}
