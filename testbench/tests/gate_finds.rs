// SPDX-License-Identifier: MIT OR Apache-2.0
//! The export gate finds what it is for: each block here is wrong in one way.

use latchkey_hdl::ports::{Dir, Port, PortAccess, PortValue};
use latchkey_hdl::{ConfigInfo, Module};
use latchkey_testbench::gate::{run, Options};
use rust_hdl::prelude::*;

macro_rules! wrong {
    ($name:ident, $($update:tt)*) => {
        #[derive(LogicBlock, Default)]
        struct $name {
            a: Signal<In, Bits<8>>,
            b: Signal<In, Bits<8>>,
            o: Signal<Out, Bits<16>>,
        }
        impl Logic for $name {
            $($update)*
        }
        impl PortAccess for $name {
            fn ports(&self) -> Vec<Port> {
                let port = |name: &str, dir, width| Port { name: name.into(), dir, width };
                vec![port("a", Dir::In, 8), port("b", Dir::In, 8), port("o", Dir::Out, 16)]
            }
            fn set_input(&mut self, index: usize, words: &[u32]) {
                let port = if index == 0 { &mut self.a } else { &mut self.b };
                port.next = PortValue::from_words(words);
            }
            fn get_output(&self, _: usize, words: &mut [u32]) {
                self.o.next.to_words(words);
            }
        }
    };
}

wrong!(
    Carry,
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = bit_cast::<16, 8>(self.a.val() + self.b.val());
    }
);
wrong!(
    Latch,
    #[hdl_gen]
    fn update(&mut self) {
        if self.a.val().any() {
            self.o.next = bit_cast::<16, 8>(self.b.val());
        }
    }
);
wrong!(
    Right,
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = bit_cast::<16, 8>(self.a.val()) + bit_cast::<16, 8>(self.b.val());
    }
);

fn steps(module: &'static [Module]) -> Vec<&'static str> {
    let config = ConfigInfo {
        name: "case",
        constants: &[],
        modules: module,
    };
    let options = Options {
        seed: 1,
        cycles: Some(200),
        threads: 1,
        only: None,
    };
    run(&[config], &options)
        .failures
        .into_iter()
        .map(|f| f.step)
        .collect()
}

#[test]
fn a_carry_lost_in_rust_only_is_found_twice() {
    let found = steps(&[Module {
        name: "carry",
        make: || Box::new(Carry::default()),
    }]);
    assert_eq!(found, ["lint", "differential"]);
}

#[test]
fn a_latch_is_found_by_both_tools() {
    let found = steps(&[Module {
        name: "latch",
        make: || Box::new(Latch::default()),
    }]);
    assert!(
        found.contains(&"verilator lint") && found.contains(&"yosys"),
        "{found:?}"
    );
}

#[test]
fn a_sound_block_passes() {
    assert_eq!(
        steps(&[Module {
            name: "right",
            make: || Box::new(Right::default())
        }]),
        [""; 0]
    );
}
