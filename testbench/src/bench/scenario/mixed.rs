// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mixed`, the soak: everything at once.

use super::super::params::Params;
use super::asks::{Kind, Taste};
use super::load::Mix;
use super::population::Shape;

/// Lookups of every kind, commands of every kind, more regions than lines.
pub fn mix(p: &Params) -> Mix {
    let table = p.mrs as usize - 1;
    let kinds = vec![
        (Kind::Good, 590),
        (Kind::Zero, 20),
        (Kind::VerdictOnly, 60),
        (Kind::BadLength, 25),
        (Kind::BadKey, 30),
        (Kind::Stale, 40),
        (Kind::Flipped, 25),
        (Kind::Dying, 50),
        (Kind::WrongSide, 30),
        (Kind::OtherPd, 30),
        (Kind::NoRight, 30),
        (Kind::OutOfBounds, 30),
        (Kind::Misaligned, 30),
        (Kind::Reuse, 20),
    ];
    Mix {
        regions: (table * 4 / 5).min(p.lines as usize * 5 / 4).max(2),
        shape: Shape {
            on_demand: 20,
            contiguous: 16,
            most_pages: 48,
        },
        kinds,
        taste: Taste {
            hot: (p.lines as usize / 4).clamp(4, 512),
            hot_share: 75,
            brief: 6,
            brief_share: 25,
        },
        brief_ends: 7,
        commands: 90,
        share: [42, 42, 5, 7],
        spoilt: 15,
        flush: [50, 30, 10, 10],
        at_once: p.parked as usize + 3,
        long: true,
        fill_first: false,
    }
}
