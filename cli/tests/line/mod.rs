// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the tests of the board's line share: a simulated board, links to it, requests, and lines that are bad on purpose.

#![allow(dead_code)]

use latchkey_hdl::link::host;
use latchkey_testbench::board::{open, Decoder, Frame, Link, Patience, Port, Served, VirtualBoard};
use latchkey_testbench::model::Params;
use latchkey_testbench::trace::{access, Body, Entry, Lookup, PageList, PageSize, Register};
use std::io;
use std::time::Duration;

/// A port of the operating system.
pub type Terminal = Box<dyn serialport::SerialPort>;

/// Widths of the board.
pub fn params() -> Params {
    latchkey_testbench::bench::Params::of("alchitry-cu")
        .expect("compiled in")
        .model()
}

/// A board after power-up.
pub fn board() -> VirtualBoard {
    let (config, top) = latchkey_bsp::board::top().expect("compiled in");
    VirtualBoard::new(config, top).expect("the board builds")
}

/// Enough for a busy machine.
pub fn patience() -> Patience {
    Patience {
        give_up: Duration::from_secs(60),
        ..Patience::default()
    }
}

/// A link, not yet open.
pub fn link(served: &Served, seed: u8) -> Link<Terminal> {
    Link::new(
        open(served.path()).expect("the terminal opens"),
        patience(),
        seed,
    )
}

/// A registration of pages that do not follow one another.
pub fn region(iova: u64, pages: u64, base: u64) -> Body {
    Body::Register(Register {
        pd: 1,
        iova,
        length: pages * 4096,
        access: access::LOCAL_WRITE | access::REMOTE_READ,
        page: PageSize::K4,
        base,
        pages,
        list: PageList::List(
            (0..pages)
                .map(|p| Entry::page((p * 7 + base + 3) << 12))
                .collect(),
        ),
    })
}

/// A lookup of a remote read.
pub fn read(key: u32, va: u64, len: u32) -> Lookup {
    Lookup::read(1, key, va, len)
}

/// The window of domain 1.
pub const WINDOW: Body = Body::PdWindow {
    pd: 1,
    base: 0,
    words: 1024,
};

/// A line that does what it likes with the frames of the host, and has bytes of its own for it.
pub struct Bad<F> {
    port: Terminal,
    /// How often a frame is sent.
    copies: F,
    /// Bytes that come before those of the board.
    ahead: Vec<u8>,
}

impl<F: FnMut(&Frame) -> usize + Send> Bad<F> {
    /// A link over such a line.
    pub fn link(served: &Served, seed: u8, ahead: Vec<u8>, copies: F) -> Link<Bad<F>> {
        let port = open(served.path()).expect("the terminal opens");
        Link::new(
            Bad {
                port,
                copies,
                ahead,
            },
            patience(),
            seed,
        )
    }
}

impl<F: FnMut(&Frame) -> usize + Send> Port for Bad<F> {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut decoder = Decoder::default();
        let mut frames = bytes.iter().filter_map(|b| decoder.push(*b));
        let frame = frames
            .next()
            .expect("the host sends frames")
            .expect("good ones");
        for _ in 0..(self.copies)(&frame) {
            self.port.send(bytes)?;
        }
        Ok(())
    }

    fn receive(&mut self, bytes: &mut [u8], wait: Duration) -> io::Result<usize> {
        if self.ahead.is_empty() {
            return self.port.receive(bytes, wait);
        }
        let n = self.ahead.len().min(bytes.len());
        bytes[..n].copy_from_slice(&self.ahead[..n]);
        self.ahead.drain(..n);
        Ok(n)
    }
}

/// Loses the first answer to every message of the board.
pub fn first_answers_lost() -> impl FnMut(&Frame) -> usize + Send {
    let mut lost = None;
    move |frame| {
        let first = frame.kind == host::ANSWER && lost != Some(frame.seq);
        if first {
            lost = Some(frame.seq);
        }
        usize::from(!first)
    }
}
