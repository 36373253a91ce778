// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys that come from the adapter's secret (`feature.secrets`).

use latchkey_testbench::bench::Surroundings;
use latchkey_testbench::claim;
use latchkey_testbench::secrets::Cipher;
use latchkey_testbench::stage::{engine, on, Spec, Stage};
use latchkey_testbench::trace::{Body, Code, Mode};

fn each(scene: impl Fn(&mut Stage)) {
    ["tiny", "life", "nic"]
        .iter()
        .for_each(|config| on(config, &scene));
}

#[test]
fn keys_are_those_of_the_permutation() {
    each(|s| {
        if !s.p.secrets {
            return;
        }
        let cipher = s.cipher();
        // one index again and again: the first retired is the first given
        for generation in 0..6 {
            let k = s.region(&Spec::flat(0x1000, 0x1000, 0));
            let index = s.p.index(k.lkey);
            let want = cipher.keys(index, generation);
            claim!(
                s,
                (k.lkey, k.rkey) == want,
                "{:x?} {want:x?}",
                (k.lkey, k.rkey)
            );
            s.end(&k, Mode::Cut);
        }
        let a = s.tell(Body::Allocate { pd: 1, pages: 1 });
        let want = cipher.secrets(s.p.index(a.rkey), 1);
        claim!(s, (a.lkey, a.rkey) == want, "{a:x?} {want:x?}");
        let w = s.tell(Body::AllocateWindow { pd: 1, kind: 0 });
        let want = cipher.secrets(s.p.index(w.rkey), 1);
        claim!(s, (w.lkey, w.rkey) == (0, want.1), "{w:x?} {want:x?}");
        let n = s.tell(Body::AllocateNull { pd: 1 });
        let want = cipher.keys(s.p.index(n.lkey), 0);
        claim!(s, (n.lkey, n.rkey) == (want.0, 0), "{n:x?} {want:x?}");
    });
}

#[test]
fn a_second_secret_is_refused_and_changes_nothing() {
    each(|s| {
        let code = s.tell(Body::SetSecret { secret: !0 }).code;
        if !s.p.secrets {
            claim!(s, code == Code::BadOp, "{code:?}");
            return;
        }
        claim!(s, code == Code::BadState, "{code:?}");
        let k = s.region(&Spec::flat(0x1000, 0x1000, 0));
        let want = s.cipher().keys(s.p.index(k.lkey), 0);
        claim!(s, (k.lkey, k.rkey) == want, "{want:x?}");
    });
}

#[test]
fn no_keys_without_a_secret() {
    each(|s| {
        if !s.p.secrets {
            return;
        }
        let mut fresh = Stage::asleep(engine(s.config), s.config, Surroundings::CALM);
        let s = &mut fresh;
        let none = |s: &mut Stage| {
            let long = s.plan(&Spec::new(0x1000, 0x5000));
            let all = [
                Body::Register(long),
                Body::Allocate { pd: 1, pages: 0 },
                Body::AllocateWindow { pd: 1, kind: 9 },
                Body::AllocateNull { pd: 1 },
            ];
            for body in all {
                let answer = s.tell(body.clone());
                let bare = (answer.lkey, answer.rkey) == (0, 0);
                claim!(
                    s,
                    answer.code == Code::Unseeded && bare,
                    "{body:?} {answer:?}"
                );
            }
        };
        none(s);
        s.set_windows();
        none(s);
        let secret = 0x0123_4567_89ab_cdef;
        let code = s.tell(Body::SetSecret { secret }).code;
        claim!(s, code == Code::Ok, "{code:?}");
        let k = s.region(&Spec::new(0x1000, 0x5000));
        let own = Cipher {
            secret,
            ..s.cipher()
        };
        let want = own.keys(s.p.index(k.lkey), 0);
        claim!(s, (k.lkey, k.rkey) == want, "{want:x?}");
        fresh.finish();
    });
}
