// SPDX-License-Identifier: MIT OR Apache-2.0
//! `misses`: far more regions than lines, keys by even chance.

use super::super::params::Params;
use super::asks::{Kind, Taste};
use super::load::Mix;
use super::population::Shape;

/// Good requests over regions that do not fit the caches.
pub fn mix(p: &Params) -> Mix {
    Mix {
        regions: (p.mrs as usize * 7 / 8).min(p.lines as usize * 4).max(2),
        shape: Shape {
            on_demand: 5,
            contiguous: 16,
            most_pages: 16,
        },
        kinds: vec![
            (Kind::Good, 900),
            (Kind::VerdictOnly, 60),
            (Kind::Stale, 20),
            (Kind::BadKey, 20),
        ],
        taste: Taste {
            hot: 1,
            hot_share: 0,
            brief: 1,
            brief_share: 0,
        },
        brief_ends: 0,
        commands: 1,
        share: [45, 45, 5, 5],
        spoilt: 0,
        flush: [60, 20, 20, 0],
        at_once: 2,
        long: false,
        fill_first: true,
    }
}
