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
            // beats of one payload look alike
            let quiet = same > QUIET && !hands[at].iter().any(|h| h.moves());
            let hidden = if quiet { same - 2 } else { 0 };
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

    /// Where bands end that are about as wide as each other and hardly wider than `most`: in what is left out, if there is any.
    pub fn bands(&self, most: f64) -> Vec<usize> {
        let wide = self.end - LEFT;
        let bands = (wide / (most - LEFT)).ceil().max(1.0);
        let off = |x: f64, at: usize| (self.left[at] - x).abs();
        let cut = |n: usize| {
            let x = LEFT + wide * n as f64 / bands;
            let near = |a: &usize, b: &usize| off(x, *a).total_cmp(&off(x, *b));
            let gaps = self.gaps.iter().map(|(from, hidden)| from + hidden);
            let quiet = gaps
                .min_by(near)
                .filter(|at| off(x, *at) < wide / bands / 2.0);
            quiet.or_else(|| self.shown().min_by(near)).unwrap_or(0)
        };
        let mut ends: Vec<usize> = (1..bands as usize).map(cut).collect();
        ends.push(self.left.len());
        ends.dedup();
        ends
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
