// SPDX-License-Identifier: MIT OR Apache-2.0
//! Structs that cross a module boundary. First field is the least significant. The only place with the
//! layout of what travels inside; the layout of a table entry in memory is in `entry.rs`.

use super::super::p::*;
use rust_hdl::prelude::*;

/// A request on its way through the key cache and the check.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct Req {
    /// First byte.
    pub va: Bits<VAW>,
    /// Bytes; meaningful when `early` is not bad_length.
    pub len: Bits<LENW>,
    /// The whole key.
    pub key: Bits<32>,
    /// Protection domain of the QP.
    pub pd: Bits<PDW>,
    /// QP number (one unused bit when windows are compiled out).
    pub qpn: Bits<QPW>,
    /// Operation code of `lookup_op`.
    pub op: Bits<4>,
    /// 1 remote.
    pub side: Bit,
    /// 1 the addresses are wanted.
    pub walk: Bit,
    /// Isolation class.
    pub class: Bits<CLW>,
    /// Verdict known before the table is asked: 0 none, 1 bad_length, 2 zero-length pass, 3 tag in use, 4 no such index, 5 barrier, 6 QP refused.
    pub early: Bits<3>,
    /// Tag on its port.
    pub tag: Bits<TAGW>,
    /// Port.
    pub port: Bits<PORTW>,
}

/// A verdict as it leaves a port.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct Verdict {
    /// Tag of the request on its port.
    pub tag: Bits<TAGW>,
    /// 1 granted.
    pub granted: Bit,
    /// Completion class.
    pub class: Bits<3>,
    /// Cause.
    pub cause: Bits<4>,
    /// The tag is free again once this verdict has left the port.
    pub free: Bit,
}

/// What the lease table remembers of a slot.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct Lease {
    /// Region.
    pub index: Bits<K>,
    /// Its epoch when the lease was taken.
    pub epoch: Bits<EPW>,
    /// Window the access went through; without one, the region once more.
    pub via: Bits<PARK>,
    /// The epoch of that.
    pub via_epoch: Bits<PARE>,
}

/// First bit of each field of [`Lease`], in order. The table keeps LEASEW bits: without windows not the last two fields.
pub const LEASE_AT: [usize; 4] = [0, K, K + EPW, K + EPW + PARK];

/// One word of the slot RAM: a request that waits for a fill, or a granted request that waits for its walk.
/// The fields are shared. With one port, walks have words of their own (a queue above the slots) and carry their tag.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct SlotWord {
    /// Waiting: va. Walk: position in the region's pages (contiguous: physical address); one port: above it, page borders crossed.
    pub addr: Bits<ADRW>,
    /// Length. Walk with one port: length less one.
    pub len: Bits<LENW>,
    /// Index.
    pub index: Bits<K>,
    /// Waiting: secret and variant. Walk: MTT base.
    pub code: Bits<CODEW>,
    /// Waiting: PD. Walk: epoch; one port: above it, the tag.
    pub owner: Bits<OWNW>,
    /// QP number.
    pub qpn: Bits<QPW>,
    /// Waiting: operation. Walk: page code.
    pub op: Bits<4>,
    /// Waiting: side. Walk: 1 a write.
    pub side: Bit,
    /// Waiting: walk. Walk: 1 on demand.
    pub walk: Bit,
    /// Class.
    pub class: Bits<CLW>,
}

/// A granted request on its way to its walk context.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct Desc {
    /// Tag on its port.
    pub tag: Bits<TAGW>,
    /// Region.
    pub index: Bits<K>,
    /// Map epoch of the entry.
    pub epoch: Bits<EPW>,
    /// Page code.
    pub page: Bits<3>,
    /// Position in the region's pages (contiguous: physical address).
    pub pos: Bits<VAW>,
    /// Bytes, at least 1.
    pub len: Bits<LENW>,
    /// First MTT word.
    pub base: Bits<MAW>,
    /// The pages must be writable.
    pub write: Bit,
    /// The region is on demand.
    pub odp: Bit,
}

/// One page of a walk in the MTT cache's pipeline.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct PageOp {
    /// Tag on its port.
    pub tag: Bits<TAGW>,
    /// Port.
    pub port: Bits<PORTW>,
    /// Region.
    pub index: Bits<K>,
    /// Map epoch.
    pub epoch: Bits<EPW>,
    /// Page code.
    pub page: Bits<3>,
    /// Page number in the region (contiguous: physical address bits 30 and up).
    pub pn: Bits<PGW>,
    /// Offset of the first byte in the page.
    pub off: Bits<30>,
    /// Offset of the request's last byte, counted from this page's first byte.
    pub end: Bits<32>,
    /// First MTT word.
    pub base: Bits<MAW>,
    /// The pages must be writable.
    pub write: Bit,
    /// On demand.
    pub odp: Bit,
    /// Looking only whether pages are there (first pass of an on-demand access).
    pub probe: Bit,
    /// Incarnation of the context: an op of an older one is void.
    pub round: Bit,
    /// 1 there is an op.
    pub valid: Bit,
}

/// One piece of a granted request's answer.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct Segment {
    /// Tag on its port.
    pub tag: Bits<TAGW>,
    /// Physical address.
    pub pa: Bits<PAW>,
    /// Bytes.
    pub len: Bits<LENW>,
    /// Last piece of the request.
    pub last: Bit,
    /// 0 ok, 1 cut, 2 page fault.
    pub status: Bits<2>,
}
