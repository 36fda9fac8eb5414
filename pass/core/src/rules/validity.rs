//! Whether a form makes sense: linear in its derivative, every operation given the kinds it takes, every
//! function called known.

use super::expr::{BinaryOp, Condition, Expr};
use super::row::OperandKind;

/// Functions linear in their first argument, so that `d` may stand there.
const HOMOGENEOUS: [&str; 3] = ["ldexp", "scalbln", "fortran_scale"];

/// The arguments and the result of a function that forms may call.
#[derive(Clone, Copy, Debug)]
pub struct Signature {
    pub operands: &'static [OperandKind],
    pub results: &'static [OperandKind],
}

/// An expression is a form of result `result` if it is linear in `d` of that result, or zero.
pub fn check_linear(form: &Expr, result: u8) -> Result<(), String> {
    match degree(form, result)? {
        Degree::Linear | Degree::Zero => Ok(()),
        Degree::Free => Err("the form does not depend on d".into()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Degree {
    /// The literal 0, which is of every degree.
    Zero,
    Free,
    Linear,
}

fn degree(expr: &Expr, result: u8) -> Result<Degree, String> {
    let require_free = |expr: &Expr, place: &str| match degree(expr, result)? {
        Degree::Linear => Err(format!("d stands in {place}")),
        Degree::Free | Degree::Zero => Ok(()),
    };
    match expr {
        Expr::D(k) if *k == result => Ok(Degree::Linear),
        Expr::D(k) => Err(format!("d{k} stands in a form of result {result}")),
        Expr::Number(value) if *value == 0.0 => Ok(Degree::Zero),
        Expr::X(_) | Expr::Y(_) | Expr::Number(_) | Expr::Named(_) => Ok(Degree::Free),
        Expr::Neg(inner) | Expr::Convert(inner) => degree(inner, result),
        Expr::Real(inner) => require_free(inner, "an integer").map(|()| Degree::Free),
        Expr::Binary(BinaryOp::Add | BinaryOp::Sub, left, right) => {
            same_degree(degree(left, result)?, degree(right, result)?)
        }
        Expr::Binary(BinaryOp::Mul, left, right) => match (degree(left, result)?, degree(right, result)?) {
            (Degree::Linear, Degree::Linear) => Err("d is squared".into()),
            (Degree::Zero, _) | (_, Degree::Zero) => Ok(Degree::Zero),
            (Degree::Free, other) | (other, Degree::Free) => Ok(other),
        },
        Expr::Binary(BinaryOp::Div, left, right) => {
            require_free(right, "a divisor")?;
            degree(left, result)
        }
        Expr::Call(name, arguments) => {
            let homogeneous = HOMOGENEOUS.contains(&name.as_str());
            let (first, rest) = arguments.split_first().ok_or("a call without arguments")?;
            rest.iter().try_for_each(|argument| require_free(argument, "an argument"))?;
            if homogeneous {
                return degree(first, result);
            }
            require_free(first, "an argument").map(|()| Degree::Free)
        }
        Expr::If { test, yes, no } => {
            check_condition(test, &mut |expr| require_free(expr, "a condition"))?;
            same_degree(degree(yes, result)?, degree(no, result)?)
        }
    }
}

fn same_degree(left: Degree, right: Degree) -> Result<Degree, String> {
    match (left, right) {
        (Degree::Zero, other) | (other, Degree::Zero) => Ok(other),
        _ if left == right => Ok(left),
        _ => Err("a term with d beside a term without".into()),
    }
}

fn check_condition(
    test: &Condition,
    check: &mut dyn FnMut(&Expr) -> Result<(), String>,
) -> Result<(), String> {
    match test {
        Condition::Operand(_) => Ok(()),
        Condition::Float(_, left, right) | Condition::Int(_, left, right) => {
            check(left)?;
            check(right)
        }
        Condition::And(left, right) | Condition::Or(left, right) => {
            check_condition(left, check)?;
            check_condition(right, check)
        }
    }
}

/// Checks kinds all through a form whose value must be real.
pub fn check_kinds(
    form: &Expr,
    own: Signature,
    functions: &dyn Fn(&str) -> Option<Signature>,
) -> Result<(), String> {
    let kinds = Kinds { own, functions };
    kinds.require(form, OperandKind::Real)
}

struct Kinds<'a> {
    own: Signature,
    functions: &'a dyn Fn(&str) -> Option<Signature>,
}

impl Kinds<'_> {
    fn require(&self, expr: &Expr, wanted: OperandKind) -> Result<(), String> {
        match self.kind(expr)? {
            Some(found) if found != wanted => Err(format!("{wanted:?} expected, {found:?} found")),
            _ => Ok(()),
        }
    }

    /// `None` for literals, which are real or integer as the place demands.
    fn kind(&self, expr: &Expr) -> Result<Option<OperandKind>, String> {
        match expr {
            Expr::X(i) => Ok(Some(self.own.operands[*i as usize])),
            Expr::Y(k) => Ok(Some(self.own.results[*k as usize])),
            Expr::D(_) | Expr::Named(_) => Ok(Some(OperandKind::Real)),
            Expr::Number(_) => Ok(None),
            Expr::Neg(inner) => self.kind(inner),
            Expr::Binary(op, left, right) => {
                let kind = self.common(left, right)?;
                match (kind, op) {
                    (Some(OperandKind::Bool), _) => Err("arithmetic on a truth value".into()),
                    (Some(OperandKind::Int), BinaryOp::Div) => Err("division of integers".into()),
                    _ => Ok(kind),
                }
            }
            Expr::Call(name, arguments) => self.call_kind(name, arguments),
            Expr::If { test, yes, no } => {
                self.check_test(test)?;
                self.common(yes, no)
            }
            Expr::Real(inner) => {
                self.require(inner, OperandKind::Int)?;
                Ok(Some(OperandKind::Real))
            }
            Expr::Convert(inner) => {
                self.require(inner, OperandKind::Real)?;
                Ok(Some(OperandKind::Real))
            }
        }
    }

    fn call_kind(&self, name: &str, arguments: &[Expr]) -> Result<Option<OperandKind>, String> {
        let callee = (self.functions)(name).ok_or(format!("calls `{name}`, which no table has"))?;
        if callee.operands.len() != arguments.len() || callee.results.len() != 1 {
            return Err(format!("`{name}` takes {} arguments", callee.operands.len()));
        }
        for (argument, kind) in arguments.iter().zip(callee.operands) {
            self.require(argument, *kind)?;
        }
        Ok(Some(callee.results[0]))
    }

    fn common(&self, left: &Expr, right: &Expr) -> Result<Option<OperandKind>, String> {
        match (self.kind(left)?, self.kind(right)?) {
            (None, kind) | (kind, None) => Ok(kind),
            (left, right) if left == right => Ok(left),
            (Some(left), Some(right)) => Err(format!("{left:?} beside {right:?}")),
        }
    }

    fn check_test(&self, test: &Condition) -> Result<(), String> {
        match test {
            Condition::Operand(i) if self.own.operands[*i as usize] == OperandKind::Bool => Ok(()),
            Condition::Operand(i) => Err(format!("x{i} is no truth value")),
            Condition::Float(_, left, right) => {
                self.require(left, OperandKind::Real)?;
                self.require(right, OperandKind::Real)
            }
            Condition::Int(_, left, right) => {
                self.require(left, OperandKind::Int)?;
                self.require(right, OperandKind::Int)
            }
            Condition::And(left, right) | Condition::Or(left, right) => {
                self.check_test(left)?;
                self.check_test(right)
            }
        }
    }
}
