//! The expressions rules are written in: partial derivatives over operands `x`, results `y` and the incoming `d`.
//!
//! Invariant: an expression in a [`Row`](super::Row) is linear in `d`, so the same form serves both modes:
//! reverse adds `form(d = adjoint of y)` to the adjoint of x, forward sums `form(d = tangent of x)` over operands.

use std::fmt;

use crate::model::{FloatPredicate, IntPredicate};

use super::number::NamedConstant;

#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// Operand `i`.
    X(u8),
    /// Result `k`; operations with one result have only `Y(0)`.
    Y(u8),
    /// In reverse the adjoint of result `k`; in forward mode the tangent of the operand the form belongs to.
    D(u8),
    /// A literal that every float format holds as closely as double does; an integer beside integer operands.
    Number(f64),
    /// A constant that needs the digits of the widest format.
    Named(NamedConstant),
    Neg(Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// A call of the function of another row, or of a helper, in the float type at hand.
    Call(String, Vec<Expr>),
    If {
        test: Condition,
        yes: Box<Expr>,
        no: Box<Expr>,
    },
    /// A signed integer as a float of the type at hand, splat over the lanes where that is a vector.
    Real(Box<Expr>),
    /// To the float type wanted: the operand's in reverse, the result's in forward mode.
    Convert(Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// A truth value among the operands.
    Operand(u8),
    Float(FloatPredicate, Box<Expr>, Box<Expr>),
    Int(IntPredicate, Box<Expr>, Box<Expr>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

/// A small set of operand or result numbers, in ascending order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Indices(u32);

/// Which values of the primal an expression reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Needs {
    pub operands: Indices,
    pub results: Indices,
}

impl Expr {
    /// The primal values read, wherever they stand, conditions included.
    pub fn needs(&self) -> Needs {
        let mut needs = Needs::default();
        self.visit(&mut |expr| match expr {
            Expr::X(i) => needs.operands.insert(*i),
            Expr::Y(k) => needs.results.insert(*k),
            _ => {}
        });
        self.visit_conditions(&mut |condition| {
            if let Condition::Operand(i) = condition {
                needs.operands.insert(*i);
            }
        });
        needs
    }

    /// Nothing flows: the derivative is zero everywhere it exists.
    pub fn is_zero(&self) -> bool {
        *self == Expr::Number(0.0)
    }

    /// Whether `d` stands anywhere in it.
    pub fn mentions_d(&self) -> bool {
        let mut found = false;
        self.visit(&mut |expr| found |= matches!(expr, Expr::D(_)));
        found
    }

    /// Whether `d` goes through arithmetic and choices alone, and into no function: then several of them, as a vector, go through it as one.
    pub fn is_plain_in_d(&self) -> bool {
        let mut plain = true;
        self.visit(&mut |expr| match expr {
            Expr::Call(_, arguments) => plain &= !arguments.iter().any(Expr::mentions_d),
            Expr::If { test, .. } => plain &= !test.mentions_d(),
            _ => {}
        });
        plain
    }

    /// The expression itself and every expression inside it, outer before inner.
    pub fn visit(&self, see: &mut dyn FnMut(&Expr)) {
        see(self);
        match self {
            Expr::X(_) | Expr::Y(_) | Expr::D(_) | Expr::Number(_) | Expr::Named(_) => {}
            Expr::Neg(inner) | Expr::Real(inner) | Expr::Convert(inner) => inner.visit(see),
            Expr::Binary(_, left, right) => {
                left.visit(see);
                right.visit(see);
            }
            Expr::Call(_, arguments) => arguments.iter().for_each(|argument| argument.visit(see)),
            Expr::If { test, yes, no } => {
                test.visit_expressions(see);
                yes.visit(see);
                no.visit(see);
            }
        }
    }

    pub fn visit_conditions(&self, see: &mut dyn FnMut(&Condition)) {
        self.visit(&mut |expr| {
            if let Expr::If { test, .. } = expr {
                test.visit(see);
            }
        });
    }
}

impl Condition {
    /// The condition itself and the conditions it joins.
    pub fn visit(&self, see: &mut dyn FnMut(&Condition)) {
        see(self);
        match self {
            Condition::Operand(_) | Condition::Float(..) | Condition::Int(..) => {}
            Condition::And(left, right) | Condition::Or(left, right) => {
                left.visit(see);
                right.visit(see);
            }
        }
    }

    fn mentions_d(&self) -> bool {
        let mut found = false;
        self.visit_expressions(&mut |expr| found |= matches!(expr, Expr::D(_)));
        found
    }

    fn visit_expressions(&self, see: &mut dyn FnMut(&Expr)) {
        self.visit(&mut |condition| match condition {
            Condition::Float(_, left, right) | Condition::Int(_, left, right) => {
                left.visit(see);
                right.visit(see);
            }
            Condition::Operand(_) | Condition::And(..) | Condition::Or(..) => {}
        });
    }
}

impl Indices {
    pub fn insert(&mut self, index: u8) {
        self.0 |= 1 << index;
    }

    pub fn contains(self, index: u8) -> bool {
        self.0 & (1 << index) != 0
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn union(self, other: Indices) -> Indices {
        Indices(self.0 | other.0)
    }

    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..32).filter(move |index| self.contains(*index))
    }
}

impl Needs {
    pub fn is_empty(self) -> bool {
        self.operands.is_empty() && self.results.is_empty()
    }

    pub fn union(self, other: Needs) -> Needs {
        Needs { operands: self.operands.union(other.operands), results: self.results.union(other.results) }
    }
}

impl fmt::Display for BinaryOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
        })
    }
}
