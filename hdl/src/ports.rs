// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ports of a block by index, as 32-bit words, so that benches need not know its type.

use rust_hdl::prelude::*;

/// Direction of a port, seen from the block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dir {
    /// Into the block.
    In,
    /// Out of the block.
    Out,
}

/// One port. Structs are one packed vector, first field least significant; arrays are one port an element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Port {
    /// Name in the exported Verilog.
    pub name: String,
    /// Direction.
    pub dir: Dir,
    /// Width in bits.
    pub width: usize,
}

impl Port {
    /// 32-bit words the port takes.
    pub fn words(&self) -> usize {
        self.width.div_ceil(32)
    }
}

/// A value a port can have.
pub trait PortValue: Synth {
    /// From words, least significant first; bits beyond the width are ignored.
    fn from_words(words: &[u32]) -> Self {
        let mut at = 0;
        Self::unpack(words, &mut at)
    }
    /// Into `words`, least significant first.
    fn to_words(&self, words: &mut [u32]) {
        words.fill(0);
        let mut at = 0;
        self.pack(words, &mut at);
    }
    /// Reads the value at bit `at` and moves `at` behind it.
    fn unpack(words: &[u32], at: &mut usize) -> Self;
    /// Writes the value at bit `at` of zeroed words and moves `at` behind it.
    fn pack(&self, words: &mut [u32], at: &mut usize);
}

fn bit(words: &[u32], at: usize) -> bool {
    (words[at / 32] >> (at % 32)) & 1 == 1
}

impl PortValue for bool {
    fn unpack(words: &[u32], at: &mut usize) -> Self {
        *at += 1;
        bit(words, *at - 1)
    }
    fn pack(&self, words: &mut [u32], at: &mut usize) {
        words[*at / 32] |= u32::from(*self) << (*at % 32);
        *at += 1;
    }
}

impl PortValue for Clock {
    fn unpack(words: &[u32], at: &mut usize) -> Self {
        Clock {
            clk: bool::unpack(words, at),
        }
    }
    fn pack(&self, words: &mut [u32], at: &mut usize) {
        self.clk.pack(words, at);
    }
}

impl<const N: usize> PortValue for Bits<N> {
    fn unpack(words: &[u32], at: &mut usize) -> Self {
        let start = *at;
        *at += N;
        if N <= 32 {
            let low = u64::from(words[start / 32]);
            let high = words.get(start / 32 + 1).map_or(0, |w| u64::from(*w) << 32);
            let value = ((low | high) >> (start % 32)) & ((1u64 << N) - 1);
            return value.into();
        }
        let mut all = [false; N];
        for (i, one) in all.iter_mut().enumerate() {
            *one = bit(words, start + i);
        }
        Bits::Long(all.into())
    }

    fn pack(&self, words: &mut [u32], at: &mut usize) {
        let start = *at;
        *at += N;
        if let Bits::Short(short) = self {
            let value = u64::from(short.short()) << (start % 32);
            words[start / 32] |= value as u32;
            if start % 32 + N > 32 {
                words[start / 32 + 1] |= (value >> 32) as u32;
            }
            return;
        }
        for i in 0..N {
            words[(start + i) / 32] |= u32::from(self.get_bit(i)) << ((start + i) % 32);
        }
    }
}

/// Access to the ports of a block by index.
pub trait PortAccess {
    /// The ports, in the order of declaration.
    fn ports(&self) -> Vec<Port>;
    /// Sets input `index`.
    fn set_input(&mut self, index: usize, words: &[u32]);
    /// Reads port `index`.
    fn get_output(&self, index: usize, words: &mut [u32]);
}

/// A block with port access, of any type.
pub trait DynBlock: PortAccess + Send {
    /// Updates until nothing changes; false if that does not happen within `limit` passes.
    fn settle(&mut self, limit: usize) -> bool;
    /// Names of the signals that changed in the last pass: what a design that does not settle is at.
    fn unsettled(&self) -> Vec<String>;
    /// Marks the inputs as connected; before checks and simulation.
    fn connect(&mut self);
    /// The Verilog with `name` as top module; on an instance never simulated.
    fn export(&mut self, name: &str) -> Result<String, crate::export::ExportError>;
    /// Findings of the lint.
    fn lint(&self) -> Vec<String>;
}

/// Collects what changed, with the names of the blocks around it.
#[derive(Default)]
struct Unsettled {
    path: Vec<String>,
    names: Vec<String>,
}

impl Probe for Unsettled {
    fn visit_start_scope(&mut self, name: &str, _node: &dyn Block) {
        self.path.push(name.into());
    }
    fn visit_start_namespace(&mut self, name: &str, _node: &dyn Block) {
        self.path.push(name.into());
    }
    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        if signal.changed() {
            self.names.push(format!("{}.{name}", self.path.join(".")));
        }
    }
    fn visit_end_namespace(&mut self, _name: &str, _node: &dyn Block) {
        self.path.pop();
    }
    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.path.pop();
    }
}

impl<B: Block + PortAccess + Send> DynBlock for B {
    fn settle(&mut self, limit: usize) -> bool {
        simulate(self, limit)
    }
    fn unsettled(&self) -> Vec<String> {
        let mut found = Unsettled::default();
        self.accept("top", &mut found);
        found.names
    }
    fn connect(&mut self) {
        self.connect_all();
    }
    fn export(&mut self, name: &str) -> Result<String, crate::export::ExportError> {
        crate::export::export(self, name)
    }
    fn lint(&self) -> Vec<String> {
        crate::lint::lint(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round<const N: usize>(at: usize) {
        let words: Vec<u32> = (1..6u32).map(|i| i.wrapping_mul(0x9E37_79B9)).collect();
        let (mut from, mut to, mut out) = (at, at, vec![0u32; 5]);
        let value = Bits::<N>::unpack(&words, &mut from);
        value.pack(&mut out, &mut to);
        assert_eq!((from, to), (at + N, at + N));
        for i in 0..160 {
            assert_eq!(
                bit(&out, i),
                i >= at && i < at + N && bit(&words, i),
                "width {N} at {at}, bit {i}"
            );
        }
    }

    #[test]
    fn values_survive_packing_at_any_offset() {
        for at in 0..40 {
            round::<1>(at);
            round::<7>(at);
            round::<32>(at);
            round::<33>(at);
            round::<100>(at);
        }
    }
}
