//! Has a system of inequalities an integer solution?
//!
//! Fourier–Motzkin: `β ≤ b z` and `a z ≤ α` (a, b > 0) give `a β ≤ b α` (the *real shadow*): necessary. If moreover
//! `b α - a β ≥ (a-1)(b-1)` (the *dark shadow*) an integer lies between: sufficient. They agree where a = 1 or b = 1.
//! Where they differ, a solution outside the dark shadow has `b z = β + i` for a lower bound and some
//! `0 ≤ i ≤ (a b - a - b)/a` with the largest a: each is tried (*splinters*). Exact while the budget lasts.

use super::lattice::reduce_columns;
use super::system::{Row, Stop, System, combine};
use super::{Budget, eliminate_equalities};

/// `Ok` where there is a solution, `Err(Empty)` where there is none.
pub fn solve(system: &mut System, budget: &mut Budget) -> Result<(), Stop> {
    loop {
        eliminate_equalities(system, budget)?;
        drop_unbounded(system);
        if system.positive.is_empty() {
            return Ok(());
        }
        let mut choice = choose(system).ok_or(Stop::GaveUp)?;
        if !choice.exact {
            // Shorter columns may make a removal exact, and make splinters few.
            reduce_columns(system, budget)?;
            choice = choose(system).ok_or(Stop::GaveUp)?;
        }
        budget.spend_removal(choice.pairs, system.positive.len())?;
        if choice.exact {
            *system = shadow(system, choice.column, Shade::Real)?;
        } else {
            return solve_inexactly(system, choice.column, budget);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shade {
    Real,
    Dark,
}

pub struct Choice {
    pub column: usize,
    pub pairs: usize,
    pub exact: bool,
}

fn solve_inexactly(system: &System, column: usize, budget: &mut Budget) -> Result<(), Stop> {
    budget.deepen()?;
    solve(&mut shadow(system, column, Shade::Real)?, budget)?;
    match solve(&mut shadow(system, column, Shade::Dark)?, budget) {
        Err(Stop::Empty) => {}
        answer => return answer,
    }
    let largest = system.positive.iter().map(|row| -row[column]).max().unwrap_or(1).max(1);
    for row in system.positive.iter().filter(|row| row[column] > 0) {
        let b = row[column];
        let last = splinters(largest, b).ok_or(Stop::GaveUp)?;
        for i in 0..=last {
            budget.spend(system.positive.len())?;
            let mut splinter = system.clone();
            let mut equality = row.clone();
            equality[0] = equality[0].checked_sub(i).ok_or(Stop::GaveUp)?;
            splinter.equal.push(equality);
            match solve(&mut splinter, budget) {
                Err(Stop::Empty) => {}
                answer => return answer,
            }
        }
    }
    Err(Stop::Empty)
}

/// `⌊(a b - a - b)/a⌋`: beyond it the gap above the lower bound is wide enough for the dark shadow.
fn splinters(a: i128, b: i128) -> Option<i128> {
    Some(a.checked_mul(b)?.checked_sub(a)?.checked_sub(b)?.div_euclid(a))
}

/// A variable without lower or without upper bound can always be chosen: its rows say nothing about the others.
fn drop_unbounded(system: &mut System) {
    loop {
        let one_sided = (1..system.width).find(|column| {
            let (low, high) = count(system, *column);
            (low == 0) != (high == 0)
        });
        let Some(column) = one_sided else { return };
        system.positive.retain(|row| row[column] == 0);
    }
}

fn count(system: &System, column: usize) -> (usize, usize) {
    system.positive.iter().fold((0, 0), |(low, high), row| match row[column] {
        0 => (low, high),
        1.. => (low + 1, high),
        _ => (low, high + 1),
    })
}

/// The variable to remove next: exactly where possible, and with as few new rows as possible.
fn choose(system: &System) -> Option<Choice> {
    let all = (1..system.width).filter_map(|column| examine(system, column));
    all.min_by_key(|at| (!at.exact, if at.exact { 0 } else { effort(system, at.column) }, at.pairs))
}

/// How many splinters an inexact removal may need.
fn effort(system: &System, column: usize) -> i128 {
    let largest = system.positive.iter().map(|row| row[column].saturating_neg()).max().unwrap_or(1).max(1);
    let lower = system.positive.iter().map(|row| row[column]).filter(|x| *x > 0);
    lower.map(|b| splinters(largest, b).map_or(i128::MAX, |last| last + 1)).fold(0, i128::saturating_add)
}

/// What removing a column costs, or `None` where it is gone already.
pub fn examine(system: &System, column: usize) -> Option<Choice> {
    let (low, high) = count(system, column);
    if low + high == 0 {
        return None;
    }
    let unit_low = system.positive.iter().all(|row| row[column] <= 1);
    let unit_high = system.positive.iter().all(|row| row[column] >= -1);
    Some(Choice { column, pairs: low * high, exact: unit_low || unit_high })
}

/// The system without a column.
pub fn shadow(system: &System, column: usize, shade: Shade) -> Result<System, Stop> {
    let mut result = System { width: system.width, equal: system.equal.clone(), positive: Vec::new() };
    let (mut lower, mut upper): (Vec<&Row>, Vec<&Row>) = (Vec::new(), Vec::new());
    for row in &system.positive {
        match row[column] {
            0 => result.positive.push(row.clone()),
            1.. => lower.push(row),
            _ => upper.push(row),
        }
    }
    for low in &lower {
        for high in &upper {
            let (b, a) = (low[column], high[column].checked_neg().ok_or(Stop::GaveUp)?);
            let mut row = combine(a, low, b, high)?;
            if shade == Shade::Dark {
                let gap = (a - 1).checked_mul(b - 1).ok_or(Stop::GaveUp)?;
                row[0] = row[0].checked_sub(gap).ok_or(Stop::GaveUp)?;
            }
            result.positive.push(row);
        }
    }
    Ok(result)
}
