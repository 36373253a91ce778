// SPDX-License-Identifier: MIT OR Apache-2.0
//! Model of the DMA engines: when the lease of a finished walk is given back.

use rand::Rng;

const WHEEL: usize = 4096;

/// How long a DMA engine needs after the last segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hold {
    /// shortest
    pub low: u16,
    /// longest of the usual ones
    pub high: u16,
    /// share of long ones, of 65536
    pub tail: u16,
    /// longest of all
    pub longest: u16,
    /// share of cycles with a `dma_done` nobody waits for, of 65536
    pub wrong: u16,
}

impl Hold {
    /// Short, with long tails, now and then wrong.
    pub const SOAK: Hold = Hold {
        low: 0,
        high: 60,
        tail: 600,
        longest: 700,
        wrong: 80,
    };
    /// At least 64 cycles, as the throughput target asks for.
    pub const STEADY: Hold = Hold {
        low: 64,
        high: 66,
        tail: 0,
        longest: 66,
        wrong: 0,
    };
    /// At once.
    pub const NONE: Hold = Hold {
        low: 0,
        high: 0,
        tail: 0,
        longest: 0,
        wrong: 0,
    };

    /// A delay in cycles.
    pub fn draw<R: Rng>(&self, rng: &mut R) -> u64 {
        let long = self.tail > 0 && rng.gen::<u16>() < self.tail;
        u64::from(if long {
            rng.gen_range(self.high..=self.longest.max(self.high))
        } else {
            rng.gen_range(self.low..=self.high)
        })
    }
}

/// Leases that end at a later cycle.
pub struct Calendar {
    slots: Vec<Vec<(u8, u16, u64)>>,
}

impl Default for Calendar {
    fn default() -> Self {
        Calendar {
            slots: vec![Vec::new(); WHEEL],
        }
    }
}

impl Calendar {
    /// Enters an end of lease.
    #[inline]
    pub fn put(&mut self, now: u64, due: u64, port: usize, tag: u16) {
        let due = due.max(now + 1);
        let at = due.min(now + WHEEL as u64 - 1);
        self.slots[at as usize % WHEEL].push((port as u8, tag, due));
    }

    /// Something is entered for this cycle.
    #[inline]
    pub fn any(&self, now: u64) -> bool {
        !self.slots[now as usize % WHEEL].is_empty()
    }

    /// Moves what is due to `out`.
    pub fn take(&mut self, now: u64, out: &mut Vec<(usize, u16)>) {
        let mut list = std::mem::take(&mut self.slots[now as usize % WHEEL]);
        for (port, tag, due) in list.drain(..) {
            if due > now {
                self.put(now, due, usize::from(port), tag);
            } else {
                out.push((usize::from(port), tag));
            }
        }
        let slot = &mut self.slots[now as usize % WHEEL];
        if slot.is_empty() {
            *slot = list;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_lease_ends_in_its_cycle() {
        let mut c = Calendar::default();
        let mut out = Vec::new();
        for due in [1, 5, 5, 4_095, 4_096, 20_000] {
            c.put(0, due, 1, due as u16);
        }
        let mut seen = Vec::new();
        for now in 1..30_000 {
            if c.any(now) {
                c.take(now, &mut out);
            }
            seen.extend(out.drain(..).map(|(_, tag)| (now, u64::from(tag))));
        }
        assert_eq!(seen.len(), 6);
        assert!(seen.iter().all(|(now, due)| now == due), "{seen:?}");
    }
}
