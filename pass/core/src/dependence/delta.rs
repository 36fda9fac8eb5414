//! Which distances does a coupled group force?
//!
//! An equation in one level that fixes the distance (strong SIV) or one counter (weak-zero SIV) is put into the others
//! of the group, which may then become simpler and be solved too: the Delta test of the paper. A subscript left without
//! loop index that cannot be zero refutes the group. What stays coupled is left to the Omega test.
//! Safe error: no limit.

use super::direction::Directions;
use super::linear::{Linear, Var};
use super::problem::{Problem, Subscript};
use super::siv::{Siv, test_siv};
use super::verdict::{Limit, Test, Verdict};
use super::ziv::test_ziv;

pub fn test_delta(problem: &Problem, group: &[usize]) -> Verdict {
    let mut left: Vec<Subscript> =
        group.iter().map(|at| problem.subscripts[*at].clone().normalised()).collect();
    let mut limits: Vec<Limit> = Vec::new();
    loop {
        if left.iter().any(Subscript::is_void) {
            return Verdict::Independent(Test::Delta);
        }
        let found =
            left.iter().enumerate().find_map(|(at, subscript)| Some((at, Siv::of(problem, subscript)?)));
        let Some((at, siv)) = found else { break };
        match test_siv(problem, &siv) {
            Verdict::Independent(_) => return Verdict::Independent(Test::Delta),
            Verdict::Limits(_, more) => limits.extend(more),
            Verdict::Open => {}
        }
        let subscript = left.swap_remove(at);
        if let Some(replacement) = solve_for(problem, &siv, &subscript) {
            let replaced: Option<Vec<Subscript>> =
                left.iter().map(|other| put(other, &replacement)).collect();
            match replaced {
                Some(next) => left = next,
                None => break,
            }
        }
    }
    let constant = |at: &&Subscript| {
        at.form.terms.iter().all(|(var, _)| problem.role(*var) == super::problem::Role::Symbol)
    };
    if left.iter().filter(constant).any(|at| matches!(test_ziv(problem, at), Verdict::Independent(_))) {
        return Verdict::Independent(Test::Delta);
    }
    settle(limits)
}

/// `var = form`, from an equation in which the variable has a unit factor.
struct Replacement {
    var: Var,
    form: Linear,
}

fn solve_for(problem: &Problem, siv: &Siv, subscript: &Subscript) -> Option<Replacement> {
    let equation = subscript.equation()?;
    let level = problem.levels[siv.level];
    let var = [level.sink, level.source].into_iter().find(|var| equation.coefficient(*var).abs() == 1)?;
    let sign = equation.coefficient(var);
    let mut form = equation.scale(-sign)?;
    form.terms.retain(|(at, _)| *at != var);
    Some(Replacement { var, form })
}

fn put(subscript: &Subscript, replacement: &Replacement) -> Option<Subscript> {
    let factor = subscript.form.coefficient(replacement.var);
    if factor == 0 {
        return Some(subscript.clone());
    }
    let mut form = subscript.form.clone();
    form.terms.retain(|(at, _)| *at != replacement.var);
    let form = form.add_scaled(&replacement.form, factor)?;
    Some(Subscript { form, ..subscript.clone() }.normalised())
}

/// Several limits of one level must all hold.
fn settle(limits: Vec<Limit>) -> Verdict {
    let mut merged: Vec<Limit> = Vec::new();
    for limit in limits {
        let Some(old) = merged.iter_mut().find(|old| old.level == limit.level) else {
            merged.push(limit);
            continue;
        };
        old.directions = old.directions.meet(limit.directions);
        match (old.distance, limit.distance) {
            (Some(x), Some(y)) if x != y => return Verdict::Independent(Test::Delta),
            (None, known) => old.distance = known,
            _ => {}
        }
        if old.directions == Directions::NONE {
            return Verdict::Independent(Test::Delta);
        }
    }
    Verdict::Limits(Test::Delta, merged)
}
