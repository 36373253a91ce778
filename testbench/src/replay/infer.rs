// SPDX-License-Identifier: MIT OR Apache-2.0
//! Regions worked out from the traffic alone: a region is what its key was used for and acknowledged.
//!
//! The range is exactly the bytes of the acknowledged accesses, the rights are those they needed, and queue pairs that
//! were served with one key are in one protection domain. A remote access NAK that these facts do not explain says
//! that the region was gone by then.

use super::facts::{Event, Facts, Qp, RegionFact};
use crate::capture::{Access, Answer, FlowKey, Kind, Message, Part};
use crate::trace::access;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::net::IpAddr;

/// Remote access error.
const ACCESS: u8 = 0x62;

#[derive(Clone, Debug)]
struct Run {
    low: u64,
    high: u128,
    rights: u32,
    group: usize,
    from: u64,
}

#[derive(Clone, Debug)]
enum Item {
    Run(Run),
    Nak {
        frame: u64,
        va: u64,
        len: u32,
        rights: u32,
        group: usize,
    },
    End(u64),
}

/// Watches the accesses of a capture, then says what the regions are.
#[derive(Default)]
pub struct Infer {
    keys: BTreeMap<(IpAddr, u32), Vec<Item>>,
    /// union-find over queue pairs
    parents: Vec<usize>,
    ends: HashMap<(IpAddr, u32), usize>,
    served: HashSet<usize>,
    answered: HashSet<FlowKey>,
    /// accesses without any answer, for flows that never get one
    silent: BTreeMap<(FlowKey, u32), Run>,
}

fn rights(kind: Kind) -> u32 {
    match kind {
        Kind::Write | Kind::AtomicWrite => access::REMOTE_WRITE | access::LOCAL_WRITE,
        Kind::Atomic => access::REMOTE_ATOMIC | access::LOCAL_WRITE,
        Kind::Read => access::REMOTE_READ,
        Kind::Flush {
            global, persistent, ..
        } => {
            (u32::from(global) * access::FLUSH_GLOBAL)
                | (u32::from(persistent) * access::FLUSH_PERSISTENT)
        }
        Kind::Send | Kind::Invalidate => 0,
    }
}

/// The request looks at its key: not so a READ or WRITE of no bytes.
fn looks(m: &Message) -> bool {
    m.kind.accesses() && (m.len > 0 || matches!(m.kind, Kind::Flush { .. }))
}

impl Run {
    fn of(m: &Message, group: usize) -> Run {
        let whole = matches!(m.kind, Kind::Flush { whole: true, .. });
        let len = if whole { 0 } else { m.len };
        Run {
            low: if whole { u64::MAX } else { m.va },
            high: if whole {
                0
            } else {
                u128::from(m.va) + u128::from(len)
            },
            rights: rights(m.kind),
            group,
            from: m.frame,
        }
    }

    fn join(&mut self, other: &Run) {
        self.low = self.low.min(other.low);
        self.high = self.high.max(other.high);
        self.rights |= other.rights;
        self.from = self.from.min(other.from);
    }
}

impl Infer {
    fn end(&mut self, ip: IpAddr, qp: u32) -> usize {
        let next = self.parents.len();
        let end = *self.ends.entry((ip, qp)).or_insert(next);
        if end == next {
            self.parents.push(end);
        }
        end
    }

    fn root(&self, mut at: usize) -> usize {
        while self.parents[at] != at {
            at = self.parents[at];
        }
        at
    }

    /// Sees one access of the capture, in order.
    pub fn see(&mut self, a: &Access) {
        let m = &a.message;
        if !matches!(a.part, Part::Whole | Part::First { .. }) {
            return;
        }
        let end = self.end(m.flow.dst, m.flow.qp);
        let answer = m.answer.get();
        if answer != Answer::None {
            self.answered.insert(m.flow);
        }
        let items = self.keys.entry((m.flow.dst, m.rkey));
        if m.kind == Kind::Invalidate {
            if answer == Answer::Ack {
                items.or_default().push(Item::End(a.frame + 1));
            }
            return;
        }
        if !looks(m) {
            return;
        }
        match answer {
            Answer::Nak {
                syndrome: ACCESS,
                late: false,
                ..
            } => items.or_default().push(Item::Nak {
                frame: m.frame,
                va: m.va,
                len: m.len,
                rights: rights(m.kind),
                group: end,
            }),
            Answer::Nak { late: false, .. } => {}
            Answer::None if !m.unreliable => {
                let run = Run::of(m, end);
                self.silent
                    .entry((m.flow, m.rkey))
                    .and_modify(|r| r.join(&run))
                    .or_insert(run);
            }
            _ => self.granted((m.flow.dst, m.rkey), Run::of(m, end)),
        }
    }

    fn granted(&mut self, key: (IpAddr, u32), run: Run) {
        let items = self.keys.entry(key).or_default();
        let other = items.iter().find_map(|i| match i {
            Item::Run(r) => Some(r.group),
            _ => None,
        });
        let group = run.group;
        match items.last_mut() {
            Some(Item::Run(last)) => last.join(&run),
            _ => items.push(Item::Run(run)),
        }
        self.served.insert(group);
        if let Some(other) = other {
            let (a, b) = (self.root(other), self.root(group));
            self.parents[a.max(b)] = a.min(b);
        }
    }

    /// The regions.
    pub fn facts(mut self) -> Facts {
        for ((flow, rkey), run) in std::mem::take(&mut self.silent) {
            if !self.answered.contains(&flow) {
                self.granted((flow.dst, rkey), run);
            }
        }
        let mut facts = Facts {
            by_frame: true,
            ..Facts::default()
        };
        // Queue pairs that never were served share the first domain: they are strangers to every region.
        let mut domains: HashMap<usize, u32> = HashMap::new();
        let roots: HashSet<usize> = self.served.iter().map(|s| self.root(*s)).collect();
        let mut ends: Vec<_> = self.ends.iter().map(|(k, v)| (*k, *v)).collect();
        ends.sort_unstable();
        for ((ip, qp), end) in ends {
            let next = domains.len() as u32 + 2;
            let root = self.root(end);
            let pd = if roots.contains(&root) {
                *domains.entry(root).or_insert(next)
            } else {
                1
            };
            let host = facts.place(ip);
            let qp_fact = Qp {
                since: 0,
                pd,
                access: None,
            };
            facts.qps.entry((host, qp)).or_default().push(qp_fact);
        }
        facts.pds = domains.len() as u32 + 1;
        for ((ip, rkey), items) in &self.keys {
            self.lives(&mut facts, *ip, *rkey, items, &domains);
        }
        facts.sort();
        facts
    }

    fn lives(
        &self,
        facts: &mut Facts,
        ip: IpAddr,
        rkey: u32,
        items: &[Item],
        domains: &HashMap<usize, u32>,
    ) {
        let runs = items.iter().filter_map(|i| match i {
            Item::Run(r) => Some(r.clone()),
            _ => None,
        });
        let Some(all) = runs.reduce(|mut a, b| {
            a.join(&b);
            a
        }) else {
            return;
        };
        let home = self.root(all.group);
        let host = facts.place(ip);
        let mut life: Option<Run> = None;
        let mut close = |life: &mut Option<Run>, end: Option<u64>| {
            let Some(run) = life.take() else { return };
            // only whole-region flushes: one byte is as good as any
            let (low, high) = if run.high == 0 {
                (0, 1)
            } else {
                (run.low, run.high)
            };
            let region = facts.regions.len();
            facts.regions.push(RegionFact {
                name: format!("key 0x{rkey:08x} at {ip}"),
                host,
                rkey,
                pd: domains[&home],
                va: low,
                length: (high - u128::from(low)).clamp(1, u128::from(u64::MAX)) as u64,
                access: run.rights,
                dies: end.map(|e| (e, e)),
                ..RegionFact::default()
            });
            let event = |at, begins| Event { at, begins, region };
            facts.events.push(event(run.from, true));
            facts.events.extend(end.map(|at| event(at, false)));
        };
        for item in items {
            match item {
                Item::Run(run) => match &mut life {
                    Some(l) => l.join(run),
                    None => life = Some(run.clone()),
                },
                Item::End(frame) => close(&mut life, Some(*frame)),
                Item::Nak {
                    frame,
                    va,
                    len,
                    rights,
                    group,
                } => {
                    let inside = *va >= all.low && u128::from(*va) + u128::from(*len) <= all.high;
                    let explained =
                        !inside || rights & !all.rights != 0 || self.root(*group) != home;
                    if !explained {
                        close(&mut life, Some(*frame));
                    }
                }
            }
        }
        close(&mut life, None);
    }
}

impl Facts {
    /// The host of that address, a new one if need be.
    fn place(&mut self, ip: IpAddr) -> usize {
        let next = self.hosts.len();
        let host = *self.addresses.entry(ip).or_insert(next);
        if host == next {
            self.hosts.push(ip.to_string());
        }
        host
    }
}
