//! The local partial derivative that a row's form stands for: the form at `d = 1`.
//!
//! Forms are linear in `d`, so this loses nothing: the form is `d` times it. Signs are pulled out in front.

use crate::preaccumulation::cost::Cost;
use crate::rules::{BinaryOp, Condition, Expr, is_quick};

/// `± expr`, or `± 1` where there is none.
#[derive(Clone, Debug, PartialEq)]
pub struct Partial {
    pub negative: bool,
    pub expr: Option<Expr>,
}

pub fn partial_of(form: &Expr) -> Partial {
    let (negative, expr) = at_one(form);
    Partial { negative, expr: (expr != ONE).then_some(expr) }
}

const ONE: Expr = Expr::Number(1.0);

/// The expression at `d = 1`, without its sign, and the sign.
fn at_one(expr: &Expr) -> (bool, Expr) {
    match expr {
        Expr::D(_) => (false, ONE),
        Expr::Neg(inner) => {
            let (negative, inner) = at_one(inner);
            (!negative, inner)
        }
        Expr::Binary(op @ (BinaryOp::Mul | BinaryOp::Div), left, right) => {
            let ((minus, left), (also, right)) = (at_one(left), at_one(right));
            let expr = match op {
                BinaryOp::Mul if left == ONE => right,
                BinaryOp::Mul | BinaryOp::Div if right == ONE => left,
                _ => Expr::Binary(*op, Box::new(left), Box::new(right)),
            };
            (minus != also, expr)
        }
        // Beyond products `d` may stand in each part, so that each is taken at one with its sign inside.
        Expr::Binary(op, left, right) => {
            (false, Expr::Binary(*op, Box::new(signed_at_one(left)), Box::new(signed_at_one(right))))
        }
        Expr::If { test, yes, no } => {
            let (yes, no) = (Box::new(signed_at_one(yes)), Box::new(signed_at_one(no)));
            (false, Expr::If { test: test.clone(), yes, no })
        }
        // One is one in every float format.
        Expr::Convert(inner) => {
            let (negative, inner) = at_one(inner);
            if inner == ONE { (negative, ONE) } else { (negative, Expr::Convert(Box::new(inner))) }
        }
        // Some functions are linear in what they scale: `ldexp(d, n)`.
        Expr::Call(name, arguments) => {
            (false, Expr::Call(name.clone(), arguments.iter().map(signed_at_one).collect()))
        }
        Expr::X(_) | Expr::Y(_) | Expr::Number(_) | Expr::Named(_) | Expr::Real(_) => (false, expr.clone()),
    }
}

fn signed_at_one(expr: &Expr) -> Expr {
    let (negative, expr) = at_one(expr);
    if negative { Expr::Neg(Box::new(expr)) } else { expr }
}

/// What it costs to compute an expression.
pub fn cost_of(expr: &Expr) -> Cost {
    let mut cost = Cost::default();
    expr.visit(&mut |inner| match inner {
        Expr::Binary(BinaryOp::Mul, ..) => cost.multiplications += 1,
        Expr::Binary(BinaryOp::Div, ..) => cost.divisions += 1,
        Expr::Binary(BinaryOp::Add | BinaryOp::Sub, ..) => cost.additions += 1,
        Expr::Call(name, _) if is_quick(name) => cost.additions += 1,
        Expr::Call(..) => cost.calls += 1,
        Expr::If { test, .. } => {
            cost.guards += 1;
            test.visit(&mut |condition| match condition {
                Condition::Float(..) | Condition::Int(..) => cost.guards += 1,
                Condition::Operand(_) | Condition::And(..) | Condition::Or(..) => {}
            });
        }
        Expr::X(_) | Expr::Y(_) | Expr::D(_) | Expr::Number(_) | Expr::Named(_) => {}
        Expr::Neg(_) | Expr::Real(_) | Expr::Convert(_) => {}
    });
    cost
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;

    fn partial(row: &str, operand: usize) -> Partial {
        partial_of(Rules::new().row(row).expect("a row").form(0, operand))
    }

    #[test]
    fn trivial_partials_are_signs() {
        assert_eq!(partial("fadd", 1), Partial { negative: false, expr: None });
        assert_eq!(partial("fsub", 1), Partial { negative: true, expr: None });
        assert_eq!(partial("fneg", 0), Partial { negative: true, expr: None });
        assert_eq!(partial("fptrunc", 0), Partial { negative: false, expr: None });
    }

    #[test]
    fn a_product_has_the_other_factor() {
        assert_eq!(partial("fmul", 0), Partial { negative: false, expr: Some(Expr::X(1)) });
        assert_eq!(partial("fmul", 1), Partial { negative: false, expr: Some(Expr::X(0)) });
    }

    #[test]
    fn signs_come_out_in_front() {
        let quotient = partial("fdiv", 1);
        assert!(quotient.negative);
        let cosine = partial("cos", 0);
        assert_eq!(cosine.expr, Some(Expr::Call("sin".into(), vec![Expr::X(0)])));
        assert!(cosine.negative);
        assert_eq!(cost_of(&cosine.expr.expect("a call")).calls, 1);
    }

    /// No partial mentions `d`, and none is lost: a form that is not zero has one that is not.
    #[test]
    fn every_form_has_a_partial() {
        let rules = Rules::new();
        for row in rules.rows() {
            for (k, i) in (0..row.results.len()).flat_map(|k| (0..row.operands.len()).map(move |i| (k, i))) {
                let form = row.form(k, i);
                let partial = partial_of(form);
                assert!(partial.expr.as_ref().is_none_or(|expr| !expr.mentions_d()), "{}", row.name);
                let zero = partial.expr == Some(Expr::Number(0.0));
                assert_eq!(form.is_zero(), zero, "{} {k} {i}", row.name);
            }
        }
    }
}
