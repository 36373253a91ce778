// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reference model in plain Rust, written from the rules (docs/interface.md, docs/conformance.md), sharing nothing with
//! the hardware: no key formula, no cache, no order of events. Keys are learnt from the answers.

pub mod device;
pub mod entry;
pub mod judge;
pub mod life;
pub mod region;
pub mod register;
pub mod state;

pub use device::Sim;
pub use entry::{Binding, Holding, Kind, Seen, WindowKind};
pub use judge::{judge, Outcome};
pub use life::{rules, Rules};
pub use region::{Piece, Region, View};
pub use register::{reasons, Reasons};
pub use state::{key_faults, Model};

use crate::trace::Body;

/// Widths and features of the configuration under test (names: docs/internal.md, "Parameters").
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Params {
    /// K, index bits of a key.
    pub index_bits: u32,
    /// MRS, entries of the table; index 0 is never used.
    pub mrs: u32,
    /// VAW.
    pub va_bits: u32,
    /// PAW.
    pub pa_bits: u32,
    /// PDW.
    pub pd_bits: u32,
    /// MAXREQ: longest accepted request in bytes.
    pub max_request: u64,
    /// RLW, width of a region's length.
    pub region_bits: u32,
    /// PNW, width of the page count.
    pub pages_bits: u32,
    /// MAW, width of an MTT word address.
    pub mtt_bits: u32,
    /// INL, page entries beside the command.
    pub inline: u32,
    /// On-demand regions are offered.
    pub odp: bool,
    /// atomic and atomic_write are offered; otherwise refused like an unknown operation.
    pub atomics: bool,
    /// flush_global and flush_persistent are offered; otherwise refused like an unknown operation.
    pub flush_ops: bool,
    /// allocate, fast_register and invalidate are offered.
    #[serde(default)]
    pub fast_reg: bool,
    /// Memory windows are offered.
    #[serde(default)]
    pub windows: bool,
    /// reregister is offered.
    #[serde(default)]
    pub reregister: bool,
    /// fill_page and evict_page are offered.
    #[serde(default)]
    pub paging: bool,
    /// Null regions are offered.
    #[serde(default)]
    pub null: bool,
    /// Keys come from a secret that must be set first.
    #[serde(default)]
    pub secrets: bool,
    /// A PD may have a quota of entries.
    #[serde(default)]
    pub limits: bool,
    /// Bits of a queue pair's number that its count of bad keys goes by.
    #[serde(default)]
    pub qp_bits: u32,
}

impl Params {
    /// A wide configuration: everything on, 64-bit addresses, large enough for the biggest cases.
    pub fn wide() -> Self {
        Self {
            index_bits: 16,
            mrs: 1 << 16,
            va_bits: 64,
            pa_bits: 64,
            pd_bits: 16,
            max_request: 1 << 31,
            region_bits: 64,
            pages_bits: 32,
            mtt_bits: 32,
            inline: 4,
            odp: true,
            atomics: true,
            flush_ops: true,
            fast_reg: true,
            windows: true,
            reregister: true,
            paging: true,
            null: true,
            secrets: false,
            limits: false,
            qp_bits: 24,
        }
    }

    /// Is the command compiled in? Otherwise it is answered bad_op.
    pub const fn offers(&self, body: &Body) -> bool {
        match body {
            Body::Allocate { .. } | Body::FastRegister { .. } => self.fast_reg,
            Body::Invalidate { .. } => self.fast_reg || self.windows,
            Body::Reregister { .. } => self.reregister,
            Body::AllocateWindow { .. } | Body::BindWindow(_) | Body::DeallocateWindow { .. } => {
                self.windows
            }
            Body::FillPage { .. } | Body::EvictPage { .. } => self.paging,
            Body::AllocateNull { .. } => self.null,
            Body::SetSecret { .. } => self.secrets,
            Body::SetQuota { .. } => self.limits,
            Body::Other { .. } => false,
            _ => true,
        }
    }

    /// Does the command give new keys? Until there is a secret it is answered unseeded, where there must be one.
    pub const fn issues(body: &Body) -> bool {
        matches!(
            body,
            Body::Register(_)
                | Body::Allocate { .. }
                | Body::AllocateWindow { .. }
                | Body::AllocateNull { .. }
        )
    }

    /// Index part of a key. Bits above the index belong to the secret.
    pub const fn index(&self, key: u32) -> u32 {
        (key >> 8) & mask(self.index_bits) as u32
    }

    /// Index 0 and indices beyond the table never name an entry.
    pub const fn in_table(&self, index: u32) -> bool {
        index != 0 && index < self.mrs
    }
}

/// The low `bits` bits set.
pub const fn mask(bits: u32) -> u64 {
    if bits >= 64 {
        u64::MAX
    } else {
        (1 << bits) - 1
    }
}
