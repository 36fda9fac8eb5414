//! The meaning of a form, in double.

use backsweep_core::model::{FloatPredicate, IntPredicate};
use backsweep_core::rules::{BinaryOp, Condition, Expr, OperandKind, Row};
// Linked for `bs_rt_digamma`.
use backsweep_rt as _;

use crate::reference;

/// Operands and results of one evaluation of a row's function.
pub struct Point<'a> {
    row: &'a Row,
    x: Vec<f64>,
    y: Vec<f64>,
}

impl<'a> Point<'a> {
    /// The results are what the C library computes in double, as a program would.
    pub fn new(row: &'a Row, x: &[f64]) -> Point<'a> {
        Point { row, x: x.to_vec(), y: reference::value(row.name, x) }
    }
}

pub fn evaluate(form: &Expr, point: &Point, d: f64) -> f64 {
    Evaluation { point, d }.real(form)
}

struct Evaluation<'a> {
    point: &'a Point<'a>,
    d: f64,
}

impl Evaluation<'_> {
    fn real(&self, expr: &Expr) -> f64 {
        match expr {
            Expr::X(i) => self.point.x[*i as usize],
            Expr::Y(k) => self.point.y[*k as usize],
            Expr::D(_) => self.d,
            Expr::Number(value) => *value,
            Expr::Named(constant) => constant.value(),
            Expr::Neg(inner) => -self.real(inner),
            Expr::Binary(op, left, right) => {
                let (left, right) = (self.real(left), self.real(right));
                match op {
                    BinaryOp::Add => left + right,
                    BinaryOp::Sub => left - right,
                    BinaryOp::Mul => left * right,
                    BinaryOp::Div => left / right,
                }
            }
            Expr::Call(name, arguments) => {
                let arguments: Vec<f64> = arguments.iter().map(|argument| self.real(argument)).collect();
                call(name, &arguments)
            }
            Expr::If { test, yes, no } => self.real(if self.holds(test) { yes } else { no }),
            Expr::Real(inner) => self.int(inner) as f64,
            Expr::Convert(inner) => self.real(inner),
        }
    }

    /// Integers wrap as the machine's do; every one in the samples is exact as a double too.
    fn int(&self, expr: &Expr) -> i64 {
        match expr {
            Expr::X(i) => {
                assert_eq!(self.point.row.operands[*i as usize], OperandKind::Int);
                self.point.x[*i as usize] as i64
            }
            Expr::Y(k) => self.point.y[*k as usize] as i64,
            Expr::Number(value) => *value as i64,
            Expr::Neg(inner) => self.int(inner).wrapping_neg(),
            Expr::Binary(BinaryOp::Add, left, right) => self.int(left).wrapping_add(self.int(right)),
            Expr::Binary(BinaryOp::Sub, left, right) => self.int(left).wrapping_sub(self.int(right)),
            Expr::Binary(BinaryOp::Mul, left, right) => self.int(left).wrapping_mul(self.int(right)),
            other => panic!("the check of kinds let {other:?} stand for an integer"),
        }
    }

    fn holds(&self, test: &Condition) -> bool {
        match test {
            Condition::Operand(i) => self.point.x[*i as usize] != 0.0,
            Condition::Float(predicate, left, right) => {
                let (left, right) = (self.real(left), self.real(right));
                match predicate {
                    FloatPredicate::Oeq => left == right,
                    FloatPredicate::Une => left != right,
                    FloatPredicate::Olt => left < right,
                    FloatPredicate::Ole => left <= right,
                    FloatPredicate::Ogt => left > right,
                    FloatPredicate::Oge => left >= right,
                    other => panic!("no form can be written with {other:?}"),
                }
            }
            Condition::Int(predicate, left, right) => {
                let (left, right) = (self.int(left), self.int(right));
                match predicate {
                    IntPredicate::Eq => left == right,
                    IntPredicate::Ne => left != right,
                    IntPredicate::Slt => left < right,
                    IntPredicate::Sle => left <= right,
                    IntPredicate::Sgt => left > right,
                    IntPredicate::Sge => left >= right,
                    other => panic!("no form can be written with {other:?}"),
                }
            }
            Condition::And(left, right) => self.holds(left) && self.holds(right),
            Condition::Or(left, right) => self.holds(left) || self.holds(right),
        }
    }
}

fn call(name: &str, arguments: &[f64]) -> f64 {
    unsafe extern "C" {
        fn bs_rt_digamma(x: f64) -> f64;
    }
    if name == "digamma" {
        // SAFETY: a function of one number, defined in our runtime with this signature.
        return unsafe { bs_rt_digamma(arguments[0]) };
    }
    reference::value(name, arguments)[0]
}
