// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fields of the pins, resolved once from the engine's port list and then read and written as words.

/// A port of the design as an engine lists it: where its words are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PinPort<'a> {
    /// name of the port
    pub name: &'a str,
    /// width in bits, all lanes together
    pub width: u32,
    /// first word in the engine's input or output words
    pub word: u32,
    /// is it an input of the design?
    pub input: bool,
}

/// One port as a vector of `lanes` fields of `width` bits (at most 64).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Field {
    word: u32,
    width: u32,
}

#[inline]
fn mask(width: u32) -> u64 {
    if width >= 64 {
        u64::MAX
    } else {
        (1u64 << width) - 1
    }
}

impl Field {
    /// A field at a word, of lanes of `width` bits.
    pub fn new(word: u32, width: u32) -> Field {
        assert!(
            (1..=64).contains(&width),
            "a lane has 1 to 64 bits, not {width}"
        );
        Field { word, width }
    }

    /// Bits of a lane.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Reads a lane.
    #[inline]
    pub fn get(&self, words: &[u32], lane: usize) -> u64 {
        let bit = lane as u32 * self.width;
        let (w, s) = ((self.word + bit / 32) as usize, bit % 32);
        let mut v = u64::from(words[w]) >> s;
        let end = s + self.width;
        if end > 32 {
            v |= u64::from(words[w + 1]) << (32 - s);
            if end > 64 {
                v |= u64::from(words[w + 2]) << (64 - s);
            }
        }
        v & mask(self.width)
    }

    /// Writes a lane; bits above the width are dropped.
    #[inline]
    pub fn set(&self, words: &mut [u32], lane: usize, value: u64) {
        let value = value & mask(self.width);
        let bit = lane as u32 * self.width;
        let (w, s) = ((self.word + bit / 32) as usize, bit % 32);
        let end = s + self.width;
        let m = mask(self.width);
        words[w] = (words[w] & !((m << s) as u32)) | (value << s) as u32;
        if end > 32 {
            let (m, v) = (m >> (32 - s), value >> (32 - s));
            words[w + 1] = (words[w + 1] & !(m as u32)) | v as u32;
            if end > 64 {
                words[w + 2] = (words[w + 2] & !((m >> 32) as u32)) | (v >> 32) as u32;
            }
        }
    }

    /// One-bit lanes of up to 32 ports as a mask.
    #[inline]
    pub fn bits(&self, words: &[u32]) -> u32 {
        words[self.word as usize]
    }

    /// Writes the one-bit lanes of up to 32 ports.
    #[inline]
    pub fn set_bits(&self, words: &mut [u32], bits: u32) {
        words[self.word as usize] = bits;
    }
}

/// Looks up a pin; `lanes` must divide its width.
pub fn field(ports: &[PinPort], name: &str, lanes: u32, input: bool) -> Result<Field, String> {
    let p = ports
        .iter()
        .find(|p| p.name == name)
        .ok_or_else(|| format!("the design has no pin {name}"))?;
    if p.input != input {
        let dir = if input { "an input" } else { "an output" };
        return Err(format!("pin {name} is not {dir} of the design"));
    }
    if p.width % lanes != 0 || p.width / lanes == 0 || p.width / lanes > 64 {
        return Err(format!(
            "pin {name}: {} bits are not {lanes} fields of 1 to 64",
            p.width
        ));
    }
    Ok(Field::new(p.word, p.width / lanes))
}

macro_rules! pins {
    ($( $(#[$doc:meta])* $f:ident : $lanes:ident $dir:ident ),* $(,)?) => {
        /// Every pin of `latchkey_core` but clock and reset. Lanes: `np` one a port, `one`, `inl` one an inline entry.
        #[derive(Clone, Copy, Debug, Default)]
        pub struct Pins {
            /// number of lookup ports
            pub np: u32,
            $( $(#[$doc])* #[allow(missing_docs)] pub $f: Field, )*
        }
        impl Pins {
            /// Resolves all pins. The number of ports is the width of `lookup_valid`.
            pub fn new(ports: &[PinPort]) -> Result<Pins, String> {
                let wide = |n: &str| ports.iter().find(|p| p.name == n).map_or(0, |p| p.width);
                let np = wide("lookup_valid").max(1);
                let beat = wide("page_data").max(1);
                let inl = (wide("reg_inline") / beat).max(1);
                let lanes = |kind: &str| match kind {
                    "np" => np,
                    "inl" => inl,
                    _ => 1,
                };
                Ok(Pins { np, $( $f: field(ports, stringify!($f), lanes(stringify!($lanes)), stringify!($dir) == "i")?, )* })
            }
        }
    };
}

pins! {
    lookup_valid: np i, lookup_ready: np o, lookup_tag: np i, lookup_key: np i, lookup_side: np i,
    lookup_qpn: np i, lookup_pd: np i, lookup_va: np i, lookup_len: np i, lookup_op: np i,
    lookup_walk: np i, lookup_class: np i,
    verdict_valid: np o, verdict_ready: np i, verdict_tag: np o, verdict_granted: np o,
    verdict_class: np o, verdict_cause: np o,
    segment_valid: np o, segment_ready: np i, segment_tag: np o, segment_pa: np o, segment_len: np o,
    segment_last: np o, segment_status: np o,
    dma_done_valid: np i, dma_done_ready: np o, dma_done_tag: np i,
    reg_valid: one i, reg_ready: one o, reg_op: one i, reg_tag: one i, reg_key: one i, reg_pd: one i,
    reg_iova: one i, reg_length: one i, reg_access: one i, reg_page: one i, reg_base: one i,
    reg_pages: one i, reg_mode: one i, reg_inline: inl i,
    reg_key2: one i, reg_qpn: one i, reg_extra: one i,
    page_valid: one i, page_ready: one o, page_data: one i, page_last: one i,
    rsp_valid: one o, rsp_ready: one i, rsp_tag: one o, rsp_code: one o, rsp_lkey: one o,
    rsp_rkey: one o, rsp_state: one o, rsp_pd: one o, rsp_iova: one o, rsp_length: one o,
    rsp_access: one o,
    icm_req_valid: one o, icm_req_ready: one i, icm_req_id: one o, icm_req_write: one o,
    icm_req_space: one o, icm_req_addr: one o, icm_req_len: one o, icm_req_data: one o,
    icm_req_last: one o,
    icm_rsp_valid: one i, icm_rsp_ready: one o, icm_rsp_id: one i, icm_rsp_data: one i,
    icm_rsp_last: one i,
    event_valid: one o, event_ready: one i, event_kind: one o, event_info: one o,
    csr_valid: one i, csr_ready: one o, csr_write: one i, csr_addr: one i, csr_wdata: one i,
    csr_rvalid: one o, csr_rdata: one o,
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};

    #[test]
    fn lanes_do_not_disturb_each_other() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(3);
        for width in 1..=64 {
            let f = Field::new(1, width);
            let lanes = 7;
            let mut words = vec![rng.gen::<u32>(); 1 + (lanes * width as usize).div_ceil(32) + 1];
            let edge = (words[0], *words.last().unwrap());
            let mut want = vec![0u64; lanes];
            for (l, w) in want.iter_mut().enumerate() {
                *w = f.get(&words, l);
            }
            for _ in 0..200 {
                let (l, v) = (rng.gen_range(0..lanes), rng.gen::<u64>());
                f.set(&mut words, l, v);
                want[l] = v & mask(width);
                for (l, w) in want.iter().enumerate() {
                    assert_eq!(f.get(&words, l), *w, "width {width} lane {l}");
                }
            }
            assert_eq!(edge, (words[0], *words.last().unwrap()));
        }
    }

    #[test]
    fn a_missing_pin_is_named() {
        let e = Pins::new(&[]).unwrap_err();
        assert_eq!(e, "the design has no pin lookup_valid");
    }
}
