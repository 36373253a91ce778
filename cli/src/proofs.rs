// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `prove` and `mutate` share: the proofs asked for, as jobs for the runner; several at once.

use crate::configs;
use crate::error::{Error, Result};
use latchkey_bsp::prove::Job;
use latchkey_hdl::ConfigInfo;
use latchkey_testbench::proofs::{self, Proof, Sources};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

/// The proofs this program was built with, or those of a folder.
pub fn sources(folder: Option<&Path>) -> Result<Sources> {
    match folder {
        None => Ok(Sources::built_in()),
        Some(folder) => Sources::folder(folder).map_err(|e| Error::Usage {
            what: e.to_string(),
            mend: "--from names a folder like testbench/proofs".into(),
        }),
    }
}

/// The proofs of these names; of no names: those that `wanted` takes.
pub fn chosen(
    sources: &Sources,
    names: &[String],
    wanted: impl Fn(&Proof) -> bool,
) -> Result<Vec<Proof>> {
    let all = sources.list.clone();
    if names.is_empty() {
        return Ok(all.into_iter().filter(wanted).collect());
    }
    names
        .iter()
        .map(|name| {
            all.iter()
                .find(|p| p.name == *name)
                .cloned()
                .ok_or_else(|| Error::Usage {
                    what: format!("unknown proof `{name}`"),
                    mend: format!(
                        "proofs: {}",
                        all.iter()
                            .map(|p| p.name.as_str())
                            .collect::<Vec<_>>()
                            .join(", ")
                    ),
                })
        })
        .collect()
}

/// Jobs on the cores as they are exported now.
pub fn jobs(
    sources: &Sources,
    chosen: &[Proof],
    depth: Option<u32>,
    limit: Duration,
) -> Result<Vec<Job>> {
    let mut cores: BTreeMap<&str, (&ConfigInfo, String)> = BTreeMap::new();
    for proof in chosen {
        if !cores.contains_key(proof.config.as_str()) {
            let config = configs::find(&proof.config)?;
            let (core, _) = configs::verilog(config, configs::module(config, "core")?)?;
            cores.insert(&proof.config, (config, core));
        }
    }
    chosen
        .iter()
        .map(|proof| {
            let (config, core) = &cores[proof.config.as_str()];
            let design = proofs::model(core, &proof.one_address, &proof.shown)
                .and_then(|text| proofs::freed(&text, &proof.free))
                .map_err(|e| Error::Design(e.to_string()))?;
            let mut files = vec![
                ("design.v".to_string(), design),
                ("constants.svh".to_string(), proofs::constants(config)),
            ];
            files.extend(sources.files(proof));
            Ok(Job {
                name: proof.name.clone(),
                module: proof.module().to_string(),
                files,
                base: depth.unwrap_or(proof.base).max(proof.induction),
                induction: proof.induction,
                apart: proof.apart,
                cover: proof.cover,
                instances: proof.instances.clone(),
                except: proof.except.clone(),
                limit,
            })
        })
        .collect()
}

/// `work` for every item, some at once; results in the order of the items, the first error ends it.
pub fn parallel<T: Sync, R: Send>(
    items: &[T],
    at_once: u64,
    work: impl Fn(&T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let next = Mutex::new(0..items.len());
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..at_once.max(1) {
            scope.spawn(|| loop {
                let Some(n) = next.lock().expect("no panic").next() else {
                    break;
                };
                let result = work(&items[n]);
                if result.is_err() {
                    *next.lock().expect("no panic") = 0..0;
                }
                results.lock().expect("no panic").push((n, result));
            });
        }
    });
    let mut results = results.into_inner().expect("no panic");
    results.sort_by_key(|(n, _)| *n);
    results.into_iter().map(|(_, r)| r).collect()
}
