// SPDX-License-Identifier: MIT OR Apache-2.0
//! Answers given to the requests they are for, by sequence number.

use super::flow::{Flow, Open};
use super::message::{Answer, Kind};
use super::opcode::Group;
use super::packet::Packet;
use super::psn;

impl Open {
    fn covers(&self, number: u32) -> bool {
        psn::within(number, self.message.psn, self.last)
    }

    fn settle(&self, answer: Answer) {
        if !self.message.answer.get().settled() {
            self.message.answer.set(answer);
        }
    }
}

impl Flow {
    /// Is a request open that has this number?
    pub fn waits_for(&self, number: u32) -> bool {
        self.open.iter().any(|o| o.covers(number))
    }

    /// Everything before `number` was carried out, as requests are answered in order.
    fn done_before(&mut self, number: u32) {
        for open in &self.open {
            if psn::distance(open.last, number) > 0 {
                open.settle(Answer::Ack);
            }
        }
    }

    fn tidy(&mut self) {
        while self
            .open
            .front()
            .is_some_and(|o| o.message.answer.get().settled())
        {
            self.open.pop_front();
        }
    }

    /// Takes an answer; false: it belongs to nothing that is known here.
    pub fn answer(&mut self, packet: &Packet, frame: u64) -> bool {
        let number = packet.psn;
        let known = self.waits_for(number) || self.sequence.knows(number);
        match (packet.group, packet.aeth) {
            (Group::Response { first, last }, _) => {
                if !last {
                    self.mtu = Some(packet.payload.max(1));
                }
                self.response(number, last, first || last);
            }
            (Group::AtomicAck, _) => {
                self.done_before(number);
                self.open
                    .iter()
                    .filter(|o| o.message.psn == number)
                    .for_each(|o| o.settle(Answer::Ack));
            }
            (_, Some(aeth)) if aeth.positive() => {
                for open in &self.open {
                    if open.complete && psn::distance(open.last, number) >= 0 {
                        open.settle(Answer::Ack);
                    }
                }
            }
            (_, Some(aeth)) if aeth.refusal() => self.refused(number, frame, aeth.syndrome),
            (_, Some(_)) => self.done_before(number),
            _ => {}
        }
        self.tidy();
        known
    }

    fn response(&mut self, number: u32, last: bool, edge: bool) {
        let answered = |o: &&Open| {
            let kind = matches!(
                o.message.kind,
                Kind::Read | Kind::AtomicWrite | Kind::Flush { .. }
            );
            kind && o.covers(number)
        };
        let Some(begin) = self.open.iter().find(answered).map(|o| o.message.psn) else {
            return;
        };
        if edge {
            self.done_before(begin);
        }
        for open in self.open.iter().filter(answered) {
            if last {
                open.settle(Answer::Ack);
            } else {
                open.settle(Answer::Started);
            }
        }
    }

    fn refused(&mut self, number: u32, frame: u64, syndrome: u8) {
        self.done_before(number);
        for open in self.open.iter().filter(|o| o.covers(number)) {
            let late = open.message.answer.get() == Answer::Started;
            open.settle(Answer::Nak {
                frame,
                syndrome,
                late,
            });
        }
        self.broken = true;
    }
}
