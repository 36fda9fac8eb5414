//! What does the condition of a branch say, and does what is known decide it?
//!
//! A comparison of integers or addresses says that a polynomial is at least zero, a conjunction that several are.
//! Safe error: it says nothing, it is not decided.

use super::affine::Affine;
use super::atoms::{Atoms, Poly};
use super::induction::evolution_of;
use crate::model::{Constant, Inst, IntOp, IntPredicate, Op, Operand, Type};

/// Conditions nested deeper than this say nothing.
const DEEPEST: usize = 4;

/// What is at least zero where a condition is true, or where it is false. `x ≠ y` says something only where ranges keep
/// `x` on one side of `y`.
pub fn facts_of(affine: &mut Affine, condition: &Operand, holds: bool) -> Vec<Poly> {
    let mut facts = Vec::new();
    collect(affine, condition, holds, DEEPEST, &mut facts);
    facts
}

fn collect(affine: &mut Affine, condition: &Operand, holds: bool, fuel: usize, facts: &mut Vec<Poly>) {
    let function = affine.nesting.function;
    let Some(inst) = condition.value().and_then(|id| function.inst(id)).filter(|_| fuel > 0) else { return };
    if let Some((parts, all)) = parts_of(inst) {
        // Of `a && b` that holds both do; of `a || b` that does not, neither does.
        if all == holds {
            parts.into_iter().for_each(|part| collect(affine, part, holds, fuel - 1, facts));
        }
        return;
    }
    let Some((predicate, gap)) = comparison(affine, inst) else { return };
    let predicate = if holds { predicate } else { negated(predicate) };
    facts.extend(says(affine, predicate, &gap).into_iter().flatten());
}

/// What an `and` or `or` joins, and whether all of it has to hold. `select a, b, false` is `a && b`, `select a, true, b`
/// is `a || b`.
fn parts_of(inst: &Inst) -> Option<(Vec<&Operand>, bool)> {
    let is = |operand: &Operand, wanted: bool| matches!(operand, Operand::Const(Constant::Int { bits: 1, value }) if (*value != 0) == wanted);
    match (&inst.op, &inst.operands[..]) {
        (Op::Select, [a, b, c]) if is(c, false) => Some((vec![a, b], true)),
        (Op::Select, [a, b, c]) if is(b, true) => Some((vec![a, c], false)),
        (Op::Int(IntOp::And), [a, b]) if inst.ty == Type::BOOL => Some((vec![a, b], true)),
        (Op::Int(IntOp::Or), [a, b]) if inst.ty == Type::BOOL => Some((vec![a, b], false)),
        _ => None,
    }
}

/// The predicate of a comparison of `x` and `y`, and `y - x`.
fn comparison(affine: &mut Affine, inst: &Inst) -> Option<(IntPredicate, Poly)> {
    use IntPredicate::*;
    let (Op::ICmp(predicate), [x, y]) = (&inst.op, &inst.operands[..]) else { return None };
    if !matches!(affine.nesting.function.known_type(x), Some(Type::Int(_) | Type::Ptr(_))) {
        return None;
    }
    let (x, y) = (evolution_of(affine.nesting, x), evolution_of(affine.nesting, y));
    let (x, y) = if matches!(predicate, Slt | Sle | Sgt | Sge | Eq | Ne) {
        (affine.signed(&x)?, affine.signed(&y)?)
    } else {
        (affine.unsigned(&x)?, affine.unsigned(&y)?)
    };
    Some((*predicate, y.minus(&x)?))
}

fn says(affine: &Affine, predicate: IntPredicate, gap: &Poly) -> [Option<Poly>; 2] {
    use IntPredicate::*;
    let opposite = || gap.scale(-1);
    let above = |poly: Option<Poly>| poly.and_then(|poly| poly.shift(-1));
    match predicate {
        Slt | Ult => [gap.shift(-1), None],
        Sle | Ule => [Some(gap.clone()), None],
        Sgt | Ugt => [above(opposite()), None],
        Sge | Uge => [opposite(), None],
        Eq => [opposite(), Some(gap.clone())],
        Ne if affine.is_natural(gap) => [gap.shift(-1), None],
        Ne if opposite().is_some_and(|opposite| affine.is_natural(&opposite)) => [above(opposite()), None],
        Ne => [None, None],
    }
}

fn negated(predicate: IntPredicate) -> IntPredicate {
    use IntPredicate::*;
    match predicate {
        Eq => Ne,
        Ne => Eq,
        Ugt => Ule,
        Uge => Ult,
        Ult => Uge,
        Ule => Ugt,
        Sgt => Sle,
        Sge => Slt,
        Slt => Sge,
        Sle => Sgt,
    }
}

/// Which polynomials a decision may rest on.
pub type Admits<'a> = dyn Fn(&Atoms, &Poly) -> bool + 'a;

/// Whether a condition is true or false wherever what `affine` knows holds.
pub fn decide(affine: &mut Affine, condition: &Operand, admits: &Admits) -> Option<bool> {
    decide_within(affine, condition, admits, DEEPEST)
}

fn decide_within(affine: &mut Affine, condition: &Operand, admits: &Admits, fuel: usize) -> Option<bool> {
    let function = affine.nesting.function;
    let inst = condition.value().and_then(|id| function.inst(id)).filter(|_| fuel > 0)?;
    if let Some((parts, all)) = parts_of(inst) {
        let answers: Vec<Option<bool>> =
            parts.into_iter().map(|part| decide_within(affine, part, admits, fuel - 1)).collect();
        let settled = answers.contains(&Some(!all)).then_some(!all);
        return settled.or_else(|| answers.iter().all(|answer| *answer == Some(all)).then_some(all));
    }
    let (predicate, gap) = comparison(affine, inst)?;
    if !admits(affine.atoms, &gap) {
        return None;
    }
    [(predicate, true), (negated(predicate), false)].into_iter().find_map(|(predicate, answer)| {
        let claims = says(affine, predicate, &gap);
        let proved = claims.iter().flatten().all(|claim| affine.is_natural(claim));
        (claims[0].is_some() && proved).then_some(answer)
    })
}
