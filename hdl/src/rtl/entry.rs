// SPDX-License-Identifier: MIT OR Apache-2.0
//! Layout of an MPT entry: the only place that knows bit positions.
//!
//! ```text
//!  word 0 ............ MPTW-1 | MPTW ................ MPTN-1      (BEAT bits each)
//!  hot: MptHot, zero padded   | cold: generation, next, bound, budget, zero padded
//! ```
//! Entry `i` starts at ICM word `i << MPTA` of space 0. The cache fetches the hot words only.
//! States: 0 never used, 1 retired, 2 free (waits for fast registration; a window: unbound), 3 valid.
//! Kinds: 0 region, 1 for fast registration, 2 window of type 1, 3 of type 2A, 4 of type 2B, 5 null region.
//! Rights: 0 local_write, 1 remote_write, 2 remote_read, 3 remote_atomic, 4 mw_bind, 5 zero_based,
//! 6 on_demand, 7 flush_global, 8 flush_persistent.
//! [`HotUnpack`] is combinational and costs no logic.

use super::prelude::*;

/// The cached part; the first field is the least significant.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct MptHot {
    /// Secret (above) and variant (low 8 bits) of the remote key.
    pub rkey: Bits<KEYW>,
    /// The same of the local key.
    pub lkey: Bits<KEYW>,
    /// Life of the entry.
    pub state: Bits<2>,
    /// Region, window, ...
    pub kind: Bits<3>,
    /// Rights and flags.
    pub rights: Bits<9>,
    /// Page size code.
    pub page: Bits<3>,
    /// Protection domain.
    pub pd: Bits<PDW>,
    /// First address.
    pub start: Bits<VAW>,
    /// Bytes.
    pub length: Bits<RLW>,
    /// First MTT word, or the physical address of a contiguous region.
    pub base: Bits<PAW>,
    /// Map epoch: changes with every retirement.
    pub epoch: Bits<EPW>,
    /// Lease colour.
    pub colour: Bit,
    /// Queue pair of a type 2 window.
    pub qpn: Bits<QPW>,
    /// Region of a window.
    pub parent: Bits<PARK>,
    /// Its map epoch, which can't change while the window is bound.
    pub parent_epoch: Bits<PARE>,
    /// Of a window: what an address needs to become a position in its region's pages (contiguous: a physical address).
    pub origin: Bits<ORGW>,
}

/// Bits of the whole entry.
pub const ENTRYW: usize = MPTN * BEAT;
/// Bits of the generation.
pub const GENW: usize = 24;
/// First bit of each field of the entry, in order; the last four are cold.
pub const AT: [usize; 20] = {
    let w = [KEYW, KEYW, 2, 3, 9, 3, PDW, VAW, RLW, PAW, EPW, 1, QPW, PARK, PARE, ORGW];
    let mut at = [0; 20];
    let mut i = 0;
    while i < 16 {
        at[i + 1] = at[i] + w[i];
        i += 1;
    }
    at[16] = MPTLINE;
    at[17] = MPTLINE + GENW;
    at[18] = at[17] + K;
    at[19] = at[18] + 8;
    at
};

/// Cuts the hot words into fields.
#[derive(LogicBlock, SmartDefault)]
pub struct HotUnpack {
    /// The hot words, word 0 least significant.
    pub line: Signal<In, Bits<MPTLINE>>,
    /// Their fields.
    pub hot: Signal<Out, MptHot>,
    #[default(constant(AT[1]))]
    at_lkey: Constant<Bits<12>>,
    #[default(constant(AT[2]))]
    at_state: Constant<Bits<12>>,
    #[default(constant(AT[3]))]
    at_kind: Constant<Bits<12>>,
    #[default(constant(AT[4]))]
    at_rights: Constant<Bits<12>>,
    #[default(constant(AT[5]))]
    at_page: Constant<Bits<12>>,
    #[default(constant(AT[6]))]
    at_pd: Constant<Bits<12>>,
    #[default(constant(AT[7]))]
    at_start: Constant<Bits<12>>,
    #[default(constant(AT[8]))]
    at_length: Constant<Bits<12>>,
    #[default(constant(AT[9]))]
    at_base: Constant<Bits<12>>,
    #[default(constant(AT[10]))]
    at_epoch: Constant<Bits<12>>,
    #[default(constant(AT[11]))]
    at_colour: Constant<Bits<12>>,
    #[default(constant(AT[12]))]
    at_qpn: Constant<Bits<12>>,
    #[default(constant(AT[13]))]
    at_parent: Constant<Bits<12>>,
    #[default(constant(AT[14]))]
    at_parent_epoch: Constant<Bits<12>>,
    #[default(constant(AT[15]))]
    at_origin: Constant<Bits<12>>,
}

impl Logic for HotUnpack {
    #[hdl_gen]
    fn update(&mut self) {
        self.hot.next.rkey = self.line.val().get_bits::<KEYW>(0);
        self.hot.next.lkey = self.line.val().get_bits::<KEYW>(self.at_lkey.val().index());
        self.hot.next.state = self.line.val().get_bits::<2>(self.at_state.val().index());
        self.hot.next.kind = self.line.val().get_bits::<3>(self.at_kind.val().index());
        self.hot.next.rights = self.line.val().get_bits::<9>(self.at_rights.val().index());
        self.hot.next.page = self.line.val().get_bits::<3>(self.at_page.val().index());
        self.hot.next.pd = self.line.val().get_bits::<PDW>(self.at_pd.val().index());
        self.hot.next.start = self.line.val().get_bits::<VAW>(self.at_start.val().index());
        self.hot.next.length = self.line.val().get_bits::<RLW>(self.at_length.val().index());
        self.hot.next.base = self.line.val().get_bits::<PAW>(self.at_base.val().index());
        self.hot.next.epoch = self.line.val().get_bits::<EPW>(self.at_epoch.val().index());
        self.hot.next.colour = self.line.val().get_bit(self.at_colour.val().index());
        self.hot.next.qpn = self.line.val().get_bits::<QPW>(self.at_qpn.val().index());
        self.hot.next.parent = self.line.val().get_bits::<PARK>(self.at_parent.val().index());
        self.hot.next.parent_epoch = self.line.val().get_bits::<PARE>(self.at_parent_epoch.val().index());
        self.hot.next.origin = self.line.val().get_bits::<ORGW>(self.at_origin.val().index());
    }
}
