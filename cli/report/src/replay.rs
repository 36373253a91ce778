// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page of `latchkey sim --capture`.

use crate::page::{facts, page, state, table};
use crate::scale::{percent, thousands};
use crate::sim_parts::{causes, fault, hits, latencies, summary, words};
use latchkey_testbench::replay::Replay;
use maud::{html, Markup};

/// Exceptions shown; all are in the JSON.
const SHOWN: usize = 100;

/// The page.
pub fn html(r: &Replay) -> String {
    let t = &r.run;
    let stretches: Vec<_> = r
        .hit_rate_over_time
        .iter()
        .map(|s| (s.frame, s.hits, s.misses))
        .collect();
    let mut reasons: Vec<String> = t.fault.iter().cloned().collect();
    reasons.extend(r.requests.wrong.iter().cloned());
    if r.requests.matches.mismatched > 0 {
        reasons.push(format!(
            "{} answers of the capture differ without a reason",
            r.requests.matches.mismatched
        ));
    }
    let what = if r.passed() {
        "Core, model and capture agree."
    } else {
        "Failed:"
    };
    page(
        &format!("Latchkey: capture {}", name(&r.capture)),
        html! { "Replayed on " (r.config) ", simulated cycle by cycle (engine: " (r.engine) "). Seed " (r.seed) "." },
        state(r.passed(), what, &reasons),
        html! {
            h2 { "The capture" }
            (capture(r))
            h2 { "Requests" }
            (requests(r))
            h2 { "Against the answers in the capture" }
            (answers(r))
            (causes(&r.requests.causes, r.requests.kinds.values().map(|k| k.requests).sum(), "requests"))
            h2 { "On the core" }
            (summary(t, r.mismatches))
            (fault(t))
            (hits(t, &stretches, "frames of the capture"))
            (latencies(t))
            (exceptions(r))
            h2 { "Once more" }
            (facts(&[("seed", r.seed.to_string()), ("command", r.reproduce.clone())]))
        },
    )
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn capture(r: &Replay) -> Markup {
    let p = &r.packets;
    let from = match &r.regions.file {
        Some(file) => format!("from {file}"),
        None => "inferred from the traffic".into(),
    };
    let left: Vec<String> = p
        .skipped
        .iter()
        .filter(|(_, n)| **n > 0)
        .map(|(why, n)| {
            format!(
                "{} {}",
                thousands(*n),
                words(&latchkey_testbench::bench::tally::name(why))
            )
        })
        .collect();
    let mut rows = vec![
        (
            "frames",
            format!(
                "{}, of them {} RoCEv2 packets of RC and UC",
                thousands(p.frames),
                thousands(p.packets)
            ),
        ),
        (
            "of these",
            format!(
                "{} IPv6, {} with VLAN tag, {} cut short",
                thousands(p.ipv6),
                thousands(p.vlan),
                thousands(p.cut_payload)
            ),
        ),
        (
            "left out",
            if left.is_empty() {
                "none".into()
            } else {
                left.join(", ")
            },
        ),
        (
            "regions",
            format!(
                "{} {from}, {} protection domains",
                thousands(r.regions.known as u64),
                r.regions.domains
            ),
        ),
    ];
    for note in &r.regions.notes {
        rows.push(("note", note.clone()));
    }
    facts(&rows)
}

fn requests(r: &Replay) -> Markup {
    let rows: Vec<Vec<String>> = r
        .requests
        .kinds
        .iter()
        .map(|(kind, k)| {
            let mut row = vec![words(kind)];
            row.extend([k.requests, k.granted, k.refused].map(thousands));
            row.push(percent(k.granted, k.requests));
            row
        })
        .collect();
    table(
        &["kind", "requests", "granted", "refused", "share granted"],
        &rows,
    )
}

fn answers(r: &Replay) -> Markup {
    let (m, t) = (&r.requests.matches, &r.requests);
    let naks: u64 = r.packets.naks.values().sum();
    let row = |name: &str, n: u64| vec![name.to_string(), thousands(n)];
    html! {
        (table(&["", "number"], &[
            row("acknowledged and granted", m.acknowledged),
            row("NAKs in the capture", naks),
            row("NAKs matched by a refusal of the core", t.naks_matched),
            row("NAK, but granted by the core: explained below", m.nak_granted),
            row("acknowledged, but refused by the core: explained below", m.ack_refused),
            row("no answer in the capture, granted", m.unanswered[0]),
            row("no answer in the capture, refused", m.unanswered[1]),
            row("differ without a reason (mismatches)", m.mismatched),
        ]))
        @if !r.packets.naks.is_empty() {
            p.soft {
                "NAKs by syndrome: "
                (r.packets.naks.iter().map(|(k, n)| format!("{} \u{d7} {}", thousands(*n), words(k))).collect::<Vec<_>>().join(", "))
                "."
            }
        }
    }
}

fn exceptions(r: &Replay) -> Markup {
    let mut list: Vec<_> = r.requests.exceptions.iter().collect();
    list.sort_by_key(|e| (!e.reason.fails(), e.frame));
    html! {
        @if !list.is_empty() {
            h2 { "Packets that need a word" }
            table {
                thead { tr { @for head in ["frame", "request", "capture", "core", "why"] { th { (head) } } } }
                tbody {
                    @for e in list.iter().take(SHOWN) {
                        tr {
                            td { (e.frame) } td.long { (e.op) " " (e.request) } td.long { (e.capture) } td.long { (e.core) } td.long { (e.why) }
                        }
                    }
                }
            }
            @if list.len() > SHOWN { p.soft { (list.len() - SHOWN) " more are in the JSON." } }
        }
    }
}
