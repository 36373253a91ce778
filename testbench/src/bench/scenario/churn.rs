// SPDX-License-Identifier: MIT OR Apache-2.0
//! `churn`: few regions that live shortly, under lookups that never stop.

use super::super::params::Params;
use super::asks::{Kind, Taste};
use super::load::Mix;
use super::population::Shape;

/// As many commands as the port takes, all aimed at what is being looked up.
pub fn mix(p: &Params) -> Mix {
    Mix {
        regions: (p.mrs as usize * 3 / 4).clamp(2, 24),
        shape: Shape {
            on_demand: 10,
            contiguous: 16,
            most_pages: 12,
        },
        kinds: vec![
            (Kind::Good, 600),
            (Kind::Dying, 200),
            (Kind::Stale, 100),
            (Kind::VerdictOnly, 60),
            (Kind::Flipped, 20),
            (Kind::WrongSide, 20),
        ],
        taste: Taste {
            hot: 4,
            hot_share: 30,
            brief: 1,
            brief_share: 0,
        },
        brief_ends: 0,
        commands: 1000,
        share: [46, 46, 3, 4],
        spoilt: 3,
        flush: [40, 40, 10, 10],
        at_once: p.parked as usize + 4,
        long: false,
        fill_first: false,
    }
}
