// SPDX-License-Identifier: MIT OR Apache-2.0
//! Build script only: finds the blocks under `rtl/` and writes port access and the registry for them.
//!
//! A block is a struct that derives `LogicBlock`; its ports are its `Signal<In, _>` and `Signal<Out, _>` fields.
//! A block with generics gets access but no place in the registry: name a concrete one in `rtl/concrete.rs`.

use quote::ToTokens;
use std::fmt::Write as _;
use std::path::Path;
use syn::{Fields, GenericArgument, Item, ItemStruct, PathArguments, Type};

/// One port field.
struct Field {
    name: String,
    input: bool,
    value: String,
    /// Length of an array of signals.
    array: Option<String>,
}

/// Source of the access code of one configuration, the same for all.
pub fn access(rtl: &Path) -> Result<String, String> {
    let mut files: Vec<_> = std::fs::read_dir(rtl)
        .map_err(|e| e.to_string())?
        .flatten()
        .map(|e| e.path())
        .collect();
    files.sort();
    let mut out = String::from("    #[allow(unused_parens)]\n    mod access {\n    use super::rtl;\n    use super::rtl::prelude::*;\n    use crate::ports::{Dir, Port, PortAccess, PortValue};\n");
    let mut modules: Vec<(String, String)> = Vec::new();
    let mounted = mounted(&rtl.join("mod.rs"))?;
    for file in files
        .iter()
        .filter(|f| f.extension().is_some_and(|x| x == "rs"))
    {
        let stem = file
            .file_stem()
            .and_then(|s| s.to_str())
            .unwrap_or_default()
            .to_string();
        if !mounted.contains(&stem) {
            continue;
        }
        let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
        let parsed = syn::parse_file(&text).map_err(|e| format!("{}: {e}", file.display()))?;
        let place = if stem == "mod" {
            "rtl".to_string()
        } else {
            format!("rtl::{stem}")
        };
        for item in &parsed.items {
            match item {
                Item::Struct(s) if public(s) && derives(s, "LogicBlock") => {
                    block(&mut out, &place, s);
                    if s.generics.params.is_empty() {
                        modules
                            .push((snake(&s.ident.to_string()), format!("{place}::{}", s.ident)));
                    }
                }
                Item::Struct(s) if public(s) && derives(s, "LogicStruct") => {
                    composite(&mut out, &place, s)
                }
                Item::Type(t) if stem == "concrete" => {
                    modules.push((snake(&t.ident.to_string()), format!("{place}::{}", t.ident)));
                }
                _ => {}
            }
        }
    }
    out.push_str("    }\n    pub const MODULES: &[crate::Module] = &[");
    modules.sort();
    for (name, path) in &modules {
        let _ = write!(
            out,
            "crate::Module {{ name: {name:?}, make: || Box::new({path}::default()) }}, "
        );
    }
    out.push_str("];\n");
    Ok(out)
}

/// Names of the files `mod.rs` mounts, and itself.
fn mounted(file: &Path) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let parsed = syn::parse_file(&text).map_err(|e| format!("{}: {e}", file.display()))?;
    let names = parsed.items.iter().filter_map(|i| match i {
        Item::Mod(m) if m.content.is_none() => Some(m.ident.to_string()),
        _ => None,
    });
    Ok(names.chain(["mod".to_string()]).collect())
}

fn public(item: &ItemStruct) -> bool {
    matches!(item.vis, syn::Visibility::Public(_))
}

fn derives(item: &ItemStruct, what: &str) -> bool {
    item.attrs
        .iter()
        .any(|a| a.path().is_ident("derive") && a.to_token_stream().to_string().contains(what))
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    for (i, c) in name.chars().enumerate() {
        if c.is_ascii_uppercase() && i > 0 {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

/// `Signal<In, T>` as (is input, T).
fn signal(ty: &Type) -> Option<(bool, String)> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|s| s.ident == "Signal")?;
    let PathArguments::AngleBracketed(args) = &last.arguments else {
        return None;
    };
    let types: Vec<String> = args
        .args
        .iter()
        .filter(|a| matches!(a, GenericArgument::Type(_)))
        .map(|a| a.to_token_stream().to_string())
        .collect();
    match types.first()?.as_str() {
        "In" => Some((true, types.get(1)?.clone())),
        "Out" => Some((false, types.get(1)?.clone())),
        _ => None,
    }
}

fn fields(item: &ItemStruct) -> Vec<Field> {
    let Fields::Named(named) = &item.fields else {
        return vec![];
    };
    named
        .named
        .iter()
        .filter_map(|f| {
            let name = f.ident.as_ref()?.to_string();
            let (ty, array) = match &f.ty {
                Type::Array(a) => (&*a.elem, Some(a.len.to_token_stream().to_string())),
                other => (other, None),
            };
            let (input, value) = signal(ty)?;
            Some(Field {
                name,
                input,
                value,
                array,
            })
        })
        .collect()
}

fn block(out: &mut String, place: &str, item: &ItemStruct) {
    let mut bounded = item.generics.clone();
    for param in bounded.type_params_mut() {
        param.bounds.push(syn::parse_quote!(PortValue));
    }
    let (generics, args, bounds) = bounded.split_for_impl();
    let (mut list, mut set, mut get) = (String::new(), String::new(), String::new());
    for f in fields(item) {
        let Field {
            name,
            input,
            value,
            array,
        } = f;
        let dir = if input { "In" } else { "Out" };
        let (label, at, count) = match &array {
            None => (
                format!("{name:?}.to_string()"),
                format!("self.{name}"),
                "1".to_string(),
            ),
            Some(n) => (
                format!("format!(\"{name}${{}}\", i)"),
                format!("self.{name}[index - first]"),
                format!("({n})"),
            ),
        };
        let _ = writeln!(list, "            for i in 0..{count} {{ let _ = i; all.push(Port {{ name: {label}, dir: Dir::{dir}, width: <{value} as Synth>::BITS }}); }}");
        let next = format!("            if index >= first && index < first + {count} {{");
        if input {
            let _ = writeln!(set, "{next} {at}.next = PortValue::from_words(words); return; }}\n            first += {count};");
        } else {
            let _ = writeln!(set, "            first += {count};");
        }
        // `next` of an input is what the bench gave it; `val()` of an output is its newest value.
        let _ = writeln!(
            get,
            "{next} {at}.next.to_words(words); return; }}\n            first += {count};"
        );
    }
    let _ = writeln!(
        out,
        "    impl {generics} PortAccess for {place}::{name} {args} {bounds} {{\n\
         \x20       fn ports(&self) -> Vec<Port> {{\n            let mut all = Vec::new();\n{list}            all\n        }}\n\
         \x20       fn set_input(&mut self, index: usize, words: &[u32]) {{\n            let mut first = 0;\n{set}            let _ = (first, words);\n            panic!(\"port {{index}} is not an input\");\n        }}\n\
         \x20       fn get_output(&self, index: usize, words: &mut [u32]) {{\n            let mut first = 0;\n{get}            let _ = (first, words);\n            panic!(\"no port {{index}}\");\n        }}\n    }}",
        generics = generics.to_token_stream(), args = args.to_token_stream(), bounds = bounds.to_token_stream(), name = item.ident,
    );
}

fn composite(out: &mut String, place: &str, item: &ItemStruct) {
    let Fields::Named(named) = &item.fields else {
        return;
    };
    let names: Vec<String> = named
        .named
        .iter()
        .filter_map(|f| f.ident.as_ref().map(ToString::to_string))
        .collect();
    let unpack: String = names
        .iter()
        .map(|n| format!("{n}: PortValue::unpack(words, at), "))
        .collect();
    let pack: String = names
        .iter()
        .map(|n| format!("self.{n}.pack(words, at); "))
        .collect();
    let _ = writeln!(
        out,
        "    impl PortValue for {place}::{name} {{\n\
         \x20       fn unpack(words: &[u32], at: &mut usize) -> Self {{ Self {{ {unpack}}} }}\n\
         \x20       fn pack(&self, words: &mut [u32], at: &mut usize) {{ {pack}}}\n    }}",
        name = item.ident,
    );
}
