// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds expressions whose exported Verilog may differ from the Rust simulation.
//!
//! `#[hdl_gen]` turns the text of a Rust expression into Verilog text: no parentheses are added, bare integers
//! become 32 bits wide and casts become masks. So precedence, carries and complements can come out differently.
//! The lint walks the syntax tree of every block; a clean result is necessary, not sufficient (the export gate
//! runs both sides against each other as well).

mod expr;
mod scope;

use rust_hdl::prelude::ast::{VerilogBlockOrConditional as Else, VerilogStatement as Stmt};
use rust_hdl::prelude::*;
use scope::Scope;
use std::collections::BTreeSet;

/// Findings in `block` and everything below it, one line each; empty when nothing is suspicious.
pub fn lint(block: &dyn Block) -> Vec<String> {
    let mut walker = Walker::default();
    block.accept("top", &mut walker);
    walker.found
}

#[derive(Default)]
struct Walker {
    path: Vec<String>,
    scopes: Vec<Scope>,
    found: Vec<String>,
}

impl Walker {
    fn statements(&mut self, scope: &mut Scope, list: &[Stmt]) {
        for one in list {
            self.statement(scope, one);
        }
    }

    fn report(&mut self, findings: Vec<&'static str>) {
        let at = self.path.join(".");
        self.found
            .extend(findings.into_iter().map(|text| format!("{at}: {text}")));
    }

    fn statement(&mut self, scope: &mut Scope, one: &Stmt) {
        match one {
            Stmt::Assignment(_, value)
            | Stmt::SliceAssignment {
                replacement: value, ..
            } => {
                self.report(expr::assigned(scope, value));
            }
            Stmt::If(cond) => {
                self.report(expr::nested(scope, &cond.test));
                self.statements(scope, &cond.then);
                match &cond.otherwise {
                    Else::Block(list) => self.statements(scope, list),
                    Else::Conditional(next) => self.statement(scope, next),
                    Else::None => {}
                }
            }
            Stmt::Match(choice) => {
                if !expr::is_atom(&choice.test) {
                    self.report(vec!["match on a computed value: stage it in a Local"]);
                }
                let mut seen = BTreeSet::new();
                for case in &choice.cases {
                    if !seen.insert(case.condition.clone()) {
                        self.report(vec!["one match pattern twice: a guard was dropped"]);
                    }
                    self.statements(scope, &case.block);
                }
            }
            Stmt::Loop(each) => {
                if scope.shadows(&each.index) {
                    self.report(vec![
                        "loop variable has the name of a signal or of an outer loop variable",
                    ]);
                }
                scope.loops.push(each.index.clone());
                self.statements(scope, &each.block);
                scope.loops.pop();
            }
            Stmt::Macro(list) => self.statements(scope, list),
            Stmt::Comment(_) | Stmt::Link(_) => {}
        }
    }
}

impl Probe for Walker {
    fn visit_start_scope(&mut self, name: &str, _: &dyn Block) {
        self.path.push(name.into());
        self.scopes.push(Scope::default());
    }

    fn visit_atom(&mut self, name: &str, atom: &dyn Atom) {
        let depth = self.scopes.len();
        let child = self.path.last().cloned().unwrap_or_default();
        if let Some(own) = self.scopes.last_mut() {
            own.declare(name, atom);
        }
        // The parent reads and writes the ports of its children as `child$port`.
        if depth > 1 {
            self.scopes[depth - 2].declare_child(&format!("{child}${name}"), atom);
        }
    }

    fn visit_end_scope(&mut self, _: &str, node: &dyn Block) {
        let mut scope = self.scopes.pop().unwrap_or_default();
        if let Verilog::Combinatorial(list) = node.hdl() {
            self.statements(&mut scope, &list);
        }
        self.path.pop();
    }
}

#[cfg(test)]
mod tests;
