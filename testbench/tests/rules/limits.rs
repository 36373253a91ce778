// SPDX-License-Identifier: MIT OR Apache-2.0
//! Limits: bad keys of a queue pair, misses of a class, entries of a protection domain (`feature.limits`).

use latchkey_hdl::csr::{LIMIT_AT, QUOTA_AT, REFUSED_AT};
use latchkey_testbench::claim;
use latchkey_testbench::stage::{on, Keys, Spec, Stage, ONE};
use latchkey_testbench::trace::{
    change, Body, Cause, Class, Code, EventKind, FlushScope, Lookup, Mode, Op, Register,
};

fn each(scene: impl Fn(&mut Stage)) {
    ["limits", "nic"]
        .iter()
        .for_each(|config| on(config, &scene));
}

fn of(qpn: u32, lookup: Lookup) -> Lookup {
    Lookup { qpn, ..lookup }
}

/// Counts of all queue pairs are cleared in the background.
fn cleared(s: &mut Stage) {
    s.run(4200);
}

fn reports(s: &Stage) -> Vec<u32> {
    let all = s.seen().events.iter();
    all.filter(|(_, e)| e.kind == EventKind::BadKeys)
        .map(|(_, e)| e.info)
        .collect()
}

#[test]
fn a_queue_pair_with_too_many_bad_keys_is_reported_and_refused() {
    each(|s| {
        let k = s.region(&Spec::flat(0x1000, 0x1000, 0));
        s.limit_bad_keys(3, true);
        cleared(s);
        let bad = Lookup {
            key: k.rkey ^ 1,
            ..k.read(0, 8)
        };
        // refusals for other reasons are no guesses
        for _ in 0..6 {
            claim!(
                s,
                s.lookup(of(6, k.read(0x1000, 8))).cause() == Some(Cause::OutOfBounds),
                "bounds"
            );
        }
        for n in 0..3 {
            claim!(s, s.lookup(of(6, k.read(0, 8))).granted(), "before {n}");
            let port = n % 2;
            let seen = s.lookup_on(port, of(6, bad));
            claim!(s, seen.cause() == Some(Cause::StaleKey), "{seen:?}");
            // another queue pair in between
            s.lookup(of(5, bad));
            if n == 1 {
                s.forgive(5);
            }
            s.run(20);
        }
        claim!(s, reports(s) == [6], "{:?}", reports(s));
        for port in 0..2 {
            let seen = s.lookup_on(port, of(6, k.read(0, 8)));
            claim!(s, seen.cause() == Some(Cause::QpLimited), "{seen:?}");
            claim!(
                s,
                seen.verdict
                    .is_some_and(|(_, v)| v.class == Class::RemAccessErr),
                "{seen:?}"
            );
            let seen = s.lookup_on(port, of(6, k.ask(Op::LocalRead, 0, 8)));
            claim!(
                s,
                seen.verdict
                    .is_some_and(|(_, v)| v.class == Class::LocProtErr),
                "{seen:?}"
            );
            claim!(
                s,
                s.lookup_on(port, of(5, k.read(0, 8))).granted(),
                "another queue pair"
            );
        }
        // an index without line: refused without asking the memory
        let (reads, now) = (s.bench.rig.icm.reads, s.now());
        s.flush(0, FlushScope::Epoch);
        let seen = s.lookup(of(6, k.read(0, 8)));
        claim!(
            s,
            seen.cause() == Some(Cause::QpLimited) && s.bench.rig.icm.reads == reads,
            "{seen:?} since {now}"
        );
        claim!(
            s,
            s.csr(REFUSED_AT, None) == 5,
            "{}",
            s.csr(REFUSED_AT, None)
        );
        s.forgive(6);
        s.run(20);
        claim!(s, s.lookup(of(6, k.read(0, 8))).granted(), "forgiven");
    });
}

#[test]
fn bad_keys_in_every_cycle_are_all_counted() {
    each(|s| {
        let k = s.region(&Spec::flat(0x1000, 0x1000, 0));
        s.lookup(k.read(0, 8));
        let bad = |n: u32| Lookup {
            key: k.rkey ^ (1 + n % 7),
            walk: false,
            ..of(6, k.read(0, 8))
        };
        s.limit_bad_keys(40, true);
        cleared(s);
        for n in 0..39 {
            s.ask(n as usize % s.p.ports as usize, bad(n));
        }
        s.settle();
        s.run(20);
        claim!(s, s.lookup(of(6, k.read(0, 8))).granted(), "39 of 40");
        s.lookup(bad(0));
        s.run(20);
        let seen = s.lookup(of(6, k.read(0, 8)));
        claim!(s, seen.cause() == Some(Cause::QpLimited), "{seen:?}");
        claim!(s, reports(s) == [6], "{:?}", reports(s));
    });
}

#[test]
fn a_limit_without_refusal_only_reports_and_a_new_one_forgets() {
    each(|s| {
        let k = s.region(&Spec::flat(0x1000, 0x1000, 0));
        let bad = Lookup {
            key: k.rkey ^ 1,
            ..of(9, k.read(0, 8))
        };
        s.limit_bad_keys(2, false);
        cleared(s);
        for _ in 0..5 {
            s.lookup(bad);
        }
        claim!(s, s.lookup(of(9, k.read(0, 8))).granted(), "not refused");
        claim!(s, reports(s) == [9], "{:?}", reports(s));
        s.limit_bad_keys(2, true);
        cleared(s);
        claim!(s, s.csr(LIMIT_AT, None) == 0x102, "as read");
        s.lookup(bad);
        s.run(20);
        claim!(s, s.lookup(of(9, k.read(0, 8))).granted(), "forgotten");
        s.lookup(bad);
        s.run(20);
        let seen = s.lookup(of(9, k.read(0, 8)));
        claim!(s, seen.cause() == Some(Cause::QpLimited), "{seen:?}");
        // 0: no limit
        s.limit_bad_keys(0, true);
        cleared(s);
        for _ in 0..5 {
            s.lookup(bad);
        }
        claim!(s, s.lookup(of(9, k.read(0, 8))).granted(), "no limit");
        claim!(s, reports(s) == [9, 9], "{:?}", reports(s));
    });
}

#[test]
fn queue_pairs_with_the_same_low_bits_share_a_count() {
    each(|s| {
        let k = s.region(&Spec::flat(0x1000, 0x1000, 0));
        let other = 6 + (1 << s.p.qp_bits);
        let bad = Lookup {
            key: k.rkey ^ 1,
            ..k.read(0, 8)
        };
        s.limit_bad_keys(2, true);
        cleared(s);
        s.lookup(of(6, bad));
        s.lookup(of(other, bad));
        s.run(20);
        for qpn in [6, other] {
            let seen = s.lookup(of(qpn, k.read(0, 8)));
            claim!(s, seen.cause() == Some(Cause::QpLimited), "{seen:?}");
        }
        // what needs no table is told first
        let seen = s.lookup(of(6, k.read(0, 0)));
        claim!(s, seen.granted(), "{seen:?}");
        let seen = s.lookup(of(6, k.ask(Op::Atomic, 0, 7)));
        claim!(s, seen.cause() == Some(Cause::BadLength), "{seen:?}");
        s.forgive(other);
        s.run(20);
        claim!(s, s.lookup(of(6, k.read(0, 8))).granted(), "forgiven");
    });
}

/// Regions of lines that no cache holds.
fn cold(s: &mut Stage, count: usize) -> Vec<Keys> {
    let all = (0..count as u64)
        .map(|n| s.region(&Spec::flat(n << 12, 0x1000, n << 12)))
        .collect();
    s.flush(0, FlushScope::Epoch);
    all
}

#[test]
fn a_class_with_its_quota_of_misses_holds_up_no_other() {
    each(|s| {
        let misses = s.p.misses as usize;
        let class = |class, lookup| Lookup { class, ..lookup };
        // alone a class fills the miss unit, and what comes behind waits for it
        let held = |s: &mut Stage, quota: u32| {
            let keys = cold(s, misses + 4);
            s.icm(600);
            s.csr(QUOTA_AT, Some(quota));
            claim!(s, s.csr(QUOTA_AT, None) == quota, "as read");
            let reads = s.bench.rig.icm.reads;
            let flood: Vec<_> = keys[..misses + 3]
                .iter()
                .map(|k| s.ask(0, class(0, k.read(0, 8))))
                .collect();
            s.run(100);
            let asked = s.bench.rig.icm.reads - reads;
            let other = s.ask(1, class(1, keys[misses + 3].read(0, 8)));
            let other = s.done(other);
            s.settle();
            for look in flood {
                claim!(
                    s,
                    s.look(look).is_some_and(|l| l.granted()),
                    "the flood is served"
                );
            }
            for k in keys {
                s.end(&k, Mode::Cut);
            }
            (asked, other.latency())
        };
        let (asked, waits) = held(s, 0);
        claim!(s, asked == misses as u64, "{asked} fetches");
        let (few, soon) = held(s, 1);
        claim!(s, few == 1, "{few} fetches of a class that may have 1");
        claim!(
            s,
            soon < 700 && waits > 1000,
            "{soon} cycles, without quota {waits}"
        );
        // both have one
        let (few, soon) = held(s, 0x0101);
        claim!(s, few == 1 && soon < 700, "{few} {soon}");
    });
}

#[test]
fn classes_that_wait_take_turns() {
    each(|s| {
        let class = |class, lookup| Lookup { class, ..lookup };
        let count = s.p.misses as usize + 2;
        let keys = cold(s, count + 2);
        s.icm(300);
        // one class has every MSHR and two that wait, then another comes
        let ask = |s: &mut Stage, of: std::ops::Range<usize>, iso: u8| {
            let keys = keys[of].iter();
            keys.map(|k| s.ask(usize::from(iso), class(iso, k.read(0, 8))))
                .collect::<Vec<_>>()
        };
        let first = ask(s, 0..count, 0);
        s.run(60);
        let second = ask(s, count..count + 2, 1);
        s.settle();
        let at = |look| s.look(look).and_then(|l| l.verdict).map_or(0, |v| v.0);
        let (last, one) = (at(first[count - 1]), at(second[0]));
        claim!(
            s,
            one < last,
            "the first of one class at {one}, the last of the other at {last}"
        );
        // with a quota each class has its own
        let keys = cold(s, 4);
        s.csr(QUOTA_AT, Some(0x0101));
        let looks: Vec<_> = (0..4)
            .map(|n| s.ask(n % 2, class(n as u8 % 2, keys[n].read(0, 8))))
            .collect();
        s.settle();
        let at = |n: usize| s.look(looks[n]).and_then(|l| l.verdict).map_or(0, |v| v.0);
        claim!(
            s,
            at(2).abs_diff(at(3)) < 200 && at(2) - at(0) > 250,
            "{} {} {} {}",
            at(0),
            at(1),
            at(2),
            at(3)
        );
        s.csr(QUOTA_AT, Some(0));
    });
}

fn quota(s: &mut Stage, pd: u32, entries: u64) -> Code {
    s.tell(Body::SetQuota { pd, entries }).code
}

#[test]
fn a_domain_has_no_more_entries_than_its_quota() {
    each(|s| {
        let small = |n: u64| Spec::flat(n << 12, 0x1000, n << 12);
        let a = s.region(&small(1));
        claim!(s, quota(s, 1, 3) == Code::Ok, "set");
        let b = s.region(&small(2));
        let w = s.window(1, ONE);
        // three: region, region, window; none of any kind more
        let long = s.plan(&Spec::new(0x1000, 0x6000));
        let all = [
            Body::Register(long.clone()),
            Body::Allocate { pd: 1, pages: 4 },
            Body::AllocateWindow { pd: 1, kind: ONE },
            Body::AllocateNull { pd: 1 },
            // looked at before any other argument
            Body::Register(Register { length: 0, ..long }),
            Body::Allocate { pd: 1, pages: 0 },
        ];
        for body in all {
            let answer = s.tell(body.clone());
            claim!(
                s,
                answer.code == Code::Quota && (answer.lkey, answer.rkey) == (0, 0),
                "{body:?} {answer:?}"
            );
        }
        // another domain has its own account
        let c = s.region(&small(3).pd(2));
        // an entry that ends makes room
        claim!(s, s.end(&b, Mode::Drain).code == Code::Ok, "ended");
        let d = s.region(&small(4));
        claim!(
            s,
            s.try_register(c.spec.clone()) == Code::Ok,
            "PD 2 has no quota"
        );
        claim!(
            s,
            s.tell(Body::AllocateNull { pd: 1 }).code == Code::Quota,
            "full again"
        );
        let code = s
            .tell(Body::DeallocateWindow {
                key: w.rkey,
                mode: Mode::Cut,
            })
            .code;
        claim!(s, code == Code::Ok, "{code:?}");
        s.allocate(1, 2);
        claim!(
            s,
            s.tell(Body::AllocateNull { pd: 1 }).code == Code::Quota,
            "full again"
        );
        // a refusal took nothing, and a lower quota takes nothing back
        claim!(s, quota(s, 1, 1) == Code::Ok, "lower");
        for k in [&a, &d] {
            claim!(s, s.lookup(k.read(0, 8)).granted(), "still there");
        }
        claim!(s, s.end(&a, Mode::Cut).code == Code::Ok, "ended");
        claim!(
            s,
            s.tell(Body::AllocateNull { pd: 1 }).code == Code::Quota,
            "two of one"
        );
        claim!(s, quota(s, 1, 0) == Code::Ok, "none");
        s.region(&small(5));
        let beyond = s.p.mrs + 1;
        claim!(
            s,
            quota(s, 1, beyond) == Code::BadArg,
            "more than the table has"
        );
        claim!(
            s,
            quota(s, 1, beyond - 1) == Code::Ok,
            "as many as the table has"
        );
    });
}

#[test]
fn an_entry_that_changes_its_domain_changes_accounts() {
    each(|s| {
        let small = |n: u64| Spec::flat(n << 12, 0x1000, n << 12);
        let to = |s: &mut Stage, k: &Keys, pd: u32, parts: u8| {
            let reg = Register {
                pd,
                ..k.spec.clone()
            };
            s.tell(Body::Reregister {
                key: k.rkey,
                change: parts,
                mode: Mode::Cut,
                reg,
            })
            .code
        };
        let a = s.region(&small(1));
        let b = s.region(&small(2).pd(2));
        quota(s, 1, 2);
        quota(s, 2, 1);
        claim!(s, to(s, &a, 2, change::PD) == Code::Quota, "2 is full");
        claim!(s, s.lookup(a.read(0, 8)).granted(), "nothing changed");
        // its own domain, named again, and other parts with the domain not named
        claim!(s, to(s, &b, 2, change::PD) == Code::Ok, "the same domain");
        claim!(s, to(s, &b, 1, change::ACCESS) == Code::Ok, "not named");
        claim!(
            s,
            to(s, &b, 1, change::PD | change::ACCESS) == Code::Ok,
            "1 has room"
        );
        claim!(
            s,
            s.tell(Body::AllocateNull { pd: 1 }).code == Code::Quota,
            "1 has two"
        );
        claim!(
            s,
            s.tell(Body::AllocateNull { pd: 2 }).code == Code::Ok,
            "2 has none"
        );
        claim!(
            s,
            s.tell(Body::AllocateNull { pd: 2 }).code == Code::Quota,
            "2 has one"
        );
        claim!(s, s.end(&b, Mode::Cut).code == Code::Ok, "ended");
        claim!(
            s,
            s.tell(Body::AllocateNull { pd: 1 }).code == Code::Ok,
            "1 has one"
        );
    });
}

#[test]
fn a_table_that_was_full_gives_every_index_again() {
    each(|s| {
        if s.p.mrs > 64 {
            return;
        }
        for round in 0..3 {
            let mut all = Vec::new();
            loop {
                let spec = Spec::flat(0x1000, 0x1000, 0);
                let reg = s.plan(&spec);
                let answer = s.tell(Body::Register(reg.clone()));
                if answer.code == Code::NoSpace {
                    break;
                }
                claim!(s, answer.code == Code::Ok, "{answer:?}");
                all.push(Keys::of(&answer, reg));
            }
            claim!(
                s,
                all.len() as u64 == s.p.mrs - 1,
                "round {round}: {}",
                all.len()
            );
            for k in &all {
                claim!(s, s.end(k, Mode::Cut).code == Code::Ok, "ended");
            }
        }
    });
}
