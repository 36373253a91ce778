// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which sequence number comes next, which were passed over, and when another connection begins.

use super::psn;

/// A jump forward by more than this is another connection.
const FORWARD: i32 = 4096;
/// A jump back by more than this, too.
const BACK: i32 = 16_384;
/// Gaps that are remembered.
const GAPS: usize = 64;

/// What a packet is by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// not seen before
    New,
    /// seen before
    Repeated,
    /// another connection
    Anew,
}

/// Numbers of one direction of a connection.
#[derive(Debug, Default)]
pub(super) struct Sequence {
    started: bool,
    first: u32,
    /// the next number
    expected: u32,
    /// the highest it can be, where the length of the last answer is not known
    far: u32,
    /// numbers that were passed over, first and last
    missing: Vec<(u32, u32)>,
}

impl Sequence {
    /// Begins with this number.
    pub fn at(first: u32) -> Sequence {
        Sequence {
            started: true,
            first,
            expected: first,
            far: first,
            missing: Vec::new(),
        }
    }

    /// What is a packet of this number? Where nothing is sent again everything is new.
    pub fn place(&self, number: u32, reliable: bool, broken: bool) -> Place {
        let ahead = psn::distance(self.expected, number);
        let beyond = psn::distance(self.far, number);
        let jump = beyond > FORWARD || (beyond > 0 && broken) || ahead < -BACK;
        if !self.started || jump {
            return Place::Anew;
        }
        if ahead >= 0 || !reliable || self.missed(number).is_some() {
            return Place::New;
        }
        // the numbers may have come round since the first
        let short = psn::distance(self.first, self.expected) >= 0;
        if short && psn::distance(self.first, number) < 0 {
            Place::Anew
        } else {
            Place::Repeated
        }
    }

    fn missed(&self, number: u32) -> Option<usize> {
        let within = |(a, b): &(u32, u32)| psn::within(number, *a, *b);
        self.missing.iter().position(within)
    }

    /// This number is still to come.
    pub fn miss(&mut self, number: u32) {
        self.missing.push((number, number));
        if self.missing.len() > GAPS {
            self.missing.remove(0);
        }
    }

    /// A new packet that takes so many numbers, at most `most`. Gives 1 when it leaves a gap.
    pub fn advance(&mut self, at: u32, numbers: u32, most: u32) -> u64 {
        if let Some(i) = self.missed(at) {
            let (a, b) = self.missing.swap_remove(i);
            if a != at {
                self.missing.push((a, psn::add(at, psn::MASK)));
            }
            if b != at {
                self.missing.push((psn::add(at, 1), b));
            }
            return 0;
        }
        if psn::distance(self.expected, at) < 0 {
            return 0;
        }
        let gap = psn::distance(self.far, at) > 0;
        if gap {
            self.miss(self.expected);
            if let Some(last) = self.missing.last_mut() {
                last.1 = psn::add(at, psn::MASK);
            }
        }
        self.expected = psn::add(at, numbers);
        self.far = psn::add(at, most);
        u64::from(gap)
    }

    /// Was this number used here?
    pub fn knows(&self, number: u32) -> bool {
        self.started
            && psn::distance(number, self.far) > 0
            && psn::distance(number, self.expected) <= BACK
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_filled_once_and_numbers_come_round() {
        let mut s = Sequence::at(psn::MASK - 1);
        let place = |s: &Sequence, n| s.place(n, true, false);
        assert_eq!(s.advance(psn::MASK - 1, 1, 1), 0);
        assert_eq!(s.advance(2, 1, 1), 1);
        for number in [psn::MASK, 0, 1] {
            assert_eq!(place(&s, number), Place::New);
            assert_eq!(s.advance(number, 1, 1), 0);
            assert_eq!(place(&s, number), Place::Repeated);
        }
        assert_eq!(place(&s, 3), Place::New);
        assert_eq!(place(&s, psn::MASK - 2), Place::Anew);
        assert_eq!(place(&s, 10_000), Place::Anew);
    }

    #[test]
    fn an_answer_of_unknown_length_leaves_room() {
        let mut s = Sequence::at(0);
        s.advance(0, 1, 1 << 20);
        assert_eq!(s.place(1 << 19, true, false), Place::New);
        assert_eq!(s.advance(1 << 19, 1, 1), 0);
        assert_eq!(s.place(5, true, false), Place::Anew);
    }
}
