// SPDX-License-Identifier: MIT OR Apache-2.0
//! `hits`: the conditions of the throughput target. Random keys over at least half of the key cache, random offsets,
//! all ports active, every lookup one segment, leases held for 64 cycles and more; caches warm before the count begins.

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
        let shape = Shape {
            on_demand: 0,
            contiguous: 0,
            most_pages: 1,
        };
        let regions = (p.lines as usize * 9 / 16).min(p.mrs as usize - 1).max(1);
        // Pages that surely stay in the translation cache; the other regions are contiguous.
        let paged = regions.min((p.mtt_entries as usize) / 8).max(1);
        let warm = 4 * regions as u64;
        Hits {
            people: Population::new(p, shape, seed),
            regions,
            paged,
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
        let top = Params::top(people.p.pa_bits.min(people.p.va_bits)) & !0xfff;
        let pa = people.rng.gen::<u64>() & top & !0xfff;
        let iova = people.rng.gen::<u64>() & top & !0xfff;
        let access = access::LOCAL_WRITE | access::REMOTE_READ | access::REMOTE_WRITE;
        let paged = n < self.paged;
        let base = if paged {
            people.windows[at].take(1)?
        } else {
            pa
        };
        self.sent += 1;
        let (page, list, pages) = if paged {
            (PageSize::K4, PageList::List(vec![Entry::page(pa)]), 1)
        } else {
            (PageSize::Contiguous, PageList::default(), 0)
        };
        let r = Register {
            pd,
            iova,
            length: 4096,
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
        let len = 1 + (word >> 12 & 0xfff) % (4096 - at);
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
