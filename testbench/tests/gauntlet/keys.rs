// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys that are nearly right.

use latchkey_testbench::claim;
use latchkey_testbench::stage::{each, Spec};
use latchkey_testbench::trace::{access, Cause, Class, Lookup, Mode, Op};

#[test]
fn wrong_protection_domain() {
    each(|s| {
        let k = s.region(&Spec::new(0x1000, 0x1000));
        for bit in 0..s.p.pd_bits {
            for l in [k.read(0, 8), k.ask(Op::LocalRead, 0, 8)] {
                let got = s.lookup(Lookup {
                    pd: l.pd ^ 1 << bit,
                    ..l
                });
                claim!(s, got.cause() == Some(Cause::PdMismatch), "{got:?}");
            }
        }
    });
}

#[test]
fn wrong_variant_secret_and_upper_bits() {
    each(|s| {
        let index_bits = s.p.index_bits;
        let k = s.region(&Spec::new(0x1000, 0x1000));
        s.lookup(k.read(0, 8));
        for bit in (0..8).chain(8 + index_bits..32) {
            for l in [k.read(0, 8), k.ask(Op::LocalRead, 0, 8)] {
                let key = l.key ^ 1 << bit;
                let other = if l.side_remote { k.lkey } else { k.rkey };
                let got = s.lookup(Lookup { key, ..l });
                let want = if key == other {
                    Cause::WrongSide
                } else {
                    Cause::StaleKey
                };
                claim!(s, got.cause() == Some(want), "bit {bit}: {got:?}");
            }
        }
    });
}

#[test]
fn wrong_index_bits() {
    each(|s| {
        let all: Vec<_> = (0..4)
            .map(|i| s.region(&Spec::flat(0x1000 * i, 0x1000, 0x1000 * i)))
            .collect();
        for k in &all {
            for bit in 8..8 + s.p.index_bits {
                let got = s.lookup(Lookup {
                    key: k.rkey ^ 1 << bit,
                    ..k.read(0, 8)
                });
                let equal = all
                    .iter()
                    .any(|o| o.rkey == k.rkey ^ 1 << bit && o.first() == k.first());
                claim!(s, !got.granted() || equal, "bit {bit}: {got:?}");
            }
        }
    });
}

#[test]
fn key_of_the_other_side() {
    each(|s| {
        let k = s.region(&Spec::new(0x1000, 0x1000));
        let remote = s.lookup(Lookup {
            key: k.lkey,
            ..k.read(0, 8)
        });
        let local = s.lookup(Lookup {
            key: k.rkey,
            ..k.ask(Op::LocalWrite, 0, 8)
        });
        claim!(
            s,
            remote.cause() == Some(Cause::WrongSide) && local.cause() == Some(Cause::WrongSide),
            "wrong side"
        );
        claim!(
            s,
            remote
                .verdict
                .is_some_and(|(_, v)| v.class == Class::RemAccessErr),
            "{remote:?}"
        );
        claim!(
            s,
            local
                .verdict
                .is_some_and(|(_, v)| v.class == Class::LocProtErr),
            "{local:?}"
        );
    });
}

#[test]
fn key_0_and_index_0() {
    each(|s| {
        let k = s.region(&Spec::new(0, 0x1000));
        let secrets = [
            0u32,
            k.rkey & 0xff,
            k.rkey & !(((1 << s.p.index_bits) - 1) << 8),
        ];
        for key in secrets {
            let got = s.lookup(Lookup {
                key,
                pd: 0,
                ..k.read(0, 8)
            });
            claim!(s, got.cause() == Some(Cause::BadKey), "{got:?}");
        }
    });
}

#[test]
fn keys_never_inserted_and_tag_0_after_a_deletion() {
    each(|s| {
        let k = s.region(&Spec::new(0x1000, 0x1000));
        s.lookup(k.read(0, 8));
        s.end(&k, Mode::Cut);
        for index in (0..s.p.mrs.min(40) as u32).chain([s.p.mrs as u32 - 1]) {
            for low in [0, 1, 2, k.rkey & 0xff] {
                let key = index << 8 | low;
                let got = s.lookup(Lookup {
                    key,
                    ..k.read(0, 8)
                });
                let used = s.p.index(k.rkey) == index;
                let want = if used { Cause::StaleKey } else { Cause::BadKey };
                claim!(s, got.cause() == Some(want), "{got:?}");
            }
        }
    });
}

#[test]
fn the_next_life_has_its_own_domain_and_rights() {
    each(|s| {
        let old = s.region(&Spec::new(0x1000, 0x1000));
        s.lookup(old.ask(Op::Write, 0, 8));
        s.end(&old, Mode::Cut);
        let spec = Spec::new(0x1000, 0x1000).access(access::REMOTE_READ);
        let new = s.region(&spec.pd(2));
        claim!(
            s,
            s.p.index(new.rkey) == s.p.index(old.rkey),
            "the same index again"
        );
        let got = s.lookup(new.read(0, 8));
        claim!(s, got.pa() == Some(new.pa(0)), "its own: {got:?}");
        let got = s.lookup(new.ask(Op::Write, 0, 8));
        claim!(s, got.cause() == Some(Cause::NoPermission), "{got:?}");
        let got = s.lookup(Lookup {
            pd: 1,
            ..new.read(0, 8)
        });
        claim!(s, got.cause() == Some(Cause::PdMismatch), "{got:?}");
    });
}
