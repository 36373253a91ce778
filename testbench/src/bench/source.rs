// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drivers of the streams that carry one queue into the core: commands, page lists, CSR accesses.

use super::pattern::{Pattern, Shape};
use super::pins::Pins;
use crate::trace::{Body, Command, PageIn, PageList, Register};
use std::collections::VecDeque;

/// A stream into the core: what is offered stays until it is taken.
pub struct Source<T> {
    /// when a new payload may be offered
    pub idle: Pattern,
    queue: VecDeque<T>,
    offered: bool,
}

impl<T> Source<T> {
    /// An empty source.
    pub fn new(seed: u64) -> Source<T> {
        Source {
            idle: Pattern::new(Shape::Always, seed),
            queue: VecDeque::new(),
            offered: false,
        }
    }

    /// Adds a payload.
    pub fn push(&mut self, item: T) {
        self.queue.push_back(item);
    }

    /// Puts back what goes on.
    pub fn push_front(&mut self, item: T) {
        self.queue.push_front(item);
    }

    /// Payloads that were not taken yet.
    pub fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// What is offered in this cycle, and whether it is new at the pins.
    #[inline]
    pub fn offer(&mut self) -> Option<(&T, bool)> {
        if self.offered {
            return self.queue.front().map(|q| (q, false));
        }
        if self.queue.is_empty() || !self.idle.tick() {
            return None;
        }
        self.offered = true;
        self.queue.front().map(|q| (q, true))
    }

    /// The offered payload was transferred.
    pub fn take(&mut self) -> Option<T> {
        self.offered = false;
        self.queue.pop_front()
    }
}

/// The rest of a page list on its way.
pub struct PageStream {
    list: PageList,
    next: u64,
}

impl PageStream {
    /// The transfers that follow a command: entries from `inline` on, at least one, when `pages > inline`.
    pub fn of(body: &Body, inline: u64) -> Option<PageStream> {
        let r = body.listed().filter(|r| r.pages > inline)?;
        Some(PageStream {
            list: r.list.clone(),
            next: inline,
        })
    }

    /// The transfer that is due.
    pub fn current(&self) -> PageIn {
        PageIn {
            data: self.list.get(self.next).map_or(0, |e| e.bits()),
            last: self.next + 1 >= self.list.count(),
        }
    }

    /// Goes on to the next transfer; false at the end.
    pub fn advance(&mut self) -> bool {
        let more = !self.current().last;
        self.next += 1;
        more
    }
}

/// Puts a command on the pins of the registration port.
pub fn drive_command(pins: &Pins, words: &mut [u32], c: &Command, inline: u64) {
    pins.reg_op.set(words, 0, u64::from(c.body.op_bits()));
    pins.reg_tag.set(words, 0, u64::from(c.tag));
    let mut key = 0;
    let mut mode = 0;
    let mut extra = 0;
    match &c.body {
        Body::Register(r) => drive_mapping(pins, words, r, inline),
        Body::FastRegister { key: k, reg } => {
            key = *k;
            drive_mapping(pins, words, reg, inline);
        }
        Body::Reregister {
            key: k,
            change,
            mode: m,
            reg,
        } => {
            (key, mode, extra) = (*k, m.bits(), *change);
            drive_mapping(pins, words, reg, inline);
        }
        Body::Allocate { pd, pages } => {
            pins.reg_pd.set(words, 0, u64::from(*pd));
            pins.reg_pages.set(words, 0, *pages);
        }
        Body::Invalidate {
            key: k,
            pd,
            qpn,
            mode: m,
        } => {
            (key, mode) = (*k, m.bits());
            pins.reg_pd.set(words, 0, u64::from(*pd));
            pins.reg_qpn.set(words, 0, u64::from(*qpn));
        }
        Body::AllocateWindow { pd, kind } => {
            extra = *kind;
            pins.reg_pd.set(words, 0, u64::from(*pd));
        }
        Body::BindWindow(b) => {
            (key, mode, extra) = (b.key, b.mode.bits(), b.variant);
            pins.reg_key2.set(words, 0, u64::from(b.region));
            pins.reg_pd.set(words, 0, u64::from(b.pd));
            pins.reg_qpn.set(words, 0, u64::from(b.qpn));
            pins.reg_iova.set(words, 0, b.iova);
            pins.reg_length.set(words, 0, b.length);
            pins.reg_access.set(words, 0, u64::from(b.access));
        }
        Body::DeallocateWindow { key: k, mode: m } => (key, mode) = (*k, m.bits()),
        Body::FillPage {
            key: k,
            number,
            entry,
        } => {
            key = *k;
            pins.reg_pages.set(words, 0, *number);
            pins.reg_inline.set(words, 0, entry.bits());
        }
        Body::EvictPage { key: k, number } => {
            key = *k;
            pins.reg_pages.set(words, 0, *number);
        }
        Body::AllocateNull { pd } => pins.reg_pd.set(words, 0, u64::from(*pd)),
        Body::Deregister { key: k, mode: m } => (key, mode) = (*k, m.bits()),
        Body::Query { key: k } => key = *k,
        Body::Flush { key: k, scope } => (key, mode) = (*k, scope.bits()),
        Body::PdWindow { pd, base, words: n } => {
            pins.reg_pd.set(words, 0, u64::from(*pd));
            pins.reg_base.set(words, 0, *base);
            pins.reg_pages.set(words, 0, *n);
        }
        Body::SetSecret { secret } => {
            key = *secret as u32;
            pins.reg_key2.set(words, 0, secret >> 32);
        }
        Body::SetQuota { pd, entries } => {
            pins.reg_pd.set(words, 0, u64::from(*pd));
            pins.reg_pages.set(words, 0, *entries);
        }
        Body::Other { .. } => {}
    }
    pins.reg_key.set(words, 0, u64::from(key));
    pins.reg_mode.set(words, 0, u64::from(mode));
    pins.reg_extra.set(words, 0, u64::from(extra));
}

/// The fields of a mapping, with the first entries of its list.
fn drive_mapping(pins: &Pins, words: &mut [u32], r: &Register, inline: u64) {
    pins.reg_pd.set(words, 0, u64::from(r.pd));
    pins.reg_iova.set(words, 0, r.iova);
    pins.reg_length.set(words, 0, r.length);
    pins.reg_access.set(words, 0, u64::from(r.access));
    pins.reg_page.set(words, 0, u64::from(r.page.bits()));
    pins.reg_base.set(words, 0, r.base);
    pins.reg_pages.set(words, 0, r.pages);
    for i in 0..inline {
        let bits = r.list.get(i).map_or(0, |e| e.bits());
        pins.reg_inline.set(words, i as usize, bits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Entry, PageSize};

    fn register(pages: u64, count: u64) -> Body {
        Body::Register(Register {
            pd: 0,
            iova: 0,
            length: 1,
            access: 0,
            page: PageSize::K4,
            base: 0,
            pages,
            list: PageList::List((0..count).map(|i| Entry::page(i << 12)).collect()),
        })
    }

    fn stream(pages: u64, count: u64, inline: u64) -> Vec<(u64, bool)> {
        let mut out = Vec::new();
        let Some(mut s) = PageStream::of(&register(pages, count), inline) else {
            return out;
        };
        loop {
            let p = s.current();
            out.push((p.data >> 2, p.last));
            if !s.advance() {
                return out;
            }
        }
    }

    #[test]
    fn page_lists_right_short_and_long() {
        assert_eq!(stream(2, 2, 4), []);
        assert_eq!(stream(4, 4, 2), [(2, false), (3, true)]);
        assert_eq!(stream(4, 1, 2), [(0, true)], "at least one transfer");
        assert_eq!(stream(3, 5, 2), [(2, false), (3, false), (4, true)]);
    }

    #[test]
    fn an_offer_stays_until_it_is_taken() {
        let mut s = Source::new(1);
        s.idle.set(Shape::OneIn(3));
        s.push(7);
        while s.offer().is_none() {}
        for _ in 0..10 {
            assert_eq!(s.offer(), Some((&7, false)));
        }
        assert_eq!(s.take(), Some(7));
        assert_eq!(s.offer(), None);
        assert_eq!(s.waiting(), 0);
    }
}
