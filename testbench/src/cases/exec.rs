// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs one case on one fresh device.

use super::format::{Case, Expect, Step, Variant};
use super::keys::{Handle, Handles};
use super::outcome::accepts;
use super::{fit, plan, Device, Got, Options};
use crate::model::{mask, Params};
use crate::trace::{Answer, Body, Code, Command, Lookup};
use std::collections::HashMap;

/// Outcome of a case: what was seen last, and a note or what is wrong.
pub type Ended = (Option<Got>, Result<String, String>);

struct Run<'a, D> {
    device: D,
    options: &'a Options,
    handles: Handles,
    /// Registration of each live name, for a composed rereg.
    steps: HashMap<String, Step>,
    next_word: HashMap<u32, u64>,
    tag: u8,
}

/// Runs a case to its end; an error of the device is what is wrong with the case.
pub fn execute<D: Device>(
    case: &Case,
    variant: Option<&Variant>,
    options: &Options,
    device: D,
) -> Ended {
    let mut run = Run {
        device,
        options,
        handles: Handles::default(),
        steps: HashMap::new(),
        next_word: HashMap::new(),
        tag: 0,
    };
    let ended = play(&mut run, case, variant);
    let (got, outcome) = match ended {
        Ok(ended) => ended,
        Err(error) => return (None, Err(error.to_string())),
    };
    match run.device.finish() {
        Ok(()) => (got, outcome),
        Err(error) => (got, Err(error.to_string())),
    }
}

fn play<D: Device>(
    run: &mut Run<D>,
    case: &Case,
    variant: Option<&Variant>,
) -> anyhow::Result<Ended> {
    if let Err(why) = run.windows(case)? {
        return Ok((None, Err(why)));
    }
    for (at, step) in case.setup.iter().enumerate() {
        let other = variant.and_then(|variant| variant.setup_expect.get(&at.to_string()));
        let expect = other.or(step.expect.as_ref());
        for got in run.step(step)? {
            let plain = Expect {
                status: "ok".into(),
                ..Expect::default()
            };
            // A region that may be refused at the top of the address space, or is not offered: its key stays unknown.
            let open = expect.is_none() && step.cmd == "reg" && (step.implicit || at_the_top(step));
            let retired = run.handles.retired(step.key.0 as u32);
            match accepts(expect.unwrap_or(&plain), &got, retired) {
                Err(why) if !open => {
                    return Ok((
                        Some(got),
                        Err(format!("setup step {at} ({}): {why}", step.cmd)),
                    ))
                }
                _ => {}
            }
        }
    }
    let expect = &variant
        .map_or(&case.expect, |variant| &variant.expect)
        .with_page_of(event_page_bits(run.device.params()));
    let (mut last, mut note) = (None, String::new());
    let request = case.request.command.as_deref().unwrap_or(&case.request);
    let named = run
        .handles
        .named(&request.name)
        .is_some_and(|handle| !handle.live);
    for got in run.step(request)? {
        let retired = named || run.handles.retired(request.key.0 as u32);
        match accepts(expect, &got, retired) {
            Ok(why) => note = why,
            Err(why) => return Ok((Some(got), Err(why))),
        }
        last = Some(got);
    }
    if let Some(separate) = expect
        .alt
        .iter()
        .find(|alt| alt.why.contains("separate lkey and rkey"))
    {
        // Our two keys differ: the key of the other side must give one of the alternatives (mapping rule 6).
        let remote = request.side == "remote";
        if let Some(key) = run.handles.other_side(request.key.0 as u32, remote) {
            let got = run.access(request, key)?;
            let alternatives = Expect {
                alt: expect.alt.clone(),
                ..separate.clone()
            };
            if let Err(why) = accepts(&alternatives, &got, false) {
                return Ok((Some(got), Err(format!("key of the other side: {why}"))));
            }
        }
    }
    Ok((last, Ok(note)))
}

/// An event has room for the index and the low bits of the page (docs/interface.md).
fn event_page_bits(params: &Params) -> u32 {
    32 - params.index_bits
}

fn at_the_top(step: &Step) -> bool {
    let (iova, length) = (
        step.iova.unwrap_or_default().0,
        step.length.unwrap_or_default().0,
    );
    u128::from(iova) + u128::from(length) == 1 << 64
}

impl<D: Device> Run<'_, D> {
    fn command(&mut self, body: Body) -> anyhow::Result<Answer> {
        self.tag = self.tag.wrapping_add(1);
        self.device.command(&Command {
            tag: self.tag,
            body,
        })
    }

    /// The driver's part: every PD gets a window as large as all its regions together.
    fn windows(&mut self, case: &Case) -> anyhow::Result<Result<(), String>> {
        let mut need: Vec<(u32, u64)> = Vec::new();
        // A composed rereg may move a region to its new PD with all its pages.
        let all: u64 = plan::commands(case).map(fit::words).sum();
        for step in
            plan::commands(case).filter(|step| ["reg", "rereg"].contains(&step.cmd.as_str()))
        {
            let Some(pd) = step
                .pd
                .or_else(|| case.setup.iter().find(|reg| reg.name == step.name)?.pd)
            else {
                continue;
            };
            let words = if step.cmd == "rereg" {
                all
            } else {
                fit::words(step)
            };
            match need.iter_mut().find(|(known, _)| *known == pd) {
                Some((_, sum)) => *sum += words,
                None => need.push((pd, words)),
            }
        }
        let mut base = 0;
        for (pd, words) in need {
            let answer = self.command(Body::PdWindow { pd, base, words })?;
            if answer.code != Code::Ok {
                return Ok(Err(format!("pd_window of {pd}: {:?}", answer.code)));
            }
            self.next_word.insert(pd, base);
            base += words;
        }
        Ok(Ok(()))
    }

    /// Runs a step; an access with several real keys gives several outcomes.
    fn step(&mut self, step: &Step) -> anyhow::Result<Vec<Got>> {
        Ok(match step.cmd.as_str() {
            "create_qp" => Vec::new(),
            "reg" => vec![self.register(step)?],
            "dereg" => vec![self.deregister(&step.name)?],
            "rereg" => vec![self.reregister(step)?],
            _ => {
                let key = step.key.0 as u32;
                let keys = self
                    .handles
                    .map(self.device.params(), key, step.side == "remote");
                keys.into_iter()
                    .map(|key| self.access(step, key))
                    .collect::<anyhow::Result<_>>()?
            }
        })
    }

    fn register(&mut self, step: &Step) -> anyhow::Result<Got> {
        let pd = step.pd.unwrap_or_default();
        let base = self.next_word.get(&pd).copied().unwrap_or(0);
        let Ok(reg) = plan::register(step, base) else {
            return Ok(Got::of_answer(&Answer::bare(0, Code::BadArg)));
        };
        if step.implicit {
            // Implicit regions are not offered: the driver refuses.
            return Ok(Got::of_answer(&Answer::bare(0, Code::BadArg)));
        }
        let pages = reg.pages;
        let answer = self.command(Body::Register(reg))?;
        if answer.code == Code::Ok {
            *self.next_word.entry(pd).or_insert(0) += pages;
            self.steps.insert(step.name.clone(), step.clone());
            self.handles.0.push(Handle {
                name: step.name.clone(),
                index: step.index,
                variant: step.key_variant.unwrap_or_default().0 as u32,
                lkey: answer.lkey,
                rkey: answer.rkey,
                live: true,
            });
        }
        Ok(Got::of_answer(&answer))
    }

    fn deregister(&mut self, name: &str) -> anyhow::Result<Got> {
        let key = self.handles.named(name).map_or(0, |handle| handle.lkey);
        let answer = self.command(Body::Deregister {
            key,
            mode: self.options.mode,
        })?;
        if let (Code::Ok, Some(handle)) = (answer.code, self.handles.named(name)) {
            handle.live = false;
        }
        Ok(Got::of_answer(&answer))
    }

    /// A driver without the command ends the region and registers it anew with what changed.
    fn reregister(&mut self, change: &Step) -> anyhow::Result<Got> {
        let Some(mut step) = self.steps.get(&change.name).cloned() else {
            return Ok(Got::of_answer(&Answer::bare(0, Code::BadKey)));
        };
        let ended = self.deregister(&change.name)?;
        if ended.status != "ok" {
            return Ok(ended);
        }
        for flag in &change.flags {
            match flag.as_str() {
                "pd" => step.pd = change.pd,
                "access" => step.access.clone_from(&change.access),
                _ => {
                    (step.iova, step.length, step.fbo) = (change.iova, change.length, change.fbo);
                    step.page_shift = change.page_shift;
                    step.pages.clone_from(&change.pages);
                }
            }
        }
        step.key_variant = change.key_variant.or(step.key_variant);
        self.register(&step)
    }

    /// A request, cut into packets; the first one that fails ends it.
    fn access(&mut self, step: &Step, key: u32) -> anyhow::Result<Got> {
        let remote = step.side == "remote";
        let chunk = step.chunk.unwrap_or(u64::MAX);
        let (mut got, mut served) = (Got::ok(), 0);
        let mut midway = step.midway.iter().peekable();
        loop {
            while let Some(due) = midway.next_if(|midway| midway.after <= served) {
                self.step(&due.cmd)?;
            }
            let (pd, va) = (step.pd.unwrap_or_default(), step.va.0.wrapping_add(served));
            let len = (step.len.0 - served).min(chunk) as u32;
            let lookup = Lookup {
                side_remote: remote,
                qpn: step.qp.unwrap_or_default(),
                op: plan::operation(&step.op).map_err(anyhow::Error::msg)?,
                ..Lookup::read(pd, key, va, len)
            };
            let inside = midway.next_if(|midway| {
                midway.after < served + u64::from(lookup.len) && midway.cmd.cmd == "dereg"
            });
            let mut reply = match inside {
                Some(due) => self.inside(&lookup, due.after - served, &due.cmd.name)?,
                None => self.device.lookup(&lookup)?,
            };
            let bits = event_page_bits(self.device.params());
            reply.page = reply.page.map(|page| page & mask(bits));
            got.add(&reply, remote);
            served += u64::from(lookup.len);
            if got.status != "ok" || served >= step.len.0 {
                return Ok(got);
            }
        }
    }

    /// A deregistration in the middle of a packet.
    fn inside(&mut self, lookup: &Lookup, after: u64, name: &str) -> anyhow::Result<super::Reply> {
        let key = self.handles.named(name).map_or(0, |handle| handle.lkey);
        self.tag = self.tag.wrapping_add(1);
        let body = Body::Deregister {
            key,
            mode: self.options.mode,
        };
        let (reply, answer) = self.device.midway(
            lookup,
            after,
            &Command {
                tag: self.tag,
                body,
            },
        )?;
        if let (Code::Ok, Some(handle)) = (answer.code, self.handles.named(name)) {
            handle.live = false;
        }
        Ok(reply)
    }
}
