// SPDX-License-Identifier: MIT OR Apache-2.0
//! Timing diagrams: they are what the core does, each has its place in the documents, and `latchkey waves` says what is wrong.

use assert_cmd::Command;
use predicates::str::contains;
use std::path::{Path, PathBuf};

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs");

/// The command, at work in `dir`.
fn latchkey(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("latchkey").unwrap();
    command.env("LATCHKEY_CACHE", dir.join("cache"));
    command.current_dir(dir).args(args);
    command
}

fn pictures() -> Vec<PathBuf> {
    let folder = std::fs::read_dir(Path::new(DOCS).join("waves")).unwrap();
    folder.map(|e| e.unwrap().path()).collect()
}

fn document(name: &str) -> String {
    std::fs::read_to_string(Path::new(DOCS).join(name)).unwrap()
}

#[test]
fn the_committed_pictures_are_what_the_core_does() {
    let dir = tempfile::tempdir().unwrap();
    let folder = format!("{DOCS}/waves");
    let out = latchkey(dir.path(), &["waves", "--check", "--out", &folder])
        .assert()
        .success();
    let drawn = String::from_utf8(out.get_output().stdout.clone()).unwrap();
    let files = pictures();
    assert_eq!(files.len(), drawn.lines().count());
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let svg = roxmltree::Document::parse(&text).unwrap();
        assert_eq!(svg.root_element().tag_name().name(), "svg");
        assert!(
            !text.contains("href") && !text.contains("url("),
            "{}",
            file.display()
        );
    }
    // one that is not, is named
    let copy = dir.path().join("w");
    std::fs::create_dir(&copy).unwrap();
    for file in &files {
        std::fs::copy(file, copy.join(file.file_name().unwrap())).unwrap();
    }
    std::fs::write(copy.join("hit.svg"), "old").unwrap();
    let check = ["waves", "--check", "--config", "tiny", "--out", "w"];
    latchkey(dir.path(), &check)
        .assert()
        .code(1)
        .stderr(contains("hit.svg is not what this core does now").count(1))
        .stderr(contains("is not what").count(1));
}

#[test]
fn every_picture_is_explained_and_every_command_has_one() {
    let waves = document("waves.md");
    for file in pictures() {
        let link = format!("](waves/{})", file.file_name().unwrap().to_str().unwrap());
        assert_eq!(waves.matches(&link).count(), 1, "{link}");
    }
    let port = document("registration-port.md");
    let (_, commands) = port.split_once("\n### At a glance").unwrap();
    let (commands, _) = commands.split_once("\n## ").unwrap();
    let sections: Vec<&str> = commands.split("\n### ").skip(1).collect();
    assert_eq!(sections.len(), 17);
    for section in sections {
        let name = section.lines().next().unwrap();
        let links: Vec<&str> = section.split("](waves/").skip(1).collect();
        assert!(!links.is_empty(), "{name} has no picture");
        for link in links {
            let file = link.split(')').next().unwrap();
            assert!(Path::new(DOCS).join("waves").join(file).is_file(), "{file}");
        }
    }
}

#[test]
fn a_configuration_draws_what_it_has() {
    let dir = tempfile::tempdir().unwrap();
    let drawn = latchkey(dir.path(), &["waves", "--config", "tiny", "--out", "w"])
        .assert()
        .success()
        .stderr(contains("tiny lacks a command"));
    let drawn = String::from_utf8(drawn.get_output().stdout.clone()).unwrap();
    assert!(drawn.contains("register.svg") && !drawn.contains("invalidate.svg"));
    latchkey(dir.path(), &["waves", "--config", "tinny"])
        .assert()
        .code(2)
        .stderr(contains("unknown configuration `tinny`"));
    latchkey(dir.path(), &["waves", "--engine", "verilator"])
        .env("PATH", dir.path())
        .assert()
        .code(3);
}
