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
    let without = Params {
        windows: false,
        ..Params::wide()
    };
    let result = run_text(&window, &without);
    assert_eq!(
        (result.status, result.reason.as_str()),
        (Status::Skipped, "feature.windows is off")
    );
}

/// Every command of the rest of a key's life, in one course.
const LIFE: &str = r#"{"id":"X2","layer":"core","setup":[{"cmd":"create_qp","qp":1,"pd":1},{"cmd":"create_qp","qp":3,"pd":1},
 {"cmd":"alloc_fast","name":"f0","index":768,"key_variant":"0x7","pd":1,"max_pages":2},
 {"cmd":"fast_reg","name":"f0","qp":1,"key_variant":"0x8","iova":"0x10000","length":"0x2000","page_shift":12,
  "access":["local_write","remote_read"],"pages":["0xa000","0x3000"]},
 {"cmd":"access","side":"remote","op":"read","key":"0x00030008","pd":1,"qp":1,"va":"0x10ff8","len":"0x10",
  "expect":{"status":"ok","segs":[{"pa":"0xaff8","len":"0x8"},{"pa":"0x3000","len":"0x8"}]}},
 {"cmd":"remote_inv","qp":1,"key":"0x00030007","expect":{"status":"error","class":"rem_inv_req_err","cause":"stale_key"}},
 {"cmd":"local_inv","qp":1,"key":"0x00030008"},
 {"cmd":"reg","name":"m0","index":33,"key_variant":"0x5a","pd":1,"iova":"0x20000","length":"0x2000","page_shift":12,
  "access":["local_write","mw_bind","on_demand"],"pages":[null,null]},
 {"cmd":"alloc_null","name":"n0","index":34,"key_variant":"0x1","pd":1},
 {"cmd":"alloc_mw","name":"w0","index":2048,"key_variant":"0x10","pd":1,"type":"2B"},
 {"cmd":"bind_mw","name":"w0","qp":1,"mr_key":"0x0000215a","addr":"0x20800","length":"0x1000","access":["remote_read"],"key_variant":"0x11"},
 {"cmd":"dereg","name":"m0","expect":{"status":"error","class":"ebusy","cause":"mw_bound"}},
 {"cmd":"access","side":"remote","op":"read","key":"0x00080011","pd":1,"qp":1,"va":"0x20ff8","len":"0x10",
  "expect":{"status":"error","class":"page_fault","cause":"not_present","page":0}},
 {"cmd":"page_fault_fill","name":"m0","page":0,"addr":"0x70000","writable":true},
 {"cmd":"page_fault_fill","name":"m0","page":1,"addr":"0x90000","writable":false},
 {"cmd":"access","side":"remote","op":"read","key":"0x00080011","pd":1,"qp":1,"va":"0x20ff8","len":"0x10",
  "expect":{"status":"ok","segs":[{"pa":"0x70ff8","len":"0x8"},{"pa":"0x90000","len":"0x8"}]}},
 {"cmd":"page_invalidate","name":"m0","page":0,"count":1},
 {"cmd":"dealloc_mw","name":"w0"},
 {"cmd":"rereg","name":"m0","flags":["access"],"access":["local_write","remote_read","on_demand"]}],
 "request":{"side":"remote","op":"read","key":"0x0000215a","pd":1,"qp":1,"va":"0x21000","len":"0x8"},
 "expect":{"status":"ok","segs":[{"pa":"0x90000","len":"0x8"}]}}"#;

#[test]
fn every_command_runs_and_a_wrong_expectation_of_each_is_noticed() {
    let wide = Params::wide();
    let result = run_text(LIFE, &wide);
    assert_eq!(
        (result.status, result.reason.as_str()),
        (Status::Passed, "")
    );
    for (from, to) in [
        (r#""max_pages":2"#, r#""max_pages":1"#),
        (r#""key":"0x00030008"},"#, r#""key":"0x00030009"},"#),
        (r#""class":"rem_inv_req_err""#, r#""class":"loc_qp_op_err""#),
        (r#""local_write","mw_bind""#, r#""local_write""#),
        (r#""pd":1,"type":"2B""#, r#""pd":2,"type":"2B""#),
        (r#""addr":"0x20800""#, r#""addr":"0x1ffff""#),
        (r#""cause":"mw_bound""#, r#""cause":"busy""#),
        (r#""qp":1,"va":"0x20ff8""#, r#""qp":3,"va":"0x20ff8""#),
        (r#""page":0}"#, r#""page":1}"#),
        (r#""page":0,"addr""#, r#""page":2,"addr""#),
        (r#""page":0,"count":1"#, r#""page":0,"count":2"#),
        (r#""flags":["access"]"#, r#""flags":["pd"],"pd":2"#),
    ] {
        let changed = LIFE.replacen(from, to, 1);
        assert_ne!(changed, LIFE, "{from}");
        let status = run_text(&changed, &wide).status;
        assert_eq!(status, Status::Failed, "{from} -> {to}");
    }
    let off = Params {
        paging: false,
        ..wide
    };
    assert_eq!(run_text(LIFE, &off).reason, "feature.paging is off");
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
        assert_eq!(
            (report.passed + report.driver, report.skipped),
            (cases.len(), 0)
        );
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
        life::seen("reg", Code::BadList).cause.as_deref(),
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
