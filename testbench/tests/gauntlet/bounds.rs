// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ranges at the edges of the address space.

use latchkey_testbench::claim;
use latchkey_testbench::model::mask;
use latchkey_testbench::stage::{each, Keys, Spec, Stage};
use latchkey_testbench::trace::{Cause, Lookup, Op, PageSize};

fn at(k: &Keys, va: u64, len: u32) -> Lookup {
    Lookup {
        va,
        ..k.read(0, len)
    }
}

fn refused(s: &mut Stage, l: Lookup) {
    let got = s.lookup(l);
    claim!(
        s,
        got.cause() == Some(Cause::OutOfBounds),
        "out of bounds: {got:?}"
    );
}

fn granted(s: &mut Stage, l: Lookup) {
    let got = s.lookup(l);
    claim!(s, got.granted() && got.walked(), "granted: {got:?}");
}

#[test]
fn sum_wraps_at_the_top_of_the_address_space() {
    each(|s| {
        let top = mask(s.p.va_bits);
        let (high, low) = (
            s.region(&Spec::new(top - 0x1fff, 0x2000)),
            s.region(&Spec::new(0, 0x2000)),
        );
        for len in [2, 0x100, 0x1000, s.p.max_request as u32] {
            refused(s, at(&high, top, len));
            refused(s, at(&low, top, len));
            refused(s, at(&high, top - u64::from(len) + 2, len));
        }
        granted(s, at(&high, top, 1));
        granted(s, at(&high, top - 0xff, 0x100));
    });
}

#[test]
fn lower_bound_is_exact() {
    each(|s| {
        let flat = s.region(&Spec::flat(0x5010, 0x100, 0x8_0000));
        let paged = s.region(&Spec::new(0x7010, 0x1000));
        for k in [flat, paged] {
            let first = k.first();
            refused(s, at(&k, first - 1, 1));
            refused(s, at(&k, first - 1, 16));
            refused(s, at(&k, 0, 16));
            granted(s, at(&k, first, 16));
        }
    });
}

#[test]
fn upper_bound_is_exact() {
    each(|s| {
        let k = s.region(&Spec::new(0x5010, 0x1111));
        granted(s, k.read(0x1110, 1));
        granted(s, k.read(0, 0x1111));
        refused(s, k.read(0x1110, 2));
        refused(s, k.read(0, 0x1112));
        refused(s, k.read(0x1111, 1));
        refused(s, k.ask(Op::FlushGlobal, 0x1111, 1));
    });
}

#[test]
fn region_may_end_at_the_top_of_the_address_space() {
    each(|s| {
        let top = mask(s.p.va_bits);
        let paged = s.region(&Spec::new(top - 0xfff, 0x1000));
        let flat = s.region(&Spec::flat(top - 0xff, 0x100, 0x4_0000));
        granted(s, at(&paged, top - 7, 8));
        granted(s, at(&flat, top - 0xff, 0x100));
        refused(s, at(&flat, top - 0x100, 0x100));
    });
}

#[test]
fn region_crosses_every_boundary_of_a_carry() {
    each(|s| {
        let bits = s.p.va_bits;
        for bit in (13..bits)
            .step_by(3)
            .chain([16, 32].into_iter().filter(|b| *b < bits))
        {
            let k = s.region(&Spec::new((1 << bit) - 0x1000, 0x2000));
            granted(s, k.read(0xff0, 0x20));
            granted(s, k.read(0, 0x2000));
            granted(s, k.read(0x1000, 0x1000));
            refused(s, k.read(0xfff, 0x1002));
            refused(s, at(&k, k.first() - 1, 2));
            s.end(&k, latchkey_testbench::trace::Mode::Cut);
            let odd = s.region(&Spec::flat((1 << bit) - 0x800, 0x2000, 0));
            granted(s, odd.read(0x1900, 0x700));
            refused(s, odd.read(0x1900, 0x701));
            s.end(&odd, latchkey_testbench::trace::Mode::Cut);
        }
    });
}

#[test]
fn region_crosses_4_gib() {
    latchkey_testbench::stage::on("nic", |s| {
        let k = s.region(&Spec::new(0xffff_e800, 0x3000));
        let got = s.lookup(k.read(0x1000, 0x1800));
        claim!(
            s,
            got.segments.len() == 2 && got.segments[0].1.pa == k.pa(0x1000),
            "{got:?}"
        );
        granted(s, at(&k, 0xffff_ffff, 2));
        refused(s, at(&k, 0xffff_e7ff, 2));
        refused(s, at(&k, 0x1_0000_17ff, 2));
        let big = s.region(&Spec::flat(0x1000, 0x3_0000_0000, 0x10_0000_0000));
        granted(s, at(&big, 0xffff_fff0, 0x40));
        granted(s, at(&big, 0x2_ffff_fff0, 0x40));
        refused(s, at(&big, 0x3_0000_0ff0, 0x40));
    });
}

#[test]
fn request_of_three_and_more_pages() {
    each(|s| {
        let k = s.region(&Spec::new(0x1a34, 7 * 4096));
        for pages in 2..=7u64 {
            let got = s.lookup(k.read(5, (pages * 4096) as u32 - 0x600));
            claim!(
                s,
                got.segments.len() as u64 >= pages,
                "a segment a page: {got:?}"
            );
            let sum: u64 = got.segments.iter().map(|(_, g)| u64::from(g.len)).sum();
            claim!(
                s,
                sum == u64::from(got.lookup.len),
                "every byte once: {got:?}"
            );
            claim!(
                s,
                got.segments[2.min(got.segments.len() - 1)].1.pa & 0xfff == 0,
                "pages begin at their beginning"
            );
        }
    });
}

#[test]
fn request_over_large_pages() {
    each(|s| {
        let shift = PageSize::K64.shift().unwrap_or(16);
        let k = s.region(&Spec::new((3 << shift) + 0x123, 3 << shift).page(PageSize::K64));
        let got = s.lookup(k.read((1 << shift) - 0x124, 0x400));
        claim!(s, got.segments.len() == 2, "{got:?}");
        claim!(
            s,
            got.segments[0].1.len == 1 && got.segments[1].1.pa == k.pa((1 << shift) - 0x123),
            "{got:?}"
        );
    });
}

#[test]
fn an_access_lies_in_one_region() {
    each(|s| {
        // neighbours, in addresses and in memory
        let (a, b) = (
            s.region(&Spec::flat(0x4000, 0x1000, 0x2_0000)),
            s.region(&Spec::flat(0x5000, 0x1000, 0x2_1000)),
        );
        granted(s, a.read(0xff8, 8));
        granted(s, b.read(0, 8));
        refused(s, a.read(0xff8, 16));
        refused(s, at(&b, b.first() - 8, 16));
    });
}
