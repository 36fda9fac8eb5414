//! Where can a subscript meet in which each side has a counter of a different loop?
//!
//! `a·i + b·j = c` with `i` and `j` in ranges of their own. With `g = gcd(a, b)` there are solutions only where `g`
//! divides `c`; they are `i = i0 + (b/g)·t`, `j = j0 - (a/g)·t`, and the ranges cut an interval out of `t`. Exact.
//! Safe error: it can meet.

use super::direction::Directions;
use super::linear::{Interval, ceil_div, extended_gcd, floor_div};
use super::problem::{Problem, Role, Subscript};
use super::verdict::{Test, Verdict};

/// The integer points of `a·i + b·j = c`.
pub struct Line {
    first: (i128, i128),
    second: (i128, i128),
}

impl Line {
    /// `Some(None)` where there are none, `None` where the numbers are too large.
    pub fn solve(a: i128, b: i128, c: i128) -> Option<Option<Line>> {
        let (g, s, t) = extended_gcd(a, b)?;
        if g == 0 || c.checked_rem(g)? != 0 {
            return if g == 0 { None } else { Some(None) };
        }
        let times = c / g;
        let (step_i, step_j) = (b / g, (a / g).checked_neg()?);
        // A particular solution near zero keeps the numbers small.
        let (mut i, mut j) = (s.checked_mul(times)?, t.checked_mul(times)?);
        if step_i != 0 {
            let shift = i.checked_div_euclid(step_i)?;
            i = i.checked_sub(shift.checked_mul(step_i)?)?;
            j = j.checked_sub(shift.checked_mul(step_j)?)?;
        }
        Some(Some(Line { first: (i, step_i), second: (j, step_j) }))
    }

    /// The parameters for which both coordinates are in range.
    pub fn within(&self, first: Interval, second: Interval) -> Option<Interval> {
        Some(cut(self.first, first)?.meet(cut(self.second, second)?))
    }

    /// The signs of `second - first` over an interval of parameters.
    pub fn directions(&self, steps: Interval) -> Option<Directions> {
        let base = self.second.0.checked_sub(self.first.0)?;
        let step = self.second.1.checked_sub(self.first.1)?;
        let mut found = Directions::NONE;
        // d = base + step·t: solve d ≥ 1, d = 0, d ≤ -1 for t separately, since steps may jump over zero.
        for (low, high, sign) in [
            (Some(1), None, Directions::LESS),
            (Some(0), Some(0), Directions::EQUAL),
            (None, Some(-1), Directions::GREATER),
        ] {
            if !cut((base, step), Interval { low, high })?.meet(steps).is_empty() {
                found = found.join(sign);
            }
        }
        Some(found)
    }
}

/// The integers t with `base + step·t` in range.
fn cut((base, step): (i128, i128), range: Interval) -> Option<Interval> {
    if step == 0 {
        return Some(if range.contains(base) { Interval::ANY } else { Interval::between(1, 0) });
    }
    let shifted = |end: Option<i128>| match end {
        Some(end) => end.checked_sub(base)?.checked_mul(step.signum()).map(Some),
        None => Some(None),
    };
    let (low, high) = (shifted(range.low)?, shifted(range.high)?);
    let (low, high) = if step > 0 { (low, high) } else { (high, low) };
    let size = step.checked_abs()?;
    Some(Interval { low: low.map(|x| ceil_div(x, size)), high: high.map(|x| floor_div(x, size)) })
}

/// Two different counters, one from each side or both foreign to the common loops, and a constant.
pub fn test_rdiv(problem: &Problem, subscript: &Subscript) -> Verdict {
    let Some(form) = subscript.equation() else { return Verdict::Open };
    let [(x, a), (y, b)] = form.terms[..] else { return Verdict::Open };
    if problem.role(x) == Role::Symbol || problem.role(y) == Role::Symbol {
        return Verdict::Open;
    }
    let answer = form.constant.checked_neg().and_then(|c| Line::solve(a, b, c));
    let empty = match answer {
        None => return Verdict::Open,
        Some(None) => true,
        Some(Some(line)) => line.within(problem.range(x), problem.range(y)).is_some_and(Interval::is_empty),
    };
    if empty { Verdict::Independent(Test::Rdiv) } else { Verdict::Limits(Test::Rdiv, Vec::new()) }
}
