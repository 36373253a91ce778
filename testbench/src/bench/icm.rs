// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sparse model of the memory behind the core: zeros where nothing was written, any latency, answers in any order.
//!
//! What is kept (docs/interface.md, "ICM"): a write of several beats is atomic, and an acknowledged write is visible to
//! every read issued after the acknowledgement. Everything else is left to chance: each operation takes effect at a
//! random moment between its last request beat and its answer.

use super::store::Store;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// Longest transfer: `icm_req_len` has 4 bits.
pub const MAX_BEATS: usize = 16;
const WHEEL: usize = 2048;

/// How long the memory takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Latency {
    /// Always n cycles; answers in order of the requests.
    Fixed(u16),
    /// `low..=high` cycles, and in `tail` of 256 cases up to `longest`.
    Spread {
        /// shortest
        low: u16,
        /// longest of the usual ones
        high: u16,
        /// share of long ones, of 256
        tail: u8,
        /// longest of all, below 2000
        longest: u16,
    },
}

impl Latency {
    /// Mostly 1 to 32, with tails to 300.
    pub const SOAK: Latency = Latency::Spread {
        low: 1,
        high: 32,
        tail: 10,
        longest: 300,
    };

    fn draw<R: Rng>(self, rng: &mut R) -> usize {
        usize::from(match self {
            Latency::Fixed(n) => n,
            Latency::Spread {
                low,
                high,
                tail,
                longest,
            } => {
                if rng.gen::<u8>() < tail {
                    rng.gen_range(high..=longest.max(high))
                } else {
                    rng.gen_range(low..=high)
                }
            }
        })
    }
}

/// A transfer on the request stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// `icm_req_id`
    pub id: u32,
    /// `icm_req_write`
    pub write: bool,
    /// `icm_req_space`
    pub space: u8,
    /// `icm_req_addr`
    pub addr: u64,
    /// `icm_req_len`: beats - 1
    pub len: u8,
    /// `icm_req_data`
    pub data: u64,
    /// `icm_req_last`
    pub last: bool,
}

/// A transfer on the answer stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Response {
    /// `icm_rsp_id`
    pub id: u32,
    /// `icm_rsp_data`
    pub data: u64,
    /// `icm_rsp_last`
    pub last: bool,
}

#[derive(Clone, Copy, Default)]
struct Op {
    id: u32,
    write: bool,
    space: u8,
    addr: u64,
    len: u8,
    beats: u8,
    data: [u64; MAX_BEATS],
}

/// The memory.
pub struct Icm {
    /// Contents, open to tests.
    pub store: Store,
    latency: Latency,
    rng: ChaCha8Rng,
    now: u64,
    ops: Vec<Op>,
    free: Vec<u32>,
    serve: Vec<Vec<u32>>,
    answer: Vec<Vec<u32>>,
    ready: VecDeque<u32>,
    sending: Option<(u32, u8)>,
    incoming: Option<u32>,
    reading: Vec<bool>,
    last_due: u64,
    /// Requests with an id below the first take so many cycles more; they keep no order with the others.
    pub slow: (u32, u16),
    /// Reads asked for.
    pub reads: u64,
    /// Writes asked for.
    pub writes: u64,
}

impl Icm {
    /// An empty memory for ids of `id_bits`.
    pub fn new(latency: Latency, id_bits: u32, seed: u64) -> Icm {
        Icm {
            store: Store::default(),
            latency,
            rng: ChaCha8Rng::seed_from_u64(seed),
            now: 0,
            ops: Vec::new(),
            free: Vec::new(),
            serve: vec![Vec::new(); WHEEL],
            answer: vec![Vec::new(); WHEEL],
            ready: VecDeque::new(),
            sending: None,
            incoming: None,
            reading: vec![false; 1 << id_bits.min(16)],
            last_due: 0,
            slow: (0, 0),
            reads: 0,
            writes: 0,
        }
    }

    /// Changes the latency of the requests to come.
    pub fn set_latency(&mut self, latency: Latency) {
        self.latency = latency;
    }

    /// Requests that wait for their answer.
    pub fn open(&self) -> usize {
        self.ops.len() - self.free.len()
    }

    /// The answer beat that is due now, if any. It stays the same until [`Icm::taken`].
    #[inline]
    pub fn offer(&mut self) -> Option<Response> {
        let (at, beat) = match self.sending {
            Some(s) => s,
            None => {
                let at = self.ready.pop_front()?;
                self.sending = Some((at, 0));
                (at, 0)
            }
        };
        let op = &self.ops[at as usize];
        Some(Response {
            id: op.id,
            data: if op.write {
                0
            } else {
                op.data[usize::from(beat)]
            },
            last: op.write || beat == op.len,
        })
    }

    /// The offered beat was transferred.
    pub fn taken(&mut self) {
        let Some((at, beat)) = self.sending else {
            return;
        };
        let op = &self.ops[at as usize];
        if op.write || beat == op.len {
            if !op.write {
                self.reading[op.id as usize] = false;
            }
            self.free.push(at);
            self.sending = None;
        } else {
            self.sending = Some((at, beat + 1));
        }
    }

    /// A request beat was transferred; an error is a fault of the core.
    pub fn request(&mut self, r: Request) -> Result<(), String> {
        let at = match self.incoming {
            None => {
                let at = self.free.pop().unwrap_or_else(|| {
                    self.ops.push(Op::default());
                    self.ops.len() as u32 - 1
                });
                let op = &mut self.ops[at as usize];
                (op.id, op.write, op.space) = (r.id, r.write, r.space);
                (op.addr, op.len, op.beats) = (r.addr, r.len, 0);
                at
            }
            Some(at) => at,
        };
        let op = &mut self.ops[at as usize];
        if (op.id, op.write, op.space, op.addr, op.len) != (r.id, r.write, r.space, r.addr, r.len) {
            return Err(format!(
                "ICM: beat {} of a write differs from its first: {r:?}",
                op.beats
            ));
        }
        if !r.write {
            self.reads += 1;
            let busy = self
                .reading
                .get_mut(r.id as usize)
                .ok_or("ICM: id out of range")?;
            if std::mem::replace(busy, true) {
                return Err(format!(
                    "ICM: a second read under id {} while one is open",
                    r.id
                ));
            }
            self.schedule(at);
            return Ok(());
        }
        op.data[usize::from(op.beats)] = r.data;
        let end = op.beats == r.len;
        op.beats += 1;
        if end != r.last {
            return Err(format!(
                "ICM: last is {} on beat {} of {}",
                r.last,
                op.beats,
                r.len + 1
            ));
        }
        if end {
            self.writes += 1;
            self.incoming = None;
            self.schedule(at);
        } else {
            self.incoming = Some(at);
        }
        Ok(())
    }

    fn schedule(&mut self, at: u32) {
        let lat = self.latency.draw(&mut self.rng).min(WHEEL - 2);
        let mut due = self.now + 1 + lat as u64;
        let mut when = self.now + 1 + self.rng.gen_range(0..=lat) as u64;
        if self.ops[at as usize].id < self.slow.0 {
            due = (due + u64::from(self.slow.1)).min(self.now + WHEEL as u64 - 2);
            when = due;
        } else if let Latency::Fixed(_) = self.latency {
            due = due.max(self.last_due);
            when = due;
            self.last_due = due;
        }
        self.serve[when as usize % WHEEL].push(at);
        self.answer[due as usize % WHEEL].push(at);
    }

    /// One cycle passes: operations whose moment has come take effect.
    #[inline]
    pub fn tick(&mut self) {
        self.now += 1;
        let slot = self.now as usize % WHEEL;
        if !self.serve[slot].is_empty() {
            self.apply(slot);
        }
        if !self.answer[slot].is_empty() {
            let list = &mut self.answer[slot];
            if list.len() > 1 && self.rng.gen() {
                list.reverse();
            }
            self.ready.extend(list.drain(..));
        }
    }

    fn apply(&mut self, slot: usize) {
        let mut list = std::mem::take(&mut self.serve[slot]);
        for at in list.drain(..) {
            let op = &mut self.ops[at as usize];
            for beat in 0..=u64::from(op.len) {
                let data = &mut op.data[beat as usize];
                if op.write {
                    self.store.write(op.space, op.addr + beat, *data);
                } else {
                    *data = self.store.read(op.space, op.addr + beat);
                }
            }
        }
        self.serve[slot] = list;
    }
}

#[cfg(test)]
#[path = "icm_tests.rs"]
mod tests;
