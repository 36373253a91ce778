// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packet sequence numbers: 24 bits, compared modulo 2^24.

/// Bits of a sequence number.
pub const MASK: u32 = 0xff_ffff;

/// `psn + n`.
pub const fn add(psn: u32, n: u32) -> u32 {
    psn.wrapping_add(n) & MASK
}

/// How far `to` is behind `from`: negative when it is before it.
pub const fn distance(from: u32, to: u32) -> i32 {
    ((to.wrapping_sub(from) << 8) as i32) >> 8
}

/// `low <= psn <= high`.
pub const fn within(psn: u32, low: u32, high: u32) -> bool {
    distance(low, psn) >= 0 && distance(psn, high) >= 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_round() {
        assert_eq!(add(MASK, 2), 1);
        assert_eq!(distance(MASK, 1), 2);
        assert_eq!(distance(1, MASK), -2);
        assert!(within(0, MASK - 3, 5) && !within(6, MASK - 3, 5));
    }
}
