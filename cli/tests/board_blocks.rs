// SPDX-License-Identifier: MIT OR Apache-2.0
//! Framing in hardware against framing by the crates, block by block in rust-hdl's simulator.

use latchkey_hdl::link::{BAUD, CLOCK_HZ};
use latchkey_testbench::board::{encode, Decoder, Frame, Receiver};
use latchkey_testbench::engine::{Engine, RustEngine};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn block(name: &str) -> RustEngine {
    let info = latchkey_bsp::board::info().expect("a build with the configuration alchitry-cu");
    let mut block = RustEngine::new(info.module(name).expect("a block of the board"));
    for reset in [1, 1, 0] {
        put(&mut block, "reset", reset);
        block.cycle();
    }
    block
}

fn put(block: &mut RustEngine, name: &str, value: u32) {
    let port = block.port(name).expect("a port");
    block.set(port, &[value]);
}

fn get(block: &RustEngine, name: &str) -> u32 {
    let port = block.port(name).expect("a port");
    let mut words = [0];
    block.get(port, &mut words);
    words[0]
}

fn frame(rng: &mut ChaCha8Rng, longest: usize) -> Frame {
    let zeros = rng.gen_bool(0.5);
    let payload = (0..rng.gen_range(0..=longest))
        .map(|_| {
            if zeros && rng.gen_bool(0.6) {
                0
            } else {
                rng.gen()
            }
        })
        .collect();
    Frame {
        kind: rng.gen(),
        seq: rng.gen(),
        payload,
    }
}

/// Frames and bad ends the deframer sees in these bytes.
fn deframed(block: &mut RustEngine, bytes: &[u8]) -> (Vec<Vec<u8>>, u32) {
    let (mut ram, mut frames, mut bad) = ([0u8; 64], Vec::new(), 0);
    for byte in bytes {
        for clock in 0..24 {
            put(block, "valid", u32::from(clock == 0));
            put(block, "data", u32::from(*byte));
            block.cycle();
            if get(block, "write") == 1 {
                ram[get(block, "address") as usize] = get(block, "value") as u8;
            }
            if get(block, "frame") == 1 {
                frames.push(ram[..get(block, "size") as usize].to_vec());
            }
            bad += get(block, "bad");
        }
    }
    (frames, bad)
}

#[test]
fn the_deframer_takes_what_the_crates_encode_and_nothing_else() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut block = block("deframer");
    let (mut broken, mut seen_bad) = (0, 0);
    for _ in 0..150 {
        let sent = frame(&mut rng, 58);
        let mut bytes = encode(&sent);
        let mut plain = vec![sent.kind, sent.seq];
        plain.extend(&sent.payload);
        if rng.gen_bool(0.5) {
            assert_eq!(deframed(&mut block, &bytes), (vec![plain], 0));
            continue;
        }
        let at = rng.gen_range(1..bytes.len() - 1);
        match rng.gen_range(0..3) {
            0 => bytes[at] ^= 1 << rng.gen_range(0..8),
            1 => drop(bytes.remove(at)),
            _ => bytes.insert(at, rng.gen()),
        }
        // a zero that came in ends a frame early; the rest is another bad one
        let (frames, bad) = deframed(&mut block, &bytes);
        broken += 1;
        seen_bad += u32::from(bad > 0);
        for found in frames {
            assert_eq!(found, plain, "a wrong frame was let through");
        }
    }
    assert!(
        broken > 40 && seen_bad + 5 >= broken,
        "{seen_bad} of {broken}"
    );
}

#[test]
fn frames_beyond_the_buffer_or_while_it_is_in_use_are_bad() {
    let mut block = block("deframer");
    let long = Frame {
        kind: 1,
        seq: 2,
        payload: vec![3; 59],
    };
    assert_eq!(deframed(&mut block, &encode(&long)), (vec![], 1));
    let short = Frame {
        kind: 1,
        seq: 2,
        payload: vec![0, 3],
    };
    put(&mut block, "hold", 1);
    assert_eq!(deframed(&mut block, &encode(&short)), (vec![], 1));
    put(&mut block, "hold", 0);
    assert_eq!(
        deframed(&mut block, &encode(&short)),
        (vec![vec![1, 2, 0, 3]], 0)
    );
}

#[test]
fn the_framer_sends_what_the_crates_decode() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let mut block = block("framer");
    for _ in 0..6 {
        let sent = frame(&mut rng, 23);
        let mut plain = vec![sent.kind, sent.seq];
        plain.extend(&sent.payload);
        let (mut decoder, mut wire, mut found) =
            (Decoder::default(), Receiver::new(CLOCK_HZ / BAUD), None);
        let mut asked = [0usize; 3];
        put(&mut block, "size", plain.len() as u32);
        for clock in 0..40_000 {
            put(&mut block, "start", u32::from(clock == 0));
            // a source that answers two cycles after it was asked
            put(
                &mut block,
                "byte_out",
                u32::from(plain.get(asked[1]).copied().unwrap_or(0)),
            );
            block.cycle();
            asked = [get(&block, "index") as usize, asked[0], asked[1]];
            if let Some(byte) = wire.level(get(&block, "line") == 1) {
                found = decoder.push(byte).or(found);
            }
            if clock > 5 && get(&block, "busy") == 0 && found.is_some() {
                break;
            }
        }
        assert_eq!(found, Some(Ok(sent)));
    }
}
