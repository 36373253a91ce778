// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where cycles lie in a picture.

use super::payload::Hands;

/// Left end of the first cycle.
pub const LEFT: f64 = 122.0;
/// Width of a cycle.
pub const CELL: f64 = 20.0;
/// Width of what is left out.
pub const GAP: f64 = 32.0;
/// Cycles in which nothing changes are left out when there are more in a row; one on either side stays.
const QUIET: usize = 4;

/// Where cycles lie; long quiet stretches are short.
pub struct Time {
    /// left end of each cycle, or of the gap it is in
    pub left: Vec<f64>,
    /// first cycle and number of each gap
    pub gaps: Vec<(usize, usize)>,
    pub end: f64,
}

impl Time {
    pub fn new(hands: &[Vec<Hands>]) -> Time {
        let mut time = Time {
            left: Vec::new(),
            gaps: Vec::new(),
            end: LEFT,
        };
        let mut at = 0;
        while at < hands.len() {
            let same = hands[at..].iter().take_while(|h| **h == hands[at]).count();
            let hidden = if same > QUIET { same - 2 } else { 0 };
            for n in 0..same {
                let inside = hidden > 0 && (1..1 + hidden).contains(&n);
                if inside && n == 1 {
                    time.gaps.push((at + n, hidden));
                }
                time.left.push(time.end);
                if !inside {
                    time.end += CELL;
                } else if n == hidden {
                    time.end += GAP;
                }
            }
            at += same;
        }
        time
    }

    pub fn hidden(&self, at: usize) -> bool {
        self.gaps
            .iter()
            .any(|(from, n)| (*from..from + n).contains(&at))
    }

    pub fn right(&self, at: usize) -> f64 {
        self.left[at + 1..]
            .iter()
            .copied()
            .find(|x| *x > self.left[at])
            .unwrap_or(self.end)
    }

    pub fn shown(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.left.len()).filter(|at| !self.hidden(*at))
    }
}
