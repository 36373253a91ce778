// SPDX-License-Identifier: MIT OR Apache-2.0
//! RoCEv2 captures read as a stream: frames of a file, packets of the protocol, and the accesses that a responder
//! makes of them, each with the answer the capture has for it (docs/captures.md).

mod answers;
pub mod counts;
mod decode;
mod file;
mod flow;
mod message;
mod net;
mod opcode;
mod packet;
pub mod psn;
mod sequence;
mod source;

pub use counts::Counts;
pub use decode::decode;
pub use file::{Frame, Reader};
pub use message::{Access, Answer, FlowKey, Kind, Message, Part};
pub use net::{datagram, Datagram, Mac, Skip};
pub use opcode::{name, Group};
pub use packet::{Aeth, Packet, Reth};
pub use source::Source;

/// A file that can't be read as a capture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {what}")]
pub struct CaptureError {
    /// file
    pub file: String,
    /// where in it, and what is wrong
    pub what: String,
    /// what would be right
    pub mend: String,
}
