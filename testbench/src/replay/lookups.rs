// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lookups on their way, each with what the model says of it.

use super::tally::Tally;
use crate::model::{Model, Outcome, Piece, View};
use crate::trace::{Cause, Class, Lookup, SegStatus, Segment, Verdict};
use std::collections::{HashMap, HashSet, VecDeque};

/// A lookup to be offered.
#[derive(Clone, Debug)]
pub(super) struct Offer {
    pub lookup: Lookup,
    pub outcome: Outcome,
    pub pieces: VecDeque<Piece>,
    /// the request it belongs to
    pub message: u64,
    pub frame: u64,
}

impl Offer {
    /// With the model's answer.
    pub fn new(model: &Model, lookup: Lookup, message: u64, frame: u64) -> Offer {
        let outcome = model.lookup(&lookup);
        let pieces = match model.view(model.params.index(lookup.key)) {
            View::Valid(region) | View::Window(_, region) if outcome.walks => {
                region.pieces(outcome.offset, lookup.len).into()
            }
            _ => VecDeque::new(),
        };
        Offer {
            lookup,
            outcome,
            pieces,
            message,
            frame,
        }
    }
}

/// A request has got a verdict: its number, and the refusal if it is one.
pub(super) type Word = (u64, Option<(Class, Cause)>);

/// Lookups at the pins.
#[derive(Default)]
pub(super) struct Open {
    /// given to the bench, port and tag not known yet
    given: Option<Offer>,
    open: HashMap<(u16, u16), (Offer, bool)>,
    /// queue pairs whose lookup has no verdict yet
    waiting: HashSet<u32>,
    /// walks whose last segment is missing, and lookups without verdict
    busy: usize,
}

impl Open {
    /// Nothing is under way.
    pub fn idle(&self) -> bool {
        self.busy == 0 && self.given.is_none()
    }

    /// The packet before it on this queue pair has no verdict: a responder takes them one after the other.
    pub fn waits(&self, qpn: u32) -> bool {
        self.waiting.contains(&qpn)
    }

    /// The bench takes this one next.
    pub fn give(&mut self, offer: Offer) {
        self.waiting.insert(offer.lookup.qpn);
        self.given = Some(offer);
    }

    /// The bench has chosen port and tag.
    pub fn offered(&mut self, lookup: &Lookup) {
        if let Some(offer) = self.given.take() {
            self.open.insert((lookup.port, lookup.tag), (offer, false));
            self.busy += 1;
        }
    }

    /// A verdict came.
    pub fn verdict(&mut self, v: &Verdict, tally: &mut Tally) -> Option<Word> {
        let at = (v.port, v.tag);
        let (offer, seen) = self.open.get_mut(&at)?;
        *seen = true;
        self.waiting.remove(&offer.lookup.qpn);
        let o = &offer.outcome;
        if (v.granted, v.class, v.cause) != (o.granted, o.class, o.cause) {
            tally.differs(format!(
                "frame {}: {:?} got {v:?}, the model says granted {} {:?} {:?}",
                offer.frame, offer.lookup, o.granted, o.class, o.cause
            ));
        }
        let word = (offer.message, (!v.granted).then_some((v.class, v.cause)));
        let over = !v.granted || offer.pieces.is_empty();
        if over {
            self.close(at);
        }
        Some(word)
    }

    /// A segment came.
    pub fn segment(&mut self, s: &Segment, tally: &mut Tally) {
        let at = (s.port, s.tag);
        let Some((offer, seen)) = self.open.get_mut(&at) else {
            return;
        };
        let want = offer.pieces.pop_front();
        let right = want.is_some_and(|p| p.pa == s.pa && p.len == s.len)
            && s.status == SegStatus::Ok
            && s.last == offer.pieces.is_empty();
        if !right {
            tally.differs(format!(
                "frame {}: {:?} got {s:?}, the model says {want:?} and {} behind it",
                offer.frame,
                offer.lookup,
                offer.pieces.len()
            ));
        }
        if s.last {
            offer.pieces.clear();
            if *seen {
                self.close(at);
            }
        }
    }

    fn close(&mut self, at: (u16, u16)) {
        if self.open.remove(&at).is_some() {
            self.busy -= 1;
        }
    }
}
