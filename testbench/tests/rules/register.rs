// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registration: refusals leave nothing half-done.

use latchkey_testbench::claim;
use latchkey_testbench::model::mask;
use latchkey_testbench::stage::{each, on, Spec, Stage, ALL};
use latchkey_testbench::trace::{
    access, Body, Cause, Code, Entry, EventKind, Mode, PageList, PageSize, RegState, Register,
};

/// The index the next registration gets.
fn next_index(s: &mut Stage) -> u32 {
    let k = s.region(&Spec::flat(0x1000, 0x1000, 0));
    s.end(&k, Mode::Cut);
    s.p.index(k.rkey)
}

/// Expects a refusal that gives no key, consumes no index and changes nothing.
fn refused(s: &mut Stage, r: Register, want: Code, why: &str) {
    let before = next_index(s);
    let answer = s.tell(Body::Register(r.clone()));
    claim!(s, answer.code == want, "{why}: {answer:?} to {r:?}");
    claim!(
        s,
        (answer.lkey, answer.rkey) == (0, 0),
        "{why}: a key was given: {answer:?}"
    );
    let after = next_index(s);
    claim!(
        s,
        before == after,
        "{why}: the index was not consumed ({before}, {after})"
    );
}

fn edit(r: &Register, change: impl FnOnce(&mut Vec<Entry>)) -> Register {
    let mut list: Vec<Entry> = r.list.iter().collect();
    change(&mut list);
    Register {
        list: PageList::List(list),
        ..r.clone()
    }
}

#[test]
fn page_list_too_long_too_short_or_with_a_bad_page() {
    each(|s| {
        for at in [0u64, 1, 5] {
            let r = s.plan(&Spec::new(0x1000, 0x7000));
            let inline = s.p.inline as usize;
            refused(
                s,
                edit(&r, |l| l.push(Entry::page(0))),
                Code::BadList,
                "one too many",
            );
            refused(
                s,
                edit(&r, |l| l.extend([Entry::page(0); 9])),
                Code::BadList,
                "nine too many",
            );
            refused(s, edit(&r, |l| l.truncate(6)), Code::BadList, "one too few");
            refused(
                s,
                edit(&r, |l| l.truncate(inline + 1)),
                Code::BadList,
                "ends at its first",
            );
            let bad = edit(&r, |l| l[at as usize].present = false);
            refused(s, bad, Code::BadArg, "a page is absent");
            let bad = edit(&r, |l| l[6 - at as usize].writable = false);
            refused(s, bad, Code::BadArg, "a page is read-only");
            let bad = edit(&r, |l| {
                l[at as usize].present = false;
                l.truncate(6);
            });
            refused(s, bad, Code::BadList, "a bad page in a list too short");
            let k = s.register(r);
            claim!(
                s,
                s.lookup(k.read(0, 0x7000)).segments.len() == 7,
                "the good list is good"
            );
            s.end(&k, Mode::Cut);
        }
    });
}

#[test]
fn the_list_of_a_refused_command_is_taken_to_its_end() {
    each(|s| {
        let r = s.plan(&Spec::new(0x1000, 0x7000));
        for bad in [
            Register {
                access: 1 << 12,
                ..r.clone()
            },
            Register {
                base: r.base + (1 << s.p.mtt_bits.min(16) >> 1),
                ..r.clone()
            },
            Register {
                pages: 6,
                ..r.clone()
            },
        ] {
            claim!(s, s.try_register(bad) != Code::Ok, "refused");
        }
        let k = s.register(r);
        claim!(
            s,
            s.lookup(k.read(0, 0x7000)).segments.len() == 7,
            "the stream was not out of step"
        );
    });
}

#[test]
fn malformed_numbers_are_bad_arg() {
    each(|s| {
        let good = s.plan(&Spec::new(0x1000, 0x2000));
        let flat = s.plan(&Spec::flat(0x1000, 0x1000, 0));
        let top = mask(s.p.va_bits);
        let bad = |s: &mut Stage, r: Register, why: &str| refused(s, r, Code::BadArg, why);
        bad(
            s,
            Register {
                length: 0,
                pages: 0,
                list: PageList::default(),
                ..good.clone()
            },
            "length 0",
        );
        bad(
            s,
            Register {
                length: 0,
                ..flat.clone()
            },
            "length 0, contiguous",
        );
        for bit in (10..20).chain([30, 31]) {
            bad(
                s,
                Register {
                    access: ALL | 1 << bit,
                    ..good.clone()
                },
                "unknown access bit",
            );
        }
        for right in [access::REMOTE_WRITE, access::REMOTE_ATOMIC] {
            bad(
                s,
                Register {
                    access: right,
                    ..good.clone()
                },
                "remote without local write",
            );
        }
        for page in [PageSize::Bad5, PageSize::Bad6, PageSize::Bad7] {
            bad(
                s,
                Register {
                    page,
                    ..flat.clone()
                },
                "page code",
            );
        }
        bad(
            s,
            Register {
                access: ALL | access::ON_DEMAND,
                ..flat.clone()
            },
            "contiguous on demand",
        );
        bad(
            s,
            Register {
                pages: 1,
                list: PageList::List(vec![Entry::page(0)]),
                ..good.clone()
            },
            "a page too few",
        );
        bad(
            s,
            Register {
                pages: 3,
                list: PageList::List(vec![Entry::page(0); 3]),
                ..good.clone()
            },
            "a page too many",
        );
        bad(
            s,
            Register {
                length: 0x2001,
                ..good.clone()
            },
            "a byte too many",
        );
        bad(
            s,
            Register {
                iova: 0x1fff,
                ..good.clone()
            },
            "an offset too much",
        );
        bad(
            s,
            Register {
                iova: top - 0xfff,
                ..good.clone()
            },
            "beyond the address space",
        );
        bad(
            s,
            Register {
                iova: top - 0xffe,
                ..flat.clone()
            },
            "beyond the address space by a byte",
        );
        claim!(
            s,
            s.try_register(Register {
                iova: top - 0xfff,
                ..flat
            }) == Code::Ok,
            "up to its end"
        );
    });
}

#[test]
fn optional_bits_are_ignored() {
    each(|s| {
        for bit in [7, 20, 25, 29] {
            let r = s.plan(&Spec::flat(0x1000, 0x1000, 0).access(ALL | 1 << bit));
            let k = s.register(r);
            claim!(s, s.lookup(k.read(0, 8)).granted(), "works");
            s.end(&k, Mode::Cut);
        }
    });
}

#[test]
fn frames_of_large_pages_are_aligned() {
    each(|s| {
        let r = s.plan(&Spec::new(0, 0x10000).page(PageSize::K64));
        for bit in 12..16 {
            refused(
                s,
                edit(&r, |l| l[0].pa |= 1 << bit),
                Code::BadArg,
                "a frame of 64 KiB",
            );
        }
        claim!(s, s.try_register(r) == Code::Ok, "aligned");
        if s.p.pa_bits > 30 {
            for (page, shift) in [(PageSize::M2, 21), (PageSize::G1, 30)] {
                let r = s.plan(&Spec::new(0, 1 << shift).page(page));
                refused(
                    s,
                    edit(&r, |l| l[0].pa |= 1 << (shift - 1)),
                    Code::BadArg,
                    "a larger frame",
                );
                claim!(s, s.try_register(r) == Code::Ok, "aligned");
            }
        }
    });
}

#[test]
fn no_registration_reaches_the_window_of_another_domain() {
    each(|s| {
        let half = 1u64 << (s.p.mtt_bits.min(16) - 1);
        let r = s.plan(&Spec::new(0x1000, 0x3000));
        let at = |base, pd| Register {
            base,
            pd,
            ..r.clone()
        };
        refused(s, at(half, 1), Code::BadWindow, "the window of PD 2");
        refused(s, at(half - 2, 1), Code::BadWindow, "over the end by one");
        refused(
            s,
            at(half - 1, 2),
            Code::BadWindow,
            "before the beginning by one",
        );
        refused(s, at(0, 2), Code::BadWindow, "the window of PD 1");
        refused(s, at(0, 3), Code::BadWindow, "a domain without a window");
        claim!(
            s,
            s.try_register(at(half - 3, 1)) == Code::Ok,
            "up to the last word"
        );
        claim!(
            s,
            s.try_register(at(half, 2)) == Code::Ok,
            "from the first word"
        );
        claim!(
            s,
            s.tell(Body::PdWindow {
                pd: 1,
                base: 10,
                words: 3
            })
            .code
                == Code::Ok,
            "a smaller window"
        );
        claim!(s, s.try_register(at(10, 1)) == Code::Ok, "fits exactly");
        refused(s, r.clone(), Code::BadWindow, "the window before");
        claim!(
            s,
            s.tell(Body::PdWindow {
                pd: 1,
                base: 0,
                words: half
            })
            .code
                == Code::Ok,
            "as before"
        );
    });
}

#[test]
fn exhaustion_is_told_and_passes() {
    on("tiny", |s| {
        let all: Vec<_> = (0..15)
            .map(|n| s.region(&Spec::flat(n << 12, 0x1000, n << 12)))
            .collect();
        let r = s.plan(&Spec::flat(0, 0x1000, 0));
        claim!(
            s,
            s.try_register(r.clone()) == Code::NoSpace,
            "15 is all there is"
        );
        let paged = s.plan(&Spec::new(0x1000, 0x5000));
        claim!(
            s,
            s.try_register(paged) == Code::NoSpace,
            "with a page list"
        );
        let far = s.plan(&Spec::new(0x1000, 0x5000));
        let far = Register {
            base: (1 << s.p.mtt_bits) - 4,
            ..far
        };
        claim!(
            s,
            s.try_register(far) == Code::BadWindow,
            "the window comes first"
        );
        s.run(20);
        let events = s
            .seen()
            .events
            .iter()
            .filter(|(_, e)| e.kind == EventKind::KeySpace)
            .count();
        claim!(s, events == 2, "{events} events");
        for k in &all {
            claim!(s, s.lookup(k.read(0, 8)).granted(), "all live");
        }
        for n in [3, 7, 14] {
            s.end(&all[n], Mode::Cut);
        }
        for _ in 0..3 {
            let k = s.register(r.clone());
            claim!(s, s.lookup(k.read(0, 8)).granted(), "a place came back");
        }
        claim!(s, s.try_register(r) == Code::NoSpace, "full again");
    });
}

#[test]
fn every_life_has_new_keys() {
    each(|s| {
        let mut used = Vec::new();
        for n in 0..20 {
            let k = s.region(&Spec::flat(n << 12, 0x1000, 0));
            for key in [k.lkey, k.rkey] {
                claim!(s, !used.contains(&key), "{key:x} was given before");
                used.push(key);
            }
            for key in &used[..used.len() - 2] {
                let got = s.lookup(latchkey_testbench::trace::Lookup {
                    key: *key,
                    ..k.read(0, 8)
                });
                claim!(
                    s,
                    got.cause() == Some(Cause::StaleKey),
                    "an older key: {got:?}"
                );
            }
            s.end(&k, Mode::Cut);
        }
    });
}

#[test]
fn query_tells_the_life_of_an_index() {
    each(|s| {
        let k = s.region(
            &Spec::new(0x1010, 0x2000)
                .pd(2)
                .access(access::REMOTE_READ | access::FLUSH_GLOBAL),
        );
        let ask = |s: &mut Stage, key| s.tell(Body::Query { key });
        let a = ask(s, k.lkey);
        let fields = (
            a.code, a.state, a.pd, a.iova, a.length, a.access, a.lkey, a.rkey,
        );
        let rights = access::REMOTE_READ | access::FLUSH_GLOBAL;
        claim!(
            s,
            fields == (Code::Ok, RegState::Valid, 2, 0x1010, 0x2000, rights, 0, 0),
            "{a:?}"
        );
        claim!(
            s,
            ask(s, k.rkey ^ 0x80).code == Code::StaleKey,
            "another key"
        );
        s.end(&k, Mode::Cut);
        let a = ask(s, k.lkey);
        claim!(
            s,
            (a.code, a.state) == (Code::Ok, RegState::Retired),
            "{a:?}"
        );
        claim!(s, ask(s, 0x300 + k.lkey).code == Code::BadKey, "never used");
    });
}

#[test]
fn unknown_commands_are_bad_op() {
    each(|s| {
        let k = s.region(&Spec::flat(0x1000, 0x1000, 0));
        let known = |op: u8| (op == 18 && s.p.secrets) || (op == 19 && s.p.limits);
        let unknown: Vec<u8> = (5..8).chain(18..32).filter(|op| !known(*op)).collect();
        for op in unknown {
            claim!(
                s,
                s.tell(Body::Other { op }).code == Code::BadOp,
                "operation {op}"
            );
        }
        claim!(s, s.lookup(k.read(0, 8)).granted(), "nothing was changed");
    });
}

#[test]
fn an_entry_is_written_only_when_its_pages_are() {
    each(|s| {
        s.surround(latchkey_testbench::bench::Surroundings {
            icm: latchkey_testbench::bench::icm::Latency::Spread {
                low: 1,
                high: 200,
                tail: 40,
                longest: 600,
            },
            ..latchkey_testbench::bench::Surroundings::CALM
        });
        for n in 0..30 {
            let k = s.region(&Spec::new(0x1000 * n, 0x7000));
            let got = s.lookup(k.read(0x6000, 0x1000));
            claim!(
                s,
                got.granted() && got.segments[0].1.pa == k.pa(0x6000),
                "{got:?}"
            );
            s.end(&k, Mode::Cut);
        }
    });
}
