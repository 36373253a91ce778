// SPDX-License-Identifier: MIT OR Apache-2.0
//! Steps that are commands of the registration port: what is sent, and what a good answer means for the handles of the case.

use super::exec::Run;
use super::format::{Num, Step};
use super::keys::Handle;
use super::{plan, Device, Got};
use crate::trace::{change, Answer, Bind, Body, Code, Command, Entry, Register};

/// What a good answer means.
pub enum Effect {
    /// Nothing.
    None,
    /// A handle with the keys of the answer.
    New(Handle),
    /// The end of a handle.
    End(String),
    /// New keys and a new low byte in the case; the low byte that was asked for.
    Keys(String, u32, u32),
    /// A region as it is now described.
    Moved(Step),
}

/// A command that is due.
pub struct Due {
    pub body: Body,
    pub effect: Effect,
}

/// The commands of a step; the error is a refusal of the driver.
pub type Dues = Result<Vec<Due>, Got>;

/// The class of a failure depends on who asked.
fn class(cmd: &str, code: Code) -> &'static str {
    match (cmd, code) {
        ("fast_reg" | "local_inv", _) => "loc_qp_op_err",
        ("remote_inv", _) => "rem_inv_req_err",
        ("bind_mw", _) => "mw_bind_err",
        (_, Code::Busy | Code::Bound) => "ebusy",
        (_, Code::BadOp) => "eopnotsupp",
        _ => "einval",
    }
}

/// What the answer to a command is in the words of the cases.
pub fn seen(cmd: &str, code: Code) -> Got {
    Got::of_code(code, class(cmd, code))
}

/// The step of a region after a reregister.
pub fn changed(old: &Step, change: &Step) -> Step {
    let mut step = old.clone();
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
    step
}

fn num(value: Option<Num>) -> u64 {
    value.unwrap_or_default().0
}

fn one(body: Body, effect: Effect) -> Dues {
    Ok(vec![Due { body, effect }])
}

impl<D: Device> Run<'_, D> {
    /// Does hardware run this step as a command of its own?
    pub fn is_command(&mut self, step: &Step) -> bool {
        match step.cmd.as_str() {
            "rereg" => !self.composed(step),
            "" | "access" | "create_qp" => false,
            _ => true,
        }
    }

    /// A driver composes a reregister where there is none, and where the key is to change, since the command keeps it.
    pub fn composed(&mut self, step: &Step) -> bool {
        let offered = self.device.params().reregister;
        let variant = self.handles.named(&step.name).map(|handle| handle.variant);
        let moves = step
            .key_variant
            .is_some_and(|wanted| Some(wanted.0 as u32) != variant);
        !offered || (moves && self.steps.contains_key(&step.name))
    }

    /// The commands of a step.
    pub fn dues(&mut self, step: &Step) -> Dues {
        let refused = |code| Err(seen(&step.cmd, code));
        let pd = step.pd.unwrap_or_default();
        let handle = |lkey: u32, rkey: u32| Handle {
            name: step.name.clone(),
            index: step.index,
            variant: num(step.key_variant) as u32,
            lkey,
            rkey,
            live: true,
        };
        let (base, mode) = (self.base_key(&step.name), self.options.mode);
        match step.cmd.as_str() {
            "reg" => {
                let Ok(reg) = plan::register(step, *self.word(pd)) else {
                    return refused(Code::BadArg);
                };
                if step.implicit {
                    // Implicit regions are not offered: the driver refuses.
                    return refused(Code::BadArg);
                }
                one(Body::Register(reg), Effect::New(handle(0, 0)))
            }
            "dereg" => one(
                Body::Deregister { key: base, mode },
                Effect::End(step.name.clone()),
            ),
            "alloc_fast" => one(
                Body::Allocate {
                    pd,
                    pages: num(step.max_pages),
                },
                Effect::New(handle(0, 0)),
            ),
            "alloc_null" => one(Body::AllocateNull { pd }, Effect::New(handle(0, 0))),
            "alloc_mw" => one(
                Body::AllocateWindow {
                    pd,
                    kind: plan::window(&step.kind),
                },
                Effect::New(handle(0, 0)),
            ),
            "dealloc_mw" => one(
                Body::DeallocateWindow { key: base, mode },
                Effect::End(step.name.clone()),
            ),
            "fast_reg" => self.fast_register(step),
            "local_inv" | "remote_inv" => {
                let (pd, qpn) = self.queue_pair(step);
                let params = self.device.params();
                let keys = self.handles.map(params, step.key.0 as u32, true);
                let due = |key| Due {
                    body: Body::Invalidate { key, pd, qpn, mode },
                    effect: Effect::None,
                };
                Ok(keys.into_iter().map(due).collect())
            }
            "rereg" => self.rereg(step, base),
            "bind_mw" => self.bind(step),
            "page_fault_fill" => one(
                Body::FillPage {
                    key: base,
                    number: num(step.page),
                    entry: Entry {
                        pa: num(step.addr),
                        present: step.addr.is_some(),
                        writable: step.writable.unwrap_or(true),
                    },
                },
                Effect::None,
            ),
            "page_invalidate" => {
                let (first, count) = (num(step.page), step.count.map_or(1, |count| count.0));
                let due = |number| Due {
                    body: Body::EvictPage { key: base, number },
                    effect: Effect::None,
                };
                Ok((first..first.saturating_add(count)).map(due).collect())
            }
            _ => refused(Code::BadOp),
        }
    }

    fn fast_register(&mut self, step: &Step) -> Dues {
        let (pd, _) = self.queue_pair(step);
        let base = *self.word(pd);
        let Ok(reg) = plan::register(step, base) else {
            return Err(seen(&step.cmd, Code::BadArg));
        };
        let reg = Register { pd, ..reg };
        let now = self
            .handles
            .named(&step.name)
            .map(|handle| (handle.base(true), handle.variant));
        let keys: Vec<u32> = match (step.key_variant, now) {
            (Some(variant), Some((key, old))) => vec![key ^ old ^ (variant.0 as u32 & 0xff)],
            _ => {
                let params = self.device.params();
                // the low byte is the consumer's choice, so no other one is meant
                let key = step.key.0 as u32;
                self.handles.map(params, key, true)
            }
        };
        let variant = step.key_variant.unwrap_or(step.key).0 as u32 & 0xff;
        let due = |key: u32| Due {
            body: Body::FastRegister {
                key,
                reg: reg.clone(),
            },
            effect: Effect::Keys(step.name.clone(), variant, key & 0xff),
        };
        Ok(keys.into_iter().map(due).collect())
    }

    fn rereg(&mut self, step: &Step, key: u32) -> Dues {
        let flag = |name: &str| step.flags.iter().any(|flag| flag == name);
        let translation = flag("translation");
        let mut bits = 0;
        for (name, bit) in [
            ("translation", change::TRANSLATION),
            ("pd", change::PD),
            ("access", change::ACCESS),
        ] {
            bits |= if flag(name) { bit } else { 0 };
        }
        // what is not named is given as it is
        let old = self.steps.get(&step.name).cloned().unwrap_or_else(|| Step {
            page_shift: Some(12),
            ..step.clone()
        });
        let after = changed(&old, step);
        let base = *self.word(after.pd.unwrap_or_default());
        let Ok(mut reg) = plan::register(&after, base) else {
            return Err(seen(&step.cmd, Code::BadArg));
        };
        if !translation {
            (reg.base, reg.pages, reg.list) = (0, 0, Default::default());
        }
        one(
            Body::Reregister {
                key,
                change: bits,
                mode: self.options.mode,
                reg,
            },
            Effect::Moved(after),
        )
    }

    fn bind(&mut self, step: &Step) -> Dues {
        let (pd, qpn) = self.queue_pair(step);
        let Ok(access) = plan::rights(step.access.as_deref().unwrap_or_default()) else {
            return Err(seen(&step.cmd, Code::BadArg));
        };
        let (key, old) = self
            .handles
            .named(&step.name)
            .map_or((0, 0), |handle| (handle.base(true), handle.variant));
        let asked = step.key_variant.or(step.new_key);
        let variant = asked.map_or(old, |asked| asked.0 as u32 & 0xff);
        let params = self.device.params();
        let windows = match step.mw_key {
            Some(key) => self.handles.map(params, key.0 as u32, true),
            None => vec![key],
        };
        let regions = self.handles.map(params, step.mr_key.0 as u32, false);
        let low = (key ^ old ^ variant) & 0xff;
        let mut dues = Vec::new();
        for key in windows {
            for region in &regions {
                dues.push(Due {
                    body: Body::BindWindow(Bind {
                        key,
                        region: *region,
                        pd,
                        qpn,
                        iova: num(step.addr),
                        length: num(step.length),
                        access,
                        variant: low as u8,
                        mode: self.options.mode,
                    }),
                    effect: Effect::Keys(step.name.clone(), variant, low),
                });
            }
        }
        Ok(dues)
    }

    /// A key of a named handle; 0 if there is none.
    pub fn base_key(&mut self, name: &str) -> u32 {
        self.handles
            .named(name)
            .map_or(0, |handle| handle.base(false))
    }

    /// PD and number of the step's queue pair.
    fn queue_pair(&self, step: &Step) -> (u32, u32) {
        let qp = step.qp.unwrap_or_default();
        let pd = self.queue_pairs.get(&qp).copied();
        (pd.or(step.pd).unwrap_or_default(), qp)
    }

    /// Runs the commands of a step. Several keys give several outcomes; of several pages the first refusal counts.
    pub fn commands(&mut self, step: &Step) -> anyhow::Result<Vec<Got>> {
        let dues = match self.dues(step) {
            Ok(dues) => dues,
            Err(got) => return Ok(vec![got]),
        };
        let pages = step.cmd == "page_invalidate";
        let mut all = Vec::new();
        for due in dues {
            let answer = self.command(due.body.clone())?;
            let got = seen(&step.cmd, answer.code);
            self.settle(due, &answer)?;
            if pages && got.status != "ok" {
                return Ok(vec![got]);
            }
            all.push(got);
        }
        if pages {
            all.truncate(1);
        }
        Ok(all)
    }

    /// A step in the middle of a packet, if it is one command.
    pub fn single(&mut self, step: &Step) -> Option<Due> {
        if !self.is_command(step) {
            return None;
        }
        let mut dues = self.dues(step).ok()?;
        (dues.len() == 1).then(|| dues.pop()).flatten()
    }

    /// Starts a command in the middle of a packet.
    pub fn inside(
        &mut self,
        lookup: &crate::trace::Lookup,
        after: u64,
        due: Due,
    ) -> anyhow::Result<super::Reply> {
        self.tag = self.tag.wrapping_add(1);
        let command = Command {
            tag: self.tag,
            body: due.body.clone(),
        };
        let (reply, answer) = self.device.midway(lookup, after, &command)?;
        self.settle(due, &answer)?;
        Ok(reply)
    }

    /// What a good answer changes.
    pub fn settle(&mut self, due: Due, answer: &Answer) -> anyhow::Result<()> {
        if answer.code != Code::Ok {
            return Ok(());
        }
        if let Some(reg) = due.body.listed() {
            *self.word(reg.pd) += reg.pages;
        }
        match due.effect {
            Effect::None => {}
            Effect::New(handle) => self.handles.0.push(Handle {
                lkey: answer.lkey,
                rkey: answer.rkey,
                ..handle
            }),
            Effect::End(name) => {
                if let Some(handle) = self.handles.named(&name) {
                    handle.live = false;
                }
            }
            Effect::Keys(name, variant, low) => {
                let handle = self.handles.named(&name);
                let handle = handle.ok_or_else(|| anyhow::anyhow!("no handle {name}"))?;
                let new = |old: u32| if old == 0 { 0 } else { old & !0xff | low };
                let keys = (new(handle.lkey), new(handle.rkey));
                // a bind gives no keys: the new one follows from the old one
                let told = (answer.lkey, answer.rkey);
                let bind = matches!(due.body, Body::BindWindow(_));
                anyhow::ensure!(
                    told == if bind { (0, 0) } else { keys },
                    "keys {told:x?} in the answer, must be {keys:x?} of a registration, none of a bind"
                );
                // an unbound window keeps its key
                if !matches!(&due.body, Body::BindWindow(bind) if bind.length == 0) {
                    (handle.lkey, handle.rkey) = keys;
                    handle.variant = variant;
                }
            }
            Effect::Moved(step) => {
                self.steps.insert(step.name.clone(), step);
            }
        }
        Ok(())
    }
}
