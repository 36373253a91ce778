// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known about the names of one block.

use rust_hdl::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Width and nature of one signal.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub width: usize,
    pub signed: bool,
    pub constant: Option<usize>,
    /// An input of a child: the block writes it.
    pub driven: bool,
}

/// Names of one block and of the ports of its children.
#[derive(Default)]
pub(super) struct Scope {
    known: BTreeMap<String, Known>,
    own: BTreeSet<String>,
    /// Loop variables around the statement being looked at.
    pub loops: Vec<String>,
}

fn describe(atom: &dyn Atom) -> Known {
    let constant = (atom.kind() == AtomKind::Constant)
        .then(|| literal(&atom.verilog().to_string()).unwrap_or(0));
    Known {
        width: atom.bits(),
        signed: matches!(atom.descriptor().kind, TypeKind::Signed(_)),
        constant,
        driven: false,
    }
}

/// Value of a Verilog literal such as `8'h1f`, if it fits.
fn literal(text: &str) -> Option<usize> {
    match text.split_once("'h") {
        Some((_, hex)) => usize::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

impl Scope {
    pub fn declare(&mut self, name: &str, atom: &dyn Atom) {
        self.own.insert(name.into());
        self.known.insert(name.into(), describe(atom));
    }

    pub fn declare_child(&mut self, name: &str, atom: &dyn Atom) {
        let driven = matches!(atom.kind(), AtomKind::InputParameter);
        self.known.insert(
            name.into(),
            Known {
                driven,
                ..describe(atom)
            },
        );
    }

    /// A loop variable of this name would hide something.
    pub fn shadows(&self, name: &str) -> bool {
        self.own.contains(name) || self.loops.iter().any(|l| l == name)
    }

    pub fn is_loop(&self, name: &str) -> bool {
        self.loops.iter().any(|l| l == name)
    }

    /// A name as it stands in an expression; an array element stands for element 0.
    pub fn find(&self, name: &str) -> Option<Known> {
        let flat = name.trim_start_matches('.').replace("$next", "");
        let flat = match (flat.find('['), flat.find(']')) {
            (Some(open), Some(close)) => format!("{}$0{}", &flat[..open], &flat[close + 1..]),
            _ => flat,
        };
        self.known.get(&flat).copied()
    }
}
