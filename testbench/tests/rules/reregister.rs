// SPDX-License-Identifier: MIT OR Apache-2.0
//! Re-registration.

use latchkey_testbench::claim;
use latchkey_testbench::stage::{full, Keys, Spec, Stage, ONE};
use latchkey_testbench::trace::{
    access, change, Body, Cause, Code, Entry, Lookup, Mode, Op, PageList, PageSize, Register,
};

fn rereg(s: &mut Stage, k: &Keys, change: u8, reg: &Register) -> Code {
    let body = Body::Reregister {
        key: k.lkey,
        change,
        mode: Mode::Cut,
        reg: reg.clone(),
    };
    s.tell(body).code
}

#[test]
fn each_part_changes_alone_and_the_others_stay() {
    full(|s| {
        let spec = Spec::new(0x1000, 0x2000).access(access::LOCAL_WRITE | access::REMOTE_WRITE);
        let k = s.region(&spec);
        s.lookup(k.ask(Op::Write, 0, 0x2000));
        let reg = s.plan(&Spec::new(0x8ff8, 0x1000).pd(2).access(access::REMOTE_READ));
        claim!(s, rereg(s, &k, change::ACCESS, &reg) == Code::Ok, "rights");
        let cause = s.lookup(k.ask(Op::Write, 0, 8)).cause();
        claim!(s, cause == Some(Cause::NoPermission), "{cause:?}");
        let read = s.lookup(k.read(0x1ff0, 16));
        claim!(
            s,
            read.pa() == Some(k.pa(0x1ff0)),
            "the pages stay: {read:?}"
        );
        claim!(s, rereg(s, &k, change::PD, &reg) == Code::Ok, "PD");
        let cause = s.lookup(k.read(0, 8)).cause();
        claim!(s, cause == Some(Cause::PdMismatch), "{cause:?}");
        let read = s.lookup(Lookup {
            pd: 2,
            ..k.read(0, 8)
        });
        claim!(s, read.granted(), "{read:?}");
        claim!(
            s,
            rereg(s, &k, change::TRANSLATION, &reg) == Code::Ok,
            "pages"
        );
        let cause = s
            .lookup(Lookup {
                pd: 2,
                ..k.read(0, 8)
            })
            .cause();
        claim!(s, cause == Some(Cause::OutOfBounds), "{cause:?}");
        let new = Keys { spec: reg, ..k };
        let read = s.lookup(new.read(0, 0x1000));
        claim!(s, read.pas() == [new.pa(0), new.pa(8)], "{read:?}");
    });
}

#[test]
fn refusals_leave_the_old_region() {
    full(|s| {
        let k = s.region(&Spec::new(0x1000, 0x2000));
        let mut bad = s.plan(&Spec::new(0x1000, 0x8000));
        claim!(s, rereg(s, &k, 0, &bad) == Code::BadArg, "nothing named");
        bad.access = access::REMOTE_WRITE;
        claim!(
            s,
            rereg(s, &k, change::ACCESS, &bad) == Code::BadArg,
            "no local_write"
        );
        bad.access = 1 << 12;
        claim!(
            s,
            rereg(s, &k, change::ACCESS, &bad) == Code::BadArg,
            "unknown bit"
        );
        bad.access = access::ZERO_BASED;
        claim!(
            s,
            rereg(s, &k, change::ACCESS, &bad) == Code::BadArg,
            "zero_based alone"
        );
        bad.access = access::ON_DEMAND;
        claim!(
            s,
            rereg(s, &k, change::ACCESS, &bad) == Code::BadArg,
            "on_demand alone"
        );
        let mut short = s.plan(&Spec::new(0x1000, 0x8000));
        if let PageList::List(list) = &mut short.list {
            list.pop();
        }
        claim!(
            s,
            rereg(s, &k, change::TRANSLATION, &short) == Code::BadList,
            "a short list"
        );
        let mut absent = s.plan(&Spec::new(0x1000, 0x8000));
        if let PageList::List(list) = &mut absent.list {
            list[7] = Entry::ABSENT;
        }
        claim!(
            s,
            rereg(s, &k, change::TRANSLATION, &absent) == Code::BadArg,
            "a page is absent"
        );
        let far = Register {
            base: u64::from(u16::MAX),
            ..s.plan(&Spec::new(0, 0x1000))
        };
        claim!(
            s,
            rereg(s, &k, change::TRANSLATION, &far) == Code::BadWindow,
            "foreign words"
        );
        let f = s.allocate(1, 1);
        let reg = s.plan(&Spec::new(0, 0x1000));
        claim!(s, rereg(s, &f, 7, &reg) == Code::BadState, "a fast region");
        let read = s.lookup(k.read(0xff0, 0x20));
        claim!(s, read.pas() == [k.pa(0xff0), k.pa(0x1000)], "{read:?}");
    });
}

#[test]
fn no_old_page_is_met_when_epochs_come_round() {
    full(|s| {
        let mut k = s.region(&Spec::new(0x1000, 0x1001));
        for round in 0..10 {
            let reg = s.plan(&Spec::new(0x1000, 0x1001));
            let code = rereg(s, &k, change::TRANSLATION, &reg);
            claim!(s, code == Code::Ok, "round {round}: {code:?}");
            k.spec = reg;
            // an epoch of two bits: nothing in between takes the line's place
            if round % 4 == 0 {
                let read = s.lookup(k.read(0x1000, 1));
                claim!(
                    s,
                    read.pa() == Some(k.pa(0x1000)),
                    "round {round}: {read:?}"
                );
            }
        }
    });
}

#[test]
fn lookups_wait_and_old_leases_are_waited_for() {
    full(|s| {
        let k = s.region(&Spec::new(0x1000, 0x1000));
        s.keep_leases();
        s.lookup(k.read(0, 8));
        let reg = s.plan(&Spec::new(0x1000, 0x1000));
        let told = s.send(Body::Reregister {
            key: k.rkey,
            change: change::TRANSLATION,
            mode: Mode::Drain,
            reg: reg.clone(),
        });
        let mut causes = Vec::new();
        let new = Keys {
            spec: reg,
            ..k.clone()
        };
        for _ in 0..3 {
            let look = s.lookup(Lookup {
                walk: false,
                ..k.read(0, 8)
            });
            causes.push(look.cause());
        }
        s.run(600);
        claim!(
            s,
            causes.iter().all(|c| *c == Some(Cause::None)),
            "{causes:?}"
        );
        claim!(s, s.answered(told).is_none(), "the lease of the old pages");
        let read = s.lookup(new.read(0, 8));
        claim!(
            s,
            read.pa() == Some(new.pa(0)),
            "new pages are used meanwhile: {read:?}"
        );
        s.free_leases();
        claim!(s, s.answer(told).code == Code::Ok, "then it is answered");
    });
}

#[test]
fn lookups_meet_the_old_region_or_the_new_one() {
    full(|s| {
        let k = s.region(&Spec::new(0x1000, 0x1000));
        s.icm(20);
        let reg = s.plan(&Spec::new(0x1000, 0x1000));
        let from = s.now();
        let told = s.tell_at(
            from + 20,
            Body::Reregister {
                key: k.rkey,
                change: change::TRANSLATION,
                mode: Mode::Drain,
                reg,
            },
        );
        let looks: Vec<_> = (0..120)
            .map(|n| {
                let lookup = Lookup {
                    walk: false,
                    ..k.read(n * 8, 8)
                };
                s.ask_at(from + 2 * n, 0, lookup)
            })
            .collect();
        s.answer(told);
        s.settle();
        for look in looks {
            let cause = s.look(look).and_then(|l| l.cause());
            claim!(s, cause == Some(Cause::None), "{cause:?}");
        }
    });
}

#[test]
fn the_page_size_changes_with_the_pages_and_the_rights_stay() {
    full(|s| {
        let mut k = s.region(&Spec::new(0x2_3457, 0x3000));
        s.lookup(k.read(0, 0x3000));
        let spec = Spec::new(0x2_3457, 0x1_8000).page(PageSize::K64);
        let reg = s.plan(&spec.access(access::REMOTE_READ));
        let code = rereg(s, &k, change::TRANSLATION, &reg);
        claim!(s, code == Code::Ok, "{code:?}");
        k.spec = reg;
        for offset in [0, 0xba0, 0x1_7ff8] {
            let write = s.lookup(k.ask(Op::Write, offset, 8));
            claim!(
                s,
                write.pa() == Some(k.pa(offset)),
                "{offset:#x}: {write:?}"
            );
        }
    });
}

#[test]
fn windows_null_regions_and_dead_regions_are_refused() {
    full(|s| {
        let reg = s.plan(&Spec::new(0, 0x1000));
        let window = s.window(1, ONE);
        let null = s.tell(Body::AllocateNull { pd: 1 });
        let dead = s.region(&Spec::new(0x1000, 0x1000));
        s.end(&dead, Mode::Cut);
        let tries = [
            (window.rkey, Code::BadState),
            (null.lkey, Code::BadState),
            (dead.lkey, Code::StaleKey),
        ];
        for (key, want) in tries {
            let got = s.tell(Body::Reregister {
                key,
                change: change::ACCESS,
                mode: Mode::Cut,
                reg: reg.clone(),
            });
            claim!(s, got.code == want, "{got:?}, must be {want:?}");
        }
    });
}
