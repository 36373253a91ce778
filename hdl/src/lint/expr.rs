// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rules for expressions.

use super::scope::Scope;
use rust_hdl::prelude::ast::{VerilogExpression as Expr, VerilogOp as Op, VerilogOpUnary as Unary};

const CAST: &str = "bit_cast of a computed value: carry, borrow or complement leaks into the wider width; stage it";
const READ_BACK: &str = "input of a child read back: Rust gives its value of the pass before, Verilog the one just written; stage it";
const INDEX: &str = "computed bit index: stage it";

/// Findings in the right-hand side of an assignment.
pub(super) fn assigned(scope: &Scope, e: &Expr) -> Vec<&'static str> {
    let mut rules = Rules {
        scope,
        found: vec![],
    };
    rules.top(e);
    rules.read_back(e);
    rules.found
}

/// Findings in an expression inside something else (a condition).
pub(super) fn nested(scope: &Scope, e: &Expr) -> Vec<&'static str> {
    let mut rules = Rules {
        scope,
        found: vec![],
    };
    rules.inner(e);
    rules.read_back(e);
    rules.found
}

fn bare(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(x) => bare(x),
        _ => e,
    }
}

/// A signal, one of its bits or a slice of it: its width is its own.
pub(super) fn is_atom(e: &Expr) -> bool {
    match bare(e) {
        Expr::Signal(_) | Expr::Index(..) => true,
        Expr::Slice(of, ..) => matches!(bare(of), Expr::Signal(_)),
        _ => false,
    }
}

fn compares(op: &Op) -> bool {
    matches!(op, Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge)
}

fn bitwise(op: &Op) -> bool {
    matches!(op, Op::BitAnd | Op::BitOr | Op::BitXor)
}

/// The result is one bit wide whatever stands around it.
fn one_bit(e: &Expr) -> bool {
    match bare(e) {
        Expr::Binary(_, op, _) => compares(op) || matches!(op, Op::LogicalAnd | Op::LogicalOr),
        Expr::Unary(op, _) => matches!(op, Unary::All | Unary::Any | Unary::Xor),
        Expr::Index(..) => true,
        _ => false,
    }
}

struct Rules<'a> {
    scope: &'a Scope,
    found: Vec<&'static str>,
}

impl Rules<'_> {
    fn say(&mut self, broken: bool, text: &'static str) {
        if broken {
            self.found.push(text);
        }
    }

    fn width(&self, e: &Expr) -> Option<usize> {
        match bare(e) {
            Expr::Signal(name) => self.scope.find(name).map(|k| k.width),
            Expr::Slice(_, width, _) => Some(*width),
            Expr::Index(..) => Some(1),
            Expr::Cast(_, width) => Some(*width),
            Expr::Signed(x) | Expr::Unsigned(x) => self.width(x),
            _ => None,
        }
    }

    fn signed(&self, e: &Expr) -> bool {
        match bare(e) {
            Expr::Signal(name) => self.scope.find(name).is_some_and(|k| k.signed),
            Expr::Signed(_) | Expr::Unary(Unary::Neg, _) => true,
            Expr::Binary(left, op, _) => !compares(op) && self.signed(left),
            _ => false,
        }
    }

    fn read_back(&mut self, e: &Expr) {
        match e {
            Expr::Signal(name) => {
                self.say(self.scope.find(name).is_some_and(|k| k.driven), READ_BACK)
            }
            Expr::Literal(_) => {}
            Expr::Paren(x)
            | Expr::Cast(x, _)
            | Expr::Signed(x)
            | Expr::Unsigned(x)
            | Expr::Unary(_, x) => self.read_back(x),
            Expr::Index(of, at) | Expr::Slice(of, _, at) => {
                [of, at].into_iter().for_each(|x| self.read_back(x))
            }
            Expr::IndexReplace(of, at, value) => {
                [of, at, value].into_iter().for_each(|x| self.read_back(x))
            }
            Expr::Binary(left, _, right) => {
                [left, right].into_iter().for_each(|x| self.read_back(x))
            }
        }
    }

    fn number(&self, e: &Expr) -> bool {
        match bare(e) {
            Expr::Literal(_) => true,
            Expr::Signal(name) => self.scope.is_loop(name),
            Expr::Cast(x, _) => self.number(x),
            _ => false,
        }
    }

    fn fixed_index(&self, e: &Expr) -> bool {
        match bare(e) {
            Expr::Binary(left, _, right) => self.fixed_index(left) && self.fixed_index(right),
            other => matches!(other, Expr::Literal(_)) || self.number(other),
        }
    }

    /// A chain of + - & | ^ that is the whole right-hand side may hold bare literals.
    fn top(&mut self, e: &Expr) {
        match e {
            Expr::Paren(x) => self.top(x),
            Expr::Literal(_) => {}
            Expr::Cast(x, _) => {
                self.say(!is_atom(x) && !one_bit(x) && !self.number(x), CAST);
                self.inner(x);
            }
            Expr::Binary(left, op, right) if bitwise(op) || matches!(op, Op::Add | Op::Sub) => {
                self.binding(left, op, right);
                self.top(left);
                self.top(right);
            }
            _ => self.inner(e),
        }
    }

    fn binding(&mut self, left: &Expr, op: &Op, right: &Expr) {
        let any = |test: fn(&Op) -> bool| {
            [left, right]
                .iter()
                .any(|x| matches!(x, Expr::Binary(_, o, _) if test(o)))
        };
        let mixed = (compares(op) && any(bitwise)) || (bitwise(op) && any(compares));
        self.say(mixed, "bit operator beside a comparison without parentheses: Verilog binds them the other way");
    }

    fn inner(&mut self, e: &Expr) {
        match e {
            Expr::Signal(_) | Expr::Literal(_) => {}
            Expr::Paren(x) => self.inner(x),
            Expr::Cast(x, width) => {
                let narrows = self.width(x).is_some_and(|w| w > *width);
                self.say(
                    narrows,
                    "narrowing bit_cast inside an expression: use get_bits",
                );
                self.say(!is_atom(x) && !one_bit(x) && !self.number(x), CAST);
                self.inner(x);
            }
            Expr::Signed(x) | Expr::Unsigned(x) => {
                let twice = matches!(e, Expr::Signed(_)) && self.signed(x);
                self.say(twice, "signed cast of a signed value does not narrow");
                let plain = is_atom(x) || matches!(bare(x), Expr::Signed(_) | Expr::Unsigned(_));
                self.say(!plain, "signed cast of a computed value");
                self.inner(x);
            }
            Expr::Unary(op, x) => {
                let reduces = matches!(op, Unary::All | Unary::Any | Unary::Xor);
                self.say(
                    reduces && matches!(bare(x), Expr::Cast(..)),
                    "reduction of a bit_cast",
                );
                self.inner(x);
            }
            Expr::Index(of, at) => self.slice(of, 1, at),
            Expr::Slice(of, width, at) => self.slice(of, *width, at),
            Expr::IndexReplace(of, at, value) => {
                self.say(!is_atom(of), "replace_bit on an expression: stage it");
                self.say(
                    matches!(bare(value), Expr::Unary(Unary::Not, _)),
                    "replace_bit with a complement: stage it",
                );
                self.say(!is_atom(at) && !self.fixed_index(at), INDEX);
                self.inner(value);
            }
            Expr::Binary(left, op, right) => self.binary(left, op, right),
        }
    }

    fn slice(&mut self, of: &Expr, width: usize, at: &Expr) {
        let highest = match bare(at) {
            Expr::Literal(l) => Some(l.as_usize()),
            Expr::Signal(name) if !self.scope.is_loop(name) => self
                .scope
                .find(name)
                .map(|k| k.constant.unwrap_or((1usize << k.width.min(40)) - 1)),
            _ => None,
        };
        let past = matches!((self.width(of), highest), (Some(w), Some(h)) if h + width > w);
        self.say(
            past,
            "slice may reach past the end: 0 in Rust, X in Verilog",
        );
        self.say(
            !matches!(of, Expr::Signal(_)),
            "get_bit(s) of something that is not a signal: stage it",
        );
        self.say(!is_atom(at) && !self.fixed_index(at), INDEX);
    }

    fn binary(&mut self, left: &Expr, op: &Op, right: &Expr) {
        self.binding(left, op, right);
        match op {
            Op::Shl | Op::Shr => {
                self.say(
                    !self.number(right) && !is_atom(right),
                    "computed shift amount: stage it",
                );
                self.say(self.number(left), "shift of a literal");
                self.inner(left);
                return;
            }
            Op::LogicalAnd | Op::LogicalOr => {}
            _ if compares(op) => {
                for (one, other) in [(left, right), (right, left)] {
                    let number = self.number(other);
                    self.say(
                        self.signed(one) && number,
                        "signed value compared with a literal: becomes unsigned",
                    );
                    self.say(
                        number && !is_atom(one),
                        "computed value compared with a literal: 32-bit context",
                    );
                    self.say(
                        matches!(bare(other), Expr::Unary(Unary::Neg, _)),
                        "comparison with a negative literal",
                    );
                }
            }
            _ => {
                let number = self.number(left) || self.number(right);
                self.say(
                    number,
                    "literal inside an expression widens it to 32 bits: use a Constant or stage",
                );
            }
        }
        self.inner(left);
        self.inner(right);
    }
}
