//! Whether a singular operation is away from where it is singular, so that its partial is finite wherever its operands are.
//!
//! A divisor that is a constant but zero, or the sum of a positive constant and of what is never negative: `1 + exp(-x)`.
//! Where the sum is infinite the partial is zero. Safe error: singular (costs a comparison, never truth).

use crate::analyses::meaning::{Meaning, meaning};
use crate::model::{Constant, FloatKind, FloatOp, Function, Op, Operand, Program};
use crate::rules::{Row, Rules};

/// Chains of sums and products beyond this are not followed.
const DEPTH: usize = 8;

pub struct Regular<'a> {
    pub function: &'a Function,
    pub program: &'a Program,
    pub rules: &'a Rules,
}

impl Regular<'_> {
    pub fn is_regular(&self, row: &Row, operands: &[Operand]) -> bool {
        row.name == "fdiv" && self.is_apart_from_zero(&operands[1])
    }

    fn is_apart_from_zero(&self, divisor: &Operand) -> bool {
        match value_of(divisor) {
            Some(value) => value.is_finite() && value.abs() > SMALL,
            None => self.is_positive(divisor, DEPTH),
        }
    }

    /// Above a positive number, or not a number.
    fn is_positive(&self, operand: &Operand, depth: usize) -> bool {
        if let Some(value) = value_of(operand) {
            return value.is_finite() && value > SMALL;
        }
        let Some(inst) = operand.value().and_then(|value| self.function.inst(value)).filter(|_| depth > 0)
        else {
            return false;
        };
        let [x, y] = inst.operands.as_slice() else { return false };
        let either =
            |a: &Operand, b: &Operand| self.is_positive(a, depth - 1) && self.is_never_negative(b, depth - 1);
        inst.op == Op::Float(FloatOp::Add) && (either(x, y) || either(y, x))
    }

    /// Zero or above, or not a number.
    fn is_never_negative(&self, operand: &Operand, depth: usize) -> bool {
        if let Some(value) = value_of(operand) {
            return value >= 0.0;
        }
        let Some(inst) = operand.value().and_then(|value| self.function.inst(value)).filter(|_| depth > 0)
        else {
            return false;
        };
        match (&inst.op, inst.operands.as_slice()) {
            (Op::Float(FloatOp::Mul), [x, y]) if x == y => true,
            (Op::Float(FloatOp::Mul | FloatOp::Add), [x, y]) => {
                self.is_never_negative(x, depth - 1) && self.is_never_negative(y, depth - 1)
            }
            (Op::Call(_), _) => match meaning(inst, self.function, self.program, self.rules) {
                Meaning::Row { row, .. } => ["exp", "exp2", "fabs"].contains(&row.name),
                _ => false,
            },
            _ => false,
        }
    }
}

/// Beside this the reciprocal and its square are finite, in single precision too.
const SMALL: f64 = 1e-15;

fn value_of(operand: &Operand) -> Option<f64> {
    match operand {
        Operand::Const(Constant::Float { kind: FloatKind::Double, bits }) => {
            Some(f64::from_bits(*bits as u64))
        }
        Operand::Const(Constant::Float { kind: FloatKind::Single, bits }) => {
            Some(f64::from(f32::from_bits(*bits as u32)))
        }
        _ => None,
    }
}
