// SPDX-License-Identifier: MIT OR Apache-2.0
//! The model as a device that answers at once: it gives keys of its own, from a counter. Used to test the case runner
//! and as a stand-in where no hardware is built. Its keys are not secret and not those of the hardware.

use super::{Model, Params, Seen, View};
use crate::trace::{Answer, Body, Code, Command, Lookup, SegStatus, Segment, Verdict};

/// A model that answers commands and lookups.
#[derive(Debug)]
pub struct Sim {
    /// The table.
    pub model: Model,
    draws: u32,
}

impl Sim {
    /// An empty device.
    pub fn new(params: Params) -> Self {
        Self {
            model: Model::new(params),
            draws: 0,
        }
    }

    /// Runs a command to its end.
    pub fn command(&mut self, command: &Command) -> Answer {
        let body = &command.body;
        if !Params::issues(body) {
            return self.model.answer(command.tag, body);
        }
        let code = self.model.rules(body).first();
        if code != Code::Ok {
            return Answer::bare(command.tag, code);
        }
        // keys whose low byte the consumer chooses must differ above it, and from all before
        let consumers = matches!(body, Body::Allocate { .. } | Body::AllocateWindow { .. });
        let drawn = (0..512).find_map(|_| {
            let (lkey, rkey) = self.draw()?;
            let new = |key: u32| !self.model.knows_secret(key);
            let apart = (lkey ^ rkey) >> 8 != 0 && new(lkey) && new(rkey);
            (apart || !consumers).then_some((lkey, rkey))
        });
        let Some((lkey, rkey)) = drawn else {
            return Answer::bare(command.tag, Code::NoSpace);
        };
        let (lkey, rkey) = match body {
            Body::Allocate { .. } => (lkey & !0xff, rkey & !0xff),
            Body::AllocateWindow { .. } => (0, rkey & !0xff),
            Body::AllocateNull { .. } => (lkey, 0),
            _ => (lkey, rkey),
        };
        let faults = self.model.allocated(body, lkey, rkey).unwrap_or_default();
        debug_assert!(faults.is_empty(), "{faults:?}");
        Answer {
            lkey,
            rkey,
            ..Answer::bare(command.tag, Code::Ok)
        }
    }

    /// Serves a lookup. The page is that of a page fault.
    pub fn lookup(&self, lookup: &Lookup) -> (Verdict, Vec<Segment>, Option<u64>) {
        let outcome = self.model.lookup(lookup);
        let (port, tag) = (lookup.port, lookup.tag);
        let verdict = Verdict {
            port,
            tag,
            granted: outcome.granted,
            class: outcome.class,
            cause: outcome.cause,
        };
        if !outcome.walks {
            return (verdict, Vec::new(), None);
        }
        if outcome.fault.is_some() {
            let fault = Segment {
                port,
                tag,
                pa: 0,
                len: 0,
                last: true,
                status: SegStatus::PageFault,
            };
            return (verdict, vec![fault], outcome.fault);
        }
        let view = self.model.view(self.model.params.index(lookup.key));
        let (View::Valid(region) | View::Window(_, region)) = view else {
            return (verdict, Vec::new(), None);
        };
        let mut segments: Vec<_> = region
            .pieces(outcome.offset, lookup.len)
            .into_iter()
            .map(|piece| Segment {
                port,
                tag,
                pa: piece.pa,
                len: piece.len,
                last: false,
                status: SegStatus::Ok,
            })
            .collect();
        if let Some(last) = segments.last_mut() {
            last.last = true;
        }
        (verdict, segments, None)
    }

    /// The lowest free index, and two new values above it.
    fn draw(&mut self) -> Option<(u32, u32)> {
        let params = &self.model.params;
        let index =
            (1..params.mrs).find(|index| !matches!(self.model.seen(*index), Seen::Live(_)))?;
        let bits = params.index_bits;
        let key = |draw: u32| {
            let secret = (draw >> 8).checked_shl(8 + bits).unwrap_or(0);
            secret | index << 8 | (draw & 0xff)
        };
        self.draws += 2;
        // Spread over the bits, one to one, so that neighbours differ in more than the last bit.
        let spread = |draw: u32| draw.wrapping_mul(0x9e37_79b1) & (u32::MAX >> bits);
        Some((key(spread(self.draws)), key(spread(self.draws + 1))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{access, Cause, Entry, Mode, PageList, PageSize, Register};

    #[test]
    fn a_region_lives_and_dies() {
        let mut sim = Sim::new(Params::wide());
        let mut run = |body| sim.command(&Command { tag: 1, body });
        let reg = Register {
            pd: 1,
            iova: 0x10010,
            length: 0x1000,
            access: access::REMOTE_READ,
            page: PageSize::K4,
            base: 0,
            pages: 2,
            list: PageList::List(vec![Entry::page(0xa000), Entry::page(0x3000)]),
        };
        assert_eq!(run(Body::Register(reg.clone())).code, Code::BadWindow);
        run(Body::PdWindow {
            pd: 1,
            base: 0,
            words: 16,
        });
        let keys = run(Body::Register(reg));
        assert_eq!(keys.code, Code::Ok);
        let lookup = Lookup::read(1, keys.rkey, 0x10fff, 0x11);
        let (verdict, segments, _) = sim.lookup(&lookup);
        assert!(verdict.granted);
        let seen: Vec<_> = segments.iter().map(|s| (s.pa, s.len, s.last)).collect();
        assert_eq!(seen, [(0xafff, 1, false), (0x3000, 16, true)]);
        assert_eq!(
            sim.lookup(&Lookup {
                len: 0x12,
                ..lookup
            })
            .0
            .cause,
            Cause::OutOfBounds
        );
        assert_eq!(
            sim.lookup(&Lookup {
                key: keys.lkey,
                ..lookup
            })
            .0
            .cause,
            Cause::WrongSide
        );
        let end = Body::Deregister {
            key: keys.lkey,
            mode: Mode::Cut,
        };
        assert_eq!(sim.command(&Command { tag: 2, body: end }).code, Code::Ok);
        assert_eq!(sim.lookup(&lookup).0.cause, Cause::StaleKey);
    }
}
