//! Do the extreme values of a subscript keep it from meeting, overall and in each direction?
//!
//! With the form `f` over the real box of the counters, it can be in the window only where `min f ≤ high` and
//! `low ≤ max f` (Banerjee). For a direction the two counters of a level range over a triangle (`<`, `>`) or a line
//! (`=`), whose extreme values are at its corners. Directions are refined level by level, each with the others free.
//! Safe error: it can meet. Ends that are not known count as infinite, numbers too large as unknown.

use super::direction::Directions;
use super::linear::Interval;
use super::problem::{Level, Problem, Role, Subscript};
use super::verdict::{Limit, Test, Verdict};

pub fn test_banerjee(problem: &Problem, subscript: &Subscript) -> Verdict {
    let misses = |reach: Interval| {
        reach.is_empty()
            || reach.high.is_some_and(|high| high < subscript.low)
            || reach.low.is_some_and(|low| low > subscript.high)
    };
    if misses(problem.interval(&subscript.form)) {
        return Verdict::Independent(Test::Banerjee);
    }
    let mut limits = Vec::new();
    for (number, level) in problem.levels.iter().enumerate() {
        let (a, b) = (subscript.form.coefficient(level.source), subscript.form.coefficient(level.sink));
        if a == 0 && b == 0 {
            continue;
        }
        let others = others(problem, subscript, number);
        let possible = Directions::EACH.into_iter().filter(|direction| {
            let part = corner_range(problem, *level, (a, b), *direction);
            part.is_none_or(|part| !misses(others.plus(part)))
        });
        let directions = possible.fold(Directions::NONE, Directions::join);
        if directions.is_none() {
            return Verdict::Independent(Test::Banerjee);
        }
        limits.push(Limit { level: number, directions, distance: None });
    }
    Verdict::Limits(Test::Banerjee, limits)
}

/// The range of everything but one level.
fn others(problem: &Problem, subscript: &Subscript, level: usize) -> Interval {
    let mut form = subscript.form.clone();
    form.terms
        .retain(|(var, _)| !matches!(problem.role(*var), Role::Source(at) | Role::Sink(at) if at == level));
    problem.interval(&form)
}

/// The range of `a·i + b·j` over the part of the square `0..U` that a direction allows, or `None` where unknown.
fn corner_range(
    problem: &Problem,
    level: Level,
    (a, b): (i128, i128),
    direction: Directions,
) -> Option<Interval> {
    let last = problem.last(level)?;
    let corners: &[(i128, i128)] = match direction {
        Directions::EQUAL => &[(0, 0), (last, last)],
        Directions::LESS if last >= 1 => &[(0, 1), (0, last), (last - 1, last)],
        Directions::GREATER if last >= 1 => &[(1, 0), (last, 0), (last, last - 1)],
        _ => return Some(Interval::between(1, 0)),
    };
    let value = |(i, j): &(i128, i128)| a.checked_mul(*i)?.checked_add(b.checked_mul(*j)?);
    let values: Option<Vec<i128>> = corners.iter().map(value).collect();
    let values = values?;
    Some(Interval { low: values.iter().min().copied(), high: values.iter().max().copied() })
}
