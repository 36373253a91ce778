// SPDX-License-Identifier: MIT OR Apache-2.0
//! The host's end of the link: one request at a time, sent again until it is acknowledged, while messages of the board
//! are answered as they come. Table accesses are served from [`Tables`] on the way.

use super::frame::{encode, Decoder, Frame};
use super::tables::Tables;
use super::wire::{Ack, Message};
use latchkey_hdl::link::{flag, hello, host, status, VERSION};
use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

/// A line of bytes to a board.
pub trait Port: Send {
    /// Sends all of them.
    fn send(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Some that have come, waiting no longer than `wait`; 0: none came.
    fn receive(&mut self, bytes: &mut [u8], wait: Duration) -> io::Result<usize>;
}

/// How long the host waits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patience {
    /// A request is sent again after this, or after four times what the last answers took, whichever is longer.
    pub resend: Duration,
    /// A board that has said nothing useful for so long is given up.
    pub give_up: Duration,
    /// The board waits longer before it repeats a message: for a USB adapter that collects bytes for 16 ms.
    pub slow_line: bool,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            resend: Duration::from_millis(50),
            give_up: Duration::from_secs(10),
            slow_line: false,
        }
    }
}

/// Why the board can't be talked to.
#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    /// The line is gone.
    #[error("the port failed: {0}")]
    Port(#[from] io::Error),
    /// No answer.
    #[error("no answer from the board to {what} within {seconds} s ({heard})")]
    Silent {
        /// What was asked.
        what: &'static str,
        /// How long it was waited.
        seconds: u64,
        /// What came instead.
        heard: String,
    },
    /// The board has lost the link.
    #[error(
        "the board has closed the link during {0}: it was reset, or another program opened it"
    )]
    Closed(&'static str),
    /// The board refuses what was sent.
    #[error("the board refused {what}: status {status}")]
    Refused {
        /// What was asked.
        what: &'static str,
        /// Of [`latchkey_hdl::link::status`].
        status: u8,
    },
    /// The board speaks another version.
    #[error("the board speaks version {0} of the protocol, this program {VERSION}")]
    Version(u8),
}

/// What happened on the line so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Stats {
    /// Requests acknowledged.
    pub requests: u64,
    /// Requests sent again.
    pub request_resends: u64,
    /// Messages of the board taken.
    pub messages: u64,
    /// Messages that came again.
    pub message_repeats: u64,
    /// Frames of the board that broke on the wire, or make no sense.
    pub garbage: u64,
    /// Frames of the host that the board found broken.
    pub board_bad: u64,
    /// Good frames of the host that the board refused, since they were not due.
    pub board_refused: u64,
    /// Messages the board sent again.
    pub board_resent: u64,
}

/// Between the numbers of the two requests that open the link. What may still come of another program are acknowledgements of
/// its last one or two requests and of a status request, 1, 127, 128 or 129 apart: never of both of these.
const APART: u8 = 64;

/// An open link.
pub struct Link<P> {
    port: P,
    decoder: Decoder,
    /// Tables the board's core lives on.
    pub tables: Tables,
    inbox: VecDeque<Message>,
    next: u8,
    /// Number and answer of the last message.
    answered: Option<(u8, Frame)>,
    patience: Patience,
    rto: Duration,
    last_ack: Option<Ack>,
    /// This link was opened here: only then are messages answered, since only then are the tables the board's.
    opened: bool,
    stats: Stats,
}

impl<P: Port> Link<P> {
    /// A link that is not open yet. `seed` chooses the first number, so that old acknowledgements are not taken for new ones.
    pub fn new(port: P, patience: Patience, seed: u8) -> Link<P> {
        Link {
            port,
            decoder: Decoder::default(),
            tables: Tables::default(),
            inbox: VecDeque::new(),
            next: seed,
            answered: None,
            rto: patience.resend,
            patience,
            last_ack: None,
            opened: false,
            stats: Stats::default(),
        }
    }

    /// Opens the link. `fresh`: the tables become empty and the core is reset; otherwise both are kept, and the board
    /// refuses (`Closed`) when it no longer serves this host's tables.
    pub fn open(&mut self, fresh: bool) -> Result<Ack, LinkError> {
        let slow = if self.patience.slow_line {
            hello::PATIENT
        } else {
            0
        };
        let flags = if fresh { hello::FRESH } else { 0 } | slow;
        if fresh {
            self.tables.clear();
        }
        self.inbox.clear();
        // what the board sent before it knew of us is not answered: its number may come again
        self.answered = None;
        self.opened = false;
        let ack = self.twice(host::HELLO, &[flags], "hello")?;
        self.opened = true;
        if ack.version != VERSION {
            return Err(LinkError::Version(ack.version));
        }
        let began = Instant::now();
        // the acknowledgement shows the state before it
        let mut ack = self.status()?;
        while !ack.has(flag::READY) {
            if began.elapsed() > self.patience.give_up {
                return Err(self.silent("hello", "the core does not end its sweep"));
            }
            ack = self.status()?;
        }
        Ok(ack)
    }

    /// The state of the board; needs no open link.
    pub fn status(&mut self) -> Result<Ack, LinkError> {
        self.ask(host::STATUS, &[], "a status request", self.opened)
    }

    /// Answers what the program before this one had heard, but whose answer was lost when it ended, and forgets it.
    pub fn settle(&mut self) -> Result<(), LinkError> {
        let began = Instant::now();
        while self.status()?.has(flag::WAITING) {
            if began.elapsed() > self.patience.give_up {
                return Err(self.silent("an old message", "its answer does not arrive"));
            }
            self.listen(Instant::now() + self.patience.resend / 10, true)?;
        }
        self.inbox.clear();
        Ok(())
    }

    /// Has the board test itself; closes the link. The acknowledgement holds the outcome.
    pub fn self_test(&mut self) -> Result<Ack, LinkError> {
        self.inbox.clear();
        self.answered = None;
        self.opened = false;
        // its acknowledgement shows the state before it
        self.twice(host::SELF_TEST, &[], "the self-test")?;
        let mut ack = self.ask(host::STATUS, &[], "a status request", false)?;
        let began = Instant::now();
        while ack.has(flag::TESTING) || !(ack.has(flag::PASSED) || ack.has(flag::FAILED)) {
            if began.elapsed() > self.patience.give_up {
                return Err(self.silent("the self-test", "it does not end"));
            }
            ack = self.ask(host::STATUS, &[], "a status request", false)?;
        }
        Ok(ack)
    }

    /// A request of the open link, done once, whatever is lost on the way.
    pub fn request(
        &mut self,
        kind: u8,
        payload: &[u8],
        what: &'static str,
    ) -> Result<Ack, LinkError> {
        self.ask(kind, payload, what, true)
    }

    /// The next message that is no table access, or none within `wait`.
    pub fn message(&mut self, wait: Duration) -> Result<Option<Message>, LinkError> {
        let until = Instant::now() + wait;
        while self.inbox.is_empty() {
            if Instant::now() >= until {
                return Ok(None);
            }
            self.listen(until, true)?;
        }
        Ok(self.inbox.pop_front())
    }

    /// Puts back a message that was not for the caller.
    pub fn put_back(&mut self, message: Message) {
        self.inbox.push_back(message);
    }

    /// How long the board may be silent before it is given up.
    pub fn give_up(&self) -> Duration {
        self.patience.give_up
    }

    /// The error for a board that does not answer `what`.
    pub fn silent(&self, what: &'static str, why: &str) -> LinkError {
        LinkError::Silent {
            what,
            seconds: self.patience.give_up.as_secs(),
            heard: match (why, self.stats.garbage) {
                ("", 0) => "nothing was heard".into(),
                ("", n) => format!("{n} broken frames were heard"),
                (why, _) => why.into(),
            },
        }
    }

    /// What happened on the line so far.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// The line itself, to lose it.
    pub fn into_parts(self) -> (P, Tables) {
        (self.port, self.tables)
    }

    /// Asks with two numbers, one after the other. An acknowledgement of the first may be one that the board owed another program,
    /// with the request itself lost; that of the second can't be, or the first was none.
    fn twice(&mut self, kind: u8, payload: &[u8], what: &'static str) -> Result<Ack, LinkError> {
        self.ask(kind, payload, what, false)?;
        self.next = self.next.wrapping_add(APART - 1);
        self.ask(kind, payload, what, false)
    }

    /// `live`: messages are answered meanwhile.
    fn ask(
        &mut self,
        kind: u8,
        payload: &[u8],
        what: &'static str,
        live: bool,
    ) -> Result<Ack, LinkError> {
        // a status request takes no number of the board's count, so it must not look like a request that does
        let seq = if kind == host::STATUS {
            self.next.wrapping_add(128)
        } else {
            self.next.wrapping_add(1)
        };
        if kind != host::STATUS {
            self.next = seq;
        }
        // the board does nothing before it knows that this message was heard; before the first one, any number will do
        let heard = self.answered.as_ref().map_or(0, |(number, _)| *number);
        let frame = Frame {
            kind,
            seq,
            payload: [&[heard][..], payload].concat(),
        };
        let bytes = encode(&frame);
        let began = Instant::now();
        let mut first = true;
        loop {
            self.port.send(&bytes)?;
            self.stats.request_resends += u64::from(!std::mem::take(&mut first));
            let sent = Instant::now();
            let until = sent + self.rto;
            let ack = loop {
                match self.listen(until, live)? {
                    Some((number, ack)) if number == seq => break Some(ack),
                    _ if Instant::now() >= until => break None,
                    _ => {}
                }
            };
            match ack.map(|a| (a.status, a)) {
                Some((status::OK, ack)) => {
                    self.stats.requests += 1;
                    self.rto = self
                        .patience
                        .resend
                        .max(sent.elapsed() * 4)
                        .min(self.patience.give_up);
                    return Ok(ack);
                }
                // the core has not taken the last one yet, or our last answer was lost; messages are answered meanwhile
                Some((status::BUSY, _)) => {
                    self.listen(Instant::now() + self.patience.resend / 10, live)?;
                }
                Some((status::CLOSED, _)) => return Err(LinkError::Closed(what)),
                Some((status::SEQUENCE, _)) => return Err(LinkError::Closed(what)),
                // another version has frames of other lengths
                Some((status::MALFORMED, ack)) if ack.version != VERSION => {
                    return Err(LinkError::Version(ack.version))
                }
                Some((status, _)) => return Err(LinkError::Refused { what, status }),
                None => {
                    self.rto = (self.rto * 2).min(Duration::from_secs(2).max(self.patience.resend))
                }
            }
            if began.elapsed() > self.patience.give_up {
                return Err(self.silent(what, ""));
            }
        }
    }

    /// Reads until an acknowledgement comes or something else happened or it is `until`.
    fn listen(&mut self, until: Instant, live: bool) -> Result<Option<(u8, Ack)>, LinkError> {
        let mut bytes = [0; 256];
        let wait = until.saturating_duration_since(Instant::now());
        let n = self.port.receive(&mut bytes, wait)?;
        let mut found = None;
        for byte in &bytes[..n] {
            match self.decoder.push(*byte) {
                None => {}
                Some(Err(_)) => self.stats.garbage += 1,
                Some(Ok(frame)) => match Ack::read(&frame) {
                    Some(ack) => {
                        self.heard(&ack);
                        found = Some((frame.seq, ack));
                    }
                    None if live => self.take(&frame)?,
                    None => {}
                },
            }
        }
        Ok(found)
    }

    fn heard(&mut self, ack: &Ack) {
        if let Some(old) = self.last_ack {
            self.stats.board_bad += u64::from(ack.bad.wrapping_sub(old.bad));
            self.stats.board_refused += u64::from(ack.refused.wrapping_sub(old.refused));
            self.stats.board_resent += u64::from(ack.resent.wrapping_sub(old.resent));
        }
        self.last_ack = Some(*ack);
    }

    fn take(&mut self, frame: &Frame) -> Result<(), LinkError> {
        if let Some((seq, answer)) = &self.answered {
            if *seq == frame.seq {
                self.stats.message_repeats += 1;
                return Ok(self.port.send(&encode(answer))?);
            }
        }
        let payload = match Message::read(frame) {
            Some(Message::Icm(beat)) => self.tables.serve(&beat),
            Some(message) => {
                self.inbox.push_back(message);
                Some(Vec::new())
            }
            None => None,
        };
        let Some(payload) = payload else {
            self.stats.garbage += 1;
            return Ok(());
        };
        self.stats.messages += 1;
        let answer = Frame {
            kind: host::ANSWER,
            seq: frame.seq,
            payload,
        };
        self.port.send(&encode(&answer))?;
        self.answered = Some((frame.seq, answer));
        Ok(())
    }
}
