// SPDX-License-Identifier: MIT OR Apache-2.0
//! Each rule finds what it is for, and leaves the accepted form alone.

use super::lint;
use rust_hdl::prelude::*;

macro_rules! case {
    ($name:ident, $expect:expr, $($update:tt)*) => {
        #[test]
        fn $name() {
            #[derive(LogicBlock, Default)]
            struct Case {
                a: Signal<In, Bits<8>>,
                b: Signal<In, Bits<8>>,
                k: Signal<In, Bits<3>>,
                f: Signal<In, Bit>,
                o: Signal<Out, Bits<8>>,
                w: Signal<Out, Bits<16>>,
                q: Signal<Out, Bit>,
            }
            impl Logic for Case {
                $($update)*
            }
            let found = lint(&Case::default());
            let expect: Option<&str> = $expect;
            match expect {
                None => assert!(found.is_empty(), "{found:?}"),
                Some(text) => assert!(found.iter().any(|f| f.contains(text)), "{found:?}"),
            }
        }
    };
}

case!(
    precedence,
    Some("the other way"),
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.a.val();
        self.w.next = bit_cast::<16, 8>(self.a.val());
        self.q.next = self.a.val() & self.b.val() == self.b.val();
    }
);
case!(
    parentheses_are_fine,
    None,
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.a.val() + 1;
        self.w.next = bit_cast::<16, 8>(self.a.val());
        self.q.next = (self.a.val() & self.b.val()) == self.b.val();
    }
);
case!(
    carry,
    Some("carry"),
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.a.val();
        self.w.next = bit_cast::<16, 8>(self.a.val() + self.b.val());
        self.q.next = self.f.val();
    }
);
case!(
    complement_under_cast,
    Some("carry"),
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.a.val();
        self.w.next = bit_cast::<16, 8>(!self.a.val());
        self.q.next = self.f.val();
    }
);
case!(
    literal_inside,
    Some("literal"),
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = (self.a.val() + 1) >> 1;
        self.w.next = bit_cast::<16, 8>(self.a.val());
        self.q.next = self.f.val();
    }
);
case!(
    sum_against_literal,
    Some("32-bit context"),
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.a.val();
        self.w.next = bit_cast::<16, 8>(self.a.val());
        self.q.next = self.a.val() + self.b.val() < 16;
    }
);
case!(
    slice_past_the_end,
    Some("past the end"),
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = bit_cast::<8, 4>(self.a.val().get_bits::<4>(self.k.val().index()));
        self.w.next = bit_cast::<16, 8>(self.a.val());
        self.q.next = self.f.val();
    }
);
case!(
    bit_by_signal_is_fine,
    None,
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.a.val();
        self.w.next = bit_cast::<16, 8>(self.a.val());
        self.q.next = self.a.val().get_bit(self.k.val().index());
    }
);
case!(
    complement_in_replace,
    Some("replace_bit"),
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.a.val().replace_bit(2, !self.f.val());
        self.w.next = bit_cast::<16, 8>(self.a.val());
        self.q.next = self.f.val();
    }
);
case!(
    loop_name_shadows,
    Some("loop variable"),
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.a.val();
        for b in 0..4 {
            self.o.next = self.o.val().replace_bit(b, self.f.val());
        }
        self.w.next = bit_cast::<16, 8>(self.a.val());
        self.q.next = self.f.val();
    }
);

#[test]
fn reading_back_the_input_of_a_child_is_found() {
    #[derive(LogicBlock, Default)]
    struct Case {
        clock: Signal<In, Clock>,
        f: Signal<In, Bit>,
        q: Signal<Out, Bit>,
        one: [DFF<Bit>; 1],
    }
    impl Logic for Case {
        #[hdl_gen]
        fn update(&mut self) {
            self.q.next = self.f.val();
            for i in 0..1 {
                self.one[i].clock.next = self.clock.val();
                self.one[i].d.next = self.one[i].q.val() | self.f.val();
                self.q.next = self.one[i].d.val();
            }
        }
    }
    let found = lint(&Case::default());
    assert!(
        found.len() == 1 && found[0].contains("read back"),
        "{found:?}"
    );
}
