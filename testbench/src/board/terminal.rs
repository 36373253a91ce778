// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ports of the operating system: a real one opened, or a pseudo-terminal with a virtual board behind it.

use super::link::Port;
use super::virtual_board::VirtualBoard;
use latchkey_hdl::link::BAUD;
use serialport::{SerialPort, TTYPort};
use std::io::{self, ErrorKind, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// Clocks between two looks at the terminal: less than two bytes on the wire.
const STRIDE: u32 = 1_000;
/// Clocks without a byte after which an idle board is simulated slower.
const DOZE: u64 = 20_000_000;

impl Port for Box<dyn SerialPort> {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)
    }

    fn receive(&mut self, bytes: &mut [u8], wait: Duration) -> io::Result<usize> {
        self.set_timeout(wait.max(Duration::from_millis(1)))?;
        match self.read(bytes) {
            Err(e) if matches!(e.kind(), ErrorKind::TimedOut | ErrorKind::Interrupted) => Ok(0),
            other => other,
        }
    }
}

/// Opens a serial port at the speed of the link.
pub fn open(path: &str) -> Result<Box<dyn SerialPort>, serialport::Error> {
    serialport::new(path, BAUD)
        .timeout(Duration::from_millis(10))
        .open()
}

/// A virtual board at work behind a pseudo-terminal, until this value goes.
pub struct Served {
    path: String,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<VirtualBoard>>,
    /// Keeps the terminal open while no host is there.
    _far: TTYPort,
}

impl Served {
    /// Puts a board behind a new pseudo-terminal and lets it run in a thread.
    pub fn new(board: VirtualBoard) -> Result<Served, serialport::Error> {
        let (mut near, far) = TTYPort::pair()?;
        near.set_timeout(Duration::ZERO)?;
        let path = far.name().unwrap_or_default();
        let stop = Arc::new(AtomicBool::new(false));
        let told = stop.clone();
        let thread = std::thread::spawn(move || serve(board, near, &told));
        Ok(Served {
            path,
            stop,
            thread: Some(thread),
            _far: far,
        })
    }

    /// Path of the terminal, for [`open`].
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Still at work?
    pub fn running(&self) -> bool {
        self.thread.as_ref().is_some_and(|t| !t.is_finished())
    }

    /// Stops and gives the board back.
    ///
    /// # Panics
    /// If the board's thread did.
    pub fn stop(mut self) -> VirtualBoard {
        self.stop.store(true, Ordering::Relaxed);
        let thread = self.thread.take().expect("only `stop` takes it");
        thread.join().expect("the board's thread ended well")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().ok();
        }
    }
}

fn serve(mut board: VirtualBoard, mut near: TTYPort, stop: &AtomicBool) -> VirtualBoard {
    let mut bytes = [0; 512];
    let mut quiet = 0;
    while !stop.load(Ordering::Relaxed) {
        let n = match near.bytes_to_read() {
            Ok(0) | Err(_) => 0,
            Ok(_) => near.read(&mut bytes).unwrap_or(0),
        };
        board.send(&bytes[..n]);
        board.run(STRIDE);
        let out = board.receive();
        if !out.is_empty() && near.write_all(&out).is_err() {
            // nobody reads: a real line would lose them too
            quiet = 0;
        }
        quiet = if n == 0 && out.is_empty() && board.idle() {
            quiet + u64::from(STRIDE)
        } else {
            0
        };
        if quiet > DOZE {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    board
}
