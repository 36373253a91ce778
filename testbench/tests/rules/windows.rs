// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory windows.

use latchkey_testbench::claim;
use latchkey_testbench::stage::{full, Keys, Spec, Stage, Window, ALL, ONE, TWO_A, TWO_B};
use latchkey_testbench::trace::{access, Bind, Body, Cause, Code, Lookup, Mode, Op};

const WRITE: u32 = access::REMOTE_READ | access::REMOTE_WRITE;

/// A region that starts inside a page, and a window on its bytes 0x800 to 0x27ff.
fn bound(s: &mut Stage, kind: u8, rights: u32) -> (Keys, Window) {
    let k = s.region(&Spec::new(0x10_0100, 0x4000));
    let mut w = s.window(1, kind);
    let bind = s.binding(&w, &k, (0x800, 0x2000), rights);
    let code = s.bind(&mut w, bind);
    claim!(s, code == Code::Ok, "{code:?}");
    (k, w)
}

#[test]
fn a_window_is_its_range_and_nothing_else() {
    full(|s| {
        for kind in [ONE, TWO_A, TWO_B] {
            let (k, w) = bound(s, kind, WRITE);
            for (offset, len) in [(0, 1), (0x1fff, 1), (0x6f8, 0x20), (0, 0x2000)] {
                let read = s.lookup(w.read(offset, len));
                claim!(
                    s,
                    read.pa() == Some(k.pa(0x800 + offset)),
                    "{kind}: {read:?}"
                );
            }
            for (offset, len) in [(u64::MAX, 1), (0x2000, 1), (0x1fff, 2), (0, 0x2001)] {
                let read = s.lookup(w.read(offset, len));
                let cause = read.cause();
                claim!(s, cause == Some(Cause::OutOfBounds), "{kind}: {read:?}");
            }
        }
    });
}

#[test]
fn a_zero_based_window_counts_from_its_first_byte() {
    full(|s| {
        for flat in [false, true] {
            let spec = if flat {
                Spec::flat(0x10_0100, 0x4000, 0x3_0000)
            } else {
                Spec::new(0x10_0100, 0x4000)
            };
            let k = s.region(&spec);
            let mut w = s.window(1, TWO_B);
            let bind = s.binding(&w, &k, (0xff1, 0x1010), WRITE | access::ZERO_BASED);
            claim!(s, s.bind(&mut w, bind) == Code::Ok, "bound");
            let read = s.lookup(w.read(0, 0x1010));
            claim!(s, read.pa() == Some(k.pa(0xff1)), "{read:?}");
            let last = s.lookup(w.read(0x100f, 1));
            claim!(s, last.pa() == Some(k.pa(0x2000)), "{last:?}");
            let read = s.lookup(w.read(0x1010, 1));
            claim!(s, read.cause() == Some(Cause::OutOfBounds), "{read:?}");
            let top = latchkey_testbench::bench::Params::top(s.p.va_bits);
            let read = s.lookup(w.read(top, 1));
            claim!(s, read.cause() == Some(Cause::OutOfBounds), "{read:?}");
        }
    });
}

#[test]
fn rights_are_the_windows_own() {
    full(|s| {
        // the region has no remote right
        let k = s.region(&Spec::new(0, 0x1000).access(access::LOCAL_WRITE | access::MW_BIND));
        let mut w = s.window(1, TWO_B);
        let bind = s.binding(&w, &k, (0, 0x1000), access::REMOTE_WRITE);
        claim!(s, s.bind(&mut w, bind) == Code::Ok, "bound");
        claim!(s, s.lookup(w.ask(Op::Write, 0, 8)).granted(), "a write");
        for op in [Op::Read, Op::Atomic, Op::FlushGlobal, Op::FlushPersistent] {
            let cause = s.lookup(w.ask(op, 0, 8)).cause();
            claim!(s, cause == Some(Cause::NoPermission), "{op:?}: {cause:?}");
        }
        // the region has all of them
        let (_, w) = bound(s, TWO_B, 0);
        let cause = s.lookup(w.read(0, 8)).cause();
        claim!(s, cause == Some(Cause::NoPermission), "{cause:?}");
    });
}

#[test]
fn the_owner_is_the_domain_the_queue_pair_or_both() {
    full(|s| {
        for kind in [ONE, TWO_A, TWO_B] {
            let (_, w) = bound(s, kind, WRITE);
            let pd = Lookup {
                pd: 2,
                ..w.read(0, 8)
            };
            let qp = Lookup {
                qpn: 6,
                ..w.read(0, 8)
            };
            let high = Lookup {
                qpn: 5 | 1 << 23,
                ..w.read(0, 8)
            };
            let fits = |look: Option<Cause>, free: bool| {
                look == Some(if free { Cause::None } else { Cause::PdMismatch })
            };
            let got = s.lookup(pd).cause();
            claim!(s, fits(got, kind == TWO_A), "{kind}, another PD: {got:?}");
            for other in [qp, high] {
                let got = s.lookup(other).cause();
                claim!(s, fits(got, kind == ONE), "{kind}, another QP: {got:?}");
            }
        }
    });
}

#[test]
fn a_window_key_is_no_local_key() {
    full(|s| {
        let (_, w) = bound(s, TWO_B, WRITE);
        // nor is the 0 that stands where a region has its lkey
        let none = s.p.index(w.rkey) << 8;
        let far = [w.rkey ^ 1 << 31, w.rkey ^ 1 << (s.p.index_bits + 8)];
        for key in [w.rkey, none, far[0], far[1]] {
            let local = Lookup {
                side_remote: false,
                op: Op::LocalRead,
                key,
                ..w.read(0, 8)
            };
            let read = s.lookup(local);
            claim!(s, !read.granted(), "{key:#x}: {read:?}");
            let want = key != w.rkey || read.cause() == Some(Cause::WrongSide);
            claim!(s, want, "{read:?}");
        }
    });
}

#[test]
fn binds_are_refused_for_every_reason() {
    full(|s| {
        let k = s.region(&Spec::new(0x1000, 0x2000));
        let zero = s.region(&Spec::new(0x1000, 0x1000).access(ALL | access::ZERO_BASED));
        let plain = s.region(&Spec::new(0x1000, 0x1000).access(access::LOCAL_WRITE));
        let reader = s.region(&Spec::new(0x1000, 0x1000).access(access::MW_BIND));
        let far = s.region(&Spec::new(0x1000, 0x1000).pd(2));
        let mut one = s.window(1, ONE);
        let mut two = s.window(1, TWO_B);
        let good = s.binding(&two, &k, (0, 0x1000), WRITE);
        let wide = |iova, length| Bind {
            iova,
            length,
            ..good
        };
        let top = latchkey_testbench::bench::Params::top(s.p.va_bits);
        let tries = [
            (
                Bind {
                    key: k.rkey,
                    ..good
                },
                Code::BadState,
            ),
            (
                Bind {
                    key: good.key ^ 1,
                    ..good
                },
                Code::StaleKey,
            ),
            (Bind { pd: 2, ..good }, Code::PdMismatch),
            (
                Bind {
                    access: 1 << 12,
                    ..good
                },
                Code::BadArg,
            ),
            (Bind { length: 0, ..good }, Code::BadArg),
            (
                Bind {
                    region: one.rkey,
                    ..good
                },
                Code::BadState,
            ),
            (Bind { region: 0, ..good }, Code::BadKey),
            (
                Bind {
                    region: k.rkey ^ 1,
                    ..good
                },
                Code::StaleKey,
            ),
            (
                Bind {
                    region: far.rkey,
                    ..good
                },
                Code::PdMismatch,
            ),
            (
                Bind {
                    region: plain.rkey,
                    ..good
                },
                Code::NoPermission,
            ),
            (
                Bind {
                    region: reader.rkey,
                    ..good
                },
                Code::NoPermission,
            ),
            (
                Bind {
                    region: zero.rkey,
                    ..good
                },
                Code::BadArg,
            ),
            (wide(0xfff, 0x1000), Code::OutOfBounds),
            (wide(0x1001, 0x2000), Code::OutOfBounds),
            (wide(0x1000, 0x2001), Code::OutOfBounds),
            (wide(top, 2), Code::OutOfBounds),
            (
                s.binding(&one, &k, (0, 8), access::ZERO_BASED),
                Code::BadArg,
            ),
        ];
        for (bind, want) in tries {
            let got = s.tell(Body::BindWindow(bind)).code;
            claim!(s, got == want, "{bind:?}: {got:?}, must be {want:?}");
        }
        let read = Bind {
            region: reader.rkey,
            access: access::REMOTE_READ,
            ..good
        };
        claim!(
            s,
            s.bind(&mut two, read) == Code::Ok,
            "reading needs no right of the region"
        );
        let again = s.binding(&two, &k, (0, 8), WRITE);
        claim!(
            s,
            s.bind(&mut two, again) == Code::BadState,
            "bound already"
        );
        // nothing was counted for those refused
        s.end(&far, Mode::Cut);
        let ended = s.end(&k, Mode::Cut).code;
        claim!(s, ended == Code::Ok, "no window is bound: {ended:?}");
        let bind = s.binding(&one, &zero, (0, 8), 0);
        claim!(
            s,
            s.bind(&mut one, bind) == Code::BadArg,
            "zero-based region"
        );
    });
}

#[test]
fn a_region_with_a_bound_window_stays() {
    full(|s| {
        let (k, w) = bound(s, TWO_B, WRITE);
        let code = s.end(&k, Mode::Cut).code;
        claim!(s, code == Code::Bound, "{code:?}");
        let reg = s.plan(&Spec::new(0x10_0100, 0x1000));
        let code = s.tell(Body::Reregister {
            key: k.rkey,
            change: 4,
            mode: Mode::Cut,
            reg,
        });
        claim!(s, code.code == Code::Bound, "{code:?}");
        claim!(s, s.lookup(k.read(0, 8)).granted(), "the region works");
        claim!(s, s.lookup(w.read(0, 8)).granted(), "the window works");
        let code = s.invalidate(w.rkey, 1, 5);
        claim!(s, code == Code::Ok, "{code:?}");
        let code = s.end(&k, Mode::Cut).code;
        claim!(s, code == Code::Ok, "{code:?}");
        // of a fast region too
        let mut f = s.allocate(1, 4);
        s.fast(&mut f, 1, &Spec::new(0x1000, 0x1000));
        let mut w = s.window(1, ONE);
        let bind = s.binding(&w, &f, (0, 0x1000), WRITE);
        claim!(s, s.bind(&mut w, bind) == Code::Ok, "bound");
        let code = s.invalidate(f.rkey, 1, 5);
        claim!(s, code == Code::Bound, "{code:?}");
        let ended = s.tell(Body::DeallocateWindow {
            key: w.rkey,
            mode: Mode::Cut,
        });
        claim!(s, ended.code == Code::Ok, "{ended:?}");
        let code = s.invalidate(f.rkey, 1, 5);
        claim!(s, code == Code::Ok, "{code:?}");
    });
}

#[test]
fn a_type_1_window_is_bound_anew_and_unbound() {
    full(|s| {
        let (k, mut w) = bound(s, ONE, WRITE);
        let other = s.region(&Spec::new(0x1000, 0x1000));
        let old = w;
        let bind = s.binding(&w, &other, (0, 0x1000), access::REMOTE_READ);
        claim!(s, s.bind(&mut w, bind) == Code::Ok, "bound anew");
        let dead = s.lookup(old.read(0, 8)).cause();
        claim!(s, dead == Some(Cause::StaleKey), "the old key: {dead:?}");
        let read = s.lookup(w.read(0, 8));
        claim!(s, read.pa() == Some(other.pa(0)), "{read:?}");
        claim!(s, s.invalidate(w.rkey, 1, 5) == Code::BadState, "type 1");
        claim!(
            s,
            s.end(&k, Mode::Cut).code == Code::Ok,
            "the first region is free"
        );
        claim!(
            s,
            s.end(&other, Mode::Cut).code == Code::Bound,
            "the second is not"
        );
        let unbind = Bind {
            length: 0,
            ..s.binding(&w, &other, (0, 0), 0)
        };
        claim!(s, s.bind(&mut w, unbind) == Code::Ok, "unbound");
        let dead = s.lookup(w.read(0, 8)).cause();
        claim!(s, dead == Some(Cause::StaleKey), "unbound: {dead:?}");
        claim!(
            s,
            s.end(&other, Mode::Cut).code == Code::Ok,
            "it is free too"
        );
    });
}

#[test]
fn only_the_queue_pair_it_is_bound_to_invalidates() {
    full(|s| {
        for (kind, foreign_pd) in [(TWO_A, Code::Ok), (TWO_B, Code::PdMismatch)] {
            let (_, w) = bound(s, kind, WRITE);
            claim!(s, s.invalidate(w.rkey, 1, 6) == Code::PdMismatch, "{kind}");
            claim!(s, s.lookup(w.read(0, 8)).granted(), "{kind}: it works");
            let code = s.invalidate(w.rkey, 2, 5);
            claim!(s, code == foreign_pd, "{kind}: {code:?}");
            if code != Code::Ok {
                claim!(s, s.invalidate(w.rkey, 1, 5) == Code::Ok, "{kind}");
            }
            let dead = s.lookup(w.read(0, 8)).cause();
            claim!(s, dead == Some(Cause::StaleKey), "{kind}: {dead:?}");
        }
    });
}

#[test]
fn a_lease_through_a_window_holds_the_window_and_the_region() {
    full(|s| {
        let (k, w) = bound(s, TWO_B, WRITE);
        s.keep_leases();
        s.lookup(w.read(0, 8));
        let window = s.send(Body::Invalidate {
            key: w.rkey,
            pd: 1,
            qpn: 5,
            mode: Mode::Cut,
        });
        s.run(600);
        claim!(s, s.answered(window).is_none(), "the window waits");
        let region = s.send(Body::Deregister {
            key: k.rkey,
            mode: Mode::Cut,
        });
        s.run(600);
        claim!(s, s.answered(region).is_none(), "the region waits");
        s.free_leases();
        claim!(s, s.answer(window).code == Code::Ok, "the window ends");
        claim!(s, s.answer(region).code == Code::Ok, "the region ends");
    });
}

#[test]
fn refusals_that_end_a_window() {
    full(|s| {
        let (k, w) = bound(s, TWO_B, WRITE);
        let mode = Mode::Cut;
        let code = s.tell(Body::Deregister { key: w.rkey, mode }).code;
        claim!(s, code == Code::BadState, "a window: {code:?}");
        let code = s.tell(Body::DeallocateWindow { key: k.rkey, mode }).code;
        claim!(s, code == Code::BadState, "a region: {code:?}");
        let key = w.rkey ^ 0x10;
        let code = s.tell(Body::DeallocateWindow { key, mode }).code;
        claim!(s, code == Code::StaleKey, "another byte: {code:?}");
        claim!(s, s.lookup(w.read(0, 8)).granted(), "it works");
        let key = w.rkey;
        let code = s.tell(Body::DeallocateWindow { key, mode }).code;
        claim!(s, code == Code::Ok, "{code:?}");
        let dead = s.lookup(w.read(0, 8)).cause();
        claim!(s, dead == Some(Cause::StaleKey), "{dead:?}");
        let key = s.window(1, TWO_A).rkey;
        let code = s.tell(Body::DeallocateWindow { key, mode }).code;
        claim!(s, code == Code::Ok, "unbound: {code:?}");
    });
}

#[test]
fn a_failed_bind_changes_nothing_and_a_byte_may_come_again() {
    full(|s| {
        let reader = s.region(&Spec::new(0x1000, 0x1000).access(access::MW_BIND));
        let far = s.region(&Spec::new(0x1000, 0x1000).pd(2));
        let (k, mut w) = bound(s, ONE, WRITE);
        let bind = s.binding(&w, &reader, (0, 8), access::REMOTE_ATOMIC);
        let code = s.bind(&mut w, bind);
        claim!(s, code == Code::NoPermission, "an atomic window: {code:?}");
        let bind = s.binding(&w, &far, (0, 8), 0);
        let code = s.bind(&mut w, bind);
        claim!(s, code == Code::PdMismatch, "a QP of PD 2: {code:?}");
        let read = s.lookup(w.read(0, 8));
        claim!(s, read.pa() == Some(k.pa(0x800)), "as before: {read:?}");
        let code = s.end(&k, Mode::Cut).code;
        claim!(s, code == Code::Bound, "{code:?}");
        for other in [reader, far] {
            let code = s.end(&other, Mode::Cut).code;
            claim!(s, code == Code::Ok, "nothing is bound to it: {code:?}");
        }
        let (k, mut w) = bound(s, TWO_B, WRITE);
        let code = s.invalidate(w.rkey, 1, 5);
        claim!(s, code == Code::Ok, "{code:?}");
        let again = Bind {
            variant: w.rkey as u8,
            ..s.binding(&w, &k, (0, 8), WRITE)
        };
        let code = s.bind(&mut w, again);
        claim!(s, code == Code::Ok, "the same byte: {code:?}");
        let read = s.lookup(w.read(0, 8));
        claim!(s, read.pa() == Some(k.pa(0)), "{read:?}");
    });
}
