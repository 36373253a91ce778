// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers of the enumerations at the pins (source: docs/interface.md).

use serde::{Deserialize, Serialize};

macro_rules! coded {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $bits:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$vdoc])* $variant = $bits,)* }

        impl $name {
            /// All values, in the order of their pin encoding.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];
            /// Value at the pins.
            pub const fn bits(self) -> u32 { self as u32 }
            /// From the value at the pins; `None` for a value that is not defined.
            pub const fn from_bits(bits: u32) -> Option<Self> {
                match bits { $($bits => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

coded! {
    /// `verdict_class`.
    Class {
        /// Granted.
        Ok = 0,
        /// Local protection error.
        LocProtErr = 1,
        /// Remote access error.
        RemAccessErr = 2,
        /// Remote invalid request.
        RemInvReqErr = 3,
        /// Page fault; appears on segments only.
        PageFault = 4,
        /// Local length error.
        LocLenErr = 5,
    }
}

coded! {
    /// `verdict_cause`.
    Cause {
        /// Granted.
        None = 0,
        /// Unknown operation, too long, or an atomic that is not 8 bytes.
        BadLength = 1,
        /// Index 0, outside the table or never used.
        BadKey = 2,
        /// Index known, key not current or entry not valid.
        StaleKey = 3,
        /// The key of the other side.
        WrongSide = 4,
        /// Protection domains differ.
        PdMismatch = 5,
        /// A needed right is missing.
        NoPermission = 6,
        /// Not wholly inside the region.
        OutOfBounds = 7,
        /// Atomic at an address that is no multiple of 8.
        Misaligned = 8,
        /// A page is absent (counters only).
        NotPresent = 9,
        /// The tag is in use.
        TagReuse = 10,
        /// Granted by a null region: no lease and no segment.
        Nothing = 11,
        /// Too many bad keys of the queue pair.
        QpLimited = 12,
    }
}

coded! {
    /// `segment_status`.
    SegStatus {
        /// A piece of memory.
        Ok = 0,
        /// The walk was ended by a deregistration.
        Cut = 1,
        /// A page is absent, or read-only and written.
        PageFault = 2,
    }
}

coded! {
    /// `rsp_code`.
    Code {
        /// Done.
        Ok = 0,
        /// An argument is not legal.
        BadArg = 1,
        /// Index 0, outside the table or never used.
        BadKey = 2,
        /// Other key, or not valid.
        StaleKey = 3,
        /// MTT words outside the window of the PD.
        BadWindow = 4,
        /// `page_last` at the wrong place.
        BadList = 5,
        /// No free index or key.
        NoSpace = 6,
        /// No room among parked commands; nothing was changed.
        Busy = 7,
        /// Leases were held beyond the time limit.
        Overdue = 8,
        /// Unknown command.
        BadOp = 9,
        /// The entry is of another kind, or in a state in which the command means nothing.
        BadState = 10,
        /// Protection domains, or queue pairs, differ.
        PdMismatch = 11,
        /// The region does not have the rights a bind asks for.
        NoPermission = 12,
        /// Windows are bound to the region.
        Bound = 13,
        /// A bind beyond the region.
        OutOfBounds = 14,
        /// The adapter has no secret yet, so it issues no keys.
        Unseeded = 15,
        /// The protection domain has as many entries as it may.
        Quota = 16,
    }
}

coded! {
    /// `rsp_state` of a query.
    RegState {
        /// Never used.
        NeverUsed = 0,
        /// Deregistered.
        Retired = 1,
        /// Allocated, not registered.
        Free = 2,
        /// Valid.
        Valid = 3,
    }
}

coded! {
    /// `reg_mode` of a deregistration: what happens to running accesses.
    Mode {
        /// Walks stop at the next segment, leases drain.
        Cut = 0,
        /// Walks run to their end, leases drain.
        Drain = 1,
        /// Walks stop, the answer does not wait for leases.
        Contract = 2,
    }
}

coded! {
    /// `reg_mode` of a flush.
    FlushScope {
        /// One key.
        Key = 0,
        /// Whole cache by epoch.
        Epoch = 1,
        /// Walk over the sets, lookups served.
        WalkServed = 2,
        /// Walk over the sets, lookups held.
        WalkHeld = 3,
    }
}

coded! {
    /// `reg_page`.
    PageSize {
        /// 4 KiB.
        K4 = 0,
        /// 64 KiB.
        K64 = 1,
        /// 2 MiB.
        M2 = 2,
        /// 1 GiB.
        G1 = 3,
        /// One block of memory, no MTT.
        Contiguous = 4,
        /// Not defined: refused.
        Bad5 = 5,
        /// Not defined: refused.
        Bad6 = 6,
        /// Not defined: refused.
        Bad7 = 7,
    }
}

impl PageSize {
    /// log2 of the page size; `None` for contiguous and the codes that are not defined.
    pub const fn shift(self) -> Option<u32> {
        match self {
            Self::K4 => Some(12),
            Self::K64 => Some(16),
            Self::M2 => Some(21),
            Self::G1 => Some(30),
            _ => None,
        }
    }
}

coded! {
    /// `event_kind`.
    EventKind {
        /// A page of an on-demand region is absent.
        PageFault = 1,
        /// Leases were held beyond the time limit.
        DrainOverdue = 2,
        /// No key left for an index.
        KeySpace = 3,
        /// A lookup used a tag that was in use.
        TagReuse = 4,
        /// A `dma_done` nobody waits for.
        UnknownDmaDone = 5,
        /// A queue pair presented as many bad keys as it may.
        BadKeys = 6,
    }
}

/// `lookup_op`. All 16 values can be presented; those from 9 on are refused with bad_length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Op {
    /// 0: RDMA read.
    Read,
    /// 1: RDMA write.
    Write,
    /// 2: fetch-and-add, compare-and-swap.
    Atomic,
    /// 3: atomic write of 8 bytes.
    AtomicWrite,
    /// 4: flush to global visibility.
    FlushGlobal,
    /// 5: flush to persistence.
    FlushPersistent,
    /// 6: local gather.
    LocalRead,
    /// 7: local scatter.
    LocalWrite,
    /// 8: window bind.
    Bind,
    /// 9..15: not defined.
    Other(u8),
}

impl Op {
    /// The defined operations, in the order of their encoding.
    pub const ALL: [Self; 9] = [
        Self::Read,
        Self::Write,
        Self::Atomic,
        Self::AtomicWrite,
        Self::FlushGlobal,
        Self::FlushPersistent,
        Self::LocalRead,
        Self::LocalWrite,
        Self::Bind,
    ];

    /// Value at the pins (4 bits).
    pub fn bits(self) -> u32 {
        match self {
            Self::Other(code) => u32::from(code) & 15,
            known => Self::ALL.iter().position(|op| *op == known).unwrap_or(15) as u32,
        }
    }

    /// From the value at the pins.
    pub fn from_bits(bits: u32) -> Self {
        Self::ALL
            .get(bits as usize)
            .copied()
            .unwrap_or(Self::Other(bits as u8 & 15))
    }
}

/// Bits of `reg_access` (the verbs' values).
pub mod access {
    /// Local write.
    pub const LOCAL_WRITE: u32 = 1 << 0;
    /// Remote write and atomic write.
    pub const REMOTE_WRITE: u32 = 1 << 1;
    /// Remote read.
    pub const REMOTE_READ: u32 = 1 << 2;
    /// Remote atomics.
    pub const REMOTE_ATOMIC: u32 = 1 << 3;
    /// Windows may be bound.
    pub const MW_BIND: u32 = 1 << 4;
    /// Addresses count from the start of the region.
    pub const ZERO_BASED: u32 = 1 << 5;
    /// Pages may be absent.
    pub const ON_DEMAND: u32 = 1 << 6;
    /// Huge pages (ignored).
    pub const HUGETLB: u32 = 1 << 7;
    /// Flush to global visibility.
    pub const FLUSH_GLOBAL: u32 = 1 << 8;
    /// Flush to persistence.
    pub const FLUSH_PERSISTENT: u32 = 1 << 9;
    /// Optional bits, accepted and ignored.
    pub const OPTIONAL: u32 = 0x3ff << 20;
    /// All bits that are not refused.
    pub const KNOWN: u32 = 0x3ff | OPTIONAL;

    /// The bit of a right by its name, as cases and files of regions write it; none for a name that is not one of the first ten bits.
    pub fn named(name: &str) -> Option<u32> {
        Some(match name {
            "local_write" => LOCAL_WRITE,
            "remote_write" => REMOTE_WRITE,
            "remote_read" => REMOTE_READ,
            "remote_atomic" => REMOTE_ATOMIC,
            "mw_bind" => MW_BIND,
            "zero_based" => ZERO_BASED,
            "on_demand" => ON_DEMAND,
            "hugetlb" => HUGETLB,
            "flush_global" => FLUSH_GLOBAL,
            "flush_persistent" => FLUSH_PERSISTENT,
            _ => return None,
        })
    }
}

/// Bits of `reg_extra` of a reregister: what changes.
pub mod change {
    /// Addresses, page size, pages.
    pub const TRANSLATION: u8 = 1;
    /// Protection domain.
    pub const PD: u8 = 2;
    /// Rights.
    pub const ACCESS: u8 = 4;
}
