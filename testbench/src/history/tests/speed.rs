// SPDX-License-Identifier: MIT OR Apache-2.0
//! The checker keeps up with the fast engine (run with `--release -- --ignored`).

use super::*;
use std::time::Instant;

#[test]
#[ignore = "a measurement; needs --release"]
fn a_million_records_a_second() {
    let mut checker = Checker::new(params(), Options::default());
    for record in &Trace::start().records {
        checker.push(record).unwrap();
    }
    let (start, mut cycle, mut records) = (Instant::now(), 100, 0u64);
    let step: Vec<Record> = (0..32)
        .flat_map(|tag| Trace::default().read(0, tag).records)
        .collect();
    let mut step = step;
    step.sort_by_key(|record| record.cycle);
    for record in &mut step {
        if let What::SegmentOut(segment) = &record.what {
            record.cycle = 5 + 2 * u64::from(segment.tag) + u64::from(segment.last);
        }
        if matches!(record.what, What::DmaDone(_)) {
            record.cycle = 90;
        }
    }
    step.sort_by_key(|record| record.cycle);
    while records < 20_000_000 {
        for record in &step {
            let record = Record {
                cycle: cycle + record.cycle,
                what: record.what.clone(),
            };
            checker.push(&record).unwrap();
            records += 1;
        }
        cycle += 100;
    }
    let rate = records as f64 / start.elapsed().as_secs_f64();
    eprintln!("{rate:.0} records a second");
    assert!(rate > 1e6);
}
