// SPDX-License-Identifier: MIT OR Apache-2.0
//! A region and its translation (source: docs/interface.md "MTT entry"; docs/conformance.md "bounds", "translation":
//! all arithmetic in 128 bits, so nothing can wrap).

use super::{mask, Binding, Params};
use crate::trace::{access, Entry, PageList, PageSize, Register};
use std::sync::Arc;

/// A valid region: what was registered and the keys the device gave.
#[derive(Clone, Debug)]
pub struct Region {
    /// Local key.
    pub lkey: u32,
    /// Remote key.
    pub rkey: u32,
    /// The registration.
    pub spec: Arc<Register>,
    pa_mask: u64,
}

/// State of a table entry as a lookup may see it.
#[derive(Clone, Copy, Debug)]
pub enum View<'a> {
    /// Never used.
    NeverUsed,
    /// Used before, not valid now.
    Retired,
    /// In use, but no access is granted: a fast region without mapping, a window that is not bound.
    #[allow(missing_docs)]
    Free { lkey: u32, rkey: u32 },
    /// Valid.
    Valid(&'a Region),
    /// A bound window and its region.
    Window(&'a Binding, &'a Region),
    /// A null region.
    #[allow(missing_docs)]
    Null { lkey: u32, pd: u32 },
}

/// A run of bytes inside one page, or of a whole contiguous region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Physical address.
    pub pa: u64,
    /// Bytes.
    pub len: u32,
}

impl Region {
    /// A region with the keys of its answer.
    pub fn new(params: &Params, spec: Arc<Register>, lkey: u32, rkey: u32) -> Self {
        Self {
            lkey,
            rkey,
            spec,
            pa_mask: mask(params.pa_bits),
        }
    }

    /// An entry of its page list becomes another.
    pub fn set_page(&mut self, number: u64, entry: Entry) {
        match &mut Arc::make_mut(&mut self.spec).list {
            PageList::List(list) => {
                if let Some(old) = usize::try_from(number).ok().and_then(|at| list.get_mut(at)) {
                    *old = entry;
                }
            }
            PageList::Run { set, .. } => match set.binary_search_by_key(&number, |(at, _)| *at) {
                Ok(at) => set[at].1 = entry,
                Err(at) => set.insert(at, (number, entry)),
            },
        }
    }

    /// First address as a request must name it: zero for zero-based regions.
    pub fn first(&self) -> u64 {
        if self.spec.access & access::ZERO_BASED != 0 {
            0
        } else {
            self.spec.iova
        }
    }

    /// Offset of the request inside the region, if all of it is inside.
    pub fn offset(&self, va: u64, len: u32) -> Option<u64> {
        let first = u128::from(self.first());
        let (start, end) = (u128::from(va), u128::from(va) + u128::from(len));
        (start >= first && end <= first + u128::from(self.spec.length))
            .then(|| (start - first) as u64)
    }

    /// Byte position counted from the start of the first page.
    fn position(&self, offset: u64, shift: u32) -> u128 {
        u128::from(offset) + (u128::from(self.spec.iova) & u128::from(mask(shift)))
    }

    /// The first piece of `len` bytes from `offset` on. `len` must not be 0 and the range must be inside.
    pub fn piece(&self, offset: u64, len: u32) -> Piece {
        let Some(shift) = self.spec.page.shift() else {
            debug_assert_eq!(self.spec.page, PageSize::Contiguous);
            let pa = (u128::from(self.spec.base) + u128::from(offset)) as u64 & self.pa_mask;
            return Piece { pa, len };
        };
        let position = self.position(offset, shift);
        let frame = self
            .spec
            .list
            .get((position >> shift) as u64)
            .map_or(0, |entry| entry.pa);
        self.piece_in(offset, len, frame)
    }

    /// The same, if the page it is in is at `frame`.
    pub fn piece_in(&self, offset: u64, len: u32, frame: u64) -> Piece {
        let shift = self.spec.page.shift().unwrap_or(0);
        let inside = self.position(offset, shift) & u128::from(mask(shift));
        let room = (1u128 << shift) - inside;
        Piece {
            pa: (u128::from(frame & !0xfff) + inside) as u64 & self.pa_mask,
            len: u128::from(len).min(room) as u32,
        }
    }

    /// First and last page of a range; none where there are no pages.
    pub fn pages(&self, offset: u64, len: u32) -> Option<(u64, u64)> {
        let shift = self.spec.page.shift()?;
        let first = self.position(offset, shift);
        let last = first + u128::from(len.max(1)) - 1;
        Some(((first >> shift) as u64, (last >> shift) as u64))
    }

    /// All pieces of a range.
    pub fn pieces(&self, mut offset: u64, mut len: u32) -> Vec<Piece> {
        let mut all = Vec::new();
        while len > 0 {
            let piece = self.piece(offset, len);
            offset = offset.wrapping_add(u64::from(piece.len));
            len -= piece.len;
            all.push(piece);
        }
        all
    }

    /// The first page of the range that is absent, or read-only when it is to be written; on-demand regions only.
    /// Counted from the first page of the region (docs/conformance.md, "On-demand paging").
    pub fn fault(&self, offset: u64, len: u32, write: bool) -> Option<u64> {
        if self.spec.access & access::ON_DEMAND == 0 || len == 0 {
            return None;
        }
        let shift = self.spec.page.shift()?;
        let first = self.position(offset, shift) >> shift;
        let last = (self.position(offset, shift) + u128::from(len) - 1) >> shift;
        (first as u64..=last as u64).find(|page| match self.spec.list.get(*page) {
            Some(entry) => !entry.present || (write && !entry.writable),
            None => true,
        })
    }
}
