// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading of the streams that leave the core. A value that is not defined at a pin is an error.

use super::icm::Request;
use super::pins::Pins;
use crate::trace::{
    Answer, Cause, Class, Code, Event, EventKind, RegState, SegStatus, Segment, Verdict,
};

/// The verdict at a port.
#[inline]
pub fn verdict(pins: &Pins, out: &[u32], port: usize) -> Result<Verdict, String> {
    let (class, cause) = (
        pins.verdict_class.get(out, port),
        pins.verdict_cause.get(out, port),
    );
    Ok(Verdict {
        port: port as u16,
        tag: pins.verdict_tag.get(out, port) as u16,
        granted: pins.verdict_granted.get(out, port) != 0,
        class: Class::from_bits(class as u32)
            .ok_or_else(|| format!("port {port}: verdict_class {class} is not defined"))?,
        cause: Cause::from_bits(cause as u32)
            .ok_or_else(|| format!("port {port}: verdict_cause {cause} is not defined"))?,
    })
}

/// The segment at a port.
#[inline]
pub fn segment(pins: &Pins, out: &[u32], port: usize) -> Result<Segment, String> {
    let status = pins.segment_status.get(out, port);
    Ok(Segment {
        port: port as u16,
        tag: pins.segment_tag.get(out, port) as u16,
        pa: pins.segment_pa.get(out, port),
        len: pins.segment_len.get(out, port) as u32,
        last: pins.segment_last.get(out, port) != 0,
        status: SegStatus::from_bits(status as u32)
            .ok_or_else(|| format!("port {port}: segment_status {status} is not defined"))?,
    })
}

/// The answer at the registration port.
pub fn answer(pins: &Pins, out: &[u32]) -> Result<Answer, String> {
    let (code, state) = (pins.rsp_code.get(out, 0), pins.rsp_state.get(out, 0));
    Ok(Answer {
        tag: pins.rsp_tag.get(out, 0) as u8,
        code: Code::from_bits(code as u32)
            .ok_or_else(|| format!("rsp_code {code} is not defined"))?,
        lkey: pins.rsp_lkey.get(out, 0) as u32,
        rkey: pins.rsp_rkey.get(out, 0) as u32,
        state: RegState::from_bits(state as u32)
            .ok_or_else(|| format!("rsp_state {state} is not defined"))?,
        pd: pins.rsp_pd.get(out, 0) as u32,
        iova: pins.rsp_iova.get(out, 0),
        length: pins.rsp_length.get(out, 0),
        access: pins.rsp_access.get(out, 0) as u32,
    })
}

/// The event at the event stream.
pub fn event(pins: &Pins, out: &[u32]) -> Result<Event, String> {
    let kind = pins.event_kind.get(out, 0);
    Ok(Event {
        kind: EventKind::from_bits(kind as u32)
            .ok_or_else(|| format!("event_kind {kind} is not defined"))?,
        info: pins.event_info.get(out, 0) as u32,
    })
}

/// The beat at the ICM request stream.
#[inline]
pub fn request(pins: &Pins, out: &[u32]) -> Request {
    let write = pins.icm_req_write.get(out, 0) != 0;
    Request {
        id: pins.icm_req_id.get(out, 0) as u32,
        write,
        space: pins.icm_req_space.get(out, 0) as u8,
        addr: pins.icm_req_addr.get(out, 0),
        len: pins.icm_req_len.get(out, 0) as u8,
        // a read's data means nothing
        data: if write {
            pins.icm_req_data.get(out, 0)
        } else {
            0
        },
        last: pins.icm_req_last.get(out, 0) != 0,
    }
}
