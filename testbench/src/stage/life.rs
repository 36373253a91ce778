// SPDX-License-Identifier: MIT OR Apache-2.0
//! Verbs of a scene for the rest of a key's life.

use super::spec::{Keys, Spec};
use super::Stage;
use crate::secrets::Cipher;
use crate::trace::{Bind, Body, Code, Entry, Lookup, Mode, Op};

/// `reg_extra` of a window of type 1.
pub const ONE: u8 = 0;
/// Of type 2A.
pub const TWO_A: u8 = 1;
/// Of type 2B.
pub const TWO_B: u8 = 2;

/// A window and what it is bound to.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// its key
    pub rkey: u32,
    /// its domain
    pub pd: u32,
    /// queue pair of its binding
    pub qpn: u32,
    /// first address of its binding, as requests name it
    pub first: u64,
}

impl Window {
    /// A remote request through it, from its owner.
    pub fn ask(&self, op: Op, offset: u64, len: u32) -> Lookup {
        let va = self.first.wrapping_add(offset);
        Lookup {
            qpn: self.qpn,
            op,
            ..Lookup::read(self.pd, self.rkey, va, len)
        }
    }

    /// Remote read.
    pub fn read(&self, offset: u64, len: u32) -> Lookup {
        self.ask(Op::Read, offset, len)
    }
}

impl Stage {
    /// Where this core's keys come from, in plain Rust.
    pub fn cipher(&self) -> Cipher {
        Cipher {
            secret: self.bench.rig.secret,
            index_bits: self.p.index_bits,
        }
    }

    /// An entry for fast registration, free.
    pub fn allocate(&mut self, pd: u32, pages: u64) -> Keys {
        let answer = self.tell(Body::Allocate { pd, pages });
        self.claim(answer.code == Code::Ok, format!("allocated: {answer:?}"));
        let spec = self.plan(&Spec::flat(0, 1, 0).pd(pd));
        Keys::of(&answer, spec)
    }

    /// Fast registration with a variant byte; the keys are the new ones when it is answered ok.
    pub fn fast(&mut self, keys: &mut Keys, variant: u8, spec: &Spec) -> Code {
        let reg = self.plan(spec);
        let new = |key: u32| (key & !0xff) | u32::from(variant);
        let key = new(keys.rkey);
        let answer = self.tell(Body::FastRegister {
            key,
            reg: reg.clone(),
        });
        if answer.code == Code::Ok {
            *keys = Keys {
                lkey: new(keys.lkey),
                rkey: key,
                spec: reg,
            };
            let told = (answer.lkey, answer.rkey);
            self.claim(told == (keys.lkey, keys.rkey), format!("keys: {answer:?}"));
        }
        answer.code
    }

    /// Invalidation by a queue pair, with leases drained.
    pub fn invalidate(&mut self, key: u32, pd: u32, qpn: u32) -> Code {
        let mode = Mode::Cut;
        self.tell(Body::Invalidate { key, pd, qpn, mode }).code
    }

    /// A window, unbound.
    pub fn window(&mut self, pd: u32, kind: u8) -> Window {
        let answer = self.tell(Body::AllocateWindow { pd, kind });
        self.claim(answer.code == Code::Ok, format!("a window: {answer:?}"));
        Window {
            rkey: answer.rkey,
            pd,
            qpn: 5,
            first: 0,
        }
    }

    /// What binds a window to bytes `from` on of a region, from queue pair 5 of the region's domain.
    pub fn binding(&self, w: &Window, to: &Keys, (from, length): (u64, u64), access: u32) -> Bind {
        Bind {
            key: w.rkey,
            region: to.rkey,
            pd: to.spec.pd,
            qpn: 5,
            iova: to.spec.iova.wrapping_add(from),
            length,
            access,
            variant: (w.rkey as u8).wrapping_add(1),
            mode: Mode::Cut,
        }
    }

    /// Binds; the window is as bound when it is answered ok.
    pub fn bind(&mut self, w: &mut Window, bind: Bind) -> Code {
        let code = self.tell(Body::BindWindow(bind)).code;
        if code == Code::Ok && bind.length > 0 {
            let zero = bind.access & crate::trace::access::ZERO_BASED != 0;
            *w = Window {
                rkey: (w.rkey & !0xff) | u32::from(bind.variant),
                pd: w.pd,
                qpn: bind.qpn,
                first: if zero { 0 } else { bind.iova },
            };
        }
        code
    }

    /// A page comes.
    pub fn fill(&mut self, keys: &Keys, number: u64, entry: Entry) -> Code {
        let key = keys.lkey;
        self.tell(Body::FillPage { key, number, entry }).code
    }

    /// A page goes.
    pub fn evict(&mut self, keys: &Keys, number: u64) -> Code {
        let key = keys.lkey;
        self.tell(Body::EvictPage { key, number }).code
    }
}
