// SPDX-License-Identifier: MIT OR Apache-2.0
//! The numbers of a configuration that drivers and scenarios go by.

/// See `docs/internal.md`, "Parameters".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Params {
    pub index_bits: u32,
    pub mrs: u64,
    pub max_request: u64,
    pub va_bits: u32,
    pub region_bits: u32,
    pub pa_bits: u32,
    pub pd_bits: u32,
    pub class_bits: u32,
    pub mtt_bits: u32,
    pub page_bits: u32,
    pub ports: u32,
    pub tag_bits: u32,
    pub inline: u64,
    pub id_bits: u32,
    /// lines of the MPT cache
    pub lines: u64,
    /// entries of the MTT cache
    pub mtt_entries: u64,
    /// entry i of the MPT is at word `i << mpt_shift`
    pub mpt_shift: u32,
    pub misses: u32,
    pub parked: u32,
    /// a drain may last 2^drain_bits cycles
    pub drain_bits: u32,
    pub odp: bool,
    pub atomics: bool,
    pub flush_ops: bool,
    pub fast_reg: bool,
    pub windows: bool,
    pub reregister: bool,
    pub paging: bool,
    pub null: bool,
    pub secrets: bool,
    /// Limits: quotas of entries, of misses, of bad keys.
    pub limits: bool,
    /// Queue pairs with a count of bad keys of their own: 2^qp_bits.
    pub qp_bits: u32,
}

impl Params {
    /// From the constants of a configuration (`latchkey_hdl::ConfigInfo::constants`).
    pub fn new(constants: &[(&str, u64)]) -> Result<Params, String> {
        let get = |name: &str| {
            let found = constants.iter().find(|(n, _)| *n == name);
            found
                .map(|(_, v)| *v)
                .ok_or_else(|| format!("the configuration has no constant {name}"))
        };
        let bits = |name: &str| get(name).map(|v| v as u32);
        let on = |name: &str| get(name).is_ok_and(|v| v != 0);
        Ok(Params {
            index_bits: bits("K")?,
            mrs: get("MRS")?,
            max_request: get("MAXREQ")?,
            va_bits: bits("VAW")?,
            region_bits: bits("RLW")?,
            pa_bits: bits("PAW")?,
            pd_bits: bits("PDW")?,
            class_bits: bits("CLW")?,
            mtt_bits: bits("MAW")?,
            page_bits: bits("PNW")?,
            ports: bits("NP")?,
            tag_bits: bits("TAGW")?,
            inline: get("INL")?,
            id_bits: bits("IDW")?,
            lines: get("WAYS")? << get("SETW")?,
            mtt_entries: get("MWAYS")? << (get("MSETW")? + get("MEB")?),
            mpt_shift: bits("MPTA")?,
            misses: bits("NM")?,
            parked: bits("NPARK")?,
            drain_bits: bits("DRAINW")?,
            odp: get("ODP")? != 0,
            atomics: get("ATOMICS")? != 0,
            flush_ops: get("FLUSH_OPS")? != 0,
            fast_reg: on("FAST_REG"),
            windows: on("WINDOWS"),
            reregister: on("REREGISTER"),
            paging: on("PAGING"),
            null: on("NULL_MR"),
            secrets: on("SECRETS"),
            limits: on("LIMITS"),
            qp_bits: bits("LIMW")?,
        })
    }

    /// Of a configuration that is compiled in.
    pub fn of(config: &str) -> Result<Params, String> {
        let all = latchkey_hdl::configs();
        let Some(info) = all.iter().find(|c| c.name == config) else {
            let names: Vec<&str> = all.iter().map(|c| c.name).collect();
            return Err(format!(
                "no configuration {config:?}; there are {}",
                names.join(", ")
            ));
        };
        Params::new(info.constants)
    }

    /// The same for the reference model.
    pub fn model(&self) -> crate::model::Params {
        crate::model::Params {
            index_bits: self.index_bits,
            mrs: self.mrs as u32,
            va_bits: self.va_bits,
            pa_bits: self.pa_bits,
            pd_bits: self.pd_bits,
            max_request: self.max_request,
            region_bits: self.region_bits,
            pages_bits: self.page_bits,
            mtt_bits: self.mtt_bits,
            inline: self.inline as u32,
            odp: self.odp,
            atomics: self.atomics,
            flush_ops: self.flush_ops,
            fast_reg: self.fast_reg,
            windows: self.windows,
            reregister: self.reregister,
            paging: self.paging,
            null: self.null,
            secrets: self.secrets,
            limits: self.limits,
            qp_bits: self.qp_bits,
        }
    }

    /// `2^bits - 1`.
    pub fn top(bits: u32) -> u64 {
        u64::MAX >> (64 - bits.clamp(1, 64))
    }

    /// Index and page in the `event_info` of a page fault; the page is counted modulo `2^(32 - K)`.
    pub fn fault(&self, info: u32) -> (u32, u64) {
        (
            info & Params::top(self.index_bits) as u32,
            u64::from(info) >> self.index_bits,
        )
    }

    /// Index a key names.
    pub fn index(&self, key: u32) -> u32 {
        (key >> 8) & Params::top(self.index_bits) as u32
    }
}
