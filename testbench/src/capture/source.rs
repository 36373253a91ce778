// SPDX-License-Identifier: MIT OR Apache-2.0
//! The accesses of a capture in its order, each held back until its answer is known or has become unlikely.

use super::counts::Counts;
use super::file::Reader;
use super::flow::{At, Flow};
use super::message::{Access, FlowKey};
use super::net::{datagram, Datagram, Mac};
use super::packet::Packet;
use super::{decode, name, CaptureError};
use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;

/// Frames after which an answer is no longer waited for.
const WINDOW: u64 = 65_536;

/// A NAK to a request that is not in the capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lone {
    /// its frame
    pub frame: u64,
    /// its sequence number
    pub psn: u32,
    /// queue pair it goes to
    pub qp: u32,
    /// its syndrome
    pub syndrome: u8,
}

/// Reads a capture to its end.
pub struct Source {
    reader: Reader,
    /// what was seen so far
    pub counts: Counts,
    /// NAKs without request
    pub lone: Vec<Lone>,
    flows: HashMap<FlowKey, Flow>,
    /// queue pairs asked by one address at another
    pairs: HashMap<(IpAddr, IpAddr), Vec<u32>>,
    /// answers to a queue pair come from this one
    bound: HashMap<FlowKey, u32>,
    cards: HashMap<Mac, Vec<IpAddr>>,
    queue: VecDeque<Access>,
    ids: u64,
    ended: bool,
}

impl Source {
    /// From a reader at its beginning.
    pub fn new(reader: Reader) -> Source {
        Source {
            reader,
            counts: Counts::default(),
            lone: Vec::new(),
            flows: HashMap::new(),
            pairs: HashMap::new(),
            bound: HashMap::new(),
            cards: HashMap::new(),
            queue: VecDeque::new(),
            ids: 0,
            ended: false,
        }
    }

    /// Bytes of the file read so far.
    pub fn bytes(&self) -> u64 {
        self.reader.bytes()
    }

    /// Other addresses of the network card that has this one.
    pub fn beside(&self, ip: IpAddr) -> impl Iterator<Item = IpAddr> + '_ {
        let card = self.cards.values().find(move |list| list.contains(&ip));
        card.into_iter()
            .flatten()
            .copied()
            .filter(move |other| *other != ip)
    }

    /// The next access; `None` when there is none left.
    pub fn next_access(&mut self) -> Result<Option<Access>, CaptureError> {
        loop {
            let ripe = self.queue.front().is_some_and(|access| {
                let m = &access.message;
                let late = self.reader.frames() > access.frame + WINDOW;
                self.ended || late || m.unreliable || m.answer.get().settled()
            });
            if ripe || self.ended {
                return Ok(self.queue.pop_front());
            }
            self.step()?;
        }
    }

    fn step(&mut self) -> Result<(), CaptureError> {
        let Some(frame) = self.reader.next_frame()? else {
            self.ended = true;
            self.counts.cut_file = self.reader.cut();
            return Ok(());
        };
        self.counts.frames += 1;
        let at = At {
            frame: frame.number,
            nanos: frame.nanos,
        };
        self.counts.cut_payload += u64::from((frame.data.len() as u64) < u64::from(frame.wire));
        let (d, packet) = match datagram(frame.link, &frame.data)
            .and_then(|d| decode(&d).map(|packet| (d, packet)))
        {
            Ok(both) => both,
            Err(why) => {
                self.counts.skip(why);
                return Ok(());
            }
        };
        self.counts.packets += 1;
        self.counts.vlan += u64::from(d.vlan);
        self.counts.ipv6 += u64::from(d.src.is_ipv6());
        *self.counts.opcodes.entry(name(packet.opcode)).or_default() += 1;
        let cards = cards(&d);
        for (card, ip) in cards {
            let list = self.cards.entry(card).or_default();
            if !list.contains(&ip) {
                list.push(ip);
            }
        }
        if packet.answers() {
            self.answer(&packet, at.frame);
        } else {
            self.request(&packet, at);
        }
        Ok(())
    }

    fn request(&mut self, packet: &Packet, at: At) {
        let key = FlowKey {
            src: packet.src,
            dst: packet.dst,
            qp: packet.qp,
        };
        if !self.flows.contains_key(&key) {
            let pair = self.pairs.entry((key.src, key.dst)).or_default();
            pair.push(key.qp);
        }
        let flow = self.flows.entry(key).or_default();
        let access = flow.request(key, packet, at, &mut self.ids, &mut self.counts);
        self.queue.extend(access);
    }

    fn answer(&mut self, packet: &Packet, frame: u64) {
        let aeth = packet.aeth.filter(|a| !a.positive());
        if let Some(aeth) = aeth {
            self.counts.not_ready += u64::from(aeth.not_ready());
            if !aeth.not_ready() {
                let name = format!("0x{:02x}", aeth.syndrome);
                *self.counts.naks.entry(name).or_default() += 1;
            }
        }
        let matched = match self.asked(packet) {
            Some(key) => self
                .flows
                .get_mut(&key)
                .is_some_and(|flow| flow.answer(packet, frame)),
            None => false,
        };
        if matched {
            return;
        }
        self.counts.unmatched += 1;
        if let Some(aeth) = aeth.filter(|a| a.refusal()) {
            self.lone.push(Lone {
                frame,
                psn: packet.psn,
                qp: packet.qp,
                syndrome: aeth.syndrome,
            });
        }
    }

    /// The requests an answer is for: those that wait for its number, first where such answers went before.
    fn asked(&mut self, packet: &Packet) -> Option<FlowKey> {
        let (src, dst) = (packet.dst, packet.src);
        let answers = FlowKey {
            src: packet.src,
            dst: packet.dst,
            qp: packet.qp,
        };
        let key = |qp| FlowKey { src, dst, qp };
        let bound = self.bound.get(&answers).copied().map(key);
        let waits = |k: &FlowKey| self.flows.get(k).is_some_and(|f| f.waits_for(packet.psn));
        if let Some(k) = bound.filter(waits) {
            return Some(k);
        }
        let pair = self.pairs.get(&(src, dst))?;
        let mut candidates = pair.iter().copied().map(key).filter(waits);
        let first = candidates.next();
        let found = match candidates.find(|k| k.qp == packet.qp) {
            Some(same) if first.is_some_and(|f| f.qp != packet.qp) => Some(same),
            _ => first,
        };
        match found {
            Some(k) => {
                self.bound.insert(answers, k.qp);
                Some(k)
            }
            None => bound,
        }
    }
}

fn cards(d: &Datagram<'_>) -> impl Iterator<Item = (Mac, IpAddr)> {
    let (src, dst) = (d.src, d.dst);
    d.macs
        .into_iter()
        .flat_map(move |(from, to)| [(from, src), (to, dst)])
}
