// SPDX-License-Identifier: MIT OR Apache-2.0
//! The board's exported top in Verilator, seen from its pins: bytes in, bytes out, LEDs.

use super::noise::Noise;
use super::uart::{Receiver, Sender};
use crate::engine::{Effort, Engine, EngineError, VerilatorEngine};
use latchkey_hdl::link::{BAUD, CLOCK_HZ};
use latchkey_hdl::{ConfigInfo, Module};
use std::collections::VecDeque;

/// A board after power-up.
pub struct VirtualBoard {
    engine: VerilatorEngine,
    pins: Pins,
    to_board: VecDeque<u8>,
    from_board: VecDeque<u8>,
    sender: Sender,
    receiver: Receiver,
    noise: Option<Noise>,
    /// Clocks so far.
    pub cycles: u64,
}

#[derive(Clone, Copy)]
struct Pins {
    reset_n: usize,
    rx: usize,
    tx: usize,
    led: usize,
}

impl VirtualBoard {
    /// Exports and compiles the top, or takes it from the cache.
    ///
    /// # Panics
    /// If the module has not the pins of the board.
    pub fn new(config: &ConfigInfo, top: &Module) -> Result<VirtualBoard, EngineError> {
        let engine = VerilatorEngine::new(config, top, Effort::Full)?;
        let at = |name: &str| engine.offset(engine.port(name).expect("a pin of the board"));
        let pins = Pins {
            reset_n: at("reset_n"),
            rx: at("uart_rx"),
            tx: at("uart_tx"),
            led: at("led"),
        };
        let mut board = VirtualBoard {
            engine,
            pins,
            to_board: VecDeque::new(),
            from_board: VecDeque::new(),
            sender: Sender::new(CLOCK_HZ / BAUD),
            receiver: Receiver::new(CLOCK_HZ / BAUD),
            noise: None,
            cycles: 0,
        };
        board.engine.in_mut()[pins.rx] = 1;
        board.press(false);
        Ok(board)
    }

    /// Another board after power-up; nothing is compiled again.
    #[must_use]
    pub fn another(&self) -> VirtualBoard {
        let mut board = VirtualBoard {
            engine: self.engine.another(),
            to_board: VecDeque::new(),
            from_board: VecDeque::new(),
            sender: Sender::new(CLOCK_HZ / BAUD),
            receiver: Receiver::new(CLOCK_HZ / BAUD),
            noise: None,
            cycles: 0,
            pins: self.pins,
        };
        board.engine.in_mut()[board.pins.rx] = 1;
        board.press(false);
        board
    }

    /// The reset button.
    pub fn press(&mut self, down: bool) {
        self.engine.in_mut()[self.pins.reset_n] = u32::from(!down);
    }

    /// Bytes in both directions pass through this from now on.
    pub fn disturb(&mut self, noise: Option<Noise>) {
        self.noise = noise;
    }

    /// Bytes the noise has met.
    pub fn hurt(&self) -> u64 {
        self.noise.as_ref().map_or(0, |n| n.hurt)
    }

    /// Bytes for the board.
    pub fn send(&mut self, bytes: &[u8]) {
        for byte in bytes {
            match &mut self.noise {
                Some(noise) => noise.pass(*byte, |b| self.to_board.push_back(b)),
                None => self.to_board.push_back(*byte),
            }
        }
    }

    /// Bytes of the board.
    pub fn receive(&mut self) -> Vec<u8> {
        self.from_board.drain(..).collect()
    }

    /// Runs so many clocks.
    pub fn run(&mut self, clocks: u32) {
        for _ in 0..clocks {
            let level = self.sender.level(|| self.to_board.pop_front());
            self.engine.in_mut()[self.pins.rx] = u32::from(level);
            self.engine.cycle();
            if let Some(byte) = self
                .receiver
                .level(self.engine.out()[self.pins.tx] & 1 == 1)
            {
                match &mut self.noise {
                    Some(noise) => noise.pass(byte, |b| self.from_board.push_back(b)),
                    None => self.from_board.push_back(byte),
                }
            }
        }
        self.cycles += u64::from(clocks);
    }

    /// Nothing is on the wires, and nothing waits for them.
    pub fn idle(&self) -> bool {
        self.to_board.is_empty() && self.sender.idle() && self.receiver.idle()
    }

    /// The LEDs, LED 0 in bit 0.
    pub fn leds(&self) -> u8 {
        self.engine.out()[self.pins.led] as u8
    }
}
