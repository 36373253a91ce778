// SPDX-License-Identifier: MIT OR Apache-2.0
//! Configuration files: what is refused and how, and what is derived.

use latchkey_hdl::config::Config;

const TINY: &str = include_str!("../configs/tiny.toml");

/// The message for `tiny` with one line changed.
fn refusal(from: &str, to: &str) -> String {
    assert!(TINY.contains(from), "{from}");
    Config::parse("some/mine.toml", &TINY.replacen(from, to, 1))
        .expect_err("illegal")
        .to_string()
}

#[test]
fn a_message_names_file_field_value_and_mend() {
    for (from, to, field, value, mend) in [
        ("beat = 32", "beat = 48", "icm.beat", "48", "32 or 64"),
        ("mrs = 16", "mrs = 17", "key.mrs", "17", "2 to 16"),
        ("ways = 2", "ways = 3", "mpt_cache.ways", "3", "2 or 4"),
        (
            "set_bits = 2",
            "set_bits = 4",
            "mpt_cache.set_bits",
            "4",
            "1 to 3",
        ),
        ("pa = 24", "pa = 64", "width.pa", "64", "at most 42"),
        (
            "max_request = 32768",
            "max_request = 65536",
            "width.max_request",
            "65536",
            "65535",
        ),
        ("windows = false", "windows = true", "width.qpn", "1", "24"),
        ("qpn = 1", "qpn = 7", "width.qpn", "7", "24"),
        ("\"tiny\"", "\"2Fast\"", "name", "2Fast", "letter first"),
        (
            "secrets = false",
            "secrets = true",
            "feature.secrets",
            "true",
            "full registration port",
        ),
    ] {
        let text = refusal(from, to);
        for part in ["some/mine.toml", field, value, mend] {
            assert!(text.contains(part), "{part} is missing in: {text}");
        }
    }
}

#[test]
fn unknown_and_missing_fields_are_refused_with_their_names() {
    let text = refusal("mshrs = 2", "mshrs = 2\nmshr = 3");
    assert!(
        text.contains("some/mine.toml") && text.contains("mshr"),
        "{text}"
    );
    let text = refusal("beat = 32", "");
    assert!(
        text.contains("some/mine.toml") && text.contains("beat"),
        "{text}"
    );
}

#[test]
fn the_given_configurations_are_there_with_their_derived_sizes() {
    let value =
        |config: &str, name: &str| latchkey_hdl::config(config).and_then(|c| c.constant(name));
    assert_eq!(value("nic", "MPTW"), Some(6)); // 32 + 17 + 16 + 64 + 64 + 64 + 8 + 1 + 24, of windows 16 + 8 + 64 = 378 bits of 64
    assert_eq!(value("nic", "MPTC"), Some(2)); // 24 + 16 + 8 + 32 = 80 bits
    assert_eq!(value("alchitry-cu", "MPTW"), Some(6)); // 187 bits of 32
    assert_eq!(value("tiny", "MPTA"), Some(3)); // 5 + 2 words
    assert_eq!(value("tiny", "NP_VAW"), Some(48));
    assert_eq!(value("nic", "MELINE"), Some(256));
}

#[test]
fn every_configuration_has_the_same_modules() {
    let names = |c: &latchkey_hdl::ConfigInfo| c.modules.iter().map(|m| m.name).collect::<Vec<_>>();
    let first = names(&latchkey_hdl::configs()[0]);
    assert!(first.contains(&"table_hot"), "{first:?}");
    assert!(latchkey_hdl::configs().iter().all(|c| names(c) == first));
}

#[test]
fn one_port_keeps_lines_of_one_entry() {
    let text =
        TINY.replacen("count = 2", "count = 1", 1)
            .replacen("line_bits = 0", "line_bits = 1", 1);
    let told = Config::parse("some/mine.toml", &text)
        .expect_err("illegal")
        .to_string();
    assert!(
        told.contains("mtt_cache.line_bits") && told.contains("ports.count = 1"),
        "{told}"
    );
}
