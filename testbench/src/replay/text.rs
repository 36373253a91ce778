// SPDX-License-Identifier: MIT OR Apache-2.0
//! The result of a replay for people.

use super::report::Replay;
use std::fmt::Write;

/// Exceptions shown; all are in the JSON.
const SHOWN: usize = 40;

fn counted<'a>(list: impl IntoIterator<Item = (String, &'a u64)>) -> String {
    let parts: Vec<String> = list
        .into_iter()
        .filter(|(_, n)| **n > 0)
        .map(|(name, n)| format!("{n} {name}"))
        .collect();
    if parts.is_empty() {
        "none".into()
    } else {
        parts.join(", ")
    }
}

fn word(value: impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().replace('_', " ")
}

impl Replay {
    /// A table, then the packets that need a word.
    pub fn text(&self) -> String {
        let mut s = String::new();
        let mut line = |name: &str, value: String| {
            let _ = writeln!(s, "{name:<16} {value}");
        };
        let (p, t) = (&self.packets, &self.requests);
        line(
            "capture",
            format!("{} on {} ({})", self.capture, self.config, self.engine),
        );
        let windows = match self.regions.windows_as_regions {
            0 => String::new(),
            n => format!(", {n} windows as regions"),
        };
        let from = match &self.regions.file {
            Some(file) => format!("from {file}"),
            None => "inferred from the traffic".into(),
        };
        line(
            "regions",
            format!(
                "{} {from}, {} protection domains{windows}",
                self.regions.known, self.regions.domains
            ),
        );
        for note in &self.regions.notes {
            line("  note", note.clone());
        }
        let ends = if p.cut_file {
            ", the file ends inside a packet"
        } else {
            ""
        };
        line(
            "frames",
            format!(
                "{}, {} of RC and UC ({} IPv6, {} VLAN, {} cut){ends}",
                p.frames, p.packets, p.ipv6, p.vlan, p.cut_payload
            ),
        );
        line(
            "  left out",
            counted(p.skipped.iter().map(|(k, n)| (word(k), n))),
        );
        line(
            "  seen again",
            format!(
                "{} READs looked up again, {} others not",
                p.repeated_reads, p.repeated_others
            ),
        );
        line(
            "  gaps",
            format!("{} in {} sequences", p.gaps, p.connections),
        );
        let requests: u64 = t.kinds.values().map(|k| k.requests).sum();
        let refused: u64 = t.kinds.values().map(|k| k.refused).sum();
        line(
            "requests",
            format!(
                "{requests}: {} granted, {refused} refused",
                requests - refused
            ),
        );
        for (kind, k) in &t.kinds {
            line(
                &format!("  {kind}"),
                format!(
                    "{}: {} granted, {} refused",
                    k.requests, k.granted, k.refused
                ),
            );
        }
        line(
            "  refused for",
            counted(t.causes.iter().map(|(k, n)| (k.clone(), n))),
        );
        if t.invalidations != [0, 0] {
            line(
                "  invalidate",
                format!(
                    "{} carried out, {} refused",
                    t.invalidations[0], t.invalidations[1]
                ),
            );
        }
        line(
            "lookups",
            format!(
                "{} ({} a cycle), {} granted",
                self.run.lookups, self.run.lookups_per_cycle, self.run.grants
            ),
        );
        line(
            "segments",
            format!(
                "{} ({} a cycle)",
                self.run.segments, self.run.segments_per_cycle
            ),
        );
        line(
            "commands",
            format!(
                "{} registrations, {} deregistrations",
                self.run.registrations, self.run.deregistrations
            ),
        );
        line("hit rate", format!("{:.2} %", self.run.hit_rate * 100.0));
        let l = &self.run.latency;
        for (name, q) in [
            ("hit", l.hit),
            ("miss", l.miss),
            ("first segment", l.segment),
        ] {
            line(
                &format!("  {name}"),
                format!(
                    "p50 {} p99 {} p99.9 {} max {} cycles of {}",
                    q.p50, q.p99, q.p999, q.max, q.count
                ),
            );
        }
        let m = &t.matches;
        line(
            "acknowledged",
            format!(
                "{} granted, {} refused with a reason",
                m.acknowledged, m.ack_refused
            ),
        );
        line(
            "NAKs",
            format!(
                "{}: {} matched by a refusal, {} granted with a reason",
                counted(p.naks.iter().map(|(k, n)| (k.clone(), n))),
                t.naks_matched,
                m.nak_granted
            ),
        );
        line(
            "no answer",
            format!("{} granted, {} refused", m.unanswered[0], m.unanswered[1]),
        );
        if m.as_expected > 0 {
            line(
                "by the rules",
                format!("{} as the file of regions expects", m.as_expected),
            );
        }
        line(
            "exceptions",
            counted(t.reasons.iter().map(|(k, n)| (word(k), n))),
        );
        line("mismatches", self.mismatches.to_string());
        for wrong in &t.wrong {
            line("  differs", wrong.clone());
        }
        if let Some(fault) = &self.run.fault {
            line("fault", fault.clone());
            self.run.recent.iter().for_each(|r| line("", r.clone()));
        }
        line("reproduce", self.reproduce.clone());
        self.exceptions(&mut s);
        s
    }

    fn exceptions(&self, s: &mut String) {
        let mut list: Vec<_> = self.requests.exceptions.iter().collect();
        // what fails first
        list.sort_by_key(|e| (!e.reason.fails(), e.frame));
        if !list.is_empty() {
            let _ = writeln!(s, "\nframe  capture | core | request | why");
        }
        for e in list.iter().take(SHOWN) {
            let _ = writeln!(
                s,
                "{:<6} {} | {} | {} {} | {}",
                e.frame, e.capture, e.core, e.op, e.request, e.why
            );
        }
        if list.len() > SHOWN {
            let _ = writeln!(s, "... {} more, see --json", list.len() - SHOWN);
        }
    }
}
