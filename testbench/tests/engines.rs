// SPDX-License-Identifier: MIT OR Apache-2.0
//! Both engines behave alike on a block whose answers are known, and record the same waves.

use latchkey_hdl::{config, ConfigInfo, Module};
use latchkey_testbench::engine::{Effort, Engine, EngineError, RustEngine, VerilatorEngine};

fn fifo() -> (&'static ConfigInfo, &'static Module) {
    let tiny = config("tiny").expect("compiled in");
    (
        tiny,
        tiny.module("out_fifo_verdict").expect("in rtl/concrete.rs"),
    )
}

fn both() -> Vec<(&'static str, Box<dyn Engine>)> {
    let (config, module) = fifo();
    let verilog = VerilatorEngine::new(config, module, Effort::Quick).expect("builds");
    vec![
        ("rust", Box::new(RustEngine::new(module))),
        ("verilator", Box::new(verilog)),
    ]
}

fn read(engine: &dyn Engine, name: &str) -> u32 {
    let mut word = [0];
    engine.get(engine.port(name).expect("a port"), &mut word);
    word[0]
}

fn put(engine: &mut dyn Engine, name: &str, value: u32) {
    let port = engine.port(name).expect("a port");
    engine.set(port, &[value]);
}

#[test]
fn a_fifo_gives_back_what_it_took_in_order() {
    for (name, mut engine) in both() {
        put(engine.as_mut(), "push", 1);
        for value in [5, 300, 511] {
            put(engine.as_mut(), "data_in", value);
            engine.cycle();
        }
        assert_eq!(
            read(engine.as_ref(), "count"),
            2,
            "{name}: one is at the pins"
        );
        put(engine.as_mut(), "push", 0);
        put(engine.as_mut(), "pop", 1);
        for value in [5, 300, 511] {
            engine.settle();
            assert_eq!(
                (
                    read(engine.as_ref(), "valid"),
                    read(engine.as_ref(), "data")
                ),
                (1, value),
                "{name}"
            );
            engine.cycle();
        }
        assert_eq!(
            (
                read(engine.as_ref(), "valid"),
                read(engine.as_ref(), "count")
            ),
            (0, 0),
            "{name}"
        );
        engine.cycle();
        assert_eq!(
            read(engine.as_ref(), "count"),
            0,
            "{name}: a pop of nothing is ignored"
        );
        put(engine.as_mut(), "pop", 0);
        put(engine.as_mut(), "push", 1);
        engine.cycle();
        put(engine.as_mut(), "reset", 1);
        engine.cycle();
        assert_eq!(
            read(engine.as_ref(), "valid"),
            0,
            "{name}: reset empties it"
        );
    }
}

#[test]
fn bits_beyond_the_width_of_an_input_are_ignored() {
    for (name, mut engine) in both() {
        let port = engine.port("data_in").expect("a port");
        let at = engine.offset(port);
        engine.in_mut()[at] = 0xFFFF_FE01;
        put(engine.as_mut(), "push", 1);
        engine.cycle();
        assert_eq!(read(engine.as_ref(), "data"), 0x601, "{name}: eleven bits");
    }
}

#[test]
fn both_record_the_same_waves() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut texts = Vec::new();
    for (name, mut engine) in both() {
        let path = folder.path().join(name);
        engine.record(&path).expect("a file");
        put(engine.as_mut(), "push", 1);
        for value in 0..9 {
            put(engine.as_mut(), "data_in", value);
            engine.cycle();
        }
        drop(engine);
        texts.push(std::fs::read_to_string(&path).expect("written"));
    }
    assert!(
        texts[0].contains("data") && texts[0].contains("#85"),
        "{}",
        texts[0]
    );
    assert_eq!(texts[0], texts[1]);
}

#[test]
fn two_instances_of_one_library_are_apart() {
    let (config, module) = fifo();
    let mut one = VerilatorEngine::new(config, module, Effort::Quick).expect("builds");
    let two = VerilatorEngine::new(config, module, Effort::Quick).expect("from the cache");
    put(&mut one, "push", 1);
    one.cycle();
    assert_eq!((read(&one, "valid"), read(&two, "valid")), (1, 0));
}

#[test]
fn verilog_that_does_not_compile_is_an_error_with_the_tools_words() {
    let broken = VerilatorEngine::from_verilog("module x(; endmodule", "x", vec![], Effort::Quick);
    match broken {
        Err(EngineError::ToolFailed {
            tool: "verilator",
            output,
            ..
        }) => assert!(output.contains("syntax error"), "{output}"),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("accepted"),
    }
}

#[test]
fn inputs_given_with_the_edge_are_those_of_the_next_cycle() {
    let (config, module) = fifo();
    let mut apart = VerilatorEngine::new(config, module, Effort::Quick).expect("builds");
    let mut at_once = apart.another();
    assert!(at_once.ahead());
    let mut seed = 1u32;
    let mut draw = |engine: &mut dyn Engine| {
        for word in engine.in_mut() {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *word = seed >> 8;
        }
        // not in reset for ever
        put(engine, "reset", u32::from(seed >> 28 == 0));
    };
    draw(&mut apart);
    at_once.in_mut().copy_from_slice(apart.in_mut());
    apart.settle();
    at_once.settle();
    for _ in 0..2000 {
        assert_eq!(apart.out(), at_once.out());
        apart.cycle();
        draw(&mut apart);
        apart.settle();
        at_once.in_mut().copy_from_slice(apart.in_mut());
        at_once.edge();
    }
}
