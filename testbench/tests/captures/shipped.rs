// SPDX-License-Identifier: MIT OR Apache-2.0
//! The capture that ships with the project.

use crate::make::play;

#[test]
fn it_replays_with_and_without_its_regions() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("captures");
    let capture = folder.join("mixed.pcap").display().to_string();
    let with = play(capture.clone(), Some(folder.join("mixed.json")), "nic").unwrap();
    assert!(
        with.passed() && with.requests.exceptions.is_empty(),
        "{}",
        with.text()
    );
    assert!(with.requests.naks_matched > 20 && with.requests.matches.acknowledged > 50);
    let expected = with.requests.matches.as_expected;
    assert_eq!(
        expected,
        with.requests
            .kinds
            .values()
            .map(|k| k.requests)
            .sum::<u64>()
    );
    let without = play(capture, None, "nic").unwrap();
    assert!(without.passed(), "{}", without.text());
    assert_eq!(without.requests.naks_matched, with.requests.naks_matched);
}
