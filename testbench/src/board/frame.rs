// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames: kind, number, payload, CRC-32, COBS, zero byte.

use crc::{Crc, CRC_32_ISO_HDLC};

const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);
/// Longest run of bytes without a zero that is kept; the board's longest frame has 31.
const LONGEST: usize = 256;

/// A frame whose CRC was right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// First byte.
    pub kind: u8,
    /// Second byte.
    pub seq: u8,
    /// The rest, without the CRC.
    pub payload: Vec<u8>,
}

/// Bytes on the wire, with a zero byte in front that ends whatever noise came before.
pub fn encode(frame: &Frame) -> Vec<u8> {
    let mut plain = vec![frame.kind, frame.seq];
    plain.extend(&frame.payload);
    plain.extend(CRC.checksum(&plain).to_le_bytes());
    let mut wire = vec![0];
    wire.extend(cobs::encode_vec(&plain));
    wire.push(0);
    wire
}

/// Something between two zero bytes that is no frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Garbage;

/// Takes bytes as they come.
#[derive(Default)]
pub struct Decoder {
    bytes: Vec<u8>,
    spoilt: bool,
}

impl Decoder {
    /// One byte; a frame, or garbage, when it was the last of it.
    pub fn push(&mut self, byte: u8) -> Option<Result<Frame, Garbage>> {
        if byte != 0 {
            self.spoilt |= self.bytes.len() >= LONGEST;
            if !self.spoilt {
                self.bytes.push(byte);
            }
            return None;
        }
        let (bytes, spoilt) = (
            std::mem::take(&mut self.bytes),
            std::mem::take(&mut self.spoilt),
        );
        if bytes.is_empty() {
            return None;
        }
        Some(if spoilt { Err(Garbage) } else { decode(&bytes) })
    }
}

fn decode(bytes: &[u8]) -> Result<Frame, Garbage> {
    let mut plain = cobs::decode_vec(bytes).map_err(|_| Garbage)?;
    let body = plain
        .len()
        .checked_sub(4)
        .filter(|n| *n >= 2)
        .ok_or(Garbage)?;
    let sum = CRC.checksum(&plain[..body]).to_le_bytes();
    if plain[body..] != sum {
        return Err(Garbage);
    }
    plain.truncate(body);
    let payload = plain.split_off(2);
    Ok(Frame {
        kind: plain[0],
        seq: plain[1],
        payload,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn any(rng: &mut ChaCha8Rng) -> Frame {
        let zeros = rng.gen_bool(0.5);
        let payload = (0..rng.gen_range(0..60))
            .map(|_| {
                if zeros && rng.gen_bool(0.5) {
                    0
                } else {
                    rng.gen()
                }
            })
            .collect();
        Frame {
            kind: rng.gen(),
            seq: rng.gen(),
            payload,
        }
    }

    fn all(bytes: &[u8]) -> Vec<Result<Frame, Garbage>> {
        let mut decoder = Decoder::default();
        bytes.iter().filter_map(|b| decoder.push(*b)).collect()
    }

    #[test]
    fn a_frame_comes_back() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..2000 {
            let frame = any(&mut rng);
            assert_eq!(all(&encode(&frame)), [Ok(frame)]);
        }
    }

    #[test]
    fn one_changed_lost_or_added_byte_gives_no_wrong_frame() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        for _ in 0..5000 {
            let frame = any(&mut rng);
            let mut bytes = encode(&frame);
            let at = rng.gen_range(1..bytes.len() - 1);
            match rng.gen_range(0..3) {
                0 => bytes[at] ^= rng.gen_range(1..=255),
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, rng.gen()),
            }
            for found in all(&bytes).into_iter().flatten() {
                assert_eq!(found, frame);
            }
        }
    }

    #[test]
    fn garbage_ends_at_the_next_zero() {
        let frame = Frame {
            kind: 1,
            seq: 2,
            payload: vec![0, 3],
        };
        let mut bytes = vec![7; 1000];
        bytes.extend(encode(&frame));
        assert_eq!(all(&bytes), [Err(Garbage), Ok(frame)]);
    }
}
