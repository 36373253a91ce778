// SPDX-License-Identifier: MIT OR Apache-2.0
//! Regions and the requests made of them.

use crate::trace::{access, Answer, Entry, Lookup, Op, PageList, PageSize, Register};

/// Every right.
pub const ALL: u32 = access::LOCAL_WRITE
    | access::REMOTE_WRITE
    | access::REMOTE_READ
    | access::REMOTE_ATOMIC
    | access::MW_BIND
    | access::FLUSH_GLOBAL
    | access::FLUSH_PERSISTENT;

/// A region to be; the stage adds MTT words and frames that were never given.
#[derive(Clone, Debug)]
pub struct Spec {
    /// protection domain; 1 and 2 have windows
    pub pd: u32,
    /// first address
    pub iova: u64,
    /// bytes
    pub length: u64,
    /// rights
    pub access: u32,
    /// page size
    pub page: PageSize,
    /// contiguous: physical address
    pub base: u64,
    /// pages that are not as the others (on demand)
    pub set: Vec<(usize, Entry)>,
}

impl Spec {
    /// Pages of 4 KiB, every right, PD 1.
    pub fn new(iova: u64, length: u64) -> Spec {
        Spec {
            pd: 1,
            iova,
            length,
            access: ALL,
            page: PageSize::K4,
            base: 0,
            set: Vec::new(),
        }
    }

    /// The same without MTT.
    pub fn flat(iova: u64, length: u64, base: u64) -> Spec {
        Spec {
            page: PageSize::Contiguous,
            base,
            ..Spec::new(iova, length)
        }
    }

    /// Of another domain.
    pub fn pd(self, pd: u32) -> Spec {
        Spec { pd, ..self }
    }

    /// With these rights.
    pub fn access(self, access: u32) -> Spec {
        Spec { access, ..self }
    }

    /// With this page size.
    pub fn page(self, page: PageSize) -> Spec {
        Spec { page, ..self }
    }

    /// On demand, with page `at` as given.
    pub fn odp(mut self, at: usize, entry: Entry) -> Spec {
        self.access |= access::ON_DEMAND;
        self.set.push((at, entry));
        self
    }
}

/// A region that is.
#[derive(Clone, Debug)]
pub struct Keys {
    /// local key
    pub lkey: u32,
    /// remote key
    pub rkey: u32,
    /// as registered
    pub spec: Register,
}

impl Keys {
    /// Those an answer gives, to what was asked for.
    pub fn of(answer: &Answer, spec: Register) -> Keys {
        Keys {
            lkey: answer.lkey,
            rkey: answer.rkey,
            spec,
        }
    }

    /// First address as requests name it.
    pub fn first(&self) -> u64 {
        if self.spec.access & access::ZERO_BASED != 0 {
            0
        } else {
            self.spec.iova
        }
    }

    /// A request of an operation, with the key of its side.
    pub fn ask(&self, op: Op, offset: u64, len: u32) -> Lookup {
        let side_remote = !matches!(op, Op::LocalRead | Op::LocalWrite | Op::Bind);
        let key = if side_remote { self.rkey } else { self.lkey };
        let va = self.first().wrapping_add(offset);
        Lookup {
            port: 0,
            tag: 0,
            key,
            side_remote,
            qpn: 5,
            pd: self.spec.pd,
            va,
            len,
            op,
            walk: true,
            class: 0,
        }
    }

    /// Remote read.
    pub fn read(&self, offset: u64, len: u32) -> Lookup {
        self.ask(Op::Read, offset, len)
    }

    /// Where a byte is.
    pub fn pa(&self, offset: u64) -> u64 {
        let Some(shift) = self.spec.page.shift() else {
            return self.spec.base + offset;
        };
        let position = (self.spec.iova & ((1 << shift) - 1)) + offset;
        let frame = match &self.spec.list {
            PageList::List(list) => list[(position >> shift) as usize].pa,
            PageList::Run { base, stride, .. } => base + (position >> shift) * stride,
        };
        frame + (position & ((1 << shift) - 1))
    }
}
