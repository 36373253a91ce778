// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pages of on-demand regions come and go; null regions.

use latchkey_testbench::claim;
use latchkey_testbench::stage::{full, Keys, Spec, TWO_B};
use latchkey_testbench::trace::{access, Body, Cause, Code, Entry, Lookup, Op, SegStatus};

const READ_ONLY: Entry = Entry {
    pa: 0x7000,
    present: true,
    writable: false,
};

#[test]
fn a_page_is_filled_and_the_access_goes_on() {
    full(|s| {
        let k = s.region(&Spec::new(0x1800, 0x4000).odp(2, Entry::ABSENT));
        let fault = s.lookup(k.read(0, 0x4000));
        claim!(s, fault.statuses() == [SegStatus::PageFault], "{fault:?}");
        claim!(s, s.fill(&k, 2, Entry::page(0x9000)) == Code::Ok, "filled");
        let read = s.lookup(k.read(0x1800, 8));
        claim!(s, read.pa() == Some(0x9000), "{read:?}");
        claim!(
            s,
            s.lookup(k.read(0, 0x4000)).segments.len() == 5,
            "all pages"
        );
    });
}

#[test]
fn a_read_only_page_becomes_writable() {
    full(|s| {
        let k = s.region(&Spec::new(0x1000, 0x2000).odp(1, READ_ONLY));
        let write = k.ask(Op::Write, 0x1000, 8);
        let status = s.lookup(write).segments[0].1.status;
        claim!(s, status == SegStatus::PageFault, "{status:?}");
        claim!(
            s,
            s.lookup(k.read(0x1000, 8)).segments[0].1.pa == 0x7000,
            "read"
        );
        s.fill(
            &k,
            1,
            Entry {
                writable: true,
                ..READ_ONLY
            },
        );
        let status = s.lookup(write).segments[0].1.status;
        claim!(s, status == SegStatus::Ok, "{status:?}");
    });
}

#[test]
fn an_evicted_page_is_gone_and_its_neighbours_stay() {
    full(|s| {
        let k = s.region(&Spec::new(0x1000, 0x4000).odp(3, Entry::ABSENT));
        s.lookup(k.read(0, 0x3000));
        claim!(s, s.evict(&k, 1) == Code::Ok, "evicted");
        for (page, there) in [(0, true), (1, false), (2, true), (3, false)] {
            let read = s.lookup(k.read(page << 12, 8));
            let status = read.segments[0].1.status;
            claim!(
                s,
                (status == SegStatus::Ok) == there,
                "page {page}: {read:?}"
            );
        }
        claim!(
            s,
            s.fill(&k, 1, Entry::page(0xb000)) == Code::Ok,
            "it comes again"
        );
        claim!(
            s,
            s.lookup(k.read(0x1000, 8)).segments[0].1.pa == 0xb000,
            "elsewhere"
        );
    });
}

#[test]
fn an_eviction_waits_for_the_leases_held_and_for_no_others() {
    full(|s| {
        let k = s.region(&Spec::new(0x1000, 0x2000).odp(1, Entry::page(0x5000)));
        let other = s.region(&Spec::new(0x1000, 0x1000));
        s.lookup(other.read(0, 8));
        s.lookup(k.read(0, 8));
        s.settle();
        s.keep_leases();
        s.lookup(k.read(0, 8));
        let told = s.send(Body::EvictPage {
            key: k.rkey,
            number: 1,
        });
        // longer than the sweep, shorter than the time limit of a small core
        s.run(700);
        claim!(s, s.answered(told).is_none(), "a lease is held");
        let busy = s.tell(Body::EvictPage {
            key: k.rkey,
            number: 0,
        });
        claim!(s, busy.code == Code::Busy, "one at a time: {busy:?}");
        s.free_leases();
        claim!(s, s.answer(told).code == Code::Ok, "then it is answered");
        s.settle();
        s.keep_leases();
        s.lookup(other.read(0, 8));
        let alone = s.evict(&k, 0);
        claim!(s, alone == Code::Ok, "another region's lease: {alone:?}");
        s.free_leases();
    });
}

#[test]
fn a_page_goes_for_windows_too() {
    full(|s| {
        let k = s.region(&Spec::new(0x1000, 0x3000).odp(0, Entry::page(0x5000)));
        let mut w = s.window(1, TWO_B);
        let bind = s.binding(&w, &k, (0x800, 0x2000), access::REMOTE_READ);
        claim!(s, s.bind(&mut w, bind) == Code::Ok, "bound");
        claim!(
            s,
            s.lookup(w.read(0, 0x1000)).segments.len() == 2,
            "two pages"
        );
        s.evict(&k, 1);
        let events = s.seen().events.len();
        let fault = s.lookup(w.read(0, 0x1000));
        claim!(s, fault.statuses() == [SegStatus::PageFault], "{fault:?}");
        s.run(20);
        let info = s.seen().events.get(events).map(|(_, e)| s.p.fault(e.info));
        let parent = (s.p.index(k.rkey), 1);
        claim!(s, info == Some(parent), "the parent's page: {info:?}");
        s.fill(&k, 1, Entry::page(0xd000));
        let read = s.lookup(w.read(0x800, 8));
        claim!(s, read.segments[0].1.pa == 0xd000, "{read:?}");
    });
}

#[test]
fn refusals_of_pages() {
    full(|s| {
        let k = s.region(&Spec::new(0x1800, 0x1000).odp(0, Entry::ABSENT));
        let plain = s.region(&Spec::new(0x1000, 0x1000));
        let page = Entry::page(0x3000);
        claim!(s, s.fill(&k, 2, page) == Code::BadArg, "beyond the last");
        claim!(s, s.evict(&k, 2) == Code::BadArg, "beyond the last");
        claim!(s, s.fill(&k, 1, page) == Code::Ok, "the last");
        claim!(s, s.fill(&k, 0, Entry::ABSENT) == Code::BadArg, "absent");
        claim!(
            s,
            s.fill(&plain, 0, page) == Code::BadState,
            "not on demand"
        );
        claim!(s, s.evict(&plain, 0) == Code::BadState, "not on demand");
        let dead = Keys {
            lkey: k.lkey ^ 0x10,
            ..k.clone()
        };
        claim!(s, s.fill(&dead, 0, page) == Code::StaleKey, "another key");
        claim!(s, s.evict(&dead, 0) == Code::StaleKey, "another key");
    });
}

#[test]
fn a_null_region_takes_everything_locally_and_moves_nothing() {
    full(|s| {
        let answer = s.tell(Body::AllocateNull { pd: 1 });
        claim!(s, answer.code == Code::Ok && answer.rkey == 0, "{answer:?}");
        let key = answer.lkey;
        let top = latchkey_testbench::bench::Params::top(s.p.va_bits);
        let base = Lookup {
            key,
            side_remote: false,
            op: Op::LocalWrite,
            ..Lookup::read(1, key, top >> 1, 0x1000)
        };
        for op in [Op::LocalWrite, Op::LocalRead] {
            let look = s.lookup(Lookup { op, ..base });
            claim!(s, look.cause() == Some(Cause::Nothing), "{look:?}");
            claim!(s, look.granted() && look.segments.is_empty(), "{look:?}");
        }
        let cause = s
            .lookup(Lookup {
                op: Op::Bind,
                ..base
            })
            .cause();
        claim!(s, cause == Some(Cause::NoPermission), "{cause:?}");
        let cause = s.lookup(Lookup { pd: 2, ..base }).cause();
        claim!(s, cause == Some(Cause::PdMismatch), "{cause:?}");
        for key in [key, key ^ 1] {
            let look = s.lookup(Lookup {
                key,
                ..Lookup::read(1, key, 0, 8)
            });
            claim!(s, !look.granted(), "{look:?}");
        }
        let end = s.tell(Body::Deregister {
            key,
            mode: latchkey_testbench::trace::Mode::Cut,
        });
        claim!(s, end.code == Code::Ok, "{end:?}");
        claim!(
            s,
            s.lookup(base).cause() == Some(Cause::StaleKey),
            "it is gone"
        );
    });
}

#[test]
fn a_null_region_has_no_remote_key() {
    full(|s| {
        let null = s.tell(Body::AllocateNull { pd: 1 });
        claim!(s, null.code == Code::Ok, "{null:?}");
        // what would be its rkey: the first pair of a fresh index
        let (lkey, rkey) = s.cipher().keys(s.p.index(null.lkey), 0);
        claim!(s, lkey == null.lkey, "{lkey:#x}, {null:?}");
        for (key, want) in [(lkey, Cause::WrongSide), (rkey, Cause::StaleKey)] {
            for op in [Op::Read, Op::Write] {
                let look = s.lookup(Lookup {
                    op,
                    ..Lookup::read(1, key, 0, 8)
                });
                claim!(s, look.cause() == Some(want), "{want:?}: {look:?}");
            }
        }
    });
}
