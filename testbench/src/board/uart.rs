// SPDX-License-Identifier: MIT OR Apache-2.0
//! The two wires of a serial line as the host's adapter sees them, a level a clock.

/// Bytes to levels.
pub struct Sender {
    clocks: u32,
    left: u32,
    bits: u16,
}

impl Sender {
    /// A line of `clocks` a bit.
    pub fn new(clocks: u32) -> Sender {
        Sender {
            clocks,
            left: 0,
            bits: 1,
        }
    }

    /// The level of the next clock; `next` is asked for a byte when the line is free.
    #[inline]
    pub fn level(&mut self, next: impl FnOnce() -> Option<u8>) -> bool {
        if self.left == 0 {
            let Some(byte) = next() else {
                return true;
            };
            self.bits = u16::from(byte) << 1 | 1 << 9;
            self.left = 10 * self.clocks;
        }
        let at = 9 - (self.left - 1) / self.clocks;
        self.left -= 1;
        self.bits >> at & 1 == 1
    }

    /// Nothing is on the line.
    pub fn idle(&self) -> bool {
        self.left == 0
    }
}

/// Levels to bytes.
pub struct Receiver {
    clocks: u32,
    /// Clocks since the start bit began.
    at: Option<u32>,
    byte: u8,
}

impl Receiver {
    /// A line of `clocks` a bit.
    pub fn new(clocks: u32) -> Receiver {
        Receiver {
            clocks,
            at: None,
            byte: 0,
        }
    }

    /// The level of a clock; a byte in the middle of its stop bit, if that is high.
    #[inline]
    pub fn level(&mut self, high: bool) -> Option<u8> {
        let Some(at) = self.at else {
            if !high {
                self.at = Some(1);
            }
            return None;
        };
        self.at = Some(at + 1);
        if at % self.clocks != self.clocks / 2 {
            return None;
        }
        match at / self.clocks {
            0 if high => self.at = None,
            0 => {}
            9 => {
                self.at = None;
                return high.then_some(self.byte);
            }
            _ => self.byte = self.byte >> 1 | u8::from(high) << 7,
        }
        None
    }

    /// Nothing is on the line.
    pub fn idle(&self) -> bool {
        self.at.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_the_wire() {
        let (mut sender, mut receiver) = (Sender::new(50), Receiver::new(50));
        let bytes: Vec<u8> = (0..=255).collect();
        let (mut queue, mut seen) = (bytes.iter().copied(), Vec::new());
        for _ in 0..50 * 10 * 257 {
            let level = sender.level(|| queue.next());
            seen.extend(receiver.level(level));
        }
        assert_eq!(seen, bytes);
    }
}
