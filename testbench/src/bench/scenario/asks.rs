// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random requests: those that must be granted, and one for each cause of a refusal.

use super::population::{Population, Region};
use crate::model::{mask, mask as low};
use crate::trace::{access, Lookup, Op};
use rand::Rng;

/// What a request is meant to be. What it is, the judge decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    Good,
    Zero,
    VerdictOnly,
    BadLength,
    BadKey,
    Stale,
    Flipped,
    Dying,
    WrongSide,
    OtherPd,
    NoRight,
    OutOfBounds,
    Misaligned,
    Reuse,
}

/// Which regions are asked for more than others.
#[derive(Clone, Copy, Debug)]
pub struct Taste {
    /// so many regions get `hot_share` of 100 lookups beside their even part
    pub hot: usize,
    /// see `hot`
    pub hot_share: u32,
    /// so many of the newest get `brief_share` of 100 good lookups
    pub brief: usize,
    /// see `brief`
    pub brief_share: u32,
}

impl Population {
    /// A request of a kind; `None` when there is no region to ask for.
    pub fn ask(&mut self, kind: Kind, taste: Taste) -> Option<Lookup> {
        let (region, young) = self.pick(kind, taste)?;
        let mut l = self.good(&region);
        match kind {
            // long walks over new pages: their region may end before them
            Kind::Good if young && self.rng.gen_range(0..5) < 2 && l.len != 8 => {
                l.va = region.first;
                l.len = region.length.min(self.p.max_request) as u32;
                if l.len > 48 << 12 && self.rng.gen() {
                    l.len = 48 << 12;
                }
            }
            Kind::Good | Kind::Stale | Kind::Dying | Kind::Reuse => {}
            Kind::Zero => {
                l.len = 0;
                l.op = if l.side_remote {
                    [Op::Read, Op::Write]
                } else {
                    [Op::LocalRead, Op::LocalWrite]
                }[self.rng.gen_range(0..2)];
                if self.rng.gen() {
                    l.key = self.rng.gen();
                }
            }
            Kind::VerdictOnly => l.walk = false,
            Kind::BadLength => match self.rng.gen_range(0..3) {
                0 => l.op = Op::Other(self.rng.gen_range(9..16)),
                1 if self.p.max_request < u64::from(u32::MAX) => {
                    l.len = self.rng.gen_range(self.p.max_request as u32 + 1..=u32::MAX);
                }
                _ => {
                    l.op = if self.rng.gen() {
                        Op::Atomic
                    } else {
                        Op::AtomicWrite
                    };
                    l.len = [0, 1, 4, 7, 9, 16][self.rng.gen_range(0..6)];
                }
            },
            Kind::BadKey => l.key = self.bad_key(),
            Kind::Flipped => {
                let bit = self.rng.gen_range(0..32);
                l.key ^= 1 << bit;
            }
            Kind::WrongSide => {
                l.key = if l.side_remote {
                    region.lkey
                } else {
                    region.rkey
                };
            }
            Kind::OtherPd => {
                let other = self.rng.gen::<u32>() & low(self.p.pd_bits) as u32;
                l.pd = if other == l.pd || self.rng.gen() {
                    l.pd ^ 1
                } else {
                    other
                };
            }
            Kind::NoRight => self.forbidden(&mut l, &region),
            Kind::OutOfBounds => self.outside(&mut l, &region),
            Kind::Misaligned => {
                l.op = if self.rng.gen() && region.access & access::REMOTE_ATOMIC != 0 {
                    Op::Atomic
                } else {
                    Op::AtomicWrite
                };
                (l.side_remote, l.key, l.len) = (true, region.rkey, 8);
                l.va = region.first + (l.va - region.first).min(region.length.saturating_sub(8));
                l.va = if l.va % 8 == 0 {
                    l.va.saturating_sub(self.rng.gen_range(1..8))
                        .max(region.first)
                } else {
                    l.va
                };
            }
        }
        Some(l)
    }

    /// A region, and whether it was taken for its youth.
    fn pick(&mut self, kind: Kind, taste: Taste) -> Option<(Region, bool)> {
        let from = match kind {
            Kind::Stale if !self.retired.is_empty() => &self.retired,
            Kind::Dying if !self.dying.is_empty() => &self.dying,
            _ => &self.live,
        };
        if from.is_empty() {
            return None;
        }
        if let (Kind::Good, Some((region, left))) = (kind, self.doomed) {
            if taste.brief_share > 0 && self.rng.gen_range(0..3) > 0 {
                self.doomed = (left > 1).then_some((region, left - 1));
                return Some((region, true));
            }
        }
        let at = self.rng.gen_range(0..100);
        if kind == Kind::Good && at < taste.brief_share {
            let n = self.any_of(taste.brief);
            return Some((self.live[n], true));
        }
        let near = from.len().min(taste.hot.max(1));
        let n = if self.rng.gen_range(0..100) < taste.hot_share {
            near
        } else {
            from.len()
        };
        Some((from[self.rng.gen_range(0..n)], false))
    }

    /// A request that the region allows.
    pub fn good(&mut self, r: &Region) -> Lookup {
        let has = |bit: u32| r.access & bit == bit;
        let remote = self.rng.gen_range(0..10) < 7;
        let n = self.rng.gen_range(0..16);
        let op = match (remote, n) {
            (true, 0) if self.p.atomics && has(access::REMOTE_ATOMIC) => Op::Atomic,
            (true, 1) if self.p.atomics && has(access::REMOTE_WRITE) => Op::AtomicWrite,
            (true, 2) if self.p.flush_ops && has(access::FLUSH_GLOBAL) => Op::FlushGlobal,
            (true, 3) if self.p.flush_ops && has(access::FLUSH_PERSISTENT) => Op::FlushPersistent,
            (true, 4..=9) if has(access::REMOTE_WRITE) => Op::Write,
            (true, _) if has(access::REMOTE_READ) => Op::Read,
            (true, _) if has(access::REMOTE_WRITE) => Op::Write,
            (_, 0) if has(access::MW_BIND) => Op::Bind,
            (_, 1..=7) if has(access::LOCAL_WRITE) => Op::LocalWrite,
            _ => Op::LocalRead,
        };
        let side_remote = !matches!(op, Op::Bind | Op::LocalWrite | Op::LocalRead);
        let atomic = matches!(op, Op::Atomic | Op::AtomicWrite);
        let len = if atomic {
            8.min(r.length)
        } else {
            self.length(r)
        };
        let room = r.length - len;
        let mut at = match self.rng.gen_range(0..10) {
            0 => 0,
            1 => room,
            _ if room == 0 => 0,
            _ => self.rng.gen_range(0..=room),
        };
        if atomic {
            let low = (r.first.wrapping_add(at)) % 8;
            at = if at >= low {
                at - low
            } else {
                (at + 8 - low).min(room)
            };
        }
        Lookup {
            port: 0,
            tag: 0,
            key: if side_remote { r.rkey } else { r.lkey },
            side_remote,
            qpn: self.rng.gen::<u32>() >> 8,
            pd: r.pd,
            va: r.first.wrapping_add(at),
            len: if atomic { 8 } else { len as u32 },
            op,
            walk: true,
            class: (self.rng.gen::<u32>() & low(self.p.class_bits) as u32) as u8,
        }
    }

    fn length(&mut self, r: &Region) -> u64 {
        let page = 1u64 << r.page.shift().unwrap_or(12);
        let most = match self.rng.gen_range(0..20) {
            0..=6 => 64,
            7..=12 => 4096,
            13..=17 => page.saturating_mul(2),
            18 => page.saturating_mul(8),
            _ => page.saturating_mul(48),
        };
        self.rng
            .gen_range(1..=most.min(self.p.max_request).min(r.length))
    }

    fn bad_key(&mut self) -> u32 {
        let index = match self.rng.gen_range(0..3) {
            0 => 0,
            _ if self.p.mrs < 1 << self.p.index_bits => self
                .rng
                .gen_range(self.p.mrs as u32..1 << self.p.index_bits),
            1 => 0,
            _ => self.p.mrs as u32 - 1 - self.rng.gen_range(0..(self.p.mrs as u32 / 64).max(1)),
        };
        let rest: u32 = self.rng.gen();
        let index_mask = (low(self.p.index_bits) as u32) << 8;
        rest & !index_mask | index << 8
    }

    fn forbidden(&mut self, l: &mut Lookup, r: &Region) {
        let wants = [
            (access::REMOTE_READ, Op::Read),
            (access::REMOTE_WRITE, Op::Write),
            (access::REMOTE_ATOMIC, Op::Atomic),
            (access::FLUSH_GLOBAL, Op::FlushGlobal),
            (access::FLUSH_PERSISTENT, Op::FlushPersistent),
            (access::MW_BIND, Op::Bind),
            (access::LOCAL_WRITE, Op::LocalWrite),
        ];
        let from = self.rng.gen_range(0..wants.len());
        for i in 0..wants.len() {
            let (bit, op) = wants[(from + i) % wants.len()];
            if r.access & bit == 0 {
                l.op = op;
                l.side_remote = !matches!(op, Op::Bind | Op::LocalWrite);
                l.key = if l.side_remote { r.rkey } else { r.lkey };
                if op == Op::Atomic {
                    l.len = 8;
                }
                return;
            }
        }
    }

    fn outside(&mut self, l: &mut Lookup, r: &Region) {
        let top = mask(self.p.va_bits);
        let end = r.first.wrapping_add(r.length) & top;
        l.len = l.len.max(2);
        l.va = match self.rng.gen_range(0..6) {
            0 => r.first.wrapping_sub(1),
            1 => end.wrapping_sub(u64::from(l.len) - 1),
            2 => end,
            3 => top - u64::from(l.len / 2),
            4 => l.va ^ 1 << (self.p.va_bits - 1),
            _ => self.rng.gen(),
        } & top;
    }
}
