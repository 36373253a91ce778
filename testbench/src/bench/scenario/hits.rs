// SPDX-License-Identifier: MIT OR Apache-2.0
//! `hits`: the conditions of the throughput target. Random keys over at least half of the key cache, random offsets,
//! all ports active, leases held for 64 cycles and more; caches warm before the count begins. A lookup is one segment where the tags
//! suffice to hold that many leases; with few tags requests run over several pages, as a NIC with few DMA engines would ask.

use super::super::params::Params;
use super::super::traffic::{Ask, Traffic};
use super::population::{Population, Region, Shape};
use crate::trace::{
    access, Answer, Body, Command, Entry, Lookup, Op, PageList, PageSize, Register, Verdict,
};
use rand::Rng;

/// The scenario.
pub struct Hits {
    /// the driver
    pub people: Population,
    regions: usize,
    paged: usize,
    /// pages of a region, and of a request
    pages: u64,
    sent: usize,
    warm: u64,
    lookups: u64,
    asked: u64,
    answered: u64,
    counting: bool,
}

impl Hits {
    /// So many lookups after the warm-up.
    pub fn new(p: &Params, lookups: u64, seed: u64) -> Hits {
        let tags = p.ports as u64 * (1 << p.tag_bits);
        // leases of 64 cycles, and some for the way
        let pages = if tags >= 96 {
            1
        } else {
            (p.max_request / 4096).clamp(1, 8)
        };
        let shape = Shape {
            on_demand: 0,
            contiguous: 0,
            most_pages: pages,
        };
        let regions = (p.lines as usize * 9 / 16).min(p.mrs as usize - 1).max(1);
        // Pages that surely stay in the translation cache; the other regions are contiguous.
        let room = if pages == 1 { 8 } else { 1 };
        let paged = regions
            .min(p.mtt_entries as usize / room / pages as usize)
            .max(1);
        let warm = 4 * regions as u64;
        Hits {
            people: Population::new(p, shape, seed),
            regions,
            paged,
            pages,
            sent: 0,
            warm,
            lookups,
            asked: 0,
            answered: 0,
            counting: false,
        }
    }

    fn body(&mut self) -> Option<Body> {
        let n = self.sent;
        let people = &mut self.people;
        let at = n % people.windows.len();
        let pd = people.windows[at].pd;
        let bytes = self.pages * 4096;
        let top =
            Params::top(people.p.pa_bits.min(people.p.va_bits)) & !(bytes.next_power_of_two() - 1);
        let pa = people.rng.gen::<u64>() & top;
        let iova = people.rng.gen::<u64>() & top;
        let access = access::LOCAL_WRITE | access::REMOTE_READ | access::REMOTE_WRITE;
        let paged = n < self.paged;
        let base = if paged {
            people.windows[at].take(self.pages)?
        } else {
            pa
        };
        self.sent += 1;
        let (page, list, pages) = if paged {
            {
                let list = (0..self.pages)
                    .map(|i| Entry::page(pa + 4096 * i))
                    .collect();
                (PageSize::K4, PageList::List(list), self.pages)
            }
        } else {
            (PageSize::Contiguous, PageList::default(), 0)
        };
        let r = Register {
            pd,
            iova,
            length: bytes,
            access,
            page,
            base,
            pages,
            list,
        };
        Some(people.sent(Body::Register(r)))
    }

    /// The caches are warm and the count has begun; true once.
    pub fn begins(&mut self) -> bool {
        !self.counting && self.asked >= self.warm && {
            self.counting = true;
            self.asked = 0;
            self.answered = 0;
            true
        }
    }

    fn request(&mut self, r: &Region) -> Lookup {
        let rng = &mut self.people.rng;
        let word: u64 = rng.gen();
        let at = word & 0xfff;
        let len = (self.pages - 1) * 4096 + 1 + (word >> 12 & 0xfff) % (4096 - at);
        let side_remote = word >> 24 & 1 == 1;
        let write = word >> 25 & 1 == 1;
        let op = match (side_remote, write) {
            (true, true) => Op::Write,
            (true, false) => Op::Read,
            (false, true) => Op::LocalWrite,
            (false, false) => Op::LocalRead,
        };
        Lookup {
            port: 0,
            tag: 0,
            key: if side_remote { r.rkey } else { r.lkey },
            side_remote,
            qpn: 7,
            pd: r.pd,
            va: r.first + at,
            len: len as u32,
            op,
            walk: true,
            class: 0,
        }
    }
}

impl Traffic for Hits {
    #[inline]
    fn lookup(&mut self, _port: usize, _now: u64) -> Option<Ask> {
        let n = self.people.live.len();
        if n < self.regions || (self.counting && self.asked >= self.lookups) {
            return None;
        }
        let at = if self.counting {
            self.people.rng.gen_range(0..n)
        } else {
            self.asked as usize % n
        };
        self.asked += 1;
        let region = self.people.live[at];
        Some(Ask::new(self.request(&region)))
    }

    fn command(&mut self, _now: u64) -> Option<Body> {
        if self.people.windows_set < self.people.windows.len() {
            return self.people.next_window();
        }
        if self.sent < self.regions && self.people.open < 2 {
            return self.body();
        }
        None
    }

    fn answer(&mut self, command: &Command, answer: &Answer, _now: u64) {
        if answer.code != crate::trace::Code::Ok && self.people.registering > 0 {
            self.regions = self.regions.saturating_sub(1).max(1);
        }
        self.people.answer(command, answer);
    }

    #[inline]
    fn verdict(&mut self, _verdict: &Verdict) {
        self.answered += 1;
    }

    fn done(&self) -> bool {
        if self.counting {
            self.answered >= self.lookups
        } else {
            self.asked >= self.warm
        }
    }
}
