// SPDX-License-Identifier: MIT OR Apache-2.0
//! `latchkey board`

use crate::args::{
    BoardArgs, BoardCommand, DeregisterArgs, LookupArgs, RegisterArgs, ReplayArgs, VirtualArgs,
};
use crate::board::{serve, simulated, Board};
use crate::error::{Error, Outcome, Result};
use crate::output;
use crate::progress::Progress;
use latchkey_hdl::csr;
use latchkey_hdl::link::flag;
use latchkey_testbench::board::{replay, Ack, Noise, Stats};
use latchkey_testbench::trace::{
    access, Body, Code, Entry, Lookup, Mode, PageList, PageSize, Register,
};
use serde::Serialize;
use serde_json::{json, Value};
use std::time::Duration;

/// Does one thing with a board.
pub fn run(args: &BoardArgs) -> Result<Outcome> {
    match &args.command {
        BoardCommand::Virtual(a) => virtual_board(args, a),
        BoardCommand::Status => status(args),
        BoardCommand::Selftest => self_test(args),
        BoardCommand::Demo => demo(args),
        BoardCommand::Register(a) => register(args, a),
        BoardCommand::Lookup(a) => lookup(args, a),
        BoardCommand::Deregister(a) => deregister(args, a),
        BoardCommand::Counters => counters(args),
        BoardCommand::Replay(a) => replayed(args, a),
    }
}

/// The object of a command: what it found, which port, and what happened on the line.
fn show(args: &BoardArgs, command: &str, link: Option<Stats>, mut found: Value, text: &str) {
    if !args.json {
        return output::line(text);
    }
    let head =
        json!({ "format": output::FORMAT, "command": command, "port": args.port, "link": link });
    if let (Value::Object(all), Value::Object(head)) = (&mut found, head) {
        all.extend(head);
    }
    output::json(&found);
}

fn virtual_board(args: &BoardArgs, a: &VirtualArgs) -> Result<Outcome> {
    let mut board = simulated()?;
    board.disturb((a.noise > 0).then(|| Noise::new(a.noise, a.seed)));
    let served = serve(board)?;
    let path = served.path().to_string();
    show(args, "virtual", None, json!({ "path": path }), &path);
    output::say("a simulated board is behind this port; stop it with Ctrl-C");
    while served.running() {
        std::thread::sleep(Duration::from_millis(200));
    }
    Err(Error::EngineFailed(
        "the simulated board has stopped".into(),
    ))
}

fn state(ack: &Ack) -> Value {
    json!({
        "hosted": ack.has(flag::HOSTED),
        "ready": ack.has(flag::READY),
        "testing": ack.has(flag::TESTING),
        "passed": ack.has(flag::PASSED),
        "failed": ack.has(flag::FAILED),
        "waiting": ack.has(flag::WAITING),
        "script_at": ack.at,
        "bad_frames": ack.bad,
        "refused_frames": ack.refused,
        "resends": ack.resent,
    })
}

fn tested(ack: &Ack) -> &'static str {
    match (
        ack.has(flag::PASSED),
        ack.has(flag::FAILED),
        ack.has(flag::TESTING),
    ) {
        (true, false, false) => "passed",
        (false, true, false) => "failed",
        (_, _, true) => "running",
        _ => "not run",
    }
}

fn status(args: &BoardArgs) -> Result<Outcome> {
    let board = Board::new(args)?;
    let mut link = board.link()?;
    let ack = link.status().map_err(|e| board.wrong(e.into()))?;
    let text = format!(
        "protocol {}; core {}; self-test {}; link {}; frames: {} bad, {} refused, {} sent again (modulo 256)",
        ack.version,
        if ack.has(flag::READY) { "ready" } else { "in reset" },
        tested(&ack),
        if ack.has(flag::HOSTED) { "open" } else { "closed" },
        ack.bad,
        ack.refused,
        ack.resent
    );
    show(
        args,
        "status",
        Some(link.stats()),
        json!({ "state": state(&ack), "version": ack.version }),
        &text,
    );
    Ok(Outcome::OK)
}

fn self_test(args: &BoardArgs) -> Result<Outcome> {
    let board = Board::new(args)?;
    board.forget();
    let mut link = board.link()?;
    let ack = link.self_test().map_err(|e| board.wrong(e.into()))?;
    let text = match tested(&ack) {
        "failed" => format!(
            "self-test failed at byte {} of its script (docs/board.md)",
            ack.at
        ),
        word => format!("self-test {word}"),
    };
    let passed = ack.has(flag::PASSED);
    show(
        args,
        "selftest",
        Some(link.stats()),
        json!({ "passed": passed, "state": state(&ack) }),
        &text,
    );
    Ok(Outcome::check(passed))
}

/// The same name as in a trace, in JSON.
fn named<T: serde::de::DeserializeOwned>(what: &str, text: &str, known: &str) -> Result<T> {
    serde_json::from_value(Value::String(text.into())).map_err(|_| Error::Usage {
        what: format!("unknown {what} `{text}`"),
        mend: format!("one of {known}"),
    })
}

fn word(value: impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(text)) => text,
        other => format!("{other:?}"),
    }
}

fn rights(names: &[String]) -> Result<u32> {
    names.iter().try_fold(0, |all, name| {
        let bit = access::named(name).ok_or_else(|| Error::Usage {
            what: format!("unknown right `{name}`"),
            mend: "local_write, remote_write, remote_read, remote_atomic, mw_bind, zero_based, on_demand, hugetlb, flush_global, flush_persistent".into(),
        })?;
        Ok(all | bit)
    })
}

/// The registration asked for, its MTT words at `base`.
fn region(a: &RegisterArgs, base: u64) -> Result<Register> {
    let page = match a.page.as_str() {
        "4k" => PageSize::K4,
        "64k" => PageSize::K64,
        "2m" => PageSize::M2,
        "1g" => PageSize::G1,
        "contiguous" => PageSize::Contiguous,
        other => {
            return Err(Error::Usage {
                what: format!("unknown page size `{other}`"),
                mend: "4k, 64k, 2m, 1g or contiguous".into(),
            })
        }
    };
    let shift = page.shift();
    let pages = shift.map_or(0, |s| {
        ((a.iova & ((1 << s) - 1)).saturating_add(a.length)).div_ceil(1 << s)
    });
    let list = match (shift, a.frames.as_slice()) {
        (None, _) => PageList::default(),
        (Some(s), [base]) => PageList::Run {
            base: *base,
            stride: 1 << s,
            count: pages,
            set: vec![],
        },
        (_, frames) if frames.len() as u64 == pages => {
            PageList::List(frames.iter().map(|f| Entry::page(*f)).collect())
        }
        (_, frames) => {
            return Err(Error::Usage {
                what: format!(
                    "{} frames are given, the range needs {pages} pages",
                    frames.len()
                ),
                mend: "give --frame once a page, or once for pages that follow one another".into(),
            })
        }
    };
    Ok(Register {
        pd: a.pd,
        iova: a.iova,
        length: a.length,
        access: rights(&a.access)?,
        page,
        base: shift.map_or(a.frames[0], |_| base),
        pages,
        list,
    })
}

fn register(args: &BoardArgs, a: &RegisterArgs) -> Result<Outcome> {
    region(a, 0)?;
    let board = Board::new(args)?;
    let mut host = board.session(false)?;
    // the whole MTT is one window of every domain; words are handed out one region after the other
    let used: u64 = host
        .session()
        .history
        .iter()
        .map(|(b, _)| {
            if let Body::Register(r) = b {
                r.pages
            } else {
                0
            }
        })
        .sum();
    let spec = region(a, used)?;
    let window = Body::PdWindow {
        pd: a.pd,
        base: 0,
        words: (1 << host.model.params.pages_bits) - 1,
    };
    let mut answer = host.command(window).map_err(|e| board.wrong(e))?;
    if answer.code == Code::Ok {
        answer = host
            .command(Body::Register(spec))
            .map_err(|e| board.wrong(e))?;
    }
    board.keep(&host)?;
    let ok = answer.code == Code::Ok;
    let text = match ok {
        true => format!("lkey {:#010x}  rkey {:#010x}", answer.lkey, answer.rkey),
        false => format!("refused: {}", word(answer.code)),
    };
    let found = json!({ "code": word(answer.code), "lkey": answer.lkey, "rkey": answer.rkey });
    show(args, "register", Some(host.link.stats()), found, &text);
    Ok(Outcome::check(ok))
}

fn lookup(args: &BoardArgs, a: &LookupArgs) -> Result<Outcome> {
    let op = named(
        "operation",
        &a.op,
        "read, write, atomic, atomic_write, flush_global, flush_persistent, local_read, local_write, bind",
    )?;
    let board = Board::new(args)?;
    let mut host = board.session(false)?;
    let ask = Lookup {
        side_remote: !a.local,
        op,
        ..Lookup::read(a.pd, a.key, a.va, a.len)
    };
    let reply = host.lookup(&ask).map_err(|e| board.wrong(e))?;
    board.keep(&host)?;
    let mut text = match reply.verdict.granted {
        true => "granted".to_string(),
        false => format!(
            "refused: {}, {}",
            word(reply.verdict.cause),
            word(reply.verdict.class)
        ),
    };
    for s in &reply.segments {
        text += &format!("\n{:#012x}  {} bytes  {}", s.pa, s.len, word(s.status));
    }
    let found = json!({ "granted": reply.verdict.granted, "verdict": reply.verdict, "segments": reply.segments });
    show(args, "lookup", Some(host.link.stats()), found, &text);
    Ok(Outcome::OK)
}

fn deregister(args: &BoardArgs, a: &DeregisterArgs) -> Result<Outcome> {
    let mode: Mode = named("mode", &a.mode, "cut, drain, contract")?;
    let board = Board::new(args)?;
    let mut host = board.session(false)?;
    let answer = host
        .command(Body::Deregister { key: a.key, mode })
        .map_err(|e| board.wrong(e))?;
    board.keep(&host)?;
    let text = word(answer.code);
    show(
        args,
        "deregister",
        Some(host.link.stats()),
        json!({ "code": text }),
        &text,
    );
    Ok(Outcome::check(answer.code == Code::Ok))
}

fn counters(args: &BoardArgs) -> Result<Outcome> {
    let board = Board::new(args)?;
    let mut host = board.session(false)?;
    let mut found = serde_json::Map::new();
    for (addr, (name, _)) in (csr::COUNTERS_AT..).zip(csr::COUNTERS) {
        let value = host.register(addr).map_err(|e| board.wrong(e))?;
        found.insert(name.to_string(), value.into());
    }
    board.keep(&host)?;
    let text: Vec<String> = found.iter().map(|(n, v)| format!("{v:>10}  {n}")).collect();
    show(
        args,
        "counters",
        Some(host.link.stats()),
        json!({ "counters": found }),
        &text.join("\n"),
    );
    Ok(Outcome::OK)
}

fn replayed(args: &BoardArgs, a: &ReplayArgs) -> Result<Outcome> {
    let text = std::fs::read_to_string(&a.file).map_err(|source| Error::File {
        what: "read",
        path: a.file.clone(),
        source,
    })?;
    let lines = text
        .lines()
        .filter(|l| !l.trim().is_empty() && !l.starts_with('#'))
        .count();
    let board = Board::new(args)?;
    let mut host = board.session(true)?;
    let progress = Progress::new(lines as u64);
    let done = replay(&mut host, &a.file.display().to_string(), &text, |n| {
        progress.at(n)
    })
    .map_err(|e| board.wrong(e))?;
    drop(progress);
    board.keep(&host)?;
    let text = format!(
        "{} lookups: {} granted, {} segments; refused: {:?}; {} commands: {:?}; {} answers held against the model, no mismatch",
        done.lookups, done.grants, done.segments, done.refusals, done.commands, done.answers, host.checks
    );
    let mut found = serde_json::to_value(&done).expect("plain data");
    found["checks"] = host.checks.into();
    found["mismatches"] = 0.into();
    show(args, "replay", Some(host.link.stats()), found, &text);
    Ok(Outcome::OK)
}

/// The main job in small, told step by step.
fn demo(args: &BoardArgs) -> Result<Outcome> {
    let board = Board::new(args)?;
    let mut host = board.session(true)?;
    let mut steps: Vec<Value> = Vec::new();
    let mut good = true;
    let mut note = |what: &str, got: String, right: bool, full: Value| {
        good &= right;
        if !args.json {
            output::line(&format!("{:<58} {got}", what));
        }
        steps.push(json!({ "step": what, "got": got, "right": right, "full": full }));
    };
    let window = Body::PdWindow {
        pd: 1,
        base: 0,
        words: 64,
    };
    let answer = host.command(window).map_err(|e| board.wrong(e))?;
    note(
        "window of domain 1: MTT words 0 to 63",
        word(answer.code),
        answer.code == Code::Ok,
        json!(answer),
    );
    let frames = [0x8000_0000_u64, 0x1_2345_6000, 0x9_0000_1000];
    let spec = Register {
        pd: 1,
        iova: 0x7f00_0000_0800,
        length: 0x2000,
        access: access::LOCAL_WRITE | access::REMOTE_READ | access::REMOTE_WRITE,
        page: PageSize::K4,
        base: 0,
        pages: 3,
        list: PageList::List(frames.map(Entry::page).to_vec()),
    };
    let keys = host
        .command(Body::Register(spec.clone()))
        .map_err(|e| board.wrong(e))?;
    note(
        "register 8 KiB at 0x7f0000000800, three pages",
        format!("{}, rkey {:#010x}", word(keys.code), keys.rkey),
        keys.code == Code::Ok,
        json!(keys),
    );
    let ask = |va: u64, len: u32, key: u32| Lookup::read(1, key, va, len);
    let inside = ask(spec.iova + 0x7f0, 0x1020, keys.rkey);
    for (what, lookup, granted) in [
        ("read 0x1020 bytes across all three", inside, true),
        ("the same once more, now from the caches", inside, true),
        (
            "read one byte beyond its end",
            ask(spec.iova + 0x1ff0, 0x11, keys.rkey),
            false,
        ),
        (
            "read with the local key",
            ask(spec.iova, 16, keys.lkey),
            false,
        ),
    ] {
        let reply = host.lookup(&lookup).map_err(|e| board.wrong(e))?;
        let v = reply.verdict;
        let got = match v.granted {
            true => reply
                .segments
                .iter()
                .map(|s| format!("{:#x}+{:#x}", s.pa, s.len))
                .collect::<Vec<_>>()
                .join(" "),
            false => format!("refused: {}", word(v.cause)),
        };
        note(
            what,
            got,
            v.granted == granted,
            json!({ "verdict": v, "segments": reply.segments }),
        );
    }
    let end = Body::Deregister {
        key: keys.lkey,
        mode: Mode::Cut,
    };
    let answer = host.command(end).map_err(|e| board.wrong(e))?;
    note(
        "deregister it",
        word(answer.code),
        answer.code == Code::Ok,
        json!(answer),
    );
    let reply = host.lookup(&inside).map_err(|e| board.wrong(e))?;
    let got = format!("refused: {}", word(reply.verdict.cause));
    note(
        "read with the old key",
        got,
        !reply.verdict.granted,
        json!({ "verdict": reply.verdict }),
    );
    board.forget();
    let stats = host.link.stats();
    let served = host.link.tables.served;
    let text = format!(
        "tables served by this host: {} reads, {} writes, {} words; {} answers held against the model, no mismatch",
        served.0,
        served.1,
        host.link.tables.written(),
        host.checks
    );
    let found = json!({
        "steps": steps, "passed": good, "checks": host.checks, "mismatches": 0,
        "tables": { "reads": served.0, "writes": served.1, "words": host.link.tables.written() },
    });
    show(args, "demo", Some(stats), found, &text);
    Ok(Outcome::check(good))
}
