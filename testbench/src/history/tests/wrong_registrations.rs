// SPDX-License-Identifier: MIT OR Apache-2.0
//! Wrong keys, and registrations answered wrongly.

use super::wrong_commands::ended;
use super::*;

#[test]
fn keys() {
    for (lkey, rkey) in [
        (0, RKEY),
        (RKEY, RKEY),
        (LKEY, 0x0222_0644),
        (0x0111_2021, 0x0222_2044),
        (0x0111_0021, 0x0222_0044),
    ] {
        Trace::window()
            .command(5, 2, Body::Register(region()))
            .keys(10, 2, lkey, rkey)
            .wrong("key");
    }
    let again = |trace: Trace, lkey, rkey| {
        trace
            .command(40, 2, Body::Register(region()))
            .keys(50, 2, lkey, rkey)
    };
    again(Trace::start(), LKEY ^ 0xff, RKEY ^ 0xff).wrong("key");
    again(ended(Mode::Cut), LKEY, RKEY ^ 0xff).wrong("key");
    again(ended(Mode::Cut), RKEY, RKEY ^ 0xff).wrong("key");
    again(
        Trace::start().dereg(20, 7, Mode::Cut),
        LKEY ^ 0xff,
        RKEY ^ 0xff,
    )
    .wrong("key");
}

#[test]
fn registrations() {
    let refused = |reg, code| {
        Trace::window()
            .command(5, 2, Body::Register(reg))
            .answer(10, 2, code)
    };
    let accepted = |reg| {
        Trace::window()
            .command(5, 2, Body::Register(reg))
            .keys(10, 2, LKEY, RKEY)
    };
    refused(region(), Code::BadArg).wrong("register-code");
    refused(region(), Code::Busy).wrong("register-code");
    refused(region(), Code::NoSpace).wrong("no-space");
    refused(Register { pd: 2, ..region() }, Code::BadArg).wrong("register-code");
    accepted(Register { pd: 2, ..region() }).wrong("register-code");
    accepted(Register {
        base: 62,
        ..region()
    })
    .wrong("register-code");
    accepted(Register {
        length: 0,
        ..region()
    })
    .wrong("register-code");
    accepted(Register {
        pages: 4,
        ..region()
    })
    .wrong("register-code");
    accepted(Register {
        access: access::REMOTE_WRITE,
        ..region()
    })
    .wrong("register-code");
    accepted(Register {
        access: 1 << 12,
        ..region()
    })
    .wrong("register-code");
    accepted(Register {
        iova: 0xffff_ffff_e000,
        ..region()
    })
    .wrong("register-code");
    let hole = PageList::List(vec![
        Entry::page(0xa000),
        Entry::ABSENT,
        Entry::page(0x7000),
    ]);
    accepted(Register {
        list: hole,
        ..region()
    })
    .wrong("register-code");
    let short = PageList::Run {
        base: 0,
        stride: 4096,
        count: 7,
        set: Vec::new(),
    };
    accepted(Register {
        length: 0x8000,
        pages: 8,
        list: short,
        ..region()
    })
    .wrong("register-code");
}
