// SPDX-License-Identifier: MIT OR Apache-2.0
//! The answer of the core to a request against that of the capture.

use super::facts::{Expect, Facts};
use super::keys::How;
use super::tally::{Exception, Reason, Tally};
use crate::bench::tally::name;
use crate::capture::{Answer, Kind, Message};
use crate::model::judge::needed;
use crate::trace::{Cause, Class, Op};
use std::rc::Rc;

const LACKS: &str = "the queue pair lacks the right, decided before the key table";

/// A request and what became of it.
#[derive(Clone, Debug)]
pub(super) struct Decision {
    pub message: Rc<Message>,
    pub how: How,
    /// the model refuses it: its further packets are not served
    pub foreseen: bool,
    /// first refusal of the core
    pub refused: Option<(Class, Cause)>,
    /// lookups without verdict
    pub open: u32,
    /// its last packet was offered
    pub closed: bool,
    /// rights of the queue pair
    pub qp_access: Option<u32>,
}

/// Operations of a request.
pub(super) fn ops(kind: Kind) -> Vec<Op> {
    match kind {
        Kind::Write => vec![Op::Write],
        Kind::Read => vec![Op::Read],
        Kind::Atomic => vec![Op::Atomic],
        Kind::AtomicWrite => vec![Op::AtomicWrite],
        Kind::Flush {
            global, persistent, ..
        } => {
            let both = [(global, Op::FlushGlobal), (persistent, Op::FlushPersistent)];
            both.into_iter()
                .filter(|(on, _)| *on)
                .map(|(_, op)| op)
                .collect()
        }
        Kind::Send | Kind::Invalidate => Vec::new(),
    }
}

fn class_name(class: Class) -> &'static str {
    match class {
        Class::Ok => "ok",
        Class::RemInvReqErr => "rem_inv_req_err",
        _ => "rem_access_err",
    }
}

fn capture_class(answer: Answer) -> Option<&'static str> {
    Some(match answer {
        Answer::Ack => "ok",
        Answer::Nak { syndrome: 0x61, .. } => "rem_inv_req_err",
        Answer::Nak { syndrome: 0x62, .. } => "rem_access_err",
        Answer::Nak { .. } => "rem_op_err",
        _ => return None,
    })
}

impl Decision {
    /// Nothing said yet.
    pub fn new(message: Rc<Message>, how: How, qp_access: Option<u32>) -> Decision {
        Decision {
            message,
            how,
            foreseen: false,
            refused: None,
            open: 0,
            closed: false,
            qp_access,
        }
    }

    fn class(&self) -> &'static str {
        self.refused.map_or("ok", |(class, _)| class_name(class))
    }

    /// Counts it and lists it if it needs a word.
    pub fn settle(&self, facts: &Facts, tally: &mut Tally) {
        let m = &self.message;
        let answer = m.answer.get();
        tally.decided(m.kind.name(), self.refused.map(|r| r.1));
        let expect = facts.expects.get(&m.frame).filter(|e| e.remote());
        let agrees = expect.is_none_or(|e| e.allows(self.class()));
        tally.matches.as_expected += u64::from(expect.is_some() && agrees);
        let matches = &mut tally.matches;
        let refused = self.refused.is_some();
        let (same, other_class) = match (answer, refused) {
            (Answer::Ack, false) => {
                matches.acknowledged += 1;
                (true, false)
            }
            (Answer::Nak { .. }, true) => {
                matches.refused += 1;
                tally.naks_matched += 1;
                (true, capture_class(answer) != Some(self.class()))
            }
            (Answer::Ack, true) => (false, false),
            (Answer::Nak { .. }, false) => (false, false),
            _ => {
                matches.unanswered[usize::from(refused)] += 1;
                (true, false)
            }
        };
        if same && agrees && !other_class {
            return;
        }
        let (reason, why) = if !same {
            self.differs(answer, expect, facts)
        } else if !agrees && self.owner(facts).is_none() {
            let rule = expect.map_or("", |e| e.class.as_str());
            (Reason::Rules, format!("the rules say {rule}"))
        } else if let (false, Some(owner)) = (agrees, self.owner(facts)) {
            (Reason::WindowOwner, owner)
        } else {
            match self.lacks(answer) {
                true => (Reason::QpRight, LACKS.into()),
                false => (
                    Reason::OtherClass,
                    "refused by both under different classes".into(),
                ),
            }
        };
        if !same && !reason.fails() {
            let count = if refused {
                &mut tally.matches.ack_refused
            } else {
                &mut tally.matches.nak_granted
            };
            *count += 1;
        }
        tally.except(self.exception(expect, reason, why));
    }

    /// Type 2 window used by a queue pair that is not its own.
    fn owner(&self, facts: &Facts) -> Option<String> {
        let region = &facts.regions[self.how.region()?];
        let owner = region
            .qpn
            .filter(|q| region.window == Some(2) && *q != self.message.flow.qp)?;
        Some(format!(
            "the window belongs to queue pair 0x{owner:x}; a window as region has no owner"
        ))
    }

    /// NAK invalid request, and the queue pair has not the right.
    fn lacks(&self, answer: Answer) -> bool {
        let without = |bits: u32| {
            let ops = ops(self.message.kind);
            ops.iter().any(|op| bits & needed(*op) != needed(*op))
        };
        answer.nak() == Some(0x61) && self.qp_access.is_some_and(without)
    }

    fn differs(&self, answer: Answer, expect: Option<&Expect>, facts: &Facts) -> (Reason, String) {
        if let Some(e) = expect.filter(|e| e.allows(self.class())) {
            let other = capture_class(answer).is_some_and(|c| !e.allows(c));
            if other {
                return (
                    Reason::Responder,
                    format!("the rules say {}, the responder did otherwise", e.class),
                );
            }
        }
        if let (Answer::Ack, Some((_, Cause::BadLength))) = (answer, self.refused) {
            return (
                Reason::TooLong,
                "the configuration takes no request of this length".into(),
            );
        }
        let (syndrome, late) = match answer {
            Answer::Nak { syndrome, late, .. } => (syndrome, late),
            _ => {
                let why = match self.how {
                    How::Unknown if facts.file.is_some() => {
                        "the file of regions has no region of this key"
                    }
                    _ => "no reason is known",
                };
                return (Reason::Unexplained, why.into());
            }
        };
        if self.lacks(answer) {
            return (Reason::QpRight, LACKS.into());
        }
        if let Some(owner) = self.owner(facts) {
            return (Reason::WindowOwner, owner);
        }
        if late {
            return (
                Reason::LateNak,
                "refused in the middle of the data, granted when it came".into(),
            );
        }
        match syndrome {
            0x62 => (Reason::Unexplained, "no reason is known".into()),
            0x61 => (
                Reason::InvalidRequest,
                "invalid request: not about the key".into(),
            ),
            _ => (
                Reason::RemoteOperational,
                "the responder failed: not about the key".into(),
            ),
        }
    }

    fn exception(&self, expect: Option<&Expect>, reason: Reason, why: String) -> Exception {
        let title = expect
            .map(|e| format!(" ({})", e.title))
            .unwrap_or_default();
        let core = match self.refused {
            None => "granted".into(),
            Some((_, cause)) => format!("refused: {}", name(cause)),
        };
        listed(&self.message, core, reason, why + &title)
    }
}

/// The entry of the list for a request.
pub(super) fn listed(m: &Message, core: String, reason: Reason, why: String) -> Exception {
    let capture = match m.answer.get() {
        Answer::None => "no answer".into(),
        Answer::Started => "data".into(),
        Answer::Ack => "acknowledged".into(),
        Answer::Nak {
            syndrome, frame, ..
        } => format!("NAK 0x{syndrome:02x} in frame {frame}"),
    };
    Exception {
        frame: m.frame,
        op: m.kind.name(),
        request: format!(
            "qp 0x{:x} psn {} key 0x{:08x} va 0x{:x} len {}",
            m.flow.qp, m.psn, m.rkey, m.va, m.len
        ),
        capture,
        core,
        reason,
        why,
    }
}
