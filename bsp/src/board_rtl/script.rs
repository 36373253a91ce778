// SPDX-License-Identifier: MIT OR Apache-2.0
//! The self-test as bytes that `engine.rs` obeys. Not a block: made when the design is exported.
//!
//! | byte | meaning |
//! |---|---|
//! | `0x03`, `0x04`, `0x06` and payload | a command, a lookup, a `dma_done`, as the host would send it (`latchkey_hdl::link`) |
//! | `0x10 + s` | wait until source `s` has a message |
//! | `0x20, i, v` | byte `i` of the message must be `v`, or the test has failed |
//! | `0x30, i, d` | byte `i` of the message goes to byte `d` of the script: this is how keys get into later steps |
//! | `0x40` | the message is taken |
//! | `0x50` | the end: passed, if no source has a message left |

use super::layout::ARGS;
use latchkey_hdl::link::{host, source};

const WAIT: u8 = 0x10;
const CHECK: u8 = 0x20;
const COPY: u8 = 0x30;
const TAKE: u8 = 0x40;
/// Ends the script.
pub const END: u8 = 0x50;
/// First four bits of a step.
pub mod step {
    /// A request.
    pub const SEND: usize = 0;
    /// Wait for a source.
    pub const WAIT: usize = 1;
    /// Compare a byte.
    pub const CHECK: usize = 2;
    /// Copy a byte.
    pub const COPY: usize = 3;
    /// Take the message.
    pub const TAKE: usize = 4;
    /// The end.
    pub const END: usize = 5;
}

const PD: u8 = 3;
const IOVA: u64 = 0x7000_1000_0040;
const LENGTH: u32 = 0x1800;
const FRAME: u32 = 0x12345;
/// local_write, remote_write, remote_read
const RIGHTS: u32 = 7;

/// What a lookup or a command puts into the registers it shares with others.
#[derive(Clone, Copy, Default)]
struct Args {
    inline: u32,
    access: u32,
    base: u64,
    pages: u16,
    page: u8,
    va: u64,
    len: u32,
    tag: u8,
    op: u8,
}

impl Args {
    /// Payload of a command; a lookup's is the end of it.
    fn bytes(self) -> Vec<u8> {
        let mut all = self.inline.to_le_bytes().to_vec();
        all.extend(self.access.to_le_bytes());
        all.extend(&self.base.to_le_bytes()[..5]);
        all.extend(self.pages.to_le_bytes());
        all.push(self.page);
        all.extend([0; 4]);
        all.push(PD);
        all.extend(&self.va.to_le_bytes()[..6]);
        all.extend(self.len.to_le_bytes());
        all.extend([self.tag, self.op]);
        assert_eq!(all.len(), ARGS);
        all
    }
}

/// Places in the payloads where a key of the registration belongs.
#[derive(Default)]
struct Script {
    bytes: Vec<u8>,
    keys: Vec<usize>,
}

impl Script {
    /// A request; with `key`, its key field is filled in by the run.
    fn send(&mut self, kind: u8, args: Args, key: bool) {
        let payload = args.bytes();
        let size = host::BYTES[usize::from(kind)];
        self.bytes.push(kind);
        if key {
            self.keys.push(self.bytes.len() + size - 17);
        }
        self.bytes.extend(&payload[ARGS - size..]);
    }
    fn wait(&mut self, source: u8) {
        self.bytes.push(WAIT + source);
    }
    fn check(&mut self, index: u8, value: u8) {
        self.bytes.extend([CHECK, index, value]);
    }
    fn take(&mut self) {
        self.bytes.push(TAKE);
    }
    /// A command, and its answer awaited. Its code needs no check: what follows fails if it is not 0.
    fn command(&mut self, args: Args, key: bool) {
        self.send(host::COMMAND, args, key);
        self.wait(source::ANSWER);
    }
    /// A lookup and its verdict: `first` is byte 2 of the message, a refusal's cause is byte 3.
    fn lookup(&mut self, args: Args, first: u8, cause: Option<u8>) {
        self.send(host::LOOKUP, args, true);
        self.wait(source::VERDICT);
        self.check(2, first);
        if let Some(cause) = cause {
            self.check(3, cause);
        }
        self.take();
    }
}

/// Registers a region, reads in it, is refused beyond its end, deregisters it, is refused.
pub fn bytes() -> Vec<u8> {
    // the places of the keys are known once all is laid out: they stand in front, so lay out twice
    let places = lay(&[0; 4]).keys;
    let all = lay(&places).bytes;
    assert!(all.len() <= 256, "the script has {} bytes", all.len());
    all
}

fn lay(places: &[usize]) -> Script {
    let mut s = Script::default();
    let read = Args {
        va: IOVA + 0x10,
        len: 0x20,
        tag: 5,
        op: 0x30,
        ..Args::default()
    };
    // the window of the PD: words 2 and 3 of the MTT
    s.command(
        Args {
            op: 4,
            base: 2,
            pages: 2,
            ..Args::default()
        },
        false,
    );
    s.take();
    let register = Args {
        inline: FRAME << 2 | 3,
        access: RIGHTS,
        base: 2,
        pages: 1,
        va: IOVA,
        len: LENGTH / 2,
        ..Args::default()
    };
    s.command(register, false);
    for place in places {
        for byte in 0..4 {
            // bytes 8 to 11 of the answer are the rkey
            s.bytes
                .extend([COPY, 8 + byte, (*place + usize::from(byte)) as u8]);
        }
    }
    s.take();
    // granted: one segment at the page's frame
    s.lookup(read, 0x15, None);
    s.wait(source::SEGMENT);
    s.check(2, 0x15);
    let pa = u64::from(FRAME) << 12 | (read.va & 0xfff);
    for (at, byte) in pa.to_le_bytes()[..4].iter().enumerate() {
        s.check(3 + at as u8, *byte);
    }
    s.check(8, 0x20);
    s.take();
    s.bytes.extend([host::DONE, 5]);
    // refused: one byte beyond the region (rem_access_err, out_of_bounds)
    s.lookup(
        Args {
            va: IOVA + u64::from(LENGTH / 2) - 0x1f,
            ..read
        },
        0x45,
        Some(7),
    );
    // deregister by cut, then refused: stale_key
    s.command(
        Args {
            op: 1,
            ..Args::default()
        },
        true,
    );
    s.take();
    s.lookup(read, 0x45, Some(3));
    s.bytes.push(END);
    s
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_go_where_the_requests_have_theirs() {
        let script = bytes();
        let copies: Vec<u8> = script
            .windows(3)
            .filter(|w| w[0] == COPY && (8..12).contains(&w[1]))
            .map(|w| w[2])
            .collect();
        assert!(copies.len() >= 16, "{copies:?}");
        assert_eq!(*script.last().expect("not empty"), END);
    }
}
