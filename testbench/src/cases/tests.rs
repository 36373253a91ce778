// SPDX-License-Identifier: MIT OR Apache-2.0
//! The runner on the model. The case file is given by the user: `LATCHKEY_CASES=path cargo test`.

use super::*;
use crate::trace::Code;

const READ: &str = r#"{"id":"X1","layer":"core","setup":[{"cmd":"create_qp","qp":1,"pd":1},
 {"cmd":"reg","name":"m0","index":33,"key_variant":"0x5a","pd":1,"iova":"0x10000","length":"0x2000","page_shift":12,
  "access":["remote_read"],"pages":["0xa000","0xb000"]}],
 "request":{"side":"remote","op":"read","key":"0x0000215a","pd":1,"qp":1,"va":"0x10ff0","len":"0x20"},
 "expect":{"status":"ok","segs":[{"pa":"0xaff0","len":"0x20"}]}}"#;

fn run_text(text: &str, params: &Params) -> CaseResult {
    let case: Case = serde_json::from_str(text).unwrap();
    run_one(&case, params, &Options::default(), &mut || {
        Ok(Sim::new(params.clone()))
    })
    .unwrap()
}

#[test]
fn a_read_passes_and_wrong_expectations_fail() {
    let wide = Params::wide();
    assert_eq!(run_text(READ, &wide).status, Status::Passed);
    for (from, to) in [
        (r#""len":"0x20"}]"#, r#""len":"0x1f"}]"#),
        (r#""segs":[{"pa":"0xaff0""#, r#""segs":[{"pa":"0xaff1""#),
        (r#""status":"ok","segs""#, r#""status":"error","segs""#),
        (r#""key":"0x0000215a""#, r#""key":"0x0000215b""#),
        (r#""key":"0x0000215a""#, r#""key":"0x0000225a""#),
        (r#""pd":1,"qp":1,"va""#, r#""pd":2,"qp":1,"va""#),
        (r#"["remote_read"]"#, r#"["remote_write"]"#),
    ] {
        let changed = READ.replacen(from, to, 1);
        assert_ne!(changed, READ, "{from}");
        assert_eq!(run_text(&changed, &wide).status, Status::Failed, "{to}");
    }
}

#[test]
fn obstacles_are_named() {
    let narrow = |params: Params| run_text(READ, &params).reason;
    assert_eq!(
        narrow(Params {
            va_bits: 16,
            ..Params::wide()
        }),
        "does not fit width.iova"
    );
    assert_eq!(
        narrow(Params {
            max_request: 16,
            ..Params::wide()
        }),
        "does not fit key.max_request"
    );
    assert_eq!(
        narrow(Params {
            pa_bits: 14,
            ..Params::wide()
        }),
        "does not fit width.pa"
    );
    let window = READ.replace(r#""cmd":"create_qp""#, r#""cmd":"alloc_mw""#);
    let result = run_text(&window, &Params::wide());
    assert_eq!(
        (result.status, result.reason.as_str()),
        (Status::Skipped, "command alloc_mw is missing")
    );
}

/// A device with a seeded defect.
struct Broken(Sim, fn(&mut Reply));

impl Device for Broken {
    fn params(&self) -> &Params {
        &self.0.model.params
    }
    fn command(&mut self, command: &Command) -> anyhow::Result<Answer> {
        Device::command(&mut self.0, command)
    }
    fn lookup(&mut self, lookup: &Lookup) -> anyhow::Result<Reply> {
        let mut reply = Device::lookup(&mut self.0, lookup)?;
        self.1(&mut reply);
        Ok(reply)
    }
}

fn cases() -> Option<Vec<Case>> {
    let path = std::env::var_os("LATCHKEY_CASES")?;
    Some(parse(&std::fs::read_to_string(path).expect("LATCHKEY_CASES can be read")).unwrap())
}

#[test]
fn every_case_that_can_run_passes_on_the_model() {
    let Some(cases) = cases() else {
        eprintln!("LATCHKEY_CASES is not set: no case file");
        return;
    };
    let wide = Params::wide();
    for compose_rereg in [false, true] {
        let options = Options {
            compose_rereg,
            ..Options::default()
        };
        let report = run(
            &cases,
            &wide,
            &options,
            || Ok(Sim::new(wide.clone())),
            |_| {},
        )
        .unwrap();
        for case in report
            .cases
            .iter()
            .filter(|case| case.status != Status::Passed)
        {
            eprintln!("{} {:?} {}", case.id, case.status, case.reason);
        }
        eprintln!(
            "passed {} failed {} skipped {} driver {}",
            report.passed, report.failed, report.skipped, report.driver
        );
        assert_eq!((report.cases.len(), report.failed), (cases.len(), 0));
        assert!(report.passed >= 112, "{} passed", report.passed);
    }
    let broken: [fn(&mut Reply); 4] = [
        |reply| {
            reply
                .segments
                .iter_mut()
                .for_each(|segment| segment.pa ^= 0x1000)
        },
        |reply| reply.segments.truncate(1),
        |reply| reply.verdict.class = crate::trace::Class::LocProtErr,
        |reply| {
            reply.verdict.granted = true;
            reply.verdict.cause = crate::trace::Cause::None;
        },
    ];
    for (at, defect) in broken.into_iter().enumerate() {
        let fresh = || Ok(Broken(Sim::new(wide.clone()), defect));
        let report = run(&cases, &wide, &Options::default(), fresh, |_| {}).unwrap();
        assert!(report.failed > 0, "defect {at} goes unnoticed");
    }
}

#[test]
fn keys_are_mapped_by_rule() {
    let params = Params::wide();
    let mut handles = keys::Handles::default();
    let handle = |index, variant, lkey, rkey, live| keys::Handle {
        name: "m".into(),
        index,
        variant,
        lkey,
        rkey,
        live,
    };
    handles
        .0
        .push(handle(33, 0x5a, 0x0100_0110, 0x0200_0120, false));
    handles
        .0
        .push(handle(33, 0x5b, 0x0300_0230, 0x0400_0240, true));
    assert_eq!(handles.map(&params, 0, true), [0]);
    assert_eq!(handles.map(&params, 0x215b, true), [0x0400_0240]);
    assert_eq!(handles.map(&params, 0x215b, false), [0x0300_0230]);
    assert_eq!(
        handles.map(&params, 0x215a, true),
        [0x0400_0241, 0x0200_0120]
    );
    assert_eq!(
        handles.map(&params, 0x5b21_0000, true),
        [0x0400_0240u32.swap_bytes()]
    );
    assert_eq!(handles.map(&params, 0x0100_215b, true), [0x0500_0240]);
    let unknown = handles.map(&params, 0x225a, true);
    assert!(
        unknown
            .iter()
            .all(|key| ![0, 1, 2].contains(&params.index(*key))),
        "{unknown:x?}"
    );
    let small = Params {
        mrs: 100,
        index_bits: 8,
        ..params
    };
    assert_eq!(handles.map(&small, 0x225a, true).len(), 2);
    assert_eq!(
        Got::of_answer(&Answer::bare(0, Code::BadList))
            .cause
            .as_deref(),
        Some("bad_arg")
    );
}

#[test]
fn the_lines_of_the_trace_format_in_the_docs_can_be_read() {
    let text = include_str!("../../../docs/conformance.md");
    let lines: Vec<_> = text
        .lines()
        .filter(|line| line.starts_with("{\"cycle\""))
        .collect();
    assert!(lines.len() >= 6);
    for line in lines {
        let record: Result<crate::trace::Record, _> = serde_json::from_str(line);
        assert!(record.is_ok(), "{line}: {record:?}");
    }
}
