// SPDX-License-Identifier: MIT OR Apache-2.0
//! The frames of a pcap or pcapng file, one at a time; the file may be larger than the memory.

use super::CaptureError;
use pcap_file::pcap::PcapReader;
use pcap_file::pcapng::blocks::interface_description::{
    InterfaceDescriptionBlock, InterfaceDescriptionOption,
};
use pcap_file::pcapng::{Block, PcapNgReader};
use pcap_file::{PcapError, TsResolution};
use std::borrow::Cow;
use std::cell::Cell;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::rc::Rc;

/// A frame as the file has it.
#[derive(Clone, Debug)]
pub struct Frame<'a> {
    /// from 1, as capture tools count
    pub number: u64,
    /// nanoseconds since 1970
    pub nanos: u64,
    /// link type number of the capture formats
    pub link: u32,
    /// bytes on the wire
    pub wire: u32,
    /// bytes that were captured
    pub data: Cow<'a, [u8]>,
}

/// Counts the bytes that went through it.
struct Counted<R> {
    inner: R,
    bytes: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let n = self.inner.read(to)?;
        self.bytes.set(self.bytes.get() + n as u64);
        Ok(n)
    }
}

type Input = Counted<Box<dyn Read>>;

enum Format {
    Pcap(Box<PcapReader<Input>>),
    PcapNg(Box<PcapNgReader<Input>>),
}

/// Reads frames in the order of the file.
pub struct Reader {
    file: String,
    format: Format,
    bytes: Rc<Cell<u64>>,
    frames: u64,
    ended: bool,
    cut: bool,
}

const MEND: &str = "a capture is a pcap or pcapng file, not compressed; see docs/captures.md";

impl Reader {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<Reader, CaptureError> {
        let file = std::fs::File::open(path).map_err(|e| CaptureError {
            file: path.display().to_string(),
            what: format!("cannot be opened: {e}"),
            mend: "check the name of the capture and that you may read it".into(),
        })?;
        Reader::new(&path.display().to_string(), Box::new(file))
    }

    /// Reads from anything; `file` is its name in messages.
    pub fn new(file: &str, mut from: Box<dyn Read>) -> Result<Reader, CaptureError> {
        let bad = |what: String| CaptureError {
            file: file.into(),
            what,
            mend: MEND.into(),
        };
        let mut magic = [0; 4];
        if let Err(e) = from.read_exact(&mut magic) {
            return Err(bad(match e.kind() {
                ErrorKind::UnexpectedEof => "is shorter than the head of a capture".into(),
                _ => format!("cannot be read: {e}"),
            }));
        }
        let bytes = Rc::new(Cell::new(0));
        let input = Counted {
            inner: Box::new(std::io::Cursor::new(magic).chain(from)) as Box<dyn Read>,
            bytes: bytes.clone(),
        };
        let broken = |e: PcapError| bad(format!("the head of the file is broken: {}", words(&e)));
        let format = match u32::from_be_bytes(magic) {
            0x0a0d_0d0a => Format::PcapNg(Box::new(PcapNgReader::new(input).map_err(broken)?)),
            0xa1b2_c3d4 | 0xa1b2_3c4d | 0xd4c3_b2a1 | 0x4d3c_b2a1 => {
                Format::Pcap(Box::new(PcapReader::new(input).map_err(broken)?))
            }
            other => {
                return Err(bad(format!(
                    "begins with 0x{other:08x}, which is neither pcap nor pcapng"
                )))
            }
        };
        Ok(Reader {
            file: file.into(),
            format,
            bytes,
            frames: 0,
            ended: false,
            cut: false,
        })
    }

    /// Bytes read so far.
    pub fn bytes(&self) -> u64 {
        self.bytes.get()
    }

    /// Frames given so far.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// The file ended inside a packet.
    pub fn cut(&self) -> bool {
        self.cut
    }

    /// The next frame; `None` at the end of the file, also when that is inside a packet.
    pub fn next_frame(&mut self) -> Result<Option<Frame<'_>>, CaptureError> {
        if self.ended {
            return Ok(None);
        }
        let number = self.frames + 1;
        let got = match &mut self.format {
            Format::Pcap(reader) => pcap(reader, number),
            Format::PcapNg(reader) => pcapng(reader, number),
        };
        match got {
            Ok(Some(frame)) => {
                self.frames = number;
                Ok(Some(frame))
            }
            Ok(None) => {
                self.ended = true;
                Ok(None)
            }
            Err(PcapError::IncompleteBuffer) => {
                (self.ended, self.cut) = (true, true);
                Ok(None)
            }
            Err(PcapError::IoError(e)) if e.kind() == ErrorKind::UnexpectedEof => {
                (self.ended, self.cut) = (true, true);
                Ok(None)
            }
            Err(e) => {
                self.ended = true;
                Err(CaptureError {
                    file: self.file.clone(),
                    what: format!("packet {number} is broken: {}", words(&e)),
                    mend: MEND.into(),
                })
            }
        }
    }
}

fn words(e: &PcapError) -> String {
    match e {
        PcapError::IoError(e) => e.to_string(),
        other => other.to_string(),
    }
}

fn pcap(reader: &mut PcapReader<Input>, number: u64) -> Result<Option<Frame<'_>>, PcapError> {
    let head = reader.header();
    let unit = match head.ts_resolution {
        TsResolution::NanoSecond => 1,
        TsResolution::MicroSecond => 1000,
    };
    // Raw packets: a length above the file's limit is no reason to give up.
    let Some(packet) = reader.next_raw_packet().transpose()? else {
        return Ok(None);
    };
    Ok(Some(Frame {
        number,
        nanos: u64::from(packet.ts_sec) * 1_000_000_000 + u64::from(packet.ts_frac) * unit,
        // the upper bits tell of a frame check sequence
        link: u32::from(head.datalink) & 0xffff,
        wire: packet.orig_len,
        data: packet.data,
    }))
}

/// Link type, nanoseconds of a tick as (multiplier, divisor), offset in seconds.
type Interface = (u32, (u64, u64), u64);

fn interface(block: &InterfaceDescriptionBlock<'_>) -> Interface {
    let (mut resolution, mut offset) = (6, 0);
    for option in &block.options {
        match option {
            InterfaceDescriptionOption::IfTsResol(n) => resolution = *n,
            InterfaceDescriptionOption::IfTsOffset(n) => offset = *n,
            _ => {}
        }
    }
    let power = u32::from(resolution & 0x7f);
    let unit = match (resolution & 0x80 != 0, power) {
        (true, n) => (1_000_000_000, 1u64.checked_shl(n).unwrap_or(0)),
        (false, n @ 0..=9) => (10u64.pow(9 - n), 1),
        (false, n) => (1, 10u64.checked_pow(n - 9).unwrap_or(0)),
    };
    (u32::from(block.linktype), unit, offset)
}

fn pcapng(reader: &mut PcapNgReader<Input>, number: u64) -> Result<Option<Frame<'_>>, PcapError> {
    loop {
        // The list before the block: the block borrows the reader.
        let interfaces: Vec<Interface> = reader.interfaces().iter().map(interface).collect();
        let frame = |id: u32, ticks: u64, wire, data| -> Result<Frame<'static>, PcapError> {
            let (link, (times, parts), offset) = *interfaces
                .get(id as usize)
                .ok_or(PcapError::InvalidInterfaceId(id))?;
            let nanos = u128::from(ticks) * u128::from(times) / u128::from(parts.max(1));
            Ok(Frame {
                number,
                nanos: (nanos as u64).wrapping_add(offset.wrapping_mul(1_000_000_000)),
                link,
                wire,
                data,
            })
        };
        let Some(block) = reader.next_block().transpose()? else {
            return Ok(None);
        };
        return Ok(Some(match block {
            Block::EnhancedPacket(p) => {
                // the library takes every tick for a nanosecond
                let ticks = p.timestamp.as_nanos() as u64;
                frame(p.interface_id, ticks, p.original_len, own(p.data))?
            }
            Block::Packet(p) => frame(
                u32::from(p.interface_id),
                p.timestamp,
                p.original_len,
                own(p.data),
            )?,
            Block::SimplePacket(p) => frame(0, 0, p.original_len, own(p.data))?,
            _ => continue,
        }));
    }
}

fn own(data: Cow<'_, [u8]>) -> Cow<'static, [u8]> {
    Cow::Owned(data.into_owned())
}
