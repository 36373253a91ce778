// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands of the registration port and their answers (source: docs/interface.md, "Registration port").

use super::codes::{Code, FlushScope, Mode, PageSize, RegState};
use super::pages::PageList;
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
    /// Any other `reg_op`: answered bad_op.
    Other {
        /// 5..31.
        op: u8,
    },
}

impl Body {
    /// `reg_op` at the pins.
    pub const fn op_bits(&self) -> u32 {
        match self {
            Self::Register(_) => 0,
            Self::Deregister { .. } => 1,
            Self::Query { .. } => 2,
            Self::Flush { .. } => 3,
            Self::PdWindow { .. } => 4,
            Self::Other { op } => *op as u32,
        }
    }
}

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
