// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs one case on one fresh device.

use super::format::{Case, Expect, Step, Variant};
use super::keys::Handles;
use super::life;
use super::outcome::accepts;
use super::{fit, plan, Device, Got, Options};
use crate::model::{mask, Params};
use crate::trace::{Answer, Body, Code, Command, Lookup};
use std::collections::HashMap;

/// Outcome of a case: what was seen last, and a note or what is wrong.
pub type Ended = (Option<Got>, Result<String, String>);

pub(super) struct Run<'a, D> {
    pub device: D,
    pub options: &'a Options,
    pub handles: Handles,
    /// Registration of each name as it is now, for what a rereg does not name.
    pub steps: HashMap<String, Step>,
    /// PD of each queue pair.
    pub queue_pairs: HashMap<u32, u32>,
    /// The next MTT word of each PD; of PD 0 if all have one window.
    next_word: HashMap<u32, u64>,
    one_window: bool,
    pub tag: u8,
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
        queue_pairs: HashMap::new(),
        next_word: HashMap::new(),
        one_window: false,
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
        let retired = run.retired(step);
        for got in run.step(step)? {
            let plain = Expect {
                status: "ok".into(),
                ..Expect::default()
            };
            // A region that may be refused at the top of the address space, or is not offered: its key stays unknown.
            let top = step.cmd == "reg" && at_the_top(step);
            let open = expect.is_none() && (fit::implicit(case, step) || top);
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
    let retired = run.retired(request);
    for got in run.step(request)? {
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
    pub fn command(&mut self, body: Body) -> anyhow::Result<Answer> {
        self.tag = self.tag.wrapping_add(1);
        self.device.command(&Command {
            tag: self.tag,
            body,
        })
    }

    /// The next MTT word of a PD.
    pub fn word(&mut self, pd: u32) -> &mut u64 {
        let pd = if self.one_window { 0 } else { pd };
        self.next_word.entry(pd).or_insert(0)
    }

    /// A step names a handle that is dead (then bad_key and stale_key are one).
    fn retired(&mut self, step: &Step) -> bool {
        let named = self.handles.named(&step.name);
        let keys = [Some(step.key), Some(step.mr_key), step.mw_key];
        named.is_some_and(|handle| !handle.live)
            || keys
                .into_iter()
                .flatten()
                .any(|key| self.handles.retired(key.0 as u32))
    }

    /// The driver's part: every PD gets a window as large as all its regions together. Where regions change their PD, all
    /// PDs have one window, since their words stay where they are.
    fn windows(&mut self, case: &Case) -> anyhow::Result<Result<(), String>> {
        let pairs = plan::commands(case).filter(|step| step.cmd == "create_qp");
        self.queue_pairs = pairs
            .filter_map(|step| Some((step.qp?, step.pd?)))
            .collect();
        self.one_window = plan::commands(case).any(|step| step.cmd == "rereg");
        let all = fit::all_words(case);
        let mut need: Vec<(u32, u64)> = Vec::new();
        for step in plan::commands(case).filter(|step| step.cmd != "create_qp") {
            let pair = step.qp.and_then(|qp| self.queue_pairs.get(&qp));
            let Some(pd) = step.pd.or(pair.copied()) else {
                continue;
            };
            let words = if self.one_window { 0 } else { fit::words(step) };
            match need.iter_mut().find(|(known, _)| *known == pd) {
                Some((_, sum)) => *sum += words,
                None => need.push((pd, words)),
            }
        }
        let mut base = 0;
        for (pd, sum) in need {
            let words = if self.one_window { all } else { sum };
            if words == 0 {
                continue;
            }
            let answer = self.command(Body::PdWindow { pd, base, words })?;
            if answer.code != Code::Ok {
                return Ok(Err(format!("pd_window of {pd}: {:?}", answer.code)));
            }
            if !self.one_window {
                self.next_word.insert(pd, base);
                base += words;
            }
        }
        Ok(Ok(()))
    }

    /// Runs a step; an access with several real keys gives several outcomes.
    fn step(&mut self, step: &Step) -> anyhow::Result<Vec<Got>> {
        Ok(match step.cmd.as_str() {
            "create_qp" => Vec::new(),
            "rereg" if self.composed(step) => vec![self.reregister(step)?],
            "" | "access" => {
                let key = step.key.0 as u32;
                let keys = self
                    .handles
                    .map(self.device.params(), key, step.side == "remote");
                keys.into_iter()
                    .map(|key| self.access(step, key))
                    .collect::<anyhow::Result<_>>()?
            }
            cmd => {
                let all = self.commands(step)?;
                if cmd == "reg" && all.iter().all(|got| got.status == "ok") {
                    self.steps.insert(step.name.clone(), step.clone());
                }
                all
            }
        })
    }

    /// A driver without the command ends the region and registers it anew with what changed.
    fn reregister(&mut self, change: &Step) -> anyhow::Result<Got> {
        let Some(old) = self.steps.get(&change.name).cloned() else {
            return Ok(life::seen(&change.cmd, Code::BadKey));
        };
        let mut last = life::seen(&change.cmd, Code::BadKey);
        for cmd in ["dereg", "reg"] {
            let step = Step {
                cmd: cmd.into(),
                ..life::changed(&old, change)
            };
            let all = self.step(&step)?;
            last = all.into_iter().next().unwrap_or(last);
            if last.status != "ok" {
                break;
            }
        }
        Ok(last)
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
            let here = midway.next_if(|midway| midway.after < served + u64::from(lookup.len));
            let single = here.and_then(|due| Some((self.single(&due.cmd)?, due.after - served)));
            let mut reply = match (single, here) {
                (Some((due, after)), _) => self.inside(&lookup, after, due)?,
                (None, here) => {
                    let reply = self.device.lookup(&lookup)?;
                    if let Some(due) = here {
                        self.step(&due.cmd)?;
                    }
                    reply
                }
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
}
