// SPDX-License-Identifier: MIT OR Apache-2.0
//! From the key numbers of a case to the keys the device gave (docs/conformance.md, "Keys").

use crate::model::Params;

/// A handle of a case and its real keys.
#[derive(Clone, Debug)]
pub struct Handle {
    pub name: String,
    /// Index in the case.
    pub index: u32,
    /// Low byte in the case.
    pub variant: u32,
    pub lkey: u32,
    pub rkey: u32,
    pub live: bool,
}

impl Handle {
    /// The key presented on a side: a window has no local one, a null region no remote one, so the one they have is.
    pub fn base(&self, remote: bool) -> u32 {
        let (own, other) = if remote {
            (self.rkey, self.lkey)
        } else {
            (self.lkey, self.rkey)
        };
        if own == 0 {
            other
        } else {
            own
        }
    }
}

/// All handles a case ever had, in order.
#[derive(Debug, Default)]
pub struct Handles(pub Vec<Handle>);

impl Handles {
    /// The newest handle of a name.
    pub fn named(&mut self, name: &str) -> Option<&mut Handle> {
        self.0.iter_mut().rev().find(|handle| handle.name == name)
    }

    /// The live handle of an index, else the last one that had it.
    fn owner(&self, index: u32) -> Option<&Handle> {
        let mut having = self.0.iter().rev().filter(|handle| handle.index == index);
        let newest = having.clone().next();
        having.find(|handle| handle.live).or(newest)
    }

    /// The key belongs to a handle that is dead (then bad_key and stale_key are one).
    pub fn retired(&self, key: u32) -> bool {
        self.owner(key >> 8).is_some_and(|handle| !handle.live)
    }

    /// The real keys for a key of the case; all of them must give the expected outcome.
    pub fn map(&self, params: &Params, key: u32, remote: bool) -> Vec<u32> {
        if key == 0 {
            return vec![0];
        }
        if let Some(owner) = self.owner(key >> 8) {
            let mut wrong = owner.base(remote) ^ (key & 0xff) ^ owner.variant;
            // A wrong low byte must not happen to be the right one for the other side.
            if wrong == owner.base(!remote) && wrong != owner.base(remote) {
                wrong ^= 0x80;
            }
            let mut keys = vec![wrong];
            // An older holder of the index had exactly this number: its real key must behave alike.
            if owner.variant != key & 0xff {
                let old = |handle: &&Handle| {
                    !handle.live && handle.index == key >> 8 && handle.variant == key & 0xff
                };
                keys.extend(
                    self.0
                        .iter()
                        .rev()
                        .find(old)
                        .map(|handle| handle.base(remote)),
                );
            }
            return keys;
        }
        let swapped = key.swap_bytes();
        let exact = self
            .owner(swapped >> 8)
            .filter(|handle| handle.variant == swapped & 0xff);
        if let Some(handle) = exact {
            return vec![handle.base(remote).swap_bytes()];
        }
        let above = |handle: &&Handle| {
            let differs = handle.index ^ (key >> 8);
            differs.trailing_zeros() >= params.index_bits
        };
        if let Some(handle) = self.0.iter().rev().find(above) {
            let flip = (handle.index ^ (key >> 8)) << 8;
            return vec![handle.base(remote) ^ flip ^ (key & 0xff) ^ handle.variant];
        }
        self.never_given(params, key)
    }

    /// Keys of an index outside the table (if there is one) and of one inside it that was never given.
    fn never_given(&self, params: &Params, key: u32) -> Vec<u32> {
        let given = |index: &u32| {
            self.0
                .iter()
                .any(|handle| params.index(handle.base(true)) == *index)
        };
        let secret = (key >> 8).checked_shl(8 + params.index_bits).unwrap_or(0);
        let make = |index: u32| secret | index << 8 | (key & 0xff).max(1);
        let outside = (params.mrs < 1 << params.index_bits).then_some(params.mrs);
        // Devices may give low or high indices first, so look in the middle.
        let inside = (params.mrs / 2..params.mrs)
            .chain(1..params.mrs / 2)
            .find(|index| !given(index));
        outside.into_iter().chain(inside).map(make).collect()
    }

    /// The key of the other side, for cases about designs whose two keys differ.
    pub fn other_side(&self, key: u32, remote: bool) -> Option<u32> {
        self.owner(key >> 8)
            .map(|handle| handle.base(!remote) ^ (key & 0xff) ^ handle.variant)
    }
}
