// SPDX-License-Identifier: MIT OR Apache-2.0
//! State of one lookup port on the side of the bench: tags, leases, patterns.

use super::pattern::{Pattern, Shape};
use super::traffic::Ask;
use crate::trace::{Segment, Verdict};
use rand::Rng;
use std::collections::VecDeque;

/// What the bench knows of a tag.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tag {
    /// cycle of the request's transfer
    pub since: u64,
    /// cycle of its last segment; 0: none yet
    pub heard: u64,
    /// key of the request
    pub key: u32,
    /// a lookup with this tag was transferred and is not finished
    pub open: bool,
    /// its verdict came
    pub verdict: bool,
    /// it has taken a lease
    pub lease: bool,
    /// its first segment came
    pub first: bool,
    /// its last segment came
    pub last: bool,
    /// walk asked for and length above 0
    pub walks: bool,
    /// its lease is kept: see `Ask::keep`
    pub keep: bool,
    /// its `dma_done` is queued
    pub ending: bool,
    /// lookups that reuse the tag on their way
    pub reuses: u8,
}

/// One lookup port.
pub struct Lane {
    /// when lookups are offered
    pub idle: Pattern,
    /// when verdicts are taken
    pub verdicts: Pattern,
    /// when segments are taken
    pub segments: Pattern,
    /// when `dma_done` is offered
    pub dma: Pattern,
    /// the lookup at the pins
    pub ask: Option<Ask>,
    /// state of every tag
    pub tags: Vec<Tag>,
    /// tags not in use
    pub free: Vec<u16>,
    /// tags whose `dma_done` is due; true: a wrong one, for a tag that is free
    pub ended: VecDeque<(u16, bool)>,
    /// `dma_done` is at the pins
    pub ending: bool,
    /// cycle in which valid rose, for the latency: verdict, segment
    pub rose: [u64; 2],
    /// verdict and segment that are shown and were not taken
    pub shown: (Option<Verdict>, Option<Segment>),
    /// lookups without verdict
    pub unanswered: u32,
    /// leases and walks not finished
    pub leases: u32,
}

impl Lane {
    /// A port with `2^tag_bits` tags.
    pub fn new(tag_bits: u32, seed: u64) -> Lane {
        let pattern = |n: u64| Pattern::new(Shape::Always, seed.wrapping_mul(8).wrapping_add(n));
        let tags = 1usize << tag_bits;
        Lane {
            idle: pattern(0),
            verdicts: pattern(1),
            segments: pattern(2),
            dma: pattern(3),
            ask: None,
            tags: vec![Tag::default(); tags],
            free: (0..tags as u16).collect(),
            ended: VecDeque::new(),
            ending: false,
            rose: [0; 2],
            shown: (None, None),
            unanswered: 0,
            leases: 0,
        }
    }

    /// Draws new shapes for all four sides.
    pub fn shuffle<R: Rng>(&mut self, rng: &mut R) {
        self.idle.set(Shape::draw(rng));
        self.verdicts.set(Shape::draw(rng));
        self.segments.set(Shape::draw(rng));
        self.dma.set(Shape::draw(rng));
    }

    /// A free tag by chance.
    pub fn claim<R: Rng>(&mut self, rng: &mut R) -> Option<u16> {
        if self.free.is_empty() {
            return None;
        }
        let at = rng.gen_range(0..self.free.len());
        Some(self.free.swap_remove(at))
    }

    /// A tag that surely holds a lease until its `dma_done`, which then waits for the reuse to be answered.
    pub fn leased<R: Rng>(&mut self, rng: &mut R) -> Option<u16> {
        let from = rng.gen_range(0..self.tags.len());
        let n = self.tags.len();
        let at = (0..n).map(|i| (from + i) % n).find(|at| {
            let t = &self.tags[*at];
            t.open && t.verdict && t.lease && !t.ending && t.reuses < 200
        })?;
        Some(at as u16)
    }

    /// The tag is finished.
    pub fn release(&mut self, tag: u16) {
        let t = &mut self.tags[usize::from(tag)];
        *t = Tag {
            reuses: t.reuses,
            ..Tag::default()
        };
        self.free.push(tag);
    }
}
