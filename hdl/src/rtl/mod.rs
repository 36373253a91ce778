// SPDX-License-Identifier: MIT OR Apache-2.0
//! The design. Compiled once per configuration; every file starts with `use super::prelude::*;`.

pub mod arbiter;
pub mod concrete;
pub mod core;
pub mod counters;
pub mod csr_port;
pub mod cut_match;
pub mod decide;
pub mod entry;
pub mod events;
pub mod fair;
pub mod flush;
pub mod icm_bram;
pub mod icm_port;
pub mod key_alloc;
pub mod key_cipher;
pub mod lane_table;
pub mod life_entry;
pub mod life_flow;
pub mod life_judge;
pub mod life_port;
pub mod life_sums;
pub mod limits;
pub mod line_phase;
pub mod line_table;
pub mod lookup_direct;
pub mod lookup_port;
pub mod lut_table;
pub mod may_look;
pub mod miss;
pub mod miss_few;
pub mod miss_list;
pub mod mpt_cache;
pub mod mpt_check;
pub mod miss_quota;
pub mod mtt_miss;
pub mod mtt_pipe;
pub mod mtt_place;
pub mod mtt_sweep;
pub mod next_word;
pub mod no_limits;
pub mod out_fifo;
pub mod page_cut;
pub mod page_now;
pub mod parked;
pub mod pd_quota;
pub mod port_state;
pub mod qp_count;
pub mod ram_fifo;
pub mod reg_args;
pub mod reg_entry;
pub mod reg_flow;
pub mod reg_list;
pub mod reg_port;
pub mod reg_publish;
pub mod req_decode;
pub mod slot_request;
pub mod table;
pub mod tag_way;
pub mod tags;
pub mod tally;
pub mod two_words;
pub mod types;
pub mod walk_ctx;
pub mod walker_many;
pub mod walker_one;

/// What every file here needs: rust-hdl, the constants of the configuration, the shared structs.
pub mod prelude {
    pub use super::super::p::*;
    pub use super::entry::*;
    pub use super::types::*;
    pub use rust_hdl::prelude::*;
    pub use smart_default::SmartDefault;

    /// Ones from bit `from` up to, without, bit `to`, as far as there are bits.
    pub fn ones<const W: usize>(from: usize, to: usize) -> Bits<W> {
        let mut b: Bits<W> = 0.into();
        for i in from..to.min(W) {
            b = b.replace_bit(i, true);
        }
        b
    }

    /// A constant of the configuration as a part of a block, which its `update` may read.
    pub fn constant<const N: usize>(value: usize) -> Constant<Bits<N>> {
        Constant::new((value as u64).to_bits())
    }
}
