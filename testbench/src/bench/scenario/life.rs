// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random traffic over the rest of a key's life: fast regions, windows, re-registration, paging and null regions, with
//! lookups through all keys there are and some there were. What a configuration does not have is left out.

use super::super::params::Params;
use super::super::traffic::{Ask, Traffic};
use super::space::Window as Words;
use crate::trace::{
    access, change, Answer, Bind, Body, Code, Command, Entry, Lookup, Mode, Op, PageList, PageSize,
    Register, Verdict,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Commands at a time.
const AT_ONCE: usize = 4;
/// Lookups for one command, once there are entries.
const LOOKUPS: u64 = 4;
/// Protection domains with an MTT window.
const PDS: u32 = 3;
/// Queue pairs.
const PAIRS: u32 = 4;
/// Keys that are remembered when they are dead.
const REMEMBER: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Region,
    Fast { budget: u64 },
    Window { kind: u8 },
    Null,
}

/// An entry as the driver knows it.
#[derive(Clone, Debug)]
struct Thing {
    id: u64,
    kind: Kind,
    pd: u32,
    lkey: u32,
    rkey: u32,
    /// The mapping while it is valid.
    spec: Option<Register>,
    /// The last bind while it is bound, and its region.
    bind: Option<(Bind, u64)>,
    /// Commands on their way.
    busy: usize,
}

/// A command on its way, with what it is about.
struct Sent {
    body: Body,
    thing: Option<u64>,
    region: Option<u64>,
}

/// The scenario.
pub struct Life {
    p: Params,
    rng: ChaCha8Rng,
    words: Vec<Words>,
    windows_set: usize,
    things: Vec<Thing>,
    dead: Vec<u32>,
    sent: Vec<Sent>,
    ids: u64,
    lookups: u64,
    asked: u64,
    answered: u64,
    commands: u64,
}

impl Life {
    /// So many lookups.
    pub fn new(p: &Params, lookups: u64, seed: u64) -> Life {
        let pds = PDS.min(Params::top(p.pd_bits) as u32);
        let each = (Params::top(p.mtt_bits).min(1 << 20) / 2 / u64::from(pds))
            .min(Params::top(p.page_bits));
        let words = (0..pds).map(|pd| Words::new(pd, 1 + u64::from(pd) * each, each));
        Life {
            p: p.clone(),
            rng: ChaCha8Rng::seed_from_u64(seed),
            words: words.collect(),
            windows_set: 0,
            things: Vec::new(),
            dead: Vec::new(),
            sent: Vec::new(),
            ids: 0,
            lookups,
            asked: 0,
            answered: 0,
            commands: 0,
        }
    }

    fn one_in(&mut self, n: u32) -> bool {
        self.rng.gen_range(0..n) == 0
    }

    fn mode(&mut self) -> Mode {
        Mode::ALL[self.rng.gen_range(0..Mode::ALL.len())]
    }

    fn pd(&mut self) -> u32 {
        self.rng.gen_range(0..self.words.len() as u32)
    }

    /// Usually the PD given, now and then another.
    fn near(&mut self, pd: u32) -> u32 {
        if self.one_in(16) {
            self.pd()
        } else {
            pd
        }
    }

    /// A mapping of a few pages.
    fn mapping(&mut self, pd: u32, demand: Option<bool>) -> Option<Register> {
        let shift = 12;
        let pages = self.rng.gen_range(1..=5u64);
        let head = if self.rng.gen() {
            0
        } else {
            self.rng.gen_range(0..512u64) * 8
        };
        let iova = (self
            .rng
            .gen_range(0..Params::top(self.p.va_bits) >> (shift + 1))
            << shift)
            + head;
        let most = (pages << shift) - head;
        let length = if self.one_in(3) {
            most
        } else {
            self.rng.gen_range(most.saturating_sub(4095).max(1)..=most)
        };
        let mut rights = self.rng.gen::<u32>() & 0x31f | access::LOCAL_WRITE | access::MW_BIND;
        if self.one_in(12) {
            rights &= !access::MW_BIND;
        }
        if self.one_in(12) {
            rights &= !(access::LOCAL_WRITE | access::REMOTE_WRITE | access::REMOTE_ATOMIC);
        }
        if self.one_in(10) {
            rights |= access::ZERO_BASED;
        }
        let demand = demand.unwrap_or(self.p.odp && self.rng.gen());
        if demand {
            rights |= access::ON_DEMAND;
        }
        let pages = ((iova & 0xfff) + length).div_ceil(1 << shift);
        let list = (0..pages).map(|_| self.page(demand)).collect();
        let base = self.words.get_mut(pd as usize)?.take(pages)?;
        Some(Register {
            pd,
            iova,
            length,
            access: rights,
            page: PageSize::K4,
            base,
            pages,
            list: PageList::List(list),
        })
    }

    fn page(&mut self, demand: bool) -> Entry {
        let pa = self.rng.gen_range(0..Params::top(self.p.pa_bits) >> 12) << 12;
        let absent = demand && self.one_in(4);
        Entry {
            pa,
            present: !absent,
            writable: !demand || !self.one_in(8),
        }
    }

    fn pick(&mut self, fits: impl Fn(&Thing) -> bool) -> Option<Thing> {
        // an entry under another command is taken now and then, too
        let anyway = self.one_in(24);
        let all: Vec<usize> = (0..self.things.len())
            .filter(|at| fits(&self.things[*at]) && (anyway || self.things[*at].busy == 0))
            .collect();
        let at = *all.get(self.rng.gen_range(0..all.len().max(1)))?;
        Some(self.things[at].clone())
    }

    fn key(&mut self, thing: &Thing) -> u32 {
        let key = match (thing.lkey, thing.rkey) {
            (0, key) | (key, 0) => key,
            (lkey, rkey) if self.rng.gen() => lkey.max(rkey),
            (lkey, rkey) => lkey.min(rkey),
        };
        match self.rng.gen_range(0..48) {
            0 => key ^ 1 << self.rng.gen_range(0..32),
            1 if !self.dead.is_empty() => self.dead[self.rng.gen_range(0..self.dead.len())],
            _ => key,
        }
    }

    fn qpn(&mut self) -> u32 {
        self.rng.gen_range(1..=PAIRS)
    }

    fn send(&mut self, body: Body, thing: Option<u64>, region: Option<u64>) -> Body {
        for id in [thing, region].into_iter().flatten() {
            if let Some(thing) = self.things.iter_mut().find(|thing| thing.id == id) {
                thing.busy += 1;
            }
        }
        self.commands += 1;
        self.sent.push(Sent {
            body: body.clone(),
            thing,
            region,
        });
        body
    }

    fn begin(&mut self) -> Option<Body> {
        let pd = self.pd();
        let body = match self.rng.gen_range(0..8) {
            0..=1 if self.p.fast_reg => Body::Allocate {
                pd,
                pages: self.rng.gen_range(0..8),
            },
            2..=4 if self.p.windows => Body::AllocateWindow {
                pd,
                kind: self.rng.gen_range(0..12) % 4 % 3 + u8::from(self.one_in(24)) * 3,
            },
            5 if self.p.null => Body::AllocateNull { pd },
            _ => Body::Register(self.mapping(pd, None)?),
        };
        Some(self.send(body, None, None))
    }

    fn end(&mut self) -> Option<Body> {
        let thing = self.pick(|_| true)?;
        let (key, mode) = (self.key(&thing), self.mode());
        let window = matches!(thing.kind, Kind::Window { .. });
        let body = if window != self.one_in(24) {
            if !self.p.windows {
                return None;
            }
            Body::DeallocateWindow { key, mode }
        } else {
            Body::Deregister { key, mode }
        };
        Some(self.send(body, Some(thing.id), None))
    }

    fn fast(&mut self) -> Option<Body> {
        let any = self.one_in(24);
        let thing = self
            .pick(|thing| any || matches!(thing.kind, Kind::Fast { .. }) && thing.spec.is_none())?;
        let pd = self.near(thing.pd);
        let reg = self.mapping(pd, None)?;
        let key = self.key(&thing);
        let key = if self.one_in(4) {
            key
        } else {
            key & !0xff | u32::from(self.rng.gen::<u8>() & 7)
        };
        Some(self.send(Body::FastRegister { key, reg }, Some(thing.id), None))
    }

    fn invalidate(&mut self) -> Option<Body> {
        let any = self.one_in(12);
        let thing = self.pick(|thing| {
            let fast = matches!(thing.kind, Kind::Fast { .. }) && thing.spec.is_some();
            let two = matches!(thing.kind, Kind::Window { kind } if kind > 0);
            any || fast || two && thing.bind.is_some()
        })?;
        let bound = thing.bind.map_or(0, |(bind, _)| bind.qpn);
        let body = Body::Invalidate {
            key: self.key(&thing),
            pd: self.near(thing.pd),
            qpn: if self.one_in(12) { self.qpn() } else { bound },
            mode: self.mode(),
        };
        Some(self.send(body, Some(thing.id), None))
    }

    fn reregister(&mut self) -> Option<Body> {
        let any = self.one_in(24);
        let thing = self.pick(|thing| any || thing.kind == Kind::Region)?;
        let mut change = self.rng.gen_range(0..8u8);
        let old = thing.spec.clone();
        let demand = old.as_ref().map(|old| old.access & access::ON_DEMAND != 0);
        let pd = if change & change::PD != 0 {
            self.pd()
        } else {
            thing.pd
        };
        let mut reg = if change & change::TRANSLATION != 0 {
            self.mapping(pd, demand)?
        } else {
            let mut reg = old.clone()?;
            (reg.pages, reg.list, reg.base) = (0, PageList::default(), 0);
            // words stay where they are, in the window of the PD they were given to
            change &= !change::PD;
            reg
        };
        if let Some(old) = &old {
            let fixed = access::ON_DEMAND | access::ZERO_BASED;
            let keep = if change & change::ACCESS != 0 {
                fixed
            } else {
                !0
            };
            let other = change & change::TRANSLATION == 0 && self.one_in(16);
            reg.access = reg.access & !keep | old.access & keep;
            if change & change::ACCESS != 0 {
                reg.access ^= self.rng.gen::<u32>() & 0x30e;
                reg.access |= access::LOCAL_WRITE;
                reg.access ^= if other { access::ZERO_BASED } else { 0 };
            }
        }
        let body = Body::Reregister {
            key: self.key(&thing),
            change,
            mode: self.mode(),
            reg,
        };
        Some(self.send(body, Some(thing.id), None))
    }

    fn bind(&mut self) -> Option<Body> {
        let any = self.one_in(24);
        let thing = self.pick(|thing| {
            any || match thing.kind {
                Kind::Window { kind } => kind == 0 || thing.bind.is_none(),
                _ => false,
            }
        })?;
        let pd = thing.pd;
        let strange = self.one_in(16);
        let region = self.pick(|region| strange || region.spec.is_some() && region.pd == pd)?;
        let spec = region.spec.clone();
        let (first, length) = spec.map_or((0, 0x1000), |spec| (spec.iova, spec.length));
        let from = self.rng.gen_range(0..length);
        let mut bind = Bind {
            key: self.key(&thing),
            region: self.key(&region),
            pd: self.near(pd),
            qpn: self.qpn(),
            iova: first + from,
            length: self.rng.gen_range(1..=length - from),
            access: self.rng.gen::<u32>() & 0x30e,
            variant: self.rng.gen::<u8>() & 7,
            mode: self.mode(),
        };
        match self.rng.gen_range(0..24) {
            0 => bind.length += length - from,
            1 => bind.iova = bind.iova.wrapping_sub(length) & Params::top(self.p.va_bits),
            2 | 3 => bind.length = 0,
            4..=8 => bind.access |= access::ZERO_BASED,
            9 => bind.access |= 1 << 12,
            _ => {}
        }
        let body = Body::BindWindow(bind);
        Some(self.send(body, Some(thing.id), Some(region.id)))
    }

    fn paging(&mut self) -> Option<Body> {
        let any = self.one_in(24);
        let thing = self.pick(|thing| {
            let spec = thing.spec.as_ref();
            any || spec.is_some_and(|spec| spec.access & access::ON_DEMAND != 0)
        })?;
        let pages = thing.spec.as_ref().map_or(1, |spec| spec.pages);
        let beyond = u64::from(self.one_in(12));
        let number = self.rng.gen_range(0..pages + beyond);
        let key = self.key(&thing);
        let body = if self.rng.gen() {
            let entry = Entry {
                present: !self.one_in(24),
                ..self.page(false)
            };
            Body::FillPage {
                key,
                number,
                entry: Entry {
                    writable: !self.one_in(6),
                    ..entry
                },
            }
        } else {
            Body::EvictPage { key, number }
        };
        Some(self.send(body, Some(thing.id), None))
    }

    fn draw(&mut self) -> Option<Body> {
        let room = (self.p.mrs as usize - 2).min(24);
        let n = self.rng.gen_range(0..100);
        let few = self.things.len() + AT_ONCE < room;
        let empty = self.things.len() < room / 2;
        match n {
            // where quotas keep the table empty, they change
            _ if empty && self.p.limits && self.one_in(8) => self.quota(room),
            _ if empty => self.begin(),
            0..=11 if few => self.begin(),
            0..=19 => self.end(),
            20..=34 if self.p.fast_reg => self.fast(),
            35..=49 if self.p.fast_reg || self.p.windows => self.invalidate(),
            50..=59 if self.p.reregister => self.reregister(),
            60..=79 if self.p.windows => self.bind(),
            80..=95 if self.p.paging => self.paging(),
            96 if self.p.limits => self.quota(room),
            _ => {
                let thing = self.pick(|_| true)?;
                let key = self.key(&thing);
                Some(self.send(Body::Query { key }, Some(thing.id), None))
            }
        }
    }

    fn quota(&mut self, room: usize) -> Option<Body> {
        let pd = self.pd();
        let entries = match self.rng.gen_range(0..3) {
            0 => 0,
            _ => self.rng.gen_range(1..=room as u64),
        };
        Some(self.send(Body::SetQuota { pd, entries }, None, None))
    }

    /// Words that a refused command asked for, or an entry had, are free again.
    fn give(&mut self, reg: Option<&Register>) {
        let Some(reg) = reg else { return };
        let of = |words: &&mut Words| reg.base >= words.base && reg.base < words.base + words.words;
        if let Some(words) = self.words.iter_mut().find(of) {
            words.give(reg.base, reg.pages);
        }
    }

    fn add(&mut self, body: &Body, answer: &Answer) {
        let (kind, pd, spec) = match body {
            Body::Register(reg) => (Kind::Region, reg.pd, Some(reg.clone())),
            Body::Allocate { pd, pages } => (Kind::Fast { budget: *pages }, *pd, None),
            Body::AllocateWindow { pd, kind } => (Kind::Window { kind: *kind }, *pd, None),
            Body::AllocateNull { pd } => (Kind::Null, *pd, None),
            _ => return,
        };
        self.ids += 1;
        self.things.push(Thing {
            id: self.ids,
            kind,
            pd,
            lkey: answer.lkey,
            rkey: answer.rkey,
            spec,
            bind: None,
            busy: 0,
        });
    }

    /// A command about an entry has done what it says.
    fn done_to(&mut self, id: u64, region: Option<u64>, body: &Body, answer: &Answer) {
        let Some(at) = self.things.iter().position(|thing| thing.id == id) else {
            return;
        };
        let mut gone = None;
        let thing = &mut self.things[at];
        match body {
            Body::Deregister { .. } | Body::DeallocateWindow { .. } => {
                let thing = self.things.swap_remove(at);
                let keys = [thing.lkey, thing.rkey].into_iter().filter(|key| *key != 0);
                self.dead.extend(keys);
                let over = self.dead.len().saturating_sub(REMEMBER);
                self.dead.drain(..over);
                gone = thing.spec;
            }
            Body::FastRegister { reg, .. } => {
                (thing.lkey, thing.rkey) = (answer.lkey, answer.rkey);
                thing.spec = Some(reg.clone());
            }
            Body::Invalidate { .. } => {
                gone = thing.spec.take();
                thing.bind = None;
            }
            Body::Reregister { change, reg, .. } => {
                let Some(spec) = &mut thing.spec else { return };
                if change & change::TRANSLATION != 0 {
                    let rights = spec.access;
                    gone = Some(std::mem::replace(spec, reg.clone()));
                    spec.access = rights;
                    spec.pd = thing.pd;
                }
                if change & change::PD != 0 {
                    (spec.pd, thing.pd) = (reg.pd, reg.pd);
                }
                if change & change::ACCESS != 0 {
                    spec.access = reg.access;
                }
            }
            Body::BindWindow(bind) => {
                if bind.length > 0 {
                    thing.rkey = thing.rkey & !0xff | u32::from(bind.variant);
                }
                let bound = (bind.length > 0).then_some(*bind);
                thing.bind = bound.zip(region);
            }
            _ => {}
        }
        self.give(gone.as_ref());
    }

    /// Which entry a command has met is told by its key, which may have been a wrong one.
    fn met(&self, sent: &Sent) -> Option<u64> {
        let key = crate::model::life::key_of(&sent.body)?;
        let same = |mine: u32| match sent.body {
            Body::FastRegister { .. } => (mine ^ key) >> 8 == 0,
            _ => mine == key,
        };
        let of = |thing: &&Thing| key != 0 && (same(thing.lkey) || same(thing.rkey));
        self.things.iter().find(of).map(|thing| thing.id)
    }

    fn rights_op(&mut self, rights: u32, remote: bool) -> Op {
        if self.one_in(10) {
            return Op::from_bits(self.rng.gen_range(0..16));
        }
        if !remote {
            return if self.rng.gen() {
                Op::LocalRead
            } else {
                Op::LocalWrite
            };
        }
        let all = [
            (access::REMOTE_READ, Op::Read),
            (access::REMOTE_WRITE, Op::Write),
            (access::REMOTE_ATOMIC, Op::Atomic),
            (access::FLUSH_GLOBAL, Op::FlushGlobal),
        ];
        let held: Vec<Op> = all
            .into_iter()
            .filter(|(bit, _)| rights & bit != 0)
            .map(|(_, op)| op)
            .collect();
        match held.len() {
            0 => Op::Read,
            n => held[self.rng.gen_range(0..n)],
        }
    }

    fn ask(&mut self) -> Option<Lookup> {
        if self.things.is_empty() {
            return None;
        }
        let at = self.rng.gen_range(0..self.things.len());
        let thing = self.things[at].clone();
        let window = matches!(thing.kind, Kind::Window { .. });
        let mut remote = match thing.kind {
            Kind::Window { .. } => true,
            Kind::Null => false,
            _ => self.rng.gen(),
        };
        let (first, length, rights) = match (&thing.spec, &thing.bind) {
            (Some(spec), _) => {
                let zero = spec.access & access::ZERO_BASED != 0;
                (if zero { 0 } else { spec.iova }, spec.length, spec.access)
            }
            (_, Some((bind, _))) => {
                let zero = bind.access & access::ZERO_BASED != 0;
                (if zero { 0 } else { bind.iova }, bind.length, bind.access)
            }
            _ => (0, 1 << 14, 0x30f),
        };
        let op = self.rights_op(rights, remote);
        let most = length.min(self.p.max_request).max(1);
        let mut from = self.rng.gen_range(0..length);
        let mut len = if self.one_in(6) {
            from = 0;
            most
        } else {
            self.rng.gen_range(1..=(length - from).min(most))
        };
        if matches!(op, Op::Atomic | Op::AtomicWrite) {
            from = ((first + from).next_multiple_of(8) - first).min(length);
            len = 8;
        }
        let mut va = first + from;
        match self.rng.gen_range(0..40) {
            0 => va = first + length,
            1 => va = va.wrapping_sub(length),
            2 => len = 0,
            _ => {}
        }
        let own = if remote { thing.rkey } else { thing.lkey };
        let key = match self.rng.gen_range(0..40) {
            0 => own ^ u32::from(self.rng.gen::<u8>() & 7),
            1 if !self.dead.is_empty() => self.dead[self.rng.gen_range(0..self.dead.len())],
            2 => {
                remote = !remote;
                own
            }
            _ => own,
        };
        let bound = thing.bind.map_or(1, |(bind, _)| bind.qpn);
        let qpn = if window && !self.one_in(8) {
            bound
        } else {
            self.qpn()
        };
        let pd = self.near(thing.pd);
        Some(Lookup {
            side_remote: remote,
            qpn,
            op,
            walk: !self.one_in(16),
            class: (self.rng.gen::<u8>()) & Params::top(self.p.class_bits) as u8,
            ..Lookup::read(pd, key, va & Params::top(self.p.va_bits), len as u32)
        })
    }
}

impl Traffic for Life {
    fn lookup(&mut self, _port: usize, _now: u64) -> Option<Ask> {
        if self.asked >= self.lookups || self.commands * LOOKUPS + 200 < self.asked {
            return None;
        }
        let ask = self.ask()?;
        self.asked += 1;
        Some(Ask::new(ask))
    }

    fn command(&mut self, _now: u64) -> Option<Body> {
        if let Some(words) = self.words.get(self.windows_set) {
            self.windows_set += 1;
            let (pd, base, words) = (words.pd, words.base, words.words);
            return Some(Body::PdWindow { pd, base, words });
        }
        let ahead = self.commands * LOOKUPS > self.asked + 100;
        if self.sent.len() >= AT_ONCE || ahead || self.asked >= self.lookups {
            return None;
        }
        self.draw()
    }

    fn answer(&mut self, command: &Command, answer: &Answer, _now: u64) {
        let Some(at) = self.sent.iter().position(|sent| sent.body == command.body) else {
            return;
        };
        let sent = self.sent.swap_remove(at);
        for id in [sent.thing, sent.region].into_iter().flatten() {
            if let Some(thing) = self.things.iter_mut().find(|thing| thing.id == id) {
                thing.busy -= 1;
            }
        }
        let ok = answer.code == Code::Ok;
        match (ok, self.met(&sent)) {
            (true, Some(id)) => {
                let region = match &sent.body {
                    Body::BindWindow(bind) => {
                        let key = bind.region;
                        let of = |thing: &&Thing| thing.lkey == key || thing.rkey == key;
                        self.things.iter().find(of).map(|thing| thing.id)
                    }
                    _ => None,
                };
                self.done_to(id, region, &sent.body, answer);
            }
            (true, None) => self.add(&sent.body, answer),
            (false, met) => {
                self.give(sent.body.listed());
                // what is left of an entry is not known
                if answer.code == Code::Overdue {
                    self.things.retain(|thing| Some(thing.id) != met);
                }
            }
        }
    }

    fn verdict(&mut self, _verdict: &Verdict) {
        self.answered += 1;
    }

    fn done(&self) -> bool {
        self.answered >= self.lookups && self.sent.is_empty()
    }
}
