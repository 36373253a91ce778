// SPDX-License-Identifier: MIT OR Apache-2.0
//! Engines as the bench sees them.

use super::core::Wires;
use super::pins::PinPort;
use crate::engine::Engine;
use latchkey_hdl::ports::{Dir, Port};

fn list<'a>(ports: &'a [Port], offset: impl Fn(usize) -> usize) -> Vec<PinPort<'a>> {
    let pin = |(n, p): (usize, &'a Port)| PinPort {
        name: &p.name,
        width: p.width as u32,
        word: offset(n) as u32,
        input: p.dir == Dir::In,
    };
    ports.iter().enumerate().map(pin).collect()
}

impl<E: Engine> Wires for E {
    fn pins(&self) -> Vec<PinPort<'_>> {
        list(self.ports(), |n| self.offset(n))
    }
    #[inline]
    fn inputs(&mut self) -> &mut [u32] {
        self.in_mut()
    }
    #[inline]
    fn outputs(&self) -> &[u32] {
        self.out()
    }
    #[inline]
    fn cycle(&mut self) {
        Engine::cycle(self);
    }
    fn ahead(&self) -> bool {
        Engine::ahead(self)
    }
    fn apply(&mut self) {
        self.settle();
    }
    #[inline]
    fn edge(&mut self) {
        Engine::edge(self);
    }
}

/// An engine chosen at run time.
pub struct Chosen(pub Box<dyn Engine>);

impl Wires for Chosen {
    fn pins(&self) -> Vec<PinPort<'_>> {
        list(self.0.ports(), |n| self.0.offset(n))
    }
    #[inline]
    fn inputs(&mut self) -> &mut [u32] {
        self.0.in_mut()
    }
    #[inline]
    fn outputs(&self) -> &[u32] {
        self.0.out()
    }
    #[inline]
    fn cycle(&mut self) {
        self.0.cycle();
    }
    fn ahead(&self) -> bool {
        self.0.ahead()
    }
    fn apply(&mut self) {
        self.0.settle();
    }
    #[inline]
    fn edge(&mut self) {
        self.0.edge();
    }
}
