// SPDX-License-Identifier: MIT OR Apache-2.0
//! The driver: regions that live, die and were; MTT space; keys to present.

use super::super::params::Params;
use super::space::Window;
use crate::trace::{access, Answer, Body, Code, Command, Mode, PageSize, Register};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What regions look like.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// share of on-demand regions, of 100
    pub on_demand: u32,
    /// weight of contiguous regions beside 84 of paged ones
    pub contiguous: u32,
    /// longest page list
    pub most_pages: u64,
}

/// What is remembered of a region.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Region {
    pub lkey: u32,
    pub rkey: u32,
    pub pd: u32,
    /// first address a request names
    pub first: u64,
    pub length: u64,
    pub access: u32,
    pub page: PageSize,
    base: u64,
    pages: u64,
}

/// The driver's view.
pub struct Population {
    /// configuration
    pub p: Params,
    /// one stream of chance for all decisions
    pub rng: ChaCha8Rng,
    /// regions in use
    pub live: Vec<Region>,
    /// deregistration not answered
    pub dying: Vec<Region>,
    /// last ones gone
    pub retired: Vec<Region>,
    /// MTT windows
    pub windows: Vec<Window>,
    /// a PD without window
    pub strange_pd: u32,
    /// what regions look like
    pub shape: Shape,
    opening: Vec<(u32, u64, u64)>,
    next_retired: usize,
    /// windows set so far
    pub windows_set: usize,
    /// commands without answer
    pub open: usize,
    /// registrations without answer
    pub registering: usize,
    /// regions there are when newest ones end and begin again
    pub level: usize,
    /// the region whose end was sent last, and lookups that walk all of it while they can
    pub doomed: Option<(Region, u32)>,
}

const REMEMBER: usize = 256;

impl Population {
    /// No regions; windows planned for up to 8 PDs, one PD without.
    pub fn new(p: &Params, shape: Shape, seed: u64) -> Population {
        let pds = (Params::top(p.pd_bits)).min(8) as u32;
        let all = Params::top(p.mtt_bits).min(1 << 24) / 2;
        let each = all / u64::from(pds);
        let windows = (0..pds)
            .map(|pd| Window::new(pd, 1 + u64::from(pd) * each, each))
            .collect();
        Population {
            p: p.clone(),
            rng: ChaCha8Rng::seed_from_u64(seed),
            live: Vec::new(),
            dying: Vec::new(),
            retired: Vec::new(),
            windows,
            strange_pd: pds,
            shape,
            opening: Vec::new(),
            next_retired: 0,
            windows_set: 0,
            open: 0,
            registering: 0,
            level: usize::MAX,
            doomed: None,
        }
    }

    /// Sets the next window that was not set, then `None`.
    pub fn next_window(&mut self) -> Option<Body> {
        let w = self.windows.get(self.windows_set)?;
        self.windows_set += 1;
        self.open += 1;
        Some(Body::PdWindow {
            pd: w.pd,
            base: w.base,
            words: w.words,
        })
    }

    /// A registration, spoilt in `spoilt` of 100 cases.
    pub fn register(&mut self, spoilt: u32) -> Option<Body> {
        let mut r = self.draw()?;
        let (pd, base, words) = (
            r.pd,
            r.base,
            if r.page == PageSize::Contiguous {
                0
            } else {
                r.pages
            },
        );
        if self.rng.gen_range(0..100) < spoilt {
            let good = r.clone();
            self.spoil(&mut r);
            if !self.refused(&r) {
                r = good;
            }
        }
        if words > 0 && (r.base, r.pd) != (base, pd) {
            self.give(pd, base, words);
        } else if words > 0 {
            self.opening.push((pd, base, words));
        }
        Some(self.sent(Body::Register(r)))
    }

    /// Counts a command on its way.
    pub fn sent(&mut self, body: Body) -> Body {
        self.open += 1;
        self.registering += usize::from(matches!(body, Body::Register(_)));
        body
    }

    /// A region for its end, one of the `newest`; it moves to the dying ones.
    pub fn deregister(&mut self, mode: Mode, newest: usize) -> Option<Body> {
        if self.live.is_empty() {
            return None;
        }
        let at = self.any_of(newest);
        let r = self.live.swap_remove(at);
        Some(self.end(r, mode))
    }

    /// One of the newest.
    pub fn any_of(&mut self, newest: usize) -> usize {
        let n = self.live.len();
        n - 1 - self.rng.gen_range(0..newest.clamp(1, n))
    }

    /// The end of a region.
    pub fn end(&mut self, r: Region, mode: Mode) -> Body {
        self.dying.push(r);
        // where the time limit is short, long walks before the end would run into it
        if self.p.drain_bits > 12 {
            self.doomed = Some((r, 4));
        }
        let key = if self.rng.gen() { r.lkey } else { r.rkey };
        self.sent(Body::Deregister { key, mode })
    }

    fn give(&mut self, pd: u32, base: u64, words: u64) {
        if let Some(w) = self.windows.iter_mut().find(|w| w.pd == pd) {
            w.give(base, words);
        }
    }

    /// Hears an answer.
    pub fn answer(&mut self, c: &Command, a: &Answer) {
        self.open -= 1;
        match &c.body {
            Body::Register(r) => self.registered(r, a),
            Body::Deregister { key, .. } => {
                let Some(at) = self
                    .dying
                    .iter()
                    .position(|d| d.lkey == *key || d.rkey == *key)
                else {
                    return;
                };
                let r = self.dying.swap_remove(at);
                match a.code {
                    Code::Ok => {
                        self.give(r.pd, r.base, r.pages);
                        self.bury(r);
                    }
                    Code::Overdue => self.bury(r),
                    _ => self.live.push(r),
                }
            }
            _ => {}
        }
    }

    fn registered(&mut self, r: &Register, a: &Answer) {
        self.registering -= 1;
        let paged = r.page != PageSize::Contiguous;
        let at = self
            .opening
            .iter()
            .position(|o| paged && (o.0, o.1) == (r.pd, r.base));
        let words = at.map(|at| self.opening.swap_remove(at));
        if a.code != Code::Ok {
            if let Some((pd, base, words)) = words {
                self.give(pd, base, words);
            }
            return;
        }
        let first = if r.access & access::ZERO_BASED != 0 {
            0
        } else {
            r.iova
        };
        let pages = words.map_or(0, |w| w.2);
        self.live.push(Region {
            lkey: a.lkey,
            rkey: a.rkey,
            pd: r.pd,
            first,
            length: r.length,
            access: r.access,
            page: r.page,
            base: r.base,
            pages,
        });
    }

    fn bury(&mut self, r: Region) {
        if self.retired.len() < REMEMBER {
            self.retired.push(r);
        } else {
            self.retired[self.next_retired % REMEMBER] = r;
            self.next_retired += 1;
        }
    }
}
