//! Where can a subscript meet in which one loop index stands?
//!
//! `a·i - b·j + c = 0` with `i` the source's and `j` the sink's counter of one level, `0 ≤ i, j ≤ U`:
//! * strong (`a = b`): the distance is `c/a`; it must be an integer within ±U;
//! * weak-zero (`a = 0` or `b = 0`): one side stands still, the other must be at one iteration in `0..U`;
//! * weak-crossing (`b = -a`): `i + j = -c/a`, so both lie on either side of `-c/2a`, which is in `0..U`;
//! * exact otherwise: all integer solutions on a line, cut to the box (extended gcd).
//!
//! Safe error: it can meet, in every direction. Symbols in `c` count by their range.

use super::direction::Directions;
use super::linear::{Interval, Linear, Var};
use super::problem::{Problem, Role, Subscript};
use super::rdiv::Line;
use super::verdict::{Limit, Test, Verdict};

/// An equation in one level, sorted by side.
pub struct Siv {
    pub level: usize,
    /// The factor of the source's counter.
    pub a: i128,
    /// Minus the factor of the sink's counter.
    pub b: i128,
    /// What remains: symbols and a constant.
    pub rest: Linear,
}

impl Siv {
    /// The equation as one in a single level, or `None` where it is not.
    pub fn of(problem: &Problem, subscript: &Subscript) -> Option<Siv> {
        let form = subscript.equation()?;
        let mut siv = Siv { level: usize::MAX, a: 0, b: 0, rest: Linear::constant(form.constant) };
        for (var, factor) in &form.terms {
            let level = match problem.role(*var) {
                Role::Source(level) => {
                    siv.a = *factor;
                    level
                }
                Role::Sink(level) => {
                    siv.b = factor.checked_neg()?;
                    level
                }
                Role::Symbol => {
                    siv.rest.terms.push((*var, *factor));
                    continue;
                }
                Role::Local => return None,
            };
            if siv.level != usize::MAX && siv.level != level {
                return None;
            }
            siv.level = level;
        }
        (siv.level != usize::MAX).then_some(siv)
    }

    pub fn kind(&self) -> Test {
        if self.a == self.b {
            Test::StrongSiv
        } else if self.a == 0 || self.b == 0 {
            Test::WeakZeroSiv
        } else if self.a.checked_add(self.b) == Some(0) {
            Test::WeakCrossingSiv
        } else {
            Test::ExactSiv
        }
    }
}

pub fn test_siv(problem: &Problem, siv: &Siv) -> Verdict {
    let last = problem.last(problem.levels[siv.level]);
    let answer = match siv.kind() {
        Test::StrongSiv => strong(problem, siv, last),
        Test::WeakZeroSiv => weak_zero(siv, last),
        Test::WeakCrossingSiv => weak_crossing(siv, last),
        _ => exact(problem, siv),
    };
    match answer {
        // Symbols or numbers too large: the test applies, and limits nothing.
        None => Verdict::Limits(siv.kind(), Vec::new()),
        Some(limit) if limit.directions.is_none() => Verdict::Independent(siv.kind()),
        Some(limit) => Verdict::Limits(siv.kind(), vec![limit]),
    }
}

fn limit(level: usize, directions: Directions, distance: Option<i128>) -> Option<Limit> {
    Some(Limit { level, directions, distance })
}

const NEVER: Directions = Directions::NONE;

fn strong(problem: &Problem, siv: &Siv, last: Option<i128>) -> Option<Limit> {
    // a·(i - j) + c = 0, so j - i = c/a.
    if !siv.rest.is_constant() {
        let range = problem.interval(&siv.rest).scale(siv.a.signum());
        let reach = Interval {
            low: last.and_then(|u| u.checked_mul(-siv.a.abs())),
            high: last.and_then(|u| u.checked_mul(siv.a.abs())),
        };
        let range = range.meet(reach);
        let directions =
            if range.is_empty() { NEVER } else { Directions::of_interval(range.low, range.high) };
        return limit(siv.level, directions, None);
    }
    let distance = siv.rest.constant.checked_div(siv.a)?;
    let whole = siv.rest.constant.checked_rem(siv.a)? == 0;
    if !whole || last.is_some_and(|last| distance.unsigned_abs() > last.unsigned_abs()) {
        return limit(siv.level, NEVER, None);
    }
    limit(siv.level, Directions::of_distance(distance), Some(distance))
}

fn weak_zero(siv: &Siv, last: Option<i128>) -> Option<Limit> {
    if !siv.rest.is_constant() {
        return None;
    }
    // a·i = -c with the sink free, or b·j = c with the source free.
    let (factor, target) =
        if siv.b == 0 { (siv.a, siv.rest.constant.checked_neg()?) } else { (siv.b, siv.rest.constant) };
    let at = target.checked_div(factor)?;
    if target.checked_rem(factor)? != 0 || at < 0 || last.is_some_and(|last| at > last) {
        return limit(siv.level, NEVER, None);
    }
    // The free side runs over 0..U; from the fixed side it is `at` back and `U - at` ahead.
    let ahead = match last {
        Some(last) => Some(last.checked_sub(at)?),
        None => None,
    };
    let fixed_source = Directions::of_interval(Some(-at), ahead);
    limit(siv.level, if siv.b == 0 { fixed_source } else { fixed_source.reversed() }, None)
}

fn weak_crossing(siv: &Siv, last: Option<i128>) -> Option<Limit> {
    if !siv.rest.is_constant() {
        return None;
    }
    // a·(i + j) = -c.
    let target = siv.rest.constant.checked_neg()?;
    let sum = target.checked_div(siv.a)?;
    let most = match last {
        Some(last) => Some(last.checked_mul(2)?),
        None => None,
    };
    if target.checked_rem(siv.a)? != 0 || sum < 0 || most.is_some_and(|most| sum > most) {
        return limit(siv.level, NEVER, None);
    }
    // Equal needs an even sum. Unequal needs room on both sides: i ≠ j with i + j = sum, 0 ≤ i, j ≤ U.
    let equal = if sum % 2 == 0 { Directions::EQUAL } else { NEVER };
    let room = sum > 0 && most.is_none_or(|most| sum < most);
    let unequal = if room { Directions::LESS.join(Directions::GREATER) } else { NEVER };
    limit(siv.level, equal.join(unequal), None)
}

fn exact(problem: &Problem, siv: &Siv) -> Option<Limit> {
    if !siv.rest.is_constant() {
        return None;
    }
    let level = problem.levels[siv.level];
    let range = |var: Var| problem.range(var);
    match Line::solve(siv.a, siv.b.checked_neg()?, siv.rest.constant.checked_neg()?)? {
        None => limit(siv.level, NEVER, None),
        Some(line) => {
            let steps = line.within(range(level.source), range(level.sink))?;
            if steps.is_empty() {
                return limit(siv.level, NEVER, None);
            }
            limit(siv.level, line.directions(steps)?, None)
        }
    }
}
