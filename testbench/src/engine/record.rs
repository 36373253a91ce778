// SPDX-License-Identifier: MIT OR Apache-2.0
//! VCD of the ports, the same from either engine.

use super::{EngineError, Layout};
use latchkey_hdl::ports::Dir;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use vcd::{IdCode, ReferenceIndex, TimescaleUnit, Value, VarType, Writer};

/// Nanoseconds a cycle in the file (100 MHz).
const PERIOD: u64 = 10;

/// An open VCD file. Inputs are shown from the start of their cycle, outputs as they are after its edge.
pub struct Recorder {
    out: Writer<BufWriter<File>>,
    ids: Vec<IdCode>,
    last: Vec<Vec<u32>>,
    cycle: u64,
}

impl Recorder {
    /// Opens the file and writes its header.
    pub fn create(path: &Path, layout: &Layout) -> Result<Recorder, EngineError> {
        let file = File::create(path).map_err(EngineError::io(path))?;
        let mut out = Writer::new(BufWriter::new(file));
        let ids = header(&mut out, layout).map_err(EngineError::io(path))?;
        let last = layout.ports().iter().map(|_| Vec::new()).collect();
        Ok(Recorder {
            out,
            ids,
            last,
            cycle: 0,
        })
    }

    /// Writes one cycle.
    pub fn cycle(
        &mut self,
        layout: &Layout,
        inputs: &[u32],
        outputs: &[u32],
    ) -> std::io::Result<()> {
        let start = self.cycle * PERIOD;
        self.cycle += 1;
        self.out.timestamp(start)?;
        if let Some(clock) = layout.clock() {
            self.out.change_vector(self.ids[clock], [Value::V0])?;
        }
        self.changes(layout, Dir::In, inputs)?;
        self.out.timestamp(start + PERIOD / 2)?;
        if let Some(clock) = layout.clock() {
            self.out.change_vector(self.ids[clock], [Value::V1])?;
        }
        self.changes(layout, Dir::Out, outputs)
    }

    fn changes(&mut self, layout: &Layout, dir: Dir, words: &[u32]) -> std::io::Result<()> {
        for (index, port) in layout.ports().iter().enumerate() {
            if port.dir != dir || layout.clock() == Some(index) {
                continue;
            }
            let at = layout.offset(index);
            let now = &words[at..at + port.words()];
            if self.last[index] != now {
                let bits = (0..port.width)
                    .rev()
                    .map(|b| Value::from((now[b / 32] >> (b % 32)) & 1 == 1));
                self.out.change_vector(self.ids[index], bits)?;
                self.last[index] = now.to_vec();
            }
        }
        Ok(())
    }
}

fn header(out: &mut Writer<BufWriter<File>>, layout: &Layout) -> std::io::Result<Vec<IdCode>> {
    out.timescale(1, TimescaleUnit::NS)?;
    out.add_module("top")?;
    let mut ids = Vec::new();
    for port in layout.ports() {
        let range = (port.width > 1).then(|| ReferenceIndex::Range(port.width as i32 - 1, 0));
        ids.push(out.add_var(VarType::Wire, port.width as u32, &port.name, range)?);
    }
    out.upscope()?;
    out.enddefinitions()?;
    Ok(ids)
}
