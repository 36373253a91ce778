// SPDX-License-Identifier: MIT OR Apache-2.0
//! The register map, as data. RTL, documents and headers derive from it; nothing else knows an address.
//!
//! Addresses count 32-bit registers. 0x00.. identity and configuration, 0x20 event drops, 0x40.. counters.
//! 0x28.. limits (with `feature.limits`), which can be written. A write is answered with 0; one of any other address changes nothing, and a read of an address
//! not listed gives 0.

/// What a bus master may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Read only.
    Read,
    /// Read and write.
    ReadWrite,
    /// Write; reads 0.
    Write,
}

/// One register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Register {
    /// Name in lower case; headers put `LATCHKEY_` before it.
    pub name: &'static str,
    /// Address in registers of 32 bits.
    pub address: u8,
    /// What a bus master may do.
    pub access: Access,
    /// Bits that mean something.
    pub width: u8,
    /// One line for documents and headers.
    pub about: &'static str,
}

/// First register: "LKEY".
pub const MAGIC: u32 = 0x4C4B_4559;
/// Version of this map.
pub const VERSION: u32 = 1;
/// Address of the first configuration register.
pub const CONFIG_AT: u8 = 2;
/// Address of the count of dropped events.
pub const DROPS_AT: u8 = 0x20;
/// Address of the limit of bad keys.
pub const LIMIT_AT: u8 = 0x28;
/// Address of the quotas of misses.
pub const QUOTA_AT: u8 = 0x29;
/// Address at which a QP is forgiven.
pub const FORGIVE_AT: u8 = 0x2a;
/// Address of the count of lookups refused for their QP.
pub const REFUSED_AT: u8 = 0x2b;
/// Address of counter 0.
pub const COUNTERS_AT: u8 = 0x40;

/// Configuration registers in order: constant of the configuration, and its meaning.
pub const CONFIG: [(&str, &str); 14] = [
    ("K", "index bits of a key"),
    ("MRS", "entries of the table"),
    ("VAW", "bits of an iova"),
    ("PAW", "bits of a physical address"),
    ("PDW", "bits of a protection domain"),
    ("NP", "lookup ports"),
    ("TAGW", "tag bits of a port"),
    ("BEAT", "bits of an ICM beat"),
    ("WAYS", "ways of the MPT cache"),
    ("SETW", "set bits of the MPT cache"),
    ("MWAYS", "ways of the MTT cache"),
    ("MSETW", "set bits of the MTT cache"),
    ("NM", "misses in flight"),
    ("NPARK", "deregistrations that may wait"),
];

/// Counters in order: bit `i` of `Counters::inc` counts entry `i`.
pub const COUNTERS: [(&str, &str); 33] = [
    ("lookups", "requests taken"),
    ("hits", "lookups answered from the MPT cache"),
    ("misses", "lookups that fetched a line"),
    ("merges", "lookups that joined a fetch"),
    ("evictions", "lines replaced"),
    ("dropped_fills", "fills killed on their way"),
    ("replays", "lookups asked again"),
    ("refused_bad_length", "refused: length or operation"),
    ("refused_bad_key", "refused: no such index"),
    ("refused_stale_key", "refused: key no longer or never good"),
    ("refused_wrong_side", "refused: key of the other side"),
    ("refused_pd_mismatch", "refused: protection domain"),
    ("refused_no_permission", "refused: rights"),
    ("refused_out_of_bounds", "refused: range"),
    ("refused_misaligned", "refused: alignment of an atomic"),
    ("refused_not_present", "refused: page not present"),
    ("refused_tag_reuse", "refused: tag in use"),
    ("page_faults", "walks that met a page not present"),
    ("cut_walks", "walks cut by a deregistration"),
    ("segments", "segments given"),
    ("mtt_hits", "translations from the MTT cache"),
    ("mtt_misses", "translations fetched"),
    ("mtt_dropped_fills", "translations dropped on their way"),
    ("flushes", "flush commands done"),
    ("held_slots", "lookup slots lost to a held set walk"),
    ("leases_taken", "leases begun"),
    ("leases_ended", "leases ended"),
    ("unknown_dma_done", "dma_done without a lease"),
    ("parked", "deregistrations parked"),
    ("overdue", "deregistrations given up"),
    ("mtt_sweeps", "sweeps because an epoch came round"),
    ("registers", "regions registered"),
    ("deregisters", "regions deregistered"),
];

/// The whole map, by address.
pub fn registers() -> Vec<Register> {
    let register = |name, address, access, width, about| Register {
        name,
        address,
        access,
        width,
        about,
    };
    let read = |name, address, width, about| register(name, address, Access::Read, width, about);
    let mut all = vec![
        read("magic", 0, 32, "\"LKEY\""),
        read("version", 1, 32, "version of this map"),
    ];
    all.extend(
        (CONFIG_AT..)
            .zip(CONFIG)
            .map(|(at, (name, about))| read(name, at, 32, about)),
    );
    all.push(read(
        "event_drops",
        DROPS_AT,
        8,
        "events dropped, stays at its maximum",
    ));
    all.extend([
        register(
            "bad_key_limit",
            LIMIT_AT,
            Access::ReadWrite,
            9,
            "bits 7..0: bad keys of a queue pair until it is reported, 0 never; bit 8: and refused. A write forgets all counts",
        ),
        register(
            "miss_quota",
            QUOTA_AT,
            Access::ReadWrite,
            32,
            "misses a class may hold, 8 bits a class, 0 no limit",
        ),
        register(
            "forgive",
            FORGIVE_AT,
            Access::Write,
            24,
            "number of a queue pair whose count becomes 0",
        ),
        read(
            "refused_qp_limited",
            REFUSED_AT,
            32,
            "lookups refused for too many bad keys of their queue pair",
        ),
    ]);
    all.extend(
        (COUNTERS_AT..)
            .zip(COUNTERS)
            .map(|(at, (name, about))| read(name, at, 32, about)),
    );
    all
}

/// Number of a counter by name.
pub fn counter(name: &str) -> Option<usize> {
    COUNTERS.iter().position(|(n, _)| *n == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_names_are_unique_and_fit() {
        let all = registers();
        assert!(all.windows(2).all(|w| w[0].address < w[1].address));
        for (i, r) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|o| o.name != r.name), "{}", r.name);
        }
        assert_eq!(counter("deregisters"), Some(32));
    }
}
