// SPDX-License-Identifier: MIT OR Apache-2.0
//! A board by its port, real or virtual, and the session kept from one call to the next.
//!
//! The session's file lies in the cache folder under the port's name. It is away while a call runs: a call that is
//! killed leaves none, so the next one begins with empty tables and a reset core, never with tables that are behind.

use crate::args::BoardArgs;
use crate::engines;
use crate::error::{Error, Result};
use crate::output;
use latchkey_bsp::{atomic, board as parts, work};
use latchkey_testbench::bench::Params;
use latchkey_testbench::board::{
    open, Checked, Link, LinkError, Patience, Served, Session, VirtualBoard, Wrong,
};
use std::path::PathBuf;
use std::time::Duration;

/// The port's own type.
pub type Terminal = Box<dyn serialport::SerialPort>;

/// A board that may be talked to.
pub struct Board {
    /// Its port.
    pub port: String,
    /// A virtual one inside this program.
    pub inside: Option<Served>,
    fresh: bool,
    patience: Patience,
}

/// A virtual board after power-up.
pub fn simulated() -> Result<VirtualBoard> {
    let (config, top) = parts::top().ok_or_else(|| Error::Usage {
        what: format!(
            "this program was built without the configuration `{}`",
            parts::CONFIG
        ),
        mend: "build it without LATCHKEY_ONLY".into(),
    })?;
    VirtualBoard::new(config, top).map_err(|e| engines::mended(&e))
}

/// Puts a virtual board behind a terminal.
pub fn serve(board: VirtualBoard) -> Result<Served> {
    Served::new(board).map_err(|e| Error::Port {
        path: "virtual".into(),
        why: e.to_string(),
    })
}

impl Board {
    /// By the arguments; starts a virtual one if asked.
    pub fn new(args: &BoardArgs) -> Result<Board> {
        let inside = match args.port.as_str() {
            "virtual" => Some(serve(simulated()?)?),
            _ => None,
        };
        Ok(Board {
            port: args.port.clone(),
            fresh: args.fresh || inside.is_some(),
            inside,
            patience: Patience {
                give_up: Duration::from_secs(args.timeout),
                slow_line: args.slow_line,
                ..Patience::default()
            },
        })
    }

    /// A link, not yet open.
    pub fn link(&self) -> Result<Link<Terminal>> {
        let path = self
            .inside
            .as_ref()
            .map_or(self.port.as_str(), |s| s.path());
        let terminal = open(path).map_err(|e| Error::Port {
            path: path.into(),
            why: e.to_string(),
        })?;
        let seed = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0, |t| (t.subsec_nanos() >> 10) as u8);
        Ok(Link::new(terminal, self.patience, seed))
    }

    /// An open board with the session of the last call, or with empty tables when there is none, it was reset, or `fresh`.
    pub fn session(&self, fresh: bool) -> Result<Checked<Terminal>> {
        let params = params()?;
        let mut link = self.link()?;
        if let Some(session) = self.take().filter(|_| !fresh && !self.fresh) {
            match Checked::resume(link, params.clone(), session) {
                Ok(board) => return Ok(board),
                Err(LinkError::Closed(_)) => {
                    output::say(
                        "the board was reset since the last call: beginning with empty tables",
                    );
                }
                Err(e) => return Err(self.wrong(Wrong::Link(e))),
            }
            link = self.link()?;
        }
        Checked::open(link, params).map_err(|e| self.wrong(Wrong::Link(e)))
    }

    /// Keeps the session for the next call.
    pub fn keep(&self, board: &Checked<Terminal>) -> Result<()> {
        if self.inside.is_some() {
            return Ok(());
        }
        let text = serde_json::to_string(&board.session()).expect("plain data");
        atomic::folder(&work::cache())?;
        Ok(atomic::write(&self.file(), text.as_bytes())?)
    }

    /// The session of the last call; its file is gone then.
    fn take(&self) -> Option<Session> {
        let text = std::fs::read_to_string(self.file()).ok()?;
        std::fs::remove_file(self.file()).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Forgets the session.
    pub fn forget(&self) {
        self.take();
    }

    fn file(&self) -> PathBuf {
        work::cache().join(format!(
            "board-{}.json",
            &work::sha256(self.port.as_bytes())[..12]
        ))
    }

    /// The error of the command line for one of the board.
    pub fn wrong(&self, error: Wrong) -> Error {
        match error {
            Wrong::Argument(what) => Error::Usage {
                what,
                mend: "see `latchkey board --help`, docs/interface.md and docs/trace-format.md"
                    .into(),
            },
            Wrong::Mismatch { .. } => Error::Mismatch(error.to_string()),
            Wrong::Link(e) => Error::Board {
                port: self.port.clone(),
                what: e.to_string(),
            },
        }
    }
}

/// Widths of the board's core, for the model.
pub fn params() -> Result<latchkey_testbench::model::Params> {
    Params::of(parts::CONFIG)
        .map(|p| p.model())
        .map_err(Error::EngineFailed)
}
