// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fast registration and invalidation.

use latchkey_testbench::claim;
use latchkey_testbench::stage::{full, Keys, Spec};
use latchkey_testbench::trace::{access, Cause, Code, Mode, Op, PageSize, SegStatus};

#[test]
fn a_key_is_dead_until_it_is_registered_and_after_it_is_invalidated() {
    full(|s| {
        let mut k = s.allocate(1, 4);
        let read = s.lookup(k.read(0, 1));
        claim!(s, read.cause() == Some(Cause::StaleKey), "free: {read:?}");
        let code = s.fast(&mut k, 0x42, &Spec::new(0x1ff0, 0x2000));
        claim!(s, code == Code::Ok, "{code:?}");
        for (offset, len) in [(0, 0x20), (0x1ff0, 16)] {
            let read = s.lookup(k.read(offset, len));
            claim!(s, read.pa() == Some(k.pa(offset)), "{read:?}");
        }
        let code = s.invalidate(k.rkey, 1, 5);
        claim!(s, code == Code::Ok, "{code:?}");
        let read = s.lookup(k.read(0, 1));
        claim!(s, read.cause() == Some(Cause::StaleKey), "{read:?}");
    });
}

#[test]
fn both_keys_take_the_new_byte_and_the_old_one_is_dead() {
    full(|s| {
        let mut k = s.allocate(1, 4);
        let old = k.clone();
        claim!(
            s,
            s.fast(&mut k, 0xff, &Spec::new(0, 0x1000)) == Code::Ok,
            "registered"
        );
        let dead = s.lookup(latchkey_testbench::trace::Lookup {
            key: old.rkey,
            ..k.read(0, 8)
        });
        claim!(s, dead.cause() == Some(Cause::StaleKey), "{dead:?}");
        let local = s.lookup(k.ask(latchkey_testbench::trace::Op::LocalRead, 0, 8));
        claim!(s, local.granted(), "the local key: {local:?}");
        s.invalidate(k.lkey, 1, 5);
        claim!(
            s,
            s.fast(&mut k, 0xff, &Spec::new(0, 0x1000)) == Code::Ok,
            "the same byte again"
        );
    });
}

#[test]
fn no_old_translation_is_met_when_epochs_come_round() {
    full(|s| {
        let mut k = s.allocate(1, 2);
        for round in 0..10u8 {
            let code = s.fast(&mut k, round % 2, &Spec::new(0x4000, 0x1001));
            claim!(s, code == Code::Ok, "round {round}: {code:?}");
            // an epoch of two bits: nothing in between takes the line's place
            if round % 4 == 0 {
                let read = s.lookup(k.read(0x1000, 1));
                claim!(
                    s,
                    read.pa() == Some(k.pa(0x1000)),
                    "round {round}: {read:?}"
                );
            }
            let code = s.invalidate(k.rkey, 1, 5);
            claim!(s, code == Code::Ok, "round {round}: {code:?}");
        }
    });
}

#[test]
fn refusals_of_fast_register_change_nothing() {
    full(|s| {
        let mut k = s.allocate(1, 2);
        let page = Spec::new(0, 0x1000);
        let other = s.fast(&mut k.clone(), 1, &page.clone().pd(2));
        claim!(s, other == Code::PdMismatch, "{other:?}");
        let many = s.fast(&mut k.clone(), 1, &Spec::new(0, 0x3000));
        claim!(
            s,
            many == Code::BadArg,
            "more pages than the budget: {many:?}"
        );
        let mut foreign = k.clone();
        foreign.rkey ^= 1 << 31;
        let code = s.fast(&mut foreign, 1, &page);
        claim!(s, code == Code::StaleKey, "another secret: {code:?}");
        let fair = s.fast(&mut k, 1, &page);
        claim!(s, fair == Code::Ok, "{fair:?}");
        let twice = s.fast(&mut k.clone(), 2, &page);
        claim!(s, twice == Code::BadState, "not free: {twice:?}");
        claim!(s, s.lookup(k.read(0, 8)).granted(), "the mapping stands");
        let mut plain = s.region(&page);
        let code = s.fast(&mut plain, 1, &page);
        claim!(s, code == Code::BadState, "an ordinary region: {code:?}");
        let plain = s.region(&page);
        let code = s.invalidate(plain.rkey, 1, 5);
        claim!(s, code == Code::BadState, "{code:?}");
        claim!(s, s.lookup(plain.read(0, 8)).granted(), "it goes on");
        let code = s.invalidate(k.rkey, 2, 5);
        claim!(s, code == Code::PdMismatch, "another PD: {code:?}");
        let code = s.invalidate(k.rkey ^ 0x10, 1, 5);
        claim!(s, code == Code::StaleKey, "another variant: {code:?}");
    });
}

#[test]
fn an_invalidation_cuts_walks_and_waits_for_leases() {
    full(|s| {
        let mut k = s.allocate(1, 8);
        s.fast(&mut k, 1, &Spec::new(0x1000, 0x8000));
        s.lookup(k.read(0, 0x8000));
        s.settle();
        s.keep_leases();
        s.block(0, false, true);
        let look = s.ask(0, k.read(0, 0x8000));
        s.until("the verdict", |s| s.look(look).is_some_and(|l| l.granted()));
        s.run(30);
        let told = s.send(latchkey_testbench::trace::Body::Invalidate {
            key: k.rkey,
            pd: 1,
            qpn: 5,
            mode: Mode::Cut,
        });
        s.run(150);
        claim!(s, s.answered(told).is_none(), "the walk still runs");
        s.block(0, false, false);
        let walk = s.done(look);
        let cut = walk.segments.last().map(|(_, g)| g.status);
        claim!(s, cut == Some(SegStatus::Cut), "{walk:?}");
        s.run(400);
        claim!(s, s.answered(told).is_none(), "its lease is held");
        s.free_leases();
        claim!(s, s.answer(told).code == Code::Ok, "then it is answered");
    });
}

#[test]
fn keys_of_an_index_never_come_again() {
    full(|s| {
        let mut seen = std::collections::HashSet::new();
        for round in 0..6 {
            let k = s.allocate(1, 1);
            for variant in 0..256u32 {
                for key in [k.lkey, k.rkey] {
                    let new = seen.insert((key & !0xff) | variant);
                    claim!(s, new, "round {round}: {key:#x}");
                }
            }
            s.end(&k, Mode::Cut);
            let r = s.region(&Spec::flat(0, 8, 0).access(access::LOCAL_WRITE));
            claim!(s, seen.insert(r.lkey), "round {round}: {:#x}", r.lkey);
            claim!(s, seen.insert(r.rkey), "round {round}: {:#x}", r.rkey);
            s.end(&r, Mode::Cut);
        }
    });
}

#[test]
fn everything_is_that_of_the_last_registration() {
    full(|s| {
        let mut k = s.allocate(1, 4);
        let chosen = Keys {
            rkey: k.rkey | 0xff,
            ..k.clone()
        };
        let early = s.lookup(chosen.read(0, 8)).cause();
        claim!(s, early == Some(Cause::StaleKey), "chosen only: {early:?}");
        let code = s.fast(&mut k, 0xff, &Spec::new(0x2_3457, 0x3000));
        claim!(s, code == Code::Ok, "{code:?}");
        let write = s.lookup(k.ask(Op::Write, 0x10, 8));
        claim!(s, write.pa() == Some(k.pa(0x10)), "{write:?}");
        let old = k.clone();
        let code = s.invalidate(k.rkey, 1, 5);
        claim!(s, code == Code::Ok, "{code:?}");
        let twice = s.invalidate(k.rkey, 1, 5);
        claim!(s, twice == Code::BadState, "free already: {twice:?}");
        // another page size, fewer rights, and the byte comes round
        let spec = Spec::new(0x2_3457, 0x1_8000).page(PageSize::K64);
        let code = s.fast(&mut k, 0, &spec.access(access::REMOTE_READ));
        claim!(s, code == Code::Ok, "{code:?}");
        let dead = s.lookup(old.read(0, 8)).cause();
        claim!(s, dead == Some(Cause::StaleKey), "the old byte: {dead:?}");
        for offset in [0, 0xba0, 0x1_7ff8] {
            let read = s.lookup(k.read(offset, 8));
            claim!(s, read.pa() == Some(k.pa(offset)), "{offset:#x}: {read:?}");
        }
        let write = s.lookup(k.ask(Op::Write, 0x10, 8)).cause();
        claim!(s, write == Some(Cause::NoPermission), "{write:?}");
    });
}
