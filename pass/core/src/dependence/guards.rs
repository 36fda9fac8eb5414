//! What is known wherever a block runs?
//!
//! From the entry down the dominators: the bounds of the loops entered (`0 ≤ counter ≤ back edges`, one less behind the
//! only exit test), and the conditions of branches whose one side leads here, for the same iteration: a dominator
//! inside the same loops has run in this iteration, and control came from it through that edge. Branching on poison is
//! undefined, so flags in the condition hold as well. `llvm.assume` counts like a branch.
//! Safe error: too little.

use std::collections::HashMap;

use super::affine::Affine;
use super::atoms::{Atoms, Poly};
use super::induction::evolution_of;
use super::linear::{Interval, ceil_div, floor_div};
use super::nesting::Nesting;
use crate::model::{BlockId, IntPredicate, LoopId, Op, Operand, Scev, Type};

/// What holds at one block.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub ranges: HashMap<super::atoms::AtomId, Interval>,
    /// Each is at least zero.
    pub facts: Vec<Poly>,
}

pub fn find_scope(nesting: &Nesting, atoms: &mut Atoms, block: BlockId) -> Scope {
    let mut affine = Affine { nesting, atoms, block, ranges: HashMap::new(), facts: Vec::new() };
    let path = nesting.dominators(block);
    for (at, here) in path.iter().enumerate() {
        let above = at.checked_sub(1).map(|at| path[at]);
        if let Some(above) = above {
            note_branch(&mut affine, above, *here);
        }
        let entered =
            nesting.innermost(*here).filter(|of| nesting.function.loops[of.0 as usize].header == *here);
        if let Some(of) = entered.filter(|of| nesting.encloses(*of, block)) {
            note_bounds(&mut affine, of);
        }
        if *here != block {
            note_assumptions(&mut affine, *here);
        }
    }
    Scope { ranges: affine.ranges, facts: affine.facts }
}

/// The counter's bound by the number of back edges.
fn note_bounds(affine: &mut Affine, of: LoopId) {
    let nesting = affine.nesting;
    let counter = affine.atoms.counter(of);
    let range = Interval { low: Some(0), high: affine.nesting.most_back_edges(of) };
    affine.ranges.insert(counter, range);
    let Some(count) = &nesting.function.loops[of.0 as usize].back_edges else { return };
    let single = !matches!(count, Scev::UMin(_));
    if let Some(most) = nesting.most_back_edges(of).filter(|_| single && nesting.counts_out(of))
        && let Some(fact) = affine.unsigned(count).and_then(|count| Poly::constant(most).minus(&count))
    {
        note(affine, fact);
    }
    let behind = i128::from(is_behind_exit(nesting, of, affine.block));
    for bound in bounds(affine, count, behind == 1) {
        if let Some(fact) = bound.shift(-behind).and_then(|bound| bound.minus(&Poly::atom(counter))) {
            note(affine, fact);
        }
    }
}

/// Whether a block runs only in iterations that pass the loop's only exit test, so never in the last one.
pub fn is_behind_exit(nesting: &Nesting, of: LoopId, block: BlockId) -> bool {
    match nesting.function.loops[of.0 as usize].exiting[..] {
        [only] => {
            let innermost = nesting.innermost(only) == Some(of);
            innermost && only != block && nesting.dominates(only, block) && nesting.encloses(of, block)
        }
        _ => false,
    }
}

/// Upper bounds of a count; of a minimum, each part is one.
fn bounds(affine: &mut Affine, count: &Scev, behind: bool) -> Vec<Poly> {
    match count {
        Scev::UMin(parts) => parts.iter().flat_map(|part| bounds(affine, part, behind)).collect(),
        // Counters start at zero: below max(0, n) means below n.
        Scev::SMax(parts) if behind => {
            let nonpositive = |part: &&Scev| !matches!(part, Scev::Const { value, .. } if *value <= 0);
            let rest: Vec<&Scev> = parts.iter().filter(nonpositive).collect();
            match rest[..] {
                [only] if rest.len() < parts.len() => affine.signed(only).into_iter().collect(),
                _ => affine.unsigned(count).into_iter().collect(),
            }
        }
        Scev::ZExt(_, inner) if matches!(**inner, Scev::UMin(_) | Scev::SMax(_)) => {
            bounds(affine, inner, behind)
        }
        _ => affine.unsigned(count).into_iter().collect(),
    }
}

fn note_branch(affine: &mut Affine, above: BlockId, here: BlockId) {
    let nesting = affine.nesting;
    // Only through this edge does control come here (or back here, in a loop entered through it), and only while the
    // loops of the branch still run.
    let inside = nesting.innermost(above).is_none_or(|of| nesting.encloses(of, affine.block));
    let mut entries = nesting.flow.predecessors(here).iter().filter(|from| !nesting.dominates(here, **from));
    if entries.next() != Some(&above) || entries.next().is_some() || !inside {
        return;
    }
    let Some(inst) = nesting.function.terminator(above).and_then(|id| nesting.function.inst(id)) else {
        return;
    };
    if let Op::CondBr { yes, no } = inst.op
        && yes != no
        && let Some(condition) = inst.operands.first()
    {
        note_condition(affine, condition, yes == here, 4);
    }
}

fn note_assumptions(affine: &mut Affine, block: BlockId) {
    let nesting = affine.nesting;
    if nesting.innermost(block).is_some_and(|of| !nesting.encloses(of, affine.block)) {
        return;
    }
    for id in &nesting.function.block(block).insts {
        let Some(inst) = nesting.function.inst(*id) else { continue };
        if inst.callee_name() == Some("llvm.assume")
            && let Some(condition) = inst.arguments().first()
        {
            note_condition(affine, condition, true, 4);
        }
    }
}

/// A comparison, or a conjunction of such, that is known to be true or false.
fn note_condition(affine: &mut Affine, condition: &Operand, holds: bool, fuel: usize) {
    let function = affine.nesting.function;
    let Some(inst) = condition.value().and_then(|id| function.inst(id)).filter(|_| fuel > 0) else { return };
    match &inst.op {
        Op::ICmp(predicate) => {
            let [x, y] = &inst.operands[..] else { return };
            if matches!(function.known_type(x), Some(Type::Int(_) | Type::Ptr(_))) {
                note_comparison(affine, if holds { *predicate } else { negated(*predicate) }, x, y);
            }
        }
        // `select a, b, false` is a && b; `select a, true, b` is a || b.
        Op::Select => {
            let [a, b, c] = &inst.operands[..] else { return };
            let constant = |operand: &Operand| match operand {
                Operand::Const(constant) => constant.as_signed(),
                Operand::Value(_) => None,
            };
            if holds && constant(c) == Some(0) {
                note_condition(affine, a, true, fuel - 1);
                note_condition(affine, b, true, fuel - 1);
            } else if !holds && constant(b).is_some_and(|value| value != 0) {
                note_condition(affine, a, false, fuel - 1);
                note_condition(affine, c, false, fuel - 1);
            }
        }
        Op::Int(crate::model::IntOp::And) if holds => {
            inst.operands.iter().for_each(|part| note_condition(affine, part, true, fuel - 1));
        }
        Op::Int(crate::model::IntOp::Or) if !holds => {
            inst.operands.iter().for_each(|part| note_condition(affine, part, false, fuel - 1));
        }
        _ => {}
    }
}

fn note_comparison(affine: &mut Affine, predicate: IntPredicate, x: &Operand, y: &Operand) {
    use IntPredicate::*;
    let (x, y) = (evolution_of(affine.nesting, x), evolution_of(affine.nesting, y));
    let signed = matches!(predicate, Slt | Sle | Sgt | Sge | Eq | Ne);
    let (Some(x), Some(y)) = (if signed {
        (affine.signed(&x), affine.signed(&y))
    } else {
        (affine.unsigned(&x), affine.unsigned(&y))
    }) else {
        return;
    };
    let Some(gap) = y.minus(&x) else { return };
    let new: [Option<Poly>; 2] = match predicate {
        Slt | Ult => [gap.shift(-1), None],
        Sle | Ule => [Some(gap), None],
        Sgt | Ugt => [gap.scale(-1).and_then(|gap| gap.shift(-1)), None],
        Sge | Uge => [gap.scale(-1), None],
        Eq => [gap.scale(-1), Some(gap)],
        // x ≠ y helps only where x cannot be on one side: x ≠ 0 with x ≥ 0.
        Ne => match affine.interval(&gap) {
            Interval { low: Some(0), .. } => [gap.shift(-1), None],
            Interval { high: Some(0), .. } => [gap.scale(-1).and_then(|gap| gap.shift(-1)), None],
            _ => [None, None],
        },
    };
    new.into_iter().flatten().for_each(|fact| note(affine, fact));
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

/// Keeps a fact, and reads off it the range of each atom given those of the others.
fn note(affine: &mut Affine, fact: Poly) {
    for (product, factor) in &fact.0 {
        let [id] = product[..] else { continue };
        let mut rest = fact.clone();
        rest.0.remove(product);
        // factor·x + rest ≥ 0, so factor·x ≥ -max(rest).
        let Some(most) = affine.interval(&rest).high.and_then(i128::checked_neg) else { continue };
        let range = if *factor > 0 {
            Interval { low: Some(ceil_div(most, *factor)), high: None }
        } else {
            let Some(bound) = most.checked_neg() else { continue };
            Interval { low: None, high: Some(floor_div(bound, factor.abs())) }
        };
        let known = affine.range(id).meet(range);
        affine.ranges.insert(id, known);
    }
    // A negative constant stays: it says that the block never runs.
    if fact.as_constant().is_none_or(|value| value < 0) && !affine.facts.contains(&fact) {
        affine.facts.push(fact);
    }
}
