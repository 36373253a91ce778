// SPDX-License-Identifier: MIT OR Apache-2.0
//! The requests of one direction of a connection in the order of their sequence numbers: which packet is new, which was
//! seen before, and where a WRITE of several packets goes on.

use super::counts::Counts;
use super::message::{Access, Answer, FlowKey, Kind, Message, Part};
use super::net::Skip;
use super::opcode::Group;
use super::packet::Packet;
use super::psn;
use super::sequence::{Place, Sequence};
use std::cell::Cell;
use std::collections::VecDeque;
use std::rc::Rc;

/// Requests that may wait for an answer.
const OPEN: usize = 8192;
/// Payloads of a full packet.
const STEPS: [u32; 5] = [256, 512, 1024, 2048, 4096];
const SMALLEST: u32 = STEPS[0];

/// A request that waits for its answer.
#[derive(Debug)]
pub(super) struct Open {
    pub message: Rc<Message>,
    /// its last sequence number, as far as it is known
    pub last: u32,
    /// its last packet was seen
    pub complete: bool,
}

/// A WRITE of several packets.
#[derive(Debug)]
struct Long {
    message: Rc<Message>,
    /// bytes of its full packets
    step: u32,
}

/// One direction of a connection.
#[derive(Debug, Default)]
pub(super) struct Flow {
    pub sequence: Sequence,
    long: Option<Long>,
    read: Option<Rc<Message>>,
    /// payload of full packets
    pub mtu: Option<u32>,
    /// a NAK has ended the connection
    pub broken: bool,
    pub open: VecDeque<Open>,
}

/// Where a packet comes from in the file.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub frame: u64,
    pub nanos: u64,
}

impl Flow {
    fn place(&self, packet: &Packet) -> Place {
        if self.reads_tail(packet) {
            return Place::Repeated;
        }
        let reliable = !packet.unreliable();
        self.sequence.place(packet.psn, reliable, self.broken)
    }

    /// The rest of a READ whose answer was lost on its way is asked for again.
    fn reads_tail(&self, packet: &Packet) -> bool {
        let (Some(read), Some(reth), Group::Read) = (&self.read, packet.reth, packet.group) else {
            return false;
        };
        let end = |va: u64, len: u32| va.wrapping_add(u64::from(len));
        let packets = psn::distance(read.psn, packet.psn);
        let bytes = reth.va.wrapping_sub(read.va);
        let whole = |step: u32| u64::from(step) * u64::from(packets.unsigned_abs()) == bytes;
        packets > 0
            && bytes < u64::from(read.len)
            && reth.rkey == read.rkey
            && end(reth.va, reth.len) == end(read.va, read.len)
            && self.mtu.map_or_else(|| STEPS.into_iter().any(whole), whole)
    }

    /// A request packet; what it asks of the responder, if anything.
    pub fn request(
        &mut self,
        key: FlowKey,
        packet: &Packet,
        at: At,
        ids: &mut u64,
        counts: &mut Counts,
    ) -> Option<Access> {
        let place = self.place(packet);
        if place == Place::Anew {
            *self = Flow {
                sequence: Sequence::at(packet.psn),
                ..Flow::default()
            };
            counts.connections += 1;
        }
        let repeated = place == Place::Repeated;
        if repeated && packet.group != Group::Read {
            counts.repeated_others += 1;
            return None;
        }
        counts.repeated_reads += u64::from(repeated);
        let part = match (packet.group, packet.reth) {
            (Group::Write { first: false, last }, _) => return self.next(packet, last, at, counts),
            (
                Group::Send {
                    first: false,
                    last,
                    invalidate: false,
                },
                _,
            ) => {
                self.extend(packet.psn, last);
                counts.gaps += self.sequence.advance(packet.psn, 1, 1);
                return None;
            }
            (Group::Send { first: false, .. }, _) => {
                self.extend(psn::add(packet.psn, psn::MASK), true);
                Part::Whole
            }
            (Group::Write { last: false, .. }, _) => Part::First {
                len: packet.payload,
            },
            _ => Part::Whole,
        };
        let (numbers, most) = match (packet.group, packet.reth) {
            (Group::Read, Some(reth)) => {
                let most = span(reth.len, SMALLEST);
                match self.mtu {
                    Some(mtu) => (span(reth.len, mtu), span(reth.len, mtu)),
                    None => (1, most),
                }
            }
            _ => (1, 1),
        };
        if !repeated {
            counts.gaps += self.sequence.advance(packet.psn, numbers, most);
        }
        *ids += 1;
        let message = Rc::new(message(key, packet, at.frame, repeated, *ids));
        self.put(&message, psn::add(packet.psn, most - 1), packet);
        Some(Access {
            message,
            frame: at.frame,
            nanos: at.nanos,
            part,
        })
    }

    /// Remembers a request until its answer comes.
    fn put(&mut self, message: &Rc<Message>, last: u32, packet: &Packet) {
        if let Group::Write { last: false, .. } = packet.group {
            self.mtu = Some(packet.payload.max(1));
            self.long = Some(Long {
                message: message.clone(),
                step: packet.payload,
            });
        }
        if message.kind == Kind::Read && !message.repeated {
            self.read = Some(message.clone());
        }
        if message.unreliable {
            return;
        }
        if let (Some(before), false) = (self.open.back_mut(), message.repeated) {
            let end = psn::add(packet.psn, psn::MASK);
            if psn::distance(end, before.last) > 0 && psn::distance(before.message.psn, end) >= 0 {
                before.last = end;
            }
        }
        let complete = !matches!(
            packet.group,
            Group::Write { last: false, .. } | Group::Send { last: false, .. }
        );
        self.open.push_back(Open {
            message: message.clone(),
            last,
            complete,
        });
        if self.open.len() > OPEN {
            self.open.pop_front();
        }
    }

    /// The request that is going on reaches to `last`.
    fn extend(&mut self, last: u32, complete: bool) {
        let reached =
            |o: &&mut Open| psn::distance(o.message.psn, last) >= 0 && !o.message.repeated;
        if let Some(open) = self.open.iter_mut().rev().find(reached) {
            if psn::distance(open.last, last) > 0 && !open.complete {
                open.last = last;
                open.complete = complete;
            }
        }
    }

    /// A packet behind the first of a WRITE: its address follows from its sequence number.
    fn next(&mut self, packet: &Packet, last: bool, at: At, counts: &mut Counts) -> Option<Access> {
        let found = self.long.as_ref().and_then(|long| {
            let packets = psn::distance(long.message.psn, packet.psn);
            let offset = u64::try_from(packets).ok()? * u64::from(long.step);
            let left = u64::from(long.message.len).checked_sub(offset)?;
            (packets > 0 && left > 0).then(|| {
                let len = u64::from(packet.payload).min(left) as u32;
                (long.message.clone(), Part::Next { offset, len, last })
            })
        });
        counts.gaps += self.sequence.advance(packet.psn, 1, 1);
        let Some((message, part)) = found else {
            // when it comes again behind its first packet it is new
            self.sequence.miss(packet.psn);
            counts.skip(Skip::Orphan);
            return None;
        };
        self.extend(packet.psn, last);
        Some(Access {
            message,
            frame: at.frame,
            nanos: at.nanos,
            part,
        })
    }
}

/// Packets of an answer of `len` bytes; so few that numbers still compare.
fn span(len: u32, mtu: u32) -> u32 {
    len.div_ceil(mtu).clamp(1, 1 << 22)
}

fn message(flow: FlowKey, packet: &Packet, frame: u64, repeated: bool, id: u64) -> Message {
    let kind = match packet.group {
        Group::Write { .. } => Kind::Write,
        Group::Read => Kind::Read,
        Group::Atomic => Kind::Atomic,
        Group::AtomicWrite => Kind::AtomicWrite,
        Group::Flush => Kind::Flush {
            global: packet.feth & 1 != 0,
            persistent: packet.feth & 2 != 0,
            whole: packet.feth & 0x30 == 0x10,
        },
        _ if packet.ieth.is_some() => Kind::Invalidate,
        _ => Kind::Send,
    };
    let (va, key, len) = packet.reth.map_or((0, 0, 0), |r| (r.va, r.rkey, r.len));
    Message {
        id,
        flow,
        unreliable: packet.unreliable(),
        kind,
        rkey: packet.ieth.unwrap_or(key),
        va,
        len,
        frame,
        psn: packet.psn,
        repeated,
        answer: Cell::new(Answer::None),
    }
}
