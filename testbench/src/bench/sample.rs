// SPDX-License-Identifier: MIT OR Apache-2.0
//! Second half of a cycle: which transfers happen at the edge to come, and what they mean.

use super::fault::{Fault, Kind};
use super::lane::Tag;
use super::rig::{Judge, Rig, Steady};
use super::sink;
use super::source::PageStream;
use super::traffic::Traffic;
use crate::trace::{Body, Cause, Class, DmaDone, SegStatus, Segment, Verdict, What};

impl<J: Judge> Rig<J> {
    /// Handles every transfer of this cycle. `out` are the output pins as the inputs of [`Rig::drive`] meet them.
    pub fn sample<T: Traffic>(&mut self, out: &[u32], traffic: &mut T) -> Result<(), Fault> {
        let [asks, dones, reg, page, csr, rsp] = self.valid;
        let pins = self.pins;
        each(dones & pins.dma_done_ready.bits(out), |p| {
            self.done_taken(p)
        })?;
        each(asks & pins.lookup_ready.bits(out), |p| self.ask_taken(p))?;
        if reg & pins.reg_ready.bits(out) != 0 {
            self.command_taken()?;
        }
        if page & pins.page_ready.bits(out) != 0 {
            self.page_taken()?;
        }
        let valid = pins.verdict_valid.bits(out);
        self.stays(0, valid)?;
        each(valid, |p| {
            let v = sink::verdict(&pins, out, p).map_err(|e| self.fault(Kind::Protocol, e))?;
            let taken = self.ready[0] >> p & 1 == 1;
            let lane = &mut self.lanes[p];
            if let Some(first) = lane.shown.0.filter(|first| *first != v) {
                return Err(self.fault(
                    Kind::Protocol,
                    format!("a verdict changed while it waited: {first:?}, {v:?}"),
                ));
            }
            if lane.shown.0.is_none() {
                lane.rose[0] = self.now;
            }
            lane.shown.0 = (!taken).then_some(v);
            if taken {
                self.verdict_seen(&v)?;
                traffic.verdict(&v);
            }
            Ok(())
        })?;
        let valid = pins.segment_valid.bits(out);
        self.stays(1, valid)?;
        each(valid, |p| {
            let s = sink::segment(&pins, out, p).map_err(|e| self.fault(Kind::Protocol, e))?;
            let taken = self.ready[1] >> p & 1 == 1;
            let lane = &mut self.lanes[p];
            if let Some(first) = lane.shown.1.filter(|first| *first != s) {
                return Err(self.fault(
                    Kind::Protocol,
                    format!("a segment changed while it waited: {first:?}, {s:?}"),
                ));
            }
            if lane.shown.1.is_none() {
                lane.rose[1] = self.now;
            }
            lane.shown.1 = (!taken).then_some(s);
            if taken {
                self.segment_seen(&s)?;
                traffic.segment(&s);
            }
            Ok(())
        })?;
        self.steady(out)?;
        if pins.rsp_valid.bits(out) & self.ready[2] != 0 {
            self.answer_taken(out, traffic)?;
        }
        if pins.event_valid.bits(out) & self.ready[3] != 0 {
            let e = sink::event(&pins, out).map_err(|e| self.fault(Kind::Protocol, e))?;
            self.counts.events[e.kind.bits() as usize] += 1;
            if self.events.len() == 64 {
                self.events.pop_front();
            }
            self.events.push_back(e);
            self.emit(What::EventOut(e))?;
        }
        self.icm_moves(out, rsp)?;
        if csr & pins.csr_ready.bits(out) != 0 {
            if let Some(c) = self.csr.take() {
                self.csr_open.push_back(c);
            }
        }
        if pins.csr_rvalid.bits(out) != 0 {
            if self.csr_open.pop_front().is_none() {
                return Err(self.fault(Kind::Protocol, "a CSR answer nobody waits for"));
            }
            self.csr_done.push_back(pins.csr_rdata.get(out, 0) as u32);
        }
        self.now += 1;
        self.counts.cycles += 1;
        let c = &mut self.counts;
        if c.windows.due(c.cycles) {
            let (hits, misses) = (c.latency.hit.count(), c.latency.miss.count());
            c.windows.close(c.cycles, hits, misses);
        }
        Ok(())
    }

    /// Answers, events and ICM requests that were not taken stay as they are.
    fn steady(&mut self, out: &[u32]) -> Result<(), Fault> {
        let pins = self.pins;
        let valid = [
            pins.rsp_valid.bits(out),
            pins.event_valid.bits(out),
            pins.icm_req_valid.bits(out),
        ];
        for (i, name) in ["rsp", "event", "icm_req"].into_iter().enumerate() {
            if self.steady[i].is_none() && (valid[i] == 0 || self.ready[2 + i] != 0) {
                continue;
            }
            let now = (valid[i] != 0).then(|| match i {
                0 => Steady::Answer(sink::answer(&pins, out)),
                1 => Steady::Event(sink::event(&pins, out)),
                _ => Steady::Request(sink::request(&pins, out)),
            });
            if self.steady[i]
                .as_ref()
                .is_some_and(|was| now.as_ref() != Some(was))
            {
                let text = format!(
                    "{name} changed while it waited: {:?}, {now:?}",
                    self.steady[i]
                );
                return Err(self.fault(Kind::Protocol, text));
            }
            self.steady[i] = now.filter(|_| self.ready[2 + i] == 0);
        }
        Ok(())
    }

    /// A valid that was not answered by ready must still be there.
    #[inline]
    fn stays(&mut self, which: usize, valid: u32) -> Result<(), Fault> {
        let gone = self.waits[which] & !valid;
        self.waits[which] = valid & !self.ready[which];
        if gone == 0 {
            return Ok(());
        }
        let name = ["verdict_valid", "segment_valid"][which];
        Err(self.fault(
            Kind::Protocol,
            format!("{name} fell without a transfer (ports {gone:#b})"),
        ))
    }

    fn done_taken(&mut self, p: usize) -> Result<(), Fault> {
        let lane = &mut self.lanes[p];
        lane.ending = false;
        let Some((tag, wrong)) = lane.ended.pop_front() else {
            return Ok(());
        };
        if !wrong || !lane.tags[usize::from(tag)].open {
            lane.release(tag);
        }
        if wrong {
            self.counts.wrong_dma_done += 1;
        } else {
            lane.leases -= 1;
            self.counts.dma_done += 1;
        }
        self.emit(What::DmaDone(DmaDone {
            port: p as u16,
            tag,
        }))
    }

    fn ask_taken(&mut self, p: usize) -> Result<(), Fault> {
        let now = self.now;
        let lane = &mut self.lanes[p];
        let Some(ask) = lane.ask.take() else {
            return Ok(());
        };
        let l = ask.lookup;
        lane.unanswered += 1;
        if !ask.reuse {
            let walks = l.walk && l.len > 0;
            let tag = &mut lane.tags[usize::from(l.tag)];
            let reuses = tag.reuses;
            *tag = Tag {
                since: now,
                key: l.key,
                open: true,
                walks,
                keep: ask.keep,
                reuses,
                ..Tag::default()
            };
        }
        self.counts.lookups += 1;
        self.counts.zero_length += u64::from(l.len == 0);
        self.counts.verdict_only += u64::from(!l.walk);
        self.counts.ops[l.op.bits() as usize & 15][0] += 1;
        self.counts.sides[usize::from(l.side_remote)] += 1;
        self.emit(What::LookupIn(l))
    }

    fn verdict_seen(&mut self, v: &Verdict) -> Result<(), Fault> {
        self.emit(What::VerdictOut(*v))?;
        let (now, p) = (self.now, usize::from(v.port));
        let rose = self.lanes[p].rose[0];
        let c = &mut self.counts;
        c.verdicts += 1;
        c.classes[v.class.bits() as usize] += 1;
        c.causes[v.cause.bits() as usize] += 1;
        let lane = &mut self.lanes[p];
        c.cross_verdict[lane.idle.shape().kind()][lane.verdicts.shape().kind()] += 1;
        let tag = &mut lane.tags[usize::from(v.tag)];
        if v.cause == Cause::TagReuse {
            if tag.reuses == 0 {
                return Err(self.fault(
                    Kind::Mismatch,
                    format!("tag_reuse for a tag used once: {v:?}"),
                ));
            }
            tag.reuses -= 1;
            lane.unanswered -= 1;
            return Ok(());
        }
        if !tag.open || tag.verdict {
            return Err(self.fault(Kind::Mismatch, format!("a verdict nobody waits for: {v:?}")));
        }
        tag.verdict = true;
        lane.unanswered -= 1;
        let took = (rose - 1).saturating_sub(tag.since);
        let index = self.params.index(tag.key) as usize;
        if self.fetched.get(index).is_some_and(|f| *f >= tag.since) {
            c.latency.miss.add(took);
        } else {
            c.latency.hit.add(took);
        }
        if v.granted {
            c.grants += 1;
        }
        if v.granted && v.cause != Cause::Nothing && v.class == Class::Ok && tag.walks {
            tag.lease = true;
            lane.leases += 1;
            if tag.last {
                self.calendar_put(now, p, v.tag);
            }
        } else if tag.first {
            return Err(self.fault(Kind::Mismatch, format!("segments came for {v:?}")));
        } else {
            lane.release(v.tag);
        }
        Ok(())
    }

    fn segment_seen(&mut self, s: &Segment) -> Result<(), Fault> {
        self.emit(What::SegmentOut(*s))?;
        let (now, p) = (self.now, usize::from(s.port));
        let c = &mut self.counts;
        c.segments += 1;
        c.statuses[s.status.bits() as usize] += 1;
        c.causes[9] += u64::from(s.status == SegStatus::PageFault);
        let lane = &mut self.lanes[p];
        c.cross_segment[lane.idle.shape().kind()][lane.segments.shape().kind()] += 1;
        let rose = lane.rose[1];
        let tag = &mut lane.tags[usize::from(s.tag)];
        if !tag.open || tag.last || !tag.walks || (tag.verdict && !tag.lease) {
            return Err(self.fault(Kind::Mismatch, format!("a segment nobody waits for: {s:?}")));
        }
        tag.heard = now;
        if !tag.first {
            tag.first = true;
            let index = self.params.index(tag.key) as usize;
            if self.fetched.get(index).is_some_and(|f| *f < tag.since) {
                c.latency.segment.add((rose - 1).saturating_sub(tag.since));
            }
            c.many_segments += u64::from(!s.last);
        }
        if s.last {
            tag.last = true;
            if tag.lease {
                self.calendar_put(now, p, s.tag);
            }
        }
        Ok(())
    }

    fn calendar_put(&mut self, now: u64, p: usize, tag: u16) {
        if self.lanes[p].tags[usize::from(tag)].keep {
            self.kept.push((p, tag));
            return;
        }
        let due = now + 1 + self.hold.draw(&mut self.rng);
        self.calendar.put(now, due, p, tag);
    }

    fn command_taken(&mut self) -> Result<(), Fault> {
        let Some(c) = self.commands.take() else {
            return Ok(());
        };
        if let Some(s) = PageStream::of(&c.body, self.params.inline) {
            self.pages.push(s);
        }
        self.pending[usize::from(c.tag)] = Some((c.clone(), self.now));
        self.emit(What::CommandIn(c))
    }

    fn page_taken(&mut self) -> Result<(), Fault> {
        let Some(mut s) = self.pages.take() else {
            return Ok(());
        };
        let page = s.current();
        if s.advance() {
            self.pages.push_front(s);
        }
        self.counts.pages += 1;
        self.emit(What::PageIn(page))
    }

    fn answer_taken<T: Traffic>(&mut self, out: &[u32], traffic: &mut T) -> Result<(), Fault> {
        let a = sink::answer(&self.pins, out).map_err(|e| self.fault(Kind::Protocol, e))?;
        self.emit(What::AnswerOut(a))?;
        let Some((c, _)) = self.pending[usize::from(a.tag)].take() else {
            return Err(self.fault(Kind::Mismatch, format!("an answer nobody waits for: {a:?}")));
        };
        self.command_tags.push(a.tag);
        let n = &mut self.counts;
        n.answers[c.body.op_bits() as usize & 31][a.code.bits() as usize] += 1;
        if a.code == crate::trace::Code::Ok {
            match &c.body {
                Body::Register(r) => {
                    n.sizes[r.page.bits() as usize] += 1;
                    let bit = |b: u32| u64::from(r.access & b != 0);
                    n.zero_based += bit(crate::trace::access::ZERO_BASED);
                    n.on_demand += bit(crate::trace::access::ON_DEMAND);
                    n.mid_page += u64::from(r.iova & 0xfff != 0);
                }
                Body::Deregister { mode, .. } => n.modes[mode.bits() as usize] += 1,
                Body::Flush { scope, .. } => n.scopes[scope.bits() as usize] += 1,
                _ => {}
            }
        }
        if a.code == crate::trace::Code::Overdue {
            self.end_kept(300);
        }
        traffic.answer(&c, &a, self.now);
        Ok(())
    }
}

#[inline]
fn each(mut bits: u32, mut f: impl FnMut(usize) -> Result<(), Fault>) -> Result<(), Fault> {
    while bits != 0 {
        f(bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
    }
    Ok(())
}
