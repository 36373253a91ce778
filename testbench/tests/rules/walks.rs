// SPDX-License-Identifier: MIT OR Apache-2.0
//! Walks: order, pages, faults.

use latchkey_testbench::claim;
use latchkey_testbench::stage::{each, Spec, ALL};
use latchkey_testbench::trace::{access, Cause, Entry, EventKind, Lookup, Op, PageSize, SegStatus};

#[test]
fn segments_come_in_the_order_of_the_requests() {
    each(|s| {
        let (a, b) = (
            s.region(&Spec::new(0x1000, 0x6000)),
            s.region(&Spec::flat(0x9000, 0x1000, 0x3000)),
        );
        s.icm(50);
        s.lookup(b.read(0, 8));
        s.lookup(a.read(0x5ff0, 8));
        let looks = [
            s.ask(0, a.read(0, 0x5000)),
            s.ask(0, b.read(0, 8)),
            s.ask(0, a.read(0x4000, 0x2000)),
        ];
        s.settle();
        let firsts: Vec<u64> = looks
            .iter()
            .filter_map(|l| s.look(*l))
            .map(|l| l.segments[0].0)
            .collect();
        claim!(s, firsts.windows(2).all(|w| w[0] < w[1]), "{firsts:?}");
    });
}

#[test]
fn an_absent_page_is_found_before_the_first_segment() {
    each(|s| {
        for absent in 0..5 {
            let k = s.region(&Spec::new(0x1000, 0x5000).odp(absent, Entry::ABSENT));
            let got = s.lookup(k.read(0, 0x5000));
            let faulted =
                got.segments.len() == 1 && got.segments[0].1.status == SegStatus::PageFault;
            claim!(s, got.granted() && faulted, "page {absent}: {got:?}");
            let below = s.lookup(k.read(0, 0x1000 * absent.max(1) as u32));
            claim!(
                s,
                absent == 0 || below.segments.len() == absent,
                "{below:?}"
            );
            s.end(&k, latchkey_testbench::trace::Mode::Cut);
        }
        s.run(20);
        let events = s
            .seen()
            .events
            .iter()
            .filter(|(_, e)| e.kind == EventKind::PageFault)
            .count();
        claim!(s, events == 6, "{events} events");
        let counts = (s.counter("page_faults"), s.counter("refused_not_present"));
        claim!(s, counts == (6, 6), "{counts:?}");
    });
}

#[test]
fn a_refused_access_raises_no_page_fault() {
    each(|s| {
        let k = s.region(
            &Spec::new(0x1000, 0x2000)
                .access(access::REMOTE_READ)
                .odp(0, Entry::ABSENT),
        );
        for l in [
            k.ask(Op::Write, 0, 8),
            k.read(0x1fff, 2),
            k.ask(Op::LocalWrite, 0, 8),
        ] {
            let got = s.lookup(l);
            claim!(
                s,
                !got.granted() && got.cause() != Some(Cause::NotPresent),
                "{got:?}"
            );
        }
        s.run(40);
        claim!(
            s,
            s.seen().events.is_empty() && s.seen().segments == 0,
            "no event, no segment"
        );
    });
}

#[test]
fn a_read_only_page_faults_writes_and_serves_reads() {
    each(|s| {
        let page = Entry {
            pa: 0x5000,
            present: true,
            writable: false,
        };
        let k = s.region(&Spec::new(0x1000, 0x2000).odp(1, page));
        for op in [Op::Write, Op::LocalWrite, Op::Atomic, Op::AtomicWrite] {
            let got = s.lookup(k.ask(op, 0x1000, 8));
            claim!(
                s,
                got.segments[0].1.status == SegStatus::PageFault,
                "{got:?}"
            );
        }
        for op in [Op::Read, Op::LocalRead, Op::FlushGlobal] {
            let got = s.lookup(k.ask(op, 0x1000, 8));
            claim!(s, got.segments[0].1.pa == 0x5000, "{got:?}");
        }
    });
}

#[test]
fn regions_that_start_mid_page_and_zero_based_ones() {
    each(|s| {
        for page in [PageSize::K4, PageSize::K64, PageSize::Contiguous] {
            for zero in [0, access::ZERO_BASED] {
                let spec = Spec {
                    base: 0x3_0007,
                    ..Spec::new(0x2_3457, 0x1_8000).page(page).access(ALL | zero)
                };
                let k = s.region(&spec);
                for offset in [0, 1, 0xba8, 0xba9, 0x1_7000] {
                    let got = s.lookup(k.read(offset, 0x20));
                    claim!(
                        s,
                        got.granted() && got.segments[0].1.pa == k.pa(offset),
                        "{page:?} {zero} {offset:x}: {got:?}"
                    );
                }
                claim!(
                    s,
                    !s.lookup(k.read(0x1_7ff0, 0x20)).granted(),
                    "beyond the end"
                );
                s.end(&k, latchkey_testbench::trace::Mode::Cut);
            }
        }
    });
}

#[test]
fn rights_are_needed_one_by_one() {
    each(|s| {
        let lw = access::LOCAL_WRITE;
        let needs = [
            (Op::Read, access::REMOTE_READ),
            (Op::Write, access::REMOTE_WRITE),
            (Op::AtomicWrite, access::REMOTE_WRITE),
            (Op::Atomic, access::REMOTE_ATOMIC),
            (Op::FlushGlobal, access::FLUSH_GLOBAL),
            (Op::FlushPersistent, access::FLUSH_PERSISTENT),
            (Op::LocalWrite, lw),
            (Op::Bind, access::MW_BIND),
        ];
        for (op, bit) in needs {
            let only = if bit == lw { 0 } else { lw };
            let (with, without) = (
                bit | only,
                if bit == lw {
                    access::REMOTE_READ
                } else {
                    ALL & !bit
                },
            );
            for (rights, good) in [(with, true), (without, false)] {
                let k = s.region(&Spec::flat(0x1000, 0x1000, 0).access(rights));
                let got = s.lookup(k.ask(op, 0, 8));
                claim!(
                    s,
                    got.granted() == good && (good || got.cause() == Some(Cause::NoPermission)),
                    "{op:?} {rights:x}: {got:?}"
                );
                claim!(
                    s,
                    s.lookup(k.ask(Op::LocalRead, 0, 8)).granted(),
                    "local reads need no right"
                );
                s.end(&k, latchkey_testbench::trace::Mode::Cut);
            }
        }
    });
}

#[test]
fn the_first_failing_check_is_the_cause() {
    each(|s| {
        let k = s.region(&Spec::flat(0x1000, 0x1000, 0).access(access::REMOTE_READ));
        let worst = latchkey_testbench::trace::Lookup {
            key: k.rkey ^ 0x55,
            pd: 2,
            ..k.ask(Op::Atomic, 0x1003, 9)
        };
        let steps = [
            (worst, Cause::BadLength),
            (
                latchkey_testbench::trace::Lookup { len: 8, ..worst },
                Cause::StaleKey,
            ),
            (
                latchkey_testbench::trace::Lookup {
                    len: 8,
                    key: k.lkey,
                    ..worst
                },
                Cause::WrongSide,
            ),
            (
                latchkey_testbench::trace::Lookup {
                    len: 8,
                    key: k.rkey,
                    ..worst
                },
                Cause::PdMismatch,
            ),
            (
                latchkey_testbench::trace::Lookup {
                    len: 8,
                    key: k.rkey,
                    pd: 1,
                    ..worst
                },
                Cause::NoPermission,
            ),
        ];
        for (l, want) in steps {
            let got = s.lookup(l);
            claim!(s, got.cause() == Some(want), "{want:?}: {got:?}");
        }
        let all = s.region(&Spec::flat(0x1000, 0x1000, 0));
        for (offset, want) in [
            (0xffc, Cause::OutOfBounds),
            (0xff4, Cause::Misaligned),
            (0xff8, Cause::None),
        ] {
            let got = s.lookup(all.ask(Op::Atomic, offset, 8));
            claim!(s, got.cause() == Some(want), "{want:?}: {got:?}");
        }
    });
}

#[test]
fn a_request_has_a_longest_length() {
    each(|s| {
        let most = s.p.max_request as u32;
        let k = s.region(&Spec::flat(0, u64::from(most) + 0x1000, 0));
        claim!(s, s.lookup(k.read(0, most)).granted(), "the longest");
        for len in [most + 1, most + 2, u32::MAX] {
            let got = s.lookup(k.read(0, len));
            claim!(s, got.cause() == Some(Cause::BadLength), "{len}: {got:?}");
        }
        for len in [0, 7, 9, 16] {
            let got = s.lookup(k.ask(Op::Atomic, 0, len));
            claim!(
                s,
                got.cause() == Some(Cause::BadLength),
                "an atomic of {len}: {got:?}"
            );
        }
    });
}

#[test]
fn two_ports_fetch_a_page_once() {
    each(|s| {
        let k = s.region(&Spec::new(0x1000, 0x1000));
        let flat = s.region(&Spec::flat(0x1000, 0x1000, 0));
        s.lookup(Lookup {
            walk: false,
            ..k.read(0, 8)
        });
        s.lookup(flat.read(0, 8));
        s.icm(60);
        let reads = s.bench.rig.icm.reads;
        let from = s.now() + 1;
        let looks = [
            s.ask_at(from, 0, k.read(0, 8)),
            s.ask_at(from + 20, 1, k.read(8, 8)),
        ];
        for look in looks {
            let got = s.done(look);
            claim!(s, got.segments.len() == 1, "{got:?}");
        }
        let reads = s.bench.rig.icm.reads - reads;
        claim!(s, reads == 1, "{reads} reads");
    });
}

#[test]
fn length_0_passes_with_any_key_but_not_a_flush() {
    each(|s| {
        let k = s.region(
            &Spec::new(0x1000, 0x2000)
                .access(access::REMOTE_READ)
                .odp(0, Entry::ABSENT),
        );
        for op in [Op::Read, Op::Write, Op::LocalRead, Op::LocalWrite] {
            for key in [0, k.rkey ^ 0x10, k.lkey ^ 0x10, k.rkey, k.lkey] {
                for offset in [0, 0x4000] {
                    let got = s.lookup(Lookup {
                        key,
                        pd: 2,
                        ..k.ask(op, offset, 0)
                    });
                    claim!(
                        s,
                        got.granted() && got.segments.is_empty(),
                        "{op:?}, key {key:#x}: {got:?}"
                    );
                }
            }
        }
        for op in [Op::FlushGlobal, Op::FlushPersistent] {
            let got = s.lookup(Lookup {
                key: k.rkey ^ 0x10,
                ..k.ask(op, 0, 0)
            });
            claim!(s, !got.granted(), "{op:?} needs a key: {got:?}");
        }
        s.run(40);
        claim!(s, s.seen().events.is_empty(), "no page was looked at");
    });
}
