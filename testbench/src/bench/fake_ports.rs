// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pins of the behavioural core, as docs/interface.md lists them.

use super::params::Params;

/// Name, width, input.
pub fn ports(p: &Params) -> Vec<(&'static str, u32, bool)> {
    let n = p.ports;
    let beat = if p.pa_bits > 40 { 64 } else { 32 };
    let tag = n * p.tag_bits;
    vec![
        ("reset", 1, true), ("lookup_valid", n, true), ("lookup_ready", n, false), ("lookup_tag", tag, true),
        ("lookup_key", n * 32, true), ("lookup_side", n, true), ("lookup_qpn", n * 24, true),
        ("lookup_pd", n * p.pd_bits, true), ("lookup_va", n * p.va_bits, true), ("lookup_len", n * 32, true),
        ("lookup_op", n * 4, true), ("lookup_walk", n, true), ("lookup_class", n * p.class_bits, true),
        ("verdict_valid", n, false), ("verdict_ready", n, true), ("verdict_tag", tag, false),
        ("verdict_granted", n, false), ("verdict_class", n * 3, false), ("verdict_cause", n * 4, false),
        ("segment_valid", n, false), ("segment_ready", n, true), ("segment_tag", tag, false),
        ("segment_pa", n * p.pa_bits, false), ("segment_len", n * 32, false), ("segment_last", n, false),
        ("segment_status", n * 2, false), ("dma_done_valid", n, true), ("dma_done_ready", n, false),
        ("dma_done_tag", tag, true), ("reg_valid", 1, true), ("reg_ready", 1, false), ("reg_op", 5, true),
        ("reg_tag", 8, true), ("reg_key", 32, true), ("reg_pd", p.pd_bits, true), ("reg_iova", p.va_bits, true),
        ("reg_length", p.region_bits, true), ("reg_access", 32, true), ("reg_page", 3, true),
        ("reg_base", p.pa_bits, true), ("reg_pages", p.page_bits, true), ("reg_mode", 2, true),
        ("reg_inline", p.inline as u32 * beat, true), ("page_valid", 1, true), ("page_ready", 1, false),
        ("page_data", beat, true), ("page_last", 1, true), ("rsp_valid", 1, false), ("rsp_ready", 1, true),
        ("rsp_tag", 8, false), ("rsp_code", 4, false), ("rsp_lkey", 32, false), ("rsp_rkey", 32, false),
        ("rsp_state", 2, false), ("rsp_pd", p.pd_bits, false), ("rsp_iova", p.va_bits, false),
        ("rsp_length", p.region_bits, false), ("rsp_access", 10, false), ("icm_req_valid", 1, false),
        ("icm_req_ready", 1, true), ("icm_req_id", p.id_bits, false), ("icm_req_write", 1, false),
        ("icm_req_space", 2, false), ("icm_req_addr", 32, false), ("icm_req_len", 4, false),
        ("icm_req_data", beat, false), ("icm_req_last", 1, false), ("icm_rsp_valid", 1, true),
        ("icm_rsp_ready", 1, false), ("icm_rsp_id", p.id_bits, true), ("icm_rsp_data", beat, true),
        ("icm_rsp_last", 1, true), ("event_valid", 1, false), ("event_ready", 1, true), ("event_kind", 4, false),
        ("event_info", 32, false), ("csr_valid", 1, true), ("csr_ready", 1, false), ("csr_write", 1, true),
        ("csr_addr", 8, true), ("csr_wdata", 32, true), ("csr_rvalid", 1, false), ("csr_rdata", 32, false),
    ]
}
