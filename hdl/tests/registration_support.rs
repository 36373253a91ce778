// SPDX-License-Identifier: MIT OR Apache-2.0
//! Directed tests of the blocks beside the registration port: counters, register port, events, ICM port, block-RAM ICM.

use latchkey_hdl::configs::tiny::rtl::prelude::*;
use latchkey_hdl::configs::tiny::rtl::{
    csr_port::CsrPort, events::Events, icm_bram::IcmBram, icm_port::IcmPort,
};
use latchkey_hdl::csr;
use std::collections::VecDeque;

macro_rules! half {
    ($d:expr, $level:expr) => {
        $d.clock.next = Clock { clk: $level };
        assert!(simulate($d.as_mut(), 200), "does not settle");
    };
}

macro_rules! fresh {
    ($t:ty) => {{
        let mut d = Box::new(<$t>::default());
        d.connect_all();
        d.reset.next = true;
        for _ in 0..2 {
            half!(d, false);
            half!(d, true);
        }
        d.reset.next = false;
        d
    }};
}

/// Counters that share a word with another, which counts.
fn first(i: usize) -> usize {
    match i {
        17 => 15,
        20 => 19,
        _ => i,
    }
}

/// Counts of the words asked for after `cycles` of `pulses`.
macro_rules! counted {
    ($config:ident, $cycles:expr, $pulses:expr, $asked:expr) => {{
        use latchkey_hdl::configs::$config::rtl::counters::Counters;
        let mut d = fresh!(Counters);
        let mut want = [0u64; NC];
        let mut got = vec![];
        for cycle in 0..$cycles {
            let mut inc: Bits<NC> = 0.into();
            for (i, w) in want.iter_mut().enumerate() {
                let pulse: bool = $pulses(cycle, i);
                inc = inc.replace_bit(i, pulse);
                *w += u64::from(pulse);
            }
            d.inc.next = inc;
            half!(d, false);
            half!(d, true);
        }
        d.inc.next = 0.into();
        for i in $asked {
            let (mut low, mut high) = (None, None);
            d.read.next = true;
            d.index.next = (i as u64).to_bits();
            for _ in 0..2 * NC {
                half!(d, false);
                if d.at_low.val() {
                    low = Some(d.part.val().to_u64());
                }
                if d.at_high.val() {
                    high = Some(d.part.val().to_u64());
                    break;
                }
                half!(d, true);
            }
            half!(d, true);
            got.push((i, low.zip(high).map(|(l, h)| h << 16 | l)));
        }
        (want, got)
    }};
}

#[test]
fn counters_lose_nothing_when_all_pulse_in_every_cycle() {
    let pulses = |_: u64, _: usize| true;
    let (want, got) = counted!(tiny, 70_000u64, pulses, 0..NC);
    for (i, value) in got {
        assert_eq!(value, Some(want[first(i)]), "counter {i}");
    }
    let mixed = |cycle: u64, i: usize| (cycle * 7 + i as u64) % 5 == 0 || i < 20 && cycle % 64 != 9;
    let (want, got) = counted!(tiny, 900u64, mixed, 0..NC);
    for (i, value) in got {
        assert_eq!(value, Some(want[first(i)]), "counter {i}");
    }
}

/// With one port the words of rare pulses count a few bits only: as many pulses as `most` speaks of, as close as they may be.
#[test]
fn counters_of_one_port_lose_nothing_at_the_least_intervals() {
    let least = |i: usize| match i {
        6 => 3,
        4 | 5 | 15 | 18 | 21 | 22 => 5,
        23 | 28 | 29 | 30 | 31 | 32 => 9,
        _ => 1,
    };
    let pulses = |cycle: u64, i: usize| cycle % least(i) == 0;
    let (want, got) = counted!(alchitry_cu, 3_000u64, pulses, 0..NC);
    for (i, value) in got {
        assert_eq!(value, Some(want[first(i)]), "counter {i}");
    }
}

#[test]
fn counters_that_are_treated_apart_are_the_ones_meant() {
    assert_eq!(csr::counter("page_faults"), Some(17));
    assert_eq!(csr::counter("refused_not_present"), Some(15));
    assert_eq!(csr::counter("mtt_hits"), Some(20));
    assert_eq!(csr::counter("segments"), Some(19));
    let names: Vec<_> = [4, 5, 6, 15, 18, 21, 22, 23, 28, 29, 30, 31, 32]
        .map(|i| csr::COUNTERS[i].0)
        .into();
    assert_eq!(
        names,
        [
            "evictions",
            "dropped_fills",
            "replays",
            "refused_not_present",
            "cut_walks",
            "mtt_misses",
            "mtt_dropped_fills",
            "flushes",
            "parked",
            "overdue",
            "mtt_sweeps",
            "registers",
            "deregisters"
        ]
    );
}

/// A word in a FIFO is at the pins at once, in order, and no cycle is lost, whatever the pattern.
#[test]
fn ram_fifo_is_a_queue_without_bubbles() {
    use latchkey_hdl::configs::tiny::rtl::concrete::RamFifoShort;
    let mut d = fresh!(RamFifoShort);
    let mut inside: VecDeque<u64> = VecDeque::new();
    let (mut seed, mut sent, mut most) = (7u64, 0u64, 0);
    for cycle in 0..40_000u64 {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let (a, b) = (seed >> 40 & 7, seed >> 50 & 7);
        let (fill, drain) = [
            (7, 3),
            (3, 7),
            (8, 8),
            (8, 4),
            (4, 8),
            (1, 1),
            (5, 5),
            (8, 1),
        ][(cycle >> 5) as usize & 7];
        let push = a < fill && inside.len() < 9;
        d.push.next = push;
        d.data_in.next = (sent & 511).to_bits();
        d.pop.next = b < drain;
        half!(d, false);
        assert_eq!(d.valid.val(), !inside.is_empty(), "cycle {cycle}");
        if let Some(first) = inside.front() {
            assert_eq!(d.data.val().to_u64(), first & 511, "cycle {cycle}");
            if b < drain {
                inside.pop_front();
            }
        }
        if push {
            inside.push_back(sent);
            sent += 1;
        }
        most = most.max(inside.len());
        half!(d, true);
    }
    assert!(most == 9 && sent > 10_000);
}

#[test]
fn csr_answers_identity_configuration_and_counters() {
    let mut d = fresh!(CsrPort);
    d.drops.next = 9u64.to_bits();
    for (addr, write, want) in [
        (0u64, false, csr::MAGIC),
        (0, true, 0),
        (2, false, K as u32),
        (15, false, NPARK as u32),
        (0x20, false, 9),
        (0x1F, false, 0),
        (0x40 + NC as u64, false, 0),
        (0x45, false, 3),
        (0x60, false, 0),
    ] {
        let (mut sent, mut got) = (false, None);
        for cycle in 0..2 * NC + 20 {
            d.csr_valid.next = !sent;
            d.csr_addr.next = addr.to_bits();
            d.csr_write.next = write;
            d.inc.next = if addr == 0x45 && cycle < 3 {
                (1u64 << 5).to_bits()
            } else {
                0.into()
            };
            half!(d, false);
            sent |= d.csr_ready.val();
            if d.csr_rvalid.val() {
                got = Some(d.csr_rdata.val().to_u64());
                break;
            }
            half!(d, true);
        }
        half!(d, true);
        assert_eq!(got, Some(u64::from(want)), "address {addr:x}");
    }
}

#[test]
fn events_keep_order_of_a_source_and_count_what_does_not_fit() {
    let mut d = fresh!(Events);
    let mut got = vec![];
    let mut dropped = 0;
    for cycle in 0..60u64 {
        d.pf_valid.next = cycle < 12;
        d.pf_index.next = 5u64.to_bits();
        d.pf_page.next = cycle.to_bits();
        d.reuse_valid.next = cycle == 0;
        d.reuse_info.next = 6u64.to_bits();
        d.reg_valid.next = cycle == 0;
        d.reg_kind.next = 2u64.to_bits();
        d.reg_info.next = 13u64.to_bits();
        d.event_ready.next = cycle > 30;
        half!(d, false);
        dropped += usize::from(d.dropped.val());
        if d.event_valid.val() && cycle > 30 {
            got.push((d.event_kind.val().to_u64(), d.event_info.val().to_u64()));
        }
        half!(d, true);
    }
    assert_eq!(got[0], (2, 13));
    assert_eq!(got.len() + dropped, 14);
    assert_eq!(d.drops.val().index(), dropped);
    assert!(got.contains(&(4, 6)));
    let pages: Vec<u64> = got.iter().filter(|g| g.0 == 1).map(|g| g.1 >> K).collect();
    assert!(
        pages.windows(2).all(|w| w[0] < w[1])
            && got.iter().filter(|g| g.0 == 1).all(|g| g.1 & 15 == 5)
    );
}

/// The ICM port and the block-RAM ICM, wired together; the answers are delayed now and then by the clients.
#[test]
fn three_clients_share_the_block_ram_icm() {
    let mut p = fresh!(IcmPort);
    let mut m = fresh!(IcmBram);
    let mut writes: VecDeque<(u64, u64, Vec<u64>)> = [
        (0, 1 << MPTA, (100..100 + MPTN as u64).collect()),
        (1, 7, vec![55]),
        (1, 1000, vec![1]),
    ]
    .into();
    let (mut beat, mut acks, mut mpt, mut mtt) = (0, 0, vec![], vec![]);
    let (mut mpt_asked, mut mtt_asked, mut stage) = (0, 0, 0);
    for cycle in 0..4000u64 {
        let w = writes.front().cloned();
        p.reg_valid.next = w.is_some();
        let (space, addr, words) = w.unwrap_or((0, 0, vec![0]));
        p.reg_write.next = true;
        p.reg_space.next = space.to_bits();
        p.reg_addr.next = addr.to_bits();
        p.reg_len.next = (words.len() as u64 - 1).to_bits();
        p.reg_data.next = words[beat].to_bits();
        p.reg_last.next = beat + 1 == words.len();
        if acks == 3 && stage == 0 {
            stage = 1;
        }
        p.mpt_valid.next = stage == 1 && mpt_asked < 3;
        p.mpt_id.next = (mpt_asked % 2u64).to_bits();
        p.mpt_index.next = if mpt_asked == 2 {
            2u64.to_bits()
        } else {
            1u64.to_bits()
        };
        p.mtt_valid.next = stage == 1 && mtt_asked < 3;
        p.mtt_port.next = (mtt_asked % 2u64).to_bits();
        p.mtt_addr.next = [7u64, 1000, 8][mtt_asked as usize % 3].to_bits();
        p.mptr_ready.next = cycle % 3 == 0;
        p.mttr_ready.next = cycle % 4 == 0;
        half!(m, false);
        p.icm_req_ready.next = m.icm_req_ready.val();
        p.icm_rsp_valid.next = m.icm_rsp_valid.val();
        p.icm_rsp_id.next = m.icm_rsp_id.val();
        p.icm_rsp_data.next = m.icm_rsp_data.val();
        p.icm_rsp_last.next = m.icm_rsp_last.val();
        half!(p, false);
        m.icm_req_valid.next = p.icm_req_valid.val();
        m.icm_req_id.next = p.icm_req_id.val();
        m.icm_req_write.next = p.icm_req_write.val();
        m.icm_req_space.next = p.icm_req_space.val();
        m.icm_req_addr.next = p.icm_req_addr.val();
        m.icm_req_len.next = p.icm_req_len.val();
        m.icm_req_data.next = p.icm_req_data.val();
        m.icm_req_last.next = p.icm_req_last.val();
        m.icm_rsp_ready.next = p.icm_rsp_ready.val();
        half!(m, false);
        if p.reg_valid.val() && p.reg_ready.val() {
            beat += 1;
            if beat == words.len() {
                beat = 0;
                writes.pop_front();
            }
        }
        mpt_asked += u64::from(p.mpt_valid.val() && p.mpt_ready.val());
        mtt_asked += u64::from(p.mtt_valid.val() && p.mtt_ready.val());
        acks += u64::from(p.ricm_valid.val());
        if p.mptr_valid.val() && p.mptr_ready.val() {
            mpt.push((
                p.mptr_id.val().to_u64(),
                p.mptr_data.val().to_u64(),
                p.mptr_last.val(),
            ));
        }
        if p.mttr_valid.val() && p.mttr_ready.val() {
            mtt.push((
                p.mttr_port.val().to_u64(),
                p.mttr_data.val().to_u64(),
                p.mttr_last.val(),
            ));
        }
        half!(m, true);
        half!(p, true);
    }
    let n = MPTW as u64;
    let mut want: Vec<_> = (0..2 * n)
        .map(|i| (i / n, 100 + i % n, i % n == n - 1))
        .collect();
    want.extend((0..n).map(|i| (0, 0, i == n - 1)));
    assert_eq!(mpt, want);
    assert_eq!(mtt, [(0, 55, true), (1, 0, true), (0, 0, true)]);
}
