// SPDX-License-Identifier: MIT OR Apache-2.0
//! Constants of a configuration, given and derived, as the RTL sees them (`docs/internal.md` names them).
//! Rust has no `Bits<{A * B}>`, so packed products are constants of their own.

use super::config::{clog2, Config};

/// Field widths of the cached (hot) part of an MPT entry, first field least significant.
fn hot(c: &Config) -> [u64; 16] {
    let (w, key) = (&c.width, 32 - c.key.index_bits);
    [
        key,
        key,
        2,
        3,
        9,
        3,
        w.pd,
        w.iova,
        w.region,
        w.pa,
        w.epoch,
        1,
        w.qpn,
        c.if_windows(c.key.index_bits),
        c.if_windows(w.epoch),
        c.if_windows(w.iova),
    ]
}

/// Widths of the part only the registration port reads: generation, next free index, bound windows, page budget.
fn cold(c: &Config) -> [u64; 4] {
    [24, c.key.index_bits, 8, c.width.pages]
}

impl Config {
    /// A width that only windows need; an unused bit without them.
    fn if_windows(&self, bits: u64) -> u64 {
        if self.feature.windows {
            bits
        } else {
            1
        }
    }

    /// Any command beyond register, deregister, query and flush.
    pub fn life(&self) -> bool {
        let f = &self.feature;
        f.fast_reg || f.windows || f.reregister || f.paging || f.null
    }

    /// Every constant, in the order it is written out.
    pub fn constants(&self) -> Vec<(&'static str, u64)> {
        let (w, p, f) = (&self.width, &self.ports, &self.feature);
        let (k, beat, np, nm) = (self.key.index_bits, self.icm.beat, p.count, self.miss.mshrs);
        let (npark, inl) = (self.reg.parked, self.reg.inline);
        let portw = clog2(np).max(1);
        let slotw = if np == 1 {
            p.tag_bits
        } else {
            portw + p.tag_bits
        };
        let wayw = clog2(self.mpt_cache.ways).max(1);
        let mwayw = clog2(self.mtt_cache.ways).max(1);
        let mset = self.mtt_cache.set_bits;
        let (hotb, coldb) = (
            hot(self).iter().sum::<u64>(),
            cold(self).iter().sum::<u64>(),
        );
        let (mptw, mptc) = (hotb.div_ceil(beat), coldb.div_ceil(beat));
        let mpta = clog2(mptw + mptc);
        let frw = w.pa.saturating_sub(12);
        let pdwin = (w.mtt_addr + w.pages + 1).div_ceil(beat);
        let adw = (k + mpta).max(w.mtt_addr).max(w.pd + clog2(pdwin));
        let meb = self.mtt_cache.line_bits;
        let one = np == 1;
        // a position in a region's pages, or the physical address of a contiguous one; page borders a request may cross
        let posw = w.pa.max(w.region.max(30) + 1).min(w.iova);
        // slow carry chains: the position is added in two parts, this wide the lower
        let suml = w.iova.saturating_sub(1).min(30);
        // with limits each class has a list of its own for misses that found no MSHR
        let (ovl, qpb) = if f.limits {
            (1 << w.class, self.limits.qp_bits)
        } else {
            (1, 1)
        };
        let exw = w.request.saturating_sub(12).max(1);
        let mut all = vec![
            ("K", k),
            ("MRS", self.key.mrs),
            ("SECW", 24 - k),
            ("KEYW", 32 - k),
            ("DEEP", 31 - k),
            ("FLAT", 23 - k),
            ("VAW", w.iova),
            ("LENW", w.request),
            ("MAXREQ", w.max_request),
            ("MAXB", clog2(w.max_request)),
            ("RLW", w.region),
            ("PAW", w.pa),
            ("PDW", w.pd),
            ("CLW", w.class),
            ("CLASSES", 1 << w.class),
            ("EPW", w.epoch),
            ("MAW", w.mtt_addr),
            ("PNW", w.pages),
            ("QPW", w.qpn),
            ("NP", np),
            ("PORTW", portw),
            ("TAGW", p.tag_bits),
            ("TAGS", 1 << p.tag_bits),
            ("SLOTW", slotw),
            ("SLOTS", 1 << slotw),
            ("SEGD", p.segment_depth),
            ("SEGDW", clog2(p.segment_depth)),
            ("VDW", p.verdict_bits),
            ("VDC", p.verdict_bits + 1),
            ("SHORT", u64::from(np == 1)),
            ("WAYS", self.mpt_cache.ways),
            ("WAYW", wayw),
            ("SETW", self.mpt_cache.set_bits),
            ("SETS", 1 << self.mpt_cache.set_bits),
            ("TAGB", k.saturating_sub(self.mpt_cache.set_bits)),
            ("LINEA", self.mpt_cache.set_bits + wayw),
            ("MWAYS", self.mtt_cache.ways),
            ("MWAYW", mwayw),
            ("MSETW", mset),
            ("MSETS", 1 << mset),
            ("MLINEA", mset + mwayw),
            ("MEB", meb),
            ("MEN", 1 << meb),
            ("MELINE", beat << meb),
            ("NM", nm),
            ("NMW", clog2(nm).max(1)),
            ("IDW", clog2(nm + np + 1)),
            ("BEAT", beat),
            ("FRW", frw),
            ("ADW", adw),
            ("PDWIN", pdwin),
            ("NPARK", npark),
            ("NPARKW", clog2(npark).max(1)),
            ("INL", inl),
            ("INLW", clog2(inl).max(1)),
            ("DRAINW", self.reg.drain_limit),
            ("HOTB", hotb),
            ("COLDB", coldb),
            ("MPTW", mptw),
            ("MPTC", mptc),
            ("MPTA", mpta),
            ("MPTN", mptw + mptc),
            ("MPTLINE", mptw * beat),
            ("PARK", self.if_windows(k)),
            ("PARE", self.if_windows(w.epoch)),
            ("ORGW", self.if_windows(w.iova)),
            ("HELDW", if f.paging { 1 << slotw } else { 1 }),
            ("HELDT", if f.paging { 1 << p.tag_bits } else { 1 }),
            ("LEASEW", (k + w.epoch) * if f.windows { 2 } else { 1 }),
            (
                "LEASEB",
                k + w.epoch + self.if_windows(k) + self.if_windows(w.epoch),
            ),
            ("RLW1", w.region + 1),
            ("LIMW", qpb),
            ("HELDM", clog2(nm + 1)),
            ("NC", 33),
            ("NCW", 6),
            ("NP_TAGW", np * p.tag_bits),
            ("NP_32", np * 32),
            ("NP_24", np * 24),
            ("NP_PDW", np * w.pd),
            ("NP_VAW", np * w.iova),
            ("NP_4", np * 4),
            ("NP_2", np * 2),
            ("NP_CLW", np * w.class),
            ("NP_3", np * 3),
            ("NP_PAW", np * w.pa),
            ("NP_K", np * k),
            ("NP_EPW", np * w.epoch),
            ("NP_SLOTW", np * slotw),
            ("NP_LENW", np * w.request),
            ("NP_KEYW", np * (32 - k)),
            ("NP_MAW", np * w.mtt_addr),
            ("NP_FRW", np * frw),
            ("NPARK_K", npark * k),
            ("NPARK_EPW", npark * w.epoch),
            ("NPARK_SLOTW", npark * slotw),
            ("NPARK_DRAINW", npark * self.reg.drain_limit),
            ("INL_BEAT", inl * beat),
            ("NM_K", nm * k),
            ("NM_SLOTW", nm * slotw),
            ("CODEW", (32 - k).max(w.mtt_addr)),
            ("OWNW", w.pd.max(w.epoch + if one { p.tag_bits } else { 0 })),
            ("SLOTRW", if one { p.tag_bits + 1 } else { slotw }),
            ("POSW", posw),
            ("EXW", exw),
            ("ADRW", if one { w.iova.max(posw + exw) } else { w.iova }),
            ("PAHW", w.pa.saturating_sub(30).max(1)),
            ("LENW1", w.request + 1),
            ("VAW1", w.iova + 1),
            ("BEATCW", clog2(mptw).max(1)),
            ("PGW", w.pages.max(w.pa.saturating_sub(30)).max(1)),
            ("VDCW", p.verdict_bits + 1),
            ("TAGCW", p.tag_bits + 1),
            ("SEGCW", clog2(p.segment_depth) + 1),
            ("TAGR", k.saturating_sub(self.mpt_cache.set_bits) + 2),
            ("MLINEW", w.pages.saturating_sub(meb)),
            ("MOWNW", k + w.epoch),
            ("MTAGB", k + w.epoch + w.pages.saturating_sub(meb + mset)),
            (
                "MTAGR",
                k + w.epoch + w.pages.saturating_sub(meb + mset) + 2,
            ),
            ("VLO", w.iova / 2),
            ("VLO1", w.iova / 2 + 1),
            ("VHI", w.iova - w.iova / 2),
            ("VHI1", w.iova - w.iova / 2 + 1),
            ("SUML", suml),
            ("SUML2", suml + 2),
            ("SUMH", w.iova - suml),
            ("OVL", ovl),
            ("NM1", nm + ovl),
            ("TALLYW", if np == 1 { 1 } else { slotw + 2 }),
            ("EVD", if np == 1 { 1 } else { 3 }),
            ("NML", clog2(nm + ovl).max(1)),
            ("RHI", w.region.saturating_sub(w.iova / 2)),
            ("RHI1", w.region.saturating_sub(w.iova / 2) + 1),
        ];
        for (name, on) in [
            ("ODP", f.odp),
            ("WINDOWS", f.windows),
            ("FAST_REG", f.fast_reg),
            ("REREGISTER", f.reregister),
            ("PAGING", f.paging),
            ("NULL_MR", f.null),
            ("FLUSH_OPS", f.flush_ops),
            ("ATOMICS", f.atomics),
            ("SECRETS", f.secrets),
            ("LIMITS", f.limits),
        ] {
            all.push((name, u64::from(on)));
        }
        all
    }

    /// The switches, for `F_<NAME>: bool` beside the 0/1 constants.
    pub fn features(&self) -> Vec<(&'static str, bool)> {
        let f = &self.feature;
        vec![
            ("F_ODP", f.odp),
            ("F_WINDOWS", f.windows),
            ("F_FAST_REG", f.fast_reg),
            ("F_REREGISTER", f.reregister),
            ("F_PAGING", f.paging),
            ("F_NULL_MR", f.null),
            ("F_FLUSH_OPS", f.flush_ops),
            ("F_ATOMICS", f.atomics),
            ("F_SECRETS", f.secrets),
            ("F_LIMITS", f.limits),
        ]
    }
}
