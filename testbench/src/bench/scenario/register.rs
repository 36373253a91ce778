// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random registrations: every page size, regions that start mid-page, zero-based, on demand; and every way to be refused.

use super::super::params::Params;
use super::population::Population;
use crate::model::{mask, reasons};
use crate::trace::{access, Body, Entry, PageList, PageSize, Register};
use rand::seq::SliceRandom;
use rand::Rng;

/// Rights, each with its share of 100.
const RIGHTS: [(u32, u32); 6] = [
    (access::REMOTE_READ, 75),
    (access::MW_BIND, 40),
    (access::FLUSH_GLOBAL, 40),
    (access::FLUSH_PERSISTENT, 40),
    (access::HUGETLB, 10),
    (1 << 20, 10),
];

impl Population {
    fn rights(&mut self, page: PageSize) -> u32 {
        let mut bits = 0;
        for (bit, share) in RIGHTS {
            if self.rng.gen_range(0..100) < share {
                bits |= bit;
            }
        }
        if self.rng.gen_range(0..100) < 85 {
            bits |= access::LOCAL_WRITE;
            for bit in [access::REMOTE_WRITE, access::REMOTE_ATOMIC] {
                if self.rng.gen_range(0..100) < 75 {
                    bits |= bit;
                }
            }
        }
        if self.rng.gen_range(0..100) < 15 {
            bits |= access::ZERO_BASED;
        }
        let odp = self.p.odp && page != PageSize::Contiguous;
        if odp && self.rng.gen_range(0..100) < self.shape.on_demand {
            bits |= access::ON_DEMAND;
        }
        bits
    }

    fn page_size(&mut self) -> PageSize {
        let all = [
            (PageSize::K4, 50),
            (PageSize::K64, 18),
            (PageSize::M2, 10),
            (PageSize::G1, 6),
            (PageSize::Contiguous, self.shape.contiguous),
        ];
        let p = &self.p;
        let room = p.va_bits.min(p.pa_bits).min(p.region_bits);
        let fits: Vec<_> = all
            .into_iter()
            .filter(|(s, _)| s.shift().unwrap_or(0) < room)
            .collect();
        fits.choose_weighted(&mut self.rng, |(_, w)| *w)
            .map_or(PageSize::K4, |(s, _)| *s)
    }

    fn entry(&mut self, shift: u32, demand: bool) -> Entry {
        let pa = self.rng.gen::<u64>() & mask(self.p.pa_bits) & !mask(shift);
        let (absent, fixed) = (
            self.rng.gen_range(0..100) < 20,
            self.rng.gen_range(0..100) < 15,
        );
        match (demand && absent, demand && fixed) {
            (true, _) => Entry::ABSENT,
            (_, writable) => Entry {
                pa,
                present: true,
                writable: !writable,
            },
        }
    }

    /// A small region without MTT.
    pub fn small(&mut self) -> Body {
        let at = self.rng.gen_range(0..self.windows.len());
        let length = self.rng.gen_range(1..=4096);
        let r = Register {
            pd: self.windows[at].pd,
            iova: self.start(length, 0, 0),
            length,
            access: self.rights(PageSize::Contiguous),
            page: PageSize::Contiguous,
            base: self.rng.gen_range(0..=mask(self.p.pa_bits) - length),
            pages: 0,
            list: PageList::default(),
        };
        self.sent(Body::Register(r))
    }

    /// A registration that must be accepted, with MTT words of its own.
    pub fn draw(&mut self) -> Option<Register> {
        let page = self.page_size();
        let access = self.rights(page);
        let at = self.rng.gen_range(0..self.windows.len());
        let pd = self.windows[at].pd;
        let room = self.p.va_bits.min(self.p.region_bits).min(63);
        let Some(shift) = page.shift() else {
            let most = mask(room.min(self.p.pa_bits).min(34));
            let length =
                1 + (self.rng.gen::<u64>() & mask(self.rng.gen_range(3..=room)) & (most >> 1));
            let iova = self.start(length, 0, 0);
            let base = self.rng.gen_range(0..=mask(self.p.pa_bits) - length);
            let list = PageList::default();
            return Some(Register {
                pd,
                iova,
                length,
                access,
                page,
                base,
                pages: 0,
                list,
            });
        };
        let most = (mask(room) >> shift)
            .min(mask(self.p.page_bits))
            .min(self.shape.most_pages);
        let few = most.min(8);
        let long = self.rng.gen_range(0..10) == 0;
        let pages = self.rng.gen_range(1..=if long { most } else { few }).max(1);
        let offset = match self.rng.gen_range(0..4) {
            0 | 1 => 0,
            2 => self.rng.gen::<u64>() & mask(shift),
            _ => self.rng.gen::<u64>() & mask(shift) & !7,
        };
        let top = (pages << shift) - offset;
        let trim = if self.rng.gen() {
            0
        } else {
            self.rng.gen::<u64>() & mask(shift)
        };
        let length = if pages > 1 || trim < top {
            top - trim.min(top - 1)
        } else {
            top
        };
        let length =
            if crate::model::register::pages_needed(offset, length, shift) == u128::from(pages) {
                length
            } else {
                top
            };
        if length > mask(self.p.region_bits) {
            return None;
        }
        let iova = self.start(length, offset, shift);
        let demand = access & access::ON_DEMAND != 0;
        let list = PageList::List((0..pages).map(|_| self.entry(shift, demand)).collect());
        let base = self.windows[at].take(pages)?;
        Some(Register {
            pd,
            iova,
            length,
            access,
            page,
            base,
            pages,
            list,
        })
    }

    /// A first address with an offset in its page, such that the region ends inside the address space.
    fn start(&mut self, length: u64, offset: u64, shift: u32) -> u64 {
        let top = mask(self.p.va_bits) - (length - 1);
        let at = match self.rng.gen_range(0..8) {
            0 => top,
            1 => self.rng.gen::<u64>() & mask(self.p.va_bits.min(34)),
            _ => self.rng.gen::<u64>() & mask(self.p.va_bits),
        };
        let at = (at.min(top) & !mask(shift)) | offset;
        if at > top {
            at.saturating_sub(1 << shift)
        } else {
            at
        }
    }

    /// Breaks one rule.
    pub fn spoil(&mut self, r: &mut Register) {
        let shift = r.page.shift().unwrap_or(0);
        match self.rng.gen_range(0..12) {
            0 => r.length = 0,
            1 => r.iova = mask(self.p.va_bits) & !(r.length >> 1),
            2 => {
                r.access |= *[1 << 10, 1 << 15, 1 << 31]
                    .choose(&mut self.rng)
                    .unwrap_or(&1024)
            }
            3 => r.access = r.access & !access::LOCAL_WRITE | access::REMOTE_WRITE,
            4 => {
                r.page = [PageSize::Bad5, PageSize::Bad6, PageSize::Bad7][self.rng.gen_range(0..3)]
            }
            5 => r.pages = (r.pages + 1) & mask(self.p.page_bits),
            6 => r.length = r.length.saturating_add(1 << shift.max(12)) & mask(self.p.region_bits),
            7 => {
                r.page = PageSize::Contiguous;
                r.access |= access::ON_DEMAND;
            }
            8 => r.base = (r.base + self.p.free_words()) & mask(self.p.mtt_bits),
            9 => r.pd = self.strange_pd,
            10 => {
                if let PageList::List(list) = &mut r.list {
                    let at = self.rng.gen_range(0..list.len().max(1));
                    if let Some(e) = list.get_mut(at) {
                        *e = if self.rng.gen() {
                            Entry {
                                present: false,
                                ..*e
                            }
                        } else {
                            Entry {
                                writable: false,
                                ..*e
                            }
                        };
                        if shift > 12 && self.rng.gen() {
                            *e = Entry::page(e.pa | 1 << 12);
                        }
                    }
                    r.access &= !access::ON_DEMAND;
                }
            }
            _ => {
                if let PageList::List(list) = &mut r.list {
                    let keep = self.p.inline as usize + 1;
                    if list.len() > keep && self.rng.gen() {
                        list.truncate(keep);
                    } else if list.len() > self.p.inline as usize {
                        list.push(Entry::page(0));
                    }
                }
            }
        }
    }

    /// Must it be refused?
    pub fn refused(&self, r: &Register) -> bool {
        let window = self
            .windows
            .iter()
            .find(|w| w.pd == r.pd)
            .map(|w| (w.base, w.words));
        !reasons(&self.p.model(), r, window).must.is_empty()
    }
}

impl Params {
    /// A distance that leads out of any window.
    fn free_words(&self) -> u64 {
        mask(self.mtt_bits) / 2 + 1
    }
}
