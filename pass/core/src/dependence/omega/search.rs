//! How are large coefficients taken out of a system whose variables have few values?
//!
//! Flat addresses and wrapped values bring coefficients of thousands or 2^64, on which Fourier–Motzkin splinters. Bounds
//! are propagated through the rows (each row bounds each of its variables by the extremes of the others), variables
//! left with one value are put in, and where a large coefficient remains its variable is tried value by value, if it
//! has few. What remains is small and goes to Fourier–Motzkin. Exact.

use super::Budget;
use super::fourier;
use super::system::{Row, Stop, System};
use crate::dependence::linear::{Interval, ceil_div, floor_div};

/// Coefficients up to this are left to Fourier–Motzkin.
const SMALL: u128 = 12;

/// A variable with more values than this is not tried value by value.
const MOST_VALUES: i128 = 70;

/// Rounds of propagation; bounds that creep forever have to stop somewhere.
const ROUNDS: usize = 4;

pub fn solve(mut system: System, budget: &mut Budget) -> Result<(), Stop> {
    let ranges = settle(&mut system, budget)?;
    let Some((column, low, high)) = pick(&system, &ranges) else {
        return fourier::solve(&mut system, budget);
    };
    for value in low..=high {
        let mut part = system.clone();
        fix(&mut part, column, value)?;
        match solve(part, budget) {
            Err(Stop::Empty) => {}
            answer => return answer,
        }
    }
    Err(Stop::Empty)
}

/// Propagates bounds and puts in the variables that have one value.
pub fn settle(system: &mut System, budget: &mut Budget) -> Result<Vec<Interval>, Stop> {
    let mut ranges = vec![Interval::ANY; system.width];
    for _ in 0..ROUNDS {
        system.normalise()?;
        budget.spend(1 + (system.equal.len() + system.positive.len()) / 4)?;
        let mut changed = false;
        for at in 0..system.equal.len() + system.positive.len() {
            changed |= propagate(system, at, &mut ranges)?;
        }
        for (column, range) in ranges.iter().enumerate().skip(1) {
            if let Interval { low: Some(low), high: Some(high) } = *range
                && low == high
            {
                changed |= fix(system, column, low)?;
            }
        }
        if !changed {
            break;
        }
    }
    Ok(ranges)
}

/// Tightens the ranges of one row's variables.
fn propagate(system: &System, at: usize, ranges: &mut [Interval]) -> Result<bool, Stop> {
    let (row, equal) = match system.equal.get(at) {
        Some(row) => (row, true),
        None => (&system.positive[at - system.equal.len()], false),
    };
    let mut changed = raise(row, 1, ranges)?;
    if equal {
        changed |= raise(row, -1, ranges)?;
    }
    Ok(changed)
}

/// `sign·row ≥ 0` bounds each variable by the greatest value of the rest.
fn raise(row: &Row, sign: i128, ranges: &mut [Interval]) -> Result<bool, Stop> {
    // The sum of the greatest terms, and how many of them have none.
    let (mut sum, mut open) = (sign * row[0], 0);
    let most = |column: usize, ranges: &[Interval]| ranges[column].scale(sign * row[column]).high;
    let columns: Vec<usize> = (1..row.len()).filter(|column| row[*column] != 0).collect();
    for column in &columns {
        match most(*column, ranges).map(|term| sum.checked_add(term)) {
            Some(Some(next)) => sum = next,
            Some(None) => return Ok(false),
            None => open += 1,
        }
    }
    if open == 0 && sum < 0 {
        return Err(Stop::Empty);
    }
    let mut changed = false;
    for column in columns {
        let own = most(column, ranges);
        let rest = match (open, own) {
            (0, Some(own)) => sum.checked_sub(own),
            (1, None) => Some(sum),
            _ => None,
        };
        let Some(need) = rest.and_then(i128::checked_neg) else { continue };
        // factor·x ≥ need.
        let factor = sign * row[column];
        let bound = if factor > 0 {
            Interval { low: Some(ceil_div(need, factor)), high: None }
        } else {
            Interval { low: None, high: need.checked_neg().map(|need| floor_div(need, -factor)) }
        };
        let tighter = ranges[column].meet(bound);
        if tighter.is_empty() {
            return Err(Stop::Empty);
        }
        if tighter != ranges[column] {
            changed = true;
            // The sum was made with the old range, which is only larger: still right, and tightened next round.
            ranges[column] = tighter;
            if own.is_some() && open == 0 {
                let now = most(column, ranges).ok_or(Stop::GaveUp)?;
                sum = sum
                    .checked_sub(own.unwrap_or(0))
                    .and_then(|sum| sum.checked_add(now))
                    .ok_or(Stop::GaveUp)?;
            }
        }
    }
    Ok(changed)
}

/// Puts a value in; whether the variable was still there.
fn fix(system: &mut System, column: usize, value: i128) -> Result<bool, Stop> {
    let mut changed = false;
    for row in system.equal.iter_mut().chain(system.positive.iter_mut()) {
        if row[column] != 0 {
            let term = row[column].checked_mul(value).ok_or(Stop::GaveUp)?;
            row[0] = row[0].checked_add(term).ok_or(Stop::GaveUp)?;
            row[column] = 0;
            changed = true;
        }
    }
    Ok(changed)
}

/// The variable with the largest coefficient, if it is large and the variable has few values.
fn pick(system: &System, ranges: &[Interval]) -> Option<(usize, i128, i128)> {
    let mut best: Option<(u128, usize, i128, i128)> = None;
    for row in system.equal.iter().chain(&system.positive) {
        for column in (1..row.len()).filter(|column| row[*column].unsigned_abs() > SMALL) {
            let Interval { low: Some(low), high: Some(high) } = ranges[column] else { continue };
            let size = row[column].unsigned_abs();
            let few = high.checked_sub(low).is_some_and(|width| width < MOST_VALUES);
            if few && best.is_none_or(|(most, ..)| size > most) {
                best = Some((size, column, low, high));
            }
        }
    }
    best.map(|(_, column, low, high)| (column, low, high))
}
