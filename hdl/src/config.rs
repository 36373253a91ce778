// SPDX-License-Identifier: MIT OR Apache-2.0
//! A configuration file: reading, checking, derived constants. Shared by the build script and the library.

use serde::Deserialize;
use std::fmt;

/// A configuration as written in `hdl/configs/*.toml`. Field by field: `docs/configurations.md`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Config {
    pub name: String,
    pub key: Key,
    pub width: Width,
    pub ports: Ports,
    pub mpt_cache: MptCache,
    pub mtt_cache: MttCache,
    pub miss: Miss,
    #[serde(default)]
    pub limits: Limits,
    pub icm: Icm,
    pub reg: Reg,
    pub feature: Feature,
}

macro_rules! section {
    ($(#[$m:meta])* $name:ident { $($field:ident : $t:ty),* $(,)? }) => {
        $(#[$m])*
        #[derive(Debug, Clone, Deserialize)]
        #[serde(deny_unknown_fields)]
        #[allow(missing_docs)]
        pub struct $name { $(pub $field: $t),* }
    };
}
section!(/** Key format. */ Key { index_bits: u64, mrs: u64 });
section!(/** Field widths in bits. */ Width {
    iova: u64, request: u64, max_request: u64, region: u64, pa: u64, pd: u64, class: u64, epoch: u64,
    mtt_addr: u64, pages: u64, qpn: u64
});
section!(/** Lookup ports. */ Ports { count: u64, tag_bits: u64, segment_depth: u64, verdict_bits: u64 });
section!(/** Key cache. */ MptCache { ways: u64, set_bits: u64 });
section!(/** Translation cache. */ MttCache { ways: u64, set_bits: u64, line_bits: u64 });
section!(/** Miss handling. */ Miss { mshrs: u64 });
section!(/** Limits on what one QP, class or PD may take. */ #[derive(Default)] Limits { qp_bits: u64 });
section!(/** Memory of the tables. */ Icm { beat: u64 });
section!(/** Registration port. */ Reg { parked: u64, inline: u64, drain_limit: u64 });
section!(/** What is compiled in. */ Feature { odp: bool, windows: bool, fast_reg: bool, reregister: bool, paging: bool, null: bool,
    flush_ops: bool, atomics: bool, secrets: bool, limits: bool });

/// Why a configuration is refused: file, field, value and what to do.
#[derive(Debug, Clone, PartialEq)]
pub struct ConfigError {
    /// File the configuration came from.
    pub file: String,
    /// `section.field`, or empty when the file can't be read as a configuration at all.
    pub field: String,
    /// The value found.
    pub value: String,
    /// What would be legal.
    pub mend: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.field.is_empty() {
            return write!(f, "{}: {}", self.file, self.mend);
        }
        write!(
            f,
            "{}: {} = {}: {}",
            self.file, self.field, self.value, self.mend
        )
    }
}
impl std::error::Error for ConfigError {}

/// Bits needed to count to `n - 1` (0 for n <= 1).
pub fn clog2(n: u64) -> u64 {
    match n {
        0 | 1 => 0,
        _ => 64 - u64::from((n - 1).leading_zeros()),
    }
}

impl Config {
    /// Reads and checks `text`; `file` only names it in messages.
    pub fn parse(file: &str, text: &str) -> Result<Config, ConfigError> {
        let config: Config = toml::from_str(text).map_err(|e| ConfigError {
            file: file.into(),
            field: String::new(),
            value: String::new(),
            mend: format!("{e}\nsee docs/configurations.md for the fields a configuration has"),
        })?;
        config.check(file)?;
        Ok(config)
    }

    /// Name as a Rust identifier.
    pub fn ident(&self) -> String {
        self.name.replace('-', "_")
    }

    fn check(&self, file: &str) -> Result<(), ConfigError> {
        let bad = |field: &str, value: String, mend: String| {
            Err(ConfigError {
                file: file.into(),
                field: field.into(),
                value,
                mend,
            })
        };
        let mut chars = self.name.chars();
        let first = chars.next().is_some_and(|c| c.is_ascii_lowercase());
        if !first || !chars.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-') {
            return bad(
                "name",
                format!("{:?}", self.name),
                "use lower-case letters, digits and `-`, a letter first".into(),
            );
        }
        let (w, f) = (&self.width, &self.feature);
        let top = 1u64
            .checked_shl(w.request as u32)
            .unwrap_or(0)
            .wrapping_sub(1);
        let index = self.key.index_bits;
        for (field, value, low, high) in [
            ("key.index_bits", index, 2, 20),
            ("key.mrs", self.key.mrs, 2, 1u64 << index.min(20)),
            ("width.iova", w.iova, 16, 64),
            ("width.request", w.request, 13, 32),
            ("width.max_request", w.max_request, 2, top),
            ("width.region", w.region, w.request, w.iova),
            ("width.pa", w.pa, 16, 64),
            ("width.pd", w.pd, 1, 24),
            ("width.class", w.class, 1, 4),
            ("width.epoch", w.epoch, 2, 16),
            ("width.mtt_addr", w.mtt_addr, 2, w.pa.min(32)),
            ("width.pages", w.pages, 2, 32),
            ("ports.count", self.ports.count, 1, 8),
            ("ports.tag_bits", self.ports.tag_bits, 1, 8),
            ("ports.segment_depth", self.ports.segment_depth, 2, 16),
            ("ports.verdict_bits", self.ports.verdict_bits, 3, 9),
            ("mpt_cache.ways", self.mpt_cache.ways, 1, 16),
            (
                "mpt_cache.set_bits",
                self.mpt_cache.set_bits,
                1,
                index.saturating_sub(1),
            ),
            ("mtt_cache.ways", self.mtt_cache.ways, 1, 16),
            ("mtt_cache.set_bits", self.mtt_cache.set_bits, 1, 12),
            ("mtt_cache.line_bits", self.mtt_cache.line_bits, 0, 3),
            ("miss.mshrs", self.miss.mshrs, 1, 32),
            ("reg.parked", self.reg.parked, 1, 16),
            ("reg.inline", self.reg.inline, 1, 8),
            ("reg.drain_limit", self.reg.drain_limit, 4, 31),
        ] {
            if value < low || value > high {
                return bad(
                    field,
                    value.to_string(),
                    format!("must be from {low} to {high}"),
                );
            }
        }
        for (field, value) in [
            ("mpt_cache.ways", self.mpt_cache.ways),
            ("mtt_cache.ways", self.mtt_cache.ways),
            ("ports.segment_depth", self.ports.segment_depth),
            ("width.max_request", w.max_request),
        ] {
            if !value.is_power_of_two() {
                let below = 1u64 << (63 - value.leading_zeros());
                return bad(
                    field,
                    value.to_string(),
                    format!("must be a power of two: {below} or {}", below * 2),
                );
            }
        }
        if self.icm.beat != 32 && self.icm.beat != 64 {
            return bad(
                "icm.beat",
                self.icm.beat.to_string(),
                "must be 32 or 64".into(),
            );
        }
        if w.pa - 12 > self.icm.beat - 2 {
            let most = self.icm.beat + 10;
            return bad("width.pa", w.pa.to_string(), format!("a frame (pa - 12 bits) and 2 flags must fit one MTT entry of icm.beat = {} bits: at most {most}, or a wider beat", self.icm.beat));
        }
        if self.ports.count == 1 && self.mtt_cache.line_bits != 0 {
            return bad(
                "mtt_cache.line_bits",
                self.mtt_cache.line_bits.to_string(),
                "must be 0 with ports.count = 1: the walker of one port keeps lines of one entry"
                    .into(),
            );
        }
        if w.qpn != 1 && w.qpn != 24 {
            return bad(
                "width.qpn",
                w.qpn.to_string(),
                "must be 24, or 1 where windows are off".into(),
            );
        }
        if f.windows && w.qpn != 24 {
            return bad(
                "width.qpn",
                w.qpn.to_string(),
                "must be 24 when feature.windows is true".into(),
            );
        }
        let on = || "true".to_string();
        let full = || {
            "needs the full registration port: switch on fast_reg, windows, reregister, paging or null"
                .to_string()
        };
        for (broken, field, value, mend) in [
            (
                f.paging && !f.odp,
                "feature.paging",
                on(),
                "needs feature.odp = true: pages come and go in on-demand regions only".into(),
            ),
            (
                f.paging && self.ports.count == 1,
                "feature.paging",
                on(),
                "needs ports.count of 2 or more: the walker of one port has no way to take a fetched page back".into(),
            ),
            (
                w.pa > w.iova,
                "width.pa",
                w.pa.to_string(),
                format!("must be at most width.iova = {}: a contiguous region's physical addresses are made where its iova is", w.iova),
            ),
            (
                f.paging && w.pages > w.iova,
                "width.pages",
                w.pages.to_string(),
                format!("must be at most width.iova = {} with feature.paging", w.iova),
            ),
            (
                f.secrets && !self.life(),
                "feature.secrets",
                on(),
                full(),
            ),
            (
                f.limits && self.ports.count == 1,
                "feature.limits",
                on(),
                "needs ports.count of 2 or more: the miss unit of one port has two misses and no lists to part".into(),
            ),
            (
                f.limits && w.class > 2,
                "width.class",
                w.class.to_string(),
                "must be 1 or 2 with feature.limits: the quotas of all classes share one register".into(),
            ),
            (
                f.limits && !self.life(),
                "feature.limits",
                on(),
                full(),
            ),
            (
                f.limits && !(2..=16).contains(&self.limits.qp_bits),
                "limits.qp_bits",
                self.limits.qp_bits.to_string(),
                "must be from 2 to 16 with feature.limits: log2 of the queue pairs whose bad keys are counted".into(),
            ),
            (
                f.limits && 2 * (index + 1) > self.icm.beat,
                "icm.beat",
                self.icm.beat.to_string(),
                format!("must be 64 with feature.limits and key.index_bits = {index}: a PD's count and quota share one word"),
            ),
            (
                f.limits && w.qpn != 24,
                "width.qpn",
                w.qpn.to_string(),
                "must be 24 when feature.limits is true".into(),
            ),
            (
                f.secrets && index > 16,
                "key.index_bits",
                index.to_string(),
                "must be at most 16 with feature.secrets: more leave fewer than 15 bits of a key to be drawn".into(),
            ),
        ] {
            if broken {
                return bad(field, value, mend);
            }
        }
        let beats = self.value("MPTW") + self.value("MPTC");
        if beats > 16 {
            return bad("icm.beat", self.icm.beat.to_string(), format!("an entry takes {beats} beats, 16 is the most: use a wider beat or narrower fields"));
        }
        Ok(())
    }

    /// A derived constant by name.
    fn value(&self, name: &str) -> u64 {
        self.constants()
            .iter()
            .find(|(n, _)| *n == name)
            .map_or(0, |(_, v)| *v)
    }
}
