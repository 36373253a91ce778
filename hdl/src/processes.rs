// SPDX-License-Identifier: MIT OR Apache-2.0
//! One `always @(*)` a group of signals that belong together, instead of one a module.
//!
//! rust-hdl writes a block's whole `update` into one process. Every signal in it then seems to depend on every other, which makes
//! simulators iterate and lint tools see circles that are not there. Statements are parted here such that the meaning
//! stays: all writers of a signal stay together in their order, and so does every reader that comes before the
//! signal's last writer (it may mean an earlier value). A process that reads nothing would never run in Icarus: it becomes `assign`s.

use std::collections::{BTreeMap, BTreeSet};

const KEYWORDS: [&str; 7] = ["if", "else", "begin", "end", "case", "endcase", "default"];

/// Parts the processes of every module in `text`.
pub fn part(text: &str) -> String {
    text.split_inclusive("endmodule").map(module).collect()
}

fn module(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let locals: BTreeSet<&str> = lines
        .iter()
        .filter_map(|l| l.trim().strip_prefix("localparam"))
        .flat_map(|l| names(l).into_iter().take(1))
        .collect();
    let mut out: Vec<String> = Vec::new();
    let mut wires: BTreeSet<String> = BTreeSet::new();
    let mut at = 0;
    while at < lines.len() {
        let close = (lines[at].trim() == "always @(*) begin").then(|| {
            let pad = indent(lines[at]);
            lines[at..]
                .iter()
                .position(|l| l.trim() == "end" && indent(l) == pad)
                .map(|n| at + n)
        });
        let Some(Some(close)) = close else {
            out.push(lines[at].into());
            at += 1;
            continue;
        };
        let pad = &lines[at][..indent(lines[at])];
        for group in groups(&lines[at + 1..close]) {
            match assigns(&group, &locals, &wires) {
                Some(list) => {
                    out.extend(
                        list.iter()
                            .map(|(name, value)| format!("{pad}assign {name} = {value};")),
                    );
                    wires.extend(list.into_iter().map(|(name, _)| name));
                }
                None => {
                    out.push(lines[at].into());
                    out.extend(group.iter().flat_map(|s| s.iter().map(|l| l.to_string())));
                    out.push(format!("{pad}end"));
                }
            }
        }
        at = close + 1;
    }
    for line in out.iter_mut() {
        let declared = line
            .trim()
            .strip_suffix(';')
            .and_then(|l| l.rsplit(' ').next())
            .unwrap_or("");
        if wires.contains(declared)
            && (line.trim().starts_with("reg ") || line.trim().starts_with("output reg "))
        {
            *line = line.replacen("reg", "wire", 1);
        }
    }
    out.join("\n") + if text.ends_with('\n') { "\n" } else { "" }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Statements of a body, each with its lines, in groups that must stay one process; groups in order of their first statement.
fn groups<'a>(body: &[&'a str]) -> Vec<Vec<Vec<&'a str>>> {
    let margin = body
        .iter()
        .filter(|l| !l.trim().is_empty())
        .map(|l| indent(l))
        .min()
        .unwrap_or(0);
    let mut statements: Vec<Vec<&str>> = Vec::new();
    let mut comment: Vec<&str> = Vec::new();
    for line in body.iter().copied().filter(|l| !l.trim().is_empty()) {
        let text = line.trim();
        let goes_on = indent(line) > margin || text.starts_with("end") || text.starts_with("else");
        match statements.last_mut() {
            Some(last) if goes_on => last.push(line),
            _ if text.starts_with("//") => comment.push(line),
            _ => {
                comment.push(line);
                statements.push(std::mem::take(&mut comment));
            }
        }
    }
    let uses: Vec<_> = statements.iter().map(|s| uses(s)).collect();
    let mut writers: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (n, (written, _)) in uses.iter().enumerate() {
        for name in written {
            writers.entry(name).or_default().push(n);
        }
    }
    let mut leader: Vec<usize> = (0..statements.len()).collect();
    fn find(leader: &mut [usize], n: usize) -> usize {
        let up = leader[n];
        if up == n {
            return n;
        }
        leader[n] = find(leader, up);
        leader[n]
    }
    for (name, list) in &writers {
        let last = list[list.len() - 1];
        let readers = (0..=last).filter(|n| uses[*n].1.contains(name));
        for n in list.iter().copied().chain(readers) {
            let (a, b) = (find(&mut leader, n), find(&mut leader, list[0]));
            leader[a.max(b)] = a.min(b);
        }
    }
    let mut parted: BTreeMap<usize, Vec<Vec<&str>>> = BTreeMap::new();
    for (n, statement) in statements.into_iter().enumerate() {
        let first = find(&mut leader, n);
        parted.entry(first).or_default().push(statement);
    }
    parted.into_values().collect()
}

/// Names a statement writes, and names it reads.
fn uses<'a>(statement: &[&'a str]) -> (BTreeSet<&'a str>, BTreeSet<&'a str>) {
    let (mut written, mut read) = (BTreeSet::new(), BTreeSet::new());
    for line in statement
        .iter()
        .map(|l| l.split("//").next().unwrap_or("").trim())
    {
        match assignment(line) {
            Some((target, value)) => {
                let mut left = names(target).into_iter();
                written.extend(left.next());
                read.extend(left);
                read.extend(names(value));
            }
            None => read.extend(names(line)),
        }
    }
    (written, read)
}

/// `target = value` of a line, behind a case label if there is one.
fn assignment(line: &str) -> Option<(&str, &str)> {
    let at = line.find(" = ")?;
    let target = line[..at].rsplit(": ").next()?;
    (!target.contains('(') || target.contains('[')).then_some((target, &line[at + 3..]))
}

/// Identifiers; the digits of sized literals are none.
fn names(text: &str) -> Vec<&str> {
    let inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '\'');
    let first = |w: &&str| w.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    text.split(|c: char| !inside(c))
        .filter(first)
        .filter(|w| !KEYWORDS.contains(w))
        .collect()
}

/// The assignments of a group that reads nothing but constants; None for any other group.
fn assigns(
    group: &[Vec<&str>],
    locals: &BTreeSet<&str>,
    wires: &BTreeSet<String>,
) -> Option<Vec<(String, String)>> {
    let mut list: BTreeMap<&str, String> = BTreeMap::new();
    for statement in group {
        let [line] = statement.as_slice() else {
            return None;
        };
        let (name, value) = line.trim().strip_suffix(';')?.split_once(" = ")?;
        if names(name) != [name] {
            return None;
        }
        let mut value = value.to_string();
        for read in names(value.clone().as_str()) {
            if !locals.contains(read) && !wires.contains(read) {
                let known = list.get(read)?;
                if value != read {
                    return None;
                }
                value = known.clone();
                break;
            }
        }
        list.insert(name, value);
    }
    Some(
        list.into_iter()
            .map(|(name, value)| (name.to_string(), value))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parted(body: &str) -> String {
        part(&format!(
            "module m;\n    reg a;\n    reg k;\n    always @(*) begin\n{body}    end\nendmodule"
        ))
    }

    #[test]
    fn strangers_part_and_order_is_kept() {
        let text = parted("        a = x;\n        b = y;\n        if (z) begin\n            a = 1'h0;\n        end\n");
        assert_eq!(text.matches("always").count(), 2, "{text}");
        assert!(text.contains("a = x;\n        if (z) begin"), "{text}");
    }

    #[test]
    fn a_reader_before_the_last_writer_stays() {
        let text = parted("        t = x;\n        a = t;\n        t = y;\n        b = t;\n");
        assert_eq!(text.matches("always").count(), 2, "{text}");
        assert!(text.contains("a = t;\n        t = y;"), "{text}");
    }

    #[test]
    fn constants_become_assigns() {
        let text = parted("        k = 1'h1;\n        a = x & k;\n");
        assert!(
            text.contains("assign k = 1'h1;")
                && text.contains("wire k;")
                && text.contains("reg a;"),
            "{text}"
        );
    }
}
