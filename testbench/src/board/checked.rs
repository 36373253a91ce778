// SPDX-License-Identifier: MIT OR Apache-2.0
//! A board with its link open, every answer held against the reference model. One command or lookup at a time.

use super::link::{Link, LinkError, Port};
use super::tables::Tables;
use super::wire::{self, Message};
use crate::cases::{Device, Reply};
use crate::model::{Model, Params};
use crate::trace::{Answer, Body, Code, Command, Event, EventKind, Lookup, SegStatus, Segment};
use latchkey_hdl::link::host;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Words in one `PAGES` request.
const PAGES: usize = 8;

/// Why a run on a board ends.
#[derive(Debug, thiserror::Error)]
pub enum Wrong {
    /// The board can't be talked to.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// An argument does not fit the fields of the board.
    #[error("{0}")]
    Argument(String),
    /// The board's answer is not the model's.
    #[error("the board answered {got}, the model says {want}: {what}")]
    Mismatch {
        /// What was asked.
        what: String,
        /// What came.
        got: String,
        /// What should have come.
        want: String,
    },
}

/// What a board and its host know, to be taken up again by another process: the tables, and what was commanded and answered.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Session {
    /// Words of the tables: space, address, value.
    pub tables: Vec<(u8, u32, u32)>,
    /// Commands that changed anything, with their answers.
    pub history: Vec<(Body, Answer)>,
    /// Last tag of a lookup.
    pub lookup_tag: u16,
}

/// An open board and the model beside it.
pub struct Checked<P> {
    /// The link.
    pub link: Link<P>,
    /// What the board should do.
    pub model: Model,
    /// Events of the board, oldest first.
    pub events: Vec<Event>,
    tag: u8,
    lookup_tag: u16,
    /// Answers held against the model so far.
    pub checks: u64,
    history: Vec<(Body, Answer)>,
}

impl<P: Port> Checked<P> {
    /// Opens the link with empty tables.
    pub fn open(mut link: Link<P>, params: Params) -> Result<Checked<P>, LinkError> {
        link.open(true)?;
        Ok(Checked {
            link,
            model: Model::new(params),
            events: Vec::new(),
            tag: 0,
            lookup_tag: 0,
            checks: 0,
            history: Vec::new(),
        })
    }

    /// Takes up a session. The board refuses (`LinkError::Closed`) when its link is not open any more.
    pub fn resume(
        mut link: Link<P>,
        params: Params,
        session: Session,
    ) -> Result<Checked<P>, LinkError> {
        link.tables = Tables::of(&session.tables);
        link.open(false)?;
        link.settle()?;
        let mut model = Model::new(params);
        for (body, answer) in &session.history {
            match body {
                Body::Register(reg) => {
                    drop(model.learn(Arc::new(reg.clone()), answer.lkey, answer.rkey))
                }
                body => drop(model.answer(0, body)),
            }
        }
        Ok(Checked {
            link,
            model,
            events: Vec::new(),
            tag: 0,
            lookup_tag: session.lookup_tag,
            checks: 0,
            history: session.history,
        })
    }

    /// The session, to be taken up later.
    pub fn session(&self) -> Session {
        Session {
            tables: self.link.tables.list(),
            history: self.history.clone(),
            lookup_tag: self.lookup_tag,
        }
    }

    /// The next message that `wanted` takes; events are put aside.
    fn wait<T>(
        &mut self,
        what: &'static str,
        mut wanted: impl FnMut(&Message) -> Option<T>,
    ) -> Result<T, Wrong> {
        let began = Instant::now();
        let mut others = Vec::new();
        let found = loop {
            if began.elapsed() > self.link.give_up() {
                return Err(self.link.silent(what, "").into());
            }
            match self.link.message(Duration::from_millis(100))? {
                None => {}
                Some(Message::Event(event)) => {
                    self.events.push(event);
                    check_event(&event)?;
                }
                Some(message) => match wanted(&message) {
                    Some(found) => break found,
                    None => others.push(message),
                },
            }
        };
        for message in others {
            self.link.put_back(message);
        }
        Ok(found)
    }

    /// Runs a command to its answer, with a tag of its own, and checks it.
    pub fn command(&mut self, body: Body) -> Result<Answer, Wrong> {
        self.fits(&body)?;
        self.tag = self.tag.wrapping_add(1);
        let command = Command {
            tag: self.tag,
            body,
        };
        self.link
            .request(host::COMMAND, &wire::command(&command), "a command")?;
        if let Body::Register(reg) = &command.body {
            if reg.pages > u64::from(self.model.params.inline) {
                let inline = self.model.params.inline as usize;
                let words: Vec<u32> = reg
                    .list
                    .iter()
                    .skip(inline)
                    .map(|e| e.bits() as u32)
                    .collect();
                // a list that should go on but does not still has one transfer
                let words = if words.is_empty() { vec![0] } else { words };
                let count = words.len().div_ceil(PAGES);
                for (n, part) in words.chunks(PAGES).enumerate() {
                    let payload = wire::pages(part, n + 1 == count);
                    self.link.request(host::PAGES, &payload, "a page list")?;
                }
            }
        }
        let tag = command.tag;
        let answer = self.wait("a command", |m| match m {
            Message::Answer(a) if a.tag == tag => Some(*a),
            _ => None,
        })?;
        self.judge(&command, &answer)?;
        if answer.code == Code::Ok
            && !matches!(command.body, Body::Query { .. } | Body::Flush { .. })
        {
            self.history.push((command.body, answer));
        }
        Ok(answer)
    }

    /// Numbers that would be cut off on the way are refused here.
    fn fits(&self, body: &Body) -> Result<(), Wrong> {
        let p = &self.model.params;
        let check = |name: &str, value: u64, bits: u32| {
            if bits < 64 && value >> bits != 0 {
                return Err(Wrong::Argument(format!(
                    "{name} {value:#x} has more than the {bits} bits of the board"
                )));
            }
            Ok(())
        };
        match body {
            Body::Register(r) => {
                check("pd", u64::from(r.pd), p.pd_bits)?;
                check("iova", r.iova, p.va_bits)?;
                check("length", r.length, p.region_bits)?;
                check("base", r.base, p.pa_bits)?;
                check("pages", r.pages, p.pages_bits)
            }
            Body::PdWindow { pd, base, words } => {
                check("pd", u64::from(*pd), p.pd_bits)?;
                check("base", *base, p.mtt_bits)?;
                check("words", *words, p.pages_bits)
            }
            Body::Deregister { .. }
            | Body::Query { .. }
            | Body::Flush { .. }
            | Body::Other { .. } => Ok(()),
            other => Err(Wrong::Argument(format!(
                "the link of the board does not carry command {}",
                other.op_bits()
            ))),
        }
    }

    fn judge(&mut self, command: &Command, answer: &Answer) -> Result<(), Wrong> {
        self.checks += 1;
        let wrong = |got: String, want: String| Wrong::Mismatch {
            what: format!("{:?}", command.body),
            got,
            want,
        };
        // what the model does not know: room among indices and parked commands. Overdue is wrong, since every lease was ended
        if matches!(answer.code, Code::Busy | Code::NoSpace) {
            return Ok(());
        }
        if let Body::Register(reg) = &command.body {
            let reasons = self.model.reasons(reg);
            if !reasons.accepts(answer.code) {
                let want = reasons.must.first().map_or(Code::Ok, |(code, _)| *code);
                return Err(wrong(format!("{:?}", answer.code), format!("{want:?}")));
            }
            if answer.code == Code::Ok {
                let faults = self
                    .model
                    .learn(Arc::new(reg.clone()), answer.lkey, answer.rkey);
                if let Some(fault) = faults.first() {
                    return Err(wrong(
                        format!("{:#x} {:#x}", answer.lkey, answer.rkey),
                        fault.to_string(),
                    ));
                }
            }
            return Ok(());
        }
        let want = match &command.body {
            Body::Other { .. } => Answer::bare(command.tag, Code::BadOp),
            body => self.model.answer(command.tag, body),
        };
        let shown = |a: &Answer| match command.body {
            Body::Query { .. } if a.code == Code::Ok => format!("{a:?}"),
            _ => format!("{:?}", a.code),
        };
        match shown(answer) == shown(&want) {
            true => Ok(()),
            false => Err(wrong(shown(answer), shown(&want))),
        }
    }

    /// Runs a lookup to its end, gives its `dma_done`, and checks all of it. The tag is chosen here.
    pub fn lookup(&mut self, lookup: &Lookup) -> Result<Reply, Wrong> {
        self.lookup_tag = (self.lookup_tag + 1) & 15;
        let lookup = Lookup {
            tag: self.lookup_tag,
            port: 0,
            ..*lookup
        };
        let p = &self.model.params;
        if lookup.va >> p.va_bits != 0 || u64::from(lookup.pd) >> p.pd_bits != 0 {
            return Err(Wrong::Argument(format!(
                "va {:#x}, pd {}: more than the {} and {} bits of the board",
                lookup.va, lookup.pd, p.va_bits, p.pd_bits
            )));
        }
        self.link
            .request(host::LOOKUP, &wire::lookup(&lookup), "a lookup")?;
        let tag = lookup.tag;
        let verdict = self.wait("a lookup", |m| match m {
            Message::Verdict(v) if v.tag == tag => Some(*v),
            _ => None,
        })?;
        let mut segments: Vec<Segment> = Vec::new();
        if verdict.granted && lookup.walk && lookup.len > 0 {
            while segments.last().is_none_or(|s| !s.last) {
                let segment = self.wait("the addresses of a lookup", |m| match m {
                    Message::Segment(s) if s.tag == tag => Some(*s),
                    _ => None,
                })?;
                segments.push(segment);
            }
            self.link.request(host::DONE, &[tag as u8], "dma_done")?;
        }
        let page = self.page_of(&lookup);
        let reply = Reply {
            verdict,
            segments,
            page,
        };
        self.compare(&lookup, &reply)?;
        Ok(reply)
    }

    /// The page of the last page fault event of the lookup's region.
    fn page_of(&self, lookup: &Lookup) -> Option<u64> {
        let bits = self.model.params.index_bits;
        let index = self.model.params.index(lookup.key);
        let of = |e: &&Event| e.kind == EventKind::PageFault && e.info & ((1 << bits) - 1) == index;
        self.events
            .iter()
            .rev()
            .find(of)
            .map(|e| u64::from(e.info >> bits))
    }

    fn compare(&mut self, lookup: &Lookup, reply: &Reply) -> Result<(), Wrong> {
        self.checks += 1;
        let want = self.model.lookup(lookup);
        let wrong = |got: String, want: String| Wrong::Mismatch {
            what: format!("{lookup:?}"),
            got,
            want,
        };
        let got = (
            reply.verdict.granted,
            reply.verdict.class,
            reply.verdict.cause,
        );
        let right = (want.granted, want.class, want.cause);
        if got != right {
            return Err(wrong(format!("{got:?}"), format!("{right:?}")));
        }
        let seen: Vec<_> = reply
            .segments
            .iter()
            .map(|s| (s.pa, s.len, s.status))
            .collect();
        let due: Vec<_> = match (want.walks, want.fault) {
            (false, _) => vec![],
            (true, Some(_)) => vec![(0, 0, SegStatus::PageFault)],
            (true, None) => match self.model.view(self.model.params.index(lookup.key)) {
                crate::model::View::Valid(region) | crate::model::View::Window(_, region) => {
                    let pieces = region.pieces(want.offset, lookup.len).into_iter();
                    pieces.map(|p| (p.pa, p.len, SegStatus::Ok)).collect()
                }
                _ => vec![],
            },
        };
        // the address of a page fault means nothing
        let same = seen.len() == due.len()
            && seen
                .iter()
                .zip(&due)
                .all(|(s, d)| s.1 == d.1 && s.2 == d.2 && (s.0 == d.0 || d.2 != SegStatus::Ok));
        match same {
            true => Ok(()),
            false => Err(wrong(format!("{seen:x?}"), format!("{due:x?}"))),
        }
    }

    /// A register.
    pub fn register(&mut self, addr: u8) -> Result<u32, Wrong> {
        self.link
            .request(host::CSR, &wire::csr(addr, None), "a register")?;
        self.wait("a register", |m| match m {
            Message::Csr(value) => Some(*value),
            _ => None,
        })
    }
}

/// One thing is asked at a time, and every lease is ended once, after its last segment: the board must not see it otherwise.
fn check_event(event: &Event) -> Result<(), Wrong> {
    match event.kind {
        EventKind::TagReuse | EventKind::UnknownDmaDone | EventKind::DrainOverdue => {
            Err(Wrong::Mismatch {
                what: "an event".into(),
                got: format!("{:?} {:#x}", event.kind, event.info),
                want: "no such event".into(),
            })
        }
        _ => Ok(()),
    }
}

impl<P: Port> Device for Checked<P> {
    fn params(&self) -> &Params {
        &self.model.params
    }

    fn command(&mut self, command: &Command) -> anyhow::Result<Answer> {
        Ok(Checked::command(self, command.body.clone())?)
    }

    fn lookup(&mut self, lookup: &Lookup) -> anyhow::Result<Reply> {
        Ok(Checked::lookup(self, lookup)?)
    }
}
