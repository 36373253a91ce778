// SPDX-License-Identifier: MIT OR Apache-2.0

use super::*;

fn req(id: u32, write: bool, addr: u64, len: u8, data: u64, last: bool) -> Request {
    Request {
        id,
        write,
        space: 1,
        addr,
        len,
        data,
        last,
    }
}

fn until_answer(m: &mut Icm) -> Vec<Response> {
    let mut got = Vec::new();
    for _ in 0..2_000 {
        m.tick();
        while let Some(r) = m.offer() {
            m.taken();
            got.push(r);
            if r.last {
                return got;
            }
        }
    }
    panic!("no answer");
}

#[test]
fn zeros_where_nothing_was_written_and_beats_in_order() {
    let mut m = Icm::new(Latency::SOAK, 4, 1);
    m.request(req(1, false, 5, 1, 0, true)).unwrap();
    let got: Vec<u64> = until_answer(&mut m).iter().map(|r| r.data).collect();
    assert_eq!(got, [0, 0]);
    for beat in 0..3 {
        m.request(req(2, true, 510, 2, 70 + beat, beat == 2))
            .unwrap();
    }
    assert_eq!(
        until_answer(&mut m),
        [Response {
            id: 2,
            data: 0,
            last: true
        }]
    );
    m.request(req(1, false, 510, 2, 0, true)).unwrap();
    let got: Vec<u64> = until_answer(&mut m).iter().map(|r| r.data).collect();
    assert_eq!(got, [70, 71, 72]);
    assert_eq!(m.open(), 0);
    assert_eq!(m.store.read(0, 510), 0, "spaces are apart");
}

#[test]
fn acknowledged_writes_are_seen_and_are_atomic() {
    let mut m = Icm::new(Latency::SOAK, 4, 9);
    let (mut acked, mut sent) = (0, 0);
    let mut floor = [0; 8];
    let (mut old, mut new, mut reordered) = (0, 0, 0);
    let mut beats: Vec<u64> = Vec::new();
    let mut busy = [false; 8];
    let mut order = VecDeque::new();
    for cycle in 0..60_000u64 {
        m.tick();
        if let Some(r) = m.offer() {
            m.taken();
            if r.id == 8 {
                acked = sent;
            } else {
                beats.push(r.data);
                if r.last {
                    assert!(beats.iter().all(|b| *b == beats[0]), "torn: {beats:?}");
                    assert!(
                        beats[0] >= floor[r.id as usize],
                        "an acknowledged write was not seen"
                    );
                    assert!(beats[0] <= sent);
                    old += usize::from(beats[0] < sent);
                    new += usize::from(beats[0] > floor[r.id as usize]);
                    reordered += usize::from(order.front() != Some(&r.id));
                    order.retain(|id| *id != r.id);
                    beats.clear();
                    busy[r.id as usize] = false;
                }
            }
        }
        let id = (cycle % 8) as usize;
        if sent == acked && cycle % 3 == 0 {
            sent += 1;
            (0..4).for_each(|b| m.request(req(8, true, 64, 3, sent, b == 3)).unwrap());
        } else if !busy[id] {
            busy[id] = true;
            floor[id] = acked;
            order.push_back(id as u32);
            m.request(req(id as u32, false, 64, 3, 0, true)).unwrap();
        }
    }
    assert!(
        old > 100 && new > 100 && reordered > 100,
        "{old} {new} {reordered}"
    );
}

#[test]
fn faults_of_the_core_are_named() {
    let mut m = Icm::new(Latency::Fixed(3), 4, 1);
    m.request(req(1, false, 0, 0, 0, true)).unwrap();
    assert!(m
        .request(req(1, false, 8, 0, 0, true))
        .unwrap_err()
        .contains("second read under id 1"));
    let mut m = Icm::new(Latency::Fixed(3), 4, 1);
    m.request(req(1, true, 0, 1, 0, false)).unwrap();
    assert!(m
        .request(req(2, true, 0, 1, 0, true))
        .unwrap_err()
        .contains("differs from its first"));
    let mut m = Icm::new(Latency::Fixed(3), 4, 1);
    assert!(m
        .request(req(1, true, 0, 1, 0, true))
        .unwrap_err()
        .contains("last is true"));
}

#[test]
fn fixed_latency_keeps_the_order() {
    let mut m = Icm::new(Latency::Fixed(4), 4, 1);
    for id in 0..4 {
        m.request(req(id, false, 0, 0, 0, true)).unwrap();
        m.tick();
    }
    let got: Vec<u32> = (0..4).map(|_| until_answer(&mut m)[0].id).collect();
    assert_eq!(got, [0, 1, 2, 3]);
}
