// SPDX-License-Identifier: MIT OR Apache-2.0
//! A behavioural core for the tests of the bench: it answers by the reference model, after random delays, and can be
//! told to misbehave.

use super::core::Wires;
use super::fake_ports::ports;
use super::params::Params;
use super::pins::{PinPort, Pins};
use super::sink;
use crate::model::Sim;
use crate::trace::{
    Answer, Bind, Body, Cause, Code, Command, Entry, Lookup, Mode, Op, PageList, PageSize,
    Register, Segment, Verdict,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{HashMap, VecDeque};

/// Ways to misbehave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    None,
    WrongAddress,
    LostVerdict,
    LostSegment,
    AnswerBeforeLeases,
    ForgetKill,
    IgnoreReuse,
    ChangeUnderStall,
    ForgetRights,
    StuckCommand,
}

pub struct Fake {
    list: Vec<(String, u32, u32, bool)>,
    ins: Vec<u32>,
    outs: Vec<u32>,
    pins: Pins,
    p: Params,
    sim: Sim,
    rng: ChaCha8Rng,
    bug: Bug,
    now: u64,
    waiting: VecDeque<(u64, Lookup)>,
    verdicts: Vec<VecDeque<Verdict>>,
    segments: Vec<VecDeque<Segment>>,
    /// (port, tag) -> index, leased
    used: HashMap<(u16, u16), (u32, bool)>,
    command: Option<(u64, Command, Vec<Entry>, bool)>,
    parked: Option<(Answer, Vec<(u16, u16)>)>,
    answer: Option<Answer>,
}

impl Fake {
    pub fn new(p: Params, bug: Bug, seed: u64) -> Fake {
        let mut size = [0, 0];
        let mut list = Vec::new();
        for (name, width, input) in ports(&p) {
            let at = &mut size[usize::from(input)];
            list.push((name.to_string(), width, *at, input));
            *at += width.div_ceil(32);
        }
        let n = p.ports as usize;
        let mut f = Fake {
            ins: vec![0; size[1] as usize],
            outs: vec![0; size[0] as usize],
            pins: Pins::default(),
            sim: Sim::new(p.model()),
            rng: ChaCha8Rng::seed_from_u64(seed),
            bug,
            now: 0,
            waiting: VecDeque::new(),
            verdicts: vec![VecDeque::new(); n],
            segments: vec![VecDeque::new(); n],
            used: HashMap::new(),
            command: None,
            parked: None,
            answer: None,
            list,
            p,
        };
        f.pins = Pins::new(&f.pins()).unwrap();
        f
    }

    fn take_inputs(&mut self) {
        let (pins, n) = (self.pins, self.verdicts.len());
        for p in 0..n {
            let bit = |f: super::pins::Field, w: &[u32]| f.bits(w) >> p & 1 == 1;
            if bit(pins.verdict_valid, &self.outs) && bit(pins.verdict_ready, &self.ins) {
                let v = self.verdicts[p].pop_front().unwrap();
                if v.cause != Cause::TagReuse
                    && !self.used.get(&(v.port, v.tag)).is_some_and(|u| u.1)
                {
                    self.used.remove(&(v.port, v.tag));
                }
            }
            if bit(pins.segment_valid, &self.outs) && bit(pins.segment_ready, &self.ins) {
                self.segments[p].pop_front();
            }
            if bit(pins.dma_done_valid, &self.ins) && bit(pins.dma_done_ready, &self.outs) {
                let tag = pins.dma_done_tag.get(&self.ins, p) as u16;
                if self.used.get(&(p as u16, tag)).is_some_and(|u| u.1) {
                    self.used.remove(&(p as u16, tag));
                }
            }
            if bit(pins.lookup_valid, &self.ins) && bit(pins.lookup_ready, &self.outs) {
                let l = self.read_lookup(p);
                self.accept(l);
            }
        }
        let (i, o) = (&self.ins, &self.outs);
        if pins.rsp_valid.bits(o) & pins.rsp_ready.bits(i) != 0 {
            self.answer = None;
        }
        if pins.page_valid.bits(i) & pins.page_ready.bits(o) != 0 {
            let (data, last) = (pins.page_data.get(i, 0), pins.page_last.get(i, 0) == 1);
            let c = self.command.as_mut().unwrap();
            c.2.push(Entry::from_bits(data));
            c.3 = last;
        } else if pins.reg_valid.bits(i) & pins.reg_ready.bits(o) != 0 {
            let c = self.read_command();
            let all = c.body.listed().is_none_or(|r| r.pages <= self.p.inline);
            let due = self.now + self.rng.gen_range(5..60);
            self.command = Some((due, c, Vec::new(), all));
        }
    }

    fn read_lookup(&self, p: usize) -> Lookup {
        let (i, pins) = (&self.ins, &self.pins);
        Lookup {
            port: p as u16,
            tag: pins.lookup_tag.get(i, p) as u16,
            key: pins.lookup_key.get(i, p) as u32,
            side_remote: pins.lookup_side.get(i, p) == 1,
            qpn: pins.lookup_qpn.get(i, p) as u32,
            pd: pins.lookup_pd.get(i, p) as u32,
            va: pins.lookup_va.get(i, p),
            len: pins.lookup_len.get(i, p) as u32,
            op: Op::from_bits(pins.lookup_op.get(i, p) as u32),
            walk: pins.lookup_walk.get(i, p) == 1,
            class: pins.lookup_class.get(i, p) as u8,
        }
    }

    fn read_command(&self) -> Command {
        let (i, pins) = (&self.ins, &self.pins);
        let get = |f: super::pins::Field| f.get(i, 0);
        let (key, mode) = (get(pins.reg_key) as u32, get(pins.reg_mode) as u32);
        let (pd, extra) = (get(pins.reg_pd) as u32, get(pins.reg_extra) as u8);
        let (number, mode_of) = (get(pins.reg_pages), Mode::from_bits(mode));
        let mode_of = mode_of.unwrap_or(Mode::Cut);
        let reg = Register {
            pd,
            iova: get(pins.reg_iova),
            length: get(pins.reg_length),
            access: get(pins.reg_access) as u32,
            page: PageSize::from_bits(get(pins.reg_page) as u32).unwrap(),
            base: get(pins.reg_base),
            pages: number,
            list: PageList::List(
                (0..self.p.inline.min(number))
                    .map(|e| Entry::from_bits(pins.reg_inline.get(i, e as usize)))
                    .collect(),
            ),
        };
        let body = match get(pins.reg_op) as u8 {
            0 => Body::Register(reg),
            8 => Body::Allocate { pd, pages: number },
            9 => Body::FastRegister { key, reg },
            10 => Body::Invalidate {
                key,
                pd,
                qpn: get(pins.reg_qpn) as u32,
                mode: mode_of,
            },
            11 => Body::Reregister {
                key,
                change: extra,
                mode: mode_of,
                reg,
            },
            12 => Body::AllocateWindow { pd, kind: extra },
            13 => Body::BindWindow(Bind {
                key,
                region: get(pins.reg_key2) as u32,
                pd,
                qpn: get(pins.reg_qpn) as u32,
                iova: reg.iova,
                length: reg.length,
                access: reg.access,
                variant: extra,
                mode: mode_of,
            }),
            14 => Body::DeallocateWindow { key, mode: mode_of },
            15 => Body::FillPage {
                key,
                number,
                entry: Entry::from_bits(pins.reg_inline.get(i, 0)),
            },
            16 => Body::EvictPage { key, number },
            17 => Body::AllocateNull { pd },
            18 => Body::SetSecret {
                secret: get(pins.reg_key2) << 32 | u64::from(key),
            },
            19 => Body::SetQuota {
                pd,
                entries: number,
            },
            1 => Body::Deregister {
                key,
                mode: Mode::from_bits(mode).unwrap_or(Mode::Cut),
            },
            2 => Body::Query { key },
            3 => Body::Flush {
                key,
                scope: crate::trace::FlushScope::from_bits(mode).unwrap(),
            },
            4 => Body::PdWindow {
                pd: get(pins.reg_pd) as u32,
                base: get(pins.reg_base),
                words: get(pins.reg_pages),
            },
            op => Body::Other { op },
        };
        Command {
            tag: get(pins.reg_tag) as u8,
            body,
        }
    }

    fn accept(&mut self, l: Lookup) {
        let slot = (l.port, l.tag);
        if self.used.contains_key(&slot) && self.bug != Bug::IgnoreReuse {
            let class = crate::model::judge::class(l.side_remote, Cause::TagReuse);
            let v = Verdict {
                port: l.port,
                tag: l.tag,
                granted: false,
                class,
                cause: Cause::TagReuse,
            };
            self.verdicts[usize::from(l.port)].push_back(v);
            return;
        }
        self.used.insert(slot, (0, false));
        let due = self.now + self.rng.gen_range(2..30);
        self.waiting.push_back((due, l));
    }

    fn work(&mut self) {
        while self
            .waiting
            .front()
            .is_some_and(|(due, _)| *due <= self.now)
        {
            let (_, mut l) = self.waiting.pop_front().unwrap();
            let rare = self.rng.gen_range(0..50) == 0;
            if self.bug == Bug::ForgetRights && l.op == Op::Write {
                l.op = Op::LocalWrite;
            }
            let (v, mut segments, _) = self.sim.lookup(&l);
            let p = usize::from(l.port);
            if !segments.is_empty() {
                self.used
                    .insert((l.port, l.tag), (self.p.index(l.key), true));
            }
            if rare && self.bug == Bug::WrongAddress {
                segments.iter_mut().for_each(|s| s.pa ^= 8);
            }
            if !(rare && self.bug == Bug::LostVerdict) {
                self.verdicts[p].push_back(v);
            }
            if rare && self.bug == Bug::LostSegment {
                segments.pop();
            }
            self.segments[p].extend(segments);
        }
        let ready = self
            .command
            .as_ref()
            .is_some_and(|c| c.0 <= self.now && c.3);
        if ready && self.parked.is_none() && self.bug != Bug::StuckCommand {
            self.execute();
        }
        let held = |s: &Vec<(u16, u16)>| s.iter().any(|slot| self.used.contains_key(slot));
        if let Some((answer, slots)) = &self.parked {
            let wait = self.bug != Bug::AnswerBeforeLeases && held(slots);
            if self.answer.is_none() && !wait {
                self.answer = Some(*answer);
                self.parked = None;
            }
        }
    }

    fn execute(&mut self) {
        let (_, mut c, rest, _) = self.command.take().unwrap();
        if let Some(r) = c.body.listed_mut() {
            if let PageList::List(list) = &mut r.list {
                list.extend(rest);
            }
        }
        let mut slots = Vec::new();
        let kill = matches!(&c.body, Body::Deregister { .. });
        // of the rest of a key's life: all leases that are held, whatever they are of
        let ends = matches!(
            &c.body,
            Body::Invalidate { .. }
                | Body::Reregister { .. }
                | Body::BindWindow(_)
                | Body::DeallocateWindow { .. }
                | Body::EvictPage { .. }
        );
        if ends {
            let leased = self.used.iter().filter(|(_, (_, leased))| *leased);
            slots = leased.map(|(slot, _)| *slot).collect();
        }
        if let Body::Deregister { key, .. } = &c.body {
            let index = self.p.index(*key);
            slots = self
                .used
                .iter()
                .filter(|(_, (i, l))| *l && *i == index)
                .map(|(s, _)| *s)
                .collect();
        }
        let forget =
            self.bug == Bug::ForgetKill && kill && self.sim.model.region(key_of(&c.body)).is_ok();
        let answer = if forget {
            Answer::bare(c.tag, Code::Ok)
        } else {
            self.sim.command(&c)
        };
        self.parked = Some((answer, slots));
    }

    fn show(&mut self) {
        let (pins, o) = (self.pins, &mut self.outs);
        let (mut ready, mut v_valid, mut s_valid) = (0, 0, 0);
        for p in 0..self.verdicts.len() {
            ready |= u32::from(self.verdicts[p].len() < 8 && self.segments[p].len() < 64) << p;
            if let Some(v) = self.verdicts[p].front() {
                v_valid |= 1 << p;
                pins.verdict_tag.set(o, p, u64::from(v.tag));
                pins.verdict_granted.set(o, p, u64::from(v.granted));
                pins.verdict_class.set(o, p, u64::from(v.class.bits()));
                pins.verdict_cause.set(o, p, u64::from(v.cause.bits()));
            }
            if self.bug == Bug::ChangeUnderStall {
                self.segments[p]
                    .iter_mut()
                    .for_each(|s| s.pa ^= self.now & 1);
            }
            if let Some(s) = self.segments[p].front() {
                s_valid |= 1 << p;
                pins.segment_tag.set(o, p, u64::from(s.tag));
                pins.segment_pa.set(o, p, s.pa);
                pins.segment_len.set(o, p, u64::from(s.len));
                pins.segment_last.set(o, p, u64::from(s.last));
                pins.segment_status.set(o, p, u64::from(s.status.bits()));
            }
        }
        pins.verdict_valid.set_bits(o, v_valid);
        pins.segment_valid.set_bits(o, s_valid);
        pins.lookup_ready.set_bits(o, ready);
        pins.dma_done_ready.set_bits(o, u32::MAX);
        let pages = self.command.as_ref().is_some_and(|c| !c.3);
        pins.page_ready.set_bits(o, u32::from(pages));
        pins.reg_ready
            .set_bits(o, u32::from(self.command.is_none()));
        pins.rsp_valid.set_bits(o, u32::from(self.answer.is_some()));
        if let Some(a) = &self.answer {
            pins.rsp_tag.set(o, 0, u64::from(a.tag));
            pins.rsp_code.set(o, 0, u64::from(a.code.bits()));
            pins.rsp_lkey.set(o, 0, u64::from(a.lkey));
            pins.rsp_rkey.set(o, 0, u64::from(a.rkey));
            pins.rsp_state.set(o, 0, u64::from(a.state.bits()));
            pins.rsp_pd.set(o, 0, u64::from(a.pd));
            pins.rsp_iova.set(o, 0, a.iova);
            pins.rsp_length.set(o, 0, a.length);
            pins.rsp_access.set(o, 0, u64::from(a.access));
        }
        let _ = sink::request;
    }
}

fn key_of(body: &Body) -> u32 {
    match body {
        Body::Deregister { key, .. } => *key,
        _ => 0,
    }
}

impl Wires for Fake {
    fn pins(&self) -> Vec<PinPort<'_>> {
        let port = |p: &'_ (String, u32, u32, bool)| (p.1, p.2, p.3);
        self.list
            .iter()
            .map(|p| {
                let (width, word, input) = port(p);
                PinPort {
                    name: &p.0,
                    width,
                    word,
                    input,
                }
            })
            .collect()
    }
    fn inputs(&mut self) -> &mut [u32] {
        &mut self.ins
    }
    fn outputs(&self) -> &[u32] {
        &self.outs
    }
    fn cycle(&mut self) {
        self.take_inputs();
        self.now += 1;
        self.work();
        self.show();
    }
}
